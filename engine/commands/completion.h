#pragma once
// What could stand at the cursor of the session's own commands; private to this room. Any thread: reads snapshots only.

#include "engine/core/command.h"
#include "engine/core/fields.h"
#include "engine/core/filter_completion.h"

namespace sbx {

class Session;

// What a filter, which begins at `from` of typing.rest, could go on with.
void offerFilter(const FilterCompletion& found, std::size_t from, CommandTyping& typing,
                 std::vector<CompletionCandidate>& out);
// The filter that begins at word `at`.
void completeEntityFilter(const Session& session, CommandTyping& typing, std::size_t at,
                          std::vector<CompletionCandidate>& out);
// COMPONENT.FIELD and the value of `set ENTITY …`.
bool completeField(const Session& session, CommandTyping& typing, std::vector<CompletionCandidate>& out);
// What a field is and takes, in one line: "What is left to take; a number of at least 0".
[[nodiscard]] std::string explained(const FieldInfo& field);
// Paths, CVars and count(…) of `expect`.
void completeCondition(const Session& session, CommandTyping& typing, std::vector<CompletionCandidate>& out);

} // namespace sbx
