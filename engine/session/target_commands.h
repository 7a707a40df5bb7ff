#pragma once
// The console commands of a session that act on the world a line is for (Session::target()), each registered by one function; private to
// this room. Called in the session's constructor.

namespace sbx {

class Session;

void registerWorldCommands(Session& session);   // session_world_commands.cpp
void registerSendCommand(Session& session);     // session_send_command.cpp
void registerSpatialCommands(Session& session); // spatial_commands.cpp

} // namespace sbx
