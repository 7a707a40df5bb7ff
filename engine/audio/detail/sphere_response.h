#pragma once
// The rigid sphere: pressure at a point of its surface for a point source at any distance. Near-field
// correction, fallback when no HRTF file is there, and the oracle of the tests. For load time.
// Source: R. O. Duda and W. L. Martens, "Range dependence of the response of a spherical head model", 1998.

namespace sbx::audio {

// Magnitude at the surface relative to the free field at the centre. radius, distance > radius (m); angle
// between source and point (radians); frequency (Hz, > 0).
[[nodiscard]] double sphereMagnitude(double radius, double distance, double angle, double frequency,
                                     double speedOfSound);

// Seconds by which the ear on the far side hears later than the near one: a (theta + sin theta) / c for a
// source at `lateral` radians (0 to pi/2) off the median plane. Source: R. S. Woodworth, "Experimental
// Psychology", 1938.
[[nodiscard]] double woodworthItd(double radius, double lateral, double speedOfSound);

} // namespace sbx::audio
