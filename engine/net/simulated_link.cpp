#include "engine/net/simulated_link.h"

#include <algorithm>

namespace sbx::net {

namespace {
// 53 uniform bits: fine enough for shares far below a percent.
double chance(Random& random) {
    const std::uint64_t high = random.next();
    const std::uint64_t low = random.next();
    return static_cast<double>(((high << 32U) | low) >> 11U) * 0x1.0p-53;
}
} // namespace

LinkDirection::LinkDirection(std::uint64_t seed, LinkSettings settings)
    : m_settings(settings), m_random(seed) {}

bool LinkDirection::later(const Flight& a, const Flight& b) {
    return a.due != b.due ? a.due > b.due : a.order > b.order;
}

bool LinkDirection::loses(double draw) {
    const double loss = m_settings.loss;
    if (m_settings.burst <= 1.0 || loss >= 1.0) {
        return draw < loss;
    }
    // Leaving the bad state ends a burst of mean length `burst`; entering balances it to the long-run share.
    const double leave = 1.0 / m_settings.burst;
    const double enter = std::min(1.0, loss * leave / (1.0 - loss));
    m_bad = m_bad ? draw >= leave : draw < enter;
    return m_bad;
}

void LinkDirection::push(Time now, ByteView datagram) {
    const double lossDraw = chance(m_random);
    const double duplicateDraw = chance(m_random);
    const double reorderDraw = chance(m_random);
    const double corruptDraw = chance(m_random);
    const double jitterDraw = chance(m_random);
    const double secondJitterDraw = chance(m_random);
    const std::uint32_t bit = m_random.next();
    ++m_counters.sent;
    m_counters.bytes += datagram.size();
    if (now >= m_settings.blackoutFrom && now < m_settings.blackoutUntil) {
        ++m_counters.blackedOut;
        return;
    }
    if (loses(lossDraw)) {
        ++m_counters.lost;
        return;
    }
    Time leaves = now;
    if (m_settings.rate > 0.0) {
        if (queueDelay(now) > m_settings.queue) {
            ++m_counters.overflowed;
            return;
        }
        const double seconds = static_cast<double>(datagram.size()) * 8.0 / m_settings.rate;
        m_busyUntil = std::max(now, m_busyUntil) + static_cast<Time>(seconds * 1e9);
        leaves = m_busyUntil;
    }
    const auto jitter = [this](double draw) {
        return static_cast<Time>(draw * static_cast<double>(m_settings.jitter));
    };
    Time due = leaves + m_settings.latency + jitter(jitterDraw);
    if (reorderDraw < m_settings.reorder) {
        ++m_counters.heldBack;
        due += m_settings.reorderBy;
    }
    const bool corrupt = corruptDraw < m_settings.corrupt && !datagram.empty();
    if (corrupt) {
        ++m_counters.corrupted;
    }
    launch(due, datagram, corrupt, bit);
    if (duplicateDraw < m_settings.duplicate) {
        ++m_counters.duplicated;
        launch(leaves + m_settings.latency + jitter(secondJitterDraw), datagram, false, 0);
    }
}

void LinkDirection::launch(Time due, ByteView datagram, bool corrupt, std::uint32_t bit) {
    Flight flight;
    flight.due = due;
    flight.order = m_order++;
    if (!m_spare.empty()) {
        flight.bytes = std::move(m_spare.back());
        m_spare.pop_back();
    }
    flight.bytes.reserve(MaxDatagram); // once: buffers go around
    flight.bytes.assign(datagram.begin(), datagram.end());
    if (corrupt) {
        const std::size_t at = bit % (datagram.size() * 8U);
        flight.bytes[at / 8U] = static_cast<std::uint8_t>(flight.bytes[at / 8U] ^ (1U << (at % 8U)));
    }
    m_heap.push_back(std::move(flight));
    std::push_heap(m_heap.begin(), m_heap.end(), later);
}

Time LinkDirection::nextDue() const { return m_heap.empty() ? Never : m_heap.front().due; }

bool LinkDirection::pop(Time now, std::vector<std::uint8_t>& out) {
    if (nextDue() > now) {
        return false;
    }
    std::pop_heap(m_heap.begin(), m_heap.end(), later);
    out.swap(m_heap.back().bytes);
    m_spare.push_back(std::move(m_heap.back().bytes));
    m_heap.pop_back();
    ++m_counters.delivered;
    return true;
}

// One transport: an inbox, and the address others know it by.
class SimulatedNetwork::Port final : public Transport {
public:
    Port(SimulatedNetwork& network, const Address& address)
        : m_network(network), m_own(address), m_known(address) {}

    TransportStatus send(const Address& to, ByteView datagram) override {
        m_network.sendFrom(*this, to, datagram);
        return TransportStatus::Sent;
    }
    std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override {
        while (m_count > 0) {
            Entry& entry = m_inbox[m_first];
            m_first = (m_first + 1) % m_inbox.size();
            --m_count;
            if (entry.bytes.size() <= buffer.size()) {
                std::copy(entry.bytes.begin(), entry.bytes.end(), buffer.begin());
                return ReceivedDatagram{entry.bytes.size(), entry.from};
            }
        }
        return std::nullopt;
    }
    void put(const Address& from, ByteView datagram) {
        if (m_count == m_inbox.size()) {
            std::rotate(m_inbox.begin(), m_inbox.begin() + static_cast<std::ptrdiff_t>(m_first),
                        m_inbox.end());
            m_first = 0;
            m_inbox.resize(std::max<std::size_t>(8, m_inbox.size() * 2));
        }
        Entry& entry = m_inbox[(m_first + m_count) % m_inbox.size()];
        entry.from = from;
        entry.bytes.reserve(MaxDatagram);
        entry.bytes.assign(datagram.begin(), datagram.end());
        ++m_count;
    }
    [[nodiscard]] const Address& own() const { return m_own; }
    [[nodiscard]] const Address& known() const { return m_known; }
    void setKnown(const Address& address) { m_known = address; }

private:
    struct Entry {
        Address from;
        std::vector<std::uint8_t> bytes;
    };
    SimulatedNetwork& m_network;
    Address m_own;
    Address m_known;
    std::vector<Entry> m_inbox; // a ring whose buffers are used again
    std::size_t m_first = 0;
    std::size_t m_count = 0;
};

SimulatedNetwork::SimulatedNetwork(std::uint64_t seed) : m_seed(seed) {}
SimulatedNetwork::~SimulatedNetwork() = default;

Transport& SimulatedNetwork::open(const Address& address) {
    m_ports.push_back(std::make_unique<Port>(*this, address));
    return *m_ports.back();
}

void SimulatedNetwork::close(const Address& address) {
    std::erase_if(m_ports, [&](const auto& port) { return port->own() == address; });
}

void SimulatedNetwork::rebind(const Address& from, const Address& to) {
    for (const auto& port : m_ports) {
        if (port->known() == from) {
            port->setKnown(to);
            return;
        }
    }
}

SimulatedNetwork::Port* SimulatedNetwork::find(const Address& address) {
    for (const auto& port : m_ports) {
        if (port->known() == address) {
            return port.get();
        }
    }
    return nullptr;
}

LinkDirection& SimulatedNetwork::direction(const Address& from, const Address& to) {
    std::unique_ptr<LinkDirection>& slot = m_directions[{from, to}];
    if (!slot) {
        slot = std::make_unique<LinkDirection>(m_seed * 1000003U + m_directions.size(), m_default);
    }
    return *slot;
}

void SimulatedNetwork::sendFrom(const Port& port, const Address& to, ByteView datagram) {
    if (m_tap) {
        m_tap(m_now, port.known(), to, datagram);
    }
    direction(port.known(), to).push(m_now, datagram);
}

void SimulatedNetwork::inject(const Address& from, const Address& to, ByteView datagram) {
    if (Port* port = find(to)) {
        port->put(from, datagram);
    }
}

Time SimulatedNetwork::nextDue() const {
    Time next = Never;
    for (const auto& [ends, link] : m_directions) {
        next = std::min(next, link->nextDue());
    }
    return next;
}

void SimulatedNetwork::advance(Time to) {
    m_now = std::max(m_now, to);
    // Arrivals over all links in order of time; ties in order of the ends' addresses.
    for (;;) {
        LinkDirection* first = nullptr;
        const std::pair<Address, Address>* ends = nullptr;
        for (const auto& [pair, link] : m_directions) {
            if (link->nextDue() <= m_now && (first == nullptr || link->nextDue() < first->nextDue())) {
                first = link.get();
                ends = &pair;
            }
        }
        if (first == nullptr) {
            return;
        }
        first->pop(m_now, m_scratch);
        if (Port* port = find(ends->second)) {
            port->put(ends->first, m_scratch);
        }
    }
}

} // namespace sbx::net
