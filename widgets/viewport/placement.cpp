#include "widgets/viewport/placement.h"

#include "widgets/viewport/gizmo.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

template <typename T>
T setting(const definition::ComponentDefinition& component, std::string_view key, T otherwise) {
    const definition::Setting* found = component.find(key);
    if (found == nullptr)
        return otherwise;
    const T* value = std::get_if<T>(&found->value);
    return value != nullptr ? *value : otherwise;
}

float number(const definition::ComponentDefinition& component, std::string_view key, float otherwise) {
    return static_cast<float>(setting<double>(component, key, static_cast<double>(otherwise)));
}

constexpr float LampHeight = 2.0F; // m above the floor
constexpr float EarHeight = 1.5F;
constexpr float WallDistance = 0.1F;

render::Bounds above(float height) {
    return {{-WallDistance, -height, -WallDistance}, Vec3(WallDistance)};
}

render::Bounds around(const Vec3& size) {
    return {size * -0.5F, size * 0.5F};
}

std::optional<render::Bounds> bodyBounds(const definition::ComponentDefinition& body) {
    const auto shape = setting<std::string>(body, "shape", "box");
    const float radius = number(body, "radius", 0.5F);
    const float height = number(body, "height", 1.0F);
    if (shape == "box")
        return around(setting<Vec3>(body, "size", Vec3(1.0F)));
    if (shape == "sphere")
        return around(Vec3(2.0F * radius));
    if (shape == "capsule" || shape == "cylinder")
        return around({2.0F * radius, std::max(height, shape == "capsule" ? 2.0F * radius : 0.0F), 2.0F * radius});
    return std::nullopt;
}

std::optional<render::Bounds> meshBounds(const definition::ComponentDefinition& mesh) {
    const Vec3 size = setting<Vec3>(mesh, "size", Vec3(0.0F));
    if (size == Vec3(0.0F))
        return std::nullopt;
    Pose local;
    local.position = setting<Vec3>(mesh, "offset", Vec3(0.0F));
    local.rotation = fromEulerDegrees(setting<Vec3>(mesh, "rotation", Vec3(0.0F)));
    local.scale = size;
    render::Bounds unit{Vec3(-0.5F), Vec3(0.5F)};
    const auto key = setting<std::string>(mesh, "mesh", "box");
    if (key == "plane")
        unit = {{-0.5F, 0.0F, -0.5F}, {0.5F, 0.0F, 0.5F}};
    else if (key.find('.') != std::string::npos)
        return std::nullopt; // a file: its size is not asked for here, it may have to be read first
    return render::worldBounds(local, unit);
}

} // namespace

std::optional<render::Bounds> typeBounds(const definition::EntityTypeDefinition& type) {
    if (const definition::ComponentDefinition* body = type.find("Body"))
        if (const auto bounds = bodyBounds(*body))
            return bounds;
    if (const definition::ComponentDefinition* mesh = type.find("Mesh"))
        return meshBounds(*mesh);
    return std::nullopt;
}

std::optional<render::Bounds> instanceBounds(const definition::EntityTypeDefinition& type, const definition::InstanceDefinition& instance) {
    if (instance.overrides.empty())
        return typeBounds(type);
    definition::EntityTypeDefinition own;
    own.name = type.name;
    for (const char* name : {"Body", "Mesh"}) {
        const definition::ComponentDefinition* base = type.find(name);
        if (base == nullptr)
            continue;
        definition::ComponentDefinition merged = *base;
        for (const definition::ComponentDefinition& component : instance.overrides)
            if (component.name == name)
                // Of two settings of one key the first is found.
                merged.settings.insert(merged.settings.begin(), component.settings.begin(), component.settings.end());
        own.components.push_back(std::move(merged));
    }
    return typeBounds(own);
}

std::optional<render::Bounds> clearance(const definition::EntityTypeDefinition& type) {
    if (type.find("Light") != nullptr)
        return above(LampHeight);
    if (type.find("Sound") != nullptr || type.find("Camera") != nullptr || type.find("Listener") != nullptr)
        return above(EarHeight);
    return std::nullopt;
}

render::Bounds soundClearance() { return above(EarHeight); }

bool isVolume(const definition::EntityTypeDefinition& type) {
    const definition::ComponentDefinition* body = type.find("Body");
    return body != nullptr && setting<bool>(*body, "trigger", false);
}

Surface surfaceUnder(const render::Scene& scene, const render::SceneIndex& index, const render::Ray& ray, float reach,
                     float otherwise) {
    if (const auto hit = render::pick(scene, index, ray))
        return {hit->position, hit->normal};
    if (const auto ground = onPlane(Vec3(0.0F), Vec3(0.0F, 1.0F, 0.0F), ray); ground && glm::length(*ground - ray.origin) <= reach)
        return {*ground, Vec3(0.0F, 1.0F, 0.0F)};
    return {ray.origin + ray.direction * std::min(reach, otherwise), Vec3(0.0F, 1.0F, 0.0F)};
}

Vec3 restOn(const Surface& surface, const std::optional<render::Bounds>& bounds, const SnapSettings& snap) {
    Vec3 point = surface.point;
    const bool floor = surface.normal.y > 0.9F;
    if (floor)
        point = snapToGround(point, snap);
    if (!bounds)
        return point;
    // The corner that reaches farthest into the surface touches it.
    float reach = 0.0F;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 at((corner & 1) != 0 ? bounds->maximum.x : bounds->minimum.x,
                      (corner & 2) != 0 ? bounds->maximum.y : bounds->minimum.y,
                      (corner & 4) != 0 ? bounds->maximum.z : bounds->minimum.z);
        const float depth = -glm::dot(at, surface.normal);
        reach = corner == 0 ? depth : std::max(reach, depth);
    }
    return point + surface.normal * reach;
}

Vec3 raisedAboveGround(const render::Scene& scene, const render::SceneIndex& index, const Vec3& place, const render::Bounds& bounds) {
    const float top = place.y + bounds.maximum.y;
    const auto hit = render::pick(scene, index, {Vec3(place.x, top, place.z), Vec3(0.0F, -1.0F, 0.0F)});
    const float bottom = place.y + bounds.minimum.y;
    // A hair's breadth is how exactly a ray meets a surface.
    constexpr float Touching = 1e-3F;
    if (!hit || hit->position.y <= bottom + Touching)
        return place;
    return Vec3(place.x, hit->position.y - bounds.minimum.y, place.z);
}

} // namespace sbx::ui
