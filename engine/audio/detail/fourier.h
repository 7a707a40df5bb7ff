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

// Seconds by which `response` lags its own minimum-phase version: the excess (pure) delay, from the peak of
// their cross-correlation, read between samples. Source: J. Nam, J. S. Abel and J. O. Smith, "A Method for
// Estimating Interaural Time Difference for Binaural Synthesis", 2008.
[[nodiscard]] double excessDelay(std::span<const double> response, double sampleRate);

// The signal at another rate by windowed sinc; pass band gain 1 (amplitudes of samples keep their meaning as
// densities: an impulse response is scaled by fromRate / toRate).
[[nodiscard]] std::vector<double> resampleResponse(std::span<const double> response, double fromRate,
                                                   double toRate);

// Modified Bessel function of the first kind, order 0.
[[nodiscard]] double besselI0(double x);

} // namespace sbx::audio
