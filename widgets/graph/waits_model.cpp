#include "widgets/graph/waits_model.h"

#include <QScopedValueRollback>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/graph/graph_glyphs.h"
#include "widgets/graph/graph_text.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

WaitsModel::WaitsModel(const Theme& theme, GraphModel& graph, QObject* parent)
    : QAbstractTableModel(parent), m_theme(theme), m_graph(graph) {}

void WaitsModel::setFrozen(bool frozen) {
    if (std::exchange(m_frozen, frozen) && !frozen)
        refresh();
}

void WaitsModel::refresh() {
    if (m_frozen && m_run == m_graph.run())
        return;
    const QScopedValueRollback changing(m_changing, true);
    if (m_run != m_graph.run()) {
        beginResetModel();
        m_run = m_graph.run();
        m_rows.clear();
        endResetModel();
    }
    const std::deque<GraphWait>& waits = m_graph.waits();
    // The oldest may have been let go.
    std::size_t gone = 0;
    const auto same = [](const GraphWait& a, const GraphWait& b) {
        return a.key == b.key && a.cause.atSender == b.cause.atSender;
    };
    while (gone < m_rows.size() && (waits.empty() || !same(m_rows[gone], waits.front())))
        ++gone;
    if (gone > 0) {
        beginRemoveRows({}, 0, static_cast<int>(gone) - 1);
        m_rows.erase(m_rows.begin(), m_rows.begin() + static_cast<std::ptrdiff_t>(gone));
        endRemoveRows();
    }
    const std::size_t before = m_rows.size();
    for (std::size_t i = 0; i < before; ++i) {
        const GraphCause& was = m_rows[i].cause;
        if (was.over)
            continue;
        m_rows[i] = waits[i];
        // It still waits: as of now.
        if (!waits[i].cause.over)
            m_rows[i].cause = m_graph.waitCause(waits[i], m_graph.now());
        emit dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), ColumnCount - 1));
    }
    if (waits.size() > before) {
        beginInsertRows({}, static_cast<int>(before), static_cast<int>(waits.size()) - 1);
        m_rows.insert(m_rows.end(), waits.begin() + static_cast<std::ptrdiff_t>(before), waits.end());
        endInsertRows();
    }
}

GraphKey WaitsModel::keyAt(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].key : GraphKey();
}

int WaitsModel::rowOf(const GraphKey& key) const {
    const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const GraphWait& wait) { return wait.key == key; });
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

void WaitsModel::dismiss(int row) {
    if (row < 0 || row >= rowCount())
        return;
    const QScopedValueRollback changing(m_changing, true);
    const GraphWait& wait = m_rows[static_cast<std::size_t>(row)];
    beginRemoveRows({}, row, row);
    m_graph.dismiss(wait.key, wait.cause.atSender);
    m_rows.erase(m_rows.begin() + row);
    endRemoveRows();
}

void WaitsModel::dismissAll() {
    const QScopedValueRollback changing(m_changing, true);
    beginResetModel();
    m_graph.dismissAll();
    m_rows.clear();
    endResetModel();
}

int WaitsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WaitsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant WaitsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const GraphWait& wait = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case MessageColumn:
            return QStringLiteral("#%1 %2 %3")
                .arg(QString::number(wait.key.sequence), shownLine(wait.type), shownLine(wait.entity))
                .trimmed();
        case WaitedColumn:
            return durationText(wait.cause.until - wait.cause.since);
        case CauseColumn:
            return rootText(wait.cause);
        default:
            return {};
        }
    case SortRole:
        return index.column() == MessageColumn  ? QVariant(static_cast<qulonglong>(wait.key.sequence))
               : index.column() == WaitedColumn ? QVariant(static_cast<qlonglong>(wait.cause.until - wait.cause.since))
                                                : QVariant(static_cast<qulonglong>(wait.cause.atSender ? 0 : wait.cause.root()));
    case Qt::ToolTipRole:
        return tipText(peerName(m_graph, wait.key.to) + QStringLiteral(": ") + causeText(m_graph, wait.key, wait.cause));
    case Qt::AccessibleTextRole:
        return peerName(m_graph, wait.key.to) + QStringLiteral(": ") + causeText(m_graph, wait.key, wait.cause);
    case Qt::DecorationRole:
        return index.column() == MessageColumn ? QVariant(m_theme.peer(wait.key.to)) : QVariant();
    case Qt::ForegroundRole:
        if (index.column() == WaitedColumn && !wait.cause.over)
            return m_theme.readable(stateColor(m_theme, GraphState::Waiting));
        return {};
    case Qt::FontRole:
        return m_theme.font(FontRole::Mono);
    case Qt::TextAlignmentRole:
        if (index.column() == WaitedColumn)
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    default:
        return {};
    }
}

QVariant WaitsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == WaitedColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case MessageColumn:
        return tr("Over 100 ms");
    case WaitedColumn:
        return tr("Waited");
    default:
        return tr("For");
    }
}

} // namespace sbx::ui

#include "moc_waits_model.cpp"
