#pragma once
// The content of a datagram once it is decrypted: the wire form of acknowledgement, sections, messages and control frames. Parsing
// only looks; deciding what a message means here and now is the channel's business. PROTOCOL.md describes the same bytes.

#include "engine/net/received_packets.h"

#include <span>
#include <vector>

namespace sbx::net {

enum class SectionKind : std::uint8_t {
    Padding,
    Guaranteed,
    Run,
    Chain,
    Unreliable,
    Fragment,
    Snapshot,
    Control
};

inline constexpr std::size_t MaxDependencies = 64;
// Set in a 16-bit sequence number when the number of one more dependency follows it.
inline constexpr std::uint16_t MoreDependencies = 0x8000;
// Bytes of every fragment but the last; a message up to this size is sent whole. Leaves room for the head with 64 dependencies.
inline constexpr std::uint32_t FragmentSize = 960;
inline constexpr std::uint32_t MaxFragments = 65536;

// What one end grants the other; both enforce it.
struct Limits {
    std::uint32_t window = 1024;                 // messages sent and not known executed, 2..8192
    std::uint32_t pendingBytes = 1U << 20U;      // of their bodies
    std::uint32_t pendingEdges = 16U * 1024U;    // dependencies among them
    std::uint32_t reassemblyBytes = 64U * 1024U; // fragmented messages not yet complete
    std::uint32_t maxMessage = 64U * 1024U;      // one body
    Time maxAckDelay = Millisecond;              // a quarter of a millisecond fine, up to 5 ms

    friend bool operator==(const Limits&, const Limits&) = default;
};

// Within what the protocol allows; a peer's limits are checked with it.
[[nodiscard]] bool valid(const Limits& limits);
void writeLimits(ByteWriter& out, const Limits& limits);
[[nodiscard]] Limits readLimits(ByteReader& in);
inline constexpr std::size_t LimitsSize = 2 + 4 * 4 + 1;

inline constexpr std::uint32_t MinTimeoutMs = 1000;
inline constexpr std::uint32_t MaxTimeoutMs = 600'000;

enum class ControlCode : std::uint8_t {
    Ping = 1,
    Close = 2,
    PathChallenge = 3,
    PathResponse = 4,
    Accept = 5
};

struct ControlFrame {
    ControlCode code = ControlCode::Ping;
    std::uint8_t reason = 0;     // Close
    std::uint64_t value = 0;     // PathChallenge, PathResponse
    Limits limits;               // Accept
    std::uint32_t timeoutMs = 0; // Accept
    std::uint16_t tickRate = 0;  // Accept
};

struct WireMessage {
    SectionKind kind = SectionKind::Guaranteed;
    std::uint16_t sequence = 0;        // low bits; guaranteed and fragments
    std::uint16_t dependencyCount = 0; // explicit ones, and a chain's implied one
    std::uint32_t firstDependency = 0; // in Payload::dependencies
    std::uint16_t type = 0;
    bool latest = false;
    bool hasAfter = false;
    std::uint16_t after = 0;        // low bits
    std::uint32_t key = 0;          // latest
    std::uint16_t fragment = 0;     // index
    std::uint16_t lastFragment = 0; // count - 1
    std::uint32_t total = 0;        // fragment 0: size of the whole body
    ByteView body;                  // into the datagram
};

struct WireSection {
    SectionKind kind = SectionKind::Padding;
    std::uint32_t first = 0; // in Payload::messages, or Payload::controls
    std::uint32_t count = 0;
};

// Room for one parsed payload, used again for the next: parsing allocates nothing once warm.
struct Payload {
    AckInfo ack;
    bool hasTick = false;
    std::uint16_t tick = 0;
    bool eliciting = false; // contains more than an acknowledgement and padding
    std::vector<WireSection> sections;
    std::vector<WireMessage> messages;
    std::vector<std::uint16_t> dependencies;
    std::vector<ControlFrame> controls;
};

// False for anything a canonical writer would not have written; `out` then holds no meaning. `sequenceBits` is 15 on the wire.
[[nodiscard]] bool parsePayload(ByteView bytes, unsigned sequenceBits, Payload& out);

// Purpose: writes sections, and finds the shortest form for guaranteed messages: consecutive independent ones become a run, each
// depending on the one before become a chain. Every call writes all of its message or nothing, and returns which.
class SectionWriter {
public:
    SectionWriter(ByteWriter& out, unsigned sequenceBits) : m_out(out), m_bits(sequenceBits) {}

    bool guaranteed(std::uint64_t sequence, std::span<const std::uint64_t> dependencies, std::uint16_t type,
                    ByteView body);
    bool fragment(std::uint64_t sequence, std::span<const std::uint64_t> dependencies, std::uint16_t type,
                  std::uint32_t total, std::uint32_t index, std::uint32_t count, ByteView body);
    struct Unreliable {
        bool latest = false;
        bool hasAfter = false;
        std::uint32_t key = 0;
        std::uint64_t after = 0;
    };
    bool unreliable(const Unreliable& how, std::uint16_t type, ByteView body);
    bool control(const ControlFrame& frame);
    // Of the payload, so far.
    [[nodiscard]] std::size_t size() const { return m_out.size(); }

private:
    static constexpr std::uint32_t MaxInSection = 30; // more would need a longer header

    [[nodiscard]] bool follows(std::uint64_t sequence, std::span<const std::uint64_t> dependencies) const;
    // Opens a section, or goes on with the open one; finish() undoes it if the message did not fit.
    void begin(SectionKind kind, std::uint8_t flags);
    bool finish(std::size_t start);
    void head(std::uint64_t sequence, std::span<const std::uint64_t> dependencies);

    ByteWriter& m_out;
    unsigned m_bits;
    SectionKind m_kind = SectionKind::Padding;
    std::uint8_t m_flags = 0;
    std::size_t m_headerAt = 0;
    std::uint32_t m_count = 0;
    std::uint64_t m_last = 0;
    // The section before the message now being written.
    SectionKind m_oldKind = SectionKind::Padding;
    std::uint8_t m_oldFlags = 0;
    std::size_t m_oldHeaderAt = 0;
    std::uint32_t m_oldCount = 0;
};

} // namespace sbx::net
