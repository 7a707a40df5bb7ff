#include "engine/entity/growth_watch.h"

#include <algorithm>
#include <utility>

namespace sbx {

void GrowthWatch::begin(std::uint64_t count, std::uint64_t bound) {
    m_begun = count;
    m_asked = 0;
    m_looked = 0;
    m_adders.clear();
    m_refused = false;
    m_boundReported = false;
    setBound(bound);
}

void GrowthWatch::setBound(std::uint64_t bound) {
    m_bound = bound;
    m_next = (bound + Parts - 1) / Parts;
    m_attention = bound == 0 ? ~std::uint64_t(0) : m_begun + m_next / 2;
}

// The name with the smallest count is dropped for a new one; the largest stays.
void GrowthWatch::note(Adder adder) {
    const auto makeRoom = [](auto& names, const std::string& name, const auto& unitsOf) {
        if (names.size() >= MaxNames && !names.contains(name))
            names.erase(std::min_element(names.begin(), names.end(), [&](const auto& one, const auto& other) {
                return unitsOf(one.second) < unitsOf(other.second);
            }));
    };
    makeRoom(m_adders, adder.component, [](const Count& count) { return count.units; });
    Count& count = m_adders[std::move(adder.component)];
    ++count.units;
    makeRoom(count.byEntity, adder.entity, [](std::uint64_t units) { return units; });
    ++count.byEntity[std::move(adder.entity)];
}

GrowthWatch::Verdict GrowthWatch::add(std::uint64_t count, const std::function<Adder()>& adder) {
    Verdict verdict;
    verdict.grown = count > m_begun ? count - m_begun : 0;
    const bool full = m_bound != 0 && verdict.grown >= m_bound;
    // Every eighth on average, without a fixed period that adders which alternate could match.
    const bool look = (++m_asked * 0x9E3779B97F4A7C15ULL) >> 61U == 0;
    if (look || (full && m_adders.empty())) {
        ++m_looked;
        if (Adder one = adder(); !one.component.empty())
            note(std::move(one));
    }
    if (full) {
        m_refused = true;
        verdict.refused = true;
        verdict.report = !m_boundReported;
        m_boundReported = true;
        if (verdict.report)
            nameAdder(verdict);
        return verdict;
    }
    ++verdict.grown;
    if (verdict.grown < m_next || m_next >= m_bound)
        return verdict;
    verdict.report = true;
    nameAdder(verdict);
    while (m_next <= verdict.grown)
        m_next *= 2;
    return verdict;
}

void GrowthWatch::nameAdder(Verdict& verdict) {
    const auto most = std::max_element(m_adders.begin(), m_adders.end(), [](const auto& one, const auto& other) {
        return one.second.units < other.second.units;
    });
    if (most != m_adders.end()) {
        const auto& entities = most->second.byEntity;
        const auto first = std::max_element(entities.begin(), entities.end(), [](const auto& one, const auto& other) {
            return one.second < other.second;
        });
        verdict.adder = {most->first, first->first};
        verdict.several = 2 * first->second < most->second.units;
        verdict.percent = static_cast<unsigned>(100 * most->second.units / m_looked);
    }
    m_adders.clear();
    m_looked = 0;
}

bool GrowthWatch::takeRefused() {
    m_boundReported = false;
    return std::exchange(m_refused, false);
}

} // namespace sbx
