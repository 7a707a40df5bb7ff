#pragma once
// Writes into the scene what a person has changed by hand while the world ran. GUI thread.

#include "engine/core/result.h"
#include "engine/session/live_edits.h"

namespace sbx::ui {

class Document;

// One undo step. Those with an obstacle are left out; an error if none is left, or the scene does not have one of the entities any more:
// then nothing is written.
Result<void> keepEdits(Document& document, const LiveEdits::List& edits);

} // namespace sbx::ui
