#pragma once
// Watching handlers as they are called: for message breakpoints and for the history of fields. A world that is watched calls
// its handlers one by one instead of in one go; what they do, and in which order, is the same.
//
// Simulation thread, within the dispatch: what is called here may read the world, but must not send, create or destroy.

#include "engine/message/dispatch_table.h"

#include <array>
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

// Several, in the order in which they were added; the first that drops a message has the last word. They outlive it.
class HandlerWatches : public HandlerWatch {
public:
    void add(HandlerWatch& watch) { m_watches[m_count++] = &watch; }
    [[nodiscard]] bool empty() const { return m_count == 0; }
    Verdict before(HandlerMoment& moment) override {
        for (std::size_t i = 0; i < m_count; ++i)
            if (m_watches[i]->before(moment) == Verdict::Drop)
                return Verdict::Drop;
        return Verdict::Handle;
    }
    void after(const HandlerMoment& moment, bool consumed) override {
        for (std::size_t i = 0; i < m_count; ++i)
            m_watches[i]->after(moment, consumed);
    }

private:
    std::array<HandlerWatch*, 4> m_watches{};
    std::size_t m_count = 0;
};

} // namespace sbx
