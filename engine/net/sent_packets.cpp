#include "engine/net/sent_packets.h"

namespace sbx::net {

void SentPackets::skip() {
    m_records.reserve(m_oldest, m_next, m_next + 1);
    Record& record = m_records[m_next];
    record = Record{};
    record.state = Record::State::Skipped;
    record.firstItem = m_itemsTaken;
    ++m_next;
    trim();
}

void SentPackets::add(Time now, std::uint16_t bytes, bool eliciting, std::uint8_t backOff) {
    m_records.reserve(m_oldest, m_next, m_next + 1);
    Record& record = m_records[m_next];
    record = Record{};
    record.sent = now;
    record.firstItem = m_itemsTaken;
    record.itemCount = static_cast<std::uint16_t>(m_items.endPosition() - m_itemsTaken);
    record.bytes = bytes;
    record.state = Record::State::InFlight;
    record.eliciting = eliciting;
    record.backOff = backOff;
    m_itemsTaken = m_items.endPosition();
    m_elicitingInFlight += eliciting ? 1U : 0U;
    ++m_next;
}

bool SentPackets::plausible(const AckInfo& ack) const {
    const std::uint64_t newest = fromWire(ack.newest, 16, m_next);
    return forEach(ack, newest, [this](std::uint64_t number) {
        if (before(number, m_first) || !before(number, m_next)) {
            return false;
        }
        return before(number, m_oldest) || m_records[number].state != Record::State::Skipped;
    });
}

void SentPackets::trim() {
    // m_inFlight never passes a packet that is.
    while (before(m_oldest, m_inFlight) && m_next - m_oldest > History) {
        ++m_oldest;
    }
    m_itemsKept = before(m_itemsKept, m_oldest) ? m_oldest : m_itemsKept;
    const auto end = [this](std::uint64_t number) {
        return number == m_next ? m_itemsTaken : m_records[number].firstItem;
    };
    while (before(m_itemsKept, m_inFlight) && m_itemsTaken - end(m_itemsKept) > MaxItems) {
        m_records[m_itemsKept++].itemCount = 0;
    }
    m_items.dropTo(end(m_itemsKept));
}

} // namespace sbx::net
