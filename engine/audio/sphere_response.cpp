#include "engine/audio/detail/sphere_response.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace sbx::audio {

double sphereMagnitude(double radius, double distance, double angle, double frequency, double speedOfSound) {
    using C = std::complex<double>;
    const double x = std::cos(angle);
    const double mu = 2.0 * std::numbers::pi * frequency * radius / speedOfSound;
    const double rho = distance / radius;
    const C i(0.0, 1.0);
    const C zr = 1.0 / (i * mu * rho);
    const C za = 1.0 / (i * mu);
    C qr2 = zr;
    C qr1 = zr * (1.0 - zr);
    C qa2 = za;
    C qa1 = za * (1.0 - za);
    double p2 = 1.0;
    double p1 = x;
    C sum = zr / (za * (za - 1.0)) + (3.0 * x * zr * (zr - 1.0)) / (za * (2.0 * za * za - 2.0 * za + 1.0));
    int small = 0;
    for (int m = 2; m < 400 && small < 3; ++m) {
        const C qr = -(2.0 * m - 1.0) * zr * qr1 + qr2;
        const C qa = -(2.0 * m - 1.0) * za * qa1 + qa2;
        const double p = ((2.0 * m - 1.0) * x * p1 - (m - 1.0) * p2) / m;
        const C term = ((2.0 * m + 1.0) * p * qr) / ((m + 1.0) * za * qa - qa1);
        sum += term;
        small = std::abs(term) < 1e-7 * std::abs(sum) ? small + 1 : 0;
        qr2 = qr1;
        qr1 = qr;
        qa2 = qa1;
        qa1 = qa;
        p2 = p1;
        p1 = p;
        // Both grow without bound; a term is their quotient, so both may shrink by the same power of two.
        if (const double size = std::abs(qa1); size > 1e100) {
            const double down = std::ldexp(1.0, -300);
            qr2 *= down;
            qr1 *= down;
            qa2 *= down;
            qa1 *= down;
        }
    }
    return rho / mu * std::abs(sum);
}

double woodworthItd(double radius, double lateral, double speedOfSound) {
    return radius / speedOfSound * (lateral + std::sin(lateral));
}

} // namespace sbx::audio
