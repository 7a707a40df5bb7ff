#pragma once
// The widgets that can be seen, as JSON, for `ui.dump` and `ui.find`. GUI thread.

#include <QJsonObject>
#include <QWidget>

namespace sbx::remote {

// Of the widget itself: {"name","class","accessibleName","text","value","enabled","checked","focus","geometry":[x,y,w,h] in its window,
// "screen":[x,y,w,h], "rows":[…] of item views: what is visible, by columns}; fields that do not apply are left out.
[[nodiscard]] QJsonObject widgetJson(const QWidget& widget);
// The same with "children": the visible widgets inside, a level at a time.
[[nodiscard]] QJsonObject widgetTreeJson(const QWidget& widget);

} // namespace sbx::remote
