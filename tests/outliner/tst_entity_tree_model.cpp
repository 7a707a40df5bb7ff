#include <QtTest>

#include <QAbstractItemModelTester>

#include "engine/core/random.h"
#include "engine/session/entity_filter.h"
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
        parts.append(index.data().toString() + (below.isEmpty() ? QString() : QStringLiteral("(%1)").arg(below)));
    }
    return parts.join(QLatin1Char(','));
}

Filter filterOf(const char* text) {
    return *Filter::compile(text, entityFilterSchema());
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
        model.setEntities(listOf({{"a", "A", ""}, {"b", "B", "a"}, {"c", "B", ""}, {"d", "C", "b"}}));
        QCOMPARE(shape(model), QStringLiteral("a(b(d)),c"));
        // One more in the middle, one gone, one with another parent.
        model.setEntities(listOf({{"a", "A", ""}, {"x", "A", ""}, {"b", "B", "c"}, {"c", "B", ""}}));
        QCOMPARE(shape(model), QStringLiteral("a,x,c(b)"));
        model.setEntities(listOf({}));
        QCOMPARE(shape(model), QString());
        QCOMPARE(resets.count(), 0);
    }
    void keepsPersistentIndexes() {
        Theme theme;
        EntityTreeModel model(theme);
        model.setEntities(listOf({{"a", "A", ""}, {"b", "B", ""}, {"c", "B", ""}}));
        const QPersistentModelIndex c = model.indexOf("c");
        model.setEntities(listOf({{"a", "A", ""}, {"n", "A", ""}, {"c", "B", ""}}));
        QVERIFY(c.isValid());
        QCOMPARE(model.nameAt(c), std::string("c"));
        QCOMPARE(c.row(), 2);
    }
    void filterShowsMatchesAndTheirParents() {
        Theme theme;
        EntityTreeModel model(theme);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setEntities(listOf({{"yard", "Yard", ""}, {"bat", "Bat", "yard"}, {"crate", "Crate", "yard"}, {"ball", "Ball", ""}}));
        model.setFilter(filterOf("type == Bat"));
        QCOMPARE(shape(model), QStringLiteral("yard(bat)"));
        QCOMPARE(model.matchCount(), 1);
        QCOMPARE(model.entityCount(), 4);
        model.setFilter(filterOf("crate"));
        QCOMPARE(shape(model), QStringLiteral("yard(crate)"));
        model.setFilter(Filter());
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
                    specs.push_back({names[i].c_str(), random.below(4) == 0 ? "T" : "U",
                                     child ? specs[random.below(static_cast<std::uint32_t>(specs.size()))].name : ""});
                }
            const auto list = listOf(specs);
            model.setEntities(list);
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
