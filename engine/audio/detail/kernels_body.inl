// The inner loops, written once with the compiler's vector types of eight floats and included by each build's
// source inside namespace sbx::audio. No include here: see kernel_table.h.

namespace {

typedef float V8 __attribute__((vector_size(32)));
typedef float V8u __attribute__((vector_size(32), aligned(4), may_alias));
typedef float V8a __attribute__((vector_size(32), aligned(32), may_alias));
typedef int I8 __attribute__((vector_size(32)));
#define SBX_INLINE __attribute__((always_inline)) inline
// Lanes of a, from 0, and of b, from 8: gcc's word for it, and clang's.
#ifdef __clang__
#define SBX_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SBX_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, I8{__VA_ARGS__})
#endif

SBX_INLINE V8 load(const float* p) { return *reinterpret_cast<const V8u*>(p); }
SBX_INLINE void store(float* p, V8 v) { *reinterpret_cast<V8u*>(p) = v; }
SBX_INLINE V8 all(float x) { return V8{x, x, x, x, x, x, x, x}; }
SBX_INLINE V8 reversed(V8 v) { return SBX_SHUFFLE(v, v, 7, 6, 5, 4, 3, 2, 1, 0); }

// Eight vectors in, one out: lane j is the sum of the lanes of v[j].
SBX_INLINE V8 sumEach(const V8* v) {
    const auto pairs = [](V8 a, V8 b) {
        return SBX_SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
               + SBX_SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    };
    const auto quads = [](V8 a, V8 b) {
        return SBX_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
               + SBX_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    };
    const V8 low = quads(pairs(v[0], v[1]), pairs(v[2], v[3]));
    const V8 high = quads(pairs(v[4], v[5]), pairs(v[6], v[7]));
    return SBX_SHUFFLE(low, high, 0, 1, 2, 3, 8, 9, 10, 11)
           + SBX_SHUFFLE(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
}

template <int Taps> SBX_INLINE void readTaps(const ReadJob& job) {
    const V8 ramp = {0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F};
    const float step = (job.gainTo - job.gainFrom) * (1.0F / static_cast<float>(BlockFrames));
    for (int n = 0; n < BlockFrames; n += 8) {
        const V8 at = ramp + all(static_cast<float>(n));
        // The offset makes truncation a floor. The frame number is added to the whole part alone: the
        // fraction keeps its bits.
        const V8 q = ((all(job.q[3]) * at + all(job.q[2])) * at + all(job.q[1])) * at + all(job.q[0]);
        const I8 whole = __builtin_convertvector(q + all(512.0F), I8) - 512;
        V8 fraction = q - __builtin_convertvector(whole, V8);
        I8 index = whole + __builtin_convertvector(at, I8);
        // q + 512 may round up to the next whole number: then the fraction is a hair below zero.
        const I8 below = fraction < all(0.0F);
        index += below;
        fraction -= __builtin_convertvector(below, V8);
        const V8 phase = fraction * all(static_cast<float>(SincPhases));
        I8 row = __builtin_convertvector(phase, I8);
        row += row > SincPhases - 1;
        const V8 blend = phase - __builtin_convertvector(row, V8);
        V8 sums[8];
        for (int j = 0; j < 8; ++j) {
            const float* x =
                job.ring + ((job.base + static_cast<unsigned>(index[j] - (Taps / 2 - 1))) & job.ringMask);
            const float* c = job.table + row[j] * Taps;
            V8 first = load(x) * load(c);
            V8 second = load(x) * load(c + Taps);
            for (int t = 8; t < Taps; t += 8) {
                first += load(x + t) * load(c + t);
                second += load(x + t) * load(c + Taps + t);
            }
            sums[j] = first + (second - first) * all(blend[j]);
        }
        V8 value = sumEach(sums) * (all(job.gainFrom) + at * all(step));
        if (job.add != 0) {
            value += load(job.out + n);
        }
        store(job.out + n, value);
    }
}

// Lagrange's polynomials of four samples, or the line between two, worked out for eight frames at a time: their neighbours in the
// ring are each other's, so a moving delay only shifts some of them by one.
template <bool Cubic> SBX_INLINE void readShort(const ReadJob& job) {
    const V8 ramp = {0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F};
    const float step = (job.gainTo - job.gainFrom) * (1.0F / static_cast<float>(BlockFrames));
    for (int n = 0; n < BlockFrames; n += 8) {
        const V8 at = ramp + all(static_cast<float>(n));
        const V8 q = ((all(job.q[3]) * at + all(job.q[2])) * at + all(job.q[1])) * at + all(job.q[0]);
        const I8 whole = __builtin_convertvector(q + all(512.0F), I8) - 512;
        const V8 f = q - __builtin_convertvector(whole, V8);
        const int middle = whole[4];
        const I8 shift = whole - middle;
        V8 x[4];
        const auto near = [](int d) { return d >= -1 && d <= 1; };
        if (near(shift[0]) && near(shift[7])) {
            const unsigned from = job.base + static_cast<unsigned>(n + middle - 2);
            const float* p = job.ring + (from & job.ringMask); // what lies beyond the ring is its beginning
            V8 loaded[6];
            for (int t = 0; t < 6; ++t) {
                loaded[t] = load(p + t);
            }
            const I8 later = shift > 0;
            const I8 earlier = shift < 0;
            for (int t = 0; t < 4; ++t) {
                const V8 here = earlier ? loaded[t] : loaded[t + 1];
                x[t] = later ? loaded[t + 2] : here;
            }
        } else {
            for (int t = 0; t < 4; ++t) {
                for (int j = 0; j < 8; ++j) {
                    x[t][j] = job.ring[(job.base + static_cast<unsigned>(n + j + whole[j] + t - 1)) & job.ringMask];
                }
            }
        }
        V8 value;
        if (Cubic) {
            const V8 a = f + all(1.0F), b = f - all(1.0F), c = f - all(2.0F);
            const V8 ends = (x[3] * a - x[0] * c) * (f * b) * all(1.0F / 6.0F);
            value = ends + (x[1] * b - x[2] * f) * (a * c) * all(0.5F);
        } else {
            value = x[1] + (x[2] - x[1]) * f;
        }
        value *= all(job.gainFrom) + at * all(step);
        if (job.add != 0) {
            value += load(job.out + n);
        }
        store(job.out + n, value);
    }
}

void readRing(const ReadJob& job) {
    if (job.taps == 32) {
        readTaps<32>(job);
    } else if (job.taps == 16) {
        readTaps<16>(job);
    } else if (job.taps == 4) {
        readShort<true>(job);
    } else {
        readShort<false>(job);
    }
}

// ---- transform: 256 = 16 x 16, eight columns at a time, a transposition between the two passes ----

constexpr float Root = 0.70710678118654752440F;
constexpr float Cos8 = 0.92387953251128675613F;
constexpr float Sin8 = 0.38268343236508977173F;

SBX_INLINE void butterfly4(V8& ar, V8& ai, V8& br, V8& bi, V8& cr, V8& ci, V8& dr, V8& di) {
    const V8 sr = ar + cr, si = ai + ci, tr = ar - cr, ti = ai - ci;
    const V8 ur = br + dr, ui = bi + di, vr = br - dr, vi = bi - di;
    ar = sr + ur;
    ai = si + ui;
    br = tr + vi; // times -i
    bi = ti - vr;
    cr = sr - ur;
    ci = si - ui;
    dr = tr - vi;
    di = ti + vr;
}

SBX_INLINE void turn(V8& r, V8& i, float c, float s) { // times c - i s
    const V8 x = r * all(c) + i * all(s);
    i = i * all(c) - r * all(s);
    r = x;
}

// 16-point transform of eight columns; r[k], i[k] in natural order on return.
SBX_INLINE void columns16(V8* r, V8* i) {
    for (int k = 0; k < 4; ++k) {
        butterfly4(r[k], i[k], r[k + 4], i[k + 4], r[k + 8], i[k + 8], r[k + 12], i[k + 12]);
    }
    turn(r[5], i[5], Cos8, Sin8);
    turn(r[6], i[6], Root, Root);
    turn(r[7], i[7], Sin8, Cos8);
    turn(r[9], i[9], Root, Root);
    const V8 swap = r[10]; // times -i
    r[10] = i[10];
    i[10] = -swap;
    turn(r[11], i[11], -Root, Root);
    turn(r[13], i[13], Sin8, Cos8);
    turn(r[14], i[14], -Root, Root);
    turn(r[15], i[15], -Cos8, -Sin8);
    for (int k = 0; k < 16; k += 4) {
        butterfly4(r[k], i[k], r[k + 1], i[k + 1], r[k + 2], i[k + 2], r[k + 3], i[k + 3]);
    }
    // Row 4 a + b holds output a + 4 b.
    for (int a = 0; a < 4; ++a) {
        for (int b = a + 1; b < 4; ++b) {
            const V8 x = r[4 * a + b], y = i[4 * a + b];
            r[4 * a + b] = r[4 * b + a];
            i[4 * a + b] = i[4 * b + a];
            r[4 * b + a] = x;
            i[4 * b + a] = y;
        }
    }
}

SBX_INLINE void transpose8(V8* v) {
    V8 a[8];
    V8 b[8];
    for (int k = 0; k < 8; k += 2) {
        a[k] = SBX_SHUFFLE(v[k], v[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[k + 1] = SBX_SHUFFLE(v[k], v[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int k = 0; k < 8; k += 4) {
        for (int j = 0; j < 2; ++j) {
            b[k + j] = SBX_SHUFFLE(a[k + j], a[k + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[k + j + 2] = SBX_SHUFFLE(a[k + j], a[k + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int k = 0; k < 4; ++k) {
        v[k] = SBX_SHUFFLE(b[k], b[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        v[k + 4] = SBX_SHUFFLE(b[k], b[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

#include "engine/audio/detail/twiddles256.inl"

void transform256(float* re, float* im) {
    alignas(32) float tr[256];
    alignas(32) float ti[256];
    for (int c = 0; c < 16; c += 8) {
        V8 r[16];
        V8 i[16];
        for (int k = 0; k < 16; ++k) {
            r[k] = load(re + k * 16 + c);
            i[k] = load(im + k * 16 + c);
        }
        columns16(r, i);
        for (int k = 0; k < 16; ++k) {
            const V8 wr = load(TwiddleRe + k * 16 + c);
            const V8 wi = load(TwiddleIm + k * 16 + c);
            store(tr + k * 16 + c, r[k] * wr - i[k] * wi);
            store(ti + k * 16 + c, r[k] * wi + i[k] * wr);
        }
    }
    for (int c = 0; c < 16; c += 8) {
        V8 r[16];
        V8 i[16];
        for (int half = 0; half < 16; half += 8) {
            for (int k = 0; k < 8; ++k) {
                r[half + k] = load(tr + (c + k) * 16 + half);
                i[half + k] = load(ti + (c + k) * 16 + half);
            }
            transpose8(r + half);
            transpose8(i + half);
        }
        columns16(r, i);
        for (int k = 0; k < 16; ++k) {
            store(re + k * 16 + c, r[k]);
            store(im + k * 16 + c, i[k]);
        }
    }
}

// ---- spectra ----

void blend3(float* out, const float* a, float wa, const float* b, float wb, const float* c, float wc,
            int count) {
    for (int n = 0; n < count; n += 8) {
        store(out + n, load(a + n) * all(wa) + load(b + n) * all(wb) + load(c + n) * all(wc));
    }
}

void multiplyPacked(float* inout, const float* factor) {
    const float first = inout[0] * factor[0];
    const float last = inout[128] * factor[128];
    for (int k = 0; k < 128; k += 8) {
        const V8 r = load(inout + k), i = load(inout + 128 + k);
        const V8 fr = load(factor + k), fi = load(factor + 128 + k);
        store(inout + k, r * fr - i * fi);
        store(inout + 128 + k, r * fi + i * fr);
    }
    inout[0] = first;
    inout[128] = last;
}

float approach(float* delta, const float* target, const float* now, float amount, int count) {
    V8 sum = all(0.0F);
    for (int n = 0; n < count; n += 8) {
        const V8 d = (load(target + n) - load(now + n)) * all(amount);
        sum += d * d;
        store(delta + n, d);
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

void addTo(float* now, const float* delta, int count) {
    for (int n = 0; n < count; n += 8) {
        store(now + n, load(now + n) + load(delta + n));
    }
}

SBX_INLINE void addProduct(float* out, V8 xr, V8 xi, const float* h, int k) {
    const V8 hr = load(h + k), hi = load(h + 128 + k);
    store(out + k, load(out + k) + xr * hr - xi * hi);
    store(out + 128 + k, load(out + 128 + k) + xr * hi + xi * hr);
}

void accumulate(const float* re, const float* im, const float* h, const float* delta, float* steady,
                float* fading) {
    const float* filters[2] = {h, delta};
    float* outputs[2] = {steady, fading};
    const int kinds = delta != nullptr ? 2 : 1;
    // Left and right at the packed bins 0 and 128 (twice the value, like all below: the filters carry the
    // half).
    const float ends[4] = {2.0F * re[0], 2.0F * re[128], 2.0F * im[0], 2.0F * im[128]};
    float packed[8];
    for (int kind = 0; kind < kinds; ++kind) {
        for (int e = 0; e < 4; ++e) {
            packed[kind * 4 + e] = outputs[kind][e * 128] + ends[e] * filters[kind][e * 128];
        }
    }
    for (int k = 0; k < 128; k += 8) {
        const V8 zr = load(re + k), zi = load(im + k);
        const V8 mr = reversed(load(re + 256 - k - 7)), mi = reversed(load(im + 256 - k - 7));
        const V8 lr = zr + mr, li = zi - mi;
        const V8 rr = zi + mi, ri = mr - zr;
        addProduct(steady, lr, li, h, k);
        addProduct(steady + 256, rr, ri, h + 256, k);
        if (kinds == 2) {
            addProduct(fading, lr, li, delta, k);
            addProduct(fading + 256, rr, ri, delta + 256, k);
        }
    }
    for (int kind = 0; kind < kinds; ++kind) {
        for (int e = 0; e < 4; ++e) {
            outputs[kind][e * 128] = packed[kind * 4 + e];
        }
    }
}

void mix(float* out, const float* in, float from, float to, int count) {
    const V8 ramp = {0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F};
    const float step = (to - from) / static_cast<float>(count);
    for (int n = 0; n < count; n += 8) {
        store(out + n,
              load(out + n) + load(in + n) * (all(from) + (ramp + all(static_cast<float>(n))) * all(step)));
    }
}

float peak(const float* in, int count) {
    V8 most = all(0.0F);
    for (int n = 0; n < count; n += 8) {
        const V8 v = load(in + n);
        const V8 size = v < all(0.0F) ? -v : v;
        most = size > most ? size : most;
    }
    float result = 0.0F;
    for (int k = 0; k < 8; ++k) {
        result = most[k] > result ? most[k] : result;
    }
    return result;
}

void hadamard16(float* lanes) {
    V8 a = load(lanes), b = load(lanes + 8);
    const auto within = [](V8 v) {
        const V8 s1 = {1, -1, 1, -1, 1, -1, 1, -1};
        const V8 s2 = {1, 1, -1, -1, 1, 1, -1, -1};
        const V8 s4 = {1, 1, 1, 1, -1, -1, -1, -1};
        v = v * s1 + SBX_SHUFFLE(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
        v = v * s2 + SBX_SHUFFLE(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
        return v * s4 + SBX_SHUFFLE(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
    };
    const V8 sum = (a + b) * all(0.25F), difference = (a - b) * all(0.25F);
    store(lanes, within(sum));
    store(lanes + 8, within(difference));
}

} // namespace
