#pragma once
// The steps of the document's undo stack as rows: the first is the project as it was opened, each other one step.
//
// The rows follow the stack: only those that changed are inserted or removed, so that a view keeps its place. GUI thread; the document
// outlives the model.

#include <QAbstractListModel>
#include <QString>

#include <functional>
#include <vector>

class QUndoCommand;

namespace sbx::ui {

class Document;

class HistoryModel : public QAbstractListModel {
    Q_OBJECT

public:
    // CurrentRole: what is shown everywhere is the result of this step. SavedRole: the files on disk are. UndoneRole: it comes again
    // only by Redo. All bool.
    enum Role { CurrentRole = Qt::UserRole + 1, SavedRole, UndoneRole };

    explicit HistoryModel(Document& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] int currentRow() const { return m_current; }
    // Steps, without the row of the beginning.
    [[nodiscard]] int steps() const { return rowCount() > 0 ? rowCount() - 1 : 0; }

    // Calls `step` (redo or undo) until that row is the current one, or until a call changed nothing.
    void goTo(int row, const std::function<void(bool redo)>& step);

signals:
    void moved();

private:
    struct Row {
        const QUndoCommand* step = nullptr; // never looked into: it may be gone; null: the beginning
        QString text;
        bool operator==(const Row&) const = default;
    };
    void refresh();
    [[nodiscard]] std::vector<Row> rowsNow() const;

    Document& m_document;
    std::vector<Row> m_rows; // empty: no project is open
    int m_current = -1;
    int m_saved = -1;
};

} // namespace sbx::ui
