#include "engine/components/network_prediction.h"

#include "engine/entity/world.h"

#include <algorithm>

namespace sbx {

namespace {
// What grows with time by itself (a speed) is followed by a part of a small difference: an input that acted a tick earlier or later there
// gives one that is gone before it could be corrected.
constexpr double RateGain = 0.25;
constexpr double LargeRate = 1.0; // m/s or rad/s: followed at once
} // namespace

void PlayerPrediction::clear() {
    m_sent = 0;
    m_table.reset();
    for (Past& past : m_past)
        past.words.clear();
}

void PlayerPrediction::inputSent(std::uint64_t tick) {
    ++m_sent;
    m_inputTicks[m_sent % Inputs] = tick;
}

bool PlayerPrediction::isAhead(std::uint64_t tick, double tickRate) const {
    return m_sent != 0 && static_cast<double>(tick - tickOf(m_sent)) < AheadFor * tickRate;
}

PlayerPrediction::Past* PlayerPrediction::at(std::uint64_t tick) {
    Past& past = m_past[tick % Depth];
    return past.tick == tick && !past.words.empty() ? &past : nullptr;
}

void PlayerPrediction::record(const std::shared_ptr<const StateTable>& table, const Entity& player, const World& world,
                              const EntityToWire& toWire) {
    if (m_table != table) {
        for (Past& past : m_past)
            past.words.clear();
        m_table = table;
    }
    Past& past = m_past[world.tickCount() % Depth];
    past.tick = world.tickCount();
    past.words.resize(table->wordCount());
    table->capture(player, world, toWire, past.words);
}

bool PlayerPrediction::reconcile(const StateTable& table, const Progress& progress, std::uint64_t tick,
                                 std::span<const std::uint8_t> has, std::span<const std::uint32_t> server,
                                 std::span<const std::uint32_t> now, StateTable::Mask& mask, StateTable::Words& words) {
    if (m_table.get() != &table || m_sent == 0 || m_sent - progress.inputs >= Inputs)
        return false;
    // The server may have had an input for longer than this end, which had sent the next one by then: what has happened to the player
    // there until the next one arrives is to be compared with what it was here when the next one was given.
    std::uint64_t when = tick;
    if (progress.inputs > 0)
        when = std::min(when, tickOf(progress.inputs) + progress.ticks);
    if (progress.inputs < m_sent)
        when = std::min(when, tickOf(progress.inputs + 1));
    const Past* const then = at(when);
    if (then == nullptr)
        return false;
    mask.assign(table.columnCount(), 0);
    words.assign(now.begin(), now.end());
    for (std::size_t i = 0; i < table.columnCount(); ++i) {
        if (has[i] != 0 && !table.isPredicted(i)) {
            table.shift(i, words, server, 1.0, words);
            mask[i] = table.same(i, words, now) ? 0 : 1;
            continue;
        }
        if (has[i] == 0 || table.same(i, server, then->words))
            continue;
        const bool rests = table.same(i, now, then->words);
        const double difference = table.difference(i, then->words, server);
        if (!rests && difference <= table.blurOf(i))
            continue;
        const bool part = !rests && table.isRate(i) && difference < LargeRate;
        table.shift(i, then->words, server, part ? RateGain : 1.0, words);
        mask[i] = table.same(i, words, now) ? 0 : 1;
    }
    for (Past& past : m_past)
        if (!past.words.empty() && past.tick >= when)
            for (std::size_t i = 0; i < table.columnCount(); ++i)
                if (mask[i] != 0)
                    table.shift(i, now, words, 1.0, past.words);
    return true;
}

} // namespace sbx
