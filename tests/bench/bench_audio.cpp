// Cost of moving sources heard through HRTFs: ours at its quality levels beside OpenAL Soft's loopback device with HRTF on, in the
// same run. An item is one source for one frame, so 1e9 / 48000 / ns sources are real time on one core; blocks of 256 frames where
// the row names none, every source told a new place before each block. The ratios at the end say how both grow with the number of
// sources and with the host's block; the absolute goals are those of the renderer's design.

#include "engine/audio/renderer.h"
#include "tests/bench/ratios.h"
#include "tests/folders.h"

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

constexpr int UsualBlock = 256;

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
        auto loaded = HrtfSet::load(sbx::test::sourcePath("resources/hrtf/mit_kemar_normal_pinna.sofa"), 48000.0);
        return loaded ? *loaded : HrtfSet::sphere(48000.0);
    }();
    return set;
}

void ours(benchmark::State& state, int sources, Quality quality, int blockSize) {
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
    std::vector<float> block(static_cast<std::size_t>(blockSize) * 2);
    renderer.render(block);
    Frame now = blockSize;
    for (auto _ : state) {
        for (int i = 0; i < sources; ++i) {
            ControlPoint point;
            const double seconds = static_cast<double>(now + 2 * blockSize) / 48000.0;
            point.at = now + 2 * blockSize;
            point.position = placeOf(i, seconds);
            point.velocity = (placeOf(i, seconds + 1e-3) - placeOf(i, seconds - 1e-3)) / 2e-3;
            renderer.move(ids[static_cast<std::size_t>(i)], point);
        }
        renderer.render(block);
        now += blockSize;
    }
    benchmark::DoNotOptimize(block.data());
    state.SetItemsProcessed(state.iterations() * sources * blockSize);
}

void openAl(benchmark::State& state, int sources, int blockSize) {
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
        std::vector<float> block(static_cast<std::size_t>(blockSize) * 2);
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
        renderSamples(device, block.data(), blockSize);
        double seconds = 0.0;
        for (auto _ : state) {
            seconds += blockSize / 48000.0;
            place(seconds);
            renderSamples(device, block.data(), blockSize);
        }
        benchmark::DoNotOptimize(block.data());
        state.SetItemsProcessed(state.iterations() * sources * blockSize);
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
    const auto addRows = [](const std::string& row, int sources, int block) {
        addRow(row + "/openal", [=](benchmark::State& state) { openAl(state, sources, block); });
        addRow(row + "/best", [=](benchmark::State& state) { ours(state, sources, Quality::Best, block); });
        addRow(row + "/balanced", [=](benchmark::State& state) { ours(state, sources, Quality::Balanced, block); });
        addRow(row + "/fast", [=](benchmark::State& state) { ours(state, sources, Quality::Fast, block); });
    };
    const std::string usual = "moving/64";
    for (const int sources : {1, 16, 64, 256, 512, 1024}) {
        const std::string row = "moving/" + std::to_string(sources);
        addRows(row, sources, UsualBlock);
        const bool promised = sources >= 64 && sources <= 512;
        ratios.push_back({.row = row + "/best",
                          .peer = row + "/openal",
                          .must = promised ? 1.75 : 0.0,
                          .reach = promised ? 1.0 : 0.0});
        ratios.push_back({.row = row + "/fast", .peer = row + "/openal", .must = promised ? 1.0 : 0.0});
    }
    // Whatever others take: what a source and frame may cost, and what leaves two thirds of a core free.
    for (const int sources : {16, 64, 256, 512}) {
        const std::string row = "moving/" + std::to_string(sources) + "/best";
        ratios.push_back({.row = row, .peer = "a moving source and frame", .mustTake = 25.0});
    }
    const double third = 1e9 / 48000.0 / 256.0 / 3.0;
    ratios.push_back({.row = "moving/256/best", .peer = "a third of a core", .mustTake = third});
    for (const int block : {64, 128, 512, 1024}) {
        const std::string row = "block/" + std::to_string(block);
        addRows(row, 64, block);
        ratios.push_back({.row = row + "/best", .peer = row + "/openal"});
        ratios.push_back({.row = row + "/fast", .peer = row + "/openal"});
    }
    for (const char* contender : {"/best", "/fast", "/openal"}) {
        for (const char* row : {"moving/1", "moving/16", "moving/256", "moving/512", "moving/1024", "block/64", "block/128", "block/512", "block/1024"}) {
            ratios.push_back({.row = std::string(row) + contender, .peer = usual + contender});
        }
    }
    return runWithRatios(argc, argv, ratios);
}
