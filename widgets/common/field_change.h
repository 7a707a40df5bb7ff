#pragma once
// What a person did to a field, so that it can be done to several values that are not the same: a new value, one number of several, or an
// operation on each value. Pure; any thread.

#include "engine/core/fields.h"

#include <string>

namespace sbx::ui {

struct FieldChange {
    enum class Kind { Set, Add, Subtract, Multiply, Divide };
    Kind kind = Kind::Set;
    int element = -1;     // which number of the value (0: x); -1: all of it, or its only number
    Value value;          // Set: with the new number in its place, if an element is named
    double operand = 0.0; // the others
};

// "+=" and so on; "=" for Set.
[[nodiscard]] const char* operatorText(FieldChange::Kind kind);
// A number after the operation.
[[nodiscard]] double operated(double number, FieldChange::Kind kind, double operand);
// `before` after the change, checked; whole numbers are rounded. `bounded`: what leaves the field's range is brought to its end, which
// a drag wants; otherwise that is an error. The error says what is wrong with the value.
[[nodiscard]] Result<Value> changedValue(const FieldInfo& field, const Value& before,
                                         const FieldChange& change, bool bounded);

} // namespace sbx::ui
