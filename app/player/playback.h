#pragma once
// A run of a project with what it writes: session, trace, digest, script and the status at the end. How its ticks come (a loop, or a
// thread that follows the clock) is the caller's.
//
// Thread: open() and close() on the main thread; in between the session and the files belong to the thread that ticks it.

#include "app/player/file_sound.h"
#include "app/player/network_play.h"
#include "app/player/player_options.h"
#include "app/player/trace_writer.h"
#include "engine/core/line_file.h"
#include "engine/core/log.h"
#include "engine/plugin/trusted_projects.h"
#include "engine/session/session.h"
#include "engine/session/user_config.h"

#include <memory>
#include <optional>

namespace sbx::player {

// One line on standard error; returns `status`.
int fail(const std::string& message, int status);

class Playback {
public:
    explicit Playback(const Options& options);
    ~Playback();
    Playback(const Playback&) = delete;
    Playback& operator=(const Playback&) = delete;

    // Reads the project and opens the files. Faults go to standard error, one line each. 0: ready, with the world at rest.
    [[nodiscard]] int open();
    // Begins the run and its script. On the thread of the session.
    void start();
    // Called after every tick. Set before the run starts.
    void setTicked(std::function<void(Session&)> ticked) { m_afterTick = std::move(ticked); }
    // The exit status: 1 if a line of the script failed or never came, or a file could not be written.
    [[nodiscard]] int close();

    // Null: the run is not networked.
    [[nodiscard]] NetworkPlay* network() { return m_network.get(); }
    [[nodiscard]] Session& session() { return m_session; }
    [[nodiscard]] Log& log() { return m_log; }
    [[nodiscard]] const Options& options() const { return m_options; }

private:
    [[nodiscard]] int openFiles();
    void ticked();
    void writeDigests(); // of all worlds
    void print(const ConsoleReply& reply);
    void printChat();
    void tell(const Result<void>& written);

    Options m_options;
    Log m_log;
    Session m_session;
    UserConfig m_userConfig;
    TrustedProjects m_trusted;
    std::unique_ptr<TraceWriter> m_trace;
    FileSound m_sound{m_session, m_log};
    std::optional<LineFile> m_digest;
    std::uint64_t m_printedErrors = 0;      // sequence of the log's last record when a reply was printed
    std::uint64_t m_printedChat = 0;        // ... when what players said was printed
    std::function<void(Session&)> m_afterTick;
    bool m_torn = false;                    // a file could not be written: said once, when it happened
    std::unique_ptr<NetworkPlay> m_network; // ends before the session
};

// From behind and above the middle of everything, for scenes without a camera.
[[nodiscard]] render::CameraView overview(const render::Scene& scene);

} // namespace sbx::player
