#include "engine/message/trace_reader.h"

#include "engine/core/nearest.h"
#include "engine/message/trace_json.h"

// Header-only, in the system include path; nothing of it is in a header of ours.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace sbx {

namespace {

using TraceJson = nlohmann::json;

// What a file may make a program keep, so that a hostile one ends as an error. Lists of handlers are shared by the process.
constexpr std::size_t MaxTraceNames = 4'000'000;
constexpr std::size_t MaxTraceWorlds = 255;
constexpr std::size_t MaxTraceComponents = 4096;
constexpr std::size_t MaxTraceHandlers = 256; // of one record
constexpr std::size_t MaxTraceRemarks = 1000;
constexpr std::uint64_t MaxTraceNumber = std::uint64_t(1) << 47U; // no run comes as far, and sums of them do not wrap
constexpr ShapeId MaxTraceShapes = 900'000;
constexpr std::uint32_t MadeUpGeneration = 0x0080'0001U; // no entity of a session gets as far

bool isTraceKey(std::string_view key) {
    const std::span<const TraceKey> keys = traceKeys();
    return std::any_of(keys.begin(), keys.end(), [key](const TraceKey& known) { return key == known.name; });
}

const char* kindOfJson(const TraceJson& json) {
    switch (json.type()) {
    case TraceJson::value_t::null:
        return "null";
    case TraceJson::value_t::boolean:
        return "true or false";
    case TraceJson::value_t::string:
        return "text";
    case TraceJson::value_t::array:
        return "a list";
    case TraceJson::value_t::object:
        return "an object";
    default:
        return "a number";
    }
}

Error wrongInTrace(const std::string& key, const TraceJson& found, const std::string& expected) {
    return makeError(key + " is " + kindOfJson(found) + "; expected " + expected);
}

std::string anyOf(const std::vector<std::string>& names) {
    std::string out = "one of ";
    for (const std::string& name : names)
        out += (&name == &names.front() ? "" : ", ") + name;
    return out;
}

// A number that JSON does not have is null.
std::optional<double> traceNumber(const TraceJson& json) {
    if (json.is_null())
        return std::numeric_limits<double>::quiet_NaN();
    return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

bool fitsFloat(double number) { return !(std::abs(number) > static_cast<double>(std::numeric_limits<float>::max())); }

template <typename Vector> std::optional<Value> traceVector(const TraceJson& json) {
    Vector out{};
    if (!json.is_array() || json.size() != static_cast<std::size_t>(Vector::length()))
        return std::nullopt;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::optional<double> number = traceNumber(json[i]);
        if (!number || !fitsFloat(*number))
            return std::nullopt;
        out[static_cast<glm::length_t>(i)] = static_cast<float>(*number);
    }
    return Value(out);
}

std::optional<Value> traceQuaternion(const TraceJson& json) {
    const std::optional<Value> four = traceVector<Vec4>(json);
    if (!four)
        return std::nullopt;
    const auto& v = std::get<Vec4>(*four);
    return Value(Quat(v.w, v.x, v.y, v.z));
}

} // namespace

// One line while it is read: nothing is recorded before all of it is known to be right.
class TraceReader::Line {
public:
    explicit Line(TraceReader& reader) : m_reader(reader) {}

    [[nodiscard]] Result<void> parse(std::string_view line) {
        try {
            m_json = TraceJson::parse(line);
        } catch (const TraceJson::parse_error& fault) {
            const int column = static_cast<int>(std::clamp<std::size_t>(fault.byte, 1, line.size() + 1));
            return Error{"this is no JSON from here on; expected an object such as {\"sequence\":1,\"tick\":0,\"type\":…}", {}, {1, column, 1, column}};
        } catch (const TraceJson::exception&) { // a number that no double holds
            return makeError("a number is out of range; expected JSON as a trace has it");
        }
        if (!m_json.is_object())
            return wrongInTrace("the line", m_json, "an object");
        for (const Step step : {&Line::readNumbers, &Line::readNames, &Line::readDelivery, &Line::readNote, &Line::readFields, &Line::readHandlers})
            if (const Result<void> read = (this->*step)(); !read)
                return read;
        return {};
    }

    void record() {
        Recorder& recorder = m_reader.m_recorder;
        if (m_note != RecordNote::None) {
            recorder.note(m_note, m_envelope, m_sender, m_receiver, m_payload, m_type->size, m_receivers, m_minimum);
        } else {
            // Switched off again, so that the recorder never measures its clock: a tick of it stays a nanosecond.
            recorder.setTiming(m_timed);
            const Recorder::Ticket ticket =
                recorder.begin(m_envelope, m_sender, m_receiver, internShape(m_shape), m_payload, m_type->size);
            recorder.finish(ticket, m_reached, m_consumed);
            if (m_dropped)
                recorder.markDropped(ticket);
            for (std::size_t i = 0; m_timed && i < m_times.size(); ++i)
                recorder.time(ticket, i, m_times[i]);
            recorder.setTiming(false);
        }
        m_reader.m_timed = m_reader.m_timed || m_timed;
        m_reader.m_lastSequence = m_envelope.sequence;
        m_reader.m_lastTick = m_envelope.tick;
        for (const std::string& remark : m_remarks)
            m_reader.addRemark(remark);
        if (m_marked || !m_comment.empty())
            m_reader.keepNote({m_envelope.sequence, m_marked, std::move(m_comment)});
    }

private:
    using Step = Result<void> (Line::*)();

    [[nodiscard]] const TraceJson* find(const char* key) const {
        const auto at = m_json.find(key);
        return at == m_json.end() ? nullptr : &*at;
    }

    template <typename T> [[nodiscard]] Result<void> whole(const char* key, bool needed, T& out) const {
        const TraceJson* json = find(key);
        if (json == nullptr && !needed)
            return {};
        if (json == nullptr)
            return makeError(std::string("there is no ") + key + "; expected a line of a trace");
        if (!json->is_number_unsigned() || json->get<std::uint64_t>() > std::numeric_limits<T>::max())
            return wrongInTrace(key, *json, "a whole number from 0");
        out = json->get<T>();
        return {};
    }

    [[nodiscard]] Result<void> readNumbers() {
        if (const Result<void> read = whole("sequence", true, m_envelope.sequence); !read)
            return read;
        if (const Result<void> read = whole("tick", true, m_envelope.tick); !read)
            return read;
        if (const Result<void> read = whole("cause", false, m_envelope.cause); !read)
            return read;
        const std::uint64_t sequence = m_envelope.sequence;
        if (sequence <= m_reader.m_lastSequence)
            return makeError("sequence " + std::to_string(sequence) + " comes after " + std::to_string(m_reader.m_lastSequence)
                             + "; expected a larger one: a trace of one run, in its order");
        if (sequence > MaxTraceNumber || m_envelope.tick > MaxTraceNumber)
            return makeError("sequence and tick are too large; expected numbers up to " + std::to_string(MaxTraceNumber));
        if (m_envelope.tick < m_reader.m_lastTick)
            return makeError("tick " + std::to_string(m_envelope.tick) + " comes after " + std::to_string(m_reader.m_lastTick)
                             + "; expected the same or a later one: a trace of one run, in its order");
        if (m_envelope.cause >= sequence)
            return makeError("cause " + std::to_string(m_envelope.cause) + " is not before sequence " + std::to_string(sequence) + "; expected an earlier message, or 0");
        for (const auto& [key, flag] : {std::pair{"injected", &m_envelope.injected},
                                        std::pair{"dropped", &m_dropped}, std::pair{"marked", &m_marked}})
            if (const TraceJson* json = find(key); json != nullptr) {
                if (!json->is_boolean())
                    return wrongInTrace(key, *json, "true or false");
                *flag = json->get<bool>();
            }
        if (const TraceJson* json = find("comment"); json != nullptr) {
            if (!json->is_string())
                return wrongInTrace("comment", *json, "text");
            m_comment = json->get<std::string>();
        }
        if (const TraceJson* json = find("through"); json != nullptr) {
            if (!json->is_string())
                return wrongInTrace("through", *json, "a message type");
            if (const MessageType* type = findMessageType(json->get_ref<const std::string&>()); type != nullptr)
                m_envelope.through = type->id;
            else
                remark("the message type " + inQuotes(json->get_ref<const std::string&>()) + " is not known here");
        }
        for (const auto& item : m_json.items())
            if (!isTraceKey(item.key()))
                remark("the key " + inQuotes(item.key()) + " is not known here");
        return {};
    }

    // An entity's name; null and none: no entity.
    [[nodiscard]] Result<void> readName(const char* key, EntityId& entity, NameId& id) {
        const TraceJson* json = find(key);
        if (json == nullptr || json->is_null())
            return {};
        if (!json->is_string())
            return wrongInTrace(key, *json, "an entity's name, or null");
        const auto& name = json->get_ref<const std::string&>();
        if (name.empty())
            return {};
        entity = m_reader.entity(name);
        id = m_reader.m_recorder.names().intern(name);
        return {};
    }

    [[nodiscard]] Result<void> readNames() {
        const TraceJson* type = find("type");
        if (type == nullptr || !type->is_string())
            return makeError("there is no type; expected the name of a message type");
        const auto& name = type->get_ref<const std::string&>();
        m_type = findMessageType(name);
        if (m_type == nullptr) {
            std::vector<std::string> known;
            for (const MessageType* each : messageTypes())
                known.push_back(each->name);
            const std::string near = nearestName(name, known);
            return makeError("message type " + inQuotes(name) + " is not known here" + (near.empty() ? "" : "; did you mean " + near + "?"));
        }
        m_envelope.type = m_type->id;
        const TraceJson* world = find("world");
        if (world == nullptr || !world->is_string())
            return makeError("there is no world; expected a name such as local");
        if (!m_reader.roomForNames())
            return makeError("there are more than " + std::to_string(MaxTraceNames) + " different names");
        const std::optional<std::uint8_t> index = m_reader.world(world->get<std::string>());
        if (!index)
            return makeError("there are more than " + std::to_string(MaxTraceWorlds) + " worlds");
        m_envelope.world = *index;
        if (const Result<void> read = readName("sender", m_envelope.sender, m_sender); !read)
            return read;
        if (const TraceJson* site = find("site"); site != nullptr) {
            if (!site->is_string())
                return wrongInTrace("site", *site, "a line of code such as rules.cpp:28");
            m_envelope.site = m_reader.m_recorder.names().intern(site->get_ref<const std::string&>());
        }
        return readName("receiver", m_envelope.receiver, m_receiver);
    }

    [[nodiscard]] Result<void> readDelivery() {
        const TraceJson* json = find("delivery");
        std::vector<std::string> routes;
        for (int i = 0; i <= static_cast<int>(Delivery::Queued); ++i)
            routes.emplace_back(deliveryName(static_cast<Delivery>(i)));
        const auto found = json == nullptr || !json->is_string() ? routes.end() : std::find(routes.begin(), routes.end(), json->get_ref<const std::string&>());
        if (found == routes.end())
            return makeError("delivery is missing or unknown; expected " + anyOf(routes));
        const auto route = static_cast<Delivery>(found - routes.begin());
        m_envelope.delayed = route == Delivery::Queued || find("queuedAt") != nullptr;
        m_envelope.delivery = route == Delivery::Queued ? Delivery::Immediate : route;
        return whole("queuedAt", false, m_envelope.queuedAt);
    }

    [[nodiscard]] Result<void> readNote() {
        const TraceJson* json = find("note");
        if (json == nullptr)
            return {};
        const RecordNote notes[] = {RecordNote::Short, RecordNote::Gone, RecordNote::NoListener, RecordNote::CutOff};
        std::vector<std::string> names;
        for (const RecordNote note : notes) {
            names.emplace_back(noteName(note));
            if (json->is_string() && json->get_ref<const std::string&>() == names.back())
                m_note = note;
        }
        if (m_note == RecordNote::None)
            return makeError("note is unknown; expected " + anyOf(names));
        if (const Result<void> read = whole("receivers", false, m_receivers); !read)
            return read;
        return whole("minimum", false, m_minimum);
    }

    [[nodiscard]] std::optional<Value> entityValue(const TraceJson& json) {
        if (json.is_null())
            return Value(EntityId());
        if (!json.is_string())
            return std::nullopt;
        const auto& text = json.get_ref<const std::string&>();
        if (text.empty())
            return Value(EntityId());
        // An entity without a name in the file is there by its handle, whose upper half, the generation, is never 0.
        std::uint64_t bits = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), bits);
        const std::uint32_t generation = EntityId::fromBits(bits).generation();
        const bool handle = fault == std::errc() && end == text.data() + text.size() && generation > 0 && generation != MadeUpGeneration;
        return Value(handle ? EntityId::fromBits(bits) : m_reader.entity(text));
    }

    // As writeValue() writes it; ranges are not checked, because messages are not bound to them.
    [[nodiscard]] std::optional<Value> fieldValue(const FieldInfo& field, const TraceJson& json) {
        switch (field.type) {
        case FieldType::Bool:
            return json.is_boolean() ? std::optional(Value(json.get<bool>())) : std::nullopt;
        case FieldType::Int:
            return json.is_number_integer() ? std::optional(Value(json.get<std::int64_t>())) : std::nullopt;
        case FieldType::Float: {
            const std::optional<double> number = traceNumber(json);
            return number && (!field.singlePrecision || fitsFloat(*number)) ? std::optional(Value(*number)) : std::nullopt;
        }
        case FieldType::Vector2:
            return traceVector<Vec2>(json);
        case FieldType::Vector3:
            return traceVector<Vec3>(json);
        case FieldType::Vector4:
        case FieldType::Color:
            return traceVector<Vec4>(json);
        case FieldType::Quaternion:
            return traceQuaternion(json);
        case FieldType::String:
            return json.is_string() ? std::optional(Value(json.get<std::string>())) : std::nullopt;
        case FieldType::Enum:
            if (!json.is_string() || std::find(field.choices.begin(), field.choices.end(), json.get_ref<const std::string&>()) == field.choices.end())
                return std::nullopt;
            return Value(json.get<std::string>());
        case FieldType::Entity:
            return entityValue(json);
        }
        return std::nullopt;
    }

    [[nodiscard]] Result<void> readFields() {
        m_type->construct(m_payload);
        const TraceJson* fields = find("fields");
        if (fields == nullptr || !fields->is_object())
            return makeError("there are no fields; expected an object, as empty as {}");
        for (const auto& item : fields->items()) {
            const FieldInfo* field = m_type->fields->find(item.key());
            if (field == nullptr) {
                remark(m_type->name + " has no field " + inQuotes(item.key()) + " here");
                continue;
            }
            const std::optional<Value> value = fieldValue(*field, item.value());
            if (!value)
                return wrongInTrace("fields." + field->name, item.value(), field->type == FieldType::Enum ? anyOf(field->choices) : fieldTypeName(field->type));
            field->write(m_payload, *value);
        }
        for (const FieldInfo& field : *m_type->fields)
            if (!fields->contains(field.name))
                remark(m_type->name + "." + field.name + " is not in the file and has its default");
        return {};
    }

    [[nodiscard]] Result<void> addHandler(const TraceJson& name, std::optional<std::int32_t> priority) {
        if (!name.is_string())
            return wrongInTrace("a handler's component", name, "its name");
        const auto& text = name.get_ref<const std::string&>();
        const std::optional<KnownHandler> known = m_reader.m_handlers ? m_reader.m_handlers(text, m_type->id) : std::nullopt;
        const std::optional<ComponentTypeId> component = m_reader.component(text, known && known->observer);
        if (!component || m_shape.size() == MaxTraceHandlers || lastShape() >= MaxTraceShapes)
            return makeError("there are too many components, or lists of them");
        const std::int32_t before = m_shape.empty() ? 0 : m_shape.back().priority;
        m_shape.push_back({*component, priority ? *priority : known ? known->priority : before});
        return {};
    }

    [[nodiscard]] Result<void> readHandler(const TraceJson& visit) {
        const auto member = [&](const char* key) { return visit.is_object() && visit.contains(key) ? visit[key] : TraceJson(); };
        const TraceJson priority = member("priority");
        const TraceJson result = member("result");
        if (!priority.is_number_integer() || priority.get<std::int64_t>() != static_cast<std::int32_t>(priority.get<std::int64_t>()))
            return wrongInTrace("a handler's priority", priority, "a whole number");
        if (m_consumed || (result != "passed" && result != "consumed"))
            return makeError(m_consumed ? "a handler comes after the one that consumed the message; expected those under notReached"
                                        : "a handler's result is unknown; expected passed or consumed");
        m_consumed = result == "consumed";
        ++m_reached;
        const TraceJson time = member("ns");
        m_timed = m_timed || time.is_number_unsigned();
        m_times.push_back(time.is_number_unsigned() ? static_cast<std::uint32_t>(std::min<std::uint64_t>(time.get<std::uint64_t>(), 0xFFFF'FFFFU)) : 0);
        return addHandler(member("component"), static_cast<std::int32_t>(priority.get<std::int64_t>()));
    }

    [[nodiscard]] Result<void> readHandlers() {
        const TraceJson* reached = find("handlers");
        const TraceJson* notReached = find("notReached");
        if (reached == nullptr || !reached->is_array())
            return makeError("there are no handlers; expected a list, as empty as []");
        for (const TraceJson& visit : *reached)
            if (const Result<void> read = readHandler(visit); !read)
                return read;
        if (notReached == nullptr)
            return {};
        if (!notReached->is_array())
            return wrongInTrace("notReached", *notReached, "a list of names");
        for (const TraceJson& component : *notReached)
            if (const Result<void> read = addHandler(component, std::nullopt); !read)
                return read;
        return {};
    }

    void remark(std::string text) { m_remarks.push_back(std::move(text)); }

    TraceReader& m_reader;
    TraceJson m_json;
    const MessageType* m_type = nullptr;
    Envelope m_envelope;
    NameId m_sender = 0;
    NameId m_receiver = 0;
    RecordNote m_note = RecordNote::None;
    std::uint32_t m_receivers = 0;
    std::uint32_t m_minimum = 0;
    alignas(16) std::byte m_payload[MaxMessageSize] = {};
    std::vector<ShapeHandler> m_shape;
    std::vector<std::uint32_t> m_times; // nanoseconds, of those that were reached
    std::size_t m_reached = 0;
    bool m_consumed = false;
    bool m_dropped = false;
    bool m_marked = false;
    std::string m_comment;
    bool m_timed = false;
    std::vector<std::string> m_remarks;
};

TraceReader::TraceReader(HandlerLookup handlers) : m_handlers(std::move(handlers)) {
    m_recorder.setEnabled(true);
    m_reader = m_recorder.addReader(std::numeric_limits<std::size_t>::max());
}

Result<void> TraceReader::read(std::string_view line) {
    if (line.size() > MaxLine)
        return makeError("the line is longer than " + std::to_string(MaxLine >> 20U) + " MiB; expected a line of a trace");
    Line one(*this);
    Result<void> read = one.parse(line);
    if (read)
        one.record();
    return read;
}

void TraceReader::poll(std::vector<std::shared_ptr<const RecordSegment>>& out) {
    m_recorder.seal();
    m_reader->poll(out);
}

void TraceReader::addRemark(const std::string& remark) {
    ++m_remarks[m_remarks.size() < MaxTraceRemarks || m_remarks.contains(remark)
                    ? remark
                    : "there is more that is not known here"];
}

void TraceReader::keepNote(TraceNote note) {
    if (m_noteCount == MaxNotes || note.comment.size() > MaxNoteBytes - m_noteBytes) {
        addRemark("there are more marks and comments than are kept");
        return;
    }
    ++m_noteCount;
    m_noteBytes += note.comment.size();
    m_notes.push_back(std::move(note));
}

bool TraceReader::roomForNames() const { return m_recorder.names().size() < MaxTraceNames; }

// A file names its entities and has no handles: each name gets one, the same in all worlds.
EntityId TraceReader::entity(std::string_view name) {
    const NameId id = m_recorder.names().intern(name);
    const auto [at, isNew] = m_entityOfName.try_emplace(id, static_cast<std::uint32_t>(m_entities.size() + 1));
    if (isNew)
        m_entities.push_back(id);
    return {at->second, MadeUpGeneration};
}

NameId TraceReader::entityNameId(EntityId entity) const {
    const std::size_t number = entity.index();
    return entity.generation() == MadeUpGeneration && number >= 1 && number <= m_entities.size() ? m_entities[number - 1] : 0;
}

std::optional<std::uint8_t> TraceReader::world(const std::string& name) {
    if (const auto known = m_worlds.find(name); known != m_worlds.end())
        return known->second;
    if (m_worlds.size() == MaxTraceWorlds)
        return std::nullopt;
    return m_worlds[name] = m_recorder.addWorld(name);
}

std::optional<ComponentTypeId> TraceReader::component(const std::string& name, bool observer) {
    if (const auto known = m_components.find(name); known != m_components.end())
        return known->second;
    if (m_components.size() == MaxTraceComponents)
        return std::nullopt;
    const auto id = static_cast<ComponentTypeId>(m_components.size());
    m_recorder.setComponentName(id, name, observer);
    return m_components[name] = id;
}

} // namespace sbx
