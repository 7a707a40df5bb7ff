#pragma once
// A server and guests over simulated links in virtual time. A guest is a host whose messages are made by hand: handshake, keys and
// transport are the shipping ones, what is said, how often and through which window is a test's choice.

#include "engine/commands/console_commands.h"
#include "engine/components/network_system.h"
#include "engine/net/simulated_link.h"
#include "tests/simulation/project_in_memory.h"

#include <QtTest>

#include <algorithm>

namespace sbx::test {

class Siege {
public:
    struct Guest {
        net::Address address;
        std::unique_ptr<net::Host> host;
        std::uint32_t player = 0; // number of its own entity, once it was welcomed
        std::uint64_t heard = 0;  // guaranteed messages
        int ends = 0;             // of connections
        net::CloseReason closed = net::CloseReason::None; // why the last one did
        std::function<void(const net::ReceivedMessage&)> hears;
    };
    struct Line {
        net::Time latency = 20 * net::Millisecond; // one way
        std::uint32_t window = 1024;               // that the guest grants
        std::uint32_t pendingBytes = 1U << 20U;
        std::optional<net::Address> from = std::nullopt; // else one of its own
    };

    explicit Siege(std::uint64_t seed = 1) : m_links(seed) {
        const auto content =
            projectInMemory(server, "[Player]\n[Player.Health]\n[Player.Relay]\n",
                            "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\n");
        if (content == nullptr)
            qFatal("the project cannot be read");
        server.open(content);
        server.play();
        // What is kept for the trace has a bound of its own, and is no guest's doing.
        static_cast<void>(server.execute("net.record false; trace.enabled false"));
        settings.identity = server.simulation().networkIdentity();
        net::HostSettings listening = settings;
        listening.listens = true;
        listening.maxPerAddress = 256;
        m_own = std::make_unique<net::Host>(listening, m_links.open(Own), net::secureEntropy, m_links.now());
        NetworkSystem::Setup setup;
        setup.role = NetworkSystem::Role::Server;
        setup.host = m_own.get();
        setup.pump = [this] { m_own->update(m_links.now()); };
        server.joinNetwork(std::move(setup));
    }
    ~Siege() { server.simulation().network().detach(); }
    Siege(const Siege&) = delete;
    Siege& operator=(const Siege&) = delete;

    // Asks to join; run() until it has a player.
    Guest& add(const Line& line) {
        auto guest = std::make_unique<Guest>();
        guest->address = line.from.value_or(
            net::Address::v4(10, 0, 1, static_cast<std::uint8_t>(guests.size() + 1), 5000));
        net::HostSettings own = settings;
        own.limits.window = line.window;
        own.limits.pendingBytes = line.pendingBytes;
        own.limits.maxMessage = std::min(own.limits.maxMessage, line.pendingBytes);
        guest->host = std::make_unique<net::Host>(own, m_links.open(guest->address), net::secureEntropy, m_links.now());
        net::LinkSettings link;
        link.latency = line.latency;
        m_links.direction(guest->address, Own).setSettings(link);
        m_links.direction(Own, guest->address).setSettings(link);
        guests.push_back(std::move(guest));
        join(*guests.back());
        return *guests.back();
    }
    void join(Guest& guest) {
        guest.player = 0;
        guest.host->connect(Own);
    }
    // A guest's end of its connection, or null.
    static net::Connection* connection(Guest& guest) {
        net::Connection* found = nullptr;
        guest.host->forEach([&](net::Connection& each) {
            found = each.state() == net::Connection::State::Connected ? &each : found;
        });
        return found;
    }
    // The server's end of it, or null.
    net::Connection* serving(const Guest& guest) {
        net::Connection* found = nullptr;
        m_own->forEach([&](net::Connection& each) { found = each.peer() == guest.address ? &each : found; });
        return found;
    }
    std::uint16_t numberOf(std::string_view type) {
        for (std::uint16_t number = 0; number < 500; ++number)
            if (server.simulation().network().typeName(number) == type)
                return number;
        return 60'000;
    }
    // False: the connection takes no more now, or there is none.
    static bool say(Guest& guest, std::uint16_t type, const std::function<void(net::ByteWriter&)>& body) {
        net::Connection* const to = connection(guest);
        if (to == nullptr || guest.player == 0)
            return false;
        wire::Room room;
        net::ByteWriter out(room);
        out.varint(guest.player);
        body(out);
        return to->send(type, out.written()).status == net::SendStatus::Sent;
    }
    static bool sayText(Guest& guest, std::uint16_t type, const std::string& text) {
        return say(guest, type, [&](net::ByteWriter& out) { wire::writeText(out, text); });
    }

    void tick() {
        constexpr int Steps = 8;
        const net::Time begun = m_ticks * net::Second / 60;
        const net::Time until = ++m_ticks * net::Second / 60;
        for (int step = 1; step <= Steps; ++step) {
            m_links.advance(begun + (until - begun) * step / Steps);
            m_own->update(m_links.now());
            for (const auto& guest : guests)
                update(*guest);
        }
        server.tick();
    }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i)
            tick();
    }
    // False: some guest has no player after a minute.
    bool settle() {
        const auto settled = [&] {
            return std::all_of(guests.begin(), guests.end(), [](const auto& guest) { return guest->player != 0; });
        };
        for (int i = 0; i < 3600 && !settled(); ++i)
            tick();
        return settled();
    }
    [[nodiscard]] net::Time now() const { return m_links.now(); }
    net::Host& host() { return *m_own; }
    int linesAbout(const std::string& text) const {
        int lines = 0;
        for (const LogRecord& record : log.since(0))
            lines += record.text.find(text) != std::string::npos ? 1 : 0;
        return lines;
    }

    Log log;
    Session server{log, addConsoleCommands};
    net::HostSettings settings;
    std::vector<std::unique_ptr<Guest>> guests;

private:
    static inline const net::Address Own = net::Address::v4(10, 0, 0, 1, 4000);

    void update(Guest& guest) {
        guest.host->update(m_links.now());
        if (m_welcome == 0) {
            m_welcome = numberOf("Welcome");
        }
        guest.host->forEach([&](net::Connection& each) {
            net::ReceivedMessage delivery;
            while (each.next(delivery)) {
                guest.heard += delivery.guaranteed ? 1U : 0U;
                if (delivery.type == m_welcome)
                    guest.player = net::ByteReader(delivery.body.bytes()).varint();
                if (guest.hears)
                    guest.hears(delivery);
            }
        });
        net::ConnectionEvent event;
        while (guest.host->nextEvent(event))
            if (event.kind == net::ConnectionEvent::Kind::Closed) {
                ++guest.ends;
                guest.closed = event.reason;
                guest.player = 0;
            }
    }

    net::SimulatedNetwork m_links;
    std::unique_ptr<net::Host> m_own;
    net::Time m_ticks = 0;
    std::uint16_t m_welcome = 0;
};

} // namespace sbx::test
