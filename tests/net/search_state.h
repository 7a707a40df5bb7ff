#pragma once
// One state of search.h: the two graphs, the replay window, what is under way between them, and what a second implementation knows.

#include "engine/net/receive_graph.h"
#include "engine/net/received_packets.h"
#include "engine/net/send_graph.h"
#include "tests/net/seen_keys.h"

#include <algorithm>
#include <array>
#include <string>

namespace sbx::net {

struct SearchOptions {
    static constexpr std::uint64_t Any = UINT64_MAX;

    unsigned bits = 3;            // of a message's number
    std::uint32_t window = 2;     // at most 3
    std::uint64_t messages = Any; // at most 9, or any number
    std::uint64_t mostNeeds = 2;  // of a message
    std::size_t mostFlying = 3;   // packets under way, at most 3; each may come again
    int mostAcks = 2;             // acknowledgements under way
    std::uint64_t mostSent = Any; // packets in all, at most 14, or any number
    bool others = false;          // packets without a guaranteed message, too
    // Judges by P2, P6, P7 and the second implementation, too; else by P1, P3, P4, P5 and P8 alone.
    bool secondOpinion = true;
    // No two states are taken for one: for few messages and packets, to see that merging leaves none out.
    bool merges = true;
    bool breadthFirst = false; // finds the nearest fault, but many more states wait for their turn
    std::size_t mostStates = SIZE_MAX;
};

struct SearchState {
    static constexpr std::size_t MaxFlying = 3;
    static constexpr std::uint64_t ReplayWindow = 4;
    static constexpr std::uint64_t Span = 8; // numbers of messages that matter at a time

    struct Packet {
        std::uint64_t number = 0;
        std::uint64_t message = 0; // what the sender means; 0: none
        std::uint32_t needs = 0;   // what the sender means; bit i: the message i + 1 before it
        std::uint32_t wire = 0;
        std::uint32_t needCount = 0;
        std::array<std::uint32_t, Span> wireNeeds{};
    };

    explicit SearchState(const SearchOptions& options)
        : sender(options.bits, 1), receiver(1, options.window) {
        sender.setLimits({options.window, 16, 1000});
        floors.fill(1);
    }

    SendGraph sender;
    ReceiveGraph receiver;
    ReceivedPackets received{1, ReplayWindow};
    std::uint64_t nextPacket = 1;
    // The sender's when the last packets left, by the numbers of these.
    std::array<std::uint64_t, ReplayWindow> floors{};
    std::size_t flyingCount = 0;
    std::array<Packet, MaxFlying> flying{};  // lowest number first
    std::uint32_t acks = 0;                  // under way, by number of message

    // What the second implementation knows. Sets are bits by number, of the numbers near the sender's floor.
    std::array<std::uint8_t, Span> needs{}; // as declared; like Packet::needs
    std::array<std::uint8_t, Span> edges{}; // how many of them were not known executed then
    std::uint32_t arrived = 0;
    std::uint32_t executed = 0;
    std::uint32_t acknowledged = 0;
    std::uint64_t newest = 0;   // packet that arrived
    std::uint32_t accepted = 0; // bit i: packet newest - i

    static std::uint32_t bit(std::uint64_t message) { return 1U << (message % Span); }
    // Whether a set has a message: all below the sender's floor, and those that are put into it.
    [[nodiscard]] bool has(std::uint32_t set, std::uint64_t n) const {
        return n < sender.floor() || (n < sender.next() && (set & bit(n)) != 0);
    }
    template <typename Each> static void forEachNeed(std::uint64_t message, std::uint32_t needs, Each each) {
        for (std::uint64_t distance = 1; distance <= Span; ++distance)
            if ((needs >> (distance - 1) & 1U) != 0)
                each(message - distance);
    }

    // What can have no effect any more.
    void forget() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < flyingCount; ++i)
            if (received.check(flying[i].number) == ReceivedPackets::Verdict::Fresh)
                flying[kept++] = flying[i];
        flyingCount = kept;
        std::uint32_t useful = 0;
        for (std::uint64_t n = sender.floor(); n != sender.next(); ++n)
            useful |= sender.acknowledged(n) ? 0U : bit(n);
        acks &= useful;
    }

    // All that matters of it after forget(): each field in as many bits as it can need. What the second implementation knows is what
    // the graphs say, or there is a fault. How many edges the sender still counts is left out: those to what is known executed decide
    // nothing, and are compared in whichever of the states is met first.
    [[nodiscard]] SeenKeys::Key key(const SearchOptions& options) const {
        SeenKeys::Key key;
        const std::uint64_t floor = sender.floor();
        key.put(options.messages != SearchOptions::Any ? sender.next() : 0, 4);
        key.put(options.mostSent != SearchOptions::Any ? nextPacket : 0, 4);
        key.put(sender.next() - floor, 2);
        for (std::uint64_t n = floor; n != sender.next(); ++n) {
            key.put(sender.acknowledged(n) ? 1 : 0, 1);
            key.put(receiver.executed(n) ? 2 : receiver.hasData(n) ? 1 : 0, 2);
            key.put((acks & bit(n)) != 0 ? 1 : 0, 1);
            std::uint32_t unmet = 0;
            forEachNeed(n, needs[n % Span], [&](std::uint64_t need) {
                unmet |= sender.executed(need) ? 0U : 1U << (n - need - 1);
            });
            key.put(unmet, 2);
        }
        // Packets that are further apart than the replay window is long are as good as any that are.
        std::uint64_t last = newest;
        key.put(flyingCount, 2);
        for (std::size_t i = 0; i < flyingCount; ++i) {
            const Packet& packet = flying[i];
            const bool late = packet.number < newest;
            key.put(late ? 1 : 0, 1);
            key.put(std::min(late ? newest - packet.number : packet.number - last, ReplayWindow), 3);
            last = late ? last : packet.number;
            key.put(packet.message == 0 ? 0 : packet.message + Span - floor, 4); // from 1 on
            key.put(packet.needs, 3);
        }
        key.put(std::min(nextPacket - last, ReplayWindow), 3);
        // How far each floor is behind bounds what may be sent after its packet, and numbers only rise.
        for (std::uint64_t number = nextPacket; number < nextPacket + ReplayWindow; ++number) {
            const std::uint64_t behind = sender.next() - floors[number % ReplayWindow];
            key.put(std::min(behind, std::uint64_t{1} << (options.bits - 1U)), 3);
        }
        return key;
    }
    // All of it, with every number as it is: of up to four messages and seven packets.
    [[nodiscard]] SeenKeys::Key exactKey() const {
        SeenKeys::Key key;
        key.put(sender.next(), 3);
        key.put(sender.floor(), 3);
        for (std::uint64_t n = 1; n < sender.next(); ++n) {
            key.put(sender.acknowledged(n) ? 1 : 0, 1);
            key.put(sender.executed(n) ? 1 : 0, 1);
            key.put(receiver.executed(n) ? 2 : receiver.hasData(n) ? 1 : 0, 2);
            key.put((acks & bit(n)) != 0 ? 1 : 0, 1);
            key.put(needs[n % Span], 3);
        }
        key.put(nextPacket, 4);
        for (std::uint64_t number = 1; number < nextPacket; ++number)
            key.put(received.received(number) ? 1 : 0, 1);
        key.put(newest, 3);
        for (const std::uint64_t floor : floors)
            key.put(floor, 3);
        key.put(flyingCount, 2);
        for (std::size_t i = 0; i < flyingCount; ++i) {
            key.put(flying[i].number, 3);
            key.put(flying[i].message, 3);
            key.put(flying[i].needs, 3);
        }
        return key;
    }
    // For people.
    [[nodiscard]] std::string text() const {
        std::string text = ", with the sender at " + std::to_string(sender.floor()) + " of "
                           + std::to_string(sender.next() - 1) + ", the receiver at "
                           + std::to_string(receiver.floor()) + ", packet " + std::to_string(newest) + " of "
                           + std::to_string(nextPacket - 1);
        for (std::uint64_t n = sender.next() - std::min(sender.next() - 1, Span - 1); n != sender.next(); ++n)
            forEachNeed(n, needs[n % Span], [&](std::uint64_t need) {
                text += "; " + std::to_string(n) + " needs " + std::to_string(need);
            });
        for (std::size_t i = 0; i < flyingCount; ++i)
            text += "; under way packet " + std::to_string(flying[i].number) + " with "
                    + std::to_string(flying[i].message);
        return text;
    }
};

} // namespace sbx::net
