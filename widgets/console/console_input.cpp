#include "widgets/console/console_input.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QValidator>

#include "widgets/common/candidate_popup.h"
#include "widgets/common/theme.h"
#include "widgets/console/console_backend.h"

#include <algorithm>

namespace sbx::ui {

namespace {

constexpr qsizetype MostFound = 100;

QString iconName(CompletionKind kind) {
    switch (kind) {
    case CompletionKind::CVar:
        return QStringLiteral("settings");
    case CompletionKind::Command:
    case CompletionKind::Alias:
        return QStringLiteral("command");
    case CompletionKind::Entity:
    case CompletionKind::EntityType:
        return QStringLiteral("entity");
    case CompletionKind::MessageType:
        return QStringLiteral("message");
    case CompletionKind::Asset:
    case CompletionKind::File:
        return QStringLiteral("file");
    case CompletionKind::Field:
        return QStringLiteral("component");
    case CompletionKind::Choice:
        break; // a tick would say that it is chosen
    }
    return {};
}

// Several lines are statements of one.
QString oneLine(QString text) {
    const auto isEnd = [](QChar c) { return c == QLatin1Char('\n') || c == QLatin1Char('\r'); };
    while (!text.isEmpty() && isEnd(text.back()))
        text.chop(1);
    return std::none_of(text.cbegin(), text.cend(), isEnd)
               ? text
               : QString::fromStdString(onOneLine(text.toStdString()));
}

// However text comes in (the middle button, a drop, the menu, an input method): there is one line. Ctrl+V does not come to this:
// what is changed here cannot be undone step by step.
class OneLine : public QValidator {
public:
    using QValidator::QValidator;
    State validate(QString& input, int& position) const override {
        const qsizetype behind = input.size() - position;
        input = oneLine(input);
        position = static_cast<int>(std::max<qsizetype>(0, input.size() - behind));
        return Acceptable;
    }
};

} // namespace

ConsoleInput::ConsoleInput(const Theme& theme, ConsoleBackend& backend, QWidget* parent)
    : QLineEdit(parent),
      m_backend(backend),
      m_popup(new CandidatePopup(theme, QStringLiteral("console"), CandidatePopup::Doc::Column, this)),
      m_theme(theme) {
    m_popupGuard = m_popup;
    setObjectName(QStringLiteral("console.input"));
    setAccessibleName(tr("Console line"));
    setPlaceholderText(tr("Name, name=value or command; Tab completes, help explains"));
    setFont(theme.font(FontRole::Mono));
    setValidator(new OneLine(this));
    connect(&theme, &Theme::changed, this, [this, &theme] { setFont(theme.font(FontRole::Mono)); });
    m_prompt = addAction(theme.icon(QStringLiteral("chevron-right"), Token::Accent), LeadingPosition);
    connect(this, &QLineEdit::textEdited, this, [this] {
        m_history.stopWalking();
        m_searching ? showFound() : suggest(false);
    });
    connect(m_popup, &CandidatePopup::chosen, this, &ConsoleInput::take);
}

ConsoleInput::~ConsoleInput() {
    // The popup moves under the window when it is shown.
    delete m_popupGuard.data();
}

bool ConsoleInput::choosing() const { return m_popup->isVisible() && m_popup->current() >= 0; }

bool ConsoleInput::event(QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool back = key->key() == Qt::Key_Backtab;
        if ((key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier
             && (!text().isEmpty() || m_popup->isVisible()))
            || (back && m_popup->isVisible())) {
            tab(back ? -1 : 1);
            return true;
        }
    }
    // Esc backs out here before a window-wide shortcut may take it.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape
        && (m_popup->isVisible() || m_searching || !text().isEmpty())) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void ConsoleInput::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_R:
        if (event->modifiers() == Qt::ControlModifier) {
            m_searching ? m_popup->step(1) : startSearch();
            return;
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_searching) {
            endSearch(choosing() ? m_popup->textAt(m_popup->current()) : text());
            return;
        }
        choosing() ? take(m_popup->current()) : submit();
        return;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const bool up = event->key() == Qt::Key_Up;
        if (m_searching)
            m_popup->step(up ? -1 : 1);
        else if (choosing())
            m_popup->cycle(up ? -1 : 1);
        else
            walk(up);
        return;
    }
    case Qt::Key_Escape:
        if (m_searching) {
            endSearch(m_beforeSearch);
            return;
        }
        if (m_popup->isVisible()) {
            m_popup->hide();
            return;
        }
        if (!text().isEmpty()) {
            m_history.stopWalking();
            clear();
            return;
        }
        break;
    case Qt::Key_QuoteLeft:
        if (text().isEmpty() && !m_searching) {
            emit left();
            return;
        }
        break;
    case Qt::Key_Space:
        if (event->modifiers() == Qt::ControlModifier) {
            suggest(true);
            return;
        }
        break;
    default:
        break;
    }
    if (event->matches(QKeySequence::Paste)) {
        paste();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void ConsoleInput::focusOutEvent(QFocusEvent* event) {
    if (m_searching)
        endSearch(m_beforeSearch);
    m_popup->hide();
    QLineEdit::focusOutEvent(event);
}

void ConsoleInput::hideEvent(QHideEvent* event) {
    if (m_popupGuard)
        m_popup->hide();
    QLineEdit::hideEvent(event);
}

void ConsoleInput::submit() {
    const QString line = text();
    m_popup->hide();
    setText({}); // nothing to be undone in the line itself: Ctrl+Z takes back what the line did
    if (line.trimmed().isEmpty())
        return;
    // Secrets are not for a file.
    if (!m_backend.isSecret(line) && m_history.add(line))
        emit historyChanged();
    emit submitted(line);
}

void ConsoleInput::walk(bool older) {
    m_popup->hide();
    setText(older ? m_history.older(text()) : m_history.newer(text()));
}

void ConsoleInput::type(const QString& begin) {
    if (m_searching)
        endSearch({});
    setFocus(Qt::OtherFocusReason);
    setText(begin);
    suggest(true);
}

void ConsoleInput::suggest(bool always) {
    const std::string head = text().left(cursorPosition()).toStdString();
    m_completion = m_backend.complete(head, head.size());
    const auto& candidates = m_completion.candidates;
    const std::string_view typed = std::string_view(head).substr(m_completion.replaceFrom);
    const bool done = candidates.size() == 1 && candidates.front().text == typed;
    if (candidates.empty() || (!always && (text().isEmpty() || done))) {
        m_popup->hide();
        return;
    }
    std::vector<Candidate> rows;
    rows.reserve(candidates.size());
    for (const CompletionCandidate& c : candidates)
        rows.push_back({iconName(c.kind), QString::fromStdString(c.text), QString::fromStdString(c.value),
                        QString::fromStdString(c.doc)});
    m_popup->setCandidates(std::move(rows));
    m_popup->popUp(*this, rect(), true);
}

void ConsoleInput::replace(const std::string& replacement) {
    const QByteArray head = text().left(cursorPosition()).toUtf8();
    const int from = static_cast<int>(
        QString::fromUtf8(head.left(static_cast<qsizetype>(m_completion.replaceFrom))).size());
    setSelection(from, cursorPosition() - from);
    // As typed text, so that undo takes it back.
    insert(QString::fromStdString(replacement));
}

void ConsoleInput::startSearch() {
    m_searching = true;
    m_beforeSearch = text();
    m_history.stopWalking();
    m_prompt->setIcon(m_theme.icon(QStringLiteral("search"), Token::Accent));
    showFound();
}

void ConsoleInput::showFound() {
    std::vector<Candidate> rows;
    for (const QString& line : m_history.matching(text(), MostFound))
        rows.push_back({QStringLiteral("history"), line, {}, {}});
    if (rows.empty()) {
        m_popup->hide();
        return;
    }
    m_popup->setCandidates(std::move(rows));
    m_popup->popUp(*this, rect(), true);
    m_popup->setCurrent(0);
}

void ConsoleInput::endSearch(const QString& line) {
    m_searching = false;
    m_prompt->setIcon(m_theme.icon(QStringLiteral("chevron-right"), Token::Accent));
    m_popup->hide();
    setText(line);
}

void ConsoleInput::take(int row) {
    if (m_searching) {
        if (row >= 0 && row < m_popup->count())
            endSearch(m_popup->textAt(row));
        return;
    }
    if (row < 0 || row >= static_cast<int>(m_completion.candidates.size()))
        return;
    const CompletionCandidate candidate = m_completion.candidates[static_cast<std::size_t>(row)];
    const bool isName = candidate.kind == CompletionKind::CVar || candidate.kind == CompletionKind::Command
                        || candidate.kind == CompletionKind::Alias;
    const bool atEnd = cursorPosition() == text().size();
    replace(candidate.text + (isName && atEnd ? " " : ""));
    suggest(false);
}

void ConsoleInput::tab(int step) {
    if (m_searching) {
        take(m_popup->current());
        return;
    }
    if (choosing()) {
        if (m_popup->count() == 1)
            take(0);
        else
            m_popup->cycle(step);
        return;
    }
    suggest(true);
    if (m_completion.candidates.empty())
        return;
    if (m_completion.candidates.size() == 1) {
        take(0);
        return;
    }
    const std::string head = text().left(cursorPosition()).toStdString();
    if (m_completion.commonPrefix != head.substr(m_completion.replaceFrom)) {
        replace(m_completion.commonPrefix);
        suggest(true);
    } else {
        m_popup->cycle(step);
    }
}

void ConsoleInput::paste() {
    insert(oneLine(QGuiApplication::clipboard()->text()));
    m_history.stopWalking();
}

} // namespace sbx::ui
