#pragma once
// A TOML text as a SourceValue tree in file order, read chunk by chunk: all tables of one top-level name are
// a chunk, and so is each element of a top-level array of tables with its sub-tables. A chunk with a syntax
// fault costs one located error and is left out; the others are read. Reading never throws and takes any
// bytes.

#include "engine/core/result.h"
#include "engine/core/source_value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

// Of a file of a project, for all that read or write one: a scene of some half a million entities.
constexpr std::size_t MaximumTextBytes = std::size_t{64} * 1024 * 1024;
// Each line costs its reader some hundred bytes, an empty one too. A scene at the limit above has some three million.
constexpr std::size_t MaximumTextLines = 4'000'000; // line ends

// One error if a text is longer than a file of a project may be, in bytes or in lines; it points to the first line that is too much.
[[nodiscard]] std::optional<Diagnostic> lengthFault(std::string_view text, std::string_view fileName);

class TomlDocument {
public:
    // A chunk that was left out.
    struct BrokenChunk {
        std::string name; // of the top-level table; may be empty
        SourceRegion region;
    };

    // Texts that are too long (see above), with a NUL or with invalid UTF-8 give one error and an empty document.
    [[nodiscard]] static TomlDocument parse(std::string_view text, std::string_view fileName,
                                            Diagnostics& sink);

    // A table. Its entries: tables, arrays of tables, and the key-value pairs that stand before the first
    // header. An entry's key region is the name inside its first header; a table's value region is that
    // header with its brackets. Every value that is not inside a list carries the file's name.
    [[nodiscard]] const SourceValue& root() const { return m_root; }
    [[nodiscard]] const std::vector<BrokenChunk>& broken() const { return m_broken; }
    // An unreadable file: any name may have stood in it.
    [[nodiscard]] bool isBroken(std::string_view name) const;
    [[nodiscard]] bool isUnreadable() const { return m_unreadable; }

private:
    SourceValue m_root;
    std::vector<BrokenChunk> m_broken;
    bool m_unreadable = false;
};

// One TOML value, such as `[1.0, 2.0]` or `"box"`; an error describes what is wrong with the text. The places in
// it mean nothing.
[[nodiscard]] Result<SourceValue> parseTomlValue(std::string_view text);

} // namespace sbx::definition
