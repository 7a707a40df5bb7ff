#include "widgets/viewport/shown_scene.h"

#include "engine/render/cpu_clock.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace sbx::ui {

namespace {

render::Bounds united(const render::Bounds& a, const render::Bounds& b) {
    return {glm::min(a.minimum, b.minimum), glm::max(a.maximum, b.maximum)};
}

void add(std::optional<render::Bounds>& to, const std::optional<render::Bounds>& more) {
    if (more)
        to = to ? united(*to, *more) : *more;
}

} // namespace

ShownScene::ShownScene(Session& session) : m_session(session), m_meshes(session.meshes()) {
    poll();
}

bool ShownScene::poll() {
    return m_timeline.push(m_session.snapshot());
}

Mode ShownScene::mode() const {
    return snapshot() != nullptr ? snapshot()->mode : Mode::Edit;
}

void ShownScene::advance(Time now) {
    const FrameTimeline::Moment moment = m_timeline.at(now);
    m_tick = moment.tick;
    m_indexed = false;
    if (moment.current == nullptr || !moment.current->scene) {
        m_scene = {};
        return;
    }
    if (moment.previous == moment.current || !moment.previous->scene)
        m_scene = *moment.current->scene;
    else
        render::interpolate(*moment.previous->scene, *moment.current->scene, moment.alpha, m_scene);
    if (m_previewEnds && now >= *m_previewEnds)
        cancelPreview();
    applyPreview();
    if (m_hovered != 0)
        for (render::Instance& instance : m_scene.instances)
            instance.highlighted = instance.highlighted || instance.entity == m_hovered;
}

const render::SceneIndex& ShownScene::index() const {
    if (!m_indexed) {
        m_index.update(m_scene, m_meshes);
        m_indexed = true;
    }
    return m_index;
}

std::uint64_t ShownScene::idOf(const std::string& name) const {
    if (snapshot() == nullptr || !snapshot()->entities)
        return 0;
    const EntityRow* row = snapshot()->entities->find(name);
    return row != nullptr ? row->id.bits : 0;
}

std::string ShownScene::nameOf(std::uint64_t id) const {
    if (id == 0 || snapshot() == nullptr || !snapshot()->entities)
        return {};
    const EntityRow* row = snapshot()->entities->find(EntityId::fromBits(id));
    return row != nullptr ? row->name : std::string();
}

std::vector<std::uint64_t> ShownScene::familyOf(const std::string& name) const {
    std::vector<std::uint64_t> family;
    const std::uint64_t root = idOf(name);
    if (root == 0)
        return family;
    family.push_back(root);
    std::set<std::string> names{name};
    // Level by level: a child may stand before its parent.
    for (bool grown = true; grown;) {
        grown = false;
        for (const EntityRow& row : snapshot()->entities->rows)
            if (!row.parent.empty() && names.contains(row.parent) && names.insert(row.name).second) {
                family.push_back(row.id.bits);
                grown = true;
            }
    }
    return family;
}

bool ShownScene::drawsAny(const std::string& name) const {
    const std::uint64_t id = idOf(name);
    return id != 0 && std::any_of(m_scene.instances.begin(), m_scene.instances.end(),
                                  [id](const render::Instance& instance) { return instance.entity == id; });
}

std::optional<render::Bounds> ShownScene::boundsOf(const std::string& name) const {
    std::optional<render::Bounds> bounds;
    for (const std::uint64_t member : familyOf(name))
        add(bounds, render::boundsOf(m_scene, m_meshes, member));
    if (!bounds)
        if (const auto pose = poseOf(name))
            bounds = render::Bounds{pose->position - Vec3(0.25F), pose->position + Vec3(0.25F)};
    return bounds;
}

std::optional<render::Bounds> ShownScene::boundsOf(const std::vector<std::string>& names) const {
    std::optional<render::Bounds> bounds;
    for (const std::string& name : names)
        add(bounds, boundsOf(name));
    return bounds;
}

std::optional<render::Bounds> ShownScene::sceneBounds() const {
    std::vector<std::pair<float, render::Bounds>> sized;
    for (const render::Instance& instance : m_scene.instances) {
        const auto data = m_meshes.data(instance.mesh);
        if (instance.entity == 0 || !data)
            continue;
        const render::Bounds box = render::worldBounds(instance.pose, data->bounds);
        sized.emplace_back(glm::length(box.size()), box);
    }
    std::optional<render::Bounds> bounds;
    if (sized.empty())
        return bounds;
    std::sort(sized.begin(), sized.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const float usual = std::max(sized[sized.size() / 2].first, 0.1F);
    for (const auto& [size, box] : sized)
        if (!bounds || size <= usual * 12.0F)
            add(bounds, box);
    return bounds;
}

std::optional<Pose> ShownScene::poseOf(const std::string& name) const {
    for (const Preview& preview : m_previews)
        if (preview.name == name)
            return preview.now;
    if (snapshot() == nullptr)
        return std::nullopt;
    const std::uint64_t id = idOf(name);
    if (id == 0)
        return std::nullopt;
    // While it moves, the picture is behind the snapshot: its own instance shows where it is drawn.
    if (mode() != Mode::Play)
        for (const Inspection& inspection : snapshot()->inspected)
            if (inspection.name == name)
                return inspection.pose;
    for (const render::Instance& instance : m_scene.instances)
        if (instance.entity == id)
            return Pose{instance.pose.position, instance.pose.rotation, Vec3(1.0F)};
    for (const render::PointLight& light : m_scene.lights)
        if (light.entity == id)
            return Pose{light.position, Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)};
    for (const Inspection& inspection : snapshot()->inspected)
        if (inspection.name == name)
            return inspection.pose;
    return std::nullopt;
}

std::optional<render::PickHit> ShownScene::pick(const render::Ray& ray) const {
    const render::CpuClock clock;
    spatial::QueryStats cost;
    auto hit = render::pick(m_scene, index(), ray, std::numeric_limits<float>::max(), &cost);
    m_pickCost = {clock.milliseconds(), cost.nodes};
    return hit;
}

std::vector<std::string> ShownScene::allUnder(const render::Ray& ray) const {
    std::map<std::uint64_t, float> nearest; // of each entity's instances
    for (const std::uint32_t i : render::instancesAlong(index(), ray)) {
        const std::uint64_t entity = m_scene.instances[i].entity;
        const auto hit = render::pickInstance(m_scene, index(), i, ray);
        if (entity == 0 || !hit)
            continue;
        const auto [at, first] = nearest.emplace(entity, hit->distance);
        if (!first)
            at->second = std::min(at->second, hit->distance);
    }
    std::vector<std::pair<float, std::uint64_t>> found;
    for (const auto& [entity, distance] : nearest)
        found.emplace_back(distance, entity);
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (const auto& [distance, entity] : found)
        if (std::string name = nameOf(entity); !name.empty())
            names.push_back(std::move(name));
    return names;
}

void ShownScene::beginPreview(const std::vector<Preview>& entities) {
    cancelPreview();
    m_previews = entities;
    if (snapshot() == nullptr || !snapshot()->entities)
        return;
    const EntityList& list = *snapshot()->entities;
    for (const render::Instance& instance : m_scene.instances) {
        const EntityRow* row = list.find(EntityId::fromBits(instance.entity));
        const std::string owner = row != nullptr ? row->name : std::string();
        for (std::size_t steps = 0; row != nullptr && steps < 64; ++steps) {
            const auto at = std::find_if(m_previews.begin(), m_previews.end(),
                                         [row](const Preview& preview) { return preview.name == row->name; });
            if (at != m_previews.end()) {
                m_parts.push_back({owner, instance.part, static_cast<std::size_t>(at - m_previews.begin()),
                                   relativeTo(at->start, instance.pose)});
                break;
            }
            row = list.find(row->parent);
        }
    }
}

void ShownScene::movePreview(const std::vector<Preview>& entities) {
    for (Preview& preview : m_previews)
        for (const Preview& other : entities)
            if (other.name == preview.name)
                preview.now = other.now;
}

void ShownScene::endPreview(Time now) {
    if (!m_previews.empty())
        m_previewEnds = now + std::chrono::seconds(1);
}

void ShownScene::cancelPreview() {
    m_previews.clear();
    m_parts.clear();
    m_previewEnds.reset();
}

void ShownScene::applyPreview() {
    if (m_parts.empty())
        return;
    bool agreed = true;
    for (const Part& part : m_parts) {
        const std::uint64_t id = idOf(part.name);
        if (id == 0)
            continue;
        for (render::Instance& instance : m_scene.instances) {
            if (instance.entity != id || instance.part != part.part)
                continue;
            const Pose pose = compose(m_previews[part.preview].now, part.local);
            agreed = agreed && glm::length(pose.position - instance.pose.position) < 2e-3F
                     && std::abs(glm::dot(pose.rotation, instance.pose.rotation)) > 0.99999F
                     && glm::length(pose.scale - instance.pose.scale) < 2e-3F;
            instance.pose = pose;
        }
    }
    if (agreed && m_previewEnds)
        cancelPreview();
}

} // namespace sbx::ui
