#pragma once
// Notices storms: so many messages of one type from one sender within one second of the simulation. A pure count of records; each storm is
// told once, when it reaches the limit, until a second passes with fewer. GUI thread.

#include "engine/message/record.h"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace sbx::ui {

struct TraceStorm {
    MessageTypeId type = NoType;
    NameId sender = 0; // 0: the engine or the console
    std::uint8_t world = 0;
    std::uint64_t sequence = 0; // of the message that reached the limit
    std::uint64_t tick = 0;
    std::uint64_t count = 0; // within a second
};

class TraceStorms {
public:
    static constexpr std::uint64_t Limit = 600; // messages a second from one sender: ten in each of 60 ticks

    // In the order of the records. Rate: ticks in a second; 0: nothing is a storm.
    std::optional<TraceStorm> add(const RecordView& record, double ticksPerSecond);
    // Another run.
    void restart() { m_counts.clear(); }

private:
    struct Count {
        std::uint64_t from = 0; // the tick in which its second began
        std::uint64_t count = 0;
        bool told = false;
    };
    std::unordered_map<std::uint64_t, Count> m_counts;
};

} // namespace sbx::ui
