#include "engine/commands/console_commands.h"

namespace sbx {

namespace {

using AddGroup = void (*)(Session&);
constexpr AddGroup Groups[] = {addClockCommands, addEventCommands, addQueueCommands,   addBreakpointCommands,
                               addWatchCommands, addTargetCommands, addWorldCommands,  addSendCommand,
                               addSpatialCommands, addNetworkCommands, addSoundCommands, addPluginCommands};

} // namespace

void addConsoleCommands(Session& session) {
    for (const AddGroup add : Groups)
        add(session);
}

} // namespace sbx
