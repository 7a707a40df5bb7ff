#pragma once
// Values to choose from in the trace's filter line, taken from the records that are held. GUI thread.

#include "engine/core/filter_completion.h"

#include <string>
#include <vector>

namespace sbx::ui {

class TraceModel;

// Numbers that the newest records have in the field, smallest first, of the types that are demanded, if any: at most 20, looked for in
// the newest 4,000 records.
[[nodiscard]] std::vector<std::string> numbersSeen(const TraceModel& model, const FilterField& field,
                                                   const std::vector<FilterDemand>& demands);

} // namespace sbx::ui
