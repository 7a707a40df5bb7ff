#pragma once
// Four floats at a time: SSE2 on x86-64, plain loops elsewhere. Comparisons give one bit a lane.

#include <algorithm>
#include <cmath>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sbx::spatial::detail {

#if defined(__SSE2__)

struct Lanes {
    __m128 v;
};

inline Lanes load(const float* aligned) { return {_mm_load_ps(aligned)}; }
inline void store(float* aligned, Lanes a) { _mm_store_ps(aligned, a.v); }
inline Lanes all(float value) { return {_mm_set1_ps(value)}; }
inline Lanes lanes(float x, float y, float z, float w) { return {_mm_setr_ps(x, y, z, w)}; }
inline Lanes operator+(Lanes a, Lanes b) { return {_mm_add_ps(a.v, b.v)}; }
inline Lanes operator-(Lanes a, Lanes b) { return {_mm_sub_ps(a.v, b.v)}; }
inline Lanes operator*(Lanes a, Lanes b) { return {_mm_mul_ps(a.v, b.v)}; }
inline Lanes min(Lanes a, Lanes b) { return {_mm_min_ps(a.v, b.v)}; }
inline Lanes max(Lanes a, Lanes b) { return {_mm_max_ps(a.v, b.v)}; }
inline Lanes operator<=(Lanes a, Lanes b) { return {_mm_cmple_ps(a.v, b.v)}; }
inline Lanes operator<(Lanes a, Lanes b) { return {_mm_cmplt_ps(a.v, b.v)}; }
inline Lanes operator&(Lanes a, Lanes b) { return {_mm_and_ps(a.v, b.v)}; }
inline unsigned bits(Lanes a) { return static_cast<unsigned>(_mm_movemask_ps(a.v)); }
inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) { _MM_TRANSPOSE4_PS(a.v, b.v, c.v, d.v); }
inline float least(Lanes a) {
    __m128 m = _mm_min_ps(a.v, _mm_movehl_ps(a.v, a.v));
    m = _mm_min_ss(m, _mm_shuffle_ps(m, m, 1));
    return _mm_cvtss_f32(m);
}
inline float most(Lanes a) {
    __m128 m = _mm_max_ps(a.v, _mm_movehl_ps(a.v, a.v));
    m = _mm_max_ss(m, _mm_shuffle_ps(m, m, 1));
    return _mm_cvtss_f32(m);
}

#else

struct Lanes {
    float v[4];
};

namespace lanes_detail {
template <typename F> Lanes each(F f) {
    Lanes r;
    for (int i = 0; i < 4; ++i) {
        r.v[i] = f(i);
    }
    return r;
}
inline float truth(bool value) { return value ? -1.0F : 0.0F; }
} // namespace lanes_detail

inline Lanes load(const float* p) {
    return lanes_detail::each([&](int i) { return p[i]; });
}
inline void store(float* p, Lanes a) { std::copy(a.v, a.v + 4, p); }
inline Lanes all(float value) {
    return lanes_detail::each([&](int) { return value; });
}
inline Lanes lanes(float x, float y, float z, float w) { return {{x, y, z, w}}; }
inline Lanes operator+(Lanes a, Lanes b) {
    return lanes_detail::each([&](int i) { return a.v[i] + b.v[i]; });
}
inline Lanes operator-(Lanes a, Lanes b) {
    return lanes_detail::each([&](int i) { return a.v[i] - b.v[i]; });
}
inline Lanes operator*(Lanes a, Lanes b) {
    return lanes_detail::each([&](int i) { return a.v[i] * b.v[i]; });
}
inline Lanes min(Lanes a, Lanes b) {
    return lanes_detail::each([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
inline Lanes max(Lanes a, Lanes b) {
    return lanes_detail::each([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline Lanes operator<=(Lanes a, Lanes b) {
    return lanes_detail::each([&](int i) { return lanes_detail::truth(a.v[i] <= b.v[i]); });
}
inline Lanes operator<(Lanes a, Lanes b) {
    return lanes_detail::each([&](int i) { return lanes_detail::truth(a.v[i] < b.v[i]); });
}
inline Lanes operator&(Lanes a, Lanes b) { // of comparisons
    return lanes_detail::each([&](int i) { return lanes_detail::truth(a.v[i] < 0 && b.v[i] < 0); });
}
inline unsigned bits(Lanes a) {
    unsigned r = 0;
    for (unsigned i = 0; i < 4; ++i) {
        r |= std::signbit(a.v[i]) ? 1U << i : 0U;
    }
    return r;
}
inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
    const Lanes in[4] = {a, b, c, d};
    Lanes* const out[4] = {&a, &b, &c, &d};
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
            out[i]->v[k] = in[k].v[i];
        }
    }
}
inline float least(Lanes a) { return std::min(std::min(a.v[0], a.v[1]), std::min(a.v[2], a.v[3])); }
inline float most(Lanes a) { return std::max(std::max(a.v[0], a.v[1]), std::max(a.v[2], a.v[3])); }

#endif

} // namespace sbx::spatial::detail
