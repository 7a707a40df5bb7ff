#include "widgets/viewport/viewport_strip.h"

#include "widgets/common/action_registry.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/chip.h"
#include "widgets/viewport/gizmo_control.h"

#include <QAction>
#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <utility>
#include <vector>

namespace sbx::ui {

namespace {

QString metres(float value) {
    return ViewportStrip::tr("%1 m").arg(static_cast<double>(value));
}

QString degrees(float value) {
    return QStringLiteral("%1°").arg(static_cast<double>(value));
}

QString factor(float value) {
    return QStringLiteral("× %1").arg(static_cast<double>(value));
}

} // namespace

ViewportStrip::ViewportStrip(const Theme& theme, ActionRegistry& actions, GizmoControl& gizmo, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_gizmo(gizmo), m_steps(new QToolButton(this)) {
    setObjectName(QStringLiteral("viewport.strip"));
    setAccessibleName(tr("Viewport tools"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(2);
    for (const char* id : {"tool.select", "tool.move", "tool.rotate", "tool.scale"})
        addButton(*row, actions, QLatin1String(id));
    addGap(*row);
    addButton(*row, actions, QStringLiteral("tool.local"));
    addButton(*row, actions, QStringLiteral("tool.snap"));
    m_steps->setObjectName(QStringLiteral("viewport.steps"));
    m_steps->setAccessibleName(tr("Snap steps"));
    m_steps->setToolTip(tr("Steps that moves, turns and scales keep to"));
    m_steps->setAutoRaise(true);
    m_steps->setFocusPolicy(Qt::NoFocus);
    m_steps->setPopupMode(QToolButton::InstantPopup);
    m_steps->setFont(theme.font(FontRole::Mono));
    m_steps->setFixedHeight(measure::ControlHeight);
    row->addWidget(m_steps);
    buildSteps();
    addButton(*row, actions, QStringLiteral("select.touching"));
    addButton(*row, actions, QStringLiteral("tool.measure"));
    addGap(*row);
    addButton(*row, actions, QStringLiteral("view.orthographic"));
    addButton(*row, actions, QStringLiteral("view.four"));
    addButton(*row, actions, QStringLiteral("view.grid"));
    addButton(*row, actions, QStringLiteral("view.playerCamera"));
    addDebugMenu(*row, actions);
    addMore(*row);
    connect(&gizmo, &GizmoControl::toolChanged, this, &ViewportStrip::refresh);
    refresh();
    adjustSize();
}

void ViewportStrip::addButton(QHBoxLayout& row, ActionRegistry& actions, const QString& id) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("viewport.") + id);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setFocusPolicy(Qt::NoFocus); // the keys stay with the picture
    button->setFixedSize(measure::ControlHeight + 2, measure::ControlHeight);
    button->setDefaultAction(actions.find(id));
    button->setAccessibleName(actions.find(id)->text().remove(QLatin1Char('&')));
    row.addWidget(button);
}

void ViewportStrip::addDebugMenu(QHBoxLayout& row, ActionRegistry& actions) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("viewport.debug"));
    button->setAccessibleName(tr("What the physics sees, and messages"));
    button->setToolTip(
        tr("What the physics sees: bodies, contacts, the broad phase's tree; messages as they pass"));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFixedSize(measure::ControlHeight + 2, measure::ControlHeight);
    const auto showIcon = [this, button] { button->setIcon(m_theme.icon(QStringLiteral("body"))); };
    showIcon();
    connect(&m_theme, &Theme::changed, button, showIcon);
    auto* menu = new QMenu(button);
    menu->setObjectName(QStringLiteral("viewport.debug.menu"));
    for (const char* id : {"view.shapes", "view.contacts", "view.tree", "view.messages"})
        menu->addAction(actions.find(QLatin1String(id)));
    button->setMenu(menu);
    row.addWidget(button);
}

void ViewportStrip::addGap(QHBoxLayout& row) {
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::VLine);
    line->setFixedSize(1, 16);
    row.addSpacing(measure::RelatedGap / 2);
    row.addWidget(line, 0, Qt::AlignVCenter);
    row.addSpacing(measure::RelatedGap / 2);
}

void ViewportStrip::addMore(QHBoxLayout& row) {
    m_more = new QToolButton(this);
    m_more->setObjectName(QStringLiteral("viewport.more"));
    m_more->setAccessibleName(tr("More viewport tools"));
    m_more->setToolTip(tr("The tools that have no room in the bar"));
    m_more->setText(QStringLiteral("»"));
    m_more->setAutoRaise(true);
    m_more->setFocusPolicy(Qt::NoFocus);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFixedSize(measure::ControlHeight + 2, measure::ControlHeight);
    auto* menu = new QMenu(m_more);
    menu->setObjectName(QStringLiteral("viewport.more.menu"));
    connect(menu, &QMenu::aboutToShow, this, &ViewportStrip::fillMore);
    m_more->setMenu(menu);
    m_more->hide();
    row.addWidget(m_more);
}

void ViewportStrip::fillMore() {
    QMenu* const menu = m_more->menu();
    menu->clear();
    for (int i = 0; i < layout()->count(); ++i) {
        auto* button = qobject_cast<QToolButton*>(layout()->itemAt(i)->widget());
        if (button == nullptr || button == m_more || !button->isHidden())
            continue;
        if (button->defaultAction() != nullptr)
            menu->addAction(button->defaultAction());
        else if (button->menu() != nullptr) {
            button->menu()->setTitle(button->accessibleName());
            menu->addMenu(button->menu());
        }
    }
}

void ViewportStrip::fit(int width) {
    if (std::exchange(m_room, width) == width)
        return;
    std::vector<QWidget*> parts; // in the order of the row
    for (int i = 0; i < layout()->count(); ++i)
        if (QWidget* part = layout()->itemAt(i)->widget(); part != nullptr && part != m_more)
            parts.push_back(part);
    m_more->hide();
    for (QWidget* part : parts)
        part->show();
    layout()->activate();
    for (std::size_t shown = parts.size(); shown > 0 && layout()->sizeHint().width() > width; layout()->activate()) {
        parts[--shown]->hide();
        m_more->show();
        // A line that would stand last parts nothing.
        while (shown > 0 && qobject_cast<QToolButton*>(parts[shown - 1]) == nullptr)
            parts[--shown]->hide();
    }
    resize(layout()->sizeHint());
}

void ViewportStrip::buildSteps() {
    auto* menu = new QMenu(m_steps);
    const auto section = [&](const std::initializer_list<float>& values, float SnapSettings::*field, QString (*text)(float)) {
        auto* group = new QActionGroup(menu);
        for (const float value : values) {
            QAction* action = menu->addAction(text(value));
            action->setCheckable(true);
            action->setData(value);
            group->addAction(action);
            connect(action, &QAction::triggered, this, [this, field, value] {
                SnapSettings snap = m_gizmo.snap();
                snap.*field = value;
                m_gizmo.setSnap(snap);
            });
            connect(menu, &QMenu::aboutToShow, action,
                    [this, action, field, value] { action->setChecked(m_gizmo.snap().*field == value); });
        }
        menu->addSeparator();
    };
    section({0.05F, 0.1F, 0.25F, 0.5F, 1.0F, 2.0F}, &SnapSettings::move, metres);
    section({1.0F, 5.0F, 15.0F, 45.0F, 90.0F}, &SnapSettings::rotate, degrees);
    section({0.05F, 0.1F, 0.25F, 0.5F}, &SnapSettings::scale, factor);
    m_steps->setMenu(menu);
}

void ViewportStrip::refresh() {
    const SnapSettings& snap = m_gizmo.snap();
    m_steps->setText(m_gizmo.tool() == Tool::Rotate  ? degrees(snap.rotate)
                     : m_gizmo.tool() == Tool::Scale ? factor(snap.scale)
                                                     : metres(snap.move));
    m_steps->setFixedWidth(m_steps->fontMetrics().horizontalAdvance(QStringLiteral("0.25 m")) + 28);
}

void ViewportStrip::paintEvent(QPaintEvent*) {
    paintPlate(*this, m_theme);
}

} // namespace sbx::ui

#include "moc_viewport_strip.cpp"
