#include "widgets/trace/trace_row.h"

#include "widgets/trace/trace_payload.h"

#include <algorithm>
#include <cstring>

namespace sbx::ui {

namespace {

// Messages are trivially copyable, so their texts are FixedText: bytes up to a zero or the end.
std::string_view fixedText(const std::byte* at, std::size_t size) {
    const char* const text = reinterpret_cast<const char*>(at);
    const void* const end = std::memchr(text, 0, size);
    return {text, end == nullptr ? size : static_cast<std::size_t>(static_cast<const char*>(end) - text)};
}

std::uint64_t smallUnsigned(const std::byte* at, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, std::min(size, sizeof value));
    return value;
}

std::string_view choice(const FieldInfo& field, const std::byte* at) {
    const std::uint64_t index = smallUnsigned(at, field.size);
    return index < field.choices.size() ? std::string_view(field.choices[static_cast<std::size_t>(index)])
                                        : "?";
}

} // namespace

// Visits are in priority order, those that were not reached behind the others.
HandlerVisit TraceRow::visit(bool reached, std::size_t index) const {
    const auto visits = m_record.visits();
    return visits[reached ? index : visits.reached() + index];
}

std::size_t TraceRow::valueCount(FilterFieldId id) const {
    switch (id) {
    case TraceContext::Entity:
        return 2;
    case TraceContext::HandlerComponent:
    case TraceContext::HandlerPriority:
    case TraceContext::HandlerResultText:
    case TraceContext::HandlerNs:
    case TraceContext::NotReached: {
        const auto visits = m_record.visits();
        return id == TraceContext::NotReached ? visits.size() - visits.reached() : visits.reached();
    }
    default:
        return 1;
    }
}

FilterValue TraceRow::value(FilterFieldId id, std::size_t index) const {
    const auto whole = [](std::uint64_t n) { return FilterValue::of(static_cast<std::int64_t>(n)); };
    switch (id) {
    case TraceContext::Sequence:
        return whole(m_record.sequence());
    case TraceContext::Tick:
        return whole(m_record.tick());
    case TraceContext::Cause:
        return whole(m_record.cause());
    case TraceContext::World:
        return FilterValue::of(m_context.world(m_record));
    case TraceContext::Type:
        return FilterValue::of(std::string_view(m_context.type(m_record).name));
    case TraceContext::Sender:
        return FilterValue::of(m_context.sender(m_record));
    case TraceContext::Receiver:
        return FilterValue::of(m_context.receiver(m_record));
    case TraceContext::Entity:
        return FilterValue::of(index == 0 ? m_context.sender(m_record) : m_context.receiver(m_record));
    case TraceContext::Delivery:
        return FilterValue::of(TraceContext::delivery(m_record));
    case TraceContext::Outcome:
        return FilterValue::of(std::string_view(outcomeName(TraceContext::outcome(m_record))));
    case TraceContext::ConsumedBy:
        return FilterValue::of(m_context.name(TraceContext::consumer(m_record)));
    case TraceContext::HandlerComponent:
        return FilterValue::of(m_context.name(visit(true, index).component));
    case TraceContext::HandlerPriority:
        return FilterValue::of(static_cast<std::int64_t>(visit(true, index).priority));
    case TraceContext::HandlerResultText:
        return FilterValue::of(
            std::string_view(visit(true, index).result == HandlerResult::Consumed ? "consumed" : "passed"));
    case TraceContext::HandlerNs:
        return FilterValue::of(static_cast<std::int64_t>(visit(true, index).nanoseconds));
    case TraceContext::NotReached:
        return FilterValue::of(m_context.name(visit(false, index).component));
    default:
        return payload(id);
    }
}

FilterValue TraceRow::payload(FilterFieldId id) const {
    const TraceContext::Access& access = m_context.access(m_record.type(), id);
    if (access.field == nullptr)
        return {};
    const FieldInfo& field = *access.field;
    const std::byte* const at = member(m_record, field);
    switch (field.type) {
    case FieldType::Bool:
        return FilterValue::of(*at != std::byte{0});
    case FieldType::Int:
        return FilterValue::of(std::get<std::int64_t>(field.get(field, at)));
    case FieldType::Float:
        return FilterValue::of(std::get<double>(field.get(field, at)));
    case FieldType::String:
        return FilterValue::of(fixedText(at, field.size));
    case FieldType::Enum:
        return FilterValue::of(choice(field, at));
    case FieldType::Entity: {
        EntityId entity;
        std::memcpy(&entity, at, sizeof entity);
        return FilterValue::of(m_context.entityName(m_record.world(), entity));
    }
    default:
        return FilterValue::of(
            static_cast<double>(element(at, field.type, static_cast<std::size_t>(access.element))));
    }
}

} // namespace sbx::ui
