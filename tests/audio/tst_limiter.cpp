// The limiter's promise, held against a second way to find what lies between samples: a transform of the whole, eight times as
// long.

#include "audio_fixture.h"
#include "engine/audio/detail/limiter.h"

#include <random>

using namespace sbx::audio;
using namespace sbx::audio::test;

class TestLimiter : public QObject {
    Q_OBJECT

private slots:
    void nothingBetweenSamplesPasses_data();
    void nothingBetweenSamplesPasses();
    void quietPassesUnchanged();
    void sameForAnyPieces();
    void whatComesAfterCalm();
    void whatIsNoNumberIsCounted();
    void nothingPassesFullScale_data();
    void nothingPassesFullScale();
    void switchedOffItOnlyDelays();
};

namespace {

constexpr std::size_t Frames = 6016; // with silence around it, a transform of 65,536 holds it eight times as long

// Largest absolute value of a signal brought to eight times its rate.
double truePeakOf(const std::vector<double>& signal) {
    std::size_t size = 1;
    while (size < signal.size() + 2048) {
        size *= 2;
    }
    std::vector<double> padded(size); // silence on both sides: the transform takes it for endless
    std::copy(signal.begin(), signal.end(), padded.begin() + 1024);
    const std::vector<Complex> bins = spectrumOf(padded, size);
    std::vector<Complex> wide(size * 4 + 1);
    std::copy(bins.begin(), bins.end(), wide.begin());
    wide[size / 2] *= 0.5; // half of it belongs to the mirror
    return 8.0 * peakOf(signalOf(wide));
}

std::vector<float> limited(std::vector<float> stereo) {
    Limiter limiter(48000.0);
    for (std::size_t at = 0; at < stereo.size(); at += 256) {
        limiter.process(stereo.data() + at, 128);
    }
    return stereo;
}

std::vector<double> earOf(const std::vector<float>& stereo, std::size_t ear) {
    std::vector<double> out(stereo.size() / 2);
    for (std::size_t n = 0; n < out.size(); ++n) {
        out[n] = static_cast<double>(stereo[n * 2 + ear]);
    }
    return out;
}

std::vector<float> made(const std::function<double(std::size_t)>& value) {
    std::vector<float> stereo(Frames * 2);
    for (std::size_t n = 0; n < Frames; ++n) {
        stereo[n * 2] = static_cast<float>(value(n));
        stereo[n * 2 + 1] = static_cast<float>(0.3 * value(n));
    }
    return stereo;
}

double swell(std::size_t n, double frames) { return 0.5 - 0.5 * std::cos(pi * std::min(1.0, static_cast<double>(n) / frames)); }

// Comes and goes slowly: an end that is cut off has peaks of its own.
double around(std::size_t n) { return swell(n, 1000.0) * swell(n + 200 < Frames ? Frames - 200 - n : 0, 1000.0); }

} // namespace

void TestLimiter::nothingBetweenSamplesPasses_data() {
    QTest::addColumn<QString>("signal");
    QTest::addColumn<double>("value");
    for (const double f : {997.0, 5000.0, 9000.0, 12000.0, 12037.0, 15999.0, 16000.0, 18000.0, 19997.0}) {
        QTest::addRow("tone of %g Hz", f) << "tone" << f;
    }
    QTest::newRow("two tones that beat") << "beat" << 11987.0;
    QTest::newRow("noise") << "noise" << 0.0;
    QTest::newRow("clicks") << "clicks" << 0.0;
    QTest::newRow("a sweep") << "sweep" << 0.0;
}

void TestLimiter::nothingBetweenSamplesPasses() {
    QFETCH(QString, signal);
    QFETCH(double, value);
    std::vector<float> in;
    std::mt19937 random(5);
    if (signal == QLatin1String("tone")) {
        // Its phase lies so that the peaks of some fall in the middle between two samples.
        in = made([&](std::size_t n) {
            return 3.0 * around(n) * std::sin(2.0 * pi * value * static_cast<double>(n) / 48000.0 + pi / 4.0);
        });
    } else if (signal == QLatin1String("beat")) {
        in = made([&](std::size_t n) {
            const double t = static_cast<double>(n) / 48000.0;
            return 1.5 * around(n) * (std::sin(2.0 * pi * value * t) + std::sin(2.0 * pi * (value + 60.0) * t + 1.0));
        });
    } else if (signal == QLatin1String("noise")) {
        std::uniform_real_distribution<double> any(-2.0, 2.0);
        in = made([&](std::size_t) { return any(random); });
        // Beyond 20 kHz, where nobody hears anything, no interpolator of a few samples is exact.
        std::vector<double> left = earOf(in, 0);
        std::vector<Complex> bins = spectrumOf(left, 8192);
        for (std::size_t k = 0; k < bins.size(); ++k) {
            bins[k] *= static_cast<double>(k) * 48000.0 / 8192 > 20000.0 ? 0.0 : 1.0;
        }
        left = signalOf(bins);
        in = made([&](std::size_t n) { return left[n] * around(n); });
    } else if (signal == QLatin1String("clicks")) {
        in = made([](std::size_t n) { // band-limited, between samples
            double sum = 0.0;
            for (int click = 1; click < 6; ++click) {
                const double x = static_cast<double>(n) - 1000.0 * click - 0.0625 * click;
                sum += std::abs(x) < 400.0 ? 4.0 * std::exp(-x * x / 9.0) * std::cos(0.5 * pi * x) : 0.0;
            }
            return sum;
        });
    } else {
        in = made([](std::size_t n) {
            const double share = static_cast<double>(n) / Frames;
            return 2.5 * around(n)
                   * std::sin(2.0 * pi * 10000.0 / 48000.0 * Frames * share * share);
        });
    }
    const std::vector<double> out = earOf(limited(in), 0);
    const double before = decibel(truePeakOf(earOf(in, 0)));
    const double peak = decibel(truePeakOf(out));
    qInfo("%.2f dB of true peak come to %.3f", before, peak);
    QVERIFY(before > 3.0);
    QVERIFY2(peak <= -0.99, qPrintable(QString::number(peak)));
    QVERIFY2(peak > -1.6, qPrintable(QString::number(peak))); // and no lower than it must
}

void TestLimiter::quietPassesUnchanged() {
    std::mt19937 random(6);
    std::uniform_real_distribution<double> any(-0.2, 0.2);
    const std::vector<float> in = made([&](std::size_t) { return any(random); });
    const std::vector<float> out = limited(in);
    for (std::size_t i = 0; i + 2 * Limiter::LookAhead < in.size(); ++i) {
        QCOMPARE(out[i + 2 * Limiter::LookAhead], in[i]);
    }
}

void TestLimiter::sameForAnyPieces() {
    const std::vector<float> in = made([](std::size_t n) { // loud and quiet in turn
        return (n / 3000 % 2 == 0 ? 2.0 : 0.1) * std::sin(0.3 * static_cast<double>(n));
    });
    const std::vector<float> whole = limited(in);
    std::vector<float> pieces = in;
    Limiter limiter(48000.0);
    for (std::size_t at = 0, piece = 1; at < Frames; piece = piece % 97 + 13) {
        const std::size_t frames = std::min(piece, Frames - at);
        limiter.process(pieces.data() + at * 2, frames);
        at += frames;
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
        QVERIFY(std::abs(pieces[i] - whole[i]) < 1e-6F);
    }
}

// A long quiet passage is not looked at closely. What bursts into it is limited as if it had been: an ear that is never quiet, and never
// too loud, keeps the look close.
void TestLimiter::whatComesAfterCalm() {
    constexpr std::size_t Burst = 5120;
    int felt = 0;
    for (unsigned seed = 1; seed <= 30; ++seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> any(-1.0, 1.0);
        std::vector<float> calm = made([&](std::size_t n) {
            const double since = static_cast<double>(n) - static_cast<double>(Burst);
            return any(random) * (since < 0.0 ? 0.3 : 0.3 + 1.5 * std::exp(-since / 3.0));
        });
        std::vector<float> watched = calm;
        for (std::size_t n = 0; n < Frames; ++n) {
            calm[n * 2 + 1] = 0.0F;
            watched[n * 2 + 1] = 0.6F;
        }
        const std::vector<double> out = earOf(limited(calm), 0);
        const std::vector<double> expected = earOf(limited(watched), 0);
        double gain = 1.0;
        for (std::size_t n = Limiter::LookAhead; n < out.size(); ++n) {
            QVERIFY2(std::abs(out[n] - expected[n]) < 1e-5,
                     qPrintable(QStringLiteral("seed %1, frame %2").arg(seed).arg(n)));
            const double in = static_cast<double>(calm[(n - Limiter::LookAhead) * 2]);
            gain = std::abs(in) > 0.1 ? std::min(gain, out[n] / in) : gain;
        }
        felt += gain < 0.99 ? 1 : 0;
    }
    QVERIFY(felt > 10);
}

void TestLimiter::whatIsNoNumberIsCounted() {
    std::vector<float> in = made([](std::size_t) { return 0.1; });
    in[1000] = std::nanf("");
    in[3001] = INFINITY;
    in[3003] = -INFINITY;
    Limiter limiter(48000.0);
    for (std::size_t at = 0; at < in.size(); at += 256) {
        limiter.process(in.data() + at, 128);
    }
    QCOMPARE(limiter.badSamples(), std::size_t{3});
    for (const float value : in) {
        QVERIFY(std::isfinite(value) && std::abs(value) <= Limiter::Ceiling);
    }
}

void TestLimiter::nothingPassesFullScale_data() {
    QTest::addColumn<bool>("on");
    QTest::addColumn<float>("loudest");
    for (const float loudest : {4.0F, 1e6F, 1e30F, 3e38F}) {
        QTest::addRow("on, %g", static_cast<double>(loudest)) << true << loudest;
        QTest::addRow("off, %g", static_cast<double>(loudest)) << false << loudest;
    }
}

// However loud, for however long: what leaves is finite and within full scale; what comes after is heard again.
void TestLimiter::nothingPassesFullScale() {
    QFETCH(bool, on);
    QFETCH(float, loudest);
    Limiter limiter(48000.0);
    limiter.setOn(on);
    std::vector<float> stereo(2 * 96000, 0.25F);
    for (std::size_t n = 9000; n < 30000; ++n) {
        stereo[n] = n % 3 == 0 ? loudest : n % 5 == 0 ? -loudest : 0.1F;
    }
    for (std::size_t at = 0; at < stereo.size(); at += 256) {
        limiter.process(stereo.data() + at, 128);
    }
    for (const float value : stereo) {
        QVERIFY2(std::abs(value) <= (on ? Limiter::Ceiling * 1.0001F : 1.0F),
                 qPrintable(QString::number(value)));
    }
    QVERIFY2(std::abs(stereo.back() - 0.25F) < 0.0025F, qPrintable(QString::number(stereo.back())));
}

// For measuring: what is within full scale leaves as it came, however near to it, and what passes it is clipped.
void TestLimiter::switchedOffItOnlyDelays() {
    const std::vector<float> in =
        made([](std::size_t n) { return 1.5 * around(n) * std::sin(0.3 * static_cast<double>(n)); });
    std::vector<float> out = in;
    Limiter limiter(48000.0);
    limiter.setOn(false);
    for (std::size_t at = 0; at < out.size(); at += 256) {
        limiter.process(out.data() + at, 128);
    }
    for (std::size_t i = 0; i + 2 * Limiter::LookAhead < out.size(); ++i) {
        QCOMPARE(out[i + 2 * Limiter::LookAhead], std::clamp(in[i], -1.0F, 1.0F));
    }
    QCOMPARE(limiter.takeLowestGain(), 1.0F);
    // On again, it holds its ceiling.
    limiter.setOn(true);
    out = in;
    for (std::size_t at = 0; at < out.size(); at += 256) {
        limiter.process(out.data() + at, 128);
    }
    for (std::size_t i = 2 * Limiter::LookAhead; i < out.size(); ++i) {
        QVERIFY(std::abs(out[i]) <= Limiter::Ceiling * 1.0001F);
    }
}

QTEST_GUILESS_MAIN(TestLimiter)
#include "tst_limiter.moc"
