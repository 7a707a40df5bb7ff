#include "engine/render/camera.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>

namespace sbx::render {
namespace {

float aspectOf(int width, int height) {
    return static_cast<float>(std::max(width, 1)) / static_cast<float>(std::max(height, 1));
}

} // namespace

Mat4 viewMatrix(const CameraView& camera) {
    return glm::mat4_cast(glm::conjugate(camera.pose.rotation))
           * glm::translate(Mat4(1.0F), -camera.pose.position);
}

Mat4 projectionMatrix(const CameraView& camera, float aspect) {
    if (camera.orthographic()) {
        const float up = camera.orthoHeight * 0.5F;
        const float right = up * aspect;
        return glm::ortho(-right, right, -up, up, camera.nearPlane, camera.farPlane);
    }
    return glm::perspective(camera.fovY, aspect, camera.nearPlane, camera.farPlane);
}

Ray rayThrough(const CameraView& camera, int width, int height, float x, float y) {
    const float tangent = camera.orthographic() ? camera.orthoHeight * 0.5F : std::tan(camera.fovY * 0.5F);
    const float right =
        (2.0F * x / static_cast<float>(std::max(width, 1)) - 1.0F) * tangent * aspectOf(width, height);
    const float up = (1.0F - 2.0F * y / static_cast<float>(std::max(height, 1))) * tangent;
    if (camera.orthographic()) {
        return {camera.pose.position + camera.pose.rotation * Vec3(right, up, -camera.nearPlane), forwardOf(camera)};
    }
    return {camera.pose.position, glm::normalize(camera.pose.rotation * Vec3(right, up, -1.0F))};
}

std::optional<Vec3> projectToPixel(const CameraView& camera, int width, int height, const Vec3& point) {
    const Vec3 seen = glm::conjugate(camera.pose.rotation) * (point - camera.pose.position);
    const float depth = -seen.z;
    if (!(depth >= camera.nearPlane)) {
        return std::nullopt;
    }
    // Half the picture's height there.
    const float half = camera.orthographic() ? camera.orthoHeight * 0.5F : depth * std::tan(camera.fovY * 0.5F);
    const float right = seen.x / (half * aspectOf(width, height));
    const float up = seen.y / half;
    return Vec3((right + 1.0F) * 0.5F * static_cast<float>(width),
                (1.0F - up) * 0.5F * static_cast<float>(height), depth);
}

Vec3 forwardOf(const CameraView& camera) { return camera.pose.rotation * Vec3(0.0F, 0.0F, -1.0F); }

Vec3 sightTo(const CameraView& camera, const Vec3& point) {
    const Vec3 away = point - camera.pose.position;
    const float length = glm::length(away);
    return camera.orthographic() || !(length > 0.0F) ? forwardOf(camera) : away / length;
}

float metresPerPixel(const CameraView& camera, int height, float depth) {
    const float metres = camera.orthographic() ? camera.orthoHeight : 2.0F * depth * std::tan(camera.fovY * 0.5F);
    return metres / static_cast<float>(std::max(height, 1));
}

float equivalentDistance(const CameraView& camera) {
    return camera.orthoHeight * 0.5F / std::tan(CameraView{}.fovY * 0.5F);
}

CameraView lookAt(const Vec3& eye, const Vec3& target, float fovY) {
    CameraView camera;
    camera.pose.position = eye;
    camera.fovY = fovY;
    const Vec3 forward = target - eye;
    if (glm::dot(forward, forward) > 1e-12F) {
        const Vec3 along = glm::normalize(forward);
        const Vec3 up = std::abs(along.y) > 0.9999F ? Vec3(0.0F, 0.0F, -1.0F) : Vec3(0.0F, 1.0F, 0.0F);
        camera.pose.rotation = glm::quatLookAt(along, up);
    }
    return camera;
}

} // namespace sbx::render
