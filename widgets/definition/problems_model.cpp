#include "widgets/definition/problems_model.h"

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {

QString severityName(Severity severity) {
    switch (severity) {
    case Severity::Error:
        return ProblemsModel::tr("Error");
    case Severity::Warning:
        return ProblemsModel::tr("Warning");
    case Severity::Note:
        return ProblemsModel::tr("Note");
    }
    return {};
}

QIcon severityIcon(const Theme& theme, Severity severity) {
    switch (severity) {
    case Severity::Error:
        return theme.icon(QStringLiteral("error"), Token::Error);
    case Severity::Warning:
        return theme.icon(QStringLiteral("warning"), Token::Warning);
    case Severity::Note:
        return theme.icon(QStringLiteral("info"), Token::Info);
    }
    return {};
}

// The same fault, though lines may have moved.
bool sameFault(const Diagnostic& a, const Diagnostic& b) {
    return a.severity == b.severity && a.file == b.file && a.what == b.what && a.expected == b.expected;
}

} // namespace

ProblemsModel::ProblemsModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent), m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (!m_problems.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

void ProblemsModel::setProblems(std::vector<Diagnostic> problems) {
    // Causes before what follows from them.
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.severity > b.severity; });
    // Rows alike at both ends stay; those between are replaced.
    const std::size_t shorter = std::min(m_problems.size(), problems.size());
    std::size_t head = 0;
    while (head < shorter && sameFault(m_problems[head], problems[head]))
        ++head;
    std::size_t tail = 0;
    while (tail < shorter - head
           && sameFault(m_problems[m_problems.size() - 1 - tail], problems[problems.size() - 1 - tail]))
        ++tail;
    const std::size_t oldMiddle = m_problems.size() - head - tail;
    const std::size_t newMiddle = problems.size() - head - tail;
    const std::size_t common = std::min(oldMiddle, newMiddle);
    const auto at = static_cast<std::ptrdiff_t>(head + common);
    const int row = static_cast<int>(at);
    if (oldMiddle > common) {
        beginRemoveRows({}, row, row + static_cast<int>(oldMiddle - common) - 1);
        m_problems.erase(m_problems.begin() + at,
                         m_problems.begin() + at + static_cast<std::ptrdiff_t>(oldMiddle - common));
        endRemoveRows();
    } else if (newMiddle > common) {
        beginInsertRows({}, row, row + static_cast<int>(newMiddle - common) - 1);
        m_problems.insert(m_problems.begin() + at, problems.begin() + at,
                          problems.begin() + at + static_cast<std::ptrdiff_t>(newMiddle - common));
        endInsertRows();
    }
    for (std::size_t i = 0; i < problems.size(); ++i) {
        if (m_problems[i] == problems[i])
            continue;
        m_problems[i] = problems[i];
        emit dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), ColumnCount - 1));
    }
}

int ProblemsModel::count(Severity severity) const {
    return static_cast<int>(std::count_if(m_problems.begin(), m_problems.end(),
                                          [&](const Diagnostic& d) { return d.severity == severity; }));
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_problems.size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Diagnostic& problem = problemAt(index.row());
    const auto place = [](int number) { return number > 0 ? QString::number(number) : QString(); };
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case MessageColumn:
            return shownText(problem.message());
        case FileColumn:
            return shownLine(problem.file);
        case LineColumn:
            return place(problem.region.line);
        case ColumnColumn:
            return place(problem.region.column);
        default:
            return {};
        }
    case Qt::DecorationRole:
        return index.column() == SeverityColumn ? QVariant(severityIcon(m_theme, problem.severity))
                                                : QVariant();
    case Qt::ToolTipRole:
        return index.column() == SeverityColumn ? severityName(problem.severity)
                                                : tipText(problem.message());
    case Qt::AccessibleTextRole:
        return index.column() == SeverityColumn ? QVariant(severityName(problem.severity))
                                                : data(index, Qt::DisplayRole);
    case Qt::TextAlignmentRole:
        if (index.column() == LineColumn || index.column() == ColumnColumn)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    case Qt::FontRole:
        if (index.column() == LineColumn || index.column() == ColumnColumn)
            return m_theme.font(FontRole::Mono);
        return {};
    case Qt::ForegroundRole:
        return index.column() > MessageColumn ? QVariant(m_theme.color(Token::Muted)) : QVariant();
    case SeverityRole:
        return static_cast<int>(problem.severity);
    case FileRole:
        return QString::fromStdString(problem.file);
    case LineRole:
        return problem.region.line;
    case ColumnRole:
        return problem.region.column;
    case SuggestionRole:
        return QString::fromStdString(problem.suggestion);
    case TextRole:
        return QString::fromStdString(problem.toString());
    default:
        return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && (section == LineColumn || section == ColumnColumn))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case MessageColumn:
        return tr("Message");
    case FileColumn:
        return tr("File");
    case LineColumn:
        return tr("Line");
    case ColumnColumn:
        return tr("Column");
    default:
        return QString();
    }
}

} // namespace sbx::ui

#include "moc_problems_model.cpp"
