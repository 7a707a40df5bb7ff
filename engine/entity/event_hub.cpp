#include "engine/entity/event_hub.h"

#include "engine/core/field_write.h"
#include "engine/core/nearest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

namespace sbx {

namespace {

enum class Choice : std::uint32_t {};

template <typename M> std::size_t describe(FieldInfo& field, FieldType type) {
    field.type = type;
    detail::keepAs<M>(field);
    return alignof(M);
}

// The alignment; 0: events cannot carry that.
std::size_t describe(FieldInfo& field, FieldType type) {
    switch (type) {
    case FieldType::Bool:
        return describe<bool>(field, type);
    case FieldType::Int:
        return describe<std::int64_t>(field, type);
    case FieldType::Float:
        return describe<float>(field, type);
    case FieldType::Vector2:
        return describe<Vec2>(field, type);
    case FieldType::Vector3:
        return describe<Vec3>(field, type);
    case FieldType::Vector4:
    case FieldType::Color:
        return describe<Vec4>(field, type);
    case FieldType::String:
        return describe<Text>(field, type);
    case FieldType::Enum:
        return describe<Choice>(field, type);
    case FieldType::Entity:
        return describe<EntityId>(field, type);
    case FieldType::Quaternion:
        break;
    }
    return 0;
}

constexpr std::size_t Step = 16; // sizes of payloads

// Default values of an event are zero bytes: false, 0, no text, no entity, the first choice.
template <std::size_t Size> void zero(void* memory) { std::memset(memory, 0, Size); }
template <std::size_t... I> constexpr auto zeros(std::index_sequence<I...>) {
    return std::array<void (*)(void*), sizeof...(I)>{&zero<I * Step>...};
}
constexpr auto Constructors = zeros(std::make_index_sequence<MaxMessageSize / Step + 1>());

bool isName(std::string_view name) {
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
        return letter(c) || (c >= '0' && c <= '9') || c == '_';
    });
}

std::string signature(const FieldTable& fields) {
    std::string out;
    for (const FieldInfo& field : fields) {
        out += (out.empty() ? "" : ", ") + field.name + " (" + fieldTypeName(field.type);
        for (std::size_t i = 0; i < field.choices.size(); ++i)
            out += (i == 0 ? ": " : " ") + field.choices[i];
        out += ")";
    }
    return out.empty() ? "none" : out;
}

} // namespace

Result<MessageTypeId> EventHub::declareFrom(std::uint32_t library, std::string_view name,
                                            std::span<const EventParameter> parameters,
                                            std::string_view doc) {
    const std::string quotedName = inQuotes(name);
    if (!isName(name))
        return makeError(quotedName + " cannot name an event: letters, digits and _, a letter first");
    std::vector<FieldInfo> fields;
    std::size_t size = 0;
    for (const EventParameter& parameter : parameters) {
        FieldInfo& field = fields.emplace_back();
        field.name = parameter.name;
        field.doc = parameter.doc;
        field.unit = parameter.unit;
        field.choices = parameter.choices;
        const std::string where =
            "event " + std::string(name) + ", parameter " + inQuotes(parameter.name) + ": ";
        if (!isName(parameter.name))
            return makeError(where + "a name is letters, digits and _, a letter first");
        if (std::any_of(fields.begin(), fields.end() - 1,
                        [&](const FieldInfo& f) { return f.name == field.name; }))
            return makeError(where + "is there twice");
        const std::size_t alignment = describe(field, parameter.type);
        if (alignment == 0)
            return makeError(where + "an event cannot carry a " + fieldTypeName(parameter.type));
        if ((parameter.type == FieldType::Enum) != !parameter.choices.empty())
            return makeError(where + "choices belong to an enum, and an enum needs some");
        field.offset = (size + alignment - 1) / alignment * alignment;
        size = field.offset + field.size;
    }
    if (size > MaxMessageSize)
        return makeError("event " + std::string(name) + ": its parameters take " + std::to_string(size)
                     + " bytes, at most " + std::to_string(MaxMessageSize) + " are possible");
    size = (size + Step - 1) / Step * Step;
    Payload defaults{};
    for (FieldInfo& field : fields)
        field.defaultValue = field.read(&defaults);
    auto table = std::make_shared<const FieldTable>(std::move(fields));

    const auto full = [] {
        const std::vector<const MessageType*> types = messageTypes();
        return std::count_if(types.begin(), types.end(), [](const auto* each) { return each->event; })
               >= static_cast<std::ptrdiff_t>(MaxEvents);
    };
    if (findMessageType(name) == nullptr && full())
        return makeError("event " + std::string(name) + ": there are " + std::to_string(MaxEvents)
                         + " events already, and none is forgotten before the program ends");
    const std::string wanted = signature(*table);
    MessageType type;
    type.name = std::string(name);
    type.doc = std::string(doc);
    type.size = size;
    type.alignment = Step;
    type.mode = Delivery::Listener;
    type.fields = table.get();
    type.construct = Constructors[size / Step];
    type.event = true;
    type.ownFields = std::move(table);
    const MessageType& inForce = declareEvent(std::move(type), library);
    if (!inForce.event)
        return makeError(quotedName + " is a message type already");
    if (signature(*inForce.fields) != wanted)
        return makeError("event " + std::string(name)
                     + " is declared already with other parameters: " + signature(*inForce.fields));
    join(inForce);
    return inForce.id;
}

Value Event::read(std::string_view parameter, std::size_t alternative) const {
    const FieldInfo* const own = m_type->fields->find(parameter);
    Value value = own != nullptr ? own->read(m_payload) : Value();
    if (value.index() == alternative)
        return value;
    // The latest declaration that has the parameter with this type provides the default.
    const std::size_t first = m_type->listenerType;
    for (std::size_t id = messageTypeCount(); id-- > first;) {
        const MessageType& other = messageType(static_cast<MessageTypeId>(id));
        const FieldInfo* const field =
            other.listenerType == m_type->listenerType ? other.fields->find(parameter) : nullptr;
        if (field == nullptr || field->defaultValue.index() != alternative)
            continue;
        if (own != nullptr)
            if (Result<Value> same = field->check(value))
                return *same;
        return field->defaultValue;
    }
    return value;
}

std::vector<const MessageType*> EventHub::events() {
    std::vector<const MessageType*> out = messageTypes();
    std::erase_if(out, [](const MessageType* type) { return !type->event; });
    std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    return out;
}

Result<const MessageType*> EventHub::find(std::string_view name) const {
    const MessageType* const type = findMessageType(name);
    if (type != nullptr && type->event)
        return type;
    std::vector<std::string> names;
    for (const MessageType* each : events())
        names.push_back(each->name);
    const std::string near = nearestName(name, names);
    return makeError("no event is called " + inQuotes(name) + (near.empty() ? "" : "; did you mean " + near + "?"));
}

Result<const MessageType*> EventHub::fill(std::string_view name, std::span<const NamedValue> values,
                                          Payload& payload) const {
    const Result<const MessageType*> found = find(name);
    if (!found)
        return found.error();
    const MessageType& type = **found;
    type.construct(&payload);
    for (const NamedValue& each : values) {
        const FieldInfo* const field = type.fields->find(each.name);
        if (field == nullptr) {
            const std::string near = nearestName(each.name, type.fields->names());
            return makeError(
                "event " + type.name + " has no parameter " + inQuotes(each.name)
                + (near.empty() ? "; it has: " + signature(*type.fields) : "; did you mean " + near + "?"));
        }
        if (const Result<void> written = writeChecked(*field, &payload, each.value); !written)
            return makeError("event " + type.name + ", parameter " + field->name + ": "
                         + written.error().message);
    }
    return &type;
}

Result<SendResult> EventHub::raise(std::string_view name, std::span<const NamedValue> values, EntityId sender,
                                   unsigned minimum, SendSite site) {
    Payload payload;
    const Result<const MessageType*> type = fill(name, values, payload);
    if (!type)
        return type.error();
    join(**type);
    return m_world.sendRaw({}, (*type)->id, &payload, (*type)->size, sender, Delivery::Listener, minimum,
                           site);
}

Result<DelayedHandle> EventHub::raiseLater(std::uint64_t ticks, int priority, std::string_view name,
                                           std::span<const NamedValue> values, EntityId sender,
                                           unsigned minimum, SendSite site) {
    Payload payload;
    const Result<const MessageType*> type = fill(name, values, payload);
    if (!type)
        return type.error();
    join(**type);
    return m_world.sendLaterRaw({}, (*type)->id, &payload, (*type)->size, ticks, sender, priority,
                                Delivery::Listener, minimum, site);
}

} // namespace sbx
