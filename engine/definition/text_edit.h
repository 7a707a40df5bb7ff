#pragma once
// Edits of project, definition and scene texts that change only the bytes they must: comments, order, unknown
// keys, spacing and line ends stay. All functions are pure: text in, edits out, sorted by offset and not
// overlapping; an edit that changes nothing gives an empty list. Values come and go as TOML text ("5.0",
// "[1.0, 2.0, 3.0]", "\"box\""; FieldInfo::formatToml writes it) and are checked to be one well-formed value.
// Component "" means the keys of the type or instance itself.

#include "engine/core/math.h"
#include "engine/core/result.h"
#include "engine/definition/schema.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

struct TextEdit {
    std::size_t offset = 0; // bytes, in the text before any of the edits
    std::string removed;
    std::string inserted;

    friend bool operator==(const TextEdit&, const TextEdit&) = default;
};
using TextEdits = std::vector<TextEdit>;

// The text after the edits; an error if they are not sorted, overlap, or `removed` is not what stands there.
[[nodiscard]] Result<std::string> applyEdits(std::string_view text, const TextEdits& edits);
// The edits that lead back, to be applied to the edited text.
[[nodiscard]] TextEdits inverseOf(const TextEdits& edits);
// One set that does what `first` and then, in the text after it, `second` do. Both must be applicable; costs the bytes of both.
[[nodiscard]] TextEdits composed(TextEdits first, TextEdits second);
// The same text changed in place. The edits must be applicable: they are not checked again.
void applyInPlace(std::string& text, const TextEdits& edits);

// Scenes: instances by name, given or derived.
[[nodiscard]] Result<TextEdits> setSceneValue(std::string_view scene, std::string_view instance,
                                              std::string_view component, std::string_view key,
                                              std::string_view value);
// Takes an override out again; a sub-table left empty goes too. Nothing there: no edits.
[[nodiscard]] Result<TextEdits> removeSceneValue(std::string_view scene, std::string_view instance,
                                                 std::string_view component, std::string_view key);
// type, name, position, rotation, scale or parent. A new name is a rename.
[[nodiscard]] Result<TextEdits> setInstanceKey(std::string_view scene, std::string_view instance,
                                               std::string_view key, std::string_view value);
[[nodiscard]] Result<TextEdits> removeInstanceKey(std::string_view scene, std::string_view instance,
                                                  std::string_view key);

struct InstancePose {
    Vec3 position{0.0F};
    Vec3 rotation{0.0F}; // degrees
    Vec3 scale{1.0F};
};
// At the end of the text. An empty name is made from the type.
[[nodiscard]] Result<TextEdits> addInstance(std::string_view scene, std::string_view type,
                                            std::string_view name, const InstancePose& pose,
                                            std::string_view parent = {});
// Children of a removed instance go with it: a scene never names a parent that is not there.
[[nodiscard]] Result<TextEdits> removeInstances(std::string_view scene,
                                                const std::vector<std::string>& names);
// A copy right after the original, moved by `offset` metres.
[[nodiscard]] Result<TextEdits> duplicateInstance(std::string_view scene, std::string_view name,
                                                  std::string_view newName, const Vec3& offset);
// Parents follow, and with a schema every setting that names an entity.
[[nodiscard]] Result<TextEdits> renameInstance(std::string_view scene, std::string_view name,
                                               std::string_view newName, const Schema* schema = nullptr);
// The settings of entity types that name the entity follow, too. Nothing of it there: no edits.
[[nodiscard]] TextEdits renameInDefinitions(std::string_view definitions, std::string_view name,
                                            std::string_view newName, const Schema& schema);
// The names of a scene's instances, in file order, faulty ones included.
[[nodiscard]] std::vector<std::string> sceneInstanceNames(std::string_view scene);
// "crate", or "crate_2", … if taken; a number at the end is counted on.
[[nodiscard]] std::string freeInstanceName(std::string_view scene, std::string_view wanted);

// Definitions.
[[nodiscard]] Result<TextEdits> setDefinitionValue(std::string_view definitions, std::string_view type,
                                                   std::string_view component, std::string_view key,
                                                   std::string_view value);
[[nodiscard]] Result<TextEdits> removeDefinitionValue(std::string_view definitions, std::string_view type,
                                                      std::string_view component, std::string_view key);
[[nodiscard]] Result<TextEdits> addComponent(std::string_view definitions, std::string_view type,
                                             std::string_view component);
// Removes the component's own table; `inherited`: a base type has it too, so that it must be
// switched off instead.
[[nodiscard]] Result<TextEdits> removeComponent(std::string_view definitions, std::string_view type,
                                                std::string_view component, bool inherited);
// A new type at the end of the text.
[[nodiscard]] Result<TextEdits> addType(std::string_view definitions, std::string_view type,
                                        std::string_view extends = {});
// Whether the text has a table of that type, faulty or not.
[[nodiscard]] bool declaresType(std::string_view definitions, std::string_view type);
// The same with all its lines, `declaration`: whole tables of one type, as they are to stand in the file.
[[nodiscard]] Result<TextEdits> addTypeText(std::string_view definitions, std::string_view type, std::string_view declaration);

// Any table with a plain header, such as [project], [cvars] or [scene]; made at the end of the text when
// missing.
[[nodiscard]] Result<TextEdits> setTableValue(std::string_view text, std::string_view table,
                                              std::string_view key, std::string_view value);

} // namespace sbx::definition
