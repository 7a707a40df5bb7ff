#include "widgets/trace/field_form.h"

#include <QGridLayout>
#include <QLabel>

#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {
constexpr int LabelWidth = 92; // as in the inspector

// Several numbers in a row have their unit here, once; a single number has it in its field.
QString formLabel(const FieldInfo& field) {
    const QString name = QString::fromStdString(field.name);
    const bool several = elementCount(field.type) > 0 && !field.unit.empty();
    return several ? QStringLiteral("%1 (%2)").arg(name, QString::fromStdString(field.unit)) : name;
}
} // namespace

FieldForm::FieldForm(const Theme& theme, const QString& name, const FieldTable& fields, const FieldSources& sources, QWidget* parent) : QWidget(parent) {
    setObjectName(name);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(measure::PanelPadding);
    grid->setVerticalSpacing(2);
    grid->setColumnMinimumWidth(0, LabelWidth);
    grid->setColumnStretch(1, 1);
    for (const FieldInfo& field : fields) {
        const int at = grid->rowCount();
        const QString fieldName = QString::fromStdString(field.name);
        auto* label = new QLabel(formLabel(field), this);
        label->setToolTip(FieldEditor::describe(field));
        label->setMinimumHeight(measure::ControlHeight);
        setTextToken(*label, theme, Token::Muted);
        FieldEditor* editor = FieldEditor::create(field, theme, sources, this);
        editor->setObjectName(name + QLatin1Char('.') + fieldName);
        label->setBuddy(editor);
        grid->addWidget(label, at, 0, Qt::AlignTop);
        grid->addWidget(editor, at, 1);
        m_rows.push_back({&field, label, editor});
        connect(editor, &FieldEditor::edited, this, &FieldForm::apply);
        connect(editor, &FieldEditor::problemChanged, this, &FieldForm::problemsChanged);
    }
    grid->setRowStretch(grid->rowCount(), 1); // room that is left over is below
    apply();
}

const FieldForm::Row* FieldForm::row(const std::string& field) const {
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& r) { return r.field->name == field; });
    return at == m_rows.end() ? nullptr : &*at;
}

FieldEditor* FieldForm::editor(const std::string& field) const {
    const Row* const known = row(field);
    return known == nullptr ? nullptr : known->editor;
}

Value FieldForm::value(const std::string& field) const {
    const FieldEditor* const of = editor(field);
    return of == nullptr ? Value() : of->value();
}

void FieldForm::setValue(const std::string& field, const Value& value) {
    FieldEditor* const of = editor(field);
    if (of == nullptr)
        return;
    of->discardTyped();
    of->setValue(value);
    const Result<Value> checked = of->field().check(value);
    of->setProblem(checked ? QString() : QString::fromStdString(checked.error().message));
    apply();
}

void FieldForm::setValues(const std::map<std::string, Value>& values) {
    for (const Row& each : m_rows) {
        const auto said = values.find(each.field->name);
        setValue(each.field->name, said == values.end() ? each.field->defaultValue : said->second);
    }
}

std::map<std::string, Value> FieldForm::values() const {
    std::map<std::string, Value> out;
    for (const Row& each : m_rows)
        if (each.shown && each.editor->value() != each.field->defaultValue)
            out[each.field->name] = each.editor->value();
    return out;
}

bool FieldForm::focusProblem() {
    for (const Row& each : m_rows)
        if (each.shown && !each.editor->problem().isEmpty()) {
            each.editor->setFocus();
            return true;
        }
    return false;
}

bool FieldForm::hasProblem() const {
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [](const Row& each) { return each.shown && !each.editor->problem().isEmpty(); });
}

void FieldForm::setProblem(const std::string& field, const QString& reason) {
    if (FieldEditor* const of = editor(field))
        of->setProblem(reason);
}

// Shows the rows that have an effect, and what is not the default as such.
void FieldForm::apply() {
    for (Row& each : m_rows) {
        each.shown = std::all_of(each.field->conditions.begin(), each.field->conditions.end(), [this](const FieldCondition& condition) {
            const Row* const other = row(condition.field);
            return other == nullptr
                   || std::find(condition.values.begin(), condition.values.end(), other->field->format(other->editor->value())) != condition.values.end();
        });
        each.label->setVisible(each.shown);
        each.editor->setVisible(each.shown);
        each.editor->setOrigin(each.editor->value() == each.field->defaultValue ? FieldOrigin::Default : FieldOrigin::Inherited);
    }
    emit valuesChanged();
}

} // namespace sbx::ui

#include "moc_field_form.cpp"
