#include "engine/net/body_pool.h"

#include "engine/core/contracts.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace sbx::net {

Body::~Body() {
    if (m_data != nullptr) {
        m_pool->giveBack(m_data, m_class);
    }
}

BodyPool::~BodyPool() {
    SBX_EXPECT(m_held == m_spare, "a message body outlives the pool it came from");
    trim();
}

Body BodyPool::take(std::size_t size) {
    Body body;
    if (size == 0) {
        return body;
    }
    const auto shift = std::max<std::size_t>(LeastShift, static_cast<std::size_t>(std::bit_width(size - 1)));
    const std::size_t sizeClass = shift - LeastShift;
    SBX_EXPECT(sizeClass < Classes, "a message body of more than 128 MiB");
    if (m_free[sizeClass] != nullptr) {
        Free* block = m_free[sizeClass];
        m_free[sizeClass] = block->next;
        m_spare -= std::size_t{1} << shift;
        body.m_data = reinterpret_cast<std::uint8_t*>(block);
    } else {
        body.m_data = static_cast<std::uint8_t*>(::operator new (std::size_t{1} << shift));
        m_held += std::size_t{1} << shift;
    }
    body.m_pool = this;
    body.m_size = static_cast<std::uint32_t>(size);
    body.m_class = static_cast<std::uint8_t>(sizeClass);
    return body;
}

Body BodyPool::copy(std::span<const std::uint8_t> bytes) {
    Body body = take(bytes.size());
    if (!bytes.empty()) {
        std::memcpy(body.m_data, bytes.data(), bytes.size());
    }
    return body;
}

void BodyPool::giveBack(std::uint8_t* data, std::uint8_t sizeClass) {
    m_free[sizeClass] = ::new (data) Free{m_free[sizeClass]};
    m_spare += std::size_t{1} << (sizeClass + LeastShift);
}

void BodyPool::trim() {
    for (std::size_t sizeClass = 0; sizeClass < Classes; ++sizeClass) {
        while (m_free[sizeClass] != nullptr) {
            Free* block = m_free[sizeClass];
            m_free[sizeClass] = block->next;
            ::operator delete(static_cast<void*>(block));
            m_held -= std::size_t{1} << (sizeClass + LeastShift);
            m_spare -= std::size_t{1} << (sizeClass + LeastShift);
        }
    }
}

} // namespace sbx::net
