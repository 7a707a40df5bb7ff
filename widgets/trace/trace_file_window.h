#pragma once
// A trace file in a window of its own, with the panel's list, filter line and details. A banner names the file and what of it could not be read. It is read
// a slice at a time, so that the window goes on, and can be stopped; the session is not touched. GUI thread; theme and `live` must outlive it.

#include <QDialog>
#include <QTimer>

#include "widgets/common/action_registry.h"
#include "widgets/common/selection.h"
#include "widgets/trace/file_trace_source.h"
#include "widgets/trace/trace_store.h"

#include <memory>

class QLabel;
class QProgressBar;
class QPushButton;

namespace sbx::ui {

class Theme;
class TracePanel;

class TraceFileWindow : public QDialog {
    Q_OBJECT

public:
    // `limits`: how much of it is kept. `session`: the actions of the session's panel, whose keys hold in this window too and are followed while they are
    // there; null: those that they have at first.
    TraceFileWindow(const Theme& theme, TraceFile file, const QString& path,
                    TraceReader::HandlerLookup handlers, const TraceSource& live, TraceLimits limits,
                    const ActionRegistry* session, QWidget* parent = nullptr);
    ~TraceFileWindow() override;

    [[nodiscard]] TracePanel& panel() { return *m_panel; }
    [[nodiscard]] bool isReading() const { return m_timer.isActive(); }
    // Ends reading; what was read stays.
    void stopReading();
    // Reads for about that long, some lines at least; false if nothing is left to read.
    bool readSome(int milliseconds);

signals:
    void finished();

private:
    void showState();
    void followKeys(const ActionRegistry& session);

    static constexpr int SliceMs = 8;

    QString m_path;
    FileTraceSource m_source;
    Selection m_selection; // of its own: entities of a file are none of the session's
    ActionRegistry m_actions; // of this window's panel
    std::unique_ptr<TracePanel> m_panel;
    QTimer m_timer;
    QLabel* m_title;
    QLabel* m_faults;
    QLabel* m_said;
    QProgressBar* m_progress;
    QPushButton* m_stop;
    bool m_stopped = false;
};

} // namespace sbx::ui
