#include "widgets/definition/problems_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QResizeEvent>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/simulation/asset_checks.h"
#include "engine/simulation/asset_uses.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/log_problems.h"
#include "widgets/common/project_model.h"
#include "widgets/common/theme.h"
#include "widgets/definition/problems_model.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sbx::ui {

// Words of the filter must all stand in message or file.
class ProblemsFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void set(const QStringList& words, bool errors, bool warnings) {
        m_words = words;
        m_errors = errors;
        m_warnings = warnings;
        invalidateFilter();
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex index = sourceModel()->index(row, ProblemsModel::MessageColumn, parent);
        const bool error =
            index.data(ProblemsModel::SeverityRole).toInt() == static_cast<int>(Severity::Error);
        if (error ? !m_errors : !m_warnings)
            return false;
        const QString text = index.data(ProblemsModel::TextRole).toString();
        return std::all_of(m_words.begin(), m_words.end(),
                           [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    }

private:
    QStringList m_words;
    bool m_errors = true;
    bool m_warnings = true;
};

ProblemsPanel::ProblemsPanel(const Theme& theme, ProjectModel& project, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_project(project),
      m_model(new ProblemsModel(theme, this)),
      m_filter(new ProblemsFilter(this)),
      m_view(new QTableView(this)),
      m_bar(new FilterBar(theme, QStringLiteral("problems"), tr("Filter: words of message or file"), this)) {
    setObjectName(QStringLiteral("problems"));
    setAccessibleName(tr("Problems"));
    m_filter->setSourceModel(m_model);
    m_view->setObjectName(QStringLiteral("problems.table"));
    m_view->setAccessibleName(tr("Problems"));
    m_view->setModel(m_filter);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(measure::RowHeight);
    QHeaderView* header = m_view->horizontalHeader();
    header->setStretchLastSection(false);
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setMinimumSectionSize(measure::IconSize + measure::PanelPadding);
    header->setSectionResizeMode(ProblemsModel::SeverityColumn, QHeaderView::Fixed);
    header->setSectionResizeMode(ProblemsModel::MessageColumn, QHeaderView::Stretch);
    header->resizeSection(ProblemsModel::SeverityColumn, measure::IconSize + 2 * measure::PanelPadding);
    header->resizeSection(ProblemsModel::FileColumn, 160);
    header->resizeSection(ProblemsModel::LineColumn, 56);
    header->resizeSection(ProblemsModel::ColumnColumn, 64);

    auto* empty = new EmptyState(
        theme, QStringLiteral("success"),
        tr("No problems. What is wrong in the project's files, its plugins or the log stands here."));
    empty->setObjectName(QStringLiteral("problems.empty"));
    auto* noMatch = new NoMatchSwitch(theme, m_view, *m_bar, tr("The filter hides every problem."),
                                      QStringLiteral("problems.noMatch"));
    connect(noMatch, &NoMatchSwitch::cleared, this, [this] {
        m_errors->setChecked(true);
        m_warnings->setChecked(true);
    });
    m_noMatch = noMatch;
    m_switch = new EmptySwitch(m_noMatch, empty, this);
    m_errors = severityButton(QStringLiteral("errors"), QStringLiteral("error"), tr("Show errors"));
    m_warnings =
        severityButton(QStringLiteral("warnings"), QStringLiteral("warning"), tr("Show warnings and notes"));
    m_errors->setIcon(theme.icon(QStringLiteral("error"), Token::Error));
    m_warnings->setIcon(theme.icon(QStringLiteral("warning"), Token::Warning));

    auto* copyAction = new QAction(tr("Copy"), m_view);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(copyAction);
    connect(copyAction, &QAction::triggered, this, &ProblemsPanel::copy);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_switch, 1);

    m_bar->focusOnFind(*this);
    m_bar->leaveOnEsc();
    setFocusProxy(m_view);
    connect(m_bar, &FilterBar::filterChanged, this, &ProblemsPanel::applyFilter);
    connect(m_view, &QTableView::clicked, this, &ProblemsPanel::activate);
    connect(m_view, &QTableView::activated, this, &ProblemsPanel::activate);
    connect(m_view, &QTableView::customContextMenuRequested, this, &ProblemsPanel::showMenu);
    connect(&m_project, &ProjectModel::problemsChanged, this, &ProblemsPanel::refresh);
    refresh();
}

QToolButton* ProblemsPanel::severityButton(const QString& name, const QString& icon, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("problems.") + name);
    button->setAccessibleName(tip);
    button->setToolTip(tip);
    button->setIcon(m_theme.icon(icon));
    button->setCheckable(true);
    button->setChecked(true);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFixedHeight(measure::ControlHeight);
    m_bar->addTrailing(button);
    connect(button, &QToolButton::toggled, this, &ProblemsPanel::applyFilter);
    return button;
}

// Where there is little room, the message matters most.
void ProblemsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_view->setColumnHidden(ProblemsModel::ColumnColumn, event->size().width() < 560);
    m_view->setColumnHidden(ProblemsModel::FileColumn, event->size().width() < 420);
}

void ProblemsPanel::setLog(LogProblems& log) {
    m_log = &log;
    connect(m_log, &LogProblems::changed, this, &ProblemsPanel::refresh);
    refresh();
}

void ProblemsPanel::setAssetFaults(const QStringList& faults) {
    m_assetFaults = faults;
    refresh();
}

namespace {
// A file that is missing is one problem, however many places name it: its row leads to the first of them.
std::vector<Diagnostic> withMissingFilesOnce(const std::vector<Diagnostic>& all) {
    std::vector<Diagnostic> out;
    std::map<std::string, std::pair<std::size_t, int>> rows; // by file: its row, and how many places
    for (const Diagnostic& problem : all) {
        const std::string missing = missingAsset(problem);
        if (!missing.empty())
            if (const auto [row, fresh] = rows.try_emplace(assetName(missing), out.size(), 1); !fresh) {
                ++row->second.second;
                continue;
            }
        out.push_back(problem);
    }
    for (const auto& [file, row] : rows)
        if (row.second > 1)
            out[row.first].what += " in " + std::to_string(row.second) + " places";
    return out;
}
} // namespace

void ProblemsPanel::refresh() {
    std::vector<Diagnostic> problems = withMissingFilesOnce(m_project.problems().items);
    for (const QString& fault : m_assetFaults)
        problems.push_back({Severity::Warning, {}, {}, fault.toStdString() + "; what was read before stays in use", {}, {}});
    if (m_log != nullptr)
        for (Diagnostic& problem : m_log->problems())
            problems.push_back(std::move(problem));
    m_model->setProblems(std::move(problems));
    updateCounts();
    const int errors = m_model->count(Severity::Error);
    emit countsChanged(errors, m_model->rowCount() - errors);
}

void ProblemsPanel::applyFilter() {
    m_filter->set(m_bar->text().split(QLatin1Char(' '), Qt::SkipEmptyParts), m_errors->isChecked(),
                  m_warnings->isChecked());
    updateCounts();
}

void ProblemsPanel::updateCounts() {
    const int total = m_model->rowCount();
    const int errors = m_model->count(Severity::Error);
    m_errors->setText(QString::number(errors));
    m_warnings->setText(QString::number(total - errors));
    m_bar->setCounts(m_filter->rowCount(), total, false);
    m_noMatch->setEmpty(m_filter->rowCount() == 0);
    m_switch->setEmpty(total == 0);
}

void ProblemsPanel::activate(const QModelIndex& index) {
    if (index.isValid())
        emit activated(index.data(ProblemsModel::FileRole).toString(),
                       index.data(ProblemsModel::LineRole).toInt(),
                       index.data(ProblemsModel::ColumnRole).toInt());
}

void ProblemsPanel::copy() {
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QModelIndex& row : rows)
        lines.append(row.data(ProblemsModel::TextRole).toString());
    if (!lines.isEmpty())
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void ProblemsPanel::showMenu(const QPoint& at) {
    const QModelIndex index = m_view->indexAt(at);
    if (!index.isValid())
        return;
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("problems.menu"));
    const bool logged = index.data(ProblemsModel::FileRole).toString().isEmpty();
    connect(menu.addAction(m_theme.icon(QStringLiteral("definition")),
                           logged ? tr("Show in the console") : tr("Go to the place")),
            &QAction::triggered, this, [this, index] { activate(index); });
    const QString suggestion = index.data(ProblemsModel::SuggestionRole).toString();
    if (!suggestion.isEmpty())
        connect(menu.addAction(m_theme.icon(QStringLiteral("check")), tr("Change to %1").arg(suggestion)),
                &QAction::triggered, this, [this, index] {
                    emit fixRequested(index.data(ProblemsModel::FileRole).toString(),
                                      index.data(ProblemsModel::LineRole).toInt(),
                                      index.data(ProblemsModel::ColumnRole).toInt());
                });
    const std::string missing = missingAsset(m_model->problemAt(m_filter->mapToSource(index).row()));
    if (!missing.empty())
        connect(menu.addAction(m_theme.icon(QStringLiteral("search")), tr("Find the file…")), &QAction::triggered, this,
                [this, missing] { emit findRequested(QString::fromStdString(missing)); });
    menu.addSeparator();
    connect(menu.addAction(m_theme.icon(QStringLiteral("duplicate")), tr("Copy")), &QAction::triggered, this,
            &ProblemsPanel::copy);
    if (m_log != nullptr && !m_log->empty())
        connect(menu.addAction(m_theme.icon(QStringLiteral("close")), tr("Clear what the log said")), &QAction::triggered,
                m_log, &LogProblems::clear);
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

} // namespace sbx::ui

#include "moc_problems_panel.cpp"
