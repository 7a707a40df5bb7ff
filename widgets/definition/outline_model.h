#pragma once
// The outline of one text as a tree: types or instances, their components, their keys with values. A new
// outline changes only the rows that differ, so that what is expanded and selected stays. Window thread;
// parent owns it.

#include <QAbstractItemModel>
#include <QIcon>

#include "engine/definition/lookup.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sbx::ui {

class Theme;

class OutlineModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { NameColumn, ValueColumn, ColumnCount };
    enum Role { KindRole = Qt::UserRole, OffsetRole }; // OffsetRole: where the name begins, in bytes

    // `typeIcon` names the icon of an entity type; empty: the common one.
    OutlineModel(const Theme& theme, std::function<QString(const std::string&)> typeIcon,
                 QObject* parent = nullptr);
    ~OutlineModel() override;

    // Another text altogether (`reset`), or the same after an edit.
    void setOutline(std::vector<definition::OutlineNode> nodes, const std::string& text, bool reset);
    // The deepest row whose text holds the offset, or none.
    [[nodiscard]] QModelIndex indexAt(std::size_t offset) const;
    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Node;
    [[nodiscard]] std::unique_ptr<Node> make(definition::OutlineNode source, Node* parent) const;
    // Rows that say something else now are added to `changed`.
    void take(Node& node, std::vector<definition::OutlineNode> sources, const QModelIndex& index,
              std::vector<Node*>& changed);
    void tellChanged(const std::vector<Node*>& changed);
    [[nodiscard]] QIcon iconOf(const Node& node) const;

    const Theme& m_theme;
    std::function<QString(const std::string&)> m_typeIcon;
    std::unique_ptr<Node> m_root;
    std::unique_ptr<definition::LineIndex> m_lines;
    std::string m_text; // LineIndex refers to it
};

} // namespace sbx::ui
