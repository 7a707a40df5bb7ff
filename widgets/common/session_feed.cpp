#include "widgets/common/session_feed.h"

namespace sbx::ui {

namespace {
constexpr int PollMs = 16;
}

SessionFeed::SessionFeed(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_frame(session.snapshot()) {
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &SessionFeed::poll);
    m_timer.start(PollMs);
}

void SessionFeed::poll() {
    const std::shared_ptr<const FrameSnapshot> next = m_session.snapshot();
    if (next->serial == m_frame->serial)
        return;
    const std::shared_ptr<const FrameSnapshot> before = std::exchange(m_frame, next);
    if (before->run != next->run)
        emit runChanged();
    if (before->mode != next->mode)
        emit modeChanged(next->mode);
    if (before->entities != next->entities)
        emit entitiesChanged();
    emit frameChanged();
}

} // namespace sbx::ui

#include "moc_session_feed.cpp"
