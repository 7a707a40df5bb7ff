#pragma once
// Counts the rows of the trace by receiving entity and message type, for lanes of a timeline: for each the numbers of its rows in the
// store, four bytes a row. Follows the list at both ends, at most two milliseconds at a turn of the event loop: first what lies in memory, then what lies on the
// disk, which is read back once, meanwhile the loop goes on. A new set of rows begins anew; while it is not active nothing is counted or
// held. GUI thread; the model must outlive it.

#include <QObject>
#include <QTimer>

#include "engine/message/record.h"
#include "widgets/trace/trace_births.h"
#include "widgets/trace/trace_store.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sbx::ui {

class TraceModel;

// Numbers in ascending order, which come at either end and go at the front.
class LaneRows {
public:
    [[nodiscard]] std::size_t size() const { return m_older.size() + m_newer.size() - m_gone; }
    [[nodiscard]] std::uint32_t operator[](std::size_t index) const {
        return index < m_older.size() ? m_older[m_older.size() - 1 - index]
                                      : m_newer[index - m_older.size() + m_gone];
    }
    void pushBack(std::uint32_t row) { m_newer.push_back(row); }
    void pushFront(std::uint32_t row);
    // Those below it go.
    void dropBefore(std::uint32_t row);
    // The first index with a number of at least `row`, from the index `from` on, below which all are smaller; size(): there is none.
    // Costs the logarithm of how far it lies.
    [[nodiscard]] std::size_t lowerBound(std::uint64_t row, std::size_t from = 0) const;

private:
    std::vector<std::uint32_t> m_older; // descending
    std::vector<std::uint32_t> m_newer; // ascending
    std::size_t m_gone = 0;             // of m_newer, at its front
};

// What a lane has in one place of the timeline.
struct LaneCell {
    static constexpr std::size_t Kinds = 5;
    std::uint32_t all = 0;
    std::uint32_t faults = 0;                 // of them
    std::array<std::uint32_t, Kinds> kinds{}; // of them, by the place of their type's colour
};

class TraceLaneCounts : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t MaxLanes = 400;      // that are shown
    static constexpr std::size_t MaxHeld = 20'000;    // that are counted
    static constexpr std::size_t MaxOthers = 100'000; // entities beyond them that are told apart
    static constexpr int RowsPerLookAtClock = 4096;
    static constexpr int RowsPerTurn = 65536;
    static constexpr int TurnMs = 2;

    explicit TraceLaneCounts(const TraceModel& model, QObject* parent = nullptr);

    void setActive(bool active);
    // Lets go what the store let go. True: lanes have other numbers since; they keep their order, and new ones come at the end.
    bool prune();
    // Those that may be shown, in the order in which they were first met.
    [[nodiscard]] std::size_t lanes() const { return std::min(m_lanes.size(), MaxLanes); }
    // All that got messages, at least: of very many not each is told apart.
    [[nodiscard]] std::size_t entities() const { return m_lanes.size() + m_others.size(); }
    [[nodiscard]] const EntityInWorld& entity(std::size_t lane) const { return m_lanes[lane].key; }
    // As in its newest record.
    [[nodiscard]] NameId name(std::size_t lane) const { return m_lanes[lane].name; }
    // Ticks of its first and last record while it has been a lane.
    [[nodiscard]] std::uint64_t firstTick(std::size_t lane) const { return m_lanes[lane].firstTick; }
    [[nodiscard]] std::uint64_t lastTick(std::size_t lane) const { return m_lanes[lane].lastTick; }
    [[nodiscard]] std::uint64_t count(std::size_t lane) const;
    // None: it has no lane, or one beyond lanes().
    [[nodiscard]] std::optional<std::size_t> laneOf(const EntityInWorld& entity) const;

    // One for each stretch [bounds[i], bounds[i + 1]) of the store's rows; bounds ascend.
    void cells(std::size_t lane, std::span<const std::uint64_t> bounds,
               const std::array<std::optional<MessageTypeId>, LaneCell::Kinds>& kinds,
               std::vector<LaneCell>& out) const;
    struct TypeCount {
        MessageTypeId type = NoType;
        bool fault = false;
        std::uint64_t count = 0;
    };
    // Of the store's rows [first, end), the most first.
    [[nodiscard]] std::vector<TypeCount> types(std::size_t lane, std::uint64_t first,
                                               std::uint64_t end) const;
    // The lane's first row at or after the store's row, and its last before it. `faults`: of those with a fault.
    [[nodiscard]] std::optional<std::uint64_t> atOrAfter(std::size_t lane, std::uint64_t row,
                                                         bool faults = false) const;
    [[nodiscard]] std::optional<std::uint64_t> before(std::size_t lane, std::uint64_t row) const;

    // Every row is counted.
    [[nodiscard]] bool isDone() const;
    // Counts the rest at once, reading the disk: for tests.
    void finish();

signals:
    void changed();

private:
    struct Typed {
        MessageTypeId type = NoType;
        bool fault = false;
        LaneRows rows; // from m_base on
    };
    struct Lane {
        EntityInWorld key;
        NameId name = 0;
        std::uint64_t firstTick = 0;
        std::uint64_t lastTick = 0;
        std::vector<Typed> types;
    };
    bool take();     // true: there is more that need not wait
    bool takeSome(); // true: some rows were counted
    void restart();
    void clear();
    void add(const RecordView& record, std::uint64_t stored, bool before);

    const TraceModel& m_model;
    std::vector<Lane> m_lanes;
    std::unordered_map<EntityInWorld, std::uint32_t, EntityInWorldHash> m_byEntity;
    std::unordered_set<EntityInWorld, EntityInWorldHash>
        m_others; // without a lane because there were too many
    std::uint64_t m_base = 0;
    std::uint64_t m_begin = 0; // the store's rows [m_begin, m_end) are counted
    std::uint64_t m_end = 0;
    std::uint64_t m_pruned = 0; // rows below it have gone from the lanes
    bool m_active = false;
    bool m_atOnce = false; // in finish()
    bool m_waits = false;  // for the disk
    QTimer m_timer;
};

} // namespace sbx::ui
