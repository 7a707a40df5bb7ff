#include "widgets/common/notice_popup.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "widgets/common/empty_state.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/notice.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {
constexpr int PopupWidth = 440;
constexpr int PopupHeight = 380;
} // namespace

NoticePopup::NoticePopup(const Theme& theme, NoticeList& list, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_theme(theme),
      m_list(list),
      m_clear(new QPushButton(tr("Clear"), this)),
      m_area(new QScrollArea) {
    setObjectName(QStringLiteral("notices.popup"));
    setAccessibleName(tr("Notices"));
    setFrameShape(StyledPanel);
    resize(PopupWidth, PopupHeight);
    auto* title = new QLabel(tr("Notices"), this);
    title->setObjectName(QStringLiteral("notices.title"));
    title->setFont(theme.strongFont(FontRole::Ui));
    m_clear->setObjectName(QStringLiteral("notices.clear"));
    m_clear->setAccessibleName(tr("Clear the notices"));
    m_clear->setToolTip(tr("Take out all that do not wait for an answer"));
    m_area->setObjectName(QStringLiteral("notices.area"));
    m_area->setAccessibleName(tr("Notices, newest first"));
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* empty = new EmptyState(theme, QStringLiteral("bell"),
                                 tr("No notices. What the program has to say is kept here until it ends."));
    empty->setObjectName(QStringLiteral("notices.empty"));
    m_switch = new EmptySwitch(m_area, empty, this);
    m_switch->setObjectName(QStringLiteral("notices.switch"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, measure::PanelPadding, measure::PanelPadding, measure::PanelPadding);
    head->addWidget(title, 1);
    head->addWidget(m_clear);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_switch, 1);
    connect(m_clear, &QPushButton::clicked, &m_list, &NoticeList::clearLog);
    connect(&m_list, &NoticeList::logChanged, this, [this] {
        if (isVisible())
            rebuild();
    });
}

// Icon, text and time in a line; below them the buttons.
QWidget* NoticePopup::makeRow(const Notice& notice) {
    auto* row = new QWidget;
    row->setObjectName(QStringLiteral("notices.row"));
    row->setAccessibleName(shownText(notice.text));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(12, measure::PanelPadding, 12, measure::PanelPadding);
    line->setSpacing(measure::PanelPadding);
    auto* icon = new QLabel(row);
    icon->setObjectName(QStringLiteral("notices.icon"));
    icon->setPixmap(m_theme.icon(severityIcon(notice.severity), severityColor(m_theme, notice.severity))
                        .pixmap(QSize(measure::IconSize, measure::IconSize), devicePixelRatioF()));
    line->addWidget(icon, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(measure::PanelPadding);
    auto* text = new QLabel(htmlText(notice.text).replace(QLatin1Char('\n'), QLatin1String("<br>")), row);
    text->setObjectName(QStringLiteral("notices.text"));
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    setTextToken(*text, m_theme, notice.isOver ? Token::Muted : Token::Text);
    column->addWidget(text);
    if (NoticeList::waits(notice)) {
        auto* buttons = new QHBoxLayout;
        buttons->setSpacing(measure::PanelPadding);
        const auto add = [&](const QString& label, const std::function<void()>& run) {
            auto* button = new QPushButton(label, row);
            button->setObjectName(QStringLiteral("notices.action"));
            // It may open a dialog: this goes first, and the row with it.
            connect(
                button, &QPushButton::clicked, &m_list,
                [this, run] {
                    close();
                    if (run)
                        run();
                },
                Qt::QueuedConnection);
            buttons->addWidget(button);
        };
        if (notice.choices.isEmpty())
            add(notice.actionText, notice.action);
        // What does nothing only puts the card away.
        for (const NoticeAction& choice : notice.choices)
            if (choice.run)
                add(choice.text, choice.run);
        buttons->addStretch();
        column->addLayout(buttons);
    }
    line->addLayout(column, 1);
    auto* time = new QLabel((notice.count > 1 ? QStringLiteral("×%1  ").arg(notice.count) : QString())
                                + notice.time.toString(QStringLiteral("HH:mm:ss")),
                            row);
    time->setObjectName(QStringLiteral("notices.time"));
    time->setFont(m_theme.font(FontRole::Mono));
    setTextToken(*time, m_theme, Token::Muted);
    line->addWidget(time, 0, Qt::AlignTop);
    return row;
}

void NoticePopup::rebuild() {
    const int scrolled = m_area->verticalScrollBar()->value();
    auto* rows = new QWidget;
    rows->setObjectName(QStringLiteral("notices.rows"));
    auto* column = new QVBoxLayout(rows);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    const QList<Notice>& log = m_list.log();
    for (auto notice = log.rbegin(); notice != log.rend(); ++notice) {
        auto* rule = new QFrame;
        rule->setObjectName(QStringLiteral("notices.rule"));
        rule->setFrameShape(HLine);
        rule->setFixedHeight(1);
        column->addWidget(rule);
        column->addWidget(makeRow(*notice));
    }
    column->addStretch();
    m_area->setWidget(rows); // deletes the former ones
    m_area->verticalScrollBar()->setValue(scrolled);
    m_switch->setEmpty(log.isEmpty());
    m_clear->setEnabled(
        std::any_of(log.begin(), log.end(), [](const Notice& notice) { return !NoticeList::waits(notice); }));
    if (m_list.unread() > 0)
        m_list.markAllRead();
}

void NoticePopup::showEvent(QShowEvent* event) {
    rebuild();
    m_area->verticalScrollBar()->setValue(0);
    QFrame::showEvent(event);
}

void NoticePopup::popUp(const QWidget& anchor) {
    const QRect room = anchor.screen()->availableGeometry();
    const QPoint corner = anchor.mapToGlobal(QPoint(anchor.width(), 0));
    move(std::clamp(corner.x() - width(), room.left(), std::max(room.left(), room.right() - width())),
         std::max(room.top(), corner.y() - height() - measure::RelatedGap));
    show();
    m_area->setFocus();
}

} // namespace sbx::ui

#include "moc_notice_popup.cpp"
