#pragma once
// Watching handlers as they are called: for message breakpoints and for the history of fields. A world that is watched calls
// its handlers one by one instead of in one go; what they do, and in which order, is the same.
//
// Simulation thread, within the dispatch: what is called here may read the world, but must not send, create or destroy.

#include "engine/message/dispatch_table.h"

#include <span>

namespace sbx {

class World;

// Before or after one handler of one message to one entity.
struct HandlerMoment {
    World& world;
    const Envelope& envelope;
    void* message = nullptr; // before: may be changed, its handlers get it so
    std::span<const HandlerEntry> handlers; // all that the message goes to, in order of priority
    std::size_t at = 0;                     // which of them
    void* component = nullptr;              // whose handler it is
};

class HandlerWatch {
public:
    enum class Verdict { Handle, Drop };

    virtual ~HandlerWatch() = default;
    // Drop: neither this handler nor those behind it get the message.
    virtual Verdict before(HandlerMoment& moment) = 0;
    virtual void after(const HandlerMoment& moment, bool consumed) = 0;
};

} // namespace sbx
