// References between entities, followed by keys and menus, and the switches of what is drawn for the selection: a part of ViewportPanel.

#include <QAction>
#include <QMenu>

#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/chip.h"
#include "widgets/viewport/handle_control.h"
#include "widgets/viewport/link_labels.h"
#include "widgets/viewport/link_lines.h"
#include "widgets/viewport/message_lines.h"
#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_source.h"

#include <cmath>

namespace sbx::ui {

namespace {

constexpr const char* FollowTarget = "select.target";
constexpr const char* FollowReferrer = "select.referrer";
constexpr int MenuLimit = 12;

} // namespace

void ViewportPanel::addLinkActions(ActionRegistry& actions) {
    const auto addFollow = [&](const char* id, const QString& text, const char* icon, const QKeySequence& keys, const QString& doc,
                               LinkWalk::Way way) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.menu = QStringLiteral("Edit#2");
        action.icon = QLatin1String(icon);
        action.shortcuts = {keys};
        action.context = QStringLiteral("entities");
        action.doc = doc;
        action.run = [this, way](bool) { followLink(way); };
        action.enabled = [this] { return m_document.isOpen() && !m_selection.empty() && !m_selection.isPicking(); };
        actions.add(std::move(action));
    };
    addFollow(FollowTarget, tr("&Go to what it refers to"), "arrow-right", QKeySequence(Qt::Key_F12),
              tr("Select the entity that a setting of the selected one names: a target, a counter, the other body of a hinge. Again: the next of several"),
              LinkWalk::Way::Targets);
    addFollow(FollowReferrer, tr("Go to &what refers to it"), "arrow-left", QKeySequence(Qt::SHIFT | Qt::Key_F12),
              tr("Select the entity that names the selected one in a setting. Again: the next of several"), LinkWalk::Way::Referrers);

    const auto addLinkSwitch = [&](const char* id, const QString& text, const QString& doc, bool (LinkLines::*get)() const,
                                   void (LinkLines::*set)(bool)) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.menu = QStringLiteral("View#3");
        action.context = QStringLiteral("viewport");
        action.doc = doc;
        action.checkable = true;
        action.run = [this, get, set](bool) {
            (*m_links.*set)(!(*m_links.*get)());
            m_view->wake();
        };
        action.checked = [this, get] { return (*m_links.*get)(); };
        actions.add(std::move(action));
    };
    addLinkSwitch("view.links", tr("&Links of the selection"),
                  tr("Lines to what the selected entities refer to, dashed ones from what refers to them, thin ones to parents and children"),
                  &LinkLines::isShown, &LinkLines::setShown);
    addLinkSwitch("view.allLinks", tr("Links of &all entities"), tr("Thin lines from every entity to what it refers to"), &LinkLines::showsAll,
                  &LinkLines::setShowsAll);

    Action messages;
    messages.id = QStringLiteral("view.messages");
    messages.text = tr("&Messages as they pass");
    messages.menu = QStringLiteral("View#3");
    messages.icon = QStringLiteral("message");
    messages.doc =
        tr("A line from sender to receiver for each message that the trace's filter lets through; it fades "
           "within half a second, and stays while the world is paused. At most %1 at a time")
            .arg(MessageTrails::MaxLines);
    messages.checkable = true;
    messages.run = [this](bool) {
        m_messages->setShown(!m_messages->isShown());
        m_view->wake();
        m_actions.refresh();
    };
    messages.checked = [this] { return m_messages->isShown(); };
    actions.add(std::move(messages));

    Action shapes;
    shapes.id = QStringLiteral("view.handles");
    shapes.text = tr("Han&dles of components");
    shapes.menu = QStringLiteral("View#3");
    shapes.context = QStringLiteral("viewport");
    shapes.doc = tr("Points that are dragged to change the selected entity's shape, range, distances or hinge");
    shapes.checkable = true;
    shapes.run = [this](bool) { m_handles->setShown(!m_handles->isShown()); };
    shapes.checked = [this] { return m_handles->isShown(); };
    actions.add(std::move(shapes));
}

std::vector<QRect> ViewportPanel::handleAreas() const {
    std::vector<QRect> areas;
    const GizmoView geometry = m_view->gizmoView();
    constexpr int Radius = 9;
    for (const ComponentHandle& handle : m_handles->handles())
        if (const auto pixel = render::projectToPixel(geometry.camera, geometry.width, geometry.height, handle.at)) {
            const QPoint at = m_view->pos() + m_view->fromPixels(Vec2(*pixel)).toPoint();
            areas.emplace_back(at - QPoint(Radius, Radius), at + QPoint(Radius, Radius));
        }
    return areas;
}

void ViewportPanel::followLink(LinkWalk::Way way) {
    const std::string from = m_selection.primary();
    const bool targets = way == LinkWalk::Way::Targets;
    const auto step = m_walk.step(from, way, [&](const std::string& entity) {
        return targets ? targetsOf(m_links->from(entity), entity) : referrersOf(m_links->to(entity), entity);
    });
    const QString name = QString::fromStdString(from);
    if (!step) {
        sayHint(targets ? tr("%1 refers to no other entity").arg(name) : tr("Nothing refers to %1").arg(name));
        return;
    }
    goTo(step->entity);
    if (step->count > 1)
        sayHint(tr("%1 of %2: %3").arg(step->number).arg(step->count).arg(QString::fromStdString(step->entity)));
}

void ViewportPanel::goTo(const std::string& entity) {
    m_selection.setEntity(entity, ViewportSource);
    if (!m_view->playerCamera() && !isInSight(entity))
        frameSelection();
    m_view->wake();
}

bool ViewportPanel::isInSight(const std::string& entity) const {
    const auto place = m_links->placeOf(entity);
    if (!place)
        return false;
    const GizmoView geometry = m_view->gizmoView();
    const auto pixel = render::projectToPixel(geometry.camera, geometry.width, geometry.height, place->centre);
    return pixel && pixel->x >= 0.0F && pixel->y >= 0.0F && pixel->x <= static_cast<float>(geometry.width)
           && pixel->y <= static_cast<float>(geometry.height);
}

void ViewportPanel::sayHint(const QString& text) {
    m_hint->say(text, 1500);
    arrangePlates();
}

void ViewportPanel::fillLinkMenu(QMenu& menu) {
    const std::string entity = m_selection.primary();
    if (entity.empty())
        return;
    QMenu* links = menu.addMenu(tr("L&inks"));
    links->setObjectName(menu.objectName() + QStringLiteral(".links"));
    const auto addNames = [&](const std::vector<EntityLink>& found, bool targets) {
        int count = 0;
        for (const EntityLink& link : found) {
            if (++count > MenuLimit)
                continue;
            const std::string other = targets ? link.to : link.from;
            const QString setting = QString::fromStdString(link.component + "." + link.field);
            const QString name = shownLine(other).replace(QLatin1Char('&'), QLatin1String("&&"));
            QAction* action = links->addAction(link.broken ? tr("%1  (%2, not there)").arg(name, setting) : tr("%1  (%2)").arg(name, setting));
            action->setObjectName(links->objectName() + QLatin1Char('.') + name);
            action->setEnabled(!link.broken && other != entity);
            connect(action, &QAction::triggered, this, [this, other] { goTo(other); });
        }
        if (count > MenuLimit)
            links->addAction(tr("… and %1 more").arg(count - MenuLimit))->setEnabled(false);
    };
    links->addAction(m_actions.find(QLatin1String(FollowTarget)));
    addNames(m_links->from(entity), true);
    links->addSeparator();
    links->addAction(m_actions.find(QLatin1String(FollowReferrer)));
    addNames(m_links->to(entity), false);
}

void ViewportPanel::arrangeLinkLabels(std::vector<QRect> occupied) {
    const double ratio = m_view->devicePixelRatioF();
    std::vector<LinkLabel> wanted;
    // That of the selected message first: it was asked for.
    const int pane = m_view->layout().active();
    std::vector<LinkLines::Caption> captions = m_messages->captions(pane);
    captions.insert(captions.end(), m_links->captions(pane).begin(), m_links->captions(pane).end());
    for (const LinkLines::Caption& caption : captions)
        wanted.push_back({m_view->fromPixels(caption.middle).toPoint(),
                          m_linkLabels->sizeOf(caption.text), double(caption.room) / ratio});
    constexpr int Apart = 2;
    for (QRect& rect : occupied)
        rect.translate(-m_view->pos());
    const std::vector<QRect> places = placeLabels(wanted, m_view->activeArea().adjusted(Apart, Apart, -Apart, -Apart), occupied);
    std::vector<LinkLabels::Label> labels;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!places[i].isNull())
            labels.push_back({places[i], captions[i].text, captions[i].broken});
    m_linkLabels->show(std::move(labels));
}

} // namespace sbx::ui
