#include "engine/definition/scene.h"

#include "engine/core/nearest.h"
#include "engine/core/value.h"
#include "engine/definition/checks.h"
#include "engine/definition/consequences.h"
#include "engine/definition/place_index.h"
#include "engine/definition/syntax_tree.h"
#include "engine/definition/toml_document.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace sbx::definition {

namespace {

struct InstanceDraft {
    InstanceDefinition instance;
    SourceRegion nameRegion; // of its value; line 0: derived
    SourceValue parent;      // kind None: not given
    bool broken = false;
};

class SceneReader {
public:
    SceneReader(const Definitions& definitions, const Schema& schema, Diagnostics& sink)
        : m_definitions(definitions), m_schema(schema), m_sink(sink) {}

    void read(const SourceValue& entity);
    void name(std::string_view text);
    void checkParents();
    void checkTypesInUse();
    [[nodiscard]] std::vector<InstanceDraft>& drafts() { return m_drafts; }

private:
    void readKey(const SourceEntry& entry, InstanceDraft& draft);
    void readOverride(const SourceEntry& entry, InstanceDraft& draft, const EntityTypeDefinition* type);
    void checkType(const SourceValue& entity, const SourceEntry* type, InstanceDraft& draft);
    void checkCycle(std::size_t from, std::vector<int>& visited);
    void checkEntityNames(const InstanceDraft& draft);
    void checkEntityNames(const ComponentDefinition& component);
    void checkEntityName(const FieldInfo& field, const SourceValue& value);

    const Definitions& m_definitions;
    const Schema& m_schema;
    Diagnostics& m_sink;
    std::vector<InstanceDraft> m_drafts;
    std::unordered_map<std::string, std::size_t> m_byName;
    NameSet m_names;
    std::unordered_set<std::string> m_lost;
    std::map<std::string, std::size_t> m_leftOut; // broken type -> its warning's index in the sink
    std::map<std::string, std::size_t> m_leftOutCount;
};

void SceneReader::readKey(const SourceEntry& entry, InstanceDraft& draft) {
    InstanceDefinition& instance = draft.instance;
    Value value;
    const FieldInfo* const field = readField(entry, entry.value.file, instanceKeys(), "an entity has no key",
                                             ", or overrides in [entity.Component]", value, m_sink);
    if (field == nullptr) {
        draft.broken = true;
        return;
    }
    if (field->name == "type") {
        instance.type = std::get<std::string>(value);
    } else if (field->name == "name") {
        instance.name = std::get<std::string>(value);
        draft.nameRegion = entry.value.region;
        if (!isInstanceName(instance.name)) {
            addFault(m_sink, entry.value, entry.value.region,
                     inQuotes(instance.name) + " cannot name an entity", std::string(InstanceNameRule));
            draft.broken = true;
        }
    } else if (field->name == "position") {
        instance.position = std::get<Vec3>(value);
    } else if (field->name == "rotation") {
        instance.rotation = std::get<Vec3>(value);
    } else if (field->name == "scale") {
        instance.scale = std::get<Vec3>(value);
    } else if (field->name == "layer") {
        // The world does not know layers: an entity with a bad one is as good as any.
        const std::string& layer = std::get<std::string>(value);
        if (const std::string fault = layer.empty() ? std::string() : layerNameFault(layer); !fault.empty())
            addFault(m_sink, entry.value, entry.value.region, inQuotes(layer) + " cannot name a layer: it " + fault,
                     std::string(LayerNameRule));
    } else {
        draft.parent = entry.value;
        instance.parent = std::get<std::string>(value);
    }
}

void SceneReader::checkType(const SourceValue& entity, const SourceEntry* type, InstanceDraft& draft) {
    const std::string& name = draft.instance.type;
    if (type == nullptr) {
        m_sink.add({Severity::Error,
                    entity.file,
                    entity.region,
                    "this entity has no type",
                    "type = \"…\", the name of an entity type",
                    {}});
        draft.broken = true;
        return;
    }
    if (name.empty() && draft.broken)
        return; // not text: reported already
    if (m_definitions.find(name) != nullptr)
        return;
    draft.broken = true;
    if (!m_definitions.isBroken(name)) {
        std::vector<std::string> names;
        constexpr std::size_t EnoughFaults = 200;
        if (m_sink.items.size() < EnoughFaults)
            names = m_definitions.names();
        addFault(m_sink, type->value, type->value.region, "type names no entity type: " + inQuotes(name),
                 "the name of an entity type", nearestName(name, names));
        return;
    }
    if (m_leftOut.emplace(name, m_sink.items.size()).second)
        m_sink.add({Severity::Warning, type->value.file, type->value.region, {}, {}, {}});
    Diagnostic& warning = m_sink.items[m_leftOut[name]];
    warning = leftOutWithType(warning.file, warning.region, ++m_leftOutCount[name], name);
}

void SceneReader::readOverride(const SourceEntry& entry, InstanceDraft& draft,
                               const EntityTypeDefinition* type) {
    const ComponentSchema* component = m_schema.find(entry.key);
    const auto fault = [&](const SourceRegion& region, std::string what, std::string expected,
                           std::string near = {}) {
        addFault(m_sink, entry.value, region, std::move(what), std::move(expected), std::move(near));
        draft.broken = true;
    };
    std::vector<std::string> own;
    if (type != nullptr)
        for (const ComponentDefinition& c : type->components)
            own.push_back(c.name);
    const auto count = std::count(own.begin(), own.end(), entry.key);
    if (component == nullptr) {
        const auto names = type != nullptr ? own : m_schema.names();
        addUnknownComponent(m_sink, entry.value, entry.keyRegion, entry.key, names, m_schema);
        draft.broken = true;
        return;
    }
    if (type != nullptr && count == 0)
        return fault(entry.keyRegion, type->name + " has no component " + entry.key, oneOf(own),
                     nearestName(entry.key, own));
    if (count > 1)
        return fault(entry.keyRegion,
                     type->name + " has " + entry.key + " " + std::to_string(count) + " times",
                     "an override of a component that occurs once");
    if (entry.value.kind != SourceValue::Kind::Table)
        return fault(entry.value.region, entry.key + " is " + entry.value.describeKind(),
                     "[entity." + entry.key + "], once");
    OwnComponent read = readComponent(entry, entry.value, *component, m_schema, draft.instance.name, m_sink);
    if (read.enabled)
        fault(read.enabledRegion, "an entity cannot switch a component on or off",
              "a type that extends " + draft.instance.type + " with enabled = false");
    draft.broken = draft.broken || !read.valid;
    draft.instance.overrides.push_back(std::move(read.definition));
}

void SceneReader::read(const SourceValue& entity) {
    InstanceDraft& draft = m_drafts.emplace_back();
    draft.instance.file = entity.file;
    draft.instance.region = entity.region;
    const auto isPart = [](const SourceEntry& entry) {
        return entry.value.kind == SourceValue::Kind::Table || isPartName(entry.key);
    };
    for (const SourceEntry& entry : entity.table)
        if (!isPart(entry))
            readKey(entry, draft);
    checkType(entity, entity.find("type"), draft);
    for (const SourceEntry& entry : entity.table)
        if (isPart(entry))
            readOverride(entry, draft, m_definitions.find(draft.instance.type));
}

// Names are read from the text alone, so that an entity whose text does not parse keeps its place in the
// counting, and others may still name it.
void SceneReader::name(std::string_view text) {
    const SyntaxTree tree(text);
    const LineIndex lines(text);
    std::unordered_map<int, std::string> byLine;
    for (const SceneUnit& unit : sceneUnits(tree)) {
        const SyntaxSection& section = tree.sections()[tree.units()[unit.unit].sections.front()];
        byLine.emplace(lines.region(tree.statement(section.first).text).line, unit.name);
    }
    std::vector<NameAndType> given;
    for (const InstanceDraft& draft : m_drafts) {
        const auto named = byLine.extract(draft.instance.region.line);
        given.push_back({named ? named.mapped() : draft.instance.name, draft.instance.type});
    }
    for (auto& [line, name] : byLine)
        m_lost.insert(name);
    const std::vector<std::string> names = instanceNames(given);
    for (std::size_t i = 0; i < m_drafts.size(); ++i) {
        InstanceDraft& draft = m_drafts[i];
        draft.instance.name = names[i];
        for (ComponentDefinition& component : draft.instance.overrides) {
            component.owner = names[i];
            for (Setting& setting : component.settings)
                setting.owner = names[i];
        }
        m_names.add(names[i]);
        const auto [first, added] = m_byName.emplace(names[i], i);
        if (!added) {
            const InstanceDraft& before = m_drafts[first->second];
            m_sink.add({Severity::Error,
                        draft.instance.file,
                        draft.nameRegion,
                        "the name " + inQuotes(names[i]) + " is taken by the entity in line "
                            + std::to_string(before.instance.region.line),
                        "a name of its own",
                        {}});
            draft.broken = true;
        }
    }
}

void SceneReader::checkCycle(std::size_t from, std::vector<int>& visited) {
    // 0: not seen, 1: on the way up from `from`, 2: done.
    std::vector<std::size_t> chain;
    std::size_t at = from;
    while (visited[at] == 0) {
        visited[at] = 1;
        chain.push_back(at);
        const auto parent = m_byName.find(m_drafts[at].instance.parent);
        if (m_drafts[at].instance.parent.empty() || parent == m_byName.end())
            break;
        at = parent->second;
        if (visited[at] != 1)
            continue;
        const auto first = std::find(chain.begin(), chain.end(), at);
        std::rotate(first, std::min_element(first, chain.end()), chain.end());
        std::string names;
        for (auto it = first; it != chain.end(); ++it) {
            m_drafts[*it].broken = true;
            names += m_drafts[*it].instance.name + " -> ";
        }
        const InstanceDraft& teller = m_drafts[*first];
        addFault(m_sink, teller.parent, teller.parent.region,
                 teller.instance.name + " is its own parent: " + names + teller.instance.name,
                 "a parent that does not lead back here");
        break;
    }
    for (const std::size_t i : chain)
        visited[i] = 2;
}

void SceneReader::checkEntityName(const FieldInfo& field, const SourceValue& value) {
    const bool names = field.type == FieldType::Entity || field.role == TextRole::EntityName;
    if (!names || value.text.empty() || m_names.contains(value.text) || m_lost.contains(value.text))
        return;
    // Not an error: an entity of that name may be spawned later.
    m_sink.add({Severity::Warning,
                value.file,
                value.region,
                field.name + " names no entity of this scene: " + inQuotes(value.text),
                {},
                m_names.nearest(value.text, m_sink)});
}

void SceneReader::checkEntityNames(const ComponentDefinition& component) {
    const ComponentSchema* described = m_schema.find(component.name);
    for (const Setting& setting : component.settings)
        checkEntityName(*described->settings->find(setting.entry.key), setting.entry.value);
}

void SceneReader::checkEntityNames(const InstanceDraft& draft) {
    for (const ComponentDefinition& component : draft.instance.overrides)
        checkEntityNames(component);
}

// Settings of entity types that name an entity. Only of types that this scene can bring into its world, since others may be meant for
// another scene of the project; and not what all of its instances override. Each place in the text once.
void SceneReader::checkTypesInUse() {
    struct Reference {
        const ComponentDefinition* component;
        const FieldInfo* field;
        const Setting* setting;
    };
    std::unordered_map<const EntityTypeDefinition*, std::vector<Reference>> known;
    std::vector<const EntityTypeDefinition*> spawned; // named by a setting of a type or an instance
    const auto addSpawned = [&](const ComponentDefinition& component) {
        const ComponentSchema* described = m_schema.find(component.name);
        for (const Setting& setting : component.settings)
            if (described->settings->find(setting.entry.key)->role == TextRole::EntityType)
                if (const EntityTypeDefinition* type = m_definitions.find(setting.entry.value.text))
                    spawned.push_back(type);
    };
    const auto referencesOf = [&](const EntityTypeDefinition& type) -> const std::vector<Reference>& {
        const auto [it, added] = known.try_emplace(&type);
        if (added)
            for (const ComponentDefinition& component : type.components) {
                addSpawned(component);
                const ComponentSchema* described = m_schema.find(component.name);
                for (const Setting& setting : component.settings) {
                    const FieldInfo* field = described->settings->find(setting.entry.key);
                    if (field->type == FieldType::Entity || field->role == TextRole::EntityName)
                        it->second.push_back({&component, field, &setting});
                }
            }
        return it->second;
    };
    std::set<std::tuple<std::string_view, int, int>> checkedAt; // file, line, column
    const auto check = [&](const Reference& reference) {
        const SourceValue& value = reference.setting->entry.value;
        if (checkedAt.emplace(value.file, value.region.line, value.region.column).second)
            checkEntityName(*reference.field, value);
    };
    for (const InstanceDraft& draft : m_drafts) {
        const EntityTypeDefinition* type = m_definitions.find(draft.instance.type);
        if (type == nullptr)
            continue;
        for (const ComponentDefinition& component : draft.instance.overrides)
            addSpawned(component);
        for (const Reference& reference : referencesOf(*type)) {
            const auto override = std::find_if(
                draft.instance.overrides.begin(), draft.instance.overrides.end(),
                [&](const ComponentDefinition& own) { return own.name == reference.component->name; });
            if (override == draft.instance.overrides.end()
                || override->find(reference.setting->entry.key) == nullptr)
                check(reference);
        }
    }
    while (!spawned.empty()) {
        const EntityTypeDefinition& type = *spawned.back();
        spawned.pop_back();
        if (!known.contains(&type))
            for (const Reference& reference : referencesOf(type))
                check(reference);
    }
}

void SceneReader::checkParents() {
    for (InstanceDraft& draft : m_drafts) {
        checkEntityNames(draft);
        const std::string& parent = draft.instance.parent;
        if (parent.empty() || m_names.contains(parent))
            continue;
        draft.broken = true;
        if (!m_lost.contains(parent))
            addFault(m_sink, draft.parent, draft.parent.region,
                     "parent names no entity of this scene: " + inQuotes(parent), "the name of an entity",
                     m_names.nearest(parent, m_sink));
        else
            m_sink.add(leftOutWithParent(draft.instance.file, draft.parent.region, draft.instance.name,
                                         parent, false));
    }
    std::vector<int> visited(m_drafts.size(), 0);
    for (std::size_t i = 0; i < m_drafts.size(); ++i)
        checkCycle(i, visited);

    // Children of a broken one are left out too; from the top down, each reported once.
    std::vector<std::vector<std::size_t>> children(m_drafts.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < m_drafts.size(); ++i) {
        if (const auto parent = m_byName.find(m_drafts[i].instance.parent); parent != m_byName.end())
            children[parent->second].push_back(i);
        if (m_drafts[i].broken)
            open.push_back(i);
    }
    while (!open.empty()) {
        const std::size_t parent = open.back();
        open.pop_back();
        for (const std::size_t child : children[parent]) {
            InstanceDraft& draft = m_drafts[child];
            if (draft.broken)
                continue;
            draft.broken = true;
            m_sink.add(leftOutWithParent(draft.instance.file, draft.parent.region, draft.instance.name,
                                         draft.instance.parent, true));
            open.push_back(child);
        }
    }
}

std::string nameFromFile(std::string_view file) {
    std::string name = std::filesystem::path(file).stem().string();
    if (name.ends_with(".scene"))
        name.resize(name.size() - std::string_view(".scene").size());
    return name;
}

} // namespace

Scene Scene::load(std::string_view text, std::string_view file, const Definitions& definitions,
                  const Schema& schema, Diagnostics& sink) {
    Scene scene;
    scene.m_name = nameFromFile(file);
    const TomlDocument document = TomlDocument::parse(text, file, sink);
    const SourceEntry* const header = document.root().find("scene");
    if (document.isUnreadable()
        || (header != nullptr && !checkFormat(header->value.find("format"), file, "the scene", sink)))
        return scene;
    SceneReader reader(definitions, schema, sink);
    for (const SourceEntry& entry : document.root().table) {
        if (entry.key == "scene" && entry.value.kind == SourceValue::Kind::Table) {
            for (const SourceEntry& key : entry.value.table) {
                Value value;
                const FieldInfo* const field =
                    readField(key, file, sceneKeys(), "[scene] has no key", {}, value, sink);
                if (field != nullptr && field->name == "name")
                    scene.m_name = std::get<std::string>(value);
            }
        } else if (entry.key == "entity" && entry.value.kind == SourceValue::Kind::Array) {
            for (const SourceValue& element : entry.value.array) {
                if (element.kind == SourceValue::Kind::Table) {
                    SourceValue placed = element;
                    placed.file = file;
                    reader.read(placed);
                } else {
                    sink.add({Severity::Error,
                              std::string(file),
                              element.region,
                              "an entity is " + element.describeKind(),
                              "[[entity]]",
                              {}});
                }
            }
        } else if (entry.key == "entity" || entry.key == "scene") {
            const bool table = entry.value.kind == SourceValue::Kind::Table;
            addFault(sink, entry.value, entry.keyRegion,
                     table ? "[entity] is a single table" : entry.key + " is " + entry.value.describeKind(),
                     entry.key == "scene" ? "[scene]" : "[[entity]], once for each entity");
        } else {
            addFault(sink, entry.value, entry.keyRegion, "a scene has no table or key " + inQuotes(entry.key),
                     "[scene] or [[entity]]", nearestName(entry.key, {"scene", "entity"}));
        }
    }
    reader.name(text);
    reader.checkParents();
    reader.checkTypesInUse();
    auto byName = std::make_shared<Names>();
    for (InstanceDraft& draft : reader.drafts()) {
        if (draft.broken)
            continue;
        byName->emplace(draft.instance.name, scene.m_instances.size());
        scene.m_instances.push_back(std::move(draft.instance));
    }
    scene.m_byName = std::move(byName);
    return scene;
}

const InstanceDefinition* Scene::find(std::string_view name) const {
    if (!m_byName)
        return nullptr;
    const auto it = m_byName->find(std::string(name));
    return it == m_byName->end() ? nullptr : &m_instances[it->second];
}

Scene Scene::moved(const std::vector<Move>& moves) const {
    Scene out = *this;
    for (const Move& move : moves) {
        InstanceDefinition& instance = out.m_instances[move.instance];
        instance.position = move.position;
        instance.rotation = move.rotation;
        instance.scale = move.scale;
    }
    return out;
}

Scene::Completed Scene::completed(std::string_view text, const Scene& before,
                                  const Definitions& definitions) const {
    const PlaceIndex written(text);
    // What was left out and can come back, by name: a valid instance never has one of these as its parent, and their parents of before lead
    // nowhere in a circle.
    std::unordered_map<std::string, InstanceDefinition> kept;
    for (const PlacedInstance& place : written.instances()) {
        const InstanceDefinition* old = find(place.name) == nullptr ? before.find(place.name) : nullptr;
        if (old == nullptr || definitions.find(old->type) == nullptr)
            continue;
        InstanceDefinition instance = *old;
        instance.position = place.position;
        instance.rotation = place.rotation;
        instance.scale = place.scale;
        if (place.parent.empty() || find(place.parent) != nullptr)
            instance.parent = place.parent;
        kept.emplace(place.name, std::move(instance));
    }
    std::unordered_map<std::string, std::vector<std::string>> below; // kept ones by their kept parent
    std::unordered_set<std::string> reached;
    std::vector<std::string> open;
    for (const auto& [name, instance] : kept) {
        if (kept.contains(instance.parent))
            below[instance.parent].push_back(name);
        else if (instance.parent.empty() || find(instance.parent) != nullptr)
            open.push_back(name);
    }
    while (!open.empty()) {
        const std::string name = std::move(open.back());
        open.pop_back();
        reached.insert(name);
        if (const auto children = below.find(name); children != below.end())
            open.insert(open.end(), children->second.begin(), children->second.end());
    }

    Completed out;
    out.scene.m_name = m_name;
    auto byName = std::make_shared<Names>();
    for (const PlacedInstance& place : written.instances()) {
        if (byName->contains(place.name))
            continue; // a name that is given twice
        const InstanceDefinition* good = find(place.name);
        if (good == nullptr && !reached.contains(place.name)) {
            out.missing.push_back(place.name);
            continue;
        }
        byName->emplace(place.name, out.scene.m_instances.size());
        out.scene.m_instances.push_back(good != nullptr ? *good : kept.at(place.name));
    }
    out.scene.m_byName = std::move(byName);
    return out;
}

std::vector<ComponentDefinition> overlaid(const EntityTypeDefinition& type,
                                          const std::vector<ComponentDefinition>& overrides) {
    std::vector<ComponentDefinition> out = type.components;
    for (const ComponentDefinition& over : overrides) {
        const auto it = std::find_if(out.begin(), out.end(),
                                     [&](const ComponentDefinition& c) { return c.name == over.name; });
        if (it != out.end())
            overlay(it->settings, over.settings);
    }
    return out;
}

std::vector<std::string> instanceNames(const std::vector<NameAndType>& instances) {
    std::unordered_set<std::string> taken;
    for (const NameAndType& instance : instances)
        if (!instance.name.empty())
            taken.insert(instance.name);
    std::unordered_map<std::string, std::size_t> next;
    std::vector<std::string> out;
    for (const NameAndType& instance : instances) {
        if (!instance.name.empty()) {
            out.push_back(instance.name);
            continue;
        }
        const std::string base = baseNameOf(instance.type);
        std::size_t& number = next.emplace(base, 1).first->second;
        std::string name;
        do {
            name = number == 1 ? base : base + "_" + std::to_string(number);
            ++number;
        } while (!taken.insert(name).second);
        out.push_back(std::move(name));
    }
    return out;
}

} // namespace sbx::definition
