#pragma once
// Collects changes to one text in terms of its statements, in the text's own manner (line ends, indentation,
// blank lines, aligned equals signs), and gives them as sorted edits. What one change adds counts for the manner of the next ones, as
// if it stood there already; each costs what its unit is long. Inside this room only.

#include "engine/definition/syntax_tree.h"
#include "engine/definition/text_edit.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sbx::definition {

// `sim.tickRate` from bare parts where they allow it, else quoted as a whole.
[[nodiscard]] std::string dottedKey(std::string_view name);

// The lines of a text without their line ends.
[[nodiscard]] std::vector<std::string> textLines(std::string_view text);
// The error for a type that is not there, with the nearest that is.
[[nodiscard]] Error unknownType(const SyntaxTree& tree, std::string_view type);

class TextChanges {
public:
    // Keeps a reference to the tree.
    explicit TextChanges(const SyntaxTree& tree);

    void replace(TextSpan span, std::string_view with);

    // A key of the unit itself, replaced or added. `order` gives the places of keys among each other.
    void setKey(const SyntaxUnit& unit, std::string_view key, std::string_view value,
                const std::vector<std::string>& order);
    // A key of a part (component): replaced, added to it, or with a new part. Not empty: why it cannot be.
    [[nodiscard]] std::string setInPart(const SyntaxUnit& unit, std::string_view part, std::string_view key,
                                        std::string_view value);
    // A key at the end of a section's own keys; `name` as it is to be written.
    void addKeyTo(std::size_t section, std::string_view name, std::string_view value) {
        insertLines(lastKey(m_tree.sections()[section]), {keyLine(section, name, value)});
    }
    void removeKey(const KeyPlace& place, bool dropEmptyPart);

    [[nodiscard]] bool hasPart(const SyntaxUnit& unit, std::string_view part) const;
    // A new sub-table after the unit's last line, with `keyLine` unless that is empty.
    void addPart(const SyntaxUnit& unit, std::string_view part, std::string_view keyLine);
    void removePart(const SyntaxUnit& unit, std::string_view part);
    // The same with all its lines, `lines`, its header first (comments may stand above it).
    void addPartLines(const SyntaxUnit& unit, std::vector<std::string> lines);
    // Whole lines of the text, parted as before from what stands around them. `ofUnit` as in removeSections().
    void removeStatements(std::size_t begin, std::size_t end, bool ofUnit);
    // The same lines in another place: before or behind those of the statements [otherBegin, otherEnd), which they do not overlap. The
    // blank lines between go with them, so that both places look as they did.
    void moveStatements(std::size_t begin, std::size_t end, std::size_t otherBegin, std::size_t otherEnd);
    // What the file ends its lines with.
    [[nodiscard]] const std::string& lineEnd() const { return m_lineEnd; }

    // The unit's own text, its sections one after the other, with a line end at the end.
    [[nodiscard]] std::string textOf(const SyntaxUnit& unit) const;
    // After the unit's last own line, parted by a blank line as the file does it.
    void insertAfter(const SyntaxUnit& unit, std::string_view lines);
    // At the end of the text, after a blank line.
    void append(const std::vector<std::string>& lines);
    void removeUnits(const std::set<std::size_t>& units);

    [[nodiscard]] TextEdits finish();

private:
    struct Change {
        TextSpan span;
        std::string with;
    };

    [[nodiscard]] std::string_view text() const { return m_tree.text(); }
    [[nodiscard]] std::string indentOf(std::size_t statement) const;
    // Lines without line ends, to stand after that statement (npos: at the very beginning).
    void insertLines(std::size_t afterStatement, const std::vector<std::string>& lines);
    void removeLines(TextSpan lines) { m_changes.push_back({lines, {}}); }
    // After the unit's last own line, where a blank line fits as well after one.
    void insertPart(const SyntaxUnit& unit, std::vector<std::string> lines, bool blank);
    // `ofUnit`: parts of a unit that stays; else whole units.
    void removeSections(const std::vector<std::size_t>& sections, bool ofUnit);
    // The line, and from then on counted among the section's.
    [[nodiscard]] std::string keyLine(std::size_t section, std::string_view key, std::string_view value);
    [[nodiscard]] std::size_t lastKey(const SyntaxSection& section) const;
    [[nodiscard]] bool blankBefore(std::size_t section) const;
    // A sub-table with a header: [Crate.Body].
    [[nodiscard]] bool isPart(std::size_t section) const;

    // Whether a blank line stands before the last sub-table of an array's element (or of a table) in the text as it will be.
    struct LastPart {
        std::size_t offset = 0;
        bool blank = false;
    };
    [[nodiscard]] std::optional<LastPart>& lastPart(bool element);
    // Where the equals signs of a section's lines stand that were added.
    struct AddedLines {
        std::size_t column = 0;
        bool aligned = true; // all in that column
        bool wide = false;   // somewhere more than a space away
    };

    const SyntaxTree& m_tree;
    std::string m_lineEnd;
    std::vector<Change> m_changes;
    bool m_partsKnown = false;
    std::optional<LastPart> m_lastParts[2]; // of tables, of elements
    std::unordered_map<std::size_t, AddedLines> m_added; // by section
};

} // namespace sbx::definition
