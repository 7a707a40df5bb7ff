#pragma once
// The living entities as a tree by parent, in the order of the entity list. Follows SessionFeed by inserting and removing runs of rows,
// so that a view never loses its place; following costs the number of entities. Entities are known by name. No widgets; GUI thread.

#include <QAbstractItemModel>

#include "engine/simulation/snapshot.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sbx::ui {

class SceneMarks;
class Theme;

class EntityTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    // MatchRole: false for what is there only because something below it matches.
    // What dragged entities travel as: their names in UTF-8, one a line.
    static constexpr const char* MimeType = "application/x-signalbox-entities";
    enum Role { NameRole = Qt::UserRole + 1, TypeRole, FromSceneRole, MatchRole };
    enum Column { NameColumn, TypeColumn, HiddenColumn, LockedColumn, ColumnCount };
    [[nodiscard]] static bool isMarkColumn(int column) { return column == HiddenColumn || column == LockedColumn; }

    explicit EntityTreeModel(const Theme& theme, QObject* parent = nullptr);
    ~EntityTreeModel() override;

    // Shows what matches, and its parents; without matches (null) all. Entities that the list does not have match nothing.
    void set(std::shared_ptr<const EntityList> entities, std::shared_ptr<const EntityMatches> matches);
    // What the columns of marks show; none given: nothing. They outlive the model.
    void setSceneMarks(const SceneMarks& marks);
    [[nodiscard]] int matchCount() const { return m_matches; }
    [[nodiscard]] int entityCount() const {
        return m_entities ? static_cast<int>(m_entities->rows.size()) : 0;
    }
    [[nodiscard]] QModelIndex indexOf(const std::string& name) const;
    [[nodiscard]] std::string nameAt(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // Names of entities that the scene file has can be typed over, and they can be dragged onto another one.
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    // Changes nothing here: it asks by renameRequested(), and a new name comes back with the entities.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    // Those of a drag of MimeType.
    [[nodiscard]] static std::vector<std::string> namesIn(const QMimeData& data);
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) const override;
    // Changes nothing here either: it asks by parentRequested().
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

signals:
    void renameRequested(const std::string& from, const std::string& to);
    // Entities were dropped on one, or between its children; an empty `parent`: beside all others.
    void parentRequested(const std::vector<std::string>& names, const std::string& parent);

private:
    struct Node;
    void update();
    void removeGoing(Node& above); // the children that are marked so, with all below them
    // Brings the children of those that need it into the order of the list, as one change of the layout.
    void sort(const std::vector<Node*>& parents);
    // One change of the layout in which `arrange` puts the children of each into another order.
    template <typename Arrange> void rearrange(const std::vector<Node*>& parents, const Arrange& arrange);
    [[nodiscard]] Node* node(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const Node& node) const;

    [[nodiscard]] QVariant markData(const Node& node, int column, int role) const;

    const Theme& m_theme;
    const SceneMarks* m_marks = nullptr; // may be null
    std::shared_ptr<const EntityList> m_entities;
    std::shared_ptr<const EntityMatches> m_found;
    int m_matches = 0;
    std::unique_ptr<Node> m_root;
    std::unordered_map<std::string, Node*> m_nodes;
};

} // namespace sbx::ui
