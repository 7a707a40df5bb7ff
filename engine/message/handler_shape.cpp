#include "engine/message/handler_shape.h"

#include "engine/core/contracts.h"
#include "engine/message/dispatch_table.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace sbx {

namespace {
struct ShapeTable {
    std::mutex mutex;
    std::atomic<ShapeId> last{NoHandlers};
    std::deque<std::vector<ShapeHandler>> shapes{1}; // the first is NoHandlers
    std::map<std::vector<std::pair<ComponentTypeId, std::int32_t>>, ShapeId> known;
};
ShapeTable& shapeTable() {
    static ShapeTable Table;
    return Table;
}
} // namespace

ShapeId internShape(std::span<const ShapeHandler> handlers) {
    if (handlers.empty())
        return NoHandlers;
    std::vector<std::pair<ComponentTypeId, std::int32_t>> key;
    key.reserve(handlers.size());
    for (const ShapeHandler& handler : handlers)
        key.emplace_back(handler.component, handler.priority);
    ShapeTable& t = shapeTable();
    const std::scoped_lock lock(t.mutex);
    const auto [it, isNew] = t.known.try_emplace(std::move(key), static_cast<ShapeId>(t.shapes.size()));
    if (isNew) {
        t.shapes.emplace_back(handlers.begin(), handlers.end());
        t.last.store(it->second, std::memory_order_release);
    }
    return it->second;
}

ShapeId internShape(std::span<const HandlerEntry> handlers) {
    std::vector<ShapeHandler> list;
    list.reserve(handlers.size());
    for (const HandlerEntry& handler : handlers)
        list.push_back({handler.component, handler.priority});
    return internShape(list);
}

ShapeId internShape(ComponentTypeId component, std::int32_t priority) {
    const ShapeHandler one{component, priority};
    return internShape(std::span(&one, 1));
}

ShapeId lastShape() { return shapeTable().last.load(std::memory_order_acquire); }

std::vector<ShapeHandler> shapeHandlers(ShapeId shape) {
    ShapeTable& t = shapeTable();
    const std::scoped_lock lock(t.mutex);
    SBX_EXPECT(shape < t.shapes.size(), "unknown shape");
    return t.shapes[shape];
}

ShapeNames::~ShapeNames() {
    for (auto& chunk : m_shapes)
        delete chunk.load(std::memory_order_relaxed);
    for (auto& chunk : m_names)
        delete chunk.load(std::memory_order_relaxed);
}

void ShapeNames::learn(ShapeId upTo) {
    SBX_EXPECT(upTo < ChunkSize * MaxChunks, "too many lists of handlers");
    for (; m_known <= upTo; ++m_known) {
        std::atomic<Shapes*>& chunk = m_shapes[m_known / ChunkSize];
        if (chunk.load(std::memory_order_relaxed) == nullptr)
            chunk.store(std::make_unique<Shapes>().release(), std::memory_order_release);
        (*chunk.load(std::memory_order_relaxed))[m_known % ChunkSize] = shapeHandlers(static_cast<ShapeId>(m_known));
    }
}

void ShapeNames::setName(ComponentTypeId component, NameId name, bool observer) {
    std::atomic<Names*>& chunk = m_names[component / ChunkSize];
    if (chunk.load(std::memory_order_relaxed) == nullptr)
        chunk.store(std::make_unique<Names>().release(), std::memory_order_release);
    (*chunk.load(std::memory_order_relaxed))[component % ChunkSize].store(observer ? name | Observer : name, std::memory_order_relaxed);
}

} // namespace sbx
