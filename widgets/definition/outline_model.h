#pragma once
// The outline of one text as a tree: types or instances, their components, their keys with values, and in grey what the text does not say. A new
// outline changes only the rows that differ, so that what is expanded and selected stays. Rows know what is wrong with them and with what is
// below. Nothing is edited here: what is dropped onto a row goes out as a signal. GUI thread;
// parent owns it.

#include <QAbstractItemModel>
#include <QIcon>

#include "engine/core/diagnostic.h"
#include "engine/definition/lookup.h"
#include "widgets/definition/tree_edits.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sbx::ui {

class Theme;

class OutlineModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { NameColumn, ValueColumn, ColumnCount };
    // OffsetRole: where the name begins, in bytes. WrittenRole: the text says it.
    enum Role { KindRole = Qt::UserRole, OffsetRole, WrittenRole, SeverityRole };
    // Of what is wrong at an offset of the text.
    struct Fault {
        std::size_t offset = 0;
        Severity severity = Severity::Error;
        QString text;
    };

    // `typeIcon` names the icon of an entity type; empty: the common one.
    OutlineModel(const Theme& theme, std::function<QString(const std::string&)> typeIcon,
                 QObject* parent = nullptr);
    ~OutlineModel() override;

    // Another text altogether (`reset`), or the same after an edit.
    void setOutline(std::vector<definition::OutlineNode> nodes, const std::string& text, bool reset);
    // Marks the rows that hold these places; the rows above them say how many there are below.
    void setFaults(const std::vector<Fault>& faults);
    // The rows are those of an earlier text: all of them are grey, and none can be edited.
    void setStale(bool stale);
    [[nodiscard]] bool isStale() const { return m_stale; }
    // Invalid: not a row.
    [[nodiscard]] TreePlace placeOf(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const TreePlace& place) const;
    // The value as the text has it.
    [[nodiscard]] std::string valueText(const QModelIndex& index) const;
    // What a row is as text, for a drag.
    void setTextSource(std::function<QString(const TreePlace&)> text) { m_textOf = std::move(text); }
    // The deepest row whose text holds the offset, or none.
    [[nodiscard]] QModelIndex indexAt(std::size_t offset) const;
    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override {
        return Qt::MoveAction | Qt::CopyAction;
    }
    [[nodiscard]] bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                       const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;
    // What is dragged out of this model now; invalid: nothing.
    [[nodiscard]] const TreePlace& dragged() const { return m_dragged; }

    // Only the model that it comes from takes it, and the tabs of the panel.
    static const QString MimeType;

signals:
    // A row was dropped before `before`, or behind the last row (invalid) of `parent`; on `parent` itself: invalid, too.
    void dropped(const sbx::ui::TreePlace& what, const sbx::ui::TreePlace& parent,
                 const sbx::ui::TreePlace& before, bool copy);

private:
    struct Node;
    [[nodiscard]] std::unique_ptr<Node> make(definition::OutlineNode source, Node* parent) const;
    // Rows that say something else now are added to `changed`.
    void take(Node& node, std::vector<definition::OutlineNode> sources, const QModelIndex& index,
              std::vector<Node*>& changed);
    void tellChanged(const std::vector<Node*>& changed);
    [[nodiscard]] QIcon iconOf(const Node& node) const;
    [[nodiscard]] QVariant tipOf(const Node& node) const;
    // Where a drop goes: the parent and the row before which; nothing: it cannot be dropped there.
    struct Target {
        TreePlace parent;
        TreePlace before;
    };
    [[nodiscard]] std::optional<Target> targetOf(int row, const QModelIndex& parent) const;

    const Theme& m_theme;
    std::function<QString(const std::string&)> m_typeIcon;
    std::unique_ptr<Node> m_root;
    std::unique_ptr<definition::LineIndex> m_lines;
    std::string m_text; // LineIndex refers to it
    bool m_stale = false;
    std::vector<Node*> m_marked; // rows with faults of their own or below
    std::function<QString(const TreePlace&)> m_textOf;
    mutable TreePlace m_dragged; // set when a drag begins, which only mimeData() sees
};

} // namespace sbx::ui
