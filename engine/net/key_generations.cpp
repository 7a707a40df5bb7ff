#include "engine/net/key_generations.h"

#include "engine/net/sequence.h"

namespace sbx::net {

KeyGenerations::KeyGenerations(const SessionKeys& keys, bool client, std::uint64_t protocol,
                               const RekeySettings& settings, Time now)
    : m_settings(settings),
      m_current(keys, client, protocol),
      m_next(m_current.following()),
      m_advanced(now),
      m_settledAt(now) {}

void KeyGenerations::seal(std::uint64_t number, std::span<std::uint8_t> datagram, std::size_t header,
                          std::size_t plain) {
    (m_ahead ? m_next : m_current).seal(number, datagram, header, plain);
    if (m_sealed++ == 0)
        m_firstSealed = number;
}

std::optional<std::size_t> KeyGenerations::open(Time now, std::uint64_t number, bool phase,
                                                std::span<std::uint8_t> datagram, std::size_t header) {
    if (phase == ((m_opening & 1U) != 0)) {
        const auto plain = m_current.open(number, datagram, header);
        if (plain && opensPrevious() && before(number, m_lowest))
            m_lowest = number; // sent before the packet that brought this generation
        return plain;
    }
    // What was sent before the first packet of this generation is of the one before, anything later can only
    // be of the next.
    if (opensPrevious() && before(number, m_lowest))
        return m_previous.open(number, datagram, header);
    // An answer to this end's own change may come at once; a change of the peer's has its least distance.
    if (!m_ahead && now - m_advanced < MinFromPeer)
        return std::nullopt;
    const auto plain = m_next.open(number, datagram, header);
    if (plain)
        advance(now, number);
    return plain;
}

void KeyGenerations::advance(Time now, std::uint64_t number) {
    m_previous = m_current;
    m_previousUntil = now + Grace;
    m_current = m_next;
    m_next = m_current.following();
    m_lowest = number;
    m_advanced = now;
    m_settled = false;
    ++m_opening;
    if (!m_ahead)
        m_sealed = 0; // follows the peer
    m_ahead = false;
}

void KeyGenerations::update(Time now, bool mayBegin, std::optional<std::uint64_t> newestAcked) {
    if (opensPrevious() && now >= m_previousUntil) {
        m_previous.wipe();
        m_previousUntil = Never;
    }
    if (m_ahead)
        return; // the peer has to follow first
    if (!m_settled && m_sealed > 0 && newestAcked && !before(*newestAcked, m_firstSealed)) {
        m_settled = true;
        m_settledAt = now;
    }
    const Time used = now - m_settledAt;
    if (mayBegin && m_settled && used >= MinPeriod
        && (m_sealed >= m_settings.packets || used >= m_settings.period)) {
        m_ahead = true;
        m_sealed = 0;
    }
}

} // namespace sbx::net
