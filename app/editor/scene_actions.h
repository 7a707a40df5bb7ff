#pragma once
// The window's actions on how the scene is arranged: what hangs from what, groups, alignment. Menus, keys and the outliner's drags lead here; the edits
// themselves are those of widgets/viewport. GUI thread; child of the window, editor and panels outlive it.

#include <QObject>
#include <QString>

#include "widgets/viewport/arrange_edits.h"
#include "widgets/viewport/hierarchy_edits.h"

#include <string>
#include <vector>

class QMenu;

namespace sbx::ui {
class LayersPanel;
class OutlinerPanel;
class ViewportPanel;
} // namespace sbx::ui

namespace sbx::editor {

class Editor;

class SceneActions : public QObject {
    Q_OBJECT

public:
    // Adds the actions, joins the outliner and extends the viewport's menu.
    SceneActions(Editor& editor, ui::ViewportPanel& viewport, ui::OutlinerPanel& outliner, ui::LayersPanel& layers, QObject* parent);

    // Submenus for the menu of a selection.
    static void fill(QMenu& menu, Editor& editor, ui::LayersPanel& layers);

signals:
    // Something could not be done: what, and what would be right.
    void problem(const QString& text);

private:
    void addHierarchyActions();
    void addArrangeActions();
    void addLayerActions();
    void report(const Result<void>& result);

    Editor& m_editor;
    ui::ViewportPanel& m_viewport;
    ui::OutlinerPanel& m_outliner;
    ui::LayersPanel& m_layers;
    ui::HierarchyEdits m_hierarchy;
    ui::ArrangeEdits m_arrange;
};

} // namespace sbx::editor
