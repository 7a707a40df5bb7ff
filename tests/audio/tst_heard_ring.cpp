// The ring of what was heard: one writes, many read, and nobody is told samples that are not what was written.

#include <QtTest>

#include "engine/audio/heard_ring.h"

#include <thread>
#include <vector>

using namespace sbx::audio;

namespace {
// What the ring holds at a frame; every sample of a frame says which it is of.
float leftOf(Frame frame) { return static_cast<float>(frame & 0xFFFFF); }
float rightOf(Frame frame) { return -leftOf(frame); }
} // namespace

class TestHeardRing : public QObject {
    Q_OBJECT

private slots:
    void whatIsThereAndWhatIsNot() {
        HeardRing ring(256);
        std::vector<float> block(100 * 2);
        std::vector<float> out(50 * 2);
        QVERIFY(!ring.read(0, out));
        for (Frame frame = 0; frame < 1000; frame += 100) {
            for (Frame i = 0; i < 100; ++i) {
                block[static_cast<std::size_t>(i) * 2] = leftOf(frame + i);
                block[static_cast<std::size_t>(i) * 2 + 1] = rightOf(frame + i);
            }
            ring.write(block);
        }
        QCOMPARE(ring.written(), Frame{1000});
        QVERIFY(!ring.read(-1, out));
        QVERIFY(!ring.read(951, out));  // not there yet
        QVERIFY(!ring.read(743, out));  // no longer there
        for (const Frame from : {Frame{744}, Frame{800}, Frame{950}}) {
            QVERIFY(ring.read(from, out));
            for (Frame i = 0; i < 50; ++i) {
                QCOMPARE(out[static_cast<std::size_t>(i) * 2], leftOf(from + i));
                QCOMPARE(out[static_cast<std::size_t>(i) * 2 + 1], rightOf(from + i));
            }
        }
    }

    void readersBesideTheWriter() {
        HeardRing ring(1024);
        constexpr Frame All = 400'000;
        std::atomic<int> wrong{0};
        std::atomic<Frame> good{0};
        const auto reader = [&](std::size_t piece) {
            std::vector<float> out(piece * 2);
            Frame at = 0;
            while (at < All) {
                const Frame there = ring.written();
                if (there - at < static_cast<Frame>(piece)) {
                    if (there == All)
                        break;
                    std::this_thread::yield();
                    continue;
                }
                if (!ring.read(at, out)) {
                    at = ring.written(); // too late
                    continue;
                }
                for (std::size_t i = 0; i < piece; ++i)
                    wrong += out[i * 2] != leftOf(at + static_cast<Frame>(i)) || out[i * 2 + 1] != rightOf(at + static_cast<Frame>(i)) ? 1 : 0;
                good += static_cast<Frame>(piece);
                at += static_cast<Frame>(piece);
            }
        };
        std::thread first(reader, 64);
        std::thread second(reader, 700);
        std::vector<float> block(128 * 2);
        for (Frame frame = 0; frame < All; frame += 128) {
            const Frame count = std::min<Frame>(128, All - frame);
            for (Frame i = 0; i < count; ++i) {
                block[static_cast<std::size_t>(i) * 2] = leftOf(frame + i);
                block[static_cast<std::size_t>(i) * 2 + 1] = rightOf(frame + i);
            }
            ring.write(std::span(block).first(static_cast<std::size_t>(count) * 2));
            if (frame % 1280 == 0)
                std::this_thread::yield();
        }
        first.join();
        second.join();
        QCOMPARE(wrong.load(), 0);
        QVERIFY(good.load() > 0);
    }
};

QTEST_GUILESS_MAIN(TestHeardRing)
#include "tst_heard_ring.moc"
