#include "engine/simulation/snapshot.h"

namespace sbx {

const char* modeName(Mode mode) {
    static constexpr const char* Names[] = {"edit", "play", "paused"};
    return Names[static_cast<int>(mode)];
}

const EntityRow* EntityList::find(const std::string& name) const {
    const auto it = byName.find(name);
    return it == byName.end() ? nullptr : &rows[it->second];
}

const EntityRow* EntityList::find(EntityId id) const {
    const auto it = byId.find(id.bits);
    return it == byId.end() ? nullptr : &rows[it->second];
}

} // namespace sbx
