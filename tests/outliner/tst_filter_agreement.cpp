// One filter, one answer: the outliner, `select`, `list entities`, `near`, `count(…)` of expect and of watches, against conditions
// written in C++, over a world in which components come and go, fields change, things are switched off and move between parents.

#include <QApplication>
#include <QtTest>

#include "tests/outliner/outliner_fixture.h"
#include "widgets/common/filter_bar.h"
#include "widgets/outliner/entity_tree_model.h"

#include <functional>
#include <memory>
#include <set>

using namespace sbx;
using namespace sbx::ui;

namespace {

using Names = std::set<std::string>;

struct Fixture : test::OutlinerFixture {
    Fixture()
        : OutlinerFixture(
            "[Yard]\n[Yard.Spawner]\ntype = \"Crate\"\n"
            "[Crate]\n[Crate.Mesh]\ncolor = [0.6, 0.4, 0.2]\n[Crate.Health]\nmaximum = 40\n"
            "[Bat]\n[[Bat.Mesh]]\n[[Bat.Mesh]]\nvisible = false\n[Bat.Light]\n"
            "[Stone]\n",
            "[scene]\nname = \"S\"\n"
            "[[entity]]\ntype = \"Yard\"\nname = \"yard\"\n"
            "[[entity]]\ntype = \"Crate\"\nname = \"a\"\nposition = [1.0, 0.0, 0.0]\nparent = \"yard\"\n"
            "[[entity]]\ntype = \"Crate\"\nname = \"b\"\nposition = [5.5, 0.0, 0.0]\n"
            "[[entity]]\ntype = \"Bat\"\nname = \"hunter\"\nposition = [-3.0, 2.0, 0.0]\nparent = \"a\"\n"
            "[[entity]]\ntype = \"Stone\"\nname = \"stone\"\n") {
        turn();
    }
    World& world() { return session.world(); }
    EntityId id(const char* name) { return world().find(name).id(); }

    Names shown() {
        Names out;
        std::function<void(const QModelIndex&)> visit = [&](const QModelIndex& parent) {
            for (int row = 0; row < panel->model().rowCount(parent); ++row) {
                const QModelIndex index = panel->model().index(row, 0, parent);
                out.insert(panel->model().nameAt(index));
                visit(index);
            }
        };
        visit({});
        return out;
    }
    Names withParents(const Names& names) {
        Names out = names;
        for (const std::string& name : names)
            for (EntityId up = world().find(name).parent(); up; up = world().find(up).parent())
                out.insert(world().nameOf(up));
        return out;
    }
    // First words of what a command prints.
    Names printed(const std::string& line) {
        const ConsoleReply reply = session.execute(line);
        Names out;
        for (const std::string& each : reply.lines)
            out.insert(each.substr(0, each.find(' ')));
        out.erase("none");
        out.erase("nothing");
        return reply.ok ? out : Names{"failed: " + line};
    }
};

using Condition = std::function<bool(const World&, const Entity&)>;

bool hasPart(const Entity& entity, std::string_view name) {
    for (const Entity::ComponentRef& ref : entity.components())
        if (ref.type->name == name)
            return true;
    return false;
}
// Of the first such component; nothing without one.
std::optional<Value> field(const Entity& entity, const char* component, const char* name) {
    const Entity::ComponentRef ref = entity.component(component);
    if (ref.type == nullptr)
        return std::nullopt;
    if (const FieldInfo* state = ref.type->state->find(name))
        return state->read(ref.type->stateOf(ref.component));
    return ref.type->settings->find(name)->read(ref.type->settingsOf(ref.component));
}
double number(const Entity& entity, const char* component, const char* name, double without) {
    const std::optional<Value> value = field(entity, component, name);
    return value ? std::get<double>(*value) : without;
}

struct Row {
    const char* text;
    Condition holds;
};

const std::vector<Row>& rows() {
    using W = const World&;
    using E = const Entity&;
    static const std::vector<Row> Rows{
        {"has:Light", [](W, E e) { return hasPart(e, "Light"); }},
        {"component == Health", [](W, E e) { return hasPart(e, "Health"); }},
        {"not has:Health", [](W, E e) { return !hasPart(e, "Health"); }},
        {"has:Mesh and not has:Light", [](W, E e) { return hasPart(e, "Mesh") && !hasPart(e, "Light"); }},
        {"Health.current < 10", [](W, E e) { return number(e, "Health", "current", 99) < 10; }},
        {"not Health.current < 10", [](W, E e) { return !(number(e, "Health", "current", 99) < 10); }},
        {"Health.current >= 50 %", [](W, E e) { return number(e, "Health", "current", 0) >= 0.5; }},
        {"Health.maximum == 40", [](W, E e) { return number(e, "Health", "maximum", 0) == 40; }},
        {"Light.range > 1 m", [](W, E e) { return number(e, "Light", "range", 0) > 1; }},
        {"Mesh.visible == false",
         [](W, E e) {
             for (const char* each : {"Mesh", "Mesh#2"})
                 if (const auto visible = field(e, each, "visible"); visible && !std::get<bool>(*visible))
                     return true;
             return false;
         }},
        {"Mesh.color.r == 0.6", [](W, E e) { return hasPart(e, "Mesh") && e.type().name() == "Crate"; }},
        {"Spawner.type == Crate", [](W, E e) { return hasPart(e, "Spawner"); }},
        {"Mesh.material in (plain, wood)", [](W, E e) { return hasPart(e, "Mesh"); }},
        {"position.x > 1 m", [](W, E e) { return e.pose().position.x > 1.0F; }},
        {"position.y <= 0 and position.x < 200 cm",
         [](W, E e) { return e.pose().position.y <= 0.0F && e.pose().position.x < 2.0F; }},
        {"enabled", [](W, E e) { return e.enabled(); }},
        {"enabled == false or Health.current < 10",
         [](W, E e) { return !e.enabled() || number(e, "Health", "current", 99) < 10; }},
        {"scene", [](W, E e) { return e.fromScene(); }},
        {"parent == yard", [](W w, E e) { return w.nameOf(e.parent()) == "yard"; }},
        {"parent != yard", [](W w, E e) { return e.parent() && w.nameOf(e.parent()) != "yard"; }},
        {"type == Crate and name != b", [](W, E e) { return e.type().name() == "Crate" && e.name() != "b"; }},
        {"crate",
         [](W, E e) { return e.type().name() == "Crate"; }}, // and those that are called by their type
        {"name ~ *#*", [](W, E e) { return e.name().find('#') != std::string::npos; }},
        {"tick > 3 or has:Nothing", {}}, // no entity has that field: refused everywhere
    };
    return Rows;
}

struct Stage {
    const char* name;
    std::function<void(Fixture&)> enter;
};

const std::vector<Stage>& stages() {
    const auto ok = [](const Result<void>& result) { QVERIFY(result.ok()); };
    static const std::vector<Stage> Stages{
        {"edit", [](Fixture&) {}},
        {"moved in edit",
         [](Fixture& f) {
             f.world().setPose(f.id("stone"), {{3, 0, 0}, {}});
         }},
        {"set in edit", [](Fixture& f) { QVERIFY(f.session.execute("set a Health.current 4").ok); }},
        {"added in edit",
         [ok](Fixture& f) {
             ok(f.world().addComponent(f.id("stone"), *f.session.catalog().find("Light"), nullptr));
         }},
        {"played", [](Fixture& f) { f.session.play(); }},
        {"a tick later", [](Fixture& f) { f.session.tick(); }},
        {"added",
         [ok](Fixture& f) {
             ok(f.world().addComponent(f.id("a"), *f.session.catalog().find("Light"), nullptr));
             ok(f.world().addComponent(f.id("stone"), *f.session.catalog().find("Health"), nullptr));
         }},
        {"removed",
         [ok](Fixture& f) {
             ok(f.world().removeComponent(f.id("b"), "Health"));
             ok(f.world().removeComponent(f.id("hunter"), "Light"));
             ok(f.world().removeComponent(f.id("hunter"), "Mesh#2"));
         }},
        {"hurt",
         [ok](Fixture& f) {
             ok(f.world().setField(f.id("a"), "Health", "current", Value(3.0)));
             ok(f.world().setField(f.id("stone"), "Health", "current", Value(0.25)));
         }},
        {"moved",
         [](Fixture& f) {
             f.world().setPose(f.id("b"), {{-9, 1, 0}, {}});
         }},
        {"carried",
         [](Fixture& f) {
             f.world().setPose(f.id("a"), {{20, 0, 0}, {}});
         }},
        {"switched off with a child", [](Fixture& f) { f.world().setEnabled(f.id("a"), false); }},
        {"a component switched off",
         [ok](Fixture& f) { ok(f.world().setEnabled(f.id("b"), "Mesh", false)); }},
        {"another parent", [](Fixture& f) { QVERIFY(f.world().setParent(f.id("hunter"), f.id("yard"))); }},
        {"spawned", [](Fixture& f) { QVERIFY(f.session.execute("spawn Crate late 7 0 0").ok); }},
        {"made without a name", [](Fixture& f) { f.world().create(f.world().findType("Crate")); }},
        {"gone", [](Fixture& f) { f.world().destroy(f.id("b")); }},
        {"healed while paused",
         [ok](Fixture& f) {
             f.session.pause();
             ok(f.world().setField(f.id("a"), "Health", "current", Value(30.0)));
         }},
        {"switched on", [](Fixture& f) { f.world().setEnabled(f.id("a"), true); }},
        {"stopped", [](Fixture& f) { f.session.stop(); }},
    };
    return Stages;
}

QString joined(const Names& names) {
    QStringList out;
    for (const std::string& name : names)
        out.append(QString::fromStdString(name));
    return out.join(QLatin1Char(' '));
}

} // namespace

#define AGREES(seen, wanted, who)                                                                            \
    QVERIFY2((seen) == (wanted), qPrintable(QStringLiteral("%1, %2: \"%3\", expected \"%4\"")                \
                                                .arg(QLatin1String(stage.name), QLatin1String(who),          \
                                                     joined(seen), joined(wanted))))

class TestFilterAgreement : public QObject {
    Q_OBJECT

private slots:
    void everywhereTheSame_data() {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < rows().size(); ++i)
            QTest::newRow(rows()[i].text) << static_cast<int>(i);
    }
    void everywhereTheSame() {
        QFETCH(const int, number);
        const Row& row = rows()[static_cast<std::size_t>(number)];
        const std::string text = row.text;
        Fixture f;
        f.panel->setFilterText(QString::fromStdString(text));
        f.turn();
        if (!row.holds) {
            const ConsoleReply reply = f.session.execute("select " + text);
            QVERIFY(!reply.ok);
            const std::string problem = f.panel->filterBar().problem().toStdString();
            QVERIFY2(!problem.empty() && reply.lines.at(0).find(problem) != std::string::npos,
                     problem.c_str());
            QVERIFY(!f.session.execute("expect count(" + text + ") == 0").ok);
            QVERIFY(!f.session.execute("near 0 0 0 100 " + text).ok);
            return;
        }
        QVERIFY(f.session.watches().add("count(" + text + ")").ok());
        std::size_t ever = 0;
        for (const Stage& stage : stages()) {
            stage.enter(f);
            f.turn();
            Names wanted;
            f.world().forEach([&](const Entity& entity) {
                if (row.holds(f.world(), entity))
                    wanted.insert(entity.name());
            });
            ever += wanted.size();
            AGREES(f.printed("select " + text), wanted, "select");
            AGREES(f.printed("list entities " + text), wanted, "list entities");
            const std::string count = std::to_string(wanted.size());
            QVERIFY(f.session.execute("expect count(" + text + ") == " + count).ok);
            QCOMPARE(f.session.watches().list().front().shown, count);
            QCOMPARE(f.panel->filterBar().problem(), QString());
            AGREES(f.shown(), f.withParents(wanted), "outliner");
            QCOMPARE(f.panel->model().matchCount(), static_cast<int>(wanted.size()));
            AGREES(f.printed("near 0 0 0 1000 " + text), wanted, "near");
        }
        QVERIFY(ever > 0); // the filter tells something
    }
};

QTEST_MAIN(TestFilterAgreement)
#include "tst_filter_agreement.moc"
