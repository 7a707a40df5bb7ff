#include "engine/audio/detail/renderer_state.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace sbx::audio {

namespace {

constexpr double SetFadeSeconds = 0.05;
constexpr std::uint64_t PublishBlocks = 4;
constexpr std::uint64_t RankBlocks = 4;
constexpr float Inaudible = 1e-5F; // -100 dB
constexpr float KeepFactor = 1.5F; // a voice is not taken away for a source hardly louder

constexpr double RoomSeconds = 0.05; // in which a room comes and goes
constexpr std::size_t TapBlocks = 512; // 1.4 s
static_assert(OutputBlock::Frames == BlockFrames);

// A voice's ring holds what the longest reflection hears, a power of two.
std::size_t ringFrames(const RendererSettings& settings) {
    std::size_t frames = Voice::NearFrames;
    const double reach = settings.roomReach / settings.speedOfSound * settings.sampleRate;
    while (reach > 0.0 && static_cast<double>(frames) < reach + 2048.0) {
        frames *= 2;
    }
    return frames;
}

// A tenth of the way, in a block.
float eased(float now, float target) {
    const float next = now + (target - now) * 0.1F;
    return std::abs(target - next) < 1e-6F ? target : next;
}

// What makes most of it inaudible, though nothing does alone.
SilentReason quietest(const SourceState& state) {
    const float least = std::min({state.distanceGain, state.coneGain, state.occlusionGain, state.ownGain});
    return least == state.distanceGain    ? SilentReason::Distance
           : least == state.coneGain      ? SilentReason::Cone
           : least == state.occlusionGain ? SilentReason::Occlusion
                                          : SilentReason::Muted;
}

} // namespace

FlushDenormals::FlushDenormals() noexcept : m_before(0) {
#if defined(__x86_64__)
    m_before = _mm_getcsr();
    _mm_setcsr(m_before | 0x8040U); // flush to zero, denormals are zero
#endif
}

FlushDenormals::~FlushDenormals() {
#if defined(__x86_64__)
    _mm_setcsr(m_before);
#endif
}

Renderer::Audio::Audio(const RendererSettings& s, const HrtfSet& set, const NearFieldTable& nearField,
                       const AirTable& air)
    : commands(s.commandCapacity),
      retired(std::size_t{s.commandCapacity} * 8),
      snapshots([&] {
          Snapshot snapshot;
          snapshot.sources.resize(s.maximumSources);
          return snapshot;
      }()),
      tap(TapBlocks),
      settings(s),
      kernels(kernelTable(s.allowWide)),
      sphere(HrtfSet::sphere(s.sampleRate, HeadRadius, s.speedOfSound)),
      m_listener(s.sampleRate),
      m_set(&set),
      m_nearField(&nearField),
      m_air(&air),
      m_reflections(5 * BlockFrames),
      m_steady(HrtfSet::FilterFloats),
      m_fading(HrtfSet::FilterFloats),
      m_scratch(4 * TransformSize),
      m_limiter(s.sampleRate) {
    m_listener.reset(ControlPoint{});
    m_sources.reserve(s.maximumSources);
    for (std::uint32_t i = 0; i < s.maximumSources; ++i) {
        m_sources.emplace_back(kernels, tables, s.sampleRate);
    }
    const std::uint32_t budget = std::min(s.voiceBudget, s.maximumSources);
    m_voices.reserve(budget);
    for (std::uint32_t i = 0; i < budget; ++i) {
        m_voices.emplace_back(ringFrames(s));
        m_freeVoices.push_back(budget - 1 - i);
    }
    m_playing.reserve(s.maximumSources);
}

void Renderer::Audio::render(std::span<float> interleaved) noexcept {
    const FlushDenormals flush;
    float* out = interleaved.data();
    std::size_t frames = interleaved.size() / 2;
    while (frames > 0) {
        if (m_outAt == BlockFrames) {
            renderBlock();
            m_outAt = 0;
        }
        const std::size_t piece = std::min(frames, BlockFrames - m_outAt);
        std::memcpy(out, m_out.data() + m_outAt * 2, piece * 2 * sizeof(float));
        out += piece * 2;
        frames -= piece;
        m_outAt += piece;
    }
}

void Renderer::Audio::retire(std::uint64_t serial) noexcept {
    if (serial != 0) {
        static_cast<void>(retired.push({serial, 0, 0}));
    }
}

void Renderer::Audio::leaveVoice(Source& source) noexcept {
    if (source.voice >= 0) {
        Voice& voice = m_voices[static_cast<std::size_t>(source.voice)];
        voice.used = false;
        m_freeVoices.push_back(static_cast<std::uint32_t>(source.voice));
        source.voice = -1;
    }
}

void Renderer::Audio::release(Source& source, std::uint32_t slot) noexcept {
    leaveVoice(source);
    static_cast<void>(retired.push({source.soundSerial, slot, source.generation}));
    source.generation = 0;
    source.soundSerial = 0;
    source.playing = source.leaving = false;
    source.player.clear();
}

void Renderer::Audio::applyCommands() noexcept {
    while (const Command* command = commands.front()) {
        if (command->apply >= m_begin + BlockFrames) {
            break;
        }
        apply(*command);
        commands.pop();
    }
}

void Renderer::Audio::apply(const Command& command) noexcept {
    switch (command.kind) {
    case CommandKind::MoveListener:
        m_listener.add(command.point, m_begin, settings.speedOfSound);
        return;
    case CommandKind::SetHrtf:
        retire(m_setBeforeSerial);
        m_setBefore = m_set;
        m_setBeforeSerial = m_setSerial;
        m_set = command.set;
        m_setSerial = command.serial;
        m_nearField = command.nearField;
        m_setBlocks = static_cast<int>(SetFadeSeconds * settings.sampleRate / BlockFrames);
        return;
    case CommandKind::SetAir:
        retire(m_airSerial);
        m_air = command.air;
        m_airSerial = command.serial;
        return;
    case CommandKind::SetRoom:
        retire(m_roomNextSerial);
        m_roomNext = command.room;
        m_roomNextSerial = command.serial;
        return;
    case CommandKind::SetMode:
        m_mode = command.mode;
        m_sphereNearField = command.nearField != nullptr ? command.nearField : m_sphereNearField;
        return;
    case CommandKind::SetQuality:
        m_quality = command.quality;
        return;
    case CommandKind::SetMaster:
        m_masterTarget = std::min(static_cast<float>(command.number), 100.0F);
        return;
    case CommandKind::SetEars:
        m_ears = command.ears;
        return;
    default:
        break;
    }
    Source& source = m_sources[command.id.slot];
    if (command.kind == CommandKind::Add) {
        source.generation = command.id.generation;
        source.settings = command.settings;
        source.trajectory.reset({m_begin, {}, {}, {1, 0, 0, 0}, true});
        ControlPoint point = command.point;
        point.teleport = true;
        source.trajectory.add(point, m_begin, settings.speedOfSound);
        source.state = {};
        source.state.id = command.id;
        return;
    }
    if (source.generation != command.id.generation) {
        retire(command.kind == CommandKind::Play ? command.serial : 0); // came too late
        return;
    }
    applyToSource(source, command);
}

void Renderer::Audio::applyToSource(Source& source, const Command& command) noexcept {
    const Frame at = std::max(command.at, m_begin);
    m_rank = m_rank || command.kind == CommandKind::Play || command.kind == CommandKind::Settings;
    switch (command.kind) {
    case CommandKind::Remove:
        source.leaving = true;
        break;
    case CommandKind::Settings:
        if (source.settings.spatial != command.settings.spatial
            || source.settings.doppler != command.settings.doppler) {
            ++source.otherJumps;
        }
        source.settings = command.settings;
        break;
    case CommandKind::Move:
        source.trajectory.add(command.point, m_begin, settings.speedOfSound);
        break;
    case CommandKind::Play:
        leaveVoice(source);
        retire(source.soundSerial);
        source.soundSerial = command.serial;
        source.player.start(command.signal, at);
        source.playing = true;
        break;
    case CommandKind::Stop:
        source.player.stop(at);
        break;
    case CommandKind::Pitch:
        source.player.setPitch(command.number, at);
        break;
    default:
        break;
    }
}

// What a source without a voice would sound like, from where it is now.
void Renderer::Audio::estimate(Source& source) noexcept {
    const double end = static_cast<double>(m_begin + BlockFrames);
    const Motion ear = m_listener.at(end);
    const glm::dvec3 relative = source.trajectory.at(end).position - ear.position;
    const double distance = glm::length(relative);
    const Vec3 axis = source.trajectory.orientationAt(end) * Vec3(0.0F, 0.0F, -1.0F);
    SourceState& state = source.state;
    const bool placed = source.settings.spatial;
    state.distanceGain = placed ? distanceGain(source.settings, distance) : 1.0F;
    state.coneGain = placed ? coneGain(source.settings, axis, Vec3(-relative)) : 1.0F;
    source.audibility = controlGain(source.settings, m_anySolo) * state.distanceGain * state.coneGain;
    if (source.voice < 0) {
        state.distance = static_cast<float>(distance);
        state.delay =
            source.settings.doppler && placed ? static_cast<float>(distance / settings.speedOfSound) : 0.0F;
    }
}

// The most audible sources get voices. Those without advance in time only: their signal is a function of it.
void Renderer::Audio::chooseVoices() noexcept {
    m_playing.clear();
    for (std::uint32_t slot = 0; slot < m_sources.size(); ++slot) {
        Source& source = m_sources[slot];
        if (source.generation == 0 || !source.playing || source.leaving) {
            continue;
        }
        estimate(source);
        if (source.audibility > Inaudible) {
            m_playing.push_back(slot);
        }
    }
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const Source& first = m_sources[a];
        const Source& second = m_sources[b];
        if (first.settings.priority != second.settings.priority) {
            return first.settings.priority > second.settings.priority;
        }
        const float loudFirst = first.audibility * (first.voice >= 0 ? KeepFactor : 1.0F);
        const float loudSecond = second.audibility * (second.voice >= 0 ? KeepFactor : 1.0F);
        return loudFirst != loudSecond ? loudFirst > loudSecond : a < b;
    };
    const std::size_t budget = m_voices.size();
    if (m_playing.size() > budget) {
        std::nth_element(m_playing.begin(), m_playing.begin() + static_cast<std::ptrdiff_t>(budget),
                         m_playing.end(), before);
    }
    for (Source& source : m_sources) {
        source.granted = false;
    }
    for (std::size_t i = 0; i < std::min(budget, m_playing.size()); ++i) {
        m_sources[m_playing[i]].granted = true;
    }
    for (std::size_t i = 0; i < std::min(budget, m_playing.size()) && !m_freeVoices.empty(); ++i) {
        Source& source = m_sources[m_playing[i]];
        if (source.voice < 0) {
            source.voice = static_cast<int>(m_freeVoices.back());
            m_freeVoices.pop_back();
            Voice& voice = m_voices[static_cast<std::size_t>(source.voice)];
            voice.used = true;
            voice.slot = m_playing[i];
            voice.begin(source.player.startFrame() + BlockFrames * static_cast<Frame>(RankBlocks) < m_begin);
        }
    }
}

void Renderer::Audio::finish(Source& source) const noexcept {
    const Frame end = source.player.end();
    if (end == SignalPlayer::Never) {
        return;
    }
    const double heard =
        source.voice >= 0
            ? m_voices[static_cast<std::size_t>(source.voice)].heardFrame()
            : static_cast<double>(m_begin) - static_cast<double>(source.state.delay) * settings.sampleRate;
    // Past the end, and past what the longest delay difference and filter hold back.
    const double reflected = m_room != nullptr ? settings.roomReach / settings.speedOfSound * settings.sampleRate : 0.0;
    if (heard > static_cast<double>(end) + 3.0 * BlockFrames + reflected) {
        source.playing = false;
    }
}

BlockContext Renderer::Audio::context() noexcept {
    BlockContext block;
    block.kernels = &kernels;
    block.tables = &tables;
    const bool sphereMode = m_mode == Mode::Sphere;
    block.set = sphereMode ? sphere.get() : m_set;
    if (m_setBlocks > 0) {
        const int all = static_cast<int>(SetFadeSeconds * settings.sampleRate / BlockFrames);
        block.setBefore = sphereMode ? nullptr : m_setBefore;
        block.setFade = 1.0F - static_cast<float>(m_setBlocks - 1) / static_cast<float>(all);
        --m_setBlocks;
    }
    block.setSerial = m_setSerial;
    block.air = m_air;
    block.airSerial = m_airSerial;
    block.nearField = sphereMode ? m_sphereNearField : m_nearField;
    block.mode = m_mode;
    block.quality = m_quality;
    block.sampleRate = settings.sampleRate;
    block.speed = settings.speedOfSound;
    block.plainSpan = settings.plainSpan;
    block.begin = m_begin;
    const auto begin = static_cast<double>(m_begin);
    block.earBegin = m_listener.at(begin);
    block.earEnd = m_listener.at(begin + BlockFrames);
    block.earNext = m_listener.at(begin + 2.0 * BlockFrames);
    block.turnBegin = glm::conjugate(m_listener.orientationAt(begin));
    block.turnEnd = glm::conjugate(m_listener.orientationAt(begin + BlockFrames));
    block.turnNext = glm::conjugate(m_listener.orientationAt(begin + 2.0 * BlockFrames));
    block.anySolo = m_anySolo;
    block.steady = m_steady.data();
    block.fading = m_fading.data();
    if (m_roomNext != nullptr && (m_room == nullptr || m_roomShare == 0.0F)) {
        retire(m_roomSerial);
        m_room = m_roomNext;
        m_roomSerial = m_roomNextSerial;
        m_roomNext = nullptr;
        m_roomNextSerial = 0;
        m_roomSound.clear();
    }
    // Gone and faded, it costs nothing.
    if (m_room != nullptr && (m_room->room.present || m_roomShare > 0.0F)) {
        block.room = m_room;
        block.roomSerial = m_roomSerial;
        block.reflections = m_reflections.data();
        block.send = m_reflections.data() + 4 * BlockFrames;
    }
    return block;
}

void Renderer::Audio::renderBlock() noexcept {
    const auto before = std::chrono::steady_clock::now();
    const std::uint32_t jumps = m_listener.teleports();
    applyCommands();
    const std::uint32_t jumped = m_listener.teleports() - jumps;
    m_anySolo = std::any_of(m_sources.begin(), m_sources.end(), [](const Source& s) {
        return s.generation != 0 && s.settings.solo && !s.leaving;
    });
    if (m_rank || m_block % RankBlocks == 0) {
        chooseVoices();
        m_rank = false;
    }
    const BlockContext block = context();
    std::memset(m_steady.data(), 0, m_steady.size() * sizeof(float));
    std::memset(m_fading.data(), 0, m_fading.size() * sizeof(float));
    if (block.room != nullptr) {
        std::memset(m_reflections.data(), 0, m_reflections.size() * sizeof(float));
    }
    m_anyVoice = false;
    for (std::uint32_t slot = 0; slot < m_sources.size(); ++slot) {
        Source& source = m_sources[slot];
        if (source.generation == 0) {
            continue;
        }
        source.otherJumps += jumped;
        if (source.voice >= 0) {
            const bool open = source.playing && !source.leaving && source.granted;
            m_anyVoice = true;
            if (!m_voices[static_cast<std::size_t>(source.voice)].process(source, block, open)) {
                leaveVoice(source);
            }
        } else {
            source.state.peak = 0.0F;
        }
        if (source.playing) {
            finish(source);
        }
        if (source.leaving && source.voice < 0) {
            release(source, slot);
        }
    }
    if (m_setBlocks == 0) { // this block was the last to read it
        retire(m_setBeforeSerial);
        m_setBeforeSerial = 0;
        m_setBefore = nullptr;
    }
    mixDown();
    measure(before);
    m_begin += BlockFrames;
    ++m_block;
    rendered.store(m_begin, std::memory_order_release);
    if (m_block % PublishBlocks == 0) {
        publish();
    }
}

void Renderer::Audio::mixDown() noexcept {
    // From the packed spectra of both ears to the full one of left + i right, and back with parts exchanged.
    float* re[2] = {m_scratch.data(), m_scratch.data() + 2 * TransformSize};
    float* im[2] = {re[0] + TransformSize, re[1] + TransformSize};
    const float* sums[2] = {m_steady.data(), m_fading.data()};
    const float step = eased(m_master, m_masterTarget) - m_master;
    if (m_anyVoice) {
        for (std::size_t s = 0; s < 2; ++s) {
            const float* left = sums[s];
            const float* right = left + SpectrumFloats;
            re[s][0] = left[0];
            im[s][0] = right[0];
            re[s][128] = left[128];
            im[s][128] = right[128];
            for (std::size_t k = 1; k < 128; ++k) {
                re[s][k] = left[k] - right[128 + k];
                im[s][k] = left[128 + k] + right[k];
                re[s][256 - k] = left[k] + right[128 + k];
                im[s][256 - k] = right[k] - left[128 + k];
            }
            kernels.transform(im[s], re[s]);
        }
    }
    for (std::size_t n = 0; n < BlockFrames; ++n) {
        const float share = static_cast<float>(n) / BlockFrames;
        const std::size_t at = BlockFrames + n; // overlap-save: the second half is whole
        m_out[n * 2] = m_anyVoice ? re[0][at] + re[1][at] * share : 0.0F;
        m_out[n * 2 + 1] = m_anyVoice ? im[0][at] + im[1][at] * share : 0.0F;
    }
    addRoom();
    const std::array<float, 4> wanted = {m_ears.swap ? 0.0F : m_ears.gain[0], m_ears.swap ? m_ears.gain[0] : 0.0F,
                                         m_ears.swap ? m_ears.gain[1] : 0.0F, m_ears.swap ? 0.0F : m_ears.gain[1]};
    std::array<float, 4> turn{};
    for (std::size_t i = 0; i < turn.size(); ++i) {
        turn[i] = eased(m_mix[i], wanted[i]) - m_mix[i];
    }
    for (std::size_t n = 0; n < BlockFrames; ++n) {
        const float share = static_cast<float>(n) / BlockFrames;
        const float gain = m_master + step * share;
        const float left = m_out[n * 2] * gain;
        const float right = m_out[n * 2 + 1] * gain;
        m_out[n * 2] = left * (m_mix[0] + turn[0] * share) + right * (m_mix[1] + turn[1] * share);
        m_out[n * 2 + 1] = left * (m_mix[2] + turn[2] * share) + right * (m_mix[3] + turn[3] * share);
    }
    m_master = eased(m_master, m_masterTarget);
    for (std::size_t i = 0; i < turn.size(); ++i) {
        m_mix[i] += turn[i];
    }
    m_limiter.process(m_out.data(), BlockFrames);
}

void Renderer::Audio::measure(std::chrono::steady_clock::time_point before) noexcept {
    std::array<float, 2> peak{};
    std::array<double, 2> square{};
    for (std::size_t n = 0; n < BlockFrames; ++n) {
        for (std::size_t ear = 0; ear < 2; ++ear) {
            const float value = m_out[n * 2 + ear];
            peak[ear] = std::max(peak[ear], std::abs(value));
            square[ear] += static_cast<double>(value) * static_cast<double>(value);
        }
    }
    for (std::size_t ear = 0; ear < 2; ++ear) {
        m_peak[ear] = std::max(m_peak[ear], peak[ear]);
        m_square[ear] += square[ear];
    }
    m_measured += BlockFrames;
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    const auto load = static_cast<float>(spent * settings.sampleRate / BlockFrames);
    m_spent += spent;
    m_peakLoad = std::max(m_peakLoad, load);
    if (!tapped.load(std::memory_order_relaxed)) {
        return;
    }
    OutputBlock& block = m_tapBlock;
    block.frame = m_begin;
    block.samples = m_out;
    block.peak = peak;
    block.load = load;
    for (std::size_t ear = 0; ear < 2; ++ear) {
        block.rms[ear] = static_cast<float>(std::sqrt(square[ear] / BlockFrames));
    }
    const std::uint64_t who = watched.load(std::memory_order_relaxed);
    const SourceId id{static_cast<std::uint32_t>(who >> 32U), static_cast<std::uint32_t>(who)};
    const bool there = id && id.slot < m_sources.size() && m_sources[id.slot].generation == id.generation
                       && m_sources[id.slot].voice >= 0;
    block.watched = there ? id : SourceId{};
    const SourceState state = there ? m_sources[id.slot].state : SourceState{};
    block.distance = state.distance;
    block.delay = state.delay;
    block.itd = state.itd;
    block.dopplerRatio = state.dopplerRatio;
    block.gain = there ? controlGain(m_sources[id.slot].settings, m_anySolo) * state.distanceGain * state.coneGain : 0.0F;
    m_missed += tap.push(block) ? 0U : 1U;
}

void Renderer::Audio::addRoom() noexcept {
    if (m_room == nullptr || (!m_room->room.present && m_roomShare == 0.0F)) {
        return;
    }
    const glm::dvec3 ear =
        m_room->toRoom * (m_listener.at(static_cast<double>(m_begin + BlockFrames)).position - m_room->room.centre);
    const glm::dvec3 half = 0.5 * m_room->room.size;
    const bool within = m_room->room.present && m_roomNext == nullptr && m_mode != Mode::Plain && std::abs(ear.x) <= half.x
                        && std::abs(ear.y) <= half.y && std::abs(ear.z) <= half.z;
    const auto most = static_cast<float>(BlockFrames / (RoomSeconds * settings.sampleRate));
    const float before = m_roomShare;
    m_roomShare = std::clamp(within ? 1.0F : 0.0F, before - most, before + most);
    m_roomSound.process(*m_room, kernels, m_reflections.data(), m_reflections.data() + 4 * BlockFrames, before, m_roomShare,
                        m_out.data());
}

void Renderer::Audio::publish() noexcept {
    Snapshot& snapshot = snapshots.writing();
    snapshot.frame = m_begin;
    snapshot.peak = m_peak;
    for (std::size_t ear = 0; ear < 2; ++ear) {
        snapshot.rms[ear] = static_cast<float>(
            std::sqrt(m_square[ear] / static_cast<double>(std::max<std::size_t>(m_measured, 1))));
    }
    m_peak = {};
    m_square = {};
    m_measured = 0;
    snapshot.load = static_cast<float>(m_spent * settings.sampleRate / static_cast<double>(BlockFrames * PublishBlocks));
    snapshot.peakLoad = m_peakLoad;
    m_spent = 0.0;
    m_peakLoad = 0.0F;
    snapshot.missedBlocks = m_missed;
    snapshot.masterGain = m_masterTarget;
    snapshot.limiterGain = m_limiter.takeLowestGain();
    snapshot.badSamples = m_limiter.badSamples();
    snapshot.droppedCommands = dropped.load(std::memory_order_relaxed);
    snapshot.realVoices = snapshot.virtualVoices = snapshot.sourceCount = 0;
    for (Source& source : m_sources) {
        if (source.generation == 0) {
            continue;
        }
        SourceState& state = source.state;
        state.user = source.settings.user;
        state.part = source.settings.part;
        state.mute = source.settings.mute;
        state.solo = source.settings.solo;
        state.priority = source.settings.priority;
        state.ownGain = source.settings.gain;
        state.playing = source.playing;
        state.isVirtual = source.playing && source.voice < 0;
        (source.voice >= 0 ? snapshot.realVoices : snapshot.virtualVoices) += source.playing ? 1U : 0U;
        state.occlusionGain = occlusionGain(source.settings);
        const float hand = controlGain(source.settings, m_anySolo);
        state.gain = hand * state.distanceGain * state.coneGain;
        state.position = source.player.position(
            m_begin - static_cast<Frame>(static_cast<double>(state.delay) * settings.sampleRate));
        if (!source.playing) {
            state.reason = SilentReason::NotPlaying;
        } else if (source.settings.mute || (m_anySolo && !source.settings.solo)
                   || source.settings.gain <= 0.0F) {
            state.reason = SilentReason::Muted;
        } else if (state.distanceGain <= Inaudible) {
            state.reason = SilentReason::Distance;
        } else if (state.coneGain <= Inaudible) {
            state.reason = SilentReason::Cone;
        } else if (state.occlusionGain <= Inaudible) {
            state.reason = SilentReason::Occlusion;
        } else if (m_masterTarget == 0.0F) {
            state.reason = SilentReason::Bus;
        } else if (state.isVirtual && source.audibility <= Inaudible) {
            state.reason = quietest(state);
        } else if (state.isVirtual) {
            state.reason = SilentReason::VoiceLimit;
        } else if (state.peak > 0.0F) {
            state.reason = SilentReason::Heard;
        } else {
            const double heard =
                static_cast<double>(m_begin) - static_cast<double>(state.delay) * settings.sampleRate;
            state.reason = heard < static_cast<double>(source.player.startFrame()) ? SilentReason::Distance
                                                                                   : SilentReason::Signal;
        }
        snapshot.sources[snapshot.sourceCount++] = state;
    }
    snapshots.publish();
}

} // namespace sbx::audio
