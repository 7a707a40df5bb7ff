#pragma once
// The window's end of a running session: polls its publications and emits signals for what is new.
//
// Data flow: simulation thread publishes -> timer here (about 60 a second) -> signals on the GUI thread. What panels want
// done goes the other way through post(). GUI thread; the main window owns it, the session outlives it.

#include <QObject>
#include <QTimer>

#include "engine/session/session.h"

#include <memory>

namespace sbx::ui {

class SessionFeed : public QObject {
    Q_OBJECT

public:
    explicit SessionFeed(Session& session, QObject* parent = nullptr);

    // Of the session only what stands there under "From any thread" may be used from the GUI thread.
    [[nodiscard]] Session& session() const { return m_session; }
    // The latest publication; never null.
    [[nodiscard]] const FrameSnapshot& frame() const { return *m_frame; }
    [[nodiscard]] std::shared_ptr<const FrameSnapshot> sharedFrame() const { return m_frame; }
    [[nodiscard]] Mode mode() const { return m_frame->mode; }
    void post(Session::Posted command) { m_session.post(std::move(command)); }
    // Asks now instead of at the next timeout.
    void poll();

signals:
    void frameChanged();    // a new publication
    void entitiesChanged(); // entities came, went or were renamed
    void modeChanged(sbx::Mode mode);
    void runChanged(); // a run began or ended: ticks start over

private:
    Session& m_session;
    std::shared_ptr<const FrameSnapshot> m_frame;
    QTimer m_timer;
};

} // namespace sbx::ui
