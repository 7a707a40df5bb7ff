#include "widgets/trace/byte_lights.h"

#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>

#include <utility>

namespace sbx::ui {

namespace {

const QString ByteAnchor = QStringLiteral("byte:");

} // namespace

void ByteLights::clear() {
    m_layout = {};
    m_rows.clear();
    m_bytes.clear();
    m_hovered.reset();
    m_pinned.reset();
    show();
}

void ByteLights::read(WireLayout layout, const QTextTable* fields) {
    // Another message of the type has the same fields: what was pinned stays so.
    const auto pinned = layout.fields.size() == m_layout.fields.size() ? m_pinned : std::nullopt;
    clear();
    m_layout = std::move(layout);
    m_bytes.resize(m_layout.bytes.size());
    for (int row = 0; fields != nullptr && row < fields->rows(); ++row)
        m_rows.emplace_back(fields->cellAt(row, 0).firstPosition(), fields->cellAt(row, 1).lastPosition());
    for (QTextBlock block = m_browser.document()->begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            const QTextFragment text = part.fragment();
            const QString anchor = text.charFormat().anchorHref();
            if (!anchor.startsWith(ByteAnchor))
                continue;
            bool ok = false;
            const std::size_t byte = anchor.mid(ByteAnchor.size()).toUInt(&ok);
            if (ok && byte < m_bytes.size())
                m_bytes[byte].emplace_back(text.position(), text.position() + text.length());
        }
    m_pinned = pinned;
    show();
}

void ByteLights::hover(std::optional<std::size_t> field) {
    if (std::exchange(m_hovered, field) != field)
        show();
}

void ByteLights::pin(std::optional<std::size_t> field) {
    m_pinned = m_pinned == field ? std::nullopt : field;
    show();
}

void ByteLights::setColor(const QColor& color) {
    m_color = color;
    show();
}

std::optional<std::size_t> ByteLights::fieldOfAnchor(const QString& anchor) const {
    if (!anchor.startsWith(ByteAnchor))
        return std::nullopt;
    bool ok = false;
    const std::size_t field = m_layout.fieldAt(anchor.mid(ByteAnchor.size()).toUInt(&ok));
    return ok && field < m_layout.fields.size() ? std::optional(field) : std::nullopt;
}

std::vector<std::pair<int, int>> ByteLights::placesOf(std::size_t byte) const {
    return byte < m_bytes.size() ? m_bytes[byte] : std::vector<std::pair<int, int>>();
}

void ByteLights::show() {
    QList<QTextEdit::ExtraSelection> marks;
    const auto mark = [&](const std::pair<int, int>& place) {
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(m_browser.document());
        selection.cursor.setPosition(place.first);
        selection.cursor.setPosition(place.second, QTextCursor::KeepAnchor);
        selection.format.setBackground(m_color);
        marks.append(selection);
    };
    if (const auto field = lit(); field && *field < m_layout.fields.size()) {
        if (*field < m_rows.size())
            mark(m_rows[*field]);
        for (std::size_t byte = m_layout.fields[*field].begin; byte < m_layout.fields[*field].end; ++byte)
            for (const auto& place : m_bytes[byte])
                mark(place);
    }
    m_browser.setExtraSelections(marks);
}

} // namespace sbx::ui
