#include "widgets/definition/outline_model.h"

#include <QMimeData>

#include "widgets/common/foreign_text.h"
#include "widgets/common/notice.h"
#include "widgets/common/theme.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sbx::ui {

using definition::OutlineNode;

const QString OutlineModel::MimeType = QStringLiteral("application/x-signalbox-definition-row");

namespace {

Token tokenOf(Severity severity) {
    return severity == Severity::Error     ? Token::Error
           : severity == Severity::Warning ? Token::Warning
                                           : Token::Info;
}

} // namespace

struct OutlineModel::Node {
    OutlineNode::Kind kind = OutlineNode::Kind::Type;
    std::string name;
    std::string detail;
    std::size_t offset = 0;
    definition::TextSpan span;
    bool written = true;
    std::string from; // see OutlineNode
    std::optional<Severity> fault;
    QString faultText;
    int faultsBelow = 0;
    Severity worstBelow = Severity::Note;
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
    node->written = source.written;
    node->from = std::move(source.from);
    // What is not written is looked for where it could be.
    node->offset =
        source.written ? m_lines->offset(source.region.line, source.region.column) : parent->offset;
    node->span = source.span;
    node->parent = parent;
    for (OutlineNode& child : source.children)
        node->children.push_back(make(std::move(child), node.get()));
    return node;
}

void OutlineModel::setOutline(std::vector<OutlineNode> nodes, const std::string& text, bool reset) {
    m_marked.clear(); // rows may go; the owner says again what is wrong
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
        return a.kind == b.kind && a.name == b.name && a.written == b.written;
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
        old.insert(old.begin() + at, std::make_move_iterator(fresh.begin()),
                   std::make_move_iterator(fresh.end()));
        node.childrenMovedFrom(common);
        endInsertRows();
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        Node& child = *old[i];
        OutlineNode& source = sources[i];
        if (!same(child, source) || child.detail != source.detail || child.from != source.from || child.fault
            || child.faultsBelow > 0)
            changed.push_back(&child);
        child.fault.reset();
        child.faultsBelow = 0;
        child.kind = source.kind;
        child.name = std::move(source.name);
        child.detail = std::move(source.detail);
        child.written = source.written;
        child.from = std::move(source.from);
        child.offset =
            source.written ? m_lines->offset(source.region.line, source.region.column) : node.offset;
        child.span = source.span;
        take(child, std::move(source.children), createIndex(static_cast<int>(i), 0, &child), changed);
    }
}

// A drag of many entities changes as many rows: views and filters then look at all of it once instead of at each.
void OutlineModel::tellChanged(const std::vector<Node*>& changed) {
    constexpr std::size_t MaxOneByOne = 100;
    if (changed.size() > MaxOneByOne) {
        emit layoutAboutToBeChanged(); // rows stay where they are, persistent indexes too
        emit layoutChanged();
        return;
    }
    for (Node* node : changed)
        emit dataChanged(createIndex(node->row(), 0, node), createIndex(node->row(), ColumnCount - 1, node));
}

void OutlineModel::setFaults(const std::vector<Fault>& faults) {
    std::vector<Node*> changed = std::exchange(m_marked, {});
    for (Node* node : changed) {
        node->fault.reset();
        node->faultsBelow = 0;
    }
    std::set<const Node*> marked;
    for (const Fault& fault : faults) {
        const QModelIndex index = indexAt(fault.offset);
        auto* node = static_cast<Node*>(index.internalPointer());
        if (node == nullptr)
            continue;
        if (!node->fault || *node->fault < fault.severity)
            node->fault = fault.severity;
        node->faultText =
            marked.contains(node) ? node->faultText + QLatin1Char('\n') + fault.text : fault.text;
        marked.insert(node);
        m_marked.push_back(node);
        for (Node* above = node->parent; above != nullptr && above != m_root.get(); above = above->parent) {
            above->worstBelow =
                above->faultsBelow == 0 ? fault.severity : std::max(above->worstBelow, fault.severity);
            ++above->faultsBelow;
            m_marked.push_back(above);
        }
    }
    changed.insert(changed.end(), m_marked.begin(), m_marked.end());
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    std::sort(m_marked.begin(), m_marked.end());
    m_marked.erase(std::unique(m_marked.begin(), m_marked.end()), m_marked.end());
    tellChanged(changed);
}

void OutlineModel::setStale(bool stale) {
    if (m_stale == stale)
        return;
    m_stale = stale;
    emit layoutAboutToBeChanged(); // all rows look different; they stay where they are
    emit layoutChanged();
}

TreePlace OutlineModel::placeOf(const QModelIndex& index) const {
    TreePlace place;
    const Node* node = index.isValid() ? static_cast<const Node*>(index.constInternalPointer()) : nullptr;
    if (node == nullptr)
        return place;
    place.kind = node->kind;
    place.written = node->written;
    if (node->kind == OutlineNode::Kind::Key) {
        place.key = node->name;
        node = node->parent;
    }
    if (node->kind == OutlineNode::Kind::Component) {
        place.component = node->name;
        for (const auto& sibling : node->parent->children) {
            if (sibling.get() == node)
                break;
            place.which += sibling->kind == node->kind && sibling->name == node->name ? 1U : 0U;
        }
        node = node->parent;
    }
    place.ownerKind = node->kind;
    place.owner = node->name;
    return place;
}

QModelIndex OutlineModel::indexOf(const TreePlace& place) const {
    const auto find = [](const Node& in, OutlineNode::Kind kind, const std::string& name, std::size_t which) {
        for (const auto& child : in.children)
            if (child->kind == kind && child->name == name && which-- == 0)
                return static_cast<const Node*>(child.get());
        return static_cast<const Node*>(nullptr);
    };
    const Node* node = place.isValid() ? find(*m_root, place.ownerKind, place.owner, 0) : nullptr;
    if (node != nullptr && !place.component.empty())
        node = find(*node, OutlineNode::Kind::Component, place.component, place.which);
    if (node != nullptr && place.kind == OutlineNode::Kind::Key)
        node = find(*node, OutlineNode::Kind::Key, place.key, 0);
    return node == nullptr ? QModelIndex() : createIndex(node->row(), 0, node);
}

std::string OutlineModel::valueText(const QModelIndex& index) const {
    return index.isValid() ? static_cast<const Node*>(index.constInternalPointer())->detail : std::string();
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

QVariant OutlineModel::tipOf(const Node& node) const {
    QString text;
    if (node.fault)
        text = node.faultText + QLatin1Char('\n');
    if (!node.detail.empty())
        text += QString::fromStdString(node.name + " = " + node.detail);
    if (!node.written)
        text += QLatin1Char('\n')
                + (node.from.empty()
                       ? tr("Not in the file: this is the default")
                       : tr("Not in the file: this comes from %1").arg(QString::fromStdString(node.from)));
    if (node.faultsBelow > 0)
        text +=
            QLatin1Char('\n')
            + (node.faultsBelow == 1 ? tr("1 problem below") : tr("%1 problems below").arg(node.faultsBelow));
    text = text.trimmed();
    return text.isEmpty() ? QVariant() : QVariant(tipText(text));
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Node& node = *static_cast<const Node*>(index.constInternalPointer());
    const bool value = index.column() == ValueColumn;
    const bool grey = m_stale || !node.written;
    switch (role) {
    case Qt::DisplayRole: {
        if (value && node.detail.empty() && node.faultsBelow > 0)
            return node.faultsBelow == 1 ? tr("1 problem") : tr("%1 problems").arg(node.faultsBelow);
        // One line of a value that spans several.
        const QString text = QString::fromStdString(value ? node.detail : node.name);
        return shownLine(value ? text.simplified() : text);
    }
    case Qt::EditRole:
        return QString::fromStdString(value ? node.detail : node.name);
    case Qt::DecorationRole:
        if (value)
            return node.faultsBelow > 0 && !node.fault
                       ? QVariant(m_theme.icon(severityIcon(node.worstBelow), tokenOf(node.worstBelow)))
                       : QVariant();
        return node.fault ? QVariant(m_theme.icon(severityIcon(*node.fault), tokenOf(*node.fault)))
                          : QVariant(iconOf(node));
    case Qt::ForegroundRole:
        if (grey)
            return m_theme.color(Token::Muted);
        if (node.fault && *node.fault != Severity::Note)
            return m_theme.color(tokenOf(*node.fault));
        return value
                   ? QVariant(m_theme.color(node.kind == OutlineNode::Kind::Key ? Token::Text : Token::Muted))
                   : QVariant();
    case Qt::FontRole: {
        const bool code = value && node.kind == OutlineNode::Kind::Key;
        if (!code && node.written)
            return {};
        QFont font = m_theme.font(code ? FontRole::Mono : FontRole::Ui);
        font.setItalic(!node.written);
        return font;
    }
    case Qt::ToolTipRole:
        return tipOf(node);
    case Qt::AccessibleDescriptionRole:
        return node.fault     ? QVariant(node.faultText)
               : node.written ? QVariant()
                              : QVariant(tr("Not in the file"));
    case WrittenRole:
        return node.written;
    case SeverityRole:
        return node.fault ? QVariant(static_cast<int>(*node.fault)) : QVariant();
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

Qt::ItemFlags OutlineModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return m_stale ? Qt::NoItemFlags : Qt::ItemIsDropEnabled; // between types
    const Node& node = *static_cast<const Node*>(index.constInternalPointer());
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (m_stale)
        return flags;
    const bool type = node.kind == OutlineNode::Kind::Type;
    if (index.column() == ValueColumn ? node.kind == OutlineNode::Kind::Key
                                      : type || node.kind == OutlineNode::Kind::Instance)
        flags |= Qt::ItemIsEditable;
    const bool part = node.kind == OutlineNode::Kind::Component && node.written
                      && node.parent->kind == OutlineNode::Kind::Type;
    if (type || part)
        flags |= Qt::ItemIsDragEnabled | Qt::ItemIsDropEnabled;
    return flags;
}

QStringList OutlineModel::mimeTypes() const { return {MimeType, QStringLiteral("text/plain")}; }

QMimeData* OutlineModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty())
        return nullptr;
    m_dragged = placeOf(indexes.front());
    auto* data = new QMimeData;
    data->setData(MimeType, QByteArray::fromStdString(m_dragged.owner));
    if (m_textOf)
        data->setText(m_textOf(m_dragged));
    return data;
}

std::optional<OutlineModel::Target> OutlineModel::targetOf(int row, const QModelIndex& parent) const {
    Target target;
    const bool isType = m_dragged.kind == OutlineNode::Kind::Type;
    if (m_stale || !m_dragged.isValid())
        return std::nullopt;
    if (isType) {
        if (parent.isValid()) // onto a type: before it
            target.before = placeOf(parent.siblingAtColumn(0));
        else if (row >= 0 && row < rowCount())
            target.before = placeOf(index(row, 0));
        if (target.before.isValid() && target.before.kind != OutlineNode::Kind::Type)
            return std::nullopt;
        return target;
    }
    if (m_dragged.kind != OutlineNode::Kind::Component || !parent.isValid())
        return std::nullopt;
    const TreePlace onto = placeOf(parent.siblingAtColumn(0));
    if (onto.kind == OutlineNode::Kind::Component && onto.ownerKind == OutlineNode::Kind::Type) {
        target.before = onto; // onto a component: before it
        target.parent = placeOf(parent.parent());
        return target;
    }
    if (onto.kind != OutlineNode::Kind::Type)
        return std::nullopt;
    target.parent = onto;
    const QModelIndex above = parent.siblingAtColumn(0);
    // Keys stand before the components.
    for (int at = std::max(row, 0); row >= 0 && at < rowCount(above); ++at)
        if (const TreePlace next = placeOf(index(at, 0, above));
            next.kind == OutlineNode::Kind::Component && next.written) {
            target.before = next;
            break;
        }
    return target;
}

bool OutlineModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int row, int,
                                   const QModelIndex& parent) const {
    return data != nullptr && data->hasFormat(MimeType) && targetOf(row, parent).has_value();
}

bool OutlineModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    const std::optional<Target> target = targetOf(row, parent);
    const TreePlace what = std::exchange(m_dragged, {});
    emit dropped(what, target->parent, target->before, action == Qt::CopyAction);
    return true;
}

} // namespace sbx::ui

#include "moc_outline_model.cpp"
