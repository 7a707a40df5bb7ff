// What a view contains, and where the probe's own source goes.

#include "engine/probe/sound_probe.h"
#include "engine/session/session.h"
#include "engine/soundstage/sound_obstacle.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sbx {

namespace {

constexpr double FlyByReach = 30.0;          // m before and after the nearest place
constexpr std::uint64_t DeviceLooks = 15;
constexpr std::size_t RaysALook = 64;

double secondsNow() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const char* nameOf(Sound::When when) {
    static constexpr const char* Names[] = {"asked", "start", "activate", "contact", "rolling"};
    return Names[static_cast<std::size_t>(when)];
}

} // namespace

std::optional<ProbeMotion> probePathAt(const ProbeSource& source, const Pose& ear, double t) {
    // Level, whatever the head does: paths turn about the vertical through it.
    const glm::dvec3 centre(ear.position);
    const glm::dvec3 start = glm::dvec3(source.position) - centre;
    const double radius = std::max(std::hypot(start.x, start.z), 0.3);
    const double height = start.y;
    const double speed = static_cast<double>(source.speed);
    const double from = std::atan2(start.x, -start.z); // clockwise from -Z, seen from above
    const auto place = [&](double x, double z, double vx, double vz) {
        // Turned so that (0, -1) is where the still source is.
        const double c = std::cos(from);
        const double s = std::sin(from);
        return ProbeMotion{centre + glm::dvec3(x * c - z * s, height, x * s + z * c), glm::dvec3(vx * c - vz * s, 0.0, vx * s + vz * c)};
    };
    switch (source.path) {
    case ProbeSource::Path::Still:
        return ProbeMotion{glm::dvec3(source.position), glm::dvec3(0.0)};
    case ProbeSource::Path::Circle: {
        const double turn = speed / radius;
        return place(radius * std::sin(turn * t), -radius * std::cos(turn * t), speed * std::cos(turn * t), speed * std::sin(turn * t));
    }
    case ProbeSource::Path::FigureEight: {
        // Its loops lie left and right of the head, its crossing ahead of it.
        const double turn = speed / radius;
        const double a = turn * t;
        return place(radius * std::sin(a), -0.5 * radius - 0.5 * radius * std::sin(2.0 * a), radius * turn * std::cos(a),
                     -radius * turn * std::cos(2.0 * a));
    }
    case ProbeSource::Path::FlyBy: {
        const double x = -FlyByReach + speed * t;
        if (x > FlyByReach)
            return std::nullopt;
        return place(x, -radius, speed, 0.0);
    }
    }
    return std::nullopt;
}

HeadPlace headPlace(const Pose& ear, const Vec3& position) {
    const glm::dvec3 to = glm::inverse(glm::dquat(ear.rotation)) * (glm::dvec3(position) - glm::dvec3(ear.position));
    const double level = std::hypot(to.x, to.z);
    return {level > 1e-9 ? std::atan2(to.x, -to.z) : 0.0, std::atan2(to.y, level), glm::length(to)};
}

Vec3 fromHeadPlace(const Pose& ear, const HeadPlace& place) {
    const double level = std::cos(place.elevation) * place.distance;
    const glm::dvec3 to(level * std::sin(place.azimuth), std::sin(place.elevation) * place.distance, -level * std::cos(place.azimuth));
    return Vec3(glm::dvec3(ear.position) + glm::dquat(ear.rotation) * to);
}

const ProbeSound* ProbeView::find(const SoundKey& key) const {
    const auto it = std::find_if(sounds.begin(), sounds.end(), [&](const ProbeSound& sound) { return sound.key == key; });
    return it != sounds.end() ? &*it : nullptr;
}

const audio::SourceState* ProbeView::stateOf(const SoundKey& key) const {
    const audio::SourceState* best = nullptr;
    // One that plays goes before one that dies away.
    const auto better = [&best](const audio::SourceState& state) {
        return best == nullptr || (state.playing != best->playing ? state.playing : state.gain > best->gain);
    };
    for (const ProbeVoice& voice : voices)
        if (sounds[voice.sound].key == key && better(voice.state))
            best = &voice.state;
    return best;
}

void SoundProbe::describe(Session& session, SoundStage* stage, ProbeView& view) {
    Simulation& heard = heardSimulation(session);
    World& world = heard.world();
    const SoundSystem& sounds = heard.sounds();
    const double seconds = secondsNow();
    view.run = session.simulation().run();
    view.mode = session.mode();
    view.volume = session.sound().volume().get();
    view.soundMode = session.sound().mode().get();
    view.occlusion = session.sound().occlusion().get();
    view.room = sounds.roomAt(world, view.ear.position);
    view.deviceWanted = session.sound().device().get();
    // Asking the system for its devices takes longer than a look may.
    if (session.sound().host() != nullptr && m_serial % DeviceLooks == 0)
        m_devices = session.sound().host()->devices();
    view.deviceOpen = m_devices.open;
    view.device = m_devices.now;
    view.devices = m_devices.all;
    const auto moved = [seconds](Known& known, const Vec3& position) {
        // Over a few looks: a look falls before or after a tick.
        const double passed = seconds - known.seconds;
        if (known.seconds <= 0.0 || passed > 0.5)
            known.position = position, known.velocity = Vec3(0.0F), known.seconds = seconds;
        else if (passed > 0.0) {
            const Vec3 now = (position - known.position) / static_cast<float>(passed);
            known.velocity = glm::length(now) > 150.0F ? Vec3(0.0F) : glm::mix(known.velocity, now, 0.3F);
            known.position = position;
            known.seconds = seconds;
        }
        return known.velocity;
    };
    view.earVelocity = moved(m_ear, view.ear.position);
    m_ear.pose = view.ear;
    const std::uint64_t turns = sounds.emitters().size() / RaysALook + 1;
    std::map<std::uint64_t, int> counts;
    std::map<std::pair<std::uint64_t, std::uint32_t>, ProbeVoice> places;
    for (const SoundEmitter* emitter : sounds.emitters()) {
        const Entity entity = world.find(emitter->entity);
        if (!entity)
            continue;
        ProbeSound sound;
        sound.id = emitter->entity;
        sound.key = {entity.name(), counts[emitter->entity.bits]++};
        sound.component = soundName(sound.key.index);
        sound.name = emitter->name;
        sound.source = emitter->kind == audio::SignalKind::Tone    ? "tone"
                       : emitter->kind == audio::SignalKind::Noise ? "noise"
                                                                   : emitter->file;
        const Sound* const component = soundOf(entity, sound.key.index);
        if (component != nullptr) {
            const Sound::Settings& own = component->settings;
            sound.when = nameOf(own.when);
            sound.pitch = own.pitch;
            sound.loops = own.source == Sound::Source::File && (own.loop || own.when == Sound::When::Rolling);
            if (own.source != Sound::Source::File)
                sound.length_s = static_cast<double>(own.length);
        }
        sound.pose = entity.pose();
        if (const Entity parent = world.find(entity.parent()))
            sound.parent = parent.pose();
        sound.offset = emitter->offset;
        sound.position = sound.pose.position + sound.pose.rotation * emitter->offset;
        sound.orientation = sound.pose.rotation;
        Known& known = m_known[sound.key];
        sound.velocity = moved(known, sound.position);
        sound.settings = emitter->settings;
        sound.place = headPlace(view.ear, sound.position);
        if (stage != nullptr) {
            sound.muted = stage->muted(sound.key);
            sound.solo = stage->alone(sound.key);
        }
        // Of very many sounds some at each look: rays are not free.
        if (emitter->settings.spatial && view.sounds.size() % turns == m_serial % turns) {
            const auto obstacle = obstacleBetween(world, heard.physics(), view.ear.position, sound.position, sound.id);
            known.hidden = obstacle.has_value();
            known.hit = obstacle ? obstacle->point : Vec3(0.0F);
            known.obstacle = obstacle ? world.nameOf(obstacle->entity) : std::string();
        }
        sound.hidden = known.hidden;
        sound.hit = known.hit;
        sound.obstacle = known.obstacle;
        if (emitter->file.starts_with(audio::SoundLibrary::SignalPrefix)) {
            sound.source = emitter->file.substr(audio::SoundLibrary::SignalPrefix.size());
        } else if (emitter->kind == audio::SignalKind::Sound && !emitter->file.empty()) {
            if (const auto info = heard.sounds().library().info(emitter->file))
                sound.length_s = info->seconds;
            else
                sound.fault = info.error().toString();
        } else if (emitter->kind == audio::SignalKind::Sound) {
            sound.fault = "no file is named";
        }
        for (const Tried& tried : m_tried)
            if (tried.key == sound.key && stage != nullptr) {
                sound.tried = true;
                sound.loop = tried.loop;
                sound.position_s = tried.place(stage->renderer());
            }
        ProbeVoice voice;
        voice.sound = view.sounds.size();
        voice.tried = true;
        places[{emitter->entity.bits, TriedPart | static_cast<std::uint32_t>(sound.key.index)}] = voice;
        voice.tried = false;
        for (const SoundPlay& play : emitter->plays) {
            voice.play = play.number;
            voice.begin = play.begin;
            voice.start = component != nullptr ? component->startOf(play.number) : SoundStart();
            places[{emitter->entity.bits, static_cast<std::uint32_t>(play.number)}] = voice;
        }
        view.sounds.push_back(std::move(sound));
    }
    std::erase_if(m_known, [&](const auto& known) { return seconds - known.second.seconds > 5.0; });
    ProbeSound own;
    own.component = "probe";
    own.source = !m_source.file.empty() ? m_source.file : std::string(audio::TestSignalNames[static_cast<std::size_t>(m_source.signal)]);
    own.position = m_source.on && m_own ? m_ownLast : m_source.position;
    if (m_source.on && m_own && m_source.path != ProbeSource::Path::Still && stage != nullptr) {
        // What was sent lies ahead of what is heard.
        const double t = static_cast<double>(std::max<audio::Frame>(stage->renderer().now() - m_pathBegan, 0))
                         / stage->renderer().settings().sampleRate;
        if (const auto motion = probePathAt(m_source, m_pathEar, t)) {
            own.position = Vec3(motion->position);
            own.velocity = Vec3(motion->velocity);
        }
    }
    own.place = headPlace(view.ear, own.position);
    own.settings.gain = m_source.gain;
    own.tried = m_source.on;
    own.loop = true;
    own.length_s = m_ownLength;
    if (const auto fault = m_faults.find(SoundKey{}); fault != m_faults.end())
        own.fault = fault->second;
    if (stage != nullptr) {
        own.muted = stage->muted({});
        own.solo = stage->alone({});
    }
    view.sounds.push_back(std::move(own));
    view.pathDone = m_pathDone;
    if (stage == nullptr)
        return;
    const audio::Renderer& renderer = stage->renderer();
    view.ready = true;
    view.held = stage->held();
    view.budget = renderer.settings().voiceBudget;
    view.sampleRate = renderer.settings().sampleRate;
    view.hrtf = renderer.hrtf();
    view.hrtfFile = m_hrtfFile;
    const audio::Snapshot& snapshot = stage->renderer().snapshot();
    view.totals = snapshot;
    view.totals.sources.clear();
    for (std::uint32_t i = 0; i < snapshot.sourceCount; ++i) {
        const audio::SourceState& state = snapshot.sources[i];
        ProbeVoice voice;
        if (state.part == OwnPart) {
            voice.sound = view.sounds.size() - 1;
        } else {
            const auto place = places.find({state.user, state.part});
            if (place == places.end())
                continue; // it is over, and only on its way still
            voice = place->second;
        }
        voice.state = state;
        view.voices.push_back(voice);
    }
}

} // namespace sbx
