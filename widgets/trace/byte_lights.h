#pragma once
// Lights a field of a message and its bytes in the details, both ways. Marks are laid over the text, so that lighting changes neither the
// document nor what is selected or scrolled in it. GUI thread; owned by the browser that it lights.
//
// Bytes are anchors "byte:N" in the document, in hexadecimal and as text; fields the rows of a table.

#include <QColor>
#include <QTextEdit>

#include "engine/components/wire_layout.h"

#include <optional>
#include <vector>

class QTextTable;

namespace sbx::ui {

class ByteLights {
public:
    explicit ByteLights(QTextEdit& browser) : m_browser(browser) {}

    // Of the document as it is now; `fields`: a row each, may be null.
    void read(WireLayout layout, const QTextTable* fields);
    void clear();
    // Under the pointer: lit until it is elsewhere.
    void hover(std::optional<std::size_t> field);
    // By a click: lit until another is, or the same once more.
    void pin(std::optional<std::size_t> field);
    // That is lit now.
    [[nodiscard]] std::optional<std::size_t> lit() const { return m_hovered ? m_hovered : m_pinned; }
    [[nodiscard]] std::optional<std::size_t> pinned() const { return m_pinned; }
    void setColor(const QColor& color);
    // Of a byte's anchor, "byte:12"; nothing: it is another anchor, or a byte of no field.
    [[nodiscard]] std::optional<std::size_t> fieldOfAnchor(const QString& anchor) const;
    // Where a byte's signs stand in the document: hexadecimal, then as text; from, to.
    [[nodiscard]] std::vector<std::pair<int, int>> placesOf(std::size_t byte) const;

private:
    void show();

    QTextEdit& m_browser;
    WireLayout m_layout;
    std::vector<std::pair<int, int>> m_rows;               // of the fields
    std::vector<std::vector<std::pair<int, int>>> m_bytes; // by byte
    std::optional<std::size_t> m_hovered;
    std::optional<std::size_t> m_pinned;
    QColor m_color;
};

} // namespace sbx::ui
