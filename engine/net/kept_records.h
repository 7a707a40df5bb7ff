#pragma once
// The network's records of the last half minute as they were written: the one place that holds them, for all readers of the past.

#include "engine/net/net_record.h"

#include <memory>
#include <string>
#include <vector>

namespace sbx::net {

// Purpose: keeps records by copying them, segment by segment, into a ring that is taken once; what is older than Span goes, and
// sooner where there is more than Room. Of what goes it remembers what still holds: peers, links, connections. Data flow: add() at
// each seal, replay() at any time. Thread: the recorder's. After the first add() nothing is allocated but for peers
// and connections that come and go.
class KeptRecords {
public:
    static constexpr Time Span = 30 * Second;
    static constexpr std::size_t Room = std::size_t(32) << 20U; // bytes; untouched, they cost nothing

    explicit KeptRecords(std::size_t room = Room) : m_room(room / sizeof(std::uint64_t)) {}

    void add(const NetSegment& segment);
    // Everything goes: time begins anew.
    void clear();
    // What held before the oldest that is kept, then all that is kept, in order. Views hold for the call. Names are the recorder's.
    template <typename Visit> void replay(Visit visit) const {
        for (const std::vector<std::uint64_t>& words : m_standing)
            visit(viewAt(words.data()));
        std::size_t at = m_first;
        for (std::size_t i = 0; i < m_count; ++i) {
            const NetRecordView view = viewAt(m_ring.get() + at);
            visit(view);
            at = after(at, view);
        }
    }
    // Records kept.
    [[nodiscard]] std::size_t size() const { return m_count; }

private:
    static NetRecordView viewAt(const std::uint64_t* words) {
        return {reinterpret_cast<const NetRecordHeader*>(words)};
    }
    [[nodiscard]] std::size_t after(std::size_t at, const NetRecordView& view) const {
        const std::size_t next = at + view.size() / sizeof(std::uint64_t);
        return m_wrapped && next == m_wrap ? 0 : next;
    }
    // Where so many words have room, one after another; ~0: nowhere.
    [[nodiscard]] std::size_t placeFor(std::size_t words) const;
    void dropFront();
    void remember(const NetRecordView& record);

    std::size_t m_room; // words
    std::unique_ptr<std::uint64_t[]> m_ring;
    // Records stand in [m_first, m_end); wrapped: in [m_first, m_wrap) and then in [0, m_end).
    std::size_t m_first = 0;
    std::size_t m_end = 0;
    std::size_t m_wrap = 0;
    bool m_wrapped = false;
    std::size_t m_count = 0;
    std::vector<std::vector<std::uint64_t>>
        m_standing; // records of peers, links and connections that hold still
};

} // namespace sbx::net
