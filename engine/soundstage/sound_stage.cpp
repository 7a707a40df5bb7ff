#include "engine/soundstage/sound_stage.h"

#include "engine/core/log.h"
#include "engine/simulation/simulation.h"
#include "engine/soundstage/sound_obstacle.h"
#include "engine/soundstage/tried_sound.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {

constexpr double Early = 256.0;         // frames before a place is reached that the renderer knows it
constexpr audio::Frame JoinFrames = 1024; // a sound joined on its way is silent so long: a voice for one that goes on fades in
constexpr double EndingSeconds = 2.0;   // what was emitted last is still on its way
constexpr double FastestMetre = 1.0 / 170.0; // s/m: quicker is no motion but a jump
constexpr double RoomStep = 0.25;            // m
constexpr float EaseTicks = 6.0F;       // of an obstacle that comes or goes

} // namespace

void SoundStage::listen(const Listening& listening) {
    m_switched = m_switched || listening.from != m_listening.from || listening.entity != m_listening.entity;
    m_listening = listening;
}

void SoundStage::setMuted(const SoundKey& key, bool muted) {
    if (muted)
        m_muted.insert(key);
    else
        m_muted.erase(key);
}

void SoundStage::setAlone(const SoundKey& key, bool alone) {
    if (alone)
        m_alone.insert(key);
    else
        m_alone.erase(key);
}

void SoundStage::apply(const SoundKey& key, audio::SourceSettings& settings) const {
    // Not left to the renderer: what is alone but does not sound now silences the others all the same.
    const bool alone = m_alone.contains(key);
    settings.solo = settings.solo || alone;
    settings.mute = settings.mute || m_muted.contains(key) || (!m_alone.empty() && !alone);
}

void SoundStage::setVolume(float volume) {
    m_volume = volume;
    m_renderer.setMasterGain(m_volume * m_trim);
}

void SoundStage::setTrim(float trim) {
    if (trim == m_trim)
        return;
    m_trim = trim;
    m_renderer.setMasterGain(m_volume * m_trim);
}

void SoundStage::leave() {
    for (Voice& voice : m_voices)
        end(voice, true);
    m_voices.clear();
    m_asked.clear();
    m_followed = nullptr;
    m_ear = {};
    m_tick = 0;
}

void SoundStage::advance(double perTick) {
    m_before = m_now;
    m_perTick = perTick;
    m_now += perTick;
    if (m_clock == Clock::Ticks)
        return;
    const double rate = m_renderer.settings().sampleRate;
    // Devices take sound in pieces, ticks come one by one: what counts is the device's time on the average, and how far ahead of it
    // its pieces reach.
    const double rendered = static_cast<double>(m_renderer.now());
    const double off = rendered - (m_rendered + perTick);
    if (m_rendered == 0.0 || std::abs(off) > 0.25 * rate) {
        m_rendered = rendered;
        m_pieces = 0.0;
    } else {
        m_rendered += perTick + 0.005 * off;
        m_pieces = std::max(std::abs(off), 0.998 * m_pieces);
    }
    // Ahead of what is being rendered by as much as ready() is behind, and a hundredth of a second for the threads' jitter.
    const double wanted = m_rendered + m_pieces + perTick + static_cast<double>(Margin) + 0.01 * rate;
    const double error = wanted - m_now;
    const bool jump = std::abs(error) > 0.1 * rate;
    m_now = std::max(m_now + (jump ? error : 0.02 * error), m_before + 1.0);
    m_before = jump && error > 0.0 ? m_now - perTick : m_before;
}

audio::ControlPoint SoundStage::pointOf(const Track& track, const Place& now, bool hasNow) const {
    audio::ControlPoint point;
    point.at = frame(m_before);
    point.position = track.newer.position;
    point.orientation = track.newer.rotation;
    const double seconds = m_perTick / m_renderer.settings().sampleRate;
    const auto near = [&](const glm::dvec3& a, const glm::dvec3& b) {
        return glm::length(a - b) * FastestMetre < seconds;
    };
    point.teleport = track.newer.jumped;
    const bool fromBefore = track.hasOlder && !track.newer.jumped && near(track.older.position, point.position);
    const bool toNow = hasNow && !now.jumped && near(now.position, point.position);
    const glm::dvec3 from = fromBefore ? track.older.position : point.position;
    const glm::dvec3 to = toNow ? now.position : point.position;
    const double steps = (fromBefore ? 1.0 : 0.0) + (toNow ? 1.0 : 0.0);
    point.velocity = steps > 0.0 ? (to - from) / (steps * seconds) : glm::dvec3(0.0);
    return point;
}

SoundStage::Place SoundStage::placeOfEar(const World& world, const SoundSystem& sounds, const VisualSystem& visuals) {
    if (m_listening.from == Listening::From::Place) {
        m_listener = {};
        return {glm::dvec3(m_listening.pose.position), m_listening.pose.rotation};
    }
    std::optional<SoundSystem::Hearer> hearer;
    if (m_listening.from == Listening::From::Entity)
        if (const Entity entity = world.find(m_listening.entity))
            hearer = sounds.listenerOf(world, entity);
    if (!hearer)
        hearer = sounds.listener(world);
    const EntityId before = std::exchange(m_listener, hearer ? hearer->entity : EntityId{});
    m_switched = m_switched || m_listener != before;
    if (hearer)
        return {glm::dvec3(hearer->pose.position), hearer->pose.rotation};
    if (const auto camera = visuals.camera(world))
        return {glm::dvec3(camera->pose.position), camera->pose.rotation};
    return m_ear.newer;
}

void SoundStage::follow(Simulation& simulation, double speed) {
    World& world = simulation.world();
    SoundSystem& sounds = simulation.sounds();
    PhysicsSystem& physics = simulation.physics();
    const VisualSystem& visuals = simulation.visuals();
    const bool first = m_tick == 0;
    m_finished = false;
    m_followed = &simulation;
    m_tick = sounds.now(world);
    advance(m_renderer.settings().sampleRate / world.desc().tickRate / std::max(speed, 0.01));
    Place ear = placeOfEar(world, sounds, visuals);
    ear.jumped = std::exchange(m_switched, false);
    if (first) {
        ear.jumped = true; // the listener of before is elsewhere
        m_ear = {ear, ear, false, true}; // where it is now it was before
        ear.jumped = false;
    }
    m_renderer.moveListener(pointOf(m_ear, ear, true), frame(m_before - m_perTick - Early));
    setRoom(world, sounds, ear);
    look(world, sounds, physics, ear);
    m_ear = {m_ear.newer, ear, !first, true};
    for (std::size_t i = 0; i < m_endings.size();) {
        if (m_endings[i].at < frame(m_before)) {
            m_renderer.remove(m_endings[i].source, frame(m_before - m_perTick - Early));
            m_endings.erase(m_endings.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
            ++i;
        }
    }
}

void SoundStage::setRoom(const World& world, const SoundSystem& sounds, const Place& ear) {
    const std::optional<audio::Room> around = sounds.roomAt(world, Vec3(ear.position));
    audio::Room room = around.value_or(m_room);
    room.present = around.has_value();
    // One that is carried follows in steps: each is a new room to the renderer, which fades from one to the other.
    if (room.present && m_room.present && glm::length(room.centre - m_room.centre) < RoomStep)
        room.centre = m_room.centre;
    if (room != m_room && m_renderer.setRoom(room, frame(m_before - m_perTick - Early)))
        m_room = room;
}

void SoundStage::indexVoices() {
    m_voiceOf.clear();
    for (std::size_t i = 0; i < m_voices.size(); ++i)
        m_voiceOf.emplace_back(m_voices[i].number, i);
    std::sort(m_voiceOf.begin(), m_voiceOf.end());
}

SoundStage::Voice* SoundStage::voiceOf(int number) {
    const auto found = std::lower_bound(m_voiceOf.begin(), m_voiceOf.end(), std::pair(number, std::size_t(0)));
    return found != m_voiceOf.end() && found->first == number ? &m_voices[found->second] : nullptr;
}

void SoundStage::look(World& world, SoundSystem& sounds, PhysicsSystem& physics, const Place& ear) {
    for (const auto& [name, fault] : sounds.library().newFaults())
        world.log().error("audio", textAt(sounds.places(), name, "A sound breaks off: ", fault));
    for (Voice& voice : m_voices)
        voice.seen = false;
    const double rate = m_renderer.settings().sampleRate;
    const bool reread = std::exchange(m_replacements, sounds.library().replacements()) != sounds.library().replacements();
    indexVoices(); // each play is looked for once: those that begin now need not be found
    for (const SoundEmitter* emitter : sounds.emitters()) {
        const Entity entity = world.find(emitter->entity);
        if (!entity)
            continue;
        if (emitter->kind == audio::SignalKind::Sound && !emitter->file.empty())
            static_cast<void>(sounds.library().data(emitter->file, rate, m_clock == Clock::Device)); // read before it is played
        for (const SoundPlay& play : emitter->plays) {
            Voice* known = voiceOf(play.number);
            const bool fresh = known == nullptr;
            if (fresh) {
                Voice voice;
                voice.number = play.number;
                voice.end = play.end;
                voice.signal.kind = emitter->kind;
                voice.signal.frequency = emitter->frequency;
                voice.signal.pitch = static_cast<double>(play.pitch);
                voice.signal.loop = emitter->loop;
                voice.signal.seed = static_cast<std::uint64_t>(play.number);
                if (emitter->kind == audio::SignalKind::Sound) {
                    const auto data = sounds.library().data(emitter->file, rate, m_clock == Clock::Device);
                    if (!data)
                        continue; // the component has said so
                    voice.sound = *data;
                }
                m_voices.push_back(std::move(voice));
                known = &m_voices.back();
            }
            Voice& voice = *known;
            voice.seen = true;
            const Pose pose = sounds.placeOf(world, entity);
            const Place place{glm::dvec3(pose.position + pose.rotation * emitter->offset), pose.rotation};
            const audio::SourceSettings before = voice.wanted;
            voice.wanted = emitter->settings;
            voice.wanted.gain *= play.gain * emitter->level;
            voice.wanted.user = emitter->entity.bits;
            voice.wanted.part = static_cast<std::uint32_t>(play.number);
            if (const auto asked = m_asked.find(voice.wanted.user); asked != m_asked.end()) {
                voice.wanted.mute = asked->second.mute;
                voice.wanted.solo = asked->second.solo;
            }
            if (!m_muted.empty() || !m_alone.empty())
                apply(sounds.keyOf(world, *emitter), voice.wanted);
            voice.wanted.occlusion = before.occlusion;
            voice.wanted.transmissionGain = before.transmissionGain;
            voice.wanted.transmissionHz = before.transmissionHz;
            obstruct(voice, *emitter, world, physics, ear);
            if (!fresh) {
                const audio::ControlPoint point = pointOf(voice.track, place, true);
                const audio::Frame apply = frame(m_before - m_perTick - Early);
                if (!voice.source) {
                    // It began a tick or two ago; or long before anybody listened, and then it is joined on its way.
                    const double ago = static_cast<double>(m_tick - std::min(m_tick, play.begin + 1));
                    voice.sent = voice.wanted;
                    if (ago > 1.0) {
                        voice.sent.gain = 0.0F;
                        voice.silentUntil = frame(m_before) + JoinFrames;
                    }
                    voice.source = m_renderer.add(voice.sent, point, apply);
                    if (ago <= 1.0) {
                        const audio::Frame begins = frame(m_before - ago * m_perTick);
                        m_renderer.play(voice.source, voice.signal, voice.sound, begins, apply);
                        tellOnset(voice, *emitter, begins, place, ear);
                    } else {
                        voice.signal.offset = ago * m_perTick / rate * voice.signal.pitch;
                        m_renderer.play(voice.source, voice.signal, voice.sound, frame(m_before), apply);
                    }
                } else {
                    m_renderer.move(voice.source, point, apply);
                    if (reread && voice.sound != nullptr && voice.signal.loop)
                        startAnew(voice, emitter->file, apply);
                }
            }
            tell(voice);
            voice.track = {voice.track.newer, place, !fresh, true};
        }
    }
    for (Voice& voice : m_voices)
        if (!voice.seen)
            end(voice, voice.end == 0 || m_tick < voice.end);
    std::erase_if(m_voices, [](const Voice& voice) { return !voice.seen; });
}

// A file that was read again: what sounds over and over begins with the new one. What sounds once ends as it began.
void SoundStage::startAnew(Voice& voice, const std::string& file, audio::Frame apply) {
    const auto data = m_followed->sounds().library().data(file, m_renderer.settings().sampleRate, m_clock == Clock::Device);
    if (!data || *data == voice.sound)
        return;
    voice.sound = *data;
    voice.signal.offset = 0.0;
    m_renderer.play(voice.source, voice.signal, voice.sound, frame(m_before), apply);
}

std::string SoundOnset::text() const {
    return (cause != 0 ? "#" + std::to_string(cause) + " " : std::string()) + entity + ": " + sound;
}

void SoundStage::listenToOnsets(const void* who, std::function<void(const SoundOnset&)> hear) {
    if (hear)
        m_hearOnsets[who] = std::move(hear);
    else
        m_hearOnsets.erase(who);
}

void SoundStage::tellOnset(const Voice& voice, const SoundEmitter& emitter, audio::Frame begins, const Place& place,
                           const Place& ear) const {
    if (m_hearOnsets.empty())
        return;
    SoundOnset onset;
    onset.at = begins;
    if (voice.wanted.spatial && voice.wanted.doppler) {
        const double speed = m_renderer.speedOfSound();
        onset.at +=
            frame(glm::length(place.position - ear.position) / speed * m_renderer.settings().sampleRate);
    }
    const SoundKey key = m_followed->sounds().keyOf(m_followed->world(), emitter);
    if (const Sound* sound = soundOf(m_followed->world().find(emitter.entity), key.index))
        onset.cause = sound->causeOf(voice.number);
    onset.entity = key.entity;
    onset.sound = !emitter.name.empty()                                ? emitter.name
                  : emitter.kind == audio::SignalKind::Tone            ? "tone"
                  : emitter.kind == audio::SignalKind::Noise           ? "noise"
                                                                       : emitter.file;
    for (const auto& [who, hear] : m_hearOnsets)
        hear(onset);
}

SoundReport SoundStage::report(Simulation& simulation) {
    const World& world = simulation.world();
    const SoundSystem& sounds = simulation.sounds();
    SoundReport out;
    const audio::Snapshot& snapshot = m_renderer.snapshot();
    out.totals = snapshot;
    out.totals.sources.clear();
    out.listener = {Vec3(m_ear.newer.position), m_ear.newer.rotation};
    if (m_listener)
        out.listenerName = world.nameOf(m_listener);
    indexVoices();
    for (const SoundEmitter* emitter : sounds.emitters()) {
        SoundReport::Voice row;
        row.entity = emitter->entity;
        row.name = world.nameOf(emitter->entity);
        row.sound = emitter->name;
        row.file = emitter->kind == audio::SignalKind::Tone    ? "tone"
                   : emitter->kind == audio::SignalKind::Noise ? "noise"
                   : emitter->file.empty()                     ? "signal"
                                                               : emitter->file;
        if (emitter->plays.empty())
            out.voices.push_back(row);
        for (const SoundPlay& play : emitter->plays) {
            row.play = play.number;
            row.end = play.end;
            row.state = {};
            const Voice* const voice = voiceOf(play.number);
            if (voice != nullptr && voice->source)
                for (std::uint32_t i = 0; i < snapshot.sourceCount; ++i)
                    if (snapshot.sources[i].id == voice->source)
                        row.state = snapshot.sources[i];
            out.voices.push_back(row);
        }
    }
    return out;
}

void SoundStage::obstruct(Voice& voice, const SoundEmitter& emitter, World& world, PhysicsSystem& physics,
                          const Place& ear) {
    float wanted = 0.0F;
    if (m_occlusion && voice.wanted.spatial) {
        // Whether anybody listens must not change what the trace numbers.
        const World::Unseen unseen(world);
        const Pose pose = world.poseOf(emitter.entity);
        const Vec3 to = pose.position + pose.rotation * emitter.offset;
        if (const auto obstacle = obstacleBetween(world, physics, Vec3(ear.position), to, emitter.entity)) {
            wanted = 1.0F;
            voice.wanted.transmissionGain = obstacle->gain;
            voice.wanted.transmissionHz = obstacle->hertz;
        }
    }
    const bool begun = voice.track.moved;
    voice.behind = begun ? std::clamp(wanted, voice.behind - 1.0F / EaseTicks, voice.behind + 1.0F / EaseTicks) : wanted;
    voice.wanted.occlusion = voice.behind;
}

void SoundStage::tell(Voice& voice) {
    const audio::Frame apply = frame(m_before - m_perTick - Early);
    if (!voice.source || voice.sent == voice.wanted || apply < voice.silentUntil)
        return;
    if (m_renderer.set(voice.source, voice.wanted, apply))
        voice.sent = voice.wanted;
}

void SoundStage::end(Voice& voice, bool cut) {
    if (!voice.source)
        return;
    // It ended in the newest tick; stopped now, because the world may have ended in the next. A file ends by itself.
    if (cut || voice.signal.loop || voice.signal.kind != audio::SignalKind::Sound)
        m_renderer.stop(voice.source, frame(m_now), frame(m_before - m_perTick - Early));
    m_endings.push_back({voice.source, frame(m_now + EndingSeconds * m_renderer.settings().sampleRate)});
    voice.source = {};
}

void SoundStage::setMute(EntityId entity, bool on) { m_asked[entity.bits].mute = on; }

void SoundStage::setSolo(EntityId entity, bool on) { m_asked[entity.bits].solo = on; }

void SoundStage::finish() {
    if (m_perTick <= 0.0 || m_finished)
        return;
    advance(m_perTick);
    m_renderer.moveListener(pointOf(m_ear, {}, false), frame(m_before - m_perTick - Early));
    for (Voice& voice : m_voices)
        if (voice.source)
            m_renderer.move(voice.source, pointOf(voice.track, {}, false), frame(m_before - m_perTick - Early));
    m_now = m_before;
    m_finished = true;
}

} // namespace sbx
