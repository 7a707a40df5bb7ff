#pragma once
// Widgets by name. A name is an objectName, or several joined by "/" from the outside in, "dock.outliner/filter": each stands for a
// widget somewhere inside the one before. GUI thread.

#include <QString>
#include <QWidget>

#include "engine/core/result.h"

#include <vector>

namespace sbx::remote {

// The names of a widget and of those it lies in, joined by "/", the outermost first; widgets without a name are left out.
[[nodiscard]] QString widgetPath(const QWidget& widget);
// All that have the name and can be seen, in no order.
[[nodiscard]] std::vector<QWidget*> findWidgets(const QString& name);
// The only one. The error lists the candidates, says that it is hidden, or which names are nearest.
[[nodiscard]] Result<QWidget*> findWidget(const QString& name);
// The same for one that is to take input: an error if it is disabled, or behind a dialog or an open menu.
[[nodiscard]] Result<QWidget*> findForInput(const QString& name);

} // namespace sbx::remote
