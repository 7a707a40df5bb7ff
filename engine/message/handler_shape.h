#pragma once
// The handlers that one type of message has in one type of entity, as a number: a list of component and priority. Which handlers
// a message passed is described by that number, how many were reached, and whether the last one consumed it; records need no list of
// their own.
//
// Shapes are interned by content into an append-only table of the process, like message types and for the same reason: dispatch
// tables are built without knowing any recorder. Interning is thread-safe and takes a lock; it happens when tables are built.

#include "engine/core/ids.h"
#include "engine/message/name_table.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace sbx {

struct HandlerEntry;
using ShapeId = std::uint32_t;
inline constexpr ShapeId NoHandlers = 0; // the empty list

struct ShapeHandler {
    ComponentTypeId component = NoType;
    std::int32_t priority = 0;
    friend bool operator==(const ShapeHandler&, const ShapeHandler&) = default;
};

// In order of priority. The same list gives the same number.
[[nodiscard]] ShapeId internShape(std::span<const ShapeHandler> handlers);
[[nodiscard]] ShapeId internShape(std::span<const HandlerEntry> handlers);
// A listener is a list of one.
[[nodiscard]] ShapeId internShape(ComponentTypeId component, std::int32_t priority);
[[nodiscard]] std::vector<ShapeHandler> shapeHandlers(ShapeId shape);
// The newest; without a lock.
[[nodiscard]] ShapeId lastShape();

// The shapes that one recorder uses, and the names of components in its own name table. One thread adds, any thread reads a
// number it was given; no lock.
class ShapeNames {
public:
    ShapeNames() = default;
    ~ShapeNames();
    ShapeNames(const ShapeNames&) = delete;
    ShapeNames& operator=(const ShapeNames&) = delete;

    // Adds all shapes up to this one.
    void learn(ShapeId upTo);
    void setName(ComponentTypeId component, NameId name, bool observer = false);
    [[nodiscard]] std::span<const ShapeHandler> handlers(ShapeId shape) const {
        return (*m_shapes[shape / ChunkSize].load(std::memory_order_acquire))[shape % ChunkSize];
    }
    // 0 while it has none.
    [[nodiscard]] NameId name(ComponentTypeId component) const {
        const Names* const chunk = m_names[component / ChunkSize].load(std::memory_order_acquire);
        return chunk == nullptr ? 0 : (*chunk)[component % ChunkSize].load(std::memory_order_relaxed) & ~Observer;
    }
    // See ComponentType::observer.
    [[nodiscard]] bool isObserver(ComponentTypeId component) const {
        const Names* const chunk = m_names[component / ChunkSize].load(std::memory_order_acquire);
        return chunk != nullptr && ((*chunk)[component % ChunkSize].load(std::memory_order_relaxed) & Observer) != 0;
    }

private:
    static constexpr std::size_t ChunkSize = 1024;
    static constexpr std::size_t MaxChunks = 1024;
    static constexpr NameId Observer = NameId(1) << 31U; // beside the name
    using Shapes = std::array<std::vector<ShapeHandler>, ChunkSize>;
    using Names = std::array<std::atomic<NameId>, ChunkSize>;
    std::array<std::atomic<Shapes*>, MaxChunks> m_shapes{};
    std::array<std::atomic<Names*>, 65536 / ChunkSize> m_names{};
    std::size_t m_known = 0;
};

} // namespace sbx
