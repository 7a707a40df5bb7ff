#include "widgets/outliner/entity_tree_model.h"

#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

struct EntityTreeModel::Node {
    std::string name;
    std::string type;
    std::string icon;
    bool fromScene = false;
    bool matches = true;
    std::size_t order = 0; // place in the entity list
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;

    [[nodiscard]] int row() const {
        const auto& siblings = parent->children;
        return static_cast<int>(
            std::find_if(siblings.begin(), siblings.end(), [this](const auto& n) { return n.get() == this; })
            - siblings.begin());
    }
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

    // Away with what is gone, changed its type or its parent. A branch goes with its root and comes back below if need be.
    std::vector<std::string> known;
    known.reserve(m_nodes.size());
    for (const auto& [name, node] : m_nodes)
        known.push_back(name);
    for (const std::string& name : known) {
        const auto it = m_nodes.find(name);
        if (it == m_nodes.end())
            continue; // went with its parent
        const Node& node = *it->second;
        const EntityRow* row = wantedRow(name);
        const std::string parent = node.parent == m_root.get() ? std::string() : node.parent->name;
        if (row == nullptr || row->type != node.type || row->parent != parent)
            removeBranch(*it->second);
    }
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
    while (!open.empty()) {
        Node& parent = *open.back();
        open.pop_back();
        const auto it = freshByParent.find(parent.name);
        if (it == freshByParent.end())
            continue;
        const std::vector<Fresh> fresh = std::move(it->second);
        freshByParent.erase(it);
        for (std::size_t i = 0; i < fresh.size();) {
            auto& children = parent.children;
            const auto at = std::find_if(children.begin(), children.end(),
                                         [&](const auto& n) { return n->order > fresh[i].order; });
            const std::size_t limit = at == children.end() ? SIZE_MAX : (*at)->order;
            std::size_t end = i;
            while (end < fresh.size() && fresh[end].order < limit)
                ++end;
            const int first = static_cast<int>(at - children.begin());
            beginInsertRows(indexOf(parent), first, first + static_cast<int>(end - i) - 1);
            auto place = at;
            for (; i < end; ++i) {
                auto node = std::make_unique<Node>();
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
                place = children.insert(place, std::move(node)) + 1;
            }
            endInsertRows();
        }
    }
}

void EntityTreeModel::removeBranch(Node& node) {
    while (!node.children.empty())
        removeBranch(*node.children.back());
    Node& parent = *node.parent;
    const int row = node.row();
    beginRemoveRows(indexOf(parent), row, row);
    m_nodes.erase(node.name);
    parent.children.erase(parent.children.begin() + row);
    endRemoveRows();
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
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(index.column() == NameColumn ? n.name : n.type);
    case Qt::DecorationRole:
        if (index.column() != NameColumn)
            return {};
        return m_theme.icon(n.icon.empty() ? QStringLiteral("entity") : QString::fromStdString(n.icon),
                            n.fromScene ? Token::Text : Token::Play);
    case Qt::ForegroundRole:
        return m_theme.color(index.column() == TypeColumn || !n.matches ? Token::Muted : Token::Text);
    case Qt::ToolTipRole:
        return QStringLiteral("%1 — %2%3%4")
            .arg(QString::fromStdString(n.name), QString::fromStdString(n.type),
                 n.fromScene ? QString() : tr(", spawned while running"),
                 n.matches ? QString() : tr("; shown for what is below it, does not match the filter"));
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

QVariant EntityTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Name") : tr("Type");
}

} // namespace sbx::ui

#include "moc_entity_tree_model.cpp"
