#pragma once
// A trace panel over the yard of trace_fixture.h, for tests of the panel.

#include <QAction>
#include <QMenu>
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/selection.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"

#include <memory>
#include <utility>

namespace sbx::trace_test {

struct PanelBench {
    Yard yard;
    ui::Selection selection;
    std::unique_ptr<ui::TracePanel> panel;

    explicit PanelBench(const ui::Theme& theme, ui::TraceStore store = ui::TraceStore(), int height = 300) {
        panel = std::make_unique<ui::TracePanel>(theme, yard.source, selection, std::move(store));
        panel->resize(1280, height);
        panel->show();
        (void)QTest::qWaitForWindowExposed(panel.get());
    }
    [[nodiscard]] ui::TraceModel& model() { return panel->model(); }
    void run(int ticks, int count = 10) {
        for (int i = 0; i < ticks; ++i)
            yard.runTick(count);
        model().catchUp();
    }
    void click(int row) {
        const QRect rect = panel->view().visualRect(model().index(row, ui::TraceModel::Type));
        QTest::mouseClick(panel->view().viewport(), Qt::LeftButton, {}, rect.center());
    }
    // Triggers the entry of the row's menu, and gives what it is called; the test fails if there is none of that name.
    QString trigger(int row, const char* name) {
        const std::unique_ptr<QMenu> menu(panel->menuFor(row));
        auto* action = menu->findChild<QAction*>(QStringLiteral("trace.menu.") + QLatin1String(name));
        if (!QTest::qVerify(action != nullptr, "the menu has the entry", name, __FILE__, __LINE__))
            return {};
        const QString text = action->text();
        action->trigger();
        return text;
    }
};

// With the actions of the panel, whose keys hold in its active window alone.
struct PanelKeysBench : PanelBench {
    ui::ActionRegistry actions;

    explicit PanelKeysBench(const ui::Theme& theme, ui::TraceStore store = ui::TraceStore(), int height = 320)
        : PanelBench(theme, std::move(store), height), actions(theme) {
        panel->addActions(actions);
        panel->activateWindow();
        (void)QTest::qWaitForWindowActive(panel.get());
    }
    ~PanelKeysBench() { panel.reset(); } // before its actions
    Q_DISABLE_COPY_MOVE(PanelKeysBench)
};

} // namespace sbx::trace_test
