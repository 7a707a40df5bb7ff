#pragma once
// Editors for one field each, made from the field's description: the same everywhere a value is edited.
//
// Data flow: the owner shows a value with setValue() (no signal); a person's change comes out as edited(). A
// drag gives values with committed = false and one last with committed = true: owners use one merge key for
// them and end the merge at the commit. Input that is not valid is never sent: the reason stands beside the
// field until it is right or Esc restores the value. An owner that shows something else in the same editor calls discardTyped(). GUI thread; parent owns the widget.

#include <QList>
#include <QStringList>
#include <QWidget>

#include "engine/core/fields.h"
#include "widgets/common/field_change.h"

#include <cstdint>
#include <functional>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace sbx::ui {

class Theme;

// Where choices that only the program knows come from; called when a list is opened.
struct FieldSources {
    std::function<QStringList()> entityNames;
    std::function<QStringList()> entityTypes;
    std::function<QStringList()> messageTypes;
    // Text of an entity handle, and back (0 handle: no such entity).
    std::function<QString(EntityId)> entityName;
    std::function<EntityId(const QString&)> entityByName;
    // Lets the user point at an entity, which may take as long as it likes; an empty name: given up. Null: there is no place to point.
    std::function<void(std::function<void(const QString&)> taken)> pickEntity;
    QString assetFolder; // asset paths are relative to it
    // The value is computed by the world, not written by the user: numbers are rounded to what can be read while they change.
    bool live = false;
};

// Where a shown value comes from.
enum class FieldOrigin {
    Default,    // not set anywhere: grey, italic
    Inherited,  // from the entity's type or a base: plain
    Overridden, // said here: bold label, with an arrow to revert
    Live,       // changed by hand in the running world: the same, and Stop takes it back
};

class FieldEditor : public QWidget {
    Q_OBJECT

public:
    // `field` must outlive the editor.
    static FieldEditor* create(const FieldInfo& field, const Theme& theme, const FieldSources& sources = {},
                               QWidget* parent = nullptr);

    [[nodiscard]] const FieldInfo& field() const { return m_field; }
    // Shows a value without a signal; ignored while a person is in the middle of typing or dragging (see
    // isEditing).
    void setValue(const Value& value);
    [[nodiscard]] const Value& value() const { return m_value; }
    // Of several values at once: shows "mixed" until edited where they differ. Each bit of `differ` is one number of the value, bit 0 for
    // the first, or for one that has no parts. `value` is one of them.
    void setValues(const Value& value, std::uint8_t differ);
    void setMixed(bool mixed);
    [[nodiscard]] bool isMixed() const { return m_mixed != 0; }
    // What edited() changed last: one number of several, or -1, the whole value.
    [[nodiscard]] int editedElement() const { return m_element; }
    // The world computes the value now: numbers are shown rounded to the usual decimals, and open with all digits.
    void setMeasured(bool measured) { showMeasured(measured); }
    // Forgets text that was typed and not taken: the value of something else is to be shown.
    void discardTyped() { dropTyped(); }
    // A value the field cannot show (wrong type in the file): the reason stands beside an editor of the
    // default.
    void setProblem(const QString& reason);
    [[nodiscard]] QString problem() const;
    void setOrigin(FieldOrigin origin);
    [[nodiscard]] FieldOrigin origin() const { return m_origin; }
    void setReadOnly(bool readOnly);
    [[nodiscard]] bool isReadOnly() const { return m_readOnly; }
    // Between the first uncommitted value and the commit.
    [[nodiscard]] bool isEditing() const { return m_editing; }
    // Name, type, unit, range, default and doc as rich text: what hovering shows. Static so that labels show
    // it too.
    [[nodiscard]] static QString describe(const FieldInfo& field);

signals:
    void edited(const sbx::Value& value, bool committed);
    // Of mixed values: what is to be done to each of them; in a drag, always to what they were at its start.
    void operated(const sbx::ui::FieldChange& change, bool committed);
    void revertRequested();
    void problemChanged(const QString& reason);

protected:
    FieldEditor(const FieldInfo& field, const Theme& theme, QWidget* parent);

    // For the editor of each kind.
    virtual void showValue(const Value& value) = 0;
    virtual void showReadOnly(bool readOnly) = 0;
    virtual void showMixed(std::uint8_t differ) = 0;
    virtual void showMeasured(bool) {}
    virtual void dropTyped() {}
    void setContent(QWidget* content);
    // Children that follow origin (italic, bold) and carry the invalid mark.
    void addField(QWidget* field);
    // Checks type and range, then emits the value; a fault becomes the problem beside the field.
    void submit(const Value& value, bool committed, int element = -1);
    void submitOperation(FieldChange::Kind kind, double operand, int element, bool committed);
    void submitText(const QString& text, bool committed);
    void fault(const QString& reason);
    [[nodiscard]] const Theme& theme() const { return m_theme; }

private:
    void restyle();

    const FieldInfo& m_field;
    const Theme& m_theme;
    Value m_value;
    FieldOrigin m_origin = FieldOrigin::Inherited;
    std::uint8_t m_mixed = 0; // bits, as setValues() has them
    int m_element = -1;
    bool m_readOnly = false;
    bool m_editing = false;
    QList<QWidget*> m_fields;
    QHBoxLayout* m_row = nullptr;
    QToolButton* m_revert = nullptr;
    QLabel* m_problem = nullptr;
};

} // namespace sbx::ui
