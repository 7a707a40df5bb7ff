// Messages that a person sets aside: ignored and heeded again, from the menu of a row and by keys.

#include <QAction>
#include <QItemSelectionModel>
#include <QMenu>

#include "widgets/common/action_registry.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>

namespace sbx::ui {

namespace {

const QKeySequence IgnoreKeys(Qt::CTRL | Qt::SHIFT | Qt::Key_M);

} // namespace

void TracePanel::connectIgnored() {
    connect(&m_model->ignored(), &TraceIgnored::changed, this, &TracePanel::refresh);
}

// Of the selected lines: one that stands for repeats means all of them. None is selected: the row in the details.
RowRuns TracePanel::chosenRuns() const {
    RowRuns chosen;
    const auto lastOf = [this](int row) {
        const TraceLine line{row, TraceLine::Group};
        const bool repeats =
            m_view->lines().shown(row).part == TraceLine::Group || m_view->currentLine() == line;
        return repeats ? m_model->groupStart(m_model->groupOf(row) + 1) : row + 1;
    };
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection())
        chosen.unite(RowRuns::of(m_model->storeRows(), static_cast<std::size_t>(range.top()),
                                 static_cast<std::size_t>(lastOf(range.bottom()))));
    if (!chosen.empty() || m_current == 0)
        return chosen;
    if (const int row = m_model->rowOfSequence(m_current); row >= 0)
        chosen = RowRuns::of(m_model->storeRows(), static_cast<std::size_t>(row),
                             static_cast<std::size_t>(row) + 1);
    return chosen;
}

// Ignores all chosen rows, or none of them any more if each is ignored.
void TracePanel::toggleIgnored() {
    const RowRuns chosen = chosenRuns();
    if (chosen.empty())
        emit problem(tr("Nothing is selected in the trace: select the messages to ignore."));
    else
        setIgnored(chosen, !m_model->ignored().rows().hasAll(chosen));
}

// Some may have gone since they were chosen.
void TracePanel::setIgnored(RowRuns rows, bool ignored) {
    rows.dropBelow(m_model->store().first());
    m_model->ignored().set(rows, ignored);
}

void TracePanel::ignoreShown() {
    if (m_model->rowCount() == 0)
        emit problem(tr("The trace's list is empty: there is nothing to ignore."));
    else
        setIgnored(RowRuns::of(m_model->storeRows(), 0, m_model->storeRows().size()), true);
}

void TracePanel::addIgnoreActions(ActionRegistry& registry) {
    const auto add = [&](const char* id, const QString& text, const QList<QKeySequence>& keys,
                         const QString& doc, std::function<void()> run) {
        Action action;
        action.id = QLatin1String(id);
        action.text = text;
        action.icon = QStringLiteral("eye-off");
        action.shortcuts = keys;
        action.context = objectName();
        action.doc = doc;
        action.run = [run = std::move(run)](bool) { run(); };
        registry.add(std::move(action));
    };
    add("trace.ignore", tr("Ignore the message, or no more"), {IgnoreKeys},
        tr("Leaves the selected messages out of statistics, search, copies and exports; they stay in the "
           "list. "
           "Again on them ends that."),
        [this] { toggleIgnored(); });
    add("trace.ignoreShown", tr("Ignore all messages shown"), {},
        tr("Leaves all messages that the trace's list shows out of statistics, search, copies and exports."),
        [this] { ignoreShown(); });
    add("trace.ignoreNone", tr("Ignore no message"), {}, tr("Counts every message of the trace again."),
        [this] { m_model->ignored().clear(); });
}

void TracePanel::addIgnoreMenu(QMenu& menu, int row) {
    QMenu* ignore = menu.addMenu(tr("Ignore"));
    ignore->setObjectName(QStringLiteral("trace.menu.ignoring"));
    const auto add = [ignore, this](const char* name, const QString& text, auto run) {
        QAction* action = ignore->addAction(text, this, run);
        action->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
        return action;
    };
    // A row that is not selected has been asked about by itself.
    const auto at = static_cast<std::size_t>(row);
    const RowRuns rows = m_view->selectionModel()->isSelected(m_model->index(row, 0))
                             ? chosenRuns()
                             : RowRuns::of(m_model->storeRows(), at, at + 1);
    const bool end = m_model->ignored().rows().hasAll(rows);
    add("ignore", end ? tr("Ignore no more") : tr("Ignore"), [this, rows, end] {
        setIgnored(rows, !end);
    })->setShortcut(IgnoreKeys);
    add("ignoreShown", tr("Ignore all rows shown"), [this] { ignoreShown(); });
    add("ignoreNone", tr("Ignore none"), [this] {
        m_model->ignored().clear();
    })->setEnabled(m_model->ignored().count() > 0);
}

} // namespace sbx::ui
