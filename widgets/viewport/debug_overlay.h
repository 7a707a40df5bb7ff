#pragma once
// What the physics sees, drawn over the picture: shapes of bodies by what they are, where bodies touch, the boxes of the broad phase's tree
// by depth; and the legend that says which colour is what. GUI thread; the parent owns the legend.

#include "engine/render/overlay.h"
#include "engine/simulation/snapshot.h"

#include <QColor>
#include <QPoint>
#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

namespace sbx::ui {

class Theme;

// Lines that are longer than any scene (a plane's) are left out.
void drawPhysics(render::DebugDraw& draw, const PhysicsView& physics, const Theme& theme);

class DebugLegend : public QWidget {
    Q_OBJECT

public:
    DebugLegend(const Theme& theme, QWidget* parent);

    struct Row {
        QColor color; // not valid: a heading
        QString text;

        friend bool operator==(const Row&, const Row&) = default;
    };
    // Says what the view draws, in a picture `room` pixels high, and `more` behind it; of nothing it hides. True: its size has changed.
    bool explain(const PhysicsView* physics, int room, std::vector<Row> more = {});
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void layOut();

    const Theme& m_theme;
    std::vector<Row> m_rows;
    std::vector<QPoint> m_places; // of the rows
    int m_room = 0;
};

} // namespace sbx::ui
