#include "engine/entity/entity_pool.h"

#include "engine/entity/lifecycle_messages.h"

#include <algorithm>
#include <new>

namespace sbx {

namespace {
std::size_t roundUp(std::size_t bytes, std::size_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}
} // namespace

EntityPool::EntityPool(std::shared_ptr<const EntityType> type, Side side)
    : m_side(side),
      m_stride(std::max<std::size_t>(1, roundUp(type->blockSize(), type->blockAlignment()))),
      m_alignment(std::max<std::size_t>(64, type->blockAlignment())) { // blocks begin with a cache line
    setType(std::move(type));
}

EntityPool::~EntityPool() {
    for (std::byte* piece : m_pieces)
        ::operator delete(piece, std::align_val_t(m_alignment));
}

void EntityPool::setType(std::shared_ptr<const EntityType> type) {
    m_type = std::move(type);
    m_awake = m_type->dispatch(m_side).copy();
    m_asleep = DispatchTable();
    for (const EntityType::Slot& slot : m_type->layout())
        for (const HandlerDescription& h : slot.type->handlersFor(m_side))
            if (reachesDisabled(h.message))
                m_asleep.add(h, static_cast<std::ptrdiff_t>(slot.offset), slot.type->id);
    m_asleep.build();
    const auto wants = [&]<typename M>(M*) { return !m_awake.handlers(messageIdOf<M>()).empty(); };
    m_interest.awake = wants(static_cast<Awake*>(nullptr));
    m_interest.enable = wants(static_cast<OnEnable*>(nullptr));
    m_interest.start = wants(static_cast<Start*>(nullptr));
    m_interest.phases = wants(static_cast<PreUpdate*>(nullptr)) || wants(static_cast<FixedUpdate*>(nullptr))
                        || wants(static_cast<Update*>(nullptr)) || wants(static_cast<PostUpdate*>(nullptr));
    m_interest.disable = wants(static_cast<OnDisable*>(nullptr));
    m_interest.destroy = wants(static_cast<OnDestroy*>(nullptr));
    m_interest.anyAtStart = m_interest.awake || m_interest.enable || m_interest.start || m_interest.phases;
    m_interest.anyAtEnd = m_interest.disable || m_interest.destroy;
    m_bareEnd = 0;
    m_constructSteps.clear();
    m_ends.assign(1, {});
    for (const EntityType::Slot& slot : m_type->layout()) {
        m_constructSteps.push_back({slot.type->construct, slot.offset, slot.settings.get()});
        if (slot.type->destroy != nullptr)
            m_ends.insert(m_ends.begin(), {slot.type->destroy, slot.offset});
    }
    m_constructSteps.push_back({});
}

void EntityPool::addChunk() {
    const std::size_t head = roundUp(sizeof(Chunk), m_alignment);
    const std::size_t size = roundUp(head + ChunkSize * m_stride, m_alignment);
    if (m_unused == 0) {
        const std::size_t count = std::clamp<std::size_t>(m_chunks.size() / 16, 1, 32);
        m_pieces.reserve(m_pieces.size() + 1);
        m_next = static_cast<std::byte*>(::operator new(count* size, std::align_val_t(m_alignment)));
        m_pieces.push_back(m_next);
        m_unused = count;
    }
    auto* const chunk = new (m_next) Chunk;
    chunk->blocks = m_next + head;
    m_next += size;
    --m_unused;
    m_chunks.push_back(chunk);
    m_room += ChunkSize;
}

} // namespace sbx
