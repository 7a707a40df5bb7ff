#pragma once
// The console panel: filter bar with severity pills and channels, the log, the input line. Wiring only.
//
// Data flow: a timer asks the backend for records newer than the last one and feeds the model; the input line submits to the
// backend, whose answer comes back as log records. Window thread; parent owns it, the backend outlives it.

#include <QStringList>
#include <QWidget>

#include <array>

class QAction;
class QMenu;
class QToolButton;

namespace sbx::ui {

class ActionRegistry;
class ConsoleBackend;
class ConsoleInput;
class EmptyState;
class EmptySwitch;
class FilterBar;
class LogModel;
class LogView;
class SeverityPill;
class Theme;

class ConsolePanel : public QWidget {
    Q_OBJECT

public:
    ConsolePanel(const Theme& theme, ConsoleBackend& backend, QWidget* parent = nullptr);

    // "console.clear", "console.copy", "console.pause", "console.focus": for menus, shortcuts and the palette. Call once.
    void addActions(ActionRegistry& registry);

    // Reads the history from a file, and writes it there after every line.
    void keepHistory(const QString& file);
    [[nodiscard]] QStringList history() const;

    [[nodiscard]] bool isPaused() const { return m_paused; }
    void setPaused(bool paused);
    void clear();
    void copy();
    void focusInput();

    [[nodiscard]] LogModel& model() { return *m_model; }
    [[nodiscard]] LogView& view() { return *m_view; }
    [[nodiscard]] ConsoleInput& input() { return *m_input; }

private:
    void poll();
    void applyText();
    void refreshCounts();
    void refreshPill();
    void fillChannels();
    void clearFilters();
    QToolButton* button(const QString& name, const QString& icon, const QString& text, const QString& tip);

    const Theme& m_theme;
    ConsoleBackend& m_backend;
    LogModel* m_model;
    LogView* m_view;
    FilterBar* m_filter;
    ConsoleInput* m_input;
    EmptyState* m_empty;
    EmptySwitch* m_switch;
    QAction* m_fill; // of the empty state
    QToolButton* m_expression;
    QToolButton* m_channels;
    QToolButton* m_pause;
    QMenu* m_channelMenu;
    std::array<SeverityPill*, 5> m_pills{};
    quint64 m_seen = 0; // latest sequence when the view stopped following
    bool m_paused = false;
};

} // namespace sbx::ui
