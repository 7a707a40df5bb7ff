#pragma once
// Hiding and locking entities: the window's actions, the badge of the status bar that counts them, and the memory of marks and layers between
// runs. GUI thread; child of the window; editor, marks and layers outlive it.

#include <QObject>

#include "widgets/common/scene_layers.h"
#include "widgets/common/scene_marks.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sbx::editor {

class Editor;
class StatusBadge;
class StatusStrip;

class MarkActions : public QObject {
    Q_OBJECT

public:
    MarkActions(Editor& editor, ui::SceneMarks& marks, ui::SceneLayers& layers, StatusStrip& status, QObject* parent);

private:
    void addActions();
    void follow();
    void restore();
    void keep();
    void showBadge();
    void showBadgeMenu();
    // All of these, or nothing if none would change.
    void mark(ui::SceneMark mark, bool on, const std::vector<std::string>& names);
    void hideOrShow();
    void isolate();

    Editor& m_editor;
    ui::SceneMarks* m_marks;
    ui::SceneLayers* m_layers;
    // What isolate() made of the marks, and of what; while they are the former, isolating once more goes back.
    std::optional<std::pair<ui::SceneMarks::Sets, ui::SceneMarks::Sets>> m_isolated;
    StatusBadge* m_badge;
    bool m_restoring = false;
};

} // namespace sbx::editor
