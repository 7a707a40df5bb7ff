// What is shown of a quantity that arrives now and then, against motions that are known exactly.

#include <QtTest>

#include "engine/components/snapshot_track.h"

#include <cmath>

using namespace sbx;

namespace {
constexpr double Least = 3.0; // ticks

// A straight way of 0.1 m a tick.
Vec3 straight(double tick) { return {static_cast<float>(0.1 * tick), 0.0F, 0.0F}; }
float apart(const Vec3& a, const Vec3& b) { return glm::length(a - b); }
float degreesApart(const Quat& a, const Quat& b) { return glm::degrees(2.0F * std::acos(std::min(1.0F, std::abs(glm::dot(a, b))))); }
} // namespace

class TestSnapshotTrack : public QObject {
    Q_OBJECT

private slots:
    void betweenSnapshotsTheWayIsStraight() {
        SnapshotTrack<Vec3> track;
        for (int tick = 0; tick <= 30; tick += 3)
            QVERIFY(track.add(tick, straight(tick), {tick - 6.0, 0.0, Least}));
        for (double at = 24.0; at <= 30.0; at += 0.25)
            QVERIFY(apart(track.sample(at, 0.0), straight(at)) < 1e-5F);
        QCOMPARE(track.sample(-5.0, 0.0), straight(0.0));
    }

    // What it is later is what was sent, and not a little less.
    void theRestIsExact() {
        SnapshotTrack<Vec3> track;
        for (int tick = 0; tick < 200; tick += 3)
            track.add(tick, straight(tick), {tick - 6.0, 0.0, Least});
        const Vec3 rest(19.87654F, 1.23456F, -7.0F);
        QVERIFY(track.add(201.0, rest, {195.0, 0.0, Least}));
        QCOMPARE(track.sample(1000.0, 0.0), rest);
    }

    void olderAndEqualOnesAreDropped() {
        SnapshotTrack<Vec3> track;
        QVERIFY(track.add(10.0, straight(10), {4.0, 0.0, Least}));
        QVERIFY(!track.add(10.0, straight(99), {4.0, 0.0, Least}));
        QVERIFY(!track.add(7.0, straight(99), {4.0, 0.0, Least}));
        QCOMPARE(track.newest(), straight(10));
    }

    void itGoesOnForAWhileAndThenHolds() {
        SnapshotTrack<Vec3> track;
        track.add(0.0, straight(0), {-6.0, 6.0, Least});
        track.add(3.0, straight(3), {-3.0, 6.0, Least});
        QVERIFY(apart(track.sample(6.0, 6.0), straight(6)) < 1e-5F);
        QVERIFY(apart(track.sample(9.0, 6.0), straight(9)) < 1e-5F);
        QVERIFY(apart(track.sample(50.0, 6.0), straight(9)) < 1e-5F);
        QVERIFY(apart(track.sample(50.0, 0.0), straight(3)) < 1e-5F);
    }

    // After a gap nothing jumps: the way to the new place begins at what is shown.
    void afterAGapTheWayBeginsAtWhatIsShown() {
        SnapshotTrack<Vec3> track;
        track.add(0.0, straight(0), {-6.0, 0.0, Least});
        track.add(3.0, straight(3), {-3.0, 0.0, Least});
        double shown = 40.0;
        Vec3 last = track.sample(shown, 0.0);
        QVERIFY(track.add(46.0, straight(10), {shown, 0.0, Least, true}));
        float largest = 0.0F;
        for (; shown <= 50.0; shown += 1.0) {
            largest = std::max(largest, apart(track.sample(shown, 0.0), last));
            last = track.sample(shown, 0.0);
        }
        QCOMPARE(last, straight(10));
        QVERIFY2(largest <= 0.7F / 6.0F + 1e-5F, qPrintable(QString::number(static_cast<double>(largest))));
    }

    // What comes late is caught up with, at 1.4 times the speed at most: no step is larger.
    void whatComesLateIsCaughtUpWith() {
        SnapshotTrack<Vec3> track;
        double shown = 0.0;
        Vec3 last = straight(0);
        float largest = 0.0F;
        int next = 0;
        for (int now = 0; now < 400; ++now) {
            const bool lost = next % 15 >= 9; // two of five in a row
            if (now % 3 == 0) {
                if (!lost || now > 300)
                    track.add(now, straight(now), {shown, 0.0, Least});
                next += 3;
            }
            shown = now - 5.0;
            const Vec3 at = track.sample(shown, 0.0);
            if (now > 20)
                largest = std::max(largest, apart(at, last));
            last = at;
        }
        QVERIFY2(largest <= 0.1F * 1.41F, qPrintable(QString::number(static_cast<double>(largest))));
        QVERIFY(apart(last, straight(shown)) < 1e-4F); // and nothing is left of it
    }

    void rotationsGoTheShortWayWhicheverSignTheyHave() {
        SnapshotTrack<Quat> track;
        const Quat a = glm::angleAxis(glm::radians(170.0F), Vec3(0, 1, 0));
        const Quat b = -glm::angleAxis(glm::radians(190.0F), Vec3(0, 1, 0));
        track.add(0.0, a, {-6.0, 0.0, Least});
        track.add(10.0, b, {0.0, 0.0, Least});
        for (int i = 0; i <= 10; ++i) {
            const Quat wanted = glm::angleAxis(glm::radians(170.0F + 2.0F * static_cast<float>(i)), Vec3(0, 1, 0));
            QVERIFY(degreesApart(track.sample(i, 0.0), wanted) < 0.1F);
            QVERIFY(std::abs(glm::length(track.sample(i, 0.0)) - 1.0F) < 1e-5F);
        }
    }

    void moreThanItKeepsForgetsTheOldest() {
        SnapshotTrack<Vec3> track;
        for (int tick = 0; tick < 1000; ++tick)
            track.add(tick, straight(tick), {0.0, 0.0, 1.0});
        QVERIFY(apart(track.sample(990.5, 0.0), straight(990.5)) < 1e-4F);
        QVERIFY(apart(track.sample(0.0, 0.0), straight(1000 - static_cast<int>(SnapshotTrack<Vec3>::Capacity))) < 1e-4F);
    }

    // The clock keeps to the packets that came soonest, and follows one that began anew.
    void theClockFollowsTheSender() {
        PlayoutClock clock;
        QVERIFY(!clock.isKnown());
        for (int i = 0; i < 600; ++i)
            clock.arrived(1000.0 + i, 15.0 + i + (i % 5 == 0 ? 0.0 : 2.0)); // 15 to 17 ticks on the way
        const double at = clock.at(700.0);
        QVERIFY2(at <= 1000.0 + 685.0 && at >= 1000.0 + 683.0, qPrintable(QString::number(at)));
        clock.arrived(5.0, 700.0);
        QCOMPARE(clock.at(700.0), 5.0);
    }
};

QTEST_GUILESS_MAIN(TestSnapshotTrack)
#include "tst_snapshot_track.moc"
