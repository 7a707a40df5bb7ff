#pragma once
// The rows of the problems panel: one per diagnostic, errors first, then in the order of the texts. A new set
// changes only the rows that differ, so that selection and scroll stay where they are. GUI thread; parent
// owns it.

#include <QAbstractTableModel>

#include "engine/core/diagnostic.h"

#include <vector>

namespace sbx::ui {

class Theme;

class ProblemsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { SeverityColumn, MessageColumn, FileColumn, LineColumn, ColumnColumn, ColumnCount };
    enum Role {
        SeverityRole = Qt::UserRole, // int of sbx::Severity
        FileRole,                    // as in Document
        LineRole,                    // both count from 1, columns in bytes; 0: no place
        ColumnRole,
        SuggestionRole, // the nearest valid name; empty: none
        TextRole,       // `FILE:LINE:COLUMN: error: …`
    };

    explicit ProblemsModel(const Theme& theme, QObject* parent = nullptr);

    void setProblems(std::vector<Diagnostic> problems);
    [[nodiscard]] const std::vector<Diagnostic>& problems() const { return m_problems; }
    [[nodiscard]] const Diagnostic& problemAt(int row) const {
        return m_problems[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] int count(Severity severity) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const Theme& m_theme;
    std::vector<Diagnostic> m_problems;
};

} // namespace sbx::ui
