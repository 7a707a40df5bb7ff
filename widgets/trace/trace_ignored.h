#pragma once
// The rows that a person has set aside: they stay in the list, and count for nothing in what is derived from it (statistics, search, copies, exports). By
// row of the store, whose numbers are never used again: they go with their records, and so with the run. A million at once take some
// milliseconds, and room by the number of gaps between them (RowRuns). GUI thread; owned by the model.

#include <QObject>

#include "widgets/trace/row_runs.h"

namespace sbx::ui {

class TraceStore;

class TraceIgnored : public QObject {
    Q_OBJECT

public:
    explicit TraceIgnored(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] bool has(std::uint64_t row) const { return m_rows.has(row); }
    [[nodiscard]] const RowRuns& rows() const { return m_rows; }
    [[nodiscard]] std::uint64_t count() const { return m_rows.count(); }
    // All of them as one change.
    void set(const RowRuns& rows, bool ignored);
    void clear();
    // Lets go of rows that the store no longer holds. That is no change: nobody asks about them any more.
    void follow(const TraceStore& store);

signals:
    void changed();

private:
    RowRuns m_rows;
};

} // namespace sbx::ui
