#pragma once
// How a moment is shown in lists: "today, 14:03:22", "3 Nov 2026, 09:10:00".

#include <QDateTime>
#include <QString>

namespace sbx::editor {

[[nodiscard]] QString shownTime(const QDateTime& time);

} // namespace sbx::editor
