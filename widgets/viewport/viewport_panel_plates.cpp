// The plates that lie over the picture: readouts, legend, pages without a world; where each of them is.

#include "widgets/viewport/viewport_panel.h"

#include <QAction>
#include <QCursor>
#include <QFocusEvent>
#include <QProgressBar>
#include <QPushButton>

#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/overlay_layout.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/chip.h"
#include "widgets/viewport/debug_overlay.h"
#include "widgets/viewport/message_lines.h"
#include "widgets/viewport/pane_label.h"
#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_strip.h"

#include <utility>

namespace sbx::ui {

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

} // namespace sbx::ui
