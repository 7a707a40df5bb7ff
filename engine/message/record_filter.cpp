#include "engine/message/record_filter.h"

#include "engine/core/contracts.h"
#include "engine/message/record_payload.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sbx {

namespace {

FilterField describe(const FieldInfo& field, bool element) {
    FilterField out;
    out.doc = field.doc;
    out.unit = field.unit;
    switch (field.type) {
    case FieldType::Bool:
        out.type = FilterType::Bool;
        break;
    case FieldType::Int:
    case FieldType::Float:
        out.type = FilterType::Number;
        break;
    case FieldType::Enum:
        out.choices = field.choices;
        [[fallthrough]];
    case FieldType::String:
    case FieldType::Entity:
        out.type = FilterType::String;
        out.searched = true;
        break;
    default:
        out.type = element ? FilterType::Number : FilterType::Any;
    }
    return out;
}

// Whether a filter that was checked against `known` is right for a type whose field is as `described`.
bool covers(const FilterField& known, const FilterField& described) {
    const auto& units = known.units;
    const bool unit = units.empty() ? described.unit == known.unit
                                    : std::find(units.begin(), units.end(), described.unit) != units.end();
    if (known.type == FilterType::Any)
        return unit || described.type != FilterType::Number;
    return unit && known.type == described.type && known.choices == described.choices;
}

// Calls back with name ("point.x"), field and element (-1: the whole) for all that a filter can compare.
template <typename Visit> void eachField(const MessageType& type, const Visit& visit) {
    for (const FieldInfo& field : *type.fields) {
        const std::size_t elements = elementCount(field.type);
        if (elements == 0)
            visit("fields." + field.name, field, -1);
        for (std::size_t i = 0; i < elements; ++i)
            visit("fields." + field.name + "." + elementName(field.type, i), field, static_cast<int>(i));
    }
}

std::uint64_t entityKey(std::uint8_t world, EntityId entity) {
    return entity.bits ^ (static_cast<std::uint64_t>(world) << 56U);
}

} // namespace

const char* outcomeName(RecordOutcome outcome) {
    static constexpr const char* Names[] = {"passed", "consumed", "unheeded", "unhandled", "short", "gone", "unheard", "cut", "dropped"};
    return Names[static_cast<int>(outcome)];
}

RecordFilterSchema::RecordFilterSchema(const NameTable& names, WorldName worldName, double ticksPerSecond)
    : m_names(names), m_worldName(std::move(worldName)) {
    m_schema.setTicksPerSecond(ticksPerSecond);
    std::vector<std::string> deliveries;
    for (int i = 0; i <= static_cast<int>(sbx::Delivery::Queued); ++i)
        deliveries.emplace_back(deliveryName(static_cast<sbx::Delivery>(i)));
    using T = FilterType;
    m_schema.add({"sequence", T::Number, "Number in order of dispatch.", {}, {"number"}, {}, false});
    m_schema.add(
        {"tick", T::Number, "Simulation tick of the dispatch; 2s works too.", "tick", {}, {}, false});
    m_schema.add({"cause",
                  T::Number,
                  "Sequence of the message being handled when this one was sent; if that is not recorded, of the nearest one before "
                  "it that is.",
                  {},
                  {},
                  {},
                  false});
    m_schema.add({"through",
                  T::String,
                  "Type of the message being handled when this one was sent, if that is not recorded.",
                  {},
                  {},
                  {},
                  true});
    m_schema.add({"injected", T::Bool, "Sent by a person: from the console, by hand.", {}, {}, {}, false});
    m_schema.add({"site",
                  T::String,
                  "Line of code that sent it, as file:line; builds for debugging know it.",
                  {},
                  {},
                  {},
                  false});
    m_schema.add({"late",
                  T::Number,
                  "Ticks that it waited here, come by the network, for messages that it depends on; 0: none.",
                  "tick",
                  {},
                  {},
                  false});
    m_schema.add(
        {"world", T::String, "Which copy of the world: local, server, client1, …", {}, {}, {}, false});
    m_schema.add({"type", T::String, "Message type.", {}, {}, {}, true});
    m_schema.add({"sender",
                  T::String,
                  "Entity that sent it; empty: the engine or the console.",
                  {},
                  {"from"},
                  {},
                  true});
    m_schema.add({"receiver", T::String, "Entity that got it.", {}, {"to"}, {}, true});
    m_schema.add({"entity", T::String, "Sender or receiver.", {}, {}, {}, false});
    m_schema.add({"delivery", T::String, "Route it took.", {}, {}, deliveries, false});
    m_schema.add(
        {"outcome", T::String, "What became of it.", {}, {}, {"passed", "consumed", "unheeded", "unhandled", "short", "gone", "unheard", "cut", "dropped"}, false});
    m_schema.add({"consumedBy", T::String, "Component that consumed it.", {}, {}, {}, true});
    m_schema.add({"handlers.component", T::String, "Components that saw it.", {}, {}, {}, false});
    m_schema.add({"handlers.priority",
                  T::Number,
                  "Priorities of the handlers that saw it.",
                  {},
                  {"priority"},
                  {},
                  false});
    m_schema.add({"handlers.result",
                  T::String,
                  "What each handler that saw it did.",
                  {},
                  {},
                  {"passed", "consumed"},
                  false});
    m_schema.add(
        {"handlers.ns", T::Number, "Time in each handler, with trace.timing on.", "ns", {}, {}, false});
    m_schema.add({"notReached", T::String, "Components whose handler it never came to.", {}, {}, {}, false});
    m_schema.add(
        {"consumedPriority", T::Number, "Priority of the handler that consumed it.", {}, {}, {}, false});
    m_schema.add({"size", T::Number, "Size of what it carries.", "B", {"bytes"}, {}, false});
    SBX_EXPECT(m_schema.fields().size() == FirstPayload, "the schema and its ids go together");
    // One name that means different things in different types is resolved by the value of each row.
    std::map<std::string, FilterField> payload;
    for (const MessageType* type : messageTypes())
        eachField(*type, [&](const std::string& name, const FieldInfo& field, int element) {
            FilterField described = describe(field, element >= 0);
            described.name = name;
            if (described.type == FilterType::Number)
                described.units = {described.unit};
            const auto [it, isNew] = payload.try_emplace(name, described);
            FilterField& known = it->second;
            if (isNew)
                return;
            if (known.type != described.type || known.choices != described.choices) {
                known.type = FilterType::Any;
                known.choices.clear();
            }
            known.searched = known.searched || described.searched;
            if (described.type == FilterType::Number
                && std::find(known.units.begin(), known.units.end(), described.unit) == known.units.end())
                known.units.push_back(described.unit);
        });
    for (auto& [name, field] : payload) {
        field.unit.clear();
        if (field.type == FilterType::Number && field.units.size() == 1) {
            field.unit = field.units.front();
            field.units.clear();
        }
        m_schema.add(std::move(field));
    }
    updateTypes();
}

bool RecordFilterSchema::updateTypes() {
    const std::size_t count = messageTypeCount();
    if (m_types.size() == count)
        return false;
    // By id, not by name: records of a plugin's older build keep theirs.
    for (std::size_t id = m_types.size(); id < count; ++id) {
        m_types.push_back(&messageType(static_cast<MessageTypeId>(id)));
        addPayload(*m_types.back());
    }
    return true;
}

void RecordFilterSchema::addPayload(const MessageType& type) {
    std::vector<Access> own(m_schema.fields().size() - FirstPayload);
    eachField(type, [&](const std::string& name, const FieldInfo& field, int element) {
        FilterField described = describe(field, element >= 0);
        described.name = name;
        FilterFieldId id = m_schema.add(described);
        // A type that came late and means something else by the name: its own name keeps both checked.
        if (const FilterField& known = m_schema.field(id);
            !covers(known, described)) {
            described.name = "fields." + type.name + name.substr(std::string_view("fields").size());
            id = m_schema.add(described);
        }
        if (id - FirstPayload >= own.size())
            own.resize(id - FirstPayload + std::size_t(1));
        const auto& units = m_schema.field(id).units;
        const auto unit = std::find(units.begin(), units.end(), described.unit);
        own[id - FirstPayload] = {&field, static_cast<std::int8_t>(element),
                                  static_cast<std::uint8_t>(unit == units.end() ? 0 : unit - units.begin())};
    });
    m_access.push_back(std::move(own));
}

const RecordFilterSchema::Access& RecordFilterSchema::access(MessageTypeId type, FilterFieldId id) const {
    static const Access None;
    const auto& own = m_access[type];
    const std::size_t index = id - FirstPayload;
    return index < own.size() ? own[index] : None;
}

void RecordFilterSchema::learn(std::uint8_t world, EntityId entity, NameId name) {
    if (name == 0)
        return;
    const std::uint64_t key = entityKey(world, entity);
    if (name >= m_lastKey.size())
        m_lastKey.resize(name + std::size_t(64), 0);
    if (m_lastKey[name] == key)
        return;
    m_lastKey[name] = key;
    m_entities[key] = name;
}

void RecordFilterSchema::learn(const RecordView& record) {
    const std::uint8_t world = record.world();
    learn(world, record.receiver(), record.receiverName());
    learn(world, record.sender(), record.senderName());
    if (world >= m_worlds.size())
        m_worlds.resize(world + std::size_t(1), false);
    m_worlds[world] = true;
    for (const HandlerVisit visit : record.visits()) {
        if (visit.component >= m_components.size())
            m_components.resize(visit.component + std::size_t(64), false);
        m_components[visit.component] = true;
    }
}

void RecordFilterSchema::forgetEntities() {
    m_entities.clear();
    m_lastKey.clear();
}

std::vector<std::string> RecordFilterSchema::knownValues(const FilterField& field, std::string_view typed,
                                                   std::size_t limit) const {
    std::vector<std::string> out;
    const auto offer = [&](std::string_view value) {
        if (!value.empty() && out.size() < limit && containsText(value, typed))
            out.emplace_back(value);
    };
    FilterFieldId id = 0;
    if (!m_schema.findId(field.name, id))
        return out;
    bool entities = id == Sender || id == Receiver || id == Entity;
    if (id >= FirstPayload)
        for (const auto& own : m_access)
            entities = entities
                       || (id - FirstPayload < own.size() && own[id - FirstPayload].field != nullptr
                           && own[id - FirstPayload].field->type == FieldType::Entity);
    if (entities) {
        for (NameId name = 1; name < m_lastKey.size(); ++name)
            if (m_lastKey[name] != 0)
                offer(this->name(name));
    } else if (id == Type) {
        for (const MessageType* type : m_types)
            offer(type->name);
    } else if (id == World) {
        for (std::size_t world = 0; world < m_worlds.size(); ++world)
            if (m_worlds[world])
                offer(m_worldName(static_cast<std::uint8_t>(world)));
    } else if (id == HandlerComponent || id == ConsumedBy || id == NotReached) {
        for (NameId name = 1; name < m_components.size(); ++name)
            if (m_components[name])
                offer(this->name(name));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end()); // builds of a plugin share names
    return out;
}

bool RecordFilterSchema::canHave(const FilterField& field, const std::vector<FilterDemand>& demands) const {
    FilterFieldId id = 0;
    if (!m_schema.findId(field.name, id) || id < FirstPayload)
        return true;
    bool typed = false; // a type is demanded
    for (const FilterDemand& demand : demands) {
        if (demand.field != "type")
            continue;
        for (const MessageType* type : m_types)
            if (type->name == demand.value) { // builds of a plugin share names
                typed = true;
                if (access(type->id, id).field != nullptr)
                    return true;
            }
    }
    return !typed;
}

std::string_view RecordFilterSchema::delivery(const RecordView& record) {
    const sbx::Delivery route = record.delivery();
    return deliveryName(record.delayed() && route == sbx::Delivery::Immediate ? sbx::Delivery::Queued : route);
}

NameId RecordFilterSchema::consumer(const RecordView& record) {
    return record.consumed() ? record.visits()[record.reached() - 1].component : 0;
}

RecordOutcome RecordFilterSchema::outcome(const RecordView& record) {
    if (const RecordNote note = record.note(); note != RecordNote::None)
        return note == RecordNote::Short        ? RecordOutcome::Short
               : note == RecordNote::Gone       ? RecordOutcome::Gone
               : note == RecordNote::NoListener ? RecordOutcome::NoListener
                                                : RecordOutcome::CutOff;
    if (record.consumed())
        return RecordOutcome::Consumed;
    if (record.dropped())
        return RecordOutcome::Dropped;
    bool reached = false;
    const VisitRange visits = record.visits();
    for (std::size_t i = 0; i < record.reached() && !reached; ++i)
        reached = !visits[i].observer;
    // A listener is its own handler.
    if (reached || record.delivery() == sbx::Delivery::Listener)
        return RecordOutcome::Passed;
    // What came by the network was acted on where it was sent, but for what clients ask of a server; the session itself takes Chat and the
    // like, which are for no handler.
    const MessageType& type = messageType(record.type());
    const bool actedOnElsewhere = record.delivery() == sbx::Delivery::Network && !type.fromClient;
    return type.notice || actedOnElsewhere ? RecordOutcome::Unheeded : RecordOutcome::Unhandled;
}

std::string_view RecordFilterSchema::entityName(std::uint8_t world, EntityId entity) const {
    const auto found = m_entities.find(entityKey(world, entity));
    return found == m_entities.end() ? std::string_view() : name(found->second);
}

} // namespace sbx
