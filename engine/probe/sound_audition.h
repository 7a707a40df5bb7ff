#pragma once
// Plays one sound by itself, into both ears alike, wherever the world is: a file of the project, the Sound of a type as the definitions
// have it now, or that of an entity. Runs beside everything else, and nothing of it enters the simulation.
//
// Data flow: the window calls play(), stop() and look(); they take effect on the session's thread, and state() returns the result. Until
// a renderer runs (SoundHost::wake) they wait.
//
// Thread: made by and called from the GUI thread. Always held by shared_ptr, because posted work may outlive the window's
// interest. The session outlives it, or stops running what is posted.

#include "engine/soundstage/tried_sound.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace sbx {

class Session;
class SoundStage;

class SoundAudition : public std::enable_shared_from_this<SoundAudition> {
public:
    // One of the three names is given.
    struct Subject {
        std::string file;   // of the project
        std::string type;   // an entity type that has a Sound,
        std::string entity; // or an entity;
        int index = 0;      // and which of its Sounds
        friend bool operator==(const Subject&, const Subject&) = default;
        explicit operator bool() const { return !file.empty() || !type.empty() || !entity.empty(); }
    };
    struct State {
        Subject subject;
        bool known = false;   // the session has looked at it; what follows is so
        bool playing = false; // or waits to be heard
        bool loops = false;   // by its own setting
        bool held = false;    // the world is paused, and all sound with it
        double position_s = 0.0; // at pitch 1, as length_s is
        double length_s = 0.0;   // 0: endless
        std::string source;      // file, or signal
        std::string fault;       // why it cannot be played
    };

    explicit SoundAudition(Session& session) : m_session(session) {}
    SoundAudition(const SoundAudition&) = delete;
    SoundAudition& operator=(const SoundAudition&) = delete;

    // What state() is to tell of from now on; another one ends what is playing.
    void choose(const Subject& subject);
    // The chosen one, from `fromSeconds` on.
    void play(bool loop, double fromSeconds = 0.0);
    void stop();
    // Brings state() up to date; some ten times a second while it plays.
    void look();
    [[nodiscard]] State state() const;

private:
    void post(std::function<void(SoundAudition&, Session&)> work);
    void describe(Session& session);
    [[nodiscard]] std::optional<Sound::Settings> settingsOf(Session& session) const;
    void end(Session& session);
    void tryToPlay(Session& session);

    Session& m_session;

    // The session's thread.
    Subject m_subject;
    SoundStage* m_stage = nullptr;
    TriedSound m_tried;
    bool m_wanted = false; // as soon as something renders
    bool m_wantedLoop = false;
    double m_wantedFrom = 0.0;
    std::string m_fault;

    // Both.
    mutable std::mutex m_mutex; // held to copy the state
    State m_state;
    bool m_pending = false;
};

} // namespace sbx
