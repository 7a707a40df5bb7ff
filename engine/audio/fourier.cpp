#include "engine/audio/detail/fourier.h"

#include "engine/core/contracts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace sbx::audio {

using std::numbers::pi;

namespace {

constexpr std::size_t MaximumStages = 16; // lengths to 65536

// exp(-2 pi i k / length) of the stage that joins pairs of length / 2; made once, never changed.
const std::vector<Complex>& twiddlesOf(std::size_t stage) {
    static const std::vector<std::vector<Complex>> tables = [] {
        std::vector<std::vector<Complex>> made;
        for (std::size_t length = 2; made.size() < MaximumStages; length *= 2) {
            std::vector<Complex>& table = made.emplace_back(length / 2);
            for (std::size_t k = 0; k < length / 2; ++k) {
                table[k] = std::polar(1.0, -2.0 * pi * static_cast<double>(k) / static_cast<double>(length));
            }
        }
        return made;
    }();
    return tables[stage];
}

} // namespace

void fourier(std::span<Complex> data, bool inverse) {
    const std::size_t n = data.size();
    SBX_EXPECT(std::has_single_bit(n) && n <= (1U << MaximumStages),
               "transforms have power-of-two lengths up to 65536");
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1U;
        for (; (j & bit) != 0; bit >>= 1U) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            std::swap(data[i], data[j]);
        }
    }
    std::size_t stage = 0;
    for (std::size_t length = 2; length <= n; length *= 2, ++stage) {
        const std::vector<Complex>& twiddles = twiddlesOf(stage);
        for (std::size_t start = 0; start < n; start += length) {
            Complex* a = data.data() + start;
            Complex* b = a + length / 2;
            for (std::size_t k = 0; k < length / 2; ++k) {
                const double c = twiddles[k].real();
                const double s = inverse ? -twiddles[k].imag() : twiddles[k].imag();
                const Complex t(b[k].real() * c - b[k].imag() * s, b[k].real() * s + b[k].imag() * c);
                b[k] = a[k] - t;
                a[k] += t;
            }
        }
    }
    if (inverse) {
        for (Complex& value : data) {
            value /= static_cast<double>(n);
        }
    }
}

std::vector<Complex> spectrumOf(std::span<const double> signal, std::size_t size) {
    std::vector<Complex> data(size);
    std::copy_n(signal.begin(), std::min(signal.size(), size), data.begin());
    fourier(data, false);
    data.resize(size / 2 + 1);
    return data;
}

std::vector<double> signalOf(std::span<const Complex> bins) {
    const std::size_t half = bins.size() - 1;
    std::vector<Complex> data(half * 2);
    std::copy(bins.begin(), bins.end(), data.begin());
    for (std::size_t k = 1; k < half; ++k) {
        data[half * 2 - k] = std::conj(bins[k]);
    }
    fourier(data, true);
    std::vector<double> signal(data.size());
    std::transform(data.begin(), data.end(), signal.begin(),
                   [](const Complex& value) { return value.real(); });
    return signal;
}

std::vector<Complex> minimumPhase(std::span<const double> magnitudes) {
    const std::size_t half = magnitudes.size() - 1;
    const std::size_t n = half * 2;
    std::vector<Complex> data(n);
    for (std::size_t k = 0; k <= half; ++k) {
        const double value = std::log(std::max(magnitudes[k], 1e-12));
        data[k] = value;
        data[(n - k) % n] = value;
    }
    fourier(data, true);
    for (std::size_t k = 1; k < half; ++k) {
        data[k] *= 2.0;
        data[n - k] = 0.0;
    }
    fourier(data, false);
    data.resize(half + 1);
    for (Complex& value : data) {
        value = std::exp(value);
    }
    return data;
}

double excessItd(std::span<const double> left, std::span<const double> right, double sampleRate) {
    constexpr double Lowest = 500.0;
    constexpr double Highest = 3000.0;
    const std::size_t n = std::bit_ceil(std::max({left.size() * 2, right.size() * 2, std::size_t{2048}}));
    const auto excess = [&](std::span<const double> response) {
        std::vector<Complex> bins = spectrumOf(response, n);
        std::vector<double> magnitudes(bins.size());
        std::transform(bins.begin(), bins.end(), magnitudes.begin(),
                       [](const Complex& value) { return std::abs(value); });
        const double floor = *std::max_element(magnitudes.begin(), magnitudes.end()) * 1e-5;
        for (double& magnitude : magnitudes) {
            magnitude = std::max(magnitude, floor);
        }
        const std::vector<Complex> minimum = minimumPhase(magnitudes);
        for (std::size_t k = 0; k < bins.size(); ++k) {
            bins[k] *= std::conj(minimum[k]);
        }
        return bins;
    };
    std::vector<Complex> cross = excess(left);
    const std::vector<Complex> other = excess(right);
    const double binWidth = sampleRate / static_cast<double>(n);
    const auto first = static_cast<std::size_t>(std::ceil(Lowest / binWidth));
    const auto last = static_cast<std::size_t>(Highest / binWidth);
    for (std::size_t k = first; k <= last; ++k) {
        cross[k] *= std::conj(other[k]);
        const double size = std::abs(cross[k]);
        cross[k] = size > 0.0 ? cross[k] / size : Complex();
    }
    // The sum of all waves at a lag, and its first two derivatives: the best of half frames, then Newton's method.
    const auto wave = [&](double lag, double& value, double& slope, double& bend) {
        value = slope = bend = 0.0;
        const double step = 2.0 * pi * lag / static_cast<double>(n);
        const Complex turn = std::polar(1.0, step);
        Complex at = std::polar(1.0, step * static_cast<double>(first));
        for (std::size_t k = first; k <= last; ++k) {
            const Complex& c = cross[k];
            const double real = c.real() * at.real() - c.imag() * at.imag();
            const double w = static_cast<double>(k);
            value += real;
            slope -= w * (c.real() * at.imag() + c.imag() * at.real());
            bend -= w * w * real;
            at = Complex(at.real() * turn.real() - at.imag() * turn.imag(),
                         at.real() * turn.imag() + at.imag() * turn.real());
        }
    };
    const double most = std::ceil(sampleRate * 0.0012); // no head is so wide
    double place = 0.0;
    double best = -1e300;
    double value = 0.0;
    double slope = 0.0;
    double bend = 0.0;
    for (double lag = -most; lag <= most; lag += 0.5) {
        wave(lag, value, slope, bend);
        if (value > best) {
            best = value;
            place = lag;
        }
    }
    for (int step = 0; step < 4; ++step) {
        wave(place, value, slope, bend);
        if (bend < 0.0) {
            place += std::clamp(-slope / bend * static_cast<double>(n) / (2.0 * pi), -0.5, 0.5);
        }
    }
    return place / sampleRate;
}

ResponseResampler::ResponseResampler(std::size_t size, double fromRate, double toRate) : m_same(fromRate == toRate) {
    if (m_same) {
        return;
    }
    const double ratio = toRate / fromRate;
    const double cutoff = std::min(1.0, ratio);
    constexpr double HalfWidth = 48.0; // zero crossings
    constexpr double Beta = 12.0;
    const double norm = besselI0(Beta);
    const auto count = static_cast<std::size_t>(std::ceil(static_cast<double>(size) * ratio));
    for (std::size_t i = 0; i < count; ++i) {
        const double centre = static_cast<double>(i) / ratio;
        const auto first =
            std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(std::ceil(centre - HalfWidth / cutoff)), 0);
        const auto last =
            std::min(static_cast<std::ptrdiff_t>(std::floor(centre + HalfWidth / cutoff)), static_cast<std::ptrdiff_t>(size) - 1);
        Row row{static_cast<std::size_t>(first), m_weights.size(), 0};
        for (std::ptrdiff_t j = first; j <= last; ++j) {
            const double x = (static_cast<double>(j) - centre) * cutoff;
            const double edge = x / HalfWidth;
            const double window = besselI0(Beta * std::sqrt(std::max(0.0, 1.0 - edge * edge))) / norm;
            const double sinc = std::abs(x) < 1e-9 ? 1.0 : std::sin(pi * x) / (pi * x);
            m_weights.push_back(cutoff * window * sinc / ratio);
            ++row.count;
        }
        m_rows.push_back(row);
    }
}

std::vector<double> ResponseResampler::operator()(std::span<const double> response) const {
    if (m_same) {
        return {response.begin(), response.end()};
    }
    std::vector<double> result;
    result.reserve(m_rows.size());
    for (const Row& row : m_rows) {
        double sum = 0.0;
        const std::size_t count = row.from < response.size() ? std::min(row.count, response.size() - row.from) : 0;
        for (std::size_t t = 0; t < count; ++t) {
            sum += response[row.from + t] * m_weights[row.weights + t];
        }
        result.push_back(sum);
    }
    return result;
}

double besselI0(double x) {
    double term = 1.0;
    double sum = 1.0;
    for (int k = 1; k < 64; ++k) {
        term *= (x / (2.0 * k)) * (x / (2.0 * k));
        sum += term;
        if (term < sum * 1e-17) {
            break;
        }
    }
    return sum;
}

} // namespace sbx::audio
