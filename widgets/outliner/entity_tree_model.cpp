#include "widgets/outliner/entity_tree_model.h"

#include <QMimeData>

#include "widgets/common/foreign_text.h"
#include "widgets/common/scene_layers.h"
#include "widgets/common/scene_marks.h"
#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {
// A view pays for each run of rows. New rows of one parent that come in more runs than this are put at its end and sorted in; rows that
// go in more runs are brought to its end first.
constexpr std::size_t MaximumRuns = 8;
} // namespace

struct EntityTreeModel::Node {
    std::string name;
    std::string type;
    std::string icon;
    bool fromScene = false;
    bool matches = true;
    std::size_t order = 0; // place in the entity list
    bool going = false; // while the tree is brought up to date
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;

    // Rows are counted again from the first that may have moved, at the next query.
    [[nodiscard]] int row() const {
        Node& above = *parent;
        if (m_row >= above.m_counted || above.children[m_row].get() != this)
            for (; above.m_counted < above.children.size(); ++above.m_counted)
                above.children[above.m_counted]->m_row = above.m_counted;
        return static_cast<int>(m_row);
    }
    void childrenMovedFrom(std::size_t first) { m_counted = std::min(m_counted, first); }
    [[nodiscard]] bool isInOrder() const {
        return std::is_sorted(children.begin(), children.end(),
                              [](const auto& a, const auto& b) { return a->order < b->order; });
    }

private:
    std::size_t m_row = 0;
    std::size_t m_counted = 0; // children whose m_row is right
};

EntityTreeModel::EntityTreeModel(const Theme& theme, QObject* parent)
    : QAbstractItemModel(parent), m_theme(theme), m_root(std::make_unique<Node>()) {}

EntityTreeModel::~EntityTreeModel() = default;

void EntityTreeModel::set(std::shared_ptr<const EntityList> entities,
                          std::shared_ptr<const EntityMatches> matches) {
    if (m_entities == entities && m_found == matches)
        return;
    m_entities = std::move(entities);
    m_found = std::move(matches);
    update();
}

void EntityTreeModel::update() {
    // What shall be seen: matches and everything above them. By row of the list.
    const std::size_t count = m_entities ? m_entities->rows.size() : 0;
    std::vector<bool> matching(count, m_found == nullptr);
    std::vector<bool> wanted(count, m_found == nullptr);
    m_matches = m_found ? 0 : static_cast<int>(count);
    if (m_entities && m_found)
        for (const EntityId id : m_found->ids) {
            const auto at = m_entities->byId.find(id.bits);
            if (at == m_entities->byId.end())
                continue;
            ++m_matches;
            matching[at->second] = true;
            for (std::size_t up = at->second; !wanted[up];) {
                wanted[up] = true;
                const auto parent = m_entities->byName.find(m_entities->rows[up].parent);
                if (parent != m_entities->byName.end())
                    up = parent->second;
            }
        }
    const auto wantedRow = [&](const std::string& name) -> const EntityRow* {
        const EntityRow* const row = m_entities ? m_entities->find(name) : nullptr;
        return row != nullptr && wanted[static_cast<std::size_t>(row - m_entities->rows.data())] ? row
                                                                                                 : nullptr;
    };

    // Away with what is gone, changed its type or its parent, whole runs at once. A branch goes with its root and comes back below if
    // need be.
    std::vector<Node*> losing; // parents, below nothing that goes
    std::vector<Node*> look{m_root.get()};
    while (!look.empty()) {
        Node& above = *look.back();
        look.pop_back();
        bool loses = false;
        for (const auto& child : above.children) {
            const EntityRow* row = wantedRow(child->name);
            child->going = row == nullptr || row->type != child->type || row->parent != above.name;
            loses = loses || child->going;
            if (!child->going)
                look.push_back(child.get());
        }
        if (loses)
            losing.push_back(&above);
    }
    for (Node* above : losing)
        removeGoing(*above);
    if (!m_entities)
        return;

    // Whole runs of new rows are inserted at once, so that opening a large scene is one step. Children after their parents.
    struct Fresh {
        const EntityRow* row;
        std::size_t order;
    };
    std::unordered_map<std::string, std::vector<Fresh>> freshByParent;
    for (std::size_t i = 0; i < m_entities->rows.size(); ++i) {
        if (!wanted[i])
            continue; // and has no node any more
        const EntityRow& row = m_entities->rows[i];
        if (const auto it = m_nodes.find(row.name); it != m_nodes.end()) {
            Node& node = *it->second;
            node.order = i;
            if (node.fromScene != row.fromScene || node.matches != matching[i] || node.icon != row.icon) {
                node.fromScene = row.fromScene;
                node.matches = matching[i];
                node.icon = row.icon;
                const QModelIndex index = indexOf(node);
                emit dataChanged(index, index.siblingAtColumn(TypeColumn));
            }
        } else {
            freshByParent[m_entities->find(row.parent) != nullptr ? row.parent : std::string()].push_back(
                {&row, i});
        }
    }
    std::vector<Node*> open{m_root.get()};
    for (const auto& [name, node] : m_nodes)
        open.push_back(node);
    // What stayed may stand elsewhere in the list now.
    sort(open);
    std::vector<Node*> unsorted;
    while (!open.empty()) {
        Node& parent = *open.back();
        open.pop_back();
        const auto it = freshByParent.find(parent.name);
        if (it == freshByParent.end())
            continue;
        const std::vector<Fresh> fresh = std::move(it->second);
        freshByParent.erase(it);
        auto& children = parent.children;
        // The run that begins with fresh[i]: its end, and the first of the children that come after it, at `first` or further back.
        const auto runFrom = [&](std::size_t i, std::size_t& first) {
            while (first < children.size() && children[first]->order <= fresh[i].order)
                ++first;
            const std::size_t limit = first == children.size() ? SIZE_MAX : children[first]->order;
            std::size_t end = i;
            while (end < fresh.size() && fresh[end].order < limit)
                ++end;
            return end;
        };
        std::size_t runs = 0;
        for (std::size_t i = 0, first = 0; i < fresh.size() && runs <= MaximumRuns; ++runs)
            i = runFrom(i, first);
        const bool atTheEnd = runs > MaximumRuns;
        if (atTheEnd)
            unsorted.push_back(&parent);
        std::size_t first = atTheEnd ? children.size() : 0;
        for (std::size_t i = 0; i < fresh.size();) {
            const std::size_t end = atTheEnd ? fresh.size() : runFrom(i, first);
            std::vector<std::unique_ptr<Node>> run;
            const auto begin = static_cast<int>(first);
            beginInsertRows(indexOf(parent), begin, begin + static_cast<int>(end - i) - 1);
            for (; i < end; ++i) {
                auto& node = run.emplace_back(std::make_unique<Node>());
                const EntityRow& row = *fresh[i].row;
                node->name = row.name;
                node->type = row.type;
                node->icon = row.icon;
                node->fromScene = row.fromScene;
                node->matches = matching[fresh[i].order];
                node->order = fresh[i].order;
                node->parent = &parent;
                m_nodes.emplace(row.name, node.get());
                open.push_back(node.get());
            }
            const std::size_t size = run.size();
            children.insert(children.begin() + begin, std::make_move_iterator(run.begin()), std::make_move_iterator(run.end()));
            parent.childrenMovedFrom(first);
            endInsertRows();
            first += size;
        }
    }
    sort(unsorted);
}

void EntityTreeModel::sort(const std::vector<Node*>& parents) {
    std::vector<Node*> disordered;
    for (Node* parent : parents)
        if (!parent->isInOrder())
            disordered.push_back(parent);
    rearrange(disordered, [](Node& parent) {
        std::sort(parent.children.begin(), parent.children.end(),
                  [](const auto& a, const auto& b) { return a->order < b->order; });
    });
}

template <typename Arrange> void EntityTreeModel::rearrange(const std::vector<Node*>& parents, const Arrange& arrange) {
    if (parents.empty())
        return;
    QList<QPersistentModelIndex> changed;
    for (const Node* parent : parents)
        changed.append(indexOf(*parent));
    emit layoutAboutToBeChanged(changed, VerticalSortHint);
    for (Node* parent : parents) {
        arrange(*parent);
        parent->childrenMovedFrom(0);
    }
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    after.reserve(before.size());
    for (const QModelIndex& index : before)
        after.append(createIndex(node(index)->row(), index.column(), index.internalPointer()));
    changePersistentIndexList(before, after);
    emit layoutChanged(changed, VerticalSortHint);
}

void EntityTreeModel::removeGoing(Node& above) {
    auto& children = above.children;
    std::size_t runs = 0;
    for (std::size_t i = 0; i < children.size(); ++i)
        runs += children[i]->going && (i == 0 || !children[i - 1]->going) ? 1U : 0U;
    if (runs > MaximumRuns)
        rearrange({&above}, [](Node& parent) {
            std::stable_partition(parent.children.begin(), parent.children.end(), [](const auto& child) { return !child->going; });
        });
    for (std::size_t end = children.size(); end > 0;) {
        if (!children[end - 1]->going) {
            --end;
            continue;
        }
        std::size_t begin = end;
        while (begin > 0 && children[begin - 1]->going)
            --begin;
        beginRemoveRows(indexOf(above), static_cast<int>(begin), static_cast<int>(end) - 1);
        std::vector<const Node*> open;
        for (std::size_t i = begin; i < end; ++i)
            open.push_back(children[i].get());
        while (!open.empty()) {
            const Node& gone = *open.back();
            open.pop_back();
            m_nodes.erase(gone.name);
            for (const auto& child : gone.children)
                open.push_back(child.get());
        }
        const auto first = children.begin() + static_cast<std::ptrdiff_t>(begin);
        children.erase(first, children.begin() + static_cast<std::ptrdiff_t>(end));
        above.childrenMovedFrom(begin);
        endRemoveRows();
        end = begin;
    }
}

EntityTreeModel::Node* EntityTreeModel::node(const QModelIndex& index) const {
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : m_root.get();
}

QModelIndex EntityTreeModel::indexOf(const Node& node) const {
    return &node == m_root.get() ? QModelIndex() : createIndex(node.row(), 0, &node);
}

QModelIndex EntityTreeModel::indexOf(const std::string& name) const {
    const auto it = m_nodes.find(name);
    return it == m_nodes.end() ? QModelIndex() : indexOf(*it->second);
}

std::string EntityTreeModel::nameAt(const QModelIndex& index) const {
    return index.isValid() ? node(index)->name : std::string();
}

QModelIndex EntityTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, node(parent)->children[static_cast<std::size_t>(row)].get());
}

QModelIndex EntityTreeModel::parent(const QModelIndex& index) const {
    return index.isValid() ? indexOf(*node(index)->parent) : QModelIndex();
}

int EntityTreeModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(node(parent)->children.size());
}

int EntityTreeModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant EntityTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Node& n = *node(index);
    if (isMarkColumn(index.column()))
        return markData(n, index.column(), role);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return shownLine(index.column() == NameColumn ? n.name : n.type);
    case Qt::DecorationRole:
        if (index.column() != NameColumn)
            return {};
        return m_theme.icon(n.icon.empty() ? QStringLiteral("entity") : QString::fromStdString(n.icon),
                            n.fromScene ? Token::Text : Token::Play);
    case Qt::ForegroundRole:
        return m_theme.color(index.column() == TypeColumn || !n.matches || (m_marks != nullptr && m_marks->isHidden(n.name)) ? Token::Muted
                                                                                                                             : Token::Text);
    case Qt::ToolTipRole:
        return tipText(QStringLiteral("%1 — %2%3%4")
                           .arg(QString::fromStdString(n.name), QString::fromStdString(n.type),
                                n.fromScene ? QString() : tr(", spawned while running"),
                                n.matches ? QString() : tr("; shown for what is below it, does not match the filter")));
    case NameRole:
        return QString::fromStdString(n.name);
    case TypeRole:
        return QString::fromStdString(n.type);
    case FromSceneRole:
        return n.fromScene;
    case MatchRole:
        return n.matches;
    default:
        return {};
    }
}

QVariant EntityTreeModel::markData(const Node& n, int column, int role) const {
    if (m_marks == nullptr)
        return {};
    const bool eye = column == HiddenColumn;
    const SceneMark mark = eye ? SceneMark::Hidden : SceneMark::Locked;
    const bool own = m_marks->isMarked(mark, n.name);
    const bool marked = own || m_marks->has(mark, n.name);
    switch (role) {
    case Qt::DecorationRole:
        // Of what is marked by what it hangs from alone, the icon is muted.
        if (eye)
            return m_theme.icon(marked ? QStringLiteral("eye-off") : QStringLiteral("eye"), own ? Token::Text : Token::Muted);
        return marked ? m_theme.icon(QStringLiteral("lock"), own ? Token::Text : Token::Muted) : QIcon();
    case Qt::AccessibleTextRole:
        return eye ? (marked ? tr("hidden") : tr("shown")) : (marked ? tr("locked") : tr("not locked"));
    case Qt::ToolTipRole:
        if (marked && !own) {
            const std::string layer = m_marks->layerOf(n.name);
            if (m_marks->isLayerMarked(mark, layer))
                return (eye ? tr("Hidden with the %1") : tr("Locked with the %1")).arg(SceneLayers::nameText(layer));
            return eye ? tr("Hidden by what it hangs from") : tr("Locked by what it hangs from");
        }
        return eye ? (own ? tr("Show in the viewport") : tr("Hide from the viewport"))
                   : (own ? tr("Unlock") : tr("Lock against the viewport's mouse"));
    default:
        return {};
    }
}

void EntityTreeModel::setSceneMarks(const SceneMarks& marks) {
    m_marks = &marks;
    connect(&marks, &SceneMarks::changed, this, [this] {
        std::vector<const Node*> open{m_root.get()};
        while (!open.empty()) {
            const Node& above = *open.back();
            open.pop_back();
            if (above.children.empty())
                continue;
            const QModelIndex first = indexOf(*above.children.front());
            emit dataChanged(first, indexOf(*above.children.back()).siblingAtColumn(LockedColumn));
            for (const auto& child : above.children)
                open.push_back(child.get());
        }
    });
}

Qt::ItemFlags EntityTreeModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (!index.isValid())
        return flags | Qt::ItemIsDropEnabled; // beside all others
    if (!node(index)->fromScene)
        return flags;
    return index.column() == NameColumn ? flags | Qt::ItemIsEditable | Qt::ItemIsDragEnabled | Qt::ItemIsDropEnabled
                                        : flags | Qt::ItemIsDragEnabled | Qt::ItemIsDropEnabled;
}

QStringList EntityTreeModel::mimeTypes() const { return {QLatin1String(MimeType)}; }

QMimeData* EntityTreeModel::mimeData(const QModelIndexList& indexes) const {
    QStringList names;
    for (const QModelIndex& index : indexes)
        if (index.column() == NameColumn)
            names.append(QString::fromStdString(nameAt(index)));
    if (names.isEmpty())
        return nullptr;
    auto* data = new QMimeData;
    data->setData(QLatin1String(MimeType), names.join(QLatin1Char('\n')).toUtf8());
    return data;
}

std::vector<std::string> EntityTreeModel::namesIn(const QMimeData& data) {
    std::vector<std::string> names;
    for (const QByteArray& name : data.data(QLatin1String(MimeType)).split('\n'))
        if (!name.isEmpty())
            names.push_back(name.toStdString());
    return names;
}

bool EntityTreeModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int, const QModelIndex& parent) const {
    return data != nullptr && action == Qt::MoveAction && data->hasFormat(QLatin1String(MimeType))
           && (!parent.isValid() || node(parent)->fromScene);
}

bool EntityTreeModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    emit parentRequested(namesIn(*data), nameAt(parent));
    return false; // the view must not remove the rows: they move when the world has changed
}

bool EntityTreeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    const std::string from = nameAt(index);
    const std::string to = value.toString().trimmed().toStdString();
    if (!to.empty() && to != from)
        emit renameRequested(from, to);
    return false;
}

QVariant EntityTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && isMarkColumn(section)) {
        if (role == Qt::DecorationRole)
            return m_theme.icon(section == HiddenColumn ? QStringLiteral("eye") : QStringLiteral("lock"), Token::Muted);
        if (role == Qt::ToolTipRole)
            return section == HiddenColumn ? tr("Hidden from the viewport's picture: click, or drag over several rows")
                                           : tr("Locked against the viewport's mouse: click, or drag over several rows");
        if (role == Qt::AccessibleTextRole)
            return section == HiddenColumn ? tr("Hidden") : tr("Locked");
        return {};
    }
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Name") : tr("Type");
}

} // namespace sbx::ui

#include "moc_entity_tree_model.cpp"
