#pragma once
// The inner loops of the renderer as a table of functions, built twice (SSE2, AVX2 with FMA) and chosen once
// at run time. All arrays are floats; pointers marked [aligned] lie on 32 bytes. Thread: any; no state, no
// allocation.
//
// Packed spectrum: the 129 bins of a real signal of 256 samples as re[128], im[128], with the (real) bin 128
// in im[0]. This header is included where wider instructions are on: nothing but plain declarations here.

namespace sbx::audio {

inline constexpr int BlockFrames = 128;    // frames rendered at a time
inline constexpr int TransformSize = 256;  // overlap-save: the block before and this one
inline constexpr int SpectrumFloats = 256; // of one ear
inline constexpr int SincPhases = 512;     // rows of a kernel table, plus one

// One block of one ear read out of a ring at moving fractional positions.
struct ReadJob {
    const float* ring; // ringMask + 1 samples, and the first MaximumTaps of them again at the end
    unsigned ringMask;
    unsigned base; // ring index that q = 0 means
    // Position of frame n: n + q[0] + q[1] n + q[2] n^2 + q[3] n^3; the cubic stays within [-500, 500].
    float q[4];
    const float* table; // (SincPhases + 1) rows of `taps` weights [aligned]; unused at 4 (Lagrange) and 2 (linear)
    int taps;           // 2, 4, 16 or 32
    float gainFrom;     // linear over the block
    float gainTo;
    float* out; // BlockFrames [aligned]
    int add;    // 0: written; 1: added to what is there
};

struct KernelTable {
    void (*read)(const ReadJob& job);
    // Complex transform in place of TransformSize values, natural order, not scaled. re and im [aligned].
    void (*transform)(float* re, float* im);
    // out = a*wa + b*wb + c*wc over `count` floats (a multiple of 8).
    void (*blend3)(float* out, const float* a, float wa, const float* b, float wb, const float* c, float wc,
                   int count);
    // Packed spectra: inout *= factor.
    void (*multiply)(float* inout, const float* factor);
    // delta = amount * (target - now) over `count` floats; returns the sum of squares of delta.
    float (*approach)(float* delta, const float* target, const float* now, float amount, int count);
    // now += delta over `count` floats.
    void (*addTo)(float* now, const float* delta, int count);
    // Two ears at once. re, im: transform of left + i right, TransformSize + 1 values each with [256] = [0].
    // steady += X h for both ears (2 packed spectra each: left, right); with delta also fading += X delta.
    void (*accumulate)(const float* re, const float* im, const float* h, const float* delta, float* steady,
                       float* fading);
    // out[n] += in[n] * (from + (to - from) n / count)
    void (*mix)(float* out, const float* in, float from, float to, int count);
    // Largest absolute value of `count` floats (a multiple of 8).
    float (*peak)(const float* in, int count);
    // 16 values at a time: fast Hadamard transform of 16 lanes, scaled by 1/4 (orthogonal). [aligned]
    void (*hadamard16)(float* lanes);
    const char* name;
};

// The widest table this processor can run. `allowWide` false: always SSE2.
const KernelTable& kernelTable(bool allowWide = true);

extern const KernelTable KernelsSse2;
extern const KernelTable KernelsAvx2;

} // namespace sbx::audio
