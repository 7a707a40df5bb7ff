#pragma once
// In which order a scene's instances are made: parents before their children.

#include "engine/definition/scene.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sbx {

struct SpawnOrder {
    static constexpr std::size_t Nobody = ~std::size_t(0);
    // Indices into what was given: by depth below those whose parents are not among them, within a depth as they were given. What
    // stands in a cycle of parents, or below one, is left out.
    std::vector<std::size_t> order;
    std::vector<std::size_t> parents; // of each that was given, its parent's index; Nobody: it is not among them
    std::size_t steps = 0;            // taken from a child to its parent; at most two for each
};

// Of two instances with the same name the first counts as the parent. Costs the number of instances.
[[nodiscard]] SpawnOrder spawnOrder(std::span<const definition::InstanceDefinition* const> instances);

} // namespace sbx
