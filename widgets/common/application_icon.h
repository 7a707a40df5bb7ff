#pragma once
// The program's own icon, as the window's frame, the task bar and the window list show it. Compiled in, so that a program that is not
// installed has it too. GUI thread, after the application was made.

#include <QIcon>

namespace sbx::ui {

[[nodiscard]] QIcon applicationIcon();

} // namespace sbx::ui
