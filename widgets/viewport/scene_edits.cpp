#include "widgets/viewport/scene_edits.h"

#include "engine/core/value.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

float rounded(float value, double unit) {
    const double result = std::round(static_cast<double>(value) / unit) * unit;
    const float out = static_cast<float>(result);
    return out == 0.0F ? 0.0F : out; // no -0.0
}

struct KeyChange {
    std::string instance;
    std::string key;
    std::string value;
};

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

Result<definition::TextEdits> poseEdits(std::string_view scene, const std::vector<PoseChange>& changes) {
    std::vector<KeyChange> keys;
    for (const PoseChange& change : changes) {
        if (!isFinite(change.after.position) || !isFinite(change.after.rotation) || !isFinite(change.after.scale))
            return Error{"the new place of " + change.name + " is not a number; expected finite values", {}, {}};
        if (const Vec3 position = roundedMetres(change.after.position); position != roundedMetres(change.before.position))
            keys.push_back({change.name, "position", vectorText(position)});
        const Vec3 degrees = roundedDegrees(toEulerDegrees(change.after.rotation));
        if (degrees != roundedDegrees(toEulerDegrees(change.before.rotation)))
            keys.push_back({change.name, "rotation", vectorText(degrees)});
        if (const Vec3 scale = roundedMetres(change.after.scale); scale != roundedMetres(change.before.scale))
            keys.push_back({change.name, "scale", vectorText(scale)});
    }

    definition::TextEdits all;
    for (const KeyChange& key : keys) {
        Result<definition::TextEdits> edits = definition::setInstanceKey(scene, key.instance, key.key, key.value);
        if (!edits)
            return edits.error();
        all.insert(all.end(), edits->begin(), edits->end());
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    bool apart = true;
    for (std::size_t i = 1; i < all.size(); ++i)
        apart = apart && all[i].offset > all[i - 1].offset && all[i].offset >= all[i - 1].offset + all[i - 1].removed.size();
    if (apart)
        return all;

    // New keys of one instance go to the same place: one after the other, then all of it as a single edit.
    std::string text(scene);
    for (const KeyChange& key : keys) {
        const Result<definition::TextEdits> edits = definition::setInstanceKey(text, key.instance, key.key, key.value);
        if (!edits)
            return edits.error();
        Result<std::string> next = definition::applyEdits(text, *edits);
        if (!next)
            return next.error();
        text = std::move(*next);
    }
    std::size_t head = 0;
    while (head < scene.size() && head < text.size() && scene[head] == text[head])
        ++head;
    std::size_t tail = 0;
    while (tail < scene.size() - head && tail < text.size() - head
           && scene[scene.size() - 1 - tail] == text[text.size() - 1 - tail])
        ++tail;
    return definition::TextEdits{{head, std::string(scene.substr(head, scene.size() - head - tail)),
                                  text.substr(head, text.size() - head - tail)}};
}

Result<Duplicates> duplicates(std::string_view scene, const std::vector<std::string>& names) {
    Duplicates result;
    result.text = std::string(scene);
    for (const std::string& name : names) {
        const std::string copy = definition::freeInstanceName(result.text, name);
        const Result<definition::TextEdits> edits = definition::duplicateInstance(result.text, name, copy, Vec3(0.0F));
        if (!edits)
            return edits.error();
        Result<std::string> next = definition::applyEdits(result.text, *edits);
        if (!next)
            return next.error();
        result.text = std::move(*next);
        result.names.push_back(copy);
    }
    return result;
}

} // namespace sbx::ui
