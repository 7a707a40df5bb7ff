#include "engine/message/message_type.h"

#include <deque>
#include <mutex>
#include <unordered_map>

namespace sbx {

namespace {
struct TypeTable {
    std::mutex mutex;
    std::deque<MessageType> types; // stable addresses
    std::unordered_map<std::string, MessageTypeId> byName;
};
TypeTable& table() {
    static TypeTable Table;
    return Table;
}
} // namespace

const MessageType& internMessageType(MessageType type) {
    TypeTable& t = table();
    const std::scoped_lock lock(t.mutex);
    if (const auto it = t.byName.find(type.name); it != t.byName.end()) {
        const MessageType& known = t.types[it->second];
        SBX_EXPECT(known.size == type.size, "two message types share a name but not a size");
        return known;
    }
    SBX_EXPECT(t.types.size() < NoType, "too many message types");
    type.id = static_cast<MessageTypeId>(t.types.size());
    t.byName.emplace(type.name, type.id);
    t.types.push_back(std::move(type));
    return t.types.back();
}

const MessageType* findMessageType(std::string_view name) {
    TypeTable& t = table();
    const std::scoped_lock lock(t.mutex);
    const auto it = t.byName.find(std::string(name));
    return it == t.byName.end() ? nullptr : &t.types[it->second];
}

const MessageType& messageType(MessageTypeId id) {
    TypeTable& t = table();
    const std::scoped_lock lock(t.mutex);
    SBX_EXPECT(id < t.types.size(), "unknown message type id");
    return t.types[id];
}

std::vector<const MessageType*> messageTypes() {
    TypeTable& t = table();
    const std::scoped_lock lock(t.mutex);
    std::vector<const MessageType*> out;
    for (const MessageType& type : t.types)
        out.push_back(&type);
    return out;
}

std::size_t messageTypeCount() {
    TypeTable& t = table();
    const std::scoped_lock lock(t.mutex);
    return t.types.size();
}

} // namespace sbx
