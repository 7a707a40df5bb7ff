#pragma once
// The status bar: mode, tick, frames per second, selection, saved or not. Numbers keep their width, so nothing jitters.

#include <QColor>
#include <QStatusBar>
#include <QTimer>

class QLabel;

namespace sbx::ui {
class Document;
class Selection;
class SessionFeed;
class Theme;
} // namespace sbx::ui

namespace sbx::editor {

class NetworkBadge;
class StatusBadge;

class StatusStrip : public QStatusBar {
    Q_OBJECT

public:
    StatusStrip(const ui::Theme& theme, ui::SessionFeed& feed, ui::Document& document,
                ui::Selection& selection, QWidget* parent = nullptr);

    // What the pointer rests on, in one line; empty: nothing. Stands beside the figures, not in their place.
    void setHint(const QString& text);
    // What mouse and keys do now: stands there while there is nothing else to say and it fits whole.
    void setContext(const QString& text);
    // What was just done; disappears by itself, or with the next hint.
    void say(const QString& text);
    // "Stopped before Shield handles Damage": a tick stands, which is shown in place of the mode. Empty: none does.
    void setStopped(const QString& text);
    // Frames the viewport drew in a second; 0: it draws on demand.
    void setFramesPerSecond(double fps);
    void setProblems(int errors, int warnings);
    // The sound's device, short and in full; `unheard`: there is none. An empty text hides it.
    // "Binaural": how sound is rendered; empty: nothing renders.
    void setSoundMode(const QString& name);
    void setSound(const QString& text, const QString& whole, bool unheard);
    // "Restricted": that plugins are held back, and what that means in full. An empty text hides it.
    void setRestricted(const QString& text, const QString& whole);

    // Before the others.
    void addBadge(StatusBadge& badge);

    // The bell, with the number of unread notices; `tint`: of the worst of them.
    void setNotices(int unread, const QColor& tint);
    [[nodiscard]] StatusBadge& notices() { return *m_notices; }
    [[nodiscard]] NetworkBadge& network() { return *m_network; }
    // Hidden while nothing is held back.
    [[nodiscard]] StatusBadge& restricted() { return *m_restricted; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QLabel* label(const QString& name, const QString& accessible, int characters);
    void showFrame();
    void showSelection();
    void showSaved();
    void fitHint();

    static constexpr int SayMs = 6000;

    QString m_stopped;
    QString m_hintText;
    QString m_said;
    QString m_contextText;
    QTimer m_sayTimer;
    const ui::Theme& m_theme;
    ui::SessionFeed& m_feed;
    ui::Document& m_document;
    ui::Selection& m_selection;
    QLabel* m_mode;
    QLabel* m_tick;
    QLabel* m_fps;
    QLabel* m_chosen;
    QLabel* m_hint;
    StatusBadge* m_restricted;
    NetworkBadge* m_network;
    StatusBadge* m_notices;
    QLabel* m_problems;
    QLabel* m_soundMode;
    QLabel* m_sound;
    QLabel* m_saved;
};

} // namespace sbx::editor
