#pragma once
// A client of remote control, as a script would be one: blocking, a line out, a line in.

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace sbx::test {

class RemoteClient {
public:
    explicit RemoteClient(const std::string& path) : m_fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::copy_n(path.begin(), std::min(path.size(), sizeof address.sun_path - 1), address.sun_path);
        m_connected = ::connect(m_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~RemoteClient() { ::close(m_fd); }
    RemoteClient(const RemoteClient&) = delete;
    RemoteClient& operator=(const RemoteClient&) = delete;

    [[nodiscard]] bool connected() const { return m_connected; }
    // All of it; false: the other end has gone.
    bool send(const QByteArray& bytes) const {
        for (qsizetype sent = 0; sent < bytes.size();) {
            const ssize_t put = ::send(m_fd, bytes.constData() + sent,
                                       static_cast<std::size_t>(bytes.size() - sent), MSG_NOSIGNAL);
            if (put <= 0)
                return false;
            sent += put;
        }
        return true;
    }
    // As much as the other end takes without reading; what was taken.
    [[nodiscard]] qsizetype sendAtOnce(const QByteArray& bytes) const {
        return ::send(m_fd, bytes.constData(), static_cast<std::size_t>(bytes.size()),
                      MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    // The next line, without its end; empty: the other end has gone, or nothing came within half a minute.
    QByteArray readLine() {
        for (qsizetype end = m_read.indexOf('\n');; end = m_read.indexOf('\n')) {
            if (end >= 0) {
                const QByteArray line = m_read.left(end);
                m_read.remove(0, end + 1);
                return line;
            }
            pollfd fd{m_fd, POLLIN, 0};
            char buffer[64 * 1024];
            const ssize_t got = ::poll(&fd, 1, 30'000) == 1 ? ::recv(m_fd, buffer, sizeof buffer, 0) : 0;
            if (got <= 0)
                return {};
            m_read.append(buffer, got);
        }
    }
    QJsonObject ask(const QByteArray& line) {
        if (!send(line + "\n"))
            return {};
        return QJsonDocument::fromJson(readLine()).object();
    }
    // Sends nothing more.
    void endSending() const { ::shutdown(m_fd, SHUT_WR); }

private:
    int m_fd;
    bool m_connected = false;
    QByteArray m_read;
};

[[nodiscard]] inline bool isOk(const QJsonObject& answer) {
    return answer.value(QLatin1String("ok")).toBool();
}
[[nodiscard]] inline QString errorOf(const QJsonObject& answer) {
    return answer.value(QLatin1String("error")).toString();
}

} // namespace sbx::test
