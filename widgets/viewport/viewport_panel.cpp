#include "widgets/viewport/viewport_panel.h"

#include <QCursor>
#include <QMenu>
#include <QProgressBar>

#include "engine/session/session.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/band_shape.h"
#include "widgets/viewport/chip.h"
#include "widgets/viewport/debug_overlay.h"
#include "widgets/viewport/entity_signs.h"
#include "widgets/viewport/handle_control.h"
#include "widgets/viewport/link_labels.h"
#include "widgets/viewport/link_lines.h"
#include "widgets/viewport/message_lines.h"
#include "widgets/viewport/pane_label.h"
#include "widgets/viewport/pane_splitter.h"
#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_source.h"
#include "widgets/viewport/viewport_strip.h"

#include <utility>

namespace sbx::ui {

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

} // namespace sbx::ui

#include "moc_viewport_panel.cpp"
