#include "engine/render/shadow_fit.h"

#include "engine/render/camera.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sbx::render {
namespace {

constexpr float Huge = std::numeric_limits<float>::max();

struct LightBox {
    Vec3 minimum{Huge};
    Vec3 maximum{-Huge};

    void add(const Vec3& low, const Vec3& high) {
        minimum = glm::min(minimum, low);
        maximum = glm::max(maximum, high);
    }
    [[nodiscard]] bool empty() const { return minimum.x > maximum.x; }
};

// Outward to multiples of a sixteenth of the extent's power of two.
void snap(float& low, float& high) {
    const float step = std::exp2(std::ceil(std::log2(std::max(high - low, 0.5F)))) / 16.0F;
    low = std::floor(low / step) * step;
    high = std::ceil(high / step) * step;
}

} // namespace

bool isSlab(const Bounds& bounds) {
    const Vec3 size = bounds.size();
    const float breadth = std::min(size.x, size.z);
    return breadth > 10.0F && size.y < breadth * 0.12F;
}

ShadowFit fitShadow(const Vec3& sunDirection, const std::vector<Bounds>& casters, const CameraView& camera,
                    float distance, const std::vector<Bounds>& floors) {
    ShadowFit fit;
    const float length = glm::length(sunDirection);
    fit.forward = length > 1e-6F && isFinite(sunDirection) ? sunDirection / length : Vec3(0.0F, -1.0F, 0.0F);
    const Vec3 helper = std::abs(fit.forward.y) > 0.99F ? Vec3(0.0F, 0.0F, -1.0F) : Vec3(0.0F, 1.0F, 0.0F);
    fit.right = glm::normalize(glm::cross(fit.forward, helper));
    fit.up = glm::cross(fit.right, fit.forward);

    const Vec3 sight = forwardOf(camera);
    // An orthographic picture shows all depths alike: what counts is how far to the side of its middle something lies.
    const Vec3 focus = camera.pose.position + sight * (camera.orthographic() ? equivalentDistance(camera) : 0.4F * distance);
    const auto awayFrom = [&](const Vec3& point) {
        const Vec3 away = point - focus;
        return glm::length(camera.orthographic() ? away - sight * glm::dot(away, sight) : away);
    };
    LightBox fitted;
    LightBox all;
    LightBox region;
    std::vector<const Bounds*> below; // floors, which may lie under what casts
    for (const bool slabs : {false, true}) {
        for (const Bounds& bounds : casters) {
            const Vec3 centre = bounds.centre();
            const Vec3 half = bounds.size() * 0.5F;
            if (!isFinite(centre) || !isFinite(half)
                || awayFrom(centre) - glm::length(half) > distance) {
                continue;
            }
            const auto along = [&](const Vec3& axis) { return glm::dot(glm::abs(axis), half); };
            const Vec3 seen(glm::dot(fit.right, centre), glm::dot(fit.up, centre),
                            glm::dot(fit.forward, centre));
            const Vec3 reach(along(fit.right), along(fit.up), along(fit.forward));
            all.add(seen - reach, seen + reach);
            if (slabs || !isSlab(bounds)) {
                fitted.add(seen - reach, seen + reach);
                region.add(bounds.minimum, bounds.maximum);
            } else {
                below.push_back(&bounds);
            }
        }
        if (!fitted.empty()) {
            break;
        }
    }
    if (fitted.empty()) {
        return fit;
    }
    const Vec2 middle(glm::dot(fit.right, focus), glm::dot(fit.up, focus));
    Vec2 low(fitted.minimum);
    Vec2 high(fitted.maximum);
    for (int axis = 0; axis < 2; ++axis) {
        if (high[axis] - low[axis] > 2.0F * distance) {
            // Too much for one map: a window of fixed size around the focus, moved in steps.
            const float step = distance / 8.0F;
            const float centre = std::round(middle[axis] / step) * step;
            low[axis] = centre - distance;
            high[axis] = centre + distance;
        } else {
            snap(low[axis], high[axis]);
        }
    }
    for (const Bounds& bounds : floors) {
        const Vec3 half = bounds.size() * 0.5F;
        if (isFinite(bounds.centre()) && isFinite(half) && awayFrom(bounds.centre()) - glm::length(half) <= distance) {
            below.push_back(&bounds);
        }
    }
    float near = all.minimum.z;
    float far = all.maximum.z;
    fit.region = {region.minimum, region.maximum};
    for (const Bounds* floor : below) {
        // What is lit has to lie before the map's far plane: as deep as the floor is seen at the corners of the map, but not deeper
        // than it is.
        const float top = floor->maximum.y;
        const float reach = glm::dot(fit.forward, floor->centre()) + glm::dot(glm::abs(fit.forward), floor->size() * 0.5F);
        float deepest = reach;
        if (fit.forward.y < -0.01F) {
            deepest = -Huge;
            for (const float across : {low.x, high.x}) {
                for (const float along : {low.y, high.y}) {
                    deepest = std::max(deepest, (top - fit.right.y * across - fit.up.y * along) / fit.forward.y);
                }
            }
        }
        far = std::max(far, std::min(deepest, reach));
        // And the region goes down to it: what is in the air stands above it, and a place on it lies in the region.
        if (floor->maximum.x > region.minimum.x && floor->minimum.x < region.maximum.x && floor->maximum.z > region.minimum.z
            && floor->minimum.z < region.maximum.z) {
            fit.region.minimum.y = std::min(fit.region.minimum.y, top);
        }
    }
    // A little room for the filter, and so that nothing lies on the near plane.
    snap(near, far);
    fit.empty = false;
    fit.extent = high - low;
    fit.depth = far - near + 1.0F;
    const auto row = [&](int index, const Vec3& axis, float scale, float shift) {
        fit.matrix[0][index] = axis.x * scale;
        fit.matrix[1][index] = axis.y * scale;
        fit.matrix[2][index] = axis.z * scale;
        fit.matrix[3][index] = shift;
    };
    row(0, fit.right, 1.0F / fit.extent.x, -low.x / fit.extent.x);
    row(1, fit.up, 1.0F / fit.extent.y, -low.y / fit.extent.y);
    row(2, fit.forward, 1.0F / fit.depth, -(near - 0.5F) / fit.depth);
    return fit;
}

} // namespace sbx::render
