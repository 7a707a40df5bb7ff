// Definitions and scenes edited while a session shows them: it ends in the state of a session that opened the final texts.
// Texts are made of all built-in components and their fields, so that a component that keeps what it made of an older setting
// is found here.
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/simulation/world_dump.h"
#include "tests/simulation/project_in_memory.h"

#include <rapidcheck.h>

using namespace sbx;

namespace {

int pick(std::size_t count) { return *rc::gen::inRange<int>(0, static_cast<int>(count)); }
template <typename T> const T& one(const std::vector<T>& of) { return of[static_cast<std::size_t>(pick(of.size()))]; }

using Values = std::map<std::string, std::string>; // TOML text by key

struct Part {
    std::string component;
    Values values;
};

struct Type {
    std::string name;
    std::string base; // empty: none
    std::vector<Part> parts;
};

struct Instance {
    std::string name;
    std::string type;
    std::string parent; // empty: none
    int x = 0;          // m
    int turn = 0;       // deg
    std::map<std::string, Values> overrides;
};

class Texts {
public:
    explicit Texts(const definition::Schema& schema) : m_schema(schema) {
        for (int i = 0; i < 2; ++i)
            addType();
        for (int i = 0; i < 3; ++i)
            addInstance();
    }

    // What a person may do to the definitions in one go.
    void editDefinitions() {
        switch (pick(10)) {
        case 0: addType(); break;
        case 1: removeType(); break;
        case 2: rebase(); break;
        case 3:
        case 4: addPart(one(m_types).name); break;
        case 5:
            if (Type& type = someType(); !type.parts.empty())
                type.parts.erase(type.parts.begin() + pick(type.parts.size()));
            break;
        case 6:
            if (Type& type = someType(); type.parts.size() > 1)
                std::rotate(type.parts.begin(), type.parts.begin() + 1, type.parts.end());
            break;
        default:
            if (Type& type = someType(); !type.parts.empty())
                change(type.parts[static_cast<std::size_t>(pick(type.parts.size()))]);
        }
    }
    // The same for the scene.
    void editScene() {
        Instance& instance = m_instances[static_cast<std::size_t>(pick(m_instances.size()))];
        switch (pick(6)) {
        case 0: addInstance(); break;
        case 1: removeInstance(); break;
        case 2: instance.x = pick(5); break;
        case 3: instance.turn = 30 * pick(5); break;
        case 4: reparent(instance); break;
        default: changeOverrides(instance);
        }
    }

    [[nodiscard]] std::string definitions() const {
        std::string out;
        for (const Type& type : m_types) {
            out += "[" + type.name + "]\n" + (type.base.empty() ? "" : "extends = \"" + type.base + "\"\n");
            for (const Part& part : type.parts) {
                const bool unique = m_schema.find(part.component)->unique;
                out += (unique ? "[" : "[[") + type.name + "." + part.component + (unique ? "]\n" : "]]\n") + lines(part.values);
            }
        }
        return out;
    }
    [[nodiscard]] std::string scene() const {
        std::string out = "[scene]\nname = \"S\"\n";
        for (const Instance& instance : m_instances) {
            out += "[[entity]]\ntype = \"" + instance.type + "\"\nname = \"" + instance.name + "\"\nposition = ["
                   + std::to_string(instance.x) + ".0, 0.0, 0.0]\nrotation = [0.0, " + std::to_string(instance.turn) + ".0, 0.0]\n";
            if (!instance.parent.empty())
                out += "parent = \"" + instance.parent + "\"\n";
            for (const auto& [component, values] : instance.overrides)
                out += "[entity." + component + "]\n" + lines(values);
        }
        return out;
    }

private:
    static std::string lines(const Values& values) {
        std::string out;
        for (const auto& [key, value] : values)
            out += key + " = " + value + "\n";
        return out;
    }
    Type& someType() { return m_types[static_cast<std::size_t>(pick(m_types.size()))]; }
    [[nodiscard]] std::vector<std::string> typeNames() const {
        std::vector<std::string> out;
        for (const Type& type : m_types)
            out.push_back(type.name);
        return out;
    }

    void addType() {
        m_types.push_back({"T" + std::to_string(m_nextType++), {}, {}});
        const std::string name = m_types.back().name;
        rebase();
        for (int parts = 1 + pick(3); parts > 0; --parts)
            addPart(name);
    }
    void removeType() {
        if (m_types.size() < 2)
            return;
        const std::string name = one(m_types).name;
        std::erase_if(m_types, [&](const Type& type) { return type.name == name; });
        for (Type& type : m_types)
            if (type.base == name)
                type.base.clear();
        for (std::size_t i = m_instances.size(); i-- > 0;)
            if (m_instances[i].type == name)
                m_instances[i].type = m_types.front().name;
    }
    // Types extend those before them: no circles.
    void rebase() {
        const auto at = static_cast<std::size_t>(pick(m_types.size()));
        m_types[at].base = at == 0 || pick(3) == 0 ? std::string() : m_types[static_cast<std::size_t>(pick(at))].name;
    }
    void addPart(const std::string& name) {
        const definition::ComponentSchema& component = one(m_schema.components());
        for (Type& type : m_types) {
            const auto same = std::find_if(type.parts.begin(), type.parts.end(),
                                           [&](const Part& p) { return p.component == component.name; });
            if (type.name != name || (component.unique && same != type.parts.end()))
                continue;
            type.parts.insert(type.parts.begin() + pick(type.parts.size() + 1), {component.name, {}});
        }
        for (Type& type : m_types)
            for (Part& part : type.parts)
                if (part.component == component.name && part.values.empty())
                    change(part);
    }
    // One field: another value, or its default again.
    void change(Part& part) {
        const definition::ComponentSchema& component = *m_schema.find(part.component);
        if (component.settings->empty())
            return;
        const FieldInfo& field = one(component.settings->fields());
        const std::string value = valueOf(field);
        if (value.empty() || pick(5) == 0)
            part.values.erase(field.name);
        else
            part.values[field.name] = value;
    }
    // As TOML; empty: this test has none to offer.
    [[nodiscard]] std::string valueOf(const FieldInfo& field) const {
        const auto number = [&] {
            const double least = std::max(field.minimum, -20.0);
            const double most = std::min(field.maximum, 20.0);
            return least + (most - least) * pick(5) / 4;
        };
        switch (field.type) {
        case FieldType::Bool: return pick(2) == 0 ? "true" : "false";
        case FieldType::Int: return std::to_string(static_cast<int>(number()));
        case FieldType::Float: return formatDouble(number());
        case FieldType::Vector2: return "[" + formatDouble(number()) + ", " + formatDouble(number()) + "]";
        case FieldType::Vector3:
            return "[" + formatDouble(number()) + ", " + formatDouble(number()) + ", " + formatDouble(number()) + "]";
        case FieldType::Color: return "[0.5, " + formatDouble(pick(3) / 4.0) + ", 0.25]";
        case FieldType::Enum: return inQuotes(one(field.choices));
        case FieldType::String:
            if (field.role == TextRole::MessageType)
                return inQuotes(pick(2) == 0 ? "Activate" : "Deactivate");
            if (field.role == TextRole::EntityType)
                return inQuotes(one(typeNames()));
            if (field.role == TextRole::EntityName)
                return inQuotes("e" + std::to_string(pick(4)));
            return {};
        default: return {};
        }
    }

    void addInstance() {
        Instance instance;
        instance.name = "e" + std::to_string(m_nextInstance++);
        instance.type = one(m_types).name;
        m_instances.push_back(instance);
        reparent(m_instances.back());
        if (pick(2) == 0)
            changeOverrides(m_instances.back());
    }
    void removeInstance() {
        if (m_instances.size() < 2)
            return;
        const std::string name = one(m_instances).name;
        std::erase_if(m_instances, [&](const Instance& instance) { return instance.name == name; });
        for (Instance& instance : m_instances)
            if (instance.parent == name)
                instance.parent.clear();
    }
    void reparent(Instance& instance) {
        const auto at = static_cast<std::size_t>(&instance - m_instances.data());
        instance.parent = at == 0 || pick(2) == 0 ? std::string() : m_instances[static_cast<std::size_t>(pick(at))].name;
    }
    void changeOverrides(Instance& instance) {
        if (pick(4) == 0) {
            instance.overrides.clear();
            return;
        }
        std::string name = instance.type;
        for (const Type* type = find(name); type != nullptr; type = find(type->base))
            for (const Part& part : type->parts)
                if (m_schema.find(part.component)->unique && pick(2) == 0) {
                    Part own{part.component, instance.overrides[part.component]};
                    change(own);
                    instance.overrides[part.component] = own.values;
                }
    }
    [[nodiscard]] const Type* find(const std::string& name) const {
        const auto it = std::find_if(m_types.begin(), m_types.end(), [&](const Type& type) { return type.name == name; });
        return it == m_types.end() ? nullptr : &*it;
    }

    const definition::Schema& m_schema;
    std::vector<Type> m_types;
    std::vector<Instance> m_instances;
    int m_nextType = 0;
    int m_nextInstance = 0;
};

std::shared_ptr<const Content> load(const Session& session, const std::string& definitions, const std::string& scene) {
    Diagnostics faults;
    auto content = projectInMemory(session, definitions, scene, &faults);
    return faults.hasErrors() ? nullptr : content;
}

// Without what only counts who came when.
std::string withoutId(std::string json) {
    const std::size_t begin = json.find(",\"id\":\"");
    return json.erase(begin, json.find('"', begin + 7) + 1 - begin);
}

std::map<std::string, std::string> stateOf(const World& world) {
    std::map<std::string, std::string> out;
    world.forEach([&](const Entity& entity) {
        out[entity.name()] = withoutId(entityJson(world, entity)) + " in " + world.nameOf(entity.parent())
                             + (entity.enabled() ? "" : " disabled");
    });
    return out;
}

// Of an entity: its components, in the order in which they answer, with their settings.
std::map<std::string, std::string> settingsOf(const World& world) {
    std::map<std::string, std::string> out;
    world.forEach([&](const Entity& entity) {
        std::string& text = out[entity.name()];
        text = entity.type().name();
        entity.eachComponent([&](const Entity::ComponentRef& ref) {
            text += "\n  " + ref.type->name + " " + ref.type->settings->formatJson(ref.type->settingsOf(ref.component));
        });
    });
    return out;
}

std::string typesOf(const World& world) {
    std::string out;
    for (const auto& type : world.types()) {
        out += type->name();
        for (const EntityType::Slot& slot : type->layout())
            out += "\n  " + slot.type->name + " " + slot.type->settings->formatJson(slot.settings.get());
        out += "\n";
    }
    return out;
}

void compare(const std::map<std::string, std::string>& live, const std::map<std::string, std::string>& fresh,
             const std::string& texts) {
    for (const auto& [name, state] : fresh) {
        const auto it = live.find(name);
        if (it == live.end())
            RC_FAIL(name + " is missing:\n" + texts);
        if (it->second != state)
            RC_FAIL(name + "\nlive:  " + it->second + "\nfresh: " + state + "\n" + texts);
    }
}

} // namespace

class TestLiveEdits : public QObject {
    Q_OBJECT
private slots:
    // The same cases on every run; RC_PARAMS="seed=… max_success=…" looks further.
    void initTestCase() {
        if (qEnvironmentVariableIsEmpty("RC_PARAMS"))
            qputenv("RC_PARAMS", "seed=7");
    }
    void stoppedTheyEndAsAFreshLoad() {
        QVERIFY(rc::check("edited while stopped", [] {
            Log log;
            Session live(log, addConsoleCommands);
            Texts texts(live.catalog().schema);
            std::string definitions;
            std::string scene;
            for (int edit = 0, edits = 2 + pick(8); edit < edits; ++edit) {
                if (edit > 0 && pick(3) == 0)
                    texts.editScene();
                else if (edit > 0)
                    texts.editDefinitions();
                const auto content = load(live, texts.definitions(), texts.scene());
                if (!content)
                    continue; // what is in force stays, as in the editor
                definitions = texts.definitions();
                scene = texts.scene();
                live.applyContent(content);
            }
            RC_PRE(!definitions.empty());
            Session fresh(log, addConsoleCommands);
            fresh.open(load(fresh, definitions, scene));
            RC_ASSERT(typesOf(live.world()) == typesOf(fresh.world()));
            RC_ASSERT(live.world().entityCount() == fresh.world().entityCount());
            compare(stateOf(live.world()), stateOf(fresh.world()), definitions + scene);
            // And both play the same.
            live.play();
            fresh.play();
            for (int i = 0; i < 3; ++i) {
                live.tick();
                fresh.tick();
            }
            RC_ASSERT(live.simulation().digestLine() == fresh.simulation().digestLine());
        }));
    }
    // Entities that live then follow; what the scene says anew waits for Stop.
    void playingTheyEndAsAFreshLoad() {
        QVERIFY(rc::check("edited while playing", [] {
            Log log;
            Session live(log, addConsoleCommands);
            Texts texts(live.catalog().schema);
            std::string definitions;
            const std::string scene = texts.scene();
            const bool ticks = pick(2) == 0;
            for (int edit = 0, edits = 2 + pick(8); edit < edits; ++edit) {
                if (edit > 0)
                    texts.editDefinitions();
                const auto content = load(live, texts.definitions(), scene);
                if (!content)
                    continue;
                const bool first = definitions.empty();
                definitions = texts.definitions();
                live.applyContent(content);
                if (first)
                    live.play();
                for (int i = ticks ? pick(3) : 0; i > 0; --i)
                    live.tick();
            }
            RC_PRE(!definitions.empty());
            Session fresh(log, addConsoleCommands);
            fresh.open(load(fresh, definitions, scene));
            fresh.play();
            RC_ASSERT(typesOf(live.world()) == typesOf(fresh.world()));
            const auto living = [&](std::map<std::string, std::string> all) {
                std::erase_if(all, [&](const auto& e) { return !live.world().find(e.first); });
                return all;
            };
            compare(settingsOf(live.world()), living(settingsOf(fresh.world())), definitions + scene);
            if (!ticks)
                compare(stateOf(live.world()), living(stateOf(fresh.world())), definitions + scene);
            live.stop();
            fresh.stop();
            RC_ASSERT(live.simulation().digestLine() == fresh.simulation().digestLine());
        }));
    }
};

QTEST_GUILESS_MAIN(TestLiveEdits)
#include "tst_live_edits.moc"
