#include "engine/net/udp_transport.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>
#include <asio/ip/v6_only.hpp>
#include <charconv>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <netinet/udp.h>
#include <poll.h>
#include <sys/socket.h>
#include <vector>

namespace sbx::net {

using asio::ip::udp;

Time steadyNow() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

namespace {

constexpr int SocketBuffer = 1 << 20; // bytes: a burst must not be lost between two looks
constexpr int MaxErrors = 16;         // passed over in one call: a flood of ICMP must not keep it busy

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

// Datagrams that leave together, in the order in which they came.
struct UdpTransport::Batch {
    static constexpr std::size_t Most = 64;            // of the system's, too, in one piece
    static constexpr std::size_t MaxInOne = 64'000;    // bytes of one piece: an IP packet's
    using Control = std::array<char, CMSG_SPACE(sizeof(std::uint16_t))>;

    // How many from `at` on the system may cut out of one piece: to one address, all of one size but the last, which may be shorter.
    [[nodiscard]] std::size_t run(std::size_t at) const {
        std::size_t end = at + 1;
        std::size_t total = sizes[at];
        while (end < count && sizes[end - 1] == sizes[at] && sizes[end] <= sizes[at] && to[end] == to[at]
               && total + sizes[end] <= MaxInOne) {
            total += sizes[end++];
        }
        return end - at;
    }
    void prepare(std::size_t message, std::size_t at) {
        mmsghdr& header = headers[message];
        header = {};
        for (std::size_t i = at; i < at + runs[message]; ++i) {
            parts[i] = {bytes.data() + i * MaxDatagram, sizes[i]};
        }
        header.msg_hdr.msg_name = to[at].data();
        header.msg_hdr.msg_namelen = static_cast<socklen_t>(to[at].size());
        header.msg_hdr.msg_iov = &parts[at];
        header.msg_hdr.msg_iovlen = runs[message];
        if (runs[message] > 1) {
            header.msg_hdr.msg_control = controls[message].data();
            header.msg_hdr.msg_controllen = controls[message].size();
            cmsghdr* const control = CMSG_FIRSTHDR(&header.msg_hdr);
            control->cmsg_level = SOL_UDP;
            control->cmsg_type = UDP_SEGMENT;
            control->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
            const auto size = static_cast<std::uint16_t>(sizes[at]);
            std::memcpy(CMSG_DATA(control), &size, sizeof size);
        }
    }

    bool gathering = false;
    bool canSegment = false;
    bool segments = false;
    bool doubted = false; // several were refused as one: are they alone?
    std::size_t first = 0; // those before have left
    std::size_t count = 0;
    std::vector<std::uint8_t> bytes; // MaxDatagram each
    std::array<udp::endpoint, Most> to;
    std::array<std::size_t, Most> sizes{};
    std::array<std::size_t, Most> runs{}; // of each message
    std::array<mmsghdr, Most> headers{};
    std::array<iovec, Most> parts{};
    alignas(cmsghdr) std::array<Control, Most> controls{};
};

UdpTransport::UdpTransport(std::unique_ptr<Socket> socket) : m_socket(std::move(socket)), m_batch(std::make_unique<Batch>()) {
    int size = 0;
    socklen_t length = sizeof size;
    m_batch->canSegment = ::getsockopt(m_socket->socket.native_handle(), SOL_UDP, UDP_SEGMENT, &size, &length) == 0;
    m_batch->segments = m_batch->canSegment;
}
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

// What an error of sending means to the datagram it is about.
TransportStatus UdpTransport::judge(int error) {
    switch (error) {
    case EAGAIN:
    case ENOBUFS:
        ++m_counters.blocked;
        return TransportStatus::WouldBlock;
    case EMSGSIZE:
        ++m_counters.tooLarge;
        return TransportStatus::TooLarge;
    default:
        ++m_counters.sendErrors;
        return TransportStatus::Failed;
    }
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
    Batch& batch = *m_batch;
    if (batch.gathering && !datagram.empty() && datagram.size() <= MaxDatagram) {
        if (batch.count == Batch::Most && !sendGathered()) {
            return TransportStatus::WouldBlock;
        }
        std::copy(datagram.begin(), datagram.end(), batch.bytes.begin() + static_cast<std::ptrdiff_t>(batch.count * MaxDatagram));
        batch.to[batch.count] = endpoint;
        batch.sizes[batch.count] = datagram.size();
        ++batch.count;
        return TransportStatus::Sent;
    }
    if (!sendGathered()) { // nothing overtakes what waits
        return TransportStatus::WouldBlock;
    }
    ++m_counters.calls;
    asio::error_code error;
    m_socket->socket.send_to(asio::buffer(datagram.data(), datagram.size()), endpoint, 0, error);
    if (!error) {
        ++m_counters.sent;
        return TransportStatus::Sent;
    }
    return judge(error.value());
}

void UdpTransport::gather() {
    m_batch->gathering = true;
    m_batch->bytes.resize(Batch::Most * MaxDatagram);
}

void UdpTransport::flush() {
    sendGathered();
    m_batch->gathering = false;
}

void UdpTransport::setSegmentation(bool allowed) { m_batch->segments = allowed && m_batch->canSegment; }
bool UdpTransport::segmentation() const { return m_batch->segments; }

// False: the socket is full; the rest waits for the next call.
bool UdpTransport::sendGathered() {
    Batch& batch = *m_batch;
    std::size_t singlyUntil = 0; // where the system did not take several as one, each gets an answer of its own
    while (batch.first < batch.count) {
        std::size_t messages = 0;
        for (std::size_t at = batch.first; at < batch.count; at += batch.runs[messages++]) {
            batch.runs[messages] = at < singlyUntil || !batch.segments ? 1 : batch.run(at);
            batch.prepare(messages, at);
        }
        ++m_counters.calls;
        const int taken = ::sendmmsg(m_socket->socket.native_handle(), batch.headers.data(), static_cast<unsigned>(messages), 0);
        const int error = taken < 0 ? errno : 0;
        for (int i = 0; i < taken; ++i) {
            const std::size_t run = batch.runs[static_cast<std::size_t>(i)];
            m_counters.sent += run;
            // It goes one by one and not together: no card or driver here can cut.
            batch.segments = batch.segments && !(batch.doubted && batch.first < singlyUntil);
            batch.doubted = batch.doubted && batch.first + run < singlyUntil;
            batch.first += run;
        }
        if (taken >= 0 || error == EINTR) {
            continue;
        }
        if (batch.runs[0] > 1 && error != EAGAIN && error != ENOBUFS) {
            singlyUntil = batch.first + batch.runs[0];
            batch.doubted = error != EMSGSIZE;
        } else if (judge(error) == TransportStatus::WouldBlock) {
            return false;
        } else {
            ++batch.first;
        }
    }
    batch.first = batch.count = 0;
    return true;
}

std::optional<ReceivedDatagram> UdpTransport::receive(std::span<std::uint8_t> buffer) {
    for (int errors = 0; errors < MaxErrors;) {
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
