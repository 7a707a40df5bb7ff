// How the lanes look, and what their tool tips say.

#include <QLocale>
#include <QPainter>
#include <QScrollBar>

#include "widgets/common/foreign_text.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_lanes.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_timeline.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

void TraceLanes::paintEvent(QPaintEvent*) {
    look();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme.color(Token::Surface));
    if (m_counts->lanes() == 0)
        return;
    const auto [first, end] = visible();
    for (std::size_t lane = first; lane < end && lane - m_firstRow < m_rows.size(); ++lane)
        paintLane(painter, lane, m_rows[lane - m_firstRow]);
    painter.fillRect(QRect(names() - 1, 0, 1, viewport()->height()), m_theme.color(Token::Line));
    paintOverlay(painter);
}

void TraceLanes::paintLane(QPainter& painter, std::size_t lane, const Row& row) const {
    const QRect rect = laneRect(lane);
    const bool current = currentLane() == lane;
    const bool chosen = m_selection.contains(m_model.context().name(m_counts->name(lane)));
    const QColor ground = current && hasFocus()                 ? m_theme.color(Token::Selection)
                          : current && m_lane                   ? m_theme.color(Token::SelectionInactive)
                          : m_hovered == static_cast<int>(lane) ? m_theme.color(Token::Raised)
                                                                : m_theme.color(Token::Surface);
    painter.fillRect(rect, ground);
    painter.setFont(chosen ? m_theme.strongFont(FontRole::Ui) : m_theme.font(FontRole::Ui));
    painter.setPen(row.goneKnown && !chosen ? m_theme.color(Token::Muted) : m_theme.color(Token::Text));
    const QRect name =
        rect.adjusted(measure::PanelPadding, 0, names() - rect.width() - measure::RelatedGap, 0);
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(nameOf(lane), Qt::ElideRight, name.width()));

    painter.save();
    painter.setClipRect(QRect(names(), rect.top(), rect.width() - names(), rect.height()));
    const int middle = rect.center().y();
    // The bar: from when it was known until it was gone, to the end of the scale while it lives.
    const int left = xOf(row.born);
    const int right =
        row.end ? xOf(*row.end + 1) : names() + m_timeline.columns() * TraceTimeline::ColumnWidth;
    const QColor bar = mix(m_theme.color(Token::Surface), m_theme.color(Token::Muted), 0.35);
    if (right > left)
        painter.fillRect(QRect(left, middle - BarHeight / 2, right - left, BarHeight), bar);
    const auto cap = [&](int x) {
        painter.fillRect(QRect(x, middle - MarkHeight / 2, 2, MarkHeight), m_theme.color(Token::Muted));
    };
    if (row.bornKnown)
        cap(left);
    if (row.goneKnown)
        cap(right - 2);
    // The messages of a column share its height as its types share them; a fault stands out above and below.
    const QColor others = othersColor(m_theme);
    const QColor fault = m_theme.color(Meaning::Unhandled);
    std::array<QColor, LaneCell::Kinds> colors;
    for (std::size_t kind = 0; kind < colors.size(); ++kind)
        colors[kind] = m_timeline.kindColor(static_cast<int>(kind));
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
        const LaneCell& cell = row.cells[column];
        if (cell.all == 0)
            continue;
        const int x = names() + static_cast<int>(column) * TraceTimeline::ColumnWidth;
        const int floor = middle + MarkHeight / 2;
        std::uint64_t below = 0;
        int bottom = 0;
        const auto part = [&](std::uint64_t count, const QColor& color) {
            below += count;
            const auto top = static_cast<int>(
                std::lround(double(MarkHeight) * static_cast<double>(below) / static_cast<double>(cell.all)));
            if (top > bottom)
                painter.fillRect(QRect(x, floor - top, TraceTimeline::ColumnWidth - 1, top - bottom), color);
            bottom = top;
        };
        for (std::size_t kind = 0; kind < cell.kinds.size(); ++kind)
            if (cell.kinds[kind] > 0)
                part(cell.kinds[kind], colors[kind]);
        if (below < cell.all)
            part(cell.all - below, others);
        if (cell.faults > 0) {
            painter.fillRect(QRect(x - 1, rect.top() + 1, TraceTimeline::ColumnWidth + 1, 3), fault);
            painter.fillRect(QRect(x, rect.top() + 1, TraceTimeline::ColumnWidth - 1, LaneHeight - 2), fault);
        }
    }
    painter.restore();
}

// What the list shows, what is brushed, the selected message and the pointer, as in the timeline.
void TraceLanes::paintOverlay(QPainter& painter) const {
    painter.save();
    painter.setClipRect(QRect(names(), 0, viewport()->width() - names(), viewport()->height()));
    const int height = std::min(viewport()->height(), contentHeight() - verticalScrollBar()->value());
    if (const auto brush = m_timeline.shownBrush()) {
        const int left = xOf(brush->first);
        const QRect kept(
            left, 0,
            std::max(2, names() + static_cast<int>(std::ceil(m_timeline.xOf(brush->last + 1))) - left),
            height);
        QColor wash = m_theme.color(Token::Accent);
        wash.setAlphaF(0.12F);
        painter.fillRect(kept, wash);
        painter.fillRect(QRect(kept.left(), 0, 1, height), m_theme.color(Token::Accent));
        painter.fillRect(QRect(kept.right(), 0, 1, height), m_theme.color(Token::Accent));
    }
    if (const auto row = m_sequence == 0 ? std::nullopt : m_model.store().rowOf(m_sequence); row && m_lane) {
        const auto lane = m_counts->laneOf(*m_lane);
        const auto next = lane ? m_counts->atOrAfter(*lane, *row) : std::nullopt;
        if (next == row) {
            painter.setPen(m_theme.color(Token::Accent));
            painter.drawRect(QRect(xOf(m_model.store().tickOf(*row)) - 2, laneRect(*lane).top(),
                                   TraceTimeline::ColumnWidth + 2, LaneHeight - 1));
        }
    }
    if (const auto& pointer = m_timeline.pointer())
        painter.fillRect(QRect(names() + *pointer, 0, 1, height), m_theme.color(Token::Muted));
    painter.restore();
}

QString TraceLanes::explained(const QPoint& at) const {
    const auto lane = laneAt(at.y());
    if (!lane || m_stale)
        return {};
    if (at.x() < names())
        return explainedName(*lane);
    const int column = columnAt(*lane, at.x());
    return column < 0 ? QString() : explainedPlace(*lane, column);
}

QString TraceLanes::explainedName(std::size_t lane) const {
    const EntityInWorld& key = m_counts->entity(lane);
    QString text = nameOf(lane);
    const auto made = m_model.births().tickOf(key);
    text += made ? tr("\nmade in tick %1").arg(*made)
                 : tr("\nfirst message in tick %1").arg(m_counts->firstTick(lane));
    if (const auto life = m_model.context().source().life(key.world, key.entity); life && life->goneBy)
        text += tr("\ngone by tick %1").arg(*life->goneBy);
    const auto count = static_cast<qulonglong>(m_counts->count(lane));
    text += count == 1 ? tr("\n1 message that the list shows")
                       : tr("\n%L1 messages that the list shows").arg(count);
    return tipText(text);
}

QString TraceLanes::explainedPlace(std::size_t lane, int column) const {
    const auto [first, end] = rowsOf(column);
    const TraceStore& store = m_model.store();
    const std::uint64_t row = pickOf(lane, column);
    const auto counts = m_counts->types(lane, first, end);
    std::uint64_t all = 0;
    for (const auto& count : counts)
        all += count.count;
    const auto typeName = [](MessageTypeId type) { return htmlText(messageType(type).name); };
    // The one that a click selects.
    QString one = tr("%1 #%2, tick %3")
                      .arg(typeName(store.typeOf(row)), QString::number(store.sequenceOf(row)),
                           QString::number(store.tickOf(row)));
    if (store.isReady(row)) {
        const RecordView record = store.at(row);
        const std::string_view sender = m_model.context().sender(record);
        one +=
            sender.empty() ? tr(", from the engine or the console") : tr(", from %1").arg(htmlText(sender));
        one += QStringLiteral(": ") + htmlText(m_model.context().outcomeLine(record));
    } else {
        store.request(row);
        one += tr(", on the disk");
    }
    QString html = QStringLiteral("<p style=\"white-space:pre;margin:0\">") + htmlText(nameOf(lane))
                   + QStringLiteral("<br>") + one;
    if (all > 1) {
        html += tr("<br>%L1 messages here").arg(static_cast<qulonglong>(all));
        for (const auto& count : counts) {
            const auto& kinds = m_timeline.kinds();
            const auto kind = std::find(kinds.begin(), kinds.end(), std::optional(count.type));
            const QColor color = count.fault ? m_theme.color(Meaning::Unhandled)
                                 : kind == kinds.end()
                                     ? othersColor(m_theme)
                                     : m_timeline.kindColor(static_cast<int>(kind - kinds.begin()));
            html += QStringLiteral("<br><span style=\"color:%1\">■</span> %L2 %3")
                        .arg(color.name())
                        .arg(static_cast<qulonglong>(count.count))
                        .arg(typeName(count.type));
            if (count.fault)
                html += tr(", nobody acted or not delivered");
        }
    }
    return html + QStringLiteral("</p>");
}

} // namespace sbx::ui
