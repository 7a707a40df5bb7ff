#pragma once
// States of entities on the way to the clients: what has changed, what a client is known to have, which of it goes next.

#include "engine/components/network_prediction.h"
#include "engine/components/state_table.h"
#include "engine/net/payload.h"
#include "engine/net/window_ring.h"

#include <array>
#include <map>
#include <memory>

namespace sbx {

// Purpose: a server looks at the states of its entities some times a second (a round) and notes for each column in which round it
// changed last. A record for a client has all columns that changed after the round the client is known to have, and their values as
// they are now: what is lost on the way is in the next record, and a client that has the newer of two records has all of the older. A
// state that does not change costs nothing once it is acknowledged.
//
// Wire: number of the entity varint, round u16, then the record (state_table.h); of the client's own player the number, how many of its
// inputs are in it varint, for how many ticks the last of them has acted varint, round u16, record. Thread: the session's. In steady state no call
// allocates, but for states that are texts of more than 15 bytes.
class NetworkStates {
public:
    static constexpr double UsualRate = 20.0; // rounds a second

    // A server's: the state of an entity as of the last round.
    struct Source {
        std::shared_ptr<const StateTable> table;
        StateTable::Words words;
        std::vector<std::uint32_t> changed; // by column: the round in which it did last
        std::uint32_t newest = 0;           // of these
        std::uint32_t newestForAll = 0;     // of those that are not for the owner only
        int repeats = 0;                    // how often it still counts as changed as a whole
    };
    // ... and what a client has of it.
    struct Sent {
        std::uint32_t number = 0;       // of the entity; another one: nothing yet
        std::uint32_t acknowledged = 0; // all that changed up to this round; 0: nothing
        std::uint32_t version = 0;      // the newest change in the last record
        std::uint32_t round = 0;        // of the last record
        bool born = false;              // the client has the entity
        bool pending = false;           // in PeerStates::pending
    };
    // What was received of an entity.
    struct Received {
        std::shared_ptr<const StateTable> table;
        StateTable::Words words;
        StateTable::Mask has;    // columns of which there is a value
        std::uint16_t round = 0; // of the newest record
        std::uint64_t tick = 0;  // of this world, when it came
        bool any = false;
    };

    void setRate(double roundsPerSecond) { m_rate = roundsPerSecond; }
    [[nodiscard]] double rate() const { return m_rate; }
    // Once a tick: whether a round is due; no more than one.
    [[nodiscard]] bool beginRound(double tickRate);
    [[nodiscard]] std::uint32_t round() const { return m_round; }

    // Sending. Brings the source up to the present round. True: some of it changed.
    bool follow(const Entity& entity, const World& world, Source& source, const EntityToWire& toWire);
    // The record of what changed after the client's last acknowledgement, but for columns that are for the owner only. Valid until the next
    // call; empty: nothing, or it does not fit into a message.
    [[nodiscard]] net::ByteView encode(std::uint32_t number, const Source& source,
                                       std::uint32_t acknowledged);
    // The same of the client's own player, with all columns; it may have none of them.
    [[nodiscard]] net::ByteView encodeOwn(std::uint32_t number, const Source& source, std::uint32_t acknowledged,
                                          const PlayerPrediction::Progress& progress);

    // Receiving: everything is read before anything changes. `in` is positioned behind the entity's number. Returns null, or what is wrong.
    // Older than what is there: read, and without effect.
    [[nodiscard]] const char* read(net::ByteReader& in, const Entity& entity, Received& received,
                                   const World& world, const EntityFromWire& fromWire);
    // Makes the entity's state what was read last, where it differs.
    void apply(World& world, EntityId id, const Received& received, const EntityToWire& toWire,
               const EntityFromWire& fromWire);
    // The same for the client's own player, which is ahead of the server.
    void apply(World& world, EntityId id, const Received& received, const EntityToWire& toWire,
               const EntityFromWire& fromWire, PlayerPrediction& prediction, const PlayerPrediction::Progress& progress);
    // The same with all that was ever received, for an entity of which nothing has come for half a second: this world has simulated it
    // since. To be called when restoreIsDue(), which is asked in each round: every tenth it may be.
    void restore(World& world, EntityId id, const Received& received, const EntityToWire& toWire,
                 const EntityFromWire& fromWire);
    // The table of an entity's type.
    [[nodiscard]] const std::shared_ptr<const StateTable>& tableOf(
        const std::shared_ptr<const EntityType>& type);
    [[nodiscard]] bool restoreIsDue(const World& world, std::uint32_t number, const Received& received) const;

private:
    static constexpr int Repeats =
        3; // of a state whose type was edited: clients follow the edit when they do
    static constexpr double RepeatAfter = 1.0; // s
    static constexpr std::uint32_t RestoreRounds = 10;
    static constexpr double RestoreAfter = 0.5; // s
    // Of records this far apart the network cannot have changed the order, and a round of 16 bits may have come round.
    static constexpr double OrderedAfter = 60.0; // s

    // The mask of what changed after that round. False: nothing.
    bool maskChanged(const Source& source, std::uint32_t acknowledged, bool owner);
    [[nodiscard]] net::ByteView finish(net::ByteWriter& head, const Source& source);

    double m_rate = UsualRate;
    std::uint32_t m_round = 0;
    double m_due = 0.0; // in rounds
    std::map<const EntityType*, std::shared_ptr<const StateTable>> m_tables;
    std::array<std::uint8_t, net::FragmentSize> m_room{};
    StateTable::Words m_words;   // room for one state
    StateTable::Words m_scratch; // ... and others
    StateTable::Words m_now;
    StateTable::Mask m_mask;
    bool m_fresh = false; // what was read last is newer than what was there
};

// What one client has of the states, and which of them it lacks. A server's.
struct PeerStates {
    struct Receipt {
        std::uint32_t slot = 0;
        std::uint32_t number = 0;
        std::uint32_t version = 0;
        std::uint32_t round = 0;
    };
    std::vector<NetworkStates::Sent> sent; // by the entity's slot
    std::vector<std::uint32_t> pending;    // slots of which the client may lack something
    net::GrowingQueue<Receipt> receipts;   // of records on their way

    void note(std::uint32_t slot, std::uint32_t number);
    // A record left. Returns the receipt to be requested for it.
    [[nodiscard]] std::uint32_t leave(std::uint32_t slot, std::uint32_t version, std::uint32_t round);
    void acknowledge(std::uint32_t receipt);
    // Forgets records that are too old to be acknowledged: their columns are sent again.
    void forgetBefore(std::uint32_t round);
};

} // namespace sbx
