#include <QtTest>

#include "tests/net/forger.h"
#include "tests/net/numbered.h"

#include <functional>

// A peer with keys that breaks the rules of the wire ends its own connection, with a reason that both ends hear, and no other's:
// beside it two clients talk with the same server. Of the datagram that broke them nothing is taken. PROTOCOL.md has the rules.

using namespace sbx;
using namespace sbx::net;

namespace {

struct Violation {
    const char* name;
    CloseReason reason;
    bool fromServer;
    std::function<void(ByteWriter&)> write;
};

std::uint8_t header(SectionKind kind, unsigned count = 1) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(kind) | (count << 3U));
}
// A good message first: it must not come through.
void good(ByteWriter& out, std::uint16_t number = 1) {
    out.u8(0);
    out.u8(header(SectionKind::Guaranteed));
    out.u16(number);
    out.varint(666);
    out.varint(4);
    out.u32(0xDEAD);
}
void control(ByteWriter& out, std::uint8_t code) {
    good(out);
    out.u8(header(SectionKind::Control));
    out.u8(code);
}
void accept(ByteWriter& out, const Limits& limits, std::uint32_t timeout, std::uint16_t rate) {
    control(out, 5);
    writeLimits(out, limits);
    out.u32(timeout);
    out.u16(rate);
}
void fragment(ByteWriter& out, std::uint16_t head, std::uint16_t index, std::uint16_t last, std::uint32_t total, std::size_t size) {
    good(out);
    out.u8(header(SectionKind::Fragment));
    out.u16(head);
    out.u16(index);
    out.u16(last);
    if (index == 0) {
        out.varint(1);
        out.varint(total);
    }
    out.varint(static_cast<std::uint32_t>(size));
    out.bytes(std::vector<std::uint8_t>(size));
}
void message(ByteWriter& out, std::initializer_list<unsigned> words, std::uint32_t type = 1, std::uint32_t size = 0) {
    good(out);
    out.u8(header(SectionKind::Guaranteed));
    for (const unsigned word : words) {
        out.u16(static_cast<std::uint16_t>(word));
    }
    out.varint(type);
    out.varint(size);
}

constexpr unsigned More = 0x8000;

std::vector<Violation> violations() {
    constexpr auto Protocol = CloseReason::Protocol;
    constexpr auto FlowControl = CloseReason::FlowControl;
    std::vector<Violation> all;
    const auto add = [&](const char* name, std::function<void(ByteWriter&)> write, CloseReason reason = CloseReason::Protocol) {
        all.push_back({name, reason, false, std::move(write)});
    };
    const auto fromServer = [&](const char* name, std::function<void(ByteWriter&)> write) {
        all.push_back({name, Protocol, true, std::move(write)});
    };
    add("nothing at all", [](ByteWriter&) {});
    add("a reserved flag", [](ByteWriter& out) { out.u8(0x80); });
    add("a mask without an acknowledgement", [](ByteWriter& out) { out.u8(0x02); });
    add("ranges without an acknowledgement", [](ByteWriter& out) { out.u8(0x20); });
    add("an acknowledgement of what was never sent", [](ByteWriter& out) { writeAck(out, {.present = true, .newest = 30'000}, 0); });
    add("a mask byte that would have been left out", [](ByteWriter& out) {
        out.u8(0x03);
        out.u16(1);
        out.u8(0);
        out.u8(0xFF);
    });
    add("no range", [](ByteWriter& out) {
        out.u8(0x21);
        out.u16(1);
        out.u8(0);
        out.u8(0);
    });
    add("seventeen ranges", [](ByteWriter& out) {
        out.u8(0x21);
        out.u16(1);
        out.u8(0);
        out.u8(17);
        for (int i = 0; i < 34; ++i) {
            out.u8(0);
        }
    });
    add("a tick that is cut off", [](ByteWriter& out) {
        out.u8(0x40);
        out.u8(1);
    });
    add("a snapshot", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Snapshot));
        out.u16(1);
    });
    add("a section of nothing", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Guaranteed, 0));
    });
    add("padding that is not zero", [](ByteWriter& out) {
        good(out);
        out.u8(0);
        out.u8(0);
        out.u8(1);
    });
    add("padding with a count", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Padding, 1));
    });
    for (const unsigned code : {0U, 6U, 255U}) {
        add("an unknown frame", [code](ByteWriter& out) { control(out, static_cast<std::uint8_t>(code)); });
    }
    for (const unsigned reason : {0U, 15U, 255U}) {
        const auto write = [reason](ByteWriter& out) {
            control(out, 2);
            out.u8(static_cast<std::uint8_t>(reason));
        };
        add("the end for an unknown reason", write);
        fromServer("the end for an unknown reason, from the server", write);
    }
    add("the end without a reason", [](ByteWriter& out) { control(out, 2); });
    add("acceptance from a client", [](ByteWriter& out) { accept(out, {}, 10'000, 60); });
    add("a path challenge from a client", [](ByteWriter& out) {
        control(out, 3);
        out.u64(1);
    });
    fromServer("a path response from a server", [](ByteWriter& out) {
        control(out, 4);
        out.u64(1);
    });
    fromServer("a time-out below a second", [](ByteWriter& out) { accept(out, {}, 999, 60); });
    fromServer("a time-out above ten minutes", [](ByteWriter& out) { accept(out, {}, 600'001, 60); });
    fromServer("no ticks", [](ByteWriter& out) { accept(out, {}, 10'000, 0); });
    fromServer("a window of one", [](ByteWriter& out) { accept(out, {.window = 1}, 10'000, 60); });
    fromServer("a window beyond the largest", [](ByteWriter& out) { accept(out, {.window = 8193}, 10'000, 60); });
    fromServer("an acknowledgement delay above five milliseconds",
               [](ByteWriter& out) { accept(out, {.maxAckDelay = 21 * (Millisecond / 4)}, 10'000, 60); });
    add("a type beyond the largest", [](ByteWriter& out) { message(out, {2}, 65'536); });
    add("a length past the end", [](ByteWriter& out) { message(out, {2}, 1, 1); });
    add("a long form of a short number", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Guaranteed));
        out.u16(2);
        out.u8(0x81); // 1, in two bytes
        out.u8(0x00);
        out.varint(0);
    });
    add("a list without its end", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Guaranteed));
        out.u16(2 | More);
        out.u16(1 | More);
    });
    add("sixty-five needs", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Guaranteed));
        for (unsigned n = 0; n < 65; ++n) {
            out.u16(static_cast<std::uint16_t>((100 - n) | More));
        }
        out.u16(1);
        out.varint(1);
        out.varint(0);
    });
    add("a message that needs itself", [](ByteWriter& out) { message(out, {2 | More, 2}); });
    add("a message that needs a later one", [](ByteWriter& out) { message(out, {2 | More, 3}); });
    add("two that need each other", [](ByteWriter& out) {
        message(out, {3 | More, 2});
        out.u8(header(SectionKind::Guaranteed));
        out.u16(2 | More);
        out.u16(3);
        out.varint(1);
        out.varint(0);
    });
    add("a message beyond the window", [](ByteWriter& out) { message(out, {1 + 256}); }, FlowControl);
    add("a message half a circle ahead", [](ByteWriter& out) { message(out, {16'384}); }, FlowControl);
    add("a body larger than was granted", [](ByteWriter& out) {
        message(out, {2}, 1, 1050);
        out.bytes(std::vector<std::uint8_t>(1050));
    }, FlowControl);
    add("parts of more than was granted", [](ByteWriter& out) { fragment(out, 2, 3, 9, 0, FragmentSize); }, FlowControl);
    add("one part of one", [](ByteWriter& out) { fragment(out, 2, 0, 0, 100, 100); });
    add("a part behind the last", [](ByteWriter& out) { fragment(out, 2, 2, 1, 0, 100); });
    add("a part that is too short", [](ByteWriter& out) { fragment(out, 2, 0, 1, FragmentSize + 1, FragmentSize - 1); });
    add("a part of nothing", [](ByteWriter& out) { fragment(out, 2, 1, 1, 0, 0); });
    add("more than its parts", [](ByteWriter& out) { fragment(out, 2, 0, 1, 2 * FragmentSize + 1, FragmentSize); });
    add("less than its parts", [](ByteWriter& out) { fragment(out, 2, 0, 1, FragmentSize, FragmentSize); });
    add("needs in a later part", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Fragment));
        out.u16(2 | More);
        out.u16(1);
        out.u16(1);
        out.u16(1);
        out.varint(1);
        out.u8(0);
    });
    add("in parts and whole", [](ByteWriter& out) {
        fragment(out, 2, 1, 1, 0, 10);
        out.u8(header(SectionKind::Guaranteed));
        out.u16(2);
        out.varint(1);
        out.varint(0);
    });
    add("an unreliable message with a reserved flag", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Unreliable));
        out.u8(4);
        out.varint(1);
        out.varint(0);
    });
    add("an unreliable message after one beyond the window", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Unreliable));
        out.u8(2);
        out.u16(2000);
        out.varint(1);
        out.varint(0);
    }, FlowControl);
    add("an unreliable type beyond the largest", [](ByteWriter& out) {
        good(out);
        out.u8(header(SectionKind::Unreliable));
        out.u8(0);
        out.varint(65'536);
        out.varint(0);
    });
    return all;
}

} // namespace

class TestViolations : public QObject {
    Q_OBJECT
private slots:
    void itEndsOneConnectionAndNoOther_data() {
        QTest::addColumn<int>("which");
        const auto all = violations();
        for (std::size_t i = 0; i < all.size(); ++i) {
            QTest::addRow("%d: %s", static_cast<int>(i), all[i].name) << static_cast<int>(i);
        }
    }
    void itEndsOneConnectionAndNoOther() {
        QFETCH(int, which);
        const Violation violation = violations()[static_cast<std::size_t>(which)];
        HostSettings base;
        base.limits.window = 256;
        base.limits.maxMessage = 1000;
        World world({.latency = 10 * Millisecond, .jitter = 3 * Millisecond, .loss = 0.02}, base);
        Forger bad(world);
        QVERIFY(bad.ready());
        const std::uint32_t badId = bad.ends.client->id();
        struct Talk {
            World::Ends ends;
            std::uint32_t sent = 0;
            Tally up;
            Tally down;
        };
        std::array<Talk, 2> talks;
        for (Talk& talk : talks) {
            talk.ends = world.connected();
            QVERIFY(talk.ends.server != nullptr);
        }
        ReceivedMessage delivery;
        while (bad.ends.server->next(delivery) || bad.ends.client->next(delivery)) {}
        std::array<std::uint8_t, 1150> bytes{};
        ByteWriter out(bytes);
        violation.write(out);
        QVERIFY(out.ok());
        std::uint32_t fromBad = 0;
        for (int step = 0; step < 150; ++step) {
            if (step == 30) {
                bad.send(out.written(), violation.fromServer);
            }
            for (Talk& talk : talks) {
                const auto number = numbered(talk.sent);
                QVERIFY(talk.ends.client->send(1, number).status == SendStatus::Sent);
                QVERIFY(talk.ends.server->send(1, number).status == SendStatus::Sent);
                ++talk.sent;
            }
            world.runFor(10 * Millisecond);
            for (Talk& talk : talks) {
                talk.up.take(*talk.ends.server);
                talk.down.take(*talk.ends.client);
            }
            for (Host* host : {world.server.get(), bad.ends.host}) {
                if (Connection* connection = host->find(badId)) {
                    while (connection->next(delivery)) {
                        ++fromBad;
                    }
                }
            }
        }
        world.runFor(2 * Second);
        delivery = {};
        QCOMPARE(fromBad, 0U);
        QVERIFY(world.server->find(badId) == nullptr);
        QCOMPARE(bad.ends.host->connectionCount(), std::size_t{0});
        QCOMPARE(static_cast<int>(ended(*world.server)), static_cast<int>(violation.reason));
        QCOMPARE(static_cast<int>(ended(*bad.ends.host)), static_cast<int>(violation.reason));
        QCOMPARE(world.server->connectionCount(), talks.size());
        for (Talk& talk : talks) {
            talk.up.take(*talk.ends.server);
            talk.down.take(*talk.ends.client);
            QVERIFY(talk.up.onceEach(talk.sent) && talk.down.onceEach(talk.sent));
            QVERIFY(ended(*talk.ends.host) == CloseReason::None);
        }
    }

    // The same way in, with what nobody may refuse: the forger is no reason for what is seen above.
    void aGoodDatagramEndsNothing() {
        World world;
        Forger peer(world);
        QVERIFY(peer.ready());
        std::array<std::uint8_t, 100> bytes{};
        ByteWriter out(bytes);
        control(out, 1);
        peer.send(out.written());
        world.runFor(Second);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        ReceivedMessage delivery;
        QVERIFY(peer.ends.server->next(delivery));
        QCOMPARE(delivery.type, std::uint16_t{666});
    }
};

QTEST_GUILESS_MAIN(TestViolations)
#include "tst_violations.moc"
