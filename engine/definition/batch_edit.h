#pragma once
// The same edit of many instances of a scene, in one pass over its text: what text_edit.h does to one of them, n times, costs n. The
// text afterwards is, byte for byte, what the edits of one instance after the other give in the order of the list, unless the text has
// values that are not closed; a fault of any of them is the error of all. Pure; any thread.

#include "engine/definition/text_edit.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sbx::definition {

class Definitions;

struct InstancePlace {
    std::string name;
    std::optional<Vec3> position; // metres, in the parent's frame
    std::optional<Vec3> rotation; // degrees
    std::optional<Vec3> scale;
};
// Writes what is given and leaves the rest. Numbers must be finite and in the range of their key.
[[nodiscard]] Result<TextEdits> setInstancePlaces(std::string_view scene, const std::vector<InstancePlace>& places);

struct InstanceValue {
    std::string name;
    std::string value; // TOML text
};
// A setting of one component, for each its own value. A name that stands there twice gets its first value.
[[nodiscard]] Result<TextEdits> setSceneValues(std::string_view scene, const std::vector<InstanceValue>& values,
                                               std::string_view component, std::string_view key);
// One value for all of them. Component "" means the instances' own keys, except for type and name.
[[nodiscard]] Result<TextEdits> setSceneValues(std::string_view scene, const std::vector<std::string>& instances,
                                               std::string_view component, std::string_view key, std::string_view value);
[[nodiscard]] Result<TextEdits> removeSceneValues(std::string_view scene, const std::vector<std::string>& instances,
                                                  std::string_view component, std::string_view key);

// Everything they override of that component. Instances that override nothing of it stay as they are.
[[nodiscard]] Result<TextEdits> removeSceneComponents(std::string_view scene, const std::vector<std::string>& instances,
                                                      std::string_view component);

struct InstanceType {
    std::string name;
    std::string type; // the new one
};
// Instances whose name is made from their type keep it, in writing. A name that stands there twice gets its first type.
[[nodiscard]] Result<TextEdits> setInstanceTypes(std::string_view scene, const std::vector<InstanceType>& types);

struct InstanceSettings {
    std::string name;
    std::string component;
    std::vector<std::pair<std::string, std::string>> values; // key and TOML text; each key once
};
// Several settings at once. Each instance and component may be named once.
[[nodiscard]] Result<TextEdits> setSceneSettings(std::string_view scene, const std::vector<InstanceSettings>& settings);

struct InstanceCopies {
    TextEdits edits;
    std::vector<std::string> names; // of the copies, in the order of the originals that were passed
};
// The instances and what hangs from them: each copy right after its original, with the name that freeInstanceName() gives. An instance that
// is named twice is copied once. Copies are moved by `offset` metres, but for those whose parent is copied too. Parents, and with a
// schema settings that name an entity, that lead to an original lead from its copy to the other copy. With definitions that holds for names
// that an instance has from its type as well: the copy overrides them.
[[nodiscard]] Result<InstanceCopies> duplicateInstances(std::string_view scene, const std::vector<std::string>& instances,
                                                        const Vec3& offset, const Schema* schema = nullptr,
                                                        const Definitions* definitions = nullptr);

} // namespace sbx::definition
