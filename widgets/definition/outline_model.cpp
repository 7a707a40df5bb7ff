#include "widgets/definition/outline_model.h"

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sbx::ui {

using definition::OutlineNode;

struct OutlineModel::Node {
    OutlineNode::Kind kind = OutlineNode::Kind::Type;
    std::string name;
    std::string detail;
    std::size_t offset = 0;
    definition::TextSpan span;
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;

    // Rows are counted again from the first that may have moved, when somebody asks.
    [[nodiscard]] int row() const {
        Node& above = *parent;
        if (m_row >= above.m_counted || above.children[m_row].get() != this)
            for (; above.m_counted < above.children.size(); ++above.m_counted)
                above.children[above.m_counted]->m_row = above.m_counted;
        return static_cast<int>(m_row);
    }
    void childrenMovedFrom(std::size_t first) { m_counted = std::min(m_counted, first); }

private:
    std::size_t m_row = 0;
    std::size_t m_counted = 0; // children whose m_row is right
};

OutlineModel::OutlineModel(const Theme& theme, std::function<QString(const std::string&)> typeIcon,
                           QObject* parent)
    : QAbstractItemModel(parent),
      m_theme(theme),
      m_typeIcon(std::move(typeIcon)),
      m_root(std::make_unique<Node>()) {}

OutlineModel::~OutlineModel() = default;

std::unique_ptr<OutlineModel::Node> OutlineModel::make(OutlineNode source, Node* parent) const {
    auto node = std::make_unique<Node>();
    node->kind = source.kind;
    node->name = std::move(source.name);
    node->detail = std::move(source.detail);
    node->offset = m_lines->offset(source.region.line, source.region.column);
    node->span = source.span;
    node->parent = parent;
    for (OutlineNode& child : source.children)
        node->children.push_back(make(std::move(child), node.get()));
    return node;
}

void OutlineModel::setOutline(std::vector<OutlineNode> nodes, const std::string& text, bool reset) {
    m_text = text;
    m_lines = std::make_unique<definition::LineIndex>(m_text);
    if (!reset) {
        std::vector<Node*> changed;
        take(*m_root, std::move(nodes), {}, changed);
        return tellChanged(changed);
    }
    beginResetModel();
    m_root->children.clear();
    m_root->childrenMovedFrom(0);
    for (OutlineNode& node : nodes)
        m_root->children.push_back(make(std::move(node), m_root.get()));
    endResetModel();
}

// Rows alike at both ends stay; those between are renamed in place, then taken out or put in.
void OutlineModel::take(Node& node, std::vector<OutlineNode> sources, const QModelIndex& index,
                        std::vector<Node*>& changed) {
    auto& old = node.children;
    const auto same = [](const Node& a, const OutlineNode& b) {
        return a.kind == b.kind && a.name == b.name;
    };
    const std::size_t shorter = std::min(old.size(), sources.size());
    std::size_t head = 0;
    while (head < shorter && same(*old[head], sources[head]))
        ++head;
    std::size_t tail = 0;
    while (tail < shorter - head && same(*old[old.size() - 1 - tail], sources[sources.size() - 1 - tail]))
        ++tail;
    const std::size_t common = std::min(old.size(), sources.size()) - tail;
    const auto at = static_cast<std::ptrdiff_t>(common);
    const int row = static_cast<int>(common);
    if (old.size() > sources.size()) {
        const auto count = static_cast<std::ptrdiff_t>(old.size() - sources.size());
        beginRemoveRows(index, row, row + static_cast<int>(count) - 1);
        old.erase(old.begin() + at, old.begin() + at + count);
        node.childrenMovedFrom(common);
        endRemoveRows();
    } else if (sources.size() > old.size()) {
        const std::size_t count = sources.size() - old.size();
        beginInsertRows(index, row, row + static_cast<int>(count) - 1);
        std::vector<std::unique_ptr<Node>> fresh;
        fresh.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            fresh.push_back(make(sources[common + i], &node));
        old.insert(old.begin() + at, std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
        node.childrenMovedFrom(common);
        endInsertRows();
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        Node& child = *old[i];
        OutlineNode& source = sources[i];
        if (!same(child, source) || child.detail != source.detail)
            changed.push_back(&child);
        child.kind = source.kind;
        child.name = std::move(source.name);
        child.detail = std::move(source.detail);
        child.offset = m_lines->offset(source.region.line, source.region.column);
        child.span = source.span;
        take(child, std::move(source.children), createIndex(static_cast<int>(i), 0, &child), changed);
    }
}

// A drag of many entities changes as many rows: views and filters then look at all of it once instead of at each.
void OutlineModel::tellChanged(const std::vector<Node*>& changed) {
    constexpr std::size_t MostOneByOne = 100;
    if (changed.size() > MostOneByOne) {
        emit layoutAboutToBeChanged(); // rows stay where they are, persistent indexes too
        emit layoutChanged();
        return;
    }
    for (Node* node : changed)
        emit dataChanged(createIndex(node->row(), 0, node), createIndex(node->row(), ColumnCount - 1, node));
}

QModelIndex OutlineModel::indexAt(std::size_t offset) const {
    const Node* node = m_root.get();
    QModelIndex found;
    for (bool deeper = true; deeper;) {
        deeper = false;
        for (std::size_t i = 0; i < node->children.size(); ++i) {
            const Node& child = *node->children[i];
            // The last byte of the text belongs to the last row.
            if (offset < child.span.begin
                || (offset >= child.span.end && !(offset == m_text.size() && offset == child.span.end)))
                continue;
            found = createIndex(static_cast<int>(i), 0, &child);
            node = &child;
            deeper = true;
            break;
        }
    }
    return found;
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
    const Node* node =
        parent.isValid() ? static_cast<const Node*>(parent.constInternalPointer()) : m_root.get();
    if (row < 0 || column < 0 || column >= ColumnCount || row >= static_cast<int>(node->children.size()))
        return {};
    return createIndex(row, column, node->children[static_cast<std::size_t>(row)].get());
}

QModelIndex OutlineModel::parent(const QModelIndex& child) const {
    if (!child.isValid())
        return {};
    Node* parent = static_cast<const Node*>(child.constInternalPointer())->parent;
    return parent == nullptr || parent == m_root.get() ? QModelIndex()
                                                       : createIndex(parent->row(), 0, parent);
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0)
        return 0;
    const Node* node =
        parent.isValid() ? static_cast<const Node*>(parent.constInternalPointer()) : m_root.get();
    return static_cast<int>(node->children.size());
}

int OutlineModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QIcon OutlineModel::iconOf(const Node& node) const {
    static const QStringList known = Theme::iconNames();
    QString name;
    switch (node.kind) {
    case OutlineNode::Kind::Type:
        name = m_typeIcon(node.name);
        break;
    case OutlineNode::Kind::Instance:
        name = m_typeIcon(node.detail);
        break;
    case OutlineNode::Kind::Table:
        name = QStringLiteral("settings");
        break;
    case OutlineNode::Kind::Component:
        name = QString::fromStdString(node.name).toLower();
        if (!known.contains(name))
            name = QStringLiteral("component");
        break;
    case OutlineNode::Kind::Key:
        return {};
    }
    return m_theme.icon(known.contains(name) ? name : QStringLiteral("entity"), Token::Muted);
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Node& node = *static_cast<const Node*>(index.constInternalPointer());
    const bool value = index.column() == ValueColumn;
    switch (role) {
    case Qt::DisplayRole: {
        // One line of a value that spans several.
        const QString text = QString::fromStdString(value ? node.detail : node.name);
        return shownLine(value ? text.simplified() : text);
    }
    case Qt::DecorationRole:
        return value ? QVariant() : QVariant(iconOf(node));
    case Qt::ForegroundRole:
        return value ? QVariant(m_theme.color(Token::Muted)) : QVariant();
    case Qt::FontRole:
        return value && node.kind == OutlineNode::Kind::Key ? QVariant(m_theme.font(FontRole::Mono))
                                                            : QVariant();
    case Qt::ToolTipRole:
        return node.detail.empty()
                   ? QVariant()
                   : QVariant(tipText(node.name + " = " + node.detail));
    case KindRole:
        return static_cast<int>(node.kind);
    case OffsetRole:
        return QVariant::fromValue<qulonglong>(node.offset);
    default:
        return {};
    }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Name") : tr("Value");
}

} // namespace sbx::ui

#include "moc_outline_model.cpp"
