#pragma once
// What is on the way: a record per packet number, with what it carried, until it is acknowledged or lost.

#include "engine/net/received_packets.h"
#include "engine/net/transport.h"
#include "engine/net/window_ring.h"

namespace sbx::net {

// One guaranteed message, or one fragment of it, in one packet; or an unreliable message with a receipt.
struct SentItem {
    std::uint64_t sequence = 0; // or the receipt
    std::uint16_t fragment = 0;
    bool isReceipt = false;
};

// Purpose: hands out packet numbers (skipping some, so that a peer that acknowledges what it never saw is detected), and reports
// which packets an acknowledgement covers and which are lost. Data flow: next(), add() at sending; acknowledge() and detectLoss()
// call back. Memory: a small record per packet in flight, and of the newest that are done with.
class SentPackets {
public:
    struct Record {
        enum class State : std::uint8_t { Done, Skipped, InFlight };
        Time sent = 0;
        std::uint64_t firstItem = 0;
        std::uint16_t itemCount = 0;
        std::uint16_t bytes = 0;
        State state = State::Done;
        bool eliciting = false;
        bool lost = false;        // declared so: an acknowledgement now shows it was not
        std::uint8_t backOff = 0; // steps of 1.5
    };

    explicit SentPackets(std::uint64_t first)
        : m_first(first), m_oldest(first), m_next(first), m_inFlight(first), m_itemsKept(first) {}

    [[nodiscard]] std::uint64_t next() const { return m_next; }
    [[nodiscard]] std::uint64_t first() const { return m_first; }
    void skip();
    void addItem(SentItem item) { m_items.push(item); }
    // The packet with the items added since the last one; takes the next number.
    void add(Time now, std::uint16_t bytes, bool eliciting, std::uint8_t backOff);

    // False if `ack` covers a number never sent: nothing has changed then.
    [[nodiscard]] bool plausible(const AckInfo& ack) const;
    // Calls onAcked(number, record) for every packet newly known to have arrived, lowest distance first. Returns the newest.
    template <typename OnAcked> std::uint64_t acknowledge(const AckInfo& ack, OnAcked onAcked) {
        const std::uint64_t newest = fromWire(ack.newest, 16, m_next);
        forEach(ack, newest, [&](std::uint64_t number) {
            if (Record* record = find(number);
                record != nullptr && record->state == Record::State::InFlight) {
                record->state = Record::State::Done;
                m_elicitingInFlight -= record->eliciting && !record->lost ? 1U : 0U;
                onAcked(number, *record);
            }
            return true;
        });
        if (m_anyAcked ? before(m_newestAcked, newest) : true) {
            m_newestAcked = newest;
            m_anyAcked = true;
        }
        return newest;
    }

    // Calls onLost(number, record, byTimer) for packets overtaken by `threshold` acknowledged ones, or older than their loss
    // interval. Returns when the next one will be lost by time, or Never.
    template <typename OnLost>
    Time detectLoss(Time now, std::uint64_t threshold, Time interval, Time cap, OnLost onLost) {
        Time next = Never;
        bool leading = true;
        for (std::uint64_t number = m_inFlight; number != m_next; ++number) {
            Record& record = m_records[number];
            const bool waiting = record.state == Record::State::InFlight && record.eliciting && !record.lost;
            if (!waiting) {
                if (leading) {
                    m_inFlight = number + 1;
                }
                continue;
            }
            const bool overtaken =
                m_anyAcked && !before(m_newestAcked, number) && m_newestAcked - number >= threshold;
            const Time due = record.sent + backedOff(interval, cap, record.backOff);
            if (overtaken || due <= now) {
                record.lost = true;
                --m_elicitingInFlight;
                onLost(number, record, !overtaken);
                if (leading) {
                    m_inFlight = number + 1;
                }
                continue;
            }
            leading = false;
            next = due < next ? due : next;
            // Packets leave in order of time: later ones without back-off are due later.
            if (record.backOff == 0
                && (!m_anyAcked || before(m_newestAcked, number) || m_newestAcked - number < threshold)) {
                break;
            }
        }
        trim();
        return next;
    }

    [[nodiscard]] const SentItem& item(std::uint64_t position) { return m_items.at(position); }
    [[nodiscard]] std::uint32_t elicitingInFlight() const { return m_elicitingInFlight; }
    [[nodiscard]] bool anyAcked() const { return m_anyAcked; }
    [[nodiscard]] std::uint64_t newestAcked() const { return m_newestAcked; }
    [[nodiscard]] std::size_t memory() const { return m_records.memory() + m_items.memory(); }

    [[nodiscard]] static Time backedOff(Time interval, Time cap, unsigned steps) {
        for (unsigned i = 0; i < steps && interval < cap; ++i) {
            interval += interval / 2;
        }
        return steps > 0 && interval > cap ? cap : interval;
    }

private:
    // Records kept after they are done with: late acknowledgements and bogus ones fall among these.
    static constexpr std::uint64_t History = 128;
    // Items kept of packets that are done with: a peer that acknowledges no message would have them sent, and remembered, for ever.
    static constexpr std::size_t MaxItems = 4096;

    template <typename Visit> static bool forEach(const AckInfo& ack, std::uint64_t newest, Visit visit) {
        if (!visit(newest)) {
            return false;
        }
        for (std::uint32_t i = 0; i < 32; ++i) {
            if (((ack.mask >> i) & 1U) != 0 && !visit(newest - 1 - i)) {
                return false;
            }
        }
        std::uint64_t number = newest - 33;
        for (std::size_t r = 0; r < ack.rangeCount; ++r) {
            number -= ack.ranges[r].gap;
            for (std::uint32_t i = 0; i < ack.ranges[r].length; ++i, --number) {
                if (!visit(number)) {
                    return false;
                }
            }
        }
        return true;
    }
    Record* find(std::uint64_t number) {
        return before(number, m_oldest) || !before(number, m_next) ? nullptr : &m_records[number];
    }
    void trim();

    std::uint64_t m_first;
    std::uint64_t m_oldest; // records in [oldest, next)
    std::uint64_t m_next;
    std::uint64_t m_inFlight; // nothing below is
    std::uint64_t m_newestAcked = 0;
    bool m_anyAcked = false;
    std::uint32_t m_elicitingInFlight = 0;
    std::uint64_t m_itemsTaken = 0;
    std::uint64_t m_itemsKept; // lowest packet whose items are
    WindowRing<Record> m_records;
    GrowingQueue<SentItem> m_items;
};

} // namespace sbx::net
