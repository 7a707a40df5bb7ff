#include "widgets/viewport/arrange_edits.h"

#include <QString>

#include "widgets/common/document.h"
#include "widgets/common/entity_names.h"
#include "widgets/viewport/entity_editor.h"
#include "widgets/viewport/scene_edits.h"
#include "widgets/viewport/shown_scene.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

namespace sbx::ui {

struct ArrangeItem {
    std::string name;
    render::Bounds box; // in the world
    Vec3 by{0.0F};      // metres that it is moved
};

namespace {

float middleOf(const ArrangeItem& item, int axis) { return (item.box.minimum[axis] + item.box.maximum[axis]) / 2.0F; }

// Those that are moved.
QString arranged(const std::vector<ArrangeItem>& items) {
    std::vector<std::string> moved;
    for (const ArrangeItem& item : items)
        if (item.by != Vec3(0.0F))
            moved.push_back(item.name);
    return entitiesText(moved);
}

QString axisName(int axis) { return QString(QChar(u'X' + axis)); }

} // namespace

Result<std::vector<ArrangeItem>> ArrangeEdits::itemsOf(const std::vector<std::string>& names, std::size_t least) const {
    if (!m_editor.editsFile())
        return Error{"entities can be arranged when the world is stopped", {}, {}};
    std::vector<ArrangeItem> items;
    for (const std::string& name : m_editor.places().topmost(m_editor.movable(names)))
        if (const std::optional<render::Bounds> box = m_shown.boundsOf(name))
            items.push_back({name, *box, {}});
    if (items.size() < least)
        return Error{"select at least " + std::to_string(least) + (least == 1 ? " entity" : " entities")
                         + " of the scene file that are not locked and hang from no other of the selection",
                     {},
                     {}};
    return items;
}

Result<void> ArrangeEdits::move(const std::vector<ArrangeItem>& items, const QString& label) {
    std::vector<PoseChange> changes;
    for (const ArrangeItem& item : items) {
        const ScenePlace& place = *m_editor.places().find(item.name);
        if (item.by == Vec3(0.0F))
            continue;
        Pose after = place.world;
        after.position += item.by;
        after = relativeTo(m_editor.places().parentPose(place), after);
        // As they are written, to the last digit.
        after.rotation = place.local.rotation;
        after.scale = place.local.scale;
        changes.push_back({item.name, place.local, after});
    }
    const std::string file = m_document.file(FileRole::Scene);
    Result<definition::TextEdits> edits = poseEdits(m_document.text(file), changes, m_document.places());
    if (!edits)
        return edits.error();
    m_document.endMerge();
    return m_document.edit({file, std::move(*edits), label, {}});
}

Result<void> ArrangeEdits::align(const std::vector<std::string>& names, int axis, AlignTo to) {
    Result<std::vector<ArrangeItem>> items = itemsOf(names, 2);
    if (!items)
        return items.error();
    float low = std::numeric_limits<float>::max();
    float high = std::numeric_limits<float>::lowest();
    for (const ArrangeItem& item : *items) {
        low = std::min(low, item.box.minimum[axis]);
        high = std::max(high, item.box.maximum[axis]);
    }
    for (ArrangeItem& item : *items)
        item.by[axis] = to == AlignTo::Minimum   ? low - item.box.minimum[axis]
                        : to == AlignTo::Maximum ? high - item.box.maximum[axis]
                                                 : (low + high) / 2.0F - middleOf(item, axis);
    return move(*items, QStringLiteral("Align %1 on %2").arg(arranged(*items), axisName(axis)));
}

Result<void> ArrangeEdits::distribute(const std::vector<std::string>& names, int axis) {
    Result<std::vector<ArrangeItem>> items = itemsOf(names, 3);
    if (!items)
        return items.error();
    std::stable_sort(items->begin(), items->end(),
                     [axis](const ArrangeItem& a, const ArrangeItem& b) { return middleOf(a, axis) < middleOf(b, axis); });
    const float first = middleOf(items->front(), axis);
    const float step = (middleOf(items->back(), axis) - first) / static_cast<float>(items->size() - 1);
    for (std::size_t i = 1; i + 1 < items->size(); ++i)
        (*items)[i].by[axis] = first + step * static_cast<float>(i) - middleOf((*items)[i], axis);
    return move(*items, QStringLiteral("Distribute %1 on %2").arg(arranged(*items), axisName(axis)));
}

// From the lowest up, so that what another one lands on has come down before.
Result<void> ArrangeEdits::dropToFloor(const std::vector<std::string>& names) {
    Result<std::vector<ArrangeItem>> items = itemsOf(names, 1);
    if (!items)
        return items.error();
    std::stable_sort(items->begin(), items->end(),
                     [](const ArrangeItem& a, const ArrangeItem& b) { return a.box.minimum.y < b.box.minimum.y; });
    std::vector<std::string> roots;
    for (const ArrangeItem& item : *items)
        roots.push_back(item.name);
    std::vector<std::uint32_t> groups;
    const std::vector<std::uint64_t> family = m_shown.familiesOf(roots, &groups);
    std::unordered_map<std::uint64_t, std::size_t> itemOf;
    for (std::size_t i = 0; i < family.size(); ++i)
        itemOf.emplace(family[i], groups[i]);
    bool any = false;
    for (std::size_t i = 0; i < items->size(); ++i) {
        ArrangeItem& item = (*items)[i];
        const Vec3 middle = item.box.centre();
        const render::Ray down{middle, Vec3(0.0F, -1.0F, 0.0F)};
        std::optional<float> floor;
        for (const std::uint32_t instance : render::instancesAlong(m_shown.index(), down)) {
            const std::uint64_t entity = m_shown.scene().instances[instance].entity;
            const auto own = itemOf.find(entity);
            if (entity == 0 || (own != itemOf.end() && own->second >= i)) // itself, or one that comes down later
                continue;
            const auto hit = render::pickInstance(m_shown.scene(), m_shown.index(), instance, down);
            if (!hit)
                continue;
            const float height = middle.y - hit->distance + (own != itemOf.end() ? (*items)[own->second].by.y : 0.0F);
            floor = std::max(floor.value_or(height), height);
        }
        if (!floor)
            continue;
        item.by.y = *floor - item.box.minimum.y;
        any = true;
    }
    if (!any)
        return Error{"nothing lies below " + (items->size() == 1 ? items->front().name : std::string("the selected entities"))
                         + ": there is no floor to set it down on",
                     {},
                     {}};
    return move(*items, QStringLiteral("Drop %1 to the floor").arg(arranged(*items)));
}

} // namespace sbx::ui
