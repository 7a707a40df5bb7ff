// The renderer's reports: output blocks for the observer, and snapshots.

#include "engine/audio/detail/renderer_state.h"

#include <algorithm>
#include <cmath>

namespace sbx::audio {

namespace {

// What makes most of it inaudible, though nothing does alone.
SilentReason quietest(const SourceState& state, bool walled) {
    const float cone = walled ? 1.0F : state.coneGain;
    const float least = std::min({state.distanceGain, cone, state.occlusionGain, state.ownGain});
    return least == state.distanceGain    ? SilentReason::Distance
           : least == cone                ? SilentReason::Cone
           : least == state.occlusionGain ? SilentReason::Occlusion
                                          : SilentReason::Muted;
}

} // namespace

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
    block.gain =
        there ? controlGain(m_sources[id.slot].settings, m_anySolo) * state.distanceGain * state.coneGain
              : 0.0F;
    m_missed += tap.push(block) ? 0U : 1U;
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
    snapshot.load =
        static_cast<float>(m_spent * settings.sampleRate / static_cast<double>(BlockFrames * PublishBlocks));
    snapshot.peakLoad = m_peakLoad;
    m_spent = 0.0;
    m_peakLoad = 0.0F;
    snapshot.missedBlocks = m_missed;
    snapshot.masterGain = m_masterTarget;
    snapshot.limiterGain = m_limiter.takeLowestGain();
    snapshot.limiterOn = m_limiterOn;
    snapshot.filteredBlocks = m_filtered;
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
        state.reflected = state.reflected && m_roomShare > 0.0F;
        state.walled = source.walled;
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
        } else if (state.coneGain <= Inaudible && !source.walled) {
            state.reason = SilentReason::Cone;
        } else if (state.occlusionGain <= Inaudible) {
            state.reason = SilentReason::Occlusion;
        } else if (m_masterTarget == 0.0F) {
            state.reason = SilentReason::Bus;
        } else if (state.isVirtual && source.audibility <= Inaudible) {
            state.reason = quietest(state, source.walled);
        } else if (state.isVirtual) {
            state.reason = SilentReason::VoiceLimit;
        } else if (state.peak > 0.0F || state.reflected) {
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
