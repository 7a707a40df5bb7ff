#include "app/sound/server_watch.h"

#include <QAbstractEventDispatcher>
#include <QAudioDevice>
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

std::vector<audio::OutputDevice> SoundServer::devices() const {
    const std::lock_guard lock(m_mutex);
    return m_devices;
}

void SoundServer::set(bool connected, std::vector<audio::OutputDevice> devices) {
    {
        const std::lock_guard lock(m_mutex);
        m_devices.swap(devices);
    }
    m_connected = connected;
}

void ServerWatch::start() {
    look();
    startTimer(LookMs);
}

// True: Qt has lost the server since the last look. Its next attempt is a single shot on this thread after three seconds, an object
// of Qt's own below the event dispatcher, one for its list of devices and one for what plays. Their timers are stopped here; look()
// triggers their signals instead when a server answers. A version of Qt that does this in another way has no such objects, and keeps
// its own way.
bool ServerWatch::takeQtsRetries() {
    constexpr int QtsDelayMs = 3000;
    QAbstractEventDispatcher* const dispatcher = QAbstractEventDispatcher::instance();
    bool any = false;
    for (QObject* child : dispatcher->children()) {
        if (std::strcmp(child->metaObject()->className(), "QSingleShotTimer") != 0)
            continue;
        const auto timers = dispatcher->registeredTimers(child);
        if (timers.size() != 1 || timers.front().interval != QtsDelayMs)
            continue;
        dispatcher->unregisterTimers(child);
        m_retries.emplace_back(child);
        any = true;
    }
    return any;
}

// False: the server has gone again meanwhile.
bool ServerWatch::retry() {
    const std::vector<QPointer<QObject>> retries = std::exchange(m_retries, {});
    for (const QPointer<QObject>& each : retries)
        if (each != nullptr)
            QMetaObject::invokeMethod(each, "timeout", Qt::DirectConnection);
    const bool lostAgain = takeQtsRetries();
    const bool refused = !lostAgain && !serverAnswers(); // at once: Qt makes no new attempts then
    if (refused)
        m_retries = retries;
    else
        for (const QPointer<QObject>& each : retries)
            delete each.data();
    return !lostAgain && !refused;
}

void ServerWatch::look() {
    if (takeQtsRetries())
        m_server.set(false, {});
    if (!m_server.isConnected() && (!serverAnswers() || !retry()))
        return;
    // The first call makes this thread the owner of Qt's connection.
    std::vector<audio::OutputDevice> devices;
    for (const QAudioDevice& device : QMediaDevices::audioOutputs())
        devices.push_back({device.id().toStdString(), device.description().toStdString(), device.isDefault()});
    m_server.set(true, std::move(devices));
}

void ServerWatch::timerEvent(QTimerEvent*) { look(); }

} // namespace sbx::app

#include "moc_server_watch.cpp"
