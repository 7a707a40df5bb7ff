#include "engine/components/network_states.h"

#include "engine/components/network_wire.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <cmath>

namespace sbx {

// ---------------------------------------------------------------------------------------------------- sending

bool NetworkStates::beginRound(double tickRate) {
    m_due += m_rate / tickRate;
    if (m_due < 1.0 - 1e-9) // as many as divide a second exactly
        return false;
    m_due = std::max(0.0, m_due - std::floor(m_due + 1e-9));
    ++m_round;
    return true;
}

const std::shared_ptr<const StateTable>& NetworkStates::tableOf(
    const std::shared_ptr<const EntityType>& type) {
    std::shared_ptr<const StateTable>& table = m_tables[type.get()];
    if (table == nullptr || !table->isOf(type))
        table = std::make_shared<const StateTable>(type);
    return table;
}

bool NetworkStates::follow(const Entity& entity, const World& world, Source& source,
                           const EntityToWire& toWire) {
    const std::shared_ptr<const EntityType>& type = entity.sharedType();
    if (source.table == nullptr || !source.table->isOf(type)) {
        source.repeats = source.table != nullptr ? Repeats : 0;
        source.table = tableOf(type);
        source.words.assign(source.table->wordCount(), 0);
        source.changed.assign(source.table->columnCount(), 0);
        source.newest = 0;
        source.newestForAll = 0;
    }
    const StateTable& table = *source.table;
    m_words.resize(table.wordCount());
    table.capture(entity, world, toWire, m_words);
    bool all = source.newest == 0 && table.columnCount() > 0;
    if (source.repeats > 0 && m_round - source.newest >= static_cast<std::uint32_t>(RepeatAfter * m_rate)) {
        --source.repeats;
        all = true;
    }
    bool any = all;
    for (std::size_t i = 0; i < table.columnCount(); ++i)
        if (all || !table.same(i, m_words, source.words)) {
            source.changed[i] = m_round;
            if (!table.isOwnerOnly(i))
                source.newestForAll = m_round;
            const auto now = table.wordsOf(i, m_words);
            std::copy(now.begin(), now.end(), source.words.begin() + (now.data() - m_words.data()));
            any = true;
        }
    if (any)
        source.newest = m_round;
    return any;
}

net::ByteView NetworkStates::encode(std::uint32_t number, const Source& source, std::uint32_t acknowledged) {
    if (!maskChanged(source, acknowledged, false))
        return {};
    net::ByteWriter head(m_room);
    head.varint(number);
    head.u16(static_cast<std::uint16_t>(m_round));
    return finish(head, source);
}

net::ByteView NetworkStates::encodeOwn(std::uint32_t number, const Source& source, std::uint32_t acknowledged,
                                       const PlayerPrediction::Progress& progress) {
    static_cast<void>(maskChanged(source, acknowledged, true));
    net::ByteWriter head(m_room);
    head.varint(number);
    head.varint(progress.inputs);
    head.varint(progress.ticks);
    head.u16(static_cast<std::uint16_t>(m_round));
    return finish(head, source);
}

bool NetworkStates::maskChanged(const Source& source, std::uint32_t acknowledged, bool owner) {
    m_mask.resize(source.table->columnCount());
    bool any = false;
    for (std::size_t i = 0; i < m_mask.size(); ++i) {
        m_mask[i] = source.changed[i] > acknowledged && (owner || !source.table->isOwnerOnly(i)) ? 1 : 0;
        any = any || m_mask[i] != 0;
    }
    return any;
}

net::ByteView NetworkStates::finish(net::ByteWriter& head, const Source& source) {
    net::BitWriter bits(std::span<std::uint8_t>(m_room).subspan(head.size()));
    source.table->write(bits, m_mask, source.words);
    return bits.ok() ? net::ByteView(m_room).first(head.size() + bits.written().size()) : net::ByteView();
}

void PeerStates::note(std::uint32_t slot, std::uint32_t number) {
    if (sent.size() <= slot)
        sent.resize(slot + 1);
    NetworkStates::Sent& own = sent[slot];
    if (own.number != number)
        own = {.number = number, .pending = own.pending};
    if (!own.pending) {
        own.pending = true;
        pending.push_back(slot);
    }
}

std::uint32_t PeerStates::leave(std::uint32_t slot, std::uint32_t version, std::uint32_t round) {
    NetworkStates::Sent& own = sent[slot];
    own.version = version;
    own.round = round;
    receipts.push({slot, own.number, version, round});
    return static_cast<std::uint32_t>(
        receipts.endPosition()); // 0 only after 2^32 of them: that one is sent again
}

void PeerStates::acknowledge(std::uint32_t receipt) {
    const std::uint32_t behind = receipt - 1 - static_cast<std::uint32_t>(receipts.firstPosition());
    if (behind >= receipts.size())
        return; // forgotten
    const Receipt& record = receipts.at(receipts.firstPosition() + behind);
    if (NetworkStates::Sent& own = sent[record.slot]; own.number == record.number)
        own.acknowledged = std::max(own.acknowledged, record.version);
}

void PeerStates::forgetBefore(std::uint32_t round) {
    while (!receipts.empty() && receipts.front().round < round)
        receipts.dropTo(receipts.firstPosition() + 1);
}

// ---------------------------------------------------------------------------------------------------- receiving

const char* NetworkStates::read(net::ByteReader& in, const Entity& entity, Received& received,
                                const World& world, const EntityFromWire& fromWire) {
    const std::uint16_t round = in.u16();
    if (!in.ok())
        return "its round cannot be read";
    const std::shared_ptr<const EntityType>& type = entity.sharedType();
    if (received.table == nullptr || !received.table->isOf(type)) {
        received.table = tableOf(type);
        received.words.assign(received.table->wordCount(), 0);
        received.has.assign(received.table->columnCount(), 0);
        received.any = false;
    }
    const StateTable& table = *received.table;
    m_words.assign(received.words.begin(), received.words.end());
    m_mask.resize(table.columnCount());
    net::BitReader bits(in.bytes(in.remaining()));
    if (!table.read(bits, m_mask, m_words))
        return "fields that are not those of its components";
    if (!table.isValid(m_mask, m_words, fromWire))
        return "a field is out of its range";
    const double age = static_cast<double>(world.tickCount() - received.tick) / world.desc().tickRate;
    m_fresh = !received.any || age > OrderedAfter || static_cast<std::int16_t>(round - received.round) > 0;
    if (!m_fresh)
        return nullptr;
    received.words.swap(m_words);
    for (std::size_t i = 0; i < m_mask.size(); ++i)
        received.has[i] |= m_mask[i];
    received.round = round;
    received.tick = world.tickCount();
    received.any = true;
    return nullptr;
}

void NetworkStates::apply(World& world, EntityId id, const Received& received, const EntityToWire& toWire,
                          const EntityFromWire& fromWire) {
    if (!m_fresh)
        return;
    m_scratch.resize(received.table->wordCount());
    // Handlers that this calls may remove the entity, and with it what was received.
    const std::shared_ptr<const StateTable> table = received.table;
    m_words.assign(received.words.begin(), received.words.end());
    // Not only the columns of the record: what did not change there may have gone on here.
    m_mask.assign(received.has.begin(), received.has.end());
    table->apply(world, id, m_mask, m_words, toWire, fromWire, m_scratch);
}

void NetworkStates::apply(World& world, EntityId id, const Received& received, const EntityToWire& toWire,
                          const EntityFromWire& fromWire, PlayerPrediction& prediction,
                          const PlayerPrediction::Progress& progress) {
    if (!m_fresh)
        return;
    const std::shared_ptr<const StateTable> table = received.table;
    m_scratch.resize(table->wordCount());
    m_now.resize(table->wordCount());
    table->capture(world.find(id), world, toWire, m_now);
    if (!prediction.reconcile(*table, progress, world.tickCount(), received.has, received.words, m_now, m_mask, m_words)) {
        m_words.assign(received.words.begin(), received.words.end());
        m_mask.assign(received.has.begin(), received.has.end());
    }
    table->apply(world, id, m_mask, m_words, toWire, fromWire, m_scratch);
}

bool NetworkStates::restoreIsDue(const World& world, std::uint32_t number, const Received& received) const {
    return received.any && (m_round + number) % RestoreRounds == 0
           && static_cast<double>(world.tickCount() - received.tick) >= RestoreAfter * world.desc().tickRate;
}

void NetworkStates::restore(World& world, EntityId id, const Received& received, const EntityToWire& toWire,
                            const EntityFromWire& fromWire) {
    const Entity entity = world.find(id);
    if (!entity || !received.table->isOf(entity.sharedType()))
        return;
    m_scratch.resize(received.table->wordCount());
    const std::shared_ptr<const StateTable> table = received.table;
    m_words.assign(received.words.begin(), received.words.end());
    m_mask.assign(received.has.begin(), received.has.end());
    table->apply(world, id, m_mask, m_words, toWire, fromWire, m_scratch);
}

} // namespace sbx
