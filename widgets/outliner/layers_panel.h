#pragma once
// The layers of the scene with their eyes and padlocks; buttons for a new one, for moving the selection in, for the one that new entities
// go to, and for removal. GUI thread; layers, marks and selection outlive it.

#include <QWidget>

#include "engine/core/result.h"

#include <string>
#include <vector>

class QMenu;
class QToolButton;
class QTreeView;

namespace sbx::ui {

class EmptySwitch;
class LayerModel;
class NameDelegate;
class SceneLayers;
class SceneMarks;
class Selection;
class Theme;

class LayersPanel : public QWidget {
    Q_OBJECT

public:
    LayersPanel(const Theme& theme, SceneLayers& layers, SceneMarks& marks, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] LayerModel& model() { return *m_model; }
    [[nodiscard]] QTreeView& view() { return *m_view; }

    [[nodiscard]] SceneLayers& layers() { return m_layers; }
    // All that is in the layers of what is selected.
    void selectLayers();
    // A new layer with a name of its own, the selection in it if there is one, and its name open for typing where the panel is seen.
    void addLayer();
    // Every layer and a new one, to move `names` to. The menu owns what is added.
    void fillMoveMenu(QMenu& menu, const std::vector<std::string>& names);

signals:
    // Something could not be done: what, and what would be right.
    void problem(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* button(const QString& name, const QString& icon, const QString& text, const QString& tip);
    void makeButtons();
    void makeView();
    void report(const Result<void>& result);
    void showButtons();
    void showMenu(const QPoint& at);
    void selectMembers(const std::string& layer);
    void showOnly(const std::string& layer);
    void removeLayer(const std::string& layer);
    [[nodiscard]] std::string current() const;

    const Theme& m_theme;
    SceneLayers& m_layers;
    SceneMarks& m_marks;
    Selection& m_selection;
    LayerModel* m_model;
    QTreeView* m_view;
    NameDelegate* m_names;
    EmptySwitch* m_switch;
    QToolButton* m_add = nullptr;
    QToolButton* m_move = nullptr;
    QToolButton* m_active = nullptr;
    QToolButton* m_remove = nullptr;
};

} // namespace sbx::ui
