#pragma once
// The strip at the viewport's top left: tools, axes, snap with its steps, grid, player's camera. Every button is an action of the
// registry. GUI thread; parent owns it.

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

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addButton(QHBoxLayout& row, ActionRegistry& actions, const QString& id);
    void addDebugMenu(QHBoxLayout& row, ActionRegistry& actions);
    void addGap(QHBoxLayout& row);
    void buildSteps();
    void refresh();

    const Theme& m_theme;
    GizmoControl& m_gizmo;
    QToolButton* m_steps;
};

} // namespace sbx::ui
