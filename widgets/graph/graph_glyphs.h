#pragma once
// How the states of a message look: a colour of the theme and a shape each, so that colour is never the only difference.

#include <QColor>
#include <QPixmap>
#include <QString>

#include "widgets/graph/graph_model.h"

#include <array>

class QPainter;

namespace sbx::ui {

class Theme;

inline constexpr std::array LegendStates{GraphState::Sent,    GraphState::Acknowledged, GraphState::Waiting,
                                         GraphState::Executed, GraphState::Lost,         GraphState::Resent};

[[nodiscard]] QColor stateColor(const Theme& theme, GraphState state);
// The state whose colour and shape a connection's mark has.
[[nodiscard]] GraphState stateOf(GraphHandshake::Outcome outcome);
// "sent", "acknowledged", …
[[nodiscard]] QString stateName(GraphState state);
// The shape around a point, `radius` pixels large.
void paintState(QPainter& painter, QPointF centre, double radius, GraphState state, const QColor& color);

// The shapes drawn once: thousands are put down in a frame.
class GraphGlyphs {
public:
    static constexpr double Radius = 4.0;
    void prepare(const Theme& theme, qreal scale);
    [[nodiscard]] const QPixmap& of(GraphState state, bool dimmed) const {
        return m_pixmaps[static_cast<std::size_t>(state)][dimmed ? 1 : 0];
    }

private:
    std::array<std::array<QPixmap, 2>, 8> m_pixmaps;
};

} // namespace sbx::ui
