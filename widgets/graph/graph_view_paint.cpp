// What is drawn, back to front: ground, flights, edges, bars, shapes, the current message and its chain, headers, time.

#include <QPainter>
#include <QPainterPath>

#include "widgets/common/theme.h"
#include "widgets/graph/graph_text.h"
#include "widgets/graph/graph_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace sbx::ui {

namespace {

constexpr double FlightsNearer = 12e6; // ns a pixel: farther away, flights are a hatching
constexpr double EdgesNearer = 16e6;
constexpr std::size_t MaxEdges = 400; // beside those that a message waited for
constexpr double MinBar = 3.0;        // pixels

// A step of 1, 2 or 5 times a power of ten that leaves so many pixels between two.
net::Time tickStep(double perPixel, double pixels) {
    const double least = perPixel * pixels;
    double step = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (step * factor >= least)
            return static_cast<net::Time>(step * factor);
    return static_cast<net::Time>(step * 10.0);
}

} // namespace

void GraphView::paintEvent(QPaintEvent*) {
    QElapsedTimer clock;
    clock.start();
    QPainter painter(viewport());
    if (m_glyphScale != viewport()->devicePixelRatioF()) {
        m_glyphScale = viewport()->devicePixelRatioF();
        m_glyphs.prepare(m_theme, m_glyphScale);
    }
    painter.fillRect(viewport()->rect(), m_theme.color(Token::Surface));
    collect();
    for (int i = 0; i < laneCount(); ++i) {
        const Lane in = lane(i);
        if (in.top > viewport()->height() || in.top + in.height < AxisHeight)
            continue;
        paintGround(painter, in, i);
        painter.save();
        painter.setClipRect(QRect(HeaderWidth, std::max(in.top, AxisHeight), viewport()->width() - HeaderWidth, in.height));
        paintLane(painter, in, i);
        painter.restore();
    }
    painter.save();
    painter.setClipRect(QRect(HeaderWidth, AxisHeight, viewport()->width() - HeaderWidth, viewport()->height() - AxisHeight));
    paintCurrent(painter);
    painter.restore();
    paintAxis(painter);
    if (hasFocus()) {
        painter.setPen(m_theme.color(Token::Accent));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
    m_frame.milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

void GraphView::paintAxis(QPainter& painter) const {
    const QRect strip(0, 0, viewport()->width(), AxisHeight);
    painter.fillRect(strip, m_theme.color(Token::Raised));
    painter.fillRect(QRect(0, AxisHeight - 1, strip.width(), 1), m_theme.color(Token::Line));
    painter.setFont(m_theme.font(FontRole::Mono));
    painter.setPen(m_theme.color(Token::Muted));
    painter.drawText(QRect(8, 0, HeaderWidth - 16, AxisHeight - 1), Qt::AlignLeft | Qt::AlignVCenter,
                     m_frozen ? tr("frozen at %1 s").arg(static_cast<double>(*m_frozen) / 1e9, 0, 'f', 2) : tr("network time"));
    painter.setClipRect(QRect(HeaderWidth, 0, strip.width() - HeaderWidth, AxisHeight));
    const net::Time step = tickStep(m_axis.perPixel(), 90.0);
    const int decimals = step >= net::Second ? 0 : std::clamp(static_cast<int>(std::ceil(9.0 - std::log10(static_cast<double>(step)))), 1, 5);
    const net::Time first = std::max<net::Time>(0, m_axis.from() / step * step);
    for (net::Time at = first; at <= m_axis.to() + step; at += step) {
        const int x = HeaderWidth + static_cast<int>(m_axis.x(at));
        painter.fillRect(QRect(x, AxisHeight - 5, 1, 4), m_theme.color(Token::Muted));
        // Whole or not at all: a part of a number is another number.
        const QString text = QString::number(static_cast<double>(at) / 1e9, 'f', decimals) + QStringLiteral(" s");
        if (x >= HeaderWidth - 4 && x + 4 + painter.fontMetrics().horizontalAdvance(text) <= strip.width())
            painter.drawText(QRect(x + 4, 0, 90, AxisHeight - 1), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    painter.setClipping(false);
}

void GraphView::paintGround(QPainter& painter, const Lane& in, int index) const {
    const int right = viewport()->width();
    const QColor line = m_theme.color(Token::Line);
    const QColor faint = mix(m_theme.color(Token::Surface), line, 0.5);
    painter.fillRect(QRect(HeaderWidth, in.half, right - HeaderWidth, in.top + in.height - in.half),
                     mix(m_theme.color(Token::Surface), m_theme.color(Token::Ground), 0.6));
    const net::Time step = tickStep(m_axis.perPixel(), 90.0);
    for (net::Time at = std::max<net::Time>(0, m_axis.from() / step * step); at <= m_axis.to(); at += step)
        if (const int x = static_cast<int>(m_axis.x(at)); x >= 0)
            painter.fillRect(QRect(HeaderWidth + x, in.top, 1, in.height), faint);
    painter.fillRect(QRect(HeaderWidth, in.half, right - HeaderWidth, 1), faint);
    painter.fillRect(QRect(0, in.top + in.height - 1, right, 1), line);
    painter.fillRect(QRect(HeaderWidth - 1, in.top, 1, in.height), line);

    // The header: who receives here, how the connection is, and what the halves are.
    painter.save();
    painter.setClipRect(QRect(0, std::max(in.top, AxisHeight), HeaderWidth - 1, in.height));
    painter.fillRect(QRect(0, in.top + 1, 3, in.height - 2), m_theme.peer(index));
    const QFontMetrics metrics(m_theme.font(FontRole::Ui));
    const int row = metrics.height() + 1;
    int y = in.top + 5;
    painter.setFont(m_theme.strongFont(FontRole::Ui));
    painter.setPen(m_theme.color(Token::Text));
    painter.drawText(QRect(12, y, HeaderWidth - 20, row), Qt::AlignLeft | Qt::AlignVCenter,
                     peerName(m_model, in.peer));
    y += row;
    painter.setPen(m_theme.color(Token::Muted));
    painter.setFont(m_theme.font(FontRole::Mono));
    if (index < static_cast<int>(m_notes.size())) {
        const QFontMetrics mono(painter.font());
        for (const QString& note : m_notes[static_cast<std::size_t>(index)]) {
            if (y + row > in.top + in.height)
                break;
            painter.drawText(QRect(12, y, HeaderWidth - 20, row), Qt::AlignLeft | Qt::AlignVCenter,
                             mono.elidedText(note, Qt::ElideRight, HeaderWidth - 20));
            y += row;
        }
    }
    painter.restore();
}

// Beside the chain of the current message, or outside the span.
bool GraphView::isDim(const Drawn& d) const {
    const bool outside = m_span && (d.node->trace < m_span->first || d.node->trace >= m_span->second);
    return outside || (m_chain.size() > 1 && !inChain(d.key));
}

void GraphView::paintLane(QPainter& painter, const Lane& in, int index) {
    const std::vector<Drawn>& all = m_drawn[static_cast<std::size_t>(index)];
    if (m_axis.perPixel() < FlightsNearer)
        for (const Drawn& d : all)
            if (!d.folded)
                paintFlights(painter, d);
    paintEdges(painter, in, all);
    for (const Drawn& d : all)
        if (!d.folded)
            paintBars(painter, d, isDim(d));

    // Shapes: of those that would hide each other the later wins, and equal ones are put down once.
    const auto side = static_cast<double>(m_glyphs.of(GraphState::Sent, false).width()) / m_glyphScale;
    struct Last {
        double x = -100.0;
        GraphState state = GraphState::Unseen;
        bool dim = false;
    };
    std::vector<Last> last(2 * static_cast<std::size_t>(in.capacity()));
    const auto put = [&](const Drawn& d, QPointF at, GraphState state, bool receiver) {
        const double y = at.y() - (receiver ? in.half : in.top) - 5;
        Last& before = last[static_cast<std::size_t>(y / RowPitch) * 2 + (receiver ? 1 : 0)];
        const bool dim = isDim(d);
        if (state == before.state && dim == before.dim && std::abs(at.x() - before.x) < 3.0)
            return;
        before = {at.x(), state, dim};
        painter.drawPixmap(QPointF(at.x() - side / 2, at.y() - side / 2), m_glyphs.of(state, dim));
        ++m_frame.drawn;
    };
    int folded = 0;
    for (const Drawn& d : all) {
        folded += d.folded ? 1 : 0;
        if (d.folded)
            continue;
        put(d, d.senderAt, d.sender, false);
        if (d.receiver != GraphState::Unseen)
            put(d, d.receiverAt, d.receiver, true);
    }
    painter.setFont(m_theme.font(FontRole::Ui));
    // On the left, where the oldest stands: what is new comes from the right.
    const auto plate = [&](const QString& text, int bottom) {
        const int width = painter.fontMetrics().horizontalAdvance(text) + 12;
        const QRect at(HeaderWidth, bottom - 17, width, 16);
        QColor ground = m_theme.color(Token::Raised);
        ground.setAlphaF(0.85F);
        painter.fillRect(at, ground);
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(at, Qt::AlignCenter, text);
    };
    plate(tr("sender's view"), in.half);
    plate(folded > 0 ? tr("receiver · %1 more in rows below: drag up").arg(folded) : tr("receiver"),
          in.top + in.height - 1);
    paintHandshakes(painter, in);
}

// At the sender from queued to known executed, at the receiver from arrived to executed, in the colour of each stretch.
void GraphView::paintBars(QPainter& painter, const Drawn& d, bool dimmed) const {
    const GraphNode& node = *d.node;
    const net::Time at = shownTime();
    const auto x = [&](net::Time time) { return HeaderWidth + m_axis.x(std::min(time, at)); };
    const auto color = [&](GraphState state) {
        return mix(m_theme.color(Token::Surface), stateColor(m_theme, state), dimmed ? 0.18 : 0.55);
    };
    const auto bar = [&](double from, double to, double y, double height, GraphState state) {
        if (to - from >= 1.0)
            painter.fillRect(QRectF(from, y - height / 2, to - from, height), color(state));
    };
    const double left = x(node.queued);
    if (d.senderAt.x() - left >= MinBar || x(node.end(at)) - left >= MinBar) {
        const double y = d.senderAt.y();
        double from = left;
        GraphState state = GraphState::Queued;
        const auto until = [&](net::Time time, GraphState next) {
            if (time > at)
                return;
            const double to = x(time);
            bar(from, to, y, state == GraphState::Queued ? 2 : 6, state);
            from = std::max(from, to);
            state = next;
        };
        // Losses and resends are few; in order of time.
        std::array<std::pair<net::Time, GraphState>, 32> steps;
        std::size_t count = 0;
        for (const GraphNode::Transmission& each : node.sent) {
            if (count + 2 > steps.size())
                break;
            steps[count++] = {each.sent, each.again ? GraphState::Resent : GraphState::Sent};
            if (each.lost != net::Never)
                steps[count++] = {each.lost, GraphState::Lost};
        }
        std::sort(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count));
        for (std::size_t i = 0; i < count; ++i)
            if (steps[i].first <= std::min(node.acknowledged, node.known))
                until(steps[i].first, steps[i].second);
        until(node.acknowledged, GraphState::Acknowledged);
        until(node.known, GraphState::Executed);
        if (node.known > at)
            bar(from, x(at), y, state == GraphState::Queued ? 2 : 6, state);
        // Its name, where there is room for some of it.
        const double room = x(std::min(node.known, at)) - left - 14;
        if (room >= 56) {
            painter.setFont(m_theme.font(FontRole::Mono));
            painter.setPen(m_theme.color(dimmed ? Token::Muted : Token::Text));
            const QString text = QStringLiteral("#%1 %2").arg(QString::number(node.sequence), messageText(m_model, node));
            painter.drawText(QRectF(left + 8, y - 8, room, 16), Qt::AlignLeft | Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(room)));
        }
    }
    if (d.receiver == GraphState::Unseen)
        return;
    const double from = x(node.arrived);
    bar(from, d.receiverAt.x(), d.receiverAt.y(), 6, GraphState::Waiting);
    if (const double room = d.receiverAt.x() - from - 12; room >= 44) {
        painter.setFont(m_theme.font(FontRole::Mono));
        painter.setPen(m_theme.color(dimmed ? Token::Muted : Token::Text));
        painter.drawText(QRectF(from + 6, d.receiverAt.y() - 8, room, 16), Qt::AlignLeft | Qt::AlignVCenter,
                         durationText(std::min(node.executed, at) - node.arrived));
    }
}

// From where it left to where it came in; what was lost ends on the way.
void GraphView::paintFlights(QPainter& painter, const Drawn& d) const {
    const net::Time at = shownTime();
    const GraphNode& node = *d.node;
    painter.setRenderHint(QPainter::Antialiasing);
    for (const GraphNode::Transmission& each : node.sent) {
        if (each.sent > at)
            continue;
        const QPointF from(HeaderWidth + m_axis.x(each.sent), d.senderAt.y());
        const bool brought = node.arrived <= at && (node.arrivedIn == 0 ? each.lost == net::Never : each.packet == node.arrivedIn);
        if (brought) {
            const QPointF to(HeaderWidth + m_axis.x(node.arrived), d.receiverAt.y());
            painter.setPen(QPen(mix(m_theme.color(Token::Surface), stateColor(m_theme, each.again ? GraphState::Resent : GraphState::Sent), 0.45), 1));
            painter.drawLine(from, to);
        } else if (each.lost <= at) {
            const QPointF to = from + QPointF(6, (d.receiverAt.y() - d.senderAt.y()) * 0.4);
            const QColor color = stateColor(m_theme, GraphState::Lost);
            painter.setPen(QPen(mix(m_theme.color(Token::Surface), color, 0.7), 1));
            painter.drawLine(from, to);
            painter.drawLine(to + QPointF(-2.5, -2.5), to + QPointF(2.5, 2.5));
            painter.drawLine(to + QPointF(-2.5, 2.5), to + QPointF(2.5, -2.5));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// From a dependency to the message that depends on it, at the sender and at the receiver; strong where a message waits for it now.
void GraphView::paintEdges(QPainter& painter, const Lane& in, const std::vector<Drawn>& all) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QColor faint = mix(m_theme.color(Token::Surface), m_theme.color(Token::Muted), 0.5);
    const QColor strong = stateColor(m_theme, GraphState::Waiting);
    const bool near = m_axis.perPixel() < EdgesNearer;
    std::size_t count = 0;
    const auto curve = [&](QPointF from, QPointF to) {
        QPainterPath path(from);
        const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 6.0, 40.0);
        path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
        painter.drawPath(path);
        ++m_frame.edges;
    };
    for (const Drawn& d : all) {
        const bool hovered = d.key == m_hovered || d.key == m_current;
        const bool waits = d.receiver == GraphState::Waiting;
        if (d.node->needs.empty() || !(waits || hovered || (near && count < MaxEdges && !d.folded)))
            continue;
        for (const std::uint64_t need : d.node->needs) {
            const GraphKey key{d.key.from, d.key.to, need};
            const GraphNode* other = m_model.find(key);
            if (other == nullptr || other->queued > shownTime())
                continue;
            const Drawn of = drawn(in, key, *other);
            if (of.receiver != GraphState::Executed && waits) {
                painter.setPen(QPen(strong, 1.5));
                curve(of.receiver == GraphState::Unseen ? of.senderAt : of.receiverAt, d.receiverAt);
                continue;
            }
            if (of.folded && !hovered)
                continue;
            painter.setPen(QPen(hovered ? m_theme.color(Token::Text) : faint, 1));
            // What had run before this was even sent explains nothing unless asked for.
            if (d.receiver != GraphState::Unseen && of.receiver == GraphState::Executed)
                curve(of.receiverAt, d.receiverAt);
            if (hovered)
                curve(of.senderAt, d.senderAt);
            ++count;
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// The current message ringed at both ends, and the chain to the root of its wait.
void GraphView::paintCurrent(QPainter& painter) const {
    if (!m_current)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto place = [&](const GraphKey& key) -> std::optional<Drawn> {
        const GraphNode* node = m_model.find(key);
        if (node == nullptr || key.to >= laneCount() || node->queued > shownTime())
            return std::nullopt;
        return drawn(lane(key.to), key, *node);
    };
    const auto spot = [](const Drawn& d) { return d.receiver == GraphState::Unseen ? d.senderAt : d.receiverAt; };
    for (std::size_t i = 0; i + 1 < m_chain.size(); ++i) {
        const auto waiter = place(m_chain[i]);
        const auto blocker = place(m_chain[i + 1]);
        if (!waiter || !blocker)
            continue;
        const QPointF from = spot(*blocker);
        const QPointF to = spot(*waiter);
        QPainterPath path(from);
        const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 8.0, 60.0);
        path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
        painter.setPen(QPen(m_theme.color(Token::Surface), 4.5));
        painter.drawPath(path);
        painter.setPen(QPen(stateColor(m_theme, GraphState::Waiting), 2.2));
        painter.drawPath(path);
    }
    for (const GraphKey& key : m_chain)
        if (const auto d = place(key); d && key != m_current) {
            painter.setPen(QPen(stateColor(m_theme, GraphState::Waiting), 1.5));
            for (const QPointF& point : {d->senderAt, spot(*d)})
                painter.drawEllipse(point, 6.5, 6.5);
        }
    if (const auto d = place(m_current)) {
        painter.setPen(QPen(m_theme.color(Token::Accent), 2));
        for (const QPointF& point : {d->senderAt, spot(*d)})
            painter.drawEllipse(point, 7, 7);
        if (m_pulse.state() == QAbstractAnimation::Running) {
            const double out = m_pulse.currentValue().toDouble();
            QColor color = m_theme.color(Token::Accent);
            color.setAlphaF(static_cast<float>(1.0 - out));
            painter.setPen(QPen(color, 2));
            for (const QPointF& point : {d->senderAt, spot(*d)})
                painter.drawEllipse(point, 7 + 16 * out, 7 + 16 * out);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace sbx::ui
