#pragma once
// Entity types as whole pieces of text: in another order, under another name, copied out, put into a file, taken out. What belongs to a
// type is its tables and the comments right above the first of them; every other byte of a file stays. Pure; any thread.

#include "engine/definition/text_edit.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

// The entity types that have tables in the text, in file order, faulty ones included.
[[nodiscard]] std::vector<std::string> typesOf(std::string_view definitions);

// Puts the type before another one, or behind the last. An error if the tables of one of them do not stand together.
[[nodiscard]] Result<TextEdits> moveType(std::string_view definitions, std::string_view type,
                                         const std::optional<std::string>& before);

// All lines of the type, with a line end at the end.
[[nodiscard]] Result<std::string> typeText(std::string_view definitions, std::string_view type);
[[nodiscard]] Result<TextEdits> removeType(std::string_view definitions, std::string_view type);
// A copy right behind the original.
[[nodiscard]] Result<TextEdits> duplicateType(std::string_view definitions, std::string_view type,
                                              std::string_view newName);

struct PastedTypes {
    TextEdits edits;
    std::vector<std::string> names; // of what is put in, in the order of the text
};
// Puts the types of such a text into the file, before a type of it or at its end. A type whose name is in `taken` gets a number, and so
// does what extends it in the text. Anything else than tables of types is an error that begins with the line.
[[nodiscard]] Result<PastedTypes> pasteTypes(std::string_view definitions, std::string_view text,
                                             const std::vector<std::string>& taken,
                                             const std::optional<std::string>& before = std::nullopt);

// Another name for a type: its tables, if they stand in this file, what extends it, and the settings that name a type. Nothing of it
// there: no edits. An error if the new name cannot name a type.
[[nodiscard]] Result<TextEdits> renameType(std::string_view definitions, std::string_view type,
                                           std::string_view newName, const Schema& schema);
// The instances of the type, and the overrides that name it. Instances keep the names that were derived from their type.
[[nodiscard]] Result<TextEdits> renameTypeInScene(std::string_view scene, std::string_view type,
                                                  std::string_view newName, const Schema& schema);

} // namespace sbx::definition
