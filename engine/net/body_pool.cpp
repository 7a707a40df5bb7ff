#include "engine/net/body_pool.h"

#include "engine/core/contracts.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace sbx::net {

BodyPool::~BodyPool() {
    SBX_EXPECT(m_held == m_spare, "a message body outlives the pool it came from");
    trim();
}

std::uint8_t* BodyPool::grow(std::size_t shift) {
    SBX_EXPECT(shift - MinShift < Classes, "a message body of more than 128 MiB");
    // What bodies of other sizes have left behind, when it is more than is in use.
    if (m_spare > MaxSpare && m_spare > m_held - m_spare) {
        trim();
    }
    m_held += std::size_t{1} << shift;
    return static_cast<std::uint8_t*>(::operator new (std::size_t{1} << shift));
}

void BodyPool::trim() {
    for (std::size_t sizeClass = 0; sizeClass < Classes; ++sizeClass) {
        while (m_free[sizeClass] != nullptr) {
            Free* block = m_free[sizeClass];
            m_free[sizeClass] = block->next;
            ::operator delete(static_cast<void*>(block));
            m_held -= std::size_t{1} << (sizeClass + MinShift);
            m_spare -= std::size_t{1} << (sizeClass + MinShift);
        }
    }
}

} // namespace sbx::net
