#pragma once
// Reads lines of a trace (trace_json.h) back into records. A recorder of its own holds them, so that filters, the trace panel and
// traceLine() treat them as those of a session.
//
// Message types are found by name among those of this program. What a line does not say is taken from the program or made up: the
// priority of a handler that was not reached and whether a component only observes come from the lookup; entities get handles of their
// own by name; `atNs`, the clock at dispatch, is left out. One thread.

#include "engine/core/result.h"
#include "engine/message/recorder.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sbx {

// What a person had noted on a message of the file.
struct TraceNote {
    std::uint64_t sequence = 0;
    bool marked = false;
    std::string comment; // UTF-8; empty: none
    friend bool operator==(const TraceNote&, const TraceNote&) = default;
};

class TraceReader {
public:
    struct KnownHandler {
        std::int32_t priority = 0;
        bool observer = false; // see ComponentType::observer
    };
    // Nothing: this program has no such component, or the component no handler of the type.
    using HandlerLookup = std::function<std::optional<KnownHandler>(std::string_view component, MessageTypeId type)>;

    explicit TraceReader(HandlerLookup handlers = {});
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    static constexpr std::size_t MaxLine = std::size_t(1) << 20U; // bytes
    // Of one file; what is beyond is left out, with a remark.
    static constexpr std::size_t MaxNotes = 100'000;
    static constexpr std::size_t MaxNoteBytes = std::size_t(16) << 20U; // of their comments

    // Records what the line says. Error: it is no line of a trace, its sequence is not above those before, or it has a message type that
    // this program does not know; nothing is recorded then. The region has line 1 and a column where the place is known.
    [[nodiscard]] Result<void> read(std::string_view line);
    // Appends the records that were read since.
    void poll(std::vector<std::shared_ptr<const RecordSegment>>& out);
    // The notes on records that were read since the last call, by ascending sequence.
    [[nodiscard]] std::vector<TraceNote> takeNotes() { return std::exchange(m_notes, {}); }

    // What was left out of records, or filled in, in words ("Damage has no field \"colour\""), with how many records it concerns.
    [[nodiscard]] const std::map<std::string, std::uint64_t>& remarks() const { return m_remarks; }
    [[nodiscard]] const Recorder& recorder() const { return m_recorder; }
    // By the handle that the reader gave it; 0 and empty: a handle that the trace itself holds, of an entity it does not name.
    [[nodiscard]] NameId entityNameId(EntityId entity) const;
    [[nodiscard]] const std::string& entityName(EntityId entity) const { return m_recorder.names().name(entityNameId(entity)); }
    // Whether any handler had a time.
    [[nodiscard]] bool timed() const { return m_timed; }

private:
    class Line; // what is being read
    friend class Line;
    [[nodiscard]] EntityId entity(std::string_view name);
    [[nodiscard]] std::optional<std::uint8_t> world(const std::string& name);
    [[nodiscard]] std::optional<ComponentTypeId> component(const std::string& name, bool observer);
    [[nodiscard]] bool roomForNames() const;
    void addRemark(const std::string& remark);
    void keepNote(TraceNote note);

    HandlerLookup m_handlers;
    Recorder m_recorder;
    std::shared_ptr<RecordReader> m_reader;
    std::uint64_t m_lastSequence = 0;
    std::uint64_t m_lastTick = 0;
    std::map<std::string, std::uint8_t, std::less<>> m_worlds;
    std::map<std::string, ComponentTypeId, std::less<>> m_components;
    std::vector<NameId> m_entities; // by index of the handle, from 1
    std::map<NameId, std::uint32_t> m_entityOfName;
    std::map<std::string, std::uint64_t> m_remarks;
    std::vector<TraceNote> m_notes;
    std::size_t m_noteCount = 0; // of all that were kept, and the bytes of their comments
    std::size_t m_noteBytes = 0;
    bool m_timed = false;
};

} // namespace sbx
