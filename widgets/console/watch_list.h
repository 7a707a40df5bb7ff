#pragma once
// The watches beside the log: what is watched, its value and its last minute as a line, with the values under the mouse.
//
// Data flow: a timer reads the session's watches while the list is shown; adding, removing and exporting go out as console
// lines. GUI thread; parent owns it, the watches outlive it.

#include <QWidget>

class QMenu;
class QTableView;
class QTimer;

namespace sbx {
class Watches;
}
namespace sbx::ui {

class EmptyState;
class EmptySwitch;
class Theme;
class WatchModel;

class WatchList : public QWidget {
    Q_OBJECT

public:
    WatchList(const Theme& theme, Watches& watches, QWidget* parent = nullptr);

    // Watches what a file lists, a line each, and writes it there whenever a watch comes or goes.
    void keepWatches(const QString& file);
    // Where an export is offered to be written; empty: the program's working folder.
    void setExportFolder(const QString& folder) { m_exportFolder = folder; }
    // Copy, export, stop watching; owned by the caller.
    [[nodiscard]] QMenu* menuFor(int row);
    void refresh();

    [[nodiscard]] WatchModel& model() { return *m_model; }
    [[nodiscard]] QTableView& view() { return *m_view; }

signals:
    // A line for the console.
    void requested(const QString& line);
    // A line to be finished by who types.
    void typingRequested(const QString& begin);
    // Why the watches could not be written; reported once until it works again.
    void notKept(const QString& reason);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // `before`: how wide it was; 0: it is not wider or narrower now, what is watched is other.
    void shareRoom(int before);
    void removeSelected();
    void exportCsv();
    void save();

    QString m_exportFolder;
    Watches& m_watches;
    WatchModel* m_model;
    QTableView* m_view;
    EmptyState* m_empty;
    EmptySwitch* m_switch;
    QTimer* m_timer;
    QTimer* m_saveTimer;
    QString m_file;
    std::uint64_t m_saved = 0; // revision
    bool m_failing = false;    // when they were last written
    bool m_isSharing = false;
    bool m_isShareChosen = false; // the user resized a column
};

} // namespace sbx::ui
