// The sample to listen by, as people get it: what it says of its dial, rails, door and hall is so, in what is heard.

#include <QTemporaryDir>

#include "engine/audio/binaural_meter.h"
#include "tests/soundstage/recorded_sound.h"

#include <glm/geometric.hpp>

#include <initializer_list>

using namespace sbx;
using namespace sbx::sound_test;

namespace {

double decibels(double ratio) { return 20.0 * std::log10(ratio); }

// What is above `hertz`: a one-pole high-pass, four times over.
Stereo above(const Stereo& in, double hertz) {
    const float share = static_cast<float>(1.0 - std::exp(-2.0 * std::numbers::pi * hertz / Rate));
    Stereo out = in;
    for (std::size_t pass = 0; pass < 8; ++pass) {
        float low = 0.0F;
        for (std::size_t n = pass % 2; n < out.samples.size(); n += 2) { // left and right by turns
            low += share * (out.samples[n] - low);
            out.samples[n] -= low;
        }
    }
    return out;
}

} // namespace

class TestAudioRange : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

    // Playing, with those sounds alone.
    std::unique_ptr<Stage> open(std::initializer_list<const char*> alone) {
        auto made = playSample("audio-range", m_dir.filePath(QStringLiteral("out.wav")));
        for (const char* name : alone)
            made->recorder->stage().setSolo(made->session.world().find(name).id(), true);
        return made;
    }
    Stereo heard(Stage& stage) {
        return sound_test::heard(*stage.recorder, m_dir.filePath(QStringLiteral("out.wav")));
    }
    static double doorAngle(Stage& stage) {
        const auto hinge = stage.session.world().find("door").component("Hinge");
        return std::get<double>(hinge.type->state->find("angle")->read(hinge.type->stateOf(hinge.component)));
    }

private slots:
    // Each post of the dial is heard from where it stands.
    void thePostsAreWhereTheyStand() {
        auto range = open({});
        World& world = range->session.world();
        std::vector<std::string> posts;
        for (int hour = 1; hour <= 12; ++hour) {
            posts.push_back((hour < 10 ? "post_0" : "post_") + std::to_string(hour));
            range->recorder->stage().setSolo(world.find(posts.back()).id(), true);
        }
        // Ticks at which the hand comes to a post, and its angle from straight ahead to the right.
        std::vector<std::pair<std::size_t, double>> passed;
        std::string last;
        for (std::size_t tick = 0; tick < 13 * 60; ++tick) {
            range->run(1);
            const Vec3 hand = world.find("hand").pose().position;
            for (const std::string& name : posts) {
                const Vec3 post = world.find(name).pose().position;
                if (name != last && glm::length(hand - post) < 0.27F) {
                    passed.emplace_back(tick, std::atan2(static_cast<double>(post.x), static_cast<double>(-post.z)));
                    last = name;
                }
            }
        }
        QVERIFY2(passed.size() >= 12, qPrintable(QString::number(passed.size())));
        const Stereo out = heard(*range);
        for (const auto& [tick, azimuth] : passed) {
            const std::size_t from = (tick + 3) * 800;
            if (from + 16384 > out.frames())
                continue;
            const auto reading = audio::measureBinaural(std::span<const float>(out.samples).subspan(from * 2, 16384 * 2), Rate);
            const double lateral = std::asin(std::sin(azimuth));
            // From Woodworth's delay, at high frequencies, to half as much again at low ones (G. F. Kuhn, 1977).
            const double least = 0.0875 / SpeedOfSound * (std::abs(lateral) + std::sin(std::abs(lateral))) - 60e-6;
            const double most = 3.0 * 0.0875 / SpeedOfSound * std::sin(std::abs(lateral)) + 60e-6;
            const double got = static_cast<double>(reading.itd) * (lateral < 0.0 ? -1.0 : 1.0);
            QVERIFY2(reading.rms[0] > 1e-3F && got > least && got < most,
                     qPrintable(QStringLiteral("%1 deg: %2 us").arg(azimuth * 57.2958).arg(got * 1e6)));
        }
        // The hand goes clockwise.
        for (std::size_t i = 1; i < passed.size(); ++i)
            QVERIFY(std::remainder(passed[i].second - passed[i - 1].second, 2.0 * std::numbers::pi) > 0.4);
    }

    // Straight along its rails at 20 m/s, and heard 6 per cent higher as it comes and 6 per cent lower as it goes.
    void theCartRunsOnItsRails() {
        auto range = open({});
        World& world = range->session.world();
        std::vector<double> places; // of the cart, each tick of its run
        double most = 0.0;          // m off the line
        std::size_t passes = 0;     // tick
        EntityId cart;
        for (std::size_t tick = 0; tick < 12 * 60 && (places.empty() || world.find(cart)); ++tick) {
            range->run(1);
            if (places.empty())
                world.forEach([&](const Entity& entity) {
                    if (entity.type().name() == "Cart")
                        cart = entity.id();
                });
            const Entity running = world.find(cart);
            if (!running)
                continue;
            if (places.empty())
                range->recorder->stage().setSolo(cart, true);
            const Vec3 at = running.pose().position;
            if (passes == 0 && at.x >= 0.0F)
                passes = tick;
            places.push_back(static_cast<double>(at.x));
            most = std::max(most, static_cast<double>(std::max(std::abs(at.y - 0.86F), std::abs(at.z + 8.0F))));
        }
        QVERIFY2(places.size() > 170 && places.back() > 28.0, qPrintable(QString::number(places.size())));
        QVERIFY2(most < 0.02, qPrintable(QString::number(most)));
        for (std::size_t i = 1; i < places.size(); ++i)
            QVERIFY2(std::abs((places[i] - places[i - 1]) * 60.0 - 20.0) < 0.1, qPrintable(QString::number(places[i])));
        QVERIFY(passes > 0);
        const Stereo out = heard(*range);
        // One and a quarter of a second away the line to the cart is within some degrees of the rails: 20 m/s cos.
        const auto pitch = [&](double seconds, double guess) {
            const auto middle = static_cast<std::size_t>((static_cast<double>(passes) / 60.0 + seconds) * Rate);
            return out.frequency(middle - 2048, 4096, 1760.0 * guess) / 1760.0;
        };
        // Heard now it left some time ago: place and slant of that time.
        const auto expected = [](double seconds) {
            double left = seconds;
            for (int i = 0; i < 20; ++i)
                left = seconds - std::hypot(20.0 * left, 8.0, 0.7) / SpeedOfSound;
            const double towards = -20.0 * 20.0 * left / std::hypot(20.0 * left, 8.0, 0.7);
            return SpeedOfSound / (SpeedOfSound - towards);
        };
        for (const double seconds : {-1.2, -0.9, 1.0, 1.3}) {
            const double got = pitch(seconds, expected(seconds));
            QVERIFY2(std::abs(got / expected(seconds) - 1.0) < 0.004,
                     qPrintable(QStringLiteral("%1 s: %2, not %3").arg(seconds).arg(got).arg(expected(seconds))));
        }
        QVERIFY(expected(-1.2) > 1.05 && expected(1.3) < 0.955);
    }

    // Opens wide for who steps before it, and shuts behind them.
    void theDoorOpensAndShuts() {
        auto range = open({});
        range->run(60);
        QVERIFY2(std::abs(doorAngle(*range)) < 2.0, qPrintable(QString::number(doorAngle(*range))));
        for (int round = 0; round < 3; ++round) {
            QVERIFY(range->say("send SetPose player position=[-9.6,0.9,5.0]"));
            range->run(180);
            QVERIFY2(std::abs(doorAngle(*range)) > 85.0, qPrintable(QString::number(doorAngle(*range))));
            QVERIFY(range->say("send SetPose player position=[0.0,0.9,0.0]"));
            range->run(300);
            QVERIFY2(std::abs(doorAngle(*range)) < 2.0, qPrintable(QString::number(doorAngle(*range))));
        }
    }

    // The same bars from the same place: through the wood they are softer, and duller.
    void theDoorMuffles() {
        const auto music = [&](bool opened) {
            auto range = open({"music_box"});
            if (!range->say("send SetPose player position=[-7.5,0.9,5.0]"))
                qFatal("not said");
            range->run(30);
            if (opened && !range->say("send Activate door"))
                qFatal("not said");
            range->run(570);
            return heard(*range);
        };
        const Stereo open = music(true);
        const Stereo shut = music(false);
        const std::size_t from = 4 * 48000;
        const double whole = decibels(shut.rms(from, shut.frames(), 0) / open.rms(from, open.frames(), 0));
        const Stereo openHigh = above(open, 3000.0);
        const Stereo shutHigh = above(shut, 3000.0);
        const double high = decibels(shutHigh.rms(from, shut.frames(), 0) / openHigh.rms(from, open.frames(), 0));
        QVERIFY(open.rms(from, open.frames(), 0) > 1e-3);
        QVERIFY2(whole < -6.0 && high < whole - 3.0, qPrintable(QStringLiteral("%1 dB, above 3 kHz %2 dB").arg(whole).arg(high)));
    }

    // A clap dies away in the hall by its 60 dB in two seconds; heard from the dial there is no ringing.
    void theHallRings() {
        const auto clap = [&](const char* place) {
            auto range = open({"hands"});
            if (!range->say(place))
                qFatal("not said");
            range->run(360);
            return heard(*range);
        };
        // Claps come every two seconds; this is the second, heard from there.
        const auto fall = [](const Stereo& out) {
            const auto level = [&](double from) {
                const auto at = static_cast<std::size_t>(from * Rate);
                return out.rms(at, at + 9600, 0);
            };
            return decibels(level(3.6) / level(2.6));
        };
        const Stereo inside = clap("send SetPose player position=[15.0,0.9,5.0]");
        const double got = fall(inside);
        QVERIFY2(got < -20.0 && got > -40.0, qPrintable(QString::number(got)));
        const Stereo outside = clap("send SetPose player position=[7.0,0.9,5.0]");
        const double ringsInside = decibels(inside.rms(124800, 134400, 0) / inside.rms(96000, 105600, 0));
        const double ringsOutside = decibels(outside.rms(124800, 134400, 0) / outside.rms(96000, 105600, 0));
        QVERIFY2(ringsInside > -35.0 && ringsOutside < ringsInside - 30.0,
                 qPrintable(QStringLiteral("%1 and %2 dB").arg(ringsInside).arg(ringsOutside)));
    }
};

QTEST_GUILESS_MAIN(TestAudioRange)
#include "tst_audio_range.moc"
