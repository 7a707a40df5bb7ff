#include "widgets/assets/asset_model.h"

#include <QLocale>
#include <QMimeData>
#include <QStringList>

#include "widgets/assets/asset_files.h"
#include "widgets/assets/asset_previews.h"
#include "widgets/common/asset_drag.h"
#include "widgets/common/asset_moves.h"
#include "widgets/common/document_files.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/natural_order.h"

#include <algorithm>
#include <functional>

namespace sbx::ui {

namespace {
constexpr double MinuteSeconds = 60.0;

QString lengthText(double seconds) {
    if (seconds < MinuteSeconds)
        return AssetModel::tr("%1 s").arg(QLocale().toString(seconds, 'f', 2));
    const auto whole = static_cast<qint64>(seconds);
    return AssetModel::tr("%1:%2 min").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
}
} // namespace

AssetModel::AssetModel(AssetFiles& files, AssetPreviews& previews, const AssetMoves* moves, QObject* parent)
    : QAbstractItemModel(parent), m_files(files), m_previews(previews), m_moves(moves), m_root(std::make_unique<Node>()) {
    m_root->isFolder = true;
    connect(&previews, &AssetPreviews::ready, this, [this](const QString& name) {
        if (const QModelIndex at = indexOf(name); at.isValid())
            emit dataChanged(at, at);
    });
}

void AssetModel::setUses(std::vector<AssetUse> uses) {
    const QStringList before = missing();
    m_uses.clear();
    for (AssetUse& use : uses) {
        std::string asset = use.asset;
        m_uses.emplace(std::move(asset), std::move(use));
    }
    // Which files are missing decides about rows, how often the others are used does not.
    QStringList now;
    for (auto it = m_uses.begin(); it != m_uses.end(); it = m_uses.upper_bound(it->first))
        if (const QString name = QString::fromStdString(it->first); m_files.find(name) == nullptr && !unlisted(it->first))
            now << name;
    now.sort();
    if (now != before) {
        rebuild();
        return;
    }
    for (const auto& [name, node] : m_nodes)
        if (!node->isFolder) {
            const QModelIndex at = createIndex(node->row, 0, node);
            emit dataChanged(at, at, {UsesRole, Qt::ToolTipRole});
        }
}

std::vector<AssetModel::Row> AssetModel::rows() const {
    std::vector<Row> out;
    for (auto it = m_uses.begin(); it != m_uses.end(); it = m_uses.upper_bound(it->first))
        if (const QString name = QString::fromStdString(it->first); m_files.find(name) == nullptr)
            out.push_back({name, it->second.kind, unlisted(it->first)});
    for (const AssetEntry& entry : m_files.entries())
        if (m_moves == nullptr || !m_moves->isLeaving(entry.name.toStdString()))
            out.push_back({entry.name, entry.kind, entry.identity});
    return out;
}

// A file that was written again is no other row: what is chosen and scrolled stays.
void AssetModel::refresh() {
    const std::vector<Row> now = rows();
    const bool same = static_cast<int>(now.size()) == m_fileCount && std::all_of(now.begin(), now.end(), [&](const Row& row) {
        const auto known = m_nodes.find(row.name);
        return known != m_nodes.end() && !known->second->isFolder && known->second->kind == row.kind
               && known->second->isMissing == !row.identity;
    });
    if (!same) {
        rebuild();
        return;
    }
    for (const Row& row : now) {
        Node* node = m_nodes[row.name];
        if (row.identity && !(node->identity == *row.identity)) {
            node->identity = *row.identity;
            const QModelIndex at = createIndex(node->row, 0, node);
            emit dataChanged(at, at);
        }
    }
}

AssetModel::Node* AssetModel::folder(const QString& path) {
    if (path.isEmpty())
        return m_root.get();
    if (const auto known = m_nodes.find(path); known != m_nodes.end())
        return known->second;
    const qsizetype cut = path.lastIndexOf(QLatin1Char('/'));
    Node* up = folder(cut < 0 ? QString() : path.left(cut));
    auto made = std::make_unique<Node>();
    made->name = path;
    made->own = path.mid(cut + 1);
    made->up = up;
    made->isFolder = true;
    Node* out = made.get();
    up->below.push_back(std::move(made));
    m_nodes[path] = out;
    return out;
}

void AssetModel::rebuild() {
    beginResetModel();
    m_root = std::make_unique<Node>();
    m_root->isFolder = true;
    m_nodes.clear();
    m_fileCount = 0;
    const auto add = [&](const QString& name, AssetKind kind, const std::optional<FileIdentity>& identity) {
        if (m_nodes.contains(name))
            return;
        const qsizetype cut = name.lastIndexOf(QLatin1Char('/'));
        Node* up = folder(cut < 0 ? QString() : name.left(cut));
        auto made = std::make_unique<Node>();
        made->name = name;
        made->own = name.mid(cut + 1);
        made->up = up;
        made->kind = kind;
        made->isMissing = !identity;
        made->identity = identity.value_or(FileIdentity{});
        m_nodes[name] = made.get();
        up->below.push_back(std::move(made));
        ++m_fileCount;
    };
    for (const Row& row : rows())
        add(row.name, row.kind, row.identity);
    // Folders first; what is missing first among files, so that it is seen.
    const std::function<void(Node&)> number = [&](Node& node) {
        std::sort(node.below.begin(), node.below.end(), [](const auto& a, const auto& b) {
            const std::pair ranks(std::pair(!a->isFolder, !a->isMissing), std::pair(!b->isFolder, !b->isMissing));
            return ranks.first != ranks.second ? ranks.first < ranks.second : compareNaturally(a->own, b->own) < 0;
        });
        int row = 0;
        for (const auto& each : node.below) {
            each->row = row++;
            number(*each);
        }
    };
    number(*m_root);
    endResetModel();
}

std::optional<FileIdentity> AssetModel::unlisted(const std::string& asset) const {
    if (m_files.folder().isEmpty())
        return std::nullopt;
    const Result<FileIdentity> found = inspectAsset({pathOf(m_files.folder()), asset});
    return found ? std::optional(*found) : std::nullopt;
}

int AssetModel::useCount(const QString& name) const { return static_cast<int>(m_uses.count(name.toStdString())); }

std::vector<AssetUse> AssetModel::usesOf(const QString& name) const {
    std::vector<AssetUse> out;
    const auto [begin, end] = m_uses.equal_range(name.toStdString());
    for (auto it = begin; it != end; ++it)
        out.push_back(it->second);
    return out;
}

QStringList AssetModel::missing() const {
    QStringList out;
    for (const auto& [name, node] : m_nodes)
        if (node->isMissing)
            out << name;
    out.sort();
    return out;
}

const AssetModel::Node* AssetModel::nodeOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<const Node*>(index.constInternalPointer()) : m_root.get();
}

QModelIndex AssetModel::indexOf(const QString& name) const {
    const auto found = m_nodes.find(name);
    return found == m_nodes.end() ? QModelIndex() : createIndex(found->second->row, 0, found->second);
}

QModelIndex AssetModel::index(int row, int column, const QModelIndex& parent) const {
    const Node* up = nodeOf(parent);
    if (column != 0 || row < 0 || row >= static_cast<int>(up->below.size()))
        return {};
    return createIndex(row, 0, up->below[static_cast<std::size_t>(row)].get());
}

QModelIndex AssetModel::parent(const QModelIndex& index) const {
    const Node* up = index.isValid() ? nodeOf(index)->up : nullptr;
    return up == nullptr || up == m_root.get() ? QModelIndex() : createIndex(up->row, 0, up);
}

int AssetModel::rowCount(const QModelIndex& parent) const { return static_cast<int>(nodeOf(parent)->below.size()); }

int AssetModel::columnCount(const QModelIndex&) const { return 1; }

const AssetPreview* AssetModel::previewOf(const QModelIndex& index) const {
    const Node* node = nodeOf(index);
    return node->isFolder || node->isMissing ? nullptr : &m_previews.find(node->name, node->kind, node->identity);
}

QString AssetModel::factsOf(const AssetPreview& preview, AssetKind kind) {
    if (preview.state != AssetPreview::State::Ready)
        return {};
    if (kind == AssetKind::Mesh)
        return preview.triangles == 1 ? tr("1 triangle") : tr("%1 triangles").arg(QLocale().toString(preview.triangles));
    const QString channels = preview.channels == 1   ? tr("mono")
                             : preview.channels == 2 ? tr("stereo")
                                                     : tr("%1 channels").arg(preview.channels);
    return tr("%1 · %2 · %3 kHz").arg(lengthText(preview.seconds), channels, QLocale().toString(preview.sampleRate / 1000.0, 'g', 4));
}

QVariant AssetModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Node& node = *nodeOf(index);
    switch (role) {
    case Qt::DisplayRole:
        return shownLine(node.own);
    case Qt::EditRole:
    case NameRole:
        return node.name;
    case IsFolderRole:
        return node.isFolder;
    case KindRole:
        return node.isFolder ? QVariant() : QVariant(static_cast<int>(node.kind));
    case MissingRole:
        return node.isMissing;
    case UsesRole:
        return node.isFolder ? QVariant() : QVariant(useCount(node.name));
    case FaultRole:
    case FactsRole: {
        const AssetPreview* preview = m_previews.known(node.name);
        if (preview == nullptr || node.isFolder || node.isMissing)
            return QString();
        return role == FaultRole ? preview->fault : factsOf(*preview, node.kind);
    }
    case Qt::ToolTipRole: {
        if (node.isFolder)
            return tipText(node.name);
        QStringList lines{node.name};
        if (const AssetPreview* preview = m_previews.known(node.name); preview != nullptr && !node.isMissing)
            lines << (preview->fault.isEmpty() ? factsOf(*preview, node.kind) : preview->fault);
        if (node.isMissing)
            lines << tr("The file is not there.");
        const int uses = useCount(node.name);
        lines << (uses == 0 ? tr("Unused: no definition and not the scene names it.") : uses == 1 ? tr("Used in one place.") : tr("Used in %1 places.").arg(uses));
        return tipText(lines.join(QLatin1Char('\n')));
    }
    case Qt::AccessibleTextRole: {
        if (node.isFolder)
            return tr("Folder %1").arg(shownLine(node.own));
        const int uses = useCount(node.name);
        return QStringLiteral("%1, %2").arg(shownLine(node.own), node.isMissing ? tr("missing") : uses == 0 ? tr("unused") : tr("used in %1 places").arg(uses));
    }
    default:
        return {};
    }
}

bool AssetModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    const QString from = nodeOf(index)->name;
    const QString to = value.toString();
    if (to != from && !to.isEmpty())
        emit moveRequested(from, to);
    return false;
}

Qt::ItemFlags AssetModel::flags(const QModelIndex& index) const {
    const Node* node = nodeOf(index);
    if (!index.isValid())
        return Qt::ItemIsDropEnabled;
    if (node->isFolder)
        return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDropEnabled;
    if (node->isMissing)
        return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QStringList AssetModel::mimeTypes() const { return {QString::fromLatin1(AssetMimeType)}; }

QMimeData* AssetModel::mimeData(const QModelIndexList& indexes) const {
    const Node* node = indexes.isEmpty() ? nullptr : nodeOf(indexes.first());
    if (node == nullptr || node->isFolder || node->isMissing)
        return nullptr;
    auto data = std::make_unique<QMimeData>();
    data->setData(QString::fromLatin1(AssetMimeType), node->name.toUtf8());
    return data.release(); // the view takes it
}

bool AssetModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int, int, const QModelIndex& parent) const {
    const QString asset = assetOf(data);
    if (asset.isEmpty() || !nodeOf(parent)->isFolder)
        return false;
    const qsizetype cut = asset.lastIndexOf(QLatin1Char('/'));
    return nodeOf(parent)->name != (cut < 0 ? QString() : asset.left(cut));
}

bool AssetModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    const QString asset = assetOf(data);
    const QString& folder = nodeOf(parent)->name;
    const QString own = asset.mid(asset.lastIndexOf(QLatin1Char('/')) + 1);
    emit moveRequested(asset, folder.isEmpty() ? own : folder + QLatin1Char('/') + own);
    return false; // nothing is taken away: the file's move is followed when it has happened
}

} // namespace sbx::ui

#include "moc_asset_model.cpp"
