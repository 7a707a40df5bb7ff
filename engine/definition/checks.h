#pragma once
// Checks that the readers of projects, entity types and scenes share. Inside this room only.

#include "engine/definition/definitions.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

// "one of a, b, c"; "none" for no names.
[[nodiscard]] std::string oneOf(const std::vector<std::string>& names);

// Whether a key names a component: it begins with a capital.
[[nodiscard]] inline bool isPartName(std::string_view key) {
    return !key.empty() && key.front() >= 'A' && key.front() <= 'Z';
}
// Letters, digits, _ and -, from a letter on: what can be a type's or a component's name.
[[nodiscard]] bool isTypeName(std::string_view name);
// UTF-8 without spaces, points, quotes, control characters or bidirectional controls, so that consoles and filters can name it and a reader
// sees which it is.
[[nodiscard]] std::string instanceNameFault(
    std::string_view name); // "contains a space"; empty: it can name an entity
[[nodiscard]] bool isInstanceName(std::string_view name);
// What is wrong with it: "contains a space". Empty: it can name an entity.
[[nodiscard]] std::string instanceNameFault(std::string_view name);
// What an entity's name may be, as a diagnostic's `expected`.
inline constexpr std::string_view InstanceNameRule = "1 to 128 bytes without spaces, points or quotes";

// Text that a reader sees whole, so that it can stand in a list: "begins with a space". Empty: it can name a layer.
[[nodiscard]] std::string layerNameFault(std::string_view name);
inline constexpr std::string_view LayerNameRule = "1 to 64 bytes of printable text, without spaces around it";

// A fault at a key or a value, with the file the entry stands in.
void addFault(Diagnostics& sink, const SourceValue& in, const SourceRegion& region, std::string what,
              std::string expected, std::string suggestion = {});

// A fault: `name` is no component. Only a warning where a plugin is not in force, since it may be one of its own; the project
// opens with the rest.
void addUnknownComponent(Diagnostics& sink, const SourceValue& in, const SourceRegion& region,
                         std::string_view name, const std::vector<std::string>& known, const Schema& schema);

// Which way of writing files this is: one number for project, definition and scene files together. It counts up when files of the format
// before would be understood otherwise; those are still read, while a file of a later format is refused as a whole rather than read
// wrongly. A file without a number has format 1.
inline constexpr std::int64_t FileFormat = 1;

// Checks a file's `format` entry; null: it has none. False: the file is of a later format or the value is none, and the sink has the one
// error. `subject` names the file in it: "the scene".
[[nodiscard]] bool checkFormat(const SourceEntry* format, std::string_view file, const std::string& subject,
                               Diagnostics& sink);

// Reads one entry that `fields` describe. Null: it could not be read, and the sink has a fault. A key that they lack is one too:
// `lacks` begins its text ("an entity has no key"), `expected` lists what else is allowed there.
[[nodiscard]] const FieldInfo* readField(const SourceEntry& entry, std::string_view file,
                                         const FieldTable& fields, const std::string& lacks,
                                         const std::string& expected, Value& value, Diagnostics& sink);

// One component's table, as it stands in a type or an instance.
struct OwnComponent {
    ComponentDefinition definition; // the settings that are valid
    std::optional<bool> enabled;    // its `enabled` key
    SourceRegion enabledRegion;
    bool valid = true; // no fault was found in it
};

// Checks every key of a component's table against the schema; faults go to the sink. `owner` is the type or
// instance.
[[nodiscard]] OwnComponent readComponent(const SourceEntry& entry, const SourceValue& table,
                                         const ComponentSchema& component, const Schema& schema,
                                         std::string_view owner, Diagnostics& sink);

// Lays settings over others, key by key; new keys go to the end.
void overlay(std::vector<Setting>& settings, const std::vector<Setting>& over);

// Names with quick lookup, and the nearest one to what was typed.
class NameSet {
public:
    void add(std::string name) {
        if (m_set.insert(name).second)
            m_names.push_back(std::move(name));
    }
    [[nodiscard]] bool contains(std::string_view name) const { return m_set.contains(name); }
    // Empty once the sink holds so many faults that more are of no use: hostile files must not cost a comparison
    // of all with all.
    [[nodiscard]] std::string nearest(std::string_view typed, const Diagnostics& sink) const;

private:
    std::vector<std::string> m_names;
    std::set<std::string, std::less<>> m_set;
};

// Checks the settings that name an entity type against the names that stand in the files.
bool checkTypeReferences(const ComponentDefinition& component, const Schema& schema, const NameSet& known,
                         Diagnostics& sink);

} // namespace sbx::definition
