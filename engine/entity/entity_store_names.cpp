// Names: given names are unique; an entity without one is called by its type and slot.

#include "engine/entity/entity_store.h"

#include <algorithm>
#include <charconv>

namespace sbx {

namespace {
// "crate_3" is "crate" and 3; no number: 0.
std::uint64_t splitName(std::string_view name, std::string_view& base) {
    const std::size_t bar = name.rfind('_');
    base = name;
    if (bar == std::string_view::npos || bar == 0 || bar + 1 == name.size())
        return 0;
    std::uint64_t number = 0;
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + bar + 1, end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end)
        return 0;
    base = name.substr(0, bar);
    return number;
}

// "#12" of "crate#12".
struct MadeUpEnd {
    explicit MadeUpEnd(EntityId id)
        : length(static_cast<std::size_t>(std::to_chars(bytes + 1, bytes + sizeof bytes, id.index()).ptr
                                          - bytes)) {}
    [[nodiscard]] std::string_view view() const { return {bytes, length}; }
    char bytes[16] = {'#'};
    std::size_t length;
};
char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void makeUpName(const EntityType& type, EntityId id, std::string& name) {
    name = type.name();
    if (!name.empty())
        name[0] = lowered(name[0]);
    name.append(MadeUpEnd(id).view());
}

// The same without making it.
bool isMadeUpName(std::string_view name, const EntityType& type, EntityId id) {
    const std::string_view kind = type.name();
    if (name.substr(std::min(kind.size(), name.size())) != MadeUpEnd(id).view())
        return false;
    return kind.empty() || (name[0] == lowered(kind[0]) && name.substr(1, kind.size() - 1) == kind.substr(1));
}
} // namespace

std::string EntityStore::uniqueName(const std::string& wish) {
    if (!m_byName.contains(wish))
        return wish;
    // For "crate_3" the result is the next free crate_N, not "crate_3_2".
    std::string_view base;
    splitName(wish, base);
    auto numbers = m_numbers.find(base);
    if (numbers == m_numbers.end())
        numbers = m_numbers.emplace(base, NameNumbers()).first;
    std::uint64_t& next = numbers->second.next;
    std::set<std::uint64_t>& free = numbers->second.free;
    // The lowest that is free, without a walk over those that are not: a name is looked at again only after it was given back.
    for (;;) {
        ++m_namesTried;
        const std::uint64_t number = free.empty() ? next++ : free.extract(free.begin()).value();
        std::string name = std::string(base) + "_" + std::to_string(number);
        if (!m_byName.contains(name))
            return name;
    }
}

// The number at its end is free again: spawners that run for hours do not run out of names.
void EntityStore::removeName(const std::string& name) {
    m_byName.erase(name);
    std::string_view base;
    const std::uint64_t number = splitName(name, base);
    if (number < 2)
        return;
    if (const auto numbers = m_numbers.find(base); numbers != m_numbers.end() && number < numbers->second.next)
        numbers->second.free.insert(number);
}

Entity EntityStore::find(std::string_view name) const {
    if (const auto it = m_byName.find(name); it != m_byName.end())
        return find(it->second);
    const std::size_t mark = name.rfind('#');
    if (mark == std::string_view::npos)
        return {};
    std::uint32_t index = 0;
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + mark + 1, end, index);
    if (parsed.ec != std::errc() || parsed.ptr != end || index >= m_slots.size() || !m_slots.alive(index))
        return {};
    const Entity found(*this, m_slots.idOf(index));
    const EntityDetails* const own = found.details();
    const bool unnamed = own == nullptr || own->name.empty();
    return unnamed && isMadeUpName(name, found.type(), found.id()) ? found : Entity();
}

void EntityStore::reserveNames(std::size_t more) {
    if (more > m_byName.size())
        m_byName.reserve(m_byName.size() + more);
}

std::string EntityStore::nameOf(EntityId id) const {
    const Entity entity = find(id);
    std::string made;
    if (!entity)
        return made;
    const std::string_view name = entity.nameIn(made);
    return name.data() == made.data() ? made : std::string(name);
}

std::string_view Entity::nameIn(std::string& made) const {
    if (const EntityDetails* const own = details(); own != nullptr && !own->name.empty())
        return own->name;
    makeUpName(type(), m_id, made);
    return made;
}

void EntityStore::keepName(EntityId id) {
    constexpr std::size_t Places = 1024;
    if (m_keptNames.empty())
        m_keptNames.resize(Places);
    KeptName& kept = m_keptNames[id.index() % Places];
    kept.entity = id;
    // Reuses the memory of the name it replaces.
    if (const std::string_view name = find(id).nameIn(kept.name); name.data() != kept.name.data())
        kept.name = name;
}

const std::string& EntityStore::keptName(EntityId id) const {
    static const std::string Unknown;
    if (m_keptNames.empty())
        return Unknown;
    const KeptName& kept = m_keptNames[id.index() % m_keptNames.size()];
    return kept.entity == id ? kept.name : Unknown;
}

} // namespace sbx
