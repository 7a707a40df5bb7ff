#include "engine/probe/sound_audition.h"

#include "engine/session/session.h"
#include "engine/soundstage/sound_host.h"
#include "engine/soundstage/sound_stage.h"

namespace sbx {

namespace {

// The index-th Sound in a list of things with a type and settings.
template <typename List, typename SettingsOf>
std::optional<Sound::Settings> soundIn(const List& list, int index, SettingsOf settingsOf) {
    for (const auto& each : list)
        if (each.type->name == "Sound" && index-- == 0)
            return settingsOf(each);
    return std::nullopt;
}

} // namespace

void SoundAudition::post(std::function<void(SoundAudition&, Session&)> work) {
    m_session.postAside([self = shared_from_this(), work = std::move(work)](Session& session) {
        work(*self, session);
        self->describe(session);
    });
}

SoundAudition::State SoundAudition::state() const {
    const std::lock_guard lock(m_mutex);
    return m_state;
}

void SoundAudition::choose(const Subject& subject) {
    post([subject](SoundAudition& audition, Session& session) {
        if (subject == audition.m_subject)
            return;
        audition.end(session);
        audition.m_subject = subject;
        audition.m_fault.clear();
    });
}

void SoundAudition::play(bool loop, double fromSeconds) {
    post([loop, fromSeconds](SoundAudition& audition, Session& session) {
        audition.m_wanted = true;
        audition.m_wantedLoop = loop;
        audition.m_wantedFrom = fromSeconds;
        audition.tryToPlay(session);
    });
}

void SoundAudition::stop() {
    post([](SoundAudition& audition, Session& session) { audition.end(session); });
}

void SoundAudition::look() {
    {
        const std::lock_guard lock(m_mutex);
        if (m_pending)
            return;
        m_pending = true;
    }
    post([](SoundAudition& audition, Session& session) {
        {
            const std::lock_guard lock(audition.m_mutex);
            audition.m_pending = false;
        }
        if (audition.m_wanted)
            audition.tryToPlay(session);
    });
}

std::optional<Sound::Settings> SoundAudition::settingsOf(Session& session) const {
    const auto copy = [](const auto& slot) { return *static_cast<const Sound::Settings*>(slot.settings.get()); };
    if (!m_subject.file.empty()) {
        Sound::Settings settings;
        settings.file = m_subject.file;
        return settings;
    }
    if (!m_subject.type.empty()) {
        const auto type = session.world().findType(m_subject.type);
        return type ? soundIn(type->layout(), m_subject.index, copy) : std::nullopt;
    }
    const Entity entity = session.world().find(m_subject.entity);
    if (!entity)
        return std::nullopt;
    const Sound* sound = soundOf(entity, m_subject.index);
    return sound != nullptr ? std::optional(sound->settings) : std::nullopt;
}

void SoundAudition::end(Session& session) {
    if (SoundStage* stage = session.sound().stage(); m_tried.id && stage != nullptr && stage == m_stage)
        stage->renderer().remove(m_tried.id);
    m_tried = {};
    m_wanted = false;
}

void SoundAudition::tryToPlay(Session& session) {
    SoundStage* stage = session.sound().stage();
    if (stage == nullptr) {
        if (session.sound().host() != nullptr)
            session.sound().host()->wake();
        return;
    }
    const std::optional<Sound::Settings> settings = settingsOf(session);
    end(session);
    m_stage = stage;
    if (!settings) {
        m_fault = "there is no such sound";
        return;
    }
    audio::Renderer& renderer = stage->renderer();
    auto tried = TriedSound::of(*settings, session.simulation().sounds().library(), renderer.settings().sampleRate);
    if (!tried) {
        m_fault = tried.error().toString();
        return;
    }
    m_fault.clear();
    m_tried = std::move(*tried);
    audio::SourceSettings source;
    source.gain = settings->gain;
    source.priority = 1000.0F;
    source.spatial = false;
    source.doppler = false;
    source.airAbsorption = false;
    m_tried.id = renderer.add(source, {});
    if (m_tried.id)
        m_tried.begin(renderer, m_wantedFrom, m_wantedLoop);
}

void SoundAudition::describe(Session& session) {
    SoundStage* stage = session.sound().stage();
    if (stage != m_stage && m_tried.id)
        m_tried = {};
    if (m_tried.id && m_tried.over(stage->renderer(), 0.1))
        end(session);
    State state;
    state.subject = m_subject;
    state.known = true;
    state.held = stage != nullptr && stage->held();
    state.fault = m_fault;
    if (const std::optional<Sound::Settings> settings = settingsOf(session)) {
        state.loops = settings->source == Sound::Source::File && (settings->loop || settings->when == Sound::When::Rolling);
        if (settings->source != Sound::Source::File) {
            state.length_s = static_cast<double>(settings->length);
            state.source = Sound::nameOf(settings->source);
        } else {
            state.source = settings->file;
            if (settings->file.empty())
                state.fault = "no file is named";
            else if (const auto info = session.simulation().sounds().library().info(settings->file))
                state.length_s = info->seconds;
            else
                state.fault = info.error().toString();
        }
    } else if (m_subject) {
        state.fault = "there is no such sound";
    }
    state.playing = m_wanted || static_cast<bool>(m_tried.id);
    if (m_tried.id)
        state.position_s = m_tried.place(stage->renderer());
    const std::lock_guard lock(m_mutex);
    m_state = std::move(state);
}

} // namespace sbx
