#include "engine/message/trace_json.h"

#include "engine/core/field_json.h"

#include <vector>

namespace sbx {

namespace {
void writeName(JsonWriter& json, const Recorder& recorder, NameId id) {
    if (id == 0)
        json.null();
    else
        json.value(recorder.names().name(id));
}

void writeFields(JsonWriter& json, const RecordView& record, const FieldTable& fields,
                 const EntityNamer& entityName) {
    for (const FieldInfo& field : fields) {
        const Value value = field.read(record.payload());
        json.key(field.name);
        const auto* id = std::get_if<EntityId>(&value);
        const std::string name = id != nullptr && *id && entityName ? entityName(*id) : std::string();
        if (name.empty())
            writeValue(json, field, value);
        else
            json.value(name);
    }
}

void writeVisits(JsonWriter& json, const RecordView& record, const Recorder& recorder, bool timing) {
    std::vector<NameId> notReached;
    json.key("handlers").beginArray();
    for (const HandlerVisit visit : record.visits()) {
        if (visit.result == HandlerResult::NotReached) {
            notReached.push_back(visit.component);
            continue;
        }
        json.beginObject()
            .member("component", recorder.names().name(visit.component))
            .member("priority", visit.priority);
        json.member("result", visit.result == HandlerResult::Consumed ? "consumed" : "passed");
        if (timing)
            json.member("ns", visit.nanoseconds);
        json.endObject();
    }
    json.endArray().key("notReached").beginArray();
    for (const NameId component : notReached)
        json.value(recorder.names().name(component));
    json.endArray();
}
} // namespace

std::string traceLine(const RecordView& record, const Recorder& recorder, bool timing,
                      const EntityNamer& entityName) {
    const Envelope e = record.envelope();
    const MessageType& type = messageType(e.type);
    JsonWriter json;
    json.beginObject().member("sequence", e.sequence).member("tick", e.tick).member("cause", e.cause);
    if (e.through != NoType)
        json.member("through", messageType(e.through).name);
    if (e.injected)
        json.member("injected", true);
    if (record.dropped())
        json.member("dropped", true);
    if (e.site != 0)
        json.member("site", recorder.names().name(e.site));
    json.member("world", recorder.worldName(e.world)).member("type", type.name);
    writeName(json.key("sender"), recorder, record.senderName());
    writeName(json.key("receiver"), recorder, record.receiverName());
    // A delayed message to one entity is "queued"; on another route the route stays. Every delayed one has queuedAt.
    const bool queued = e.delayed && e.delivery == Delivery::Immediate;
    json.member("delivery", deliveryName(queued ? Delivery::Queued : e.delivery));
    if (e.delayed)
        json.member("queuedAt", e.queuedAt);
    if (const double stamp = record.stampNs(); stamp >= 0.0)
        json.member("atNs", static_cast<std::int64_t>(stamp));
    switch (record.note()) {
    case RecordNote::None:
        break;
    case RecordNote::Short:
        json.member("note", "short")
            .member("receivers", record.receivers())
            .member("minimum", record.minimum());
        break;
    case RecordNote::Gone:
    case RecordNote::NoListener:
    case RecordNote::CutOff:
        json.member("note", noteName(record.note()));
    }
    writeFields(json.key("fields").beginObject(), record, *type.fields, entityName);
    json.endObject();
    writeVisits(json, record, recorder, timing);
    return std::move(json.endObject()).take();
}

std::span<const TraceKey> traceKeys() {
    using Kind = TraceKey::Kind;
    static constexpr TraceKey Keys[] = {{"sequence", Kind::Number, true},
                                        {"tick", Kind::Number, true},
                                        {"cause", Kind::Number},
                                        {"through", Kind::String},
                                        {"injected", Kind::Flag},
                                        {"dropped", Kind::Flag},
                                        {"site", Kind::String},
                                        {"world", Kind::String, true},
                                        {"type", Kind::String, true},
                                        {"sender", Kind::String},
                                        {"receiver", Kind::String},
                                        {"delivery", Kind::String, true},
                                        {"queuedAt", Kind::Number},
                                        {"atNs", Kind::Number},
                                        {"note", Kind::String},
                                        {"receivers", Kind::Number},
                                        {"minimum", Kind::Number},
                                        {"fields", Kind::Json, true},
                                        {"handlers", Kind::Json, true},
                                        {"notReached", Kind::Json},
                                        // Of a person who looked at it:
                                        {"marked", Kind::Flag},
                                        {"comment", Kind::String}};
    return Keys;
}

} // namespace sbx
