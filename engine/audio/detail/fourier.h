#pragma once
// Fourier transforms and minimum phase in double precision, for work done once at load. Not for the audio
// thread: it allocates.

#include <complex>
#include <span>
#include <vector>

namespace sbx::audio {

using Complex = std::complex<double>;

// In-place transform of a power-of-two length; radix 2. The inverse divides by the length.
void fourier(std::span<Complex> data, bool inverse);

// Bins 0..size/2 of a real signal, zero-padded or cut to `size` (a power of two).
[[nodiscard]] std::vector<Complex> spectrumOf(std::span<const double> signal, std::size_t size);
// The real signal of `bins` (size/2 + 1 of them).
[[nodiscard]] std::vector<double> signalOf(std::span<const Complex> bins);

// Minimum-phase spectrum with the given magnitudes (size/2 + 1 bins, size a power of two, all > 0) by folding
// the real cepstrum. Source: A. V. Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing", 1989.
[[nodiscard]] std::vector<Complex> minimumPhase(std::span<const double> magnitudes);

// Seconds by which `left` comes later than `right`, each freed of its minimum-phase part: the pure (excess) delay, from the
// peak of the phase-only cross-correlation between 500 and 3000 Hz, read between samples. Higher up the phase of a pinna
// at a near-frontal place turns by cycles. Source: J. Nam, J. S. Abel and J. O. Smith, "A Method for Estimating Interaural
// Time Difference for Binaural Synthesis", 2008.
[[nodiscard]] double excessItd(std::span<const double> left, std::span<const double> right, double sampleRate);

// Responses at another rate by windowed sinc; pass band gain 1 (amplitudes of samples keep their meaning as densities: an
// impulse response is scaled by fromRate / toRate). The weights are worked out once for all responses of a set.
class ResponseResampler {
public:
    // size: frames of the longest response.
    ResponseResampler(std::size_t size, double fromRate, double toRate);
    [[nodiscard]] std::vector<double> operator()(std::span<const double> response) const;

private:
    struct Row {
        std::size_t from = 0;    // first frame read
        std::size_t weights = 0; // first weight
        std::size_t count = 0;
    };
    bool m_same;
    std::vector<Row> m_rows;
    std::vector<double> m_weights;
};

// Modified Bessel function of the first kind, order 0.
[[nodiscard]] double besselI0(double x);

} // namespace sbx::audio
