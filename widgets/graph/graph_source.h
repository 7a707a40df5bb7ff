#pragma once
// Where the dependency graph's messages come from: steps in the lives of guaranteed messages, in batches. The application implements
// it over a session; tests over whatever they like. All calls come from the GUI thread.

#include "engine/net/message.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sbx::ui {

// A guaranteed message: who sends, who receives, and its number between the two. Peer 0 is the server, 1 the first client.
struct GraphKey {
    std::uint16_t from = 0;
    std::uint16_t to = 0;
    std::uint64_t sequence = 0; // 0: none

    explicit operator bool() const { return sequence != 0; }
    friend bool operator==(const GraphKey&, const GraphKey&) = default;
    friend auto operator<=>(const GraphKey&, const GraphKey&) = default;
};

// One step. The sender's end records all but the last three, the receiver's those.
struct GraphStep {
    enum class Kind : std::uint8_t {
        Queued,
        Sent,
        Resent,
        Lost,
        Acknowledged,
        KnownExecuted,
        Arrived,
        Executed,
        Dispatched
    };
    Kind kind = Kind::Queued;
    net::Time time = 0;
    GraphKey key;
    std::uint64_t packet = 0; // that carried it: Sent, Resent, Lost, Arrived
    // In the trace that is shown, 0: not there. Queued: the message that was sent on, or handled when this one was sent.
    // Dispatched: the message as it arrived.
    std::uint64_t trace = 0;
    // Queued alone:
    std::vector<std::uint64_t> needs; // numbers of the messages it is executed after, between the same two
    std::string type;
    std::string entity; // that it goes to, or that comes or goes; empty: none
};

// What happened between two ends before they were connected, and at the end of that. Requests and responses are sent by the client,
// the others by the server: each is reported by its sender and by its receiver.
struct GraphHandshakeStep {
    enum class Kind : std::uint8_t { Request, Challenge, Response, Denial, Connected, Closed };
    Kind kind = Kind::Request;
    net::Time time = 0;
    bool atClient = false; // which end recorded it
    std::uint16_t client =
        0; // the peer that asks to be connected; the server's number: a peer in another program, at `address`
    std::string address;                              // of those alone
    net::CloseReason reason = net::CloseReason::None; // of a denial or an end
};

struct GraphNews {
    std::uint64_t run = 0; // another run: everything begins anew
    net::Time now = 0;     // of the network's clock
    std::vector<std::string> peers;
    std::vector<GraphStep> steps;
    std::vector<GraphHandshakeStep> handshakes;
    std::uint64_t missed = 0; // steps lost, in all, because the window was busy
    bool over = false;        // the peers are gone, or recording is off: nothing more comes of this run
};

class GraphSource {
public:
    virtual ~GraphSource() = default;
    // What there is since the last call. False: nothing.
    virtual bool poll(GraphNews& out) = 0;
};

} // namespace sbx::ui
