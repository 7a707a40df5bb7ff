#pragma once
// All console commands of a session. Each group has a source of its own and one function that adds it; console_commands.cpp has the
// list of all groups, which is the one place where a new group is entered.
//
// Data flow: a program gives addConsoleCommands to the constructor of its Session, which calls it once. A command acts on the simulation
// that its line is for (Session::target()); watches, breakpoints, plugins and the clock are the session's, whatever world a line is for.
// Thread: the session's, for adding and for running commands. Completion runs on any thread and reads snapshots and registries only.
// Ownership: the commands refer to the session and are in its console, so they end with it.

namespace sbx {

class Session;

// All groups that follow, in this order.
void addConsoleCommands(Session& session);

void addClockCommands(Session& session);      // sim.play …, wait, sim.digest, expect
void addEventCommands(Session& session);      // event, raise, list events
void addQueueCommands(Session& session);      // list queue, cancel
void addBreakpointCommands(Session& session); // break, unbreak, list breakpoints
void addWatchCommands(Session& session);      // watch, unwatch, watch.export, list watches
void addTargetCommands(Session& session);     // on, list targets
void addWorldCommands(Session& session);      // spawn, destroy, enable, disable, set, select, dump, world.dump, list entities
void addSendCommand(Session& session);        // send
void addSpatialCommands(Session& session);    // near, raycast
void addNetworkCommands(Session& session);    // say, net, net.stats, graph.dump, net.link, net.host, net.view
void addSoundCommands(Session& session);      // audio.voices, audio.listen, audio.devices, audio.record
void addPluginCommands(Session& session);     // plugin.list, plugin.reload, docs

} // namespace sbx
