#include "engine/probe/sound_probe.h"

#include "engine/session/session.h"
#include "engine/soundstage/sound_host.h"
#include "engine/soundstage/sound_obstacle.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {

constexpr double LeadSeconds = 0.05;  // a place is sent before it is reached
constexpr double PathSeconds = 0.02;  // between the places of a path
constexpr double OnItsWaySeconds = 1.5; // what has ended is heard that much longer, at most
constexpr double FastestSpeed = 150.0; // m/s: quicker is no motion but a jump

} // namespace

// ------------------------------------------------------------------------------------------ GUI thread

void SoundProbe::post(Work work) {
    m_session.postAside([self = shared_from_this(), work = std::move(work)](Session& session) { work(*self, session); });
}

void SoundProbe::ask(const Listening& listening) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_pending)
            return;
        m_pending = true;
    }
    post([listening](SoundProbe& probe, Session& session) {
        {
            const std::lock_guard lock(probe.m_mutex);
            probe.m_pending = false;
        }
        probe.work(session, listening);
    });
}

void SoundProbe::leave() {
    post([](SoundProbe& probe, Session& session) {
        session.sound().setWatched(false);
        if (SoundStage* stage = session.sound().stage(); stage != nullptr && stage == probe.m_stage) {
            for (Tried& tried : probe.m_tried)
                probe.endTried(stage->renderer(), tried);
            if (probe.m_own)
                stage->renderer().remove(probe.m_own);
            stage->renderer().setTap(false);
            stage->listenToOnsets(&probe, {});
            stage->listen({});
            stage->setTrim(1.0F);
        }
        probe.forget();
    });
}

std::shared_ptr<const ProbeView> SoundProbe::view() const {
    const std::lock_guard lock(m_mutex);
    return m_view;
}

audio::Frame SoundProbe::heard() const {
    const std::lock_guard lock(m_mutex);
    return m_heard;
}

bool SoundProbe::newest(std::span<float> interleaved) const {
    const std::lock_guard lock(m_mutex);
    const auto frames = static_cast<audio::Frame>(interleaved.size() / 2);
    if (frames > m_heard || frames > static_cast<audio::Frame>(HistoryFrames))
        return false;
    for (audio::Frame n = 0; n < frames; ++n) {
        const std::size_t slot = static_cast<std::size_t>(m_heard - frames + n) % HistoryFrames;
        interleaved[static_cast<std::size_t>(n) * 2] = m_history[slot * 2];
        interleaved[static_cast<std::size_t>(n) * 2 + 1] = m_history[slot * 2 + 1];
    }
    return true;
}

void SoundProbe::record(bool on) {
    const std::lock_guard lock(m_mutex);
    m_recording = on;
    m_recorded.clear();
    m_missed = 0;
    if (!on)
        return;
    m_recordedFrom = -1;
    m_onsets.clear();
}

std::vector<audio::SoundMark> SoundProbe::recordedMarks() const {
    const std::lock_guard lock(m_mutex);
    std::vector<audio::SoundMark> marks = m_onsets;
    for (audio::SoundMark& mark : marks)
        mark.at -= m_recordedFrom;
    return marks;
}

std::vector<float> SoundProbe::takeRecorded(std::uint64_t& missed) {
    const std::lock_guard lock(m_mutex);
    missed = m_missed;
    return std::exchange(m_recorded, {});
}

void SoundProbe::setSource(const ProbeSource& source) {
    post([source](SoundProbe& probe, Session&) {
        if (source.start != probe.m_source.start || source.path != probe.m_source.path || !source.on)
            probe.m_pathBegan = -1;
        probe.m_pathDone = false;
        probe.m_source = source;
    });
}

void SoundProbe::setHrtf(std::shared_ptr<const audio::HrtfSet> set, std::string file) {
    post([set = std::move(set), file = std::move(file)](SoundProbe& probe, Session& session) {
        if (SoundStage* stage = session.sound().stage(); stage != nullptr && stage->renderer().setHrtf(set))
            probe.m_hrtfFile = file;
    });
}

void SoundProbe::setTrims(const std::array<float, 5>& trims) {
    post([trims](SoundProbe& probe, Session&) { probe.m_trims = trims; });
}

void SoundProbe::setEars(const audio::EarMix& ears) {
    post([ears](SoundProbe&, Session& session) {
        if (SoundStage* stage = session.sound().stage())
            stage->renderer().setEars(ears);
    });
}

void SoundProbe::setMuted(const SoundKey& key, bool muted) {
    post([key, muted](SoundProbe&, Session& session) {
        if (SoundStage* stage = session.sound().stage())
            stage->setMuted(key, muted);
    });
}

void SoundProbe::setSolo(const SoundKey& key, bool solo) {
    post([key, solo](SoundProbe&, Session& session) {
        if (SoundStage* stage = session.sound().stage())
            stage->setAlone(key, solo);
    });
}

void SoundProbe::setLoop(const SoundKey& key, bool loop) {
    post([key, loop](SoundProbe& probe, Session& session) {
        SoundStage* stage = session.sound().stage();
        for (Tried& tried : probe.m_tried)
            if (tried.key == key && tried.loop != loop && stage != nullptr)
                tried.begin(stage->renderer(), tried.place(stage->renderer()), loop);
    });
}

void SoundProbe::stop(const SoundKey& key) {
    post([key](SoundProbe& probe, Session& session) {
        if (SoundStage* stage = session.sound().stage())
            for (Tried& tried : probe.m_tried)
                if (tried.key == key)
                    probe.endTried(stage->renderer(), tried);
        std::erase_if(probe.m_tried, [&](const Tried& tried) { return tried.key == key; });
    });
}

void SoundProbe::play(const SoundKey& key, bool loop, double fromSeconds) {
    post([key, loop, fromSeconds](SoundProbe& probe, Session& session) {
        SoundStage* stage = session.sound().stage();
        if (stage == nullptr || key.entity.empty())
            return;
        Simulation& heard = heardSimulation(session);
        const SoundEmitter* emitter = heard.sounds().find(heard.world(), key);
        if (emitter == nullptr)
            return;
        audio::Renderer& renderer = stage->renderer();
        const double rate = renderer.settings().sampleRate;
        auto it = std::find_if(probe.m_tried.begin(), probe.m_tried.end(), [&](const Tried& tried) { return tried.key == key; });
        if (it == probe.m_tried.end()) {
            const Entity entity = heard.world().find(emitter->entity);
            const Sound* sound = soundOf(entity, key.index);
            if (sound == nullptr)
                return;
            auto known = TriedSound::of(sound->settings, heard.sounds().library(), rate);
            if (!known) {
                probe.m_faults[key] = known.error().toString();
                return;
            }
            Tried tried;
            static_cast<TriedSound&>(tried) = std::move(*known);
            tried.key = key;
            const Pose pose = entity.pose();
            audio::ControlPoint point;
            tried.last = pose.position + pose.rotation * emitter->offset;
            point.position = glm::dvec3(tried.last);
            point.orientation = pose.rotation;
            tried.sent = emitter->settings;
            tried.sent.user = emitter->entity.bits;
            tried.sent.part = TriedPart | static_cast<std::uint32_t>(key.index);
            tried.id = renderer.add(tried.sent, point);
            if (!tried.id)
                return;
            probe.m_tried.push_back(std::move(tried));
            it = probe.m_tried.end() - 1;
        }
        probe.m_faults.erase(key);
        it->begin(renderer, std::max(fromSeconds, 0.0), loop);
    });
}

// ---------------------------------------------------------------------------------------- session's thread

void SoundProbe::forget() {
    m_tried.clear();
    m_own = {};
    m_ownPlays.clear();
    m_pathBegan = -1;
    m_stage = nullptr;
}

void SoundProbe::endTried(audio::Renderer& renderer, Tried& tried) {
    renderer.remove(tried.id);
    tried.id = {};
}

void SoundProbe::takeBlocks(audio::Renderer& renderer) {
    const std::lock_guard lock(m_mutex);
    audio::OutputBlock block;
    audio::Frame expected = -1;
    while (renderer.takeBlock(block)) {
        constexpr std::size_t Frames = audio::OutputBlock::Frames;
        for (std::size_t n = 0; n < Frames; ++n) {
            const std::size_t slot = static_cast<std::size_t>(m_heard + static_cast<audio::Frame>(n)) % HistoryFrames;
            m_history[slot * 2] = block.samples[n * 2];
            m_history[slot * 2 + 1] = block.samples[n * 2 + 1];
        }
        m_heard += static_cast<audio::Frame>(Frames);
        if (m_recording) {
            if (m_recordedFrom < 0)
                m_recordedFrom = block.frame;
            if (expected >= 0 && block.frame > expected)
                m_missed += static_cast<std::uint64_t>(block.frame - expected);
            m_recorded.insert(m_recorded.end(), block.samples.begin(), block.samples.end());
        }
        expected = block.frame + static_cast<audio::Frame>(Frames);
    }
}

Simulation& SoundProbe::heardSimulation(Session& session) {
    if (const SoundStage* stage = session.sound().stage(); stage != nullptr && stage->followed() != nullptr)
        return *stage->followed();
    return session.simulation();
}

Pose SoundProbe::earOf(Session& session, const Listening& listening, std::string& name) const {
    if (listening.from == Listening::From::Place)
        return {listening.pose.position, listening.pose.rotation, Vec3(1.0F)};
    Simulation& heard = heardSimulation(session);
    const World& world = heard.world();
    const SoundSystem& sounds = heard.sounds();
    std::optional<SoundSystem::Hearer> hearer;
    if (listening.from == Listening::From::Entity)
        if (const Entity entity = world.find(listening.entity))
            hearer = sounds.listenerOf(world, entity);
    if (!hearer)
        hearer = sounds.listener(world);
    if (hearer) {
        name = world.nameOf(hearer->entity);
        return hearer->pose;
    }
    if (const auto camera = heard.visuals().camera(world))
        return {camera->pose.position, camera->pose.rotation, Vec3(1.0F)};
    return m_ear.pose;
}

void SoundProbe::work(Session& session, const Listening& listening) {
    SoundStage* stage = session.sound().stage();
    if (stage == nullptr && session.sound().host() != nullptr)
        session.sound().host()->wake();
    if (stage != m_stage) {
        forget();
        m_stage = stage;
        if (stage != nullptr) {
            stage->renderer().setTap(true);
            stage->listenToOnsets(this, [weak = weak_from_this()](const SoundOnset& onset) {
                const auto probe = weak.lock();
                if (!probe)
                    return;
                const std::lock_guard lock(probe->m_mutex);
                if (probe->m_recording)
                    probe->m_onsets.push_back({onset.at + audio::Renderer::latencyFrames(), onset.text()});
            });
        }
    }
    auto view = std::make_shared<ProbeView>();
    view->ear = earOf(session, listening, view->earName);
    if (stage != nullptr) {
        session.sound().setWatched(true);
        stage->listen(listening);
        stage->setTrim(m_trims[static_cast<std::size_t>(session.sound().mode().get())]);
        takeBlocks(stage->renderer());
    }
    describe(session, stage, *view);
    // While it stands still, nothing takes the places that are sent.
    if (stage != nullptr && !stage->held()) {
        moveTried(session, *stage, *view);
        moveSource(session, *stage, view->ear);
    }
    view->source = m_source;
    view->serial = ++m_serial;
    const std::lock_guard lock(m_mutex);
    m_view = std::move(view);
}

void SoundProbe::moveTried(Session& session, SoundStage& stage, const ProbeView& view) {
    audio::Renderer& renderer = stage.renderer();
    const double rate = renderer.settings().sampleRate;
    const audio::Frame now = renderer.now();
    Simulation& heard = heardSimulation(session);
    for (Tried& tried : m_tried) {
        const ProbeSound* sound = view.find(tried.key);
        if (sound == nullptr || tried.over(renderer, OnItsWaySeconds)) {
            endTried(renderer, tried);
            continue;
        }
        if (const auto pitch = static_cast<double>(sound->pitch); pitch != tried.signal.pitch)
            tried.setPitch(renderer, pitch);
        audio::ControlPoint point;
        point.at = std::max(now + static_cast<audio::Frame>(LeadSeconds * rate), tried.at + 64);
        point.position = glm::dvec3(sound->position);
        point.orientation = sound->orientation;
        const double seconds = tried.at > 0 ? static_cast<double>(point.at - tried.at) / rate : 1.0;
        point.velocity = (point.position - glm::dvec3(tried.last)) / seconds;
        if (glm::length(point.velocity) > FastestSpeed) {
            point.velocity = glm::dvec3(0.0);
            point.teleport = true;
        }
        renderer.move(tried.id, point);
        tried.at = point.at;
        tried.last = sound->position;
        audio::SourceSettings wanted = sound->settings;
        wanted.user = sound->id.bits;
        wanted.part = TriedPart | static_cast<std::uint32_t>(tried.key.index);
        stage.apply(tried.key, wanted);
        if (sound->hidden && view.occlusion) {
            const auto obstacle = obstacleBetween(heard.world(), heard.physics(), view.ear.position, sound->position, sound->id);
            wanted.occlusion = obstacle ? 1.0F : 0.0F;
            if (obstacle) {
                wanted.transmissionGain = obstacle->gain;
                wanted.transmissionHz = obstacle->hertz;
            }
        }
        if (!(wanted == tried.sent) && renderer.set(tried.id, wanted))
            tried.sent = wanted;
    }
    std::erase_if(m_tried, [](const Tried& tried) { return !tried.id; });
}

void SoundProbe::playOwn(Session& session, audio::Renderer& renderer) {
    const std::string name =
        !m_source.file.empty() ? m_source.file
                               : std::string(audio::SoundLibrary::SignalPrefix)
                                     + std::string(audio::TestSignalNames[static_cast<std::size_t>(m_source.signal)]);
    if (name == m_ownPlays)
        return;
    m_ownPlays = name;
    m_faults.erase(SoundKey{});
    const double rate = renderer.settings().sampleRate;
    const auto sound = session.simulation().sounds().library().data(name, rate, true);
    if (!sound) {
        m_faults[SoundKey{}] = sound.error().toString();
        renderer.stop(m_own);
        return;
    }
    m_ownLength = static_cast<double>((*sound)->length()) / rate;
    audio::Signal signal;
    signal.kind = audio::SignalKind::Sound;
    signal.loop = true;
    renderer.play(m_own, signal, *sound);
}

void SoundProbe::moveSource(Session& session, SoundStage& stage, const Pose& ear) {
    audio::Renderer& renderer = stage.renderer();
    const double rate = renderer.settings().sampleRate;
    const audio::Frame now = renderer.now();
    if (!m_source.on) {
        if (m_own)
            renderer.remove(m_own);
        m_own = {};
        m_ownPlays.clear();
        m_pathBegan = -1;
        return;
    }
    audio::SourceSettings settings;
    settings.gain = m_source.gain;
    settings.part = OwnPart;
    settings.priority = 1000.0F;
    stage.apply({}, settings);
    const bool fresh = !m_own;
    const audio::Frame lead = static_cast<audio::Frame>(LeadSeconds * rate);
    const bool begins = m_pathBegan < 0;
    if (begins) {
        m_pathBegan = now + (fresh ? 0 : lead);
        m_pathEar = ear;
        m_ownAt = 0;
    }
    const auto pointAt = [&](audio::Frame at) -> std::optional<audio::ControlPoint> {
        const auto motion = probePathAt(m_source, m_pathEar, static_cast<double>(std::max<audio::Frame>(at - m_pathBegan, 0)) / rate);
        if (!motion)
            return std::nullopt;
        audio::ControlPoint point;
        point.at = at;
        point.position = motion->position;
        point.velocity = motion->velocity;
        return point;
    };
    if (fresh) {
        audio::ControlPoint first = *pointAt(m_pathBegan);
        first.at = 0;
        m_own = renderer.add(settings, first);
        if (!m_own)
            return;
        m_ownLast = Vec3(first.position);
    } else {
        renderer.set(m_own, settings);
    }
    playOwn(session, renderer);
    if (m_source.path == ProbeSource::Path::Still) {
        audio::ControlPoint point;
        point.at = std::max(now + lead, m_ownAt + 64);
        point.position = glm::dvec3(m_source.position);
        const double seconds = m_ownAt > 0 ? static_cast<double>(point.at - m_ownAt) / rate : LeadSeconds;
        point.velocity = (point.position - glm::dvec3(m_ownLast)) / seconds;
        if (begins || glm::length(point.velocity) > FastestSpeed) {
            point.teleport = !fresh && m_ownLast != m_source.position;
            point.velocity = glm::dvec3(0.0);
        }
        renderer.move(m_own, point);
        m_ownAt = point.at;
        m_ownLast = m_source.position;
        return;
    }
    // A path is known beforehand: its places are sent as they come up, exact to the frame.
    const auto step = static_cast<audio::Frame>(PathSeconds * rate);
    bool first = begins && !fresh;
    for (audio::Frame at = m_ownAt > 0 ? m_ownAt + step : m_pathBegan; at <= now + 2 * lead; at += step) {
        std::optional<audio::ControlPoint> point = pointAt(at);
        if (!point) {
            m_source.on = false;
            m_pathDone = true;
            return;
        }
        point->teleport = std::exchange(first, false);
        if (at > now || point->teleport)
            renderer.move(m_own, *point);
        m_ownAt = at;
        m_ownLast = Vec3(point->position);
    }
}

} // namespace sbx
