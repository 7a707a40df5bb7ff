#pragma once
// Hiding and locking entities: the window's actions, the badge of the status bar that counts them, and their memory between runs. Owns the
// marks. GUI thread; child of the window, editor and panels outlive it.

#include <QObject>

#include "widgets/common/scene_marks.h"

#include <string>
#include <vector>

namespace sbx::ui {
class OutlinerPanel;
class ViewportPanel;
} // namespace sbx::ui

namespace sbx::editor {

class Editor;
class StatusBadge;
class StatusStrip;

class MarkActions : public QObject {
    Q_OBJECT

public:
    MarkActions(Editor& editor, ui::ViewportPanel& viewport, ui::OutlinerPanel& outliner, StatusStrip& status, QObject* parent);

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
    StatusBadge* m_badge;
    bool m_restoring = false;
};

} // namespace sbx::editor
