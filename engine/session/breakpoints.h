#pragma once
// Message breakpoints: filters over what the recorder saw. A message that matches one stops play at the end of its tick, or, before
// one of its handlers, within it (handler_stops.h).
//
// Data flow: the recorder's segments come in through a reader of its own, are looked through once after each tick, and dropped.
// Without breakpoints there is no reader and nothing is done. Session's thread; the recorder outlives it.

#include "engine/message/record_filter.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sbx {

class World;
struct HandlerMoment;

// What a breakpoint before a handler does by itself.
struct StopOrder {
    enum What { Set, Drop } what = Set;
    std::string field; // Set: of the message
    std::string value;
};

struct Breakpoint {
    int number = 0; // counts from 1; not used again
    Filter filter;
    std::uint64_t hits = 0; // messages that matched
    // Stops before that component's handler, empty: before the first; none: after the tick. Such a filter sees the message before
    // anybody handled it.
    std::optional<std::string> before;
    std::vector<StopOrder> orders; // of `before`; none: a person decides
};

// A tick in which something matched.
struct BreakHit {
    int breakpoint = 0;         // number of the first that matched
    std::uint64_t run = 0;      // sequences start over with each run
    std::uint64_t sequence = 0; // of the first message that matched
    std::uint64_t tick = 0;
    std::uint64_t others = 0; // that matched in the same tick
    std::string filter;
    std::string text; // "Damage to crate_1 from player"
};

class Breakpoints {
public:
    explicit Breakpoints(Recorder& recorder) : m_recorder(recorder) {}

    // Matches messages from now on; the error is the filter's. `ticksPerSecond` is what `tick > 2s` means.
    Result<int> add(std::string_view filter, double ticksPerSecond, std::optional<std::string> before = std::nullopt);
    // Null: there is none of that number.
    [[nodiscard]] Breakpoint* find(int number);
    // False: there is none of that number.
    bool remove(int number);
    void clear();
    [[nodiscard]] const std::vector<Breakpoint>& list() const { return m_list; }

    // Another world of the same recorder, with its ticks in a second: what was recorded so far is forgotten.
    void restart(double ticksPerSecond);
    // Seals the recorder, looks through what it holds since the last call, counts, and returns the first match. The world gives
    // names to entities in payloads.
    std::optional<BreakHit> check(const World& world);

    // --- For HandlerStops
    [[nodiscard]] bool anyBefore() const;
    // The first that stops there; null: none. `component` names the one whose handler it is.
    [[nodiscard]] Breakpoint* before(const HandlerMoment& moment, const std::function<std::string()>& component);

private:
    void learnEntities(const RecordView& record, const World& world);
    [[nodiscard]] std::string describe(const RecordView& record) const;

    Recorder& m_recorder;
    std::vector<Breakpoint> m_list;
    int m_last = 0;
    // While there are any.
    std::shared_ptr<RecordReader> m_reader;
    std::unique_ptr<RecordFilterSchema> m_schema;
    std::vector<std::shared_ptr<const RecordSegment>> m_segments;
    // Makes a record of the message that is being handled, for the filters.
    std::unique_ptr<Recorder> m_scratch;
    std::shared_ptr<RecordReader> m_scratchReader;
};

} // namespace sbx
