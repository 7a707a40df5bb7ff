#pragma once
// Sees when the simulation does not come along: a handler that has been under way for two seconds is named, and again when it is over.
//
// Data flow: timer here -> SimulationThread::turn(), the same for a second, then two -> ThreadQuestion, which handler is it -> hangs().
// Not reported: what is slow without a handler (a large project is loaded), and a program that a debugger or SIGSTOP holds. GUI thread;
// the simulation thread outlives it.

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "app/common/thread_question.h"

namespace sbx::editor {

class HangWatch : public QObject {
    Q_OBJECT

public:
    static constexpr int LookMs = 100;
    static constexpr int Looks = 20; // that see the same: two seconds

    explicit HangWatch(SimulationThread& thread, QObject* parent = nullptr);

    // "Ticker of one has been handling Update for two seconds".
    [[nodiscard]] static QString words(const UnderWayReport& handler, bool same);
    // The one that hangs; none: nothing does.
    [[nodiscard]] UnderWayReport reported() const { return m_reported ? m_last : UnderWayReport(); }
    // Its stack when it was reported, innermost first.
    [[nodiscard]] std::vector<std::string> backtrace() const { return m_question.backtrace(); }

signals:
    // `same`: it is one handler; else one tick of many.
    void hangs(const sbx::UnderWayReport& handler, bool same);
    void goesOn();

public slots:
    void look();

private:
    [[nodiscard]] static bool debugged();

    SimulationThread& m_thread;
    app::ThreadQuestion m_question;
    QTimer m_timer;
    QElapsedTimer m_sinceLook;
    std::uint64_t m_turn = 0;
    int m_same = 0; // looks
    UnderWayReport m_first;
    UnderWayReport m_last;
    bool m_reported = false;
};

} // namespace sbx::editor
