#pragma once
// The steps of a life, of an entity or of one of its components: which lifecycle message is due next, and what is noted of it.
// README.md shows them as a table of states and events.
//
// An entity whose components are those of its type is one subject: a step sends the message to all its components. An entity with
// components of its own (SlotSpecial) has one subject for each component. Both follow the rules below, from the flags SlotAwake,
// SlotActive, SlotStarted and SlotEnded, which say what was sent so far.

#include "engine/entity/slot_table.h"

#include <cstdint>

namespace sbx {

// In the order in which they are taken when several are due at once, among the components of one entity.
enum class LifeStep : std::uint8_t {
    Awake,   // sends Awake
    Disable, // sends OnDisable
    Destroy, // sends OnDestroy
    Remove,  // a removed component leaves its entity; no message
    Enable,  // sends OnEnable
    None,
    Start    // sends Start; not by nextLifeStep(): it waits for the next tick
};

// What a subject should be.
struct LifeGoal {
    bool active = false;  // it should receive messages and phases; never while `ending`
    bool ending = false;  // its entity was destroyed, or it is a component that was removed
    bool removed = false; // a component that was removed from an entity that stays
};

// The step that is due for a subject with these flags. Awake comes first, OnEnable and OnDisable alternate, and OnDestroy is the last;
// a subject that never got Awake ends without a message.
[[nodiscard]] constexpr LifeStep nextLifeStep(unsigned flags, const LifeGoal& goal) {
    if ((flags & SlotAwake) == 0)
        return !goal.ending ? LifeStep::Awake : goal.removed ? LifeStep::Remove : LifeStep::None;
    if ((flags & SlotActive) != 0 && !goal.active)
        return LifeStep::Disable;
    if (goal.ending)
        return (flags & SlotEnded) == 0 ? LifeStep::Destroy : goal.removed ? LifeStep::Remove : LifeStep::None;
    return (flags & SlotActive) == 0 && goal.active ? LifeStep::Enable : LifeStep::None;
}

// The flags once the step is taken. They change before its message is sent: a handler already finds the new state.
[[nodiscard]] constexpr std::uint16_t flagsAfter(LifeStep step, std::uint16_t flags) {
    switch (step) {
    case LifeStep::Awake:
        return static_cast<std::uint16_t>(flags | SlotAwake);
    case LifeStep::Disable:
        return static_cast<std::uint16_t>(flags & ~SlotActive);
    case LifeStep::Destroy:
        return static_cast<std::uint16_t>(flags | SlotEnded);
    case LifeStep::Enable:
        return static_cast<std::uint16_t>(flags | SlotActive);
    case LifeStep::Start:
        return static_cast<std::uint16_t>(flags | SlotStarted);
    case LifeStep::Remove:
    case LifeStep::None:
        break;
    }
    return flags;
}

} // namespace sbx
