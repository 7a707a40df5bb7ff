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

// A key that a line of a trace can have, written by traceLine() or, as marks and comments are, by a window.
struct TraceKey {
    enum class Kind { String, Number, Flag, Json }; // Number: whole, from 0; Json: an object or a list
    const char* name;
    Kind kind;
    bool always = false; // every line has it
};
// All of them.
[[nodiscard]] std::span<const TraceKey> traceKeys();

} // namespace sbx
