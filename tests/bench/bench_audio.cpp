// Cost of moving sources heard through HRTFs: ours at its quality levels beside OpenAL Soft's loopback device with HRTF on, in the
// same run. An item is one source for one frame; blocks of 256 frames, every source told a new place before each block.

#include "engine/audio/renderer.h"
#include "tests/bench/ratios.h"

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

using namespace sbx::audio;
using namespace sbx::bench;

namespace {

constexpr int BlockSize = 256;

glm::dvec3 placeOf(int source, double seconds) {
    const double angle = 0.1 * source + std::numbers::pi * seconds * (0.3 + 0.01 * (source % 40));
    return {(2.0 + 0.02 * source) * std::sin(angle), 0.3 * std::sin(0.7 * source),
            -(2.0 + 0.02 * source) * std::cos(angle)};
}

std::vector<float> material() {
    std::vector<float> samples(48000);
    unsigned state = 1;
    for (float& sample : samples) {
        state = state * 1664525U + 1013904223U;
        sample = static_cast<float>(state >> 8U) * (0.02F / 16777216.0F) - 0.01F;
    }
    return samples;
}

std::shared_ptr<const HrtfSet> loadedSet() {
    static const std::shared_ptr<const HrtfSet> set = [] {
        auto loaded = HrtfSet::load(SBX_SOURCE_DIR "/resources/hrtf/mit_kemar_normal_pinna.sofa", 48000.0);
        return loaded ? *loaded : HrtfSet::sphere(48000.0);
    }();
    return set;
}

void ours(benchmark::State& state, int sources, Quality quality) {
    RendererSettings settings;
    settings.maximumSources = settings.voiceBudget = static_cast<std::uint32_t>(sources);
    auto made = Renderer::create(settings, loadedSet());
    if (!made) {
        state.SkipWithError(made.error().message.c_str());
        return;
    }
    Renderer& renderer = **made;
    renderer.setQuality(quality);
    const auto sound = std::make_shared<ResidentSound>(material());
    std::vector<SourceId> ids;
    for (int i = 0; i < sources; ++i) {
        ControlPoint point;
        point.position = placeOf(i, 0.0);
        ids.push_back(renderer.add(SourceSettings{}, point));
        Signal signal;
        signal.kind = SignalKind::Sound;
        signal.loop = true;
        renderer.play(ids.back(), signal, sound);
    }
    std::array<float, BlockSize * 2> block{};
    renderer.render(block);
    Frame now = BlockSize;
    for (auto _ : state) {
        for (int i = 0; i < sources; ++i) {
            ControlPoint point;
            const double seconds = static_cast<double>(now + 2 * BlockSize) / 48000.0;
            point.at = now + 2 * BlockSize;
            point.position = placeOf(i, seconds);
            point.velocity = (placeOf(i, seconds + 1e-3) - placeOf(i, seconds - 1e-3)) / 2e-3;
            renderer.move(ids[static_cast<std::size_t>(i)], point);
        }
        renderer.render(block);
        now += BlockSize;
    }
    benchmark::DoNotOptimize(block);
    state.SetItemsProcessed(state.iterations() * sources * BlockSize);
}

void openAl(benchmark::State& state, int sources) {
    const auto loopback = reinterpret_cast<LPALCLOOPBACKOPENDEVICESOFT>(
        alcGetProcAddress(nullptr, "alcLoopbackOpenDeviceSOFT"));
    const auto renderSamples =
        reinterpret_cast<LPALCRENDERSAMPLESSOFT>(alcGetProcAddress(nullptr, "alcRenderSamplesSOFT"));
    ALCdevice* device = loopback != nullptr ? loopback(nullptr) : nullptr;
    if (device == nullptr || renderSamples == nullptr) {
        state.SkipWithError("no OpenAL Soft with a loopback device");
        return;
    }
    const std::array<ALCint, 13> wanted = {ALC_FORMAT_CHANNELS_SOFT,
                                           ALC_STEREO_SOFT,
                                           ALC_FORMAT_TYPE_SOFT,
                                           ALC_FLOAT_SOFT,
                                           ALC_FREQUENCY,
                                           48000,
                                           ALC_HRTF_SOFT,
                                           ALC_TRUE,
                                           ALC_MONO_SOURCES,
                                           1024,
                                           0,
                                           0,
                                           0};
    ALCcontext* context = alcCreateContext(device, wanted.data());
    alcMakeContextCurrent(context);
    std::vector<float> samples = material();
    ALuint buffer = 0;
    alGenBuffers(1, &buffer);
    alBufferData(buffer, AL_FORMAT_MONO_FLOAT32, samples.data(),
                 static_cast<ALsizei>(samples.size() * sizeof(float)), 48000);
    std::vector<ALuint> ids(static_cast<std::size_t>(sources));
    alGenSources(sources, ids.data());
    if (alGetError() != AL_NO_ERROR) {
        state.SkipWithError("OpenAL has not that many sources");
    } else {
        for (const ALuint id : ids) {
            alSourcei(id, AL_BUFFER, static_cast<ALint>(buffer));
            alSourcei(id, AL_LOOPING, AL_TRUE);
        }
        std::array<float, BlockSize * 2> block{};
        const auto place = [&](double seconds) {
            for (int i = 0; i < sources; ++i) {
                const ALuint id = ids[static_cast<std::size_t>(i)];
                const glm::vec3 p(placeOf(i, seconds));
                const glm::vec3 v((placeOf(i, seconds + 1e-3) - placeOf(i, seconds - 1e-3)) / 2e-3);
                alSource3f(id, AL_POSITION, p.x, p.y, p.z);
                alSource3f(id, AL_VELOCITY, v.x, v.y, v.z);
            }
        };
        place(0.0);
        alSourcePlayv(sources, ids.data());
        renderSamples(device, block.data(), BlockSize);
        double seconds = 0.0;
        for (auto _ : state) {
            seconds += BlockSize / 48000.0;
            place(seconds);
            renderSamples(device, block.data(), BlockSize);
        }
        benchmark::DoNotOptimize(block);
        state.SetItemsProcessed(state.iterations() * sources * BlockSize);
        alDeleteSources(sources, ids.data());
    }
    alDeleteBuffers(1, &buffer);
    alcMakeContextCurrent(nullptr);
    alcDestroyContext(context);
    alcCloseDevice(device);
}

} // namespace

int main(int argc, char** argv) {
    std::vector<Ratio> ratios;
    for (const int sources : {1, 16, 64, 256, 512, 1024}) {
        const std::string row = "moving/" + std::to_string(sources);
        addRow(row + "/openal", [sources](benchmark::State& state) { openAl(state, sources); });
        addRow(row + "/best", [sources](benchmark::State& state) { ours(state, sources, Quality::Best); });
        addRow(row + "/balanced",
               [sources](benchmark::State& state) { ours(state, sources, Quality::Balanced); });
        addRow(row + "/fast", [sources](benchmark::State& state) { ours(state, sources, Quality::Fast); });
        const bool promised = sources >= 64 && sources <= 512;
        ratios.push_back({.row = row + "/best",
                          .peer = row + "/openal",
                          .must = promised ? 1.75 : 0.0,
                          .reach = promised ? 1.0 : 0.0});
        ratios.push_back({.row = row + "/fast", .peer = row + "/openal", .must = promised ? 1.0 : 0.0});
    }
    return runWithRatios(argc, argv, ratios);
}
