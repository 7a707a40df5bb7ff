#pragma once
// A value as it stood in a text file, with its place: what readers hand to the field reader, whatever the file's syntax was.

#include "engine/core/diagnostic.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

struct SourceEntry;

struct SourceValue {
    enum class Kind { None, Boolean, Integer, Float, String, Array, Table };

    Kind kind = Kind::None;
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0.0;
    std::string text;
    std::vector<SourceValue> array;
    std::vector<SourceEntry> table; // in file order
    std::string file;               // empty for elements of arrays: those of the value around them
    SourceRegion region;

    [[nodiscard]] bool isNumber() const { return kind == Kind::Integer || kind == Kind::Float; }
    // Integer or float as double; 0 for anything else.
    [[nodiscard]] double asNumber() const {
        return kind == Kind::Integer ? static_cast<double>(integer) : number;
    }
    // Entry of a table by key, or null.
    [[nodiscard]] const SourceEntry* find(std::string_view key) const;
    // "a boolean", "text", "a list of 3 numbers", …: for the `what` of a diagnostic.
    [[nodiscard]] std::string describeKind() const;
};

struct SourceEntry {
    std::string key;
    SourceRegion keyRegion;
    SourceValue value;
};

// Whether both hold the same, wherever they stand: tables entry by entry in the order of the file.
[[nodiscard]] bool sameValue(const SourceValue& a, const SourceValue& b);

} // namespace sbx
