#pragma once
// Why did a component not act, or why did it? For each of its handlers: the newest message of that type that went to its entity, and what
// the handler saw of it.
//
//   TraceStore --look(), from the oldest record in memory on--> one answer for each handler
//
// What comes later is looked at in the same way, so that the answers stay those of the newest records. Another run begins anew. No
// widgets; the thread of the store.

#include "engine/message/record.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sbx::ui {

class TraceStore;

struct AskedHandler {
    MessageTypeId message = NoType;
    std::int32_t priority = 0;
    friend bool operator==(const AskedHandler&, const AskedHandler&) = default;
};

struct AskedComponent {
    std::string entity;
    std::string component; // as records name it: without the number of "Mesh#2"
    std::size_t which = 0; // of several of that kind in the entity, in their order; 0: the first
    std::vector<AskedHandler> handlers;
};

// What a handler saw of a message.
enum class HandlerSaw {
    Nothing, // no such message went to the entity
    Handled, // and passed it on
    Consumed,
    LookedOn,   // as an observer
    NotReached, // one before it consumed the message
    Dropped,    // a person dropped the message at a breakpoint before it came here
    NotAmong, // the message was delivered, and the handler was not in its list: the component was switched off, added later, or
              // the message was for another component alone
    Lost      // the message was not delivered: HandlerAnswer::note says why
};

struct HandlerAnswer {
    AskedHandler handler;
    HandlerSaw saw = HandlerSaw::Nothing; // of the message `last`
    std::uint64_t last = 0;               // sequence of the newest message of the type to the entity; 0: none
    std::uint64_t lastTick = 0;
    HandlerVisit consumer;              // of `last`, if NotReached: which handler consumed it
    RecordNote note = RecordNote::None; // of `last`, if Lost
    bool toOneComponent = false;        // `last` was sent to one component alone
    bool anyHandler = false;            // `last` had handlers at all
    std::uint64_t all = 0;              // messages of the type to the entity that were looked at
    std::uint64_t reached = 0;          // of these, those that the handler got
    std::uint64_t lastReached = 0;      // sequence of the newest of those; 0: none
    std::uint64_t elsewhere = 0; // sequence of the newest message of the type to another entity; 0: none
};

class HandlerQuestion {
public:
    explicit HandlerQuestion(AskedComponent asked);

    // Looks at no more than `limit` records. True: at all that the store holds.
    bool look(const TraceStore& store, const NameTable& names, std::size_t limit);
    // As `asked.handlers`.
    [[nodiscard]] const std::vector<HandlerAnswer>& answers() const { return m_answers; }
    [[nodiscard]] const AskedComponent& asked() const { return m_asked; }
    // Tick of the first record that was looked at. Only if any was.
    [[nodiscard]] std::uint64_t since() const { return m_since; }
    [[nodiscard]] bool any() const { return m_any; }

private:
    void begin();
    void take(const RecordView& record, const NameTable& names);
    void judge(HandlerAnswer& answer, const RecordView& record, const NameTable& names) const;

    AskedComponent m_asked;
    std::vector<HandlerAnswer> m_answers;
    std::vector<bool> m_types; // by id: a handler is for it
    std::uint64_t m_run = 0;   // of the store
    std::uint64_t m_next = 0;  // its row to look at next
    std::uint64_t m_since = 0;
    bool m_any = false;
};

} // namespace sbx::ui
