#pragma once
// Looks for the sound server, so that Qt is asked for devices only while one answers. Qt 6.4 connects to the server once when it is
// first asked, and once more three seconds after it has lost it; where no server answers at those moments it never connects again.
// So Qt is not asked before a server answers, and its second attempt is held back until one does, however long that takes.
//
// Thread: lives on the sound thread (qt_output.cpp), which owns Qt's connection to the server. SoundServer may be read on any.

#include <QObject>
#include <QPointer>

#include "engine/audio/audio_output.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace sbx::app {

// What the sound thread knows of the server. Written by ServerWatch, read on any thread without asking Qt, which may block.
class SoundServer {
public:
    // True while Qt is connected to a server, so that devices can be listed.
    [[nodiscard]] bool isConnected() const { return m_connected; }
    // Those of the last look; none while Qt is not connected.
    [[nodiscard]] std::vector<audio::OutputDevice> devices() const;

private:
    friend class ServerWatch;
    void set(bool connected, std::vector<audio::OutputDevice> devices);

    std::atomic<bool> m_connected = false;
    mutable std::mutex m_mutex; // of the devices
    std::vector<audio::OutputDevice> m_devices;
};

class ServerWatch : public QObject {
    Q_OBJECT

public:
    static constexpr int LookMs = 250;

    // `server` outlives this.
    explicit ServerWatch(SoundServer& server) : m_server(server) {}

    // --- Its own thread
    void start();
    // Now, not at the next turn.
    void look();

    // Whether a sound server takes connections: the socket that libpulse would use is tried. True also where that cannot be found out,
    // because the server is on another machine or named in libpulse's own settings.
    [[nodiscard]] static bool serverAnswers();

protected:
    void timerEvent(QTimerEvent* event) override;

private:
    bool takeQtsRetries();
    bool retry();

    SoundServer& m_server;
    // Qt's timers that make it connect again, stopped; owned by the thread's event dispatcher. Empty while Qt is connected.
    std::vector<QPointer<QObject>> m_retries;
};

} // namespace sbx::app
