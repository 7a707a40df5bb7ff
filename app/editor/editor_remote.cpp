// What remote control (`--test-mode`) may ask of the editor beyond its widgets.

#include <QApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUndoStack>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/remote/remote_control.h"
#include "app/remote/window_remote.h"

namespace sbx::editor {

namespace {

QJsonObject selectionJson(const ui::Selection& selection) {
    QJsonArray names;
    for (const std::string& name : selection.entities())
        names.append(QString::fromStdString(name));
    return {{QStringLiteral("entities"), names},
            {QStringLiteral("primary"), QString::fromStdString(selection.primary())},
            {QStringLiteral("traceSequence"), static_cast<qint64>(selection.traceSequence())}};
}

QJsonObject undoJson(const QUndoStack& stack) {
    QJsonArray steps;
    for (int i = 0; i < stack.count(); ++i)
        steps.append(stack.text(i));
    return {{QStringLiteral("steps"), steps},
            {QStringLiteral("index"), stack.index()},
            {QStringLiteral("clean"), stack.isClean()}};
}

} // namespace

Result<void> Editor::openRemoteControl() {
    if (m_options.testMode.empty())
        return {};
    remote::WindowParts parts;
    parts.window = m_window.get();
    parts.picture = [this] { return m_window->grab().toImage(); };
    parts.selection = [this] { return selectionJson(m_selection); };
    parts.undo = [this] { return undoJson(m_document->undoStack()); };
    parts.catchUp = [this] {
        m_project->refresh();
        m_feed->poll();
        return m_project->loading().isEmpty();
    };
    m_remoteWindow = std::make_unique<remote::WindowRemote>(*m_session, std::move(parts));
    auto started = remote::RemoteControl::start(
        m_options.testMode, *m_session,
        [this] {
            QMetaObject::invokeMethod(
                m_window.get(),
                [this] {
                    // No question can be answered: what is not saved is kept for the next start, as at SIGTERM.
                    m_document->flushJournal();
                    m_window->rememberWindow();
                    QApplication::exit();
                },
                Qt::QueuedConnection);
        },
        [part = m_remoteWindow.get()](const std::shared_ptr<remote::Request>& request) {
            part->take(request);
        });
    if (!started)
        return started.error();
    m_remote = std::move(*started);
    // The handler belongs to the session's thread from here on.
    m_session->post(
        [handler = m_remote->tickHandler()](Session& session) { session.handlers().tick = handler; });
    return {};
}

} // namespace sbx::editor
