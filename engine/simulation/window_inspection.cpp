#include "engine/simulation/window_inspection.h"

#include "engine/core/component_name.h"
#include "engine/simulation/simulation.h"

#include <glm/common.hpp>

#include <algorithm>

namespace sbx {

namespace {

// Publications between two looks at so many entities while the world runs, so that their cost does not depend on the number.
constexpr std::size_t EntitiesEachPublication = 256;

// Of one kind and number, as it is met: the values of the first that has it stand for all until one differs.
struct MetComponent {
    InspectedTogether::Component seen;
    std::size_t number = 1;
};

// Bits of the numbers in which two values differ; 1 for values that are no list of numbers.
std::uint8_t difference(const FieldInfo& field, const Value& a, const Value& b) {
    if (a == b)
        return 0;
    std::uint8_t bits = 0;
    const std::size_t count =
        field.type == FieldType::Quaternion || field.type == FieldType::Color ? 0 : elementCount(field.type);
    for (std::size_t i = 0; i < count; ++i)
        if (elementOf(a, i) != elementOf(b, i))
            bits |= static_cast<std::uint8_t>(1U << i);
    return count == 0 ? 1 : bits;
}

void compare(const FieldTable& fields, const void* from, bool first, std::vector<Value>& values,
             std::vector<std::uint8_t>& differ) {
    std::size_t i = 0;
    for (const FieldInfo& field : fields) {
        if (first) {
            values.push_back(field.read(from));
            differ.push_back(0);
        } else {
            differ[i] |= difference(field, field.read(from), values[i]);
        }
        ++i;
    }
}

void meet(const Entity& entity, std::vector<MetComponent>& met) {
    ComponentNumbering numbering;
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        const std::size_t number = numbering.next(ref.type->name);
        auto same = std::find_if(met.begin(), met.end(), [&](const MetComponent& m) {
            return m.seen.type == ref.type && m.number == number;
        });
        const bool first = same == met.end();
        if (first) {
            same = met.emplace(met.end());
            same->number = number;
            same->seen.type = ref.type;
            same->seen.name = componentName(ref.type->name, number);
            same->seen.overridden.resize(ref.type->settings->fields().size());
        }
        InspectedTogether::Component& seen = same->seen;
        ++seen.count;
        compare(*ref.type->settings, ref.type->settingsOf(ref.component), first, seen.settings,
                seen.settingsDiffer);
        if (ref.type->stateOf != nullptr)
            compare(*ref.type->state, ref.type->stateOf(ref.component), first, seen.state, seen.stateDiffers);
        std::size_t i = 0;
        for (const FieldInfo& field : *ref.type->settings) {
            if (!seen.overridden[i] && entity.overrides(seen.name, field.name))
                seen.overridden[i] = true;
            ++i;
        }
    });
}

std::uint8_t difference(const Vec3& a, const Vec3& b) {
    return static_cast<std::uint8_t>((a.x != b.x ? 1U : 0U) | (a.y != b.y ? 2U : 0U)
                                     | (a.z != b.z ? 4U : 0U));
}

// Angles that mean the same to a thousandth of a degree are the same.
Vec3 roundedDegrees(const Quat& rotation) { return glm::round(toEulerDegrees(rotation) * 1e3F); }

// Against the first of them.
void comparePlaces(const World& world, const std::vector<EntityId>& ids, InspectedTogether& together) {
    together.positionDiffers = together.rotationDiffers = together.scaleDiffers = 0;
    const Pose* first = nullptr;
    for (const EntityId id : ids) {
        const Entity entity = world.find(id);
        if (!entity)
            continue;
        const Pose& local = entity.local();
        if (first == nullptr) {
            first = &local;
            continue;
        }
        together.positionDiffers |= difference(local.position, first->position);
        if (local.rotation != first->rotation)
            together.rotationDiffers |=
                difference(roundedDegrees(local.rotation), roundedDegrees(first->rotation));
        together.scaleDiffers |= difference(local.scale, first->scale);
    }
}

} // namespace

void WindowInspection::inspect(std::vector<std::string> names, std::string primary) {
    m_names = std::move(names);
    m_primary = std::move(primary);
    m_ids.clear();
    m_together = nullptr;
}

void WindowInspection::fill(FrameSnapshot& frame, Simulation& from) {
    const bool few = m_names.size() <= MaxInspected;
    const std::string& primary = m_primary.empty() && !m_names.empty() ? m_names.back() : m_primary;
    for (const std::string& name : m_names)
        if (few || name == primary)
            if (const Entity entity = from.world().find(name))
                frame.inspected.push_back(from.inspection(entity));
    frame.together = compareAll(from.world(), frame.run, frame.mode == Mode::Play);
}

std::shared_ptr<const InspectedTogether> WindowInspection::compareAll(const World& world, std::uint64_t run,
                                                                      bool playing) {
    if (m_names.size() < 2)
        return nullptr;
    const State now{&world, run, world.structureVersion()};
    const bool mayDiffer = m_together == nullptr || m_stale || m_comparedIn != now;
    const bool due = playing && ++m_age * EntitiesEachPublication > m_names.size();
    if (!mayDiffer && !due) {
        if (m_placeCommands > 0) { // values are the same, places may not be
            auto together = std::make_shared<InspectedTogether>(*m_together);
            comparePlaces(world, m_ids, *together);
            m_together = std::move(together);
        }
        return m_together;
    }
    m_stale = false;
    m_age = 0;
    auto together = std::make_shared<InspectedTogether>();
    std::vector<MetComponent> met;
    if (m_ids.size() != m_names.size() || m_comparedIn != now) {
        m_ids.clear();
        for (const std::string& name : m_names)
            m_ids.push_back(world.find(name).id());
    }
    for (const EntityId id : m_ids)
        if (const Entity entity = world.find(id)) {
            ++together->entities;
            meet(entity, met);
        }
    comparePlaces(world, m_ids, *together);
    m_comparedIn = now;
    for (MetComponent& component : met)
        together->components.push_back(std::move(component.seen));
    m_together = std::move(together);
    return m_together;
}

} // namespace sbx
