// What a peer says that no program of ours would: a server that lies to a client, a client that lies to a server. Handshake, keys
// and transport are the shipping ones; only what is said is made by hand.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/network_system.h"
#include "tests/folders.h"
#include "tests/session/served_courtyard.h"

#include <bit>

using namespace sbx;
using namespace sbx::test;

namespace {

// One end is a session, the other a host whose messages are written here.
class Duel {
public:
    explicit Duel(NetworkSystem::Role victim) : m_server(victim == NetworkSystem::Role::Server) {
        Diagnostics faults;
        session.simulation().setSide(m_server ? Side::Server : Side::Client);
        const auto project = sbx::test::sourcePath("resources/projects/courtyard");
        session.open(loadContent(project, {}, session.catalog().schema, faults));
        session.play();
        net::HostSettings settings;
        settings.identity = session.simulation().networkIdentity();
        net::HostSettings listening = settings;
        listening.listens = true;
        const auto host = [&](bool listens, const net::Address& at) {
            return std::make_unique<net::Host>(listens ? listening : settings, m_links.open(at), net::secureEntropy, m_links.now());
        };
        m_own = host(m_server, Own);
        m_liar = host(!m_server, Liar);
        NetworkSystem::Setup setup;
        setup.role = victim;
        setup.host = m_own.get();
        setup.pump = [this] { m_own->update(m_links.now()); };
        session.joinNetwork(std::move(setup));
        if (m_server)
            m_liar->connect(Own);
        else
            m_own->connect(Liar);
        for (int i = 0; i < 200 && (peer() == nullptr || session.simulation().network().peerCount() == 0); ++i)
            tick();
        tick();
    }
    ~Duel() { session.simulation().network().detach(); }

    void tick(int count = 1) {
        for (int i = 0; i < count; ++i) {
            for (int step = 0; step < 4; ++step) {
                m_links.advance(m_links.now() + 4 * net::Millisecond);
                m_liar->update(m_links.now());
                m_own->update(m_links.now());
            }
            net::ConnectionEvent event;
            while (m_liar->nextEvent(event))
                if (event.kind == net::ConnectionEvent::Kind::Closed)
                    closed = event.reason;
            session.tick();
        }
    }
    net::Connection* peer() {
        net::Connection* found = nullptr;
        m_liar->forEach([&](net::Connection& connection) {
            found = connection.state() == net::Connection::State::Connected ? &connection : found;
        });
        return found;
    }
    // Type and body of a message of that name, or a number beyond all names.
    void say(const char* type, const std::function<void(net::ByteWriter&)>& body, bool guaranteed = true) {
        sayBytes(numberOf(type), body, guaranteed);
    }
    void sayBytes(std::uint16_t type, const std::function<void(net::ByteWriter&)>& body, bool guaranteed = true) {
        wire::Room room;
        net::ByteWriter out(room);
        body(out);
        QVERIFY(peer() != nullptr);
        if (guaranteed)
            QVERIFY(peer()->send(type, out.written()).status == net::SendStatus::Sent);
        else
            QVERIFY(peer()->sendUnreliable(type, out.written()) == net::SendStatus::Sent);
        tick(4);
    }
    std::uint16_t numberOf(std::string_view type) {
        for (std::uint16_t number = 0; number < 500; ++number)
            if (session.simulation().network().typeName(number) == type)
                return number;
        return 60'000;
    }
    // Lines of the log since the last call that speak of what a peer has sent.
    QStringList complaints() {
        QStringList lines;
        for (const LogRecord& record : log.since(m_logged)) {
            m_logged = record.sequence;
            if (record.channel == "network" && record.text.find("has sent") != std::string::npos)
                lines << QString::fromStdString(record.text);
        }
        return lines;
    }
    Log log;
    Session session{log, addConsoleCommands};
    net::CloseReason closed = net::CloseReason::None;

private:
    static inline const net::Address Own = net::Address::v4(10, 0, 0, 1, 4000);
    static inline const net::Address Liar = net::Address::v4(10, 0, 0, 2, 5000);
    bool m_server;
    net::SimulatedNetwork m_links{1};
    std::unique_ptr<net::Host> m_own;
    std::unique_ptr<net::Host> m_liar;
    std::uint64_t m_logged = 0;
};

// An entity as a server tells of it; the fields that a test makes worse.
struct Told {
    std::uint32_t number = 1;
    std::uint32_t parent = 0;
    std::string type = "Crate";
    std::string name = "told";
    Vec3 position{0.0F, 5.0F, 0.0F};
    Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    Vec3 scale{1.0F};
    void write(net::ByteWriter& out) const {
        out.varint(number);
        out.varint(parent);
        wire::writeText(out, type);
        wire::writeText(out, name);
        wire::writePlace(out, position, rotation);
        wire::writeScale(out, scale);
    }
};

constexpr float NaN = std::numeric_limits<float>::quiet_NaN();
constexpr float Infinity = std::numeric_limits<float>::infinity();

using Write = std::function<void(net::ByteWriter&)>;

} // namespace

Q_DECLARE_METATYPE(Told)
Q_DECLARE_METATYPE(Write)

class TestNetworkHostile : public QObject {
    Q_OBJECT
private slots:
    // The hand that lies below can tell the truth: what is refused is refused for the lie.
    void theTruthIsTaken() {
        Duel duel(NetworkSystem::Role::Client);
        const std::size_t before = duel.session.world().entityCount();
        Told told;
        duel.say("Spawn", [&](net::ByteWriter& out) { told.write(out); });
        QCOMPARE(duel.session.world().entityCount(), before + 1);
        const Entity crate = duel.session.world().find("told");
        QVERIFY(crate);
        QCOMPARE(crate.type().name(), std::string("Crate"));
        told.number = 2;
        told.parent = 1;
        told.name = "child";
        duel.say("Spawn", [&](net::ByteWriter& out) { told.write(out); });
        QCOMPARE(duel.session.world().find("child").parent(), crate.id());
        duel.say("Damage", [](net::ByteWriter& out) {
            out.varint(1);
            out.u32(std::bit_cast<std::uint32_t>(3.0F));
        });
        QCOMPARE(duel.session.simulation().network().counters().received, std::uint64_t{1});
        duel.say("Despawn", [](net::ByteWriter& out) { out.varint(1); });
        QVERIFY(!duel.session.world().find("told"));
        QCOMPARE(duel.complaints(), QStringList());
        QCOMPARE(duel.session.simulation().network().counters().malformed, std::uint64_t{0});
        QVERIFY(duel.peer() != nullptr);
    }

    void aLyingServersSpawnEndsTheConnection_data() {
        QTest::addColumn<Told>("told");
        QTest::newRow("far") << Told{.position = Vec3(3e38F, 0.0F, 0.0F)};
        QTest::newRow("just beyond") << Told{.position = Vec3(0.0F, -1.1e6F, 0.0F)};
        QTest::newRow("nowhere") << Told{.position = Vec3(0.0F, NaN, 0.0F)};
        QTest::newRow("infinitely far") << Told{.position = Vec3(0.0F, 0.0F, Infinity)};
        QTest::newRow("no size") << Told{.scale = Vec3(0.0F)};
        QTest::newRow("flat") << Told{.scale = Vec3(1.0F, 0.0F, 1.0F)};
        QTest::newRow("size no number") << Told{.scale = Vec3(1.0F, NaN, 1.0F)};
        QTest::newRow("inside out") << Told{.scale = Vec3(-1.0F, 1.0F, 1.0F)};
        QTest::newRow("huge") << Told{.scale = Vec3(1e30F)};
        QTest::newRow("not turned at all") << Told{.rotation = Quat(0.0F, 0.0F, 0.0F, 0.0F)};
        QTest::newRow("turned too much") << Told{.rotation = Quat(5.0F, 0.0F, 0.0F, 0.0F)};
        QTest::newRow("turn no number") << Told{.rotation = Quat(1.0F, NaN, 0.0F, 0.0F)};
        QTest::newRow("no number") << Told{.number = 0};
        QTest::newRow("name of two lines") << Told{.name = "a\n[network] the server is honest"};
        QTest::newRow("name no text") << Told{.name = "\xff\xfe"};
        QTest::newRow("type no text") << Told{.type = std::string("Cra\0te", 6)};
    }
    void aLyingServersSpawnEndsTheConnection() {
        QFETCH(Told, told);
        Duel duel(NetworkSystem::Role::Client);
        const std::size_t before = duel.session.world().entityCount();
        duel.say("Spawn", [&](net::ByteWriter& out) { told.write(out); });
        QCOMPARE(duel.session.world().entityCount(), before);
        expectEnd(duel, "Spawn");
    }

    // Its form is right, and it is no use here: that alone is refused, and said once.
    void aSpawnThatCannotBeHadIsRefused_data() {
        QTest::addColumn<Told>("told");
        QTest::newRow("unknown type") << Told{.number = 7, .type = "Dragon"};
        QTest::newRow("unknown parent") << Told{.number = 7, .parent = 99};
        QTest::newRow("own parent") << Told{.number = 7, .parent = 7};
    }
    void aSpawnThatCannotBeHadIsRefused() {
        QFETCH(Told, told);
        Duel duel(NetworkSystem::Role::Client);
        const std::size_t before = duel.session.world().entityCount();
        for (int i = 0; i < 3; ++i)
            duel.say("Spawn", [&](net::ByteWriter& out) { told.write(out); });
        QCOMPARE(duel.session.world().entityCount(), before);
        QCOMPARE(duel.complaints().size(), 1);
        QCOMPARE(duel.session.simulation().network().counters().malformed, std::uint64_t{3});
        QVERIFY(duel.peer() != nullptr);
    }

    // Each step is within bounds; together they are not.
    void nestedScalesStayInTheWorld_data() {
        QTest::addColumn<float>("scale");
        QTest::newRow("ever larger") << 1e3F;
        QTest::newRow("ever smaller") << 1e-3F;
    }
    void nestedScalesStayInTheWorld() {
        QFETCH(float, scale);
        Duel duel(NetworkSystem::Role::Client);
        for (std::uint32_t i = 1; i <= 16; ++i) {
            const Told told{.number = i,
                            .parent = i - 1,
                            .name = "deep" + std::to_string(i),
                            .position = Vec3(100.0F),
                            .scale = Vec3(scale)};
            duel.say("Spawn", [&](net::ByteWriter& out) { told.write(out); });
        }
        QVERIFY(duel.session.world().find("deep1"));
        duel.session.world().forEach([](const Entity& entity) {
            QVERIFY(wire::isValidPlace(entity.pose().position, entity.pose().rotation));
            QVERIFY(isFinite(entity.pose().scale));
            QVERIFY(entity.pose().scale.x > 0.0F && isFinite(entity.local().position) && isFinite(entity.local().scale));
        });
        QVERIFY(duel.session.simulation().network().counters().malformed > 0);
        QVERIFY(duel.peer() != nullptr);
    }

    // A chain of children has as many as 256 parents in it; the next child, and its child, are refused.
    void aChainOfChildrenEnds() {
        Duel duel(NetworkSystem::Role::Client);
        constexpr std::uint32_t Most = 256;
        for (std::uint32_t i = 1; i <= Most + 3; ++i) {
            const Told told{
                .number = i, .parent = i - 1, .name = "link" + std::to_string(i), .position = Vec3(0.01F)};
            duel.say("Spawn", [&](net::ByteWriter& out) { told.write(out); });
        }
        const auto there = [&](std::uint32_t i) {
            return static_cast<bool>(duel.session.world().find("link" + std::to_string(i)));
        };
        QVERIFY(there(1) && there(Most + 1));
        QVERIFY(!there(Most + 2) && !there(Most + 3));
        QCOMPARE(duel.session.simulation().network().counters().malformed, std::uint64_t{2});
        QVERIFY(duel.peer() != nullptr);
    }

    void whatBreaksTheFormEndsTheConnection_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<Write>("body");
        QTest::addColumn<bool>("guaranteed");
        const auto row = [](const char* what, const char* type, Write body, bool guaranteed = true) {
            QTest::newRow(what) << QString::fromLatin1(type) << std::move(body) << guaranteed;
        };
        row("no type", "Nonsense", [](net::ByteWriter& out) { out.varint(1); });
        row("cut short", "Spawn", [](net::ByteWriter& out) { out.varint(5); });
        row("empty", "Spawn", [](net::ByteWriter&) {});
        row("with a tail", "Spawn", [](net::ByteWriter& out) {
            Told{.number = 9}.write(out);
            out.u8(0);
        });
        row("number of another", "Spawn", [](net::ByteWriter& out) { Told{}.write(out); });
        row("longer than it is", "Spawn", [](net::ByteWriter& out) {
            out.varint(5);
            out.varint(0);
            out.varint(0xFFFFFFFFU);
        });
        row("despawn of nothing", "Despawn", [](net::ByteWriter&) {});
        row("despawn with a tail", "Despawn", [](net::ByteWriter& out) {
            out.varint(1);
            out.u8(1);
        });
        row("welcome with a tail", "Welcome", [](net::ByteWriter& out) { out.u64(1); });
        row("setting cut short", "Setting", [](net::ByteWriter& out) { wire::writeText(out, "sim.timeScale"); });
        row("setting no text", "Setting", [](net::ByteWriter& out) {
            wire::writeText(out, "sim.timeScale");
            wire::writeText(out, "\xc0\x80");
        });
        row("gather that speaks", "Gather", [](net::ByteWriter& out) { out.u8(1); });
        row("message cut short", "Damage", [](net::ByteWriter& out) {
            out.varint(1);
            out.u8(1);
        });
        row("message with a tail", "Damage", [](net::ByteWriter& out) {
            out.varint(1);
            out.u64(0);
        });
        row("guaranteed state", "State", [](net::ByteWriter& out) { out.varint(1); });
        row("spawn that may be lost", "Spawn", [](net::ByteWriter& out) { Told{.number = 9}.write(out); }, false);
        row("damage that may be lost", "Damage", [](net::ByteWriter& out) {
            out.varint(1);
            out.u32(0);
        }, false);
    }
    void whatBreaksTheFormEndsTheConnection() {
        QFETCH(QString, type);
        QFETCH(Write, body);
        QFETCH(bool, guaranteed);
        Duel duel(NetworkSystem::Role::Client);
        duel.say("Spawn", [](net::ByteWriter& out) { Told{}.write(out); });
        QVERIFY(duel.session.world().find("told"));
        const std::size_t before = duel.session.world().entityCount();
        duel.say(type.toLatin1().constData(), body, guaranteed);
        QCOMPARE(duel.session.world().entityCount(), before);
        expectEnd(duel, type == QLatin1String("Nonsense") ? "an unknown message" : type.toLatin1().constData());
    }

    // States that this world cannot hold change nothing; the next one is taken.
    void statesOutOfBoundsAreRefused() {
        Duel duel(NetworkSystem::Role::Client);
        duel.say("Spawn", [](net::ByteWriter& out) { Told{}.write(out); });
        std::uint16_t round = 0;
        // Of a crate: the columns of its Body (position, rotation, two velocities), then those of the rest. By hand, from the description of
        // the bits in state_table.h.
        const auto columnsOf = [&] {
            const Entity entity = duel.session.world().find("told");
            return StateTable(entity.sharedType()).columnCount();
        };
        const std::size_t columns = columnsOf();
        QVERIFY(columns > 4 && columns <= 8);
        const auto state = [&](std::int32_t millimetres, std::uint32_t health, unsigned tail = 0) {
            duel.say("State", [&](net::ByteWriter& out) {
                out.varint(1);
                out.u16(++round);
                std::array<std::uint8_t, 64> room{};
                net::BitWriter bits(room);
                for (std::size_t i = 0; i < columns; ++i)
                    bits.write(i == 0 || i == 4 ? 1 : 0, 1);
                for (const std::int32_t steps : {1000, millimetres, 3000})
                    bits.writeShort(static_cast<std::uint32_t>((steps << 1) ^ (steps >> 31)), 5);
                bits.write(health != 0 ? 1 : 0, 1);
                if (health != 0)
                    bits.write(health, 32);
                bits.write(0, tail);
                out.bytes(bits.written());
            }, false);
        };
        const auto number = [](float value) { return std::bit_cast<std::uint32_t>(value); };
        const auto taken = [&] { return duel.session.simulation().network().counters().statesReceived; };
        const auto health = [&] {
            World& world = duel.session.world();
            return world.getComponent<Health>(world.find("told").id())->state.current;
        };
        state(2000, number(12.0F));
        QCOMPARE(taken(), std::uint64_t{1});
        QCOMPARE(health(), 12.0F);
        QVERIFY(std::abs(duel.session.world().find("told").pose().position.x - 1.0F) < 0.05F);
        state(100'001'000, number(7.0F)); // 100 km and a metre
        state(-100'001'000, number(7.0F));
        state(2000, number(NaN));
        state(2000, number(Infinity));
        state(2000, number(1e12F));
        state(2000, number(7.0F), 9); // a byte too many
        duel.say("State", [](net::ByteWriter& out) { out.varint(1); }, false); // cut short, ever later
        duel.say("State", [](net::ByteWriter& out) {
            out.varint(1);
            out.u16(30);
        }, false);
        duel.say("State", [](net::ByteWriter& out) {
            out.varint(1);
            out.u16(31);
            out.u8(0x11); // says that there is a position, and has none
        }, false);
        QCOMPARE(taken(), std::uint64_t{1});
        QCOMPARE(health(), 12.0F);
        QCOMPARE(duel.session.simulation().network().counters().malformed, std::uint64_t{9});
        const QStringList said = duel.complaints();
        QVERIFY2(!said.isEmpty() && said.size() <= 3, qPrintable(said.join(QLatin1Char('\n')))); // one of each kind
        QVERIFY(duel.peer() != nullptr);
        state(2000, number(7.0F));
        QCOMPARE(health(), 7.0F);
        // An older one, and one of the same round: read, and without effect.
        round -= 2;
        state(2000, number(3.0F));
        state(2000, number(3.0F));
        QCOMPARE(health(), 7.0F);
        state(2000, number(3.0F));
        QCOMPARE(health(), 3.0F);
        // Of what never came nothing is news.
        duel.say("State", [](net::ByteWriter& out) { out.varint(77); }, false);
        QCOMPARE(taken(), std::uint64_t{5});
        QVERIFY(duel.peer() != nullptr);
    }

    // Of an entity without a body the state itself says where it is.
    void placesOutOfBoundsAreRefused() {
        Duel duel(NetworkSystem::Role::Client);
        duel.say("Spawn", [](net::ByteWriter& out) { Told{.type = "Sunlight", .name = "eye"}.write(out); });
        const Entity eye = duel.session.world().find("eye");
        QVERIFY(eye);
        std::uint16_t round = 0;
        const auto place = [&](std::uint32_t parent, std::int32_t x, std::uint32_t a, std::uint32_t b) {
            duel.say("State", [&](net::ByteWriter& out) {
                out.varint(1);
                out.u16(++round);
                std::array<std::uint8_t, 64> room{};
                net::BitWriter bits(room);
                bits.write(7, 3);
                bits.writeShort(parent, 6);
                for (const std::int32_t steps : {x, 2000, 3000})
                    bits.writeShort(static_cast<std::uint32_t>((steps << 1) ^ (steps >> 31)), 5);
                bits.write(a, 24);
                bits.write(b, 14);
                out.bytes(bits.written());
            }, false);
        };
        constexpr std::uint32_t Middle = 2047; // of 12 bits: 0
        constexpr std::uint32_t TwoZeros = Middle | (Middle << 12U);
        constexpr std::uint32_t LargestIsW = Middle | (3U << 12U);
        place(0, 1000, TwoZeros, LargestIsW);
        QCOMPARE(eye.pose().position, Vec3(1.0F, 2.0F, 3.0F));
        QCOMPARE(eye.pose().rotation, Quat(1.0F, 0.0F, 0.0F, 0.0F));
        for (const std::int32_t far : {1'000'000'001, -1'000'000'001})
            place(0, far, TwoZeros, LargestIsW);
        QCOMPARE(eye.pose().position, Vec3(1.0F, 2.0F, 3.0F));
        QCOMPARE(duel.session.simulation().network().counters().malformed, std::uint64_t{2});
        place(99, 5000, TwoZeros, LargestIsW); // in the frame of nobody: the place cannot be had, nothing else is wrong
        place(1, 5000, TwoZeros, LargestIsW);  // in its own frame
        QVERIFY(isFinite(eye.pose().position));
        // Whatever the bits are, it is a rotation.
        place(0, 1000, 0xFFFFFFU, 0x3FFFU);
        QVERIFY(std::abs(glm::length(eye.pose().rotation) - 1.0F) < 1e-5F);
        QVERIFY(duel.peer() != nullptr);
    }

    void fieldsOutOfRangeAreRefused() {
        Duel duel(NetworkSystem::Role::Client);
        duel.say("Spawn", [](net::ByteWriter& out) { Told{}.write(out); });
        for (const float amount : {NaN, Infinity, -1.0F})
            duel.say("Damage", [&](net::ByteWriter& out) {
                out.varint(1);
                out.u32(std::bit_cast<std::uint32_t>(amount));
            });
        QCOMPARE(duel.session.simulation().network().counters().received, std::uint64_t{0});
        QCOMPARE(duel.session.simulation().network().counters().malformed, std::uint64_t{3});
        QCOMPARE(duel.complaints().size(), 1);
        QVERIFY(duel.peer() != nullptr);
    }

    void thereIsOneWelcome() {
        Duel duel(NetworkSystem::Role::Client);
        duel.say("Welcome", [](net::ByteWriter& out) { out.varint(41); });
        QVERIFY(!duel.session.simulation().network().player());
        QCOMPARE(duel.complaints().size(), 1);
        duel.say("Spawn", [](net::ByteWriter& out) { Told{.type = "Player"}.write(out); });
        duel.say("Spawn", [](net::ByteWriter& out) { Told{.number = 2, .type = "Player", .name = "other"}.write(out); });
        duel.say("Welcome", [](net::ByteWriter& out) { out.varint(1); });
        QCOMPARE(duel.session.simulation().network().player(), duel.session.world().find("told").id());
        duel.say("Welcome", [](net::ByteWriter& out) { out.varint(2); });
        expectEnd(duel, "Welcome");
    }

    // What a server says of the client's own player is compared with the inputs that the client has sent.
    void aLyingServersAnswersAreRefused() {
        Duel duel(NetworkSystem::Role::Client);
        duel.say("Spawn", [](net::ByteWriter& out) { Told{.type = "Player"}.write(out); });
        duel.say("Spawn", [](net::ByteWriter& out) { Told{.number = 2, .type = "Player", .name = "other"}.write(out); });
        duel.say("Welcome", [](net::ByteWriter& out) { out.varint(1); });
        const NetworkSystem& network = duel.session.simulation().network();
        const std::size_t columns = StateTable(duel.session.world().find("told").sharedType()).columnCount();
        std::uint16_t round = 0;
        const auto answer = [&](std::uint32_t entity, std::uint32_t inputs, std::uint32_t ticks) {
            duel.say("OwnState", [&](net::ByteWriter& out) {
                out.varint(entity);
                out.varint(inputs);
                out.varint(ticks);
                out.u16(++round);
                std::array<std::uint8_t, 64> room{};
                net::BitWriter bits(room);
                bits.write(0, static_cast<unsigned>(columns > 8 ? (columns + 7) / 8 : columns)); // no columns
                out.bytes(bits.written());
            }, false);
        };
        answer(1, 1, 1); // none was sent yet
        QCOMPARE(network.counters().malformed, std::uint64_t{1});
        QCOMPARE(network.counters().statesReceived, std::uint64_t{0});
        duel.session.setInput({.move = Vec2(0.0F, 1.0F)});
        duel.tick(10);
        answer(1, 1, 4);
        answer(1, 0, 0xFFFF'FFFFU);
        answer(1, 1, 0xFFFF'FFFFU); // for longer than the world is old
        answer(1, 1, 0);
        answer(2, 1, 1); // of another's: an ordinary state
        QCOMPARE(network.counters().statesReceived, std::uint64_t{5});
        answer(1, 2, 1);
        answer(1, 0xFFFF'FFFFU, 1);
        duel.say("OwnState", [](net::ByteWriter& out) { out.varint(1); }, false);
        QCOMPARE(network.counters().malformed, std::uint64_t{4});
        QVERIFY(isFinite(duel.session.world().find("told").pose().position));
        QVERIFY(duel.peer() != nullptr);
        duel.say("OwnState", [](net::ByteWriter& out) { out.varint(1); }); // guaranteed
        expectEnd(duel, "OwnState");
    }

    // A client that claims what is the server's, or another's, is refused; one that breaks the form goes.
    void aLyingClientIsRefused() {
        Duel duel(NetworkSystem::Role::Server);
        const std::size_t before = duel.session.world().entityCount();
        duel.say("Spawn", [](net::ByteWriter& out) { Told{.number = 9000}.write(out); });
        duel.say("Despawn", [](net::ByteWriter& out) { out.varint(1); });
        duel.say("Setting", [](net::ByteWriter& out) {
            wire::writeText(out, "sim.timeScale");
            wire::writeText(out, "5");
        });
        duel.say("Damage", [](net::ByteWriter& out) {
            out.varint(1);
            out.u32(std::bit_cast<std::uint32_t>(1000.0F));
        });
        duel.say("Chat", [](net::ByteWriter& out) {
            out.varint(1); // another's entity
            out.varint(2);
            out.u16(0x4141);
        });
        QCOMPARE(duel.session.simulation().network().counters().refused, std::uint64_t{5});
        QCOMPARE(duel.complaints().size(), 3);
        QVERIFY(duel.session.world().entityCount() >= before);
        QCOMPARE(duel.session.timeScale(), 1.0);
        QVERIFY(duel.peer() != nullptr);
        QCOMPARE(duel.session.simulation().network().peerCount(), std::size_t{1});
    }

    void aClientThatBreaksTheFormGoes_data() {
        QTest::addColumn<Write>("input");
        const auto row = [](const char* what, Write input) { QTest::newRow(what) << std::move(input); };
        row("cut short", [](net::ByteWriter& out) { out.u8(1); });
        row("with a tail", [](net::ByteWriter& out) {
            for (int i = 0; i < 4; ++i)
                out.u32(0);
            out.u16(0);
            out.u8(0);
        });
        row("a truth value of two", [](net::ByteWriter& out) {
            for (int i = 0; i < 4; ++i)
                out.u32(0);
            out.u8(2);
            out.u8(0);
        });
    }
    void aClientThatBreaksTheFormGoes() {
        QFETCH(Write, input);
        Duel duel(NetworkSystem::Role::Server);
        const std::uint32_t player = own(duel);
        QVERIFY(player != 0);
        duel.say("Input", [&](net::ByteWriter& out) {
            out.varint(player);
            input(out);
        });
        expectEnd(duel, "Input");
    }

    void aClientsInputIsWithinItsRanges() {
        Duel duel(NetworkSystem::Role::Server);
        const std::uint32_t player = own(duel);
        QVERIFY(player != 0);
        const auto input = [&](const Vec2& move, const Vec2& look) {
            duel.say("Input", [&](net::ByteWriter& out) {
                out.varint(player);
                for (const float value : {move.x, move.y, look.x, look.y})
                    out.u32(std::bit_cast<std::uint32_t>(value));
                out.u16(0);
            });
        };
        input(Vec2(0.0F, 1.0F), Vec2(3.0F, 0.0F));
        QCOMPARE(duel.session.simulation().network().counters().received, std::uint64_t{1});
        input(Vec2(0.0F, 100.0F), Vec2(0.0F));
        input(Vec2(NaN, 0.0F), Vec2(0.0F));
        input(Vec2(0.0F), Vec2(3e38F, 0.0F));
        QCOMPARE(duel.session.simulation().network().counters().received, std::uint64_t{1});
        QCOMPARE(duel.session.simulation().network().counters().malformed, std::uint64_t{3});
        QCOMPARE(duel.complaints().size(), 1);
        QVERIFY(duel.peer() != nullptr);
    }

private:
    // Ended by the session, for what was said, with one line in the log; both ends know, and the session goes on.
    static void expectEnd(Duel& duel, const char* type) {
        duel.tick(30);
        const QStringList said = duel.complaints();
        QVERIFY2(!said.isEmpty() && said.last().contains(QLatin1String("has sent ") + QLatin1String(type))
                     && said.last().endsWith(QStringLiteral("the connection ends")),
                 qPrintable(said.join(QLatin1Char('\n'))));
        QVERIFY(duel.session.simulation().network().counters().malformed >= 1);
        QVERIFY(duel.closed == net::CloseReason::Protocol);
        QVERIFY(duel.peer() == nullptr);
        QCOMPARE(duel.session.simulation().network().peerCount(), std::size_t{0});
        duel.tick(5);
    }
    // The number of the lying client's own player: what its Welcome says.
    static std::uint32_t own(Duel& duel) {
        std::uint32_t number = 0;
        const std::uint16_t welcome = duel.numberOf("Welcome");
        for (int i = 0; i < 60 && number == 0; ++i) {
            duel.tick();
            net::ReceivedMessage delivery;
            while (duel.peer() != nullptr && duel.peer()->next(delivery))
                if (delivery.type == welcome)
                    number = net::ByteReader(delivery.body.bytes()).varint();
        }
        return number;
    }
};

QTEST_GUILESS_MAIN(TestNetworkHostile)
#include "tst_network_hostile.moc"
