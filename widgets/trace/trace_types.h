#pragma once
// Which message types are recorded and which are shown: two masks, because what is not recorded is lost and
// what is not shown is only hidden. A table model over the types and the popup that holds it. GUI thread.

#include <QAbstractTableModel>
#include <QFrame>

#include "engine/core/ids.h"

#include <cstdint>
#include <vector>

class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace sbx::ui {

class Theme;
class TraceModel;

class TraceTypesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Record, Show, Count, ColumnCount };
    enum Role { SortRole = Qt::UserRole };

    explicit TraceTypesModel(TraceModel& trace, QObject* parent = nullptr);

    // Counts are new.
    void refresh();
    [[nodiscard]] QStringList notRecorded() const;
    void showAll();
    void showOnly(MessageTypeId type);
    // All but these are shown.
    void hide(const std::vector<MessageTypeId>& types);
    [[nodiscard]] std::vector<MessageTypeId> hidden() const;
    // The type of this name is recorded from now on, and shown.
    void record(const QString& type);
    // Each type is recorded or not as it declares itself; all are shown.
    void restoreDefaults();
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void recordMaskChanged();

private:
    void sortTypes();
    [[nodiscard]] MessageTypeId type(int row) const { return m_order[static_cast<std::size_t>(row)]; }

    TraceModel& m_trace;
    std::vector<MessageTypeId> m_order; // by name
};

class TraceTypes : public QFrame {
    Q_OBJECT

public:
    TraceTypes(const Theme& theme, TraceTypesModel& model, QWidget* parent = nullptr);

    // Opens under `anchor`, or above it where there is no room.
    void popUp(const QWidget& anchor);
    [[nodiscard]] QTreeView& table() { return *m_table; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    TraceTypesModel& m_model;
    QLineEdit* m_search;
    QSortFilterProxyModel* m_proxy;
    QTreeView* m_table;
};

} // namespace sbx::ui
