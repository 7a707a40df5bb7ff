#pragma once
// What the tests of this room share: components that write down what they hear and do what the test tells them to.

#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sbx::test {

struct Hit {
    static constexpr const char* Name = "test.Hit";
    int amount = 0;
    static void describe(FieldList<Hit>& f) { f.add("amount", &Hit::amount, "How much."); }
};
struct Shout {
    static constexpr const char* Name = "test.Shout";
    static constexpr Delivery Mode = Delivery::Children;
    static void describe(FieldList<Shout>&) {}
};
struct Plea {
    static constexpr const char* Name = "test.Plea";
    static constexpr Delivery Mode = Delivery::Ancestors;
    static void describe(FieldList<Plea>&) {}
};

// Service of the components below.
struct Notes {
    std::vector<std::string> lines; // "a.A Hit": entity, component, message
    std::function<void(Component&, const std::string& line)> act;
    std::function<void(Component&)> made; // by their constructors
    int alive = 0;

    std::vector<std::string> take() { return std::exchange(lines, {}); }
    void write(Component& component, const char* type, const char* message) {
        lines.push_back(component.world().nameOf(component.entity()) + "." + type + " " + message);
        const std::string line = lines.back();
        if (act)
            act(component, line);
    }
};

// Hears everything. Kind: one letter; Priority: of its Hit handler.
template <char Kind, int Priority = 0> struct Ear : Component {
    struct Settings {
        int loud = 1;
        bool consumes = false;
        static void describe(FieldList<Settings>& f) {
            f.add("loud", &Settings::loud, "A number.");
            f.add("consumes", &Settings::consumes, "Keeps hits.");
        }
    };
    struct State {
        int hits = 0;
        int level = 0; // follows loud
        static void describe(FieldList<State>& f) {
            f.add("hits", &State::hits, "So far.");
            f.add("level", &State::level, "As loud as set.");
        }
    };
    Settings settings;
    State state;
    static constexpr char Type[2] = {Kind, '\0'};

    Ear(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {
        state.level = s.loud;
        ++notes().alive;
        if (notes().made)
            notes().made(*this);
    }
    ~Ear() { --notes().alive; }
    void settingsChanged() { state.level = settings.loud; }
    static void describe(ComponentBuilder<Ear>& b) {
        b.doc("Writes down what it hears.");
        b.template handle<&Ear::on<Awake>>().template handle<&Ear::on<OnEnable>>().template handle<&Ear::on<Start>>();
        b.template handle<&Ear::on<PreUpdate>>().template handle<&Ear::on<FixedUpdate>>();
        b.template handle<&Ear::on<Update>>().template handle<&Ear::on<PostUpdate>>();
        b.template handle<&Ear::on<OnDisable>>().template handle<&Ear::on<OnDestroy>>();
        b.template handle<&Ear::on<Shout>>().template handle<&Ear::on<Plea>>();
        b.template handle<&Ear::onHit>(Priority);
    }
    template <typename M> bool on(M&) {
        notes().write(*this, Type, M::Name);
        return false;
    }
    bool onHit(Hit& m) {
        ++state.hits;
        notes().write(*this, Type, ("Hit" + std::to_string(m.amount)).c_str());
        --m.amount;
        return settings.consumes;
    }
    Notes& notes() const { return world().template service<Notes>(); }
};
using A = Ear<'A'>;
using B = Ear<'B', -1>;
using C = Ear<'C', 1>;

// Handles hits only: nothing of its life costs anything.
struct Quiet : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    int hits = 0;
    Quiet(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Quiet>& b) { b.handle<&Quiet::onHit>(); }
    bool onHit(const Hit&) { return ++hits, false; }
};

struct Stage {
    Log log;
    Recorder recorder;
    ComponentRegistry registry;
    Notes notes;
    World world{WorldDesc{}, recorder, log};

    Stage() {
        registry.registerComponent<A>("A");
        registry.registerComponent<B>("B");
        registry.registerComponent<C>("C");
        registry.registerComponent<Quiet>("Quiet");
        world.provide(notes);
    }
    ~Stage() {
        notes.act = nullptr;
        world.clear();
    }
    template <typename T> std::shared_ptr<const void> settings(const std::function<void(typename T::Settings&)>& change = {}) {
        auto s = std::make_shared<typename T::Settings>();
        if (change)
            change(*s);
        return s;
    }
    std::shared_ptr<const EntityType> type(const std::string& name, const std::vector<std::string>& components) {
        std::vector<ComponentSpec> specs;
        for (const std::string& component : components)
            specs.push_back({registry.find(component), registry.find(component)->makeSettings(nullptr)});
        return typeOf(name, specs);
    }
    static std::shared_ptr<const EntityType> typeOf(const std::string& name, const std::vector<ComponentSpec>& specs) {
        EntityTypeInfo info;
        info.name = name;
        return std::make_shared<EntityType>(info, specs);
    }
    EntityId spawn(const std::shared_ptr<const EntityType>& t, const std::string& name, EntityId parent = {}) {
        SpawnRequest request;
        request.type = t;
        request.name = name;
        request.parent = parent;
        return world.spawn(request);
    }
    std::vector<std::string> said() const {
        std::vector<std::string> out;
        for (const LogRecord& record : log.since(0))
            out.push_back(record.text);
        return out;
    }
};

using Lines = std::vector<std::string>;

// Ten that send a hit on to the next, who is r0 for r9, whenever they hear one.
inline std::vector<EntityId> ringOfTen(Stage& s) {
    std::vector<EntityId> ring;
    const auto t = s.type("T", {"A"});
    for (int i = 0; i < 10; ++i)
        ring.push_back(s.spawn(t, "r" + std::to_string(i)));
    s.notes.act = [ring](Component& c, const std::string& line) {
        if (line.find("Hit") == std::string::npos)
            return;
        const auto at = std::find(ring.begin(), ring.end(), c.entity()) - ring.begin();
        c.world().send(ring[static_cast<std::size_t>(at + 1) % 10], Hit{1}, c.entity());
    };
    return ring;
}

inline std::string textOf(const Lines& lines) {
    std::string out;
    for (const std::string& line : lines)
        out += line + "\n";
    return out;
}

} // namespace sbx::test

// What was said, line by line.
#define COMPARE_LINES(actual, ...)                                                                           \
    do {                                                                                                     \
        const sbx::test::Lines now = (actual);                                                               \
        const sbx::test::Lines wanted __VA_ARGS__;                                                           \
        QVERIFY2(now == wanted, ("said:\n" + sbx::test::textOf(now) + "expected:\n" + sbx::test::textOf(wanted)).c_str()); \
    } while (false)
