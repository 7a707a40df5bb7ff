#pragma once
// Plays the sounds of a simulation's components on a renderer: sources, their places over time, the listener, obstacles between.
//
// Data flow: after each tick follow() compares the world's emitters with the sources it has made, and sends the changes to the renderer.
// It is one tick behind: only then are the velocities at a tick known from both sides. A tick stands at a frame of the renderer,
// frameOf the newest; sound up to ready() is settled: whatever ticks come, it will not change. So a program that renders no further
// gets the same samples however many it asks for at a time.
//
// Thread: the session's, which is the renderer's control thread. Renderer, library and log outlive it.

#include "engine/audio/renderer.h"
#include "engine/components/physics_system.h"
#include "engine/components/sound_system.h"
#include "engine/components/visual_system.h"

#include <atomic>
#include <functional>
#include <map>
#include <set>

namespace sbx {

class Simulation;

// Where the listener is.
struct Listening {
    enum class From : std::uint8_t {
        World,  // its Listener of the highest rank, or else its camera
        Entity, // the entity of that name; as World while there is none
        Place   // a pose, such as a window's camera
    };
    From from = From::World;
    std::string entity;
    Pose pose;
    friend bool operator==(const Listening&, const Listening&) = default;
};

// All sounds of a world, whether each can be heard, and why.
struct SoundReport {
    struct Voice {
        EntityId entity;
        std::string name;  // of the entity
        std::string sound; // Sound.name
        std::string file;  // or "tone", "noise", "signal": one to measure by
        int play = 0;      // 0: nothing plays it
        std::uint64_t end = 0; // tick; 0: until it is stopped
        audio::SourceState state;
    };
    audio::Snapshot totals; // without sources
    Pose listener;
    std::string listenerName; // empty: the camera, or a place
    std::vector<Voice> voices;
};

// A sound that the world starts, and when it reaches the listener.
struct SoundOnset {
    audio::Frame at = 0;     // of the renderer, when it reaches the ears
    std::uint64_t cause = 0; // sequence of the message that started it, as in the trace; 0: none is known
    std::string entity;
    std::string sound; // its name, or its file
    // "#4711 door: creak"; without a cause "door: creak".
    [[nodiscard]] std::string text() const;
};

class SoundStage {
public:
    enum class Clock {
        Ticks, // a tick is 1 / tickRate of sound: for files
        Device // ticks follow the clock, sound follows the device: their places are brought together
    };
    SoundStage(audio::Renderer& renderer, Clock clock) : m_renderer(renderer), m_clock(clock) {}

    // The world goes: what still sounds dies away.
    void leave();
    // After a tick. `speed`: ticks per tick of the clock (sim.timeScale).
    void follow(Simulation& simulation, double speed);
    // No tick follows: sends the renderer what is known, so that all sound up to the last tick is settled.
    void finish();

    // The simulation that was followed last; null since its world ended.
    [[nodiscard]] Simulation* followed() const { return m_followed; }

    void setOcclusion(bool on) { m_occlusion = on; }
    // All sounds of an entity, also later ones, until the world ends. While any is solo, only solo ones are played.
    void setMute(EntityId entity, bool on);
    void setSolo(EntityId entity, bool on);
    // Another listener: from the next tick on, without a click. The same listener elsewhere: glides there.
    void listen(const Listening& listening);
    [[nodiscard]] const Listening& listening() const { return m_listening; }
    // The same for a sound by name, for trying things out: kept through reload and play.
    void setMuted(const SoundKey& key, bool muted);
    void setAlone(const SoundKey& key, bool alone);
    [[nodiscard]] bool muted(const SoundKey& key) const { return m_muted.contains(key); }
    [[nodiscard]] bool alone(const SoundKey& key) const { return m_alone.contains(key); }
    // Adds to `settings` what was asked for the sound.
    void apply(const SoundKey& key, audio::SourceSettings& settings) const;
    // The master gain is the product of both; the trim makes what is compared equally loud.
    void setVolume(float volume);
    void setTrim(float trim);
    // Sounds, or what sounded is on its way still.
    [[nodiscard]] bool busy() const { return !m_voices.empty() || !m_endings.empty(); }
    // Calls `hear` with onsets from now on, as they become known, a tick or two before they sound; an empty function ends it. One
    // function for each `who`.
    void listenToOnsets(const void* who, std::function<void(const SoundOnset&)> hear);
    [[nodiscard]] SoundReport report(Simulation& simulation);
    // The session stands still, and sound with it. Read by the output that pulls from the renderer, on its thread.
    void hold(bool on) { m_held.store(on, std::memory_order_relaxed); }
    [[nodiscard]] bool held() const noexcept { return m_held.load(std::memory_order_relaxed); }

    [[nodiscard]] audio::Renderer& renderer() { return m_renderer; }
    // Where the newest tick stands.
    [[nodiscard]] audio::Frame newest() const { return frame(m_now); }
    [[nodiscard]] audio::Frame ready() const { return m_finished ? frame(m_now) : frame(m_now - m_perTick) - Margin; }

    // Frames that sound lies behind the ticks, beside one tick.
    static constexpr audio::Frame Margin = 512;

private:
    struct Place {
        glm::dvec3 position{0.0};
        Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
        bool jumped = false; // did not move there
    };
    // Two places of something, a tick apart.
    struct Track {
        Place older;
        Place newer;
        bool hasOlder = false;
        bool moved = false; // newer is of this tick
    };
    struct Voice {
        int number = 0; // of its play
        std::uint64_t end = 0;
        audio::SourceId source; // none: the renderer gets it in the next tick
        audio::SourceSettings sent;
        audio::Frame silentUntil = 0;
        audio::SourceSettings wanted;
        audio::Signal signal;
        std::shared_ptr<const audio::SoundData> sound;
        Track track;
        float behind = 0.0F; // of an obstacle, eased
        bool seen = false;
    };
    struct Ending {
        audio::SourceId source;
        audio::Frame at = 0;
    };
    [[nodiscard]] static audio::Frame frame(double at) { return static_cast<audio::Frame>(at + 0.5); }
    void advance(double perTick);
    // The place of the tick before, and its velocity by those around it.
    [[nodiscard]] audio::ControlPoint pointOf(const Track& track, const Place& now, bool hasNow) const;
    void setRoom(const World& world, const SoundSystem& sounds, const Place& ear);
    [[nodiscard]] Place placeOfEar(const World& world, const SoundSystem& sounds, const VisualSystem& visuals);
    void look(World& world, SoundSystem& sounds, PhysicsSystem& physics, const Place& ear);
    void startAnew(Voice& voice, const std::string& file, audio::Frame apply);
    void obstruct(Voice& voice, const SoundEmitter& emitter, World& world, PhysicsSystem& physics, const Place& ear);
    void tell(Voice& voice);
    void end(Voice& voice, bool cut);
    void tellOnset(const Voice& voice, const SoundEmitter& emitter, audio::Frame begins, const Place& place, const Place& ear) const;

    audio::Renderer& m_renderer;
    Clock m_clock;
    Simulation* m_followed = nullptr;
    std::atomic<bool> m_held{false};
    bool m_occlusion = true;
    bool m_finished = false;
    double m_before = 0.0; // frame of the tick before the newest
    double m_now = 0.0;    // frame of the newest tick
    double m_perTick = 0.0;
    double m_rendered = 0.0; // by the device, evened out
    double m_pieces = 0.0;   // how far it is from that, at most
    std::uint64_t m_tick = 0; // newest; 0: none since a world came
    Listening m_listening;
    std::set<SoundKey> m_muted;
    std::set<SoundKey> m_alone;
    float m_volume = 1.0F;
    float m_trim = 1.0F;
    bool m_switched = false; // another listens since the last tick
    EntityId m_listener;
    Track m_ear;
    audio::Room m_room; // as sent last
    std::vector<Voice> m_voices;
    std::uint64_t m_replacements = 0; // of the library's sounds, as last seen
    // Where they stand, by number; as of the last indexVoices().
    std::vector<std::pair<int, std::size_t>> m_voiceOf;
    void indexVoices();
    [[nodiscard]] Voice* voiceOf(int number);
    std::vector<Ending> m_endings;
    struct Asked {
        bool mute = false;
        bool solo = false;
    };
    std::map<std::uint64_t, Asked> m_asked; // by entity
    std::map<const void*, std::function<void(const SoundOnset&)>> m_hearOnsets;
};

} // namespace sbx
