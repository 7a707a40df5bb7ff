#pragma once
// A form of described fields: a label and the field's own editor in each row, those whose conditions do not hold hidden. It keeps its values itself. GUI
// thread; theme and table outlive it.

#include <QWidget>

#include "widgets/common/field_editor.h"

#include <map>
#include <string>
#include <vector>

class QGridLayout;
class QLabel;

namespace sbx::ui {

class FieldForm : public QWidget {
    Q_OBJECT

public:
    // Its editors are called `name`.FIELD.
    FieldForm(const Theme& theme, const QString& name, const FieldTable& fields, const FieldSources& sources, QWidget* parent = nullptr);

    [[nodiscard]] Value value(const std::string& field) const;
    // A value that the field cannot have stands beside it as a problem. What was typed and not taken goes.
    void setValue(const std::string& field, const Value& value);
    // All of them: those that are not named get their defaults.
    void setValues(const std::map<std::string, Value>& values);
    // Of the rows that are shown, those that are not the default.
    [[nodiscard]] std::map<std::string, Value> values() const;
    // The first shown row with a problem gets the focus. False: there is none.
    bool focusProblem();
    [[nodiscard]] bool hasProblem() const;
    void setProblem(const std::string& field, const QString& reason);
    // Null: there is no such field.
    [[nodiscard]] FieldEditor* editor(const std::string& field) const;

signals:
    // By a person or by setValue().
    void valuesChanged();
    // Something stands beside a field that did not, or the other way round.
    void problemsChanged();

private:
    struct Row {
        const FieldInfo* field;
        QLabel* label;
        FieldEditor* editor;
        bool shown = true;
    };
    [[nodiscard]] const Row* row(const std::string& field) const;
    void apply();

    std::vector<Row> m_rows;
};

} // namespace sbx::ui
