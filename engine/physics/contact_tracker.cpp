#include "engine/physics/detail/contact_tracker.h"

#include <algorithm>
#include <numeric>

namespace sbx::physics::detail {

namespace {

void noteGround(Body& body, const Body& below, const btVector3& point, const btVector3& normal,
                std::uint64_t step) {
    if (body.groundStep == step && body.ground.normal.y >= normal.y()) {
        return;
    }
    body.groundStep = step;
    body.ground = {below.handle, below.user, fromBullet(point), fromBullet(normal)};
}

} // namespace

void ContactTracker::gather(btDispatcher& dispatcher, std::uint64_t step) {
    m_found.clear();
    const int count = dispatcher.getNumManifolds();
    for (int i = 0; i < count; ++i) {
        const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
        const int points = manifold.getNumContacts();
        if (points == 0) {
            continue;
        }
        Body& first = Body::of(*manifold.getBody0());
        Body& second = Body::of(*manifold.getBody1());
        const bool swapped = second.serial < first.serial;
        Body& a = swapped ? second : first;
        Body& b = swapped ? first : second;

        Found& found = m_found.emplace_back();
        found.record.serialA = a.serial;
        found.record.serialB = b.serial;
        found.awake = first.rigid->isActive() || second.rigid->isActive();
        Contact& contact = found.record.contact;
        contact.a = a.handle;
        contact.b = b.handle;
        contact.userA = a.user;
        contact.userB = b.user;
        contact.trigger = a.trigger || b.trigger;

        btVector3 point(0.0F, 0.0F, 0.0F);
        btVector3 normal(0.0F, 0.0F, 0.0F);
        float total = 0.0F;
        float nearest = manifold.getContactPoint(0).getDistance();
        for (int k = 0; k < points; ++k) {
            const btManifoldPoint& at = manifold.getContactPoint(k);
            const float impulse = std::max(at.getAppliedImpulse(), 0.0F);
            // A trace of weight for points without impulse, so that an unloaded contact has a middle too.
            const float weight = impulse + 1e-6F;
            point += (at.getPositionWorldOnA() + at.getPositionWorldOnB()) * (0.5F * weight);
            normal += at.m_normalWorldOnB * weight;
            contact.impulse += impulse;
            total += weight;
            nearest = std::min(nearest, at.getDistance());
            if (!contact.trigger) {
                const btVector3& up = at.m_normalWorldOnB; // from the second to the first
                noteGround(up.y() > 0.0F ? first : second, up.y() > 0.0F ? second : first,
                           at.getPositionWorldOnB(), up.y() > 0.0F ? up : -up, step);
            }
        }
        contact.point = fromBullet(point / total);
        if (normal.fuzzyZero()) {
            normal = manifold.getContactPoint(0).m_normalWorldOnB;
        }
        contact.normal = fromBullet(normal.normalized()) * (swapped ? -1.0F : 1.0F);
        contact.depth = -nearest;
        found.firm = contact.impulse > 0.0F || nearest <= 0.0F;
    }
    // Records are large: their order is sorted, not they.
    m_order.resize(m_found.size());
    std::iota(m_order.begin(), m_order.end(), 0U);
    std::sort(m_order.begin(), m_order.end(), [this](std::uint32_t x, std::uint32_t y) {
        const Found& one = m_found[x];
        const Found& other = m_found[y];
        return one.record.sameKey(other.record) ? x < y : one.record.before(other.record);
    });
    // A swept body has a second manifold for what lies in its way: one contact a pair.
    std::size_t kept = 0;
    for (const std::uint32_t at : m_order) {
        const Found& found = m_found[at];
        if (kept == 0 || !m_found[m_order[kept - 1]].record.sameKey(found.record)) {
            m_order[kept++] = at;
            continue;
        }
        Found& one = m_found[m_order[kept - 1]];
        const float impulse = one.record.contact.impulse + found.record.contact.impulse;
        const float depth = std::max(one.record.contact.depth, found.record.contact.depth);
        if (found.record.contact.impulse > one.record.contact.impulse) {
            one.record = found.record;
        }
        one.record.contact.impulse = impulse;
        one.record.contact.depth = depth;
        one.firm = one.firm || found.firm;
    }
    m_order.resize(kept);
}

void ContactTracker::update(btDispatcher& dispatcher, std::uint64_t step) {
    m_begins.clear();
    m_persisting.clear();
    m_ends.clear();
    gather(dispatcher, step);
    const auto before = [](const ContactRecord& x, const ContactRecord& y) { return x.before(y); };
    if (m_unsorted) {
        std::sort(m_touching.begin(), m_touching.end(), before);
        m_unsorted = false;
    }
    m_next.clear();
    auto old = m_touching.begin();
    for (const std::uint32_t at : m_order) {
        const Found& found = m_found[at];
        while (old != m_touching.end() && old->before(found.record)) {
            m_ends.push_back(old->contact);
            ++old;
        }
        const bool was = old != m_touching.end() && old->sameKey(found.record);
        if (was) {
            ++old;
        } else if (!found.firm) {
            continue;
        }
        m_next.push_back(found.record);
        if (!was) {
            m_begins.push_back(found.record.contact);
        } else if (found.awake) {
            m_persisting.push_back(found.record.contact);
        }
    }
    for (; old != m_touching.end(); ++old) {
        m_ends.push_back(old->contact);
    }
    m_touching.swap(m_next);
}

bool ContactTracker::suspend(const Body& one, const Body& other, ContactRecord& out) {
    ContactRecord key;
    key.serialA = std::min(one.serial, other.serial);
    key.serialB = std::max(one.serial, other.serial);
    const auto at =
        std::lower_bound(m_touching.begin(), m_touching.end(), key,
                         [](const ContactRecord& x, const ContactRecord& y) { return x.before(y); });
    if (at == m_touching.end() || !at->sameKey(key)) {
        return false;
    }
    m_suspended.resize(m_touching.size());
    m_suspended[static_cast<std::size_t>(at - m_touching.begin())] = true;
    out = *at;
    return true;
}

void ContactTracker::finishSuspending() {
    if (m_suspended.empty()) {
        return;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_touching.size(); ++i) {
        if (!m_suspended[i]) {
            m_touching[kept++] = m_touching[i];
        }
    }
    m_touching.resize(kept);
    m_suspended.clear();
}

void ContactTracker::resume(const ContactRecord& record) {
    m_touching.push_back(record);
    m_unsorted = true;
}

} // namespace sbx::physics::detail
