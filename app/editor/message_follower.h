#pragma once
// The one selection, as far as it is a message: what the trace knows of the selected record goes to the panels that know no trace. The
// viewport draws its line, the definition opens its handler, the console shows it, the probe lights the voice that it started. The messages
// that pass go to the viewport too, while it shows them. Registers the console command `msg`, which `$msg` in a line asks.
//
// Data flow: Selection::traceChanged, and the trace's records as they come (a message may be selected before they are here). GUI thread, but
// for the command, which the session's thread runs. Child of the window; everything else outlives it.

#include <QObject>

#include "widgets/common/passing_message.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sbx {
class Session;
}
namespace sbx::ui {
class ConsolePanel;
class DefinitionPanel;
class PassingMessages;
class ProbePanel;
class TracePanel;
class ViewportPanel;
} // namespace sbx::ui

namespace sbx::editor {

class Editor;

class MessageFollower : public QObject {
    Q_OBJECT

public:
    struct Panels {
        ui::TracePanel& trace;
        ui::ViewportPanel& viewport;
        ui::DefinitionPanel& definition;
        ui::ConsolePanel& console;
        ui::ProbePanel& probe;
    };
    // The session's thread has not started yet.
    MessageFollower(Editor& editor, Session& session, const Panels& panels, QObject* parent);
    ~MessageFollower() override;

    [[nodiscard]] ui::PassingMessages& passing() { return *m_passing; }

private:
    // What `$msg` and `$msg.WORD` mean, in the order in which `msg` lists them; empty: no message is selected.
    using Words = std::vector<std::pair<std::string, std::string>>;
    struct Shared {
        std::mutex mutex;
        Words words;
    };
    void addCommand(Session& session);
    void follow(std::uint64_t sequence);
    void show(const std::optional<ui::ChosenMessage>& message);
    void lookAgain();
    void connectPassing();
    [[nodiscard]] Words wordsOf(const ui::ChosenMessage& message) const;

    Editor& m_editor;
    Session& m_session;
    Panels m_panels;
    ui::PassingMessages* m_passing;
    std::uint64_t m_wanted = 0; // selected, and not held by the trace yet
    std::shared_ptr<Shared> m_shared = std::make_shared<Shared>();
};

} // namespace sbx::editor
