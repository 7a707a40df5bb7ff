// validate() finds what is broken: every invariant is broken once, on purpose, and named.

#include "engine/spatial/aabb_tree.h"

#include <QtTest>

#include <functional>

namespace sbx::spatial {

// What no member function would do.
struct Tamper {
    AabbTree& tree;

    std::vector<detail::Node>& nodes() { return tree.m_nodes; }
    std::uint32_t& root() { return tree.m_root; }
    detail::Node& top() { return tree.m_nodes[tree.m_root]; }
    std::uint32_t leafIndex() {
        std::uint32_t index = tree.m_root;
        while (tree.m_nodes[index].level > 0) {
            index = tree.m_nodes[index].child[0];
        }
        return index;
    }
    detail::Node& leaf() { return tree.m_nodes[leafIndex()]; }
    std::uint32_t object() { return leaf().child[0]; }
    detail::Node& nodeWithRoom() {
        for (detail::Node& node : tree.m_nodes) {
            if (node.used && node.count < detail::Width) {
                return node;
            }
        }
        return top();
    }
    std::uint32_t& freeNode() { return tree.m_freeNode; }
    std::uint32_t& usedNodes() { return tree.m_usedNodes; }
    std::vector<std::uint32_t>& freeSlots() { return tree.m_freeSlots; }
    std::vector<std::uint32_t>& noted() { return tree.m_noted; }
    std::vector<std::uint32_t>& place() { return tree.m_place; }
    std::vector<std::uint8_t>& flags() { return tree.m_flags; }
    std::vector<detail::Bounds>& tight() { return tree.m_tight; }
    std::vector<detail::Bounds>& fat() { return tree.m_fat; }
    std::vector<Filter>& filters() { return tree.m_filter; }
    std::size_t& alive() { return tree.m_alive; }
    std::vector<Pair>& pairs() { return tree.m_pairs; }
    std::vector<Pair>& fatPairs() { return tree.m_fatPairs; }
    std::vector<std::uint32_t>& changed() { return tree.m_changed; }
    std::vector<std::uint8_t>& changedFlags() { return tree.m_changedFlag; }
    std::uint32_t deadSlot() { return tree.m_freeSlots.front(); }

    static constexpr std::uint8_t InTree = AabbTree::InTree;
    static constexpr std::uint8_t Noted = AabbTree::Noted;
};

} // namespace sbx::spatial

using namespace sbx;
using namespace sbx::spatial;

namespace {

using Break = std::function<void(Tamper&)>;

// Three levels, some nodes and slots free, pairs known and one change since.
AabbTree whole() {
    AabbTree tree;
    std::vector<ProxyId> ids;
    for (int i = 0; i < 60; ++i) {
        const Vec3 at(static_cast<float>(i % 5), static_cast<float>(i / 5 % 4), static_cast<float>(i / 20));
        ids.push_back(*tree.insert(around(at, Vec3(0.6F))));
    }
    static_cast<void>(tree.updatePairs());
    for (std::size_t i = 0; i < 20; ++i) {
        tree.remove(ids[i]);
    }
    static_cast<void>(tree.updatePairs());
    static_cast<void>(tree.move(ids[30], around(Vec3(2.5F, 1.5F, 1.0F), Vec3(0.6F))));
    static_cast<void>(tree.updatePairs());
    return tree;
}

} // namespace

Q_DECLARE_METATYPE(Break)

class TestValidate : public QObject {
    Q_OBJECT

private slots:
    void aWholeTreeIsSound() {
        AabbTree tree = whole();
        const Result<void> result = tree.validate();
        QVERIFY2(result.ok(), result ? "" : result.error().message.c_str());
        Tamper tamper{tree};
        QVERIFY(tamper.top().level >= 2);
        QVERIFY(tamper.freeNode() != detail::None);
        QVERIFY(!tamper.freeSlots().empty());
        QVERIFY(!tamper.pairs().empty());
        QVERIFY(tamper.fatPairs().size() >= tamper.pairs().size());
    }
    void whatIsBrokenIsFound_data() {
        QTest::addColumn<Break>("tamper");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* says, const char* name, Break tamper) {
            QTest::newRow(name) << std::move(tamper) << QString::fromLatin1(says);
        };
        // ---- nodes
        row("a root that is no root", "root with a parent", [](Tamper& t) { t.top().parent = t.leafIndex(); });
        row("a root that is no root", "root outside", [](Tamper& t) { t.root() = 100000; });
        row("too high", "level", [](Tamper& t) { t.top().level = detail::MaxLevels; });
        row("free, or the child of two", "free node in the tree", [](Tamper& t) { t.leaf().used = false; });
        row("no children, or too many", "too many", [](Tamper& t) { t.leaf().count = 5; });
        row("no children, or too many", "none", [](Tamper& t) { t.leaf().count = 0; });
        row("free lane that holds something", "free lane", [](Tamper& t) {
            detail::Node& node = t.nodeWithRoom();
            node.set(detail::Width - 1, detail::toBounds({Vec3(0), Vec3(1)}));
        });
        row("a child that is no node", "child outside", [](Tamper& t) { t.top().child[0] = 100000; });
        row("another parent", "parent", [](Tamper& t) { t.leaf().parent = t.leafIndex(); });
        row("another parent", "lane", [](Tamper& t) { ++t.leaf().lane; });
        row("wrong level", "level of a child", [](Tamper& t) { t.nodes()[t.top().child[0]].level = 0; });
        row("sticks out of its node", "box of a node", [](Tamper& t) { t.top().maxX[0] -= 1.0F; });
        row("lacks a child's category", "category of a node", [](Tamper& t) { t.top().categories = 0; });
        row("nodes that nobody reaches", "count of nodes", [](Tamper& t) { ++t.usedNodes(); });
        row("free list with a node in use", "free list into the tree", [](Tamper& t) { t.freeNode() = t.root(); });
        row("free list with a node in use", "ring", [](Tamper& t) { t.nodes()[t.freeNode()].parent = t.freeNode(); });
        row("neither free nor in use", "lost node", [](Tamper& t) { t.freeNode() = detail::None; });
        // ---- objects
        row("elsewhere, or dead", "place", [](Tamper& t) { ++t.place()[t.object()]; });
        row("elsewhere, or dead", "dead object in a leaf", [](Tamper& t) { t.leaf().child[0] = t.deadSlot(); });
        row("not its object's fat box", "fat box", [](Tamper& t) { t.fat()[t.object()].max[1] += 0.1F; });
        row("lacks an object's category", "category of a leaf", [](Tamper& t) { t.filters()[t.object()].category = 2; });
        row("sticks out of its fat one", "tight box", [](Tamper& t) { t.tight()[t.object()].min[2] -= 5.0F; });
        row("should have been refused", "empty box", [](Tamper& t) { t.tight()[t.object()].max[0] = -100.0F; });
        row("should have been refused", "not a number", [](Tamper& t) {
            t.tight()[t.object()].max[0] = std::numeric_limits<float>::quiet_NaN();
        });
        row("a filter nobody looks at", "filter", [](Tamper& t) { t.filters()[t.object()].mask = 2; });
        row("somewhere", "dead object that waits", [](Tamper& t) { t.flags()[t.deadSlot()] = Tamper::Noted; });
        row("waits for ever", "change nobody noted", [](Tamper& t) { t.flags()[t.object()] |= Tamper::Noted; });
        row("a change of no object", "change outside", [](Tamper& t) { t.noted().push_back(100000); });
        row("miscounted", "count of objects", [](Tamper& t) { ++t.alive(); });
        row("in use, or free twice", "slot free twice", [](Tamper& t) { t.freeSlots().back() = t.freeSlots().front(); });
        row("in use, or free twice", "used slot free", [](Tamper& t) { t.freeSlots().back() = t.object(); });
        row("neither free nor in use", "lost slot", [](Tamper& t) { t.freeSlots().pop_back(); });
        // ---- pairs
        row("a pair that is none", "swapped", [](Tamper& t) { std::swap(t.fatPairs()[0].a, t.fatPairs()[0].b); });
        row("should have gone", "dead pair", [](Tamper& t) { t.fatPairs()[0] = {t.deadSlot(), 59}; });
        row("should have gone", "distant pair", [](Tamper& t) { t.fatPairs()[0] = {20, 59}; });
        row("there twice", "twice", [](Tamper& t) { t.fatPairs().push_back(t.fatPairs().front()); });
        row("missing", "missing", [](Tamper& t) { t.fatPairs().pop_back(); });
        row("not those of the boxes", "answer", [](Tamper& t) { t.pairs().pop_back(); });
        row("without its mark", "change without a mark", [](Tamper& t) { t.changed().push_back(t.object()); });
        row("a mark of no change", "mark", [](Tamper& t) { t.changedFlags()[t.object()] = 1; });
    }
    void whatIsBrokenIsFound() {
        QFETCH(Break, tamper);
        QFETCH(QString, says);
        AabbTree tree = whole();
        Tamper hand{tree};
        tamper(hand);
        const Result<void> result = tree.validate();
        QVERIFY(!result.ok());
        const QString message = QString::fromStdString(result.error().message);
        QVERIFY2(message.contains(says), qPrintable(message));
    }
};

QTEST_GUILESS_MAIN(TestValidate)
#include "tst_validate.moc"
