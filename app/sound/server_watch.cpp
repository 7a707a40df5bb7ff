#include "app/sound/server_watch.h"

#include <QDir>
#include <QFile>
#include <QMediaDevices>
#include <QStringList>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace sbx::app {

namespace {

bool takesConnections(const QString& socketFile) {
    const QByteArray path = QFile::encodeName(socketFile);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.isEmpty() || static_cast<std::size_t>(path.size()) >= sizeof(address.sun_path))
        return false;
    std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
    const int handle = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (handle < 0)
        return false;
    const bool taken = ::connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0
                       || errno == EAGAIN;
    ::close(handle);
    return taken;
}

// A server that libpulse's settings name may be anywhere.
bool isNamedInSettings() {
    QStringList files{QStringLiteral("/etc/pulse/client.conf"),
                      QDir::homePath() + QStringLiteral("/.config/pulse/client.conf")};
    if (const QString own = qEnvironmentVariable("PULSE_CLIENTCONFIG"); !own.isEmpty())
        files = QStringList{own};
    for (const QString& name : files) {
        QFile file(name);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        while (!file.atEnd())
            if (file.readLine(4096).trimmed().startsWith("default-server"))
                return true;
    }
    return false;
}

} // namespace

bool ServerWatch::serverAnswers() {
    QString server =
        qEnvironmentVariable("PULSE_SERVER").section(QLatin1Char(' '), 0, 0, QString::SectionSkipEmpty);
    if (server.startsWith(QLatin1Char('{'))) // the machine for which it holds
        server = server.section(QLatin1Char('}'), 1);
    if (server.startsWith(QLatin1String("unix:")))
        return takesConnections(server.mid(5));
    if (!server.isEmpty())
        return !server.startsWith(QLatin1Char('/')) || takesConnections(server);
    if (isNamedInSettings())
        return true;
    QString folder = qEnvironmentVariable("PULSE_RUNTIME_PATH");
    if (folder.isEmpty()) {
        const QString run = qEnvironmentVariable("XDG_RUNTIME_DIR");
        if (run.isEmpty())
            return true; // libpulse has a folder of its own then
        folder = run + QStringLiteral("/pulse");
    }
    return takesConnections(folder + QStringLiteral("/native"))
           || takesConnections(QStringLiteral("/var/run/pulse/native"));
}

void ServerWatch::start() {
    look();
    if (!m_awake)
        m_timer = startTimer(LookMs);
}

void ServerWatch::look() {
    if (m_awake || !serverAnswers())
        return;
    static_cast<void>(QMediaDevices::audioOutputs()); // from now on Qt's way to the server is this thread's
    m_awake = true;
    if (m_timer != 0)
        killTimer(std::exchange(m_timer, 0));
}

void ServerWatch::timerEvent(QTimerEvent*) { look(); }

} // namespace sbx::app

#include "moc_server_watch.cpp"
