#pragma once
// What has arrived: the replay window, and the acknowledgement that reports it to the peer.

#include "engine/net/bytes.h"
#include "engine/net/sequence.h"

#include <array>

namespace sbx::net {

// Numbers received below those of the mask, as runs: counted downwards from newest - 33.
struct AckRange {
    std::uint32_t gap = 0;    // numbers not received before this run
    std::uint32_t length = 0; // numbers received, at least 1
};

struct AckInfo {
    static constexpr std::size_t MaxRanges = 16;
    static constexpr std::uint8_t UnknownDelay = 255;

    bool present = false;
    std::uint16_t newest = 0;          // low bits
    std::uint8_t delay = UnknownDelay; // since the newest arrived, in quarters of a millisecond
    std::uint32_t mask = 0;            // bit i: newest - 1 - i
    std::uint8_t rangeCount = 0;
    std::array<AckRange, MaxRanges> ranges{};
};

// Purpose: distinguishes new packets from replayed and stale ones, over the newest 256 numbers. check() changes nothing: accept()
// is called once the packet has passed its tag and all of it was stored.
class ReceivedPackets {
public:
    static constexpr std::uint32_t MaxWindow = 256;
    enum class Verdict : std::uint8_t { Fresh, Duplicate, TooOld };

    // `first`: the first number the peer may use; `window` at most 256.
    explicit ReceivedPackets(std::uint64_t first = 0, std::uint32_t window = MaxWindow)
        : m_first(first), m_newest(first - 1), m_window(window) {}

    [[nodiscard]] Verdict check(std::uint64_t number) const;
    void accept(std::uint64_t number);
    [[nodiscard]] bool received(std::uint64_t number) const;
    [[nodiscard]] bool any() const { return m_newest != m_first - 1; }
    [[nodiscard]] std::uint64_t newest() const { return m_newest; }

    // Without delay; ranges only on request.
    [[nodiscard]] AckInfo acknowledgement(bool withRanges) const;

private:
    [[nodiscard]] std::uint32_t mask() const;

    std::uint64_t m_first;
    std::uint64_t m_newest;
    std::uint32_t m_window;
    std::array<std::uint64_t, MaxWindow / 64> m_bits{}; // by number modulo 256
};

// The wire form: flags (bit 0 present, 1-4 mask byte i follows, 5 ranges follow, 6 left to the caller: `otherFlags`), newest,
// delay, mask bytes that are not 0xFF, ranges. Reading fails on anything the writer would have written otherwise.
void writeAck(ByteWriter& out, const AckInfo& ack, std::uint8_t otherFlags);
// Returns the flags that are not the acknowledgement's.
std::uint8_t readAck(ByteReader& in, AckInfo& ack);

} // namespace sbx::net
