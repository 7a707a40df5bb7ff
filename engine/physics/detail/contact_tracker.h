#pragma once
// Turns Bullet's contact manifolds into pairs that begin, persist and end.
//
// A pair begins when a point touches (no gap, or an impulse was needed) and ends when its manifold has no
// points left: points live until the gap is Bullet's breaking threshold, 2 cm or less, so that a resting
// contact does not flicker. Pairs that fall asleep are suspended: taken out with their last contact, put
// back on waking, so that they cost nothing meanwhile.

#include "engine/physics/detail/body.h"

#include <cstdint>
#include <vector>

namespace sbx::physics::detail {

struct ContactRecord {
    std::uint64_t serialA = 0;
    std::uint64_t serialB = 0;
    Contact contact;

    [[nodiscard]] bool sameKey(const ContactRecord& other) const {
        return serialA == other.serialA && serialB == other.serialB;
    }
    [[nodiscard]] bool before(const ContactRecord& other) const {
        return serialA != other.serialA ? serialA < other.serialA : serialB < other.serialB;
    }
};

class ContactTracker {
public:
    // Reads all manifolds after a step; step counts from 1.
    void update(btDispatcher& dispatcher, std::uint64_t step);

    // Takes the record of a pair out, if the pair touches. Call finishSuspending() after a batch.
    bool suspend(const Body& one, const Body& other, ContactRecord& out);
    void finishSuspending();
    void resume(const ContactRecord& record);

    [[nodiscard]] const std::vector<Contact>& begins() const { return m_begins; }
    [[nodiscard]] const std::vector<Contact>& persisting() const { return m_persisting; }
    [[nodiscard]] const std::vector<Contact>& ends() const { return m_ends; }

private:
    struct Found {
        ContactRecord record;
        bool firm = false;  // touches now
        bool awake = false; // one of the bodies is
    };

    void gather(btDispatcher& dispatcher, std::uint64_t step);

    std::vector<Found> m_found;
    std::vector<std::uint32_t> m_order;    // of m_found, by creation of a, then b
    std::vector<ContactRecord> m_touching; // sorted
    std::vector<ContactRecord> m_next;
    std::vector<bool> m_suspended; // of m_touching, during a batch
    bool m_unsorted = false;       // resume() appended to m_touching
    std::vector<Contact> m_begins;
    std::vector<Contact> m_persisting;
    std::vector<Contact> m_ends;
};

} // namespace sbx::physics::detail
