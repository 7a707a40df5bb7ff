#pragma once
// The console's `set` in the editor: what it sets of an instance of the scene while the world is stopped is an override in the scene
// file, as in the inspector: saved with the scene, undone with Ctrl+Z, kept by later edits.
//
// Thread: the command runs on the simulation's thread and sets the value in the world at once, so that the statements behind it see it.
// The text is edited on the GUI thread, in one step of undo for what has come until then. Made before the session's thread starts;
// the window owns it.

#include <QObject>

#include "engine/core/command.h"

#include <mutex>
#include <string>
#include <vector>

namespace sbx {
class Log;
class Session;
} // namespace sbx
namespace sbx::ui {
class Document;
} // namespace sbx::ui

namespace sbx::editor {

class SceneSet : public QObject {
    Q_OBJECT

public:
    // Takes the place of the session's command `set`. All outlive this.
    SceneSet(Session& session, ui::Document& document, Log& log, QObject* parent = nullptr);

private:
    struct Override {
        std::string entity;
        std::string component;
        std::string field;
        std::string toml; // the value
    };

    // On the simulation's thread: has the scene follow what was set in the world.
    void keep(CommandContext& context, const CommandArguments& arguments);
    void write();

    Session& m_session;
    ui::Document& m_document;
    Log& m_log;
    std::mutex m_mutex;
    std::vector<Override> m_waiting; // until write(); under the mutex
    std::uint64_t m_step = 0;
};

} // namespace sbx::editor
