#pragma once
// Poses written into a scene's text. Pure: text in, edits out. Numbers are rounded to what a person would write (a tenth of a
// millimetre, a thousandth of a degree), and only keys that change are touched.

#include "engine/core/math.h"
#include "engine/definition/place_index.h"
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

// All of them as one set of edits of the text. A key whose value stays equal after rounding is left alone. With an index of that text
// nothing is parsed, unless a key is to be written that is not there yet.
[[nodiscard]] Result<definition::TextEdits> poseEdits(std::string_view scene, const std::vector<PoseChange>& changes,
                                                      const definition::PlaceIndex* index = nullptr);

} // namespace sbx::ui
