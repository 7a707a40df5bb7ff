#pragma once
// What is wrong with an input, where, and what would be right. Collected, never thrown: all faults of a file in one pass.

#include <string>
#include <vector>

namespace sbx {

// A stretch of a text file. Lines and columns count from 1 (columns in bytes of UTF-8); the end is exclusive. Line 0: no place.
struct SourceRegion {
    int line = 0;
    int column = 0;
    int endLine = 0;
    int endColumn = 0;

    friend bool operator==(const SourceRegion&, const SourceRegion&) = default;
};

enum class Severity { Note, Warning, Error };

struct Diagnostic {
    Severity severity = Severity::Error;
    std::string file;
    SourceRegion region;
    std::string what;       // "mass is text"
    std::string expected;   // "a number in [0, 1e6] kg"; may be empty
    std::string suggestion; // nearest valid name; may be empty

    // `FILE:LINE:COLUMN: error: what; expected …; did you mean …?` without a line end.
    [[nodiscard]] std::string toString() const;
    // The part after the place: `what; expected …; did you mean …?`
    [[nodiscard]] std::string message() const;
    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

// A sink parameter for readers.
struct Diagnostics {
    std::vector<Diagnostic> items;

    void add(Diagnostic diagnostic) { items.push_back(std::move(diagnostic)); }
    [[nodiscard]] bool hasErrors() const;
    // By file, line, column; stable, so equal places keep the order of finding.
    void sort();
};

} // namespace sbx
