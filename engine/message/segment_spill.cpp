#include "engine/message/segment_spill.h"

#include "engine/message/segment_pool.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <optional>
#include <system_error>
#include <tuple>

namespace sbx {

namespace {

// Before the records of each segment in the file.
struct alignas(record::Alignment) SpilledHead {
    std::uint64_t bytes;
    std::uint64_t firstSequence;
    std::uint64_t firstTick;
    std::uint64_t firstStamp;
    std::uint64_t run;
    double nsPerTick;
    std::uint32_t tables;
    std::uint32_t unused[3];
};
static_assert(sizeof(SpilledHead) == 64 && sizeof(SpilledHead) % record::Alignment == 0);

// Four sums side by side, each word multiplied in (D. E. Knuth, The Art of Computer Programming 3, 6.4: multiplicative hashing). It
// notices what a disk does by mistake, not what is done on purpose. `size` is a multiple of 16.
std::uint64_t spillSum(const std::byte* at, std::size_t size) {
    constexpr std::uint64_t Golden = 0x9E37'79B9'7F4A'7C15ULL;
    std::uint64_t sums[4] = {1, 2, 3, 4};
    for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, at + i, sizeof word);
        std::uint64_t& sum = sums[i / sizeof word % 4];
        sum = (sum ^ word) * Golden;
        sum ^= sum >> 29U;
    }
    return ((sums[0] * Golden + sums[1]) * Golden + sums[2]) * Golden + sums[3];
}

std::string systemSays(int code) { return std::generic_category().message(code); }

// 0: all of it; else the system's error.
int writeAt(int file, const std::byte* from, std::size_t size, std::uint64_t offset) {
    while (size > 0) {
        const ssize_t count = ::pwrite(file, from, size, static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 ? errno : EIO;
        from += count;
        offset += static_cast<std::uint64_t>(count);
        size -= static_cast<std::size_t>(count);
    }
    return 0;
}

std::optional<std::string> readAt(int file, std::byte* to, std::size_t size, std::uint64_t offset) {
    while (size > 0) {
        const ssize_t count = ::pread(file, to, size, static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return systemSays(errno);
        if (count == 0)
            return "the file ends before";
        to += count;
        offset += static_cast<std::uint64_t>(count);
        size -= static_cast<std::size_t>(count);
    }
    return std::nullopt;
}

constexpr const char* NoMemory = "out of memory";
constexpr const char* SpillPrefix = "spill-";

// Removes what processes that are gone have left: those that ended between making a file and taking its name away.
void removeLeftOvers(const std::filesystem::path& folder) {
    std::error_code failed;
    std::vector<std::filesystem::path> left;
    // Not a range-for: its step throws where the folder cannot be read on.
    std::filesystem::directory_iterator it(folder, failed);
    for (; !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(SpillPrefix))
            continue;
        const long process = std::strtol(name.c_str() + std::strlen(SpillPrefix), nullptr, 10);
        if (process > 0 && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH)
            left.push_back(it->path());
    }
    for (const auto& path : left)
        std::filesystem::remove(path, failed);
}

// A file system without files that have no name: it gets one, for as long as opening takes.
int openAndRemove(const std::filesystem::path& folder) {
    static std::atomic<unsigned> Number{0};
    const std::filesystem::path path =
        folder / (SpillPrefix + std::to_string(::getpid()) + "-" + std::to_string(++Number));
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0)
        ::unlink(path.c_str());
    return file;
}

} // namespace

Result<std::unique_ptr<SegmentSpill>> SegmentSpill::create(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        return Error{failed.message(), folder.string(), {}};
    removeLeftOvers(folder);
    int file = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        file = openAndRemove(folder);
    if (file < 0)
        return Error{systemSays(errno), folder.string(), {}};
    return std::unique_ptr<SegmentSpill>(new SegmentSpill(file));
}

SegmentSpill::SegmentSpill(int file) : m_file(file) {
    m_thread = std::thread([this] { run(); });
}

SegmentSpill::~SegmentSpill() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stop = true;
    }
    m_jobs.notify_all();
    m_thread.join();
    ::close(m_file);
}

void SegmentSpill::setWake(std::function<void()> wake) {
    const std::scoped_lock lock(m_mutex);
    m_wake = std::move(wake);
}

std::uint64_t SegmentSpill::bytesOf(const Segments& segments) {
    std::uint64_t bytes = 0;
    for (const auto& segment : segments)
        bytes += sizeof(SpilledHead) + SegmentPool::parts(*segment).records.size();
    return bytes;
}

void SegmentSpill::write(ChunkId chunk, Segments segments, std::uint64_t offset) {
    Place place{offset, bytesOf(segments), 0};
    {
        const std::scoped_lock lock(m_mutex);
        m_writes.push_back({chunk, true, std::move(segments), place});
    }
    m_jobs.notify_one();
}

void SegmentSpill::forgetWrites(ChunkId last) {
    std::vector<Job> gone; // their segments return to their pool without the lock
    const std::scoped_lock lock(m_mutex);
    const auto kept = std::stable_partition(m_writes.begin(), m_writes.end(),
                                            [last](const Job& job) { return job.chunk > last; });
    std::move(kept, m_writes.end(), std::back_inserter(gone));
    m_writes.erase(kept, m_writes.end());
}

void SegmentSpill::cut(std::uint64_t bytes) {
    {
        const std::scoped_lock lock(m_mutex);
        m_cut = std::min(m_cut.value_or(bytes), bytes);
    }
    m_jobs.notify_one();
}

void SegmentSpill::read(ChunkId chunk, const Place& place, bool urgent) {
    {
        const std::scoped_lock lock(m_mutex);
        if (urgent)
            m_urgent.push_front({chunk, false, {}, place});
        else
            m_reads.push_back({chunk, false, {}, place});
        if (m_urgent.size() > MaxUrgent) {
            m_done.push_back({Done::What::Dismissed, m_urgent.back().chunk, {}, {}, {}, {}});
            m_urgent.pop_back();
        }
    }
    m_jobs.notify_one();
}

Result<SegmentSpill::Segments> SegmentSpill::readNow(const Place& place) const {
    try {
        return readBack(place);
    } catch (const std::bad_alloc&) {
        return makeError(NoMemory);
    }
}

Result<SegmentSpill::Segments> SegmentSpill::readBack(const Place& place) const {
    const auto size = static_cast<std::size_t>(place.bytes);
    std::vector<std::byte> image(size);
    if (const std::optional<std::string> fault = readAt(m_file, image.data(), size, place.offset))
        return makeError(*fault);
    if (spillSum(image.data(), size) != place.checksum)
        return makeError("the bytes are not those that were written");
    Segments segments;
    for (std::size_t at = 0; at < size;) {
        SpilledHead head{};
        std::memcpy(&head, image.data() + at, sizeof head);
        at += sizeof head;
        SegmentParts parts;
        parts.records = {image.data() + at, static_cast<std::size_t>(head.bytes)};
        parts.firstSequence = head.firstSequence;
        parts.firstTick = head.firstTick;
        parts.firstStamp = head.firstStamp;
        parts.run = head.run;
        parts.nsPerTick = head.nsPerTick;
        {
            const std::scoped_lock lock(m_mutex);
            if (head.tables >= m_tables.size())
                return makeError("its chunk was cleared");
            std::tie(parts.shapes, parts.entityNames) = m_tables[head.tables];
        }
        segments.push_back(SegmentPool::rebuilt(parts));
        at += static_cast<std::size_t>(head.bytes);
    }
    return segments;
}

void SegmentSpill::collect(std::vector<Done>& out) {
    const std::scoped_lock lock(m_mutex);
    std::move(m_done.begin(), m_done.end(), std::back_inserter(out));
    m_done.clear();
}

void SegmentSpill::wait() {
    std::unique_lock lock(m_mutex);
    m_results.wait(lock, [this] { return !m_done.empty() || (!m_busy && !hasJob()); });
}

void SegmentSpill::clear() {
    {
        const std::scoped_lock lock(m_mutex);
        m_urgent.clear();
        m_reads.clear();
        m_writes.clear();
        m_done.clear();
        m_clear = true;
    }
    m_jobs.notify_one();
}

std::uint32_t SegmentSpill::tablesOf(const std::shared_ptr<const ShapeNames>& shapes,
                                     const std::shared_ptr<const EntityNamesOfWorlds>& names) {
    const std::scoped_lock lock(m_mutex);
    const Tables tables{shapes, names};
    // The newest are the likely ones.
    const auto known = std::find(m_tables.rbegin(), m_tables.rend(), tables);
    if (known != m_tables.rend())
        return static_cast<std::uint32_t>(m_tables.rend() - known) - 1;
    m_tables.push_back(tables);
    return static_cast<std::uint32_t>(m_tables.size()) - 1;
}

SegmentSpill::Done SegmentSpill::written(Job& job) {
    m_image.resize(static_cast<std::size_t>(job.place.bytes));
    std::byte* at = m_image.data();
    for (const auto& segment : job.segments) {
        const SegmentParts parts = SegmentPool::parts(*segment);
        SpilledHead head{};
        head.bytes = parts.records.size();
        head.firstSequence = parts.firstSequence;
        head.firstTick = parts.firstTick;
        head.firstStamp = parts.firstStamp;
        head.run = parts.run;
        head.nsPerTick = parts.nsPerTick;
        head.tables = tablesOf(parts.shapes, parts.entityNames);
        std::memcpy(at, &head, sizeof head);
        std::memcpy(at + sizeof head, parts.records.data(), parts.records.size());
        at += sizeof head + parts.records.size();
    }
    job.place.checksum = spillSum(m_image.data(), m_image.size());
    if (const int code = writeAt(m_file, m_image.data(), m_image.size(), job.place.offset); code != 0)
        return {Done::What::NotWritten, job.chunk, job.place, {}, {}, systemSays(code)};
    return {Done::What::Written, job.chunk, job.place, SegmentIndex(job.segments), {}, {}};
}

SegmentSpill::Done SegmentSpill::perform(Job& job) {
    if (job.isWrite)
        try {
            return written(job);
        } catch (const std::bad_alloc&) {
            return {Done::What::NotWritten, job.chunk, job.place, {}, {}, NoMemory};
        }
    Result<Segments> segments = readNow(job.place);
    if (!segments)
        return {Done::What::NotRead, job.chunk, job.place, {}, {}, segments.error().message};
    return {Done::What::Read, job.chunk, job.place, {}, std::move(*segments), {}};
}

void SegmentSpill::run() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_jobs.wait(lock, [this] { return m_stop || m_clear || m_cut || hasJob(); });
        if (m_stop)
            return;
        if (std::exchange(m_clear, false)) {
            m_tables.clear();
            // What cannot be given back is written over later.
            static_cast<void>(!::ftruncate(m_file, 0));
            continue;
        }
        if (const auto bytes = std::exchange(m_cut, std::nullopt)) {
            lock.unlock();
            struct stat status {};
            if (::fstat(m_file, &status) == 0 && static_cast<std::uint64_t>(status.st_size) > *bytes)
                static_cast<void>(!::ftruncate(m_file, static_cast<off_t>(*bytes)));
            lock.lock();
            continue;
        }
        const bool writes = !m_writes.empty() && (m_reads.empty() || m_readLast);
        std::deque<Job>& queue = !m_urgent.empty() ? m_urgent : writes ? m_writes : m_reads;
        m_readLast = &queue == &m_reads;
        Job job = std::move(queue.front());
        queue.pop_front();
        m_busy = true;
        lock.unlock();
        Done done = perform(job);
        job = {}; // segments return to their pool here
        lock.lock();
        m_done.push_back(std::move(done));
        m_busy = false;
        if (m_wake)
            m_wake();
        m_results.notify_all();
    }
}

} // namespace sbx
