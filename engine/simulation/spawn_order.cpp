#include "engine/simulation/spawn_order.h"

#include <string_view>
#include <unordered_map>

namespace sbx {

SpawnOrder spawnOrder(std::span<const definition::InstanceDefinition* const> instances) {
    constexpr std::size_t Nobody = SpawnOrder::Nobody;
    SpawnOrder out;
    std::unordered_map<std::string_view, std::size_t> byName;
    byName.reserve(instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i)
        byName.emplace(instances[i]->name, i);
    out.parents.reserve(instances.size());
    for (const definition::InstanceDefinition* instance : instances) {
        const auto found = instance->parent.empty() ? byName.end() : byName.find(instance->parent);
        out.parents.push_back(found == byName.end() ? Nobody : found->second);
    }
    // From 1; 0: not known yet.
    constexpr std::size_t OnTheWay = ~std::size_t(0);
    constexpr std::size_t InCycle = OnTheWay - 1;
    std::vector<std::size_t> depths(instances.size(), 0);
    std::vector<std::size_t> chain;
    std::vector<std::size_t> counts; // by depth
    for (std::size_t i = 0; i < instances.size(); ++i) {
        std::size_t at = i;
        for (; at != Nobody && depths[at] == 0; at = out.parents[at]) {
            ++out.steps;
            depths[at] = OnTheWay;
            chain.push_back(at);
        }
        std::size_t depth = at == Nobody ? 0 : depths[at] == OnTheWay ? InCycle : depths[at];
        for (; !chain.empty(); chain.pop_back()) {
            ++out.steps;
            depth += depth == InCycle ? 0 : 1;
            depths[chain.back()] = depth;
        }
        if (depths[i] == InCycle)
            continue;
        if (counts.size() < depths[i])
            counts.resize(depths[i], 0);
        ++counts[depths[i] - 1];
    }
    // Sorted by depth, by counting.
    std::size_t total = 0;
    for (std::size_t& count : counts) {
        const std::size_t first = total;
        total += count;
        count = first;
    }
    out.order.resize(total);
    for (std::size_t i = 0; i < instances.size(); ++i)
        if (depths[i] != InCycle)
            out.order[counts[depths[i] - 1]++] = i;
    return out;
}

} // namespace sbx
