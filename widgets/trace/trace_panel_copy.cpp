// Rows of the list for the clipboard.

#include <QApplication>
#include <QClipboard>
#include <QMenu>

#include "engine/core/filter.h"
#include "widgets/trace/trace_csv.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>

namespace sbx::ui {

namespace {

// More rows than this are a job for a file.
constexpr std::size_t MaxCopied = 10'000;
// More numbers than this make a filter that nobody edits and that is slow to check.
constexpr std::size_t MaxInFilter = 1000;

} // namespace

void TracePanel::addCopyMenu(QMenu& menu) {
    QMenu* forms = menu.addMenu(tr("Copy as"));
    forms->setObjectName(QStringLiteral("trace.menu.copy"));
    const auto add = [this, forms](const char* name, const QString& text, CopyAs form) {
        QAction* action = forms->addAction(text, this, [this, form] { copyRows(form); });
        action->setObjectName(QStringLiteral("trace.menu.") + QLatin1String(name));
        return action;
    };
    add("copyText", tr("Text"), CopyAs::Text)->setShortcut(QKeySequence::Copy);
    add("copyCsv", tr("CSV"), CopyAs::Csv);
    add("copyJson", tr("JSON"), CopyAs::Json);
    add("copyFilter", tr("Filter"), CopyAs::Filter);
}

// Of ranges in the order in which they were chosen.
std::vector<int> TracePanel::selectedRows(std::size_t limit, std::size_t& ignored) const {
    std::vector<std::pair<int, int>> ranges;
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection())
        ranges.emplace_back(range.top(), range.bottom());
    std::sort(ranges.begin(), ranges.end());
    std::vector<int> rows;
    int next = 0; // what is before it has been taken, or left out
    for (const auto& [top, bottom] : ranges)
        for (int row = std::max(top, next); row <= bottom && rows.size() < limit; ++row) {
            if (m_model->isIgnored(row))
                ++ignored;
            else
                rows.push_back(row);
            next = row + 1;
        }
    return rows;
}

QString TracePanel::filterOf(const std::vector<int>& rows) const {
    if (rows.size() == 1) {
        const RecordView record = m_model->record(rows.front());
        const auto is = [](const char* field, std::string_view value) {
            return QStringLiteral("%1 == %2")
                .arg(QLatin1String(field), QString::fromStdString(filterLiteral(value)));
        };
        return is("type", m_context.type(record).name) + QStringLiteral(" and ")
               + is("sender", m_context.sender(record)) + QStringLiteral(" and ")
               + is("receiver", m_context.receiver(record));
    }
    QStringList numbers;
    for (const int row : rows)
        numbers.append(QString::number(m_model->sequence(row)));
    return QStringLiteral("sequence in (%1)").arg(numbers.join(QLatin1String(", ")));
}

void TracePanel::copyRows(CopyAs form) {
    const std::size_t limit = form == CopyAs::Filter ? MaxInFilter : MaxCopied;
    std::size_t ignored = 0;
    std::vector<int> rows = selectedRows(limit + 1, ignored);
    if (rows.empty()) {
        if (ignored > 0)
            emit problem(tr("The selected messages are ignored: nothing was copied."));
        return;
    }
    const bool more = rows.size() > limit;
    if (more && form == CopyAs::Filter) {
        emit problem(
            tr("More than %L1 messages are selected: that is too many for a filter that names each of them.")
                .arg(limit));
        return;
    }
    if (more)
        rows.pop_back();
    QString text;
    if (form == CopyAs::Filter) {
        text = filterOf(rows);
    } else if (form == CopyAs::Csv) {
        TraceCsv csv(*m_model);
        csv.setExtraColumns(extraColumns());
        std::string lines = csv.header();
        std::optional<std::uint64_t> before;
        for (const int row : rows) {
            const std::uint64_t at = m_model->storeRows()[static_cast<std::size_t>(row)];
            lines += csv.line(at, before);
            before = at;
        }
        text = QString::fromStdString(lines);
    } else {
        for (const int row : rows) {
            const RecordView record = m_model->record(row);
            text += form == CopyAs::Json ? QString::fromStdString(m_context.json(record))
                                         : m_context.line(record);
            text += QLatin1Char('\n');
        }
    }
    QApplication::clipboard()->setText(text);
    if (ignored > 0 && !more)
        emit said(tr("%L1 messages were copied; %L2 that are ignored were left out.")
                      .arg(rows.size())
                      .arg(ignored));
    if (more)
        emit said(tr("The first %L1 of the selected messages were copied; an export writes all that the list "
                     "shows.")
                      .arg(limit));
}

} // namespace sbx::ui
