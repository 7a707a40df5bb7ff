#include "engine/simulation/entity_filter.h"

#include "engine/message/record_payload.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/snapshot.h"

#include <algorithm>

namespace sbx {

namespace {

enum : FilterFieldId {
    Name,
    TypeName,
    Parent,
    Has,
    FromScene,
    Enabled,
    PositionX,
    PositionY,
    PositionZ,
    FirstOfComponents
};

} // namespace

EntityFilterSchema::EntityFilterSchema(const std::vector<const ComponentType*>& components) {
    m_schema.add({.name = "name", .doc = "Name of the entity.", .searched = true});
    m_schema.add({.name = "type", .doc = "Entity type.", .searched = true});
    m_schema.add({.name = "parent", .doc = "Name of the parent."});
    m_schema.add({.name = "has", .doc = "The components it has now.", .aliases = {"component"}});
    m_schema.add({.name = "scene", .type = FilterType::Bool, .doc = "An instance of the scene file."});
    m_schema.add({.name = "enabled",
                  .type = FilterType::Bool,
                  .doc = "Takes part: neither it nor a parent is switched off."});
    for (const char* axis : {"x", "y", "z"})
        m_schema.add({.name = std::string("position.") + axis,
                      .type = FilterType::Number,
                      .doc = "Where it is in the world.",
                      .unit = "m"});
    m_sources.resize(FirstOfComponents);
    for (const ComponentType* component : components) {
        m_components.push_back(component->name);
        for (const FieldInfo& field : *component->state)
            addField(*component, field, true);
        for (const FieldInfo& field : *component->settings)
            addField(*component, field, false);
    }
}

bool EntityFilterSchema::isStructural(const Filter& filter) const {
    const std::vector<FilterFieldId> fields = filter.fields();
    return std::all_of(fields.begin(), fields.end(), [](FilterFieldId id) {
        return id == Name || id == TypeName || id == Parent || id == FromScene;
    });
}

std::vector<std::string> EntityFilterSchema::values(const FilterField& field,
                                                    const FrameSnapshot& frame) const {
    FilterFieldId id = 0;
    if (!m_schema.findId(field.name, id) || field.type != FilterType::String)
        return {};
    std::vector<std::string> out;
    if (id == Has)
        return m_components;
    const FieldInfo* const info = m_sources[id].field;
    const bool isEntity =
        info != nullptr && (info->type == FieldType::Entity || info->role == TextRole::EntityName);
    const bool isType = info != nullptr && info->role == TextRole::EntityType;
    if (info != nullptr && info->role == TextRole::MessageType)
        for (const MessageType* type : messageTypes())
            out.push_back(type->name);
    if (!frame.entities)
        return out;
    if (id == TypeName || isType)
        out = frame.entities->types;
    if (id == Name || id == Parent || isEntity)
        for (const EntityRow& row : frame.entities->rows)
            out.push_back(row.name);
    return out;
}

void EntityFilterSchema::addField(const ComponentType& component, const FieldInfo& field, bool isState) {
    FilterField added;
    added.name = component.name + "." + field.name;
    added.doc = field.doc;
    added.unit = field.unit;
    if (field.type == FieldType::Bool)
        added.type = FilterType::Bool;
    else if (field.type == FieldType::Int || field.type == FieldType::Float)
        added.type = FilterType::Number;
    else if (field.type == FieldType::Enum)
        added.choices = field.choices;
    const auto add = [&](int element) {
        // A state and a setting of one name: the state, as in paths.
        if (m_schema.add(added) == m_sources.size())
            m_sources.push_back({&component, &field, isState, element});
    };
    const std::size_t elements = elementCount(field.type);
    if (elements == 0)
        return add(-1);
    added.type = FilterType::Number;
    const std::string name = added.name + ".";
    for (std::size_t i = 0; i < elements; ++i) {
        added.name = name + elementName(field.type, i);
        add(static_cast<int>(i));
    }
}

std::size_t EntityFilterRow::valueCount(FilterFieldId id) const {
    switch (id) {
    case Parent:
        return m_entity.parent() ? 1 : 0;
    default:
        break;
    }
    if (id < FirstOfComponents && id != Has)
        return 1;
    const ComponentType* const wanted = id == Has ? nullptr : m_schema.m_sources[id].component;
    std::size_t count = 0;
    m_entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if (wanted != nullptr && ref.type != wanted)
            return;
        if (count++ == 0)
            m_first = ref;
    });
    m_firstOf = count > 0 ? wanted : nullptr;
    return count;
}

FilterValue EntityFilterRow::value(FilterFieldId id, std::size_t index) const {
    switch (id) {
    case Name:
        return FilterValue::of(m_entity.nameIn(m_made));
    case TypeName:
        return FilterValue::of(std::string_view(m_entity.type().name()));
    case Parent:
        return nameOf(m_entity.parent());
    case FromScene:
        return FilterValue::of(m_entity.fromScene());
    case Enabled:
        return FilterValue::of(m_entity.enabled());
    case PositionX:
    case PositionY:
    case PositionZ:
        return FilterValue::of(m_entity.pose().position[static_cast<int>(id - PositionX)]);
    default:
        break;
    }
    const EntityFilterSchema::Source& source = m_schema.m_sources[id];
    const auto valueOf = [&](const Entity::ComponentRef& ref) {
        return read(source,
                    source.isState ? ref.type->stateOf(ref.component) : ref.type->settingsOf(ref.component));
    };
    if (index == 0 && id != Has && m_firstOf == source.component)
        return valueOf(m_first);
    FilterValue out;
    m_entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if ((id != Has && ref.type != source.component) || index-- > 0)
            return;
        if (id == Has)
            out = FilterValue::of(std::string_view(ref.type->name));
        else
            out = valueOf(ref);
    });
    return out;
}

FilterValue EntityFilterRow::nameOf(EntityId id) const {
    const Entity entity = m_world.find(id);
    return entity ? FilterValue::of(entity.nameIn(m_made)) : FilterValue::of(std::string_view());
}

FilterValue EntityFilterRow::read(const EntityFilterSchema::Source& source, const void* object) const {
    const FieldInfo& field = *source.field;
    if (field.type == FieldType::Enum)
        return FilterValue::of(record::choice(field, static_cast<const std::byte*>(object) + field.offset));
    if (field.type == FieldType::String)
        return FilterValue::of(field.readText(object));
    const Value value = field.read(object);
    if (source.element >= 0)
        return FilterValue::of(
            static_cast<float>(elementOf(value, static_cast<std::size_t>(source.element)).value_or(0.0)));
    if (const auto* b = std::get_if<bool>(&value))
        return FilterValue::of(*b);
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return FilterValue::of(*i);
    if (const auto* d = std::get_if<double>(&value))
        return field.singlePrecision ? FilterValue::of(static_cast<float>(*d)) : FilterValue::of(*d);
    if (const auto* e = std::get_if<EntityId>(&value))
        return nameOf(*e);
    return {};
}

Result<std::vector<std::string>> entitiesMatching(const World& world, const Catalog& catalog,
                                                  std::string_view text) {
    const EntityFilterSchema& schema = *catalog.entityFields;
    const Result<Filter> filter = Filter::compile(text, schema.schema());
    if (!filter)
        return filter.error();
    std::vector<std::string> names;
    eachMatch(world, schema, *filter, [&](const Entity& entity) { names.push_back(entity.name()); });
    return names;
}

} // namespace sbx
