#pragma once
// Messages and states as bytes, from their descriptions alone, and the number each message type has on the wire.

#include "engine/entity/component_type.h"
#include "engine/net/bytes.h"

#include <functional>
#include <span>

namespace sbx {

// Purpose: the message types that these components handle or send, in order of name: both ends make the same table from the same
// components, and hash() shows whether they agree. Immutable.
class NetworkTable {
public:
    explicit NetworkTable(std::span<const ComponentType* const> components);

    [[nodiscard]] std::size_t size() const { return m_types.size(); }
    [[nodiscard]] const MessageType& type(std::size_t index) const { return *m_types[index]; }
    // size() if no component handles it.
    [[nodiscard]] std::size_t indexOf(MessageTypeId type) const;
    // Of names and fields of all messages and states.
    [[nodiscard]] std::uint64_t hash() const { return m_hash; }

private:
    std::vector<const MessageType*> m_types;
    std::uint64_t m_hash = 0;
};

// The number of an entity on the wire, and back; 0: none.
using EntityToWire = std::function<std::uint32_t(EntityId)>;
using EntityFromWire = std::function<EntityId(std::uint32_t)>;

// Texts are cut at 512 bytes.
void writeWireFields(net::ByteWriter& out, const FieldTable& fields, const void* object, const EntityToWire& toWire);
enum class WireRead : std::uint8_t {
    Good,
    OutOfRange, // a value that its description rules out
    Broken,     // the bytes are not such an object
};
// All values checked for range and finiteness; appended to `values`, one a field.
[[nodiscard]] WireRead readWireFields(net::ByteReader& in, const FieldTable& fields, const EntityFromWire& fromWire,
                                      std::vector<Value>& values);

} // namespace sbx
