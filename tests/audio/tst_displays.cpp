// What displays read off samples: loudness against the cases of EBU Tech 3341, the spectrum against sines of known level, modes against
// each other.

#include <QtTest>

#include "engine/audio/ear_spectrum.h"
#include "engine/audio/loudness_match.h"
#include "engine/audio/loudness_meter.h"

#include <cmath>
#include <numbers>

using namespace sbx;

namespace {

// Seconds of a sine at decibels of full scale in both ears, appended.
void addSine(std::vector<float>& out, double rate, double hertz, double decibels, double seconds) {
    const double amplitude = std::pow(10.0, decibels / 20.0);
    const auto frames = static_cast<std::size_t>(seconds * rate);
    const std::size_t from = out.size() / 2;
    for (std::size_t n = 0; n < frames; ++n) {
        const double phase = 2.0 * std::numbers::pi * hertz * static_cast<double>(from + n) / rate;
        const auto sample = static_cast<float>(amplitude * std::sin(phase));
        out.push_back(sample);
        out.push_back(sample);
    }
}

} // namespace

class TestDisplays : public QObject {
    Q_OBJECT
private slots:
    void loudness_data() {
        QTest::addColumn<double>("rate");
        QTest::addColumn<QList<QPair<double, double>>>("parts"); // dBFS, seconds
        QTest::addColumn<double>("expected");
        // EBU Tech 3341, 2016, cases 1 to 5, shortened: a gate does not ask how long.
        for (const double rate : {44100.0, 48000.0}) {
            QTest::addRow("1 at %g", rate) << rate << QList<QPair<double, double>>{{-23, 5}} << -23.0;
            QTest::addRow("2 at %g", rate) << rate << QList<QPair<double, double>>{{-33, 5}} << -33.0;
            QTest::addRow("3 at %g", rate) << rate << QList<QPair<double, double>>{{-36, 10}, {-23, 60}, {-36, 10}} << -23.0;
            QTest::addRow("4 at %g", rate) << rate << QList<QPair<double, double>>{{-72, 10}, {-36, 10}, {-23, 60}, {-36, 10}, {-72, 10}} << -23.0;
        }
        QTest::addRow("5") << 48000.0 << QList<QPair<double, double>>{{-26, 20}, {-20, 20.1}, {-26, 20}} << -23.0;
    }
    void loudness() {
        QFETCH(double, rate);
        using Parts = QList<QPair<double, double>>;
        QFETCH(Parts, parts);
        QFETCH(double, expected);
        std::vector<float> samples;
        for (const auto& [decibels, seconds] : parts)
            addSine(samples, rate, 1000.0, decibels, seconds);
        audio::LoudnessMeter meter(rate);
        // However it comes.
        std::span<const float> rest(samples);
        while (!rest.empty()) {
            const std::size_t piece = std::min<std::size_t>(rest.size(), 2 * 1237);
            meter.add(rest.first(piece));
            rest = rest.subspan(piece);
        }
        QVERIFY(meter.integrated().has_value());
        QVERIFY2(std::abs(*meter.integrated() - expected) < 0.1, qPrintable(QString::number(*meter.integrated())));
    }
    void silenceHasNoLoudness() {
        audio::LoudnessMeter meter(48000.0);
        meter.add(std::vector<float>(2 * 48000, 0.0F));
        QVERIFY(!meter.integrated() && !meter.momentary());
        QCOMPARE(meter.peak(), 0.0F);
    }
    void spectrumReadsSines_data() {
        QTest::addColumn<double>("hertz");
        for (const double hertz : {100.0, 1000.0, 5000.0, 15000.0})
            QTest::addRow("%g", hertz) << hertz;
    }
    void spectrumReadsSines() {
        QFETCH(double, hertz);
        audio::EarSpectrum spectrum(48000.0);
        std::vector<float> samples;
        addSine(samples, 48000.0, hertz, -20.0, 0.1);
        for (std::size_t n = 0; n < samples.size(); n += 2)
            samples[n] *= 0.5F; // left: -26
        spectrum.feed(std::span<const float>(samples).first(2 * audio::EarSpectrum::Size), 1.0);
        for (std::size_t ear = 0; ear < 2; ++ear) {
            const auto& curve = spectrum.decibels()[ear];
            const auto best = static_cast<std::size_t>(std::max_element(curve.begin(), curve.end()) - curve.begin());
            QVERIFY(std::abs(std::log2(audio::EarSpectrum::frequencyOf(best) / hertz)) < 0.15);
            // A bin may lie up to half its width beside: a Hann window loses 1.4 dB there.
            const float expected = ear == 0 ? -26.0F : -20.0F;
            QVERIFY2(curve[best] < expected + 0.3F && curve[best] > expected - 1.6F, qPrintable(QString::number(static_cast<double>(curve[best]))));
            // Elsewhere there is nothing.
            const std::size_t far = best > audio::EarSpectrum::Points / 2 ? best - 60 : best + 60;
            QVERIFY(curve[far] < expected - 60.0F);
        }
    }
    void modesAreMatched() {
        const auto trims = audio::loudnessTrims(audio::HrtfSet::sphere(48000.0));
        QCOMPARE(trims[static_cast<std::size_t>(audio::Mode::Hrtf)], 1.0F);
        for (const float trim : trims)
            QVERIFY(trim > 0.25F && trim < 4.0F);
        // A sphere for a head is the sphere.
        QVERIFY(std::abs(trims[static_cast<std::size_t>(audio::Mode::Sphere)] - 1.0F) < 0.02F);
    }
};

QTEST_GUILESS_MAIN(TestDisplays)
#include "tst_displays.moc"
