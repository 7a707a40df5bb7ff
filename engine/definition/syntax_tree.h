#pragma once
// Statements grouped the way readers and edits need them: sections (a header and the lines below it) and
// units (all sections of one top-level table, or of one element of a top-level array of tables). Inside this
// room only; keeps a view of the text.

#include "engine/definition/scene.h"
#include "engine/definition/toml_syntax.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

struct SyntaxSection {
    std::size_t first =
        0; // statements [first, last); the first is the header, but for the lines before any header
    std::size_t last = 0;
    std::size_t unit = 0;
    bool hasHeader = false;
};

struct SyntaxUnit {
    std::string name;     // empty: the lines before any header, or a header that names nothing
    bool element = false; // of an array of tables
    std::vector<std::size_t> sections;
};

// A key that stands in a unit, whichever way it is written: below a header, dotted, or in an inline table.
struct KeyPlace {
    std::size_t section = 0;
    std::size_t statement = 0;
    TextSpan key;
    TextSpan value;
    TextSpan inlineTable;             // empty: the statement's own value
    std::vector<SyntaxEntry> entries; // of that inline table
    std::size_t entry = 0;
};

class SyntaxTree {
public:
    explicit SyntaxTree(std::string_view text);

    [[nodiscard]] std::string_view text() const { return m_text; }
    [[nodiscard]] const std::vector<SyntaxStatement>& statements() const { return m_statements; }
    [[nodiscard]] const SyntaxStatement& statement(std::size_t index) const { return m_statements[index]; }
    [[nodiscard]] const std::vector<SyntaxSection>& sections() const { return m_sections; }
    // The first holds the lines before any header.
    [[nodiscard]] const std::vector<SyntaxUnit>& units() const { return m_units; }

    // The first table (not array element) of that name, or null.
    [[nodiscard]] const SyntaxUnit* table(std::string_view name) const;
    // The header's names below the top-level one: ["Body"] for [Crate.Body].
    [[nodiscard]] std::vector<std::string> pathOf(const SyntaxSection& section) const;
    // Sections of the unit with exactly that path.
    [[nodiscard]] std::vector<std::size_t> sectionsAt(const SyntaxUnit& unit,
                                                      const std::vector<std::string>& path) const;
    // `joined`: names compare as dotted text, so "sim.tickRate" is found quoted or dotted.
    [[nodiscard]] std::optional<KeyPlace> find(const SyntaxUnit& unit, const std::vector<std::string>& path,
                                               bool joined = false) const;
    // The text a key's string value stands for; empty if there is none.
    [[nodiscard]] std::string textAt(const SyntaxUnit& unit, std::string_view key) const;

    // The section's own lines end before this statement: blank lines and the comments that lead the next
    // header are not its own.
    [[nodiscard]] std::size_t ownEnd(const SyntaxSection& section) const;
    // The first of the comments directly above a section's header, or the header. A comment that opens the
    // file stays out.
    [[nodiscard]] std::size_t leadOf(const SyntaxSection& section) const;

private:
    std::string_view m_text;
    std::vector<SyntaxStatement> m_statements;
    std::vector<SyntaxSection> m_sections;
    std::vector<SyntaxUnit> m_units;
};

// The [[entity]] units of a scene, in file order, and the names they go by.
struct SceneUnit {
    std::size_t unit = 0;
    std::string givenName; // empty: derived
    std::string name;
    std::string type;
};
[[nodiscard]] std::vector<SceneUnit> sceneUnits(const SyntaxTree& tree);

} // namespace sbx::definition
