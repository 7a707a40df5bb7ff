#pragma once
// How a simulated link treats datagrams, and the text people write it in: `latency=50ms jitter=5ms loss=5% down.rate=1Mbit`.

#include "engine/core/result.h"
#include "engine/net/transport.h"

#include <span>
#include <string>
#include <string_view>

namespace sbx::net {

// One direction. Probabilities are fractions in [0, 1]; times are one way.
struct LinkSettings {
    Time latency = 0;
    Time jitter = 0;        // uniform extra delay in [0, jitter); more than the spacing reorders
    double loss = 0.0;      // long-run share of datagrams lost
    double burst = 1.0;     // mean length of a run of losses (Gilbert 1960, Elliott 1963); 1: independent
    double duplicate = 0.0; // arrives a second time, with a delay of its own
    double reorder = 0.0;   // is held back by `reorderBy`
    Time reorderBy = 10 * Millisecond;
    double corrupt = 0.0;           // one bit is flipped
    double rate = 0.0;              // bit/s through the bottleneck, payload only; 0: unlimited
    Time queue = 100 * Millisecond; // of the bottleneck, as time to drain; a full queue drops the newcomer
    Time blackoutFrom = 0;          // everything sent in [from, until) is lost
    Time blackoutUntil = 0;

    friend bool operator==(const LinkSettings&, const LinkSettings&) = default;
};

// Both directions of a client's link.
struct LinkProfile {
    LinkSettings up;   // client to server
    LinkSettings down; // server to client

    friend bool operator==(const LinkProfile&, const LinkProfile&) = default;
};

// Keys are the members' names, with `reorder-by` and `blackout=2s..3s`; a plain key sets both directions, `up.KEY` and `down.KEY`
// one. Times end in us, ms or s, shares in %, rates in bit, kbit or Mbit. Errors give the column, what was expected and the
// nearest key. What comes later holds: `wifi loss=5%`.
[[nodiscard]] Result<LinkProfile> parseLink(std::string_view text);

// A kind of link that people know by name: `parseLink` takes the name as a word of its own.
struct LinkPreset {
    std::string_view name;
    std::string_view text; // as parseLink reads it
    std::string_view doc;
};
[[nodiscard]] std::span<const LinkPreset> linkPresets();

// The text parseLink reads back to the same profile; keys at their defaults are left out.
[[nodiscard]] std::string toText(const LinkProfile& profile);

} // namespace sbx::net
