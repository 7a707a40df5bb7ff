#include "widgets/trace/trace_timeline.h"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_rates.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

TraceTimeline::TraceTimeline(const Theme& theme, const TraceModel& model, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_model(model), m_rates(new TraceRates(model, this)) {
    setObjectName(QStringLiteral("trace.timeline"));
    setAccessibleName(tr("Messages per tick"));
    setAccessibleDescription(
        tr("Drag to keep a stretch of time, click to go there, wheel to zoom, double click for the whole"));
    fitHeight();
    if (parent != nullptr)
        parent->installEventFilter(this);
    setCursor(Qt::CrossCursor);
    setMouseTracking(true);
    connect(&theme, &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

std::optional<TickRange> TraceTimeline::held() const {
    const TraceStore& store = m_model.store();
    if (store.size() == 0)
        return std::nullopt;
    return TickRange{store.tickOf(store.first()), store.tickOf(store.end() - 1)};
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

bool TraceTimeline::hasLegend() const {
    return parentWidget() == nullptr || parentWidget()->height() >= LowPanel;
}

QSize TraceTimeline::sizeHint() const {
    return {400, BarsHeight + ScaleHeight + (hasLegend() ? LegendHeight : 0)};
}

void TraceTimeline::fitHeight() {
    if (height() != sizeHint().height())
        setFixedHeight(sizeHint().height());
}

QRect TraceTimeline::barsArea() const { return {0, hasLegend() ? LegendHeight : 0, width(), BarsHeight}; }

bool TraceTimeline::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        fitHeight();
    return QWidget::eventFilter(watched, event);
}

QColor TraceTimeline::kindColor(int kind) const {
    // Yellow and sky blue are of marks and comments.
    static constexpr std::array<Hue, Kinds> Hues{Hue::Blue, Hue::Orange, Hue::BluishGreen, Hue::ReddishPurple,
                                                 Hue::Vermillion};
    return m_theme.hue(Hues[static_cast<std::size_t>(kind)]);
}

void TraceTimeline::chooseKinds() {
    const std::vector<MessageTypeId> frequent = m_rates->frequent(Kinds);
    const auto isFrequent = [&](MessageTypeId type) {
        return std::find(frequent.begin(), frequent.end(), type) != frequent.end();
    };
    for (auto& kind : m_kinds)
        if (kind && !isFrequent(*kind))
            kind.reset();
    for (const MessageTypeId type : frequent)
        if (std::find(m_kinds.begin(), m_kinds.end(), type) == m_kinds.end())
            *std::find(m_kinds.begin(), m_kinds.end(), std::nullopt) = type;
}

void TraceTimeline::refresh() {
    chooseKinds();
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
            const int firstRow = m_model.rowAtTick(begin);
            const int endRow = m_model.rowAtTick(end);
            bar.shown = static_cast<std::uint64_t>(endRow - firstRow);
            bar.all = (all + ticks - 1) / ticks;
            bar.matching = (bar.shown + ticks - 1) / ticks;
            if (bar.shown == 0)
                continue;
            const std::uint64_t first = m_model.sequence(firstRow);
            const std::uint64_t last = m_model.sequence(endRow - 1);
            for (std::size_t kind = 0; kind < m_kinds.size(); ++kind)
                if (m_kinds[kind])
                    bar.kinds[kind] = m_rates->count(*m_kinds[kind], first, last + 1);
        }
    }
    update();
}

void TraceTimeline::changeOverlay() {
    update();
    emit overlayChanged();
}

void TraceTimeline::setBrush(std::optional<TickRange> brush) {
    if (m_brush != brush) {
        m_brush = brush;
        changeOverlay();
    }
}

void TraceTimeline::setWindow(std::optional<TickRange> window) {
    if (m_window != window) {
        m_window = window;
        changeOverlay();
    }
}

void TraceTimeline::setPointer(std::optional<int> x) {
    if (m_pointer != x) {
        m_pointer = x;
        changeOverlay();
    }
}

std::optional<TickRange> TraceTimeline::shownBrush() const {
    if (m_pressed < 0 || m_dragged == m_pressed)
        return m_brush;
    const std::uint64_t first = tickAt(std::min(m_pressed, m_dragged));
    return TickRange{first, std::max(tickAt(std::max(m_pressed, m_dragged) + 1), first + 1) - 1};
}

void TraceTimeline::resizeEvent(QResizeEvent*) {
    refresh();
    emit spanChanged();
}

void TraceTimeline::press(double x) {
    if (span())
        m_pressed = m_dragged = columnOf(x);
}

void TraceTimeline::drag(double x) {
    if (m_pressed >= 0) {
        m_dragged = columnOf(x);
        changeOverlay();
    }
}

void TraceTimeline::release() {
    if (m_pressed < 0)
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
    changeOverlay();
}

void TraceTimeline::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        press(event->position().x());
}

void TraceTimeline::mouseMoveEvent(QMouseEvent* event) {
    setPointer(static_cast<int>(event->position().x()));
    drag(event->position().x());
}

void TraceTimeline::leaveEvent(QEvent*) { setPointer({}); }

void TraceTimeline::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        release();
}

void TraceTimeline::mouseDoubleClickEvent(QMouseEvent*) {
    m_zoom.reset();
    refresh();
    emit spanChanged();
}

void TraceTimeline::wheelEvent(QWheelEvent* event) {
    if (!span() || event->angleDelta().y() == 0)
        return;
    event->accept();
    zoomAt(event->position().x(), event->angleDelta().y() / 8.0);
}

void TraceTimeline::zoomAt(double x, double degrees) {
    const auto range = span();
    const auto all = held();
    if (!range)
        return;
    const double at = x / std::max(1, columns() * ColumnWidth);
    const double ticks = static_cast<double>(range->last - range->first + 1);
    const double wanted =
        std::clamp(ticks * std::pow(0.8, degrees / 15.0), 30.0,
                   static_cast<double>(std::max<std::uint64_t>(30, all->last - all->first + 1)));
    const double first = static_cast<double>(range->first) + at * (ticks - wanted);
    const auto begin = std::max(all->first, static_cast<std::uint64_t>(std::max(0.0, first)));
    const auto end = std::min(all->last, begin + static_cast<std::uint64_t>(wanted) - 1);
    if (begin <= all->first && end >= all->last)
        m_zoom.reset();
    else
        m_zoom = TickRange{begin, end};
    refresh();
    emit spanChanged();
}

QString TraceTimeline::explained(int x) const {
    if (!span())
        return {};
    const QLocale locale(QLocale::English);
    const auto number = [&locale](std::uint64_t n) { return locale.toString(static_cast<qulonglong>(n)); };
    const int column = columnOf(x);
    const std::uint64_t first = tickAt(column);
    const std::uint64_t last = std::max(tickAt(column + 1), first + 1) - 1;
    const std::uint64_t all = m_model.store().rowAtTick(last + 1) - m_model.store().rowAtTick(first);
    const int firstRow = m_model.rowAtTick(first);
    const int endRow = m_model.rowAtTick(last + 1);
    QString when = first == last ? tr("Tick %1").arg(first) : tr("Ticks %1 to %2").arg(first).arg(last);
    if (const double rate = m_model.context().source().ticksPerSecond(); rate > 0.0)
        when += tr(", %1 s").arg(static_cast<double>(first) / rate, 0, 'f', 2);
    QString html =
        QStringLiteral("<p style=\"white-space:pre;margin:0\">") + when + QStringLiteral(": ")
        + (all == 0 ? tr("no messages")
                    : tr("%1 of %2 messages shown")
                          .arg(number(static_cast<std::uint64_t>(endRow - firstRow)), number(all)));
    if (endRow > firstRow) {
        const std::uint64_t begin = m_model.sequence(firstRow);
        const std::uint64_t end = m_model.sequence(endRow - 1) + 1;
        std::uint64_t others = static_cast<std::uint64_t>(endRow - firstRow);
        const auto line = [&](const QColor& color, const QString& name, std::uint64_t count) {
            html += QStringLiteral("<br><span style=\"color:%1\">\u25A0</span> %2 %3")
                        .arg(color.name(), number(count), htmlText(name));
        };
        for (int kind = 0; kind < Kinds; ++kind) {
            const auto type = m_kinds[static_cast<std::size_t>(kind)];
            const std::uint64_t count = type ? m_rates->count(*type, begin, end) : 0;
            if (count > 0)
                line(kindColor(kind), QString::fromStdString(messageType(*type).name), count);
            others -= std::min(others, count);
        }
        if (others > 0)
            line(othersColor(m_theme), tr("others"), others);
    }
    return html + QStringLiteral("</p>");
}

bool TraceTimeline::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && span() && !m_bars.empty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), explained(help->pos().x()), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace sbx::ui

#include "moc_trace_timeline.cpp"
