#pragma once
// Notices storms: so many messages of one type within one second of the simulation, from one sender or from many that are each below its
// limit. A pure count of records; each storm is told once, when it reaches the limit, until a second passes with fewer. GUI thread.

#include "engine/message/record.h"

#include <cstdint>
#include <optional>
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
    std::uint64_t count = 0; // within a second
};

class TraceStorms {
public:
    static constexpr std::uint64_t Limit = 600; // messages a second from one sender: ten in each of 60 ticks
    static constexpr std::uint64_t LimitOfAll = 6000; // from all senders
    static constexpr std::uint64_t LimitOfMade = 50;  // of a type whose every message makes an entity

    // Every message of that type makes an entity: far fewer of them are a storm.
    void setMakes(MessageTypeId type);
    // In the order of the records. Rate: ticks in a second; 0: nothing is a storm.
    std::optional<TraceStorm> add(const RecordView& record, double ticksPerSecond);
    // Another run.
    void restart() {
        m_counts.clear();
        m_all.clear();
    }

private:
    struct Count {
        std::uint64_t from = 0; // the tick in which its second began
        std::uint64_t count = 0;
        bool told = false;
    };
    // Counts one more; true if that makes it a storm that has not been told.
    static bool reaches(Count& now, std::uint64_t limit, std::uint64_t tick, double ticksPerSecond);

    std::unordered_map<std::uint64_t, Count> m_counts; // by sender, type and world
    std::unordered_map<std::uint64_t, Count> m_all;    // by type and world
    std::vector<MessageTypeId> m_makes;
};

} // namespace sbx::ui
