#include "engine/session/live_edits.h"

#include "engine/core/component_name.h"
#include "engine/definition/schema.h"
#include "engine/entity/lifecycle_messages.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {
// The scene has one table for a component, which could mean any of several of its kind.
std::string obstacleOf(const Entity& entity, std::string_view component) {
    if (!entity.fromScene())
        return "it was made while the world ran";
    if (component.empty())
        return {};
    const ComponentName name = parseComponentName(component);
    const auto& layout = entity.type().layout();
    const auto same = std::count_if(layout.begin(), layout.end(), [&](const EntityType::Slot& slot) { return slot.type->name == name.type; });
    if (same == 0)
        return "its type has no such component";
    if (name.number != 1 || same > 1)
        return "it has several components of this kind, which a scene cannot tell apart";
    return {};
}

// Which numbers of a place differ by more than rounding makes.
std::uint8_t changedElements(const Value& before, const Value& after) {
    constexpr float Least = 1e-4F; // m, degrees
    std::uint8_t mask = 0;
    for (glm::length_t i = 0; i < 3; ++i)
        if (std::abs(std::get<Vec3>(before)[i] - std::get<Vec3>(after)[i]) > Least)
            mask = static_cast<std::uint8_t>(mask | (1U << static_cast<unsigned>(i)));
    return mask;
}

// To the millimetre.
std::string shownPlace(const Value& value, std::uint8_t elements) {
    constexpr float PerStep = 1000.0F;
    std::string out;
    for (glm::length_t i = 0; i < 3; ++i)
        if ((elements >> static_cast<unsigned>(i) & 1U) != 0)
            out += (out.empty() ? "" : ", ") + std::string(elementName(FieldType::Vector3, static_cast<std::size_t>(i))) + " "
                   + formatFloat(std::round(std::get<Vec3>(value)[i] * PerStep) / PerStep);
    return out;
}

// As the inspector shows it: what was typed, without what the way over a quaternion adds, a minus before 0 included.
Vec3 shownDegrees(const Quat& rotation) { return glm::round(toEulerDegrees(rotation) * 1e4F) / 1e4F + Vec3(0.0F); }

bool is(const LiveEdit& edit, std::string_view entity, std::string_view component, std::string_view field) {
    return edit.entity == entity && edit.component == component && edit.field == field;
}
} // namespace

void LiveEdits::note(const Entity& entity, std::string_view component, const FieldInfo& field, const Value& before, const Value& after) {
    if (before == after && find(*m_list, entity.name(), component, field.name) == nullptr)
        return;
    if (!component.empty())
        if (const Entity::ComponentRef ref = entity.component(component); ref.type == nullptr || ref.type->settings->find(field.name) != &field)
            return;
    const bool place = component.empty();
    const std::uint8_t changed = place ? changedElements(before, after) : std::uint8_t{0xFF};
    if (changed == 0)
        return;
    auto list = std::make_shared<List>(*m_list);
    auto known = std::find_if(list->begin(), list->end(), [&](const LiveEdit& edit) { return is(edit, entity.name(), component, field.name); });
    if (known == list->end()) {
        LiveEdit& edit = list->emplace_back();
        edit.entity = entity.name();
        edit.component = component;
        edit.field = field.name;
        edit.before = before;
        edit.elements = changed;
        edit.shownBefore = field.format(before);
        edit.obstacle = obstacleOf(entity, component);
        known = list->end() - 1;
    }
    if (known->before == after) {
        list->erase(known);
    } else {
        known->after = after;
        known->toml = field.formatToml(after);
        known->shownAfter = field.format(after);
        known->elements |= changed;
        if (place) {
            known->shownBefore = shownPlace(known->before, known->elements);
            known->shownAfter = shownPlace(after, known->elements);
        }
    }
    m_list = std::move(list);
}

void LiveEdits::notePlace(const Entity& entity, const Pose& before, const Pose& after) {
    const auto part = [&](const char* name, const Vec3& was, const Vec3& is) {
        if (const FieldInfo* const field = definition::instanceKeys().find(name))
            note(entity, {}, *field, was, is);
    };
    part("position", before.position, after.position);
    if (before.rotation != after.rotation)
        part("rotation", shownDegrees(before.rotation), shownDegrees(after.rotation));
    if (before.scale != after.scale)
        part("scale", before.scale, after.scale);
}

bool LiveEdits::takeBack(World& world, std::string_view entity, std::string_view component, std::string_view field) {
    const LiveEdit* const edit = find(*m_list, entity, component, field);
    const Entity living = edit == nullptr ? Entity() : world.find(std::string(entity));
    if (!living)
        return false;
    const LiveEdit known = *edit; // handlers may change the list
    if (component.empty())
        setLocalPlace(world, living, field, std::get<Vec3>(known.before));
    else if (!world.setField(living.id(), std::string(component), std::string(field), known.before))
        return false;
    forget(entity, component, field);
    return true;
}

void LiveEdits::forget(std::string_view entity, std::string_view component, std::string_view field) {
    if (find(*m_list, entity, component, field) == nullptr)
        return;
    auto list = std::make_shared<List>(*m_list);
    std::erase_if(*list, [&](const LiveEdit& edit) { return is(edit, entity, component, field); });
    m_list = std::move(list);
}

void LiveEdits::clear() {
    if (!m_list->empty())
        m_list = std::make_shared<const List>();
}

const LiveEdit* LiveEdits::find(const List& list, std::string_view entity, std::string_view component, std::string_view field) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const LiveEdit& edit) { return is(edit, entity, component, field); });
    return found == list.end() ? nullptr : &*found;
}

Vec3 localPlace(const Entity& entity, std::string_view part) {
    const Pose& local = entity.local();
    return part == "position" ? local.position : part == "rotation" ? toEulerDegrees(local.rotation) : local.scale;
}

void setLocalPlace(World& world, const Entity& entity, std::string_view part, const Vec3& value) {
    Pose local = entity.local();
    if (part == "position")
        local.position = value;
    else if (part == "rotation")
        local.rotation = fromEulerDegrees(value);
    else
        local.scale = value;
    const Entity parent = world.find(entity.parent());
    const Pose pose = parent ? compose(parent.pose(), local) : local;
    const EntityId id = entity.id();
    if (part == "scale" || !world.send(id, SetPose{pose.position, pose.rotation}).consumed)
        world.setPose(id, pose, true);
}

} // namespace sbx
