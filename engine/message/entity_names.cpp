#include "engine/message/entity_names.h"

#include <algorithm>

namespace sbx {

namespace {

constexpr std::uint32_t leafOf(std::uint32_t index) { return index % 1024U; }
constexpr std::uint32_t branchOf(std::uint32_t index) { return index / 1024U % 2048U; }
constexpr std::uint32_t rootOf(std::uint32_t index) { return index / (1024U * 2048U); }

// Only the thread that adds makes them.
template <typename T> T& made(std::atomic<T*>& at) {
    if (at.load(std::memory_order_relaxed) == nullptr)
        at.store(std::make_unique<T>().release(), std::memory_order_release);
    return *at.load(std::memory_order_relaxed);
}

} // namespace

EntityNames::~EntityNames() {
    for (const auto& root : m_root) {
        const std::unique_ptr<Branch> branch(root.load(std::memory_order_relaxed));
        if (branch != nullptr)
            std::for_each(branch->begin(), branch->end(), [](const std::atomic<Leaf*>& leaf) {
                const std::unique_ptr<Leaf> owned(leaf.load(std::memory_order_relaxed));
            });
    }
}

void EntityNames::add(EntityId entity, NameId name) {
    const std::uint32_t index = entity.index();
    std::atomic<const Entry*>& at = made(made(m_root[rootOf(index)])[branchOf(index)])[leafOf(index)];
    const Entry* const newest = at.load(std::memory_order_relaxed);
    if (newest != nullptr && newest->name == name)
        return;
    Entry entry{entity.generation(), name, newest};
    if (newest != nullptr) {
        // Each goes as far back as the two far ways before it together, if those are of one length (E. W. Myers, An applicative
        // random-access stack, 1983).
        entry.number = newest->number + 1;
        const Entry* const far = newest->farBefore;
        const Entry* const further = far == nullptr ? nullptr : far->farBefore;
        entry.farBefore = further != nullptr && newest->number - far->number == far->number - further->number
                              ? further
                              : newest;
    }
    at.store(&m_entries.emplace_back(entry), std::memory_order_release);
}

NameId EntityNames::name(EntityId entity) const {
    const std::uint32_t index = entity.index();
    const Branch* const branch = m_root[rootOf(index)].load(std::memory_order_acquire);
    const Leaf* const leaf =
        branch == nullptr ? nullptr : (*branch)[branchOf(index)].load(std::memory_order_acquire);
    if (leaf == nullptr)
        return 0;
    const Entry* entry = (*leaf)[leafOf(index)].load(std::memory_order_acquire);
    while (entry != nullptr && entry->from > entity.generation())
        entry = entry->farBefore != nullptr && entry->farBefore->from > entity.generation() ? entry->farBefore
                                                                                            : entry->before;
    return entry == nullptr ? 0 : entry->name;
}

} // namespace sbx
