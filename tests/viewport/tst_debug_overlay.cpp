// What is drawn of the physics, and the legend that explains it.

#include <QtTest>

#include "widgets/common/theme.h"
#include "widgets/viewport/debug_overlay.h"

#include <set>

using namespace sbx;
using namespace sbx::ui;

namespace {

PhysicsView everything() {
    PhysicsView view;
    view.shapes = {{{0, 0, 0}, {1, 0, 0}, physics::BodyState::Trigger},
                   {{0, 0, 0}, {0, 1, 0}, physics::BodyState::Asleep},
                   {{-5000, 0, 0}, {5000, 0, 0}, physics::BodyState::Static}};
    physics::Contact contact;
    contact.point = {0, 1, 0};
    contact.normal = {0, 1, 0};
    view.contacts = {contact};
    view.tree = {{{-1e18F, -1, -1}, {1e18F, 1, 1}, 0, false}, {{-1, -1, -1}, {1, 1, 1}, 1, false}, {{0, 0, 0}, {1, 1, 1}, 2, true}};
    return view;
}

QStringList textsOf(const DebugLegend& legend) {
    QStringList texts;
    for (const DebugLegend::Row& row : legend.rows())
        texts << row.text;
    return texts;
}

} // namespace

class TestDebugOverlay : public QObject {
    Q_OBJECT

private slots:
    void linesOfEachKind() {
        const Theme theme;
        PhysicsView view = everything();
        render::DebugDraw draw;
        drawPhysics(draw, view, theme);
        // Two boxes of twelve edges (what spans the world is left out), two edges of bodies, a cross and a normal.
        QCOMPARE(draw.lines.size(), 24U + 2U + 4U);
        std::set<std::array<float, 3>> colors;
        for (const render::Line& line : draw.lines)
            colors.insert({line.color.r, line.color.g, line.color.b});
        QCOMPARE(colors.size(), 5U);
        const render::Line& normal = draw.lines.back();
        QVERIFY(normal.to.y > normal.from.y && normal.to.x == normal.from.x);
        draw.lines.clear();
        drawPhysics(draw, {}, theme);
        QVERIFY(draw.lines.empty());
    }
    void theLegendSaysWhatIsDrawn() {
        for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
            const Theme theme(mode);
            QWidget parent;
            DebugLegend legend(theme, &parent);
            QVERIFY(legend.isHidden());
            PhysicsView view = everything();
            QVERIFY(legend.explain(&view));
            QVERIFY(!legend.isHidden());
            QCOMPARE(textsOf(legend), (QStringList{"Bodies", "awake", "asleep", "moved by messages", "static", "trigger",
                                                   "contact, normal", "Tree", "root", "depth 1", "depth 2: bodies"}));
            QVERIFY(legend.accessibleName().contains(QStringLiteral("asleep")));
            QVERIFY(!legend.explain(&view)); // nothing new
            view.shapes.clear();
            view.contacts.clear();
            QVERIFY(legend.explain(&view));
            QCOMPARE(textsOf(legend).first(), QStringLiteral("Tree"));
            QVERIFY(legend.explain(nullptr));
            QVERIFY(legend.isHidden());
            QVERIFY(!legend.explain(nullptr));
        }
    }
    // The legend and the lines agree.
    void coloursAreTheLegends() {
        const Theme theme;
        QWidget parent;
        DebugLegend legend(theme, &parent);
        const PhysicsView view = everything();
        legend.explain(&view);
        render::DebugDraw draw;
        drawPhysics(draw, view, theme);
        for (const render::Line& line : draw.lines) {
            const bool explained = std::any_of(legend.rows().begin(), legend.rows().end(), [&line](const DebugLegend::Row& row) {
                return row.color.isValid() && std::abs(row.color.redF() - line.color.r) < 0.01F
                       && std::abs(row.color.greenF() - line.color.g) < 0.01F && std::abs(row.color.blueF() - line.color.b) < 0.01F;
            });
            QVERIFY(explained);
        }
    }
};

QTEST_MAIN(TestDebugOverlay)
#include "tst_debug_overlay.moc"
