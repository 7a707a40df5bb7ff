#include "engine/session/session_sound.h"

#include "engine/components/sound_system.h"
#include "engine/core/log.h"
#include "engine/simulation/simulation.h"
#include "engine/soundstage/sound_host.h"
#include "engine/soundstage/sound_stage.h"

namespace sbx {

SessionSound::SessionSound(CVarRegistry& cvars, Log& log)
    : m_volume(cvars.add<float>("audio.volume", 1.0F, "Amplitude of everything that is heard.",
                                {.minimum = 0, .maximum = 4, .flags = CVarFlags::Archive})),
      m_soundMode(cvars.add<audio::Mode>("audio.mode", audio::Mode::Hrtf,
                                         "How two ears are made: measured heads, a rigid sphere, two points "
                                         "15 cm apart, stereo, one for both.",
                                         {.choices = {"hrtf", "sphere", "plain", "pan", "mono"}})),
      m_quality(cvars.add<audio::Quality>(
          "audio.quality", audio::Quality::Best, "How moving delays are read.",
          {.choices = {"best", "balanced", "fast", "linear"}, .flags = CVarFlags::Archive})),
      m_occlusion(cvars.add<bool>("audio.occlusion", true, "What stands between muffles.")),
      m_temperature(cvars.add<float>("audio.temperature", UnsetTemperature,
                                     "Of the air: sets the speed of sound (but in the mode plain) and how "
                                     "much of high tones is swallowed.",
                                     {.unit = "°C", .minimum = -60, .maximum = 60})),
      m_humidity(cvars.add<float>("audio.humidity", 50.0F, "Of the air: how much of high tones is swallowed.",
                                  {.unit = "%", .minimum = 0, .maximum = 100})),
      m_limiter(cvars.add<bool>("audio.limiter", true,
                                "Keeps what is heard below -1 dBFS. Off, for measuring: nothing is lowered, "
                                "and what passes full scale is clipped.")),
      m_device(cvars.add<std::string>("audio.device", "",
                                      "Id of the device to play on; empty: the system's choice.",
                                      {.flags = CVarFlags::Archive})),
      m_rate(cvars.add<int>("audio.rate", 0, "Rate of the device, from 44100; 0: its own.",
                            {.unit = "Hz", .minimum = 0, .maximum = 192000, .flags = CVarFlags::Archive})),
      m_latency(cvars.add<float>(
          "audio.latency", 40.0F,
          "Lag of the sound that is asked of the device's buffer; audio.deviceLatency is what it gives.",
          {.unit = "ms", .minimum = 5, .maximum = 500, .flags = CVarFlags::Archive})),
      m_deviceLatency(cvars.add<float>("audio.deviceLatency", 0.0F,
                                       "What the device gives of what audio.latency asks for: the length of "
                                       "its buffer; 0: no device plays.",
                                       {.unit = "ms", .flags = CVarFlags::ReadOnly})) {
    m_connections.push_back(m_volume.onChange([this](float volume) {
        if (m_stage != nullptr)
            m_stage->setVolume(volume);
    }));
    m_connections.push_back(m_soundMode.onChange([this](audio::Mode mode) {
        if (m_stage != nullptr)
            m_stage->renderer().setMode(mode);
    }));
    m_connections.push_back(m_quality.onChange([this](audio::Quality quality) {
        if (m_stage != nullptr)
            m_stage->renderer().setQuality(quality);
    }));
    m_connections.push_back(m_occlusion.onChange([this](bool on) {
        if (m_stage != nullptr)
            m_stage->setOcclusion(on);
    }));
    m_connections.push_back(m_limiter.onChange([this](bool on) {
        if (m_stage != nullptr)
            m_stage->renderer().setLimiter(on);
    }));
    m_library.setRemark([&log](const std::string& text) { log.warning("audio", text); });
    for (const CVar<float>& air : {m_temperature, m_humidity})
        m_connections.push_back(air.onChange([this](float) { updateAir(); }));
}

void SessionSound::setStage(SoundStage* stage) {
    if (stage == nullptr)
        hear(0);
    m_stage = stage;
    if (stage == nullptr)
        return;
    stage->setVolume(m_volume.get());
    stage->renderer().setMode(m_soundMode.get());
    stage->renderer().setQuality(m_quality.get());
    stage->setOcclusion(m_occlusion.get());
    stage->renderer().setLimiter(m_limiter.get());
    updateAir();
    stage->hold(m_mode == Mode::Pause);
}

void SessionSound::updateAir() {
    if (m_stage == nullptr)
        return;
    audio::Air air;
    // Unset, sound has the speed of the published method, and air the absorption of 20 degrees: what was rendered without a
    // word about the air stays the same to the bit.
    if (m_temperature.get() != UnsetTemperature) {
        air.temperature = static_cast<double>(m_temperature.get());
        air.speedOfSound = audio::speedOfSound(air.temperature);
    }
    air.humidity = static_cast<double>(m_humidity.get());
    static_cast<void>(m_stage->renderer().setAir(air)); // the variables' ranges are its own
}

void SessionSound::setHost(SoundHost* host) {
    m_host = host;
    if (host != nullptr && m_mode != Mode::Edit)
        host->wake();
}

void SessionSound::setMode(Mode mode) {
    const bool begins = m_mode == Mode::Edit && mode != Mode::Edit;
    m_mode = mode;
    if (begins && m_host != nullptr)
        m_host->wake();
    if (m_stage != nullptr)
        m_stage->hold(mode == Mode::Pause);
}

void SessionSound::hear(std::size_t client) {
    if (client == m_hearing)
        return;
    leave(); // fades; the sounds of the other world are joined on their way
    m_hearing = client;
}

void SessionSound::leave() {
    if (m_stage != nullptr)
        m_stage->leave();
}

void SessionSound::follow(std::size_t client, Simulation& simulation, double speed) {
    if (m_stage != nullptr && client == m_hearing)
        m_stage->follow(simulation, speed);
}

bool SessionSound::followEdit(Simulation& main) {
    SoundSystem& sounds = main.sounds();
    if (m_mode != Mode::Edit
        || (!m_watched && !sounds.sounding() && (m_stage == nullptr || !m_stage->busy())))
        return false;
    if (m_stage == nullptr) {
        if (m_host != nullptr)
            m_host->wake();
        return false;
    }
    sounds.turn(main.world());
    m_stage->follow(main, 1.0);
    return true;
}

SoundReport SessionSound::report(Simulation& simulation) const {
    return m_stage != nullptr ? m_stage->report(simulation) : SoundReport();
}

} // namespace sbx
