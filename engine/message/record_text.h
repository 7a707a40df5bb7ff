#pragma once
// A record as one line of text, for terminals.

#include "engine/message/record_filter.h"

#include <functional>
#include <string>

namespace sbx {

// Number, tick, world, type, sender, receiver, fields, delivery and outcome, with tabs between them and without a line end; `-` for what
// there is none of. Words are those of the filter language. `entityName`: of entities in fields; an empty answer shows the handle.
[[nodiscard]] std::string recordText(const RecordFilterSchema& schema, const RecordView& record,
                                     const std::function<std::string(EntityId)>& entityName = {});

// How long it waited after it had come by the network: "3 ticks late"; empty: it did not.
[[nodiscard]] std::string lateText(const RecordView& record);

} // namespace sbx
