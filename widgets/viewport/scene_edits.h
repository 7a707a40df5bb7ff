#pragma once
// Poses written into a scene's text. Pure: text in, edits out. Numbers are rounded to what a person would write (a tenth of a
// millimetre, a thousandth of a degree), and only keys that change are touched.

#include "engine/core/math.h"
#include "engine/definition/text_edit.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

struct PoseChange {
    std::string name; // instance
    Pose before;      // both in the parent's frame
    Pose after;
};

[[nodiscard]] Vec3 roundedMetres(const Vec3& value);
[[nodiscard]] Vec3 roundedDegrees(const Vec3& value);
[[nodiscard]] std::string vectorText(const Vec3& value); // "[1.0, 2.5, 0.0]"

// All of them as one set of edits of the text. A key whose value stays equal after rounding is left alone.
[[nodiscard]] Result<definition::TextEdits> poseEdits(std::string_view scene, const std::vector<PoseChange>& changes);

// Copies of instances, in place. Names of the copies in the order of `names`.
struct Duplicates {
    std::string text; // the whole scene after it
    std::vector<std::string> names;
};
[[nodiscard]] Result<Duplicates> duplicates(std::string_view scene, const std::vector<std::string>& names);

} // namespace sbx::ui
