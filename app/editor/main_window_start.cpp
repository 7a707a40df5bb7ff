// How a person begins: the start page, new projects, samples opened as copies, recent projects with their pictures.

#include <QAction>
#include <QCryptographicHash>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/new_project_dialog.h"
#include "app/editor/project_templates.h"
#include "app/editor/recent_projects.h"
#include "app/editor/start_page.h"
#include "engine/plugin/trusted_projects.h"
#include "widgets/common/document.h"
#include "widgets/common/document_files.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/notice.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>

namespace sbx::editor {

namespace {

constexpr QSize KeptPicture(320, 180);
const QString FolderKey = QStringLiteral("projectsFolder"); // where the last new project was made

QString projectsFolder(const ui::UserSettings& settings) {
    const QString kept = settings.value(FolderKey).toString();
    return kept.isEmpty() || !QFileInfo(kept).isDir() ? defaultProjectsFolder() : kept;
}

QString keptPicture(const QString& cacheFolder, const QString& projectFile) {
    const QByteArray hash = QCryptographicHash::hash(QFileInfo(projectFile).absoluteFilePath().toUtf8(),
                                                     QCryptographicHash::Sha1);
    return QDir(cacheFolder)
        .filePath(QStringLiteral("pictures/%1.png").arg(QString::fromLatin1(hash.toHex())));
}

// The middle of the picture, in the shape of those that are kept.
QImage cut(const QImage& picture) {
    const QImage scaled =
        picture.scaled(KeptPicture, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
    return scaled.copy((scaled.width() - KeptPicture.width()) / 2,
                       (scaled.height() - KeptPicture.height()) / 2, KeptPicture.width(),
                       KeptPicture.height());
}

} // namespace

void MainWindow::createStartActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    actions.add({.id = QStringLiteral("file.new"),
                 .text = tr("&New project…"),
                 .menu = tr("File"),
                 .icon = QStringLiteral("plus"),
                 .shortcuts = {QKeySequence::New},
                 .doc = tr("Make a project from a template or a sample"),
                 .run = [this](bool) { newProject(QStringLiteral("empty")); }});
    actions.add({.id = QStringLiteral("file.open"),
                 .text = tr("&Open project…"),
                 .menu = tr("File"),
                 .icon = QStringLiteral("open"),
                 .shortcuts = {QKeySequence::Open},
                 .doc = tr("Open a project's folder"),
                 .run = [this](bool) { chooseProject(); }});
    actions.add({.id = QStringLiteral("file.start"),
                 .text = tr("Start pa&ge"),
                 .menu = tr("File"),
                 .icon = QStringLiteral("home"),
                 .doc = tr("Recent projects, new projects and samples"),
                 .run = [this](bool) { showStartPage(); }});
}

void MainWindow::createStartPage() {
    m_start = new StartPage(m_editor.theme(), projectTemplates(resourceFolders()), this);
    m_start->hide();
    connect(m_start, &StartPage::backRequested, this, &MainWindow::hideStartPage);
    connect(m_start, &StartPage::openRequested, this, &MainWindow::openProject);
    connect(m_start, &StartPage::chooseRequested, this, &MainWindow::chooseProject);
    connect(m_start, &StartPage::newRequested, this, &MainWindow::newProject);
    connect(m_start, &StartPage::sampleRequested, this, &MainWindow::openSample);
    if (m_editor.options().project.empty())
        showStartPage();
}

// While no project is open the start page lies over all panels; the buttons are for projects in which there is little yet.
void MainWindow::leadOnFromEmptyPanels() {
    struct Way {
        const char* dock;
        const char* state; // objectName
        const char* action;
        QString text = {}; // empty: the action's
    };
    const Way ways[] = {{"dock.outliner", "outliner.empty", "edit.create"},
                        {"dock.entities", "entities.empty", "file.open"},
                        {"dock.inspector", "emptyState", "edit.create"},
                        {"dock.definition", "definition.empty", "file.open"},
                        {"dock.problems", "problems.empty", "view.panel.console", tr("Show the log")}};
    for (const Way& way : ways)
        for (ui::EmptyState* empty : dock(QLatin1String(way.dock))->findChildren<ui::EmptyState*>())
            if (QAction* action = m_editor.actions().find(QLatin1String(way.action));
                action != nullptr && empty->objectName() == QLatin1String(way.state) && empty->button().isHidden())
                empty->setAction(action, way.text);
    m_probe->setCreateAction(m_editor.actions().find(QStringLiteral("edit.createSound")));
}

void MainWindow::showStartPage() {
    std::vector<RecentProject> recent;
    for (const QString& file : RecentProjects(m_editor.settings()).list())
        recent.push_back({file, pictureOf(file)});
    m_start->setRecent(recent);
    const auto& content = m_editor.project().content();
    m_start->setOpenProject(
        content && m_editor.document().isOpen() ? QString::fromStdString(content->project.name) : QString(),
        m_editor.document().isDirty());
    placeStartPage();
    m_start->show();
    m_start->raise();
    m_start->setFocus();
}

void MainWindow::hideStartPage() {
    if (m_start->isHidden())
        return;
    m_start->hide();
    // While the project loads there is no picture to have the focus.
    if (m_viewport->view().isVisible())
        m_viewport->setFocus();
    else
        connect(
            &m_viewport->view(), &ui::ViewportView::frameShown, this, [this] { m_viewport->setFocus(); },
            Qt::SingleShotConnection);
}

void MainWindow::placeStartPage() {
    const int top = menuBar()->geometry().bottom() + 1;
    m_start->setGeometry(0, top, width(), height() - top);
}

void MainWindow::keepStartPageOnTop() {
    if (m_start == nullptr || m_start->isHidden())
        return;
    m_start->raise();
    if (m_noticeStack != nullptr)
        m_noticeStack->raise();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_start != nullptr)
        placeStartPage();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !m_start->isHidden() && m_editor.project().isOpen()) {
        hideStartPage();
        return;
    }
    QMainWindow::keyPressEvent(event);
}

void MainWindow::chooseProject() {
    QString folder = m_editor.document().folder();
    if (folder.isEmpty())
        folder = projectsFolder(m_editor.settings());
    const QString file = ui::fileToOpen(this, tr("Open project"), folder,
                                        tr("Projects and scenes (project.toml *.scene.toml)"));
    if (!file.isEmpty())
        openProject(file);
}

void MainWindow::openAsked(const QString& path) {
    if (!openInstalledSample(path))
        openProject(path);
    // What cannot be opened would leave a window in which nothing can be done.
    if (!m_editor.project().isOpen())
        showStartPage();
}

void MainWindow::newProject(const QString& templateId) {
    auto* dialog = new NewProjectDialog(projectTemplates(resourceFolders()), templateId,
                                        projectsFolder(m_editor.settings()), m_editor.theme(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &NewProjectDialog::created, this, [this](const QString& folder) {
        m_editor.settings().setValue(FolderKey, QFileInfo(folder).absolutePath());
        openCreated(folder);
    });
    dialog->open();
}

void MainWindow::openSample(const QString& templateId) {
    const std::vector<ProjectTemplate> all = projectTemplates(resourceFolders());
    const auto sample = std::find_if(all.begin(), all.end(),
                                     [&](const ProjectTemplate& each) { return each.id == templateId; });
    if (sample == all.end())
        return;
    copyAndOpen(*sample, freeProjectFolder(projectsFolder(m_editor.settings()), sample->name));
}

bool MainWindow::openInstalledSample(const QString& asked) {
    const std::vector<ProjectTemplate> all = projectTemplates(resourceFolders());
    const ProjectTemplate* sample = installedSample(all, asked);
    if (sample == nullptr)
        return false;
    // The copy that was made the first time, with what the user has changed in it since.
    const QString folder = QDir(projectsFolder(m_editor.settings())).filePath(sample->name);
    if (QFileInfo::exists(QDir(folder).filePath(QStringLiteral("project.toml"))))
        openProject(folder);
    else
        copyAndOpen(*sample, freeProjectFolder(projectsFolder(m_editor.settings()), sample->name));
    return true;
}

void MainWindow::copyAndOpen(const ProjectTemplate& sample, const QString& folder) {
    if (const Result<void> made = createProject(sample, folder, QFileInfo(folder).fileName()); !made) {
        report(QString::fromStdString(made.error().toString()));
        return;
    }
    openCreated(folder);
}

// The program made it: its plugins are the user's own.
void MainWindow::openCreated(const QString& folder) {
    if (const Result<void> trusted = m_editor.trusted().trust(folder.toStdString()); !trusted)
        report(QString::fromStdString(trusted.error().toString()));
    openProject(folder);
}

QString MainWindow::pictureOf(const QString& projectFile) const {
    const QString kept = keptPicture(m_editor.cacheFolder(), projectFile);
    // One that was never shown here may bring its own.
    return QFileInfo::exists(kept) ? kept
                                   : QFileInfo(projectFile).dir().filePath(QStringLiteral("picture.png"));
}

void MainWindow::keepPicture() {
    if (!m_editor.project().isOpen() || m_editor.options().safeMode)
        return;
    const QImage picture = m_viewport->view().picture();
    if (picture.isNull() || m_viewport->view().statistics().unfinished)
        return;
    const QString file = m_editor.document().path(m_editor.document().file(ui::FileRole::Project));
    if (const Result<void> written =
            ui::writePicture(keptPicture(m_editor.cacheFolder(), file), cut(picture));
        !written)
        m_editor.log().warning("editor", written.error().toString());
}

} // namespace sbx::editor
