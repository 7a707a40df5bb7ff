#include "widgets/history/history_model.h"

#include <QUndoStack>

#include "widgets/common/document.h"

#include <algorithm>

namespace sbx::ui {

HistoryModel::HistoryModel(Document& document, QObject* parent) : QAbstractListModel(parent), m_document(document) {
    const QUndoStack& stack = document.undoStack();
    connect(&stack, &QUndoStack::indexChanged, this, &HistoryModel::refresh);
    connect(&stack, &QUndoStack::cleanChanged, this, &HistoryModel::refresh);
    // A step that merged with the last one may have another name, and takes those away that were undone.
    connect(&stack, &QUndoStack::undoTextChanged, this, &HistoryModel::refresh);
    connect(&stack, &QUndoStack::redoTextChanged, this, &HistoryModel::refresh);
    connect(&document.undoOrder(), &UndoOrder::changed, this, &HistoryModel::refresh);
    connect(&document, &Document::opened, this, &HistoryModel::refresh);
    connect(&document, &Document::closed, this, &HistoryModel::refresh);
    connect(&document, &Document::saved, this, &HistoryModel::refresh);
    connect(&document, &Document::dirtyChanged, this, &HistoryModel::refresh);
    refresh();
}

int HistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const int row = index.row();
    const QString& text = m_rows[static_cast<std::size_t>(row)].text;
    switch (role) {
    case Qt::DisplayRole:
        return text;
    case Qt::AccessibleTextRole:
        return text + (row == m_current ? tr(", current") : row > m_current ? tr(", undone") : QString())
               + (row == m_saved ? tr(", saved") : QString());
    case Qt::ToolTipRole:
        return text + QLatin1Char('\n')
               + (row == m_current  ? tr("The project is as this step left it.")
                  : row < m_current ? tr("A click goes back to it: later steps are undone.")
                                    : tr("Undone. A click does everything up to it again."));
    case CurrentRole:
        return row == m_current;
    case SavedRole:
        return row == m_saved;
    case UndoneRole:
        return row > m_current;
    default:
        return {};
    }
}

std::vector<HistoryModel::Row> HistoryModel::rowsNow() const {
    std::vector<Row> rows;
    if (!m_document.isOpen())
        return rows;
    rows.push_back({nullptr, tr("Project as opened")});
    const QUndoStack& stack = m_document.undoStack();
    for (int i = 0; i < stack.count(); ++i)
        if (const QUndoCommand* step = stack.command(i); !step->isObsolete())
            rows.push_back({step, step->text()});
    return rows;
}

void HistoryModel::refresh() {
    std::vector<Row> rows = rowsNow();
    const auto first = std::mismatch(m_rows.begin(), m_rows.end(), rows.begin(), rows.end());
    const auto kept = static_cast<int>(first.first - m_rows.begin());
    // The same steps with other names stay rows.
    const auto named = std::mismatch(m_rows.begin(), m_rows.end(), rows.begin(), rows.end(),
                                     [](const Row& a, const Row& b) { return a.step == b.step; });
    const auto same = std::max(kept, static_cast<int>(named.first - m_rows.begin()));
    if (same < rowCount()) {
        beginRemoveRows({}, same, rowCount() - 1);
        m_rows.resize(static_cast<std::size_t>(same));
        endRemoveRows();
    }
    if (same < static_cast<int>(rows.size())) {
        beginInsertRows({}, same, static_cast<int>(rows.size()) - 1);
        m_rows = std::move(rows);
        endInsertRows();
    } else {
        m_rows = std::move(rows);
    }
    const QUndoStack& stack = m_document.undoStack();
    // Rows before a place of the stack: steps that turned out to be none have none.
    const auto rowAt = [&](int index) {
        int row = m_rows.empty() ? -1 : 0;
        for (int i = 0; i < index && row >= 0; ++i)
            row += stack.command(i)->isObsolete() ? 0 : 1;
        return row;
    };
    m_current = rowAt(stack.index());
    // Another program may have written a file since, or one that was recovered was never saved.
    m_saved = stack.cleanIndex() < 0 || (stack.isClean() && m_document.isDirty()) ? -1 : rowAt(stack.cleanIndex());
    if (!m_rows.empty())
        emit dataChanged(index(0), index(rowCount() - 1));
    emit moved();
}

void HistoryModel::goTo(int row, const std::function<void(bool redo)>& step) {
    if (row < 0 || row >= rowCount())
        return;
    const QUndoCommand* const wanted = m_rows[static_cast<std::size_t>(row)].step;
    const QUndoStack& stack = m_document.undoStack();
    const auto target = [&]() -> int {
        for (int i = 0; wanted != nullptr && i < stack.count(); ++i)
            if (stack.command(i) == wanted)
                return i + 1;
        return wanted == nullptr ? 0 : -1; // -1: it turned out to be no step, and is gone
    };
    for (int to = target(); to >= 0 && to != stack.index(); to = target()) {
        const int before = stack.index();
        step(to > before);
        if (stack.index() == before)
            return;
    }
}

} // namespace sbx::ui

#include "moc_history_model.cpp"
