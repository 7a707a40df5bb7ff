#pragma once
// Mouse and keys for a widget, as Qt delivers those of a person. An event may open a dialog that runs an event loop of its own:
// then the call returns when it has closed. GUI thread.

#include <QPoint>
#include <QString>
#include <QWidget>

#include "engine/core/result.h"

#include <optional>

namespace sbx::remote {

struct Click {
    Qt::MouseButton button = Qt::LeftButton;
    Qt::KeyboardModifiers modifiers = Qt::NoModifier;
    bool isDouble = false;
    // Where in the widget. `row` counts before `part`, `part` before `at`; none of them: the middle.
    std::optional<QPoint> at;   // logical pixels from the upper left; of a scroll area: of what is visible of it
    std::optional<QString> row; // of a list, tree, table, menu, tab bar or combo box: the one with this text
    std::optional<QString> part; // of a widget that paints its parts itself (ui::AddressedParts): "entity:door"
};

// Where the click goes: the widget that gets it, and the place in it. The error lists the texts of the rows there.
struct ClickPlace {
    QWidget* widget = nullptr;
    QPoint at;
};
[[nodiscard]] Result<ClickPlace> placeOf(QWidget& widget, const Click& click);
void deliverClick(const ClickPlace& place, const Click& click);
// Pressed at `from`, moved in steps, released at `to`; both in the widget.
void deliverDrag(QWidget& widget, const QPoint& from, const QPoint& to);
// A text, key by key, at the cursor.
void deliverText(QWidget& widget, const QString& text);
// One key with its modifiers: "Ctrl+Z", "Return". Shortcuts that hold there answer to it.
[[nodiscard]] Result<int> keyOf(const QString& keys);
void deliverKey(QWidget& widget, int keyWithModifiers);

} // namespace sbx::remote
