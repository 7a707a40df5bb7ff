#pragma once
// What a record says, in words: names of entities, worlds, types and handlers, its outcome, its fields; and
// the filter schema over all of that. Learns the names of entities in payloads from the envelopes that pass
// by. Window thread.

#include <QString>
#include <QStringList>

#include "engine/core/filter.h"
#include "widgets/trace/trace_source.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sbx::ui {

// The last four are what befell a message beyond its handlers (RecordNote).
enum class TraceOutcome { Passed, Consumed, Unhandled, Short, Gone, Unheard, CutOff };

// `amount 5.0 m/s`, ready to paint.
struct FieldText {
    QString name;
    QString value;
    QString unit;
};

class TraceContext {
public:
    explicit TraceContext(TraceSource& source);

    // Takes in message types that came since; true if there were any.
    bool updateTypes();
    void learn(const RecordView& record);
    void forgetEntities();
    // Names seen in that field so far, or known to it: for completion. At most `limit`.
    [[nodiscard]] std::vector<std::string> knownValues(const FilterField& field, std::string_view typed,
                                                       std::size_t limit = 200) const;

    [[nodiscard]] const FilterSchema& schema() const { return m_schema; }
    [[nodiscard]] const std::vector<const MessageType*>& types() const { return m_types; }
    [[nodiscard]] TraceSource& source() const { return m_source; }

    [[nodiscard]] const MessageType& type(const RecordView& record) const {
        return *m_types[record.type()];
    }
    [[nodiscard]] std::string_view sender(const RecordView& record) const {
        return name(record.senderName());
    }
    [[nodiscard]] std::string_view receiver(const RecordView& record) const {
        return name(record.receiverName());
    }
    [[nodiscard]] std::string_view world(const RecordView& record) const;
    [[nodiscard]] std::string_view name(NameId id) const { return m_source.names().name(id); }
    // "queued" for a delayed message to one entity, else the route.
    [[nodiscard]] static std::string_view delivery(const RecordView& record);
    [[nodiscard]] static TraceOutcome outcome(const RecordView& record);
    // Who consumed it; 0: nobody.
    [[nodiscard]] static NameId consumer(const RecordView& record);
    [[nodiscard]] int worldsSeen() const {
        return static_cast<int>(std::count(m_worlds.begin(), m_worlds.end(), true));
    }
    // Name of an entity in a payload, or empty.
    [[nodiscard]] std::string_view entityName(std::uint8_t world, EntityId entity) const;

    // At most `limit` fields, numbers rounded to three decimals.
    [[nodiscard]] std::vector<FieldText> fields(const RecordView& record, std::size_t limit = 64) const;
    // "amount 5.0 · kind fire"
    [[nodiscard]] QString fieldsLine(const RecordView& record) const;
    [[nodiscard]] QString fieldValue(const RecordView& record, const FieldInfo& field, bool exact) const;
    [[nodiscard]] QString outcomeText(const RecordView& record) const;
    // One tab-separated line.
    [[nodiscard]] QString line(const RecordView& record) const;

    // Fixed ids of the schema, in order; payload fields follow.
    enum Field : FilterFieldId {
        Sequence,
        Tick,
        Cause,
        World,
        Type,
        Sender,
        Receiver,
        Entity,
        Delivery,
        Outcome,
        ConsumedBy,
        HandlerComponent,
        HandlerPriority,
        HandlerResultText,
        HandlerNs,
        NotReached,
        FirstPayload
    };

private:
    friend class TraceRow;
    // Where a payload field of the schema stands in one message type.
    struct Access {
        const FieldInfo* field = nullptr; // null: this type has no such field
        std::int8_t element = -1;         // of a vector; -1: the whole
    };
    [[nodiscard]] const Access& access(MessageTypeId type, FilterFieldId id) const;
    void addPayload(const MessageType& type);
    void learn(std::uint8_t world, EntityId entity, NameId name);

    TraceSource& m_source;
    FilterSchema m_schema;
    std::vector<const MessageType*> m_types;              // by id
    std::vector<std::vector<Access>> m_access;            // by type, then payload field
    std::unordered_map<std::uint64_t, NameId> m_entities; // world and handle mixed
    std::vector<std::uint64_t> m_lastKey; // by name: its entry in m_entities; 0: not an entity seen so far
    std::vector<bool> m_components;       // by name
    std::vector<bool> m_worlds;           // by index
};

[[nodiscard]] const char* outcomeName(TraceOutcome outcome);
// Notes wear the icon and the colour of what nobody handled.
[[nodiscard]] inline TraceOutcome shownAs(TraceOutcome outcome) { return std::min(outcome, TraceOutcome::Unhandled); }

inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace sbx::ui
