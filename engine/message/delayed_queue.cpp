#include "engine/message/delayed_queue.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace sbx {

namespace {
// Runs up to this length are prefetched as a whole as soon as they are separated by tick.
constexpr std::uint32_t FetchedAtOnce = 64;
constexpr std::size_t FetchedAhead = 8;
// More than this many are dealt out by their highest digit before they are sorted.
constexpr std::uint32_t DealtOut = 12;
// Cancelled messages that may stand in the buckets besides as many as are pending.
constexpr std::size_t CancelledSlack = 1024;
constexpr std::uint64_t LastTick = ~std::uint64_t(0);
} // namespace

DelayedQueue::DelayedQueue() = default;
DelayedQueue::~DelayedQueue() = default;

bool DelayedQueue::before(const Entry& a, const Entry& b) {
    return a.due != b.due ? a.due < b.due : a.priority < b.priority;
}

std::size_t DelayedQueue::bucketOf(std::uint64_t due) const {
    const auto highest = static_cast<unsigned>(std::bit_width((due ^ m_last) | 1U)) - 1;
    const unsigned level = highest / DigitBits;
    return level * Digits + ((due >> (level * DigitBits)) & (Digits - 1));
}

DelayedQueue::Chunk* DelayedQueue::takeChunk() {
    if (m_freeChunks == nullptr) {
        m_chunkSlabs.push_back(std::make_unique_for_overwrite<Chunk[]>(ChunksPerSlab));
        for (std::size_t i = ChunksPerSlab; i-- > 0;)
            freeChunk(&m_chunkSlabs.back()[i]);
    }
    Chunk* const chunk = m_freeChunks;
    m_freeChunks = chunk->next;
    chunk->next = nullptr;
    chunk->count = 0;
    return chunk;
}

void DelayedQueue::append(const Entry& entry) {
    const std::size_t index = bucketOf(entry.due);
    Bucket& bucket = m_buckets[index];
    Chunk* last = bucket.last;
    if (last == nullptr || last->count == Chunk::Room) [[unlikely]] {
        Chunk* const fresh = takeChunk();
        if (last == nullptr) {
            bucket.first = fresh;
            m_used[index / Digits] |= std::uint64_t(1) << (index % Digits);
            m_usedLevels |= 1U << (index / Digits);
        } else {
            last->next = fresh;
        }
        bucket.last = last = fresh;
    }
    last->entries[last->count++] = entry;
}

DelayedHandle DelayedQueue::push(std::uint64_t due, int priority, const Envelope& envelope, const void* payload,
                                 std::size_t size, std::uint32_t minimum) {
    SBX_EXPECT(size <= MaxMessageSize, "message too large to queue");
    const MessagePool::Number number = m_pool.take(size);
    StoredMessage& block = m_pool.at(number);
    const std::uint32_t generation = ++m_pool.generation(number);
    block.size = static_cast<std::uint16_t>(size);
    block.type = envelope.type;
    block.sender = envelope.sender;
    block.receiver = envelope.receiver;
    block.cause = MessageCause::of(envelope.cause);
    if (envelope.through != NoType)
        block.cause = block.cause.unrecorded(envelope.through);
    block.injected = envelope.injected ? 1U : 0U;
    block.queuedAt = envelope.queuedAt;
    block.minimum = minimum & 0x3FFF'FFFFU;
    block.sited = envelope.site != 0 ? 1U : 0U;
    if (envelope.site != 0) [[unlikely]]
        m_sites[number] = envelope.site;
    block.delivery = envelope.delivery;
    block.part = envelope.part;
    if (size != 0)
        std::memcpy(block.payload(), payload, size);
    const Entry entry{std::max(due, m_floor), number, priority};
    if (entry.due <= m_runLast) [[unlikely]]
        insertIntoRun(entry);
    else
        append(entry);
    ++m_live;
    ++m_pushes;
    return {number, generation};
}

void DelayedQueue::markEmpty(std::size_t bucket) {
    m_buckets[bucket] = {};
    m_used[bucket / Digits] &= ~(std::uint64_t(1) << (bucket % Digits));
    if (m_used[bucket / Digits] == 0)
        m_usedLevels &= ~(1U << (bucket / Digits));
}

void DelayedQueue::spread(std::size_t bucket) {
    Chunk* chunk = m_buckets[bucket].first;
    markEmpty(bucket);
    const bool fetch = bucket / Digits == 1;
    std::uint32_t fetched = 0;
    while (chunk != nullptr) {
        Chunk* const next = chunk->next;
        __builtin_prefetch(next);
        for (std::uint32_t i = 0; i < chunk->count; ++i) {
            append(chunk->entries[i]);
            if (fetch && ++fetched <= FetchedAtOnce)
                m_pool.prefetch(chunk->entries[i].number);
        }
        freeChunk(chunk);
        chunk = next;
    }
}

std::uint32_t DelayedQueue::few(const Bucket& bucket) const {
    const Chunk* chunk = bucket.first;
    for (std::uint32_t chunks = 1; chunks <= FewChunks; ++chunks, chunk = chunk->next)
        if (chunk->next == nullptr)
            return (chunks - 1) * Chunk::Room + chunk->count; // all but the last are full
    return 0;
}

void DelayedQueue::takeSorted(std::size_t bucket, std::uint32_t count) {
    m_runAt = 0;
    m_inserted = 0;
    m_run.resize(count);
    Chunk* chunk = m_buckets[bucket].first;
    markEmpty(bucket);
    Entry* const run = m_run.data();
    if (count <= DealtOut) {
        std::copy_n(chunk->entries, count, run);
        freeChunk(chunk);
    } else {
        std::uint64_t differing = 0;
        for (const Chunk* c = chunk; c != nullptr; c = c->next)
            for (std::uint32_t i = 0; i < c->count; ++i)
                differing |= c->entries[i].due ^ chunk->entries[0].due;
        const unsigned width = static_cast<unsigned>(std::bit_width(differing));
        const unsigned shift = width > DigitBits ? width - DigitBits : 0;
        std::array<std::uint32_t, Digits> place{};
        for (const Chunk* c = chunk; c != nullptr; c = c->next)
            for (std::uint32_t i = 0; i < c->count; ++i)
                ++place[(c->entries[i].due >> shift) % Digits];
        std::uint32_t sum = 0;
        for (std::uint32_t& p : place)
            p = std::exchange(sum, sum + p);
        while (chunk != nullptr) {
            Chunk* const next = chunk->next;
            for (std::uint32_t i = 0; i < chunk->count; ++i)
                run[place[(chunk->entries[i].due >> shift) % Digits]++] = chunk->entries[i];
            freeChunk(chunk);
            chunk = next;
        }
    }
    // By insertion, which is stable, and little work where they were dealt out.
    for (std::uint32_t i = 1; i < count; ++i) {
        if (!before(run[i], run[i - 1])) [[likely]]
            continue;
        const Entry entry = run[i];
        std::uint32_t to = i;
        do
            run[to] = run[to - 1];
        while (--to > 0 && before(entry, run[to - 1]));
        run[to] = entry;
    }
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, FetchedAhead); ++i)
        m_pool.prefetch(run[i].number);
}

void DelayedQueue::insertIntoRun(const Entry& entry) {
    if (m_runAt == m_run.size() || m_inserted == MaxInserted) {
        // None is left, or so many came that inserting might take long: back into the buckets, all of which are later.
        for (std::size_t i = m_runAt; i < m_run.size(); ++i)
            append(m_run[i]);
        m_run.clear();
        m_runAt = 0;
        m_runLast = 0;
        append(entry);
        return;
    }
    ++m_inserted;
    m_run.insert(std::upper_bound(m_run.begin() + static_cast<std::ptrdiff_t>(m_runAt), m_run.end(), entry, &before), entry);
}

void DelayedQueue::takeRun(std::size_t bucket) {
    m_run.clear();
    m_runAt = 0;
    m_runLast = 0;
    Chunk* chunk = m_buckets[bucket].first;
    markEmpty(bucket);
    const std::int32_t priority = chunk->entries[0].priority;
    bool mixed = false;
    while (chunk != nullptr) {
        Chunk* const next = chunk->next;
        for (std::uint32_t i = 0; i < chunk->count; ++i) {
            m_run.push_back(chunk->entries[i]);
            mixed = mixed || chunk->entries[i].priority != priority;
        }
        freeChunk(chunk);
        chunk = next;
    }
    if (!mixed)
        return;
    // All of one tick: its place in the run stands in for the tick, so that equal priorities keep their order without the
    // memory that a stable sort takes.
    const std::uint64_t due = m_run.front().due;
    for (std::size_t i = 0; i < m_run.size(); ++i)
        m_run[i].due = i;
    std::sort(m_run.begin(), m_run.end(), [](const Entry& a, const Entry& b) {
        return a.priority != b.priority ? a.priority < b.priority : a.due < b.due;
    });
    for (Entry& entry : m_run)
        entry.due = due;
}

bool DelayedQueue::nextRun(std::uint64_t tick) {
    while (m_usedLevels != 0) {
        const auto level = static_cast<unsigned>(std::countr_zero(m_usedLevels));
        const auto digit = static_cast<unsigned>(std::countr_zero(m_used[level]));
        const unsigned shift = level * DigitBits;
        // The earliest tick of that bucket; the shift by a whole word is the highest level's, which keeps no higher digit.
        const std::uint64_t above = shift + DigitBits >= 64 ? 0 : m_last >> (shift + DigitBits) << (shift + DigitBits);
        const std::uint64_t earliest = above | (std::uint64_t(digit) << shift);
        if (earliest > tick)
            return false;
        const std::size_t bucket = level * Digits + digit;
        m_last = earliest;
        if (level == 0) {
            takeRun(bucket);
            return true;
        }
        if (const std::uint32_t count = few(m_buckets[bucket]); count != 0) {
            m_runLast = earliest | ((std::uint64_t(1) << shift) - 1);
            takeSorted(bucket, count);
            return true;
        }
        spread(bucket);
    }
    return false;
}

bool DelayedQueue::pop(std::uint64_t tick, DelayedMessage& out, void* buffer) {
    if (tick >= m_floor)
        m_floor = tick == LastTick ? tick : tick + 1;
    do
        if (popFromRun(tick, out, buffer))
            return true;
    while (m_runAt == m_run.size() && nextRun(tick));
    return false;
}

bool DelayedQueue::popNext(DelayedMessage& out, void* buffer) {
    do
        if (popFromRun(LastTick, out, buffer)) {
            m_floor = std::max(m_floor, out.due == LastTick ? out.due : out.due + 1);
            return true;
        }
    while (nextRun(LastTick));
    // None is left, though cancelled ones that were passed over may have lain ahead: time stands, and what is pushed next may be
    // due before those.
    m_run.clear();
    m_runAt = 0;
    m_runLast = 0;
    m_last = m_floor;
    return false;
}

bool DelayedQueue::popFromRun(std::uint64_t tick, DelayedMessage& out, void* buffer) {
    while (m_runAt < m_run.size() && m_run[m_runAt].due <= tick) {
        const Entry entry = m_run[m_runAt++];
        if (m_runAt + FetchedAhead < m_run.size())
            m_pool.prefetch(m_run[m_runAt + FetchedAhead].number);
        StoredMessage& block = m_pool.at(entry.number);
        if ((block.generation & 1U) == 0) {
            --m_cancelled;
            m_pool.release(entry.number);
            continue;
        }
        out.handle = {entry.number, block.generation};
        out.due = entry.due;
        out.priority = entry.priority;
        out.envelope.sequence = 0;
        out.envelope.cause = block.cause.sequence();
        out.envelope.through = block.cause.through();
        out.envelope.injected = block.injected != 0;
        out.envelope.tick = entry.due;
        out.envelope.sender = block.sender;
        out.envelope.receiver = block.receiver;
        out.envelope.type = block.type;
        out.envelope.delivery = block.delivery;
        out.envelope.part = block.part;
        out.envelope.delayed = true;
        out.envelope.queuedAt = block.queuedAt;
        out.envelope.site = block.sited != 0 ? m_sites[entry.number] : 0;
        out.minimum = block.minimum;
        out.size = block.size;
        out.payload = buffer;
        std::memcpy(buffer, block.payload(), block.size);
        ++block.generation;
        m_pool.release(entry.number);
        --m_live;
        return true;
    }
    return false;
}

bool DelayedQueue::isLive(MessagePool::Number number) const {
    return (m_pool.at(number).generation & 1U) != 0;
}

bool DelayedQueue::pending(DelayedHandle handle) const {
    return (handle.generation() & 1U) != 0 && m_pool.knows(handle.index())
           && m_pool.at(handle.index()).generation == handle.generation();
}

bool DelayedQueue::cancel(DelayedHandle handle) {
    if (!pending(handle))
        return false;
    // The block stays taken until its entry is met: no entry ever points at another message.
    ++m_pool.generation(handle.index());
    --m_live;
    ++m_cancelled;
    if (m_cancelled > m_live + CancelledSlack)
        compact();
    return true;
}

void DelayedQueue::compact() {
    m_scratch.clear();
    const auto keep = [this](const Entry& entry) {
        if (isLive(entry.number))
            m_scratch.push_back(entry);
        else
            m_pool.release(entry.number);
    };
    for (std::size_t bucket = 0; bucket < m_buckets.size(); ++bucket) {
        Chunk* chunk = m_buckets[bucket].first;
        if (chunk == nullptr)
            continue;
        markEmpty(bucket);
        while (chunk != nullptr) {
            for (std::uint32_t i = 0; i < chunk->count; ++i)
                keep(chunk->entries[i]);
            Chunk* const next = chunk->next;
            freeChunk(chunk);
            chunk = next;
        }
    }
    for (const Entry& entry : m_scratch)
        append(entry);
    m_scratch.clear();
    for (std::size_t i = m_runAt; i < m_run.size(); ++i)
        keep(m_run[i]);
    m_run.swap(m_scratch);
    m_runAt = 0;
    m_scratch.clear();
    m_cancelled = 0;
}

void DelayedQueue::clear() {
    for (std::size_t i = m_runAt; i < m_run.size(); ++i)
        m_cancelled += isLive(m_run[i].number) ? (++m_pool.generation(m_run[i].number), 1U) : 0U;
    for (const Bucket& bucket : m_buckets)
        for (const Chunk* chunk = bucket.first; chunk != nullptr; chunk = chunk->next)
            for (std::uint32_t i = 0; i < chunk->count; ++i)
                if (isLive(chunk->entries[i].number))
                    ++m_pool.generation(chunk->entries[i].number);
    m_live = 0;
    compact();
}

template <typename Visit> void DelayedQueue::eachLive(const Visit& visit) const {
    const auto one = [&](const Entry& entry) {
        if (isLive(entry.number))
            visit(entry);
    };
    for (std::size_t i = m_runAt; i < m_run.size(); ++i)
        one(m_run[i]);
    for (const Bucket& bucket : m_buckets)
        for (const Chunk* chunk = bucket.first; chunk != nullptr; chunk = chunk->next)
            for (std::uint32_t i = 0; i < chunk->count; ++i)
                one(chunk->entries[i]);
}

std::optional<std::uint64_t> DelayedQueue::nextDue() const {
    for (std::size_t i = m_runAt; i < m_run.size(); ++i)
        if (isLive(m_run[i].number))
            return m_run[i].due;
    // The first bucket with a living message holds the first tick.
    for (const Bucket& bucket : m_buckets) {
        std::optional<std::uint64_t> first;
        for (const Chunk* chunk = bucket.first; chunk != nullptr; chunk = chunk->next)
            for (std::uint32_t i = 0; i < chunk->count; ++i)
                if (const Entry& entry = chunk->entries[i]; isLive(entry.number))
                    first = std::min(first.value_or(entry.due), entry.due);
        if (first)
            return first;
    }
    return std::nullopt;
}

std::vector<DelayedQueue::Entry> DelayedQueue::sorted() const {
    std::vector<Entry> out;
    out.reserve(m_live);
    eachLive([&](const Entry& entry) { out.push_back(entry); });
    std::stable_sort(out.begin(), out.end(), &before);
    return out;
}

std::vector<DelayedMessage> DelayedQueue::list() const {
    std::vector<DelayedMessage> out;
    out.reserve(m_live);
    for (const Entry& entry : sorted()) {
        const StoredMessage& block = m_pool.at(entry.number);
        DelayedMessage& message = out.emplace_back();
        message.handle = {entry.number, block.generation};
        message.due = entry.due;
        message.priority = entry.priority;
        message.envelope.cause = block.cause.sequence();
        message.envelope.through = block.cause.through();
        message.envelope.injected = block.injected != 0;
        message.envelope.sender = block.sender;
        message.envelope.receiver = block.receiver;
        message.envelope.type = block.type;
        message.envelope.delivery = block.delivery;
        message.envelope.part = block.part;
        message.envelope.delayed = true;
        message.envelope.queuedAt = block.queuedAt;
        message.envelope.site = block.sited != 0 ? m_sites.at(entry.number) : 0;
        message.minimum = block.minimum;
        message.size = block.size;
        message.payload = const_cast<std::byte*>(block.payload());
    }
    return out;
}

// All but the cause, which is a number of the trace and depends on what is recorded.
void DelayedQueue::hash(Hash64& into) const {
    into.add(m_pushes);
    for (const Entry& entry : sorted()) {
        const StoredMessage& block = m_pool.at(entry.number);
        const MessageType& type = messageType(block.type);
        into.add(entry.due);
        into.add(static_cast<std::uint64_t>(entry.priority));
        into.add(block.sender.bits);
        into.add(block.receiver.bits);
        into.add(static_cast<std::uint64_t>(block.delivery));
        into.add(block.part);
        into.add(block.minimum);
        into.add(block.queuedAt);
        into.add(std::string_view(type.name));
        type.fields->hash(block.payload(), into);
    }
}

std::size_t DelayedQueue::bytes() const {
    return m_pool.bytes() + m_chunkSlabs.size() * ChunksPerSlab * sizeof(Chunk) + m_run.capacity() * sizeof(Entry);
}

} // namespace sbx
