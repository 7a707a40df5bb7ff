// How connections came about and ended, in the lane of the client: a bar while it asks, a line and a flag at the outcome. The flag stands
// where there are no messages: before the line while there was no connection, after it once there is none.

#include <QPainter>

#include "widgets/common/theme.h"
#include "widgets/graph/graph_text.h"
#include "widgets/graph/graph_view.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {
constexpr int BarHeight = 3;
constexpr int FlagHeight = 16;
constexpr int MarkRoom = 16; // room for the mark before the text
constexpr double LineReach = 3.0;
} // namespace

void GraphView::collectHandshakes() {
    m_flags.clear();
    const net::Time at = shownTime();
    const QFontMetrics metrics(m_theme.font(FontRole::Ui));
    const double right = viewport()->width();
    for (const GraphHandshake& one : m_model.handshakes().all()) {
        if (one.began > at || one.lane >= laneCount())
            continue;
        const Lane in = lane(one.lane);
        const double from = HeaderWidth + m_axis.x(one.began);
        const double line = HeaderWidth + m_axis.x(std::min(one.ended, at));
        if (line < HeaderWidth || from > right)
            continue;
        Flag flag;
        flag.id = one.id;
        flag.lane = one.lane;
        flag.line = line;
        flag.bar = QRectF(from, in.top + 1, line - from, BarHeight);
        flag.text = handshakeText(one, at);
        if (!one.address.empty())
            flag.text.prepend(QString::fromStdString(one.address) + QStringLiteral(": "));
        flag.state = stateOf(one.outcomeAt(at));
        const double width = MarkRoom + metrics.horizontalAdvance(flag.text) + 8;
        const bool over = one.outcomeAt(at) == GraphHandshake::Outcome::Closed;
        // To the other side where there is no room on its own; below those it would hide.
        bool before = !over;
        const double edge = std::min(line, right); // one that still asks goes on beyond what is in sight
        if (before && edge - width < HeaderWidth)
            before = false;
        else if (!before && edge + width > right)
            before = true;
        flag.box = QRectF(before ? edge - width : edge + 1, in.top + 1 + BarHeight, width, FlagHeight);
        for (const Flag& other : m_flags)
            if (other.lane == flag.lane && other.box.intersects(flag.box))
                flag.box.moveTop(other.box.bottom() + 1);
        m_flags.push_back(std::move(flag));
    }
}

void GraphView::paintHandshakes(QPainter& painter, const Lane& in) const {
    const net::Time at = shownTime();
    for (const Flag& flag : m_flags) {
        if (flag.lane != in.peer)
            continue;
        const GraphHandshake* const one = m_model.handshakes().find(flag.id);
        if (one == nullptr)
            continue;
        const bool chosen = flag.id == m_handshake || flag.id == m_hoveredHandshake;
        const QColor color = stateColor(m_theme, flag.state);
        painter.fillRect(flag.bar, mix(m_theme.color(Token::Surface), color, 0.55));
        for (const GraphHandshakeStep& step : one->steps)
            if (step.time <= std::min(at, one->ended))
                painter.fillRect(QRectF(HeaderWidth + m_axis.x(step.time), in.top + 1, 1, BarHeight + 2),
                                 color);
        painter.fillRect(QRectF(flag.line, in.top + 1, 1, in.height - 2),
                         mix(m_theme.color(Token::Surface), color, chosen ? 1.0 : 0.6));
        if (flag.box.bottom() > in.top + in.height)
            continue;
        QColor ground = m_theme.color(Token::Raised);
        ground.setAlphaF(0.92F);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(flag.id == m_handshake ? QPen(m_theme.color(Token::Accent), 1.5) : QPen(Qt::NoPen));
        painter.setBrush(ground);
        painter.drawRoundedRect(flag.box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter.setRenderHint(QPainter::Antialiasing, false);
        paintState(painter, QPointF(flag.box.left() + MarkRoom / 2.0 + 1, flag.box.center().y()),
                   GraphGlyphs::Radius, flag.state, color);
        painter.setFont(m_theme.font(FontRole::Ui));
        painter.setPen(m_theme.color(Token::Text));
        painter.drawText(flag.box.adjusted(MarkRoom + 2, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter, flag.text);
    }
}

std::uint64_t GraphView::handshakeAt(const QPoint& point) const {
    if (point.x() < HeaderWidth || point.y() < AxisHeight)
        return 0;
    const QPointF at(point);
    for (auto flag = m_flags.rbegin(); flag != m_flags.rend(); ++flag)
        if (flag->box.contains(at))
            return flag->id;
    for (const Flag& flag : m_flags) {
        const Lane in = lane(flag.lane);
        const bool inLane = point.y() >= in.top && point.y() < in.top + in.height;
        if (inLane
            && (std::abs(at.x() - flag.line) <= LineReach || flag.bar.adjusted(-2, -1, 2, 3).contains(at)))
            return flag.id;
    }
    return 0;
}

std::optional<QRectF> GraphView::flagOf(std::uint64_t handshake) const {
    const auto flag =
        std::find_if(m_flags.begin(), m_flags.end(), [&](const Flag& one) { return one.id == handshake; });
    return flag == m_flags.end() ? std::nullopt : std::optional(flag->box);
}

void GraphView::pickHandshake(std::uint64_t id) {
    m_handshake = id;
    if (id != 0) {
        m_axis.setFollowing(false);
        setCurrent({}, false);
        emit axisChanged();
    }
    viewport()->update();
    emit handshakePicked(id);
}

void GraphView::nextHandshake() {
    const std::deque<GraphHandshake>& all = m_model.handshakes().all();
    if (all.empty())
        return;
    auto next =
        std::find_if(all.begin(), all.end(), [&](const GraphHandshake& one) { return one.id > m_handshake; });
    if (next == all.end())
        next = all.begin();
    m_axis.setFollowing(false);
    m_axis.reveal(std::min(next->ended, shownTime()));
    pickHandshake(next->id);
}

} // namespace sbx::ui
