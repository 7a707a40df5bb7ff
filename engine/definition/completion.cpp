#include "engine/definition/completion.h"

#include "engine/core/ascii_case.h"
#include "engine/core/value.h"
#include "engine/definition/syntax_tree.h"

#include <algorithm>

namespace sbx::definition {

namespace {

using Place = TextLocation::Place;

// The keys that may stand at the location besides a component's settings: null where there are none.
const FieldTable* ownKeys(const TextLocation& at) {
    if (!at.component.empty())
        return nullptr;
    if (at.table == "entity")
        return &instanceKeys();
    if (at.table == "scene")
        return &sceneKeys();
    if (at.table == "project")
        return &projectKeys();
    if (at.table.empty())
        return &definitionFileKeys();
    return at.entityType.empty() ? nullptr : &entityTypeKeys();
}

const FieldTable* fieldsAt(const TextLocation& at, const Schema& schema) {
    if (at.component.empty())
        return ownKeys(at);
    const ComponentSchema* component = schema.find(at.component);
    return component != nullptr ? component->settings : nullptr;
}

class Completer {
public:
    Completer(std::string_view text, const TextLocation& at, const Schema& schema,
              const Definitions& definitions)
        : m_text(text), m_at(at), m_schema(schema), m_definitions(definitions), m_tree(text) {}

    std::vector<Completion> run();

private:
    void add(Completion completion) { m_out.push_back(std::move(completion)); }
    void addComponents();
    void addKeys();
    void addValues();
    void addText(Completion::Kind kind, const std::string& text, const std::string& detail,
                 const std::string& doc) {
        add({kind, text, m_at.quoted ? text : inQuotes(text), detail, doc});
    }
    [[nodiscard]] const SyntaxUnit* unit() const;
    [[nodiscard]] bool isScene() const { return m_at.table == "entity"; }

    std::string_view m_text;
    const TextLocation& m_at;
    const Schema& m_schema;
    const Definitions& m_definitions;
    SyntaxTree m_tree;
    std::vector<Completion> m_out;
};

const SyntaxUnit* Completer::unit() const {
    if (m_at.instance.empty())
        return m_tree.table(m_at.table);
    for (const SceneUnit& instance : sceneUnits(m_tree))
        if (instance.name == m_at.instance)
            return &m_tree.units()[instance.unit];
    return nullptr;
}

void Completer::addComponents() {
    const EntityTypeDefinition* type = isScene() ? m_definitions.find(m_at.entityType) : nullptr;
    const SyntaxUnit* own = unit();
    for (const ComponentSchema& component : m_schema.components()) {
        if (type != nullptr && type->find(component.name) == nullptr)
            continue;
        const bool there = own != nullptr && !m_tree.sectionsAt(*own, {component.name}).empty();
        if (there && m_at.word.of(m_text) != component.name)
            continue;
        add({Completion::Kind::Component, component.name, component.name, "component", component.doc});
    }
}

void Completer::addKeys() {
    const FieldTable* fields = fieldsAt(m_at, m_schema);
    const SyntaxUnit* own = m_at.table.empty() ? &m_tree.units().front() : unit();
    // Before the first header only a definition file has keys.
    if (m_at.table.empty()
        && (m_tree.table("project") != nullptr || m_tree.table("scene") != nullptr
            || !sceneUnits(m_tree).empty()))
        return;
    // A key that has its equals sign already gets none.
    const std::size_t after = m_text.find_first_not_of(" \t", m_at.word.end);
    const std::string suffix = after != std::string_view::npos && m_text[after] == '=' ? "" : " = ";
    const auto free = [&](const std::string& key) {
        std::vector<std::string> path{m_at.component, key};
        if (m_at.component.empty())
            path.erase(path.begin());
        return own == nullptr || key == m_at.word.of(m_text) || !m_tree.find(*own, path);
    };
    const auto kind = m_at.component.empty() ? Completion::Kind::Key : Completion::Kind::Setting;
    if (fields != nullptr)
        for (const FieldInfo& field : *fields)
            if (free(field.name))
                add({kind, field.name, field.name + suffix, field.expectation(), field.doc});
    if (!m_at.component.empty() && !isScene() && m_schema.find(m_at.component) != nullptr && free("enabled"))
        add({kind, "enabled", "enabled" + suffix, "true or false", "false takes the component out."});
}

void Completer::addValues() {
    if (m_at.key == "enabled" && !m_at.component.empty()) {
        for (const char* word : {"true", "false"})
            add({Completion::Kind::Value, word, word, {}, {}});
        return;
    }
    const FieldTable* fields = fieldsAt(m_at, m_schema);
    const FieldInfo* field = fields != nullptr ? fields->find(m_at.key) : nullptr;
    if (field == nullptr)
        return;
    if (field->type == FieldType::Bool && !m_at.quoted) {
        for (const char* word : {"true", "false"})
            add({Completion::Kind::Value, word, word, field->name, field->doc});
    } else if (field->type == FieldType::Enum) {
        for (const std::string& choice : field->choices)
            addText(Completion::Kind::Value, choice, field->name, field->doc);
    } else if (field->type == FieldType::Entity || field->role == TextRole::EntityName) {
        for (const SceneUnit& instance : sceneUnits(m_tree))
            if (instance.name != m_at.instance)
                addText(Completion::Kind::Value, instance.name, instance.type, {});
    } else if (field->role == TextRole::EntityType) {
        for (const EntityTypeDefinition& type : m_definitions.types())
            if (type.name != m_at.entityType || isScene() || !m_at.component.empty())
                addText(Completion::Kind::Type, type.name,
                        type.builtIn           ? "built in"
                        : type.extends.empty() ? "entity type"
                                               : "extends " + type.extends,
                        type.doc);
    } else if (field->role == TextRole::MessageType) {
        for (const std::string& name : m_schema.messageTypes())
            addText(Completion::Kind::Value, name, "message", {});
    } else if (field->type != FieldType::String && !m_at.quoted && m_at.word.empty()) {
        const std::string value = field->formatToml(field->defaultValue);
        add({Completion::Kind::Value, value, value, "the default; " + field->expectation(), field->doc});
    }
}

std::vector<Completion> Completer::run() {
    switch (m_at.place) {
    case Place::Header:
        if (m_at.headerPart == 1)
            addComponents();
        break;
    case Place::Nowhere:
    case Place::Key:
        addKeys();
        break;
    case Place::Value:
        addValues();
        break;
    case Place::Comment:
        break;
    }
    const std::string typed = lowered(m_at.typed);
    const auto rank = [&](const Completion& c) {
        const std::size_t found = lowered(c.label).find(typed);
        return found == 0 ? 0 : found == std::string::npos ? 2 : 1;
    };
    std::erase_if(m_out, [&](const Completion& c) { return rank(c) == 2; });
    std::stable_sort(m_out.begin(), m_out.end(),
                     [&](const Completion& a, const Completion& b) { return rank(a) < rank(b); });
    return std::move(m_out);
}

std::string typeText(const EntityTypeDefinition& type) {
    std::string out = type.name + (type.extends.empty() ? "" : ", extends " + type.extends);
    if (!type.doc.empty())
        out += "\n" + type.doc;
    for (const ComponentDefinition& component : type.components)
        out += (&component == &type.components.front() ? "\n" : ", ") + component.name;
    return out;
}

} // namespace

namespace {

// Whether the line has a whole value, or a closed header, right before the word: nothing may follow it there.
bool isBehindWhole(std::string_view text, const TextLocation& at) {
    if (at.place != Place::Header && at.place != Place::Value)
        return false;
    std::size_t begin = std::min(at.word.begin, text.size());
    if (at.quoted && begin > 0)
        --begin;
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
        --begin;
    if (begin == 0)
        return false;
    const char before = text[begin - 1];
    if (at.place == Place::Header)
        return before == ']';
    const bool letter = (before >= '0' && before <= '9') || (before >= 'a' && before <= 'z')
                        || (before >= 'A' && before <= 'Z');
    return letter || before == '"' || before == '\'' || before == ']' || before == '}';
}

} // namespace

std::vector<Completion> complete(std::string_view text, const TextLocation& at, const Schema& schema,
                                 const Definitions& definitions) {
    if (isBehindWhole(text, at))
        return {};
    return Completer(text, at, schema, definitions).run();
}

std::string describe(const TextLocation& at, const Schema& schema, const Definitions& definitions) {
    if (at.place == Place::Comment || at.place == Place::Nowhere)
        return {};
    const bool onComponent =
        (at.place == Place::Header && at.headerPart == 1) || (at.place == Place::Key && at.key.empty());
    if (onComponent) {
        const ComponentSchema* component = schema.find(at.component);
        return component != nullptr ? component->name + "\n" + component->doc : std::string();
    }
    if (at.place == Place::Header) {
        const EntityTypeDefinition* type = definitions.find(at.entityType);
        return type != nullptr ? typeText(*type) : std::string();
    }
    const FieldTable* fields = fieldsAt(at, schema);
    const FieldInfo* field = fields != nullptr ? fields->find(at.key) : nullptr;
    if (field == nullptr)
        return at.key == "enabled" && !at.component.empty() ? "enabled\nfalse takes the component out."
                                                            : std::string();
    // The value of a setting that names a type is described by that type.
    if (at.inValue() && field->role == TextRole::EntityType)
        if (const EntityTypeDefinition* type = definitions.find(at.wordText))
            return typeText(*type);
    std::string out = field->name + ": " + field->expectation() + "\n" + field->doc;
    if (!at.component.empty())
        out += "\nDefault " + field->formatToml(field->defaultValue);
    return out;
}

} // namespace sbx::definition
