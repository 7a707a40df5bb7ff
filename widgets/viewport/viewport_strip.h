#pragma once
// The strip at the viewport's top left: tools, axes, snap with its steps, grid, player's camera. Every button is an action of the
// registry. Where the strip has not the room for all of them, the last ones stand in a menu at its end. GUI thread; parent owns it.

#include <QFrame>

class QHBoxLayout;
class QToolButton;

namespace sbx::ui {

class ActionRegistry;
class GizmoControl;
class Theme;

class ViewportStrip : public QFrame {
    Q_OBJECT

public:
    // The actions must be registered.
    ViewportStrip(const Theme& theme, ActionRegistry& actions, GizmoControl& gizmo, QWidget* parent);

    // Takes its size, at most so many pixels wide.
    void fit(int width);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addButton(QHBoxLayout& row, ActionRegistry& actions, const QString& id);
    void addDebugMenu(QHBoxLayout& row, ActionRegistry& actions);
    void addGap(QHBoxLayout& row);
    void buildSteps();
    void refresh();
    void addMore(QHBoxLayout& row);
    void fillMore();

    const Theme& m_theme;
    GizmoControl& m_gizmo;
    QToolButton* m_steps;
    QToolButton* m_more = nullptr;
    int m_room = -1; // of the last fit()
};

} // namespace sbx::ui
