// How fast the world's clock goes: a button of the tool bar and a menu.

#include <QMenu>
#include <QToolBar>
#include <QToolButton>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "engine/session/session.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"

#include <cmath>
#include <memory>

namespace sbx::editor {

namespace {
constexpr double Speeds[] = {0.1, 0.25, 0.5, 1.0, 2.0, 4.0};

QString idOf(double speed) { return QStringLiteral("play.speed%1").arg(std::lround(speed * 100.0)); }
QString textOf(double speed) { return QStringLiteral("%1×").arg(speed, 0, 'g', 3); }
} // namespace

void MainWindow::createSpeedActions() {
    ui::SessionFeed& feed = m_editor.feed();
    for (const double speed : Speeds)
        m_editor.actions().add({.id = idOf(speed),
                                .text = speed == 1.0 ? tr("%1 (as it is)").arg(textOf(speed)) : textOf(speed),
                                .menu = tr("Play/Speed"),
                                .doc = tr("Run the world's clock at this speed; the ticks stay the same (sim.timeScale)"),
                                .run = [this, speed](bool) { m_editor.execute("sim.timeScale " + std::to_string(speed)); },
                                .checkable = true,
                                .checked = [&feed, speed] { return std::abs(feed.frame().timeScale - speed) < 1e-4; }});
}

void MainWindow::addSpeedButton(QToolBar& bar) {
    auto* button = new QToolButton(&bar);
    button->setObjectName(QStringLiteral("toolbar.speed"));
    button->setAccessibleName(tr("Speed of the clock"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    auto* menu = new QMenu(button);
    menu->setObjectName(QStringLiteral("toolbar.speed.menu"));
    for (const double speed : Speeds)
        menu->addAction(m_editor.actions().find(idOf(speed)));
    button->setMenu(menu);
    bar.addWidget(button);
    const auto shown = std::make_shared<double>(0.0);
    const auto follow = [this, button, shown] {
        const double speed = m_editor.feed().frame().timeScale;
        if (speed == *shown)
            return;
        *shown = speed;
        button->setText(textOf(speed));
        // Slow motion is easily forgotten.
        ui::setTextToken(*button, m_editor.theme(), speed == 1.0 ? ui::Token::Text : ui::Token::Warning);
        button->setToolTip(speed == 1.0 ? tr("Speed of the world's clock") : tr("The world's clock goes at %1 of its speed").arg(textOf(speed)));
        m_editor.actions().refresh();
    };
    connect(&m_editor.feed(), &ui::SessionFeed::frameChanged, button, follow);
    follow();
}

} // namespace sbx::editor
