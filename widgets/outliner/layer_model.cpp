#include "widgets/outliner/layer_model.h"

#include <QFont>
#include <QMimeData>

#include "widgets/common/foreign_text.h"
#include "widgets/common/scene_layers.h"
#include "widgets/common/theme.h"
#include "widgets/outliner/entity_tree_model.h"

#include <algorithm>

namespace sbx::ui {

LayerModel::LayerModel(const Theme& theme, const SceneLayers& layers, const SceneMarks& marks, QObject* parent)
    : QAbstractTableModel(parent), m_theme(theme), m_layers(layers), m_marks(marks), m_rows(layers.all()) {
    connect(&layers, &SceneLayers::changed, this, &LayerModel::refresh);
    connect(&layers, &SceneLayers::ownChanged, this, &LayerModel::repaint);
    connect(&marks, &SceneMarks::changed, this, &LayerModel::repaint);
    connect(&theme, &Theme::changed, this, &LayerModel::repaint);
}

LayerModel::~LayerModel() = default;

// A list of names in one order: what is gone goes, what is new comes in, and no other row moves.
void LayerModel::refresh() {
    const std::vector<SceneLayer>& next = m_layers.all();
    const auto hasName = [](const std::vector<SceneLayer>& rows, const std::string& name) {
        return std::any_of(rows.begin(), rows.end(), [&](const SceneLayer& each) { return each.name == name; });
    };
    for (int row = static_cast<int>(m_rows.size()) - 1; row >= 0; --row) {
        if (hasName(next, m_rows[static_cast<std::size_t>(row)].name))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    for (std::size_t i = 0; i < next.size(); ++i) {
        if (i < m_rows.size() && m_rows[i].name == next[i].name) {
            m_rows[i] = next[i];
            continue;
        }
        beginInsertRows({}, static_cast<int>(i), static_cast<int>(i));
        m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(i), next[i]);
        endInsertRows();
    }
    repaint();
}

void LayerModel::repaint() {
    if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

std::string LayerModel::nameAt(const QModelIndex& index) const {
    return index.isValid() && index.row() < rowCount() ? m_rows[static_cast<std::size_t>(index.row())].name : std::string();
}

QModelIndex LayerModel::indexOf(const std::string& layer) const {
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].name == layer)
            return index(static_cast<int>(i), NameColumn);
    return {};
}

int LayerModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int LayerModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LayerModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const SceneLayer& layer = m_rows[static_cast<std::size_t>(index.row())];
    if (index.column() == HiddenColumn || index.column() == LockedColumn)
        return markData(layer.name, index.column(), role);
    const bool active = !layer.name.empty() && layer.name == m_layers.active();
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == CountColumn)
            return QString::number(layer.entities);
        return layer.name.empty() ? tr("No layer") : shownLine(layer.name);
    case Qt::EditRole:
        return QString::fromStdString(layer.name);
    case Qt::TextAlignmentRole:
        return index.column() == CountColumn ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::DecorationRole:
        return index.column() == NameColumn ? QVariant(m_theme.icon(QStringLiteral("layer"), active ? Token::Accent : Token::Muted)) : QVariant();
    case Qt::FontRole: {
        QFont font = m_theme.font(index.column() == CountColumn ? FontRole::Mono : FontRole::Ui);
        font.setBold(active && index.column() == NameColumn);
        return font;
    }
    case Qt::ForegroundRole:
        return m_theme.color(index.column() == CountColumn || layer.name.empty() || m_marks.isLayerMarked(SceneMark::Hidden, layer.name)
                                 ? Token::Muted
                                 : Token::Text);
    case Qt::AccessibleTextRole:
        if (index.column() == CountColumn)
            return tr("%n entities", nullptr, layer.entities);
        return active ? tr("%1, new entities go here").arg(layer.name.empty() ? tr("No layer") : QString::fromStdString(layer.name)) : QVariant();
    case Qt::ToolTipRole:
        if (layer.name.empty())
            return tr("Entities that are in no layer. Drop entities here to take them out of theirs.");
        return tipText(tr("%1 — %2%3\nDouble click selects what is in it. Drop entities here to move them in.")
                           .arg(QString::fromStdString(layer.name), layer.entities == 1 ? tr("1 entity") : tr("%1 entities").arg(layer.entities),
                                active ? tr("; new entities go here") : QString()));
    default:
        return {};
    }
}

QVariant LayerModel::markData(const std::string& layer, int column, int role) const {
    const bool eye = column == HiddenColumn;
    const bool marked = m_marks.isLayerMarked(eye ? SceneMark::Hidden : SceneMark::Locked, layer);
    switch (role) {
    case Qt::DecorationRole:
        if (eye)
            return m_theme.icon(marked ? QStringLiteral("eye-off") : QStringLiteral("eye"), marked ? Token::Text : Token::Muted);
        return marked ? QVariant(m_theme.icon(QStringLiteral("lock"), Token::Text)) : QVariant();
    case Qt::AccessibleTextRole:
        return eye ? (marked ? tr("hidden") : tr("shown")) : (marked ? tr("locked") : tr("not locked"));
    case Qt::ToolTipRole:
        return eye ? (marked ? tr("Show the layer in the viewport") : tr("Hide the layer from the viewport"))
                   : (marked ? tr("Unlock the layer") : tr("Lock the layer against the viewport's mouse"));
    default:
        return {};
    }
}

QVariant LayerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::DecorationRole && section >= HiddenColumn)
        return m_theme.icon(section == HiddenColumn ? QStringLiteral("eye") : QStringLiteral("lock"), Token::Muted);
    return {};
}

Qt::ItemFlags LayerModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid())
        return flags;
    return index.column() == NameColumn && !nameAt(index).empty() ? flags | Qt::ItemIsEditable | Qt::ItemIsDropEnabled : flags | Qt::ItemIsDropEnabled;
}

bool LayerModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    const std::string from = nameAt(index);
    const std::string to = value.toString().trimmed().toStdString();
    if (!to.empty() && to != from)
        emit renameRequested(from, to);
    return false;
}

QStringList LayerModel::mimeTypes() const { return {QLatin1String(EntityTreeModel::MimeType)}; }

bool LayerModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int, const QModelIndex& parent) const {
    return data != nullptr && action == Qt::MoveAction && data->hasFormat(QLatin1String(EntityTreeModel::MimeType)) && parent.isValid();
}

bool LayerModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    emit assignRequested(EntityTreeModel::namesIn(*data), nameAt(parent));
    return false; // the outliner must not remove its rows
}

} // namespace sbx::ui

#include "moc_layer_model.cpp"
