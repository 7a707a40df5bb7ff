// Ten thousand moving bodies in the editor's viewport: what culling and picking take there, with the simulation in its thread and
// frames being drawn. Times are of the processor, of this thread alone.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/render/band.h"
#include "engine/render/cpu_clock.h"
#include "engine/session/session.h"
#include "engine/session/simulation_thread.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_view.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <glm/geometric.hpp>

#include <algorithm>
#include <vector>

using namespace sbx;
using namespace sbx::ui;

namespace {

constexpr int Side = 25;
constexpr int Layers = 16;
constexpr int Count = Side * Side * Layers;
static_assert(Count == 10000);

// Without weight they fly apart for ever, each its own way.
const char* ProjectText = R"([project]
name = "Crowd"
scene = "crowd.scene.toml"
definitions = ["entities.toml"]
[cvars]
"sim.gravity" = 0.0
"trace.enabled" = false
)";

const char* DefinitionText = R"([Crate.Body]
size = [0.5, 0.5, 0.5]
linearDamping = 0.0
[Crate.Mesh]
)";

QByteArray sceneText() {
    QByteArray text = "[scene]\nname = \"Crowd\"\n";
    for (int i = 0; i < Count; ++i) {
        const int x = i % Side - Side / 2;
        const int z = i / Side % Side - Side / 2;
        const int y = i / (Side * Side);
        text += QStringLiteral("[[entity]]\ntype = \"Crate\"\nname = \"c%1\"\nposition = [%2.0, %3.0, %4.0]\n"
                               "[entity.Body]\nvelocity = [%5, %6, %7]\n")
                    .arg(i)
                    .arg(2 * x)
                    .arg(2 * y)
                    .arg(2 * z)
                    .arg(0.2 * x, 0, 'f', 2)
                    .arg(0.2 * y, 0, 'f', 2)
                    .arg(0.2 * z, 0, 'f', 2)
                    .toUtf8();
    }
    return text;
}

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

double at(std::vector<double> values, double share) {
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[static_cast<std::size_t>(place)];
}

double median(const std::vector<double>& values) {
    return at(values, 0.5);
}

} // namespace

class TestCrowd : public QObject {
    Q_OBJECT

private slots:
    void tenThousandMovingBodies() {
        Theme theme;
        theme.apply(*qobject_cast<QApplication*>(QApplication::instance()));
        QTemporaryDir folder;
        write(folder.filePath(QStringLiteral("project.toml")), ProjectText);
        write(folder.filePath(QStringLiteral("entities.toml")), DefinitionText);
        write(folder.filePath(QStringLiteral("crowd.scene.toml")), sceneText());
        Log log;
        Session session(log, addConsoleCommands);
        Selection selection;
        Document document(folder.filePath(QStringLiteral("state")));
        ActionRegistry actions(theme);
        QVERIFY(document.open(folder.path(), {{"project.toml", FileRole::Project},
                                              {"entities.toml", FileRole::Definitions},
                                              {"crowd.scene.toml", FileRole::Scene}}));
        Diagnostics faults;
        const auto content = loadContent(folder.path().toStdString(), {}, session.catalog().schema, faults);
        QVERIFY2(content && faults.items.empty(), faults.items.empty() ? "" : faults.items.front().toString().c_str());
        session.open(content);
        session.publish();
        auto panel = std::make_unique<ViewportPanel>(session, selection, document, actions, theme);
        auto thread = std::make_unique<SimulationThread>(session);
        session.post([](Session& running) { running.play(); });
        ViewportView& view = panel->view();
        panel->resize(320, 240);
        panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
        QVERIFY2(view.failure().isEmpty(), qPrintable(view.failure()));
        view.rig().lookAt({60, 60, 80}, {0, 15, 0});

        std::vector<double> culling;
        std::vector<double> picking;
        std::vector<double> banding;
        std::uint32_t nodes = 0;
        std::size_t seen = 0;
        std::size_t banded = 0;
        int hits = 0;
        double tick = -1.0;
        int moved = 0;
        QTRY_VERIFY_WITH_TIMEOUT(view.shown().snapshot() != nullptr && view.shown().snapshot()->tick > 2, 60000);
        QSignalSpy frames(&view, &ViewportView::frameShown);
        for (int frame = 0; frame < 16; ++frame) {
            const auto before = frames.count();
            view.wake();
            QTRY_VERIFY_WITH_TIMEOUT(frames.count() > before, 60000);
            ShownScene& shown = view.shown();
            if (shown.scene().instances.size() < Count)
                continue; // the first picture was of nothing yet
            moved += shown.shownTick() != tick ? 1 : 0;
            tick = shown.shownTick();
            culling.push_back(view.statistics().cullMs);
            seen = std::max(seen, static_cast<std::size_t>(view.statistics().instances));
            // The first of a frame brings the index up to date as well.
            const QPointF place(100 + frame * 8, 90 + frame * 4);
            hits += shown.pick(view.rayAt(place)) ? 1 : 0;
            picking.push_back(shown.pickCost().milliseconds);
            nodes = std::max(nodes, shown.pickCost().nodes);
            const render::CpuClock clock;
            banded = std::max(banded, render::pickBand(shown.scene(), shown.index(), view.camera(), 320, 240, {100, 80}, {220, 160},
                                                        render::BandRule::Contains)
                                      .size());
            banding.push_back(clock.milliseconds());
        }
        QVERIFY(culling.size() >= 10);
        qInfo("%d bodies, moved in %d of %zu frames: culling %.3f ms (%d nodes, %zu seen), a pick with its index %.3f ms (at most %u nodes, "
              "%d hits), a rubber band %.3f ms (%zu inside); medians",
              Count, moved, culling.size(), median(culling), view.statistics().cullNodes, seen, median(picking), nodes, hits, median(banding),
              banded);
        QVERIFY(moved >= 5);
        QVERIFY(seen > 5000);
        QVERIFY(hits > 0);
        QVERIFY(banded > 100);
        // Times are told above; what they come from does not depend on the machine: a pick looks at few of the tree's nodes.
        QVERIFY2(nodes < std::uint32_t{Count / 10}, qPrintable(QString::number(nodes)));
        panel.reset();
        thread.reset();
    }
};

QTEST_MAIN(TestCrowd)
#include "tst_crowd.moc"
