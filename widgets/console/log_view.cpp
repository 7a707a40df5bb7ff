#include "widgets/console/log_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTextLayout>
#include <QToolTip>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/console/log_model.h"
#include "widgets/console/log_severity.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

constexpr int Padding = measure::PanelPadding;
constexpr int IconSide = 14;
constexpr int RowPadding = 2; // above and below the text
constexpr int TimeChars = 9;  // "12345.678"
constexpr int ChannelChars = 10;
constexpr int CountWidth = 44;     // "×9999" at the right edge
constexpr int NarrowTime = 640;    // below this width the time is left out,
constexpr int NarrowChannel = 400; // and below this the channel too
constexpr int MaxLines = 40;       // of one row on screen; copying gives all
constexpr int MaxChars = 8000;

// One line of characters that are all as wide as any other: no need to lay it out.
bool isPlain(const QString& text) {
    return std::all_of(text.begin(), text.end(),
                       [](QChar c) { return c.unicode() >= 0x20 && c.unicode() < 0x300; });
}

// The text as QTextLayout takes it, no longer than can be looked at.
QString laidOut(const QString& text) {
    QString shown = text.size() > MaxChars ? text.left(MaxChars) + QChar(0x2026) : text;
    shown.replace(QLatin1Char('\n'), QChar(QChar::LineSeparator));
    return shown;
}

int layOut(QTextLayout& layout, int width, int lineHeight) {
    QTextOption option(Qt::AlignLeft);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    int lines = 0;
    while (lines < MaxLines) {
        QTextLine made = layout.createLine();
        if (!made.isValid())
            break;
        made.setLineWidth(std::max(width, 20));
        made.setPosition(QPointF(0, lines * lineHeight));
        ++lines;
    }
    layout.endLayout();
    return std::max(lines, 1);
}

} // namespace

LogView::LogView(const Theme& theme, LogModel& model, QWidget* parent)
    : RowsView(theme, QStringLiteral("console"), tr("lines"), tr("Logged while the view is paused; resumes"),
               tr("Go to the newest line (Ctrl+End)"), parent),
      m_model(model) {
    setObjectName(QStringLiteral("console.log"));
    setAccessibleName(tr("Log"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    showModel(model);
    connect(&theme, &Theme::changed, this, &LogView::refreshTheme);
    refreshTheme();
}

void LogView::forgetRows(int first, int last) {
    const int height = rowTop(last + 1) - rowTop(first);
    m_bottoms.erase(m_bottoms.begin() + first, m_bottoms.begin() + last + 1);
    for (auto it = m_bottoms.begin() + first; it != m_bottoms.end(); ++it)
        *it -= height;
}

void LogView::refreshTheme() {
    m_icons.clear();
    setFont(theme().font(FontRole::Mono));
    pill().setFont(theme().font(FontRole::Ui));
    const QFontMetrics metrics(font());
    m_charWidth =
        std::max(1, static_cast<int>(std::ceil(
                        QFontMetricsF(font()).horizontalAdvance(QString(64, QLatin1Char('0'))) / 64.0)));
    m_lineHeight = std::max(metrics.height(), measure::TraceRowHeight - 2 * RowPadding);
    measureAll();
    viewport()->update();
}

QString LogView::copyText() const {
    QModelIndexList selected = selectionModel()->selectedRows();
    std::sort(selected.begin(), selected.end());
    QStringList lines;
    if (selected.isEmpty())
        for (int row = 0; row < m_model.rowCount(); ++row)
            lines.append(m_model.plainText(row));
    for (const QModelIndex& index : selected)
        lines.append(m_model.plainText(index.row()));
    return lines.join(QLatin1Char('\n'));
}

// --- geometry

LogView::Columns LogView::columns() const {
    const int width = viewport()->width();
    Columns at;
    int x = Padding;
    if (width >= NarrowTime) {
        at.timeEnd = x + TimeChars * m_charWidth;
        x = at.timeEnd + Padding;
    }
    at.icon = x;
    x += IconSide + Padding;
    if (width >= NarrowChannel) {
        at.channel = x;
        at.channelWidth = ChannelChars * m_charWidth;
        x += at.channelWidth + Padding;
    }
    at.text = x;
    at.textWidth = std::max(m_charWidth * 10, width - x - CountWidth);
    return at;
}

int LogView::heightOf(int row, const Columns& at) const {
    const QString& text = m_model.at(row).text;
    int lines = 1;
    ++m_work.measured;
    if (text.size() > 0 && (text.size() * m_charWidth > at.textWidth || !isPlain(text))) {
        QTextLayout layout(laidOut(text),
                           m_model.at(row).isInput() ? theme().strongFont(FontRole::Mono) : font());
        lines = layOut(layout, at.textWidth, m_lineHeight);
        ++m_work.brokenIntoLines;
    }
    return lines * m_lineHeight + 2 * RowPadding;
}

void LogView::measureFrom(int row) {
    const Columns at = columns();
    const int count = m_model.rowCount();
    int bottom = rowTop(row);
    m_bottoms.resize(static_cast<std::size_t>(count));
    for (int i = row; i < count; ++i) {
        bottom += heightOf(i, at);
        m_bottoms[static_cast<std::size_t>(i)] = bottom;
    }
}

void LogView::measureAll() {
    // The first row on screen stays there.
    const int offset = verticalOffset();
    const int anchor = rowAt(offset);
    const int within = anchor < static_cast<int>(m_bottoms.size()) ? offset - rowTop(anchor) : 0;
    m_bottoms.clear();
    m_measuredWidth = viewport()->width();
    measureFrom(0);
    updateScrollBars();
    if (!isFollowing() && anchor < static_cast<int>(m_bottoms.size()))
        scrollQuietly(rowTop(anchor) + within);
}

int LogView::rowAt(int y) const {
    return static_cast<int>(std::upper_bound(m_bottoms.begin(), m_bottoms.end(), y) - m_bottoms.begin());
}

QRect LogView::visualRect(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= static_cast<int>(m_bottoms.size()))
        return {};
    const int from = rowTop(index.row());
    return {0, from - verticalOffset(), viewport()->width(),
            m_bottoms[static_cast<std::size_t>(index.row())] - from};
}

QModelIndex LogView::indexAt(const QPoint& point) const {
    const int row = rowAt(point.y() + verticalOffset());
    return point.y() + verticalOffset() < 0 || row >= m_model.rowCount() ? QModelIndex() : m_model.index(row);
}

void LogView::updateGeometries() {
    QAbstractItemView::updateGeometries();
    if (viewport()->width() != m_measuredWidth)
        measureAll();
    else
        updateScrollBars();
    placePill();
}

int LogView::lineStep() const { return m_lineHeight + 2 * RowPadding; }

// --- the model

void LogView::reset() {
    QAbstractItemView::reset();
    m_bottoms.clear();
    measureFrom(0);
    updateScrollBars();
    viewport()->update();
}

void LogView::rowsInserted(const QModelIndex&, int start, int) {
    measureFrom(start);
    updateScrollBars();
    viewport()->update();
}

// --- input

bool LogView::viewportEvent(QEvent* event) {
    const bool taken = RowsView::viewportEvent(event);
    if (event->type() == QEvent::HoverMove || event->type() == QEvent::MouseMove) {
        const QPoint at = static_cast<QSinglePointEvent*>(event)->position().toPoint();
        viewport()->setCursor(linkAt(at) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
    return taken;
}

void LogView::showToolTip(const QHelpEvent& help) {
    const std::optional<LogLink> link = linkAt(help.pos());
    QToolTip::showText(help.globalPos(), link && m_names.preview ? tipText(m_names.preview(*link)) : QString(),
                       viewport());
}

std::optional<LogLink> LogView::linkAt(const QPoint& point) const {
    const int row = rowAt(point.y() + verticalOffset());
    if (row != hoveredRow() || m_links.empty() || row >= m_model.rowCount())
        return std::nullopt;
    const Columns at = columns();
    const LogModel::Row& record = m_model.at(row);
    QTextLayout layout(laidOut(record.text), record.isInput() ? theme().strongFont(FontRole::Mono) : font());
    layOut(layout, at.textWidth, m_lineHeight);
    const int line = (point.y() + verticalOffset() - rowTop(row) - RowPadding) / m_lineHeight;
    if (line < 0 || line >= layout.lineCount())
        return std::nullopt;
    const QTextLine shown = layout.lineAt(line);
    const qreal x = point.x() - at.text;
    if (x < 0 || x > shown.naturalTextWidth())
        return std::nullopt;
    const int position = shown.xToCursor(x, QTextLine::CursorOnCharacter);
    for (const LogLink& link : m_links)
        if (position >= link.begin && position < link.begin + link.length)
            return link;
    return std::nullopt;
}

// --- painting

const QPixmap& LogView::icon(int severity) {
    const qreal ratio = devicePixelRatioF();
    const int key = severity * 1000 + static_cast<int>(ratio * 100);
    auto found = m_icons.find(key);
    if (found == m_icons.end()) {
        const auto which = static_cast<LogSeverity>(severity);
        found = m_icons.insert(key, theme()
                                        .icon(logSeverityIcon(which), logSeverityToken(which))
                                        .pixmap(QSize(IconSide, IconSide), ratio));
    }
    return *found;
}

void LogView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setFont(font());
    painter.fillRect(event->rect(), theme().color(Token::Surface));
    const int offset = verticalOffset();
    const Columns at = columns();
    const int last = std::min(m_model.rowCount() - 1, rowAt(event->rect().bottom() + offset));
    int uppermost = rowAt(offset); // that is seen whole
    if (rowTop(uppermost) < offset)
        ++uppermost;
    for (int row = rowAt(std::max(0, event->rect().top() + offset)); row <= last; ++row)
        paintRow(painter, row,
                 QRect(0, rowTop(row) - offset, viewport()->width(),
                       m_bottoms[static_cast<std::size_t>(row)] - rowTop(row)),
                 at,
                 row == uppermost || row == hoveredRow() ? LogModel::Repeats::Nothing : m_model.repeats(row));
}

void LogView::paintHead(QPainter& painter, const LogModel::Row& record, int y, const Columns& at,
                        LogModel::Repeats leftOut) {
    painter.setPen(theme().color(Token::Muted));
    if (at.timeEnd > 0 && leftOut == LogModel::Repeats::Nothing)
        painter.drawText(QRect(Padding, y, at.timeEnd - Padding, m_lineHeight),
                         Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(static_cast<double>(record.timeMs) / 1000.0, 'f', 3));
    if (record.isInput() || leftOut == LogModel::Repeats::TimeAndSource)
        return;
    painter.drawPixmap(at.icon, y + (m_lineHeight - IconSide) / 2, icon(static_cast<int>(record.severity)));
    if (at.channelWidth > 0)
        painter.drawText(QRect(at.channel, y, at.channelWidth, m_lineHeight),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(record.channel, Qt::ElideRight, at.channelWidth));
}

void LogView::paintRow(QPainter& painter, int row, const QRect& area, const Columns& at,
                       LogModel::Repeats leftOut) {
    const LogModel::Row& record = m_model.at(row);
    ++m_work.painted;
    if (selectionModel()->isSelected(m_model.index(row)))
        painter.fillRect(area, theme().color(hasFocus() ? Token::Selection : Token::SelectionInactive));
    else if (row == hoveredRow())
        painter.fillRect(area, mix(theme().color(Token::Surface), theme().color(Token::Raised), 0.7));
    const int y = area.top() + RowPadding;
    paintHead(painter, record, y, at, leftOut);
    if (record.count > 1)
        painter.drawText(QRect(area.right() - CountWidth, y, CountWidth - Padding / 2, m_lineHeight),
                         Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("×%1").arg(record.count));

    const bool loud = record.severity >= LogSeverity::Warning;
    const bool quiet = record.severity <= LogSeverity::Debug;
    painter.setPen(loud ? theme().readable(theme().color(logSeverityToken(record.severity)))
                        : theme().color(quiet ? Token::Muted : Token::Text));
    if (record.isInput())
        painter.setFont(theme().strongFont(FontRole::Mono));
    const bool linked = row == hoveredRow() && !m_links.empty();
    if (!linked && record.text.size() * m_charWidth <= at.textWidth && isPlain(record.text)) {
        painter.drawText(QRect(at.text, y, at.textWidth, m_lineHeight),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, record.text);
    } else {
        QTextLayout layout(laidOut(record.text), painter.font());
        if (linked) {
            QList<QTextLayout::FormatRange> formats;
            for (const LogLink& link : m_links) {
                QTextLayout::FormatRange range;
                range.start = static_cast<int>(link.begin);
                range.length = static_cast<int>(link.length);
                range.format.setFontUnderline(true);
                formats.append(range);
            }
            layout.setFormats(formats);
        }
        layOut(layout, at.textWidth, m_lineHeight);
        ++m_work.brokenIntoLines;
        layout.draw(&painter, QPointF(at.text, y + (m_lineHeight - painter.fontMetrics().height()) / 2));
    }
    if (record.isInput())
        painter.setFont(font());
}

} // namespace sbx::ui

#include "moc_log_view.cpp"
