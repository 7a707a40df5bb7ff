#pragma once
// From texts to a running world: parses the document's texts after every edit, keeps what is wrong with them, and hands what
// is right to the session.
//
// The project's plugins are watched: built again, they are loaded again, once they have not been written to for a moment.
//
// Data flow: Document::textChanged -> (at most once a frame) parse on the GUI thread -> problemsChanged(); without errors
// also contentChanged() and Session::applyContent. With errors the last good definitions stay in force, and the scene follows its text as
// far as these allow (engine/simulation/kept_content.h). Edits of nothing but places, which a drag makes many of, are taken over without
// parsing while there are no errors; neither are texts that were in force a few edits ago, which undo and redo bring back. GUI thread.

#include <QDateTime>
#include <QMap>
#include <QObject>
#include <QPair>
#include <QTimer>

#include "engine/simulation/content.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sbx::ui {

class Document;
struct DocumentFile;
class SessionFeed;

class ProjectModel : public QObject {
    Q_OBJECT

public:
    ProjectModel(Document& document, SessionFeed& feed, QObject* parent = nullptr);

    // Opens a project (folder or project.toml; or a scene file inside one) in the document and shows it, stopped. An error if
    // there is nothing to show; its places are in problems().
    Result<void> open(const QString& path);
    [[nodiscard]] bool isOpen() const { return m_content != nullptr; }
    // The name of the project that was opened and is not in the session's publications yet; empty: none.
    [[nodiscard]] const QString& loading() const { return m_loading; }
    // What is in force: the texts as they are now, or with errors what can be kept; null before a project is open.
    [[nodiscard]] const std::shared_ptr<const Content>& content() const { return m_content; }
    // What is wrong with the texts as they are now, each mistake once, with what follows from it; file names as in Document (relative
    // to the project's folder).
    [[nodiscard]] const Diagnostics& problems() const { return m_problems; }
    // The texts as they are now are in force.
    [[nodiscard]] bool isCurrent() const { return m_current; }
    // Instances that stand in the scene's text and are not in the world, because of errors.
    [[nodiscard]] const std::vector<std::string>& missing() const { return m_missing; }
    // Parses now if there is something to parse.
    void refresh();
    // Parses now, also texts that did not change: what they name may have (a plugin that was built again).
    void reread();
    // The document went on in another folder (saved as): the same project, texts and world under new paths.
    void relocate();

signals:
    void contentChanged();
    void problemsChanged();
    void missingChanged();
    void opened();
    // A project begins to load; or, with an empty name, the session shows it or it could not be opened.
    void loadingChanged(const QString& name);
    // How far it is, in percent of the steps it takes, and what comes now: a whole sentence. The window stands still during the first two.
    void loadingStep(int percent, const QString& text);

private:
    // What is in force with the texts as they are now; null: nothing can be shown. `m_content` is what was in force before.
    struct Parsed {
        std::shared_ptr<const Content> content;
        bool good = false; // without errors
        std::vector<std::string> missing;
        Diagnostics problems;
    };
    [[nodiscard]] Parsed parse() const;
    void setMissing(std::vector<std::string> names);
    // The content with instances where the text has them now; null: more has changed since it was parsed.
    [[nodiscard]] std::shared_ptr<const Content> movedContent() const;
    void hand(std::shared_ptr<const Content> content, bool good);
    // Texts without errors, and what they said.
    struct Known {
        std::vector<std::pair<std::string, std::string>> texts; // by file, in the document's order
        std::shared_ptr<const Content> content;
        Diagnostics problems;
    };
    [[nodiscard]] bool isNow(const Known& known) const;
    [[nodiscard]] bool hasOtherProjectFile(const Known& known) const;
    // Null: the texts as they are now are not among those kept.
    [[nodiscard]] const Known* known() const;
    // Keeps what is in force. `moved`: in place of the newest, of which it differs in places alone.
    void keepKnown(bool moved);
    Result<void> read(const QString& projectFile, const std::string& scene, const std::vector<DocumentFile>& files);
    void setLoading(const QString& name);
    void followLoading();
    void followFiles();
    using PluginFiles = QMap<QString, QPair<QDateTime, qint64>>; // by file: last written, size
    [[nodiscard]] PluginFiles pluginFiles() const;
    void watchPlugins();

    Document& m_document;
    SessionFeed& m_feed;
    QTimer m_timer;
    QTimer m_pluginTimer;
    PluginFiles m_pluginsSeen;
    bool m_pluginsMoving = false; // changed at the last look: wait until they rest
    QString m_projectFile;
    std::string m_scene; // relative; empty: the project's
    std::shared_ptr<const Content> m_content;
    Diagnostics m_problems;
    std::vector<std::string> m_missing;
    std::optional<std::uint64_t> m_contentRevision; // of the document, whose texts m_content is made of; none: of others
    bool m_current = false;
    std::vector<Known> m_known; // the newest last
    QString m_loading;
    // Written by the session's thread: the serial of the first publication that shows the project; 0: not yet.
    std::shared_ptr<std::atomic<std::uint64_t>> m_shownFrom;
};

} // namespace sbx::ui
