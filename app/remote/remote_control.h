#pragma once
// Remote control of a program (`--test-mode SOCKET`): the socket, and which part of the program answers a line. The window's part is
// handed in, so that a program without one links no window.
//
// Thread: made and destroyed on the main thread, before the session's thread starts and after what quit() ends. `quit` and `window`
// are called on the server's thread.

#include "app/remote/remote_server.h"
#include "app/remote/session_remote.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::remote {

// Whether lines that begin with it need a window.
[[nodiscard]] bool needsWindow(std::string_view word);
// Words that are no console commands: those of windows, step, wait.for and the rest.
[[nodiscard]] const std::vector<std::string>& remoteWords();

class RemoteControl {
public:
    // Ends the program in order; unsaved work is kept for the next start.
    using Quit = std::function<void()>;
    // Answers a line that needs a window, and wait.idle. Empty: the program has none.
    using Window = std::function<void(const std::shared_ptr<Request>&)>;

    [[nodiscard]] static Result<std::unique_ptr<RemoteControl>> start(const std::string& path,
                                                                      Session& session, Quit quit,
                                                                      Window window = {});

    // To be called after every tick of the session.
    [[nodiscard]] std::function<void(Session&)> tickHandler() const { return m_session.tickHandler(); }

private:
    RemoteControl(Session& session, Quit quit, Window window);
    void take(const std::shared_ptr<Request>& request);

    Session& m_runs;
    SessionRemote m_session;
    Quit m_quit;
    Window m_window;
    std::unique_ptr<RemoteServer> m_server; // ends first
};

} // namespace sbx::remote
