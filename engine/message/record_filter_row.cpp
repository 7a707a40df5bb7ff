#include "engine/message/record_filter.h"

#include "engine/message/record_payload.h"

#include <algorithm>
#include <cstring>

namespace sbx {

namespace {

// Messages are trivially copyable, so their texts are FixedText: bytes up to a zero or the end.
std::string_view fixedText(const std::byte* at, std::size_t size) {
    const char* const text = reinterpret_cast<const char*>(at);
    const void* const end = std::memchr(text, 0, size);
    return {text, end == nullptr ? size : static_cast<std::size_t>(static_cast<const char*>(end) - text)};
}

} // namespace

// Visits are in priority order, those that were not reached behind the others.
HandlerVisit RecordFilterRow::visit(bool reached, std::size_t index) const {
    const auto visits = m_record.visits();
    return visits[reached ? index : visits.reached() + index];
}

std::size_t RecordFilterRow::valueCount(FilterFieldId id) const {
    switch (id) {
    case RecordFilterSchema::Entity:
        return 2;
    case RecordFilterSchema::DecidingPriority:
        return m_record.consumed() ? 1 : 0;
    case RecordFilterSchema::HandlerComponent:
    case RecordFilterSchema::HandlerPriority:
    case RecordFilterSchema::HandlerResultText:
    case RecordFilterSchema::HandlerNs:
    case RecordFilterSchema::NotReached: {
        const auto visits = m_record.visits();
        return id == RecordFilterSchema::NotReached ? visits.size() - visits.reached() : visits.reached();
    }
    default:
        return 1;
    }
}

FilterValue RecordFilterRow::value(FilterFieldId id, std::size_t index) const {
    const auto whole = [](std::uint64_t n) { return FilterValue::of(static_cast<std::int64_t>(n)); };
    switch (id) {
    case RecordFilterSchema::Sequence:
        return whole(m_record.sequence());
    case RecordFilterSchema::Tick:
        return whole(m_record.tick());
    case RecordFilterSchema::Cause:
        return whole(m_record.cause());
    case RecordFilterSchema::Through:
        return FilterValue::of(m_record.through() == NoType ? std::string_view()
                                                            : std::string_view(messageType(m_record.through()).name));
    case RecordFilterSchema::Injected:
        return FilterValue::of(m_record.injected());
    case RecordFilterSchema::Site:
        return FilterValue::of(m_schema.name(m_record.site()));
    case RecordFilterSchema::Late:
        return whole(m_record.late());
    case RecordFilterSchema::World:
        return FilterValue::of(m_schema.world(m_record));
    case RecordFilterSchema::Type:
        return FilterValue::of(std::string_view(m_schema.type(m_record).name));
    case RecordFilterSchema::Sender:
        return FilterValue::of(m_schema.sender(m_record));
    case RecordFilterSchema::Receiver:
        return FilterValue::of(m_schema.receiver(m_record));
    case RecordFilterSchema::Entity:
        return FilterValue::of(index == 0 ? m_schema.sender(m_record) : m_schema.receiver(m_record));
    case RecordFilterSchema::Delivery:
        return FilterValue::of(RecordFilterSchema::delivery(m_record));
    case RecordFilterSchema::Outcome:
        return FilterValue::of(std::string_view(outcomeName(RecordFilterSchema::outcome(m_record))));
    case RecordFilterSchema::ConsumedBy:
        return FilterValue::of(m_schema.name(RecordFilterSchema::consumer(m_record)));
    case RecordFilterSchema::HandlerComponent:
        return FilterValue::of(m_schema.name(visit(true, index).component));
    case RecordFilterSchema::HandlerPriority:
        return FilterValue::of(static_cast<std::int64_t>(visit(true, index).priority));
    case RecordFilterSchema::HandlerResultText:
        return FilterValue::of(
            std::string_view(visit(true, index).result == HandlerResult::Consumed ? "consumed" : "passed"));
    case RecordFilterSchema::HandlerNs:
        return FilterValue::of(static_cast<std::int64_t>(visit(true, index).nanoseconds));
    case RecordFilterSchema::DecidingPriority:
        return FilterValue::of(static_cast<std::int64_t>(visit(true, m_record.reached() - 1).priority));
    case RecordFilterSchema::Size:
        return whole(m_record.payloadSize());
    case RecordFilterSchema::NotReached:
        return FilterValue::of(m_schema.name(visit(false, index).component));
    default:
        return payload(id);
    }
}

RecordFilterRow::Word& RecordFilterRow::known(const FilterWord& word, const std::vector<FilterFieldId>& fields) const {
    for (Word& each : m_words)
        if (each.text == word.text && each.isPattern == word.isPattern && each.fields == fields)
            return each;
    constexpr std::size_t Most = 16; // a filter with more forgets, and is slower for it
    if (m_words.size() == Most)
        m_words.clear();
    return m_words.emplace_back(Word{std::string(word.text), word.isPattern, fields, {}, {}, {}});
}

bool RecordFilterRow::nameHas(Word& word, NameId name) const {
    if (name >= word.names.size())
        word.names.resize(name + std::size_t(64), Known::NotYet);
    Known& state = word.names[name];
    if (state == Known::NotYet)
        state = FilterWord{word.text, word.isPattern}.isIn(m_schema.name(name)) ? Known::Yes : Known::No;
    return state == Known::Yes;
}

bool RecordFilterRow::typeHas(Word& word, MessageTypeId type) const {
    if (type >= word.types.size())
        word.types.resize(type + std::size_t(1), Known::NotYet);
    Known& state = word.types[type];
    if (state == Known::NotYet)
        state = FilterWord{word.text, word.isPattern}.isIn(messageType(type).name) ? Known::Yes : Known::No;
    return state == Known::Yes;
}

const std::vector<FilterFieldId>& RecordFilterRow::payloadOf(Word& word, MessageTypeId type) const {
    if (type >= word.payload.size())
        word.payload.resize(type + std::size_t(1));
    std::optional<std::vector<FilterFieldId>>& own = word.payload[type];
    if (!own) {
        own.emplace();
        for (const FilterFieldId id : word.fields)
            if (id >= RecordFilterSchema::FirstPayload && m_schema.access(type, id).field != nullptr)
                own->push_back(id);
    }
    return *own;
}

// Each field as value() has it.
bool RecordFilterRow::has(const FilterWord& wanted, const std::vector<FilterFieldId>& fields) const {
    if (m_asked < Few) {
        ++m_asked;
        return FilterRow::has(wanted, fields);
    }
    Word& word = known(wanted, fields);
    for (const FilterFieldId id : fields) {
        if (id >= RecordFilterSchema::FirstPayload)
            break; // they come last
        bool found = false;
        switch (id) {
        case RecordFilterSchema::Type:
            found = typeHas(word, m_record.type());
            break;
        case RecordFilterSchema::Through:
            found = m_record.through() == NoType ? wanted.isIn({}) : typeHas(word, m_record.through());
            break;
        case RecordFilterSchema::Sender:
            found = nameHas(word, m_record.senderName());
            break;
        case RecordFilterSchema::Receiver:
            found = nameHas(word, m_record.receiverName());
            break;
        case RecordFilterSchema::ConsumedBy:
            found = nameHas(word, RecordFilterSchema::consumer(m_record));
            break;
        default:
            found = FilterRow::has(wanted, {id});
        }
        if (found)
            return true;
    }
    for (const FilterFieldId id : payloadOf(word, m_record.type()))
        if (const FilterValue value = payload(id); value.kind == FilterValue::Kind::String && wanted.isIn(value.text))
            return true;
    return false;
}

FilterValue RecordFilterRow::payload(FilterFieldId id) const {
    const RecordFilterSchema::Access& access = m_schema.access(m_record.type(), id);
    if (access.field == nullptr)
        return {};
    const FieldInfo& field = *access.field;
    const std::byte* const at = record::member(m_record, field);
    const auto in = [&](FilterValue value) {
        value.unit = access.unit;
        return value;
    };
    switch (field.type) {
    case FieldType::Bool:
        return FilterValue::of(*at != std::byte{0});
    case FieldType::Int:
        return in(FilterValue::of(std::get<std::int64_t>(field.get(field, at))));
    case FieldType::Float:
        if (field.singlePrecision) {
            float number = 0.0F;
            std::memcpy(&number, at, sizeof number);
            return in(FilterValue::of(number));
        }
        return in(FilterValue::of(std::get<double>(field.get(field, at))));
    case FieldType::String:
        return FilterValue::of(fixedText(at, field.size));
    case FieldType::Enum:
        return FilterValue::of(record::choice(field, at));
    case FieldType::Entity: {
        EntityId entity;
        std::memcpy(&entity, at, sizeof entity);
        return FilterValue::of(m_schema.entityName(m_record.world(), entity));
    }
    default:
        return in(FilterValue::of(record::element(at, field.type, static_cast<std::size_t>(access.element))));
    }
}

} // namespace sbx
