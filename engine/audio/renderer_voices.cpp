// Which sources are heard when voices are short.

#include "engine/audio/detail/renderer_state.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sbx::audio {

namespace {
constexpr float KeepFactor = 1.5F; // a voice is not taken away for a source hardly louder
} // namespace

// What a source without a voice would sound like, from where it is now.
void Renderer::Audio::estimate(Source& source) noexcept {
    const double end = static_cast<double>(m_begin + BlockFrames);
    const Motion ear = m_listener.at(end);
    const glm::dvec3 relative = source.trajectory.at(end).position - ear.position;
    const double distance = glm::length(relative);
    const Vec3 axis = source.trajectory.orientationAt(end) * Vec3(0.0F, 0.0F, -1.0F);
    SourceState& state = source.state;
    const bool placed = source.settings.spatial && m_mode != Mode::Plain;
    state.distanceGain = placed ? distanceGain(source.settings, distance) : 1.0F;
    state.coneGain = placed ? coneGain(source.settings, axis, Vec3(-relative)) : 1.0F;
    source.walled = placed && (isInRoom(ear.position) || m_roomShare > 0.0F) && m_room->isHeard()
                    && isWithin(m_room->toRoom * (ear.position + relative - m_room->room.centre),
                                m_room->room.size, WallSlack);
    source.audibility = controlGain(source.settings, m_anySolo) * state.distanceGain
                        * (source.walled ? 1.0F : state.coneGain);
    if (source.voice < 0) {
        state.distance = static_cast<float>(distance);
        state.delay = source.settings.doppler && source.settings.spatial
                          ? static_cast<float>(distance / speed())
                          : 0.0F;
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

} // namespace sbx::audio
