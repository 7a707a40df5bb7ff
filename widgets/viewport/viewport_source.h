#pragma once
// The viewport's name as the source of a change of the selection (Selection::setEntity and its like).

#include <QString>

namespace sbx::ui {

inline const QString ViewportSource = QStringLiteral("viewport");

} // namespace sbx::ui
