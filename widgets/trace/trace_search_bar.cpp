#include "widgets/trace/trace_search_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QToolButton>

#include "widgets/common/theme.h"
#include "widgets/trace/trace_search.h"

#include <utility>

namespace sbx::ui {

TraceSearchBar::TraceSearchBar(const Theme& theme, TraceSearch& search, std::function<std::uint64_t()> here, QWidget* parent)
    : QWidget(parent),
      m_search(search),
      m_here(std::move(here)),
      m_edit(new QLineEdit(this)),
      m_notice(new QLabel(this)),
      m_count(new QLabel(this)) {
    setObjectName(QStringLiteral("trace.searchBar"));
    m_edit->setObjectName(QStringLiteral("trace.search"));
    m_edit->setAccessibleName(tr("Find in the rows"));
    m_edit->setPlaceholderText(tr("Find in all columns and fields: Enter goes to the next row"));
    m_edit->setClearButtonEnabled(true);
    m_edit->setFont(theme.font(FontRole::Mono));
    m_edit->addAction(theme.icon(QStringLiteral("search"), Token::Muted), QLineEdit::LeadingPosition);
    m_edit->installEventFilter(this);
    connect(&theme, &Theme::changed, m_edit, [this, &theme] { m_edit->setFont(theme.font(FontRole::Mono)); });
    m_notice->setObjectName(QStringLiteral("trace.searchNotice"));
    m_notice->setAccessibleName(tr("Where the search went on"));
    setTextToken(*m_notice, theme, Token::Warning);
    m_notice->hide();
    m_count->setObjectName(QStringLiteral("trace.searchCount"));
    m_count->setAccessibleName(tr("Rows found"));
    setTextToken(*m_count, theme, Token::Muted);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(measure::PanelPadding, 0, measure::PanelPadding, measure::RelatedGap);
    row->setSpacing(measure::PanelPadding);
    row->addWidget(m_edit, 1);
    row->addWidget(m_notice);
    row->addWidget(m_count);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(0);
    row->addLayout(buttons);
    const auto button = [&](const char* name, const char* icon, const QString& title) {
        auto* made = new QToolButton(this);
        made->setObjectName(QStringLiteral("trace.search") + QLatin1String(name));
        made->setAccessibleName(title);
        made->setToolTip(title);
        made->setIcon(theme.icon(QLatin1String(icon)));
        made->setAutoRaise(true);
        made->setFixedHeight(measure::ControlHeight);
        buttons->addWidget(made);
        return made;
    };
    connect(button("Previous", "arrow-up", tr("Previous (Shift+Enter, Shift+F3)")), &QToolButton::clicked, this, [this] { find(false); });
    connect(button("Next", "arrow-down", tr("Next (Enter, F3)")), &QToolButton::clicked, this, [this] { find(true); });
    connect(button("Close", "close", tr("Close (Esc)")), &QToolButton::clicked, this, &TraceSearchBar::stop);

    connect(m_edit, &QLineEdit::textChanged, this, &TraceSearchBar::begin);
    connect(&search, &TraceSearch::changed, this, &TraceSearchBar::refresh);
    connect(&search, &TraceSearch::found, this, [this](quint64 sequence, bool round) {
        m_moved = true;
        m_notice->setText(!round ? QString() : m_forward ? tr("Went on from the top") : tr("Went on from the end"));
        m_notice->setVisible(round);
        emit found(sequence);
        refresh();
    });
    connect(&search, &TraceSearch::foundNothing, this, &TraceSearchBar::refresh);
    hide();
}

void TraceSearchBar::begin() {
    m_moved = false;
    m_notice->hide();
    m_search.start(m_edit->text(), m_here());
    refresh();
}

void TraceSearchBar::start() {
    const bool open = isVisible();
    show();
    if (!open)
        begin();
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void TraceSearchBar::stop() {
    hide();
    m_search.stop();
    emit closed();
}

void TraceSearchBar::find(bool forward) {
    if (m_edit->text().isEmpty()) {
        start();
        return;
    }
    if (!isVisible()) {
        show();
        begin();
        m_moved = true; // the row that is looked at was the place before
    }
    m_forward = forward;
    m_notice->hide();
    m_search.find(forward, m_here(), !m_moved);
    refresh();
}

QString TraceSearchBar::countText() const { return m_count->text(); }

QString TraceSearchBar::noticeText() const { return m_notice->isHidden() ? QString() : m_notice->text(); }

void TraceSearchBar::refresh() {
    const QLocale locale(QLocale::English);
    const auto number = [&locale](std::size_t n) { return locale.toString(static_cast<qulonglong>(n)); };
    const bool none = m_search.hits() == 0 && m_search.isDone();
    QString text;
    if (m_search.text().isEmpty()) {
        text = QString();
    } else if (none) {
        text = tr("none");
    } else {
        const std::uint64_t here = m_here();
        text = m_search.isDone() && m_search.isHit(here) ? tr("%1 of %2").arg(number(m_search.hitsUpTo(here)), number(m_search.hits()))
                                                        : number(m_search.hits());
        if (!m_search.isDone())
            text = tr("%1, %2 % searched").arg(text).arg(static_cast<int>(m_search.progress() * 100));
    }
    if (m_count->text() != text)
        m_count->setText(text);
    setInvalid(*m_edit, none && !m_search.text().isEmpty());
}

bool TraceSearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_edit && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        const bool escape = key.key() == Qt::Key_Escape;
        const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
        if (escape || enter) {
            if (event->type() == QEvent::ShortcutOverride)
                event->accept();
            else if (escape)
                stop();
            else
                find(!key.modifiers().testFlag(Qt::ShiftModifier));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace sbx::ui

#include "moc_trace_search_bar.cpp"
