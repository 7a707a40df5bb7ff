#include "widgets/trace/composed_message.h"

#include "engine/core/console_syntax.h"

namespace sbx::ui {

namespace {
const char* const OneComponent = "one component";
const char* const Everyone = "everyone";
const char* const AfterSeconds = "after seconds";
const char* const AfterTicks = "after ticks";
} // namespace

void SendSettings::describe(FieldList<SendSettings>& f) {
    f.add("route", &SendSettings::route, "Who gets it: the entity alone, it and all below it, it and its parents, one of its components, or every entity.")
        .choices({"entity", "children", "ancestors", OneComponent, Everyone});
    f.add("to", &SendSettings::to, "The entity it goes to.").role(TextRole::EntityName).onlyWith("route", {"entity", "children", "ancestors", OneComponent});
    f.add("component", &SendSettings::component, "Which of the entity's components, such as Shield or Mesh#2.").onlyWith("route", {OneComponent});
    f.add("when", &SendSettings::when, "When it is delivered.").choices({"at once", AfterSeconds, AfterTicks});
    f.add("seconds", &SendSettings::seconds, "Seconds of the simulation until it is delivered.").unit("s").range(0.001, 1e6).onlyWith("when", {AfterSeconds});
    f.add("ticks", &SendSettings::ticks, "Ticks until it is delivered.").range(1, 1e9).onlyWith("when", {AfterTicks});
    f.add("priority", &SendSettings::priority, "Among what is due in the same tick: lower first.").onlyWith("when", {AfterSeconds, AfterTicks});
    f.add("minimum", &SendSettings::minimum, "How many must receive it: an error if fewer do.").atLeast(0);
}

SendSettings ComposedMessage::sendSettings() const {
    SendSettings out;
    const FieldTable& table = fieldsOf<SendSettings>();
    for (const auto& [name, value] : settings)
        if (const FieldInfo* field = table.find(name))
            field->write(&out, value);
    return out;
}

std::string ComposedMessage::line(const std::function<std::string(EntityId)>& entityName) const {
    const SendSettings send = sendSettings();
    std::string out = "send " + consoleWord(type) + ' ' + (send.route == SendSettings::Route::Everyone ? "*" : consoleWord(send.to));
    const MessageType* known = findMessageType(type);
    for (const auto& [name, value] : fields) {
        const FieldInfo* field = known == nullptr ? nullptr : known->fields->find(name);
        if (field == nullptr)
            continue;
        std::string text;
        if (const auto* entity = std::get_if<EntityId>(&value)) {
            text = entityName ? entityName(*entity) : std::string();
            if (text.empty())
                text = std::to_string(entity->bits);
        } else {
            text = field->format(value);
        }
        out += ' ' + consoleWord(name + '=' + text);
    }
    switch (send.route) {
    case SendSettings::Route::Children:
        out += " --children";
        break;
    case SendSettings::Route::Ancestors:
        out += " --ancestors";
        break;
    case SendSettings::Route::Component:
        out += ' ' + consoleWord("--component=" + send.component);
        break;
    default:
        break;
    }
    if (send.when == SendSettings::When::Seconds)
        out += " --after=" + formatDouble(send.seconds);
    else if (send.when == SendSettings::When::Ticks)
        out += " --ticks=" + std::to_string(send.ticks);
    if (send.when != SendSettings::When::AtOnce && send.priority != 0)
        out += " --priority=" + std::to_string(send.priority);
    if (send.minimum > 0)
        out += " --minimum=" + std::to_string(send.minimum);
    return out;
}

ComposedMessage composedOf(const MessageType& type, const void* payload, const std::string& receiver) {
    ComposedMessage out;
    out.type = type.name;
    if (!receiver.empty())
        out.settings["to"] = receiver;
    for (const FieldInfo& field : *type.fields)
        if (Value value = field.read(payload); value != field.defaultValue)
            out.fields[field.name] = std::move(value);
    return out;
}

} // namespace sbx::ui
