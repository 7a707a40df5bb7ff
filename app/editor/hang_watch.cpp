#include "app/editor/hang_watch.h"

#include <QFile>

#include "engine/session/simulation_thread.h"

namespace sbx::editor {

HangWatch::HangWatch(SimulationThread& thread, QObject* parent) : QObject(parent), m_thread(thread) {
    connect(&m_timer, &QTimer::timeout, this, &HangWatch::look);
    m_sinceLook.start();
    m_timer.start(LookMs);
}

// A debugger that steps through a handler may take as long as it needs.
bool HangWatch::debugged() {
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return false;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("TracerPid:"))
            return line.mid(10).trimmed() != "0";
    return false;
}

void HangWatch::look() {
    // Late itself: the whole program stood still, or the window had much to do. That time does not count.
    const bool late = m_sinceLook.restart() > 5 * LookMs;
    const std::uint64_t turn = m_thread.turn();
    if (turn != m_turn || turn % 2 == 0) {
        m_turn = turn;
        m_same = 0;
        m_first = {};
        if (std::exchange(m_reported, false))
            emit goesOn();
        return;
    }
    if (m_reported || late)
        return;
    if (const auto answer = m_question.answer()) {
        if (m_same < Looks) {
            m_first = *answer;
        } else if (answer->any) {
            if (debugged()) {
                m_same = 0;
                return;
            }
            m_reported = true;
            m_last = *answer;
            emit hangs(*answer, answer->sameAs(m_first));
            return;
        } else {
            m_same = Looks / 2 - 1; // something else is slow: a handler may follow
        }
    }
    ++m_same;
    if (m_same == Looks / 2 || m_same >= Looks)
        m_question.ask(m_thread);
}

QString HangWatch::words(const UnderWayReport& handler, bool same) {
    const QString component = QString::fromUtf8(handler.component);
    const QString who = handler.entity[0] == '\0' ? component : tr("%1 of %2").arg(component, QString::fromUtf8(handler.entity));
    if (handler.message[0] == '\0')
        return tr("%1 has been coming into being for two seconds").arg(who);
    const QString message = QString::fromUtf8(handler.message);
    return same ? tr("%1 has been handling %2 for two seconds").arg(who, message)
                : tr("One tick has taken two seconds; %1 is handling %2 just now").arg(who, message);
}

} // namespace sbx::editor

#include "moc_hang_watch.cpp"
