#include "widgets/viewport/viewport_panel.h"

#include <QAction>
#include <QCursor>
#include <QDragEnterEvent>
#include <QMenu>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>

#include "engine/session/session.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/asset_drag.h"
#include "widgets/common/color_picker.h"
#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/overlay_layout.h"
#include "widgets/common/scene_marks.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/band_shape.h"
#include "widgets/viewport/chip.h"
#include "widgets/viewport/debug_overlay.h"
#include "widgets/viewport/entity_signs.h"
#include "widgets/viewport/gizmo_shapes.h"
#include "widgets/viewport/handle_control.h"
#include "widgets/viewport/link_labels.h"
#include "widgets/viewport/link_lines.h"
#include "widgets/viewport/message_lines.h"
#include "widgets/viewport/pane_label.h"
#include "widgets/viewport/pane_splitter.h"
#include "widgets/viewport/placement.h"
#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_source.h"
#include "widgets/viewport/viewport_strip.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sbx::ui {

namespace {

constexpr float HomeYaw = 30.0F; // degrees
constexpr float HomePitch = -22.0F;
// What is looked at where there is nothing.
const render::Bounds EmptyScene{Vec3(-5.0F), Vec3(5.0F)};

std::string typeOf(const QMimeData* data) {
    const QString format = QLatin1String(EntityTypeMime);
    return data != nullptr && data->hasFormat(format) ? data->data(format).toStdString() : std::string();
}

QVariantMap savedPlace(const CameraRig::Place& at) {
    return {{QStringLiteral("eye"), QVariantList{at.eye.x, at.eye.y, at.eye.z}},
            {QStringLiteral("yaw"), at.yaw},
            {QStringLiteral("pitch"), at.pitch},
            {QStringLiteral("focus"), at.focus},
            {QStringLiteral("orthographic"), at.orthographic},
            {QStringLiteral("byAxis"), at.byAxis}};
}

// A quarter of each edge, at the eight corners.
void addCorners(render::DebugDraw& draw, const render::Bounds& box, const Vec4& color) {
    const Vec3 size = box.size();
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 sides((corner & 1) != 0 ? 1.0F : 0.0F, (corner & 2) != 0 ? 1.0F : 0.0F, (corner & 4) != 0 ? 1.0F : 0.0F);
        const Vec3 at = box.minimum + size * sides;
        for (int i = 0; i < 3; ++i) {
            Vec3 to = at;
            to[i] += size[i] * (sides[i] > 0.5F ? -0.25F : 0.25F);
            draw.addLine(at, to, color, render::LineDepth::Faint);
        }
    }
}

} // namespace

ViewportPanel::ViewportPanel(Session& session, Selection& selection, Document& document,
                             ActionRegistry& actions, Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_selection(selection),
      m_document(document),
      m_actions(actions),
      m_theme(theme),
      m_editor(session, document, selection),
      m_signs(std::make_unique<EntitySigns>(theme)),
      m_view(new ViewportView(session, theme, this)),
      m_links(std::make_unique<LinkLines>(session, document, m_editor, m_view->shown(), selection, theme)),
      m_messages(std::make_unique<MessageLines>(*m_links, m_view->shown(), selection, theme)),
      m_linkLabels(new LinkLabels(theme, m_view)),
      m_gizmo(new GizmoControl(*m_view, m_editor, selection, this)),
      m_handles(new HandleControl(session, document, m_editor, *m_view, selection, theme, this)),
      m_input(new ViewportInput(*m_view, *m_gizmo, *m_handles, session, selection)),
      m_stats(new Chip(theme, QStringLiteral("viewport.stats"), this)),
      m_legend(new DebugLegend(theme, this)),
      m_whose(new Chip(theme, QStringLiteral("viewport.whose"), this)),
      m_hint(new Chip(theme, QStringLiteral("viewport.hint"), this)),
      m_readout(new Chip(theme, QStringLiteral("viewport.readout"), this)),
      m_measure(new Chip(theme, QStringLiteral("viewport.measure"), this)),
      m_band(new BandShape(theme, m_view)),
      m_bandCount(new Chip(theme, QStringLiteral("viewport.bandCount"), this)),
      m_empty(new EmptyState(theme, QStringLiteral("world"),
                             tr("No project is open. Open one to see its world."), this)),
      m_loading(new EmptyState(theme, QStringLiteral("world"), QString(), this)),
      m_loadingBar(new QProgressBar(m_loading)),
      m_failed(new EmptyState(theme, QStringLiteral("error"), QString(), this)) {
    setObjectName(QStringLiteral("viewport"));
    setAccessibleName(tr("Viewport"));
    setFocusProxy(m_view);
    setAcceptDrops(true);
    setMinimumSize(160, 84);
    m_empty->setObjectName(QStringLiteral("viewport.empty"));
    m_loading->setObjectName(QStringLiteral("viewport.loading"));
    m_loading->hide();
    m_loadingBar->setObjectName(QStringLiteral("viewport.loadingBar"));
    m_loadingBar->setAccessibleName(tr("Loading"));
    m_loadingBar->setRange(0, 100);
    m_loadingBar->setTextVisible(false);
    m_failed->setObjectName(QStringLiteral("viewport.failed"));
    m_failed->hide();
    addActions(actions);
    m_strip = new ViewportStrip(theme, actions, *m_gizmo, this);
    for (int pane = 0; pane < PaneLayout::Count; ++pane) {
        const QString name = pane == PaneLayout::Main ? QStringLiteral("viewport.projection") : QStringLiteral("viewport.projection.%1").arg(pane);
        auto* label = new PaneLabel(theme, name, this);
        label->setMenu(projectionMenu(*label));
        // Its actions are for the active pane.
        connect(label->menu(), &QMenu::aboutToShow, this, [this, pane] {
            m_view->setActivePane(pane);
            m_actions.refresh();
        });
        m_labels[static_cast<std::size_t>(pane)] = label;
    }
    m_splitters = {new PaneSplitter(theme, QStringLiteral("viewport.splitter.columns"), Qt::Horizontal, m_view),
                   new PaneSplitter(theme, QStringLiteral("viewport.splitter.rows"), Qt::Vertical, m_view),
                   new PaneSplitter(theme, QStringLiteral("viewport.splitter.both"), Qt::Horizontal | Qt::Vertical, m_view)};
    connectParts();
    snapshotChanged();
    updatePage();
}

ViewportPanel::~ViewportPanel() {
    // The view's events may still come while it goes.
    m_view->setDecorator({});
    m_view->setEntityAt({});
    disconnect(&m_document, nullptr, this, nullptr);
    disconnect(&m_selection, nullptr, this, nullptr);
}

void ViewportPanel::connectParts() {
    m_view->setDecorator([this](render::View& view, int pane) { decorate(view, pane); });
    m_view->setEntityAt([this](const QPointF& place) { return m_input->entityAt(place); });
    connect(m_view, &ViewportView::frameStarts, m_input, &ViewportInput::advance);
    connect(m_view, &ViewportView::frameStarts, this, &ViewportPanel::advanceFlash);
    connect(m_view, &ViewportView::snapshotChanged, this, &ViewportPanel::snapshotChanged);
    connect(m_view, &ViewportView::framesPerSecondChanged, this, &ViewportPanel::framesPerSecondChanged);
    connect(m_view, &ViewportView::qualityLowered, this, &ViewportPanel::qualityLowered);
    connect(m_view, &ViewportView::frameShown, this, [this] { // the camera or the handles may have moved
        updateLabels();
        arrangePlates();
    });
    connect(m_view, &ViewportView::panesChanged, this, [this] {
        updateLabels();
        updateSplitters();
        arrangePlates();
        m_actions.refresh();
    });
    for (PaneSplitter* splitter : m_splitters) {
        const auto share = [this](const QPoint& place, Qt::Orientations moves) {
            QPointF shares = m_view->layout().split();
            if (moves.testFlag(Qt::Horizontal))
                shares.setX(static_cast<double>(place.x()) / qMax(1, m_view->width()));
            if (moves.testFlag(Qt::Vertical))
                shares.setY(static_cast<double>(place.y()) / qMax(1, m_view->height()));
            m_view->setSplit(shares);
        };
        connect(splitter, &PaneSplitter::dragged, this, share);
        connect(splitter, &PaneSplitter::centred, this, [this, share](Qt::Orientations moves) { share(m_view->rect().center(), moves); });
    }
    // Not from within the view's own painting.
    connect(m_view, &ViewportView::failed, this, &ViewportPanel::updatePage, Qt::QueuedConnection);
    connect(m_gizmo, &GizmoControl::problem, this, &ViewportPanel::problem);
    connect(m_gizmo, &GizmoControl::toolChanged, this, [this] { m_actions.refresh(); });
    // One read-out for both: only one of them can be in hand.
    const auto showReadout = [this] {
        m_readout->say(m_gizmo->dragging() ? m_gizmo->readout() : m_handles->readout());
        arrangePlates();
    };
    connect(m_gizmo, &GizmoControl::dragChanged, this, showReadout);
    connect(m_handles, &HandleControl::changed, this, showReadout);
    connect(m_handles, &HandleControl::problem, this, &ViewportPanel::problem);
    connect(m_input, &ViewportInput::problem, this, &ViewportPanel::problem);
    connect(m_input, &ViewportInput::measured, this, [this] {
        const auto span = m_input->tape().span();
        m_measure->say(span ? MeasureTape::text(*span) : QString());
        m_actions.refresh();
        arrangePlates();
    });
    connect(m_input, &ViewportInput::hint, this, [this](const QString& text) {
        m_hint->say(text, 1500);
        arrangePlates();
    });
    connect(m_input, &ViewportInput::bandChanged, this, [this](const QRect& band, render::BandRule rule, int count) {
        m_band->show(band, rule);
        m_bandCount->say(band.isNull() ? QString()
                                       : (rule == render::BandRule::Contains ? tr("%1 inside") : tr("%1 touched")).arg(count));
        if (!band.isNull()) {
            const QPoint at = mapFromGlobal(QCursor::pos()) + QPoint(18, 18);
            m_bandCount->move(qBound(0, at.x(), qMax(0, width() - m_bandCount->width())),
                              qBound(0, at.y(), qMax(0, height() - m_bandCount->height())));
        }
    });
    connect(m_gizmo, &GizmoControl::duplicated, this, [this](int count) {
        showCopies(count == 1 ? tr("1 duplicated") : tr("%1 duplicated").arg(count));
    });
    m_flashTimer.setInterval(1000 / 30);
    connect(&m_flashTimer, &QTimer::timeout, m_view, &ViewportView::wake);
    connect(m_input, &ViewportInput::walkingChanged, this, [this] { m_actions.refresh(); });
    connect(m_input, &ViewportInput::menuRequested, this, [this](const QPoint& at) {
        QMenu* menu = menuFor(at);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(m_view->mapToGlobal(at));
    });
    connect(m_input, &ViewportInput::drillRequested, this, [this](const QPoint& at) {
        QMenu* menu = drillMenu(at);
        if (menu->isEmpty()) {
            delete menu;
            return;
        }
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(m_view->mapToGlobal(at));
    });
    connect(&m_selection, &Selection::entitiesChanged, this, [this] {
        m_actions.refresh();
        m_view->wake();
    });
    connect(&m_document, &Document::opened, this, [this] {
        m_framed = false;
        m_panesFramed = false;
        updatePage();
    });
    connect(&m_document, &Document::closed, this, &ViewportPanel::updatePage);
    connect(&m_document, &Document::textChanged, m_view, &ViewportView::wake);
    m_statsTimer.setInterval(StatsMs);
    connect(&m_statsTimer, &QTimer::timeout, this, &ViewportPanel::updateStats);
    m_statsTimer.start();
}

void ViewportPanel::snapshotChanged() {
    const FrameSnapshot* snapshot = m_view->shown().snapshot();
    if (snapshot == nullptr)
        return;
    if (m_mode != snapshot->mode) {
        // Before the mode: a drag ends in the world it began in.
        if (m_mode && (*m_mode == Mode::Edit) != (snapshot->mode == Mode::Edit)) {
            m_gizmo->cancel();
            m_handles->cancel();
        }
        m_mode = snapshot->mode;
        m_editor.setMode(snapshot->mode);
        m_input->modeChanged(snapshot->mode != Mode::Edit);
        m_actions.refresh();
    }
    if (m_entities != snapshot->entities) {
        m_entities = snapshot->entities;
        if (std::vector<std::string> made = m_editor.takeMade(); !made.empty())
            m_selection.setEntities(std::move(made), ViewportSource);
    }
    // The picture may be about to be painted: no widget over it changes its size now.
    QMetaObject::invokeMethod(this, &ViewportPanel::updateWhose, Qt::QueuedConnection);
}

// ---------------------------------------------------------------------------------------------------- over the picture

void ViewportPanel::decorate(render::View& view, int pane) {
    ShownScene& shown = m_view->shown();
    if (!m_framed && m_document.isOpen() && !shown.scene().instances.empty()) {
        m_framed = true;
        showFirst();
        view.camera = m_view->camera(pane);
    }
    if (!m_panesFramed && m_framed && m_view->layout().isFour() && !shown.scene().instances.empty()) {
        frameAxisPanes();
        view.camera = m_view->camera(pane);
    }
    const PhysicsView* physics = shown.snapshot() != nullptr ? shown.snapshot()->physics.get() : nullptr;
    if (physics != nullptr)
        drawPhysics(view.debug, *physics, m_theme);
    // The size of a widget is not to change while the picture is being painted.
    QMetaObject::invokeMethod(this, &ViewportPanel::updateLegend, Qt::QueuedConnection);
    for (const auto& drawing : m_drawings)
        drawing(view);
    m_links->clear(pane);
    m_messages->clear(pane);
    const GizmoView paneView{view.camera, view.width, view.height, view.pixelRatio};
    m_messages->drawPassing(view, paneView);
    m_handles->clear(pane);
    m_gizmoAreas[static_cast<std::size_t>(pane)] = QRect();
    if (m_view->playerCamera() && pane == PaneLayout::Main)
        return;
    outlineSelection(view);
    m_messages->drawChosen(view, paneView, pane);
    m_links->draw(view, paneView, pane);
    drawMarks(view);
    if (!m_gizmo->dragging())
        m_handles->draw(view, paneView, pane);
    const Vec4 yellow = overlayColor(m_theme.hue(Hue::Yellow));
    if (const auto held = m_input->grab().line())
        view.debug.addLine(held->from, held->to, yellow, render::LineDepth::Faint);
    if (const auto tape = m_input->tape().span()) {
        view.debug.addLine(tape->from, tape->to, yellow, render::LineDepth::OnTop);
        const GizmoView geometry{view.camera, view.width, view.height, view.pixelRatio};
        for (const Vec3& end : {tape->from, tape->to})
            view.debug.addCross(end, geometry.metresAt(end) * 10.0F * geometry.pixelRatio, yellow, render::LineDepth::OnTop);
    }
    drawTool(view, pane);
}

void ViewportPanel::drawTool(render::View& view, int pane) {
    const GizmoView geometry{view.camera, view.width, view.height, view.pixelRatio};
    if (const auto frame = m_gizmo->frame(geometry)) {
        const auto tint = [this](const QColor& color) {
            return Vec4(static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF()), 1.0F);
        };
        GizmoColors colors;
        colors.axes = {tint(m_theme.color(Token::AxisX)), tint(m_theme.color(Token::AxisY)), tint(m_theme.color(Token::AxisZ))};
        colors.hovered = tint(m_theme.hue(Hue::Yellow));
        colors.neutral = Vec4(0.92F, 0.93F, 0.95F, 0.9F);
        drawGizmo(view.overlay, m_gizmo->shownTool(), *frame, geometry, m_gizmo->hot(), m_gizmo->dragging(), colors);
        const GizmoPart only = m_gizmo->dragging() ? m_gizmo->hot() : GizmoPart::None;
        if (const std::optional<PixelBox> box = gizmoBounds(m_gizmo->shownTool(), *frame, geometry, only)) {
            const qreal ratio = m_view->devicePixelRatioF();
            m_gizmoAreas[static_cast<std::size_t>(pane)] =
                QRectF(QPointF(box->minimum.x, box->minimum.y) / ratio, QPointF(box->maximum.x, box->maximum.y) / ratio)
                    .translated(m_view->paneArea(pane).topLeft())
                    .toAlignedRect();
        }
    }
}

void ViewportPanel::outlineSelection(render::View& view) {
    const std::vector<std::string>& names = m_selection.entities();
    view.selected = m_view->shown().familiesOf(names, &view.outlineGroups);
    view.primaryGroup.reset();
    if (names.size() < 2)
        return;
    // The one that a panel shows first, and by whose axes a tool turns.
    view.primary = overlayColor(m_theme.hue(Hue::Orange));
    const auto primary = std::find(names.begin(), names.end(), m_selection.primary());
    if (primary != names.end())
        view.primaryGroup = static_cast<std::uint32_t>(primary - names.begin());
}

void ViewportPanel::showCopies(const QString& text) {
    emit done(text);
    m_flashing = m_selection.entities();
    m_flashClock.invalidate();
    m_flashTimer.start();
    m_view->wake();
}

void ViewportPanel::advanceFlash() {
    if (m_flashing.empty())
        return;
    ShownScene& shown = m_view->shown();
    if (!m_flashClock.isValid() && shown.idOf(m_flashing.front()) != 0)
        m_flashClock.start();
    const qint64 since = m_flashClock.isValid() ? m_flashClock.elapsed() : 0;
    if (since > FlashMs || m_document.folder().isEmpty()) {
        m_flashing.clear();
        m_flashTimer.stop();
        shown.setFlash({}, 0.0F);
        m_view->wake(); // once more, without it
        return;
    }
    constexpr float Strongest = 1.2F; // linear radiance: white on anything
    shown.setFlash(m_flashing, Strongest * (1.0F - static_cast<float>(since) / static_cast<float>(FlashMs)));
}

void ViewportPanel::setScene(std::function<const definition::Scene*()> scene) {
    m_scene = std::move(scene);
    m_links->setScene(m_scene);
    m_handles->setScene(m_scene);
}

void ViewportPanel::setSceneMarks(const SceneMarks& marks) {
    m_marks = &marks;
    m_links->setMarks(marks);
    m_messages->setMarks(marks);
    m_handles->setMarks(marks);
    m_view->shown().setHiddenBy([&marks](const EntityList& entities) { return marks.hiddenIn(entities); });
    m_input->setSelectable([&marks](const std::string& name) { return !marks.isLocked(name); });
    m_editor.setMovable([&marks](const std::string& name) { return !marks.isLocked(name); });
    connect(&marks, &SceneMarks::changed, this, [this] {
        m_view->shown().hiddenChanged();
        m_view->wake();
    });
}

void ViewportPanel::drawMarks(render::View& view) {
    const ShownScene& shown = m_view->shown();
    // Among several, the primary one has the corners of its box as well.
    if (m_selection.entities().size() > 1)
        if (const auto box = shown.boundsOf(m_selection.primary()))
            addCorners(view.debug, *box, overlayColor(m_theme.hue(Hue::Orange)));
    for (const std::string& name : m_selection.entities()) {
        const bool hidden = m_marks != nullptr && m_marks->isHidden(name);
        const auto pose = hidden || shown.drawsAny(name) ? std::nullopt : markPose(name);
        if (!pose)
            continue;
        const EntityRow* row = shown.snapshot()->entities->find(name);
        const auto bounds = row != nullptr ? m_editor.boundsOfType(row->type) : std::nullopt;
        if (bounds)
            view.debug.addBox(compose(*pose, Pose{bounds->centre(), Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)}), bounds->size(),
                              view.accent, render::LineDepth::Faint);
        else
            view.debug.addCross(pose->position, 0.5F, view.accent, render::LineDepth::OnTop);
    }
    drawMarkers(view);
    if (m_ghost) {
        const render::Bounds box = m_ghost->bounds.value_or(render::Bounds{Vec3(-0.25F), Vec3(0.25F)});
        view.debug.addBox(Pose{m_ghost->position + box.centre(), Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)}, box.size(),
                          view.accent, render::LineDepth::Faint);
    }
}

void ViewportPanel::drawMarkers(render::View& view) {
    // Lamps, sounds, spawners, triggers: what has no shape is shown by an icon that can be clicked. Not in a running world.
    std::vector<ViewportInput::Marker> markers;
    const ShownScene& shown = m_view->shown();
    view.signs.clear();
    if (m_editor.editsFile() && shown.snapshot() != nullptr && shown.snapshot()->entities) {
        std::unordered_set<std::uint64_t> drawn;
        for (const render::Instance& instance : shown.scene().instances)
            drawn.insert(instance.entity);
        const definition::Definitions& types = m_editor.definitions();
        std::unordered_map<const EntityType*, std::pair<const definition::EntityTypeDefinition*, bool>> typeOf; // and whether it is a volume
        for (const EntityRow& row : shown.snapshot()->entities->rows) {
            const auto [known, first] = typeOf.try_emplace(row.entityType.get());
            if (first) {
                known->second.first = types.find(row.type);
                known->second.second = known->second.first != nullptr && isVolume(*known->second.first);
            }
            const auto& [type, bounded] = known->second;
            const bool shapeless = !drawn.contains(row.id.bits);
            const ScenePlace* place = shapeless || bounded ? m_editor.places().find(row.name) : nullptr;
            if (place == nullptr || (m_marks != nullptr && m_marks->isHidden(row.name)))
                continue;
            const Pose pose = shown.previewing() ? shown.poseOf(row.name).value_or(place->world) : place->world;
            render::Sign sign = m_signs->signOf(row.icon, type);
            if (bounded)
                drawVolume(view, row.name, *type, pose, sign.color);
            if (!shapeless)
                continue;
            sign.position = pose.position;
            sign.size = 2.0F * ViewportInput::MarkerPixels;
            sign.ring = m_selection.contains(row.name) || m_input->hoveredMarker() == row.name;
            if (sign.ring)
                sign.color = view.accent;
            view.signs.push_back(sign);
            markers.push_back({row.name, pose.position});
        }
    }
    view.icons = m_signs->sheet();
    m_input->setMarkers(std::move(markers));
}

void ViewportPanel::drawVolume(render::View& view, const std::string& name, const definition::EntityTypeDefinition& type, const Pose& pose,
                               const Vec4& color) {
    const definition::Scene* scene = m_scene ? m_scene() : nullptr;
    const definition::InstanceDefinition* instance = scene != nullptr ? scene->find(name) : nullptr;
    const auto bounds = instance != nullptr ? instanceBounds(type, *instance) : typeBounds(type);
    if (bounds)
        view.debug.addBox(compose(pose, Pose{bounds->centre(), Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)}), bounds->size(),
                          Vec4(Vec3(color), 0.7F), render::LineDepth::Faint);
}

std::optional<Pose> ViewportPanel::markPose(const std::string& name) const {
    if (m_editor.editsFile())
        if (const ScenePlace* place = m_editor.places().find(name))
            return place->world;
    return m_view->shown().poseOf(name);
}

void ViewportPanel::updateStats() {
    if (!m_view->cvars().stats.get() || !m_view->isVisible() || m_view->shown().snapshot() == nullptr) {
        m_stats->hide();
        return;
    }
    const FrameSnapshot& snapshot = *m_view->shown().snapshot();
    const render::Statistics drawn = m_view->statistics();
    const bool playing = snapshot.mode == Mode::Play;
    QString text = playing ? QStringLiteral("%1 fps  %2 ms").arg(m_view->framesPerSecond(), 3, 'f', 0).arg(m_view->frameMs(), 4, 'f', 1)
                           : QStringLiteral("idle");
    text += QStringLiteral("  ·  tick %1  %2 ms").arg(snapshot.tick).arg(snapshot.tickMs, 0, 'f', 2);
    if (const int level = m_view->qualityLevel(); level > 0)
        text += QStringLiteral("  ·  quality −%1").arg(level);
    text += QStringLiteral("\n%1 draws  %2 instances").arg(drawn.draws).arg(drawn.instances);
    if (drawn.darkLamps > 0)
        text += QStringLiteral("  ·  %1 of %2 lamps").arg(drawn.lamps).arg(drawn.lamps + drawn.darkLamps);
    const ShownScene::PickCost& pick = m_view->shown().pickCost();
    text += tr("  ·  cull %1 ms  %2 nodes").arg(drawn.cullMs, 0, 'f', 2).arg(drawn.cullNodes);
    if (pick.nodes > 0)
        text += tr("  ·  pick %1 ms  %2 nodes").arg(pick.milliseconds, 0, 'f', 2).arg(pick.nodes);
    m_stats->say(text);
    arrangePlates();
}

void ViewportPanel::updateLegend() {
    const FrameSnapshot* snapshot = m_view->shown().snapshot();
    if (m_legend->explain(snapshot != nullptr && m_view->isVisible() ? snapshot->physics.get() : nullptr,
                          height(),
                          m_view->isVisible() ? m_messages->legend() : std::vector<DebugLegend::Row>()))
        arrangePlates();
}

void ViewportPanel::updateWhose() {
    const FrameSnapshot* snapshot = m_view->shown().snapshot();
    const NetworkView* network =
        snapshot != nullptr && m_view->isVisible() ? snapshot->network.get() : nullptr;
    const std::size_t client = network != nullptr ? network->viewAs : 0;
    const QString text =
        client > 0                                     ? tr("World of client %1, as its messages arrive").arg(client)
        : network != nullptr && !network->server.empty() ? tr("World of the server %1, as its messages arrive").arg(QString::fromStdString(network->server))
                                                         : QString();
    if (text == (m_whose->isHidden() ? QString() : m_whose->text()))
        return;
    m_whose->say(text);
    arrangePlates();
}

void ViewportPanel::updatePage() {
    const bool failed = !m_view->failure().isEmpty();
    const bool open = m_document.isOpen();
    m_failed->setLine(m_view->failure());
    m_failed->setVisible(failed);
    m_loading->setVisible(!failed && m_isLoading);
    m_empty->setVisible(!failed && !open && !m_isLoading);
    if (m_empty->isVisibleTo(this) && m_empty->button().isHidden())
        for (const char* id : {"project.open", "file.open"})
            if (QAction* action = m_actions.find(QLatin1String(id))) {
                m_empty->setAction(action);
                break;
            }
    m_view->setVisible(!failed && open && !m_isLoading);
    m_strip->setVisible(!failed && open && !m_isLoading);
    updateLabels();
    updateSplitters();
    updateWhose();
    updateStats();
    m_actions.refresh();
}

void ViewportPanel::setLoading(const QString& name) {
    m_isLoading = !name.isEmpty();
    m_loading->setLine(tr("Loading %1…").arg(name));
    m_loadingBar->setValue(0);
    updatePage();
}

void ViewportPanel::setLoadingStep(int percent, const QString& text) {
    m_loading->setLine(text);
    m_loadingBar->setValue(percent);
}

QRect ViewportPanel::stripArea() const {
    return m_strip->isVisible() ? m_strip->geometry() : QRect();
}

QRect ViewportPanel::upperArea() const {
    QRect area = stripArea();
    for (const PaneLabel* label : m_labels) // those of the upper row
        if (label->isVisible() && label->y() <= m_strip->geometry().bottom() + 2 * measure::PanelPadding)
            area = area.united(label->geometry());
    return area;
}

QRect ViewportPanel::gizmoArea() const {
    const int active = m_view->layout().active();
    return m_view->isVisible() ? m_gizmoAreas[static_cast<std::size_t>(active)].translated(m_view->pos()) & rect() : QRect();
}

// None of them over another, nor over the gizmo's handles; in the order of what has the fewest places to go.
void ViewportPanel::arrangePlates() {
    constexpr int Margin = measure::PanelPadding;
    m_strip->move(Margin, Margin);
    m_strip->fit(width() - 2 * Margin);
    OverlayLayout layout(rect().adjusted(Margin, Margin, -Margin, -Margin));
    const QRect gizmo = gizmoArea();
    layout.occupy(stripArea());
    // In the upper right corner of its pane, below the strip where that reaches so far.
    for (int pane = 0; pane < PaneLayout::Count; ++pane) {
        PaneLabel* label = m_labels[static_cast<std::size_t>(pane)];
        if (!label->isVisible())
            continue;
        const QRect area = m_view->paneArea(pane).translated(m_view->pos());
        QRect place(QPoint(qMax(area.left() + Margin, area.right() + 1 - Margin - label->width()), area.top() + Margin), label->size());
        if (place.intersects(stripArea()))
            place.moveTop(stripArea().bottom() + 1 + measure::RelatedGap);
        label->move(place.topLeft());
        layout.occupy(place);
    }
    layout.occupy(gizmo);
    if (m_covered)
        for (const QRect& covered : m_covered())
            layout.occupy(covered);
    const int right = width() - Margin;
    const int bottom = height() - Margin;
    const int below = m_strip->geometry().bottom() + Margin; // the strip
    if (m_readout->isVisible()) {
        const QPoint cursor = mapFromGlobal(QCursor::pos());
        const QSize size = m_readout->size();
        constexpr int Away = 18; // from the pointer
        const QPoint before = cursor - QPoint(size.width() + Away, size.height() + Away);
        const QPoint after = cursor + QPoint(Away, Away);
        m_readout->move(layout.place(size, {after,
                                            {after.x(), before.y()},
                                            {before.x(), after.y()},
                                            before,
                                            {gizmo.right() + Away, cursor.y()},
                                            {gizmo.left() - Away - size.width(), cursor.y()},
                                            {cursor.x(), gizmo.bottom() + Away},
                                            {cursor.x(), gizmo.top() - Away - size.height()}}));
    }
    // In the sky, where it hides least; below the strip if there is no place beside it.
    if (m_legend->isVisible())
        m_legend->move(layout.place(m_legend->size(), {{right - m_legend->width(), Margin},
                                                       {right - m_legend->width(), below},
                                                       {right - m_legend->width(), bottom - m_legend->height()},
                                                       {Margin, below}}));
    if (m_whose->isVisible())
        m_whose->move(layout.place(m_whose->size(), {{Margin, below}, {right - m_whose->width(), below}}));
    if (m_stats->isVisible())
        m_stats->move(layout.place(m_stats->size(), {{Margin, bottom - m_stats->height()},
                                                     {right - m_stats->width(), Margin},
                                                     {right - m_stats->width(), bottom - m_stats->height()},
                                                     {Margin, below},
                                                     {(width() - m_stats->width()) / 2, bottom - m_stats->height()}}));
    if (const auto tape = m_input->tape().span(); tape && m_measure->isVisible()) {
        const GizmoView geometry = m_view->gizmoView();
        const Vec3 half = (tape->from + tape->to) * 0.5F;
        const auto pixel = render::projectToPixel(geometry.camera, geometry.width, geometry.height, half);
        const QPoint at = pixel ? m_view->mapTo(this, m_view->fromPixels(Vec2(*pixel)).toPoint()) : QPoint(width() / 2, height() / 2);
        const QSize size = m_measure->size();
        constexpr int Away = 12; // from the line
        m_measure->move(layout.place(size, {at + QPoint(Away, -size.height() - Away),
                                            at + QPoint(Away, Away),
                                            at + QPoint(-size.width() - Away, Away),
                                            {(width() - size.width()) / 2, bottom - size.height()}}));
    }
    if (m_hint->isVisible()) {
        const int middle = (width() - m_hint->width()) / 2;
        const int low = height() - m_hint->height() - 5 * Margin;
        m_hint->move(layout.place(m_hint->size(), {{middle, low},
                                                   {middle, low - 2 * m_hint->height()},
                                                   {middle, below},
                                                   {middle, below + 2 * m_hint->height()},
                                                   {Margin, low},
                                                   {right - m_hint->width(), low}}));
    }
    // Last: a label that has no room is left out.
    std::vector<QRect> occupied = handleAreas();
    occupied.push_back(stripArea());
    occupied.push_back(gizmo);
    for (const QWidget* plate : std::initializer_list<const QWidget*>{m_readout, m_legend, m_whose, m_stats, m_measure, m_hint})
        if (plate->isVisible())
            occupied.push_back(plate->geometry());
    if (m_covered)
        for (const QRect& covered : m_covered())
            occupied.push_back(covered);
    arrangeLinkLabels(std::move(occupied));
}

void ViewportPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    for (QWidget* page : {static_cast<QWidget*>(m_view), static_cast<QWidget*>(m_empty),
                          static_cast<QWidget*>(m_loading), static_cast<QWidget*>(m_failed)})
        page->setGeometry(rect());
    constexpr QSize Bar(240, 6);
    updateSplitters();
    m_loadingBar->setGeometry(QRect(QPoint((width() - Bar.width()) / 2, qMin(height() - 2 * Bar.height(), height() / 2 + 48)), Bar));
    arrangePlates();
}

void ViewportPanel::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    m_view->setFocus(event->reason());
}

// ---------------------------------------------------------------------------------------------------- the view

void ViewportPanel::frameSelection() {
    ShownScene& shown = m_view->shown();
    std::optional<render::Bounds> bounds = shown.boundsOf(m_selection.entities());
    if (!bounds && !m_selection.empty())
        if (const auto pose = markPose(m_selection.primary()))
            bounds = render::Bounds{pose->position - Vec3(0.5F), pose->position + Vec3(0.5F)};
    // What is selected and is nowhere (it is gone) is not the whole scene.
    if (!bounds && m_selection.empty())
        bounds = shown.sceneBounds();
    if (bounds)
        m_view->rig().frame(*bounds, pictureAspect());
    m_view->wake();
}

void ViewportPanel::homeView() {
    const auto bounds = m_view->shown().sceneBounds();
    if (bounds && m_view->keepsAxis())
        m_view->rig().frame(*bounds, pictureAspect());
    else if (bounds)
        m_view->rig().fit(*bounds, pictureAspect(), glm::radians(HomeYaw), glm::radians(HomePitch));
    m_view->wake();
}

// A project that opens shows what stands in it, from near, rather than all of its floors.
void ViewportPanel::showFirst() {
    const auto bounds = m_view->shown().coreBounds();
    if (!bounds)
        return;
    // The picture is filled, not the sphere around everything: the far corners matter least. And what is near looks larger, so the
    // middle of the picture lies before the middle of the scene.
    render::Bounds nearer = *bounds;
    const Vec3 trim = bounds->size() * 0.21F;
    nearer.minimum += trim;
    nearer.maximum -= trim;
    const Vec3 towards = glm::angleAxis(glm::radians(HomeYaw), Vec3(0.0F, 1.0F, 0.0F)) * Vec3(0.0F, -0.12F, 0.16F);
    const Vec3 shift = towards * glm::length(nearer.size()) * 0.5F;
    nearer.minimum += shift;
    nearer.maximum += shift;
    CameraRig& rig = m_view->rig(PaneLayout::Main);
    rig.setOrthographic(false);
    rig.frameFrom(nearer, pictureAspect(PaneLayout::Main), glm::radians(HomeYaw), glm::radians(HomePitch), true);
}

// The panes beside the main one, as they are at first.
void ViewportPanel::frameAxisPanes() {
    m_panesFramed = true;
    const render::Bounds bounds = m_view->shown().coreBounds().value_or(EmptyScene);
    constexpr std::array Axes = {AxisView::Top, AxisView::Front, AxisView::Right};
    for (int pane = 1; pane < PaneLayout::Count; ++pane) {
        CameraRig& rig = m_view->rig(pane);
        rig.setOrthographic(false);
        rig.showAxis(Axes[static_cast<std::size_t>(pane - 1)], bounds, pictureAspect(pane), true, true);
    }
}

void ViewportPanel::setFourViews(bool on) {
    m_view->setFour(on);
    if (on && m_framed && !m_panesFramed)
        frameAxisPanes();
    m_actions.refresh();
}

void ViewportPanel::setMaximised(bool on) {
    m_view->setMaximised(on);
    m_actions.refresh();
}

float ViewportPanel::pictureAspect(int pane) const {
    const QSize shown = m_view->layout().isShown(pane) ? m_view->paneArea(pane).size() : m_view->size();
    return static_cast<float>(shown.width()) / static_cast<float>(qMax(1, shown.height()));
}

void ViewportPanel::look(AxisView axis) {
    auto bounds = m_view->shown().boundsOf(m_selection.entities());
    if (!bounds)
        bounds = m_view->shown().sceneBounds();
    m_view->rig().showAxis(axis, bounds.value_or(EmptyScene), pictureAspect(), m_flatAxes, false);
    m_actions.refresh();
    m_view->wake();
}

void ViewportPanel::setOrthographic(bool on) {
    m_view->rig().setOrthographic(on);
    m_actions.refresh();
    m_view->wake();
}

void ViewportPanel::updateLabels() {
    bool changed = false;
    for (int pane = 0; pane < PaneLayout::Count; ++pane) {
        const bool player = m_view->playerCamera() && pane == PaneLayout::Main;
        PaneLabel* label = m_labels[static_cast<std::size_t>(pane)];
        changed = label->say(player ? tr("Player's camera") : projectionText(m_view->rig(pane))) || changed;
        label->setVisible(m_view->isVisibleTo(this) && m_view->layout().isShown(pane));
    }
    if (changed)
        m_actions.refresh(); // turned away from an axis, one may be perspective again
}

void ViewportPanel::updateSplitters() {
    const PaneLayout& layout = m_view->layout();
    const QPoint crossing = layout.crossing(m_view->size());
    constexpr int Gap = PaneLayout::Gap;
    m_splitters[0]->setGeometry(crossing.x(), 0, Gap, m_view->height());
    m_splitters[1]->setGeometry(0, crossing.y(), m_view->width(), Gap);
    m_splitters[2]->setGeometry(QRect(crossing, QSize(Gap, Gap)).adjusted(-2, -2, 2, 2)); // large enough to be found
    for (PaneSplitter* splitter : m_splitters) {
        splitter->setVisible(layout.showsSeveral());
        splitter->raise();
    }
}

QVariantMap ViewportPanel::saveCamera() const {
    if (!m_framed)
        return {};
    return savedPlace(m_view->rig().place());
}

namespace {
std::optional<CameraRig::Place> cameraPlaceOf(const QVariantMap& state) {
    bool valid = true;
    const auto number = [&valid](const QVariant& value) {
        bool read = false;
        const float out = value.toFloat(&read);
        valid = valid && read && std::abs(out) < 1e6F; // not a number fails too
        return out;
    };
    const QVariantList eye = state.value(QStringLiteral("eye")).toList();
    CameraRig::Place at;
    for (int i = 0; i < 3; ++i)
        at.eye[i] = number(eye.value(i));
    at.yaw = number(state.value(QStringLiteral("yaw")));
    at.pitch = number(state.value(QStringLiteral("pitch")));
    at.focus = number(state.value(QStringLiteral("focus")));
    at.orthographic = state.value(QStringLiteral("orthographic")).toBool(); // earlier versions had perspective alone
    at.byAxis = state.value(QStringLiteral("byAxis")).toBool();
    return valid && at.focus > 0.0F ? std::optional(at) : std::nullopt;
}
} // namespace

QVariantMap ViewportPanel::saveCameras() const {
    if (!m_framed)
        return {};
    QVariantMap all = savedPlace(m_view->rig(PaneLayout::Main).place());
    QVariantList others;
    for (int pane = 1; m_panesFramed && pane < PaneLayout::Count; ++pane)
        others.append(savedPlace(m_view->rig(pane).place()));
    if (!others.isEmpty())
        all.insert(QStringLiteral("panes"), others);
    return all;
}

void ViewportPanel::restoreCamera(const QVariantMap& state) {
    const auto at = cameraPlaceOf(state);
    m_framed = at.has_value();
    if (at)
        m_view->rig(PaneLayout::Main).set(*at);
    const QVariantList others = state.value(QStringLiteral("panes")).toList();
    m_panesFramed = m_framed && others.size() == PaneLayout::Count - 1;
    for (int pane = 1; m_panesFramed && pane < PaneLayout::Count; ++pane)
        if (const auto place = cameraPlaceOf(others[pane - 1].toMap()))
            m_view->rig(pane).set(*place);
        else
            m_panesFramed = false;
    m_view->wake();
}

void ViewportPanel::moveCamera(const QVariantMap& state) {
    if (const auto at = cameraPlaceOf(state))
        m_view->rig().moveTo(*at);
    m_actions.refresh();
    m_view->wake();
}

QVariantMap ViewportPanel::saveState() const {
    const CameraRig& rig = m_view->rig();
    const SnapSettings& snap = m_gizmo->snap();
    return {
        {QStringLiteral("speed"), rig.speed()},
        {QStringLiteral("tool"), static_cast<int>(m_gizmo->tool())},
        {QStringLiteral("local"), m_gizmo->localAxes()},
        {QStringLiteral("bandTouches"), m_input->bandTouches()},
        {QStringLiteral("links"), m_links->isShown()},
        {QStringLiteral("allLinks"), m_links->showsAll()},
        {QStringLiteral("messages"), m_messages->isShown()},
        {QStringLiteral("handles"), m_handles->isShown()},
        {QStringLiteral("axesOrthographic"), m_flatAxes},
        {QStringLiteral("fourViews"), m_view->layout().isFour()},
        {QStringLiteral("maximisedView"), m_view->layout().isMaximised() ? m_view->layout().active() : -1},
        {QStringLiteral("splitX"), m_view->layout().split().x()},
        {QStringLiteral("splitY"), m_view->layout().split().y()},
        {QStringLiteral("snap"), snap.on},
        {QStringLiteral("snapMove"), snap.move},
        {QStringLiteral("snapRotate"), snap.rotate},
        {QStringLiteral("snapScale"), snap.scale}};
}

void ViewportPanel::restoreState(const QVariantMap& state) {
    for (int pane = 0; pane < PaneLayout::Count; ++pane)
        m_view->rig(pane).setSpeed(state.value(QStringLiteral("speed"), m_view->rig(pane).speed()).toFloat());
    m_gizmo->setTool(static_cast<Tool>(qBound(0, state.value(QStringLiteral("tool")).toInt(), 3)));
    m_gizmo->setLocalAxes(state.value(QStringLiteral("local")).toBool());
    SnapSettings snap = m_gizmo->snap();
    const auto step = [&state](const char* key, float& value) {
        const float stored = state.value(QLatin1String(key)).toFloat();
        if (stored > 0.0F && stored < 1000.0F)
            value = stored;
    };
    snap.on = state.value(QStringLiteral("snap")).toBool();
    step("snapMove", snap.move);
    step("snapRotate", snap.rotate);
    step("snapScale", snap.scale);
    m_gizmo->setSnap(snap);
    m_input->setBandTouches(state.value(QStringLiteral("bandTouches")).toBool());
    m_links->setShown(state.value(QStringLiteral("links"), true).toBool());
    m_links->setShowsAll(state.value(QStringLiteral("allLinks")).toBool());
    m_messages->setShown(state.value(QStringLiteral("messages")).toBool());
    m_handles->setShown(state.value(QStringLiteral("handles"), true).toBool());
    m_flatAxes = state.value(QStringLiteral("axesOrthographic"), true).toBool();
    m_view->setSplit({state.value(QStringLiteral("splitX"), 0.5).toDouble(), state.value(QStringLiteral("splitY"), 0.5).toDouble()});
    setFourViews(state.value(QStringLiteral("fourViews")).toBool());
    if (const int pane = state.value(QStringLiteral("maximisedView"), -1).toInt(); pane >= 0) {
        m_view->setActivePane(pane);
        setMaximised(true);
    }
    m_actions.refresh();
}

// ---------------------------------------------------------------------------------------------------- creating

Vec3 ViewportPanel::placeFor(const std::optional<render::Bounds>& bounds, const QPointF& at, bool invertSnap) {
    const ShownScene& shown = m_view->shown();
    // Beside everything in an orthographic picture: at the depth that is in focus.
    const float focus = m_view->focusAlong();
    const bool flat = m_view->camera().orthographic();
    const Surface surface = flat ? surfaceUnder(shown.scene(), shown.index(), m_view->rayAt(at), focus + 200.0F, focus)
                                 : surfaceUnder(shown.scene(), shown.index(), m_view->rayAt(at));
    const Vec3 place = restOn(surface, bounds, m_gizmo->snap().inverted(invertSnap));
    return bounds ? raisedAboveGround(shown.scene(), shown.index(), place, *bounds) : place;
}

bool ViewportPanel::create(const std::string& type, const Vec3& position) {
    const Result<std::string> made = m_editor.create(type, position);
    if (!made) {
        emit problem(QString::fromStdString(made.error().message));
        return false;
    }
    m_lastCreated = QString::fromStdString(type);
    m_actions.refresh();
    m_view->wake();
    return true;
}

QPoint ViewportPanel::pointerPlace() const {
    const QPoint at = mapFromGlobal(QCursor::pos());
    return rect().contains(at) && isVisible() ? at : m_view->mapTo(this, m_view->activeArea().center());
}

bool ViewportPanel::createAsset(const QString& asset, const QPointF& at, bool invertSnap) {
    const AssetFacts facts = m_assetFacts ? m_assetFacts(asset) : AssetFacts();
    if (!facts.fault.isEmpty()) {
        emit problem(facts.fault);
        return false;
    }
    const Result<std::string> made = m_editor.createOf(asset.toStdString(), placeFor(facts.bounds, at, invertSnap));
    if (!made) {
        emit problem(QString::fromStdString(made.error().message));
        return false;
    }
    m_view->wake();
    return true;
}

bool ViewportPanel::createAt(const QString& type, const QPoint& place) {
    m_view->activateAt(m_view->mapFrom(this, place));
    const std::string name = type.toStdString();
    return create(name, placeFor(m_editor.placingBounds(name), m_view->mapFrom(this, place), false));
}

bool ViewportPanel::createAtCentre(const QString& type) {
    return createAt(type, m_view->mapTo(this, m_view->activeArea().center()));
}

bool ViewportPanel::createAssetAtCentre(const QString& asset) {
    return createAsset(asset, m_view->activeArea().center(), false);
}

void ViewportPanel::dragEnterEvent(QDragEnterEvent* event) {
    const std::string type = typeOf(event->mimeData());
    const QString asset = assetOf(event->mimeData());
    if ((type.empty() && asset.isEmpty()) || !m_view->isVisible())
        return;
    m_ghost = Ghost{type, asset.toStdString(), Vec3(0.0F), {}};
    if (asset.isEmpty())
        m_ghost->bounds = m_editor.placingBounds(type);
    else if (m_assetFacts)
        m_ghost->bounds = m_assetFacts(asset).bounds;
    event->acceptProposedAction();
}

void ViewportPanel::dragMoveEvent(QDragMoveEvent* event) {
    if (!m_ghost)
        return;
    m_view->activateAt(m_view->mapFrom(this, event->position().toPoint()));
    m_ghost->position = placeFor(m_ghost->bounds, m_view->mapFrom(this, event->position().toPoint()),
                                 event->modifiers().testFlag(Qt::ControlModifier));
    event->setDropAction(Qt::CopyAction);
    event->accept();
    m_view->wake();
}

void ViewportPanel::dragLeaveEvent(QDragLeaveEvent*) {
    m_ghost.reset();
    m_view->wake();
}

void ViewportPanel::dropEvent(QDropEvent* event) {
    const std::string type = typeOf(event->mimeData());
    const QString asset = assetOf(event->mimeData());
    m_ghost.reset();
    if ((type.empty() && asset.isEmpty()) || !m_view->isVisible())
        return;
    const bool invert = event->modifiers().testFlag(Qt::ControlModifier);
    const QPointF place = m_view->mapFrom(this, event->position().toPoint());
    m_view->activateAt(place);
    if (!asset.isEmpty() ? createAsset(asset, place, invert) : create(type, placeFor(m_editor.placingBounds(type), place, invert))) {
        event->setDropAction(Qt::CopyAction);
        event->accept();
    }
    m_view->setFocus(Qt::OtherFocusReason);
}

void ViewportPanel::report(const Result<void>& result) {
    if (!result)
        emit problem(QString::fromStdString(result.error().message));
}

} // namespace sbx::ui

#include "moc_viewport_panel.cpp"
