#pragma once
// Lets a client's own player act on its inputs at once, and puts it right by what the server made of them later.
//
// Method: client-side prediction with reconciliation (Yahn Bernier, "Latency Compensating Methods in Client/Server In-game Protocol
// Design and Optimization", 2001), without a second simulation of the ticks in between: the client keeps what its player was after
// each tick. A state from the server says how many inputs it contains and how long the last of them has acted; it is compared with what
// the client's player was at that point, and the difference is added to what the player is now and was since then. An input that
// both ends simulate alike changes nothing when the server's state arrives a round trip later.

#include "engine/components/state_table.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace sbx {

// Thread: the session's. In steady state no call allocates.
class PlayerPrediction {
public:
    // How far the server had come with the inputs of this client when it took a state.
    struct Progress {
        std::uint32_t inputs = 0; // of those that were sent
        std::uint32_t ticks = 0;  // for which the last of them has acted
    };
    static constexpr std::size_t Depth = 256; // ticks of the past that are kept

    void setEnabled(bool enabled) { m_enabled = enabled; }
    [[nodiscard]] bool enabled() const { return m_enabled; }
    void clear();
    // An input left for the server before the tick that follows `tick`.
    void inputSent(std::uint64_t tick);
    [[nodiscard]] std::uint32_t inputsSent() const { return m_sent; }
    // Whether an input left so lately that the server's state is probably behind it: until a second afterwards.
    [[nodiscard]] bool isAhead(std::uint64_t tick, double tickRate) const;
    // What the player is after the tick.
    void record(const std::shared_ptr<const StateTable>& table, const Entity& player, const World& world, const EntityToWire& toWire);

    // What the player is to become, given the server's words of the columns in `has`: fills mask and words with what is to be changed, for
    // StateTable::apply(). `now`: what it is at present. Call moved() once that is done. False: nothing is known about that time; the server's words are
    // to be taken as they are.
    [[nodiscard]] bool reconcile(const StateTable& table, const Progress& progress, std::uint64_t tick, std::span<const std::uint8_t> has,
                                 std::span<const std::uint32_t> server, std::span<const std::uint32_t> now, StateTable::Mask& mask,
                                 StateTable::Words& words);

private:
    struct Past {
        std::uint64_t tick = 0;
        StateTable::Words words; // empty: none
    };
    static constexpr std::size_t Inputs = 1024; // whose ticks are kept
    static constexpr double AheadFor = 1.0;     // s

    [[nodiscard]] Past* at(std::uint64_t tick);
    // The tick before which that input left; it is among the last ones.
    [[nodiscard]] std::uint64_t tickOf(std::uint32_t input) const { return m_inputTicks[input % Inputs]; }

    bool m_enabled = true;
    std::uint32_t m_sent = 0;
    std::array<std::uint64_t, Inputs> m_inputTicks{}; // of the input with that number, counted from 1
    std::shared_ptr<const StateTable> m_table;        // of the past
    std::array<Past, Depth> m_past;                   // by tick
};

} // namespace sbx
