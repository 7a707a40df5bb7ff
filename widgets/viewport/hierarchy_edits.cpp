#include "widgets/viewport/hierarchy_edits.h"

#include "engine/definition/parent_edit.h"
#include "widgets/common/document.h"
#include "widgets/common/entity_names.h"
#include "widgets/common/selection.h"
#include "widgets/viewport/entity_editor.h"
#include "widgets/viewport/scene_edits.h"
#include "widgets/viewport/viewport_source.h"

#include <algorithm>
#include <unordered_set>

namespace sbx::ui {

namespace {

constexpr const char* GroupType = "Empty"; // built in
constexpr const char* GroupName = "group";

} // namespace

Result<std::string> HierarchyEdits::fileFor(const char* what) const {
    if (!m_editor.editsFile())
        return Error{std::string(what) + " when the world is stopped", {}, {}};
    if (!m_editor.canEdit())
        return Error{"there is no scene to change; open a project first", {}, {}};
    return m_document.file(FileRole::Scene);
}

// What stays equal after rounding is left as it was written, to the last digit.
definition::InstanceParent HierarchyEdits::below(const std::string& name, const std::string& parent, const Pose& frame) const {
    const ScenePlace& place = *m_editor.places().find(name);
    const Pose after = relativeTo(frame, place.world);
    definition::InstanceParent out;
    out.parent = parent;
    out.place.name = name;
    if (const Vec3 position = roundedMetres(after.position); position != roundedMetres(place.local.position))
        out.place.position = position;
    if (const Vec3 degrees = roundedDegrees(toEulerDegrees(after.rotation));
        degrees != roundedDegrees(toEulerDegrees(place.local.rotation)))
        out.place.rotation = degrees;
    if (const Vec3 scale = roundedMetres(after.scale); scale != roundedMetres(place.local.scale))
        out.place.scale = scale;
    return out;
}

Result<void> HierarchyEdits::setParent(const std::vector<std::string>& names, const std::string& parent) {
    const Result<std::string> file = fileFor("entities can be given another parent");
    if (!file)
        return file.error();
    const ScenePlaces& places = m_editor.places();
    const ScenePlace* above = places.find(parent);
    if (!parent.empty() && above == nullptr)
        return Error{parent + " is not in the scene file: nothing can hang from it there", {}, {}};
    const std::vector<std::string> roots = places.topmost(names);
    if (roots.empty())
        return Error{"nothing of the selection is in the scene file", {}, {}};
    std::vector<definition::InstanceParent> changes;
    std::vector<std::string> changed;
    for (const std::string& name : roots) {
        if (name == parent)
            return Error{name + " cannot be its own child; choose another entity", {}, {}};
        if (places.find(name)->parent == parent)
            continue;
        changes.push_back(below(name, parent, above != nullptr ? above->world : Pose{}));
        changed.push_back(name);
    }
    if (changes.empty())
        return {};
    Result<definition::TextEdits> edits = definition::setInstanceParents(m_document.text(*file), changes);
    if (!edits)
        return edits.error();
    const QString label = parent.empty() ? QStringLiteral("Clear parent of %1").arg(entitiesText(changed))
                                         : QStringLiteral("Parent %1 to %2").arg(entitiesText(changed), QString::fromStdString(parent));
    return m_document.edit({*file, std::move(*edits), label, {}});
}

Result<void> HierarchyEdits::parentToLast(const std::vector<std::string>& names, const std::string& last) {
    std::vector<std::string> others;
    for (const std::string& name : names)
        if (name != last)
            others.push_back(name);
    if (others.empty())
        return Error{"select the entities that shall be children first, and the parent last", {}, {}};
    return setParent(others, last);
}

Result<std::string> HierarchyEdits::group(const std::vector<std::string>& names) {
    const Result<std::string> file = fileFor("entities can be grouped");
    if (!file)
        return file.error();
    const ScenePlaces& places = m_editor.places();
    const std::vector<std::string> roots = places.topmost(names);
    if (roots.empty())
        return Error{"nothing of the selection is in the scene file", {}, {}};
    Vec3 centre(0.0F);
    std::string parent = places.find(roots.front())->parent;
    for (const std::string& name : roots) {
        const ScenePlace& place = *places.find(name);
        centre += place.world.position;
        if (place.parent != parent)
            parent.clear();
    }
    centre /= static_cast<float>(roots.size());
    const ScenePlace* above = places.find(parent);
    if (above == nullptr)
        parent.clear();
    const Pose aboveFrame = above != nullptr ? above->world : Pose{};
    definition::InstancePose pose;
    pose.position = roundedMetres(relativeTo(aboveFrame, Pose{centre, aboveFrame.rotation, aboveFrame.scale}).position);
    const Pose frame = compose(aboveFrame, Pose{pose.position, Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(1.0F)}); // as it will be read
    const std::string& text = m_document.text(*file);
    const std::string name = definition::freeInstanceName(text, GroupName);
    Result<definition::TextEdits> edits = definition::addInstance(text, GroupType, name, pose, parent);
    if (!edits)
        return edits.error();
    const Result<std::string> with = definition::applyEdits(text, *edits);
    if (!with)
        return with.error();
    std::vector<definition::InstanceParent> changes;
    for (const std::string& root : roots)
        changes.push_back(below(root, name, frame));
    Result<definition::TextEdits> moves = definition::setInstanceParents(*with, changes);
    if (!moves)
        return moves.error();
    const QString label = QStringLiteral("Group %1").arg(entitiesText(roots));
    if (Result<void> done = m_document.edit({*file, definition::composed(std::move(*edits), *moves), label, {}}); !done)
        return done.error();
    m_selection.setEntity(name, ViewportSource);
    return name;
}

Result<void> HierarchyEdits::ungroup(const std::vector<std::string>& names) {
    const Result<std::string> file = fileFor("groups can be taken apart");
    if (!file)
        return file.error();
    const ScenePlaces& places = m_editor.places();
    const std::unordered_set<std::string> chosen(names.begin(), names.end());
    std::unordered_set<std::string> parents;
    for (const ScenePlace& place : places.all())
        if (chosen.contains(place.parent) && place.parent != place.name)
            parents.insert(place.parent);
    std::vector<std::string> going;
    for (const std::string& name : names)
        if (const ScenePlace* place = places.find(name); place != nullptr && parents.contains(name) && place->type == GroupType)
            going.push_back(name);
    // The nearest above that is not taken apart as well.
    const auto keptAbove = [&](const ScenePlace& place) {
        std::unordered_set<std::string> seen;
        std::string up = place.parent;
        while (chosen.contains(up) && seen.insert(up).second) {
            const ScenePlace* at = places.find(up);
            up = at != nullptr ? at->parent : std::string();
        }
        return places.find(up) != nullptr ? up : std::string();
    };
    std::vector<definition::InstanceParent> changes;
    std::vector<std::string> freed;
    for (const ScenePlace& place : places.all()) {
        if (!parents.contains(place.parent) || place.parent == place.name)
            continue;
        const std::string up = keptAbove(place);
        if (up == place.name)
            continue;
        const ScenePlace* above = places.find(up);
        changes.push_back(below(place.name, up, above != nullptr ? above->world : Pose{}));
        if (std::find(going.begin(), going.end(), place.name) == going.end())
            freed.push_back(place.name);
    }
    if (changes.empty())
        return Error{"nothing hangs from the selection: there is no group to take apart", {}, {}};
    const std::string& text = m_document.text(*file);
    Result<definition::TextEdits> edits = definition::setInstanceParents(text, changes);
    if (!edits)
        return edits.error();
    if (!going.empty()) {
        const Result<std::string> without = definition::applyEdits(text, *edits);
        if (!without)
            return without.error();
        Result<definition::TextEdits> removed = definition::removeInstances(*without, going);
        if (!removed)
            return removed.error();
        edits = definition::composed(std::move(*edits), *removed);
    }
    const QString label = QStringLiteral("Ungroup %1").arg(entitiesText(std::vector<std::string>(parents.begin(), parents.end())));
    if (Result<void> done = m_document.edit({*file, std::move(*edits), label, {}}); !done)
        return done;
    m_selection.setEntities(std::move(freed), ViewportSource);
    return {};
}

bool HierarchyEdits::anyHasChildren(const std::vector<std::string>& names) const {
    const std::unordered_set<std::string_view> chosen(names.begin(), names.end());
    const std::vector<ScenePlace>& all = m_editor.places().all();
    return std::any_of(all.begin(), all.end(), [&](const ScenePlace& place) { return chosen.contains(place.parent); });
}

bool HierarchyEdits::anyHasParent(const std::vector<std::string>& names) const {
    return std::any_of(names.begin(), names.end(), [this](const std::string& name) {
        const ScenePlace* place = m_editor.places().find(name);
        return place != nullptr && !place->parent.empty();
    });
}

} // namespace sbx::ui
