#include "widgets/graph/graph_view.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include "widgets/common/theme.h"
#include "widgets/graph/graph_text.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {
constexpr int EdgeWidth = 48; // pixels at the right, where the newest is
constexpr int PulseMs = 700;
constexpr int Pulses = 2;
} // namespace

GraphView::GraphView(const Theme& theme, const GraphModel& model, QWidget* parent)
    : QAbstractScrollArea(parent), m_theme(theme), m_model(model) {
    setObjectName(QStringLiteral("graph.view"));
    setAccessibleName(tr("Guaranteed messages over time"));
    setAccessibleDescription(
        tr("Arrow keys go along the messages, up and down along what they wait for; plus and minus zoom; "
           "Space freezes; "
           "End follows the newest; N goes to the next that waited, H to the next handshake"));
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&theme, &Theme::changed, this, [this] {
        m_glyphScale = 0.0;
        viewport()->update();
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), QOverload<>::of(&QWidget::update));
    m_pulse.setStartValue(0.0);
    m_pulse.setEndValue(1.0);
    m_pulse.setDuration(PulseMs);
    m_pulse.setLoopCount(Pulses);
    connect(&m_pulse, &QVariantAnimation::valueChanged, viewport(), QOverload<>::of(&QWidget::update));
    connect(&m_pulse, &QVariantAnimation::finished, viewport(), QOverload<>::of(&QWidget::update));
}

void GraphView::refresh() {
    if (m_model.run() != m_run) {
        m_run = m_model.run();
        m_frozen.reset();
        m_current = m_hovered = {};
        m_handshake = m_hoveredHandshake = 0;
        m_laneScroll.clear();
        m_axis.setFollowing(true);
        emit axisChanged();
    }
    if (!m_frozen)
        m_axis.follow(m_model.now());
    updateScrollBar();
    findChain();
    viewport()->update();
}

void GraphView::setFrozen(bool frozen) {
    if (frozen == m_frozen.has_value())
        return;
    if (frozen) {
        m_frozen = m_model.now();
        m_axis.setFollowing(false); // it is zoomed and moved from where it stands
    } else {
        m_frozen.reset();
    }
    refresh();
}

void GraphView::setSpan(const std::optional<Records>& records) {
    if (m_span != records) {
        m_span = records;
        viewport()->update();
    }
}

void GraphView::setLaneNotes(std::vector<QStringList> notes) {
    if (notes != m_notes) {
        m_notes = std::move(notes);
        viewport()->update(0, 0, HeaderWidth, viewport()->height());
    }
}

void GraphView::setCurrent(const GraphKey& key, bool reveal) {
    m_current = key;
    if (key)
        m_handshake = 0;
    findChain();
    if (const GraphNode* node = reveal ? m_model.find(key) : nullptr) {
        // With the root of its wait, if both fit.
        const net::Time last = std::min(node->executed, shownTime());
        const GraphNode* root = m_chain.empty() ? nullptr : m_model.find(m_chain.back());
        if (root != nullptr && static_cast<double>(last - root->queued) < m_axis.perPixel() * (m_axis.width() - 100))
            m_axis.reveal(root->queued);
        m_axis.reveal(last);
        for (int i = 0; i < laneCount(); ++i)
            if (const Lane in = lane(i); in.peer == key.to)
                if (const int row = node->row - scrollOf(i); row < 0 || row >= in.capacity())
                    scrollLane(i, row < 0 ? row : row - in.capacity() + 1);
        emit axisChanged();
    }
    viewport()->update();
}

void GraphView::pulse() {
    m_pulse.stop();
    if (m_current)
        m_pulse.start();
}

void GraphView::zoom(double factor) {
    // Around the message that is looked at, where it is in sight.
    double place = m_axis.width() / 2.0;
    if (const GraphNode* node = m_model.find(m_current))
        if (const double x = m_axis.x(std::min(node->executed, shownTime())); x >= 0 && x < m_axis.width())
            place = x;
    m_axis.zoom(factor, place);
    emit axisChanged();
    viewport()->update();
}

void GraphView::setPerPixel(double nanoseconds) {
    if (!(nanoseconds > 0.0))
        return;
    m_axis.zoom(m_axis.perPixel() / nanoseconds, m_axis.width() - 1);
    emit axisChanged();
    viewport()->update();
}

// The moment under the pointer stays there. At the right edge that is the newest, which is followed on; elsewhere the picture stands
// still from then on, until it reaches the newest again.
void GraphView::zoomAt(double factor, double x) {
    if (m_axis.following() && x < m_axis.width() - EdgeWidth)
        m_axis.setFollowing(false);
    m_axis.zoom(factor, x);
    if (!m_frozen && !m_axis.following() && factor < 1.0
        && static_cast<double>(m_axis.to()) + 4.0 * m_axis.perPixel() >= static_cast<double>(m_model.now())) {
        m_axis.setFollowing(true);
        m_axis.follow(m_model.now());
    }
}

void GraphView::fit() {
    m_axis.fit(GraphAxis::Usual);
    emit axisChanged();
    viewport()->update();
}

void GraphView::goLive() {
    m_frozen.reset();
    m_axis.setFollowing(true);
    refresh();
    emit axisChanged();
}

// ---------------------------------------------------------------------------------------------------- places

int GraphView::laneCount() const { return static_cast<int>(m_model.peers().size()); }

GraphView::Lane GraphView::lane(int index) const {
    const int room = viewport()->height() - AxisHeight;
    const int height = std::max(MinLane, room / std::max(1, laneCount()));
    Lane out;
    out.peer = static_cast<std::uint16_t>(index);
    out.top = AxisHeight + index * height - verticalScrollBar()->value();
    out.height = height;
    out.half = out.top + height / 2;
    return out;
}

int GraphView::laneAt(int y) const {
    for (int i = 0; i < laneCount() && y >= AxisHeight; ++i)
        if (const Lane l = lane(i); y >= l.top && y < l.top + l.height)
            return i;
    return -1;
}

int GraphView::scrollOf(int lane) const {
    return lane < static_cast<int>(m_laneScroll.size()) ? m_laneScroll[static_cast<std::size_t>(lane)] : 0;
}

void GraphView::scrollLane(int index, int rows) {
    if (index < 0)
        return;
    m_laneScroll.resize(static_cast<std::size_t>(laneCount()), 0);
    const Lane in = lane(index);
    const int most = std::max(0, static_cast<int>(m_model.rows(in.peer)) - in.capacity());
    int& scroll = m_laneScroll[static_cast<std::size_t>(index)];
    scroll = std::clamp(scroll + rows, 0, most);
    viewport()->update();
}

void GraphView::updateScrollBar() {
    const int room = viewport()->height() - AxisHeight;
    const int wanted = lane(0).height * laneCount();
    verticalScrollBar()->setRange(0, std::max(0, wanted - room - laneCount()));
    verticalScrollBar()->setPageStep(room);
    verticalScrollBar()->setSingleStep(RowPitch);
}

double GraphView::rowY(const Lane& in, bool receiver, int row) const {
    return (receiver ? in.half : in.top) + 5 + row * RowPitch + RowPitch / 2.0;
}

GraphView::Drawn GraphView::drawn(const Lane& in, const GraphKey& key, const GraphNode& node) const {
    const net::Time at = shownTime();
    Drawn out;
    out.key = key;
    out.node = &node;
    out.sender = node.senderAt(at);
    out.receiver = node.receiverAt(at);
    const int row = node.row - scrollOf(in.peer);
    const int last = in.capacity() - 1;
    out.folded = row < 0 || row > last;
    const int shown = std::clamp(row, 0, last);
    const auto x = [&](net::Time time) { return HeaderWidth + m_axis.x(std::min(time, at)); };
    net::Time since = node.queued; // when it became what it is for its sender
    for (const GraphNode::Transmission& each : node.sent)
        for (const net::Time time : {each.sent, each.lost})
            if (time <= at)
                since = std::max(since, time);
    if (out.sender == GraphState::Executed)
        since = node.known;
    else if (out.sender == GraphState::Acknowledged)
        since = node.acknowledged;
    out.senderAt = {x(since), rowY(in, false, shown)};
    // A waiting one stands where it is now.
    out.receiverAt = {x(out.receiver == GraphState::Executed ? node.executed : at), rowY(in, true, shown)};
    return out;
}

void GraphView::collect() {
    m_frame = {};
    m_collected = m_model.version();
    m_drawn.assign(static_cast<std::size_t>(laneCount()), {});
    const net::Time from = m_axis.from() - static_cast<net::Time>(8 * m_axis.perPixel());
    const net::Time to = std::min(m_axis.to() + static_cast<net::Time>(8 * m_axis.perPixel()), shownTime());
    for (int i = 0; i < laneCount(); ++i) {
        const Lane in = lane(i);
        if (in.top > viewport()->height() || in.top + in.height < AxisHeight)
            continue;
        std::vector<Drawn>& out = m_drawn[static_cast<std::size_t>(i)];
        m_model.visit(in.peer, from, to,
                      [&](const GraphKey& key, const GraphNode& node) { out.push_back(drawn(in, key, node)); });
        m_frame.inSight += out.size();
    }
    collectHandshakes();
}

std::optional<GraphView::Place> GraphView::placeOf(const GraphKey& key) const {
    const GraphNode* node = m_model.find(key);
    if (node == nullptr || key.to >= laneCount() || node->queued > shownTime())
        return std::nullopt;
    const Drawn d = drawn(lane(key.to), key, *node);
    Place out{key, d.senderAt, std::nullopt};
    if (d.receiver != GraphState::Unseen)
        out.receiver = d.receiverAt;
    const bool seen = d.senderAt.x() >= HeaderWidth || (out.receiver && out.receiver->x() >= HeaderWidth);
    return seen && !d.folded ? std::optional(out) : std::nullopt;
}

GraphKey GraphView::at(const QPoint& point) {
    if (point.x() < HeaderWidth - 4 || point.y() < AxisHeight)
        return {};
    if (m_collected != m_model.version())
        collect();
    GraphKey best;
    double least = 8.0;
    const auto consider = [&](const GraphKey& key, double dx, double dy) {
        const double distance = std::hypot(dx, dy);
        if (distance < least) {
            least = distance;
            best = key;
        }
    };
    const net::Time shown = shownTime();
    for (const std::vector<Drawn>& in : m_drawn)
        for (const Drawn& d : in) {
            const double x = point.x();
            const double left = HeaderWidth + m_axis.x(d.node->queued);
            const double right = std::max(d.senderAt.x(), HeaderWidth + m_axis.x(std::min(d.node->end(shown), shown)));
            consider(d.key, x < left ? left - x : x > right ? x - right : 0.5 * std::min(1.0, std::abs(x - d.senderAt.x()) / 8.0),
                     point.y() - d.senderAt.y());
            if (d.receiver != GraphState::Unseen) {
                const double from = HeaderWidth + m_axis.x(d.node->arrived);
                const double to = d.receiverAt.x();
                consider(d.key, x < from ? from - x : x > to ? x - to : 0.0, point.y() - d.receiverAt.y());
            }
        }
    return best;
}

void GraphView::findChain() {
    m_chain.clear();
    if (!m_current)
        return;
    for (const std::uint64_t sequence : m_model.cause(m_current, shownTime()).chain)
        m_chain.push_back({m_current.from, m_current.to, sequence});
}

bool GraphView::inChain(const GraphKey& key) const { return std::find(m_chain.begin(), m_chain.end(), key) != m_chain.end(); }

// ---------------------------------------------------------------------------------------------------- input

void GraphView::resizeEvent(QResizeEvent*) {
    m_axis.setWidth(viewport()->width() - HeaderWidth);
    updateScrollBar();
}

void GraphView::wheelEvent(QWheelEvent* event) {
    const double x = event->position().x() - HeaderWidth;
    const QPoint delta = event->angleDelta();
    event->accept();
    if (x < 0) {
        scrollLane(laneAt(static_cast<int>(event->position().y())), delta.y() > 0 ? -1 : 1);
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier) || delta.x() != 0)
        m_axis.pan((delta.x() != 0 ? delta.x() : delta.y()) * -0.5, shownTime());
    else if (delta.y() != 0)
        zoomAt(std::pow(1.25, delta.y() / 120.0), x);
    emit axisChanged();
    viewport()->update();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        m_pressed = event->pos();
        m_dragged = event->position();
        m_moved = false;
    }
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressed) {
        if (!m_moved && (event->pos() - *m_pressed).manhattanLength() < 5)
            return;
        m_moved = true;
        const QPointF by = event->position() - m_dragged;
        m_axis.pan(-by.x(), shownTime());
        if (const int rows = static_cast<int>(by.y()) / RowPitch; rows != 0) {
            scrollLane(laneAt(m_pressed->y()), -rows);
            m_dragged.ry() += rows * RowPitch;
        }
        m_dragged.rx() = event->position().x();
        viewport()->setCursor(Qt::ClosedHandCursor);
        emit axisChanged();
        viewport()->update();
        return;
    }
    const std::uint64_t handshake = handshakeAt(event->pos());
    const GraphKey under = handshake != 0 ? GraphKey() : at(event->pos());
    if (under != m_hovered || handshake != m_hoveredHandshake) {
        m_hovered = under;
        m_hoveredHandshake = handshake;
        viewport()->setCursor(under || handshake != 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        viewport()->update();
    }
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    viewport()->unsetCursor();
    m_pressed.reset();
    if (m_moved)
        return;
    if (const std::uint64_t handshake = handshakeAt(event->pos()))
        pickHandshake(handshake);
    else
        pick(at(event->pos()));
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const GraphKey key = at(event->pos()))
        emit activated(key);
    else if (event->pos().x() < HeaderWidth || event->pos().y() < AxisHeight)
        fit();
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
    if (const int index = laneAt(event->pos().y()); index >= 0)
        emit laneMenuRequested(index, event->globalPos());
}

// A message that is picked is to be looked at: the picture stands still until the user lets it go on.
void GraphView::pick(const GraphKey& key) {
    if (key)
        m_axis.setFollowing(false);
    m_handshake = 0;
    setCurrent(key, false);
    emit axisChanged();
    emit picked(key);
}

void GraphView::step(int by) {
    GraphKey next = m_current ? m_model.neighbour(m_current, by) : GraphKey();
    for (int i = 0; !m_current && !next && i < laneCount(); ++i)
        next = m_model.newest(static_cast<std::uint16_t>(laneCount() - 1 - i), shownTime());
    const GraphNode* node = m_model.find(next);
    if (node == nullptr || node->queued > shownTime())
        return;
    m_axis.setFollowing(false);
    setCurrent(next, true);
    emit picked(next);
}

void GraphView::stepCause(bool toCause) {
    const GraphNode* node = m_model.find(m_current);
    if (node == nullptr)
        return;
    std::uint64_t to = 0;
    if (toCause) {
        const GraphCause cause = m_model.cause(m_current, shownTime());
        to = cause.chain.size() > 1 ? cause.chain[1] : node->needs.empty() ? 0 : node->needs.back();
    } else if (const std::vector<std::uint64_t> next = m_model.dependents(m_current); !next.empty()) {
        to = next.front();
    }
    const GraphKey key{m_current.from, m_current.to, to};
    if (to == 0 || m_model.find(key) == nullptr)
        return;
    m_axis.setFollowing(false);
    setCurrent(key, true);
    emit picked(key);
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        step(-1);
        break;
    case Qt::Key_Right:
        step(1);
        break;
    case Qt::Key_Up:
        stepCause(true);
        break;
    case Qt::Key_Down:
        stepCause(false);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(1.25);
        break;
    case Qt::Key_Minus:
        zoom(0.8);
        break;
    case Qt::Key_Home:
        fit();
        break;
    case Qt::Key_End:
        goLive();
        break;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        m_axis.pan((event->key() == Qt::Key_PageUp ? -0.8 : 0.8) * m_axis.width(), shownTime());
        emit axisChanged();
        viewport()->update();
        break;
    case Qt::Key_Space:
        emit freezeRequested();
        break;
    case Qt::Key_N:
        emit nextWaitRequested();
        break;
    case Qt::Key_H:
        nextHandshake();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current)
            emit activated(m_current);
        break;
    case Qt::Key_Escape:
        if (m_handshake != 0)
            pickHandshake(0);
        else if (m_current)
            pick({});
        else
            goLive();
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    event->accept();
}

void GraphView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void GraphView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool GraphView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const GraphHandshake* const handshake = m_model.handshakes().find(handshakeAt(help->pos()));
        if (handshake != nullptr)
            QToolTip::showText(help->globalPos(), handshakeDetails(m_theme, m_model, *handshake, shownTime()),
                               viewport());
        else if (const GraphKey key = at(help->pos()))
            QToolTip::showText(help->globalPos(), detailText(m_theme, m_model, key, shownTime()), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave && (m_hovered || m_hoveredHandshake != 0)) {
        m_hovered = {};
        m_hoveredHandshake = 0;
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace sbx::ui

#include "moc_graph_view.cpp"
