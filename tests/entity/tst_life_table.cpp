// The table of states and events in engine/entity/README.md, cell by cell: what each event does in each state of an entity's life.
// Every cell is run for an entity as its type describes it and for one with a component of its own, and, where the event enables or
// disables, through the entity itself and through its parent.
#include <QtTest>

#include "tests/entity/stage.h"

#include <array>
#include <set>
#include <sstream>

using namespace sbx;
using namespace sbx::test;

namespace {

using D = Ear<'D'>;

enum class State { Building, Built, Off, On, Running, Paused, Dying, Gone };
enum class Change { Enable, Disable, Tick, Destroy, Add, Remove, DisablePart, Send };

constexpr std::array StateNames{"Building", "Built", "Off", "On", "Running", "Paused", "Dying", "Gone"};
constexpr std::array ChangeNames{"enable",        "disable",          "tick",              "destroy",
                                "add component", "remove component", "disable component", "message"};
const char* nameOf(State state) { return StateNames[static_cast<std::size_t>(state)]; }
const char* nameOf(Change event) { return ChangeNames[static_cast<std::size_t>(event)]; }

struct Cell {
    State from;
    Change event;
    State to; // once no handler and no constructor runs
    // Messages sent by the event, and until no handler or constructor runs: "Awake" to all components, "B:Awake" to one.
    const char* now;
    const char* then;
    const char* error = ""; // of a call that is refused, behind the entity's name
};

constexpr const char* Phases = "PreUpdate FixedUpdate Update PostUpdate";
constexpr const char* StartAndPhases = "Start PreUpdate FixedUpdate Update PostUpdate";

// Not in the table: a tick never begins in the states Building, Built and Dying, since a constructor or handler runs then.
const std::vector<Cell> Table{
    {State::Building, Change::Enable, State::On, "", "Awake OnEnable"},
    {State::Building, Change::Disable, State::Off, "", "Awake"},
    {State::Building, Change::Destroy, State::Gone, "", ""},
    {State::Building, Change::Add, State::On, "", "Awake OnEnable"},
    {State::Building, Change::Remove, State::On, "", "Awake OnEnable", " is being made: nothing is removed from it"},
    {State::Building, Change::DisablePart, State::On, "", "Awake A:OnEnable"},
    {State::Building, Change::Send, State::On, "", "Awake OnEnable"},

    {State::Built, Change::Enable, State::On, "", "Awake OnEnable"},
    {State::Built, Change::Disable, State::Off, "", "Awake"},
    {State::Built, Change::Destroy, State::Gone, "", ""},
    {State::Built, Change::Add, State::On, "", "Awake OnEnable"},
    {State::Built, Change::Remove, State::On, "", "Awake OnEnable"},
    {State::Built, Change::DisablePart, State::On, "", "Awake A:OnEnable"},
    {State::Built, Change::Send, State::On, "Hit", "Awake OnEnable"},

    {State::Off, Change::Enable, State::On, "OnEnable", ""},
    {State::Off, Change::Disable, State::Off, "", ""},
    {State::Off, Change::Tick, State::Off, "", ""},
    {State::Off, Change::Destroy, State::Gone, "OnDestroy", ""},
    {State::Off, Change::Add, State::Off, "D:Awake", ""},
    {State::Off, Change::Remove, State::Off, "B:OnDestroy", ""},
    {State::Off, Change::DisablePart, State::Off, "", ""},
    {State::Off, Change::Send, State::Off, "", ""},

    {State::On, Change::Enable, State::On, "", ""},
    {State::On, Change::Disable, State::Off, "OnDisable", ""},
    {State::On, Change::Tick, State::Running, StartAndPhases, ""},
    {State::On, Change::Destroy, State::Gone, "OnDisable OnDestroy", ""},
    {State::On, Change::Add, State::On, "D:Awake D:OnEnable", ""},
    {State::On, Change::Remove, State::On, "B:OnDisable B:OnDestroy", ""},
    {State::On, Change::DisablePart, State::On, "B:OnDisable", ""},
    {State::On, Change::Send, State::On, "Hit", ""},

    {State::Running, Change::Enable, State::Running, "", ""},
    {State::Running, Change::Disable, State::Paused, "OnDisable", ""},
    {State::Running, Change::Tick, State::Running, Phases, ""},
    {State::Running, Change::Destroy, State::Gone, "OnDisable OnDestroy", ""},
    {State::Running, Change::Add, State::Running, "D:Awake D:OnEnable", ""},
    {State::Running, Change::Remove, State::Running, "B:OnDisable B:OnDestroy", ""},
    {State::Running, Change::DisablePart, State::Running, "B:OnDisable", ""},
    {State::Running, Change::Send, State::Running, "Hit", ""},

    {State::Paused, Change::Enable, State::Running, "OnEnable", ""},
    {State::Paused, Change::Disable, State::Paused, "", ""},
    {State::Paused, Change::Tick, State::Paused, "", ""},
    {State::Paused, Change::Destroy, State::Gone, "OnDestroy", ""},
    {State::Paused, Change::Add, State::Paused, "D:Awake", ""},
    {State::Paused, Change::Remove, State::Paused, "B:OnDestroy", ""},
    {State::Paused, Change::DisablePart, State::Paused, "", ""},
    {State::Paused, Change::Send, State::Paused, "", ""},

    {State::Dying, Change::Enable, State::Gone, "", ""},
    {State::Dying, Change::Disable, State::Gone, "", ""},
    {State::Dying, Change::Destroy, State::Gone, "", ""},
    {State::Dying, Change::Add, State::Gone, "", "", " is about to go: it gets no D"},
    {State::Dying, Change::Remove, State::Gone, "", "", " is about to go: nothing is removed from it"},
    {State::Dying, Change::DisablePart, State::Gone, "", "", " is about to go: nothing of it is switched any more"},
    {State::Dying, Change::Send, State::Gone, "Hit", ""},

    {State::Gone, Change::Enable, State::Gone, "", ""},
    {State::Gone, Change::Disable, State::Gone, "", ""},
    {State::Gone, Change::Tick, State::Gone, "", ""},
    {State::Gone, Change::Destroy, State::Gone, "", ""},
    {State::Gone, Change::Add, State::Gone, "", "", "no such entity"},
    {State::Gone, Change::Remove, State::Gone, "", "", "no such entity"},
    {State::Gone, Change::DisablePart, State::Gone, "", "", "no such entity"},
    {State::Gone, Change::Send, State::Gone, "", ""},
};

// One entity "s" of components A and B, brought into a state, in which an event happens.
class Life {
public:
    Life(bool special, bool byParent) : m_special(special), m_byParent(byParent) {
        m_stage.registry.registerComponent<D>("D");
        m_parent = m_stage.spawn(m_stage.type("P", {"Quiet"}), "p");
    }

    Lines now;  // "A Awake": what the event caused at once
    Lines then; // ... and until no handler and no constructor ran any more
    QString error;

    void run(State from, Change event) {
        const auto type = m_stage.type("T", {"A", "B"});
        SpawnRequest request;
        request.type = type;
        request.name = "s";
        request.parent = m_parent;
        World& world = m_stage.world;
        if (from == State::Building) {
            m_stage.notes.made = [&, first = true](Component& c) mutable {
                if (std::exchange(first, false))
                    happen(c.entity(), event);
            };
            world.spawn(request);
        } else if (from == State::Built) {
            SpawnRequest helper;
            helper.type = m_stage.type("H", {"A"});
            helper.name = "h";
            m_stage.notes.act = [&](Component& c, const std::string& line) {
                if (line == "h.A Awake")
                    happen(c.world().find("s").id(), event);
            };
            world.spawnAll({helper, request});
        } else {
            if (from == State::Off)
                setOff(request, true);
            m_id = world.spawn(request);
            if (m_special)
                QVERIFY(world.addComponent(m_id, *m_stage.registry.find("C"), nullptr));
            if (from == State::Running || from == State::Paused || from == State::Dying)
                world.tick();
            if (from == State::Paused)
                setOff(true);
            if (from == State::Gone)
                world.destroy(m_id);
            if (from == State::Dying) {
                const EntityId helper = m_stage.spawn(m_stage.type("H", {"A"}), "h");
                m_stage.notes.act = [&](Component& c, const std::string& line) {
                    if (line != "h.A Hit1")
                        return;
                    c.world().destroy(m_id);
                    QVERIFY(c.world().find(m_id).dying());
                    happen(m_id, event);
                };
                world.send(helper, Hit{1});
            } else {
                happen(m_id, event);
            }
        }
        then = take();
    }

    [[nodiscard]] State state() const {
        const Entity entity = m_stage.world.find(m_id);
        if (!entity)
            return State::Gone;
        if (entity.dying())
            return State::Dying;
        return entity.enabled() ? (entity.started() ? State::Running : State::On)
                                : (entity.started() ? State::Paused : State::Off);
    }
    [[nodiscard]] std::string components(Change event, bool afterwards) const {
        std::string all = m_special ? "ABC" : "AB";
        if (afterwards && event == Change::Add)
            all += "D";
        return all;
    }
    [[nodiscard]] const Stage& stage() const { return m_stage; }

private:
    void setOff(bool off) { m_stage.world.setEnabled(m_byParent ? m_parent : m_id, !off); }
    void setOff(SpawnRequest& request, bool off) {
        if (m_byParent)
            m_stage.world.setEnabled(m_parent, !off);
        else
            request.enabled = !off;
    }
    Lines take() {
        Lines out;
        for (const std::string& line : m_stage.notes.take())
            if (line.starts_with("s."))
                out.push_back(line.substr(2));
        return out;
    }
    void happen(EntityId id, Change event) {
        m_id = id;
        World& world = m_stage.world;
        if (m_special && world.find(id) && world.find(id).component("C").type == nullptr)
            QVERIFY(world.addComponent(id, *m_stage.registry.find("C"), nullptr));
        take();
        const auto keep = [this](const Result<void>& result) {
            error = result ? QString() : QString::fromStdString(result.error().message);
        };
        switch (event) {
        case Change::Enable:
        case Change::Disable:
            setOff(event == Change::Disable);
            break;
        case Change::Tick:
            world.tick();
            break;
        case Change::Destroy:
            world.destroy(id);
            break;
        case Change::Add:
            keep(world.addComponent(id, *m_stage.registry.find("D"), nullptr));
            break;
        case Change::Remove:
            keep(world.removeComponent(id, "B"));
            break;
        case Change::DisablePart:
            keep(world.setEnabled(id, "B", false));
            break;
        case Change::Send:
            world.send(id, Hit{1});
            break;
        }
        now = take();
    }

    bool m_special;
    bool m_byParent;
    Stage m_stage;
    EntityId m_parent;
    EntityId m_id;
};

// "Awake B:OnEnable": each word to all of `components`, in their order, or to the one it names. A hit is worth its priority: B first.
Lines expand(const char* messages, const std::string& components) {
    Lines out;
    std::istringstream words(messages);
    for (std::string word; words >> word;) {
        if (word == "Hit") {
            out.insert(out.end(), {"B Hit1", "A Hit0"});
            if (components.find('C') != std::string::npos)
                out.push_back("C Hit-1");
        } else if (word[1] == ':') {
            out.push_back(word.substr(0, 1) + " " + word.substr(2));
            if (word == "A:OnEnable" && components.find('C') != std::string::npos)
                out.push_back("C OnEnable"); // all but B
        } else {
            for (const char component : components)
                out.push_back(std::string(1, component) + " " + word);
        }
    }
    return out;
}

} // namespace

class TestLifeTable : public QObject {
    Q_OBJECT
private slots:
    void theTableIsComplete() {
        std::set<std::pair<State, Change>> cells;
        for (const Cell& cell : Table)
            QVERIFY2(cells.emplace(cell.from, cell.event).second, nameOf(cell.from));
        for (std::size_t s = 0; s < StateNames.size(); ++s)
            for (std::size_t e = 0; e < ChangeNames.size(); ++e) {
                const auto state = static_cast<State>(s);
                const auto event = static_cast<Change>(e);
                const bool handlerRuns = state == State::Building || state == State::Built || state == State::Dying;
                QCOMPARE(cells.contains({state, event}), !(event == Change::Tick && handlerRuns));
            }
    }
    void transitions_data() {
        QTest::addColumn<int>("row");
        QTest::addColumn<bool>("special");
        QTest::addColumn<bool>("byParent");
        for (std::size_t i = 0; i < Table.size(); ++i)
            for (const bool special : {false, true})
                for (const bool byParent : {false, true})
                    QTest::addRow("%s, %s%s%s", nameOf(Table[i].from), nameOf(Table[i].event),
                                  special ? ", own component" : "", byParent ? ", by its parent" : "")
                        << static_cast<int>(i) << special << byParent;
    }
    void transitions() {
        QFETCH(const int, row);
        QFETCH(const bool, special);
        QFETCH(const bool, byParent);
        const Cell& cell = Table[static_cast<std::size_t>(row)];
        Life life(special, byParent);
        life.run(cell.from, cell.event);
        QCOMPARE(QString(nameOf(life.state())), QString(nameOf(cell.to)));
        std::string later = life.components(cell.event, true);
        if (cell.event == Change::Remove && *cell.error == '\0')
            std::erase(later, 'B');
        COMPARE_LINES(life.now, (expand(cell.now, life.components(cell.event, false))));
        COMPARE_LINES(life.then, (expand(cell.then, later)));
        const QString error = cell.from == State::Gone || *cell.error == '\0' ? QString(cell.error) : "s" + QString(cell.error);
        QCOMPARE(life.error, error);
        QVERIFY(life.stage().said().empty());
    }
    // A constructor that throws ends the life before it began: no message, no entity, an error in the log.
    void aConstructorThatThrows() {
        for (const bool special : {false, true}) {
            Stage s;
            s.notes.made = [&](Component& c) {
                if (special && s.notes.alive == 1)
                    QVERIFY(c.world().addComponent(c.entity(), *s.registry.find("C"), nullptr));
                if (s.notes.alive == (special ? 3 : 2)) {
                    --s.notes.alive; // its destructor does not run
                    throw std::runtime_error("no memory");
                }
            };
            const EntityId id = s.spawn(s.type("T", {"A", "B"}), "s");
            s.notes.made = nullptr;
            QVERIFY(!id);
            QVERIFY(!s.world.find("s"));
            QVERIFY(s.notes.take().empty());
            QCOMPARE(s.notes.alive, 0);
            QCOMPARE(s.said().size(), std::size_t(1));
            QVERIFY(s.said().front().find("no memory") != std::string::npos);
        }
    }
    // The rules for one component, for each combination of what was sent and what it should be.
    void steps() {
        for (unsigned bits = 0; bits < 16; ++bits) {
            unsigned flags = 0;
            for (const unsigned flag : {SlotAwake, SlotActive, SlotStarted, SlotEnded})
                flags |= (bits >> (flag == SlotAwake ? 0 : flag == SlotActive ? 1 : flag == SlotStarted ? 2 : 3) & 1U) * flag;
            if ((flags & SlotAwake) == 0 && flags != 0)
                continue; // nothing comes before Awake
            if ((flags & SlotActive) != 0 && (flags & SlotEnded) != 0)
                continue; // OnDisable comes before OnDestroy
            for (const bool active : {false, true})
                for (const bool ending : {false, true})
                    for (const bool removed : {false, true}) {
                        if ((active && ending) || (removed && !ending))
                            continue;
                        // Steps are taken until none is due: each changes the flags but the last, and they end as they should.
                        std::uint16_t now = static_cast<std::uint16_t>(flags);
                        Lines taken;
                        LifeStep step = LifeStep::None;
                        while ((step = nextLifeStep(now, {active, ending, removed})) != LifeStep::None
                               && step != LifeStep::Remove) {
                            QVERIFY(flagsAfter(step, now) != now);
                            now = flagsAfter(step, now);
                            taken.push_back(std::to_string(static_cast<int>(step)));
                            QVERIFY(taken.size() <= 3);
                        }
                        QCOMPARE(step == LifeStep::Remove, removed);
                        QCOMPARE((now & SlotActive) != 0, active);
                        if (flags == 0 && ending)
                            QVERIFY(taken.empty());
                        else
                            QCOMPARE((now & SlotEnded) != 0, ending || (flags & SlotEnded) != 0);
                    }
        }
    }
};

QTEST_GUILESS_MAIN(TestLifeTable)
#include "tst_life_table.moc"
