#include "engine/message/message_type.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

namespace sbx {

namespace {
struct TypeTable {
    std::mutex mutex;
    std::deque<MessageType> types;           // every description there was, at stable addresses
    std::vector<const MessageType*> current; // by id
    std::vector<std::string> owners;         // by id; empty: not from a library that is loaded anew
    std::map<std::string, MessageTypeId, std::less<>> byName;
    std::vector<std::string> libraries; // owners, by the number of the import less one
    std::map<MessageTypeId, std::vector<std::uint32_t>> declarers; // of events: libraries, by that number
};
TypeTable& typeTable() {
    static TypeTable Table;
    return Table;
}
// Set while this thread loads a library, for static initialisers, which take no parameters.
thread_local MessageTypeImport* t_import = nullptr;

// What differs in memory, or nothing.
std::string difference(const MessageType& known, const MessageType& now) {
    if (known.size != now.size)
        return std::to_string(known.size) + " bytes there and " + std::to_string(now.size) + " here";
    const auto& a = known.fields->fields();
    const auto& b = now.fields->fields();
    for (std::size_t i = 0; i < a.size() || i < b.size(); ++i) {
        if (i >= a.size())
            return "the field " + b[i].name + " is here only";
        if (i >= b.size())
            return "the field " + a[i].name + " is there only";
        if (a[i].name != b[i].name || a[i].type != b[i].type || a[i].offset != b[i].offset
            || a[i].size != b[i].size)
            return "there it has " + a[i].name + " (" + fieldTypeName(a[i].type) + "), here " + b[i].name
                   + " (" + fieldTypeName(b[i].type) + ")";
    }
    return {};
}

// As the same event: what its parameters are called and hold.
bool sameParameters(const MessageType& a, const MessageType& b) {
    return difference(a, b).empty()
           && std::equal(a.fields->begin(), a.fields->end(), b.fields->begin(), b.fields->end(),
                         [](const FieldInfo& x, const FieldInfo& y) { return x.choices == y.choices; });
}
// And their documentation.
bool sameWords(const MessageType& a, const MessageType& b) {
    return a.doc == b.doc
           && std::equal(
               a.fields->begin(), a.fields->end(), b.fields->begin(), b.fields->end(),
               [](const FieldInfo& x, const FieldInfo& y) { return x.doc == y.doc && x.unit == y.unit; });
}
} // namespace

MessageTypeImport::MessageTypeImport(std::string owner, std::vector<std::string> others)
    : m_owner(std::move(owner)), m_others(std::move(others)), m_outer(t_import) {
    TypeTable& t = typeTable();
    const std::scoped_lock lock(t.mutex);
    t.libraries.push_back(m_owner);
    m_number = static_cast<std::uint32_t>(t.libraries.size());
    t_import = this;
}

std::uint32_t libraryBeingLoaded() { return t_import == nullptr ? 0 : t_import->number(); }

MessageTypeImport::~MessageTypeImport() {
    t_import = m_outer;
    if (m_kept)
        return;
    TypeTable& t = typeTable();
    const std::scoped_lock lock(t.mutex);
    for (auto it = m_changes.rbegin(); it != m_changes.rend(); ++it) {
        if (it->before == NoType)
            t.byName.erase(it->name);
        else
            t.byName[it->name] = it->before;
        if (it->described != nullptr) {
            t.current[it->before] = it->described;
            t.owners[it->before] = it->owner;
        }
    }
}

const MessageType& internMessageType(MessageType type) {
    TypeTable& t = typeTable();
    const std::scoped_lock lock(t.mutex);
    MessageTypeImport* import = t_import;
    const auto add = [&](MessageTypeId id) -> const MessageType& {
        type.id = id;
        t.types.push_back(std::move(type));
        const MessageType& added = t.types.back();
        if (id < t.current.size()) {
            t.current[id] = &added;
            t.owners[id] = import->m_owner;
        } else {
            t.current.push_back(&added);
            t.owners.push_back(import != nullptr ? import->m_owner : std::string());
        }
        t.byName[added.name] = id;
        return added;
    };
    const auto it = t.byName.find(type.name);
    if (it != t.byName.end()) {
        const MessageType& known = *t.current[it->second];
        if (import == nullptr) {
            SBX_EXPECT(known.size == type.size, "two message types share a name but not a size");
            return known;
        }
        const std::string differs = difference(known, type);
        const std::string& owner = t.owners[it->second];
        const std::vector<std::string>& others = import->m_others;
        if (owner.empty() || std::find(others.begin(), others.end(), owner) != others.end()) {
            if (!differs.empty())
                import->m_conflicts.push_back("brings the message type " + type.name + ", which "
                                              + (owner.empty() ? "the engine" : owner)
                                              + " has otherwise: " + differs);
            return known;
        }
        if (differs.empty()) {
            import->m_changes.push_back({type.name, known.id, &known, owner});
            return add(known.id);
        }
    }
    SBX_EXPECT(t.current.size() < NoType, "too many message types");
    if (import != nullptr)
        import->m_changes.push_back({type.name, it == t.byName.end() ? NoType : it->second, nullptr, {}});
    return add(static_cast<MessageTypeId>(t.current.size()));
}

const MessageType& declareEvent(MessageType type, std::uint32_t library) {
    TypeTable& t = typeTable();
    const std::scoped_lock lock(t.mutex);
    const auto known = t.byName.find(type.name);
    const MessageType* const before = known == t.byName.end() ? nullptr : t.current[known->second];
    const auto add = [&](MessageTypeId id) -> const MessageType& {
        type.id = id;
        type.listenerType = before == nullptr ? id : before->listenerType;
        t.types.push_back(std::move(type));
        const MessageType& added = t.types.back();
        if (id < t.current.size()) {
            t.current[id] = &added;
        } else {
            t.current.push_back(&added);
            t.owners.emplace_back(); // no struct: a library that brings one of the name is refused
        }
        t.byName[added.name] = id;
        t.declarers[id] = {library};
        return added;
    };
    if (before != nullptr) {
        if (!before->event)
            return *before;
        std::vector<std::uint32_t>& declarers = t.declarers[before->id];
        const auto isEarlierBuild = [&](std::uint32_t other) {
            return other != 0 && other < library && t.libraries[other - 1] == t.libraries[library - 1];
        };
        const bool givesWay = library != 0 && std::all_of(declarers.begin(), declarers.end(), isEarlierBuild);
        if (sameParameters(*before, type)) {
            if (givesWay && !sameWords(*before, type))
                return add(before->id);
            if (std::find(declarers.begin(), declarers.end(), library) == declarers.end()) {
                std::erase_if(declarers, isEarlierBuild);
                declarers.push_back(library);
            }
            return *before;
        }
        if (!givesWay)
            return *before;
    }
    SBX_EXPECT(t.current.size() < NoType, "too many message types");
    return add(static_cast<MessageTypeId>(t.current.size()));
}

MessageTypeId listenerType(MessageTypeId id) {
    TypeTable& t = typeTable();
    const std::scoped_lock lock(t.mutex);
    return id < t.current.size() && t.current[id]->listenerType != NoType ? t.current[id]->listenerType : id;
}

const MessageType* findMessageType(std::string_view name) {
    TypeTable& t = typeTable();
    const std::scoped_lock lock(t.mutex);
    const auto it = t.byName.find(name);
    return it == t.byName.end() ? nullptr : t.current[it->second];
}

const MessageType& messageType(MessageTypeId id) {
    TypeTable& t = typeTable();
    const std::scoped_lock lock(t.mutex);
    SBX_EXPECT(id < t.current.size(), "unknown message type id");
    return *t.current[id];
}

std::vector<const MessageType*> messageTypes() {
    TypeTable& t = typeTable();
    const std::scoped_lock lock(t.mutex);
    std::vector<const MessageType*> out;
    for (const MessageType* type : t.current)
        if (const auto named = t.byName.find(type->name);
            named != t.byName.end() && named->second == type->id)
            out.push_back(type);
    return out;
}

std::size_t messageTypeCount() {
    TypeTable& t = typeTable();
    const std::scoped_lock lock(t.mutex);
    return t.current.size();
}

} // namespace sbx
