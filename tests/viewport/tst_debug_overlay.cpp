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
            QVERIFY(legend.explain(&view, 800));
            QVERIFY(!legend.isHidden());
            QCOMPARE(textsOf(legend), (QStringList{"Bodies", "awake", "asleep", "moved by messages", "static", "trigger",
                                                   "contact, normal", "Tree", "root", "depth 1", "depth 2: bodies"}));
            QVERIFY(legend.accessibleName().contains(QStringLiteral("asleep")));
            QVERIFY(!legend.explain(&view, 800)); // nothing new
            // In a low picture the tree stands beside the bodies.
            const QSize tall = legend.size();
            QVERIFY(legend.explain(&view, 300));
            QVERIFY(legend.height() < tall.height() && legend.width() > tall.width());
            view.shapes.clear();
            view.contacts.clear();
            QVERIFY(legend.explain(&view, 300));
            QCOMPARE(textsOf(legend).first(), QStringLiteral("Tree"));
            QVERIFY(legend.explain(nullptr, 300));
            QVERIFY(legend.isHidden());
            QVERIFY(!legend.explain(nullptr, 300));
        }
    }
    // The legend and the lines agree.
    void coloursAreTheLegends() {
        const Theme theme;
        QWidget parent;
        DebugLegend legend(theme, &parent);
        const PhysicsView view = everything();
        legend.explain(&view, 800);
        std::set<QRgb> different;
        int swatches = 0;
        for (const DebugLegend::Row& row : legend.rows())
            if (row.color.isValid()) {
                ++swatches;
                different.insert(row.color.rgb());
            }
        QCOMPARE(static_cast<int>(different.size()), swatches); // no colour means two things
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
    // Of Bullet's own trees, which are deeper, several depths share a shade; all are told.
    void deepTreesAreToldInShades() {
        const Theme theme;
        QWidget parent;
        DebugLegend legend(theme, &parent);
        PhysicsView view;
        for (int depth = 0; depth <= 18; ++depth)
            view.tree.push_back({{0, 0, 0}, {1, 1, 1}, depth, depth == 18});
        legend.explain(&view, 800);
        const QStringList texts = textsOf(legend);
        QCOMPARE(texts.size(), 9);
        QCOMPARE(texts.at(1), QStringLiteral("depths 0 to 2"));
        QCOMPARE(texts.last(), QStringLiteral("depths 17 to 18: bodies"));
        render::DebugDraw draw;
        drawPhysics(draw, view, theme);
        std::set<std::array<float, 3>> colors;
        for (const render::Line& line : draw.lines)
            colors.insert({line.color.r, line.color.g, line.color.b});
        QCOMPARE(colors.size(), 8U);
    }
};

QTEST_MAIN(TestDebugOverlay)
#include "tst_debug_overlay.moc"
