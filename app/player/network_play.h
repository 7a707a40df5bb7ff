#pragma once
// A run that is played over the network: as a server, as a client of one, or with clients in the same program.

#include "app/player/player_options.h"
#include "engine/session/server_link.h"
#include "engine/session/udp_host.h"

#include <memory>
#include <mutex>

namespace sbx {
class Log;
class Session;
} // namespace sbx

namespace sbx::player {

// Purpose: owns socket and host and joins the session's simulation to them, or adds clients to the session. Data flow: open() before the run, start()
// when it has begun, ticked() after every tick; wait() passes the time until the next tick is due. Thread: the session's, but for
// open(). Ends before the session does.
class NetworkPlay {
public:
    explicit NetworkPlay(const Options& options) : m_options(options) {}
    ~NetworkPlay();
    NetworkPlay(const NetworkPlay&) = delete;
    NetworkPlay& operator=(const NetworkPlay&) = delete;

    // Whether the command line asks for any of it.
    [[nodiscard]] static bool wanted(const Options& options) {
        return options.serve || !options.connect.empty() || options.clients;
    }
    // Opens the socket and finds the server; the session is not yet running.
    [[nodiscard]] Result<void> open(Session& session);
    void start(Session& session, Log& log);
    void ticked();
    // A client that has lost its server, or never found it, has nothing more to do.
    [[nodiscard]] bool over() const;
    // True if ticks follow the clock even without a window: other programs' clocks do.
    [[nodiscard]] bool realTime() const { return m_udp != nullptr; }
    void wait(net::Time until);
    // Closes the connections and prints what was sent and received; 1 if the connection failed or was lost.
    [[nodiscard]] int close();

    // For a window; any thread.
    struct Status {
        std::string
            title; // a few words: to whom, and whether it is encrypted and authenticated; empty: nothing yet
        std::string notice; // the same in whole sentences, with the server's fingerprint
        std::string waiting; // a client that has no connection yet: to whom it is being made
        std::string ended;   // a client whose connection failed or was lost: to whom, and why
        friend bool operator==(const Status&, const Status&) = default;
    };
    [[nodiscard]] Status status() const;

private:
    // Prints the lines of a server's log about clients that join and leave, as they are written.
    void printLog();
    void follow(); // makes the status
    // Prints, once, why there is no connection any more; returns that text.
    const std::string& reportEnd();
    // The server's key and the password, from their files.
    [[nodiscard]] Result<void> identify();
    // After the connection to a server was made: prints which server it is.
    void meetServer();
    [[nodiscard]] std::filesystem::path userFile(const char* name) const;

    Options m_options;
    Session* m_session = nullptr;
    net::LinkProfile m_profile;
    std::shared_ptr<UdpHost> m_udp;      // null: clients in this program alone
    std::unique_ptr<ServerLink> m_link;  // a client's; else null
    std::optional<net::KeyPair> m_serverKey; // a server's own
    std::string m_password;
    Log* m_log = nullptr;
    std::uint64_t m_printed = 0; // sequence of the log's last record that was looked at
    mutable std::mutex m_statusMutex;
    Status m_status; // under that mutex
    bool m_met = false;  // which server it is was printed
    std::string m_ended; // why there is no connection any more; empty: not said
};

} // namespace sbx::player
