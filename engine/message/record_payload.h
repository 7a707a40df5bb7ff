#pragma once
// Reading fields of a message where they lie in a record, without a Value in between.

#include "engine/message/record.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace sbx::record {

[[nodiscard]] inline const std::byte* member(const RecordView& record, const FieldInfo& field) {
    return static_cast<const std::byte*>(record.payload()) + field.offset;
}

// The name of an Enum's value, in place.
[[nodiscard]] inline std::string_view choice(const FieldInfo& field, const std::byte* at) {
    std::uint64_t index = 0;
    std::memcpy(&index, at, std::min(field.size, sizeof index));
    return index < field.choices.size() ? std::string_view(field.choices[static_cast<std::size_t>(index)]) : "?";
}

// Quaternions lie in memory as glm keeps them: x, y, z, w by default.
[[nodiscard]] inline float element(const std::byte* at, FieldType type, std::size_t index) {
    if (type == FieldType::Quaternion) {
        Quat q;
        std::memcpy(&q, at, sizeof q);
        const std::array<float, 4> parts{q.x, q.y, q.z, q.w};
        return parts[index];
    }
    float value = 0.0F;
    std::memcpy(&value, at + index * sizeof(float), sizeof value);
    return value;
}

// The clock at dispatch in ticks (RecordSegment::nsPerTick() is their length), from a beginning that all segments share, as stampNs()
// has not. Only of a record whose stampNs() is not negative. It follows the payload, which is aligned.
[[nodiscard]] inline std::uint64_t stampTicks(const RecordView& record) {
    std::uint64_t ticks = 0;
    std::memcpy(&ticks, static_cast<const std::byte*>(record.payload()) + roundUp(record.payloadSize(), sizeof ticks), sizeof ticks);
    return ticks;
}

} // namespace sbx::record
