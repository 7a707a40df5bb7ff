#pragma once
// States of entities on the wire: when one is due, and its bytes. Baselines that a peer
// has acknowledged and deltas against them would change this unit alone; interest management `NetworkSystem::stateConnection` too.

#include "engine/components/network_table.h"
#include "engine/entity/world.h"
#include "engine/net/payload.h"

#include <array>

namespace sbx {

// Purpose: states are sent as full values, newest only, twenty times a second: a state that changes is sent at once and ten times
// more, as single packets may be lost, any other every two seconds. Thread: the session's. In steady state no call allocates,
// but for state fields that are texts of more than 15 bytes.
class NetworkStates {
public:
    static constexpr double Rate = 20.0; // Hz

    // The last state of an entity that was sent, and how often it is still to be repeated.
    struct Baseline {
        std::vector<std::uint8_t> bytes;
        int repeats = 0;
    };

    // Sending. Once a tick: whether a round of states is due.
    [[nodiscard]] bool beginRound(double tickRate);
    // The entity's state, encoded, if it changed or is due again in this round; else empty. Valid until the next call.
    [[nodiscard]] net::ByteView encodeIfChanged(const Entity& entity, std::uint32_t number,
                                                Baseline& baseline, const EntityToWire& toWire);

    // Receiving: everything is read before anything changes. `in` is positioned behind the entity's number. Returns null, or
    // what is wrong.
    [[nodiscard]] const char* read(net::ByteReader& in, const Entity& entity, const EntityFromWire& fromWire);
    // What was read last, of the same entity.
    void apply(World& world, EntityId id);

private:
    static constexpr int Repeats = 10;
    static constexpr std::uint64_t Refresh = 40; // rounds between states that did not change

    std::uint64_t m_rounds = 0;
    double m_due = 0.0; // in rounds
    std::array<std::uint8_t, net::FragmentSize> m_room{};
    bool m_placed = false;
    Vec3 m_position{0.0F};
    Quat m_rotation{1.0F, 0.0F, 0.0F, 0.0F};
    std::vector<Value> m_values;
};

} // namespace sbx
