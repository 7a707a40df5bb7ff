#include "widgets/common/notice.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QMainWindow>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/overlay_layout.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

constexpr int LogLimit = 500;
constexpr int LiveLimit = 5;
constexpr int LiveLimitSmall = 3; // in a window so low that more would cover most of its middle
constexpr int SmallWindow = 800;  // pixels
constexpr int InfoMs = 6000;
constexpr int FaultMs = 12'000;
constexpr int CardWidth = 360;

// One notice: a raised card with a severity icon, its text, the count and its action. Takes no focus.
class NoticeCard : public QWidget {
public:
    NoticeCard(const Theme& theme, const Notice& notice, NoticeList& list, QWidget* parent)
        : QWidget(parent), m_theme(theme), m_notice(notice) {
        setObjectName(QStringLiteral("notice.card"));
        setAccessibleName(shownText(notice.text));
        setFixedWidth(CardWidth);
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(36, 8, 8, 8);
        row->setSpacing(8);
        QString words = htmlText(notice.text).replace(QLatin1Char('\n'), QLatin1String("<br>"));
        auto* text = new QLabel(words, this);
        text->setTextFormat(Qt::RichText);
        text->setWordWrap(true);
        text->setObjectName(QStringLiteral("notice.text"));
        const int id = notice.id;
        QToolButton* act = nullptr;
        if (!notice.actionText.isEmpty()) {
            act = new QToolButton(this);
            act->setText(notice.actionText);
            act->setObjectName(QStringLiteral("notice.action"));
            act->setFocusPolicy(Qt::NoFocus);
            connect(act, &QToolButton::clicked, &list, [&list, id, action = notice.action] {
                if (action)
                    action();
                list.dismiss(id);
            });
        }
        // A button stands beside a text of one line, else below it, so that the text has the width of the card.
        const bool below = !notice.choices.isEmpty() || (act != nullptr && !isShort(*text, notice, *act));
        if (!below) {
            row->addWidget(text, 1);
        } else {
            auto* column = new QVBoxLayout;
            column->setSpacing(8);
            column->addWidget(text);
            auto* buttons = new QHBoxLayout;
            buttons->setSpacing(8);
            for (const NoticeAction& choice : notice.choices)
                buttons->addWidget(choiceButton(choice, list, id));
            if (act != nullptr)
                buttons->addWidget(act);
            buttons->addStretch();
            column->addLayout(buttons);
            row->addLayout(column, 1);
        }
        if (notice.count > 1) {
            auto* count = new QLabel(QStringLiteral("×%1").arg(notice.count), this);
            count->setObjectName(QStringLiteral("notice.count"));
            count->setForegroundRole(QPalette::PlaceholderText);
            row->addWidget(count, 0, Qt::AlignTop);
        }
        if (act != nullptr && !below)
            row->addWidget(act, 0, Qt::AlignTop);
        auto* close = new QToolButton(this);
        close->setIcon(theme.icon(QStringLiteral("close"), Token::Muted));
        close->setAutoRaise(true);
        close->setIconSize(QSize(12, 12));
        close->setFocusPolicy(Qt::NoFocus);
        close->setObjectName(QStringLiteral("notice.close"));
        close->setAccessibleName(NoticeStack::tr("Dismiss"));
        connect(close, &QToolButton::clicked, &list, [&list, id] { list.dismiss(id); });
        row->addWidget(close, 0, Qt::AlignTop);
    }

private:
    // Whether the text fits into one line beside the button.
    static bool isShort(const QLabel& text, const Notice& notice, const QWidget& button) {
        text.ensurePolished();
        button.ensurePolished();
        constexpr int Others = 36 + 8 + 3 * 8 + 24; // margins, gaps, the button that closes
        return !notice.text.contains(QLatin1Char('\n'))
               && text.fontMetrics().horizontalAdvance(notice.text) + button.sizeHint().width() + Others
                      <= CardWidth;
    }

    QPushButton* choiceButton(const NoticeAction& choice, NoticeList& list, int id) {
        auto* button = new QPushButton(choice.text, this);
        button->setObjectName(QStringLiteral("notice.choice"));
        button->setFocusPolicy(Qt::NoFocus);
        connect(button, &QPushButton::clicked, &list, [&list, id, choice] {
            if (!choice.keeps)
                list.dismiss(id);
            if (choice.run)
                choice.run();
        });
        return button;
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(m_theme.color(Token::Raised));
        painter.setPen(m_theme.color(Token::Line));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), measure::Radius,
                                measure::Radius);
        m_theme.icon(severityIcon(m_notice.severity), severityColor(m_theme, m_notice.severity))
            .paint(&painter, QRect(12, 12, 16, 16));
    }

private:
    const Theme& m_theme;
    Notice m_notice;
};

} // namespace

QString severityIcon(Severity severity) {
    switch (severity) {
    case Severity::Note:
        return QStringLiteral("info");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Error:
        return QStringLiteral("error");
    }
    return QStringLiteral("info");
}

QColor severityColor(const Theme& theme, Severity severity) {
    switch (severity) {
    case Severity::Note:
        return theme.color(Token::Info);
    case Severity::Warning:
        return theme.color(Token::Warning);
    case Severity::Error:
        return theme.color(Token::Error);
    }
    return theme.color(Token::Info);
}

NoticeList::NoticeList(QObject* parent) : QObject(parent) {}

int NoticeList::lifeMs(const Notice& notice) {
    if (!notice.choices.isEmpty())
        return 0; // a question waits for its answer
    if (notice.severity == Severity::Note)
        return InfoMs;
    return notice.context.isEmpty() && notice.actionText.isEmpty() ? FaultMs : 0;
}

int NoticeList::post(Notice notice) {
    notice.time = QDateTime::currentDateTime();
    notice.isOver = false;
    notice.isRead = false;
    const auto same = std::find_if(m_live.begin(), m_live.end(), [&](const Notice& other) {
        return other.severity == notice.severity && other.text == notice.text
               && other.context == notice.context;
    });
    if (same != m_live.end()) {
        notice.id = same->id;
        notice.count = same->count + 1;
        *same = notice;
        const auto logged = std::find_if(m_log.begin(), m_log.end(),
                                         [&](const Notice& other) { return other.id == notice.id; });
        if (logged != m_log.end())
            *logged = notice;
    } else {
        notice.id = m_nextId++;
        notice.count = 1;
        const auto isOlder = [&](const Notice& other) {
            return !notice.context.isEmpty() && other.context == notice.context;
        };
        // The older state is true no more, shown or not.
        for (Notice& logged : m_log)
            if (isOlder(logged))
                logged.isOver = logged.isRead = true;
        if (const auto older = std::find_if(m_live.begin(), m_live.end(), isOlder); older != m_live.end())
            *older = notice;
        else
            m_live.append(notice);
        m_log.append(notice);
        if (m_log.size() > LogLimit)
            m_log.removeFirst();
    }
    const int id = notice.id;
    if (const int ms = lifeMs(notice); ms > 0) {
        const int count = notice.count;
        QTimer::singleShot(ms, this, [this, id, count] {
            // A repeat in the meantime has a clock of its own.
            const auto it = std::find_if(m_live.begin(), m_live.end(),
                                         [id](const Notice& other) { return other.id == id; });
            if (it != m_live.end() && it->count == count)
                removeLive(id, false);
        });
    }
    emit changed();
    emit logChanged();
    return id;
}

void NoticeList::dismiss(int id) { removeLive(id, true); }

void NoticeList::removeLive(int id, bool byUser) {
    for (Notice& logged : m_log)
        if (logged.id == id) {
            logged.isRead = logged.isRead || byUser;
            logged.isOver = logged.isOver || logged.context.isEmpty(); // nothing could settle it later
        }
    if (m_live.removeIf([id](const Notice& notice) { return notice.id == id; }) > 0)
        emit changed();
    emit logChanged();
}

void NoticeList::settle(const std::function<bool(const Notice&)>& isMeant) {
    bool any = false;
    for (Notice& logged : m_log)
        if (isMeant(logged) && !logged.isOver)
            any = logged.isOver = true;
    if (m_live.removeIf(isMeant) > 0)
        emit changed();
    if (any)
        emit logChanged();
}

void NoticeList::dismissContext(const QString& context) {
    settle([&](const Notice& notice) { return notice.context == context; });
}

void NoticeList::dismissContexts(const QString& beginning) {
    settle([&](const Notice& notice) { return notice.context.startsWith(beginning); });
}

int NoticeList::unread() const {
    return static_cast<int>(
        std::count_if(m_log.begin(), m_log.end(), [](const Notice& notice) { return !notice.isRead; }));
}

Severity NoticeList::worstUnread() const {
    Severity worst = Severity::Note;
    for (const Notice& notice : m_log)
        if (!notice.isRead && notice.severity > worst)
            worst = notice.severity;
    return worst;
}

void NoticeList::markAllRead() {
    bool any = false;
    for (Notice& notice : m_log)
        any = !std::exchange(notice.isRead, true) || any;
    if (any)
        emit logChanged();
}

void NoticeList::clearLog() {
    if (m_live.removeIf([](const Notice& notice) { return !waits(notice); }) > 0)
        emit changed();
    if (m_log.removeIf([](const Notice& notice) { return !waits(notice); }) > 0)
        emit logChanged();
}

NoticeStack::NoticeStack(const Theme& theme, NoticeList& list, QWidget& window, int bottomMargin)
    : QWidget(&window), m_theme(theme), m_list(list), m_window(window), m_bottomMargin(bottomMargin) {
    setObjectName(QStringLiteral("notices"));
    setAccessibleName(tr("Notices"));
    setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(measure::PanelPadding);
    window.installEventFilter(this);
    if (const auto* main = qobject_cast<QMainWindow*>(&window);
        main != nullptr && main->centralWidget() != nullptr)
        main->centralWidget()->installEventFilter(this);
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        dock->installEventFilter(this);
    connect(&list, &NoticeList::changed, this, &NoticeStack::rebuild);
    rebuild();
}

bool NoticeStack::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        place(); // of the window, or of what the docks leave
    // A dock may come later, and any dock that is raised or shown comes to lie over its siblings.
    if (watched == &m_window && event->type() == QEvent::ChildPolished) {
        if (auto* dock = qobject_cast<QDockWidget*>(static_cast<QChildEvent*>(event)->child()))
            dock->installEventFilter(this);
    } else if (watched != &m_window
               && (event->type() == QEvent::ZOrderChange || event->type() == QEvent::Show)) {
        // Not before the dock has been notified: only the topmost of all brings its tab to the front.
        QMetaObject::invokeMethod(
            this, [this] { raise(); }, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

void NoticeStack::enterEvent(QEnterEvent* event) {
    m_hovered = true;
    QWidget::enterEvent(event);
}

void NoticeStack::leaveEvent(QEvent* event) {
    m_hovered = false;
    QWidget::leaveEvent(event);
    rebuild();
}

void NoticeStack::putCard(Slot& slot, int position) {
    auto* card = new NoticeCard(m_theme, slot.notice, m_list, this);
    // The room of a card that goes under the pointer stays until the pointer leaves.
    QSizePolicy policy = card->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    card->setSizePolicy(policy);
    static_cast<QVBoxLayout*>(layout())->insertWidget(position, card);
    card->show();
    slot.card = card;
    slot.gone = false;
}

void NoticeStack::removeCard(Slot& slot) {
    layout()->removeWidget(slot.card);
    // The click that dismissed it may still be running.
    slot.card->hide();
    slot.card->deleteLater();
}

void NoticeStack::rebuild() {
    const QList<Notice>& live = m_list.live();
    const int most = m_window.height() < SmallWindow ? LiveLimitSmall : LiveLimit;
    // A card that has just slid under the pointer must not be clicked by accident: while the pointer is here, cards that go leave their
    // space empty, newer states
    // stand where the older ones stood, and new cards come on top.
    const bool held = m_hovered && !live.isEmpty();
    const auto isShown = [&](const Notice& notice) {
        return std::any_of(m_slots.begin(), m_slots.end(),
                           [&](const Slot& slot) { return !slot.gone && slot.notice.id == notice.id; });
    };
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        Slot& slot = m_slots[i];
        const auto now = std::find_if(live.begin(), live.end(), [&](const Notice& notice) {
            return !slot.gone
                   && (notice.id == slot.notice.id
                       || (!notice.context.isEmpty() && notice.context == slot.notice.context
                           && !isShown(notice)));
        });
        if (now == live.end()) {
            slot.gone = true;
            slot.card->hide();
        } else if (now->id != slot.notice.id || now->count != slot.notice.count) {
            const int height = slot.card->height();
            removeCard(slot);
            slot.notice = *now;
            putCard(slot, static_cast<int>(i));
            if (held)
                slot.card->setMinimumHeight(height);
        }
    }
    if (!held) {
        // The newest only, without the room of those that went.
        const auto first = std::max<qsizetype>(0, live.size() - most);
        std::erase_if(m_slots, [&](Slot& slot) {
            const bool kept =
                !slot.gone && std::any_of(live.begin() + first, live.end(), [&](const Notice& notice) {
                    return notice.id == slot.notice.id;
                });
            if (!kept)
                removeCard(slot);
            else
                slot.card->setMinimumHeight(0);
            return !kept;
        });
    }
    for (qsizetype i = std::max<qsizetype>(0, live.size() - most); i < live.size(); ++i)
        if (!isShown(live[i])) {
            Slot slot{live[i]};
            putCard(slot, 0);
            m_slots.insert(m_slots.begin(), slot);
        }
    setVisible(!live.isEmpty());
    if (live.isEmpty())
        m_hovered = false; // a hidden widget gets no event when the pointer leaves
    place();
    raise();
}

void NoticeStack::place() {
    layout()->activate();
    const QSize size = layout()->hasHeightForWidth()
                           ? QSize(CardWidth, layout()->totalHeightForWidth(CardWidth))
                           : layout()->totalSizeHint();
    resize(size);
    QRect area = m_window.rect().adjusted(0, 0, 0, measure::GroupGap - m_bottomMargin);
    if (const auto* main = qobject_cast<QMainWindow*>(&m_window))
        if (const QWidget* centre = main->centralWidget();
            centre != nullptr && centre->width() >= size.width() + 2 * measure::GroupGap)
            area = centre->geometry();
    constexpr int Gap = measure::GroupGap;
    const int left = area.x() + Gap;
    const int right = area.x() + area.width() - size.width() - Gap;
    const int top = area.y() + Gap;
    const int bottom = area.y() + area.height() - size.height() - Gap;
    OverlayLayout places(area & m_window.rect());
    if (m_obstacles)
        for (const QRect& obstacle : m_obstacles())
            places.occupy(obstacle);
    move(places.place(size, {{right, bottom}, {right, top}, {left, bottom}, {left, top}}));
}

void NoticeStack::makeWay() {
    if (isVisible() && !underMouse())
        place();
}

} // namespace sbx::ui

#include "moc_notice.cpp"
