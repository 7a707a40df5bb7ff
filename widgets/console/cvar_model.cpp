#include "widgets/console/cvar_model.h"

#include <QMimeData>
#include <QStringList>

#include "engine/core/console_syntax.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {

bool canEdit(const CVarInfo& cvar) {
    return !has(cvar.flags, CVarFlags::ReadOnly) && !has(cvar.flags, CVarFlags::Protected);
}

// Ticked rather than typed.
bool isSwitch(const CVarInfo& cvar) {
    return cvar.field.type == FieldType::Bool && !has(cvar.flags, CVarFlags::Protected);
}

// What an edit starts from: latched, it may not hold yet.
const Value& wanted(const CVarInfo& cvar) { return cvar.pending ? *cvar.pending : cvar.value; }

QString pendingText(const CVarInfo& cvar) {
    return QString::fromStdString(cvar.shown(*cvar.pending) + " " + LatchedUntil);
}

QString tip(const CVarInfo& cvar) {
    QStringList lines{QString::fromStdString(cvar.field.name), QString::fromStdString(cvar.field.doc),
                      QString::fromStdString(cvar.field.expectation()),
                      CVarModel::tr("default %1").arg(QString::fromStdString(cvar.shown(cvar.field.defaultValue)))};
    if (cvar.flags != CVarFlags::None)
        lines.append(QString::fromStdString(cvarFlagNames(cvar.flags)));
    if (cvar.pending)
        lines.append(pendingText(cvar));
    lines.append(CVarModel::tr("set by %1").arg(QString::fromStdString(cvar.setBy())));
    return tipText(lines.join(QLatin1Char('\n')));
}

} // namespace

CVarModel::CVarModel(const Theme& theme, const CVarRegistry& registry, QObject* parent)
    : QAbstractTableModel(parent), m_theme(theme), m_registry(registry) {
    refresh();
}

void CVarModel::refresh() {
    const std::uint64_t revision = m_registry.revision();
    if (m_read && revision == m_revision)
        return;
    m_revision = revision;
    m_read = true;
    std::vector<CVarInfo> now = m_registry.list();
    const bool same = now.size() == m_rows.size()
                      && std::equal(now.begin(), now.end(), m_rows.begin(),
                                    [](const CVarInfo& a, const CVarInfo& b) { return a.field.name == b.field.name; });
    if (same) {
        m_rows = std::move(now);
        if (!m_rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    } else {
        beginResetModel();
        m_rows = std::move(now);
        endResetModel();
    }
}

int CVarModel::rowOf(const QString& name) const {
    const std::string wanted = name.toStdString();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].field.name == wanted)
            return static_cast<int>(i);
    return -1;
}

QStringList CVarModel::starred() const {
    QStringList out(m_starred.begin(), m_starred.end());
    out.sort();
    return out;
}

void CVarModel::setStarred(const QStringList& names) {
    m_starred = QSet<QString>(names.begin(), names.end());
    if (!m_rows.empty())
        emit dataChanged(index(0, Star), index(rowCount() - 1, Star));
    emit starredChanged();
}

QString CVarModel::line(const CVarInfo& cvar, const QString& value) {
    const std::string text = value.trimmed().toStdString();
    const bool quoted = cvar.field.type == FieldType::String || text.empty();
    return QString::fromStdString(cvar.field.name + " " + (quoted ? consoleWord(text) : text));
}

int CVarModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int CVarModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant CVarModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const CVarInfo& cvar = at(index.row());
    const QString name = QString::fromStdString(cvar.field.name);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        switch (index.column()) {
        case Star:
            return role == Qt::DisplayRole ? QVariant() : m_starred.contains(name) ? tr("starred") : tr("not starred");
        case Name:
            return name;
        case CurrentValue:
            return shownLine(cvar.shown());
        case DefaultValue:
            return shownLine(cvar.shown(cvar.field.defaultValue));
        default: {
            const QString setBy = shownLine(cvar.setBy());
            return cvar.pending ? tr("%1, %2").arg(pendingText(cvar), setBy) : setBy;
        }
        }
    case Qt::EditRole:
        if (index.column() == CurrentValue)
            return QString::fromStdString(cvar.field.format(wanted(cvar)));
        return data(index, Qt::DisplayRole);
    case Qt::CheckStateRole:
        if (index.column() == Star)
            return m_starred.contains(name) ? Qt::Checked : Qt::Unchecked;
        if (index.column() == CurrentValue && isSwitch(cvar))
            return cvar.pending ? Qt::PartiallyChecked : std::get<bool>(cvar.value) ? Qt::Checked : Qt::Unchecked;
        return {};
    case Qt::FontRole:
        if (index.column() == CurrentValue && !cvar.isDefault())
            return m_theme.strongFont(FontRole::Mono);
        return m_theme.font(index.column() == SetBy ? FontRole::Ui : FontRole::Mono);
    case Qt::ForegroundRole:
        // What waits for Play is not to be overlooked.
        if (index.column() == DefaultValue || (index.column() == SetBy && !cvar.pending)
            || (index.column() == CurrentValue && !canEdit(cvar)))
            return m_theme.color(Token::Muted);
        return {};
    case Qt::ToolTipRole:
        return index.column() == Star ? tr("Starred CVars stand first") : tip(cvar);
    case ChangedRole:
        return !cvar.isDefault() || cvar.pending;
    case FlagsRole:
        return static_cast<quint32>(cvar.flags);
    case SearchRole:
        return name + QLatin1Char('\n') + QString::fromStdString(cvar.field.doc);
    case ChoicesRole: {
        QStringList choices;
        if (index.column() == CurrentValue && !has(cvar.flags, CVarFlags::Protected))
            for (const std::string& choice : cvar.field.choices)
                choices.append(QString::fromStdString(choice));
        return choices;
    }
    default:
        return {};
    }
}

bool CVarModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const CVarInfo& cvar = at(index.row());
    if (index.column() == Star && role == Qt::CheckStateRole) {
        const QString name = QString::fromStdString(cvar.field.name);
        if (!m_starred.remove(name))
            m_starred.insert(name);
        emit dataChanged(index, index);
        emit starredChanged();
        return true;
    }
    if (index.column() == CurrentValue && role == Qt::CheckStateRole && isSwitch(cvar)) {
        // What a menu names is meant. A click means the other than what is wanted: one that waits is half ticked, and a view would
        // tick that in whole.
        const bool on = value.typeId() == QMetaType::Bool ? value.toBool() : !std::get<bool>(wanted(cvar));
        emit requested(line(cvar, on ? QStringLiteral("true") : QStringLiteral("false")));
        return true;
    }
    if (index.column() != CurrentValue || role != Qt::EditRole || value == data(index, Qt::EditRole))
        return false;
    emit requested(line(cvar, value.toString()));
    return true; // in force when the console has run it; refresh() shows it
}

QStringList CVarModel::mimeTypes() const { return {QLatin1String(CVarMimeType), QStringLiteral("text/plain")}; }

QMimeData* CVarModel::mimeData(const QModelIndexList& indexes) const {
    QStringList names;
    for (const QModelIndex& index : indexes)
        if (const QString name = QString::fromStdString(at(index.row()).field.name); !names.contains(name))
            names.append(name);
    auto* data = new QMimeData; // the view that drags owns it
    data->setText(names.join(QLatin1Char(' ')));
    data->setData(QLatin1String(CVarMimeType), names.join(QLatin1Char('\n')).toUtf8());
    return data;
}

Qt::ItemFlags CVarModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags out = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() != Star)
        out |= Qt::ItemIsDragEnabled;
    if (index.column() == Star)
        out |= Qt::ItemIsUserCheckable;
    if (const CVarInfo& cvar = at(index.row()); index.column() == CurrentValue && canEdit(cvar))
        out |= isSwitch(cvar) ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable;
    return out;
}

QVariant CVarModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("CVar");
    case CurrentValue:
        return tr("Value");
    case DefaultValue:
        return tr("Default");
    case SetBy:
        return tr("Set by");
    default:
        return QString();
    }
}

// ---------------------------------------------------------------------------------------------------- proxy

void CVarProxy::setText(const QString& text) {
    m_text = text.trimmed();
    invalidateFilter();
}

void CVarProxy::setOnlyChanged(bool only) {
    m_onlyChanged = only;
    invalidateFilter();
}

void CVarProxy::setFlag(CVarFlags flag) {
    m_flag = flag;
    invalidateFilter();
}

bool CVarProxy::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex at = sourceModel()->index(row, CVarModel::Name, parent);
    if (m_onlyChanged && !at.data(CVarModel::ChangedRole).toBool())
        return false;
    if (m_flag != CVarFlags::None && !has(static_cast<CVarFlags>(at.data(CVarModel::FlagsRole).toUInt()), m_flag))
        return false;
    return m_text.isEmpty() || at.data(CVarModel::SearchRole).toString().contains(m_text, Qt::CaseInsensitive);
}

bool CVarProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const auto starred = [](const QModelIndex& index) {
        return index.siblingAtColumn(CVarModel::Star).data(Qt::CheckStateRole).toInt() == Qt::Checked;
    };
    if (const bool a = starred(left), b = starred(right); a != b)
        return sortOrder() == Qt::AscendingOrder ? a : b;
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace sbx::ui

#include "moc_cvar_model.cpp"
