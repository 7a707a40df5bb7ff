#include "engine/net/linked_transport.h"

#include "engine/net/bytes.h"

#include <algorithm>

namespace sbx::net {

namespace {

// Where a datagram goes to or comes from travels behind it: a flipped bit is the datagram's own.
constexpr std::size_t PlaceSize = 16 + 2 + 4;

void append(std::vector<std::uint8_t>& bytes, ByteView datagram, const Address& address) {
    bytes.assign(datagram.begin(), datagram.end());
    bytes.resize(datagram.size() + PlaceSize);
    const std::span<std::uint8_t> all(bytes);
    ByteWriter out(all.subspan(datagram.size()));
    out.bytes(address.ip);
    out.u16(address.port);
    out.u32(address.scope);
}

Address detach(std::vector<std::uint8_t>& bytes) {
    ByteReader in(ByteView(bytes).last(PlaceSize));
    Address address;
    const ByteView ip = in.bytes(16);
    std::copy(ip.begin(), ip.end(), address.ip.begin());
    address.port = in.u16();
    address.scope = in.u32();
    bytes.resize(bytes.size() - PlaceSize);
    return address;
}

} // namespace

LinkedTransport::LinkedTransport(Transport& below, std::function<Time()> clock, const LinkSettings& out,
                                 const LinkSettings& in, std::uint64_t seed)
    : m_below(below), m_clock(std::move(clock)), m_out(seed * 2 + 1, out), m_in(seed * 2 + 2, in) {}

TransportStatus LinkedTransport::send(const Address& to, ByteView datagram) {
    append(m_bytes, datagram, to);
    m_out.push(m_clock(), m_bytes);
    update();
    return TransportStatus::Sent;
}

void LinkedTransport::update() {
    while (m_out.pop(m_clock(), m_bytes)) {
        const Address to = detach(m_bytes);
        m_below.send(to, m_bytes);
    }
}

std::optional<ReceivedDatagram> LinkedTransport::receive(std::span<std::uint8_t> buffer) {
    update();
    while (const auto received = m_below.receive(buffer)) {
        std::vector<std::uint8_t> bytes;
        append(bytes, ByteView(buffer).first(received->size), received->from);
        m_in.push(m_clock(), bytes);
    }
    while (m_in.pop(m_clock(), m_bytes)) {
        const Address from = detach(m_bytes);
        if (m_bytes.size() <= buffer.size()) {
            std::copy(m_bytes.begin(), m_bytes.end(), buffer.begin());
            return ReceivedDatagram{m_bytes.size(), from};
        }
    }
    return std::nullopt;
}

Time LinkedTransport::nextDue() const { return std::min(m_out.nextDue(), m_in.nextDue()); }

} // namespace sbx::net
