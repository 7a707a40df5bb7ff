// Finding a text, noting something on records (marks, comments, the time reference), and filters kept under names.

#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>

#include "widgets/common/action_registry.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/line_popup.h"
#include "widgets/trace/trace_filters.h"
#include "widgets/trace/trace_mark_strip.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_search.h"
#include "widgets/trace/trace_search_bar.h"
#include "widgets/trace/trace_timeline.h"
#include "widgets/trace/trace_types.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>
#include <iterator>

namespace sbx::ui {

namespace {

constexpr int MaxMarkedAtOnce = 1000;

} // namespace

// --- search

void TracePanel::connectSearch() {
    connect(m_searchBar, &TraceSearchBar::found, this, [this](quint64 sequence) { goTo(sequence); });
    connect(m_searchBar, &TraceSearchBar::closed, this, [this] { m_view->setFocus(Qt::OtherFocusReason); });
    connect(m_search, &TraceSearch::changed, this, [this] { m_view->setSoughtText(m_search->text()); });
    QHeaderView& header = m_view->header();
    // One that is hidden or shown gives its width to the fields or takes it from them.
    connect(&header, &QHeaderView::sectionResized, this, &TracePanel::searchShownColumns);
    searchShownColumns();
}

void TracePanel::searchShownColumns() {
    std::vector<int> columns;
    for (int i = 0; i < m_view->header().count(); ++i)
        if (!m_view->header().isSectionHidden(i))
            columns.push_back(i);
    m_search->setColumns(std::move(columns));
}

std::uint64_t TracePanel::hereForSearch() const {
    if (m_current != 0)
        return m_current;
    const int top = m_view->firstVisibleRow();
    return top < m_model->rowCount() ? m_model->sequence(top) : 0;
}

// --- marks

void TracePanel::connectMarks() {
    new TraceMarkStrip(m_theme, *m_model, *m_view->verticalScrollBar());
    connect(&m_model->marks(), &TraceMarks::changed, this, &TracePanel::refreshMarkButton);
    // A sign beside a number and the title of the ticks may need more room.
    connect(&m_model->marks(), &TraceMarks::changed, this, &TracePanel::refreshSoon);
    connect(&m_model->marks(), &TraceMarks::referenceChanged, this, [this] {
        m_needed[TraceModel::Tick] = 0; // other texts, another title
        refreshSoon();
    });
    connect(&m_model->marks(), &TraceMarks::changed, m_timeline, QOverload<>::of(&QWidget::update));
    connect(m_model, &TraceModel::countsChanged, this, &TracePanel::refreshMarkButton);
    connect(m_filters, &TraceFilters::chosen, this, [this](const QString& text) {
        setFilterText(text);
        m_view->setFocus(Qt::OtherFocusReason);
    });
    refreshMarkButton();
}

void TracePanel::buildMarkButtons() {
    m_faultsButton = toolButton(QStringLiteral("faults"), QStringLiteral("warning"), tr("Faults only"), {});
    m_faultsButton->setIcon(m_theme.icon(QStringLiteral("warning"), Token::Warning));
    m_faultsButton->setCheckable(true);
    m_faultsButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_faultsButton, &QToolButton::clicked, this, &TracePanel::toggleFaults);
    m_filtersButton = toolButton(QStringLiteral("filters"), QStringLiteral("star"), tr("Saved filters"), tr("Save the filter under a name, or apply a saved one"));
    connect(m_filtersButton, &QToolButton::clicked, this, &TracePanel::openFilters);
    m_markedButton = toolButton(QStringLiteral("markedOnly"), QStringLiteral("bookmark"), tr("Marked only"), tr("Show marked messages only"));
    m_markedButton->setCheckable(true);
    connect(m_markedButton, &QToolButton::toggled, this, [this](bool on) {
        m_aside.reset();
        m_model->setMarkedOnly(on);
    });
}

// The button is there while there is something to show by it.
void TracePanel::refreshMarkButton() {
    m_markedButton->setChecked(m_model->isMarkedOnly());
    m_markedButton->setVisible(m_model->isMarkedOnly() || !m_model->marks().marked().empty());
}

void TracePanel::toggleFaults() {
    if (m_goodFilter == TraceModel::faultsFilter()) {
        setFilterText(m_beforeFaults);
        return;
    }
    m_beforeFaults = m_goodFilter;
    setFilterText(TraceModel::faultsFilter());
    showNewest();
}

// The button is there while there is something to show by it.
void TracePanel::refreshFaultsButton() {
    const std::uint64_t faults = m_model->faults();
    const bool on = m_goodFilter == TraceModel::faultsFilter();
    m_faultsButton->setVisible(on || faults > 0);
    m_faultsButton->setChecked(on);
    if (const QString text = QStringLiteral("%L1").arg(faults); m_faultsButton->text() != text) {
        m_faultsButton->setText(text);
        m_faultsButton->setToolTip(
            tr("%L1 of the messages so far deserve a look: nobody acted on them, nobody listened for them, "
               "too few received them, their receiver was gone, or "
               "they were cut off as a loop. "
               "A click shows them alone, another takes that filter back.")
                .arg(faults));
        m_faultsButton->setAccessibleDescription(m_faultsButton->toolTip());
    }
}

std::vector<std::uint64_t> TracePanel::chosenSequences(int limit) const {
    std::vector<std::uint64_t> out;
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom() && static_cast<int>(out.size()) < limit; ++row)
            out.push_back(m_model->sequence(row));
    if (out.empty() && m_current != 0 && m_model->rowOfSequence(m_current) >= 0)
        out.push_back(m_current);
    return out;
}

// Marks all chosen rows, or takes the marks away if each has one.
void TracePanel::toggleMarks() {
    const std::vector<std::uint64_t> chosen = chosenSequences(MaxMarkedAtOnce + 1);
    TraceMarks& marks = m_model->marks();
    if (chosen.empty())
        emit problem(tr("Nothing is selected in the trace: select the message to mark."));
    else if (static_cast<int>(chosen.size()) > MaxMarkedAtOnce)
        emit problem(tr("More than %L1 messages are selected: mark fewer at once, or save a filter that finds them.").arg(MaxMarkedAtOnce));
    else
        marks.setMarked(chosen, !std::all_of(chosen.begin(), chosen.end(), [&marks](std::uint64_t sequence) { return marks.isMarked(sequence); }));
}

// Among the rows, round the ends.
void TracePanel::goToMark(bool forward) {
    std::vector<std::uint64_t> rows;
    for (const std::uint64_t sequence : m_model->marks().marked())
        if (m_model->rowOfSequence(sequence) >= 0)
            rows.push_back(sequence);
    if (rows.empty()) {
        emit problem(m_model->marks().marked().empty() ? tr("No message of the trace is marked: Ctrl+M marks the selected one.")
                                                       : tr("The filter of the trace hides all marked messages."));
        return;
    }
    const std::uint64_t here = hereForSearch();
    // Nothing selected: the row at the top counts as the next one.
    const std::uint64_t after = m_current == 0 && here > 0 ? here - 1 : here;
    std::uint64_t target = 0;
    bool round = false;
    if (forward) {
        const auto next = std::upper_bound(rows.begin(), rows.end(), after);
        round = next == rows.end();
        target = round ? rows.front() : *next;
    } else {
        const auto next = std::lower_bound(rows.begin(), rows.end(), here);
        round = next == rows.begin();
        target = round ? rows.back() : *std::prev(next);
    }
    goTo(target);
    if (round)
        emit said(rows.size() == 1 ? tr("This is the only marked message.") : forward ? tr("Went on from the first mark.") : tr("Went on from the last mark."));
}

std::uint64_t TracePanel::chosenOne() {
    const std::vector<std::uint64_t> chosen = chosenSequences(2);
    if (chosen.size() == 1)
        return chosen.front();
    emit problem(chosen.empty() ? tr("Nothing is selected in the trace: select one message first.") : tr("Several messages are selected in the trace: select one."));
    return 0;
}

void TracePanel::toggleReference(std::uint64_t sequence) {
    TraceMarks& marks = m_model->marks();
    const auto at = m_model->store().rowOf(sequence);
    if (marks.reference() && marks.reference()->sequence == sequence)
        marks.setReference(std::nullopt);
    else if (at)
        marks.setReference(TraceMarks::Reference{sequence, m_model->store().tickOf(*at)});
}

void TracePanel::writeComment(std::uint64_t sequence) {
    if (m_model->rowOfSequence(sequence) < 0)
        return;
    const std::uint64_t run = m_model->store().run();
    const QRect row = m_view->visualRect(m_model->index(m_model->rowOfSequence(sequence), TraceModel::Number));
    const QRect visible = QRect(0, std::clamp(row.top(), 0, std::max(0, m_view->viewport()->height() - row.height())), m_view->viewport()->width(), row.height());
    m_comment->ask(tr("Comment on message #%1; empty takes it away").arg(sequence), m_model->marks().comment(sequence),
                   QRect(m_view->viewport()->mapToGlobal(visible.topLeft()), visible.size()), [this, sequence, run](const QString& text) {
                       // Messages go on coming meanwhile, and old ones go.
                       if (m_model->store().run() == run && m_model->store().rowOf(sequence))
                           m_model->marks().setComment(sequence, text);
                       else
                           emit problem(tr("Message #%1 is no longer held: the comment has nothing to stand on.").arg(sequence));
                   });
}

void TracePanel::showEverything() {
    m_model->setMarkedOnly(false);
    m_typesModel->showAll();
    setFilterText({});
}

// --- saved filters

void TracePanel::keepFilters(UserSettings& settings) { m_filters->keepIn(settings); }

QString TracePanel::faultOf(const QString& filter) const {
    const auto compiled = Filter::compile(filter.toStdString(), m_context.schema());
    return compiled ? QString() : QString::fromStdString(compiled.error().message);
}

void TracePanel::openFilters() { m_filters->popUp(*m_filtersButton, m_bar->text()); }

// --- actions

void TracePanel::addNoteActions(ActionRegistry& registry) {
    const auto add = [&](const char* id, const QString& text, const char* icon, const QKeySequence& keys, const QString& doc, std::function<void(bool)> run,
                         std::function<bool()> checked = {}) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.icon = QLatin1String(icon);
        if (!keys.isEmpty())
            action.shortcuts = {keys};
        action.context = objectName();
        action.doc = doc;
        action.run = std::move(run);
        action.checkable = static_cast<bool>(checked);
        action.checked = std::move(checked);
        registry.add(std::move(action));
    };
    add("trace.find", tr("Find in the trace"), "search", QKeySequence(Qt::CTRL | Qt::Key_F), tr("Finds a text in all shown columns and all fields of the rows."),
        [this](bool) { m_searchBar->start(); });
    add("trace.findNext", tr("Next row with the text"), "arrow-down", QKeySequence(Qt::Key_F3), tr("Goes to the next row of the trace with the text that is looked for."),
        [this](bool) { m_searchBar->find(true); });
    add("trace.findPrevious", tr("Previous row with the text"), "arrow-up", QKeySequence(Qt::SHIFT | Qt::Key_F3),
        tr("Goes to the row of the trace before, with the text that is looked for."), [this](bool) { m_searchBar->find(false); });
    add("trace.filter", tr("Type a filter of the trace"), "filter", QKeySequence(Qt::CTRL | Qt::Key_Slash), tr("Goes to the filter line of the trace."), [this](bool) {
        m_bar->lineEdit().setFocus(Qt::ShortcutFocusReason);
        m_bar->lineEdit().selectAll();
    });
    add(
        "trace.faults", tr("Only messages with faults"), "warning", {},
        tr("Shows the messages of the trace that nobody acted on, nobody listened for or too few received, "
           "whose receiver was gone, or that were cut off as a loop; once more takes that "
           "filter back."),
        [this](bool) { toggleFaults(); }, [this] { return m_goodFilter == TraceModel::faultsFilter(); });
    add("trace.savedFilters", tr("Saved filters of the trace…"), "star", {}, tr("Saves the filter under a name, or applies a saved one."), [this](bool) { openFilters(); });
    add("trace.mark", tr("Mark or unmark the message"), "bookmark", QKeySequence(Qt::CTRL | Qt::Key_M), tr("Marks the selected messages of the trace, or takes their marks away."),
        [this](bool) { toggleMarks(); });
    add("trace.nextMark", tr("Next marked message"), "arrow-down", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), tr("Goes to the next marked row of the trace."),
        [this](bool) { goToMark(true); });
    add("trace.previousMark", tr("Previous marked message"), "arrow-up", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), tr("Goes to the marked row of the trace before."),
        [this](bool) { goToMark(false); });
    add("trace.clearMarks", tr("Unmark all messages"), "clear", {}, tr("Takes all marks of the trace away; comments stay."), [this](bool) { m_model->marks().clearMarked(); });
    add(
        "trace.markedOnly", tr("Show marked messages only"), "bookmark", {}, tr("Hides the rows of the trace that are not marked."),
        [this](bool on) { m_model->setMarkedOnly(on); }, [this] { return m_model->isMarkedOnly(); });
    add("trace.reference", tr("Count times from the message"), "clock", QKeySequence(Qt::CTRL | Qt::Key_T),
        tr("Shows the ticks of the trace as differences to the selected message; again on it ends that."), [this](bool) { toggleReference(chosenOne()); });
    add("trace.comment", tr("Comment on the message…"), "message", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C), tr("Writes a note on the selected message of the trace."),
        [this](bool) { writeComment(chosenOne()); });
}

void TracePanel::addNoteMenu(QMenu& menu, const RecordView& record) {
    const std::uint64_t sequence = record.sequence();
    const TraceMarks& marks = m_model->marks();
    const auto add = [&menu, this](const char* name, const QString& text, const QKeySequence& keys, auto run) {
        QAction* action = menu.addAction(text, this, run);
        action->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
        action->setShortcut(keys);
    };
    const bool isReference = marks.reference() && marks.reference()->sequence == sequence;
    add("mark", marks.isMarked(sequence) ? tr("Unmark") : tr("Mark"), QKeySequence(Qt::CTRL | Qt::Key_M),
        [this, sequence] { m_model->marks().setMarked({sequence}, !m_model->marks().isMarked(sequence)); });
    add("reference", isReference ? tr("Count times from the beginning") : tr("Count times from here"), QKeySequence(Qt::CTRL | Qt::Key_T), [this, sequence] { toggleReference(sequence); });
    add("comment", marks.comment(sequence).isEmpty() ? tr("Comment…") : tr("Change the comment…"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C), [this, sequence] { writeComment(sequence); });
}

} // namespace sbx::ui
