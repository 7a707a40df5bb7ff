#include "widgets/common/field_editor.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"

namespace sbx::ui {

FieldEditor::FieldEditor(const FieldInfo& field, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_field(field), m_theme(theme), m_value(field.defaultValue) {
    const QString name = QString::fromStdString(field.name);
    setObjectName(QStringLiteral("field.") + name);
    setAccessibleName(name);
    setAccessibleDescription(QString::fromStdString(field.doc));
    setToolTip(describe(field));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    m_row = new QHBoxLayout;
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(2);
    column->addLayout(m_row);

    m_revert = new QToolButton(this);
    m_revert->setObjectName(QStringLiteral("revert"));
    m_revert->setAccessibleName(tr("Revert %1").arg(name));
    m_revert->setIcon(theme.icon(QStringLiteral("revert"), Token::Muted));
    m_revert->setIconSize(QSize(12, 12));
    m_revert->setAutoRaise(true);
    m_revert->setFixedSize(18, measure::ControlHeight);
    QSizePolicy policy = m_revert->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // columns stay in line
    m_revert->setSizePolicy(policy);
    m_revert->hide();
    connect(m_revert, &QToolButton::clicked, this, &FieldEditor::revertRequested);

    m_problem = new QLabel(this);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->setWordWrap(true);
    setTextToken(*m_problem, theme, Token::Error);
    m_problem->hide();
    column->addWidget(m_problem);
    connect(&theme, &Theme::changed, this, &FieldEditor::restyle);
}

void FieldEditor::setContent(QWidget* content) {
    m_row->addWidget(content, 1);
    m_row->addWidget(m_revert, 0);
    setFocusProxy(m_fields.isEmpty() ? content : m_fields.first());
    setReadOnly(m_field.readOnly);
    showValue(m_value);
    restyle();
}

void FieldEditor::addField(QWidget* field) {
    m_fields.append(field);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(accessibleName());
}

void FieldEditor::setValue(const Value& value) {
    if (m_editing)
        return;
    m_value = value;
    if (m_mixed != 0) {
        m_mixed = 0;
        showMixed(0);
    }
    showValue(value);
}

void FieldEditor::setValues(const Value& value, std::uint8_t differ) {
    if (m_editing || (m_mixed == differ && m_value == value))
        return;
    m_value = value;
    m_mixed = differ;
    showValue(value);
    showMixed(differ);
}

void FieldEditor::setMixed(bool mixed) {
    m_mixed = mixed ? 0xFF : 0;
    showMixed(m_mixed);
}

void FieldEditor::setProblem(const QString& reason) { fault(reason); }

QString FieldEditor::problem() const { return m_problem->text(); }

void FieldEditor::setOrigin(FieldOrigin origin) {
    m_origin = origin;
    restyle();
}

void FieldEditor::setReadOnly(bool readOnly) {
    m_readOnly = readOnly || m_field.readOnly;
    showReadOnly(m_readOnly);
    restyle();
}

void FieldEditor::restyle() {
    const bool said = m_origin == FieldOrigin::Overridden || m_origin == FieldOrigin::Live;
    m_revert->setVisible(said && !m_readOnly);
    const QString name = QString::fromStdString(m_field.name);
    m_revert->setToolTip(m_origin == FieldOrigin::Live ? tr("Changed while the world runs: puts %1 back to what it was. Stop asks whether to keep it.").arg(name)
                                                       : tr("Revert %1 to what it would be without this override").arg(name));
    for (QWidget* field : m_fields) {
        const bool mono = field->property("sbxMono").toBool();
        QFont font = m_theme.font(mono ? FontRole::Mono : FontRole::Ui);
        if (said)
            font = m_theme.strongFont(mono ? FontRole::Mono : FontRole::Ui);
        font.setItalic(m_origin == FieldOrigin::Default);
        field->setFont(font);
        QPalette palette = m_theme.palette();
        if (m_origin == FieldOrigin::Default)
            for (const QPalette::ColorRole role :
                 {QPalette::Text, QPalette::ButtonText, QPalette::WindowText}) {
                palette.setColor(QPalette::Active, role, m_theme.color(Token::Muted));
                palette.setColor(QPalette::Inactive, role, m_theme.color(Token::Muted));
            }
        field->setPalette(palette);
    }
}

void FieldEditor::submit(const Value& value, bool committed, int element) {
    const Result<Value> checked = m_field.check(value);
    if (!checked) {
        std::string message = checked.error().message;
        // The field is known here: only what is wrong with it.
        if (message.starts_with(m_field.name + ": "))
            message.erase(0, m_field.name.size() + 2);
        fault(QString::fromStdString(message));
        return;
    }
    fault({});
    m_element = element;
    m_mixed = element < 0 ? 0 : static_cast<std::uint8_t>(m_mixed & ~(1U << static_cast<unsigned>(element)));
    m_editing = !committed;
    m_value = *checked;
    emit edited(m_value, committed);
}

void FieldEditor::submitOperation(FieldChange::Kind kind, double operand, int element, bool committed) {
    fault({});
    m_editing = !committed;
    FieldChange change;
    change.kind = kind;
    change.element = element;
    change.operand = operand;
    emit operated(change, committed);
}

void FieldEditor::submitText(const QString& text, bool committed) {
    submit(Value(text.toStdString()), committed);
}

void FieldEditor::fault(const QString& reason) {
    if (shownText(reason) == m_problem->text())
        return;
    m_problem->setText(shownText(reason));
    m_problem->setVisible(!reason.isEmpty());
    for (QWidget* field : m_fields)
        setInvalid(*field, !reason.isEmpty());
    emit problemChanged(reason);
}

QString FieldEditor::describe(const FieldInfo& field) {
    const auto text = [](const std::string& s) { return htmlText(s); };
    QString html = QStringLiteral("<p style='white-space:pre'><b>%1</b>&nbsp; %2")
                       .arg(text(field.name), QLatin1String(fieldTypeName(field.type)));
    if (!field.unit.empty())
        html += QStringLiteral(", ") + text(field.unit);
    html += QStringLiteral("</p>");
    if (!field.doc.empty())
        html += QStringLiteral("<p>%1</p>").arg(text(field.doc));
    html += QStringLiteral("<p>Takes %1").arg(text(field.expectation()));
    if (!std::holds_alternative<std::monostate>(field.defaultValue)) {
        const std::string value = field.formatToml(field.defaultValue);
        html += QStringLiteral("<br>Default %1").arg(text(value));
    }
    for (const FieldCondition& condition : field.conditions)
        html += QStringLiteral("<br>Has an effect %1").arg(text(condition.text()));
    if (field.readOnly)
        html += QStringLiteral("<br>Read only");
    return html + QStringLiteral("</p>");
}

} // namespace sbx::ui

#include "moc_field_editor.cpp"
