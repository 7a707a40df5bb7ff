#include "engine/render/frame_plan.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>

namespace sbx::render {
namespace {

constexpr float CoarseBelow = 26.0F;     // pixels of radius under which a coarse mesh does
constexpr float OccluderReach = 2.5F;    // metres above the floor; higher things shade no sky
constexpr float AirborneClearance = 1.2F;

bool isDrawable(const Pose& pose) {
    return isFinite(pose.position) && isFinite(pose.scale) && isFinite(pose.rotation) && pose.scale.x != 0.0F &&
           pose.scale.y != 0.0F && pose.scale.z != 0.0F;
}

} // namespace

Settings softwareSettings() {
    Settings settings;
    settings.msaaSamples = 0;
    settings.shadowSize = 1024;
    return settings;
}

void FramePlan::fillCamera(const View& view, const Scene& scene, const Settings& settings) {
    const CameraView& camera = view.camera;
    const float aspect = static_cast<float>(view.width) / static_cast<float>(view.height);
    const float tangent = std::tan(camera.fovY * 0.5F);
    const Environment& sky = scene.environment;
    block.viewProjection = projectionMatrix(camera, aspect) * viewMatrix(camera);
    block.cameraPosition = Vec4(camera.pose.position, sky.exposure * settings.exposure);
    block.cameraRight = Vec4(camera.pose.rotation * Vec3(1.0F, 0.0F, 0.0F), tangent * aspect);
    block.cameraUp = Vec4(camera.pose.rotation * Vec3(0.0F, 1.0F, 0.0F), tangent);
    block.cameraForward = Vec4(camera.pose.rotation * Vec3(0.0F, 0.0F, -1.0F), 0.0F);
    block.zenith = Vec4(sky.zenith, std::max(sky.fogDensity, 0.0F));
    block.horizon = Vec4(sky.horizon, sky.ambient);
    const auto width = static_cast<float>(view.width);
    const auto height = static_cast<float>(view.height);
    block.viewport = {width, height, 1.0F / width, 1.0F / height};
}

void FramePlan::fillLights(const Scene& scene, const View& view) {
    // The nearest lights to what the camera looks at; the order is kept stable by distance, then by place in the scene.
    struct Candidate {
        float distance;
        std::size_t index;
    };
    std::vector<Candidate> candidates;
    const Vec3 eye = view.camera.pose.position;
    for (std::size_t i = 0; i < scene.lights.size(); ++i) {
        const PointLight& light = scene.lights[i];
        if (isFinite(light.position) && light.range > 0.0F && light.intensity > 0.0F) {
            candidates.push_back({glm::distance(light.position, eye) - light.range, i});
        }
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
    });
    const std::size_t count = std::min(candidates.size(), MaximumLights);
    for (std::size_t i = 0; i < count; ++i) {
        const PointLight& light = scene.lights[candidates[i].index];
        block.lightPosition[i] = Vec4(light.position, light.range);
        block.lightColor[i] = Vec4(light.color * light.intensity, 0.0F);
    }
    block.groundColor = Vec4(scene.environment.ground, static_cast<float>(count));
}

void FramePlan::fillShadow(const Settings& settings) {
    shadowSize = std::clamp(settings.shadowSize, 256, 4096);
    block.toSun = Vec4(-fit.forward, settings.shadows && !fit.empty ? 1.0F : 0.0F);
    block.sunColor.w = settings.softShadows ? 1.0F : 0.0F;
    block.shadowMatrix = fit.matrix;
    const float texel = std::max(fit.extent.x, fit.extent.y) / static_cast<float>(shadowSize);
    block.shadowScale = {1.0F / fit.extent.x, 1.0F / fit.extent.y, fit.depth, texel};
    block.shadowRight = Vec4(fit.right, 0.0F);
    block.shadowUp = Vec4(fit.up, 0.0F);
}

void FramePlan::build(const Scene& scene, const View& view, const Settings& settings, const MeshLookup& meshes) {
    list.clear();
    halos.clear();
    selectedBounds.clear();
    m_casters.clear();
    block = FrameBlock{};
    fillCamera(view, scene, settings);
    fillLights(scene, view);
    block.sunColor = Vec4(scene.sun.color * scene.sun.intensity, 0.0F);

    const auto& instances = scene.instances;
    m_placed.assign(instances.size(), {});
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (!isDrawable(instances[i].pose)) {
            continue;
        }
        Placed& placed = m_placed[i];
        placed.mesh = meshes(instances[i].mesh);
        if (placed.mesh) {
            placed.bounds = worldBounds(instances[i].pose, placed.mesh->bounds);
            placed.radius = glm::length(placed.mesh->bounds.size() * instances[i].pose.scale) * 0.5F;
        }
    }

    const auto casts = [&](std::size_t i) {
        return m_placed[i].mesh && instances[i].castsShadow && instances[i].color.a >= 1.0F;
    };
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (casts(i)) {
            m_casters.push_back(m_placed[i].bounds);
        }
    }
    fit = fitShadow(scene.sun.direction, m_casters, view.camera, std::max(settings.shadowDistance, 1.0F));
    fillShadow(settings);

    const Frustum frustum(block.viewProjection);
    const Vec3 eye = view.camera.pose.position;
    const float pixelsAtOneMetre = static_cast<float>(view.height) * 0.5F / std::tan(view.camera.fovY * 0.5F);
    const auto item = [&](std::size_t i) {
        const float distance = glm::distance(m_placed[i].bounds.centre(), eye);
        const bool coarse = m_placed[i].radius * pixelsAtOneMetre < CoarseBelow * distance;
        // By the far end: a floor the camera stands on is large and near, yet behind everything.
        return BatchItem{static_cast<std::uint32_t>(i), coarse, distance + m_placed[i].radius};
    };
    const auto section = [&](BatchRange& range, bool keepOrder) {
        range.first = list.batches.size();
        list.add(instances, m_items, keepOrder);
        range.last = list.batches.size();
        m_items.clear();
    };

    m_items.clear();
    std::vector<BatchItem> clear;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (!m_placed[i].mesh || !frustum.touchesSphere(m_placed[i].bounds.centre(), m_placed[i].radius)) {
            continue;
        }
        (instances[i].color.a < 1.0F ? clear : m_items).push_back(item(i));
        const float shine = std::max({instances[i].emissive.r, instances[i].emissive.g, instances[i].emissive.b});
        if (settings.halos && instances[i].material == Material::Glow && shine > 0.05F) {
            const float radius = m_placed[i].radius;
            halos.push_back({m_placed[i].bounds.centre(), radius * 3.2F,
                             instances[i].emissive * (0.42F / (0.6F + shine)), 0.3F});
        }
    }
    section(opaque, false);
    std::sort(clear.begin(), clear.end(), [](const BatchItem& a, const BatchItem& b) {
        return a.distance != b.distance ? a.distance > b.distance : a.instance < b.instance;
    });
    m_items = clear;
    section(blended, true);

    if (settings.shadows && !fit.empty) {
        for (std::size_t i = 0; i < instances.size(); ++i) {
            if (!casts(i)) {
                continue;
            }
            const Vec3 centre = Vec3(fit.matrix * Vec4(m_placed[i].bounds.centre(), 1.0F));
            const Vec2 reach = Vec2(m_placed[i].radius) / fit.extent + 0.5F;
            if (std::abs(centre.x - 0.5F) <= reach.x && std::abs(centre.y - 0.5F) <= reach.y) {
                m_items.push_back({static_cast<std::uint32_t>(i), true, centre.z});
            }
        }
    }
    section(shadow, false);

    hasOccluders = settings.ambientOcclusion && !fit.empty;
    if (hasOccluders) {
        occluders = fit.region;
        const float floor = occluders.minimum.y;
        occluders.maximum.y = std::min(occluders.maximum.y, floor + 3.0F * OccluderReach);
        for (std::size_t i = 0; i < instances.size(); ++i) {
            const Bounds& bounds = m_placed[i].bounds;
            // What flies high over the floor takes no sky from it.
            if (casts(i) && bounds.minimum.y < floor + OccluderReach + AirborneClearance && !isSlab(bounds)) {
                m_items.push_back({static_cast<std::uint32_t>(i), true, 0.0F});
            }
        }
    }
    section(heights, false);

    m_selection.clear();
    m_selection.insert(view.selected.begin(), view.selected.end());
    m_selection.erase(0);
    if (!m_selection.empty()) {
        for (std::size_t i = 0; i < instances.size(); ++i) {
            if (m_placed[i].mesh && m_selection.contains(instances[i].entity)) {
                m_items.push_back({static_cast<std::uint32_t>(i), false, 0.0F});
                selectedBounds.push_back(m_placed[i].bounds);
            }
        }
    }
    section(selected, false);
}

} // namespace sbx::render
