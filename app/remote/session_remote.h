#pragma once
// The lines of remote control that need no window: console lines, step, trace.dump, wait.for.
//
// Data flow: take() posts to the session, which runs the line between two ticks; a line with `wait`, and wait.for, stay in a list that
// ticked() and look() go through. A line that fails is an error in the log, too, and makes the exit status 1, as in a script.
// Thread: take() and look() any; the rest the session's. What was posted keeps the state alive, so that the object may go first.

#include "app/remote/remote_server.h"
#include "engine/session/session.h"

#include <functional>
#include <memory>

namespace sbx::remote {

class SessionRemote {
public:
    // The session outlives it.
    explicit SessionRemote(Session& session);
    ~SessionRemote();
    SessionRemote(const SessionRemote&) = delete;
    SessionRemote& operator=(const SessionRemote&) = delete;

    void take(const std::shared_ptr<Request>& request);
    // Looks again at lines that wait, if there are any: a run may have ended without a tick.
    void look();
    // To be called after every tick, also when this object has gone.
    [[nodiscard]] std::function<void(Session&)> tickHandler() const;

private:
    class State;
    Session& m_session;
    std::shared_ptr<State> m_state;
};

} // namespace sbx::remote
