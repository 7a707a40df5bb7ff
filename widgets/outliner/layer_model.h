#pragma once
// The layers of the scene as rows: name, number of entities, and the columns of marks. Entities of the outliner can be dropped onto a row.
// Follows SceneLayers and SceneMarks. No widgets; GUI thread; layers, marks and theme outlive it.

#include <QAbstractTableModel>

#include <string>
#include <vector>

namespace sbx::ui {

class SceneLayers;
class SceneMarks;
class Theme;
struct SceneLayer;

class LayerModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, CountColumn, HiddenColumn, LockedColumn, ColumnCount };

    LayerModel(const Theme& theme, const SceneLayers& layers, const SceneMarks& marks, QObject* parent = nullptr);
    ~LayerModel() override;

    // Empty: of the entities without a layer, or of no row.
    [[nodiscard]] std::string nameAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const std::string& layer) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    // Changes nothing here: it asks by renameRequested().
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) const override;
    // Changes nothing here either: it asks by assignRequested().
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

signals:
    void renameRequested(const std::string& from, const std::string& to);
    void assignRequested(const std::vector<std::string>& entities, const std::string& layer);

private:
    void refresh();
    void repaint();
    [[nodiscard]] QVariant markData(const std::string& layer, int column, int role) const;

    const Theme& m_theme;
    const SceneLayers& m_layers;
    const SceneMarks& m_marks;
    std::vector<SceneLayer> m_rows;
};

} // namespace sbx::ui
