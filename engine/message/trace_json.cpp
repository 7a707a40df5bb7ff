#include "engine/message/trace_json.h"

namespace sbx {

namespace {
std::string nameOrNull(const Recorder& recorder, NameId id) {
    return id == 0 ? std::string("null") : inQuotes(recorder.names().name(id));
}
} // namespace

std::string traceLine(const RecordView& record, const Recorder& recorder, bool timing,
                      const EntityNamer& entityName) {
    const Envelope e = record.envelope();
    const MessageType& type = messageType(e.type);
    std::string out = "{\"sequence\":" + std::to_string(e.sequence) + ",\"tick\":" + std::to_string(e.tick)
                      + ",\"cause\":" + std::to_string(e.cause)
                      + ",\"world\":" + inQuotes(recorder.worldName(e.world)) + ",\"type\":" + inQuotes(type.name)
                      + ",\"sender\":" + nameOrNull(recorder, record.senderName())
                      + ",\"receiver\":" + nameOrNull(recorder, record.receiverName()) + ",\"delivery\":\"";
    // A delayed message to one entity is "queued"; on another route the route stays. Every delayed one has queuedAt.
    const bool queued = e.delayed && e.delivery == Delivery::Immediate;
    out += queued ? deliveryName(Delivery::Queued) : deliveryName(e.delivery);
    out += "\"";
    if (e.delayed)
        out += ",\"queuedAt\":" + std::to_string(e.queuedAt);
    if (const double stamp = record.stampNs(); stamp >= 0.0)
        out += ",\"atNs\":" + std::to_string(static_cast<std::int64_t>(stamp));
    switch (record.note()) {
    case RecordNote::None:
        break;
    case RecordNote::Short:
        out += ",\"note\":\"short\",\"receivers\":" + std::to_string(record.receivers())
               + ",\"minimum\":" + std::to_string(record.minimum());
        break;
    case RecordNote::Gone:
    case RecordNote::NoListener:
    case RecordNote::CutOff:
        out += std::string(",\"note\":\"") + noteName(record.note()) + "\"";
    }
    out += ",\"fields\":{";
    bool first = true;
    for (const FieldInfo& field : *type.fields) {
        if (!first)
            out += ",";
        first = false;
        const Value value = field.read(record.payload());
        std::string text = field.formatJson(value);
        if (const auto* id = std::get_if<EntityId>(&value); id != nullptr && *id && entityName) {
            const std::string name = entityName(*id);
            if (!name.empty())
                text = inQuotes(name);
        }
        out += inQuotes(field.name) + ":" + text;
    }
    out += "},\"handlers\":[";
    std::string notReached;
    first = true;
    for (const HandlerVisit visit : record.visits()) {
        const std::string component = inQuotes(recorder.names().name(visit.component));
        if (visit.result == HandlerResult::NotReached) {
            notReached += (notReached.empty() ? "" : ",") + component;
            continue;
        }
        if (!first)
            out += ",";
        first = false;
        out += "{\"component\":" + component + ",\"priority\":" + std::to_string(visit.priority)
               + ",\"result\":\"" + (visit.result == HandlerResult::Consumed ? "consumed" : "passed") + "\"";
        if (timing)
            out += ",\"ns\":" + std::to_string(visit.nanoseconds);
        out += "}";
    }
    return out + "],\"notReached\":[" + notReached + "]}";
}

} // namespace sbx
