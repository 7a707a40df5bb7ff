#pragma once
// Components of an entity type as whole pieces of text: in another order, copied out, put into another type. What belongs to a component
// is its table with the lines below it and the comments right above; every other byte of the file stays. A component is named by its
// place among those that stand in the type's own text, in the order of the file (componentsOf()): a type may hold several of one name.
// Pure; any thread.

#include "engine/definition/text_edit.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

struct ComponentPart {
    std::string name;
    bool table =
        false; // [Crate.Body]; false: written among the keys of the type, `Body.mass = 5` or `Body = { mass = 5 }`
    bool element = false; // [[Crate.Touch]]
};
// Those that stand in the type's own text, in file order. Empty if there is no such type.
[[nodiscard]] std::vector<ComponentPart> componentsOf(std::string_view definitions, std::string_view type);

// The component at `from` gets the place `to`. An error if one of the two has no table of its own: what is written among the keys of
// the type stays there.
[[nodiscard]] Result<TextEdits> moveComponent(std::string_view definitions, std::string_view type,
                                              std::size_t from, std::size_t to);

// The component as a table of its own, `[Crate.Body]` and its keys, however it is written, with a line end at the end.
[[nodiscard]] Result<std::string> componentText(std::string_view definitions, std::string_view type,
                                                std::size_t component);
// The first of that name.
[[nodiscard]] Result<std::string> componentText(std::string_view definitions, std::string_view type,
                                                std::string_view component);

// The content of a text of such tables. The first name of the headers does not matter: [Crate.Body] and [entity.Body] are the same.
struct ClipKey {
    std::string name;
    std::string value; // TOML text
};
struct ClipComponent {
    std::string name;
    std::vector<ClipKey> keys;
};
// An error, which begins with the line, if the text is anything else than tables of components; with a schema, also if one of them
// or one of its values is not what a reader of definitions takes.
[[nodiscard]] Result<std::vector<ClipComponent>> clipComponents(std::string_view text,
                                                                const Schema* schema = nullptr);

// Puts the components of such a text into the type, before its component at `before`, or behind all of them. One that the type's own text
// has already is an error, unless the schema lets a type hold several; then all of that name become [[Crate.Touch]].
[[nodiscard]] Result<TextEdits> pasteComponent(std::string_view definitions, std::string_view type,
                                               std::string_view text, const Schema& schema,
                                               std::optional<std::size_t> before = std::nullopt);

// Takes one out, of several with the same name that one only.
[[nodiscard]] Result<TextEdits> removeComponentAt(std::string_view definitions, std::string_view type,
                                                  std::size_t component);

// A key of one component, of several with the same name of that one only: replaced, or added to its own lines. One that is written among the keys of
// the type is changed there.
[[nodiscard]] Result<TextEdits> setComponentValue(std::string_view definitions, std::string_view type,
                                                  std::size_t component, std::string_view key,
                                                  std::string_view value);
[[nodiscard]] Result<TextEdits> removeComponentValue(std::string_view definitions, std::string_view type,
                                                     std::size_t component, std::string_view key);

} // namespace sbx::definition
