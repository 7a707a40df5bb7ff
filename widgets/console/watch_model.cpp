#include "widgets/console/watch_model.h"

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

WatchModel::WatchModel(const Theme& theme, const Watches& watches, QObject* parent)
    : QAbstractTableModel(parent), m_theme(theme), m_watches(watches) {
    refresh();
}

void WatchModel::refresh() {
    const std::uint64_t revision = m_watches.revision();
    std::vector<WatchReading> rows = m_watches.read();
    const bool same = revision == m_revision && rows.size() == m_rows.size()
                      && std::equal(rows.begin(), rows.end(), m_rows.begin(),
                                    [](const WatchReading& a, const WatchReading& b) { return a.number == b.number; });
    m_now = 0.0;
    for (const WatchReading& row : rows)
        if (!row.samples.empty())
            m_now = std::max(m_now, row.samples.back().seconds);
    if (!same) {
        beginResetModel();
        m_rows = std::move(rows);
        m_revision = revision;
        endResetModel();
    } else if (!rows.empty()) {
        m_rows = std::move(rows);
        emit dataChanged(index(0, CurrentValue), index(rowCount() - 1, Graph));
    }
}

int WatchModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WatchModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant WatchModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const WatchReading& watch = at(index.row());
    const QString text = shownLine(watch.text);
    const QString shown = shownLine(watch.shown);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        switch (index.column()) {
        case Text:
            return text;
        case CurrentValue:
            return watch.failed ? tr("no value") : shown;
        case Remove:
            return role == Qt::AccessibleTextRole ? tr("Stop watching %1").arg(text) : QVariant();
        default:
            return role == Qt::AccessibleTextRole ? tr("%1 samples").arg(watch.samples.size()) : QVariant();
        }
    case Qt::DecorationRole:
        return index.column() == Remove ? m_theme.icon(QStringLiteral("close"), Token::Muted) : QVariant();
    case Qt::FontRole:
        return m_theme.font(watch.failed && index.column() == CurrentValue ? FontRole::Ui : FontRole::Mono);
    case Qt::TextAlignmentRole:
        return index.column() == CurrentValue ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ForegroundRole:
        return watch.failed && index.column() == CurrentValue ? QVariant(m_theme.color(Token::Muted)) : QVariant();
    case Qt::ToolTipRole:
        if (index.column() == Remove)
            return tr("Stop watching (Del)");
        return tipText(watch.failed ? text + QLatin1Char('\n') + shown : text + QStringLiteral(" = ") + shown);
    default:
        return {};
    }
}

QVariant WatchModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::TextAlignmentRole))
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == CurrentValue ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    switch (section) {
    case Text:
        return tr("Watch");
    case CurrentValue:
        return tr("Value");
    case Graph:
        return tr("Last 60 s");
    default:
        return QString();
    }
}

std::vector<WatchSpan> watchSpans(const std::vector<WatchSample>& samples, double now, int width) {
    std::vector<WatchSpan> spans(static_cast<std::size_t>(std::max(width, 0)));
    if (spans.empty())
        return spans;
    const double perColumn = Watches::Seconds / static_cast<double>(width);
    for (const WatchSample& sample : samples) {
        const double column = static_cast<double>(width - 1) - (now - sample.seconds) / perColumn;
        if (column < -0.5 || column > static_cast<double>(width) - 0.5)
            continue;
        WatchSpan& span = spans[static_cast<std::size_t>(std::clamp(static_cast<int>(column + 0.5), 0, width - 1))];
        span.least = span.any ? std::min(span.least, sample.value) : sample.value;
        span.greatest = span.any ? std::max(span.greatest, sample.value) : sample.value;
        span.last = sample.value;
        span.any = true;
    }
    return spans;
}

} // namespace sbx::ui

#include "moc_watch_model.cpp"
