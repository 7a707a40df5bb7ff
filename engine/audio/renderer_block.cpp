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

constexpr double RoomSeconds = 0.05; // in which a room comes and goes
constexpr double SpeedSlope = 20.0;  // m/s in a second, by which the speed of sound follows the air
constexpr std::size_t TapBlocks = 512; // 1.4 s
static_assert(OutputBlock::Frames == BlockFrames);

// A voice's ring holds the longest reflection's delay, a power of two.
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
      m_speed(s.speedOfSound),
      m_speedTarget(s.speedOfSound),
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
        m_speedTarget = command.number;
        if (m_begin == 0) { // nothing is on its way yet
            m_speed = m_speedTarget;
        }
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
    case CommandKind::SetLimiter:
        m_limiterOn = command.number != 0.0;
        m_limiter.setOn(m_limiterOn);
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
    const double reflected = m_room != nullptr ? settings.roomReach / speed() * settings.sampleRate : 0.0;
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
    block.speed = speed();
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
    block.filtered = &m_filtered;
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
    const double step = SpeedSlope * BlockFrames / settings.sampleRate;
    m_speed += std::clamp(m_speedTarget - m_speed, -step, step);
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
            source.state.reflected = false;
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

bool Renderer::Audio::isInRoom(const glm::dvec3& ear) const noexcept {
    return m_room != nullptr && m_room->room.present && m_roomNext == nullptr && m_mode != Mode::Plain
           && isWithin(m_room->toRoom * (ear - m_room->room.centre), m_room->room.size, 0.0);
}

void Renderer::Audio::addRoom() noexcept {
    if (m_room == nullptr || (!m_room->room.present && m_roomShare == 0.0F)) {
        return;
    }
    const bool within = isInRoom(m_listener.at(static_cast<double>(m_begin + BlockFrames)).position);
    const auto most = static_cast<float>(BlockFrames / (RoomSeconds * settings.sampleRate));
    const float before = m_roomShare;
    m_roomShare = std::clamp(within ? 1.0F : 0.0F, before - most, before + most);
    m_roomSound.process(*m_room, kernels, m_reflections.data(), m_reflections.data() + 4 * BlockFrames, before, m_roomShare,
                        m_out.data());
}

} // namespace sbx::audio
