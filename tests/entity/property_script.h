#pragma once
// What happens in a random world: generated numbers read as what components do when they hear something, and as what is done to the
// world from outside. Played by property_world.h and property_model.h, which must agree.

#include "engine/core/fields.h"
#include "engine/message/envelope.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbx::properties {

struct Hit {
    static constexpr const char* Name = "property.Hit";
    int amount = 0;
    static void describe(FieldList<Hit>& f) { f.add("amount", &Hit::amount, "How far it goes on."); }
};

enum class Do {
    Nothing,
    Send,
    Children,
    Ancestors,
    Broadcast,
    ToType,
    ToPart,
    ToListeners,
    Destroy,
    Spawn,
    Add,
    Remove,
    Enable,
    Disable,
    PartOn,
    PartOff,
    Reparent,
    Queue,
    QueuePart,
    QueueRoute,
    Cancel,
    Listen,
    Unlisten,
    Tick,
    Count
};
inline constexpr std::size_t MaxEntities = 14;
inline constexpr int Kinds = 4;
inline constexpr int Types = 3;
inline constexpr int Priorities[Kinds] = {0, 5, -3, 0};

struct Action {
    Do what = Do::Nothing;
    std::size_t target = 0; // in the roster of all that were ever made
    int extra = 0;
    static Action decode(std::uint32_t v, bool inHandler) {
        Action a;
        a.what = static_cast<Do>(v % static_cast<std::uint32_t>(inHandler ? Do::Tick : Do::Count));
        a.target = v / 32 % MaxEntities;
        a.extra = static_cast<int>(v / 1024 % 16);
        return a;
    }
};

// What the types and added components do, from the generated numbers.
struct Script {
    std::vector<std::uint32_t> behaviours;
    std::vector<std::uint32_t> program;
    [[nodiscard]] std::uint32_t number(int type, int kind) const {
        return behaviours.empty()
                   ? 0
                   : behaviours[static_cast<std::size_t>(type * Kinds + kind) % behaviours.size()];
    }
    [[nodiscard]] Action behaviour(int type, int kind) const {
        return Action::decode(number(type, kind), true);
    }
    [[nodiscard]] bool consumes(int type, int kind) const { return number(type, kind) / 65536 % 5 == 0; }
    // Kinds of a type's components, in file order: one to three of the four.
    [[nodiscard]] std::vector<int> kinds(int type) const {
        const std::uint32_t n = number(type, 0) / 7;
        std::vector<int> out;
        for (int i = 0; i <= static_cast<int>(n % 3); ++i)
            out.push_back((type + i * 3 + static_cast<int>(n / 3 % 2)) % Kinds);
        return out;
    }
};
// Often the component that a message was just queued for goes, and another takes its place.
template <typename Either, typename Self>
void replacePart(Either& world, Action a, int amount, const Self& self) {
    if (a.extra < 8)
        return;
    for (const Do what : {Do::Remove, Do::Add}) {
        a.what = what;
        if (what == Do::Remove || a.extra < 12)
            world.perform(a, amount, self);
    }
}
// What QueueRoute takes.
inline constexpr Delivery LateRoutes[] = {Delivery::Children, Delivery::Ancestors, Delivery::Broadcast, Delivery::Listener};
inline constexpr int AddedType = Types; // behaviours of what is added at run time

} // namespace sbx::properties
