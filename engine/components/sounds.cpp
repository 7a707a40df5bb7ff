#include "engine/components/sounds.h"

#include "engine/core/log.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sbx {

namespace {
constexpr std::array<const char*, 7> SourceNames = {"file", "tone", "noise", "pink", "sweep", "clicks", "speech"};
} // namespace

// ------------------------------------------------------------------------------------------------ Sound

void Sound::Settings::describe(FieldList<Settings>& f) {
    f.add("name", &Settings::name, "What PlaySound and StopSound call it.");
    f.add("file", &Settings::file, "Sound file (WAV, FLAC, OGG) in the project's folder.")
        .role(TextRole::AssetPath)
        .onlyWith("source", {"file"});
    f.add("source", &Settings::source, "A file, or a signal to listen and measure by.")
        .choices({SourceNames.begin(), SourceNames.end()});
    f.add("frequency", &Settings::frequency, "Of a tone.").unit("Hz").range(1, 20000).onlyWith("source", {"tone"});
    f.add("length", &Settings::length, "Of what is no file; 0: until it is stopped.")
        .unit("s")
        .range(0, 3600)
        .onlyWith("source", {SourceNames.begin() + 1, SourceNames.end()}); // all but a file
    f.add("when", &Settings::when,
          "What starts it: only PlaySound, the entity's start, being switched on or off, a knock, or rolling.")
        .choices({"asked", "start", "activate", "contact", "rolling"});
    f.add("full", &Settings::full, "Impulse (N*s) of a knock, or speed (m/s) of rolling, that sounds at full gain.")
        .range(0.001, 1e6)
        .onlyWith("when", {"contact", "rolling"});
    f.add("threshold", &Settings::threshold, "Below this impulse or speed nothing is heard.")
        .range(0, 1e6)
        .onlyWith("when", {"contact", "rolling"});
    f.add("gain", &Settings::gain, "Amplitude, at the reference distance.").range(0, 100);
    f.add("pitch", &Settings::pitch, "How many times faster.").range(0.015625, 4);
    f.add("spread", &Settings::spread, "Each play is faster or slower by up to this share.").range(0, 0.5);
    f.add("loop", &Settings::loop, "Starts over at its end.");
    f.add("overlap", &Settings::overlap, "How many plays may sound at a time; the oldest gives way.").range(1, 32);
    f.add("offset", &Settings::offset, "From the entity's origin, in its frame.").unit("m").range(-1000, 1000);
    f.add("distance", &Settings::distance, "How the level falls with distance.")
        .choices({"inverse", "inverseClamped", "linear", "exponential", "none"})
        .onlyWith("spatial", {"true"});
    f.add("reference", &Settings::reference, "At this distance the gain holds; nearer it does not rise.")
        .unit("m")
        .range(0.001, 10000)
        .onlyWith("spatial", {"true"})
        .onlyWith("distance", {"inverse", "inverseClamped", "linear", "exponential"});
    f.add("maximum", &Settings::maximum, "Where linear falls to silence and inverseClamped stops falling.")
        .unit("m")
        .range(0.001, 100000)
        .onlyWith("spatial", {"true"})
        .onlyWith("distance", {"linear", "inverseClamped"});
    f.add("rolloff", &Settings::rolloff,
          "How steeply it falls; 0: as is usual for the way it falls: 2 for exponential (12 dB with each "
          "doubling), else 1.")
        .range(0, 10)
        .onlyWith("spatial", {"true"})
        .onlyWith("distance", {"inverse", "inverseClamped", "linear", "exponential"});
    f.add("coneInner", &Settings::coneInner, "Full angle about -Z within which it is as loud as ever.").unit("deg").range(0, 360);
    f.add("coneOuter", &Settings::coneOuter, "Full angle beyond which the cone's gain holds.").unit("deg").range(0, 360);
    f.add("coneGain", &Settings::coneGain, "Outside the cone.").range(0, 1);
    f.add("directivity", &Settings::directivity,
          "How it radiates about -Z: 0 all round, 0.5 a cardioid, 1 a figure of eight; beside the cone.")
        .range(0, 1);
    f.add("sharpness", &Settings::sharpness, "The pattern's power: higher ones are narrower.").range(0, 100);
    f.add("priority", &Settings::priority, "Higher ones keep their voice when voices are short.").range(-1000, 1000);
    f.add("spatial", &Settings::spatial, "Has a place; otherwise it is heard alike in both ears.");
    f.add("doppler", &Settings::doppler, "Takes its time to arrive, and changes pitch in passing.").onlyWith("spatial", {"true"});
}

void Sound::describe(ComponentBuilder<Sound>& b) {
    b.doc("Something to hear: a file, a tone or noise, from where the entity is.").category("Sound").aliases({"audio source", "speaker", "emitter", "music"}).repeatable();
    b.handle<&Sound::onStart>().handle<&Sound::onDisable>();
    b.handle<&Sound::onPlay>().handle<&Sound::onStop>().handle<&Sound::onFinished>();
    b.handle<&Sound::onActivate>().handle<&Sound::onDeactivate>();
    b.handle<&Sound::onContact>().handle<&Sound::onUpdate>();
    b.sends<SoundFinished>().sends<GetVelocity>();
}

Sound::Sound(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    m_emitter.entity = entity();
    refresh();
    world().service<SoundSystem>().add(m_emitter);
}

Sound::~Sound() {
    stop(); // no SoundFinished must arrive after this
    world().service<SoundSystem>().remove(m_emitter);
}

void Sound::Settings::describe(SoundEmitter& emitter) const {
    audio::SourceSettings& out = emitter.settings;
    out.gain = gain;
    out.priority = priority;
    out.distanceModel = distance;
    out.referenceDistance = reference;
    out.maximumDistance = std::max(maximum, reference);
    // With a rolloff of 1 the formulas of exponential and inverse are the same curve.
    out.rolloff = rolloff > 0.0F ? rolloff : distance == audio::DistanceModel::Exponential ? 2.0F : 1.0F;
    out.coneInner = coneInner;
    out.coneOuter = std::max(coneOuter, coneInner);
    out.coneOuterGain = coneGain;
    out.directivity = directivity;
    out.directivityPower = sharpness;
    out.spatial = spatial;
    out.doppler = doppler;
    emitter.name = name;
    emitter.offset = offset;
    emitter.kind = source == Source::Tone    ? audio::SignalKind::Tone
                     : source == Source::Noise ? audio::SignalKind::Noise
                                                        : audio::SignalKind::Sound;
    const bool signal = source >= Source::Pink;
    emitter.file = source == Source::File ? file : std::string();
    if (signal) {
        const auto which = static_cast<std::size_t>(source) - static_cast<std::size_t>(Source::Pink);
        emitter.file = std::string(audio::SoundLibrary::SignalPrefix) + std::string(audio::TestSignalNames[which]);
    }
    emitter.frequency = frequency;
    emitter.loop = signal || loop || when == When::Rolling;
}

const char* Sound::nameOf(Source source) { return SourceNames[static_cast<std::size_t>(source)]; }

std::optional<double> Sound::seconds() {
    if (settings.source != Source::File)
        return static_cast<double>(settings.length);
    const Result<audio::SoundFileInfo> info = world().service<SoundSystem>().library().info(settings.file);
    if (info)
        return info->seconds;
    if (m_faulty != settings.file) {
        const std::string who = world().nameOf(entity()) + " is not heard: ";
        world().log().error("audio", settings.file.empty() ? who + "Sound.file is empty"
                                                           : textAt(world().service<SoundSystem>().places(), settings.file, who, info.error()));
    }
    m_faulty = settings.file;
    return std::nullopt;
}

void Sound::play(float gain, float pitch, const Envelope* cause) {
    const std::optional<double> length = seconds();
    if (!length)
        return;
    SoundSystem& sounds = world().service<SoundSystem>();
    SoundPlay play;
    play.number = sounds.nextNumber();
    play.begin = sounds.now(world());
    play.gain = gain;
    // Not from the world's random numbers: sound must not change the simulation.
    const auto hash = static_cast<std::uint32_t>(play.number) * 2654435761U;
    play.pitch = std::clamp(settings.pitch * pitch * (1.0F + settings.spread * (static_cast<float>(hash >> 8U) / 8388608.0F - 1.0F)),
                            1.0F / 64.0F, 4.0F);
    const bool endless = settings.loop || settings.when == When::Rolling || (settings.source != Source::File && settings.length <= 0.0F);
    if (!endless) {
        const std::uint64_t ticks =
            std::max<std::uint64_t>(world().ticksIn(*length / static_cast<double>(play.pitch)), 1);
        play.end = play.begin + ticks;
        play.finished = world().sendInTicks(entity(), SoundFinished{std::string_view(settings.name), play.number}, ticks, entity());
    }
    while (m_emitter.plays.size() >= static_cast<std::size_t>(settings.overlap)) {
        world().cancel(m_emitter.plays.front().finished);
        m_emitter.plays.erase(m_emitter.plays.begin());
    }
    m_emitter.plays.push_back(play);
    std::erase_if(m_starts, [this](const auto& known) {
        return std::none_of(m_emitter.plays.begin(), m_emitter.plays.end(), [&](const SoundPlay& each) { return each.number == known.first; });
    });
    if (cause != nullptr)
        m_starts[play.number] = {cause->type, cause->sequence != 0 ? cause->sequence : cause->cause,
                                 cause->sequence != 0};
}

std::uint64_t Sound::causeOf(int play) const {
    const SoundStart start = startOf(play);
    return start.recorded ? start.sequence : 0;
}

SoundStart Sound::startOf(int play) const {
    const auto known = m_starts.find(play);
    return known != m_starts.end() ? known->second : SoundStart();
}

void Sound::stop() {
    for (const SoundPlay& play : m_emitter.plays)
        if (play.end != 0)
            world().cancel(play.finished);
    m_emitter.plays.clear();
}

bool Sound::onStart(Start&, const Envelope& envelope) {
    if (settings.when == When::Start)
        play(1.0F, 1.0F, &envelope);
    return false;
}

bool Sound::onDisable(OnDisable&) {
    stop();
    return false;
}

bool Sound::onPlay(PlaySound& m, const Envelope& envelope) {
    if (isCalled(m.sound))
        play(m.gain, m.pitch, &envelope);
    return false;
}

bool Sound::onStop(StopSound& m) {
    if (isCalled(m.sound))
        stop();
    return false;
}

bool Sound::onFinished(SoundFinished& m) {
    std::erase_if(m_emitter.plays, [&](const SoundPlay& play) { return play.number == m.play; });
    return false;
}

bool Sound::onActivate(Activate&, const Envelope& envelope) {
    if (settings.when == When::Activate)
        play(1.0F, 1.0F, &envelope);
    return false;
}

bool Sound::onDeactivate(Deactivate&, const Envelope& envelope) {
    if (settings.when == When::Activate)
        play(1.0F, 1.0F, &envelope);
    return false;
}

bool Sound::onContact(ContactBegan& m, const Envelope& envelope) {
    if (settings.when == When::Contact && m.impulse > settings.threshold)
        play(std::min(m.impulse / settings.full, 1.0F), 1.0F, &envelope);
    return false;
}

bool Sound::onUpdate(Update&) {
    if (settings.when != When::Rolling)
        return false;
    GetVelocity now;
    world().send(entity(), now, entity());
    const float speed = glm::length(now.velocity);
    m_emitter.level = now.grounded && speed > settings.threshold ? std::min(speed / settings.full, 1.0F) : 0.0F;
    if (m_emitter.level > 0.0F && m_emitter.plays.empty())
        play(1.0F, 1.0F, nullptr); // of no message in particular: it rolls
    return false;
}

// --------------------------------------------------------------------------------------------- Listener

void Ears::Settings::describe(FieldList<Settings>& f) {
    f.add("offset", &Settings::offset, "Middle of the head, from the entity's origin, in its frame.").unit("m").range(-1000, 1000);
    f.add("rank", &Settings::rank, "The highest listens; without any Listener the camera does.").range(-1000, 1000);
    f.add("active", &Settings::active, "Listens.");
}

void Ears::describe(ComponentBuilder<Ears>& b) {
    b.doc("Hears: what it hears is what the headphones play.").category("Sound").aliases({"audio listener", "ears", "microphone"});
    b.handle<&Ears::onEnable>().handle<&Ears::onDisable>();
}

Ears::Ears(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    m_spot.entity = entity();
    settingsChanged();
    world().service<SoundSystem>().add(m_spot);
}

Ears::~Ears() { world().service<SoundSystem>().remove(m_spot); }

void Ears::settingsChanged() {
    m_spot.offset = settings.offset;
    m_spot.rank = settings.rank;
    m_spot.active = settings.active && m_enabled;
}

bool Ears::onEnable(OnEnable&) {
    m_enabled = true;
    settingsChanged();
    return false;
}

bool Ears::onDisable(OnDisable&) {
    m_enabled = false;
    settingsChanged();
    return false;
}

// ------------------------------------------------------------------------------------------------- Room

void Chamber::Settings::describe(FieldList<Settings>& f) {
    f.add("size", &Settings::size, "Between the walls, along the entity's axes.").unit("m").range(1, 60);
    f.add("offset", &Settings::offset, "Of its middle from the entity's origin, in its frame.").unit("m").range(-1000, 1000);
    f.add("decay", &Settings::decay,
          "Time in which the reverberation falls by 60 dB: below 500 Hz, to 4 kHz, and above. What the walls reflect follows from it.")
        .unit("s").range(0.1, 10);
    f.add("reflections", &Settings::reflections, "Walls on the way of a reflection heard by itself, at most.").range(0, 2);
    f.add("early", &Settings::early, "Gain of reflections; 1: as the walls reflect.").range(0, 10);
    f.add("late", &Settings::late, "Gain of reverberation; 1: as in a room of that size and decay.").range(0, 10);
}

void Chamber::describe(ComponentBuilder<Chamber>& b) {
    b.doc("A box that rings: who listens in it hears reflections and reverberation of what sounds in it.").category("Sound").aliases({"reverb", "reverb zone", "acoustics"});
}

Chamber::Chamber(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {
    m_spot.entity = entity();
    settingsChanged();
    world().service<SoundSystem>().add(m_spot);
}

Chamber::~Chamber() { world().service<SoundSystem>().remove(m_spot); }

void Chamber::settingsChanged() {
    audio::Room& out = m_spot.room;
    out.present = true;
    out.size = glm::dvec3(settings.size);
    for (int band = 0; band < 3; ++band)
        out.rt60[static_cast<std::size_t>(band)] = static_cast<double>(settings.decay[band]);
    out.order = settings.reflections;
    out.early = settings.early;
    out.late = settings.late;
    m_spot.offset = settings.offset;
}

} // namespace sbx
