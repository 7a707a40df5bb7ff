#include "engine/simulation/reference.h"

#include "engine/message/message_type.h"

#include <algorithm>

namespace sbx {

namespace {

std::string listOf(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : ", ") + word;
    return out.empty() ? "nothing" : out;
}

std::string lineOf(const FieldInfo& field, bool withDefault) {
    std::string out = field.name + ": " + field.expectation();
    if (withDefault)
        out += ", " + field.formatToml(field.defaultValue) + " by default";
    return out + ". " + field.doc + (field.readOnly ? " Read only." : "");
}

std::vector<std::string> handled(const ComponentType& type) {
    std::vector<std::string> out;
    for (const HandlerDescription& handler : type.handlers)
        out.push_back(
            messageType(handler.message).name
            + (handler.priority != 0 ? " (priority " + std::to_string(handler.priority) + ")" : ""));
    return out;
}

std::vector<std::string> sent(const ComponentType& type) {
    std::vector<std::string> out;
    for (const MessageTypeId id : type.sends)
        out.push_back(messageType(id).name);
    for (const FieldInfo& field : *type.settings)
        if (field.role == TextRole::MessageType)
            out.push_back("what " + field.name + " names");
    return out;
}

// Markdown's own signs in a table's cell.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '_' || c == '`')
            out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

std::string tableOf(const FieldTable& fields, bool withDefault) {
    std::string out = withDefault ? "| Name | Value | Default | Meaning |\n| --- | --- | --- | --- |\n"
                                  : "| Name | Value | Meaning |\n| --- | --- | --- |\n";
    for (const FieldInfo& field : fields) {
        out += "| `" + field.name + "` | " + cell(field.expectation()) + " | ";
        if (withDefault)
            out += "`" + field.formatToml(field.defaultValue) + "` | ";
        out += cell(field.doc) + (field.readOnly ? " Read only." : "") + " |\n";
    }
    return out + "\n";
}

} // namespace

std::vector<std::string> explainPart(const Catalog& catalog, std::string_view name) {
    std::vector<std::string> out;
    if (const ComponentType* type = catalog.find(name)) {
        std::string from;
        for (const PluginState& plugin : catalog.plugins)
            if (std::find(plugin.components.begin(), plugin.components.end(), type->name)
                != plugin.components.end())
                from = " of the plugin " + plugin.path;
        out.push_back(type->name + ", a component" + from + ". " + type->doc
                      + (type->unique ? "" : " An entity may have several."));
        for (const FieldInfo& field : *type->settings)
            out.push_back("  " + lineOf(field, true));
        for (const FieldInfo& field : *type->state)
            out.push_back("  live " + lineOf(field, false));
        out.push_back("  Handles: " + listOf(handled(*type)) + ". Sends: " + listOf(sent(*type)) + ".");
    }
    if (const MessageType* type = findMessageType(name)) {
        out.push_back(type->name + ", a message. " + type->doc);
        for (const FieldInfo& field : *type->fields)
            out.push_back("  " + lineOf(field, true));
        std::vector<std::string> handlers;
        std::vector<std::string> senders;
        for (const ComponentType* component : catalog.components) {
            if (std::any_of(component->handlers.begin(), component->handlers.end(),
                            [&](const HandlerDescription& h) { return h.message == type->id; }))
                handlers.push_back(component->name);
            if (std::find(component->sends.begin(), component->sends.end(), type->id)
                != component->sends.end())
                senders.push_back(component->name);
        }
        out.push_back("  Handled by: " + listOf(handlers) + ". Sent by: " + listOf(senders) + ".");
    }
    return out;
}

std::vector<const ComponentType*> pluginComponents(const Catalog& catalog) {
    std::vector<const ComponentType*> out;
    for (const PluginState& plugin : catalog.plugins)
        for (const std::string& name : plugin.components)
            if (const ComponentType* type = catalog.find(name))
                out.push_back(type);
    return out;
}

std::string referencePage(const Catalog& catalog, const std::vector<const ComponentType*>& components,
                          std::string_view title) {
    std::string out = "# " + std::string(title) + "\n\n";
    std::vector<MessageTypeId> messages;
    for (const ComponentType* type : components) {
        out += "## " + type->name + "\n\n" + cell(type->doc)
               + (type->unique ? "" : " An entity may have several.") + "\n\n";
        if (!type->settings->empty())
            out += "Settings:\n\n" + tableOf(*type->settings, true);
        if (!type->state->empty())
            out += "Live values:\n\n" + tableOf(*type->state, false);
        out += "Handles: " + listOf(handled(*type)) + ".\n\nSends: " + listOf(sent(*type)) + ".\n\n";
        for (const HandlerDescription& handler : type->handlers)
            messages.push_back(handler.message);
        messages.insert(messages.end(), type->sends.begin(), type->sends.end());
    }
    // Those that somebody else names too stand in the engine's own reference.
    std::sort(messages.begin(), messages.end());
    messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
    std::erase_if(messages, [&](MessageTypeId id) {
        return std::any_of(
            catalog.components.begin(), catalog.components.end(), [&](const ComponentType* other) {
                return std::find(components.begin(), components.end(), other) == components.end()
                       && (std::any_of(other->handlers.begin(), other->handlers.end(),
                                       [&](const HandlerDescription& h) { return h.message == id; })
                           || std::find(other->sends.begin(), other->sends.end(), id) != other->sends.end());
            });
    });
    if (!messages.empty())
        out += "# Messages\n\n";
    for (const MessageTypeId id : messages) {
        const MessageType& type = messageType(id);
        out += "## " + type.name + "\n\n" + cell(type.doc) + "\n\n";
        out += type.fields->empty() ? "No fields.\n\n" : tableOf(*type.fields, true);
    }
    out.pop_back();
    return out;
}

} // namespace sbx
