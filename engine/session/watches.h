#pragma once
// What the user keeps an eye on: values of CVars, entity fields, counts and conditions, with their last minute.
//
// Data flow: the session samples all of them after every tick and whenever it publishes; a window reads them when it likes. A sample belongs to a
// tick: a second publication of the same tick corrects it. Ticks start over with a run, and the samples with them.
// Thread: any; a mutex is held to read or change the list and while sampling. Nothing is done while there is no watch.

#include "engine/core/expression.h"
#include "engine/core/result.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

struct WatchSample {
    std::uint64_t tick = 0;
    double seconds = 0.0; // since the run began
    double value = 0.0;
    friend bool operator==(const WatchSample&, const WatchSample&) = default;
};

struct WatchReading {
    int number = 0; // as `list watches` and `unwatch` call it
    std::string text;
    std::string shown; // the value, or why there is none
    bool failed = false;
    bool plotted = false; // has a number now: samples goes on
    std::vector<WatchSample> samples; // by tick, of the last Watches::Seconds
};

class Watches {
public:
    static constexpr double Seconds = 60.0;
    static constexpr std::size_t Most = 64;

    // Its number, from 1 on; that of the same text if it is watched already. Refuses what does not compile; what names nothing
    // yet is taken, and says so in its reading.
    Result<int> add(std::string_view text);
    bool remove(int number);
    // False if nothing is watched by that text.
    bool removeText(std::string_view text);
    void clear();
    [[nodiscard]] bool empty() const { return m_count.load(std::memory_order_acquire) == 0; }
    // Grows when a watch comes or goes.
    [[nodiscard]] std::uint64_t revision() const { return m_revision.load(std::memory_order_acquire); }

    void sample(const ExpressionContext& context, std::uint64_t run, std::uint64_t tick, double tickRate);
    // In order of adding.
    [[nodiscard]] std::vector<WatchReading> read() const;
    // The same without samples.
    [[nodiscard]] std::vector<WatchReading> list() const;
    // All samples, a line a tick: "tick,seconds,TEXT,…"; a watch without a sample of that tick has an empty cell.
    [[nodiscard]] std::string csv() const;

private:
    struct Watch {
        WatchReading reading; // its samples are here unused
        Expression expression;
        std::deque<WatchSample> samples;
    };
    template <typename Which> bool removeIf(Which&& which);

    mutable std::mutex m_mutex; // of all below but the counters
    std::vector<Watch> m_watches;
    int m_next = 1;
    std::uint64_t m_run = 0;
    std::atomic<std::size_t> m_count{0};
    std::atomic<std::uint64_t> m_revision{0};
};

// A value as it is shown beside its name: numbers with six digits. Empty: nothing to show.
[[nodiscard]] std::string watchText(const Value& value);

} // namespace sbx
