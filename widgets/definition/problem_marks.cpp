#include "widgets/definition/problem_marks.h"

#include "engine/core/value.h"
#include "engine/definition/toml_syntax.h"
#include "widgets/common/document.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/project_model.h"
#include "widgets/common/theme.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/text_binding.h"

#include <algorithm>
#include <string_view>

namespace sbx::ui {

namespace {

using Base = QsciScintillaBase;

// Behind the model's own delay: when it parsed and found the same again, it emits nothing, but positions may
// have moved.
constexpr int RefreshDelayMs = 40;

int indicatorOf(Severity severity) {
    return severity == Severity::Error     ? ProblemMarks::ErrorIndicator
           : severity == Severity::Warning ? ProblemMarks::WarningIndicator
                                           : ProblemMarks::NoteIndicator;
}

int markerOf(Severity severity) {
    return severity == Severity::Error     ? ProblemMarks::ErrorMarker
           : severity == Severity::Warning ? ProblemMarks::WarningMarker
                                           : ProblemMarks::NoteMarker;
}

// A place without extent gets one character, the one before it at the end of a line.
void widen(ProblemMark& mark, std::string_view text) {
    const auto continues = [&](std::size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    const auto lineEnd = [&](std::size_t at) {
        return at >= text.size() || text[at] == '\n' || text[at] == '\r';
    };
    mark.begin = std::min(mark.begin, text.size());
    mark.end = std::clamp(mark.end, mark.begin, text.size());
    if (mark.begin != mark.end)
        return;
    if (!lineEnd(mark.end)) {
        do
            ++mark.end;
        while (continues(mark.end));
    } else if (mark.begin > 0 && !lineEnd(mark.begin - 1)) {
        do
            --mark.begin;
        while (mark.begin > 0 && continues(mark.begin));
    }
}

} // namespace

ProblemMarks::ProblemMarks(const Theme& theme, Document& document, ProjectModel& project,
                           TextBinding& binding, CodeView& view, QObject* parent)
    : QObject(parent),
      m_theme(theme),
      m_document(document),
      m_project(project),
      m_binding(binding),
      m_view(view) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(RefreshDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &ProblemMarks::refresh);
    connect(&project, &ProjectModel::problemsChanged, this, &ProblemMarks::refresh);
    connect(&binding, &TextBinding::fileChanged, this, &ProblemMarks::refresh);
    connect(&binding, &TextBinding::textChanged, &m_timer, qOverload<>(&QTimer::start));
    connect(&theme, &Theme::changed, this, &ProblemMarks::define);
    define();
    refresh();
}

void ProblemMarks::define() {
    const auto indicator = [this](int number, QsciScintilla::IndicatorStyle style, Token token) {
        m_view.indicatorDefine(style, number);
        m_view.setIndicatorForegroundColor(m_theme.color(token), number);
        m_view.setIndicatorDrawUnder(true, number);
    };
    indicator(ErrorIndicator, QsciScintilla::SquiggleIndicator, Token::Error);
    indicator(WarningIndicator, QsciScintilla::SquiggleIndicator, Token::Warning);
    indicator(NoteIndicator, QsciScintilla::DotsIndicator, Token::Info);
    const auto marker = [this](int number, const QString& icon, Token token) {
        m_view.markerDefine(
            m_theme.icon(icon, token).pixmap(QSize(measure::IconSize - 2, measure::IconSize - 2), 1.0),
            number);
    };
    marker(ErrorMarker, QStringLiteral("error"), Token::Error);
    marker(WarningMarker, QStringLiteral("warning"), Token::Warning);
    marker(NoteMarker, QStringLiteral("info"), Token::Info);
    m_view.setMarginMarkerMask(CodeView::MarksAt,
                               (1 << ErrorMarker) | (1 << WarningMarker) | (1 << NoteMarker));
}

void ProblemMarks::refresh() {
    m_timer.stop();
    m_revision = m_document.revision();
    m_marks.clear();
    const std::string& file = m_binding.file();
    if (!file.empty() && m_document.contains(file)) {
        const std::string& text = m_binding.text();
        const definition::LineIndex lines(text);
        for (const Diagnostic& problem : m_project.problems().items) {
            if (problem.file != file || problem.region.line < 1)
                continue;
            const definition::TextSpan span = lines.span(problem.region);
            ProblemMark mark{problem, span.begin, span.end};
            widen(mark, text);
            m_marks.push_back(std::move(mark));
        }
    }
    const auto send = [this](unsigned int message, std::size_t w, long l = 0) {
        m_view.SendScintilla(message, static_cast<unsigned long>(w), l);
    };
    const auto length = static_cast<long>(m_view.bytes().size());
    for (const int indicator : {ErrorIndicator, WarningIndicator, NoteIndicator}) {
        send(Base::SCI_SETINDICATORCURRENT, static_cast<std::size_t>(indicator));
        send(Base::SCI_INDICATORCLEARRANGE, 0, length);
    }
    for (const int marker : {ErrorMarker, WarningMarker, NoteMarker})
        m_view.markerDeleteAll(marker);
    for (const ProblemMark& mark : m_marks) {
        const std::size_t begin = m_binding.toView(mark.begin);
        send(Base::SCI_SETINDICATORCURRENT, static_cast<std::size_t>(indicatorOf(mark.problem.severity)));
        send(Base::SCI_INDICATORFILLRANGE, begin, static_cast<long>(m_binding.toView(mark.end) - begin));
        m_view.markerAdd(m_view.lineOf(begin), markerOf(mark.problem.severity));
    }
}

const std::vector<ProblemMark>& ProblemMarks::marks() {
    if (m_revision != m_document.revision() || m_timer.isActive()) {
        m_project.refresh();
        refresh();
    }
    return m_marks;
}

std::vector<ProblemMark> ProblemMarks::at(std::size_t offset, bool wholeLine) {
    std::vector<ProblemMark> out;
    for (const ProblemMark& mark : marks())
        if (offset >= mark.begin && offset <= mark.end)
            out.push_back(mark);
    if (!out.empty() || !wholeLine)
        return out;
    const int line = m_view.lineOf(m_binding.toView(offset));
    for (const ProblemMark& mark : m_marks)
        if (m_view.lineOf(m_binding.toView(mark.begin)) == line)
            out.push_back(mark);
    return out;
}

std::optional<QuickFix> ProblemMarks::fixFor(const ProblemMark& mark) const {
    const std::string& suggestion = mark.problem.suggestion;
    const std::string& text = m_binding.text();
    if (suggestion.empty() || mark.begin >= mark.end || mark.end > text.size())
        return std::nullopt;
    const char first = text[mark.begin];
    const bool wasQuoted = first == '"' || first == '\'';
    const bool isQuoted = suggestion.front() == '"' || suggestion.front() == '\'';
    return QuickFix{mark.begin, mark.end, wasQuoted && !isQuoted ? inQuotes(suggestion) : suggestion,
                    tr("Change to “%1”").arg(QString::fromStdString(suggestion))};
}

QString ProblemMarks::describe(const ProblemMark& mark) const {
    const Diagnostic& problem = mark.problem;
    const auto escaped = [](const std::string& text) { return htmlText(text); };
    const QString muted = m_theme.color(Token::Muted).name();
    const QColor ink = m_theme.color(problem.severity == Severity::Error     ? Token::Error
                                     : problem.severity == Severity::Warning ? Token::Warning
                                                                             : Token::Info);
    QString html = QStringLiteral("<p style='margin:0'><b style='color:%1'>%2</b></p>")
                       .arg(ink.name(), escaped(problem.what));
    if (!problem.expected.empty())
        html += QStringLiteral("<p style='margin:2px 0 0 0'>%1</p>")
                    .arg(tr("Expected: %1").arg(escaped(problem.expected)));
    if (!problem.suggestion.empty())
        html += QStringLiteral("<p style='margin:2px 0 0 0'>%1 <span style='color:%2'>%3</span></p>")
                    .arg(tr("Did you mean <b>%1</b>?").arg(escaped(problem.suggestion)), muted,
                         tr("Alt+Enter changes it"));
    return html;
}

} // namespace sbx::ui

#include "moc_problem_marks.cpp"
