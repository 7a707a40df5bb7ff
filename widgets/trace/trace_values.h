#pragma once
// Values to choose from in the trace's filter line, taken from the records that are held. GUI thread.

#include "engine/core/filter_completion.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

class TraceModel;

// Numbers that the newest records have in the field, smallest first, of the types that are demanded, if any: at most 20, looked for in
// the newest 4,000 records.
[[nodiscard]] std::vector<std::string> numbersSeen(const TraceModel& model, const FilterField& field,
                                                   const std::vector<FilterDemand>& demands);

// Texts that the newest records have in the field, in alphabetical order: at most 200 that contain what is typed, looked for in the newest
// 20,000 records that do not wait for the disk. Those of more than 200 bytes are left out.
[[nodiscard]] std::vector<std::string> textsSeen(const TraceModel& model, const FilterField& field,
                                                 std::string_view typed);

} // namespace sbx::ui
