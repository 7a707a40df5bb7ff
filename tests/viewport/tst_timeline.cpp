// Where between two ticks the picture is, for screens and simulations of any pace; frame meter and governor.

#include <QTest>

#include "widgets/viewport/frame_pace.h"
#include "widgets/viewport/frame_timeline.h"
#include "engine/render/render_cvars.h"

#include <cmath>

using namespace sbx;
using namespace sbx::ui;
using namespace std::chrono_literals;

namespace {

using Time = FrameTimeline::Time;

Time at(double seconds) {
    return Time(std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(1000.0 + seconds)));
}

std::shared_ptr<FrameSnapshot> snapshot(std::uint64_t tick, double seconds, Mode mode = Mode::Play, std::uint64_t run = 1) {
    static std::uint64_t serial = 0;
    auto made = std::make_shared<FrameSnapshot>();
    made->serial = ++serial;
    made->run = run;
    made->mode = mode;
    made->tick = tick;
    made->published = at(seconds);
    made->scene = std::make_shared<render::Scene>();
    return made;
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT

private slots:
    void nothingYet() {
        FrameTimeline timeline;
        QVERIFY(timeline.at(at(0)).current == nullptr);
        QVERIFY(!timeline.push(nullptr));
    }
    void stoppedAndPausedShowTheLatest() {
        FrameTimeline timeline;
        const auto edit = snapshot(0, 0, Mode::Edit);
        QVERIFY(timeline.push(edit));
        QVERIFY(!timeline.push(edit));
        QCOMPARE(timeline.at(at(5)).current, edit.get());
        timeline.push(snapshot(1, 5.0, Mode::Play, 2));
        const auto paused = snapshot(7, 5.1, Mode::Pause, 2);
        timeline.push(paused);
        const auto moment = timeline.at(at(5.1));
        QCOMPARE(moment.current, paused.get());
        QCOMPARE(moment.previous, paused.get());
        QCOMPARE(moment.tick, 7.0);
    }
    void isOneTickBehindAndSmooth_data() {
        QTest::addColumn<double>("screen");
        for (const double hz : {24.0, 30.0, 59.0, 60.0, 61.0, 144.0, 240.0})
            QTest::newRow(qPrintable(QString::number(hz))) << hz;
    }
    void isOneTickBehindAndSmooth() {
        QFETCH(double, screen);
        // 60 ticks a second, each published up to 3 ms late, drawn at the screen's pace.
        FrameTimeline timeline;
        const auto late = [](std::uint64_t tick) { return 0.003 * std::abs(std::sin(static_cast<double>(tick) * 12.9)); };
        std::uint64_t next = 0;
        double worst = 0.0;
        double before = -1.0;
        for (int frame = 0; frame < static_cast<int>(screen * 5.0); ++frame) {
            const double now = static_cast<double>(frame) / screen;
            // Only the latest is seen: ticks between two frames are missed.
            std::shared_ptr<FrameSnapshot> seen;
            while (static_cast<double>(next) / 60.0 + late(next) <= now) {
                seen = snapshot(next, static_cast<double>(next) / 60.0 + late(next));
                ++next;
            }
            if (seen)
                timeline.push(seen);
            const auto moment = timeline.at(at(now));
            if (moment.current == nullptr)
                continue;
            QVERIFY(moment.alpha >= 0.0F && moment.alpha <= 1.0F);
            if (before >= 0.0 && now > 1.0) {
                QVERIFY(moment.tick >= before); // never back
                worst = std::max(worst, std::abs((moment.tick - before) - 60.0 / screen));
                QVERIFY2(now * 60.0 - moment.tick < 2.2, "not more than two ticks behind");
            }
            before = moment.tick;
        }
        QVERIFY2(worst < 0.25, qPrintable(QStringLiteral("a step off by %1 ticks").arg(worst)));
    }
    void alphaIsTheShareOfTheWay() {
        FrameTimeline timeline;
        for (std::uint64_t tick = 0; tick <= 10; ++tick)
            timeline.push(snapshot(tick, static_cast<double>(tick) / 60.0));
        const auto moment = timeline.at(at(10.25 / 60.0));
        QCOMPARE(moment.previous->tick, 9U);
        QCOMPARE(moment.current->tick, 10U);
        QVERIFY(std::abs(moment.alpha - 0.25F) < 1e-3F);
    }
    void missedTicksAreBridged() {
        FrameTimeline timeline;
        timeline.push(snapshot(0, 0.0));
        timeline.push(snapshot(4, 4.0 / 60.0));
        const auto moment = timeline.at(at(4.0 / 60.0));
        QCOMPARE(moment.previous->tick, 0U);
        QCOMPARE(moment.current->tick, 4U);
        QVERIFY(std::abs(moment.alpha - 0.75F) < 1e-3F); // tick 3 of 4
    }
    void aNewRunStartsAfresh() {
        FrameTimeline timeline;
        for (std::uint64_t tick = 0; tick <= 10; ++tick)
            timeline.push(snapshot(tick, static_cast<double>(tick) / 60.0, Mode::Play, 1));
        const auto first = snapshot(0, 11.0 / 60.0, Mode::Play, 2);
        timeline.push(first);
        const auto moment = timeline.at(at(11.5 / 60.0));
        QCOMPARE(moment.previous, first.get());
        QCOMPARE(moment.current, first.get());
    }
    void publishedAgainBetweenTicksChangesNothing() {
        FrameTimeline timeline;
        for (std::uint64_t tick = 0; tick <= 30; ++tick) {
            timeline.push(snapshot(tick, static_cast<double>(tick) / 60.0));
            timeline.push(snapshot(tick, (static_cast<double>(tick) + 0.7) / 60.0)); // input was posted
        }
        QVERIFY(std::abs(timeline.at(at(30.5 / 60.0)).tick - 29.5) < 0.05);
    }
    void aStallIsCaughtUpWithAtOnce() {
        FrameTimeline timeline;
        for (std::uint64_t tick = 0; tick <= 30; ++tick)
            timeline.push(snapshot(tick, static_cast<double>(tick) / 60.0));
        QCOMPARE(timeline.at(at(5.0)).tick, 30.0); // stands at the last one
        timeline.push(snapshot(31, 5.0));
        timeline.push(snapshot(32, 5.0 + 1.0 / 60.0));
        QVERIFY(std::abs(timeline.at(at(5.0 + 1.5 / 60.0)).tick - 31.5) < 0.1);
    }
    void slowMotionIsFollowed() {
        FrameTimeline timeline;
        for (std::uint64_t tick = 0; tick <= 20; ++tick) {
            auto made = snapshot(tick, static_cast<double>(tick) / 6.0);
            made->timeScale = 0.1;
            timeline.push(made);
        }
        QVERIFY(std::abs(timeline.at(at(20.5 / 6.0)).tick - 19.5) < 0.05);
    }
    void meterCountsFrames() {
        FrameMeter meter;
        QCOMPARE(meter.framesPerSecond(), 0.0);
        for (int i = 0; i < 100; ++i)
            meter.frame(at(i / 50.0), 4.0);
        QVERIFY(std::abs(meter.framesPerSecond() - 50.0) < 0.01);
        QCOMPARE(meter.frameMs(), 4.0);
    }
    void governorWaitsThenStepsDown() {
        FrameGovernor governor(3);
        for (int i = 0; i < 1000; ++i)
            QCOMPARE(governor.frame(33.0), 0);
        QCOMPARE(governor.frame(500.0), 0); // one slow frame is nothing
        for (int i = 0; i < 100; ++i)
            QCOMPARE(governor.frame(20.0), 0);
        int frames = 0;
        while (governor.frame(60.0) == 0)
            QVERIFY(++frames < 60);
        QVERIFY(frames * 60.0 >= FrameGovernor::PatienceMs * 0.9);
        QCOMPARE(governor.level(), 1);
        for (int i = 0; i < 10000; ++i)
            governor.frame(60.0);
        QCOMPARE(governor.level(), 3);
    }
    void governorTriesEachStepUpOnce() {
        FrameGovernor governor(3);
        governor.setLevel(1);
        const auto run = [&](double ms, int frames) {
            int changes = 0;
            for (int i = 0; i < frames; ++i)
                changes += governor.frame(ms) != 0 ? 1 : 0;
            return changes;
        };
        run(60.0, 100); // something else keeps the machine busy
        QCOMPARE(governor.level(), 3);
        run(10.0, 500);
        QCOMPARE(governor.level(), 3); // not yet
        run(10.0, 300);
        QCOMPARE(governor.level(), 2); // tried again
        run(60.0, 60);
        QCOMPARE(governor.level(), 3); // too much
        QCOMPARE(run(10.0, 100'000), 0); // and that was that
        governor.setLevel(1);
        QCOMPARE(run(1.0, 100'000), 0); // never above where it started
    }
    void qualityLowersDefaultsButNotWishes() {
        CVarRegistry registry;
        const render::RenderCVars cvars = render::registerRenderCVars(registry);
        QCOMPARE(cvars.settings().msaaSamples, 4);
        QVERIFY(registry.set("render.shadowSize", "4096", CVarSource::User).ok());
        render::applyQuality(cvars, render::softwareLevel());
        QCOMPARE(cvars.settings().msaaSamples, 0);
        QCOMPARE(cvars.settings().shadowSize, 4096); // a person's wish holds
        QVERIFY(!render::qualityText(1).empty());
        render::applyQuality(cvars, 1000);
        QVERIFY(cvars.settings().renderScale < 1.0F);
        render::applyQuality(cvars, 0);
        QCOMPARE(cvars.settings().msaaSamples, 4);
        // Registered again: the same ones.
        QVERIFY(render::registerRenderCVars(registry).msaa.get() == 4);
        QVERIFY(!registry.set("render.scale", "7", CVarSource::Console).ok());
    }
};

QTEST_GUILESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
