#pragma once
// Whether the program was asked from outside to end (SIGTERM; SIGINT from a terminal; SIGHUP when the terminal goes), so that it can do
// so in order: files closed, settings kept, peers notified. A second signal of the same kind ends it at once.
//
// One at a time: signals belong to the process. Construct it before threads start; made() may be asked on any thread.

namespace sbx::app {

class EndRequest {
public:
    // `grace`: seconds from the request after which the program is ended at once, with status(); 0: it takes its time.
    explicit EndRequest(unsigned grace = 0);
    ~EndRequest();
    EndRequest(const EndRequest&) = delete;
    EndRequest& operator=(const EndRequest&) = delete;

    [[nodiscard]] bool made() const { return signal() != 0; }
    // The signal that arrived; 0: none.
    [[nodiscard]] int signal() const;
    // What the shell calls the end by that signal: 128 and its number; 0: no signal.
    [[nodiscard]] int status() const { return made() ? 128 + signal() : 0; }
};

} // namespace sbx::app
