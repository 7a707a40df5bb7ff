#include "engine/net/udp_transport.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>
#include <asio/ip/v6_only.hpp>
#include <charconv>
#include <chrono>
#include <poll.h>

namespace sbx::net {

using asio::ip::udp;

Time steadyNow() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

namespace {

constexpr int SocketBuffer = 1 << 20; // bytes: a burst must not be lost between two looks
constexpr int MostErrors = 16;        // passed over in one call: a flood of ICMP must not keep it busy

Address fromEndpoint(const udp::endpoint& endpoint) {
    Address address;
    address.port = endpoint.port();
    if (endpoint.address().is_v4()) {
        const auto bytes = endpoint.address().to_v4().to_bytes();
        return Address::v4(bytes[0], bytes[1], bytes[2], bytes[3], endpoint.port());
    }
    const asio::ip::address_v6 v6 = endpoint.address().to_v6();
    const auto bytes = v6.to_bytes();
    std::copy(bytes.begin(), bytes.end(), address.ip.begin());
    address.scope = static_cast<std::uint32_t>(v6.scope_id());
    return address;
}

} // namespace

struct UdpTransport::Socket {
    asio::io_context context;
    udp::socket socket{context};
    bool v6 = true;
};

UdpTransport::UdpTransport(std::unique_ptr<Socket> socket) : m_socket(std::move(socket)) {}
UdpTransport::~UdpTransport() = default;

namespace {
// An error, or none.
asio::error_code prepare(udp::socket& socket, bool v6, std::uint16_t port) {
    asio::error_code error;
    socket.open(v6 ? udp::v6() : udp::v4(), error);
    if (error) {
        return error;
    }
    if (v6) {
        socket.set_option(asio::ip::v6_only(false), error);
    }
    // Refused sizes leave the system's own.
    asio::error_code ignored;
    socket.set_option(asio::socket_base::receive_buffer_size(SocketBuffer), ignored);
    socket.set_option(asio::socket_base::send_buffer_size(SocketBuffer), ignored);
    socket.bind({v6 ? udp::v6() : udp::v4(), port}, error);
    if (error) {
        return error;
    }
    socket.non_blocking(true, error);
    return error;
}

Error cannotOpen(std::uint16_t port, const asio::error_code& error) {
    return Error{"cannot open UDP port " + std::to_string(port) + ": " + error.message()
                     + "; expected a port that no other program uses",
                 {},
                 {}};
}
} // namespace

Result<std::unique_ptr<UdpTransport>> UdpTransport::open(std::uint16_t port) {
    auto socket = std::make_unique<Socket>();
    const asio::error_code error = prepare(socket->socket, true, port);
    if (!error) {
        return std::unique_ptr<UdpTransport>(new UdpTransport(std::move(socket)));
    }
    if (error == asio::error::address_family_not_supported || error.value() == EADDRNOTAVAIL) {
        return openV4(port); // a machine without IPv6
    }
    return cannotOpen(port, error);
}

Result<std::unique_ptr<UdpTransport>> UdpTransport::openV4(std::uint16_t port) {
    auto socket = std::make_unique<Socket>();
    socket->v6 = false;
    if (const asio::error_code error = prepare(socket->socket, false, port)) {
        return cannotOpen(port, error);
    }
    return std::unique_ptr<UdpTransport>(new UdpTransport(std::move(socket)));
}

TransportStatus UdpTransport::send(const Address& to, ByteView datagram) {
    udp::endpoint endpoint;
    if (m_socket->v6) {
        asio::ip::address_v6::bytes_type bytes{};
        std::copy(to.ip.begin(), to.ip.end(), bytes.begin());
        endpoint = {asio::ip::address_v6(bytes, to.scope), to.port};
    } else if (to.isV4()) {
        endpoint = {asio::ip::address_v4({to.ip[12], to.ip[13], to.ip[14], to.ip[15]}), to.port};
    } else {
        ++m_counters.sendErrors;
        return TransportStatus::Failed;
    }
    asio::error_code error;
    m_socket->socket.send_to(asio::buffer(datagram.data(), datagram.size()), endpoint, 0, error);
    if (!error) {
        ++m_counters.sent;
        return TransportStatus::Sent;
    }
    if (error == asio::error::would_block || error == asio::error::try_again
        || error == asio::error::no_buffer_space) {
        ++m_counters.blocked;
        return TransportStatus::WouldBlock;
    }
    if (error == asio::error::message_size) {
        ++m_counters.tooLarge;
        return TransportStatus::TooLarge;
    }
    ++m_counters.sendErrors;
    return TransportStatus::Failed;
}

std::optional<ReceivedDatagram> UdpTransport::receive(std::span<std::uint8_t> buffer) {
    for (int errors = 0; errors < MostErrors;) {
        udp::endpoint from;
        asio::error_code error;
        // MSG_TRUNC: the datagram's own length, even where the buffer is shorter.
        const std::size_t size = m_socket->socket.receive_from(asio::buffer(buffer.data(), buffer.size()), from,
                                                               MSG_TRUNC, error);
        if (error == asio::error::would_block || error == asio::error::try_again) {
            return std::nullopt;
        }
        if (error) {
            ++m_counters.receiveErrors;
            ++errors;
            continue;
        }
        if (size > buffer.size()) {
            ++m_counters.truncated;
            ++errors;
            continue;
        }
        ++m_counters.received;
        return ReceivedDatagram{size, fromEndpoint(from)};
    }
    return std::nullopt;
}

Address UdpTransport::local() const {
    asio::error_code error;
    return fromEndpoint(m_socket->socket.local_endpoint(error));
}

void UdpTransport::wait(Time most) {
    pollfd waiting{m_socket->socket.native_handle(), POLLIN, 0};
    const Time milliseconds = std::clamp<Time>((most + Millisecond - 1) / Millisecond, 0, 60'000);
    static_cast<void>(::poll(&waiting, 1, static_cast<int>(milliseconds)));
}

Result<Address> resolveAddress(std::string_view text, std::uint16_t defaultPort) {
    const auto wrong = [&](const std::string& why) {
        return Error{"'" + std::string(text) + "': " + why + "; expected HOST, HOST:PORT or [IPv6]:PORT", {}, {}};
    };
    std::string_view host = text;
    std::uint16_t port = defaultPort;
    std::string_view portText;
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) {
            return wrong("no closing bracket");
        }
        host = text.substr(1, end - 1);
        const std::string_view rest = text.substr(end + 1);
        if (!rest.empty()) {
            if (rest[0] != ':' || rest.size() == 1) {
                return wrong("no port behind the bracket");
            }
            portText = rest.substr(1);
        }
    } else if (const std::size_t colon = text.rfind(':');
               colon != std::string_view::npos && text.find(':') == colon) {
        host = text.substr(0, colon);
        portText = text.substr(colon + 1);
        if (portText.empty()) {
            return wrong("no port behind the colon");
        }
    }
    if (!portText.empty()) {
        const auto read = std::from_chars(portText.data(), portText.data() + portText.size(), port);
        if (read.ec != std::errc() || read.ptr != portText.data() + portText.size() || port == 0) {
            return wrong("the port is no number from 1 to 65535");
        }
    }
    if (host.empty()) {
        return wrong("no host");
    }
    asio::error_code error;
    const asio::ip::address literal = asio::ip::make_address(std::string(host), error);
    if (!error) {
        return fromEndpoint({literal, port});
    }
    asio::io_context context;
    udp::resolver resolver(context);
    const auto found = resolver.resolve(std::string(host), std::to_string(port), error);
    if (error || found.empty()) {
        return wrong("no such host");
    }
    // IPv4 first: a name like localhost often has both, and a server may listen on IPv4 alone.
    for (const auto& entry : found) {
        if (entry.endpoint().address().is_v4()) {
            return fromEndpoint(entry.endpoint());
        }
    }
    return fromEndpoint(found.begin()->endpoint());
}

} // namespace sbx::net
