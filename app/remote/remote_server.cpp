#include "app/remote/remote_server.h"

#include "engine/core/utf8.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

namespace sbx::remote {

namespace {

constexpr int BeatMs = 250;
constexpr int FlushMs = 1000; // for clients to read their last answer when the program ends

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string reason() { return std::strerror(errno); }

void closeFd(int& fd) {
    if (fd >= 0)
        ::close(fd);
    fd = -1;
}

bool setNonBlocking(int fd) {
    return ::fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && ::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

Result<sockaddr_un> addressOf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path)
        return makeError(path + ": expected a path of at most " + std::to_string(sizeof address.sun_path - 1)
                         + " bytes");
    std::copy(path.begin(), path.end(), address.sun_path);
    return address;
}

// Only the user may make, rename and remove files in it.
Result<void> checkFolder(const std::string& path) {
    std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (folder.empty())
        folder = ".";
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0)
        return makeError(folder.string() + ": " + reason());
    if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return makeError(folder.string()
                         + ": others may write there; expected a folder that belongs to you alone, such as "
                           "$XDG_RUNTIME_DIR or one "
                           "made by `mktemp -d`");
    return {};
}

// Removes a socket on which no program listens any more.
Result<void> removeStale(const std::string& path, const sockaddr_un& address) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0)
        return errno == ENOENT ? Result<void>() : Result<void>(makeError(path + ": " + reason()));
    if (!S_ISSOCK(info.st_mode) || info.st_uid != ::geteuid())
        return makeError(path + ": exists and is not a socket of yours; expected a new path");
    int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool refused = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
                         && errno == ECONNREFUSED;
    closeFd(probe);
    if (!refused)
        return makeError(path + ": another program listens there; expected a new path");
    if (::unlink(path.c_str()) != 0)
        return makeError(path + ": " + reason());
    return {};
}

bool isOwnUser(int fd) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

// What is wrong with a line as such; empty: nothing.
std::string faultOf(const std::string& line) {
    if (line.empty())
        return "the line is empty; expected a command";
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; };
    if (const auto at = std::find_if(line.begin(), line.end(), control); at != line.end())
        return "byte " + std::to_string(at - line.begin() + 1) + " of the line is a control character";
    if (const std::size_t bad = firstBadByte(line); bad < line.size())
        return "byte " + std::to_string(bad + 1) + " of the line is not UTF-8";
    return {};
}

} // namespace

std::string answerLine(const Answer& answer) {
    std::string line;
    if (answer.output.size() + answer.value.size() > RemoteServer::MaxAnswer)
        return answerLine({false,
                           "the answer has more than "
                               + std::to_string(RemoteServer::MaxAnswer / (1024 * 1024))
                               + " MiB; expected a filter or a limit, or a command that writes to a file",
                           {}});
    if (answer.ok)
        line = R"({"ok":true,"output":)" + quoted(answer.output);
    else
        line = R"({"ok":false,"error":)" + quoted(answer.output);
    if (!answer.value.empty())
        line += ",\"value\":" + answer.value;
    // Between tokens of JSON a line end is a space; within a text it cannot be.
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line + "}\n";
}

// Answers on their way to the server's thread. Shared with requests, which may outlive the server.
class Outbox {
public:
    explicit Outbox(int wake) : m_wake(wake) {}

    void put(std::uint64_t client, const Answer& answer) {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_clients.contains(client) || !m_open)
                return;
        }
        std::string line = answerLine(answer);
        const std::lock_guard lock(m_mutex);
        if (!m_clients.contains(client) || !m_open)
            return;
        m_lines.emplace_back(client, std::move(line));
        wake();
    }
    [[nodiscard]] bool has(std::uint64_t client) const {
        const std::lock_guard lock(m_mutex);
        return m_open && m_clients.contains(client);
    }
    void add(std::uint64_t client) {
        const std::lock_guard lock(m_mutex);
        m_clients.insert(client);
    }
    void remove(std::uint64_t client) {
        const std::lock_guard lock(m_mutex);
        m_clients.erase(client);
    }
    [[nodiscard]] std::vector<std::pair<std::uint64_t, std::string>> take() {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_lines, {});
    }
    void close() {
        const std::lock_guard lock(m_mutex);
        m_open = false;
    }
    void wakeUp() {
        const std::lock_guard lock(m_mutex);
        wake();
    }

private:
    void wake() {
        const char byte = 0;
        if (m_open)
            static_cast<void>(!::write(m_wake, &byte, 1)); // full: it will wake anyway
    }
    mutable std::mutex m_mutex;
    int m_wake; // written to
    bool m_open = true;
    std::unordered_set<std::uint64_t> m_clients;
    std::vector<std::pair<std::uint64_t, std::string>> m_lines;
};

Request::Request(std::string line, std::uint64_t client, std::shared_ptr<Outbox> outbox)
    : m_line(std::move(line)), m_client(client), m_outbox(std::move(outbox)) {}

Request::~Request() { fail("the program is ending"); }

void Request::answer(const Answer& answer) {
    if (!m_answered.exchange(true))
        m_outbox->put(m_client, answer);
}

bool Request::abandoned() const { return !m_outbox->has(m_client); }

class RemoteServer::Loop {
public:
    Loop(std::string path, Handler handler, std::function<void()> beat)
        : m_path(std::move(path)), m_handler(std::move(handler)), m_beat(std::move(beat)) {}
    ~Loop() {
        if (m_thread.joinable()) {
            m_ending = true;
            m_outbox->wakeUp();
            m_thread.join();
        }
        if (m_outbox)
            m_outbox->close();
        removeSocket();
        closeFd(m_listening);
        closeFd(m_wake[0]);
        closeFd(m_wake[1]);
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    Result<void> start() {
        const Result<sockaddr_un> address = addressOf(m_path);
        if (!address)
            return address.error();
        if (const Result<void> folder = checkFolder(m_path); !folder)
            return folder;
        if (const Result<void> stale = removeStale(m_path, *address); !stale)
            return stale;
        if (::pipe(m_wake) != 0 || !setNonBlocking(m_wake[0]) || !setNonBlocking(m_wake[1]))
            return makeError(m_path + ": " + reason());
        m_outbox = std::make_shared<Outbox>(m_wake[1]);
        m_listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (m_listening < 0
            || ::bind(m_listening, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0)
            return makeError(m_path + ": " + reason());
        struct stat info {};
        // Nobody can connect before listen(), so that the mode is right from the first connection on.
        if (::lstat(m_path.c_str(), &info) != 0 || ::chmod(m_path.c_str(), S_IRUSR | S_IWUSR) != 0
            || ::listen(m_listening, 8) != 0)
            return makeError(m_path + ": " + reason());
        m_device = info.st_dev;
        m_inode = info.st_ino;
        m_thread = std::thread([this] { run(); });
        return {};
    }

private:
    struct Client {
        int fd = -1;
        std::uint64_t id = 0;
        std::string in;
        std::string out;
        std::size_t sent = 0;
        bool busy = false;    // a request is under way
        bool tooLong = false; // the rest of a line that was refused is skipped
        bool ended = false;   // it sends nothing more
        bool gone = false;
    };

    void run() {
        while (!m_ending) {
            const short outer = m_clients.size() < MaxClients * 2 ? POLLIN : 0;
            std::vector<pollfd> fds{{m_wake[0], POLLIN, 0}, {m_listening, outer, 0}};
            for (const Client& client : m_clients) {
                const bool writing = client.sent < client.out.size();
                const bool reading = !writing && !client.busy && !client.ended;
                fds.push_back(
                    {client.fd, static_cast<short>((reading ? POLLIN : 0) | (writing ? POLLOUT : 0)), 0});
            }
            if (::poll(fds.data(), fds.size(), BeatMs) == 0 && m_beat)
                m_beat();
            const std::size_t known = m_clients.size();
            for (std::size_t i = 0; i < known; ++i)
                serve(m_clients[i], fds[i + 2].revents);
            if ((fds[1].revents & POLLIN) != 0)
                accept();
            deliver();
            dropGone();
        }
        flush();
        for (Client& client : m_clients)
            closeFd(client.fd);
    }

    void accept() {
        int fd = ::accept4(m_listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        std::string refusal;
        if (!isOwnUser(fd))
            refusal = "only the user who started the program may connect";
        else if (m_clients.size() >= MaxClients)
            refusal = std::to_string(MaxClients)
                      + " clients are connected already; expected one of them to disconnect first";
        if (!refusal.empty()) {
            const std::string line = answerLine({false, refusal, {}});
            static_cast<void>(::send(fd, line.data(), line.size(), MSG_NOSIGNAL));
            closeFd(fd);
            return;
        }
        m_outbox->add(++m_lastClient);
        Client client;
        client.fd = fd;
        client.id = m_lastClient;
        m_clients.push_back(std::move(client));
    }

    void serve(Client& client, short events) {
        if ((events & POLLIN) != 0)
            read(client);
        else if ((events & (POLLHUP | POLLERR | POLLNVAL)) != 0)
            client.gone = true;
        if ((events & POLLOUT) != 0)
            write(client);
        next(client);
    }

    void read(Client& client) {
        char buffer[16 * 1024];
        const ssize_t got = ::recv(client.fd, buffer, sizeof buffer, 0);
        if (got > 0)
            client.in.append(buffer, static_cast<std::size_t>(got));
        else if (got == 0)
            client.ended = true;
        else if (errno != EAGAIN && errno != EINTR)
            client.gone = true;
    }

    static void write(Client& client) {
        const ssize_t put =
            ::send(client.fd, client.out.data() + client.sent, client.out.size() - client.sent, MSG_NOSIGNAL);
        if (put > 0)
            client.sent += static_cast<std::size_t>(put);
        else if (errno != EAGAIN && errno != EINTR)
            client.gone = true;
        if (client.sent == client.out.size()) {
            client.out = {};
            client.sent = 0;
        }
    }

    // Begins the client's next line if its turn has come.
    void next(Client& client) {
        while (!client.gone && !client.busy && client.out.empty()) {
            const std::size_t end = client.in.find('\n');
            if (end == std::string::npos && client.in.size() <= MaxLine) {
                client.gone = client.ended; // a last line without its end may have been cut off
                return;
            }
            if (std::exchange(client.tooLong, end == std::string::npos)) {
                client.in.erase(0, end == std::string::npos ? client.in.size() : end + 1);
                continue;
            }
            std::string line = client.in.substr(0, end);
            client.in.erase(0, end == std::string::npos ? client.in.size() : end + 1);
            if (!line.empty() && line.back() == '\r')
                line.pop_back();
            std::string fault = line.size() > MaxLine ? "the line is longer than " + std::to_string(MaxLine)
                                                            + " bytes; it was skipped"
                                                      : faultOf(line);
            const auto request = std::make_shared<Request>(std::move(line), client.id, m_outbox);
            client.busy = true;
            if (fault.empty())
                m_handler(request);
            else
                request->fail(fault);
        }
    }

    void deliver() {
        char drained[256];
        while (::read(m_wake[0], drained, sizeof drained) > 0) {}
        for (auto& [id, line] : m_outbox->take())
            for (Client& client : m_clients)
                if (client.id == id) {
                    client.busy = false;
                    client.out += line;
                    write(client);
                    next(client);
                }
    }

    void dropGone() {
        for (Client& client : m_clients)
            if (client.gone) {
                m_outbox->remove(client.id);
                closeFd(client.fd);
            }
        std::erase_if(m_clients, [](const Client& client) { return client.gone; });
    }

    void flush() {
        for (int left = FlushMs; left > 0; left -= 10) {
            for (auto& [id, line] : m_outbox->take())
                for (Client& client : m_clients)
                    if (client.id == id)
                        client.out += line;
            bool waiting = false;
            std::vector<pollfd> fds;
            for (Client& client : m_clients) {
                if (!client.gone && client.sent < client.out.size())
                    write(client);
                if (!client.gone && client.sent < client.out.size()) {
                    waiting = true;
                    fds.push_back({client.fd, POLLOUT, 0});
                }
            }
            if (!waiting)
                return;
            ::poll(fds.data(), fds.size(), 10);
        }
    }

    // Unless another file has taken its place.
    void removeSocket() const {
        struct stat info {};
        if (m_inode != 0 && ::lstat(m_path.c_str(), &info) == 0 && info.st_ino == m_inode
            && info.st_dev == m_device)
            ::unlink(m_path.c_str());
    }

    std::string m_path;
    Handler m_handler;
    std::function<void()> m_beat;
    std::shared_ptr<Outbox> m_outbox;
    int m_listening = -1;
    int m_wake[2] = {-1, -1};
    dev_t m_device = 0;
    ino_t m_inode = 0;
    std::vector<Client> m_clients; // server's thread
    std::uint64_t m_lastClient = 0;
    std::atomic<bool> m_ending{false};
    std::thread m_thread;
};

RemoteServer::RemoteServer(std::unique_ptr<Loop> loop) : m_loop(std::move(loop)) {}
RemoteServer::~RemoteServer() = default;

Result<std::unique_ptr<RemoteServer>> RemoteServer::listen(const std::string& path, Handler handler,
                                                           std::function<void()> beat) {
    auto loop = std::make_unique<Loop>(path, std::move(handler), std::move(beat));
    if (const Result<void> started = loop->start(); !started)
        return started.error();
    return std::unique_ptr<RemoteServer>(new RemoteServer(std::move(loop)));
}

} // namespace sbx::remote
