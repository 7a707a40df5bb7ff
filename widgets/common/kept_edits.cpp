#include "widgets/common/kept_edits.h"

#include <QCoreApplication>

#include "engine/definition/batch_edit.h"
#include "widgets/common/document.h"
#include "widgets/common/type_text.h"

namespace sbx::ui {

namespace {
// Numbers of a place that the person left to the world stay as the scene has them.
Vec3 keptPlace(const Document& document, const LiveEdit& edit) {
    const definition::PlaceIndex* const places = document.places();
    const auto at = places == nullptr ? std::nullopt : places->find(edit.entity);
    Vec3 kept = std::get<Vec3>(edit.after);
    if (!at)
        return kept;
    const definition::PlacedInstance& instance = places->instances()[*at];
    const Vec3& said = edit.field == "position" ? instance.position : edit.field == "rotation" ? instance.rotation : instance.scale;
    for (glm::length_t i = 0; i < 3; ++i)
        if ((edit.elements >> static_cast<unsigned>(i) & 1U) == 0)
            kept[i] = said[i];
    return kept;
}

Result<definition::TextEdits> sceneEdit(const Document& document, std::string_view scene, const LiveEdit& edit) {
    if (!edit.component.empty())
        return definition::setSceneValues(scene, {edit.entity}, edit.component, edit.field, edit.toml);
    definition::InstancePlace place;
    place.name = edit.entity;
    (edit.field == "position" ? place.position : edit.field == "rotation" ? place.rotation : place.scale) = keptPlace(document, edit);
    return definition::setInstancePlaces(scene, {place});
}
} // namespace

Result<void> keepEdits(Document& document, const LiveEdits::List& edits) {
    const std::string file = document.file(FileRole::Scene);
    if (file.empty())
        return Error{"no scene is open", {}, {}};
    Result<definition::TextEdits> all = definition::TextEdits{};
    int count = 0;
    for (const LiveEdit& edit : edits) {
        if (!edit.obstacle.empty())
            continue;
        ++count;
        all = thenEdit(document.text(file), std::move(all), [&](const std::string& between) { return sceneEdit(document, between, edit); });
        if (!all)
            return Error{edit.entity + " is not kept: " + all.error().message, {}, {}};
    }
    if (count == 0)
        return Error{"there is nothing to keep", {}, {}};
    document.endMerge();
    const QString label = count == 1 ? QCoreApplication::translate("KeptEdits", "Keep a change made while playing")
                                     : QCoreApplication::translate("KeptEdits", "Keep %1 changes made while playing").arg(count);
    const Result<void> done = document.edit({file, std::move(*all), label, {}});
    document.endMerge();
    return done;
}

} // namespace sbx::ui
