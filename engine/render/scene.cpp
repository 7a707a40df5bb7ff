#include "engine/render/scene.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_map>

namespace sbx::render {
namespace {

struct PartKey {
    std::uint64_t entity;
    std::uint32_t part;
    friend bool operator==(const PartKey&, const PartKey&) = default;
};
struct PartKeyHash {
    std::size_t operator()(const PartKey& key) const noexcept {
        const std::uint64_t mixed =
            (key.entity ^ (static_cast<std::uint64_t>(key.part) << 48U)) * 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(mixed ^ (mixed >> 29U));
    }
};

// Finds the counterpart of items of `current` in `previous`. While both lists keep step no table is built.
template <typename Item> class Counterparts {
public:
    explicit Counterparts(const std::vector<Item>& previous) : m_previous(previous) {}

    const Item* of(const Item& item) {
        if (item.entity == 0) {
            return nullptr;
        }
        if (m_next < m_previous.size() && same(m_previous[m_next], item)) {
            return &m_previous[m_next++];
        }
        if (m_table.empty()) {
            m_table.reserve(m_previous.size());
            for (std::size_t i = 0; i < m_previous.size(); ++i) {
                m_table.emplace(PartKey{m_previous[i].entity, m_previous[i].part}, i);
            }
        }
        const auto found = m_table.find({item.entity, item.part});
        if (found == m_table.end()) {
            return nullptr;
        }
        m_next = found->second + 1;
        return &m_previous[found->second];
    }

private:
    static bool same(const Item& a, const Item& b) { return a.entity == b.entity && a.part == b.part; }

    const std::vector<Item>& m_previous;
    std::unordered_map<PartKey, std::size_t, PartKeyHash> m_table;
    std::size_t m_next = 0;
};

bool jumped(const Vec3& from, const Vec3& to) {
    const Vec3 step = to - from;
    // Written so that a position that is not finite counts as a jump.
    return !(glm::dot(step, step) <= TeleportDistance * TeleportDistance);
}

template <typename T> T blend(const T& from, const T& to, float alpha) { return from + (to - from) * alpha; }

} // namespace

const std::vector<std::string>& materialNames() {
    static const std::vector<std::string> Names = {"plain", "stone", "plaster", "wood", "crate",
                                                   "metal", "brass", "glow",    "grass"};
    return Names;
}

Pose interpolate(const Pose& from, const Pose& to, float alpha) {
    Pose pose;
    pose.position = blend(from.position, to.position, alpha);
    pose.scale = blend(from.scale, to.scale, alpha);
    const float cosine = glm::dot(from.rotation, to.rotation);
    if (from.rotation == to.rotation) {
        pose.rotation = to.rotation;
    } else if (std::abs(cosine) > 0.98F) {
        const Quat start = cosine < 0.0F ? -from.rotation : from.rotation;
        pose.rotation = glm::normalize(start * (1.0F - alpha) + to.rotation * alpha);
    } else {
        pose.rotation = glm::normalize(glm::slerp(from.rotation, to.rotation, alpha));
    }
    return pose;
}

void interpolate(const Scene& previous, const Scene& current, float alpha, Scene& out) {
    alpha = std::clamp(alpha, 0.0F, 1.0F);
    out.instances = current.instances;
    out.lights = current.lights;
    out.sun = current.sun;
    out.environment = current.environment;
    out.camera = current.camera;
    if (alpha >= 1.0F) {
        return;
    }
    Counterparts<Instance> instances(previous.instances);
    for (Instance& instance : out.instances) {
        const Instance* before = instances.of(instance);
        if (before && before->mesh == instance.mesh && !jumped(before->pose.position, instance.pose.position)
            && before->pose != instance.pose) {
            instance.pose = interpolate(before->pose, instance.pose, alpha);
        }
    }
    Counterparts<PointLight> lights(previous.lights);
    for (PointLight& light : out.lights) {
        const PointLight* before = lights.of(light);
        if (before && !jumped(before->position, light.position)) {
            light.position = blend(before->position, light.position, alpha);
            light.color = blend(before->color, light.color, alpha);
            light.intensity = blend(before->intensity, light.intensity, alpha);
        }
    }
    if (out.camera && previous.camera && out.camera->entity == previous.camera->entity
        && !jumped(previous.camera->pose.position, out.camera->pose.position)) {
        out.camera->pose = interpolate(previous.camera->pose, out.camera->pose, alpha);
        out.camera->fovY = blend(previous.camera->fovY, out.camera->fovY, alpha);
    }
}

Scene interpolate(const Scene& previous, const Scene& current, float alpha) {
    Scene out;
    interpolate(previous, current, alpha, out);
    return out;
}

} // namespace sbx::render
