#pragma once
// Notices: small cards bottom right of a window that say what happened and offer the way to its cause. They
// never take focus. Identical ones are counted, not repeated; of one subject (its context) only the newest
// state is shown. They go when closed, when their subject is settled, or, without a subject or an action, after a while: nothing can settle
// them, and the console has the line.
// NoticeList is the record (GUI thread, one per window) and keeps them all, read or not, for the list of NoticePopup; NoticeStack shows its live entries over a window,
// and moves no card while the pointer is over them.

#include <QColor>
#include <QDateTime>
#include <QFrame>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

#include "engine/core/diagnostic.h"

#include <functional>
#include <vector>

namespace sbx::ui {

class Theme;

// Name of the icon that goes with it: severity is never shown by colour alone.
[[nodiscard]] QString severityIcon(Severity severity);
[[nodiscard]] QColor severityColor(const Theme& theme, Severity severity);

struct NoticeAction {
    QString text;
    std::function<void()> run;
    bool keeps = false; // the notice stays
};

struct Notice {
    Severity severity = Severity::Note; // the engine's: note, warning, error
    QString text;                       // one or two lines: what, where, what would be right
    QString actionText;                 // "Show": empty for none
    std::function<void()> action;
    // Its subject: a file, "play", …. A newer notice takes the place of an older one of the same subject, and
    // dismissContext() takes it away. Empty: none.
    QString context;
    // Set by the list.
    int id = 0;
    int count = 1;
    QDateTime time;
    QList<NoticeAction> choices = {}; // instead of the action: several, in a row below the text
    // Set by the list. The matter is settled, or a newer notice has taken the place of this one: its buttons mean nothing any more.
    bool isOver = false;
    bool isRead = false; // closed by the user, or seen in the list

    [[nodiscard]] bool hasButtons() const { return !actionText.isEmpty() || !choices.isEmpty(); }
};

class NoticeList : public QObject {
    Q_OBJECT

public:
    explicit NoticeList(QObject* parent = nullptr);

    // Same severity, text and context as a live one: counts it up instead. Another text of the same context
    // takes that one's place. Returns its id.
    int post(Notice notice);
    // Milliseconds after which it disappears by itself; 0: it stays until it is settled.
    [[nodiscard]] static int lifeMs(const Notice& notice);
    // As the user does: the card goes. What has a subject is not settled by that, and keeps its buttons in the log.
    void dismiss(int id);
    // The matter is settled.
    void dismissContext(const QString& context);
    // All contexts that begin so: "file ".
    void dismissContexts(const QString& beginning);
    [[nodiscard]] const QList<Notice>& live() const { return m_live; }
    // All of this run, oldest first, at most 500.
    [[nodiscard]] const QList<Notice>& log() const { return m_log; }
    // Of the log. Severity: the worst of those; Note if there are none.
    [[nodiscard]] int unread() const;
    [[nodiscard]] Severity worstUnread() const;
    void markAllRead();
    // Takes all out of the log but what waits for an answer of the user's.
    void clearLog();
    // An entry that is not over and has buttons.
    [[nodiscard]] static bool waits(const Notice& notice) { return !notice.isOver && notice.hasButtons(); }

signals:
    // What is live is another.
    void changed();
    void logChanged();

private:
    void settle(const std::function<bool(const Notice&)>& isMeant);
    void removeLive(int id, bool byUser);

    QList<Notice> m_live;
    QList<Notice> m_log;
    int m_nextId = 1;
};

class NoticeStack : public QWidget {
    Q_OBJECT

public:
    // Lies over `window`, bottom right, `bottomMargin` above its lower edge (the status bar); in a main window over what stands in its
    // middle, where there is room for it and no figures are shown.
    NoticeStack(const Theme& theme, NoticeList& list, QWidget& window, int bottomMargin = 32);

    // What the notices must not lie over, in the window's frame, asked whenever they are placed: where the corner at the bottom right would
    // cover some of it, they take another corner.
    void setObstacles(std::function<std::vector<QRect>()> obstacles) { m_obstacles = std::move(obstacles); }
    // The obstacles have moved. Notices under the pointer stay where they are.
    void makeWay();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    // A card, or the room of one that went while the pointer was over the stack.
    struct Slot {
        Notice notice;
        QWidget* card = nullptr; // a child
        bool gone = false;
    };

    void rebuild();
    void place();
    void putCard(Slot& slot, int position);
    void removeCard(Slot& slot);

    std::vector<Slot> m_slots; // from the top down: the newest first
    bool m_hovered = false;

    const Theme& m_theme;
    NoticeList& m_list;
    QWidget& m_window;
    int m_bottomMargin;
    std::function<std::vector<QRect>()> m_obstacles;
};

} // namespace sbx::ui
