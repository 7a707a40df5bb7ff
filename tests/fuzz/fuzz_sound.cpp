// Sound files, as the import process decodes them: any bytes end with frames that are numbers, or with one line of reasons; any place can be
// asked for.
#include "app/import/sound_decoder.h"
#include "engine/audio/detail/sound_limits.h"
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include <vector>

using namespace sbx;
using namespace sbx::importing;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const int file = ::memfd_create("sound", MFD_CLOEXEC);
    SBX_FUZZ_MUST(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size)
                  && ::lseek(file, 0, SEEK_SET) == 0);
    {
        Result<SoundDecoder> sound = SoundDecoder::open(file);
        SBX_FUZZ_MUST(sound.ok() || !sound.error().message.empty());
        if (sound) {
            const SoundHead head = sound->head();
            SBX_FUZZ_MUST(head.channels >= 1 && head.channels <= audio::MaximumSoundChannels);
            SBX_FUZZ_MUST(head.sampleRate >= audio::MinimumSoundRate
                          && head.sampleRate <= audio::MaximumSoundRate);
            SBX_FUZZ_MUST(head.frames >= 0 && head.frames <= audio::MaximumSoundFrames);
            std::vector<float> mono(1U << 14U);
            // From the beginning, as a sound that is held in memory; then here and there, as one that is streamed.
            std::int64_t at = 0;
            for (int piece = 0; piece < 4; ++piece) {
                const std::size_t got = sound->read(at, mono);
                SBX_FUZZ_MUST(got <= mono.size());
                at += static_cast<std::int64_t>(got);
            }
            for (const std::int64_t from : {head.frames / 2, std::int64_t{0}, head.frames, head.frames - 1,
                                            head.frames + 1, std::int64_t{-1}})
                SBX_FUZZ_MUST(sound->read(from, std::span(mono).first(500)) <= 500);
        }
    }
    ::close(file);
    return 0;
}
