#pragma once
// What accompanies every message: sender, receiver, tick, and the message that caused it.

#include "engine/core/ids.h"

#include <cstdint>

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

struct Envelope {
    std::uint64_t sequence = 0; // given at dispatch, from 1, one per receiver
    std::uint64_t cause = 0;    // sequence of the message being handled when this one was sent, never its own; 0: none
    std::uint64_t tick = 0;
    EntityId sender; // null: the engine or the console
    EntityId receiver;
    MessageTypeId type = NoType;
    Delivery delivery = Delivery::Immediate; // the route
    std::uint8_t world = 0;                  // index of the world's name in the recorder
    bool delayed = false;                    // came through the delayed queue
    std::uint16_t part = 0;                  // Delivery::Component: which of the entity's components, in file order
    std::uint64_t queuedAt = 0;              // tick of sending, if delayed
};

} // namespace sbx
