#include <QtTest>

#include <QProcess>
#include <QStandardPaths>

#include "tests/net/forger.h"

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

    void hear(bool fromClient, ByteView bytes) {
        const QByteArray who = fromClient ? "client" : "server";
        input += who + ' ' + hex(bytes) + '\n';
        expected += who + ' ' + line(fromClient, bytes) + '\n';
        ++datagrams;
    }

private:
    static QByteArray hex(ByteView bytes) {
        return QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())).toHex();
    }
    static QByteArray n(std::uint64_t value) { return QByteArray::number(static_cast<qulonglong>(value)); }
    static QByteArray limitsText(const Limits& l) {
        return "window=" + n(l.window) + " bytes=" + n(l.pendingBytes) + " edges=" + n(l.pendingEdges) + " reassembly="
               + n(l.reassemblyBytes) + " largest=" + n(l.maxMessage) + " delay="
               + n(static_cast<std::uint64_t>(l.maxAckDelay / (Millisecond / 4)));
    }
    QByteArray line(bool fromClient, ByteView bytes) {
        switch (static_cast<DatagramType>(bytes[0] & 7U)) {
        case DatagramType::Request: {
            Request r;
            return !readRequest(bytes, r) ? QByteArray("?")
                                          : "REQUEST id=" + n(r.identity.id) + " table=" + hex(r.identity.table) + " key="
                                                + hex(r.clientKey) + " fixed=" + n(r.fixedKey ? 1 : 0);
        }
        case DatagramType::Challenge: {
            if (!readChallenge(bytes, m_challenge)) {
                return "?";
            }
            m_ear.hear(bytes, {});
            return "CHALLENGE echo=" + hex(m_challenge.echo) + " key=" + hex(m_challenge.serverKey) + " cookie="
                   + hex(m_challenge.cookie) + " index=" + n(m_challenge.secretIndex);
        }
        case DatagramType::Response: {
            Response r;
            if (!readResponse(bytes, r)) {
                return "?";
            }
            Key own{};
            const QByteArray raw = QByteArray::fromHex(secret);
            std::copy_n(raw.begin(), 32, own.begin());
            if (m_ear.hear(bytes, own)) {
                m_toServer = m_ear.cipher(false);
                m_toClient = m_ear.cipher(true);
            }
            return "RESPONSE key=" + hex(r.request.clientKey) + " cookie=" + hex(r.cookie) + " index="
                   + n(r.secretIndex) + ' ' + limitsText(r.limits);
        }
        case DatagramType::Deny: {
            Deny d;
            return !readDeny(bytes, d) ? QByteArray("?")
                                       : "DENY echo=" + hex(d.echo) + " cookie=" + hex(d.cookie) + " reason="
                                             + n(static_cast<unsigned>(d.reason));
        }
        case DatagramType::Data:
            break;
        }
        std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
        const bool isLong = (bytes[0] & 0x10U) != 0;
        longNumbers = longNumbers || isLong;
        const std::size_t header = 1U + (fromClient ? 4U : 0U) + (isLong ? 4U : 2U);
        ByteReader in(bytes.subspan(header - (isLong ? 4U : 2U)));
        std::uint64_t& newest = m_newest[fromClient ? 0 : 1];
        const std::uint64_t number = fromWire(isLong ? in.u32() : in.u16(), isLong ? 32 : 16, newest + 1);
        const auto plain = (fromClient ? m_toServer : m_toClient).open(number, copy, header);
        Payload p;
        if (!plain || !parsePayload(ByteView(copy).subspan(header, *plain), 15, p)) {
            return "?";
        }
        newest = std::max(newest, number);
        return "DATA number=" + n(number) + ' ' + payloadText(p);
    }
    QByteArray payloadText(const Payload& p) {
        QByteArray text = "ack=none";
        if (p.ack.present) {
            QByteArray runs;
            for (std::size_t i = 0; i < p.ack.rangeCount; ++i) {
                runs += (i > 0 ? ";" : "") + n(p.ack.ranges[i].gap) + ':' + n(p.ack.ranges[i].length);
            }
            ranges = ranges || !runs.isEmpty();
            text = "ack=" + n(p.ack.newest) + ',' + n(p.ack.delay) + ',' + QByteArray::number(p.ack.mask, 16).rightJustified(8, '0')
                   + ',' + (runs.isEmpty() ? QByteArray("-") : runs);
        }
        text += " tick=" + (p.hasTick ? n(p.tick) : QByteArray("none"));
        for (const WireSection& section : p.sections) {
            kinds.insert(static_cast<int>(section.kind));
            for (std::uint32_t i = section.first; i < section.first + section.count; ++i) {
                text += " | " + (section.kind == SectionKind::Control ? controlText(p.controls[i]) : messageText(p, p.messages[i]));
            }
        }
        return text;
    }
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
            return "UNRELIABLE after=" + (m.hasAfter ? n(m.after) : QByteArray("-")) + " type=" + n(m.type) + " key="
                   + (m.latest ? n(m.key) : QByteArray("-")) + body;
        case SectionKind::Fragment:
            return "FRAGMENT seq=" + n(m.sequence) + " needs=" + needs + " index=" + n(m.fragment) + " last="
                   + n(m.lastFragment)
                   + (m.fragment == 0 ? " type=" + n(m.type) + " total=" + n(m.total) : QByteArray(" type=- total=-")) + body;
        default:
            return (m.kind == SectionKind::Run     ? "RUN seq="
                    : m.kind == SectionKind::Chain ? "CHAIN seq="
                                                   : "GUARANTEED seq=")
                   + n(m.sequence) + " needs=" + needs + " type=" + n(m.type) + body;
        }
    }

    Challenge m_challenge;
    Eavesdropper m_ear;
    Cipher m_toServer;
    Cipher m_toClient;
    std::array<std::uint64_t, 2> m_newest{};
};

QByteArray decoded(const QByteArray& input) {
    QProcess python;
    python.start(QStringLiteral("python3"), {QStringLiteral(SBX_SOURCE_DIR "/tests/net/decode.py")});
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
    void theSecondDecoderAgrees() {
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) {
            QSKIP("python3 is not installed");
        }
        const LinkSettings link{.latency = 20 * Millisecond, .jitter = 15 * Millisecond, .loss = 0.15};
        HostSettings settings;
        settings.identity.id = 0x1122334455667788;
        settings.identity.table[3] = 9;
        settings.limits.maxAckDelay = 5 * Millisecond;
        World world(link, settings);
        Narrator narrator;
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
                drawn = QByteArray(reinterpret_cast<const char*>(out.data()), static_cast<qsizetype>(out.size()));
            },
            world.network.now());
        client.connect(serverAddress());
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
            client.forEach([&](Connection& c) { own = c.state() == Connection::State::Connected ? &c : nullptr; });
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
                    needs.push_back(sent[sent.size() - 1 - random.below(static_cast<std::uint32_t>(std::min<std::size_t>(sent.size(), 6)))]);
                }
                const std::size_t size = random.below(25) == 0 ? 1000 + random.below(4000) : random.below(40);
                const auto result = other->send(static_cast<std::uint16_t>(random.below(300)), ByteView(body).first(size), needs);
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
            Delivery delivery;
            while (own->next(delivery) || other->next(delivery)) {
            }
        }
        world.network.rebind(clientAddress(7), clientAddress(8));
        own->send(1, {});
        run(Second);
        own->close();
        run(300 * Millisecond);

        // All there is to say was said.
        for (const SectionKind kind : {SectionKind::Guaranteed, SectionKind::Run, SectionKind::Chain, SectionKind::Unreliable,
                                       SectionKind::Fragment, SectionKind::Control}) {
            QVERIFY2(narrator.kinds.contains(static_cast<int>(kind)), QByteArray::number(static_cast<int>(kind)));
        }
        QVERIFY(narrator.ranges);
        for (const char* word : {"ACCEPT", "PING", "CLOSE", "PATH_CHALLENGE", "PATH_RESPONSE"}) {
            QVERIFY2(narrator.expected.contains(word), word);
        }
        QVERIFY(!narrator.expected.contains('?'));
        QVERIFY(narrator.datagrams > 300);

        const QByteArray zeros = QByteArray(64, '0');
        const QList<QByteArray> theirs
            = decoded("secret " + narrator.secret + "\nfixed " + zeros + '\n' + narrator.input).split('\n');
        const QList<QByteArray> ours = narrator.expected.split('\n');
        for (qsizetype i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
            QCOMPARE(theirs[i], ours[i]);
        }
        QCOMPARE(theirs.size(), ours.size());
    }
};

QTEST_GUILESS_MAIN(TestProtocol)
#include "tst_protocol.moc"
