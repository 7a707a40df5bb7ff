#pragma once
// In which tick entities were made, as far as messages said so (Spawned), for panels that draw how long something lived. Of the newest
// Max that were made. GUI thread.

#include "engine/core/ids.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>

namespace sbx::ui {

// Ids mean something in their world only.
struct EntityInWorld {
    EntityId entity;
    std::uint8_t world = 0;
    friend bool operator==(const EntityInWorld&, const EntityInWorld&) = default;
};

struct EntityInWorldHash {
    [[nodiscard]] std::size_t operator()(const EntityInWorld& key) const noexcept {
        return static_cast<std::size_t>((key.entity.bits + (static_cast<std::uint64_t>(key.world) << 56U))
                                            * 0x9E37'79B9'7F4A'7C15ULL
                                        >> 8U);
    }
};

class TraceBirths {
public:
    static constexpr std::size_t Max = 100'000;

    // The first tick that was said of an entity stays.
    void add(const EntityInWorld& made, std::uint64_t tick) {
        if (!m_ticks.emplace(made, tick).second)
            return;
        m_order.push_back(made);
        if (m_order.size() > Max) {
            m_ticks.erase(m_order.front());
            m_order.pop_front();
        }
    }
    [[nodiscard]] std::optional<std::uint64_t> tickOf(const EntityInWorld& entity) const {
        const auto found = m_ticks.find(entity);
        return found == m_ticks.end() ? std::nullopt : std::optional(found->second);
    }
    // Another run: ids and ticks begin anew.
    void restart() {
        m_ticks.clear();
        m_order.clear();
    }

private:
    std::unordered_map<EntityInWorld, std::uint64_t, EntityInWorldHash> m_ticks;
    std::deque<EntityInWorld> m_order; // of m_ticks, the oldest first
};

} // namespace sbx::ui
