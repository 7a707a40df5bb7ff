#pragma once
// The lines of remote control that need a window: ui.dump, click, type, screenshot and their like.
//
// Data flow: take() puts the line into the GUI thread's event queue. Input is delivered in one event and answered in the next, so
// that a dialog or menu that a click opens, which runs an event loop of its own, does not hold back the answer.
// Thread: take() any; the rest the window's. Session and window outlive it; what is queued when it goes is answered as ended.

#include <QImage>
#include <QJsonObject>
#include <QObject>
#include <QWidget>

#include "app/remote/remote_server.h"

#include <functional>
#include <memory>

namespace sbx {
class Session;
}

namespace sbx::remote {

struct WindowParts {
    QWidget* window = nullptr;
    std::function<QImage()> picture = {};        // of the window
    std::function<QJsonObject()> selection = {}; // none: the program has no selection
    std::function<QJsonObject()> undo = {};      // none: the program edits nothing
    // Begins work that a change has put off, and shows the latest publication; false while something loads.
    std::function<bool()> catchUp = {};
};

class WindowRemote : public QObject {
public:
    WindowRemote(Session& session, WindowParts parts);

    void take(const std::shared_ptr<Request>& request);

private:
    void run(const std::shared_ptr<Request>& request);
    [[nodiscard]] Result<void> dump(Request& request, const std::vector<std::string>& words);
    [[nodiscard]] Result<void> find(Request& request, const std::vector<std::string>& words);
    [[nodiscard]] Result<void> click(const std::shared_ptr<Request>& request,
                                     const std::vector<std::string>& words);
    [[nodiscard]] Result<void> drag(const std::shared_ptr<Request>& request,
                                    const std::vector<std::string>& words);
    [[nodiscard]] Result<void> type(const std::shared_ptr<Request>& request,
                                    const std::vector<std::string>& words);
    [[nodiscard]] Result<void> key(const std::shared_ptr<Request>& request,
                                   const std::vector<std::string>& words);
    [[nodiscard]] Result<void> screenshot(Request& request, const std::vector<std::string>& words);
    void waitIdle(const std::shared_ptr<Request>& request);
    // Delivers input, and answers although it may open a dialog.
    void deliver(const std::shared_ptr<Request>& request, std::function<void()> input);

    Session& m_session;
    WindowParts m_parts;
};

} // namespace sbx::remote
