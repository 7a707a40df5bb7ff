#pragma once
// From a CameraView to matrices, rays and pixels, in perspective or orthographic. Pixels count from the top left, as windows
// do; a pixel's centre is at +0.5.

#include "engine/render/scene.h"

#include <optional>

namespace sbx::render {

struct Ray {
    Vec3 origin{0.0F};
    Vec3 direction{0.0F, 0.0F, -1.0F}; // unit length
};

// World to camera space (looks along -Z).
[[nodiscard]] Mat4 viewMatrix(const CameraView& camera);
// Camera to clip space, depth in [-1, 1] as OpenGL has it.
[[nodiscard]] Mat4 projectionMatrix(const CameraView& camera, float aspect);
// The ray through a place of a width x height picture. From the camera in perspective; all parallel and from the near plane
// in an orthographic picture.
[[nodiscard]] Ray rayThrough(const CameraView& camera, int width, int height, float x, float y);
// Where a point appears; z is its distance along the view direction in metres (negative behind the camera). Nothing for points
// behind the near plane.
[[nodiscard]] std::optional<Vec3> projectToPixel(const CameraView& camera, int width, int height,
                                                 const Vec3& point);
// Unit vector along which the camera sees a point; the same for all points of an orthographic picture.
[[nodiscard]] Vec3 sightTo(const CameraView& camera, const Vec3& point);
// The direction in which the camera looks, unit length.
[[nodiscard]] Vec3 forwardOf(const CameraView& camera);
// Metres that a pixel of a picture `height` pixels high covers, `depth` metres ahead.
[[nodiscard]] float metresPerPixel(const CameraView& camera, int height, float depth);
// How far from a perspective camera with the default field of view a plane appears as large as in this orthographic picture.
[[nodiscard]] float equivalentDistance(const CameraView& camera);
// A camera at `eye` that looks at `target`.
[[nodiscard]] CameraView lookAt(const Vec3& eye, const Vec3& target, float fovY = 0.9F);

} // namespace sbx::render
