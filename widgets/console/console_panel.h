#pragma once
// The console panel: filter bar with severity pills and channels, the log, the input line. Wiring only.
//
// Data flow: a timer asks the backend for records newer than the last one and feeds the model; the input line submits to the
// backend, whose answer comes back as log records. A CVar that is dropped here is watched. GUI thread; parent owns it, the backend outlives it.

#include <QStringList>
#include <QWidget>

#include "widgets/console/log_links.h"

#include <array>

class QAction;
class QComboBox;
class QMenu;
class QSplitter;
class QToolButton;

namespace sbx::ui {

class ActionRegistry;
class ConsoleBackend;
class ConsoleInput;
class CVarTable;
class EmptyState;
class EmptySwitch;
class FilterBar;
class LogModel;
class LogView;
class MessageNote;
class SeverityPill;
class Theme;
class WatchList;

class ConsolePanel : public QWidget {
    Q_OBJECT

public:
    ConsolePanel(const Theme& theme, ConsoleBackend& backend, QWidget* parent = nullptr);

    // "console.clear", "console.copy", "console.pause", "console.focus", "console.cvars", "console.watches": for menus, shortcuts and the palette. Call once.
    void addActions(ActionRegistry& registry);

    // Reads the history from a file, and writes it there after every line.
    void keepHistory(const QString& file);
    [[nodiscard]] QStringList history() const;
    // The CVars stand beside the log.
    void setTableShown(bool shown);
    [[nodiscard]] bool isTableShown() const;
    void setWatchesShown(bool shown);
    [[nodiscard]] bool areWatchesShown() const;
    // The beginning of a line, to be finished by who types.
    void type(const QString& begin);
    // The selected message, above the line: its number and what is said of it; 0: none is.
    void setMessage(quint64 sequence, const QString& text);
    // What of the log's text is a link, beside CVars, and what is said of it under the mouse.
    void setLinkNames(LinkNames names);

    [[nodiscard]] bool isPaused() const { return m_paused; }
    void setPaused(bool paused);
    void clear();
    void copy();
    void focusInput();

    [[nodiscard]] LogModel& model() { return *m_model; }
    [[nodiscard]] LogView& view() { return *m_view; }
    [[nodiscard]] ConsoleInput& input() { return *m_input; }
    // Null without CVars.
    [[nodiscard]] CVarTable* table() { return m_table; }
    // Null without watches.
    [[nodiscard]] WatchList* watches() { return m_watches; }

signals:
    // A name, message or place in the log was chosen; CVars are shown here.
    void linkActivated(const sbx::ui::LogLink& link);
    // The user wants to go back from the input line to the viewport.
    void left();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void poll();
    void applyText();
    void refreshCounts();
    void refreshPill();
    void fillChannels();
    void clearFilters();
    void submit(const QString& line);
    QToolButton* addSide(QWidget& side, const QString& name, const QString& icon, const QString& tip);
    void createTable();
    void createWatches();
    void fillTargets();
    void showTarget();
    void followWatches();
    QToolButton* button(const QString& name, const QString& icon, const QString& text, const QString& tip);

    const Theme& m_theme;
    ConsoleBackend& m_backend;
    LogModel* m_model;
    LogView* m_view;
    FilterBar* m_filter;
    ConsoleInput* m_input;
    MessageNote* m_message;
    quint64 m_messageNumber = 0;
    EmptyState* m_empty;
    EmptySwitch* m_switch;
    QAction* m_fill; // of the empty state
    QToolButton* m_expression;
    QToolButton* m_channels;
    QToolButton* m_pause;
    QToolButton* m_tableButton = nullptr;
    CVarTable* m_table = nullptr;
    QToolButton* m_watchButton = nullptr;
    WatchList* m_watches = nullptr;
    QComboBox* m_target = nullptr;
    quint64 m_targetRevision = 0;
    quint64 m_watchRevision = 0;
    int m_watchCount = 0;
    QSplitter* m_split = nullptr;
    QMenu* m_channelMenu;
    std::array<SeverityPill*, 5> m_pills{};
    quint64 m_seen = 0; // latest sequence when the view stopped following
    bool m_paused = false;
};

} // namespace sbx::ui
