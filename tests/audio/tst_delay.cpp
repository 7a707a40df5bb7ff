#include "audio_fixture.h"

using namespace sbx::audio;
using namespace sbx::audio::test;

// The delay line alone (Mode::Mono and Mode::Plain): times of arrival, Doppler, and what moving it adds to
// the sound.
class TestDelay : public QObject {
    Q_OBJECT

private slots:
    void plainModeIsTheArticlesExample();
    void arrivesWhenDistanceSays();
    void dopplerOfMovingSource_data();
    void dopplerOfMovingSource();
    void dopplerOfMovingListener();
    void plainModeHearsTheSourceWhereItIs();
    void changeOfSpeedIsHeardLater();
    void splatterOfDelay_data();
    void splatterOfDelay();
    void distortionPerKernel_data();
    void distortionPerKernel();
    void motionDoesNotClick();
    void teleportDoesNotGlide();
};

namespace {

// Time at which the impulse arrives, between samples: centre of the sinc it became.
double arrival(const std::vector<double>& response) {
    std::size_t peak = 0;
    for (std::size_t i = 0; i < response.size(); ++i) {
        peak = std::abs(response[i]) > std::abs(response[peak]) ? i : peak;
    }
    // Phase slope over the low band of a short stretch around the peak.
    std::vector<double> stretch(128);
    for (std::size_t i = 0; i < 128; ++i) {
        const std::size_t at = peak + i; // 64 later; silence beyond the ends
        stretch[i] = at >= 64 && at - 64 < response.size() ? response[at - 64] : 0.0;
    }
    const auto phaseAt = [&](double f) {
        Complex sum;
        for (std::size_t i = 0; i < 128; ++i) {
            sum += stretch[i] * std::polar(1.0, -2.0 * pi * f * (static_cast<double>(i) - 64.0));
        }
        return std::arg(sum);
    };
    return static_cast<double>(peak) - (phaseAt(0.1) - phaseAt(0.02)) / (2.0 * pi * 0.08);
}

} // namespace

void TestDelay::plainModeIsTheArticlesExample() {
    for (const Quality quality : {Quality::Best, Quality::Linear}) {
        const Stereo response = responseFrom({2.0, 0.0, 0.0}, Mode::Plain, bare(), 44100.0, nullptr, quality);
        const double difference = arrival(response.left) - arrival(response.right);
        QVERIFY2(std::abs(difference - 0.15 / 340.29 * 44100.0) < 0.02,
                 qPrintable(QString::number(difference)));
        QVERIFY(std::abs(difference - 19.44) < 0.02);
        // Nothing but the delay: both ears at full level.
        for (int ear = 0; ear < 2; ++ear) {
            const double level = responseDb(response.ear(ear), 44100.0, 1000.0);
            QVERIFY2(std::abs(level) < 0.05, qPrintable(QString::number(level)));
        }
    }
}

void TestDelay::arrivesWhenDistanceSays() {
    for (const double distance : {0.3, 1.0, 3.7, 50.0, 900.0}) {
        const Stereo response = responseFrom({0.0, 0.0, -distance}, Mode::Mono);
        const double expected = distance / C * 48000.0 - std::round(distance / C * 48000.0) + 64.0;
        QVERIFY2(std::abs(arrival(response.left) - expected) < 0.01,
                 qPrintable(QString::number(arrival(response.left) - expected)));
    }
}

void TestDelay::dopplerOfMovingSource_data() {
    QTest::addColumn<double>("speed");
    QTest::newRow("approaching") << 20.0;
    QTest::newRow("receding") << -20.0;
}

void TestDelay::dopplerOfMovingSource() {
    QFETCH(double, speed);
    auto renderer = makeRenderer();
    renderer->setMode(Mode::Mono);
    const double from = speed > 0.0 ? 60.0 : 10.0;
    const SourceId id = renderer->add(bare(), still({0.0, 0.0, -from}));
    renderer->play(id, tone(1000.0));
    Mover mover(*renderer, id, [&](double t) { return glm::dvec3(0.0, 0.0, -(from - speed * t)); });
    const Stereo out = render(*renderer, 96000, 512, std::ref(mover));
    const double heard = frequencyOf(part(out.left, 48000, 24000), 48000.0, 1000.0 * C / (C - speed));
    const double expected = 1000.0 * C / (C - speed);
    QVERIFY2(std::abs(heard / expected - 1.0) < 0.0005, qPrintable(QString::number(heard)));
}

void TestDelay::dopplerOfMovingListener() {
    for (const double speed : {20.0, -20.0}) { // towards, away
        auto renderer = makeRenderer();
        renderer->setMode(Mode::Mono);
        const SourceId id = renderer->add(bare(), still({0.0, 0.0, -100.0}));
        renderer->play(id, tone(1000.0));
        Mover mover(*renderer, {}, [&](double t) { return glm::dvec3(0.0, 0.0, -speed * t); });
        const Stereo out = render(*renderer, 96000, 512, std::ref(mover));
        const double heard = frequencyOf(part(out.left, 48000, 24000), 48000.0, 1000.0 * (1.0 + speed / C));
        QVERIFY2(std::abs(heard / (1000.0 * (1.0 + speed / C)) - 1.0) < 0.0001,
                 qPrintable(QString::number(heard)));
    }
}

void TestDelay::plainModeHearsTheSourceWhereItIs() {
    auto renderer = makeRenderer();
    renderer->setMode(Mode::Plain);
    const SourceId id = renderer->add(bare(), still({0.0, 0.0, -60.0}));
    renderer->play(id, tone(1000.0));
    Mover mover(*renderer, id, [&](double t) { return glm::dvec3(0.0, 0.0, -(60.0 - 20.0 * t)); });
    const Stereo out = render(*renderer, 96000, 512, std::ref(mover));
    const double heard = frequencyOf(part(out.left, 48000, 24000), 48000.0, 1058.8);
    QVERIFY2(std::abs(heard / (1000.0 * (1.0 + 20.0 / C)) - 1.0) < 0.0005,
             qPrintable(QString::number(heard)));
}

void TestDelay::changeOfSpeedIsHeardLater() {
    // At rest 34.029 m away (0.1 s), off at 20 m/s one frame after second 0.5: the tone bends at second 0.6, and a frame.
    auto renderer = makeRenderer();
    renderer->setMode(Mode::Mono);
    const SourceId id = renderer->add(bare(), still({0.0, 0.0, -34.029}));
    renderer->play(id, tone(1000.0));
    // A corner in the path: two points in one place, one frame apart, with the speeds before and after.
    const auto post = [&](Frame at, double distance, double speed) {
        ControlPoint point = still({0.0, 0.0, -distance});
        point.velocity = {0.0, 0.0, -speed};
        point.at = at;
        QVERIFY(renderer->move(id, point));
    };
    post(24000, 34.029, 0.0);
    post(24001, 34.029, 20.0);
    for (int i = 1; i <= 40; ++i) {
        post(24001 + 800 * i, 34.029 + 20.0 * 800.0 * i / 48000.0, 20.0);
    }
    const Stereo out = render(*renderer, 48000);
    // Against the resting tone the phase is flat, then a straight line of known slope: where that meets zero
    // is the arrival.
    const auto phase = [&](std::size_t centre) {
        Complex sum;
        for (std::size_t i = centre - 240; i < centre + 240; ++i) {
            const double window =
                0.5
                + 0.5 * std::cos(2.0 * pi * (static_cast<double>(i) - static_cast<double>(centre)) / 480.0);
            sum +=
                out.left[i] * window * std::polar(1.0, -2.0 * pi * 1000.0 * static_cast<double>(i) / 48000.0);
        }
        return sum;
    };
    const double slope = 2.0 * pi * 1000.0 * (C / (C + 20.0) - 1.0) / 48000.0;
    const double lag = std::arg(phase(29200) * std::conj(phase(20000)));
    const double bend = 29200.0 - lag / slope - Renderer::latencyFrames();
    QVERIFY2(std::abs(bend - (24001.0 + 4800.0)) <= 1.0, qPrintable(QString::number(bend)));
}

void TestDelay::splatterOfDelay_data() {
    QTest::addColumn<int>("path");
    QTest::addColumn<double>("frequency");
    QTest::addColumn<double>("worstAllowed");
    QTest::newRow("orbit 1k") << 0 << 1000.0 << -80.0;
    QTest::newRow("orbit 6k") << 0 << 6000.0 << -80.0;
    QTest::newRow("cross 1k") << 1 << 1000.0 << -80.0;
    QTest::newRow("cross 6k") << 1 << 6000.0 << -80.0;
    QTest::newRow("fly-by 1k") << 2 << 1000.0 << -80.0;
    QTest::newRow("fly-by 6k") << 2 << 6000.0 << 0.0; // its own chirp is at -28 dB
}

void TestDelay::splatterOfDelay() {
    QFETCH(int, path);
    QFETCH(double, frequency);
    QFETCH(double, worstAllowed);
    const std::array<Mover::Path, 3> paths = {
        [](double t) { return glm::dvec3(2.0 * std::sin(pi * t) + 0.5, 0.0, -2.0 * std::cos(pi * t)); },
        [](double t) { return glm::dvec3(-3.0 + 1.5 * t, 0.0, -1.0); },
        [](double t) { return glm::dvec3(-40.0 + 20.0 * t, 0.0, -5.0); },
    };
    auto renderer = makeRenderer();
    renderer->setMode(Mode::Mono);
    const SourceId id = renderer->add(bare(), still(paths[static_cast<std::size_t>(path)](0.0)));
    renderer->play(id, tone(frequency));
    Mover mover(*renderer, id, paths[static_cast<std::size_t>(path)]);
    const Stereo out = render(*renderer, 4 * 48000, 512, std::ref(mover));
    const std::vector<double> heard(out.left.begin() + 12000, out.left.end());
    const std::vector<double> values = splatter(heard, 48000.0);
    qInfo("splatter of the delay: median %.1f, worst %.1f dB", median(values), worst(values));
    QVERIFY2(median(values) <= -85.0, qPrintable(QString::number(median(values))));
    QVERIFY2(worst(values) <= worstAllowed, qPrintable(QString::number(worst(values))));
}

void TestDelay::distortionPerKernel_data() {
    QTest::addColumn<int>("quality");
    QTest::addColumn<double>("frequency");
    QTest::addColumn<double>("allowed");
    for (const double f : {100.0, 1000.0, 4000.0, 8000.0, 12000.0, 16000.0, 18000.0, 20000.0}) {
        QTest::addRow("sinc32 %g", f) << 0 << f << -95.0;
    }
    QTest::newRow("sinc16 1k") << 1 << 1000.0 << -85.0;
    QTest::newRow("sinc16 8k") << 1 << 8000.0 << -75.0;
    QTest::newRow("Lagrange 1k") << 2 << 1000.0 << -100.0;
    QTest::newRow("Lagrange 4k") << 2 << 4000.0 << -60.0;
    QTest::newRow("linear 1k") << 3 << 1000.0 << -60.0;
}

void TestDelay::distortionPerKernel() {
    QFETCH(int, quality);
    QFETCH(double, frequency);
    QFETCH(double, allowed);
    auto renderer = makeRenderer();
    renderer->setMode(Mode::Mono);
    renderer->setQuality(static_cast<Quality>(quality));
    SourceSettings settings = bare();
    settings.gain = 0.5F;
    const SourceId id = renderer->add(settings, still({0.0, 0.0, -2.0}));
    renderer->play(id, tone(frequency));
    Mover mover(*renderer, id, [](double t) { return glm::dvec3(0.0, 0.0, -2.0 - 20.0 * t); });
    const Stereo out = render(*renderer, 48000, 512, std::ref(mover));
    // Take the best-fitting sine of the exact heard frequency out; what is left is distortion and noise.
    const double turn =
        2.0 * pi * static_cast<double>(static_cast<float>(frequency)) * C / (C + 20.0) / 48000.0;
    constexpr std::size_t From = 24000;
    constexpr std::size_t Count = 16384;
    double ss = 0.0, cc = 0.0, sc = 0.0, xs = 0.0, xc = 0.0;
    for (std::size_t i = 0; i < Count; ++i) {
        const double x = out.left[From + i];
        const double s = std::sin(turn * static_cast<double>(i));
        const double c = std::cos(turn * static_cast<double>(i));
        ss += s * s, cc += c * c, sc += s * c, xs += x * s, xc += x * c;
    }
    const double determinant = ss * cc - sc * sc;
    const double a = (xs * cc - xc * sc) / determinant;
    const double b = (xc * ss - xs * sc) / determinant;
    double residue = 0.0;
    double power = 0.0;
    for (std::size_t i = 0; i < Count; ++i) {
        const double fit =
            a * std::sin(turn * static_cast<double>(i)) + b * std::cos(turn * static_cast<double>(i));
        residue += std::pow(out.left[From + i] - fit, 2.0);
        power += fit * fit;
    }
    const double thd = 10.0 * std::log10(residue / power);
    const double gain = decibel(std::hypot(a, b) / 0.5);
    qInfo("THD+N %.1f dB, gain %.2f dB", thd, gain);
    QVERIFY2(thd <= allowed, qPrintable(QString::number(thd)));
    if (quality == 0) {
        QVERIFY2(std::abs(gain) <= 0.2, qPrintable(QString::number(gain)));
    }
}

void TestDelay::motionDoesNotClick() {
    auto renderer = makeRenderer();
    renderer->setMode(Mode::Mono);
    SourceSettings settings = bare();
    settings.gain = 0.5F;
    const SourceId id = renderer->add(settings, still({2.5, 0.0, 0.0}));
    renderer->play(id, tone(1000.0));
    const auto path = [](double t) { return glm::dvec3(2.5 * std::cos(pi * t), 0.0, -2.0 * std::sin(pi * t) - 0.5); };
    Mover mover(*renderer, id, path);
    const Stereo out = render(*renderer, 3 * 48000, 512, std::ref(mover));
    // At every moment against what the tone itself does there, raised by the Doppler effect of the path's own speed.
    const double turn = 2.0 * pi * 1000.0 / 48000.0;
    double most = 0.0;
    for (std::size_t from = 24000; from < 120000; from += 480) {
        double ideal = 0.0;
        for (std::size_t n = from; n < from + 480; n += 48) {
            const double heard = (static_cast<double>(n) - Renderer::latencyFrames()) / 48000.0;
            double emitted = heard;
            for (int turns = 0; turns < 20; ++turns) {
                emitted = heard - glm::length(path(emitted)) / C;
            }
            const double closing = (glm::length(path(emitted - 1e-5)) - glm::length(path(emitted + 1e-5))) / 2e-5;
            ideal = std::max(ideal, 0.5 * std::pow(turn * C / (C - closing), 2.0));
        }
        most = std::max(most, largestSecondDifference(part(out.left, from, 480)) / ideal);
    }
    qInfo("second difference %.4f of the tone's own", most);
    QVERIFY2(most <= 1.05, qPrintable(QString::number(most)));
}

void TestDelay::teleportDoesNotGlide() {
    auto renderer = makeRenderer();
    renderer->setMode(Mode::Mono);
    SourceSettings settings = bare();
    settings.gain = 0.5F;
    const SourceId id = renderer->add(settings, still({0.0, 0.0, -2.0}));
    renderer->play(id, tone(1000.0));
    Stereo out = render(*renderer, 48000);
    ControlPoint point = still({0.0, 0.0, -80.0});
    point.teleport = true;
    QVERIFY(renderer->move(id, point));
    const Stereo after = render(*renderer, 48000);
    const double turn = 2.0 * pi * 1000.0 / 48000.0;
    QVERIFY(largestSecondDifference(part(after.left, 0, 48000)) <= 3.0 * 0.5 * turn * turn);
    // After 15 ms and the latency the tone is whole again, at its own pitch: no glide through 78 m.
    const auto settled = part(after.left, 1200, 9600);
    QVERIFY(std::abs(frequencyOf(settled, 48000.0, 1000.0) - 1000.0) < 0.01);
    QVERIFY(std::abs(rmsOf(settled) / (0.5 / std::sqrt(2.0)) - 1.0) < 0.01);
    // The same without the flag, by an impossible speed.
    QVERIFY(renderer->move(id, still({0.0, 0.0, -10.0})));
    const Stereo again = render(*renderer, 48000);
    QVERIFY(std::abs(frequencyOf(part(again.left, 2400, 9600), 48000.0, 1000.0) - 1000.0) < 0.01);
}

QTEST_GUILESS_MAIN(TestDelay)
#include "tst_delay.moc"
