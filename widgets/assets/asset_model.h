#pragma once
// The rows of the asset panel: the project's folders that hold mesh or sound files, and the files in them; and files that the texts name
// and that are not there, where they should be. A model without widgets. GUI thread; parent owns it.

#include <QAbstractItemModel>

#include "engine/core/asset_file.h"
#include "engine/simulation/asset_uses.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sbx::ui {

class AssetFiles;
class AssetMoves;
class AssetPreviews;
struct AssetPreview;

class AssetModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Role {
        NameRole = Qt::UserRole, // the path in the project's folder; of folders too
        IsFolderRole,
        KindRole,    // int of AssetKind
        UsesRole,    // how many places name it
        MissingRole, // named, and not there
        FaultRole,   // why it cannot be read; empty: it can, or that is not known yet
        FactsRole,   // "0.42 s · mono · 44.1 kHz", "1,204 triangles"; empty: not known yet
    };

    // All outlive it. `moves` may be null.
    AssetModel(AssetFiles& files, AssetPreviews& previews, const AssetMoves* moves, QObject* parent = nullptr);

    void setUses(std::vector<AssetUse> uses);
    // The files of the disk are others.
    void refresh();
    [[nodiscard]] std::vector<AssetUse> usesOf(const QString& name) const;
    [[nodiscard]] QModelIndex indexOf(const QString& name) const;
    // Asks for it; null: no file of that name, or it is missing.
    [[nodiscard]] const AssetPreview* previewOf(const QModelIndex& index) const;
    [[nodiscard]] QStringList missing() const;
    [[nodiscard]] int fileCount() const { return m_fileCount; }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    // A name typed over: moveRequested(). Nothing changes here.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::CopyAction | Qt::MoveAction; }
    // Onto a folder: moveRequested(). Files of the desktop: the panel's.
    [[nodiscard]] bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                       const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

signals:
    void moveRequested(const QString& from, const QString& to);

private:
    struct Node {
        QString name; // whole path
        QString own;  // its last part
        Node* up = nullptr;
        int row = 0;
        bool isFolder = false;
        bool isMissing = false;
        AssetKind kind{};
        FileIdentity identity; // as of the last look
        std::vector<std::unique_ptr<Node>> below; // folders first
    };
    struct Row {
        QString name;
        AssetKind kind{};
        std::optional<FileIdentity> identity; // nothing: missing
    };
    [[nodiscard]] std::vector<Row> rows() const;
    void rebuild();
    // Named by the texts and not listed: on the disk all the same, as a file that was renamed a moment ago? Nothing: it is missing.
    [[nodiscard]] std::optional<FileIdentity> unlisted(const std::string& asset) const;
    [[nodiscard]] Node* folder(const QString& path);
    [[nodiscard]] const Node* nodeOf(const QModelIndex& index) const;
    [[nodiscard]] int useCount(const QString& name) const;
    [[nodiscard]] static QString factsOf(const AssetPreview& preview, AssetKind kind);

    AssetFiles& m_files;
    AssetPreviews& m_previews;
    const AssetMoves* m_moves;
    std::multimap<std::string, AssetUse> m_uses; // by asset, in their order
    std::unique_ptr<Node> m_root;
    std::map<QString, Node*> m_nodes; // by name
    int m_fileCount = 0;
};

} // namespace sbx::ui
