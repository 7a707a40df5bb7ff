#include "engine/net/kept_records.h"

#include <algorithm>
#include <cstring>

namespace sbx::net {

namespace {
constexpr std::size_t Nowhere = SIZE_MAX;
}

void KeptRecords::clear() {
    m_first = m_end = m_count = 0;
    m_wrapped = false;
    m_standing.clear();
}

void KeptRecords::add(const NetSegment& segment) {
    const std::span<const std::uint64_t> words = segment.words();
    if (words.empty())
        return;
    if (m_ring == nullptr)
        m_ring = std::make_unique_for_overwrite<std::uint64_t[]>(m_room);
    while (m_count > 0 && viewAt(m_ring.get() + m_first)->time < segment.newest() - Span)
        dropFront();
    std::size_t place = placeFor(words.size());
    while (place == Nowhere && m_count > 0) {
        dropFront();
        place = placeFor(words.size());
    }
    if (place == Nowhere) { // a tick larger than everything: only what holds of it
        segment.forEach([&](const NetRecordView& record) { remember(record); });
        return;
    }
    if (place == 0 && m_count > 0) {
        m_wrapped = true;
        m_wrap = m_end;
    }
    std::memcpy(m_ring.get() + place, words.data(), words.size_bytes());
    m_end = place + words.size();
    m_count += segment.count();
}

std::size_t KeptRecords::placeFor(std::size_t words) const {
    if (m_wrapped)
        return m_first - m_end >= words ? m_end : Nowhere;
    if (m_room - m_end >= words)
        return m_end;
    return m_count > 0 && m_first >= words ? 0 : Nowhere;
}

void KeptRecords::dropFront() {
    const NetRecordView record = viewAt(m_ring.get() + m_first);
    remember(record);
    m_first = after(m_first, record);
    m_wrapped = m_wrapped && m_first != 0;
    if (--m_count == 0) {
        m_first = m_end = 0;
        m_wrapped = false;
    }
}

void KeptRecords::remember(const NetRecordView& record) {
    using Kind = NetRecordKind;
    const auto forget = [&](auto gone) {
        std::erase_if(m_standing, [&](const std::vector<std::uint64_t>& words) {
            const NetRecordView known = viewAt(words.data());
            return known->peer == record->peer && gone(known);
        });
    };
    const auto ofConnection = [&](const NetRecordView& known) {
        return known->kind == Kind::Opened && known->connection == record->connection;
    };
    switch (record->kind) {
    case Kind::Peer:
        forget([](const NetRecordView&) { return true; });
        break;
    case Kind::Link:
        forget([](const NetRecordView& known) { return known->kind == Kind::Link; });
        break;
    case Kind::Gone:
        forget([](const NetRecordView& known) { return known->kind != Kind::Peer; });
        break;
    case Kind::Opened:
        forget(ofConnection);
        break;
    case Kind::Closed:
        forget(ofConnection);
        return;
    default:
        return;
    }
    const auto* const words = reinterpret_cast<const std::uint64_t*>(record.header);
    m_standing.emplace_back(words, words + record.size() / sizeof(std::uint64_t));
}

} // namespace sbx::net
