#include "widgets/console/console_input.h"

#include <QAction>
#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QValidator>

#include "widgets/common/candidate_popup.h"
#include "widgets/common/theme.h"
#include "widgets/console/console_backend.h"

#include <algorithm>

namespace sbx::ui {

namespace {

constexpr qsizetype MaxFound = 100;
constexpr int PromptIcon = 16;
constexpr int PromptMargin = 6; // left of the prompt

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

// For text that comes in past paste(), such as an input method's: there is one line. What is changed here cannot be undone step by
// step.
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
    connect(&theme, &Theme::changed, this, [this, &theme] {
        setFont(theme.font(FontRole::Mono));
        layOutPrompt();
    });
    layOutPrompt();
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
        paste(QGuiApplication::clipboard()->text());
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
    m_popup->setCandidates(std::move(rows),
                           QString::fromUtf8(typed.data(), static_cast<qsizetype>(typed.size())));
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
    layOutPrompt();
    showFound();
}

void ConsoleInput::showFound() {
    std::vector<Candidate> rows;
    for (const QString& line : m_history.matching(text(), MaxFound))
        rows.push_back({QStringLiteral("history"), line, {}, {}});
    if (rows.empty()) {
        m_popup->hide();
        return;
    }
    m_popup->setCandidates(std::move(rows), text());
    m_popup->popUp(*this, rect(), true);
    m_popup->setCurrent(0);
}

void ConsoleInput::endSearch(const QString& line) {
    m_searching = false;
    layOutPrompt();
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
    const auto& candidates = m_completion.candidates;
    if (candidates.empty())
        return;
    // Only one can be meant: it is taken, with the space behind a name. Others that fit less well may be in the list.
    const auto begins = [this](const CompletionCandidate& c) {
        return c.text.starts_with(m_completion.commonPrefix);
    };
    if (const auto meant = std::find_if(
            candidates.begin(), candidates.end(),
            [this](const CompletionCandidate& c) { return c.text == m_completion.commonPrefix; });
        candidates.size() == 1
        || (meant != candidates.end() && std::count_if(candidates.begin(), candidates.end(), begins) == 1)) {
        take(candidates.size() == 1 ? 0 : static_cast<int>(meant - candidates.begin()));
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

void ConsoleInput::paste(const QString& text) {
    separateSteps();
    insert(oneLine(text));
    separateSteps();
    m_history.stopWalking();
}

// What was typed before and what follows are undone each for itself. The line edit begins a new step where the cursor moves; what is
// selected is a step of its own.
void ConsoleInput::separateSteps() {
    const int at = cursorPosition();
    if (hasSelectedText() || text().isEmpty())
        return;
    setCursorPosition(at > 0 ? at - 1 : at + 1);
    setCursorPosition(at);
}

// The press has put the cursor where the text goes.
void ConsoleInput::mouseReleaseEvent(QMouseEvent* event) {
    const QClipboard& clipboard = *QGuiApplication::clipboard();
    if (event->button() != Qt::MiddleButton || !clipboard.supportsSelection()) {
        QLineEdit::mouseReleaseEvent(event);
        return;
    }
    deselect();
    paste(clipboard.text(QClipboard::Selection));
}

void ConsoleInput::dropEvent(QDropEvent* event) {
    QMimeData line;
    if (event->mimeData()->hasText())
        line.setText(oneLine(event->mimeData()->text()));
    QDropEvent drop(event->position(), event->possibleActions(), &line, event->buttons(), event->modifiers());
    drop.setDropAction(event->dropAction());
    drop.setAccepted(event->isAccepted());
    separateSteps();
    QLineEdit::dropEvent(&drop);
    separateSteps();
    event->setDropAction(drop.dropAction());
    event->setAccepted(drop.isAccepted());
    m_history.stopWalking();
}

void ConsoleInput::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* const menu = createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QAction* const action : menu->actions())
        if (action->text().startsWith(QLineEdit::tr("&Paste"))) { // it has no other name
            action->disconnect(this);
            connect(action, &QAction::triggered, this, [this] { paste(QGuiApplication::clipboard()->text()); });
        }
    menu->popup(event->globalPos());
}

void ConsoleInput::setTarget(const QString& target, const QColor& color) {
    m_target = target;
    m_targetColor = color;
    setAccessibleDescription(target.isEmpty() ? QString() : tr("Lines run in %1").arg(target));
    layOutPrompt();
}

// `client1 >`, or a glass while the history is searched.
void ConsoleInput::layOutPrompt() {
    const QFontMetrics metrics(font());
    m_shownTarget = m_searching ? QString() : metrics.elidedText(m_target, Qt::ElideMiddle, width() / 3);
    const int words =
        m_shownTarget.isEmpty() ? 0 : metrics.horizontalAdvance(m_shownTarget) + measure::RelatedGap;
    const QMargins margins(PromptMargin + words + PromptIcon, 0, 0, 0);
    if (textMargins() != margins)
        setTextMargins(margins);
    update();
}

void ConsoleInput::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    const int right = textMargins().left();
    const QIcon icon =
        m_theme.icon(m_searching ? QStringLiteral("search") : QStringLiteral("chevron-right"), Token::Accent);
    icon.paint(&painter, QRect(right - PromptIcon, 0, PromptIcon, height()));
    if (m_shownTarget.isEmpty())
        return;
    painter.setPen(m_targetColor.isValid() ? m_theme.readable(m_targetColor, m_theme.color(Token::Raised))
                                           : m_theme.color(Token::Text));
    painter.drawText(QRect(PromptMargin, 0, right - PromptMargin - PromptIcon, height()),
                     Qt::AlignLeft | Qt::AlignVCenter, m_shownTarget);
}

void ConsoleInput::resizeEvent(QResizeEvent* event) {
    QLineEdit::resizeEvent(event);
    layOutPrompt();
}

} // namespace sbx::ui

#include "moc_console_input.cpp"
