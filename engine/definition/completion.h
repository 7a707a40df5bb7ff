#pragma once
// Completion candidates and tooltips at a caret, from the same schema the readers check against.

#include "engine/definition/definitions.h"
#include "engine/definition/lookup.h"
#include "engine/definition/schema.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

struct Completion {
    enum class Kind { Component, Setting, Value, Type, Key };

    Kind kind = Kind::Setting;
    std::string label;  // "mass"
    std::string insert; // what replaces TextLocation::word
    std::string detail; // "a number in [0.001, 1e6] kg"
    std::string doc;
};

// What may stand at the location, those that begin with what was typed first, then those that contain it;
// keys that the table already has are left out, and nothing may stand right behind a whole value or header. `definitions` are the last valid ones (types to extend or to
// place).
[[nodiscard]] std::vector<Completion> complete(std::string_view text, const TextLocation& at,
                                               const Schema& schema, const Definitions& definitions);

// One to three lines on what the location names: a component, a setting with its unit, range and default, a
// type. Empty: nothing.
[[nodiscard]] std::string describe(const TextLocation& at, const Schema& schema,
                                   const Definitions& definitions);

} // namespace sbx::definition
