// The ring of what was heard: one thread writes, many read, and no reader receives samples that are not what was written.

#include <QtTest>

#include "engine/audio/output_ring.h"

#include <atomic>
#include <thread>
#include <vector>

using namespace sbx::audio;

namespace {
// What the ring holds at a frame; every sample of a frame says which it is of.
float leftOf(Frame frame) { return static_cast<float>(frame & 0xFFFFF); }
float rightOf(Frame frame) { return -leftOf(frame); }
} // namespace

class TestOutputRing : public QObject {
    Q_OBJECT

private slots:
    void whatIsThereAndWhatIsNot() {
        OutputRing ring(256);
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

    // One writes and two read, first at the pace that the machine gives them, then in step, until each reader has received enough: the
    // test does not depend on which thread the system runs when.
    void readersBesideTheWriter() {
        OutputRing ring(1024);
        constexpr Frame Freely = 400'000; // written without regard for the readers: the ring has gone round many times
        constexpr int Enough = 200;       // pieces that each reader must receive
        constexpr std::size_t Pieces[] = {64, 700};
        std::atomic<bool> ended{false};
        std::atomic<int> wrong{0};
        std::atomic<int> received[2] = {0, 0};
        std::atomic<unsigned> turns[2] = {0, 0};
        const auto reader = [&](std::size_t which) {
            const std::size_t piece = Pieces[which];
            std::vector<float> out(piece * 2);
            Frame at = 0;
            for (; !ended; ++turns[which]) {
                const Frame there = ring.written();
                if (there - at < static_cast<Frame>(piece)) {
                    std::this_thread::yield();
                    continue;
                }
                if (!ring.read(at, out)) {
                    at = ring.written() - static_cast<Frame>(piece); // too late: on with the newest
                    continue;
                }
                for (std::size_t i = 0; i < piece; ++i)
                    wrong += out[i * 2] != leftOf(at + static_cast<Frame>(i)) || out[i * 2 + 1] != rightOf(at + static_cast<Frame>(i)) ? 1 : 0;
                ++received[which];
                at += static_cast<Frame>(piece);
            }
        };
        std::thread first(reader, 0);
        std::thread second(reader, 1);
        std::vector<float> block(128 * 2);
        for (Frame frame = 0; frame < Freely || received[0] < Enough || received[1] < Enough; frame += 128) {
            for (Frame i = 0; i < 128; ++i) {
                block[static_cast<std::size_t>(i) * 2] = leftOf(frame + i);
                block[static_cast<std::size_t>(i) * 2 + 1] = rightOf(frame + i);
            }
            ring.write(block);
            if (frame < Freely) {
                if (frame % 1280 == 0)
                    std::this_thread::yield();
                continue;
            }
            const unsigned before[2] = {turns[0], turns[1]};
            while (turns[0] == before[0] || turns[1] == before[1])
                std::this_thread::yield();
        }
        ended = true;
        first.join();
        second.join();
        QCOMPARE(wrong.load(), 0);
    }
};

QTEST_GUILESS_MAIN(TestOutputRing)
#include "tst_output_ring.moc"
