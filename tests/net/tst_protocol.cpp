#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include "tests/folders.h"
#include "tests/net/forger.h"
#include "tests/net/pair.h"

#include <set>

using namespace sbx;
using namespace sbx::net;

namespace {

// What this room's own parser makes of a session, in the words of decode.py.
class Narrator {
public:
    QByteArray secret;
    QByteArray input;    // for decode.py
    QByteArray expected; // what it must say
    std::size_t datagrams = 0;
    std::set<int> kinds; // sections seen
    bool ranges = false;
    bool longNumbers = false;
    bool ticks = false;
    std::optional<Key> fixedKey; // the server's, where it takes part

    // What one end seals by hand, under a number of 32 bits, that many after its newest.
    void sealLong(bool fromClient, std::uint32_t later, ByteView payload) {
        const std::uint64_t number = m_newest[fromClient ? 0 : 1] + later;
        std::array<std::uint8_t, MaxDatagram> bytes{};
        ByteWriter out(bytes);
        out.u8(fromClient ? 0x34 : 0x14);
        if (fromClient)
            out.u32(m_ear.keys.connection);
        out.u32(static_cast<std::uint32_t>(number));
        const std::size_t header = out.size();
        out.bytes(payload);
        Cipher keys = m_ear.cipher(fromClient);
        for (std::uint64_t i = 0; i < m_generation[fromClient ? 0 : 1]; ++i)
            keys = keys.following();
        bytes[0] = static_cast<std::uint8_t>(bytes[0] | (m_generation[fromClient ? 0 : 1] % 2 << 3U));
        keys.seal(number, bytes, header, payload.size());
        hear(fromClient, ByteView(bytes).first(header + payload.size() + TagSize));
    }

    void hear(bool fromClient, ByteView bytes) {
        const QByteArray who = fromClient ? "client" : "server";
        input += who + ' ' + hex(bytes) + '\n';
        expected += who + ' ' + line(fromClient, bytes) + '\n';
        ++datagrams;
    }

    static QByteArray hex(ByteView bytes) {
        return QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()))
            .toHex();
    }
    static QByteArray n(std::uint64_t value) { return QByteArray::number(static_cast<qulonglong>(value)); }
    static QByteArray limitsText(const Limits& l) {
        return "window=" + n(l.window) + " bytes=" + n(l.pendingBytes) + " edges=" + n(l.pendingEdges)
               + " reassembly=" + n(l.reassemblyBytes) + " largest=" + n(l.maxMessage)
               + " delay=" + n(static_cast<std::uint64_t>(l.maxAckDelay / (Millisecond / 4)));
    }
    // Of the first four types; nothing for what ours does not read.
    static QByteArray handshake(ByteView bytes) {
        Request request;
        Challenge challenge;
        Response response;
        Deny deny;
        if (readRequest(bytes, request) && request.magic == ProtocolMagic)
            return "REQUEST id=" + n(request.identity.id) + " table=" + hex(request.identity.table)
                   + " key=" + hex(request.clientKey) + " fixed=" + n((request.fixedKey ? 1U : request.askKey ? 2U : 0U) + (request.observes ? 4U : 0U));
        if (readChallenge(bytes, challenge))
            return "CHALLENGE echo=" + hex(challenge.echo) + " key=" + hex(challenge.serverKey)
                   + " cookie=" + hex(challenge.cookie) + " index=" + n(challenge.secretIndex);
        if (readResponse(bytes, response) && response.request.magic == ProtocolMagic)
            return "RESPONSE key=" + hex(response.request.clientKey) + " cookie=" + hex(response.cookie)
                   + " index=" + n(response.secretIndex) + ' ' + limitsText(response.limits);
        if (readDeny(bytes, deny))
            return "DENY echo=" + hex(deny.echo) + " cookie=" + hex(deny.cookie)
                   + " reason=" + n(static_cast<unsigned>(deny.reason)) + " tells=" + hex(deny.description);
        return {};
    }

private:
    QByteArray line(bool fromClient, ByteView bytes) {
        if (static_cast<DatagramType>(bytes[0] & 7U) != DatagramType::Data) {
            Key own{};
            const QByteArray raw = QByteArray::fromHex(secret);
            std::copy_n(raw.begin(), 32, own.begin());
            if (m_ear.hear(bytes, own, fixedKey)) {
                m_toServer = m_ear.cipher(false);
                m_toClient = m_ear.cipher(true);
            }
            const QByteArray text = handshake(bytes);
            return text.isEmpty() ? QByteArray("?") : text;
        }
        std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
        const bool isLong = (bytes[0] & 0x10U) != 0;
        longNumbers = longNumbers || isLong;
        const std::size_t header = 1U + (fromClient ? 4U : 0U) + (isLong ? 4U : 2U);
        ByteReader in(bytes.subspan(header - (isLong ? 4U : 2U)));
        std::uint64_t& newest = m_newest[fromClient ? 0 : 1];
        const std::uint64_t number = fromWire(isLong ? in.u32() : in.u16(), isLong ? 32 : 16, newest + 1);
        // Heard in the order of sending: another phase is the next generation.
        std::uint64_t& generation = m_generation[fromClient ? 0 : 1];
        Cipher& keys = fromClient ? m_toServer : m_toClient;
        if ((bytes[0] >> 3U & 1U) != generation % 2) {
            ++generation;
            keys = keys.following();
        }
        const auto plain = keys.open(number, copy, header);
        Payload p;
        if (!plain || !parsePayload(ByteView(copy).subspan(header, *plain), 15, p)) {
            return "?";
        }
        newest = std::max(newest, number);
        return "DATA number=" + n(number) + " keys=" + n(generation) + ' ' + payloadText(p);
    }

public:
    QByteArray payloadText(const Payload& p) {
        ticks = ticks || p.hasTick;
        QByteArray text = "ack=none";
        if (p.ack.present) {
            QByteArray runs;
            for (std::size_t i = 0; i < p.ack.rangeCount; ++i) {
                runs += (i > 0 ? ";" : "") + n(p.ack.ranges[i].gap) + ':' + n(p.ack.ranges[i].length);
            }
            ranges = ranges || !runs.isEmpty();
            text = "ack=" + n(p.ack.newest) + ',' + n(p.ack.delay) + ','
                   + QByteArray::number(p.ack.mask, 16).rightJustified(8, '0') + ','
                   + (runs.isEmpty() ? QByteArray("-") : runs);
        }
        text += " tick=" + (p.hasTick ? n(p.tick) : QByteArray("none"));
        for (const WireSection& section : p.sections) {
            kinds.insert(static_cast<int>(section.kind));
            for (std::uint32_t i = section.first; i < section.first + section.count; ++i) {
                text += " | "
                        + (section.kind == SectionKind::Control ? controlText(p.controls[i])
                                                                : messageText(p, p.messages[i]));
            }
        }
        return text;
    }

private:
    static QByteArray controlText(const ControlFrame& c) {
        switch (c.code) {
        case ControlCode::Ping:
            return "PING";
        case ControlCode::Close:
            return "CLOSE reason=" + n(c.reason);
        case ControlCode::PathChallenge:
            return "PATH_CHALLENGE value=" + n(c.value);
        case ControlCode::PathResponse:
            return "PATH_RESPONSE value=" + n(c.value);
        case ControlCode::Accept:
            return "ACCEPT " + limitsText(c.limits) + " timeout=" + n(c.timeoutMs) + " rate=" + n(c.tickRate);
        }
        return "?";
    }
    static QByteArray messageText(const Payload& p, const WireMessage& m) {
        QByteArray needs;
        for (std::uint32_t i = 0; i < m.dependencyCount; ++i) {
            needs += (i > 0 ? "," : "") + n(p.dependencies[m.firstDependency + i]);
        }
        needs = needs.isEmpty() ? QByteArray("-") : needs;
        const QByteArray body = " body=" + hex(m.body);
        switch (m.kind) {
        case SectionKind::Unreliable:
            return "UNRELIABLE after=" + (m.hasAfter ? n(m.after) : QByteArray("-")) + " type=" + n(m.type)
                   + " key=" + (m.latest ? n(m.key) : QByteArray("-")) + body;
        case SectionKind::Fragment:
            return "FRAGMENT seq=" + n(m.sequence) + " needs=" + needs + " index=" + n(m.fragment)
                   + " last=" + n(m.lastFragment)
                   + (m.fragment == 0 ? " type=" + n(m.type) + " total=" + n(m.total)
                                      : QByteArray(" type=- total=-"))
                   + body;
        default:
            return (m.kind == SectionKind::Run     ? "RUN seq="
                    : m.kind == SectionKind::Chain ? "CHAIN seq="
                                                   : "GUARANTEED seq=")
                   + n(m.sequence) + " needs=" + needs + " type=" + n(m.type) + body;
        }
    }

    Eavesdropper m_ear;
    Cipher m_toServer;
    Cipher m_toClient;
    std::array<std::uint64_t, 2> m_newest{};
    std::array<std::uint64_t, 2> m_generation{};
};

QByteArray decoded(const QByteArray& input) {
    QProcess python;
    python.start(QStringLiteral("python3"), {sbx::test::qSourcePath("tests/net/decode.py")});
    python.write(input);
    python.closeWriteChannel();
    if (!python.waitForFinished(100'000) || python.exitCode() != 0) {
        qWarning("%s", python.readAllStandardError().constData());
    }
    return python.readAllStandardOutput();
}

} // namespace

class TestProtocol : public QObject {
    Q_OBJECT
private slots:
    // A decoder written from PROTOCOL.md alone agrees with ours on every field of a session that has everything in it.
    void theSecondDecoderAgrees_data() {
        QTest::addColumn<bool>("fixedKey");
        QTest::newRow("keys of the moment") << false;
        QTest::newRow("a server that is known") << true;
    }
    void theSecondDecoderAgrees() {
        QFETCH(bool, fixedKey);
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) {
            QSKIP("python3 is not installed");
        }
        const LinkSettings link{.latency = 20 * Millisecond, .jitter = 15 * Millisecond, .loss = 0.15};
        HostSettings settings;
        settings.identity.id = 0x1122334455667788;
        settings.identity.table[3] = 9;
        settings.limits.maxAckDelay = 5 * Millisecond;
        settings.rekey.packets = 50;
        const KeyPair known = makeKeyPair(Key{5, 6, 7});
        if (fixedKey)
            settings.fixedKey = known;
        World world(link, settings);
        Narrator narrator;
        if (fixedKey)
            narrator.fixedKey = known.open;
        world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
            narrator.hear(from != serverAddress(), bytes);
        });
        // A client whose secret is known: what it draws last before it asks.
        QByteArray drawn;
        const Entropy seeded = seededEntropy(77);
        Host client(
            settings, world.network.open(clientAddress(7)),
            [&](std::span<std::uint8_t> out) {
                seeded(out);
                drawn =
                    QByteArray(reinterpret_cast<const char*>(out.data()), static_cast<qsizetype>(out.size()));
            },
            world.network.now());
        client.connect(serverAddress(), narrator.fixedKey);
        narrator.secret = drawn.toHex();
        QCOMPARE(drawn.size(), 32);
        const auto run = [&](Time span) {
            for (const Time end = world.network.now() + span; world.network.now() < end;) {
                client.update(world.network.now());
                world.runFor(Millisecond);
            }
        };
        Connection* own = nullptr;
        for (int i = 0; i < 100 && own == nullptr; ++i) {
            run(20 * Millisecond);
            client.forEach(
                [&](Connection& c) { own = c.state() == Connection::State::Connected ? &c : nullptr; });
        }
        QVERIFY(own != nullptr);
        Connection* other = world.server->find(own->id());
        QVERIFY(other != nullptr);
        Random random(4);
        std::vector<MessageHandle> sent;
        std::vector<std::uint8_t> body(5000);
        for (std::size_t i = 0; i < body.size(); ++i) {
            body[i] = static_cast<std::uint8_t>(i * 7);
        }
        for (int step = 0; step < 120; ++step) {
            for (std::uint32_t i = random.below(4); i > 0; --i) {
                std::vector<MessageHandle> needs;
                for (std::uint32_t d = random.below(4); d > 0 && !sent.empty(); --d) {
                    needs.push_back(sent[sent.size() - 1
                                         - random.below(static_cast<std::uint32_t>(
                                             std::min<std::size_t>(sent.size(), 6)))]);
                }
                const std::size_t size = random.below(25) == 0 ? 1000 + random.below(4000) : random.below(40);
                const auto result = other->send(static_cast<std::uint16_t>(random.below(300)),
                                                ByteView(body).first(size), needs);
                if (result.status == SendStatus::Sent) {
                    sent.push_back(result.handle);
                }
            }
            other->sendUnreliable(3, ByteView(body).first(5), {.latest = true, .key = 300});
            own->sendUnreliable(4, ByteView(body).first(9), {});
            if (!sent.empty()) {
                other->sendUnreliable(5, {}, {.after = sent.back()});
            }
            // Many small packets: their acknowledgements have ranges.
            for (int i = 0; step == 60 && i < 400; ++i) {
                own->sendUnreliable(6, ByteView(body).first(2), {});
                client.update(world.network.now());
                world.runFor(250 * Microsecond);
            }
            own->send(1, ByteView(body).first(3));
            run(10 * Millisecond);
            ReceivedMessage delivery;
            while (own->next(delivery) || other->next(delivery)) {}
        }
        world.network.rebind(clientAddress(7), clientAddress(8));
        // Long enough for two changes of keys.
        for (int step = 0; step < 90; ++step) {
            own->send(1, {});
            other->send(1, {});
            run(100 * Millisecond);
            ReceivedMessage delivery;
            while (own->next(delivery) || other->next(delivery)) {}
        }
        QVERIFY(own->keyGeneration() >= 2 && other->keyGeneration() >= 2);
        own->close();
        run(300 * Millisecond);
        // Numbers that 16 bits cannot tell, and ticks.
        const std::array<std::uint8_t, 5> tickAndPing{0x40, 0x34, 0x12, 0x0F, 0x01};
        for (const bool fromClient : {true, false}) {
            narrator.sealLong(fromClient, 40'000, tickAndPing);
            narrator.sealLong(fromClient, 2'000'000'000, tickAndPing);
        }

        // All there is to say was said.
        for (const SectionKind kind :
             {SectionKind::Guaranteed, SectionKind::Run, SectionKind::Chain, SectionKind::Unreliable,
              SectionKind::Fragment, SectionKind::Control}) {
            QVERIFY2(narrator.kinds.contains(static_cast<int>(kind)),
                     QByteArray::number(static_cast<int>(kind)));
        }
        QVERIFY(narrator.ranges && narrator.longNumbers && narrator.ticks);
        for (const char* word : {"ACCEPT", "PING", "CLOSE", "PATH_CHALLENGE", "PATH_RESPONSE"}) {
            QVERIFY2(narrator.expected.contains(word), word);
        }
        QVERIFY(!narrator.expected.contains('?'));
        QVERIFY(narrator.datagrams > 300);

        Key fixed{};
        if (fixedKey) {
            Key secret{};
            std::copy_n(QByteArray::fromHex(narrator.secret).begin(), 32, secret.begin());
            QVERIFY(agree(fixed, secret, known.open));
        }
        compare("secret " + narrator.secret + "\nfixed " + Narrator::hex(fixed) + '\n' + narrator.input,
                narrator.expected);
    }

    // What it refuses ours refuses, and the other way: payloads and datagrams of the handshake, as they are written, with every field
    // out of its range, with bytes changed, cut off and added.
    void whatOneRefusesTheOtherRefuses() {
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) {
            QSKIP("python3 is not installed");
        }
        Random random(12);
        QByteArray input;
        QByteArray expected;
        std::array<int, 2> payloads{}; // refused, taken
        std::array<int, 2> handshakes{};
        Narrator narrator;
        for (int round = 0; round < 8000; ++round) {
            const std::vector<std::uint8_t> bytes = damaged(random, somePayload(random));
            Payload payload;
            const bool taken = parsePayload(bytes, 15, payload);
            ++payloads[taken ? 1 : 0];
            input += "payload " + Narrator::hex(bytes) + '\n';
            expected += "payload " + (taken ? narrator.payloadText(payload) : QByteArray("MALFORMED")) + '\n';
        }
        for (int round = 0; round < 2000; ++round) {
            const std::vector<std::uint8_t> bytes = damaged(random, someHandshake(random));
            const QByteArray text = Narrator::handshake(bytes);
            ++handshakes[text.isEmpty() ? 0 : 1];
            input += "handshake " + Narrator::hex(bytes) + '\n';
            expected += "handshake " + (text.isEmpty() ? QByteArray("MALFORMED") : text) + '\n';
        }
        for (const auto& [refused, taken] : {payloads, handshakes})
            QVERIFY2(refused > 500 && taken > 500,
                     qPrintable(QStringLiteral("%1 %2").arg(refused).arg(taken)));
        compare("fixed 00\n" + input, expected);
    }

    // What depends on packets before it: fragments that agree with those that are there, or do not, known or not, in every order, in one
    // packet or in several.
    void fragmentsAgreeOverPackets() {
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) {
            QSKIP("python3 is not installed");
        }
        Random random(31);
        QByteArray input;
        QByteArray expected;
        const std::vector<std::uint8_t> body(FragmentSize, 5);
        std::array<std::array<int, 2>, 2> judged{}; // [with what came before, in one packet][refused, taken]
        int whole = 0;
        for (int round = 0; round < 3000; ++round) {
            Pair pair{PairSettings{}};
            input += "fresh\n";
            expected += "fresh\n";
            bool sound = true;
            std::uint64_t number = 0;
            for (int left = 2 + static_cast<int>(random.below(4)); left > 0 && sound;) {
                const int here =
                    1 + static_cast<int>(random.below(static_cast<std::uint32_t>(std::min(left, 3))));
                left -= here;
                Forged forged;
                int told = 0;
                for (int i = 0; i < here; ++i) {
                    // Of three parts, mostly: sometimes one of them tells another count or another size.
                    const std::uint16_t count = random.below(12) == 0 ? 4 : 3;
                    const auto index = static_cast<std::uint16_t>(random.below(count));
                    const std::uint32_t last =
                        random.below(6) == 0 ? (random.below(2) == 0 ? 1 : FragmentSize) : 100;
                    const std::uint64_t sequence = 1 + random.below(2);
                    if (!forged.sections.fragment(
                            sequence, {}, 1, (count - 1U) * FragmentSize + last, index, count,
                            ByteView(body).first(index == count - 1 ? last : FragmentSize)))
                        break; // no room: two large ones go in two packets
                    ++told;
                }
                const std::size_t size = forged.out.size();
                const Channel::Received received = forged.at(pair.b, ++number);
                sound = received.outcome != Channel::Outcome::Violation;
                QVERIFY(sound ? received.outcome == Channel::Outcome::Accepted
                              : received.reason == CloseReason::Protocol);
                ++judged[told > 1 ? 1 : 0][sound ? 1 : 0];
                input += "parts " + Narrator::hex(ByteView(forged.bytes).first(size)) + '\n';
                expected += sound ? "parts TAKEN\n" : "parts MALFORMED\n";
            }
            whole += pair.b.deliveriesWaiting() > 0 ? 1 : 0;
        }
        for (const auto& [refused, taken] : judged)
            QVERIFY2(refused > 200 && taken > 200,
                     qPrintable(QStringLiteral("%1 %2").arg(refused).arg(taken)));
        QVERIFY2(whole > 50, qPrintable(QString::number(whole)));
        compare(input, expected);
    }

private:
    static void compare(const QByteArray& input, const QByteArray& expected) {
        const QList<QByteArray> said = input.split('\n');
        const QList<QByteArray> theirs = decoded(input).split('\n');
        const QList<QByteArray> ours = expected.split('\n');
        const qsizetype before = said.size() - ours.size(); // lines that say who it is
        for (qsizetype i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
            const qsizetype malformed = theirs[i].indexOf("MALFORMED"); // for reasons of its own
            QVERIFY2((malformed < 0 ? theirs[i] : theirs[i].left(malformed + 9)) == ours[i],
                     "theirs: " + theirs[i].left(600) + "\nours:   " + ours[i].left(600)
                         + "\nof:     " + said[i + before]);
        }
        QCOMPARE(theirs.size(), ours.size());
    }
    static std::uint32_t near(Random& random, std::initializer_list<std::uint32_t> bounds) {
        return *(bounds.begin() + random.below(static_cast<std::uint32_t>(bounds.size()))) + random.below(3)
               - 1;
    }
    static Limits someLimits(Random& random) {
        Limits limits;
        if (random.below(2) == 0)
            return limits;
        switch (random.below(6)) {
        case 0:
            limits.window = near(random, {2, 8192, 100});
            break;
        case 1:
            limits.pendingBytes = near(random, {1U << 28U, 1U << 20U, limits.maxMessage});
            break;
        case 2:
            limits.pendingEdges = near(random, {1, 1U << 20U});
            break;
        case 3:
            limits.reassemblyBytes = near(random, {1, 1U << 28U});
            break;
        case 4:
            limits.maxMessage = near(random, {1, 1U << 20U});
            break;
        default:
            limits.maxAckDelay = static_cast<Time>(near(random, {1, 20, 100})) * (Millisecond / 4);
        }
        return limits;
    }
    static std::vector<std::uint8_t> somePayload(Random& random) {
        std::vector<std::uint8_t> room(MaxDatagram + 4000);
        ByteWriter out(room);
        ReceivedPackets window(1);
        std::uint64_t n = 1;
        for (std::uint32_t i = random.below(8) == 0 ? random.below(300) : random.below(40); i > 0; --i) {
            n += random.below(5) == 0 ? 1 + random.below(30) : 1U;
            window.accept(n);
        }
        const bool tick = random.below(8) == 0;
        writeAck(out, window.acknowledgement(random.below(2) == 0), tick ? 0x40 : 0);
        if (tick)
            out.u16(static_cast<std::uint16_t>(random.next()));
        SectionWriter writer(out, 15);
        std::uint64_t sequence = random.below(40'000);
        for (std::uint32_t i = random.below(6); i > 0; --i) {
            const std::vector<std::uint8_t> body(random.below(20));
            const auto type =
                static_cast<std::uint16_t>(random.below(4) == 0 ? random.next() : random.below(200));
            switch (random.below(7)) {
            case 0:
            case 1:
                writer.guaranteed(++sequence, {}, type, body);
                break;
            case 2: {
                const std::uint64_t before = sequence++;
                writer.guaranteed(sequence, std::array{before}, type, body);
                break;
            }
            case 3: {
                std::vector<std::uint64_t> needs(
                    random.below(4) == 0 ? 60 + random.below(10) : random.below(5), sequence);
                sequence += 2;
                writer.guaranteed(sequence, needs, type, body);
                break;
            }
            case 4:
                writer.unreliable({random.below(2) == 0, random.below(2) == 0, random.next(), sequence}, type,
                                  body);
                break;
            case 5: {
                const std::uint32_t last = near(random, {1, 3, 60});
                const std::uint32_t index =
                    random.below(3) == 0 ? near(random, {1, last}) : random.below(last + 1);
                const std::uint32_t size = random.below(3) == 0 ? near(random, {1, 960, 500})
                                           : index < last       ? 960
                                                                : 1 + random.below(960);
                const std::uint32_t total =
                    random.below(3) == 0 ? near(random, {960 * last, 960 * (last + 1)}) : 960 * last + 5;
                writer.fragment(++sequence, {}, type, total, index & 0xFFFFU, last + 1,
                                std::vector<std::uint8_t>(size));
                break;
            }
            default: {
                ControlFrame frame;
                frame.code = static_cast<ControlCode>(random.below(7));
                frame.value = random.next();
                frame.reason = static_cast<std::uint8_t>(near(random, {1, 7, 13}));
                frame.limits = someLimits(random);
                frame.timeoutMs = near(random, {1000, 10'000, 600'000});
                frame.tickRate = static_cast<std::uint16_t>(near(random, {1, 60}));
                writer.control(frame);
            }
            }
        }
        room.resize(out.size() + (random.below(4) == 0 ? random.below(20) : 0));
        return room;
    }
    static std::vector<std::uint8_t> someHandshake(Random& random) {
        std::vector<std::uint8_t> bytes(MaxDatagram);
        Response response;
        response.request.identity.id = random.next();
        response.request.fixedKey = random.below(2) == 0;
        response.limits = someLimits(random);
        switch (random.below(4)) {
        case 0:
            writeRequest(bytes, response.request);
            break;
        case 1:
            bytes.resize(ChallengeSize);
            writeChallenge(bytes, {.secretIndex = static_cast<std::uint8_t>(random.next())});
            break;
        case 2:
            writeResponse(bytes, response);
            break;
        default: {
            const std::vector<std::uint8_t> description(random.below(2) == 0 ? 0U : random.below(1010), 7);
            bytes.resize(DenySize + description.size());
            writeDeny(bytes, {.reason = static_cast<CloseReason>(near(random, {10, 11, 13})),
                              .description = description});
        }
        }
        return bytes;
    }
    // Half of them are.
    static std::vector<std::uint8_t> damaged(Random& random, std::vector<std::uint8_t> bytes) {
        switch (random.below(8)) {
        case 0:
        case 1:
            if (!bytes.empty()) // the first ones say the most
                bytes[random.below(std::min<std::uint32_t>(static_cast<std::uint32_t>(bytes.size()), 90))] =
                    static_cast<std::uint8_t>(random.below(3) == 0 ? random.next() : 1U << random.below(8));
            break;
        case 2:
            bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size()) + 1));
            break;
        case 3:
            bytes.push_back(static_cast<std::uint8_t>(random.below(2) == 0 ? 0 : random.next()));
            break;
        default:
            break;
        }
        return bytes;
    }

private slots:
    // Who is refused is told why, in a datagram that both read.
    void theSecondDecoderReadsRefusals() {
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) {
            QSKIP("python3 is not installed");
        }
        for (const int which : {0, 1, 2}) {
            HostSettings base;
            base.maxConnections = which == 0 ? 0 : 9;
            base.description = {1, 2, 0xFF};
            World world({.latency = Millisecond}, base);
            Narrator narrator;
            world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
                narrator.hear(from != serverAddress(), bytes);
            });
            HostSettings settings;
            settings.identity.id = which == 1 ? 7 : 0;
            settings.identity.table[0] = which == 2 ? 7 : 0;
            QByteArray drawn;
            const Entropy seeded = seededEntropy(78);
            Host client(
                settings, world.network.open(clientAddress(7)),
                [&](std::span<std::uint8_t> out) {
                    seeded(out);
                    drawn = QByteArray(reinterpret_cast<const char*>(out.data()),
                                       static_cast<qsizetype>(out.size()));
                },
                world.network.now());
            client.connect(serverAddress());
            narrator.secret = drawn.toHex();
            for (int i = 0; i < 20; ++i) {
                client.update(world.network.now());
                world.runFor(Millisecond);
            }
            QVERIFY(narrator.expected.contains("DENY") && !narrator.expected.contains('?'));
            QCOMPARE(narrator.expected.contains(" tells=0102ff\n"), which == 2);
            QCOMPARE(client.offeredDescription().size(), std::size_t{which == 2 ? 3U : 0U});
            compare("secret " + narrator.secret + "\nfixed " + QByteArray(64, '0') + '\n' + narrator.input,
                    narrator.expected);
        }
    }
};

QTEST_GUILESS_MAIN(TestProtocol)
#include "tst_protocol.moc"
