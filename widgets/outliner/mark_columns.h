#pragma once
// The mouse on a tree's two columns of marks, of entities or of layers: a click turns a mark, a drag gives what the first row got to every
// row it passes; all of it is one step of undo. Keeps the columns narrow. GUI thread; child of the panel, view and marks outlive it.

#include <QObject>
#include <QModelIndex>

#include "widgets/common/scene_marks.h"

#include <functional>
#include <optional>

class QTreeView;

namespace sbx::ui {

class MarkColumns : public QObject {
    Q_OBJECT

public:
    static constexpr int Width = 24; // pixels

    // Whose names the rows have, and how a step of undo calls a number of them, of which the first has that name.
    struct Rows {
        int hidden = 0; // columns
        int locked = 0;
        MarkedNames& (SceneMarks::Sets::*names)(SceneMark) = nullptr;
        std::function<std::string(const QModelIndex&)> nameOf;
        std::function<QString(std::size_t count, const std::string& first)> text;
    };
    MarkColumns(QTreeView& view, SceneMarks& marks, Rows rows, QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Drag {
        SceneMark mark;
        bool on;
        int lastY;
        int rows = 0;
        std::string first;
    };
    void take(int y);
    void finish();
    [[nodiscard]] bool isMarkColumn(int column) const { return column == m_rows.hidden || column == m_rows.locked; }

    QTreeView& m_view;
    SceneMarks& m_marks;
    Rows m_rows;
    std::optional<Drag> m_drag;
};

} // namespace sbx::ui
