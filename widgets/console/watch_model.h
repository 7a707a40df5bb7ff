#pragma once
// The watches as rows: text, value, the last minute as a line, and a way to take them out. Values are read from the session's
// watches, which any thread may; a change goes out as a console line. GUI thread; the watches outlive it.

#include <QAbstractTableModel>

#include "engine/session/watches.h"

#include <vector>

namespace sbx::ui {

class Theme;

class WatchModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Text, CurrentValue, Graph, Remove, ColumnCount };

    WatchModel(const Theme& theme, const Watches& watches, QObject* parent = nullptr);

    void refresh();
    [[nodiscard]] const WatchReading& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    // The newest time of all, in seconds of the run: the right edge of every graph.
    [[nodiscard]] double now() const { return m_now; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const Theme& m_theme;
    const Watches& m_watches;
    std::vector<WatchReading> m_rows;
    std::uint64_t m_revision = 0;
    double m_now = 0.0;
};

// Least and greatest of the samples that fall on each column of `width` pixels; the last column ends at `now`.
struct WatchSpan {
    double least = 0.0;
    double greatest = 0.0;
    double last = 0.0;
    bool any = false;
};
[[nodiscard]] std::vector<WatchSpan> watchSpans(const std::vector<WatchSample>& samples, double now, int width);

} // namespace sbx::ui
