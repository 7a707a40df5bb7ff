#include "widgets/viewport/scene_edits.h"

#include "engine/core/value.h"
#include "engine/definition/batch_edit.h"

#include <cmath>

namespace sbx::ui {

namespace {

float rounded(float value, double unit) {
    const double result = std::round(static_cast<double>(value) / unit) * unit;
    const float out = static_cast<float>(result);
    return out == 0.0F ? 0.0F : out; // no -0.0
}

} // namespace

Vec3 roundedMetres(const Vec3& value) {
    return {rounded(value.x, 1e-4), rounded(value.y, 1e-4), rounded(value.z, 1e-4)};
}

Vec3 roundedDegrees(const Vec3& value) {
    return {rounded(value.x, 1e-3), rounded(value.y, 1e-3), rounded(value.z, 1e-3)};
}

std::string vectorText(const Vec3& value) {
    return "[" + formatFloat(value.x) + ", " + formatFloat(value.y) + ", " + formatFloat(value.z) + "]";
}

Result<definition::TextEdits> poseEdits(std::string_view scene, const std::vector<PoseChange>& changes,
                                        const definition::PlaceIndex* index) {
    std::vector<definition::InstancePlace> places;
    for (const PoseChange& change : changes) {
        if (!isFinite(change.after.position) || !isFinite(change.after.rotation) || !isFinite(change.after.scale))
            return Error{"the new place of " + change.name + " is not a number; expected finite values", {}, {}};
        definition::InstancePlace place;
        if (const Vec3 position = roundedMetres(change.after.position); position != roundedMetres(change.before.position))
            place.position = position;
        if (change.after.rotation != change.before.rotation) {
            const Vec3 degrees = roundedDegrees(toEulerDegrees(change.after.rotation));
            if (degrees != roundedDegrees(toEulerDegrees(change.before.rotation)))
                place.rotation = degrees;
        }
        if (const Vec3 scale = roundedMetres(change.after.scale); scale != roundedMetres(change.before.scale))
            place.scale = scale;
        if (!place.position && !place.rotation && !place.scale)
            continue;
        place.name = change.name;
        places.push_back(std::move(place));
    }
    if (index != nullptr) {
        std::vector<definition::PlaceIndex::Move> moves;
        moves.reserve(places.size());
        for (const definition::InstancePlace& place : places)
            if (const auto instance = index->find(place.name))
                moves.push_back({*instance, place.position, place.rotation, place.scale});
        if (moves.size() == places.size())
            if (std::optional<definition::TextEdits> edits = index->edits(scene, moves))
                return std::move(*edits);
    }
    return definition::setInstancePlaces(scene, places);
}

} // namespace sbx::ui
