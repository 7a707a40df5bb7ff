#pragma once
// Which bytes of a message on the wire are which of its fields: for windows that show them. Made by the serialiser itself, field by field.
// Any thread.

#include "engine/components/network_table.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbx {

// One field, as writeWireFields() writes all of them.
void writeWireField(net::ByteWriter& out, const FieldInfo& field, const void* object,
                    const EntityToWire& toWire);

struct WireLayout {
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0; // exclusive
        friend bool operator==(const Range&, const Range&) = default;
    };
    std::vector<std::uint8_t> bytes;
    std::vector<Range> fields; // beside the table; those that found no room are empty
    bool whole = true;         // everything found room

    // The field that a byte belongs to; fields.size(): none.
    [[nodiscard]] std::size_t fieldAt(std::size_t byte) const;
};

// At most net's largest body is written: what goes beyond is left out.
[[nodiscard]] WireLayout wireLayout(const FieldTable& fields, const void* object, const EntityToWire& toWire);

} // namespace sbx
