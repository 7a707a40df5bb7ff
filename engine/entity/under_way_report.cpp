#include "engine/entity/under_way_report.h"

#include "engine/entity/world.h"

#include <execinfo.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace sbx {

namespace {

// The worlds that exist. A note of a running handler may be stale: only worlds in this list are used.
std::array<std::atomic<const World*>, 64> g_worlds{};

void copyText(char* to, std::size_t size, const char* from) {
    if (from == nullptr)
        return;
    // A page at a time may be there: up to the end, byte by byte where a longer piece is not.
    for (std::size_t i = 0; i + 1 < size; ++i)
        if (!readIfThere(to + i, from + i, 1) || to[i] == '\0') {
            to[i] = '\0';
            return;
        }
}

void appendNumber(char* text, std::size_t size, std::uint64_t number) {
    char digits[24];
    std::size_t count = 0;
    do
        digits[count++] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    std::size_t at = std::strlen(text);
    while (count > 0 && at + 1 < size)
        text[at++] = digits[--count];
    text[at] = '\0';
}

void append(char* text, std::size_t size, const char* more) {
    const std::size_t at = std::strlen(text);
    std::size_t i = 0;
    for (; more[i] != '\0' && at + i + 1 < size; ++i)
        text[at + i] = more[i];
    text[at + i] = '\0';
}

} // namespace

bool readIfThere(void* to, const void* from, std::size_t bytes) noexcept {
    const int before = errno;
    const iovec local{to, bytes};
    const iovec remote{const_cast<void*>(from), bytes};
    const ssize_t got = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
    const bool forbidden = got < 0 && (errno == ENOSYS || errno == EPERM);
    errno = before;
    if (forbidden && from != nullptr) { // a sandbox: as it is
        std::memcpy(to, from, bytes);
        return true;
    }
    return got == static_cast<ssize_t>(bytes);
}

bool UnderWayReport::sameAs(const UnderWayReport& other) const {
    return any && other.any && outermost == other.outermost && std::strcmp(component, other.component) == 0
           && std::strcmp(message, other.message) == 0 && std::strcmp(entity, other.entity) == 0;
}

void World::enlist() {
    for (std::atomic<const World*>& place : g_worlds) {
        const World* none = nullptr;
        if (place.compare_exchange_strong(none, this))
            return;
    }
}

void World::delist() {
    for (std::atomic<const World*>& place : g_worlds) {
        const World* self = this;
        if (place.compare_exchange_strong(self, nullptr))
            return;
    }
}

void World::describe(EntityId id, UnderWayReport& report) const {
    report.outermost = m_first;
    if (!m_slots.find(id)) // it may be under construction, or removed
        return;
    if (const EntityDetails* const details = m_details.find(id.index()); details != nullptr && !details->name.empty()) {
        append(report.entity, sizeof report.entity, details->name.c_str());
        return;
    }
    append(report.entity, sizeof report.entity, m_pools[m_slots[id.index()].pool]->type()->name().c_str());
    append(report.entity, sizeof report.entity, " #");
    appendNumber(report.entity, sizeof report.entity, id.index());
}

namespace {

void say(const HandlerOrigin& origin, UnderWayReport& report) {
    report.any = true;
    copyText(report.component, sizeof report.component, origin.component);
    copyText(report.message, sizeof report.message, origin.message);
    copyText(report.plugin, sizeof report.plugin, origin.plugin);
}

bool isListed(const World* world) {
    return world != nullptr && std::any_of(g_worlds.begin(), g_worlds.end(), [&](const std::atomic<const World*>& place) {
               return place.load(std::memory_order_relaxed) == world;
           });
}

// As a component begins, or what an UnderWayScope without one points to.
struct Owner {
    const World* world = nullptr;
    EntityId entity;
};

// What a plugin's handler noted, if it is there still.
const HandlerOrigin* noted(Owner& owner) {
    HandlerEntry entry;
    const HandlerEntry* const at = t_underWay.entry;
    if (at == nullptr || !readIfThere(&entry, at, sizeof entry) || entry.origin == nullptr)
        return nullptr;
    HandlerOrigin origin;
    if (!readIfThere(&origin, entry.origin, sizeof origin))
        return nullptr;
    const auto* const component = static_cast<const std::byte*>(t_underWay.component);
    if (!readIfThere(&owner, component + origin.base, sizeof owner) || !isListed(owner.world))
        return nullptr;
    return entry.origin;
}

// The innermost handler on the stack.
const HandlerOrigin* onStack() {
    constexpr int MaxFrames = 96;
    void* frames[MaxFrames];
    const int count = ::backtrace(frames, MaxFrames);
    for (int i = 0; i < count; ++i) {
        // A frame has its return address, which may lie behind the end of the function.
        void* const function = _Unwind_FindEnclosingFunction(static_cast<char*>(frames[i]) - 1);
        if (const HandlerOrigin* const origin = function != nullptr ? originOfThunk(function) : nullptr)
            return origin;
    }
    return nullptr;
}

} // namespace

UnderWayReport describeUnderWay() noexcept {
    UnderWayReport report;
    Owner owner;
    const HandlerOrigin* const note = noted(owner);
    const HandlerOrigin* const innermost = onStack();
    if (innermost == nullptr || (note != nullptr && innermost->plugin != nullptr)) {
        if (note == nullptr)
            return report;
        say(*note, report);
        owner.world->describe(owner.entity, report);
        return report;
    }
    // A handler of the engine: its world is the one that is in a handler. With several at work, on other threads, none is named.
    say(*innermost, report);
    const World* its = nullptr;
    int busy = 0;
    for (const std::atomic<const World*>& place : g_worlds)
        if (const World* const world = place.load(std::memory_order_relaxed); world != nullptr && world->inHandler()) {
            its = world;
            ++busy;
        }
    if (busy == 1)
        its->describe(its->currentReceiver(), report);
    return report;
}

} // namespace sbx
