#pragma once
// What stands where in a definition or scene text, for the editor: caret to meaning, name to place, the
// outline. All of it works on texts that do not parse. Regions and offsets count in bytes of the given text.

#include "engine/definition/toml_syntax.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

struct TextLocation {
    enum class Place { Nowhere, Comment, Header, Key, Value };

    Place place = Place::Nowhere; // Nowhere: on a blank line or between things; a key could begin here
    std::string entityType;       // the [Crate] around the caret; in a scene, the type of the instance
    std::string instance;         // in a scene: the name of the [[entity]], given or derived
    std::string table;            // the top-level name: "Crate", "entity", "scene", "project", "cvars"
    std::string component;        // empty: the keys of the type or instance itself
    std::string key;              // of the statement at the caret
    int headerPart = 0;           // in a header: 0 the table's name, 1 the component's
    TextSpan word;                // what a completion replaces: name, or text inside quotes, around the caret
    std::string wordText;         // all of that word
    std::string typed;            // the part of the word before the caret
    bool quoted = false;          // the word lies inside quotes

    [[nodiscard]] bool inValue() const { return place == Place::Value; }
};

[[nodiscard]] TextLocation locate(std::string_view text, std::size_t offset);

// The name in the first header of an entity type (or of any top-level table).
[[nodiscard]] std::optional<SourceRegion> findType(std::string_view text, std::string_view name);
// The header of an instance in a scene.
[[nodiscard]] std::optional<SourceRegion> findInstance(std::string_view text, std::string_view name);
// The header of a component, or, with a key, that key; in the type's or instance's own text only.
[[nodiscard]] std::optional<SourceRegion> findSetting(std::string_view text, std::string_view owner,
                                                      std::string_view component, std::string_view key = {});

struct OutlineNode {
    enum class Kind { Type, Instance, Table, Component, Key };

    Kind kind = Kind::Type;
    std::string name;
    std::string detail;  // of a key: its value's text; of an instance: its type
    SourceRegion region; // the name
    TextSpan span;       // all of it, whole lines
    std::vector<OutlineNode> children;
    bool written = true; // false: it is not in the text (see unwritten.h); it has no place then
    std::string from;    // not written: the type it is inherited from; empty: it is the default
};
// `fault`: the first thing that is no statement of TOML at all, such as a quote that is not closed. What stands behind it may be read as
// something else than is meant.
[[nodiscard]] std::vector<OutlineNode> outline(std::string_view text, std::optional<Diagnostic>* fault = nullptr);

} // namespace sbx::definition
