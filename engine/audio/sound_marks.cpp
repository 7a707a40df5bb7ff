#include "engine/audio/sound_marks.h"

#include "engine/audio/detail/sound_handle.h"
#include "engine/core/detail/descriptor.h"
#include "engine/core/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace sbx::audio {

namespace {

void put(std::string& out, std::string_view name) { out += name; }
void put(std::string& out, std::uint32_t number) {
    for (int shift = 0; shift < 32; shift += 8) {
        out += static_cast<char>((number >> shift) & 0xFFU);
    }
}

// False: a part is missing, and errno has the reason.
bool writeAt(int file, off_t offset, std::string_view bytes) {
    if (::lseek(file, offset, SEEK_SET) < 0) {
        return false;
    }
    while (!bytes.empty()) {
        const ssize_t done = ::write(file, bytes.data(), bytes.size());
        if (done >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(done));
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

} // namespace

// libsndfile writes cue points before the samples only, when none are known yet: they are put behind ("cue " and "adtl" chunks of
// the Multimedia Programming Interface and Data Specifications 1.0, IBM and Microsoft, 1991).
Result<void> addMarks(const std::filesystem::path& path, std::vector<SoundMark> marks, std::int64_t frames) {
    std::erase_if(marks, [&](const SoundMark& mark) { return mark.at < 0 || mark.at >= frames; });
    std::stable_sort(marks.begin(), marks.end(), [](const SoundMark& a, const SoundMark& b) { return a.at < b.at; });
    if (marks.empty()) {
        return {};
    }
    std::string cues;
    std::string labels;
    put(labels, "adtl");
    put(cues, static_cast<std::uint32_t>(marks.size()));
    for (std::uint32_t i = 0; i < marks.size(); ++i) {
        const auto at = static_cast<std::uint32_t>(marks[i].at);
        put(cues, i + 1);
        put(cues, at);
        put(cues, "data");
        put(cues, 0U);
        put(cues, 0U);
        put(cues, at);
        const std::string& text = marks[i].text;
        put(labels, "labl");
        put(labels, static_cast<std::uint32_t>(4 + text.size() + 1));
        put(labels, i + 1);
        put(labels, text);
        labels.append(text.size() % 2 == 0 ? 2 : 1, '\0'); // its end, and to an even length
    }
    std::string chunks;
    put(chunks, "cue ");
    put(chunks, static_cast<std::uint32_t>(cues.size()));
    put(chunks, cues);
    put(chunks, "LIST");
    put(chunks, static_cast<std::uint32_t>(labels.size()));
    put(chunks, labels);
    detail::Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    struct stat status {};
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
        return fileError(path, "write its cue points", errno);
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size + chunks.size() >= 0xFFFFFFFFU) {
        return Error{"is too large for cue points: a WAV file ends at 4 GiB", path.string(), {}};
    }
    std::string whole;
    put(whole, static_cast<std::uint32_t>(size + chunks.size() - 8));
    if (!writeAt(file.get(), status.st_size, chunks) || !writeAt(file.get(), 4, whole)) {
        // The sound alone, as it was: its header has not changed.
        const int why = errno;
        static_cast<void>(::ftruncate(file.get(), status.st_size) == 0);
        return fileError(path, "write its cue points", why);
    }
    if (!file.close()) {
        return fileError(path, "write its cue points", errno);
    }
    return {};
}

Result<std::vector<SoundMark>> marksOf(const std::filesystem::path& path) {
    SF_INFO info{};
    const SoundFileHandle file(sf_open(path.c_str(), SFM_READ, &info));
    if (!file) {
        return Error{std::string("cannot read: ") + sf_strerror(nullptr), path.string(), {}};
    }
    std::uint32_t count = 0;
    std::vector<SoundMark> out;
    if (sf_command(file.get(), SFC_GET_CUE_COUNT, &count, sizeof count) != SF_TRUE || count == 0) {
        return out;
    }
    // A list as long as the file needs, laid out like SF_CUES (which has room for a hundred).
    using Cue = SF_CUE_POINT;
    constexpr std::size_t Before = offsetof(SF_CUES, cue_points);
    std::vector<Cue> list(count + (Before + sizeof(Cue) - 1) / sizeof(Cue));
    auto* bytes = reinterpret_cast<std::byte*>(list.data());
    if (sf_command(file.get(), SFC_GET_CUE, bytes, static_cast<int>(Before + count * sizeof(Cue))) != SF_TRUE) {
        return Error{"its cue points cannot be read", path.string(), {}};
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        Cue cue;
        std::memcpy(&cue, bytes + Before + i * sizeof(Cue), sizeof cue);
        out.push_back({static_cast<std::int64_t>(cue.sample_offset), std::string(cue.name, strnlen(cue.name, sizeof cue.name))});
    }
    return out;
}

} // namespace sbx::audio
