#include "engine/render/frame_plan.h"

#include "engine/render/cpu_clock.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sbx::render {
namespace {

constexpr float CoarseBelow = 26.0F;  // pixels of radius under which a coarse mesh does
constexpr float OccluderReach = 2.5F; // metres above the floor; higher things shade no sky
constexpr float AirborneClearance = 1.2F;
constexpr float WidestPenumbra = 0.34F; // metres of radius

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
    const bool flat = camera.orthographic();
    const float tangent = flat ? camera.orthoHeight * 0.5F : std::tan(camera.fovY * 0.5F);
    const Environment& sky = scene.environment;
    block.viewProjection = projectionMatrix(camera, aspect) * viewMatrix(camera);
    block.cameraPosition = Vec4(camera.pose.position, sky.exposure * settings.exposure);
    block.cameraRight = Vec4(camera.pose.rotation * Vec3(1.0F, 0.0F, 0.0F), tangent * aspect);
    block.cameraUp = Vec4(camera.pose.rotation * Vec3(0.0F, 1.0F, 0.0F), tangent);
    block.cameraForward = Vec4(forwardOf(camera), flat ? equivalentDistance(camera) : 0.0F);
    // No air lies between a drawing and the eye.
    block.zenith = Vec4(sky.zenith, flat ? 0.0F : std::max(sky.fogDensity, 0.0F));
    block.horizon = Vec4(sky.horizon, sky.ambient);
    const auto width = static_cast<float>(view.width);
    const auto height = static_cast<float>(view.height);
    block.viewport = {width, height, 1.0F / width, 1.0F / height};
}

// Whether the sphere that a lamp lights meets the view; the far plane aside, where fog is all there is.
bool FramePlan::reachesPicture(const PointLight& light) const {
    const Vec3 to = light.position - Vec3(block.cameraPosition);
    const float ahead = glm::dot(to, Vec3(block.cameraForward));
    if (block.cameraForward.w > 0.0F) { // orthographic
        const auto reaches = [&](const Vec4& side) { return std::abs(glm::dot(to, Vec3(side))) <= side.w + light.range; };
        return reaches(block.cameraRight) && reaches(block.cameraUp);
    }
    if (ahead < -light.range) {
        return false;
    }
    const auto beside = [&](const Vec4& side) {
        const float tangent = side.w;
        return std::abs(glm::dot(to, Vec3(side))) - std::max(ahead, 0.0F) * tangent > light.range * std::sqrt(1.0F + tangent * tangent);
    };
    return !beside(block.cameraRight) && !beside(block.cameraUp);
}

void FramePlan::fillLights(const Scene& scene, const View& view) {
    // Lamps that light nothing in the picture are left out first; of the others the nearest shine. The order is kept stable by
    // distance, then by place in the scene.
    struct Candidate {
        float distance;
        std::size_t index;
    };
    std::vector<Candidate> candidates;
    const Vec3 eye = view.camera.pose.position;
    for (std::size_t i = 0; i < scene.lights.size(); ++i) {
        const PointLight& light = scene.lights[i];
        if (isFinite(light.position) && light.range > 0.0F && light.intensity > 0.0F && reachesPicture(light)) {
            Vec3 away = light.position - eye;
            if (view.camera.orthographic()) {
                away -= Vec3(block.cameraForward) * glm::dot(away, Vec3(block.cameraForward));
            }
            candidates.push_back({glm::length(away) - light.range, i});
        }
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
    });
    const std::size_t count = std::min(candidates.size(), MaximumLights);
    for (std::size_t i = 0; i < count; ++i) {
        const PointLight& light = scene.lights[candidates[i].index];
        block.lightPosition[i] = Vec4(light.position, 1.0F / (light.range * light.range));
        block.lightColor[i] = Vec4(light.color * light.intensity, 0.0F);
    }
    lights = static_cast<int>(count);
    darkLights = static_cast<int>(candidates.size() - count);
    block.groundColor = Vec4(scene.environment.ground, static_cast<float>(count));
}

// The hemisphere as a matt surface sees it: a constant and a slope, with a little more from the sun's side.
void FramePlan::fillSky(const Scene& scene) {
    const Environment& sky = scene.environment;
    const Vec3 above = glm::mix(sky.horizon, sky.zenith, 0.55F);
    const Vec3 sun = scene.sun.color * scene.sun.intensity;
    block.sunColor = Vec4(sun, 0.0F);
    block.heightRange.w = glm::clamp(sky.clouds, 0.0F, 1.0F);
    const Vec3 toSun = -fit.forward;
    for (int channel = 0; channel < 3; ++channel) {
        const float warm = 0.022F * sun[channel];
        block.scattered[static_cast<std::size_t>(channel)] = {
            warm * toSun.x, 0.5F * (above[channel] - sky.ground[channel]), warm * toSun.z,
            0.5F * (above[channel] + sky.ground[channel]) + warm};
    }
}

void FramePlan::fillShadow(const Settings& settings) {
    hasShadow = settings.shadows && !fit.empty;
    // Square texels: the short side of the map gets fewer.
    const int size = std::clamp(settings.shadowSize, 256, 4096) / 64 * 64;
    const float longest = std::max(fit.extent.x, fit.extent.y);
    const float texel = longest / static_cast<float>(size);
    const auto texels = [&](float extent) {
        return std::clamp(static_cast<int>(std::ceil(extent / texel / 64.0F - 0.01F)) * 64, 64, size);
    };
    shadowWidth = texels(fit.extent.x);
    shadowHeight = texels(fit.extent.y);
    block.toSun = Vec4(-fit.forward, 0.0F);
    block.shadowMatrix = fit.matrix;
    block.shadowScale = {1.0F / fit.extent.x, 1.0F / fit.extent.y, fit.depth, texel};
    // No wider than a tile of the shadow map (shadow_map.h).
    block.shadowRight = Vec4(fit.right, std::clamp(longest / 128.0F, texel, std::max(texel, WidestPenumbra)));
    block.shadowUp = Vec4(fit.up, 0.0F);
}

void FramePlan::place(const Scene& scene, const MeshLookup& meshes) {
    const CpuClock clock;
    m_index.update(scene, meshes);
    cullMs = clock.milliseconds();
    const std::vector<SceneIndex::Placed>& placed = m_index.placed();
    m_casts.assign(placed.size(), 0);
    m_casters.clear();
    m_floors.clear();
    float lowest = std::numeric_limits<float>::max(); // of what stands on floors
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const Instance& instance = scene.instances[i];
        m_casts[i] = placed[i].mesh && instance.castsShadow && instance.color.a >= 1.0F ? 1 : 0;
        if (m_casts[i] != 0 && !isSlab(placed[i].bounds)) {
            lowest = std::min(lowest, placed[i].bounds.minimum.y);
        }
    }
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const Bounds& bounds = placed[i].bounds;
        if (isSlab(bounds) && bounds.maximum.y <= lowest + 0.6F) {
            m_casts[i] = 0; // a floor under everything: shades nothing
            m_floors.push_back(bounds);
        }
        if (m_casts[i] != 0) {
            m_casters.push_back(bounds);
        }
    }
}

bool FramePlan::reachedByLight(const Bounds& bounds) const {
    for (int i = 0; i < lights; ++i) {
        const Vec4& light = block.lightPosition[static_cast<std::size_t>(i)];
        const Vec3 away = Vec3(light) - glm::clamp(Vec3(light), bounds.minimum, bounds.maximum);
        if (glm::dot(away, away) * light.w < 1.0F) {
            return true;
        }
    }
    return false;
}

void FramePlan::section(BatchRange& range, const std::vector<Instance>& instances,
                        BatchList::Grouping grouping) {
    range.first = list.batches.size();
    list.add(instances, m_items, grouping);
    range.last = list.batches.size();
    m_items.clear();
}

void FramePlan::planSeen(const Scene& scene, const View& view, const Settings& settings) {
    const auto& instances = scene.instances;
    const Frustum frustum(block.viewProjection);
    const Vec3 eye = view.camera.pose.position;
    const bool flat = view.camera.orthographic();
    const float pixelsAtOneMetre = 1.0F / metresPerPixel(view.camera, view.height, 1.0F);
    m_clear.clear();
    const CpuClock clock;
    cullNodes = static_cast<int>(m_index.inFrustum(spatial::Frustum::of(block.viewProjection), m_seen).nodes);
    cullMs += clock.milliseconds();
    for (const std::uint32_t i : m_seen) {
        const SceneIndex::Placed& placed = m_index.placed()[i];
        // The body at the camera is not drawn, but its shadow is.
        const bool own = view.camera.entity != 0 && instances[i].entity == view.camera.entity;
        if (own || !frustum.touchesSphere(placed.bounds.centre(), placed.radius)) {
            continue;
        }
        const float distance = flat ? glm::dot(placed.bounds.centre() - eye, Vec3(block.cameraForward)) - view.camera.nearPlane
                                    : glm::distance(placed.bounds.centre(), eye);
        const bool coarse = placed.radius * pixelsAtOneMetre < CoarseBelow * (flat ? 1.0F : distance);
        // By the far end: a wall the camera stands at is large and near, yet behind much.
        (instances[i].color.a < 1.0F ? m_clear : m_items)
            .push_back({i, distance + placed.radius, coarse,
                        reachedByLight(placed.bounds), isSlab(placed.bounds)});
        const Vec3& emissive = instances[i].emissive;
        const float shine = std::max({emissive.r, emissive.g, emissive.b});
        if (settings.halos && shine > (instances[i].material == Material::Glow ? 0.05F : 0.8F)) {
            halos.push_back(
                {placed.bounds.centre(), placed.radius * 2.6F, emissive * (0.30F / (0.6F + shine)), 0.0F});
        }
    }
    section(opaque, instances, BatchList::Grouping::ByLook);
    std::sort(m_clear.begin(), m_clear.end(), [](const BatchItem& a, const BatchItem& b) {
        return a.distance != b.distance ? a.distance > b.distance : a.instance < b.instance;
    });
    m_items = m_clear;
    section(blended, instances, BatchList::Grouping::InOrder);
}

void FramePlan::planCasters(const std::vector<Instance>& instances, const Settings& settings) {
    if (hasShadow) {
        for (std::size_t i = 0; i < instances.size(); ++i) {
            if (m_casts[i] == 0) {
                continue;
            }
            const Vec3 centre = Vec3(fit.matrix * Vec4(m_index.placed()[i].bounds.centre(), 1.0F));
            const Vec2 reach = Vec2(m_index.placed()[i].radius) / fit.extent + 0.5F;
            if (std::abs(centre.x - 0.5F) <= reach.x && std::abs(centre.y - 0.5F) <= reach.y) {
                m_items.push_back({static_cast<std::uint32_t>(i), centre.z, true, false, false});
            }
        }
    }
    section(shadow, instances, BatchList::Grouping::ByMesh);

    hasOccluders = settings.ambientOcclusion && !fit.empty;
    if (hasOccluders) {
        occluders = fit.region;
        const float floor = occluders.minimum.y;
        occluders.maximum.y = std::min(occluders.maximum.y, floor + 3.0F * OccluderReach);
        for (std::size_t i = 0; i < instances.size(); ++i) {
            // What flies high over the floor takes no sky from it.
            if (m_casts[i] != 0
                && m_index.placed()[i].bounds.minimum.y < floor + OccluderReach + AirborneClearance) {
                m_items.push_back({static_cast<std::uint32_t>(i), 0.0F, true, false, false});
            }
        }
    }
    section(heights, instances, BatchList::Grouping::ByMesh);
}

void FramePlan::planSelection(const std::vector<Instance>& instances, const View& view) {
    m_selection.clear();
    const bool grouped = view.outlineGroups.size() == view.selected.size();
    for (std::size_t i = 0; i < view.selected.size(); ++i) {
        m_selection.emplace(view.selected[i], grouped ? view.outlineGroups[i] : static_cast<std::uint32_t>(i));
    }
    m_selection.erase(0);
    for (std::size_t i = 0; i < instances.size() && !m_selection.empty(); ++i) {
        const auto group = m_index.placed()[i].mesh ? m_selection.find(instances[i].entity) : m_selection.end();
        if (group != m_selection.end()) {
            m_items.push_back({static_cast<std::uint32_t>(i), 0.0F, false, false, false, group->second,
                               group->second == view.primaryGroup});
            selectedBounds.push_back(m_index.placed()[i].bounds);
        }
    }
    section(selected, instances, BatchList::Grouping::ByMesh);
}

void FramePlan::build(const Scene& scene, const View& view, const Settings& settings,
                      const MeshLookup& meshes) {
    list.clear();
    halos.clear();
    selectedBounds.clear();
    m_items.clear();
    block = FrameBlock{};
    fillCamera(view, scene, settings);
    fillLights(scene, view);
    place(scene, meshes);
    fit = fitShadow(scene.sun.direction, m_casters, view.camera, std::max(settings.shadowDistance, 1.0F), m_floors);
    fillShadow(settings);
    fillSky(scene);
    planSeen(scene, view, settings);
    planCasters(scene.instances, settings);
    planSelection(scene.instances, view);
}

} // namespace sbx::render
