#include "widgets/definition/text_assist.h"

#include <QApplication>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>

#include "engine/simulation/content.h"
#include "widgets/common/document.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/project_model.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/problem_marks.h"
#include "widgets/definition/text_binding.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sbx::ui {

namespace {

using definition::Completion;
using definition::TextLocation;
using Place = TextLocation::Place;

// The first line is a title; the rest is text.
QString richText(const std::string& text) {
    const QStringList lines = QString::fromStdString(text).split(QLatin1Char('\n'));
    QString html = QStringLiteral("<p style='margin:0'><b>%1</b></p>").arg(htmlText(lines.front()));
    for (qsizetype i = 1; i < lines.size(); ++i)
        html += QStringLiteral("<p style='margin:2px 0 0 0'>%1</p>").arg(htmlText(lines[i]));
    return html;
}

} // namespace

TextAssist::TextAssist(const Theme& theme, Document& document, ProjectModel& project, SessionFeed& feed,
                       TextBinding& binding, CodeView& view, ProblemMarks& marks, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_project(project),
      m_feed(feed),
      m_binding(binding),
      m_view(view),
      m_marks(marks),
      m_popup(new TextCompletion(theme, &view)) {
    view.installEventFilter(this);
    connect(m_popup.data(), &TextCompletion::chosen, this, &TextAssist::accept);
    connect(&view, &QsciScintillaBase::SCN_CHARADDED, this, &TextAssist::typed);
    connect(&view, &CodeView::caretMoved, this, [this] {
        if (m_popup->isVisible() && !m_accepting)
            update(m_asked);
    });
    connect(&view, &CodeView::focusLeft, m_popup.data(), &QWidget::hide);
    connect(view.verticalScrollBar(), &QScrollBar::valueChanged, m_popup.data(), &QWidget::hide);
    connect(&binding, &TextBinding::fileChanged, m_popup.data(), &QWidget::hide);
    connect(&view, &CodeView::hovered, this, [this](std::size_t position, const QPoint& global) {
        const QString html = explain(m_binding.toText(position));
        if (!html.isEmpty() && !m_popup->isVisible() && QApplication::activePopupWidget() == nullptr) // a menu
            QToolTip::showText(global + QPoint(0, measure::Grid), html, m_view.viewport());
    });
    connect(&view, &CodeView::hoverEnded, this, [] { QToolTip::hideText(); });
}

// The window may outlive us, or have taken the list along already.
TextAssist::~TextAssist() { delete m_popup.data(); }

const definition::Definitions& TextAssist::definitions() const {
    const auto& content = m_project.content();
    return content && content->definitions ? *content->definitions : m_none;
}

void TextAssist::complete() {
    m_asked = true;
    m_popup->hide();
    update(true);
}

void TextAssist::typed(int character) {
    if (m_accepting)
        return;
    // These end the word that the list is for; Scintilla reports the caret with the next paint only, which may be late.
    if (character == ']' || character == '"' || character == '\'')
        m_popup->hide();
    if (m_popup->isVisible())
        return; // caretMoved narrows the list
    const bool wordLike = character >= 0x80 || std::isalpha(character) != 0 || character == '_';
    if (!wordLike && character != '.' && character != '"' && character != ' ')
        return;
    // Scintilla is still busy with the key. What is typed in the meantime asks for itself.
    QTimer::singleShot(0, this, [this, character, revision = m_document.revision()] {
        if (m_binding.file().empty() || m_popup->isVisible() || revision != m_document.revision())
            return;
        const TextLocation at = definition::locate(m_binding.text(), m_binding.caret());
        const bool opens = (character == '.' && at.place == Place::Header)
                           || (character == '"' && at.quoted && at.typed.empty())
                           || (character == ' ' && at.inValue() && at.word.empty());
        if (opens || (!at.typed.empty() && character != '.' && character != ' ' && character != '"')) {
            m_asked = false;
            update(false);
        }
    });
}

void TextAssist::update(bool asked) {
    if (m_binding.file().empty())
        return m_popup->hide();
    const std::string& text = m_binding.text();
    const TextLocation at = definition::locate(text, m_binding.caret());
    if (m_popup->isVisible() && at.word.begin != m_wordBegin)
        return m_popup->hide();
    std::vector<Completion> candidates;
    if (at.place != Place::Comment && (asked || at.place != Place::Nowhere))
        candidates = definition::complete(text, at, m_feed.session().catalog().schema, definitions());
    // Unasked, do not stand in the way of Enter: neither with what is written already nor with a lone
    // default.
    const bool written = std::any_of(candidates.begin(), candidates.end(), [&](const Completion& candidate) {
        return candidate.label == at.typed;
    });
    const bool lone = candidates.size() == 1 && at.typed.empty();
    if (candidates.empty() || (!asked && (written || lone)))
        return m_popup->hide();
    m_wordBegin = at.word.begin;
    m_revision = m_document.revision();
    m_caret = m_binding.caret();
    m_typed = at.typed;
    m_stepped = false;
    m_popup->setCandidates(std::move(candidates));
    QRect line = m_view.caretRect(m_binding.toView(at.word.begin));
    m_popup->popUp(*m_view.viewport(), line);
}

bool TextAssist::isFresh() const {
    return m_revision == m_document.revision() && m_caret == m_binding.caret();
}

bool TextAssist::isWritten() const {
    const std::vector<Completion>& candidates = m_popup->candidates();
    return !m_stepped
           && std::any_of(candidates.begin(), candidates.end(),
                          [this](const Completion& candidate) { return candidate.label == m_typed; });
}

void TextAssist::accept(int row) {
    // A click on a row of a list that is older than the text: it shows what the text asks for now.
    if (!isFresh())
        return update(m_asked);
    const auto& candidates = m_popup->candidates();
    if (row < 0 || row >= static_cast<int>(candidates.size()))
        return m_popup->hide();
    const Completion chosen = candidates[static_cast<std::size_t>(row)];
    const std::string& text = m_binding.text();
    const TextLocation at = definition::locate(text, m_binding.caret());
    std::string insert = chosen.insert;
    std::size_t end = at.word.end;
    if (at.quoted && at.word.begin > 0) {
        // A text that is not closed yet gets its closing quote. What stands behind a space there is not part of it.
        const char quote = text[at.word.begin - 1];
        if (end >= text.size() || text[end] != quote) {
            const std::size_t caret = std::clamp(m_binding.caret(), at.word.begin, end);
            end = std::min(end, text.find_first_of(" \t\r\n", caret));
            insert += quote;
        }
    } else if (at.place == Place::Header) {
        // A header that is not closed yet gets its brackets.
        const std::size_t lineEnd = std::min(text.find_first_of("\r\n", at.word.end), text.size());
        const std::size_t lineBegin = at.word.begin == 0 ? 0 : text.find_last_of('\n', at.word.begin - 1) + 1;
        const std::string_view rest = std::string_view(text).substr(at.word.end, lineEnd - at.word.end);
        const std::size_t open = text.find_first_not_of(" \t", lineBegin);
        if (rest.find(']') == std::string_view::npos)
            insert += text.compare(open, 2, "[[") == 0 ? "]]" : "]";
    }
    m_accepting = true;
    m_popup->hide();
    const Result<void> done = m_binding.replace(at.word.begin, end, insert,
                                                tr("Complete %1").arg(QString::fromStdString(chosen.label)));
    m_accepting = false;
    if (!done)
        return;
    // A key is followed by its value: show the choices if it has some.
    if ((chosen.kind == Completion::Kind::Setting || chosen.kind == Completion::Kind::Key)
        && insert.ends_with("= ")) {
        m_asked = false;
        update(false);
    }
}

bool TextAssist::takeKey(int key) {
    switch (key) {
    case Qt::Key_Up:
        m_popup->step(-1);
        m_stepped = true;
        return true;
    case Qt::Key_Down:
        m_popup->step(1);
        m_stepped = true;
        return true;
    case Qt::Key_PageUp:
        m_popup->step(-TextCompletion::MaxRows);
        m_stepped = true;
        return true;
    case Qt::Key_PageDown:
        m_popup->step(TextCompletion::MaxRows);
        m_stepped = true;
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
        // Scintilla reports the caret with the next paint; a fast typist is faster.
        if (!isFresh())
            update(m_asked);
        // Enter behind a finished word is a new line.
        if (key != Qt::Key_Tab && m_popup->isVisible() && isWritten())
            m_popup->hide();
        if (!m_popup->isVisible())
            return false;
        accept(m_popup->current());
        return true;
    case Qt::Key_Escape:
        m_popup->hide();
        return true;
    default:
        return false;
    }
}

bool TextAssist::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_view && m_popup && m_popup->isVisible()
        && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        const bool plain = (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
        if (event->type() == QEvent::ShortcutOverride) {
            if (plain && key.key() == Qt::Key_Escape) {
                event->accept();
                return true;
            }
        } else if (plain && takeKey(key.key())) {
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

QString TextAssist::explain(std::size_t offset) {
    if (m_binding.file().empty())
        return {};
    QString html;
    for (const ProblemMark& mark : m_marks.at(offset, false))
        html += m_marks.describe(mark);
    const TextLocation at = definition::locate(m_binding.text(), offset);
    const bool onWord = !at.word.empty() || at.inValue();
    if (const std::string text =
            onWord ? definition::describe(at, m_feed.session().catalog().schema, definitions()) : std::string();
        !text.empty()) {
        if (!html.isEmpty())
            html += QStringLiteral("<hr>");
        html += richText(text);
    }
    return html;
}

std::optional<TextTarget> TextAssist::findType(const std::string& type, const std::string& component) const {
    for (const DocumentFile& file : m_document.files()) {
        if (file.role != FileRole::Definitions)
            continue;
        const std::string& text = m_document.text(file.file);
        std::optional<SourceRegion> region;
        if (!component.empty())
            region = definition::findSetting(text, type, component);
        if (!region)
            region = definition::findType(text, type);
        if (region)
            return TextTarget{file.file, region->line, region->column};
    }
    return std::nullopt;
}

std::optional<TextTarget> TextAssist::definitionAt(std::size_t offset) const {
    if (m_binding.file().empty())
        return std::nullopt;
    const TextLocation at = definition::locate(m_binding.text(), offset);
    const auto own = [&](const std::string& type, const std::string& component) -> std::optional<TextTarget> {
        // An inherited component stands with the base that brought it in.
        const definition::EntityTypeDefinition* known = definitions().find(type);
        const definition::ComponentDefinition* part = known != nullptr ? known->find(component) : nullptr;
        return findType(part != nullptr && !part->owner.empty() ? part->owner : type, component);
    };
    if (at.inValue()) {
        if (auto target = findType(at.wordText))
            return target;
        const std::string scene = m_document.file(FileRole::Scene);
        if (!scene.empty())
            if (const auto region = definition::findInstance(m_document.text(scene), at.wordText))
                return TextTarget{scene, region->line, region->column};
        return std::nullopt;
    }
    if (at.entityType.empty())
        return std::nullopt;
    if (at.component.empty() || (at.place == Place::Header && at.headerPart == 0))
        return findType(at.entityType);
    return own(at.entityType, at.component);
}

} // namespace sbx::ui

#include "moc_text_assist.cpp"
