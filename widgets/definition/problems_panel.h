#pragma once
// What is wrong with the project's texts, as a list that leads to the place, and what the log calls an error. The rows come from
// ProjectModel::problems() and LogProblems; a click or Enter emits activated(), the main window shows the place in the
// definition panel, or in the console. GUI thread; parent owns it.

#include <QStringList>
#include <QWidget>

class QModelIndex;
class QTableView;
class QToolButton;

namespace sbx::ui {

class EmptySwitch;
class FilterBar;
class LogProblems;
class ProblemsFilter;
class ProblemsModel;
class ProjectModel;
class Theme;

class ProblemsPanel : public QWidget {
    Q_OBJECT

public:
    ProblemsPanel(const Theme& theme, ProjectModel& project, QWidget* parent = nullptr);
    // Shows these too; they outlive the panel.
    void setLog(LogProblems& log);

    // Files that cannot be read any more, as sentences without full stops.
    void setAssetFaults(const QStringList& faults);

    [[nodiscard]] ProblemsModel& model() { return *m_model; }
    [[nodiscard]] QTableView& view() { return *m_view; }
    [[nodiscard]] FilterBar& filterBar() { return *m_bar; }
    // Rows selected, as one line each, on the clipboard.
    void copy();

signals:
    // `file` as in Document; line and column count from 1, columns in bytes. Empty: a line of the log.
    void activated(const QString& file, int line, int column);
    // Put the suggestion in the place of what stands there.
    void fixRequested(const QString& file, int line, int column);
    // Choose the file that is meant wherever the texts name one that is missing.
    void findRequested(const QString& missing);
    void countsChanged(int errors, int warnings);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* severityButton(const QString& name, const QString& icon, const QString& tip);
    void refresh();
    void applyFilter();
    void updateCounts();
    void activate(const QModelIndex& index);
    void showMenu(const QPoint& at);

    const Theme& m_theme;
    ProjectModel& m_project;
    LogProblems* m_log = nullptr;
    QStringList m_assetFaults;
    ProblemsModel* m_model;
    ProblemsFilter* m_filter;
    QTableView* m_view;
    FilterBar* m_bar;
    EmptySwitch* m_noMatch;
    EmptySwitch* m_switch;
    QToolButton* m_errors;
    QToolButton* m_warnings;
};

} // namespace sbx::ui
