#pragma once
// Waits for a sound server that starts after the program. Qt 6.4 asks for the server once, and where none runs at that moment it never
// asks again; so Qt is not asked for anything before a server answers. Of a server that goes away and comes back Qt takes care itself: it
// tries once more, three seconds later.
//
// Thread: lives on the sound thread (qt_output.cpp), which owns Qt's way to the server; isAwake() on any.

#include <QObject>

#include <atomic>

namespace sbx::app {

class ServerWatch : public QObject {
    Q_OBJECT

public:
    static constexpr int LookMs = 500;

    // `awake` is set when Qt may be asked for devices, by anybody; it outlives this.
    explicit ServerWatch(std::atomic<bool>& awake) : m_awake(awake) {}

    // --- Its own thread
    void start();
    // Now, not at the next turn.
    void look();

    // Whether a sound server takes connections: the socket that libpulse would use is tried. True also where that cannot be told,
    // because the server is on another machine or named in libpulse's own settings.
    [[nodiscard]] static bool serverAnswers();

protected:
    void timerEvent(QTimerEvent* event) override;

private:
    std::atomic<bool>& m_awake;
    int m_timer = 0; // 0: none runs
};

} // namespace sbx::app
