#include "widgets/common/filter_bar.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QShortcut>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

namespace sbx::ui {

FilterBar::FilterBar(const Theme& theme, const QString& name, const QString& placeholder, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_edit(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_problem(new QLabel(this)),
      m_advice(new QLabel(this)),
      m_hint(new QLabel(tr("Not applied yet: Enter applies it, Esc takes it back."), this)),
      m_row(new QHBoxLayout),
      m_settle(new QTimer(this)) {
    setObjectName(name + QStringLiteral(".filterBar"));
    m_edit->setObjectName(name + QStringLiteral(".filter"));
    m_edit->setAccessibleName(tr("Filter"));
    m_edit->setPlaceholderText(placeholder);
    m_edit->setClearButtonEnabled(true);
    m_edit->addAction(theme.icon(QStringLiteral("filter"), Token::Muted), QLineEdit::LeadingPosition);
    m_edit->installEventFilter(this);
    m_count->setObjectName(name + QStringLiteral(".count"));
    m_count->setAccessibleName(tr("Rows shown"));
    m_count->setBackgroundRole(QPalette::Window);
    m_count->hide();
    m_problem->setObjectName(name + QStringLiteral(".problem"));
    m_problem->setWordWrap(true);
    setTextToken(*m_problem, theme, Token::Error);
    m_problem->hide();
    m_advice->setObjectName(name + QStringLiteral(".advice"));
    m_advice->setAccessibleName(tr("What the filter may mean"));
    m_advice->setWordWrap(true);
    m_advice->setTextFormat(Qt::RichText);
    m_advice->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setTextToken(*m_advice, theme, Token::Warning);
    m_advice->hide();
    m_hint->setObjectName(name + QStringLiteral(".hint"));
    m_hint->setWordWrap(true);
    setTextToken(*m_hint, theme, Token::Muted);
    m_hint->hide();
    m_settle->setSingleShot(true);
    m_settle->setInterval(measure::MotionMs);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(measure::PanelPadding, measure::RelatedGap, measure::PanelPadding,
                               measure::RelatedGap);
    column->setSpacing(2);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(measure::PanelPadding);
    m_row->addWidget(m_edit, 1);
    m_row->addWidget(m_count);
    column->addLayout(m_row);
    column->addWidget(m_problem);
    column->addWidget(m_advice);
    column->addWidget(m_hint);

    connect(m_edit, &QLineEdit::textChanged, this, [this](const QString& text) {
        setPrepared(false);
        text.isEmpty() ? tell() : m_settle->start();
    });
    connect(m_edit, &QLineEdit::returnPressed, this, [this] {
        m_applied = m_edit->text();
        tell();
    });
    connect(m_advice, &QLabel::linkActivated, this, [this] {
        const QString mended = m_mended; // it goes with the advice
        setText(mended);
        m_edit->setFocus(Qt::OtherFocusReason);
    });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* before, QWidget* now) {
        if (now == m_edit && before != nullptr && before->window() == window())
            m_before = before;
    });
    connect(m_settle, &QTimer::timeout, this, &FilterBar::tell);
    connect(&theme, &Theme::changed, this, &FilterBar::updateBadge);
    updateBadge();
}

QString FilterBar::text() const { return m_edit->text(); }

void FilterBar::setText(const QString& text) {
    m_edit->setText(text);
    m_applied = text;
    tell();
}

void FilterBar::prepare(const QString& text) {
    if (!m_prepared)
        tell(); // what was typed is in force
    m_edit->setText(text);
    m_settle->stop();
    setPrepared(text != m_told);
}

void FilterBar::setPrepared(bool prepared) {
    m_prepared = prepared;
    m_hint->setVisible(prepared);
}

void FilterBar::setCounts(qint64 shown, qint64 total, bool hiddenByOthers) {
    const QLocale locale(QLocale::English);
    m_count->setText(shown == total ? locale.toString(total)
                                    : tr("%1 of %2").arg(locale.toString(shown), locale.toString(total)));
    m_hiding = shown != total || hiddenByOthers;
    m_count->setToolTip(m_hiding ? tr("A filter hides %1 rows").arg(locale.toString(total - shown))
                                 : QString());
    m_count->show();
    updateBadge();
}

void FilterBar::setProblem(const QString& message) {
    if (shownText(message) == m_problem->text() && m_problem->isHidden() == message.isEmpty())
        return;
    m_problem->setText(shownText(message));
    m_problem->setVisible(!message.isEmpty());
    m_edit->setToolTip(tipText(message));
    setInvalid(*m_edit, !message.isEmpty());
}

void FilterBar::setAdvice(const QString& statement, const QString& nearest, const QString& mended) {
    QString text = htmlText(statement);
    if (!statement.isEmpty())
        text += nearest.isEmpty()
                    ? QStringLiteral(".")
                    : tr("; did you mean %1?")
                          .arg(QStringLiteral("<a href=\"mend\">%1</a>").arg(htmlText(nearest)));
    m_mended = mended;
    if (m_advice->text() != text)
        m_advice->setText(text);
    m_advice->setVisible(!text.isEmpty());
}

QString FilterBar::problem() const { return m_problem->text(); }

void FilterBar::focusOnFind(QWidget& panel) {
    auto* shortcut = new QShortcut(QKeySequence::Find, &panel);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, [this] {
        m_edit->setFocus(Qt::ShortcutFocusReason);
        m_edit->selectAll();
    });
}

void FilterBar::addTrailing(QWidget* widget) { m_row->addWidget(widget); }

bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_edit
        && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && !m_edit->text().isEmpty()) {
            if (event->type() == QEvent::ShortcutOverride) {
                event->accept();
                return true;
            }
            if (m_prepared)
                setText(m_told);
            else if (m_edit->text() != m_applied || !giveFocusBack())
                m_edit->clear();
            return true;
        }
        if (key->key() == Qt::Key_Escape && event->type() == QEvent::KeyPress && giveFocusBack())
            return true;
    }
    if (watched == m_edit && event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (!m_prepared && reason != Qt::PopupFocusReason
            && reason != Qt::ActiveWindowFocusReason) // completions, another window
            m_applied = m_edit->text();
    }
    return QWidget::eventFilter(watched, event);
}

bool FilterBar::giveFocusBack() {
    // In a dialog or a popup Esc leaves that.
    const Qt::WindowType type = window()->windowType();
    if (!m_leaves || m_before == nullptr || !m_before->isVisible() || !m_before->isEnabled() || type == Qt::Dialog || type == Qt::Popup)
        return false;
    m_before->setFocus(Qt::OtherFocusReason);
    return true;
}

void FilterBar::tell() {
    m_settle->stop();
    setPrepared(false);
    if (m_edit->text() == m_told)
        return;
    m_told = m_edit->text();
    emit filterChanged(m_told);
}

void FilterBar::updateBadge() {
    // Lit: accent words on a tinted ground; else a quiet number.
    setTextToken(*m_count, m_theme, m_hiding ? Token::Accent : Token::Muted);
    QPalette palette = m_count->palette();
    palette.setColor(QPalette::Window,
                     mix(m_theme.color(Token::Surface), m_theme.color(Token::Accent), 0.16));
    m_count->setPalette(palette);
    m_count->setAutoFillBackground(m_hiding);
    m_count->setContentsMargins(m_hiding ? 6 : 0, 2, m_hiding ? 6 : 0, 2);
}

} // namespace sbx::ui

#include "moc_filter_bar.cpp"
