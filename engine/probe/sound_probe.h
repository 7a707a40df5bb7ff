#pragma once
// Shows and controls what is heard: gives a window all sounds of the world around the listener, plays any of them in place without
// running the world, moves a source of its own about the head, and keeps what left the renderer for measuring.
//
// Data flow: the window calls ask() some thirty times a second; the session's thread answers with a new ProbeView and takes the blocks
// that were rendered since. Nothing it does enters the simulation.
//
// Thread: made by and called from the GUI thread; what it posts runs on the session's. Always held by shared_ptr, because posted
// work may outlive the window's interest. The session outlives it, or stops running what is posted.

#include "engine/audio/audio_output.h"
#include "engine/audio/audio_types.h"
#include "engine/audio/hrtf_set.h"
#include "engine/audio/sound_data.h"
#include "engine/audio/sound_marks.h"
#include "engine/audio/test_signals.h"
#include "engine/simulation/snapshot.h"
#include "engine/soundstage/sound_host.h"
#include "engine/soundstage/sound_stage.h"
#include "engine/soundstage/tried_sound.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sbx {

class Session;

// Where something is for a head: radians, 0 ahead, positive to the right and up; metres.
struct HeadPlace {
    double azimuth = 0.0;
    double elevation = 0.0;
    double distance = 0.0;
};
[[nodiscard]] HeadPlace headPlace(const Pose& ear, const Vec3& position);
[[nodiscard]] Vec3 fromHeadPlace(const Pose& ear, const HeadPlace& place);

// The probe's own source.
struct ProbeSource {
    enum class Path : std::uint8_t { Still, Circle, FigureEight, FlyBy };
    bool on = false;
    audio::TestSignal signal = audio::TestSignal::PinkNoise;
    std::string file; // of the project, instead of the signal; empty: none
    Path path = Path::Still;
    float speed = 2.0F; // m/s on its path
    float gain = 1.0F;
    Vec3 position{0.0F, 0.0F, -2.0F}; // in the world, of Still; paths go around the head at this place's distance and height
    std::uint32_t start = 0;          // another number: the path begins again
    friend bool operator==(const ProbeSource&, const ProbeSource&) = default;
};

// Where the source's path leads `seconds` after it began, for a head at `ear`; nothing: it has come to its end.
struct ProbeMotion {
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0};
};
[[nodiscard]] std::optional<ProbeMotion> probePathAt(const ProbeSource& source, const Pose& ear, double seconds);

struct ProbeSound {
    SoundKey key;
    EntityId id;
    std::string component; // "Sound", "Sound#2"
    std::string name;      // Sound.name
    std::string source;    // file, "tone", "noise", or what the probe plays
    std::string when;      // what starts it
    Pose pose;             // of the entity
    Pose parent;           // of what it hangs from
    Vec3 offset{0.0F};     // of the sound in the entity's frame
    Vec3 position{0.0F};   // in the world
    Quat orientation{1.0F, 0.0F, 0.0F, 0.0F};
    Vec3 velocity{0.0F};
    HeadPlace place;
    audio::SourceSettings settings;
    bool muted = false;
    bool solo = false;
    // What stands between it and the listener.
    bool hidden = false;
    Vec3 hit{0.0F};
    std::string obstacle;
    bool loops = false;  // by its own setting
    float pitch = 1.0F;  // of its setting
    // Tried out in place.
    bool tried = false;
    bool loop = false;
    double position_s = 0.0; // at pitch 1, as length_s is
    double length_s = 0.0;   // 0: endless
    std::string fault;     // why it cannot be played
};

struct ProbeVoice {
    std::size_t sound = 0; // of ProbeView::sounds
    bool tried = false;    // in place; else the world plays it
    int play = 0;          // of the world: SoundPlay::number; 0: none of its
    std::uint64_t begin = 0; // of that play: SoundPlay::begin
    SoundStart start;        // what started that play
    audio::SourceState state;
};

struct ProbeView {
    std::uint64_t serial = 0;
    std::uint64_t run = 0; // of the session, as FrameSnapshot::run
    bool ready = false; // sound is being rendered
    bool held = false;  // the session is paused, and sound with it
    Mode mode = Mode::Edit;
    Pose ear;
    Vec3 earVelocity{0.0F};
    std::string earName; // entity that hears; empty: a camera or a place
    std::vector<ProbeSound> sounds; // the probe's own comes last
    std::vector<ProbeVoice> voices;
    audio::Snapshot totals; // without sources
    std::uint32_t budget = 0;
    double sampleRate = 48000.0;
    audio::Mode soundMode = audio::Mode::Hrtf;
    float volume = 1.0F;
    bool occlusion = true;
    std::optional<audio::Room> room; // the listener is in
    std::shared_ptr<const audio::HrtfSet> hrtf;
    std::string hrtfFile; // empty: what the program came with
    bool deviceOpen = false; // `device` says how it is
    audio::OutputStatus device;
    std::vector<audio::OutputDevice> devices;
    std::string deviceWanted; // id; empty: the system's choice
    ProbeSource source;
    bool pathDone = false; // the fly-by is over

    [[nodiscard]] const ProbeSound* find(const SoundKey& key) const;
    // The voice of it that is heard best; null: it does not sound.
    [[nodiscard]] const audio::SourceState* stateOf(const SoundKey& key) const;
};

class SoundProbe : public std::enable_shared_from_this<SoundProbe> {
public:
    explicit SoundProbe(Session& session) : m_session(session) {}
    SoundProbe(const SoundProbe&) = delete;
    SoundProbe& operator=(const SoundProbe&) = delete;

    // To be called regularly while a window shows the probe: which ear is used, and what the view is to contain. Without a call the
    // probe changes nothing.
    void ask(const Listening& listening);
    // The newest answer; never null.
    [[nodiscard]] std::shared_ptr<const ProbeView> view() const;
    // The window is closed: sounds that were tried out end, and the world's own listener is the ear again.
    void leave();

    // Plays it where it is, beside what the world plays; again: once more from the start.
    void play(const SoundKey& key, bool loop, double fromSeconds = 0.0);
    void stop(const SoundKey& key);
    void setLoop(const SoundKey& key, bool loop);
    void setMuted(const SoundKey& key, bool muted);
    void setSolo(const SoundKey& key, bool solo);
    void setSource(const ProbeSource& source);
    // `file` is what the view calls it.
    void setHrtf(std::shared_ptr<const audio::HrtfSet> set, std::string file);
    // Gains by mode that make them equally loud, in the order of audio::Mode.
    void setTrims(const std::array<float, 5>& trims);
    // What is done to the ears last: to try what the figures say.
    void setEars(const audio::EarMix& ears);

    // ---- what left the renderer
    // Frames taken so far.
    [[nodiscard]] audio::Frame heard() const;
    // The newest frames, as many as fit; false: not so many yet.
    [[nodiscard]] bool newest(std::span<float> interleaved) const;
    void record(bool on);
    // What was recorded since the last call. Counts frames that came too fast to be taken.
    [[nodiscard]] std::vector<float> takeRecorded(std::uint64_t& missed);
    // Where in what was recorded since record(true) the world's sounds begin to be heard: SoundOnset::text().
    [[nodiscard]] std::vector<audio::SoundMark> recordedMarks() const;

private:
    struct Tried : TriedSound {
        SoundKey key;
        audio::Frame at = 0; // of the last place that was sent
        Vec3 last{0.0F};
        audio::SourceSettings sent;
    };
    struct Known { // where a sound was when it was looked at last
        Vec3 position{0.0F};
        Vec3 velocity{0.0F};
        double seconds = 0.0;
        Pose pose;
        bool hidden = false;
        Vec3 hit{0.0F};
        std::string obstacle;
    };
    using Work = std::function<void(SoundProbe&, Session&)>;
    void post(Work work);
    void work(Session& session, const Listening& listening);
    void forget();
    void endTried(audio::Renderer& renderer, Tried& tried);
    void moveTried(Session& session, SoundStage& stage, const ProbeView& view);
    void moveSource(Session& session, SoundStage& stage, const Pose& ear);
    void playOwn(Session& session, audio::Renderer& renderer);
    void takeBlocks(audio::Renderer& renderer);
    void describe(Session& session, SoundStage* stage, ProbeView& view);
    // The world that is heard: the session's own, or that of a client of it.
    [[nodiscard]] static Simulation& heardSimulation(Session& session);
    [[nodiscard]] Pose earOf(Session& session, const Listening& listening, std::string& name) const;

    static constexpr std::size_t HistoryFrames = 1U << 17U;
    static constexpr std::uint32_t TriedPart = 0x80000000U; // of a voice's part: tried out in place
    static constexpr std::uint32_t OwnPart = 0xFFFFFFFFU;

    Session& m_session;

    // The session's thread.
    SoundStage* m_stage = nullptr;
    std::vector<Tried> m_tried;
    std::map<SoundKey, std::string> m_faults;
    std::map<SoundKey, Known> m_known;
    ProbeSource m_source;
    audio::SourceId m_own;
    std::string m_ownPlays; // what it does now
    double m_ownLength = 0.0;
    audio::Frame m_ownAt = 0;
    audio::Frame m_pathBegan = 0;
    Pose m_pathEar;
    Vec3 m_ownLast{0.0F};
    bool m_pathDone = false;
    SoundHost::Devices m_devices;
    std::shared_ptr<const audio::HrtfSet> m_hrtf;
    std::string m_hrtfFile;
    std::array<float, 5> m_trims{1.0F, 1.0F, 1.0F, 1.0F, 1.0F};
    Known m_ear;
    std::uint64_t m_serial = 0;

    // Both.
    mutable std::mutex m_mutex; // held to swap a pointer or copy samples
    std::shared_ptr<const ProbeView> m_view = std::make_shared<ProbeView>();
    std::vector<float> m_history = std::vector<float>(HistoryFrames * 2);
    audio::Frame m_heard = 0;
    bool m_recording = false;
    std::vector<float> m_recorded;
    std::uint64_t m_missed = 0;
    audio::Frame m_recordedFrom = -1; // of the renderer; -1: no block came yet
    std::vector<audio::SoundMark> m_onsets; // by frames of the renderer's output
    bool m_pending = false;
};

} // namespace sbx
