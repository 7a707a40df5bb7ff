#pragma once
// Sound in a session: the renderer's stage, the program that plays or records, whose world is played, and the `audio.*` CVars.
//
// Purpose: gives the stage the values of the CVars and lets it follow one of the session's simulations, the main one or a client's.
// Data flow: the session calls follow() after the ticks of a simulation. Thread: the session's, but for the CVars' values, which
// any thread may read. Ownership: stage and host belong to the program; the session outlives them, or they are set to null before.

#include "engine/audio/audio_types.h"
#include "engine/audio/sound_library.h"
#include "engine/core/cvar.h"
#include "engine/simulation/snapshot.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sbx {

class Log;
class Simulation;
class SoundHost;
class SoundStage;
struct SoundReport;

class SessionSound {
public:
    SessionSound(CVarRegistry& cvars, Log& log);
    SessionSound(const SessionSound&) = delete;
    SessionSound& operator=(const SessionSound&) = delete;

    // The stage of the renderer that plays or records; null: none.
    void setStage(SoundStage* stage);
    [[nodiscard]] SoundStage* stage() const { return m_stage; }
    // Is asked for a stage when something may sound, for devices and for recordings; null: the program has no sound.
    void setHost(SoundHost* host);
    [[nodiscard]] SoundHost* host() const { return m_host; }
    // A window shows what is played: while nothing runs it goes on even without a sound.
    void setWatched(bool watched) { m_watched = watched; }
    // Whose world the stage follows: 0 the main one, 1 the first client's.
    void hear(std::size_t client);
    [[nodiscard]] std::size_t hearing() const { return m_hearing; }
    [[nodiscard]] audio::SoundLibrary& library() { return m_library; }

    // --- Called by the session
    // The stage stands still while the session is paused; the host is woken when a run begins.
    void setMode(Mode mode);
    // The world that was followed ends: what still sounds dies away.
    void leave();
    // After a tick of that client's simulation (0: the main one), if it is the one that is played. `speed`: sim.timeScale.
    void follow(std::size_t client, Simulation& simulation, double speed);
    // While nothing ticks: lets sounds that are tried out go on by a tick. False: nothing sounds.
    bool followEdit(Simulation& main);
    // What the stage knows of that simulation; empty without a stage.
    [[nodiscard]] SoundReport report(Simulation& simulation) const;

    // --- CVars
    [[nodiscard]] CVar<float>& volume() { return m_volume; }
    [[nodiscard]] CVar<audio::Mode>& mode() { return m_soundMode; }
    [[nodiscard]] CVar<bool>& occlusion() { return m_occlusion; }
    [[nodiscard]] CVar<std::string>& device() { return m_device; }
    [[nodiscard]] CVar<int>& rate() { return m_rate; }
    [[nodiscard]] CVar<float>& latency() { return m_latency; }
    // ms; what the device achieves of the requested latency(), set by the program that plays; 0: no device plays.
    [[nodiscard]] CVar<float>& deviceLatency() { return m_deviceLatency; }

private:
    void updateAir();

    SoundStage* m_stage = nullptr;
    SoundHost* m_host = nullptr;
    std::size_t m_hearing = 0;
    bool m_watched = false;
    Mode m_mode = Mode::Edit;
    audio::SoundLibrary m_library;
    CVar<float> m_volume;
    CVar<audio::Mode> m_soundMode;
    CVar<audio::Quality> m_quality;
    CVar<bool> m_occlusion;
    // °C; the speed of sound of the published method is that of dry air then. Also: it is not set.
    static constexpr float UnsetTemperature = 15.03F;
    CVar<float> m_temperature;
    CVar<float> m_humidity;
    CVar<bool> m_limiter;
    CVar<std::string> m_device;
    CVar<int> m_rate;
    CVar<float> m_latency;
    CVar<float> m_deviceLatency;
    std::vector<CVarConnection> m_connections;
};

} // namespace sbx
