// The message's fields in the window of a stopped tick: their editors, and what was changed in them.

#include <QApplication>
#include <QFocusEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/editor/handler_stop_window.h"
#include "engine/message/message_type.h"
#include "widgets/common/foreign_text.h"
#include "widgets/trace/field_form.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <variant>

namespace sbx::editor {

namespace {
constexpr std::uint64_t Newcomer = std::uint64_t{1}
                                   << 63U; // marks the form's own handles: no world has such large ones
} // namespace

void HandlerStopWindow::fillForm() {
    static const FieldTable None;
    const MessageType* const type = findMessageType(m_stop->type);
    const FieldTable& fields = type == nullptr ? None : *type->fields;
    delete m_form;
    m_shown.clear();
    m_newcomers.clear();
    m_form = new ui::FieldForm(m_theme, QStringLiteral("handlerStop.field"), fields, formSources(),
                               m_scroll->widget());
    m_form->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    for (const HandlerStop::Field& field : m_stop->fields) {
        ui::FieldEditor* const editor = m_form->editor(field.name);
        if (editor == nullptr)
            continue;
        const FieldInfo& info = editor->field();
        const Result<Value> value = info.type == FieldType::Entity
                                        ? Result<Value>(Value(entityOf(field.value)))
                                    : info.type == FieldType::String ? Result<Value>(Value(field.value))
                                                                     : info.parse(field.value);
        if (value) {
            m_form->setValue(field.name, *value);
        } else { // not a number, for one
            editor->setReadOnly(true);
            editor->setProblem(tr("%1 cannot be edited").arg(ui::shownLine(field.value)));
        }
        m_shown[field.name] = editor->value();
        connect(editor, &ui::FieldEditor::problemChanged, this, [this] { sayFault({}); }); // said before that
        connect(editor, &ui::FieldEditor::problemChanged, this, &HandlerStopWindow::grow,
                Qt::QueuedConnection); // once it is laid out
    }
    m_body->insertWidget(m_body->indexOf(m_noFields), m_form);
    m_form->setVisible(!fields.empty()); // the window may be visible already
    m_noFields->setVisible(fields.empty());
    // Tab goes as the eye does.
    QWidget* before = m_scroll;
    const auto next = [&before](QWidget* widget) {
        QWidget::setTabOrder(before, widget);
        before = widget;
    };
    for (const FieldInfo& field : fields)
        for (QWidget* input : m_form->editor(field.name)->findChildren<QWidget*>())
            if ((input->focusPolicy() & Qt::TabFocus) != 0)
                next(input);
    for (QPushButton* button : {m_remove, m_again, m_drop, m_step, m_goOn})
        next(button);
}

ui::FieldSources HandlerStopWindow::formSources() {
    ui::FieldSources out = m_sources;
    out.entityName = [this](EntityId id) {
        if ((id.bits & Newcomer) != 0)
            return QString::fromStdString(m_newcomers.at(id.bits & ~Newcomer));
        return m_sources.entityName ? m_sources.entityName(id) : QString();
    };
    out.entityByName = [this](const QString& name) {
        const auto at = std::find(m_newcomers.begin(), m_newcomers.end(), name.toStdString());
        if (at != m_newcomers.end())
            return EntityId::fromBits(Newcomer | static_cast<std::uint64_t>(at - m_newcomers.begin()));
        return m_sources.entityByName ? m_sources.entityByName(name) : EntityId{};
    };
    return out;
}

// As a stop has it: a name, a number sign and a handle, or nothing.
EntityId HandlerStopWindow::entityOf(const std::string& text) {
    std::uint64_t bits = 0;
    if (text.empty())
        return {};
    if (text.front() == '#'
        && std::from_chars(text.data() + 1, text.data() + text.size(), bits).ptr == text.data() + text.size())
        return EntityId::fromBits(bits);
    if (const EntityId known =
            m_sources.entityByName ? m_sources.entityByName(QString::fromStdString(text)) : EntityId{};
        known != EntityId{})
        return known;
    m_newcomers.push_back(text);
    return EntityId::fromBits(Newcomer | (m_newcomers.size() - 1));
}

// As HandlerStops::answer() takes it.
std::string HandlerStopWindow::textOf(const FieldInfo& field, const Value& value) const {
    const auto* const id = std::get_if<EntityId>(&value);
    if (id == nullptr)
        return field.format(value);
    if (*id == EntityId{})
        return {};
    if ((id->bits & Newcomer) != 0)
        return m_newcomers.at(id->bits & ~Newcomer);
    const QString name = m_sources.entityName ? m_sources.entityName(*id) : QString();
    return name.isEmpty() ? std::to_string(id->bits) : name.toStdString();
}

bool HandlerStopWindow::takeTyped() {
    if (QWidget* const typing = focusWidget(); typing != nullptr && m_form->isAncestorOf(typing))
        m_scroll->setFocus(Qt::OtherFocusReason);
    // A field takes what was typed when it loses the focus. Qt tells that in the active window alone, so it is told here.
    if (!isActiveWindow())
        for (QLineEdit* line : m_form->findChildren<QLineEdit*>())
            if (line->isModified()) {
                QFocusEvent left(QEvent::FocusOut, Qt::OtherFocusReason);
                QApplication::sendEvent(line, &left);
            }
    for (const auto& [name, value] : m_shown) {
        ui::FieldEditor* const editor = m_form->editor(name);
        if (editor->isReadOnly() || editor->problem().isEmpty())
            continue;
        editor->setFocus();
        m_scroll->ensureWidgetVisible(editor);
        return false;
    }
    return true;
}

HandlerStops::Changes HandlerStopWindow::changes() const {
    HandlerStops::Changes out;
    for (const auto& [name, value] : m_shown)
        if (const ui::FieldEditor* const editor = m_form->editor(name); editor->value() != value)
            out.emplace_back(name, textOf(editor->field(), editor->value()));
    return out;
}

} // namespace sbx::editor
