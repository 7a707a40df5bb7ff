#include <QtTest>

#include "engine/core/random.h"
#include "engine/net/payload.h"
#include "engine/net/rules.h"

#include <set>

using namespace sbx;
using namespace sbx::net;

namespace {

// Writes a parsed payload again, section by section, the long way: independent of SectionWriter's choices.
std::vector<std::uint8_t> encode(const Payload& p, std::size_t size) {
    std::vector<std::uint8_t> room(4096);
    ByteWriter out(room);
    writeAck(out, p.ack, p.hasTick ? 0x40 : 0);
    if (p.hasTick) {
        out.u16(p.tick);
    }
    for (const WireSection& section : p.sections) {
        const auto kind = static_cast<unsigned>(section.kind);
        if (section.count < 31) {
            out.u8(static_cast<std::uint8_t>(kind | (section.count << 3U)));
        } else {
            out.u8(static_cast<std::uint8_t>(kind | (31U << 3U)));
            out.varint(section.count - 31);
        }
        if (section.kind == SectionKind::Unreliable) {
            const WireMessage& m = p.messages[section.first];
            out.u8(static_cast<std::uint8_t>((m.latest ? 1U : 0U) | (m.hasAfter ? 2U : 0U)));
        }
        for (std::uint32_t i = 0; i < section.count; ++i) {
            if (section.kind == SectionKind::Control) {
                const ControlFrame& frame = p.controls[section.first + i];
                out.u8(static_cast<std::uint8_t>(frame.code));
                if (frame.code == ControlCode::Close) {
                    out.u8(frame.reason);
                } else if (frame.code == ControlCode::PathChallenge
                           || frame.code == ControlCode::PathResponse) {
                    out.u64(frame.value);
                } else if (frame.code == ControlCode::Accept) {
                    writeLimits(out, frame.limits);
                    out.u32(frame.timeoutMs);
                    out.u16(frame.tickRate);
                }
                continue;
            }
            const WireMessage& m = p.messages[section.first + i];
            const bool implied =
                (section.kind == SectionKind::Run || section.kind == SectionKind::Chain) && i > 0;
            if (section.kind != SectionKind::Unreliable && !implied) {
                std::uint32_t word = m.sequence;
                for (std::uint32_t d = 0; d < m.dependencyCount; ++d) {
                    out.u16(static_cast<std::uint16_t>(word | 0x8000U));
                    word = p.dependencies[m.firstDependency + d];
                }
                out.u16(static_cast<std::uint16_t>(word));
            }
            if (section.kind == SectionKind::Fragment) {
                out.u16(m.fragment);
                out.u16(m.lastFragment);
                if (m.fragment == 0) {
                    out.varint(m.type);
                    out.varint(m.total);
                }
            } else {
                if (m.hasAfter) {
                    out.u16(m.after);
                }
                out.varint(m.type);
                if (m.latest) {
                    out.varint(m.key);
                }
            }
            out.varint(static_cast<std::uint32_t>(m.body.size()));
            out.bytes(m.body);
        }
    }
    room.resize(std::max(size, out.size()));
    return room; // the rest is zeros: padding
}

} // namespace

class TestWire : public QObject {
    Q_OBJECT
private slots:
    void bytesRoundTripAndStayInBounds() {
        std::array<std::uint8_t, 64> room{};
        ByteWriter out(room);
        out.u8(0xAB);
        out.u16(0xBEEF);
        out.u32(0xDEADBEEF);
        out.u64(0x0123456789ABCDEFULL);
        for (const std::uint32_t v : {0U, 127U, 128U, 16383U, 16384U, UINT32_MAX}) {
            const std::size_t before = out.size();
            out.varint(v);
            QCOMPARE(out.size() - before, varintSize(v));
        }
        QVERIFY(out.ok());
        ByteReader in(out.written());
        QCOMPARE(in.u8(), std::uint8_t{0xAB});
        QCOMPARE(in.u16(), std::uint16_t{0xBEEF});
        QCOMPARE(in.u32(), 0xDEADBEEFU);
        QCOMPARE(in.u64(), std::uint64_t{0x0123456789ABCDEF});
        for (const std::uint32_t v : {0U, 127U, 128U, 16383U, 16384U, UINT32_MAX}) {
            QCOMPARE(in.varint(), v);
        }
        QVERIFY(in.ok());
        QCOMPARE(in.remaining(), std::size_t{0});
        QCOMPARE(in.u16(), std::uint16_t{0});
        QVERIFY(!in.ok());
        std::array<std::uint8_t, 3> small{};
        ByteWriter tight(small);
        tight.u16(1);
        tight.u16(2);
        QVERIFY(!tight.ok());
        QCOMPARE(tight.size(), std::size_t{2});
        tight.rewind(0);
        tight.bytes(std::array<std::uint8_t, 3>{1, 2, 3});
        QVERIFY(tight.ok());
    }
    void varintsMustBeShortest() {
        for (const auto& bad : std::vector<std::vector<std::uint8_t>>{{0x80, 0x00},
                                                                      {0xFF, 0x80, 0x00},
                                                                      {0x80},
                                                                      {0xFF, 0xFF, 0xFF, 0xFF, 0x1F},
                                                                      {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}}) {
            ByteReader in(bad);
            in.varint();
            QVERIFY(!in.ok());
        }
    }
    void bitsRoundTrip() {
        Random random(1);
        std::array<std::uint8_t, 512> room{};
        room.fill(0xFF);
        BitWriter out(room);
        std::vector<std::pair<std::uint32_t, unsigned>> values;
        for (int i = 0; i < 200; ++i) {
            const unsigned count = random.below(33);
            const std::uint32_t value = count == 32 ? random.next() : random.next() & ((1U << count) - 1U);
            if (out.bits() + count > room.size() * 8) {
                break;
            }
            values.emplace_back(value, count);
            out.write(value, count);
        }
        QVERIFY(out.ok());
        BitReader in(out.written());
        for (const auto& [value, count] : values) {
            QCOMPARE(in.read(count), value);
        }
        QVERIFY(in.ok() && in.remaining() < 8);
        QCOMPARE(in.read(8), 0U);
        QVERIFY(!in.ok());
        std::array<std::uint8_t, 1> one{};
        BitWriter tight(one);
        tight.write(1, 9);
        QVERIFY(!tight.ok());
    }

    // P5, exhaustively for small widths and across the wrap of 64 bits.
    void wireNumbersDecodeToTheOneNearby() {
        for (unsigned bits = 3; bits <= 8; ++bits) {
            const std::uint64_t half = std::uint64_t{1} << (bits - 1U);
            for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{1000}, UINT64_MAX - 300}) {
                for (std::uint64_t r = 0; r < 600; ++r) {
                    const std::uint64_t reference = start + r;
                    for (std::uint64_t x = reference - half; x != reference + half; ++x) {
                        QCOMPARE(fromWire(toWire(x, bits), bits, reference), x);
                    }
                }
            }
        }
        QCOMPARE(fromWire(toWire(UINT64_MAX, 15), 15, 5), UINT64_MAX);
        QVERIFY(before(UINT64_MAX, 0));
        QVERIFY(!before(0, UINT64_MAX));
    }

    // Against a set of all numbers ever accepted.
    void theReplayWindowTakesEachPacketOnce() {
        for (const std::uint64_t first :
             {std::uint64_t{1}, (std::uint64_t{1} << 32U) - 5, UINT64_MAX - 300}) {
            Random random(3);
            ReceivedPackets window(first);
            std::set<std::uint64_t> seen; // offsets
            std::uint64_t newest = 0;
            for (int i = 0; i < 20'000; ++i) {
                const std::uint64_t offset =
                    newest + 1 + random.below(600) - std::min<std::uint64_t>(newest + 1, 590);
                const std::uint64_t jump = random.below(500) == 0 ? 10'000 : 0;
                const std::uint64_t n = offset + jump;
                const auto verdict = window.check(first + n);
                if (n > newest || !window.any()) {
                    QVERIFY(verdict == ReceivedPackets::Verdict::Fresh);
                } else if (newest - n >= 256) {
                    QVERIFY(verdict == ReceivedPackets::Verdict::TooOld);
                } else {
                    QVERIFY(verdict
                            == (seen.contains(n) ? ReceivedPackets::Verdict::Duplicate
                                                 : ReceivedPackets::Verdict::Fresh));
                }
                if (verdict == ReceivedPackets::Verdict::Fresh) {
                    window.accept(first + n);
                    seen.insert(n);
                    newest = std::max(newest, n);
                }
                // The acknowledgement tells exactly what was received, and survives the wire.
                if (i % 50 == 0) {
                    const AckInfo ack = window.acknowledgement(true);
                    std::array<std::uint8_t, 128> room{};
                    ByteWriter out(room);
                    writeAck(out, ack, 0x40);
                    QVERIFY(out.ok());
                    ByteReader in(out.written());
                    AckInfo back;
                    QCOMPARE(readAck(in, back), std::uint8_t{0x40});
                    QVERIFY(in.ok() && in.remaining() == 0);
                    QCOMPARE(back.newest, static_cast<std::uint16_t>(first + newest));
                    for (std::uint64_t d = 0; d < 32; ++d) {
                        QCOMPARE(((back.mask >> d) & 1U) != 0,
                                 d + 1 <= newest && seen.contains(newest - 1 - d));
                    }
                    std::uint64_t d = 33;
                    for (std::size_t r = 0; r < back.rangeCount; ++r) {
                        for (std::uint32_t g = 0; g < back.ranges[r].gap; ++g, ++d) {
                            QVERIFY(d > newest || !seen.contains(newest - d));
                        }
                        for (std::uint32_t g = 0; g < back.ranges[r].length; ++g, ++d) {
                            QVERIFY(d <= newest && seen.contains(newest - d));
                        }
                    }
                }
            }
            QVERIFY(window.check(first - 1) != ReceivedPackets::Verdict::Fresh);
        }
    }
    void acksThatNobodyWouldWriteAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("mask without ack") << QByteArray::fromHex("02");
        QTest::newRow("mask byte that says nothing") << QByteArray::fromHex("03010000ff");
        QTest::newRow("cut") << QByteArray::fromHex("010100");
        QTest::newRow("no ranges") << QByteArray::fromHex("2101000000");
        QTest::newRow("17 ranges") << QByteArray::fromHex("2101000011") + QByteArray(34, 0);
        QTest::newRow("ranges past the window") << QByteArray::fromHex("210100000100df01");
        QTest::newRow("cut range") << QByteArray::fromHex("210100000200");
        QTest::newRow("bit 7") << QByteArray::fromHex("80");
    }
    void acksThatNobodyWouldWriteAreRefused() {
        QFETCH(QByteArray, bytes);
        Payload payload;
        const ByteView view(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                            static_cast<std::size_t>(bytes.size()));
        QVERIFY(!parsePayload(view, 15, payload));
    }

    void runsAndChainsCostNothingAfterTheFirst() {
        const std::array<std::uint8_t, 10> body{};
        const auto cost = [&](bool chain, std::uint64_t count) {
            std::array<std::uint8_t, 1200> room{};
            ByteWriter out(room);
            SectionWriter writer(out, 15);
            for (std::uint64_t n = 100; n < 100 + count; ++n) {
                const std::uint64_t previous = n - 1;
                if (!writer.guaranteed(
                        n, chain && n > 100 ? std::span(&previous, 1) : std::span<const std::uint64_t>(), 5,
                        body)) {
                    return 1e9;
                }
            }
            // Without section header, type and length, which every message pays.
            return (static_cast<double>(out.size()) - 1.0) / static_cast<double>(count) - 12.0;
        };
        QCOMPARE(cost(false, 1), 2.0);
        QCOMPARE(cost(false, 16), 0.125);
        QCOMPARE(cost(true, 16), 0.125);
    }

    // P12 on what the writer makes, on that with damage, and on noise.
    void whatIsAcceptedIsCanonical() {
        Random random(9);
        Payload payload;
        int accepted = 0;
        int refused = 0;
        for (int round = 0; round < 30'000; ++round) {
            std::array<std::uint8_t, 1168> room{};
            ByteWriter out(room);
            ReceivedPackets window(1);
            std::uint64_t n = 1;
            for (std::uint32_t i = random.below(80); i > 0; --i) {
                n += random.below(5) == 0 ? 2U : 1U;
                window.accept(n);
            }
            writeAck(out, window.acknowledgement(random.below(2) == 0), 0);
            SectionWriter writer(out, 15);
            std::uint64_t sequence = random.below(40'000);
            for (std::uint32_t i = random.below(40); i > 0; --i) {
                std::vector<std::uint8_t> body(random.below(20));
                const std::uint32_t kind = random.below(8);
                if (kind < 5) {
                    sequence += random.below(4) == 0 ? 2U : 1U;
                    std::vector<std::uint64_t> needs;
                    if (kind == 4) {
                        needs.resize(random.below(6), sequence - 1 - random.below(9));
                    } else if (kind == 3) {
                        needs.push_back(sequence - 1);
                    }
                    writer.guaranteed(sequence, needs, static_cast<std::uint16_t>(random.below(500)), body);
                } else if (kind == 5) {
                    writer.unreliable({random.below(2) == 0, random.below(2) == 0, random.next(), sequence},
                                      static_cast<std::uint16_t>(random.below(300)), body);
                } else if (kind == 6) {
                    const std::uint32_t count = 2 + random.below(5);
                    const std::uint32_t index = random.below(count);
                    std::vector<std::uint8_t> piece(index + 1 == count ? 7 : FragmentSize);
                    writer.fragment(++sequence, {}, 9, (count - 1) * FragmentSize + 7, index, count, piece);
                } else {
                    ControlFrame frame;
                    frame.code = static_cast<ControlCode>(1 + random.below(5));
                    frame.value = random.next();
                    frame.reason = 3;
                    frame.timeoutMs = MinTimeoutMs + random.below(MaxTimeoutMs - MinTimeoutMs + 1);
                    frame.tickRate = static_cast<std::uint16_t>(1 + random.below(UINT16_MAX));
                    writer.control(frame);
                }
            }
            std::vector<std::uint8_t> bytes(out.written().begin(), out.written().end());
            QVERIFY(parsePayload(bytes, 15, payload));
            QVERIFY(encode(payload, bytes.size()) == bytes);
            // Damage: a changed byte, a cut, something appended, or noise.
            const std::uint32_t damage = random.below(4);
            if (damage == 0 && !bytes.empty()) {
                bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
                    static_cast<std::uint8_t>(random.next());
            } else if (damage == 1) {
                bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size() + 1)));
            } else if (damage == 2) {
                bytes.push_back(static_cast<std::uint8_t>(random.next()));
            } else {
                bytes.resize(random.below(200));
                for (std::uint8_t& byte : bytes) {
                    byte = static_cast<std::uint8_t>(random.next());
                }
            }
            if (parsePayload(bytes, 15, payload)) {
                ++accepted;
                QVERIFY(encode(payload, bytes.size()) == bytes);
            } else {
                ++refused;
            }
        }
        QVERIFY2(accepted > 1000 && refused > 1000,
                 qPrintable(QStringLiteral("%1 %2").arg(accepted).arg(refused)));
    }

    // Each with its bytes after an empty acknowledgement.
    void hostileSectionsAreRefused_data() {
        QTest::addColumn<QByteArray>("section");
        const auto row = [](const char* name, const QByteArray& bytes) { QTest::newRow(name) << bytes; };
        row("empty section", QByteArray::fromHex("01"));
        row("snapshot, reserved", QByteArray::fromHex("0e00"));
        row("unknown control", QByteArray::fromHex("0f09"));
        row("stop waiting", QByteArray::fromHex("0f060100"));
        row("padding with a count", QByteArray::fromHex("08"));
        row("padding that is not zero", QByteArray::fromHex("000001"));
        row("list without end", QByteArray::fromHex("0901800280"));
        QByteArray words;
        for (int i = 0; i < 65; ++i) {
            words += QByteArray::fromHex("0180");
        }
        row("65 dependencies", QByteArray::fromHex("09") + words + QByteArray::fromHex("01000500"));
        QByteArray many;
        for (int i = 0; i < 590; ++i) {
            many += QByteArray::fromHex("0180");
        }
        row("590 words", QByteArray::fromHex("09") + many);
        row("length past the end", QByteArray::fromHex("0901000505aabb"));
        row("huge length", QByteArray::fromHex("0901000580808080"));
        row("type past 16 bits", QByteArray::fromHex("090100ffff7f00"));
        row("huge count", QByteArray::fromHex("f9ffffff0f"));
        row("flags of unreliable", QByteArray::fromHex("0c040100"));
        row("fragment past its count", QByteArray::fromHex("0d0100020001000101aa"));
        row("fragment alone", QByteArray::fromHex("0d01000000000005010161"));
        row("short fragment in the middle",
            QByteArray::fromHex("0d010001000200") + QByteArray::fromHex("0161"));
        row("fragment total that lies",
            QByteArray::fromHex("0d010000000100") + QByteArray::fromHex("0505c007") + QByteArray(960, 'a'));
        row("dependencies in a later fragment", QByteArray::fromHex("0d018000000100010001") + "a");
        row("limits out of bounds", QByteArray::fromHex("0f05") + QByteArray(LimitsSize + 6, '\xff'));
    }
    void hostileSectionsAreRefused() {
        QFETCH(QByteArray, section);
        const QByteArray bytes = QByteArray(1, '\0') + section;
        Payload payload;
        const ByteView view(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                            static_cast<std::size_t>(bytes.size()));
        QVERIFY(!parsePayload(view, 15, payload));
    }
    void sixtyFourDependenciesAreFine() {
        std::vector<std::uint64_t> needs(64);
        for (std::size_t i = 0; i < 64; ++i) {
            needs[i] = i;
        }
        std::array<std::uint8_t, 1168> room{};
        ByteWriter out(room);
        out.u8(0);
        SectionWriter writer(out, 15);
        // The longest head still leaves room for a whole message.
        QVERIFY(writer.guaranteed(100, needs, 500, std::vector<std::uint8_t>(FragmentSize)));
        Payload payload;
        QVERIFY(parsePayload(out.written(), 15, payload));
        QCOMPARE(payload.messages.front().dependencyCount, std::uint16_t{64});
        QCOMPARE(payload.dependencies.size(), std::size_t{64});
    }
};

QTEST_GUILESS_MAIN(TestWire)
#include "tst_wire.moc"
