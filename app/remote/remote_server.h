#pragma once
// A local socket that takes lines of UTF-8 and sends exactly one line of JSON for each, in order:
//   {"ok":true,"output":"…"}   {"ok":true,"output":"","value":…}   {"ok":false,"error":"…"}
//
// Data flow: client --line--> server thread --Request--> handler, which answers at once or later from any thread --> client.
// A client has one request under way at a time. While it has, or while it has not read its last answer, nothing more is read from it, so
// that memory is bounded by MaxClients times the longest line and the longest answer. The socket has mode 0600, lies in a folder
// that only the user may write to, and refuses other users.

#include "engine/core/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace sbx::remote {

struct Answer {
    bool ok = true;
    std::string output; // or the error
    std::string value;  // JSON; empty: none
};

class Outbox;

// One line of a client. Destroyed without an answer it answers that the program is ending. Any thread.
class Request {
public:
    Request(std::string line, std::uint64_t client, std::shared_ptr<Outbox> outbox);
    ~Request();
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    [[nodiscard]] const std::string& line() const { return m_line; }
    // The first answer counts; later ones are ignored.
    void answer(const Answer& answer);
    void fail(const std::string& error) { answer({false, error, {}}); }
    // The client has gone: no one reads an answer.
    [[nodiscard]] bool abandoned() const;

private:
    std::string m_line;
    std::uint64_t m_client;
    std::shared_ptr<Outbox> m_outbox;
    std::atomic<bool> m_answered{false};
};

// The line that is sent, with its line end.
[[nodiscard]] std::string answerLine(const Answer& answer);

class RemoteServer {
public:
    static constexpr std::size_t MaxLine = 64 * 1024;          // bytes, without the line end
    static constexpr std::size_t MaxAnswer = 64 * 1024 * 1024; // bytes
    static constexpr std::size_t MaxClients = 16;

    using Handler = std::function<void(const std::shared_ptr<Request>&)>;
    // Both are called on the server's thread; `beat` about four times a second while the server lives. An error says why the path
    // cannot be used: it exists and is no socket that an earlier run left, its folder belongs to others, it is too long.
    [[nodiscard]] static Result<std::unique_ptr<RemoteServer>> listen(const std::string& path,
                                                                      Handler handler,
                                                                      std::function<void()> beat = {});
    // Sends what was answered, within a second, and removes the socket.
    ~RemoteServer();
    RemoteServer(const RemoteServer&) = delete;
    RemoteServer& operator=(const RemoteServer&) = delete;

private:
    class Loop;
    explicit RemoteServer(std::unique_ptr<Loop> loop);
    std::unique_ptr<Loop> m_loop;
};

} // namespace sbx::remote
