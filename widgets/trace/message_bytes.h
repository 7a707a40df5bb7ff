#pragma once
// The bytes of a recorded message as the network carries them, and which fields are other than in the message of its kind before it: the
// same type from the same sender to the same receiver. Pure; GUI thread, as everything that reads the trace.

#include "engine/components/wire_layout.h"
#include "engine/message/record.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sbx::ui {

class TraceModel;

// The number that an entity has on the wire is given by the session; its index in the world stands for it here.
[[nodiscard]] WireLayout bytesOf(const RecordView& record);

// Sequence of the nearest record of the same kind before it, within MaxLookedBack records; nothing: there is none.
inline constexpr std::uint64_t MaxLookedBack = 20'000;
[[nodiscard]] std::optional<std::uint64_t> previousOfKind(const TraceModel& model, std::uint64_t sequence);

// Beside the fields of their type: which have another value. Both are of that type.
[[nodiscard]] std::vector<bool> changedFields(const RecordView& now, const RecordView& before);

} // namespace sbx::ui
