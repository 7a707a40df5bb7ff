#include "widgets/graph/graph_glyphs.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include "widgets/common/theme.h"

namespace sbx::ui {

QColor stateColor(const Theme& theme, GraphState state) {
    switch (state) {
    case GraphState::Sent:
        return theme.color(Meaning::Sent);
    case GraphState::Resent:
        return theme.color(Meaning::Resent);
    case GraphState::Lost:
        return theme.color(Meaning::Lost);
    case GraphState::Acknowledged:
        return theme.color(Meaning::Acknowledged);
    case GraphState::Waiting:
        return theme.color(Meaning::Waiting);
    case GraphState::Executed:
        return theme.color(Meaning::Executed);
    case GraphState::Queued:
    case GraphState::Unseen:
        break;
    }
    return theme.color(Token::Muted);
}

GraphState stateOf(GraphHandshake::Outcome outcome) {
    switch (outcome) {
    case GraphHandshake::Outcome::Connected:
        return GraphState::Executed;
    case GraphHandshake::Outcome::Asking:
        return GraphState::Sent;
    case GraphHandshake::Outcome::Denied:
    case GraphHandshake::Outcome::Unanswered:
    case GraphHandshake::Outcome::Closed:
        break;
    }
    return GraphState::Lost;
}

QString stateName(GraphState state) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("GraphState", text); };
    switch (state) {
    case GraphState::Queued:
        return tr("queued");
    case GraphState::Sent:
        return tr("sent");
    case GraphState::Resent:
        return tr("resent");
    case GraphState::Lost:
        return tr("lost");
    case GraphState::Acknowledged:
        return tr("acknowledged");
    case GraphState::Waiting:
        return tr("waiting");
    case GraphState::Executed:
        return tr("executed");
    case GraphState::Unseen:
        break;
    }
    return tr("not there");
}

void paintState(QPainter& painter, QPointF c, double r, GraphState state, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const QPen line(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    const auto triangle = [&](double left, double width) {
        painter.drawPolygon(QPolygonF{{left, c.y() - r * 0.9}, {left + width, c.y()}, {left, c.y() + r * 0.9}});
    };
    switch (state) {
    case GraphState::Sent:
        triangle(c.x() - r * 0.7, r * 1.6);
        break;
    case GraphState::Resent:
        triangle(c.x() - r, r);
        triangle(c.x(), r);
        break;
    case GraphState::Lost:
        painter.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(c + QPointF(-r, -r) * 0.75, c + QPointF(r, r) * 0.75);
        painter.drawLine(c + QPointF(-r, r) * 0.75, c + QPointF(r, -r) * 0.75);
        break;
    case GraphState::Acknowledged:
        painter.setPen(line);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(c, r * 0.72, r * 0.72);
        break;
    case GraphState::Waiting:
        painter.drawPolygon(QPolygonF{{c.x(), c.y() - r}, {c.x() + r, c.y()}, {c.x(), c.y() + r}, {c.x() - r, c.y()}});
        break;
    case GraphState::Executed:
        painter.drawEllipse(c, r * 0.8, r * 0.8);
        break;
    case GraphState::Queued:
    case GraphState::Unseen:
        painter.drawEllipse(c, r * 0.4, r * 0.4);
        break;
    }
    painter.restore();
}

void GraphGlyphs::prepare(const Theme& theme, qreal scale) {
    const int side = static_cast<int>(2 * Radius) + 3;
    for (std::size_t i = 0; i < m_pixmaps.size(); ++i)
        for (const bool dimmed : {false, true}) {
            QPixmap pixmap(QSize(side, side) * scale);
            pixmap.setDevicePixelRatio(scale);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            const auto state = static_cast<GraphState>(i);
            QColor color = stateColor(theme, state);
            if (dimmed)
                color = mix(theme.color(Token::Surface), color, 0.45);
            paintState(painter, QPointF(side / 2.0, side / 2.0), Radius, state, color);
            painter.end();
            m_pixmaps[i][dimmed ? 1 : 0] = pixmap;
        }
}

} // namespace sbx::ui
