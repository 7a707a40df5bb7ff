// How a row of the trace looks.

#include <QHeaderView>
#include <QPainter>
#include <QPaintEvent>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>

namespace sbx::ui {

const QPixmap& TraceView::outcomeIcon(int outcome) {
    static const char* const Names[] = {"passed", "consumed", "unheeded", "unhandled", "waiting"};
    static const Meaning Meanings[] = {Meaning::Passed, Meaning::Consumed, Meaning::NotReached,
                                       Meaning::Unhandled, Meaning::Waiting};
    const qreal ratio = devicePixelRatioF();
    const int key = outcome * 1000 + static_cast<int>(ratio * 100);
    auto found = m_icons.find(key);
    if (found == m_icons.end()) {
        const QIcon icon =
            theme().icon(QString::fromLatin1(Names[outcome]), theme().color(Meanings[outcome]));
        found = m_icons.insert(key, icon.pixmap(QSize(IconSide, IconSide), ratio));
    }
    return *found;
}

const QPixmap& TraceView::handlerIcon(HandlerResult result) {
    const qreal ratio = devicePixelRatioF();
    const int key =
        -1
        - (static_cast<int>(result) * 1000 + static_cast<int>(ratio * 100)); // beside those of outcomeIcon()
    auto found = m_icons.find(key);
    if (found == m_icons.end()) {
        const bool reached = result != HandlerResult::NotReached;
        const bool consumed = result == HandlerResult::Consumed;
        const QIcon icon = theme().icon(!reached   ? QStringLiteral("not-reached")
                                        : consumed ? QStringLiteral("consumed")
                                                   : QStringLiteral("passed"),
                                        theme().color(!reached   ? Meaning::NotReached
                                                      : consumed ? Meaning::Consumed
                                                                 : Meaning::Passed));
        found = m_icons.insert(key, icon.pixmap(QSize(IconSide, IconSide), ratio));
    }
    return *found;
}

void TraceView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setFont(font());
    painter.fillRect(event->rect(), theme().color(Token::Surface));
    const int count = m_lines.count();
    const int offset = verticalOffset();
    const int first = std::max(0, (event->rect().top() + offset) / RowHeight);
    const int last = std::min(count - 1, (event->rect().bottom() + offset) / RowHeight);
    for (int at = first; at <= last; ++at) {
        const QRect area(0, at * RowHeight - offset, viewport()->width(), RowHeight);
        const TraceLine line = m_lines.at(at);
        if (m_model.isIgnored(line.row))
            m_faint = faintColor(line);
        else
            m_faint.reset();
        paintGround(painter, line, area);
        if (!m_model.isReady(line.row)) {
            m_model.request(line.row);
            paintUnread(painter, line, area);
        } else if (line.part >= 0)
            paintHandler(painter, line, area);
        else
            paintRow(painter, line, area);
    }
    m_faint.reset();
}

QColor TraceView::faintColor(const TraceLine& line) const {
    if (!isChosen(line))
        return mix(theme().color(Token::Surface), theme().color(Token::Muted), 0.6);
    // A stronger ground leaves less room.
    return mix(theme().color(hasFocus() ? Token::Selection : Token::SelectionInactive),
               theme().color(Token::Muted), 0.8);
}

bool TraceView::isChosen(const TraceLine& line) const {
    // Not isRowSelected(): a column may have come since.
    if (!selectionModel()->isSelected(m_model.index(line.row, 0)))
        return false;
    return line.part == (line.row == currentIndex().row() ? m_part : m_lines.shown(line.row).part);
}

void TraceView::paintGround(QPainter& painter, const TraceLine& line, const QRect& area) {
    if (isChosen(line))
        painter.fillRect(area, theme().color(hasFocus() ? Token::Selection : Token::SelectionInactive));
    else if (line.row == currentIndex().row() && m_part >= 0 && line.part == TraceLine::Record)
        painter.fillRect(area, theme().color(Token::SelectionInactive)); // a handler of it is chosen
    else if (line.row == hoveredRow())
        painter.fillRect(area, mix(theme().color(Token::Surface), theme().color(Token::Raised), 0.7));
}

void TraceView::paintArrow(QPainter& painter, const TraceLine& line) {
    const QRect area = arrowRect(line);
    if (area.isEmpty())
        return;
    // Two strokes, as the chevrons of the icon set.
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().color(Token::Muted), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF middle = QRectF(area).center();
    constexpr qreal Half = 3.0;
    if (m_lines.isOpen(line))
        painter.drawPolyline(QPolygonF({middle + QPointF(-Half, -Half / 2), middle + QPointF(0, Half / 2),
                                        middle + QPointF(Half, -Half / 2)}));
    else
        painter.drawPolyline(QPolygonF({middle + QPointF(-Half / 2, -Half), middle + QPointF(Half / 2, 0),
                                        middle + QPointF(-Half / 2, Half)}));
    painter.restore();
}

// Component, priority, what it did and how long it took, in columns of their own under the row.
void TraceView::paintHandler(QPainter& painter, const TraceLine& line, const QRect& area) {
    const RecordView record = m_model.record(line.row);
    const HandlerVisit visit = record.visits()[static_cast<std::size_t>(line.part)];
    const HandlerText text = handlerText(m_model.context(), record, line.part);
    const QColor muted = theme().color(Token::Muted);
    const QFontMetrics metrics(painter.font());
    int names = 0; // what the longest needs
    for (const HandlerVisit each : record.visits())
        names = std::max(names, metrics.horizontalAdvance(shownLine(m_model.context().name(each.component))));
    int x = firstColumnLeft() + CellPadding / 2 + (m_lines.depthOf(line.row) + 1) * ArrowWidth;
    // What they hang from.
    const int stem = x - ArrowWidth / 2;
    const bool last = line.part + 1 == static_cast<int>(record.visits().size());
    painter.fillRect(QRect(stem, area.top(), 1, last ? RowHeight / 2 : RowHeight),
                     theme().color(Token::Line));
    painter.fillRect(QRect(stem, area.top() + RowHeight / 2, ArrowWidth / 2, 1), theme().color(Token::Line));
    x += CellPadding / 2;
    const bool reached = visit.result != HandlerResult::NotReached;
    const bool consumed = visit.result == HandlerResult::Consumed;
    if (!m_faint)
        painter.drawPixmap(QPoint(x, area.top() + (RowHeight - IconSide) / 2), handlerIcon(visit.result));
    x += IconSide + 6;
    const auto cell = [&](int width) {
        const QRect rect(x, area.top(), width + 1, RowHeight);
        x += width + 2 * CellPadding;
        return rect;
    };
    const auto widthOf = [&metrics](const char* longest) {
        return metrics.horizontalAdvance(QString::fromUtf8(longest));
    };
    QFont struck = painter.font();
    struck.setStrikeOut(true);
    const QFont plain = painter.font();
    if (!reached)
        painter.setFont(struck);
    drawText(painter, cell(std::clamp(names, widthOf("Component__"), widthOf("A_component_of_a_long_name"))),
             text.component, reached ? theme().color(Token::Text) : muted, false, Qt::ElideMiddle);
    painter.setFont(plain);
    drawText(painter, cell(widthOf("-1000")), text.priority, muted, true);
    const QColor ground = isChosen(line)
                              ? theme().color(hasFocus() ? Token::Selection : Token::SelectionInactive)
                              : theme().color(Token::Surface);
    drawText(painter, cell(widthOf("consumed here")), text.result,
             consumed ? theme().readable(theme().color(Meaning::Consumed), ground) : muted);
    if (!text.time.isEmpty())
        drawText(painter, cell(widthOf("10000.0 µs")), text.time, muted, true);
}

namespace {
constexpr int BadgeGap = 6;
constexpr int NoteGap = 4;

QString countText(int count) { return QStringLiteral("×%1").arg(count); }

int countWidth(const QString& text, const QFontMetrics& metrics) {
    return metrics.horizontalAdvance(text) + 10;
}
} // namespace

int TraceView::badgeWidth(int row, int column) const {
    if (column == TraceModel::Outcome)
        return IconSide + 6;
    if (column == TraceModel::Sender)
        return m_model.record(row).injected() ? IconSide + NoteGap : 0;
    const int group = m_model.groupOf(row);
    const int size = m_model.groupSize(group);
    if (column != TraceModel::Type || size < 2 || m_model.groupStart(group) != row)
        return 0;
    return countWidth(countText(size), QFontMetrics(font())) + BadgeGap;
}

QRect TraceView::paintCount(QPainter& painter, int count, const QRect& cell) {
    const QString text = countText(count);
    const int width = countWidth(text, QFontMetrics(painter.font()));
    const QRect badge(cell.right() - width + 1, cell.top() + 2, width, cell.height() - 4);
    if (badge.left() < cell.left())
        return cell;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(Token::Line));
    painter.drawRoundedRect(badge, badge.height() / 2.0, badge.height() / 2.0);
    painter.restore();
    painter.setPen(m_faint.value_or(theme().color(Token::Text)));
    painter.drawText(badge, Qt::AlignCenter, text);
    return cell.adjusted(0, 0, -width - BadgeGap, 0);
}

void TraceView::paintRow(QPainter& painter, const TraceLine& line, const QRect& area) {
    const int row = line.row;
    const RecordView record = m_model.record(row);
    const Envelope e = record.envelope();
    if (!isChosen(line) && m_model.marks().isMarked(e.sequence))
        painter.fillRect(area, mix(theme().color(Token::Surface), theme().hue(Hue::Yellow),
                                   theme().isDark() ? 0.13 : 0.22));
    // A hairline where a tick ends.
    if (row > 0 && m_model.tick(row - 1) != e.tick)
        painter.fillRect(QRect(area.left(), area.top(), area.width(), 1),
                         mix(theme().color(Token::Surface), theme().color(Token::Line), 0.6));
    const bool causes = std::binary_search(m_chain.begin(), m_chain.end(), e.sequence);
    const bool caused = !causes && !m_chain.empty() && e.cause == m_chain.back();
    if (causes)
        painter.fillRect(QRect(area.left(), area.top(), 3, RowHeight), theme().color(Token::Accent));
    else if (caused)
        painter.fillRect(QRect(area.left(), area.top() + RowHeight / 2 - 2, 3, 4),
                         theme().color(Token::Accent));
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int column = m_header->logicalIndex(visual);
        if (m_header->isSectionHidden(column))
            continue;
        const QRect cell(m_header->sectionViewportPosition(column), area.top(), m_header->sectionSize(column),
                         RowHeight);
        if (cell.right() < 0 || cell.left() >= viewport()->width())
            continue;
        const int indent = line.part == TraceLine::Group ? std::min(ArrowWidth, indentOf(row, column))
                                                         : indentOf(row, column);
        QRect text = cell.adjusted(CellPadding + indent, 0, -CellPadding, 0);
        if (column == TraceModel::Type && line.part == TraceLine::Group)
            text = paintCount(painter, m_model.groupSize(m_model.groupOf(row)), text);
        paintCell(painter, row, column, text);
    }
    paintArrow(painter, line);
    if (hasFocus() && line == currentLine() && !isChosen(line)) {
        painter.setPen(theme().color(Token::Accent));
        painter.drawRect(area.adjusted(0, 0, -1, -1));
    }
}

// The record is being read from the disk: what is known of it without.
void TraceView::paintUnread(QPainter& painter, const TraceLine& line, const QRect& area) {
    const int row = line.row;
    const QColor muted = faintColor(line);
    const auto cell = [&](int column, const QString& text, bool right) {
        if (m_header->isSectionHidden(column))
            return;
        const QRect rect(m_header->sectionViewportPosition(column), area.top(), m_header->sectionSize(column),
                         RowHeight);
        drawText(painter, rect.adjusted(CellPadding + indentOf(row, column), 0, -CellPadding, 0), text, muted,
                 right, Qt::ElideRight);
    };
    cell(TraceModel::Number, QString::number(m_model.sequence(row)), true);
    cell(TraceModel::Type, QString::fromStdString(messageType(m_model.type(row)).name), false);
    cell(TraceModel::Fields, QStringLiteral("…"), false);
}

void TraceView::drawText(QPainter& painter, const QRect& cell, const QString& text, const QColor& color,
                         bool right, Qt::TextElideMode elide) {
    if (cell.width() <= 0)
        return;
    painter.setPen(m_faint.value_or(color));
    const QFontMetrics metrics(painter.font());
    const QString shown =
        metrics.horizontalAdvance(text) > cell.width() ? metrics.elidedText(text, elide, cell.width()) : text;
    washMatches(painter, cell, shown, right);
    painter.drawText(cell, Qt::AlignVCenter | Qt::TextSingleLine | (right ? Qt::AlignRight : Qt::AlignLeft),
                     shown);
}

// Behind what is looked for, where it is shown.
void TraceView::washMatches(QPainter& painter, const QRect& cell, const QString& shown, bool right) const {
    if (m_soughtText.isEmpty() || m_faint)
        return;
    const QFontMetrics metrics(painter.font());
    const int left = right ? cell.right() + 1 - metrics.horizontalAdvance(shown) : cell.left();
    QColor wash = theme().hue(Hue::Orange);
    wash.setAlphaF(theme().isDark() ? 0.35F : 0.4F);
    for (qsizetype at = shown.indexOf(m_soughtText, 0, Qt::CaseInsensitive); at >= 0;
         at = shown.indexOf(m_soughtText, at + m_soughtText.size(), Qt::CaseInsensitive)) {
        const int begin = metrics.horizontalAdvance(shown, static_cast<int>(at));
        const int end = metrics.horizontalAdvance(shown, static_cast<int>(at + m_soughtText.size()));
        painter.fillRect(QRect(left + begin, cell.top() + 2, end - begin, cell.height() - 4), wash);
    }
}

QString TraceView::goneText(const QString& name, std::uint64_t tick, const QFontMetrics& metrics, int width) {
    QString when = QStringLiteral(", gone by %1").arg(tick);
    if (metrics.horizontalAdvance(name + when) <= width)
        return name + when;
    when = QStringLiteral(", gone %1").arg(tick);
    const int legible =
        std::min(metrics.horizontalAdvance(name), metrics.horizontalAdvance(QStringLiteral("12345")));
    if (width - metrics.horizontalAdvance(when)
        < legible) // the name first: its colour and the tip say the rest
        return metrics.elidedText(name, Qt::ElideMiddle, width);
    return metrics.elidedText(name, Qt::ElideMiddle, std::max(0, width - metrics.horizontalAdvance(when)))
           + when;
}

void TraceView::paintCell(QPainter& painter, int row, int column, const QRect& cell) {
    const RecordView record = m_model.record(row);
    const TraceContext& context = m_model.context();
    const QColor text = theme().color(Token::Text);
    const QColor muted = theme().color(Token::Muted);
    if (column >= TraceModel::Time) {
        // The time is said once a tick, as the tick.
        if (column != TraceModel::Time || row == 0 || row <= firstVisibleRow()
            || m_model.tick(row - 1) != record.tick())
            paintNumber(painter, row, column, cell);
        return;
    }
    switch (static_cast<TraceModel::Column>(column)) {
    case TraceModel::Number:
        paintNotes(painter, record.sequence(), cell);
        drawText(painter, cell.adjusted(notesWidth(record.sequence()), 0, 0, 0),
                 QString::number(record.sequence()), muted, true, Qt::ElideLeft);
        break;
    case TraceModel::Tick: {
        // Said once a tick; the top row of the view always says it.
        const std::uint64_t tick = record.tick();
        const auto& zero = m_model.marks().reference();
        const auto isZero = [&](const RecordView& r) { return zero && r.sequence() == zero->sequence; };
        if (row == 0 || row <= firstVisibleRow() || isZero(record) || m_model.tick(row - 1) != tick
            || m_model.sequence(row - 1) == (zero ? zero->sequence : 0))
            drawText(painter, cell, m_model.tickText(record), text, true, Qt::ElideLeft);
        break;
    }
    case TraceModel::World:
        drawText(painter, cell, toQString(context.world(record)), muted);
        break;
    case TraceModel::Type:
        drawText(painter, cell, QString::fromStdString(context.type(record).name), text);
        break;
    case TraceModel::Sender: {
        const std::string_view name = context.sender(record);
        int left = 0;
        if (record.injected() && !m_faint) {
            painter.drawPixmap(QPoint(cell.left(), cell.top() + (RowHeight - IconSide) / 2), injectedIcon());
            left = IconSide + NoteGap;
        }
        drawText(painter, cell.adjusted(left, 0, 0, 0), name.empty() ? QStringLiteral("—") : toQString(name),
                 name.empty() ? muted : text, false, Qt::ElideMiddle); // names differ at their ends
        break;
    }
    case TraceModel::Receiver: {
        const QString name = toQString(context.receiver(record));
        const std::optional<std::uint64_t> gone = context.receiverGoneBy(record);
        if (gone) // muted: there is nothing any more that a click could select
            drawText(painter, cell, goneText(name, *gone, QFontMetrics(painter.font()), cell.width()), muted);
        else
            drawText(painter, cell, name.isEmpty() ? QStringLiteral("—") : name,
                     name.isEmpty() ? muted : text, false, Qt::ElideMiddle);
        break;
    }
    case TraceModel::Fields:
        paintFields(painter, row, cell);
        break;
    case TraceModel::Delivery:
        drawText(painter, cell, toQString(TraceContext::delivery(record)), muted);
        break;
    case TraceModel::Outcome: {
        if (m_faint) {
            drawText(painter, cell.adjusted(IconSide + 6, 0, 0, 0),
                     m_model.index(row, column).data().toString(), muted);
            break;
        }
        const RecordOutcome outcome = shownAs(TraceContext::outcome(record));
        const QPixmap& icon = outcomeIcon(
            outcome == RecordOutcome::Passed && record.late() != 0 ? LateIcon : static_cast<int>(outcome));
        painter.drawPixmap(QPoint(cell.left(), cell.top() + (RowHeight - IconSide) / 2), icon);
        const Meaning meaning = outcome == RecordOutcome::Consumed    ? Meaning::Consumed
                                : outcome == RecordOutcome::Unheeded  ? Meaning::NotReached
                                : outcome == RecordOutcome::Unhandled ? Meaning::Unhandled
                                                                      : Meaning::Passed;
        const QColor ground = selectionModel()->isSelected(m_model.index(row, 0))
                                  ? theme().color(hasFocus() ? Token::Selection : Token::SelectionInactive)
                                  : theme().color(Token::Surface);
        const QRect words = cell.adjusted(IconSide + 6, 0, 0, 0);
        QString line = context.outcomeLine(record);
        if (QFontMetrics(painter.font()).horizontalAdvance(line) > words.width())
            line = context.shortOutcome(record);
        drawText(painter, words, line, theme().readable(theme().color(meaning), ground));
        break;
    }
    case TraceModel::Time:
    case TraceModel::Delta:
    case TraceModel::Priority:
    case TraceModel::Size:
    case TraceModel::ColumnCount:
        break;
    }
}

int TraceView::notesWidth(std::uint64_t sequence) const {
    const int mark = m_model.marks().isMarked(sequence) ? MarkSide + NotesOutdent : 0;
    constexpr int Gap = 2; // between the bubble and the number
    const int comment = m_model.marks().comment(sequence).isEmpty() ? 0 : IconSide + Gap;
    return std::max(0, mark + comment - NotesOutdent);
}

// A diamond for a mark, a speech bubble for a comment, at the left.
void TraceView::paintNotes(QPainter& painter, std::uint64_t sequence, const QRect& cell) {
    constexpr int Side = MarkSide;
    int left = cell.left() - NotesOutdent;
    const int middle = cell.top() + RowHeight / 2;
    if (m_model.marks().isMarked(sequence)) {
        const QPointF corners[] = {QPointF(left + Side / 2.0, middle - Side / 2.0),
                                   QPointF(left + Side, middle),
                                   QPointF(left + Side / 2.0, middle + Side / 2.0), QPointF(left, middle)};
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().readable(theme().hue(Hue::Yellow)));
        painter.drawConvexPolygon(corners, 4);
        painter.restore();
        left += Side + NotesOutdent;
    }
    if (!m_model.marks().comment(sequence).isEmpty())
        painter.drawPixmap(QPoint(left, middle - IconSide / 2), commentIcon());
}

const QPixmap& TraceView::commentIcon() {
    const qreal ratio = devicePixelRatioF();
    const int key = -static_cast<int>(ratio * 100); // outcomes have keys of their own
    auto found = m_icons.find(key);
    if (found == m_icons.end()) {
        const QColor color = theme().readable(theme().hue(Hue::SkyBlue));
        found = m_icons.insert(
            key, theme().icon(QStringLiteral("message"), color).pixmap(QSize(IconSide, IconSide), ratio));
    }
    return *found;
}

const QPixmap& TraceView::injectedIcon() {
    const qreal ratio = devicePixelRatioF();
    const int key = -static_cast<int>(ratio * 100) - 1; // comments have the one beside it
    auto found = m_icons.find(key);
    if (found == m_icons.end()) {
        const QColor color = theme().readable(theme().hue(Hue::Orange));
        found = m_icons.insert(
            key, theme().icon(QStringLiteral("person"), color).pixmap(QSize(IconSide, IconSide), ratio));
    }
    return *found;
}

// Also of a column made from a payload field, whatever is in it.
void TraceView::paintNumber(QPainter& painter, int row, int column, const QRect& cell) {
    const QModelIndex index = m_model.index(row, column);
    const QString text = index.data().toString();
    const QString unit = index.data(TraceModel::UnitRole).toString();
    const QColor muted = theme().color(Token::Muted);
    const bool number = m_model.isNumber(column);
    const QColor color = text == QStringLiteral("—") ? muted : theme().color(Token::Text);
    if (unit.isEmpty()) {
        drawText(painter, cell, text, color, number, Qt::ElideRight);
        return;
    }
    const QString tail = QLatin1Char(' ') + unit;
    const int width = QFontMetrics(painter.font()).horizontalAdvance(tail);
    if (number) {
        drawText(painter, cell, tail, muted, true);
        drawText(painter, cell.adjusted(0, 0, -width, 0), text, color, true, Qt::ElideLeft);
        return;
    }
    const int room = std::max(0, cell.width() - width);
    const int used = std::min(room, QFontMetrics(painter.font()).horizontalAdvance(text));
    drawText(painter, QRect(cell.left(), cell.top(), room, cell.height()), text, color);
    drawText(painter, cell.adjusted(used, 0, 0, 0), tail, muted);
}

// Names and units muted, values bright; what does not fit ends in an ellipsis.
void TraceView::paintFields(QPainter& painter, int row, QRect cell) {
    const QFontMetrics metrics(painter.font());
    const QColor text = theme().color(Token::Text);
    const QColor muted = theme().color(Token::Muted);
    struct Piece {
        QString words;
        QColor color;
    };
    std::vector<Piece> pieces;
    for (const FieldText& field : m_model.context().fields(m_model.record(row), 16)) {
        if (!pieces.empty())
            pieces.push_back({QStringLiteral(" · "), muted});
        pieces.push_back({field.name + QLatin1Char(' '), muted});
        pieces.push_back({field.value, text});
        if (!field.unit.isEmpty())
            pieces.push_back({QLatin1Char(' ') + field.unit, muted});
    }
    const QString ellipsis = QStringLiteral("…");
    const int reserve = metrics.horizontalAdvance(ellipsis);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const int width = metrics.horizontalAdvance(pieces[i].words);
        const bool last = i + 1 == pieces.size();
        if (width > cell.width() - (last ? 0 : reserve)) {
            // Either the rest fits exactly, or this piece is where the cut goes.
            int rest = 0;
            for (std::size_t k = i; k < pieces.size(); ++k)
                rest += metrics.horizontalAdvance(pieces[k].words);
            if (rest > cell.width()) {
                drawText(painter, cell,
                         metrics.elidedText(pieces[i].words + ellipsis, Qt::ElideRight, cell.width()),
                         pieces[i].color);
                return;
            }
        }
        drawText(painter, cell, pieces[i].words, pieces[i].color);
        cell.setLeft(cell.left() + width);
    }
}

} // namespace sbx::ui
