// How a row of the trace looks.

#include <QHeaderView>
#include <QPainter>
#include <QPaintEvent>

#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>

namespace sbx::ui {

const QPixmap& TraceView::outcomeIcon(int outcome) {
    static const char* const Names[] = {"passed", "consumed", "unheeded", "unhandled"};
    static const Meaning Meanings[] = {Meaning::Passed, Meaning::Consumed, Meaning::NotReached, Meaning::Unhandled};
    const qreal ratio = devicePixelRatioF();
    const int key = outcome * 1000 + static_cast<int>(ratio * 100);
    auto found = m_icons.find(key);
    if (found == m_icons.end()) {
        const QIcon icon =
            theme().icon(QString::fromLatin1(Names[outcome]), theme().color(Meanings[outcome]));
        found = m_icons.insert(key, icon.pixmap(QSize(IconSide, IconSide), ratio));
    }
    return *found;
}

void TraceView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setFont(font());
    painter.fillRect(event->rect(), theme().color(Token::Surface));
    const int count = m_model.rowCount();
    const int offset = verticalOffset();
    const int first = std::max(0, (event->rect().top() + offset) / RowHeight);
    const int last = std::min(count - 1, (event->rect().bottom() + offset) / RowHeight);
    for (int row = first; row <= last; ++row)
        paintRow(painter, row, QRect(0, row * RowHeight - offset, viewport()->width(), RowHeight));
}

void TraceView::paintRow(QPainter& painter, int row, const QRect& area) {
    const bool selected = selectionModel()->isRowSelected(row);
    if (selected)
        painter.fillRect(area, theme().color(hasFocus() ? Token::Selection : Token::SelectionInactive));
    else if (row == hoveredRow())
        painter.fillRect(area, mix(theme().color(Token::Surface), theme().color(Token::Raised), 0.7));
    const RecordView record = m_model.record(row);
    const Envelope e = record.envelope();
    if (!selected && m_model.marks().isMarked(e.sequence))
        painter.fillRect(area, mix(theme().color(Token::Surface), theme().hue(Hue::Yellow), theme().isDark() ? 0.13 : 0.22));
    // A hairline where a tick ends.
    if (row > 0 && m_model.record(row - 1).tick() != e.tick)
        painter.fillRect(QRect(area.left(), area.top(), area.width(), 1),
                         mix(theme().color(Token::Surface), theme().color(Token::Line), 0.6));
    const bool causes = std::binary_search(m_chain.begin(), m_chain.end(), e.sequence);
    const bool caused = !causes && !m_chain.empty() && e.cause == m_chain.back();
    if (causes)
        painter.fillRect(QRect(area.left(), area.top(), 3, RowHeight), theme().color(Token::Accent));
    else if (caused)
        painter.fillRect(QRect(area.left(), area.top() + RowHeight / 2 - 2, 3, 4), theme().color(Token::Accent));
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int column = m_header->logicalIndex(visual);
        if (m_header->isSectionHidden(column))
            continue;
        const QRect cell(m_header->sectionViewportPosition(column), area.top(), m_header->sectionSize(column),
                         RowHeight);
        if (cell.right() >= 0 && cell.left() < viewport()->width())
            paintCell(painter, row, column, cell.adjusted(CellPadding, 0, -CellPadding, 0));
    }
    if (hasFocus() && row == currentIndex().row() && !selected) {
        painter.setPen(theme().color(Token::Accent));
        painter.drawRect(area.adjusted(0, 0, -1, -1));
    }
}

void TraceView::drawText(QPainter& painter, const QRect& cell, const QString& text, const QColor& color,
                         bool right, Qt::TextElideMode elide) {
    if (cell.width() <= 0)
        return;
    painter.setPen(color);
    const QFontMetrics metrics(painter.font());
    const QString shown = metrics.horizontalAdvance(text) > cell.width()
                              ? metrics.elidedText(text, elide, cell.width())
                              : text;
    washMatches(painter, cell, shown, right);
    painter.drawText(cell, Qt::AlignVCenter | Qt::TextSingleLine | (right ? Qt::AlignRight : Qt::AlignLeft),
                     shown);
}

// Behind what is looked for, where it is shown.
void TraceView::washMatches(QPainter& painter, const QRect& cell, const QString& shown, bool right) const {
    if (m_soughtText.isEmpty())
        return;
    const QFontMetrics metrics(painter.font());
    const int left = right ? cell.right() + 1 - metrics.horizontalAdvance(shown) : cell.left();
    QColor wash = theme().hue(Hue::Orange);
    wash.setAlphaF(theme().isDark() ? 0.35F : 0.4F);
    for (qsizetype at = shown.indexOf(m_soughtText, 0, Qt::CaseInsensitive); at >= 0;
         at = shown.indexOf(m_soughtText, at + m_soughtText.size(), Qt::CaseInsensitive)) {
        const int begin = metrics.horizontalAdvance(shown, static_cast<int>(at));
        const int end = metrics.horizontalAdvance(shown, static_cast<int>(at + m_soughtText.size()));
        painter.fillRect(QRect(left + begin, cell.top() + 2, end - begin, cell.height() - 4), wash);
    }
}

QString TraceView::goneText(const QString& name, std::uint64_t tick, const QFontMetrics& metrics, int width) {
    QString when = QStringLiteral(", gone by %1").arg(tick);
    if (metrics.horizontalAdvance(name + when) <= width)
        return name + when;
    when = QStringLiteral(", gone %1").arg(tick);
    return metrics.elidedText(name, Qt::ElideMiddle, std::max(0, width - metrics.horizontalAdvance(when))) + when;
}

void TraceView::paintCell(QPainter& painter, int row, int column, const QRect& cell) {
    const RecordView record = m_model.record(row);
    const TraceContext& context = m_model.context();
    const QColor text = theme().color(Token::Text);
    const QColor muted = theme().color(Token::Muted);
    switch (static_cast<TraceModel::Column>(column)) {
    case TraceModel::Number:
        drawText(painter, cell.adjusted(paintNotes(painter, record.sequence(), cell), 0, 0, 0), QString::number(record.sequence()), muted, true, Qt::ElideLeft);
        break;
    case TraceModel::Tick: {
        // Said once a tick; the top row of the view always says it.
        const std::uint64_t tick = record.tick();
        const auto& zero = m_model.marks().reference();
        const auto isZero = [&](const RecordView& r) { return zero && r.sequence() == zero->sequence; };
        if (row == 0 || row <= firstVisibleRow() || isZero(record) || m_model.record(row - 1).tick() != tick || isZero(m_model.record(row - 1)))
            drawText(painter, cell, m_model.tickText(record), text, true, Qt::ElideLeft);
        break;
    }
    case TraceModel::World:
        drawText(painter, cell, toQString(context.world(record)), muted);
        break;
    case TraceModel::Type:
        drawText(painter, cell, QString::fromStdString(context.type(record).name), text);
        break;
    case TraceModel::Sender: {
        const std::string_view name = context.sender(record);
        drawText(painter, cell, name.empty() ? QStringLiteral("—") : toQString(name),
                 name.empty() ? muted : text, false, Qt::ElideMiddle); // names differ at their ends
        break;
    }
    case TraceModel::Receiver: {
        const QString name = toQString(context.receiver(record));
        const std::optional<std::uint64_t> gone = context.receiverGoneBy(record);
        if (gone) // muted: there is nothing any more that a click could select
            drawText(painter, cell, goneText(name, *gone, QFontMetrics(painter.font()), cell.width()), muted);
        else
            drawText(painter, cell, name.isEmpty() ? QStringLiteral("—") : name, name.isEmpty() ? muted : text, false, Qt::ElideMiddle);
        break;
    }
    case TraceModel::Fields:
        paintFields(painter, row, cell);
        break;
    case TraceModel::Delivery:
        drawText(painter, cell, toQString(TraceContext::delivery(record)), muted);
        break;
    case TraceModel::Outcome: {
        const RecordOutcome outcome = shownAs(TraceContext::outcome(record));
        const QPixmap& icon = outcomeIcon(static_cast<int>(outcome));
        painter.drawPixmap(QPoint(cell.left(), cell.top() + (RowHeight - IconSide) / 2), icon);
        const Meaning meaning = outcome == RecordOutcome::Consumed    ? Meaning::Consumed
                                : outcome == RecordOutcome::Unheeded  ? Meaning::NotReached
                                : outcome == RecordOutcome::Unhandled ? Meaning::Unhandled
                                                                     : Meaning::Passed;
        const QColor ground = selectionModel()->isRowSelected(row)
                                  ? theme().color(hasFocus() ? Token::Selection : Token::SelectionInactive)
                                  : theme().color(Token::Surface);
        drawText(painter, cell.adjusted(IconSide + 6, 0, 0, 0), context.outcomeText(record),
                 theme().readable(theme().color(meaning), ground));
        break;
    }
    case TraceModel::ColumnCount:
        break;
    }
}

// A diamond for a mark, a speech bubble for a comment, at the left; gives their width.
int TraceView::paintNotes(QPainter& painter, std::uint64_t sequence, const QRect& cell) {
    constexpr int Side = 8;
    int left = cell.left() - 3;
    const int middle = cell.top() + RowHeight / 2;
    if (m_model.marks().isMarked(sequence)) {
        const QPointF corners[] = {QPointF(left + Side / 2.0, middle - Side / 2.0), QPointF(left + Side, middle), QPointF(left + Side / 2.0, middle + Side / 2.0),
                                   QPointF(left, middle)};
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().readable(theme().hue(Hue::Yellow)));
        painter.drawConvexPolygon(corners, 4);
        painter.restore();
        left += Side + 3;
    }
    if (!m_model.marks().comment(sequence).isEmpty()) {
        painter.drawPixmap(QPoint(left, middle - IconSide / 2), commentIcon());
        left += IconSide;
    }
    return std::max(0, left - cell.left());
}

const QPixmap& TraceView::commentIcon() {
    const qreal ratio = devicePixelRatioF();
    const int key = -static_cast<int>(ratio * 100); // outcomes have keys of their own
    auto found = m_icons.find(key);
    if (found == m_icons.end()) {
        const QColor color = theme().readable(theme().hue(Hue::SkyBlue));
        found = m_icons.insert(key, theme().icon(QStringLiteral("message"), color).pixmap(QSize(IconSide, IconSide), ratio));
    }
    return *found;
}

// Names and units muted, values bright; what does not fit ends in an ellipsis.
void TraceView::paintFields(QPainter& painter, int row, QRect cell) {
    const QFontMetrics metrics(painter.font());
    const QColor text = theme().color(Token::Text);
    const QColor muted = theme().color(Token::Muted);
    struct Piece {
        QString words;
        QColor color;
    };
    std::vector<Piece> pieces;
    for (const FieldText& field : m_model.context().fields(m_model.record(row), 16)) {
        if (!pieces.empty())
            pieces.push_back({QStringLiteral(" · "), muted});
        pieces.push_back({field.name + QLatin1Char(' '), muted});
        pieces.push_back({field.value, text});
        if (!field.unit.isEmpty())
            pieces.push_back({QLatin1Char(' ') + field.unit, muted});
    }
    const QString ellipsis = QStringLiteral("…");
    const int reserve = metrics.horizontalAdvance(ellipsis);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const int width = metrics.horizontalAdvance(pieces[i].words);
        const bool last = i + 1 == pieces.size();
        if (width > cell.width() - (last ? 0 : reserve)) {
            // Either the rest fits exactly, or this piece is where the cut goes.
            int rest = 0;
            for (std::size_t k = i; k < pieces.size(); ++k)
                rest += metrics.horizontalAdvance(pieces[k].words);
            if (rest > cell.width()) {
                drawText(painter, cell,
                         metrics.elidedText(pieces[i].words + ellipsis, Qt::ElideRight, cell.width()),
                         pieces[i].color);
                return;
            }
        }
        drawText(painter, cell, pieces[i].words, pieces[i].color);
        cell.setLeft(cell.left() + width);
    }
}

} // namespace sbx::ui
