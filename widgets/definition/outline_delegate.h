#pragma once
// Edits rows of the definition panel's tree in place: values with the editor that their field's type asks for, other values as TOML text, names of types
// and instances as text. What is entered goes out as a signal; the row changes when the text has changed. GUI thread.

#include <QPersistentModelIndex>
#include <QPointer>
#include <QStyledItemDelegate>
#include <QTimer>

#include "widgets/common/field_editor.h"
#include "widgets/common/name_guard.h"

#include <functional>
#include <optional>

namespace sbx::ui {

class OutlineDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    // `fieldOf`: the field behind a row's value, or null. Rows are those of the view's model.
    OutlineDelegate(const Theme& theme, std::function<const FieldInfo*(const QModelIndex&)> fieldOf,
                    std::function<FieldSources()> sources, QObject* parent);

    [[nodiscard]] QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;
    // The reason against a name for a row; a line with such a name stays open and shows it. None: the name can be taken.
    using NameCheck = std::function<std::optional<NameRefusal>(const QModelIndex& index, const QString& name)>;
    void setNameCheck(NameCheck check) { m_nameCheck = std::move(check); }
    // Frames the row for a moment: this is where something went.
    void flash(const QModelIndex& index);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // The editor that is open now, or null.
    [[nodiscard]] QWidget* editor() const { return m_editor; }
    [[nodiscard]] QModelIndex flashed() const { return m_flashed; }

signals:
    // One value as TOML text.
    void valueEntered(const QModelIndex& index, const QString& toml) const;
    void nameEntered(const QModelIndex& index, const QString& name) const;
    // The frame of a row came or went.
    void repaintWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void watch(QWidget* editor) const;
    void finish(QWidget* editor, bool keep);
    void closed();

    const Theme& m_theme;
    std::function<const FieldInfo*(const QModelIndex&)> m_fieldOf;
    std::function<FieldSources()> m_sources;
    NameCheck m_nameCheck;
    QPersistentModelIndex m_flashed;
    QTimer m_flashEnd;
    mutable QPointer<QWidget> m_editor;
    // What was entered in the open editor, for when it closes: a key that is written may stand in another row, under which the editor
    // would go on.
    struct Entered {
        QPersistentModelIndex row;
        QString toml;
    };
    mutable std::optional<Entered> m_entered;
};

} // namespace sbx::ui
