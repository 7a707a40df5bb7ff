#include "app/player/trace_filter.h"

#include "engine/message/record_payload.h"

#include <cstring>
#include <utility>

namespace sbx::player {

TraceFilter::TraceFilter(const Recorder& recorder, double ticksPerSecond)
    : m_schema(
        recorder.names(), [&recorder](std::uint8_t world) -> std::string_view { return recorder.worldName(world); }, ticksPerSecond) {}

Result<std::unique_ptr<TraceFilter>> TraceFilter::compile(const std::string& text, const Recorder& recorder, double ticksPerSecond) {
    std::unique_ptr<TraceFilter> out(new TraceFilter(recorder, ticksPerSecond));
    Result<Filter> filter = Filter::compile(text, out->m_schema.schema());
    if (!filter) {
        Error error = filter.error();
        error.file = "--trace-filter";
        return error;
    }
    out->m_filter = std::move(*filter);
    return out;
}

bool TraceFilter::matches(const RecordView& record, const NameOf& nameOf) {
    m_schema.updateTypes();
    m_schema.learn(record);
    for (const FieldInfo& field : *m_schema.type(record).fields) {
        if (field.type != FieldType::Entity)
            continue;
        EntityId entity;
        std::memcpy(&entity, record::member(record, field), sizeof entity);
        if (entity && m_schema.entityName(record.world(), entity).empty())
            m_schema.learn(record.world(), entity, nameOf(entity));
    }
    m_row.set(record);
    return m_filter.matches(m_row);
}

} // namespace sbx::player
