#include <QAbstractItemModelTester>
#include <QtTest>

#include "engine/core/random.h"
#include "widgets/common/theme.h"
#include "widgets/outliner/entity_tree_model.h"

using namespace sbx;
using namespace sbx::ui;

namespace {
struct Spec {
    const char* name;
    const char* type;
    const char* parent;
};

std::shared_ptr<const EntityList> listOf(const std::vector<Spec>& specs) {
    auto list = std::make_shared<EntityList>();
    for (const Spec& spec : specs) {
        EntityRow row;
        row.id = EntityId(static_cast<std::uint32_t>(list->rows.size()), 1);
        row.name = spec.name;
        row.type = spec.type;
        row.parent = spec.parent;
        EntityTypeInfo info;
        info.name = spec.type;
        row.entityType = std::make_shared<EntityType>(info, std::vector<ComponentSpec>());
        list->byName.emplace(row.name, list->rows.size());
        list->byId.emplace(row.id.bits, list->rows.size());
        list->rows.push_back(std::move(row));
    }
    return list;
}

// "a(b,c(d))": the whole tree in one line.
QString shape(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
    QStringList parts;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const QString below = shape(model, index);
        parts.append(index.data().toString()
                     + (below.isEmpty() ? QString() : QStringLiteral("(%1)").arg(below)));
    }
    return parts.join(QLatin1Char(','));
}

std::shared_ptr<const EntityMatches> matchesOf(const EntityList& list,
                                               const std::vector<std::string>& names) {
    EntityMatches matches;
    for (const EntityRow& row : list.rows)
        if (std::find(names.begin(), names.end(), row.name) != names.end())
            matches.ids.push_back(row.id);
    return std::make_shared<const EntityMatches>(std::move(matches));
}
} // namespace

class TestEntityTreeModel : public QObject {
    Q_OBJECT
private slots:
    void followsTheListRowByRow() {
        Theme theme;
        EntityTreeModel model(theme);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.set(listOf({{"a", "A", ""}, {"b", "B", "a"}, {"c", "B", ""}, {"d", "C", "b"}}), nullptr);
        QCOMPARE(shape(model), QStringLiteral("a(b(d)),c"));
        // One more in the middle, one gone, one with another parent.
        model.set(listOf({{"a", "A", ""}, {"x", "A", ""}, {"b", "B", "c"}, {"c", "B", ""}}), nullptr);
        QCOMPARE(shape(model), QStringLiteral("a,x,c(b)"));
        model.set(listOf({}), nullptr);
        QCOMPARE(shape(model), QString());
        QCOMPARE(resets.count(), 0);
    }
    void keepsPersistentIndexes() {
        Theme theme;
        EntityTreeModel model(theme);
        model.set(listOf({{"a", "A", ""}, {"b", "B", ""}, {"c", "B", ""}}), nullptr);
        const QPersistentModelIndex c = model.indexOf("c");
        model.set(listOf({{"a", "A", ""}, {"n", "A", ""}, {"c", "B", ""}}), nullptr);
        QVERIFY(c.isValid());
        QCOMPARE(model.nameAt(c), std::string("c"));
        QCOMPARE(c.row(), 2);
    }
    void filterShowsMatchesAndTheirParents() {
        Theme theme;
        EntityTreeModel model(theme);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto list = listOf(
            {{"yard", "Yard", ""}, {"bat", "Bat", "yard"}, {"crate", "Crate", "yard"}, {"ball", "Ball", ""}});
        model.set(list, matchesOf(*list, {"bat"}));
        QCOMPARE(shape(model), QStringLiteral("yard(bat)"));
        QCOMPARE(model.matchCount(), 1);
        QCOMPARE(model.entityCount(), 4);
        QCOMPARE(model.indexOf("yard").data(EntityTreeModel::MatchRole).toBool(), false);
        QCOMPARE(model.indexOf("bat").data(EntityTreeModel::MatchRole).toBool(), true);
        const QPersistentModelIndex yard = model.indexOf("yard");
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.set(list, matchesOf(*list, {"yard", "crate"}));
        QCOMPARE(shape(model), QStringLiteral("yard(crate)"));
        QVERIFY(yard.isValid());
        QCOMPARE(yard.data(EntityTreeModel::MatchRole).toBool(), true);
        QCOMPARE(changes.count(), 1);
        model.set(list, matchesOf(*list, {}));
        QCOMPARE(shape(model), QString());
        // Of entities that are gone since: nothing.
        model.set(listOf({{"yard", "Yard", ""}}), matchesOf(*list, {"ball", "yard"}));
        QCOMPARE(shape(model), QStringLiteral("yard"));
        QCOMPARE(model.matchCount(), 1);
        model.set(list, nullptr);
        QCOMPARE(shape(model), QStringLiteral("yard(bat,crate),ball"));
    }
    // Against the list itself, for many random changes.
    void randomChangesAlwaysAgree() {
        Theme theme;
        EntityTreeModel model(theme);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Random random(5);
        std::vector<std::string> names;
        for (int i = 0; i < 40; ++i)
            names.push_back("e" + std::to_string(i));
        for (int round = 0; round < 60; ++round) {
            std::vector<Spec> specs;
            for (std::size_t i = 0; i < names.size(); ++i)
                if (random.below(3) != 0) {
                    const bool child = !specs.empty() && random.below(2) == 0;
                    specs.push_back(
                        {names[i].c_str(), random.below(4) == 0 ? "T" : "U",
                         child ? specs[random.below(static_cast<std::uint32_t>(specs.size()))].name : ""});
                }
            const auto list = listOf(specs);
            model.set(list, nullptr);
            std::size_t seen = 0;
            std::function<void(const QModelIndex&, const std::string&)> visit = [&](const QModelIndex& parent,
                                                                                    const std::string& name) {
                for (int row = 0; row < model.rowCount(parent); ++row) {
                    const QModelIndex index = model.index(row, 0, parent);
                    const EntityRow* entity = list->find(model.nameAt(index));
                    QVERIFY(entity != nullptr);
                    QCOMPARE(entity->parent, name);
                    QCOMPARE(index.siblingAtColumn(1).data().toString().toStdString(), entity->type);
                    ++seen;
                    visit(index, entity->name);
                }
            };
            visit({}, "");
            QCOMPARE(seen, list->rows.size());
        }
    }
};

QTEST_MAIN(TestEntityTreeModel)
#include "tst_entity_tree_model.moc"
