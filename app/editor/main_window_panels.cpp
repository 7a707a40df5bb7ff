// Joins the panels with each other, the selection and the session.

#include <QCursor>
#include <QDir>
#include <QDockWidget>
#include <QMenu>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/scene_actions.h"
#include "app/editor/status_strip.h"
#include "widgets/assets/asset_panel.h"
#include "widgets/assets/asset_previews.h"
#include "widgets/common/entity_names.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/selection_memory.h"
#include "widgets/console/console_panel.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/problems_model.h"
#include "widgets/definition/problems_panel.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/entity_browser.h"
#include "widgets/outliner/layers_panel.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/probe/sound_overlay.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/handle_control.h"
#include "widgets/viewport/placement.h"
#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <utility>

namespace sbx::editor {

void MainWindow::connectPanels() {
    connectProbe();
    connectAssets();
    connectViewport();
    connectInspector();
    connectOutliner();
    connectProblems();
    connectDocument();
    connectProject();
    connectSession();
    if (!m_editor.options().safeMode)
        m_console->keepHistory(QDir(m_editor.stateFolder()).filePath(QStringLiteral("console_history")));
}

void MainWindow::connectViewport() {
    ui::ProjectModel& project = m_editor.project();
    connect(m_viewport, &ui::ViewportPanel::framesPerSecondChanged, m_status,
            &StatusStrip::setFramesPerSecond);
    connect(m_viewport, &ui::ViewportPanel::problem, this, &MainWindow::report);
    m_viewport->setScene([&project]() -> const definition::Scene* { return project.content() ? &project.content()->scene : nullptr; });
    connect(m_viewport, &ui::ViewportPanel::done, m_status, &StatusStrip::say);
    connect(m_viewport, &ui::ViewportPanel::note, this, [this](const QString& text) {
        ui::Notice notice;
        notice.text = text;
        m_editor.notices().post(notice);
    });
    connect(&m_editor.sound(), &app::LiveSound::statusChanged, this, &MainWindow::showSound);
    connect(&m_editor.sound(), &app::LiveSound::modeChanged, m_status,
            [this](audio::Mode mode) { m_status->setSoundMode(ui::modeName(mode)); });
    connect(m_viewport, &ui::ViewportPanel::qualityLowered, this, [this] {
        ui::Notice notice;
        notice.text =
            tr("This machine draws slowly: the picture is made simpler. See Console, channel render.");
        notice.context = QStringLiteral("render");
        m_editor.notices().post(notice);
    });
}

void MainWindow::connectInspector() {
    ui::ProjectModel& project = m_editor.project();
    connect(m_inspector, &ui::InspectorPanel::problem, this, &MainWindow::report);
    connect(m_inspector, &ui::InspectorPanel::said, this, [this](const QString& text) {
        ui::Notice notice;
        notice.context = QStringLiteral("inspector.said"); // the last one counts
        notice.text = text;
        m_editor.notices().post(notice);
    });
    connect(m_inspector, &ui::InspectorPanel::lockChanged, this, [this] { m_editor.actions().refresh(); });
    const QString favourites = QStringLiteral("inspector/favourites");
    m_inspector->setFavourites(m_editor.settings().value(favourites).toStringList());
    connect(m_inspector, &ui::InspectorPanel::favouritesChanged, this,
            [this, favourites](const QStringList& names) { m_editor.settings().setValue(favourites, names); });
    connect(m_definition, &ui::DefinitionPanel::problem, this, &MainWindow::report);
    connect(m_inspector, &ui::InspectorPanel::definitionRequested, this,
            [this, &project](const QString& type, const QString& component) {
                const definition::EntityTypeDefinition* known =
                    project.content() ? project.content()->definitions->find(type.toStdString()) : nullptr;
                if (known != nullptr && known->builtIn) {
                    ui::Notice notice;
                    notice.text = tr("%1 is built in: no file of the project declares it. To change it for the whole project, switch the inspector to all of %1.").arg(type);
                    m_editor.notices().post(notice);
                    return;
                }
                dock(QStringLiteral("dock.definition"))->show();
                dock(QStringLiteral("dock.definition"))->raise();
                m_definition->showType(type, component);
            });
}

void MainWindow::showDefinitionOf(const QString& entity, const QString& component) {
    const auto& entities = m_editor.feed().frame().entities;
    const EntityRow* row = entities ? entities->find(entity.toStdString()) : nullptr;
    if (row == nullptr) {
        report(tr("%1 is not in the world that is shown: there is no definition to go to.")
                   .arg(ui::shownLine(entity)));
        return;
    }
    // What a type inherits stands with the type that brought it in.
    const auto& content = m_editor.project().content();
    const definition::EntityTypeDefinition* known =
        content && content->definitions ? content->definitions->find(row->type) : nullptr;
    const definition::ComponentDefinition* part =
        known != nullptr && !component.isEmpty() ? known->find(component.toStdString()) : nullptr;
    emit m_inspector->definitionRequested(
        QString::fromStdString(part != nullptr && !part->owner.empty() ? part->owner : row->type), component);
}

void MainWindow::connectOutliner() {
    connect(m_browser, &ui::EntityBrowser::definitionRequested, m_inspector,
            [this](const QString& type) { emit m_inspector->definitionRequested(type, {}); });
    connect(m_browser, &ui::EntityBrowser::createRequested, m_viewport, &ui::ViewportPanel::createAtCentre);
    connect(m_outliner, &ui::OutlinerPanel::entityActivated, m_viewport, &ui::ViewportPanel::frameSelection);
    connect(m_trace, &ui::TracePanel::entityActivated, m_viewport, &ui::ViewportPanel::frameSelection);
    connect(m_trace, &ui::TracePanel::definitionRequested, this, &MainWindow::showDefinitionOf);
    connect(m_outliner, &ui::OutlinerPanel::contextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu;
        menu.setObjectName(QStringLiteral("outliner.menu"));
        for (const char* id : {"view.frame", "probe.listenHere", "trace.followSelected", "edit.rename", "edit.cut", "edit.copy", "edit.paste",
                               "edit.pasteComponentValues", "edit.duplicate", "edit.duplicateAgain", "edit.delete",
                               "edit.selectByType"})
            if (QAction* action = m_editor.actions().find(QLatin1String(id)))
                menu.addAction(action);
        m_viewport->fillLinkMenu(menu);
        SceneActions::fill(menu, m_editor, *m_layersPanel);
        menu.exec(at);
    });
    m_outliner->setNameCheck([this](const std::string& entity, const QString& name) {
        return ui::entityNameRefusal(m_editor.document(), entity, name);
    });
    connect(m_outliner, &ui::OutlinerPanel::renameRequested, m_inspector, &ui::InspectorPanel::rename);
    m_editor.actions().attach(*m_outliner, QStringLiteral("entities"));
    m_trace->setPlayAction(m_editor.actions().find(QStringLiteral("play.start")));
}

void MainWindow::connectProblems() {
    connect(m_problems, &ui::ProblemsPanel::activated, this, &MainWindow::showDefinition);
    connect(m_problems, &ui::ProblemsPanel::fixRequested, m_definition, &ui::DefinitionPanel::applyFix);
    const auto showCounts = [this](int errors, int others) {
        m_status->setProblems(errors, others);
        if (QDockWidget* problems = dock(QStringLiteral("dock.problems")))
            problems->setWindowTitle(errors + others > 0 ? tr("Problems (%1)").arg(errors + others) : tr("Problems"));
    };
    connect(m_problems, &ui::ProblemsPanel::countsChanged, this, showCounts);
    const int errors = m_problems->model().count(Severity::Error);
    showCounts(errors, m_problems->model().rowCount() - errors);
}

void MainWindow::connectAssets() {
    connect(m_assets, &ui::AssetPanel::problem, this, &MainWindow::report);
    connect(m_assets, &ui::AssetPanel::note, this, [this](const QString& text) {
        ui::Notice notice;
        notice.text = text;
        m_editor.notices().post(notice);
    });
    connect(m_assets, &ui::AssetPanel::createRequested, m_viewport, &ui::ViewportPanel::createAssetAtCentre);
    connect(m_assets, &ui::AssetPanel::placeRequested, this, &MainWindow::showDefinition);
    connect(m_assets, &ui::AssetPanel::entityRequested, this, [this](const QString& entity) {
        m_editor.selection().setEntity(entity.toStdString(), QStringLiteral("assets"));
        m_viewport->frameSelection();
    });
    connect(m_assets, &ui::AssetPanel::faultsChanged, m_problems, [this] { m_problems->setAssetFaults(m_assets->faults()); });
    connect(m_problems, &ui::ProblemsPanel::findRequested, this, [this](const QString& missing) {
        dock(QStringLiteral("dock.assets"))->show();
        dock(QStringLiteral("dock.assets"))->raise();
        m_assets->choose(missing);
        m_assets->find(missing, QCursor::pos());
    });
    m_viewport->setAssetFacts([this](const QString& asset) {
        ui::ViewportPanel::AssetFacts facts;
        if (const ui::AssetPreview* preview = m_assets->previewOf(asset)) {
            facts.fault = preview->fault;
            if (preview->triangles > 0)
                facts.bounds = preview->bounds;
            else if (preview->fault.isEmpty())
                facts.bounds = ui::soundClearance();
        }
        return facts;
    });
}

void MainWindow::connectProbe() {
    m_probe->setCamera([this] { return m_viewport->view().mainCamera().pose; });
    connect(m_probe, &ui::ProbePanel::problem, this,
            [this](const QString& text) { m_editor.log().warning("audio", text.toStdString()); });
    connect(m_probe, &ui::ProbePanel::entityActivated, m_viewport, &ui::ViewportPanel::frameSelection);
    connect(dock(QStringLiteral("dock.probe")), &QDockWidget::visibilityChanged, this, [this](bool visible) {
        if (visible)
            m_probe->wake();
        m_viewport->view().wake();
        if (m_soundOverlay != nullptr)
            m_soundOverlay->updateLegend();
    });
    m_soundOverlay = new ui::SoundOverlay(m_editor.theme(), *m_probe, this);
    ui::ViewportView& view = m_viewport->view();
    m_soundOverlay->attach(
        view,
        [this, &view](const QPointF& place) {
            if (!m_soundOverlay->isDragging() && !m_viewport->input().walking())
                view.activateAt(place); // it sees the mouse before the picture does
            return view.rayAt(place);
        },
        [&view] { return view.camera(); }, [&view] { return view.activeArea().height(); });
    // The probe draws handles of its sound itself.
    m_viewport->handles().setSoundsElsewhere([this] { return m_soundOverlay != nullptr && m_soundOverlay->isShown() && m_probe->isSeen(); });
    m_soundOverlay->setTaken([this] { return m_viewport->upperArea(); });
    // Hidden, so that it takes no space from those who do not work on sound.
    m_viewport->addDrawing([this](render::View& picture) {
        if (m_soundOverlay != nullptr && m_probe->isSeen())
            m_soundOverlay->draw(picture);
    });
    connect(m_soundOverlay, &ui::SoundOverlay::changed, this, [this] { m_viewport->view().wake(); });
    connect(m_soundOverlay, &ui::SoundOverlay::obstaclePicked, this, [this](const QString& entity) {
        m_editor.selection().setEntity(entity.toStdString(), QStringLiteral("probe.obstacle"));
    });
}

void MainWindow::connectSession() {
    // What is gone is no longer selected. A name that is not there yet (just renamed, just created) is left alone, and so is one that an
    // undo has put back into the scene before the world's answer to its deletion came.
    const auto comesBack = [this](const std::string& name) {
        const std::vector<std::string>& missing = m_editor.project().missing();
        return m_editor.feed().mode() == Mode::Edit && m_viewport->editor().places().find(name) != nullptr
               && std::find(missing.begin(), missing.end(), name) == missing.end();
    };
    m_editor.selectionMemory().setKnown([this, comesBack](const std::string& name) {
        return (m_entities && m_entities->find(name) != nullptr) || comesBack(name);
    });
    connect(&m_editor.feed(), &ui::SessionFeed::entitiesChanged, this, [this, comesBack] {
        const std::shared_ptr<const EntityList> before =
            std::exchange(m_entities, m_editor.feed().frame().entities);
        std::vector<std::string> gone;
        for (const std::string& name : m_editor.selection().entities())
            if (before && before->find(name) != nullptr && m_entities->find(name) == nullptr && !comesBack(name))
                gone.push_back(name);
        if (!gone.empty())
            m_editor.selection().removeAll(gone, QStringLiteral("gone"));
    });
    connect(&m_editor.feed(), &ui::SessionFeed::modeChanged, this, [this](Mode mode) {
        if (mode == Mode::Edit)
            m_editor.notices().dismissContext(QStringLiteral("undo"));
        else
            m_editor.notices().dismissContext(QStringLiteral("join")); // a world is there again
        m_editor.actions().refresh();
        updateTitle();
    });
    connect(&m_editor.document().undoStack(), &QUndoStack::indexChanged, this, [this] { m_editor.actions().refresh(); });
}

void MainWindow::showSound() {
    const audio::OutputStatus status = m_editor.sound().status();
    const bool heard = status.state == audio::OutputState::Running;
    QString text = tr("no sound device");
    QString whole = QString::fromStdString(status.message);
    if (heard) {
        text = tr("sound %1 kHz").arg(status.sampleRate / 1000.0);
        whole = tr("%1: %2 Hz, buffer %3 ms (%4 ms asked for by audio.latency)")
                    .arg(QString::fromStdString(status.device))
                    .arg(status.sampleRate)
                    .arg(status.latencyMs, 0, 'f', 0)
                    .arg(status.askedMs, 0, 'f', 0);
        if (status.underruns > 0)
            whole += QLatin1Char('\n')
                     + tr("ran dry %1 times; audio.latency makes its buffer longer").arg(status.underruns);
        if (!status.message.empty())
            whole += QLatin1Char('\n') + QString::fromStdString(status.message);
    }
    m_status->setSound(status.state == audio::OutputState::Closed ? QString() : text, whole, !heard);
}

void MainWindow::showDefinition(const QString& file, int line, int column) {
    if (file.isEmpty()) { // a line of the log
        showConsole();
        return;
    }
    dock(QStringLiteral("dock.definition"))->show();
    dock(QStringLiteral("dock.definition"))->raise();
    m_definition->goTo(file, line, column);
}

} // namespace sbx::editor
