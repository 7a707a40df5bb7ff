#pragma once
// A record as one line of JSON, the trace file's format.

#include "engine/message/recorder.h"

#include <functional>
#include <span>
#include <string>

namespace sbx {

// Names of entities inside payloads, by handle; an empty answer prints the handle's number.
using EntityNamer = std::function<std::string(EntityId)>;

// `{"sequence":812,"tick":120,…,"handlers":[…],"notReached":[…]}` without a line end. `timing` adds "ns" to each handler.
[[nodiscard]] std::string traceLine(const RecordView& record, const Recorder& recorder, bool timing,
                                    const EntityNamer& entityName = {});

// What stands behind a key of a line, and behind those that whoever keeps the line adds.
struct TraceKey {
    enum class Kind { String, Number, Flag, Json }; // Number: whole, from 0; Json: an object or a list
    const char* name;
    Kind kind;
    bool always = false; // every line has it
};
// All that a line can have.
[[nodiscard]] std::span<const TraceKey> traceKeys();

} // namespace sbx
