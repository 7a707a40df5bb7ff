#include "widgets/trace/trace_timeline.h"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

TraceTimeline::TraceTimeline(const Theme& theme, const TraceModel& model, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_model(model) {
    setObjectName(QStringLiteral("trace.timeline"));
    setAccessibleName(tr("Messages per tick"));
    setAccessibleDescription(
        tr("Drag to keep a stretch of time, click to go there, wheel to zoom, double click for the whole"));
    setFixedHeight(sizeHint().height());
    setCursor(Qt::CrossCursor);
    connect(&theme, &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

std::optional<TickRange> TraceTimeline::held() const {
    const TraceStore& store = m_model.store();
    if (store.size() == 0)
        return std::nullopt;
    return TickRange{store.at(store.first()).tick(), store.at(store.end() - 1).tick()};
}

std::optional<TickRange> TraceTimeline::span() const {
    const auto all = held();
    if (!all || !m_zoom)
        return all;
    return m_zoom;
}

int TraceTimeline::columns() const { return std::max(1, width() / ColumnWidth); }

std::uint64_t TraceTimeline::tickAt(int column) const {
    const auto range = span();
    if (!range)
        return 0;
    const std::uint64_t ticks = range->last - range->first + 1;
    return range->first + ticks * static_cast<std::uint64_t>(column) / static_cast<std::uint64_t>(columns());
}

int TraceTimeline::columnOf(double x) const {
    return std::clamp(static_cast<int>(x) / ColumnWidth, 0, columns() - 1);
}

double TraceTimeline::xOf(std::uint64_t tick) const {
    const auto range = span();
    if (!range)
        return 0;
    const double ticks = static_cast<double>(range->last - range->first + 1);
    return (static_cast<double>(tick) - static_cast<double>(range->first)) / ticks * columns() * ColumnWidth;
}

void TraceTimeline::refresh() {
    m_bars.assign(static_cast<std::size_t>(columns()), {});
    if (span()) {
        for (int i = 0; i < columns(); ++i) {
            const std::uint64_t begin = tickAt(i);
            Bar& bar = m_bars[static_cast<std::size_t>(i)];
            // Fewer ticks than columns: each tick is as wide as its columns.
            if (i > 0 && tickAt(i - 1) == begin) {
                bar = m_bars[static_cast<std::size_t>(i) - 1];
                continue;
            }
            const std::uint64_t end = std::max(tickAt(i + 1), begin + 1);
            const std::uint64_t ticks = end - begin;
            const std::uint64_t all = m_model.store().rowAtTick(end) - m_model.store().rowAtTick(begin);
            const auto matching =
                static_cast<std::uint64_t>(m_model.rowAtTick(end) - m_model.rowAtTick(begin));
            bar = {(all + ticks - 1) / ticks, (matching + ticks - 1) / ticks};
        }
    }
    update();
}

void TraceTimeline::setBrush(std::optional<TickRange> brush) {
    if (m_brush != brush) {
        m_brush = brush;
        update();
    }
}

void TraceTimeline::setWindow(std::optional<TickRange> window) {
    if (m_window != window) {
        m_window = window;
        update();
    }
}

void TraceTimeline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Token::Surface));
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.color(Token::Line));
    if (!span())
        return;
    std::uint64_t most = 1;
    for (const Bar& bar : m_bars)
        most = std::max(most, bar.all);
    const int room = height() - 7;
    const QColor all = m_theme.color(Token::Line);
    const QColor matching = mix(m_theme.color(Token::Surface), m_theme.color(Token::Muted), 0.65);
    // Square root: a burst does not flatten the rest to nothing.
    const auto tall = [&](std::uint64_t n) {
        return n == 0
                   ? 0
                   : std::max(1, static_cast<int>(std::lround(
                                     room * std::sqrt(static_cast<double>(n) / static_cast<double>(most)))));
    };
    const int floor = height() - 3;
    for (int i = 0; i < static_cast<int>(m_bars.size()); ++i) {
        const Bar& bar = m_bars[static_cast<std::size_t>(i)];
        const int x = i * ColumnWidth;
        painter.fillRect(QRect(x, floor - tall(bar.all), ColumnWidth - 1, tall(bar.all)), all);
        painter.fillRect(QRect(x, floor - tall(bar.matching), ColumnWidth - 1, tall(bar.matching)), matching);
    }
    const auto area = [&](const TickRange& range) {
        const int left = static_cast<int>(std::floor(xOf(range.first)));
        return QRect(left, 0, std::max(2, static_cast<int>(std::ceil(xOf(range.last + 1))) - left),
                     height() - 1);
    };
    if (m_window) {
        const QRect seen = area(*m_window);
        painter.fillRect(QRect(seen.left(), height() - 3, seen.width(), 2), m_theme.color(Token::Text));
    }
    paintNotes(painter);
    std::optional<TickRange> brush = m_brush;
    if (m_pressed >= 0 && m_dragged != m_pressed)
        brush = TickRange{
            tickAt(std::min(m_pressed, m_dragged)),
            std::max(tickAt(std::max(m_pressed, m_dragged) + 1), tickAt(std::min(m_pressed, m_dragged)) + 1)
                - 1};
    if (brush) {
        const QRect kept = area(*brush);
        QColor wash = m_theme.color(Token::Accent);
        wash.setAlphaF(0.18F);
        painter.fillRect(kept, wash);
        painter.fillRect(QRect(kept.left(), 0, 1, kept.height()), m_theme.color(Token::Accent));
        painter.fillRect(QRect(kept.right(), 0, 1, kept.height()), m_theme.color(Token::Accent));
    }
}

// Small triangles at the top where records are marked or have a comment.
void TraceTimeline::paintNotes(QPainter& painter) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const auto note = [&](std::uint64_t sequence, Hue hue) {
        const auto row = m_model.store().rowOf(sequence);
        if (!row)
            return;
        const double x = xOf(m_model.store().at(*row).tick()) + ColumnWidth / 2.0;
        const QPointF corners[] = {QPointF(x - 4, 0), QPointF(x + 4, 0), QPointF(x, 6)};
        painter.setBrush(m_theme.readable(m_theme.hue(hue)));
        painter.drawConvexPolygon(corners, 3);
    };
    for (const auto& [sequence, text] : m_model.marks().comments())
        note(sequence, Hue::SkyBlue);
    for (const std::uint64_t sequence : m_model.marks().marked())
        note(sequence, Hue::Yellow);
    painter.restore();
}

void TraceTimeline::resizeEvent(QResizeEvent*) { refresh(); }

void TraceTimeline::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && span())
        m_pressed = m_dragged = columnOf(event->position().x());
}

void TraceTimeline::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressed >= 0) {
        m_dragged = columnOf(event->position().x());
        update();
    }
}

void TraceTimeline::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_pressed < 0)
        return;
    const int from = std::min(m_pressed, m_dragged);
    const int to = std::max(m_pressed, m_dragged);
    m_pressed = m_dragged = -1;
    if (from == to) {
        emit tickPicked(tickAt(from));
    } else {
        const std::uint64_t first = tickAt(from);
        emit brushed(first, std::max(tickAt(to + 1), first + 1) - 1);
    }
    update();
}

void TraceTimeline::mouseDoubleClickEvent(QMouseEvent*) {
    m_zoom.reset();
    refresh();
}

void TraceTimeline::wheelEvent(QWheelEvent* event) {
    const auto range = span();
    const auto all = held();
    if (!range || event->angleDelta().y() == 0)
        return;
    event->accept();
    const double at = event->position().x() / std::max(1, columns() * ColumnWidth);
    const double ticks = static_cast<double>(range->last - range->first + 1);
    const double wanted = std::clamp(ticks * std::pow(0.8, event->angleDelta().y() / 120.0), 30.0,
                                     static_cast<double>(all->last - all->first + 1));
    const double first = static_cast<double>(range->first) + at * (ticks - wanted);
    const auto begin = std::max(all->first, static_cast<std::uint64_t>(std::max(0.0, first)));
    const auto end = std::min(all->last, begin + static_cast<std::uint64_t>(wanted) - 1);
    if (begin <= all->first && end >= all->last)
        m_zoom.reset();
    else
        m_zoom = TickRange{begin, end};
    refresh();
}

bool TraceTimeline::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && span() && !m_bars.empty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int column = columnOf(help->pos().x());
        const std::uint64_t first = tickAt(column);
        const std::uint64_t last = std::max(tickAt(column + 1), first + 1) - 1;
        const std::uint64_t all = m_model.store().rowAtTick(last + 1) - m_model.store().rowAtTick(first);
        const int matching = m_model.rowAtTick(last + 1) - m_model.rowAtTick(first);
        const QLocale locale(QLocale::English);
        const QString ticks =
            first == last ? tr("Tick %1").arg(first) : tr("Ticks %1 to %2").arg(first).arg(last);
        QToolTip::showText(
            help->globalPos(),
            ticks + QStringLiteral(": ")
                + tr("%1 of %2 messages")
                      .arg(locale.toString(matching), locale.toString(static_cast<qulonglong>(all))),
            this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace sbx::ui

#include "moc_trace_timeline.cpp"
