#include "engine/message/message_pool.h"

#include "engine/core/contracts.h"

namespace sbx {

MessagePool::Number MessagePool::grow(std::size_t sizeClass) {
    SizeClass& own = m_classes[sizeClass];
    const std::size_t first = own.slabs.size() * PerSlab;
    SBX_EXPECT(first + PerSlab <= IndexMask, "too many messages are pending");
    own.slabs.emplace_back(static_cast<std::byte*>(
        ::operator new(PerSlab * Classes[sizeClass].block, std::align_val_t(Line))));
    const auto tag = static_cast<Number>(sizeClass << ClassShift);
    for (std::size_t i = PerSlab; i-- > 0;) {
        const Number number = tag | static_cast<Number>(first + i);
        new (memory(number)) StoredMessage;
        release(number);
    }
    return take(Classes[sizeClass].payload);
}

void MessagePool::makeTrunk(Number number) {
    Trunk*& top = m_classes[number >> ClassShift].trunk;
    const std::uint32_t kept = generation(number);
    auto* const trunk = new (memory(number)) Trunk;
    trunk->generation = kept;
    trunk->self = number;
    trunk->next = top;
    top = trunk;
}

std::size_t MessagePool::bytes() const {
    std::size_t sum = 0;
    for (std::size_t c = 0; c < ClassCount; ++c)
        sum += m_classes[c].slabs.size() * PerSlab * Classes[c].block;
    return sum;
}

} // namespace sbx
