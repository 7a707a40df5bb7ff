#include "engine/session/breakpoints.h"

#include "engine/entity/handler_watch.h"
#include "engine/entity/world.h"
#include "engine/message/record_payload.h"

#include <algorithm>
#include <cstring>

namespace sbx {

Result<int> Breakpoints::add(std::string_view text, double ticksPerSecond, std::optional<std::string> before) {
    const bool first = !m_schema;
    if (first)
        m_schema = std::make_unique<RecordFilterSchema>(
            m_recorder.names(), [&recorder = m_recorder](std::uint8_t world) -> std::string_view { return recorder.worldName(world); },
            ticksPerSecond);
    m_schema->updateTypes();
    Result<Filter> filter = Filter::compile(text, m_schema->schema());
    if (!filter) {
        if (first)
            m_schema.reset();
        return filter.error();
    }
    if (first) {
        m_recorder.seal(); // what came before is not for this reader
        m_reader = m_recorder.addReader();
    }
    m_list.push_back({++m_last, std::move(*filter), 0, std::move(before), {}});
    return m_last;
}

bool Breakpoints::remove(int number) {
    const bool found = std::erase_if(m_list, [number](const Breakpoint& b) { return b.number == number; }) > 0;
    if (m_list.empty())
        clear();
    return found;
}

Breakpoint* Breakpoints::find(int number) {
    const auto found = std::find_if(m_list.begin(), m_list.end(), [number](const Breakpoint& b) { return b.number == number; });
    return found == m_list.end() ? nullptr : &*found;
}

bool Breakpoints::anyBefore() const {
    return std::any_of(m_list.begin(), m_list.end(), [](const Breakpoint& b) { return b.before.has_value(); });
}

Breakpoint* Breakpoints::before(const HandlerMoment& moment, const std::function<std::string()>& component) {
    std::optional<std::string> name;
    bool recorded = false;
    RecordFilterRow row(*m_schema);
    for (Breakpoint& breakpoint : m_list) {
        if (!breakpoint.before)
            continue;
        if (breakpoint.before->empty() ? moment.at != 0 : *breakpoint.before != (name ? *name : name.emplace(component())))
            continue;
        if (!recorded) {
            if (!m_scratch) {
                m_scratch = std::make_unique<Recorder>();
                m_scratchReader = m_scratch->addReader();
            }
            const Envelope& envelope = moment.envelope;
            const auto nameOf = [&](EntityId id) { return id ? m_recorder.names().intern(moment.world.nameOf(id)) : NameId(0); };
            m_scratch->begin(envelope, nameOf(envelope.sender), nameOf(envelope.receiver), NoHandlers, moment.message,
                             messageType(envelope.type).size);
            m_scratch->seal();
            m_segments.clear();
            m_scratchReader->poll(m_segments);
            m_schema->updateTypes();
            const RecordView record = (*m_segments.back())[0];
            m_schema->learn(record);
            learnEntities(record, moment.world);
            row.set(record);
            recorded = true;
        }
        if (breakpoint.filter.matches(row)) {
            m_segments.clear();
            return &breakpoint;
        }
    }
    m_segments.clear();
    return nullptr;
}

void Breakpoints::clear() {
    m_list.clear();
    m_reader.reset();
    m_schema.reset();
    m_segments.clear();
}

void Breakpoints::restart(double ticksPerSecond) {
    if (!m_reader)
        return;
    if (m_schema->schema().ticksPerSecond() != ticksPerSecond) {
        m_schema->setTicksPerSecond(ticksPerSecond);
        for (Breakpoint& breakpoint : m_list)
            if (Result<Filter> filter = Filter::compile(breakpoint.filter.text(), m_schema->schema()))
                breakpoint.filter = std::move(*filter);
    }
    m_recorder.seal();
    m_reader->poll(m_segments);
    m_segments.clear();
    m_schema->forgetEntities();
}

// Entities that are spoken of before they spoke.
void Breakpoints::learnEntities(const RecordView& record, const World& world) {
    for (const FieldInfo& field : *m_schema->type(record).fields) {
        if (field.type != FieldType::Entity)
            continue;
        EntityId entity;
        std::memcpy(&entity, record::member(record, field), sizeof entity);
        if (!m_schema->entityName(record.world(), entity).empty())
            continue;
        if (const std::string name = world.nameOf(entity); !name.empty())
            m_schema->learn(record.world(), entity, m_recorder.names().intern(name));
    }
}

std::string Breakpoints::describe(const RecordView& record) const {
    std::string text = m_schema->type(record).name;
    if (const std::string_view to = m_schema->receiver(record); !to.empty())
        text.append(" to ").append(to);
    if (const std::string_view from = m_schema->sender(record); !from.empty())
        text.append(" from ").append(from);
    return text;
}

std::optional<BreakHit> Breakpoints::check(const World& world) {
    if (!m_reader)
        return std::nullopt;
    m_recorder.seal();
    m_reader->poll(m_segments);
    m_schema->updateTypes();
    std::optional<BreakHit> hit;
    RecordFilterRow row(*m_schema);
    for (const auto& segment : m_segments)
        segment->forEach([&](const RecordView& record) {
            m_schema->learn(record);
            learnEntities(record, world);
            row.set(record);
            bool matched = false;
            for (Breakpoint& breakpoint : m_list) {
                if (breakpoint.before || !breakpoint.filter.matches(row))
                    continue;
                ++breakpoint.hits;
                if (!hit)
                    hit = BreakHit{breakpoint.number,         0,   record.sequence(), record.tick(), 0,
                                   breakpoint.filter.text(), describe(record)};
                else if (!matched && record.sequence() != hit->sequence)
                    ++hit->others;
                matched = true;
            }
        });
    m_segments.clear();
    return hit;
}

} // namespace sbx
