#include "engine/message/under_way.h"

#include "engine/message/dispatch_table.h"

#include <deque>
#include <map>
#include <mutex>
#include <tuple>

namespace sbx {

constinit thread_local UnderWay t_underWay;

namespace {

struct Thunk {
    std::atomic<const void*> function{nullptr};
    std::atomic<const HandlerOrigin*> origin{nullptr};
};
constexpr std::size_t MaxThunks = 16384; // of all builds of all plugins; those beyond go unnamed
Thunk g_thunks[MaxThunks];
std::atomic<std::size_t> g_thunkCount = 0;

struct OriginTable {
    std::mutex mutex;
    using Words = std::tuple<std::string, std::string, std::string, std::ptrdiff_t>;
    std::map<Words, HandlerOrigin> origins; // nodes, and the texts in them, stay where they are
    std::map<const void*, Thunk*> thunks;
};
// Never destroyed: a program may crash while it ends.
OriginTable& originTable() {
    static auto* const Table = new OriginTable;
    return *Table;
}

const HandlerOrigin* internLocked(OriginTable& table, const std::string& component, const std::string& message,
                                  const std::string& plugin, std::ptrdiff_t base) {
    const auto [it, isNew] = table.origins.try_emplace({component, message, plugin, base});
    if (isNew) {
        const auto& [itsComponent, itsMessage, itsPlugin, itsBase] = it->first;
        it->second = {itsComponent.c_str(), itsMessage.empty() ? nullptr : itsMessage.c_str(),
                      itsPlugin.empty() ? nullptr : itsPlugin.c_str(), itsBase};
    }
    return &it->second;
}

std::string textOf(const char* text) { return text != nullptr ? text : ""; }

} // namespace

const HandlerOrigin* internOrigin(const std::string& component, const std::string& message, const std::string& plugin,
                                  std::ptrdiff_t base) {
    OriginTable& table = originTable();
    const std::scoped_lock lock(table.mutex);
    return internLocked(table, component, message, plugin, base);
}

void listThunks(const HandlerDescription& handler) {
    OriginTable& table = originTable();
    const std::scoped_lock lock(table.mutex);
    for (const void* function :
         {reinterpret_cast<const void*>(handler.onward), reinterpret_cast<const void*>(handler.alone),
          reinterpret_cast<const void*>(handler.recordedOnward), reinterpret_cast<const void*>(handler.recordedAlone),
          reinterpret_cast<const void*>(handler.run)}) {
        if (function == nullptr)
            continue;
        if (const auto known = table.thunks.find(function); known != table.thunks.end()) {
            const HandlerOrigin& before = *known->second->origin.load(std::memory_order_relaxed);
            const std::string name = handler.origin->component;
            if (std::string both = before.component; (" or " + both + " or ").find(" or " + name + " or ") == std::string::npos)
                known->second->origin.store(internLocked(table, both + " or " + name, textOf(before.message),
                                                         textOf(before.plugin), before.base),
                                            std::memory_order_release);
            else if (handler.origin->plugin != nullptr && both == name)
                known->second->origin.store(handler.origin, std::memory_order_release);
            continue;
        }
        const std::size_t at = g_thunkCount.load(std::memory_order_relaxed);
        if (at == MaxThunks)
            return;
        g_thunks[at].origin.store(handler.origin, std::memory_order_relaxed);
        g_thunks[at].function.store(function, std::memory_order_relaxed);
        g_thunkCount.store(at + 1, std::memory_order_release);
        table.thunks.emplace(function, &g_thunks[at]);
    }
}

const HandlerOrigin* originOfThunk(const void* function) noexcept {
    const std::size_t count = g_thunkCount.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i)
        if (g_thunks[i].function.load(std::memory_order_relaxed) == function)
            return g_thunks[i].origin.load(std::memory_order_acquire);
    return nullptr;
}

} // namespace sbx
