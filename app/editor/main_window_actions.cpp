// The window's own actions: files, editing, play, view, help. Panels add theirs themselves.

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStyle>
#include <QToolBar>
#include <QToolButton>

#include "app/editor/camera_bookmarks.h"
#include "app/editor/context_hints.h"
#include "app/editor/editor.h"
#include "app/editor/handler_stop_window.h"
#include "app/editor/layouts.h"
#include "app/editor/licences_dialog.h"
#include "app/editor/main_window.h"
#include "app/editor/manual.h"
#include "app/editor/message_sending.h"
#include "app/editor/recent_projects.h"
#include "app/editor/self_test_dialog.h"
#include "app/editor/status_strip.h"
#include "engine/plugin/trusted_projects.h"
#include "engine/simulation/reference.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/selection_memory.h"
#include "widgets/console/console_panel.h"
#include "widgets/graph/graph_panel.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/probe/sound_overlay.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"

namespace sbx::editor {

namespace {
// With what was changed in the window of the stop, once that shows it. False: no tick stands.
bool answerStop(const QWidget& window, const ui::SessionFeed& feed, StopAnswer what) {
    HandlerStops& stops = feed.session().stops();
    const auto stop = stops.stopped();
    if (!stop)
        return false;
    auto* const shown = window.findChild<HandlerStopWindow*>();
    if (shown == nullptr || !shown->answer(what))
        stops.answer(stop->number, what);
    return true;
}
} // namespace

void MainWindow::createActions() {
    createFileActions();
    createEditActions();
    createPlayActions();
    createKeepActions();
    createSpeedActions();
    createNetworkActions();
    createViewActions();
    connectNotices();
    m_console->addActions(m_editor.actions());
    m_trace->addActions(m_editor.actions());
    new MessageSending(m_editor, *m_trace, *this);
    m_graph->addActions(m_editor.actions());
    m_probe->addActions(m_editor.actions());
    m_editor.actions().buildMenus(*menuBar(),
                                  {tr("File"), tr("Edit"), tr("Play"), tr("View"), tr("Tools"), tr("Help")});
    menuBar()->setNativeMenuBar(false);
    menuBar()->setObjectName(QStringLiteral("menuBar"));
    menuBar()->setAccessibleName(tr("Menu bar"));
    // Recent projects sit below Open.
    for (QAction* top : menuBar()->actions())
        if (top->menu() != nullptr && top->text().remove(QLatin1Char('&')) == tr("File")) {
            auto* recent = new QMenu(tr("Open recent"), this);
            recent->setObjectName(QStringLiteral("menu.recent"));
            connect(recent, &QMenu::aboutToShow, this, [this, recent] { showRecent(*recent); });
            const QList<QAction*> actions = top->menu()->actions();
            const qsizetype open = actions.indexOf(m_editor.actions().find(QStringLiteral("file.open")));
            top->menu()->insertMenu(actions.value(open + 1), recent);
        }
}

void MainWindow::createFileActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    const auto open = [this] { return m_editor.document().isOpen(); };
    createStartActions();
    actions.add({.id = QStringLiteral("file.save"),
                 .text = tr("&Save"),
                 .menu = tr("File#1"),
                 .icon = QStringLiteral("save"),
                 .shortcuts = {QKeySequence::Save},
                 .doc = tr("Write every changed file"),
                 .run = [this](bool) { save(); },
                 .enabled = open});
    actions.add({.id = QStringLiteral("file.saveAs"),
                 .text = tr("Save project &as…"),
                 .menu = tr("File#1"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
                 .doc = tr("Copy the project to another folder and go on there"),
                 .run = [this](bool) { saveProjectAs(); },
                 .enabled = open});
    actions.add({.id = QStringLiteral("file.recover"),
                 .text = tr("&Recover unsaved work…"),
                 .menu = tr("File#1"),
                 .doc = tr("What runs that ended early left of this project"),
                 .run = [this](bool) { offerRecovery(); },
                 .enabled = [this] { return m_editor.document().recoverable() != nullptr; }});
    actions.add({.id = QStringLiteral("file.backups"),
                 .text = tr("&Backups…"),
                 .menu = tr("File#1"),
                 .doc = tr("What the files were before the last saves, to go back to"),
                 .run = [this](bool) { showBackups(); },
                 .enabled = open});
    actions.add({.id = QStringLiteral("file.exportPlayer"),
                 .text = tr("&Export player…"),
                 .menu = tr("File#1"),
                 .doc = tr("Write the project with a player into a folder of its own, for people without Signalbox"),
                 .run = [this](bool) { showExport(); },
                 .enabled = open});
    actions.add({.id = QStringLiteral("file.trust"),
                 .text = tr("&Trusted projects…"),
                 .menu = tr("File#1"),
                 .doc = tr("Whether this project's plugins may run, and which other projects' may"),
                 .run = [this](bool) { showTrust(); }});
    actions.add({.id = QStringLiteral("file.quit"),
                 .text = tr("&Quit"),
                 .menu = tr("File#2"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                 .run = [this](bool) { close(); }});

    actions.add({.id = QStringLiteral("plugin.reload"),
                 .text = tr("Load &plugins again"),
                 .menu = tr("Tools"),
                 .doc = tr("Load the project's plugins again, as they are on disk now"),
                 .run = [this](bool) { m_editor.execute("plugin.reload"); },
                 .enabled =
                     [this] {
                         return m_editor.project().isOpen()
                                && !m_editor.project().content()->project.plugins.empty();
                     }});

    const QUndoStack& undo = m_editor.document().undoStack();
    ui::UndoOrder& order = m_editor.document().undoOrder();
    ui::SelectionMemory& selections = m_editor.selectionMemory();
    QAction* undoAction = actions.add({.id = QStringLiteral("edit.undo"),
                                       .text = tr("&Undo"),
                                       .menu = tr("Edit"),
                                       .icon = QStringLiteral("undo"),
                                       .shortcuts = {QKeySequence::Undo},
                                       .run =
                                           [this, &selections](bool) {
                                               if (!selections.undo())
                                                   stepEdits(false);
                                           },
                                       .enabled = [&order, &selections] { return selections.canUndo() || order.canUndo(); }});
    QAction* redoAction = actions.add(
        {.id = QStringLiteral("edit.redo"),
         .text = tr("&Redo"),
         .menu = tr("Edit"),
         .icon = QStringLiteral("redo"),
         .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
         .run =
             [this, &selections](bool) {
                 if (!selections.redo())
                     stepEdits(true);
             },
         .enabled = [&undo, &selections] { return selections.canRedo() || undo.canRedo(); }});
    const auto name = [undoAction, redoAction, &undo, &order, &selections] {
        const QString back = selections.canUndo() ? selections.undoText() : order.undoText();
        const QString on = selections.canRedo() ? selections.redoText() : undo.redoText();
        undoAction->setText(back.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(back));
        redoAction->setText(on.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(on));
        // The button in the bar has no text that would name the step.
        const auto tip = [](QAction& action, const QString& what, const QString& step) {
            const QString keys = action.shortcut().toString(QKeySequence::NativeText);
            action.setToolTip(ui::tipText((step.isEmpty() ? what : tr("%1: %2").arg(what, step))
                                          + (keys.isEmpty() ? QString() : tr(" (%1)").arg(keys))));
        };
        tip(*undoAction, tr("Undo"), back);
        tip(*redoAction, tr("Redo"), on);
    };
    // Keys that are bound anew make a tool tip without the step.
    connect(undoAction, &QAction::changed, this, name);
    connect(redoAction, &QAction::changed, this, name);
    connect(&undo, &QUndoStack::undoTextChanged, this, name);
    connect(&undo, &QUndoStack::redoTextChanged, this, name);
    const auto refresh = [this, name] {
        name();
        m_editor.actions().refresh();
    };
    connect(&order, &ui::UndoOrder::changed, this, refresh);
    connect(&selections, &ui::SelectionMemory::changed, this, refresh);
    const QString key = QStringLiteral("undoSelections");
    selections.setRemembersSelections(m_editor.options().safeMode || m_editor.settings().value(key, true).toBool());
    actions.add({.id = QStringLiteral("edit.undoSelections"),
                 .text = tr("Undo selections, too"),
                 .menu = tr("Edit"),
                 .doc = tr("Undo and Redo also go through what was selected; it never counts as a change of the project"),
                 .run =
                     [this, &selections, key](bool) {
                         selections.setRemembersSelections(!selections.remembersSelections());
                         m_editor.settings().setValue(key, selections.remembersSelections());
                     },
                 .checkable = true,
                 .checked = [&selections] { return selections.remembersSelections(); }});
}

// The world that runs does not show what the scene file says: a step there would go unseen until Stop.
void MainWindow::stepEdits(bool redo) {
    ui::Document& document = m_editor.document();
    if (m_editor.feed().mode() != Mode::Edit && document.isNextStepIn(ui::FileRole::Scene, redo)) {
        const QString step = redo ? document.undoStack().redoText() : document.undoOrder().undoText();
        ui::Notice notice;
        notice.context = QStringLiteral("undo");
        notice.text = redo ? tr("Not redone while the world runs: %1. It is a change of the scene, which "
                                "shows after Stop.")
                                 .arg(step)
                           : tr("Not undone while the world runs: %1. It is a change of the scene, which "
                                "shows after Stop.")
                                 .arg(step);
        notice.actionText = tr("Stop");
        notice.action = [this] {
            static_cast<void>(m_editor.actions().trigger(QStringLiteral("play.stop")).ok());
        };
        m_editor.notices().post(notice);
        return;
    }
    if (redo)
        document.undoOrder().redo();
    else
        document.undoOrder().undo();
}

void MainWindow::createPlayActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    ui::SessionFeed& feed = m_editor.feed();
    const auto open = [this] { return m_editor.project().isOpen(); };
    actions.add({.id = QStringLiteral("play.start"),
                 .text = tr("&Play"),
                 .menu = tr("Play"),
                 .icon = QStringLiteral("play"),
                 .shortcuts = {QKeySequence(Qt::Key_F5)},
                 .doc = tr("Run the scene, or go on after a pause"),
                 .run =
                     [this, &feed](bool) {
                         if (!answerStop(*this, feed, StopAnswer::Continue)) // in the middle of a tick: it goes on
                             feed.post([](Session& s) { s.play(); });
                     },
                 .enabled = [open, &feed] { return open() && (feed.mode() != Mode::Play || feed.session().stops().stopped() != nullptr); }});
    actions.add(
        {.id = QStringLiteral("play.pause"),
         .text = tr("P&ause"),
         .menu = tr("Play"),
         .icon = QStringLiteral("pause"),
         .shortcuts = {QKeySequence(Qt::Key_F7)},
         .doc = tr("Hold the world still; again: go on"),
         .run =
             [&feed](bool) { feed.post([](Session& s) { s.mode() == Mode::Pause ? s.play() : s.pause(); }); },
         .enabled = [&feed] { return feed.mode() != Mode::Edit || feed.session().stops().stopped() != nullptr; }});
    actions.add({.id = QStringLiteral("play.step"),
                 .text = tr("S&tep one tick"),
                 .menu = tr("Play"),
                 .icon = QStringLiteral("step"),
                 .shortcuts = {QKeySequence(Qt::Key_F10)},
                 .doc = tr("Advance by one tick and pause"),
                 .run =
                     [this, &feed](bool) {
                         if (!answerStop(*this, feed, StopAnswer::Step)) // in the middle of a tick: to the next handler
                             feed.post([](Session& s) { s.step(); });
                     },
                 .enabled = open});
    actions.add({.id = QStringLiteral("play.stop"),
                 .text = tr("&Stop"),
                 .menu = tr("Play"),
                 .icon = QStringLiteral("stop"),
                 .shortcuts = {QKeySequence(Qt::Key_F8)},
                 .doc = tr("End the run: the scene is as edited"),
                 .run =
                     [&feed](bool) {
                         feed.post([](Session& s) { s.stop(); });
                         // Behind that: a tick that stands comes to its end, and no other begins.
                         feed.session().stops().release();
                     },
                 // The first tick of a run may stand before any picture of the run has come.
                 .enabled = [&feed] {
                     return feed.mode() != Mode::Edit || feed.session().stops().stopped() != nullptr;
                 }});
}

void MainWindow::createViewActions() {
    ui::ActionRegistry& actions = m_editor.actions();
    actions.add({.id = QStringLiteral("view.palette"),
                 .text = tr("Search or command…"),
                 .menu = tr("View"),
                 .icon = QStringLiteral("search"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
                 .doc = tr("Find any command; @ finds entities"),
                 .run = [this](bool) { m_palette->popUp(); }});
    auto* const layouts = new Layouts({*this, actions, m_editor.settings(), m_editor.notices(), m_editor.theme(), LayoutVersion});
    layouts->addFixed(QStringLiteral("layoutAuthor"), tr("Author"), tr("All panels around the viewport"), [this] { arrangeDefault(); });
    layouts->addFixed(QStringLiteral("layoutTraffic"), tr("Traffic"), tr("Room for the trace"), [this] { arrangeTraffic(); });
    layouts->addFixed(QStringLiteral("layoutNetwork"), tr("Network"), tr("Room for the dependency graph"), [this] { arrangeNetwork(); });
    layouts->addFixed(QStringLiteral("layoutSound"), tr("Sound"), tr("Room for the audio probe"), [this] { arrangeSound(); });
    layouts->addOwn();
    auto* const bookmarks = new CameraBookmarks({*m_viewport, actions, m_editor.settings(), m_editor.document(), m_editor.theme(), *this,
                                                 !m_editor.options().safeMode});
    bookmarks->addActions();
    connect(bookmarks, &CameraBookmarks::said, m_status, &StatusStrip::say);
    auto* const hints = new ContextHints(*this, *m_viewport);
    const QString hintsKey = QStringLiteral("contextHints");
    connect(hints, &ContextHints::changed, m_status, &StatusStrip::setContext);
    hints->setOn(m_editor.options().safeMode || m_editor.settings().value(hintsKey, true).toBool());
    actions.add({.id = QStringLiteral("view.contextHints"),
                 .text = tr("Hints for mouse and keys"),
                 .menu = tr("View#1"),
                 .doc = tr("What mouse and keys do now, in the status bar"),
                 .run =
                     [this, hints, hintsKey](bool) {
                         hints->setOn(!hints->isOn());
                         m_editor.settings().setValue(hintsKey, hints->isOn());
                         m_editor.actions().refresh();
                     },
                 .checkable = true,
                 .checked = [hints] { return hints->isOn(); }});
    actions.add(
        {.id = QStringLiteral("view.sounds"),
         .text = tr("Sounds in the picture"),
         .menu = tr("View#1"),
         .doc = tr("Where sounds are, how far they reach and what stands between, while the probe is shown"),
         .run = [this](bool on) { m_soundOverlay->setShown(on); },
         .checkable = true,
         .checked = [this] { return m_soundOverlay == nullptr || m_soundOverlay->isShown(); }});
    struct ThemeChoice {
        const char* id;
        QString text;
        ui::ThemeMode mode;
        QString key; // in the settings
    };
    for (const ThemeChoice& theme : {ThemeChoice{"view.themeDark", tr("Dark"), ui::ThemeMode::Dark, QStringLiteral("dark")},
                                     ThemeChoice{"view.themeLight", tr("Light"), ui::ThemeMode::Light, QStringLiteral("light")},
                                     ThemeChoice{"view.themeSystem", tr("Follow system"), ui::ThemeMode::System, QStringLiteral("system")}})
        actions.add({.id = QLatin1String(theme.id),
                     .text = theme.text,
                     .menu = tr("View/Theme"),
                     .run =
                         [this, theme](bool) {
                             m_editor.theme().setMode(theme.mode);
                             m_editor.settings().setValue(QStringLiteral("theme"), theme.key);
                             m_editor.actions().refresh();
                         },
                     .checkable = true,
                     .checked = [this, mode = theme.mode] { return m_editor.theme().mode() == mode; }});
    const std::pair<const char*, QString> panels[] = {
        {"outliner", tr("Outliner")},     {"entities", tr("Entities")}, {"inspector", tr("Inspector")},
        {"definition", tr("Definition")}, {"trace", tr("Trace")},       {"console", tr("Console")},
        {"problems", tr("Problems")},     {"graph", tr("Graph")},       {"probe", tr("Probe")},
        {"assets", tr("Assets")},         {"layers", tr("Layers")},
        {"history", tr("History")}};
    int number = 1; // of its key; there are ten
    for (const auto& [name, title] : panels) {
        const QString id = QLatin1String(name);
        QList<QKeySequence> keys;
        if (number <= 10)
            keys.append(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number++ % 10)));
        if (id == QLatin1String("console"))
            keys.append(
                QKeySequence(Qt::Key_QuoteLeft)); // as in games; a field that takes text takes it as text
        actions.add({.id = QStringLiteral("view.panel.") + id,
                     .text = title,
                     .menu = tr("View/Panels"),
                     .icon = id == QLatin1String("assets") ? QStringLiteral("folder") : id == QLatin1String("layers") ? QStringLiteral("layer") : id,
                     .shortcuts = keys,
                     .doc = tr("Show the panel and go there"),
                     .run = [this, id](bool) {
                         QDockWidget* panel = dock(QStringLiteral("dock.") + id);
                         panel->show();
                         panel->raise();
                         panel->widget()->setFocus();
                         if (id == QLatin1String("console"))
                             m_console->focusInput();
                     }});
    }
    actions.add({.id = QStringLiteral("help.manual"),
                 .text = tr("&Manual"),
                 .menu = tr("Help"),
                 .shortcuts = {QKeySequence::HelpContents},
                 .doc = tr("What there is and how to use it"),
                 .run = [this](bool) {
                     const Catalog& catalog = m_editor.feed().session().catalog();
                     const std::vector<const ComponentType*> own = pluginComponents(catalog);
                     showManual(m_editor.theme(), this,
                                own.empty()
                                    ? QString()
                                    : QString::fromStdString(referencePage(
                                        catalog, own, tr("Components of this project").toStdString())));
                 }});
    actions.add({.id = QStringLiteral("help.security"),
                 .text = tr("&Security"),
                 .menu = tr("Help"),
                 .doc = tr("Opening projects of others and running servers: who is trusted with what"),
                 .run = [this](bool) { showManual(m_editor.theme(), this, {}, QStringLiteral("security.md")); }});
    actions.add(
        {.id = QStringLiteral("help.selfTest"),
         .text = tr("&Self-test"),
         .menu = tr("Help"),
         .doc = tr("Try OpenGL, sound, network, folders, samples and plugins, for a report"),
         .run = [this](bool) {
             auto* dialog = new SelfTestDialog(QApplication::applicationFilePath(), this);
             dialog->setAttribute(Qt::WA_DeleteOnClose);
             dialog->open();
         }});
    actions.add(
        {.id = QStringLiteral("help.licences"),
         .text = tr("&Licences"),
         .menu = tr("Help"),
         .doc = tr("Of the program and of everything shipped with it"),
         .run = [this](bool) {
             auto* dialog = new LicencesDialog(shippedLicences(resourceFolders()), this);
             dialog->setAttribute(Qt::WA_DeleteOnClose);
             dialog->open();
         }});
    actions.add(
        {.id = QStringLiteral("help.about"),
         .text = tr("&About Signalbox"),
         .menu = tr("Help"),
         .run = [this](bool) {
             QMessageBox box(QMessageBox::NoIcon, tr("About Signalbox"),
                             tr("<b>Signalbox %1</b><p>A desktop sandbox for message-driven entities.</p>"
                                "<p>engine/: MIT License. Editor and programs: GNU GPL 3 or later.<br>"
                                "Uses Qt (LGPL), QScintilla (GPL), Bullet, Assimp, toml++, spdlog, GLM, libepoxy.</p>")
                                 .arg(QApplication::applicationVersion()),
                             QMessageBox::Ok, this);
             box.setObjectName(QStringLiteral("about"));
             box.setTextFormat(Qt::RichText);
             box.setIconPixmap(windowIcon().pixmap(style()->pixelMetric(QStyle::PM_MessageBoxIconSize)));
             box.exec();
         }});
}

void MainWindow::createToolBar() {
    auto* bar = new QToolBar(tr("Play"), this);
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize({ui::measure::IconSize, ui::measure::IconSize});
    ui::ActionRegistry& actions = m_editor.actions();
    for (const char* id : {"play.start", "play.pause", "play.step", "play.stop"}) {
        QAction* action = actions.find(QLatin1String(id));
        bar->addAction(action);
        auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action));
        button->setObjectName(QStringLiteral("toolbar.") + QLatin1String(id));
        button->setAccessibleName(action->text().remove(QLatin1Char('&')));
        if (QLatin1String(id) == QLatin1String("play.start"))
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    addSpeedButton(*bar);
    bar->addSeparator();
    for (const char* id : {"edit.undo", "edit.redo", "file.save"}) {
        bar->addAction(actions.find(QLatin1String(id)));
        bar->widgetForAction(actions.find(QLatin1String(id)))
            ->setObjectName(QStringLiteral("toolbar.") + QLatin1String(id));
    }
    auto* spacer = new QWidget(bar);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(spacer);
    auto* search = new QToolButton(bar);
    search->setObjectName(QStringLiteral("toolbar.search"));
    search->setText(tr("Search or command   Ctrl+Shift+P"));
    search->setIcon(m_editor.theme().icon(QStringLiteral("search"), ui::Token::Muted));
    search->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    search->setAccessibleName(tr("Search or command"));
    connect(search, &QToolButton::clicked, actions.find(QStringLiteral("view.palette")), &QAction::trigger);
    bar->addWidget(search);
    addToolBar(Qt::TopToolBarArea, bar);
}

void MainWindow::showRecent(QMenu& menu) {
    menu.clear();
    RecentProjects recent(m_editor.settings());
    for (const QString& project : recent.list()) {
        QAction* action =
            menu.addAction(QStringLiteral("%1   %2").arg(QFileInfo(project).dir().dirName(), project));
        action->setEnabled(QFileInfo::exists(project));
        connect(action, &QAction::triggered, this, [this, project] { openProject(project); });
    }
    const bool none = menu.isEmpty();
    if (none)
        menu.addAction(tr("No projects yet"))->setEnabled(false);
    menu.addSeparator();
    QAction* clear = menu.addAction(tr("Clear list"));
    clear->setObjectName(QStringLiteral("menu.recent.clear"));
    clear->setEnabled(!none);
    connect(clear, &QAction::triggered, this, [this] { RecentProjects(m_editor.settings()).clear(); });
}

} // namespace sbx::editor
