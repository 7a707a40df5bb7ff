// What a panel reads: blocks from the tap, delay and level between the ears measured from them, signals to measure by.

#include "audio_fixture.h"
#include "engine/audio/binaural_meter.h"
#include "engine/audio/sound_library.h"
#include "engine/audio/test_signals.h"

using namespace sbx::audio;
using namespace sbx::audio::test;

namespace {

constexpr double Rate = 48000.0;

// All that the tap holds.
std::vector<OutputBlock> taken(Renderer& renderer) {
    std::vector<OutputBlock> blocks;
    OutputBlock block;
    while (renderer.takeBlock(block)) {
        blocks.push_back(block);
    }
    return blocks;
}

// Noise from a direction, as it is heard, after `ears`.
std::vector<float> heardFrom(double azimuth, const EarMix& ears = {}) {
    RendererSettings settings;
    settings.maximumSources = settings.voiceBudget = 4;
    const auto renderer = makeRenderer(settings);
    renderer->setEars(ears);
    SourceSettings soft = bare();
    soft.gain = 0.05F;
    const SourceId id = renderer->add(soft, still(towards(azimuth, 0.0, 1.4)));
    Signal noise;
    noise.kind = SignalKind::Noise;
    renderer->play(id, noise);
    std::vector<float> out(2 * 48000);
    renderer->render(out);
    std::vector<float> later(2 * 32768);
    renderer->render(later);
    return later;
}

} // namespace

class TestMeter : public QObject {
    Q_OBJECT

private slots:
    void tapIsWhatIsHeard();
    void tapCountsWhatNobodyTook();
    void watchedSourceGoesWithIt();
    void readsDelayAndLevelOfTheEars_data();
    void readsDelayAndLevelOfTheEars();
    void followsWhatTheRendererDoesToTheEars();
    void readsKnownSignals();
    void snapshotSaysTheChain();
    void pinkNoiseIsPink();
    void sweepPassesEachOctaveAlike();
    void clicksAndSpeech();
};

void TestMeter::tapIsWhatIsHeard() {
    const auto renderer = makeRenderer();
    const SourceId id = renderer->add(bare(), still({1.0, 0.0, 0.0}));
    renderer->play(id, tone(500.0));
    render(*renderer, 1000);
    QCOMPARE(taken(*renderer).size(), std::size_t{0}); // nobody asked
    render(*renderer, 24); // 8 whole blocks
    renderer->setTap(true);
    const Stereo heard = render(*renderer, 128 * 40, 77);
    const std::vector<OutputBlock> blocks = taken(*renderer);
    QCOMPARE(blocks.size(), std::size_t{40});
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        QCOMPARE(blocks[b].frame, static_cast<Frame>(1024 + b * 128));
        for (std::size_t n = 0; n < 128; ++n) {
            QCOMPARE(static_cast<double>(blocks[b].samples[n * 2]), heard.left[b * 128 + n]);
            QCOMPARE(static_cast<double>(blocks[b].samples[n * 2 + 1]), heard.right[b * 128 + n]);
        }
        for (std::size_t ear = 0; ear < 2; ++ear) {
            const auto piece = part(heard.ear(static_cast<int>(ear)), b * 128, 128);
            QCOMPARE(static_cast<double>(blocks[b].peak[ear]), peakOf(piece));
            QVERIFY(std::abs(static_cast<double>(blocks[b].rms[ear]) - rmsOf(piece)) <= 1e-6);
        }
        QVERIFY(blocks[b].load > 0.0F);
    }
    QVERIFY(renderer->snapshot().load > 0.0F && renderer->snapshot().peakLoad >= renderer->snapshot().load * 0.999F);
    QCOMPARE(renderer->snapshot().missedBlocks, std::uint64_t{0});
    renderer->setTap(false);
    render(*renderer, 1280);
    QCOMPARE(taken(*renderer).size(), std::size_t{0});
}

void TestMeter::tapCountsWhatNobodyTook() {
    RendererSettings settings;
    settings.maximumSources = settings.voiceBudget = 4;
    const auto renderer = makeRenderer(settings);
    renderer->setTap(true);
    render(*renderer, 128 * 600);
    const std::vector<OutputBlock> blocks = taken(*renderer);
    QCOMPARE(blocks.size() + renderer->snapshot().missedBlocks, std::size_t{600});
    QVERIFY(blocks.size() * 128 > 48000);
    QCOMPARE(blocks.back().frame, static_cast<Frame>((blocks.size() - 1) * 128)); // those kept are in a row
}

void TestMeter::watchedSourceGoesWithIt() {
    RendererSettings settings;
    settings.maximumSources = settings.voiceBudget = 4;
    const auto renderer = makeRenderer(settings);
    const SourceId id = renderer->add(bare(), still({0.0, 0.0, -40.0}));
    Mover mover(*renderer, id, [](double t) { return glm::dvec3(0.0, 0.0, -40.0 + 10.0 * t); });
    renderer->play(id, tone(1000.0));
    renderer->watch(id);
    render(*renderer, 48000, 512, std::ref(mover));
    renderer->setTap(true);
    const Stereo heard = render(*renderer, 12800, 512, [&](Frame now) { mover(now + 48000); });
    const std::vector<OutputBlock> blocks = taken(*renderer);
    QVERIFY(!blocks.empty());
    const OutputBlock& last = blocks.back();
    QVERIFY(last.watched == id);
    // The number is that of the sound: measured from it.
    const double ratio = frequencyOf(heard.left, Rate, 1030.0) / 1000.0;
    QVERIFY2(std::abs(static_cast<double>(last.dopplerRatio) - ratio) < 5e-4, qPrintable(QStringLiteral("%1 %2").arg(ratio, 0, 'f', 5).arg(static_cast<double>(last.dopplerRatio), 0, 'f', 5)));
    QVERIFY(std::abs(static_cast<double>(last.delay) - static_cast<double>(last.distance) / C) < 1e-4);
    QVERIFY(std::abs(static_cast<double>(last.itd)) < 2e-6);
    QCOMPARE(last.gain, 1.0F);
    renderer->watch({});
    render(*renderer, 1280);
    QVERIFY(!taken(*renderer).back().watched);
}

// The measured set's own differences at the horizon (MIT KEMAR; low-frequency delay, levels by band).
void TestMeter::readsDelayAndLevelOfTheEars_data() {
    QTest::addColumn<double>("azimuth");
    QTest::addColumn<QVector<double>>("ild");
    QTest::newRow("30") << 30.0 << QVector<double>{2.0, 5.6, 7.8, 11.3, 9.6};
    QTest::newRow("60") << 60.0 << QVector<double>{3.2, 8.0, 12.5, 18.4, 18.1};
    QTest::newRow("90") << 90.0 << QVector<double>{3.5, 5.9, 8.1, 16.4, 23.3};
}

void TestMeter::readsDelayAndLevelOfTheEars() {
    QFETCH(double, azimuth);
    QFETCH(QVector<double>, ild);
    const BinauralReading right = measureBinaural(heardFrom(azimuth), Rate);
    const BinauralReading left = measureBinaural(heardFrom(-azimuth), Rate);
    // Woodworth's delay at low frequencies is half as long again (G. F. Kuhn, "Model for the interaural time differences in the
    // azimuthal plane", 1977); the band measured lies between the two.
    const double s = std::sin(azimuth * pi / 180.0);
    const double shortest = 0.0875 / C * (azimuth * pi / 180.0 + s) - 40e-6;
    const double longest = 3.0 * 0.0875 / C * s + 40e-6;
    qInfo("%.0f us (%.0f to %.0f), certainty %.3f", 1e6 * static_cast<double>(right.itd), 1e6 * shortest, 1e6 * longest,
          static_cast<double>(right.itdCertainty));
    QVERIFY(static_cast<double>(right.itd) > shortest && static_cast<double>(right.itd) < longest);
    QVERIFY(right.itdCertainty > 0.9F);
    QVERIFY(std::abs(right.itd + left.itd) < 3e-6F);
    for (std::size_t band = 0; band < BinauralReading::Bands; ++band) {
        const double got = static_cast<double>(right.ild[band]);
        qInfo("band %zu: %.1f dB of %.1f dB", band, got, ild[static_cast<int>(band)]);
        QVERIFY(std::abs(got - ild[static_cast<int>(band)]) < (band < 3 ? 1.5 : 2.5));
        QVERIFY(std::abs(right.ild[band] + left.ild[band]) < 0.2F);
    }
}

void TestMeter::followsWhatTheRendererDoesToTheEars() {
    const BinauralReading plain = measureBinaural(heardFrom(40.0), Rate);
    EarMix swapped;
    swapped.swap = true;
    const BinauralReading other = measureBinaural(heardFrom(40.0, swapped), Rate);
    EarMix deaf;
    deaf.gain = {1.0F, 0.5F};
    const BinauralReading half = measureBinaural(heardFrom(40.0, deaf), Rate);
    QVERIFY(std::abs(other.itd + plain.itd) < 1e-6F);
    QVERIFY(std::abs(half.itd - plain.itd) < 1e-6F);
    for (std::size_t band = 0; band < BinauralReading::Bands; ++band) {
        QVERIFY(std::abs(other.ild[band] + plain.ild[band]) < 0.01F);
        QVERIFY(std::abs(half.ild[band] - plain.ild[band] + 6.0206F) < 0.01F);
    }
    QVERIFY(std::abs(half.rms[1] / plain.rms[1] - 0.5F) < 1e-3F && std::abs(half.rms[0] / plain.rms[0] - 1.0F) < 1e-3F);
    // And a change while it sounds is no click.
    RendererSettings settings;
    settings.maximumSources = settings.voiceBudget = 4;
    const auto renderer = makeRenderer(settings);
    const SourceId id = renderer->add(bare(), still({2.0, 0.0, 0.0}));
    renderer->play(id, tone(500.0));
    render(*renderer, 9600);
    const double usual = largestSecondDifference(render(*renderer, 9600).right);
    renderer->setEars(swapped);
    const Stereo turning = render(*renderer, 9600);
    QVERIFY(std::max(largestSecondDifference(turning.left), largestSecondDifference(turning.right)) < 1.5 * usual);
    QVERIFY(!renderer->setEars(EarMix{{1.0F, -1.0F}, false}));
    QVERIFY(!renderer->setEars(EarMix{{std::nanf(""), 1.0F}, false}));
}

void TestMeter::readsKnownSignals() {
    // Noise of the same samples, 12.5 frames later and 3 dB lower at the left: by a sum of tones.
    std::vector<float> stereo(2 * 4096);
    for (std::size_t n = 0; n < 4096; ++n) {
        for (int k = 1; k < 60; ++k) {
            const double f = 37.0 * k * k;
            if (f > 20000.0) {
                break;
            }
            const double t = static_cast<double>(n) / Rate;
            stereo[n * 2] += static_cast<float>(0.01 * std::sin(2.0 * pi * f * (t - 12.5 / Rate) + k));
            stereo[n * 2 + 1] += static_cast<float>(0.01 * std::sqrt(2.0) * std::sin(2.0 * pi * f * t + k));
        }
    }
    const BinauralReading reading = measureBinaural(stereo, Rate);
    QVERIFY(std::abs(static_cast<double>(reading.itd) - 12.5 / Rate) < 3e-6);
    for (std::size_t band = 0; band < BinauralReading::Bands; ++band) {
        QVERIFY(std::abs(reading.ild[band] - 3.0103F) < 0.3F);
    }
    // A tone whose period is shorter than twice the delay: half a turn and more is told by the louder ear.
    for (const double side : {1.0, -1.0}) {
        for (std::size_t n = 0; n < 4096; ++n) {
            const double turn = 2.0 * pi * 900.0 * (static_cast<double>(n) / Rate - side * 650e-6);
            stereo[n * 2] = static_cast<float>((side > 0.0 ? 0.4 : 0.8) * std::sin(turn));
            stereo[n * 2 + 1] = static_cast<float>((side > 0.0 ? 0.8 : 0.4) * std::sin(turn + 2.0 * pi * 900.0 * side * 650e-6));
        }
        QVERIFY(std::abs(static_cast<double>(measureBinaural(stereo, Rate).itd) - side * 650e-6) < 5e-6);
    }
    // A full-scale tone: its level is its mean square.
    for (std::size_t n = 0; n < 4096; ++n) {
        stereo[n * 2] = stereo[n * 2 + 1] = static_cast<float>(std::sin(2.0 * pi * 1000.0 * static_cast<double>(n) / Rate));
    }
    const BinauralReading full = measureBinaural(stereo, Rate);
    QVERIFY(std::abs(full.bandLevel[1][0] + 3.01F) < 0.05F);
    QCOMPARE(full.itd, 0.0F);
    // Silence and too little are nothing.
    const BinauralReading silence = measureBinaural(std::vector<float>(2048), Rate);
    QCOMPARE(silence.itdCertainty, 0.0F);
    QCOMPARE(silence.ild[2], 0.0F);
    QCOMPARE(measureBinaural(std::vector<float>(20, 1.0F), Rate).rms[0], 0.0F);
}

void TestMeter::snapshotSaysTheChain() {
    RendererSettings rendererSettings;
    rendererSettings.maximumSources = rendererSettings.voiceBudget = 4;
    const auto renderer = makeRenderer(rendererSettings);
    SourceSettings settings;
    settings.gain = 0.5F;
    settings.priority = 3.0F;
    settings.occlusion = 1.0F;
    settings.transmissionGain = 0.25F;
    settings.user = 77;
    settings.part = 5;
    settings.airAbsorption = settings.nearField = false;
    const SourceId id = renderer->add(settings, still({0.0, 0.0, -4.0}));
    renderer->play(id, tone(200.0));
    render(*renderer, 9600);
    const SourceState state = renderer->snapshot().sources[0];
    QCOMPARE(state.user, std::uint64_t{77});
    QCOMPARE(state.part, std::uint32_t{5});
    QCOMPARE(state.priority, 3.0F);
    QCOMPARE(state.ownGain, 0.5F);
    QCOMPARE(state.distanceGain, 0.25F);
    QCOMPARE(state.coneGain, 1.0F);
    QCOMPARE(state.occlusionGain, 0.25F);
    QCOMPARE(state.gain, 0.5F * 0.25F * 0.25F);
    QCOMPARE(renderer->snapshot().masterGain, 1.0F);
    QCOMPARE(state.reason, SilentReason::Heard);
    renderer->setMasterGain(0.0F);
    render(*renderer, 9600);
    QCOMPARE(renderer->snapshot().sources[0].reason, SilentReason::Bus);
    QCOMPARE(renderer->snapshot().masterGain, 0.0F);
}

void TestMeter::pinkNoiseIsPink() {
    for (const double rate : {44100.0, 48000.0}) {
        const auto pink = makeTestSignal(TestSignal::PinkNoise, rate);
        const std::vector<double> signal(pink->frames().begin(), pink->frames().end());
        std::vector<double> octaves(9);
        for (std::size_t from = 0; from + 65536 <= signal.size(); from += 32768) {
            std::vector<double> windowed(65536);
            for (std::size_t n = 0; n < windowed.size(); ++n) {
                windowed[n] = signal[from + n] * (0.5 - 0.5 * std::cos(2.0 * pi * static_cast<double>(n) / 65536.0));
            }
            const std::vector<Complex> bins = spectrumOf(windowed, 65536);
            for (std::size_t k = 1; k < bins.size(); ++k) {
                const double f = static_cast<double>(k) * rate / 65536.0;
                const auto octave = static_cast<std::size_t>(std::log2(f / 25.0));
                if (f >= 25.0 && octave < octaves.size()) {
                    octaves[octave] += std::norm(bins[k]);
                }
            }
        }
        for (double& power : octaves) {
            power = 10.0 * std::log10(power);
        }
        const auto [least, most] = std::minmax_element(octaves.begin(), octaves.end());
        QVERIFY2(*most - *least < 1.0, qPrintable(QString::number(*most - *least)));
        QVERIFY(std::abs(decibel(rmsOf(signal)) + 20.0) < 0.01);
        QVERIFY(peakOf(signal) < 0.9);
        // No seam where it begins again.
        std::vector<double> seam(signal.end() - 64, signal.end());
        seam.insert(seam.end(), signal.begin(), signal.begin() + 64);
        QVERIFY(largestSecondDifference(seam) <= largestSecondDifference(signal));
        QVERIFY(makeTestSignal(TestSignal::PinkNoise, rate)->frames() == pink->frames());
    }
}

void TestMeter::sweepPassesEachOctaveAlike() {
    const auto data = makeTestSignal(TestSignal::Sweep, Rate);
    const std::vector<double> signal(data->frames().begin(), data->frames().end());
    // Three decades in five seconds: at t the frequency is 20 Hz * 1000^(t / 5 s).
    for (const double t : {1.0, 2.0, 3.0, 4.0}) {
        const double expected = 20.0 * std::pow(1000.0, t / 5.0);
        // Crossings of zero within a twentieth of a second before and after.
        int crossings = 0;
        const auto from = static_cast<std::size_t>((t - 0.05) * Rate);
        for (std::size_t n = from; n < from + 4800; ++n) {
            crossings += (signal[n] < 0.0) != (signal[n + 1] < 0.0) ? 1 : 0;
        }
        const double got = crossings / 2.0 / 0.1;
        QVERIFY2(std::abs(got / expected - 1.0) < 0.1, qPrintable(QStringLiteral("%1 of %2").arg(got).arg(expected)));
    }
    QVERIFY(peakOf(signal) <= 0.25 + 1e-6);
    QCOMPARE(signal.back(), 0.0);
}

void TestMeter::clicksAndSpeech() {
    const auto clicks = makeTestSignal(TestSignal::Clicks, Rate);
    QCOMPARE(clicks->length(), std::int64_t{12000});
    QCOMPARE(std::count_if(clicks->frames().begin(), clicks->frames().end(), [](float v) { return v != 0.0F; }), std::ptrdiff_t{1});
    const auto data = makeTestSignal(TestSignal::Speech, Rate);
    const std::vector<double> signal(data->frames().begin(), data->frames().end());
    QVERIFY(std::abs(decibel(rmsOf(signal)) + 24.0) < 0.01);
    QVERIFY2(peakOf(signal) < 0.9, qPrintable(QString::number(peakOf(signal))));
    // Syllables: the loudness goes up and down some times a second.
    std::vector<double> loudness(512);
    for (std::size_t i = 0; i < loudness.size(); ++i) {
        loudness[i] = rmsOf(part(signal, i * signal.size() / 512, signal.size() / 512));
    }
    const std::vector<Complex> modulation = spectrumOf(loudness, 512);
    std::size_t strongest = 2;
    for (std::size_t k = 2; k < modulation.size(); ++k) {
        strongest = std::norm(modulation[k]) > std::norm(modulation[strongest]) ? k : strongest;
    }
    const double perSecond = static_cast<double>(strongest) / 5.0;
    QVERIFY2(perSecond >= 2.0 && perSecond <= 8.0, qPrintable(QString::number(perSecond)));
    // A voice falls off above its formants.
    QVERIFY(bandDb(signal, Rate, 300.0, 1000.0) - bandDb(signal, Rate, 6000.0, 10000.0) > 15.0);
    SoundLibrary library;
    for (const std::string_view name : TestSignalNames) {
        QVERIFY(library.data("signal:" + std::string(name), Rate).ok());
    }
    const auto missing = library.data("signal:song", Rate);
    QVERIFY(!missing.ok());
    QVERIFY(missing.error().message.find("pink noise") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestMeter)
#include "tst_meter.moc"
