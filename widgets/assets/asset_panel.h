#pragma once
// The project's mesh and sound files: what they look like, what uses them, and what can be done with them: to drag them to where they are
// used, to give them other names, to bring new ones in, and to find those that are missing.
//
// A panel of its own rather than a part of the entity browser: types are what one builds with, few and flat; files are many, lie in
// folders, are renamed and moved, and come from other programs. Editors that people know part them in the same way.
//
// Data flow: AssetFiles (the disk), ProjectModel (what the texts name), AssetPreviews (what files look like) -> AssetModel -> here. Renaming
// goes through AssetMoves, everything else that is edited through the document. GUI thread; parent owns it.

#include <QSet>
#include <QTimer>
#include <QWidget>

#include "engine/core/result.h"
#include "engine/simulation/asset_uses.h"
#include "widgets/assets/asset_import.h"

#include <functional>
#include <memory>

class QAction;
class QBoxLayout;
class QLabel;
class QMenu;
class QModelIndex;
class QSortFilterProxyModel;
class QToolButton;
class QTreeView;

namespace sbx {
class AssetReload;
}

namespace sbx::ui {

class AssetFiles;
class AssetModel;
class AssetMoves;
class AssetPreviews;
class ActionRegistry;
class Document;
class EmptySwitch;
class FilterBar;
class ProjectModel;
class SessionFeed;
class SoundTransport;
class Theme;
struct AssetPreview;

class AssetPanel : public QWidget {
    Q_OBJECT

public:
    // `cacheFolder` keeps thumbnails and waveforms; empty: they are made anew in each run. Adds its actions to the registry.
    AssetPanel(const Theme& theme, Document& document, ProjectModel& project, SessionFeed& feed, ActionRegistry& actions,
               const QString& cacheFolder, QWidget* parent = nullptr);
    ~AssetPanel() override;

    [[nodiscard]] QTreeView& view() { return *m_view; }
    [[nodiscard]] AssetModel& model() { return *m_model; }
    [[nodiscard]] AssetPreviews& previews() { return *m_previews; }
    [[nodiscard]] FilterBar& filterBar() { return *m_bar; }
    // The file that is chosen; empty: a folder, or none.
    [[nodiscard]] QString current() const;
    void choose(const QString& name);
    // As far as the preview is there.
    [[nodiscard]] const AssetPreview* previewOf(const QString& name) const;

    // With all that names it; see AssetMoves::rename(). Not while a world runs.
    Result<void> rename(const QString& from, const QString& to);
    // Writes another file's name wherever the texts name `missing`: one step of undo.
    Result<void> replace(const QString& missing, const QString& by);
    // Files of the project with the same file name and of the same kind.
    [[nodiscard]] QStringList candidatesFor(const QString& missing) const;
    // Asks, if texts name the file, and moves it to the desktop's trash. What names it goes on naming it, and lists it as missing.
    void remove(const QString& name);
    // The file as the desktop's file manager shows its folder; empty: the project's.
    void showInFolder(const QString& name);
    // Asks which file is meant, at a place on the screen.
    void find(const QString& missing, const QPoint& at);
    // Copies files from elsewhere into the project.
    void importFiles(const QStringList& files, const QString& into = {});
    // Files that have changed and cannot be read any more, as sentences without full stops, for the problems panel.
    [[nodiscard]] QStringList faults() const;

signals:
    // To be put into the scene before the camera.
    void createRequested(const QString& asset);
    // A place that names the chosen file: an entity of the scene, or a text.
    void entityRequested(const QString& entity);
    void placeRequested(const QString& file, int line, int column);
    // Something was refused; a full sentence.
    void problem(const QString& text);
    void note(const QString& text);
    void faultsChanged();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addActions(ActionRegistry& actions);
    void readUses();
    void showFiles();
    // After the rows were made anew: what was open and chosen before.
    void restoreRows();
    void showCurrent();
    void showCounts();
    void showMenu(const QPoint& at);
    void open(const QModelIndex& index);
    void togglePlay();
    void showFolderMenu(const QModelIndex& folder, const QPoint& place);
    void moveToTrash(const QString& name);
    void fillUses(QMenu& menu, const QString& name);
    void pollReload();
    void tell(const Result<void>& result);
    void ask();

    const Theme& m_theme;
    Document& m_document;
    ProjectModel& m_project;
    SessionFeed& m_feed;
    AssetFiles* m_files;
    AssetPreviews* m_previews;
    AssetMoves* m_moves;
    AssetImport* m_import;
    AssetModel* m_model;
    QSortFilterProxyModel* m_filter;
    QTreeView* m_view;
    FilterBar* m_bar;
    EmptySwitch* m_noMatch;
    EmptySwitch* m_switch;
    QWidget* m_details;
    QLabel* m_facts;
    QToolButton* m_used;
    QToolButton* m_findButton;
    SoundTransport* m_transport;
    QBoxLayout* m_foot = nullptr; // details and transport: beside each other where there is room
    QTimer m_usesTimer;
    QTimer m_reloadTimer;
    std::unique_ptr<AssetReload> m_reload;
    std::uint64_t m_reloadChanges = 0;
    QString m_chosen;      // file; kept while rows come and go
    QSet<QString> m_closed; // folders that were closed by hand
    bool m_arranging = false;
    int m_scrolled = 0; // pixels, before the rows are made anew
    QStringList m_missing; // when the texts were read again because of it
};

} // namespace sbx::ui
