#include "engine/components/network_table.h"

#include "engine/components/wire_layout.h"
#include "engine/core/utf8.h"

#include <algorithm>
#include <array>

namespace sbx {

namespace {

constexpr std::size_t LongestText = 512;

void hashFields(const FieldTable& fields, Hash64& hash) {
    for (const FieldInfo& field : fields) {
        hash.add(std::string_view(field.name));
        hash.add(static_cast<std::uint64_t>(field.type));
        hash.add(field.size);
        hash.add(field.choices.size());
        hash.add(std::bit_cast<std::uint64_t>(field.resolution));
    }
}

WireRead readRaw(net::ByteReader& in, const FieldInfo& field, Value& value) {
    alignas(16) std::array<std::byte, 32> raw{};
    const net::ByteView bytes = in.bytes(field.size);
    if (!in.ok() || field.size > raw.size() || (field.type == FieldType::Bool && bytes[0] > 1))
        return WireRead::Broken;
    std::memcpy(raw.data(), bytes.data(), field.size);
    value = field.get(field, raw.data());
    if (const auto* q = std::get_if<Quat>(&value)) {
        const float length = q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
        if (!(length > 0.5F && length < 2.0F))
            return WireRead::OutOfRange;
    }
    return WireRead::Good;
}

} // namespace

NetworkTable::NetworkTable(std::span<const ComponentType* const> components) {
    Hash64 hash;
    for (const ComponentType* component : components) {
        for (const HandlerDescription& handler : component->handlers)
            m_types.push_back(&messageType(handler.message));
        for (const MessageTypeId sent : component->sends)
            m_types.push_back(&messageType(sent));
        hash.add(std::string_view(component->name));
        hashFields(*component->state, hash);
    }
    std::sort(m_types.begin(), m_types.end(), [](const MessageType* a, const MessageType* b) { return a->name < b->name; });
    m_types.erase(std::unique(m_types.begin(), m_types.end()), m_types.end());
    for (const MessageType* type : m_types) {
        hash.add(std::string_view(type->name));
        hashFields(*type->fields, hash);
    }
    m_hash = hash.value();
}

std::size_t NetworkTable::indexOf(MessageTypeId type) const {
    const auto found =
        std::find_if(m_types.begin(), m_types.end(), [&](const MessageType* known) { return known->id == type; });
    return static_cast<std::size_t>(found - m_types.begin());
}

void writeWireField(net::ByteWriter& out, const FieldInfo& field, const void* object,
                    const EntityToWire& toWire) {
    const std::byte* member = static_cast<const std::byte*>(object) + field.offset;
    if (field.type == FieldType::String) {
        const Value value = field.read(object);
        const FixedText<LongestText> whole(std::get<std::string>(value)); // cut between characters
        const std::string_view text = whole.view();
        out.varint(static_cast<std::uint32_t>(text.size()));
        out.bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    } else if (field.type == FieldType::Entity) {
        EntityId entity;
        std::memcpy(&entity, member, sizeof entity);
        out.varint(toWire(entity));
    } else {
        out.bytes({reinterpret_cast<const std::uint8_t*>(member), field.size});
    }
}

void writeWireFields(net::ByteWriter& out, const FieldTable& fields, const void* object,
                     const EntityToWire& toWire) {
    for (const FieldInfo& field : fields)
        writeWireField(out, field, object, toWire);
}

WireRead readWireFields(net::ByteReader& in, const FieldTable& fields, const EntityFromWire& fromWire,
                        std::vector<Value>& values) {
    for (const FieldInfo& field : fields) {
        Value value;
        if (field.type == FieldType::String) {
            const std::uint32_t size = in.varint();
            if (!in.ok() || size > LongestText)
                return WireRead::Broken;
            const net::ByteView text = in.bytes(size);
            value = std::string(text.begin(), text.end());
            if (firstBadByte(std::get<std::string>(value)) != std::string::npos)
                return WireRead::OutOfRange; // people type what they like
        } else if (field.type == FieldType::Entity) {
            value = fromWire(in.varint());
        } else if (const WireRead read = readRaw(in, field, value); read != WireRead::Good) {
            return read;
        }
        if (!in.ok())
            return WireRead::Broken;
        Result<Value> checked = field.check(value);
        if (!checked)
            return WireRead::OutOfRange;
        values.push_back(std::move(*checked));
    }
    return WireRead::Good;
}

} // namespace sbx
