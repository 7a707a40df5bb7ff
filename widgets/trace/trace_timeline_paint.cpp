// How the timeline looks: legend, bars, scale, and over them marks, what the list shows and what is brushed.

#include <QPainter>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_scale.h"
#include "widgets/trace/trace_timeline.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

QFont smallFont(const Theme& theme, FontRole role) {
    QFont font = theme.font(role);
    font.setPointSizeF(font.pointSizeF() * 0.85);
    return font;
}

} // namespace

QColor othersColor(const Theme& theme) {
    return mix(theme.color(Token::Surface), theme.color(Token::Muted), 0.65);
}

void TraceTimeline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Token::Surface));
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.color(Token::Line));
    if (!span())
        return;
    if (hasLegend())
        paintLegend(painter);
    paintScale(painter);
    paintBars(painter);
    const QRect bars = barsArea();
    const auto area = [&](const TickRange& range) {
        const int left = static_cast<int>(std::floor(xOf(range.first)));
        return QRect(left, bars.top(), std::max(2, static_cast<int>(std::ceil(xOf(range.last + 1))) - left),
                     bars.height());
    };
    if (m_window) {
        const QRect seen = area(*m_window);
        painter.fillRect(QRect(seen.left(), bars.bottom() - 1, seen.width(), 2), m_theme.color(Token::Text));
    }
    paintNotes(painter);
    const std::optional<TickRange> brush = shownBrush();
    if (brush) {
        const QRect kept = area(*brush);
        QColor wash = m_theme.color(Token::Accent);
        wash.setAlphaF(0.18F);
        painter.fillRect(kept, wash);
        painter.fillRect(QRect(kept.left(), kept.top(), 1, kept.height()), m_theme.color(Token::Accent));
        painter.fillRect(QRect(kept.right(), kept.top(), 1, kept.height()), m_theme.color(Token::Accent));
    }
    if (m_pointer)
        painter.fillRect(QRect(*m_pointer, bars.top(), 1, height() - 1 - bars.top()),
                         m_theme.color(Token::Muted));
}

void TraceTimeline::paintBars(QPainter& painter) const {
    const QRect bars = barsArea();
    std::uint64_t most = 1;
    for (const Bar& bar : m_bars)
        most = std::max(most, bar.all);
    const int room = bars.height() - 5;
    const int floor = bars.bottom() - 1;
    const QColor all = m_theme.color(Token::Line);
    const QColor others = othersColor(m_theme);
    // Logarithmic: the burst when a scene begins does not flatten the rest to nothing.
    const auto tall = [&](std::uint64_t n) {
        return n == 0 ? 0
                      : std::max(3, static_cast<int>(std::lround(room * std::log1p(static_cast<double>(n))
                                                                 / std::log1p(static_cast<double>(most)))));
    };
    for (int i = 0; i < static_cast<int>(m_bars.size()); ++i) {
        const Bar& bar = m_bars[static_cast<std::size_t>(i)];
        const int x = i * ColumnWidth;
        painter.fillRect(QRect(x, floor - tall(bar.all), ColumnWidth - 1, tall(bar.all)), all);
        // The types share the height of the part that is shown as they share its messages.
        const int height = tall(bar.matching);
        painter.fillRect(QRect(x, floor - height, ColumnWidth - 1, height), others);
        std::uint64_t below = 0;
        for (int kind = 0; kind < Kinds && bar.shown > 0; ++kind) {
            const auto at = [&](std::uint64_t n) {
                return static_cast<int>(std::lround(static_cast<double>(height) * static_cast<double>(n)
                                                    / static_cast<double>(bar.shown)));
            };
            const int bottom = at(below);
            below = std::min(bar.shown, below + bar.kinds[static_cast<std::size_t>(kind)]);
            const int top = at(below);
            painter.fillRect(QRect(x, floor - top, ColumnWidth - 1, top - bottom), kindColor(kind));
        }
    }
}

// The types in the order of their colours, then the rest, as far as there is room.
void TraceTimeline::paintLegend(QPainter& painter) const {
    constexpr int Chip = 8;
    painter.setFont(smallFont(m_theme, FontRole::Ui));
    const QFontMetrics metrics(painter.font());
    int x = measure::PanelPadding;
    const auto entry = [&](const QColor& color, const QString& name) {
        const int wide = Chip + measure::RelatedGap + metrics.horizontalAdvance(name);
        if (x + wide > width() - measure::PanelPadding)
            return;
        painter.fillRect(QRect(x, LegendHeight / 2 - Chip / 2 + 1, Chip, Chip), color);
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(QRect(x + Chip + measure::RelatedGap, 1, wide, LegendHeight),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, name);
        x += wide + measure::GroupGap;
    };
    std::uint64_t others = 0;
    bool hidden = false;
    for (const Bar& bar : m_bars) {
        hidden = hidden || bar.matching < bar.all;
        std::uint64_t named = 0;
        for (const std::uint64_t count : bar.kinds)
            named += count;
        others += bar.shown - std::min(bar.shown, named);
    }
    for (int kind = 0; kind < Kinds; ++kind)
        if (const auto type = m_kinds[static_cast<std::size_t>(kind)])
            entry(kindColor(kind), shownLine(messageType(*type).name));
    if (others > 0)
        entry(othersColor(m_theme), tr("others"));
    if (hidden)
        entry(m_theme.color(Token::Line), tr("hidden"));
}

void TraceTimeline::paintScale(QPainter& painter) const {
    constexpr double Apart = 90.0; // pixels
    const auto range = span();
    const auto& reference = m_model.marks().reference();
    const QRect bars = barsArea();
    painter.setFont(smallFont(m_theme, FontRole::Mono));
    const QFontMetrics metrics(painter.font());
    const double perTick = xOf(range->first + 1) - xOf(range->first);
    const QColor line = mix(m_theme.color(Token::Surface), m_theme.color(Token::Line), 0.7);
    for (const ScaleLabel& label : scaleLabels(
             range->first, range->last, m_model.context().source().ticksPerSecond(),
             reference ? reference->tick : 0, reference.has_value(), columns() * ColumnWidth, Apart)) {
        const int x =
            static_cast<int>(std::lround((label.tick - static_cast<double>(range->first)) * perTick));
        painter.fillRect(QRect(x, bars.top(), 1, height() - 1 - bars.top()), line);
        const int wide = metrics.horizontalAdvance(label.text);
        if (x + 4 + wide > width())
            continue;
        painter.setPen(m_theme.color(Token::Muted));
        painter.drawText(QRect(x + 4, bars.bottom() + 1, wide + 2, ScaleHeight - 1),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, label.text);
    }
}

// Small triangles at the top where records are marked or have a comment.
void TraceTimeline::paintNotes(QPainter& painter) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double top = barsArea().top();
    const auto note = [&](std::uint64_t sequence, Hue hue) {
        const auto row = m_model.store().rowOf(sequence);
        if (!row)
            return;
        const double x = xOf(m_model.store().tickOf(*row)) + ColumnWidth / 2.0;
        const QPointF corners[] = {QPointF(x - 4, top), QPointF(x + 4, top), QPointF(x, top + 6)};
        painter.setBrush(m_theme.readable(m_theme.hue(hue)));
        painter.drawConvexPolygon(corners, 3);
    };
    for (const auto& [sequence, text] : m_model.marks().comments())
        note(sequence, Hue::SkyBlue);
    for (const std::uint64_t sequence : m_model.marks().marked())
        note(sequence, Hue::Yellow);
    painter.restore();
}

} // namespace sbx::ui
