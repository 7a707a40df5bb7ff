#pragma once
// The messages that waited long, as a table: which, how long, for what. Rows stay in the order they came; only dismissing takes one
// away, or room for newer ones. Frozen, the list stays as it is; what came meanwhile comes when it goes on. GUI thread; the graph's model must outlive it.

#include <QAbstractTableModel>

#include "widgets/graph/graph_model.h"

namespace sbx::ui {

class Theme;

class WaitsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { MessageColumn, WaitedColumn, CauseColumn, ColumnCount };
    enum Role { SortRole = Qt::UserRole }; // numbers: of the message, nanoseconds, of the message at the root

    WaitsModel(const Theme& theme, GraphModel& graph, QObject* parent = nullptr);

    // The graph's model has more: new rows, longer waits.
    void refresh();
    void setFrozen(bool frozen);
    [[nodiscard]] GraphKey keyAt(int row) const;
    [[nodiscard]] int rowOf(const GraphKey& key) const;
    void dismiss(int row);
    void dismissAll();
    // Rows are just coming or going; views may ask, but nothing may change the rows or the graph's model.
    [[nodiscard]] bool changing() const { return m_changing; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const Theme& m_theme;
    GraphModel& m_graph;
    std::vector<GraphWait> m_rows;
    std::uint64_t m_run = 0;
    bool m_changing = false;
    bool m_frozen = false;
};

} // namespace sbx::ui
