#pragma once
// Records as rows of the filter language: `type == Damage and to ~ crate* and fields.amount > 5`. Used by the trace, message
// breakpoints and benchmarks.
//
// The schema learns names of entities in payloads from the envelopes that pass by. One thread at a time; the names outlive it.

#include "engine/core/filter_completion.h"
#include "engine/message/recorder.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sbx {

// Unheeded: a notice (MessageType::notice), or a message that came by the network and is not asked of a server (MessageType::fromClient), without a handler. The four from Short on are what
// happened to a message outside its handlers (RecordNote). Dropped: by hand, at a breakpoint.
// Observers (HandlerVisit::observer) do not count as handlers.
enum class RecordOutcome { Passed, Consumed, Unheeded, Unhandled, Short, Gone, NoListener, CutOff, Dropped };

// "passed", …, "dropped".
[[nodiscard]] const char* outcomeName(RecordOutcome outcome);

class RecordFilterSchema {
public:
    using WorldName = std::function<std::string_view(std::uint8_t)>;

    RecordFilterSchema(const NameTable& names, WorldName worldName, double ticksPerSecond);

    // Adds message types that were interned since; true if there were any.
    bool updateTypes();
    void learn(const RecordView& record);
    void learn(std::uint8_t world, EntityId entity, NameId name);
    void forgetEntities();
    // Names that occurred in that field so far, or that are defined for it: for completion. At most `limit`.
    [[nodiscard]] std::vector<std::string> knownValues(const FilterField& field, std::string_view typed,
                                                       std::size_t limit = 200) const;

    // Whether messages that meet the demands can have the field: a payload field belongs to certain types (FilterFieldTest).
    [[nodiscard]] bool canHave(const FilterField& field, const std::vector<FilterDemand>& demands) const;

    [[nodiscard]] const FilterSchema& schema() const { return m_schema; }
    // What `tick > 2s` means in filters that are compiled from now on.
    void setTicksPerSecond(double rate) { m_schema.setTicksPerSecond(rate); }
    [[nodiscard]] const std::vector<const MessageType*>& types() const { return m_types; }
    [[nodiscard]] const MessageType& type(const RecordView& record) const { return *m_types[record.type()]; }
    [[nodiscard]] std::string_view sender(const RecordView& record) const { return name(record.senderName()); }
    [[nodiscard]] std::string_view receiver(const RecordView& record) const { return name(record.receiverName()); }
    [[nodiscard]] std::string_view world(const RecordView& record) const { return m_worldName(record.world()); }
    [[nodiscard]] std::string_view name(NameId id) const { return m_names.name(id); }
    // "queued" for a delayed message to one entity, else the route.
    [[nodiscard]] static std::string_view delivery(const RecordView& record);
    [[nodiscard]] static RecordOutcome outcome(const RecordView& record);
    // The component that consumed it; 0: none.
    [[nodiscard]] static NameId consumer(const RecordView& record);
    [[nodiscard]] int worldsSeen() const { return static_cast<int>(std::count(m_worlds.begin(), m_worlds.end(), true)); }
    // Name of an entity in a payload, or empty.
    [[nodiscard]] std::string_view entityName(std::uint8_t world, EntityId entity) const;

    // Fixed ids of the schema, in order; payload fields follow.
    enum Field : FilterFieldId {
        Sequence,
        Tick,
        Cause,
        Through,
        Injected,
        Site,
        Late,
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
        DecidingPriority,
        Size,
        FirstPayload
    };

private:
    friend class RecordFilterRow;
    // The position of a payload field of the schema in one message type.
    struct Access {
        const FieldInfo* field = nullptr; // null: this type has no such field
        std::int8_t element = -1;         // of a vector; -1: the whole
        std::uint8_t unit = 0;            // of FilterField::units
    };
    [[nodiscard]] const Access& access(MessageTypeId type, FilterFieldId id) const;
    void addPayload(const MessageType& type);

    const NameTable& m_names;
    WorldName m_worldName;
    FilterSchema m_schema;
    std::vector<const MessageType*> m_types;              // by id
    std::vector<std::vector<Access>> m_access;            // by type, then payload field
    std::unordered_map<std::uint64_t, NameId> m_entities; // world and handle mixed
    std::vector<std::uint64_t> m_lastKey; // by name: its entry in m_entities; 0: not an entity seen so far
    std::vector<bool> m_components;       // by name
    std::vector<bool> m_worlds;           // by index
};

// A record as the filter sees it. Reads the payload in place. A row through which many records pass keeps of each word that is searched in
// which names and types it is, so that it looks at each name once; one of few records allocates nothing. One thread.
class RecordFilterRow final : public FilterRow {
public:
    explicit RecordFilterRow(const RecordFilterSchema& schema) : m_schema(schema) {}
    void set(const RecordView& record) { m_record = record; }

    [[nodiscard]] std::size_t valueCount(FilterFieldId id) const override;
    [[nodiscard]] FilterValue value(FilterFieldId id, std::size_t index) const override;
    [[nodiscard]] bool has(const FilterWord& word, const std::vector<FilterFieldId>& fields) const override;

private:
    enum class Known : std::uint8_t { No, Yes, NotYet };
    struct Word {
        std::string text;
        bool isPattern = false;
        std::vector<FilterFieldId> fields;
        std::vector<Known> names; // by NameId
        std::vector<Known> types; // by id
        std::vector<std::optional<std::vector<FilterFieldId>>> payload; // by type: those of the fields that it has
    };
    [[nodiscard]] Word& known(const FilterWord& word, const std::vector<FilterFieldId>& fields) const;
    [[nodiscard]] bool nameHas(Word& word, NameId name) const;
    [[nodiscard]] bool typeHas(Word& word, MessageTypeId type) const;
    [[nodiscard]] const std::vector<FilterFieldId>& payloadOf(Word& word, MessageTypeId type) const;
    [[nodiscard]] FilterValue payload(FilterFieldId id) const;
    [[nodiscard]] HandlerVisit visit(bool reached, std::size_t index) const;

    const RecordFilterSchema& m_schema;
    RecordView m_record;
    static constexpr int Few = 16; // words searched before it is worth keeping what was found
    mutable int m_asked = 0;       // at most Few
    mutable std::vector<Word> m_words; // few: those of one filter
};

} // namespace sbx
