#pragma once
// Notices storms: so many messages of one type within one second of the simulation, from one sender or from many that are each below its
// limit. A pure count of records; each storm is told once, at the end of the tick in which it reaches the limit, until a second passes with
// fewer. GUI thread.

#include "engine/message/record.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sbx::ui {

struct TraceStorm {
    MessageTypeId type = NoType;
    NameId sender = 0; // 0: the engine or the console
    bool many = false; // from many senders; `sender` is that of the last
    std::uint8_t world = 0;
    std::uint64_t sequence = 0; // of the message that reached the limit
    std::uint64_t tick = 0;
    std::uint64_t count = 0; // up to the end of that tick
    std::uint64_t ticks = 0; // in which they were sent; a second's at most

    // Of these ticks.
    [[nodiscard]] double perSecond(double ticksPerSecond) const {
        return static_cast<double>(count) * ticksPerSecond / static_cast<double>(ticks);
    }
};

class TraceStorms {
public:
    static constexpr std::uint64_t Limit = 600; // messages a second from one sender: ten in each of 60 ticks
    static constexpr std::uint64_t LimitOfAll = 6000; // from all senders
    static constexpr std::uint64_t LimitOfMade = 50;  // of a type whose every message makes an entity

    // Every message of that type makes an entity: far fewer of them are a storm.
    void setMakes(MessageTypeId type);
    // In the order of the records. Rate: ticks in a second; 0: nothing is a storm. Appends to `told` the storms of ticks that ended.
    void add(const RecordView& record, double ticksPerSecond, std::vector<TraceStorm>& told);
    // There is no further record for now: the storms of the last tick.
    void finish(std::vector<TraceStorm>& told);
    // Another run.
    void restart() {
        m_counts.clear();
        m_all.clear();
        m_noticed.clear();
        m_last = {};
    }

private:
    struct Count {
        std::uint64_t from = 0; // the tick in which its second began
        std::uint64_t count = 0;
        bool noticed = false;
    };
    struct Noticed {
        TraceStorm storm;
        const Count* count; // in one of the maps below
    };
    // Counts one more; true if that makes it a storm that has not been noticed.
    static bool reaches(Count& now, std::uint64_t limit, std::uint64_t tick, double ticksPerSecond);

    // Of the last record: most have the sender and type of the one before.
    struct Last {
        std::uint64_t key = 0;
        Count* own = nullptr;
        Count* all = nullptr;
        std::uint64_t limit = 0;
    };
    [[nodiscard]] const Last& countsOf(const RecordView& record);

    Last m_last;
    std::unordered_map<std::uint64_t, Count> m_counts; // by sender, type and world
    std::unordered_map<std::uint64_t, Count> m_all;    // by type and world
    std::vector<Noticed> m_noticed; // in the tick that is being counted
    std::vector<MessageTypeId> m_makes;
};

} // namespace sbx::ui
