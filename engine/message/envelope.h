#pragma once
// What accompanies every message: sender, receiver, tick, and the message that caused it.

#include "engine/core/ids.h"

#include <cstdint>
#include <limits>

namespace sbx {

enum class Delivery : std::uint8_t {
    Immediate,
    Component,
    Children,
    Ancestors,
    Broadcast,
    Listener,
    Network,
    Queued
};
// "immediate", "component", …, as in the trace.
[[nodiscard]] const char* deliveryName(Delivery delivery);

// The message during whose handling another one was sent, in one word.
struct MessageCause {
    // A type of messages that are not recorded, to which `unrecorded` adds 1.
    static constexpr unsigned TypeShift = 48;
    static constexpr std::uint64_t SequenceMask = (std::uint64_t(1) << TypeShift) - 1;

    std::uint64_t bits = 0;

    [[nodiscard]] static MessageCause of(std::uint64_t sequence) { return {sequence & SequenceMask}; }
    // A message that is not recorded, which was itself caused by this.
    [[nodiscard]] MessageCause unrecorded(MessageTypeId type) const {
        return {sequence() | (std::uint64_t(type) + 1) << TypeShift};
    }
    // Of the message, or if that is not recorded, of the nearest one before it in the chain of causes that is; 0: none.
    [[nodiscard]] std::uint64_t sequence() const { return bits & SequenceMask; }
    // NoType: the message is recorded, or there is none.
    [[nodiscard]] MessageTypeId through() const {
        return static_cast<MessageTypeId>((bits >> TypeShift) - 1);
    }
};
static_assert(NoType == std::numeric_limits<MessageTypeId>::max());

// Where a message is sent, in source code.
struct SendSite {
    const char* file = nullptr; // as the compiler was told; null: nothing is recorded
    unsigned line = 0;          // from 1

    // As a default argument: the line of the call. In builds for debugging, which define SBX_SEND_SITES (signalbox::engine does it for
    // the configuration Debug); else nothing, because every send would pay for it.
#ifdef SBX_SEND_SITES
    [[nodiscard]] static constexpr SendSite here(const char* file = __builtin_FILE(),
                                                 unsigned line = __builtin_LINE()) {
        return {file, line};
    }
#else
    [[nodiscard]] static constexpr SendSite here() { return {}; }
#endif
};

struct Envelope {
    // Number of the message's record, from 1, without gaps, one per receiver, for each world; 0: it is not recorded. What a component
    // does must not depend on it.
    std::uint64_t sequence = 0;
    // Sequence of the message being handled when this one was sent, never its own; if that is not recorded, of the nearest one before it
    // in the chain of causes that is; 0: none.
    std::uint64_t cause = 0;
    std::uint64_t tick = 0;
    EntityId sender; // null: the engine or the console
    EntityId receiver;
    MessageTypeId type = NoType;
    Delivery delivery = Delivery::Immediate; // the route
    std::uint8_t world = 0;                  // index of the world's name in the recorder
    bool delayed =
        false; // came through the delayed queue; of Delivery::Network: waited for what it depends on
    bool injected = false;                     // sent by a person: console, composer
    MessageTypeId through = NoType;          // type of the message being handled when this one was sent, if that is not recorded
    std::uint16_t part = 0;                  // Delivery::Component: which of the entity's components, in file order
    NameId site = 0; // "file:line" of the SendSite, in the recorder's names; 0: not known
    std::uint64_t queuedAt = 0;              // if delayed: tick of sending; of Delivery::Network: of arrival
};
static_assert(sizeof(Envelope) == 64);

} // namespace sbx
