#pragma once
// What the command palette lists of the console: its commands, to be run or typed on, and its CVars. Any call reads the
// registries anew. GUI thread.

#include "widgets/common/command_palette.h"

#include <functional>
#include <vector>

namespace sbx {
class CommandRegistry;
class CVarRegistry;
} // namespace sbx
namespace sbx::ui {

struct ConsoleLines {
    std::function<void(const QString& line)> run;
    std::function<void(const QString& begin)> type; // into the console's line, to be finished there
};

// Without those `leftOut` names: actions, which the palette has already. A command that demands an argument is typed, not run.
[[nodiscard]] std::vector<PaletteItem> commandItems(const CommandRegistry& commands,
                                                    const std::function<bool(const QString& name)>& leftOut,
                                                    const ConsoleLines& lines);
[[nodiscard]] std::vector<PaletteItem> cvarItems(const CVarRegistry& cvars, const ConsoleLines& lines);

} // namespace sbx::ui
