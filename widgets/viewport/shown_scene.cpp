#include "widgets/viewport/shown_scene.h"

#include "engine/render/cpu_clock.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

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
    m_drawnKnown = false;
    if (moment.current == nullptr || !moment.current->scene) {
        m_scene = {};
        return;
    }
    if (moment.previous == moment.current || !moment.previous->scene)
        m_scene = *moment.current->scene;
    else
        render::interpolate(*moment.previous->scene, *moment.current->scene, moment.alpha, m_scene);
    removeHidden();
    if (m_previewEnds && now >= *m_previewEnds)
        cancelPreview();
    applyPreview();
    if (m_hovered != 0)
        for (render::Instance& instance : m_scene.instances)
            instance.highlighted = instance.highlighted || instance.entity == m_hovered;
    if (m_flash > 0.0F)
        for (const std::uint64_t member : familiesOf(m_flashing))
            if (const Drawn* drawn = drawnOf(member))
                for (const std::uint32_t i : drawn->instances)
                    m_scene.instances[i].emissive += Vec3(m_flash);
}

void ShownScene::removeHidden() {
    if (!m_hiddenIn || !snapshot()->entities)
        return;
    if (m_hiddenOf != snapshot()->entities) {
        m_hiddenOf = snapshot()->entities;
        m_hidden = m_hiddenIn(*m_hiddenOf);
    }
    if (!m_hidden.empty())
        std::erase_if(m_scene.instances, [this](const render::Instance& instance) { return m_hidden.contains(instance.entity); });
}

void ShownScene::setFlash(std::vector<std::string> names, float strength) {
    m_flashing = std::move(names);
    m_flash = strength;
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

const std::vector<std::vector<std::size_t>>& ShownScene::children() const {
    const std::shared_ptr<const EntityList>& list = snapshot()->entities;
    if (m_childrenOf != list) {
        m_childrenOf = list;
        m_children.assign(list->rows.size(), {});
        for (std::size_t i = 0; i < list->rows.size(); ++i)
            if (const EntityRow* parent = list->rows[i].parent.empty() ? nullptr : list->find(list->rows[i].parent))
                m_children[static_cast<std::size_t>(parent - list->rows.data())].push_back(i);
    }
    return m_children;
}

std::vector<std::uint64_t> ShownScene::familiesOf(const std::vector<std::string>& names, std::vector<std::uint32_t>* groups) const {
    std::vector<std::uint64_t> family;
    if (groups != nullptr)
        groups->clear();
    if (snapshot() == nullptr || !snapshot()->entities)
        return family;
    const EntityList& list = *snapshot()->entities;
    std::vector<bool> seen(list.rows.size(), false);
    std::vector<std::pair<std::size_t, std::uint32_t>> open;
    const auto take = [&](std::size_t row, std::uint32_t group) {
        if (seen[row])
            return;
        seen[row] = true;
        family.push_back(list.rows[row].id.bits);
        if (groups != nullptr)
            groups->push_back(group);
        open.emplace_back(row, group);
    };
    // Those that are named first: a child that is selected too is a thing by itself.
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const EntityRow* row = list.find(names[i]))
            take(static_cast<std::size_t>(row - list.rows.data()), static_cast<std::uint32_t>(i));
    while (!open.empty()) {
        const auto [row, group] = open.back();
        open.pop_back();
        for (const std::size_t child : children()[row])
            take(child, group);
    }
    return family;
}

const ShownScene::Drawn* ShownScene::drawnOf(std::uint64_t entity) const {
    if (!m_drawnKnown) {
        m_drawnKnown = true;
        m_drawn.clear();
        for (std::size_t i = 0; i < m_scene.instances.size(); ++i)
            m_drawn[m_scene.instances[i].entity].instances.push_back(static_cast<std::uint32_t>(i));
        for (std::size_t i = 0; i < m_scene.lights.size(); ++i)
            m_drawn[m_scene.lights[i].entity].lights.push_back(static_cast<std::uint32_t>(i));
    }
    const auto it = m_drawn.find(entity);
    return it == m_drawn.end() ? nullptr : &it->second;
}

bool ShownScene::drawsAny(const std::string& name) const {
    const std::uint64_t id = idOf(name);
    const Drawn* drawn = id != 0 ? drawnOf(id) : nullptr;
    return drawn != nullptr && !drawn->instances.empty();
}

std::optional<render::Bounds> ShownScene::boundsOf(const std::string& name) const {
    return boundsOf(std::vector<std::string>{name});
}

std::optional<render::Bounds> ShownScene::boundsOf(const std::vector<std::string>& names) const {
    std::optional<render::Bounds> bounds;
    std::unordered_set<std::uint64_t> seen; // with a box of its own or of what hangs from it
    for (const std::uint64_t member : familiesOf(names)) {
        const Drawn* drawn = drawnOf(member);
        bool any = false;
        for (std::size_t i = 0; drawn != nullptr && i < drawn->instances.size(); ++i) {
            const render::Instance& instance = m_scene.instances[drawn->instances[i]];
            if (const auto mesh = m_meshes.data(instance.mesh)) {
                add(bounds, render::worldBounds(instance.pose, mesh->bounds));
                any = true;
            }
        }
        // Up to the first that is known: each entity is come by once.
        const EntityRow* row = any ? snapshot()->entities->find(EntityId::fromBits(member)) : nullptr;
        while (row != nullptr && seen.insert(row->id.bits).second)
            row = row->parent.empty() ? nullptr : snapshot()->entities->find(row->parent);
    }
    for (const std::string& name : names)
        if (!seen.contains(idOf(name)))
            if (const auto pose = poseOf(name))
                add(bounds, render::Bounds{pose->position - Vec3(0.25F), pose->position + Vec3(0.25F)});
    return bounds;
}

std::optional<render::Bounds> ShownScene::sceneBounds() const {
    constexpr float Boundless = 150.0F;
    return boundsUpTo(Boundless);
}

std::optional<render::Bounds> ShownScene::coreBounds() const { return boundsUpTo(0.0F); }

std::optional<render::Bounds> ShownScene::boundsUpTo(float metres) const {
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
        if (!bounds || size <= std::max(usual * 12.0F, metres))
            add(bounds, box);
    return bounds;
}

std::optional<Pose> ShownScene::poseOf(const std::string& name) const {
    if (const auto preview = m_previewOf.find(name); preview != m_previewOf.end())
        return m_previews[preview->second].now;
    const std::uint64_t id = idOf(name);
    if (id == 0)
        return std::nullopt;
    const auto inspectedPose = [&]() -> std::optional<Pose> {
        for (const Inspection& inspection : snapshot()->inspected) // a few
            if (inspection.name == name)
                return inspection.pose;
        return std::nullopt;
    };
    // While it moves, the picture is behind the snapshot: its own instance shows where it is drawn.
    if (mode() != Mode::Play)
        if (const auto pose = inspectedPose())
            return pose;
    if (const Drawn* drawn = drawnOf(id)) {
        if (!drawn->instances.empty()) {
            const Pose& pose = m_scene.instances[drawn->instances.front()].pose;
            return Pose{pose.position, pose.rotation, Vec3(1.0F)};
        }
        return Pose{m_scene.lights[drawn->lights.front()].position, Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)};
    }
    return inspectedPose();
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

void ShownScene::beginPreview(const std::vector<Preview>& entities, const std::unordered_map<std::string, std::string>& copies) {
    cancelPreview();
    m_previews = entities;
    for (std::size_t i = 0; i < m_previews.size(); ++i)
        m_previewOf.emplace(m_previews[i].name, i);
    if (snapshot() == nullptr || !snapshot()->entities)
        return;
    const EntityList& list = *snapshot()->entities;
    for (const render::Instance& instance : m_scene.instances) {
        const EntityRow* row = list.find(EntityId::fromBits(instance.entity));
        const auto movedName = [&copies](const std::string& name) {
            const auto copy = copies.find(name);
            return copies.empty() ? name : copy == copies.end() ? std::string() : copy->second;
        };
        const std::string owner = row != nullptr ? movedName(row->name) : std::string();
        for (std::size_t steps = 0; row != nullptr && !owner.empty() && steps < 64; ++steps) {
            if (const auto at = m_previewOf.find(movedName(row->name)); at != m_previewOf.end()) {
                m_parts.push_back({owner, instance.part, at->second, relativeTo(m_previews[at->second].start, instance.pose)});
                break;
            }
            row = list.find(row->parent);
        }
    }
}

void ShownScene::movePreview(const std::vector<Preview>& entities) {
    for (const Preview& other : entities)
        if (const auto at = m_previewOf.find(other.name); at != m_previewOf.end())
            m_previews[at->second].now = other.now;
}

void ShownScene::endPreview(Time now) {
    if (!m_previews.empty())
        m_previewEnds = now + std::chrono::seconds(1);
}

void ShownScene::cancelPreview() {
    m_previews.clear();
    m_previewOf.clear();
    m_parts.clear();
    m_previewEnds.reset();
}

void ShownScene::applyPreview() {
    if (m_parts.empty())
        return;
    bool agreed = true;
    for (const Part& part : m_parts) {
        const std::uint64_t id = idOf(part.name);
        const Drawn* drawn = id != 0 ? drawnOf(id) : nullptr;
        if (drawn == nullptr)
            continue;
        for (const std::uint32_t i : drawn->instances) {
            render::Instance& instance = m_scene.instances[i];
            if (instance.part != part.part)
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
