#pragma once
// A service's list of registered parts of components, in order of registration.
//
// The cost of adding and removing does not depend on the number of parts: each keeps its index (`registered`), a removed one leaves a
// gap, and gaps are closed as the list is read, or when they are more than half of it. Owned by a service, which does not own the
// parts; used on the simulation thread.

#include "engine/core/contracts.h"

#include <cstddef>
#include <vector>

namespace sbx {

// Part has a member `std::size_t registered`, which is the list's alone. A part does not move while it is registered.
template <typename Part> class RegistrationList {
public:
    void add(Part& part) {
        part.registered = m_parts.size();
        m_parts.push_back(&part);
    }
    // It is registered (contract).
    void remove(Part& part) {
        SBX_EXPECT(part.registered < m_parts.size() && m_parts[part.registered] == &part,
                   "a part is removed from a service with which it is not registered");
        m_parts[part.registered] = nullptr;
        ++m_gaps;
        if (2 * m_gaps > m_parts.size())
            closeGaps();
    }
    // Valid until a part is added or removed.
    [[nodiscard]] const std::vector<Part*>& parts() const {
        if (m_gaps != 0)
            closeGaps();
        return m_parts;
    }
    [[nodiscard]] std::size_t size() const { return m_parts.size() - m_gaps; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    // Parts that were moved up behind others so far: grows with what went, never with what stayed.
    [[nodiscard]] std::size_t moved() const { return m_moved; }

private:
    void closeGaps() const {
        std::size_t kept = 0;
        for (Part* part : m_parts)
            if (part != nullptr) {
                ++m_moved;
                part->registered = kept;
                m_parts[kept++] = part;
            }
        m_parts.resize(kept);
        m_gaps = 0;
    }
    mutable std::vector<Part*> m_parts; // null: a gap
    mutable std::size_t m_gaps = 0;
    mutable std::size_t m_moved = 0;
};

} // namespace sbx
