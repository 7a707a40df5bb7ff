#include "widgets/trace/message_bytes.h"

#include "engine/message/record_payload.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <cstring>

namespace sbx::ui {

WireLayout bytesOf(const RecordView& record) {
    return wireLayout(*messageType(record.type()).fields, record.payload(),
                      [](EntityId id) { return id ? id.index() : 0U; });
}

std::optional<std::uint64_t> previousOfKind(const TraceModel& model, std::uint64_t sequence) {
    const TraceStore& store = model.store();
    const auto row = store.rowOf(sequence);
    if (!row)
        return std::nullopt;
    const RecordView now = store.at(*row);
    const std::uint64_t first = std::max(store.first(), *row > MaxLookedBack ? *row - MaxLookedBack : 0);
    for (std::uint64_t at = *row; at-- > first;) {
        if (!store.isReady(at))
            break; // on the disk: not read for this
        const RecordView before = store.at(at);
        if (before.type() == now.type() && before.world() == now.world() && before.sender() == now.sender()
            && before.receiver() == now.receiver() && before.senderName() == now.senderName()
            && before.receiverName() == now.receiverName())
            return before.sequence();
    }
    return std::nullopt;
}

std::vector<bool> changedFields(const RecordView& now, const RecordView& before) {
    std::vector<bool> changed;
    for (const FieldInfo& field : *messageType(now.type()).fields) {
        // Behind the end of a text anything may stand.
        const bool same =
            field.type == FieldType::String
                ? field.read(now.payload()) == field.read(before.payload())
                : std::memcmp(record::member(now, field), record::member(before, field), field.size) == 0;
        changed.push_back(!same);
    }
    return changed;
}

} // namespace sbx::ui
