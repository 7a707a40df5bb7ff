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
    // Rows that stay stand where the list has them now, and views keep their place.
    void keepsTheOrderOfTheList() {
        Theme theme;
        EntityTreeModel model(theme);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set(listOf({{"a", "A", ""}, {"b", "A", ""}, {"c", "A", ""}, {"d", "A", "c"}, {"e", "A", ""}}), nullptr);
        const QPersistentModelIndex b = model.indexOf("b");
        const QPersistentModelIndex d = model.indexOf("d");
        model.set(listOf({{"e", "A", ""}, {"b", "A", ""}, {"c", "A", ""}, {"d", "A", "c"}, {"a", "A", ""}}), nullptr);
        QCOMPARE(shape(model), QStringLiteral("e,b,c(d),a"));
        QVERIFY(b.isValid() && d.isValid());
        QCOMPARE(b.row(), 1);
    }
    // A new row behind each of many that are there: one insertion and one change of the layout, not a thousand.
    void manyRunsAreOneInsertion() {
        Theme theme;
        EntityTreeModel model(theme);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::vector<std::string> names; // which the specs point into
        for (int i = 0; i < 1000; ++i)
            for (const char* name : {"e", "copy"})
                names.push_back(name + std::to_string(i));
        std::vector<Spec> before;
        std::vector<Spec> after;
        QString shown;
        for (std::size_t i = 0; i < names.size(); i += 2) {
            before.push_back({names[i].c_str(), "A", ""});
            after.push_back(before.back());
            after.push_back({names[i + 1].c_str(), "A", ""});
            shown += QStringLiteral("%1e%2,copy%2").arg(i == 0 ? QString() : QStringLiteral(",")).arg(i / 2);
        }
        model.set(listOf(before), nullptr);
        const QPersistentModelIndex last = model.indexOf("e999");
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy sorted(&model, &QAbstractItemModel::layoutChanged);
        model.set(listOf(after), nullptr);
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(sorted.count(), 1);
        QCOMPARE(shape(model), shown);
        QCOMPARE(last.row(), 1998);
        QCOMPARE(model.nameAt(last), std::string("e999"));
        // Away with them again.
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        model.set(listOf(before), nullptr);
        QCOMPARE(removed.count(), 1);
        QCOMPARE(model.rowCount({}), 1000);
        QCOMPARE(last.row(), 999);
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
            for (std::uint32_t swaps = random.below(4); swaps > 0; --swaps)
                std::swap(names[random.below(40)], names[random.below(40)]);
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
                const EntityRow* above = nullptr;
                for (int row = 0; row < model.rowCount(parent); ++row) {
                    const QModelIndex index = model.index(row, 0, parent);
                    const EntityRow* entity = list->find(model.nameAt(index));
                    QVERIFY(entity != nullptr);
                    QVERIFY2(above == nullptr || above < entity, "in the order of the list");
                    above = entity;
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
