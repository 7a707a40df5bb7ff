#include "engine/definition/checks.h"

#include "engine/core/nearest.h"
#include "engine/core/printable.h"
#include "engine/core/utf8.h"
#include "engine/core/value.h"

#include <algorithm>

namespace sbx::definition {

std::string oneOf(const std::vector<std::string>& names) {
    if (names.empty())
        return "none";
    std::string out = "one of ";
    for (std::size_t i = 0; i < names.size(); ++i)
        out += (i == 0 ? "" : ", ") + names[i];
    return out;
}

bool isTypeName(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    return !name.empty() && name.size() <= 128 && letter(name.front())
           && std::all_of(name.begin(), name.end(), [&](char c) {
                  return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
              });
}

std::string instanceNameFault(std::string_view name) {
    constexpr std::size_t MaximumBytes = 128;
    if (name.empty())
        return "is empty";
    if (name.size() > MaximumBytes)
        return "is " + std::to_string(name.size()) + " bytes long";
    if (firstBadByte(name) != std::string_view::npos)
        return "is not UTF-8";
    for (const char c : name) {
        if (c == ' ')
            return "contains a space";
        if (c == '.')
            return "contains a point";
        if (c == '"' || c == '\'')
            return "contains a quote";
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
            return "contains a control character";
    }
    return isPrintable(name) ? std::string() : "contains a character that cannot be seen";
}

bool isInstanceName(std::string_view name) { return instanceNameFault(name).empty(); }

std::string layerNameFault(std::string_view name) {
    constexpr std::size_t MaximumBytes = 64;
    if (name.empty())
        return "is empty";
    if (name.size() > MaximumBytes)
        return "is " + std::to_string(name.size()) + " bytes long";
    if (firstBadByte(name) != std::string_view::npos)
        return "is not UTF-8";
    if (name.front() == ' ')
        return "begins with a space";
    if (name.back() == ' ')
        return "ends with a space";
    for (const char c : name)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
            return "contains a control character";
    return isPrintable(name) ? std::string() : "contains a character that cannot be seen";
}

void addFault(Diagnostics& sink, const SourceValue& in, const SourceRegion& region, std::string what,
              std::string expected, std::string suggestion) {
    sink.add({Severity::Error, in.file, region, std::move(what), std::move(expected), std::move(suggestion)});
}

void addUnknownComponent(Diagnostics& sink, const SourceValue& in, const SourceRegion& region,
                         std::string_view name, const std::vector<std::string>& known, const Schema& schema) {
    std::string what = "there is no component " + inQuotes(name);
    const std::vector<std::string>& refused = schema.refusedPlugins();
    if (refused.empty())
        return addFault(sink, in, region, std::move(what), oneOf(known), nearestName(name, known));
    std::string plugins;
    for (const std::string& plugin : refused)
        plugins += (plugins.empty() ? "" : ", ") + plugin;
    what += refused.size() == 1 ? "; its plugin may be " + plugins + ", which was refused"
                                : "; its plugin may be one of those that were refused: " + plugins;
    sink.add({Severity::Warning, in.file, region, std::move(what), {}, {}});
}

bool checkFormat(const SourceEntry* format, std::string_view file, const std::string& subject,
                 Diagnostics& sink) {
    if (format == nullptr)
        return true;
    const SourceValue& value = format->value;
    const auto refuse = [&](std::string what, std::string expected) {
        sink.add(
            {Severity::Error, std::string(file), value.region, std::move(what), std::move(expected), {}});
        return false;
    };
    const std::string current = std::to_string(FileFormat);
    if (value.kind != SourceValue::Kind::Integer)
        return refuse("format is " + value.describeKind(), "format = " + current);
    if (value.integer < 1)
        return refuse("there is no format " + std::to_string(value.integer), "format = " + current);
    if (value.integer > FileFormat)
        return refuse(subject + " has format " + std::to_string(value.integer)
                          + ", of a later version of Signalbox",
                      "at most format " + current + ", or that version");
    return true;
}

const FieldInfo* readField(const SourceEntry& entry, std::string_view file, const FieldTable& fields,
                           const std::string& lacks, const std::string& expected, Value& value,
                           Diagnostics& sink) {
    const FieldInfo* const field = fields.find(entry.key);
    if (field == nullptr) {
        const std::vector<std::string> names = fields.names();
        sink.add({Severity::Error, std::string(file), entry.keyRegion, lacks + " " + inQuotes(entry.key),
                  (names.empty() ? "no settings" : oneOf(names)) + expected, nearestName(entry.key, names)});
        return nullptr;
    }
    return field->fromSource(entry.value, value, sink, file) ? field : nullptr;
}

OwnComponent readComponent(const SourceEntry& entry, const SourceValue& table,
                           const ComponentSchema& component, const Schema& schema, std::string_view owner,
                           Diagnostics& sink) {
    static const FieldTable None;
    const FieldTable& fields = component.settings != nullptr ? *component.settings : None;
    OwnComponent out;
    out.definition.name = component.name;
    out.definition.file = entry.value.file;
    out.definition.region = entry.keyRegion;
    out.definition.owner = owner;
    for (const SourceEntry& key : table.table) {
        // A table inside a list carries no file of its own.
        SourceEntry placed = key;
        if (placed.value.file.empty())
            placed.value.file = entry.value.file;
        if (key.key == "enabled" && fields.find(key.key) == nullptr) {
            if (key.value.kind == SourceValue::Kind::Boolean) {
                out.enabled = key.value.boolean;
                out.enabledRegion = key.keyRegion;
                continue;
            }
            addFault(sink, placed.value, key.value.region, "enabled is " + key.value.describeKind(),
                     "true or false");
            out.valid = false;
            continue;
        }
        Value value;
        const FieldInfo* const field =
            readField(placed, placed.value.file, fields, component.name + " has no setting", {}, value, sink);
        if (field == nullptr) {
            out.valid = false;
            continue;
        }
        if (field->type == FieldType::String && field->role == TextRole::MessageType
            && !schema.messageTypes().empty()) {
            const auto& known = schema.messageTypes();
            if (!placed.value.text.empty()
                && std::find(known.begin(), known.end(), placed.value.text) == known.end()) {
                addFault(sink, placed.value, placed.value.region,
                         field->name + " names no message type: " + inQuotes(placed.value.text),
                         field->expectation(), nearestName(placed.value.text, known));
                out.valid = false;
                continue;
            }
        }
        out.definition.settings.push_back({std::move(placed), std::string(owner), std::move(value)});
    }
    return out;
}

void overlay(std::vector<Setting>& settings, const std::vector<Setting>& over) {
    for (const Setting& setting : over) {
        const auto it = std::find_if(settings.begin(), settings.end(),
                                     [&](const Setting& s) { return s.entry.key == setting.entry.key; });
        if (it == settings.end())
            settings.push_back(setting);
        else
            *it = setting;
    }
}

std::string NameSet::nearest(std::string_view typed, const Diagnostics& sink) const {
    constexpr std::size_t EnoughFaults = 200;
    return sink.items.size() > EnoughFaults || typed.size() > 256 ? std::string()
                                                                  : nearestName(typed, m_names);
}

bool checkTypeReferences(const ComponentDefinition& component, const Schema& schema, const NameSet& known,
                         Diagnostics& sink) {
    const ComponentSchema* described = schema.find(component.name);
    bool sound = true;
    for (const Setting& setting : component.settings) {
        const FieldInfo* field = described->settings->find(setting.entry.key);
        const SourceValue& value = setting.entry.value;
        // An empty text means none.
        if (field->type != FieldType::String || field->role != TextRole::EntityType || value.text.empty())
            continue;
        if (known.contains(value.text))
            continue;
        addFault(sink, value, value.region, field->name + " names no entity type: " + inQuotes(value.text),
                 field->expectation(), known.nearest(value.text, sink));
        sound = false;
    }
    return sound;
}

} // namespace sbx::definition
