#pragma once
// Where the trace panel's records come from. The application implements it over a session;
// RecorderTraceSource over a recorder. All calls come from the GUI thread; requests may take effect a tick
// later.

#include "engine/entity/component_type.h"
#include "engine/message/recorder.h"
#include "engine/message/trace_json.h"
#include "widgets/common/entity_lives.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {
struct TraceNote; // trace_reader.h
}

namespace sbx::ui {

class TraceSource {
public:
    virtual ~TraceSource() = default;

    // Appends the segments sealed since the last call, oldest first.
    virtual void poll(std::vector<std::shared_ptr<const RecordSegment>>& out) = 0;
    // Appends what had been noted on records that were handed over: of a file, its marks and comments.
    virtual void takeNotes(std::vector<TraceNote>& out) { static_cast<void>(out); }
    // Records lost because the window lagged too far behind.
    [[nodiscard]] virtual std::uint64_t missed() const = 0;

    // Names in records; safe to read here for every id in a segment that was handed over.
    [[nodiscard]] virtual const NameTable& names() const = 0;
    [[nodiscard]] virtual std::string_view worldName(std::uint8_t world) const = 0;
    // Of the world that is recorded now; another run may have another.
    [[nodiscard]] virtual double ticksPerSecond() const = 0;
    // What is known beyond the records: an entity's name and whether it is gone. None: nothing.
    [[nodiscard]] virtual std::optional<EntityLife> life(std::uint8_t, EntityId) const {
        return std::nullopt;
    }
    // The components that act on messages of the type, by name; observers are none. Empty: none does, or it is not known.
    [[nodiscard]] virtual std::vector<std::string> handlersOf(MessageTypeId type) const {
        static_cast<void>(type);
        return {};
    }
    // The components of the entity's type, by name. None: it is not known, or the entity is gone.
    [[nodiscard]] virtual std::optional<std::vector<std::string>> componentsOf(std::uint8_t world,
                                                                               EntityId entity) const {
        static_cast<void>(world);
        static_cast<void>(entity);
        return std::nullopt;
    }
    // Where a component's handler of the type is declared; of several the first. Nothing: there is none, or it is not known.
    [[nodiscard]] virtual std::optional<CodeLine> codeOf(std::string_view component,
                                                         MessageTypeId type) const {
        static_cast<void>(component);
        static_cast<void>(type);
        return std::nullopt;
    }
    // The record as one line of the trace file, with those names for entities in its fields.
    [[nodiscard]] virtual std::string json(const RecordView& record, const EntityNamer& entityName) const = 0;

    // The record mask, as last requested from here or by default.
    [[nodiscard]] virtual bool isRecorded(MessageTypeId type) const = 0;
    virtual void requestRecorded(MessageTypeId type, bool recorded) = 0;
    // Of a session, which goes on. False of a file: nothing more is recorded, and its entities are names, none of which can be gone to.
    [[nodiscard]] virtual bool isLive() const { return true; }
};

} // namespace sbx::ui
