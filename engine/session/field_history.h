#pragma once
// Who changed this value last, and before that: the history of the State fields and the place of entities that are watched, in the main
// world while it runs.
//
//   after a handler:                the State of its component, and the entity's place, compared with what they were  --> by that handler
//   before a handler in another:    the same                                                                          --> by the other one
//   before any other, and after each tick                       --> outside handlers: the physics step, a parent that moved
//   before each tick                                            --> between ticks: a person, a command
//
// All that is watched is compared where a message that no handler sent has another type than the one before it: then a system may have made its step
// meanwhile, as the physics step comes before its contacts, and may have moved anything.
//
// A request may take effect later: a body handles MoveTo, and moves in the physics step. A change outside handlers therefore names the
// last request of its component: a message that the component consumed, no query (MessageType::query), without writing an answer into it and
// without changing its State at once; or one in whose handler another component took hold of the physics body (GetBody), as a hinge does that is activated. A
// change of place names the request of the component whose State changed in the same step. Between ticks no request is named, and a
// change then ends what was asked for before.
//
// Watched are the entities that a window inspects, or all (CVar trace.changes). Of each value the last Kept changes are kept; changes
// outside handlers that follow one another are one. The session's thread.

#include "engine/core/value.h"
#include "engine/entity/handler_watch.h"
#include "engine/message/message_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace sbx {

struct ComponentType;

struct ValueChange {
    std::uint64_t firstTick = 0; // of several outside handlers
    std::uint64_t tick = 0;
    std::string before; // FieldInfo::format(); of a rotation its angles in degrees
    std::string after;
    bool outside = false; // outside handlers
    bool betweenTicks = false; // the same, by a person or a command
    // The handler, or what its component was asked for before, at the tick `askedAt`; empty: outside handlers, and nothing is known.
    std::uint64_t askedAt = 0;
    std::string component;      // "Health", "Mesh#2"; of another entity "Touch of phantom"
    std::string message;        // type
    std::string sender;         // empty: the engine or the console
    std::uint64_t sequence = 0; // of the message; if it is not recorded, of the nearest one before it in its chain of causes; 0: none
    bool recorded = false;      // the message itself has that sequence
};

// Of one value.
struct ValueChanges {
    bool watched = false;
    std::uint64_t since = 0; // tick from which on it is watched
    std::uint64_t all = 0;   // changes since then
    std::vector<ValueChange> last; // newest first, at most FieldHistory::Kept
};

class FieldHistory : public HandlerWatch {
public:
    static constexpr std::size_t Kept = 64;
    static constexpr const char* Place = ""; // instead of a component's name: the entity's position, rotation and scale

    // From the next tick on. What was watched and is no longer among them keeps its changes until the run ends.
    void watch(std::vector<std::string> names) { m_names = std::move(names); }
    void watchAll(bool all) { m_all = all; }
    [[nodiscard]] bool armed() const { return m_all || !m_names.empty(); }
    // Another world.
    void restart();

    // Around a tick of the main world.
    void beginTick(World& world);
    void endTick(World& world);

    // `component`: "Health", "Mesh#2" or Place.
    [[nodiscard]] ValueChanges of(const World& world, const std::string& entity, const std::string& component,
                                  const std::string& field) const;

    // Never drops.
    Verdict before(HandlerMoment& moment) override;
    void after(const HandlerMoment& moment, bool consumed) override;

private:
    struct Field {
        std::string name;
        Value value;
        std::uint64_t all = 0;
        std::deque<ValueChange> last; // newest last
    };
    // A request that a component consumed, or that took hold of it.
    struct Request {
        std::uint64_t tick = 0;
        std::string component; // whose handler it was
        std::string message; // empty: none so far
        std::string sender;
        std::uint64_t sequence = 0;
        bool recorded = false;
    };
    struct Part {
        const ComponentType* type = nullptr; // null: the place
        void* component = nullptr;
        std::string name;
        std::vector<Field> fields;
        Request asked;
    };
    struct Running {
        const HandlerMoment* moment;
        std::array<std::byte, MaxMessageSize> message; // as it was before the handler
    };
    struct Watched {
        std::uint64_t since = 0;
        bool active = false; // in this tick
        std::vector<Part> parts;
    };
    void begin(World& world, EntityId entity);
    // Components come and go.
    static void follow(World& world, EntityId entity, Watched& watched);
    // True if anything changed. `asked`: for changes outside handlers.
    static bool compare(World& world, EntityId entity, Part& part, const HandlerMoment* by, const Part* asked,
                        bool betweenTicks = false);
    // All parts, outside handlers.
    static void compareOutside(World& world, EntityId entity, Watched& watched, bool betweenTicks);
    // All that is watched, outside handlers.
    void compareAll(World& world, bool betweenTicks);
    // What a handler of this moment may change, or may have. True if the State of its component or the place changed.
    bool compareAt(const HandlerMoment& moment, const HandlerMoment* by);
    // What the handler `by` was asked for becomes the last request of the component whose handler `at` is.
    void keepRequest(const HandlerMoment& at, const HandlerMoment& by);

    bool m_all = false;
    std::vector<std::string> m_names;
    std::unordered_map<std::uint64_t, Watched> m_entities; // by handle
    std::vector<Running> m_running;                        // handlers, one inside another
    MessageTypeId m_lastType = NoType; // of the last message in this tick that no handler had sent
};

} // namespace sbx
