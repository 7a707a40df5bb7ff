#include <QtTest>

#include "engine/core/random.h"
#include "engine/message/delayed_queue.h"

#include <algorithm>

using namespace sbx;

namespace {
struct Numbered {
    static constexpr const char* Name = "test.Numbered";
    int number = 0;
    static void describe(FieldList<Numbered>& f) { f.add("number", &Numbered::number, "Which."); }
};
} // namespace

class TestDelayedQueue : public QObject {
    Q_OBJECT
private slots:
    // Against a stable sort of the same pushes.
    void orderIsDueThenPriorityThenSending() {
        struct Reference {
            std::uint64_t due;
            int priority;
            int number;
        };
        Random random(42);
        DelayedQueue queue;
        std::vector<Reference> reference;
        Envelope envelope;
        envelope.type = messageIdOf<Numbered>();
        for (int i = 0; i < 5000; ++i) {
            const Reference r{random.below(50), static_cast<int>(random.below(3)) - 1, i};
            const Numbered message{i};
            queue.push(r.due, r.priority, envelope, &message, sizeof message);
            reference.push_back(r);
        }
        std::stable_sort(reference.begin(), reference.end(), [](const Reference& a, const Reference& b) {
            return a.due != b.due ? a.due < b.due : a.priority < b.priority;
        });
        std::size_t at = 0;
        for (std::uint64_t tick = 0; tick < 60; ++tick) {
            DelayedMessage out;
            alignas(16) std::byte buffer[MaxMessageSize];
            while (queue.pop(tick, out, buffer)) {
                QVERIFY(out.due <= tick);
                QCOMPARE(static_cast<const Numbered*>(out.payload)->number, reference[at].number);
                ++at;
            }
        }
        QCOMPARE(at, reference.size());
        QCOMPARE(queue.size(), std::size_t(0));
    }
    void payloadsAreCopies() {
        DelayedQueue queue;
        Envelope envelope;
        envelope.type = messageIdOf<Numbered>();
        Numbered message{7};
        queue.push(1, 0, envelope, &message, sizeof message);
        message.number = 8;
        DelayedMessage out;
        alignas(16) std::byte buffer[MaxMessageSize];
        QVERIFY(!queue.pop(0, out, buffer));
        QVERIFY(queue.pop(1, out, buffer));
        QCOMPARE(static_cast<const Numbered*>(out.payload)->number, 7);
    }
    void blocksAreReused() {
        DelayedQueue queue;
        Envelope envelope;
        envelope.type = messageIdOf<Numbered>();
        DelayedMessage out;
        alignas(16) std::byte buffer[MaxMessageSize];
        for (int i = 0; i < 100000; ++i) {
            const Numbered message{i};
            queue.push(static_cast<std::uint64_t>(i), 0, envelope, &message, sizeof message);
            QVERIFY(queue.pop(static_cast<std::uint64_t>(i), out, buffer));
            QCOMPARE(static_cast<const Numbered*>(out.payload)->number, i);
        }
        queue.push(1, 0, envelope, buffer, sizeof(Numbered));
        queue.clear();
        QCOMPARE(queue.size(), std::size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestDelayedQueue)
#include "tst_delayed_queue.moc"
