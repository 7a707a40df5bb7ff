#include "audio_fixture.h"
#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/kernel_table.h"
#include "engine/audio/detail/limiter.h"

#include <random>

using namespace sbx::audio;
using namespace sbx::audio::test;

// The inner loops of both builds against plain double precision.
class TestKernels : public QObject {
    Q_OBJECT

private slots:
    void transformIsTheFourierTransform_data() { builds(); }
    void transformIsTheFourierTransform();
    void accumulateConvolvesBothEars_data() { builds(); }
    void accumulateConvolvesBothEars();
    void readInterpolates_data() { builds(); }
    void readInterpolates();
    void hadamardIsOrthogonal_data() { builds(); }
    void shortKernelsAreTheirPolynomials_data() { builds(); }
    void shortKernelsAreTheirPolynomials();
    void hadamardIsOrthogonal();
    void limiterPassesAndLimits();

private:
    static void builds() {
        QTest::addColumn<bool>("wide");
        QTest::newRow("SSE2") << false;
        QTest::newRow("widest") << true;
    }
};

namespace {

std::vector<double> noise(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> values(count);
    for (double& value : values) {
        value = uniform(random);
    }
    return values;
}

} // namespace

void TestKernels::transformIsTheFourierTransform() {
    QFETCH(bool, wide);
    const KernelTable& kernels = kernelTable(wide);
    const std::vector<double> a = noise(256, 1);
    const std::vector<double> b = noise(256, 2);
    AlignedFloats re(256);
    AlignedFloats im(256);
    std::vector<Complex> expected(256);
    for (std::size_t i = 0; i < 256; ++i) {
        re.data()[i] = static_cast<float>(a[i]);
        im.data()[i] = static_cast<float>(b[i]);
        expected[i] = Complex(a[i], b[i]);
    }
    kernels.transform(re.data(), im.data());
    fourier(expected, false);
    for (std::size_t i = 0; i < 256; ++i) {
        QVERIFY(std::abs(static_cast<double>(re.data()[i]) - expected[i].real()) < 2e-5);
        QVERIFY(std::abs(static_cast<double>(im.data()[i]) - expected[i].imag()) < 2e-5);
    }
}

void TestKernels::accumulateConvolvesBothEars() {
    QFETCH(bool, wide);
    const KernelTable& kernels = kernelTable(wide);
    const std::array<std::vector<double>, 2> x = {noise(256, 3), noise(256, 4)};
    const std::array<std::vector<double>, 2> h = {noise(128, 5), noise(128, 6)};
    AlignedFloats re(264);
    AlignedFloats im(264);
    AlignedFloats filter(512);
    AlignedFloats steady(512);
    AlignedFloats fading(512);
    for (std::size_t i = 0; i < 256; ++i) {
        re.data()[i] = static_cast<float>(x[0][i]);
        im.data()[i] = static_cast<float>(x[1][i]);
    }
    packFilter(h[0], filter.data());
    packFilter(h[1], filter.data() + 256);
    kernels.transform(re.data(), im.data());
    re.data()[256] = re.data()[0];
    im.data()[256] = im.data()[0];
    kernels.accumulate(re.data(), im.data(), filter.data(), filter.data(), steady.data(), fading.data());
    for (std::size_t ear = 0; ear < 2; ++ear) {
        for (const AlignedFloats* sum : {&steady, &fading}) {
            const float* packed = sum->data() + ear * 256;
            std::vector<Complex> bins(129);
            for (std::size_t k = 0; k < 128; ++k) {
                bins[k] = Complex(static_cast<double>(packed[k]),
                                  k == 0 ? 0.0 : static_cast<double>(packed[128 + k]));
            }
            bins[128] = static_cast<double>(packed[128]);
            const std::vector<double> out = signalOf(bins); // divides by 256 once more than the renderer does
            for (std::size_t n = 128; n < 256; ++n) {
                double expected = 0.0;
                for (std::size_t j = 0; j < 128; ++j) {
                    expected += h[ear][j] * x[ear][n - j];
                }
                QVERIFY2(std::abs(out[n] * 256.0 - expected) < 1e-4,
                         qPrintable(QString::number(out[n] * 256.0 - expected)));
            }
        }
    }
}

void TestKernels::readInterpolates() {
    QFETCH(bool, wide);
    const KernelTable& kernels = kernelTable(wide);
    const InterpolationTables tables;
    constexpr unsigned Size = 1024;
    AlignedFloats ring(Size + 64);
    for (unsigned i = 0; i < Size + 64; ++i) {
        ring.data()[i] = static_cast<float>(std::sin(2.0 * pi * 80.0 * (i % Size) / Size));
    }
    for (const Quality quality : {Quality::Best, Quality::Balanced, Quality::Fast}) {
        const InterpolationTable& table = tables.table(quality, 1.0);
        AlignedFloats out(BlockFrames);
        ReadJob job{ring.data(),       Size - 1,   Size - 40, {-0.75F, 0.06F, 1e-4F, 0.0F},
                    table.rows.data(), table.taps, 0.5F,      1.0F,
                    out.data(),        0};
        kernels.read(job);
        double most = 0.0;
        for (int n = 0; n < BlockFrames; ++n) {
            const double place = static_cast<double>(Size) - 40.0 + n - 0.75 + 0.06 * n + 1e-4 * n * n;
            const double expected = std::sin(2.0 * pi * 80.0 * place / Size) * (0.5 + 0.5 * n / BlockFrames);
            most = std::max(most, std::abs(static_cast<double>(out.data()[n]) - expected));
        }
        QVERIFY2(most < (quality == Quality::Fast ? 3e-3 : 1e-4), qPrintable(QString::number(most)));
        const float first = out.data()[5];
        job.add = 1;
        kernels.read(job);
        QCOMPARE(out.data()[5], 2.0F * first);
    }
}

// The polynomials of short kernels, wherever the place goes: standing, at whole frames, across the ring's end, leaping.
void TestKernels::shortKernelsAreTheirPolynomials() {
    QFETCH(bool, wide);
    const KernelTable& kernels = kernelTable(wide);
    const InterpolationTables tables;
    constexpr unsigned Size = 1024;
    AlignedFloats ring(Size + 64);
    unsigned state = 3;
    for (unsigned i = 0; i < Size; ++i) {
        state = state * 1664525U + 1013904223U;
        ring.data()[i] = static_cast<float>(state >> 8U) / 16777216.0F - 0.5F;
    }
    std::copy_n(ring.data(), 64, ring.data() + Size);
    const std::vector<std::array<float, 4>> places = {
        {0.0F, 0.0F, 0.0F, 0.0F},         {-0.5F, 0.0F, 0.0F, 0.0F},  {-3.0F, 1e-7F, 0.0F, 0.0F},   {-3.0F, -1e-7F, 0.0F, 0.0F},
        {-0.25F, 0.02F, 0.0F, 0.0F},      {-0.25F, -0.02F, 0.0F, 0.0F}, {-0.9F, 0.5F, 0.0F, 0.0F},  {-0.9F, -0.5F, 0.0F, 0.0F},
        {-100.3F, 3.0F, 0.01F, 0.0F},     {17.7F, -0.97F, 0.0F, 0.0F},  {-40.0F, 0.1F, -1e-3F, 1e-5F}};
    for (const Quality quality : {Quality::Fast, Quality::Linear}) {
        const InterpolationTable& table = tables.table(quality, 1.0);
        for (const std::array<float, 4>& q : places) {
            for (const unsigned base : {500U, 1000U, 3U}) {
                AlignedFloats out(BlockFrames);
                const ReadJob job{ring.data(), Size - 1, base, {q[0], q[1], q[2], q[3]}, table.rows.data(), table.taps, 1.0F, 1.0F,
                                  out.data(),  0};
                kernels.read(job);
                for (int n = 0; n < BlockFrames; ++n) {
                    const double at = static_cast<double>(q[0]) + static_cast<double>(q[1]) * n + static_cast<double>(q[2]) * n * n
                                      + static_cast<double>(q[3]) * n * n * n;
                    const double whole = std::floor(at);
                    const double f = at - whole;
                    const auto x = [&](int t) {
                        const int index = static_cast<int>(base) + n + static_cast<int>(whole) + t;
                        return static_cast<double>(ring.data()[static_cast<unsigned>(index) & (Size - 1)]);
                    };
                    const double expected = quality == Quality::Linear
                                                ? x(0) * (1.0 - f) + x(1) * f
                                                : -x(-1) * f * (f - 1.0) * (f - 2.0) / 6.0 + x(0) * (f + 1.0) * (f - 1.0) * (f - 2.0) / 2.0
                                                      - x(1) * (f + 1.0) * f * (f - 2.0) / 2.0 + x(2) * (f + 1.0) * f * (f - 1.0) / 6.0;
                    const double error = std::abs(static_cast<double>(out.data()[n]) - expected);
                    QVERIFY2(error < 5e-4, qPrintable(QStringLiteral("%1 at frame %2").arg(error).arg(n)));
                }
            }
        }
    }
}

void TestKernels::hadamardIsOrthogonal() {
    QFETCH(bool, wide);
    AlignedFloats lanes(16);
    for (int k = 0; k < 16; ++k) {
        std::fill_n(lanes.data(), 16, 0.0F);
        lanes.data()[k] = 1.0F;
        kernelTable(wide).hadamard16(lanes.data());
        for (int i = 0; i < 16; ++i) {
            // Sylvester's matrix: the sign is the parity of the bits both indices share.
            const float sign = __builtin_popcount(static_cast<unsigned>(i & k)) % 2 == 0 ? 0.25F : -0.25F;
            QCOMPARE(lanes.data()[i], sign);
        }
    }
}

void TestKernels::limiterPassesAndLimits() {
    Limiter limiter(48000.0);
    const std::vector<double> values = noise(40000, 7);
    std::vector<float> stereo;
    for (std::size_t i = 0; i < values.size(); ++i) {
        // Quiet, then far too loud with peaks between samples, then quiet.
        const double level = i >= 8000 && i < 16000 ? 4.0 : 0.4;
        stereo.push_back(static_cast<float>(
            i % 2 == 0 ? level * values[i]
                       : level * std::sin(0.25 * pi * 2.0 * static_cast<double>(i / 2) + 0.8)));
    }
    const std::vector<float> in = stereo;
    for (std::size_t at = 0; at < stereo.size(); at += 256) {
        limiter.process(stereo.data() + at, std::min<std::size_t>(128, (stereo.size() - at) / 2));
    }
    for (std::size_t i = 0; i < 3000; ++i) {
        QCOMPARE(stereo[i + 2 * Limiter::LookAhead], in[i]); // unchanged to the bit, just later
    }
    for (const float value : stereo) {
        QVERIFY2(std::abs(value) <= Limiter::Ceiling * 1.0001F, qPrintable(QString::number(value)));
    }
    QVERIFY(limiter.takeLowestGain() < 0.3F);
    std::array<float, 4> bad = {std::nanf(""), INFINITY, 0.1F, -INFINITY};
    limiter.process(bad.data(), 2);
    QCOMPARE(limiter.badSamples(), std::size_t{3});
}

QTEST_GUILESS_MAIN(TestKernels)
#include "tst_kernels.moc"
