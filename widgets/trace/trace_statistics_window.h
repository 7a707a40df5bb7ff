#pragma once
// The statistics of the trace's list in a window of their own, which stays open beside the rest. GUI thread; parent owns it.

#include <QDialog>

class QComboBox;
class QLabel;
class QSortFilterProxyModel;
class QTreeView;

namespace sbx::ui {

class Theme;
class TraceModel;
class TraceStatisticsModel;

class TraceStatisticsWindow : public QDialog {
    Q_OBJECT

public:
    TraceStatisticsWindow(const Theme& theme, const TraceModel& trace, QWidget* parent);

    [[nodiscard]] TraceStatisticsModel& model() { return *m_model; }
    [[nodiscard]] QTreeView& table() { return *m_table; }

signals:
    // A double click or Enter on a row.
    void conditionChosen(const QString& condition);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showTotals();

    const Theme& m_theme;
    TraceStatisticsModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QTreeView* m_table;
    QComboBox* m_by;
    QLabel* m_totals;
};

} // namespace sbx::ui
