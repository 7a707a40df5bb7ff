#pragma once
// The mouse on the outliner's columns of marks: a click turns a mark, a drag gives what the first row got to every row it passes; all of
// it is one step of undo. Keeps the two columns narrow. GUI thread; child of the panel, view, model and marks outlive it.

#include <QObject>
#include <QPointer>

#include "widgets/common/scene_marks.h"

#include <optional>

class QTreeView;

namespace sbx::ui {

class EntityTreeModel;

class MarkColumns : public QObject {
    Q_OBJECT

public:
    static constexpr int Width = 24; // pixels

    MarkColumns(QTreeView& view, EntityTreeModel& model, SceneMarks& marks, QObject* parent);

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

    QTreeView& m_view;
    EntityTreeModel& m_model;
    SceneMarks& m_marks;
    std::optional<Drag> m_drag;
};

} // namespace sbx::ui
