#include "app/remote/remote_control.h"

#include "app/remote/remote_words.h"

#include <algorithm>

namespace sbx::remote {

namespace {
const std::vector<std::string>& windowWords() {
    static const std::vector<std::string> Words = {"click", "drag",    "key",     "screenshot", "select.dump",
                                                   "type",  "ui.dump", "ui.find", "undo.dump"};
    return Words;
}
} // namespace

bool needsWindow(std::string_view word) {
    return std::find(windowWords().begin(), windowWords().end(), word) != windowWords().end();
}

const std::vector<std::string>& remoteWords() {
    static const std::vector<std::string> Words = [] {
        std::vector<std::string> words = windowWords();
        words.insert(words.end(), {"quit", "step", "trace.dump", "wait.for", "wait.idle"});
        return words;
    }();
    return Words;
}

RemoteControl::RemoteControl(Session& session, Quit quit, Window window)
    : m_runs(session), m_session(session), m_quit(std::move(quit)), m_window(std::move(window)) {}

Result<std::unique_ptr<RemoteControl>> RemoteControl::start(const std::string& path, Session& session,
                                                            Quit quit, Window window) {
    std::unique_ptr<RemoteControl> control(new RemoteControl(session, std::move(quit), std::move(window)));
    RemoteControl* const self = control.get();
    Result<std::unique_ptr<RemoteServer>> server = RemoteServer::listen(
        path, [self](const std::shared_ptr<Request>& request) { self->take(request); },
        [self] { self->m_session.look(); });
    if (!server)
        return makeError("--test-mode " + server.error().message);
    control->m_server = std::move(*server);
    return control;
}

void RemoteControl::take(const std::shared_ptr<Request>& request) {
    const std::string_view word = firstWord(request->line());
    if (word == "quit") {
        request->answer({true, {}, {}});
        m_quit();
    } else if (needsWindow(word) && !m_window) {
        request->fail(std::string(word) + " needs a window, and this program runs without one");
    } else if (needsWindow(word) || (word == "wait.idle" && m_window)) {
        m_window(request);
    } else if (word == "wait.idle") {
        // Without a window, work is what was posted before.
        m_runs.post([request](Session&) { request->answer({true, {}, {}}); });
    } else {
        m_session.take(request);
    }
}

} // namespace sbx::remote
