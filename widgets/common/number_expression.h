#pragma once
// What can be typed where a number is wanted: an arithmetic expression with units. Pure; any thread.
//
//     expression = term { ("+" | "-") term }
//     term       = signed { ("*" | "/") signed }
//     signed     = ("+" | "-") signed | power
//     power      = quantity [ ("^" | "**") signed ]            from the right: 2^3^2 is 2^9, and -2^2 is -4
//     quantity   = ( number | "pi" | function "(" expression ")" | "(" expression ")" ) [ unit ]
//
// Functions: sqrt, abs, floor, ceil, round; sin, cos and tan take degrees; asin, acos and atan give degrees.
// Decimals are written with a point or a comma; "×", "÷" and "−" are the same as "*", "/" and "-".
//
// A number with a unit is converted to the unit of the field: "5 ms" in a field in seconds is 0.005. A number without
// one is in the unit of the field. A unit of another kind (kilograms in metres) is an error, as is any unit where the
// field has none.

#include <QString>
#include <QStringView>

namespace sbx::ui {

struct NumberExpression {
    double value = 0.0;  // finite
    QString fault;       // what is wrong, without the place; empty: nothing is
    qsizetype at = 0;    // where in the text, in characters from 0
    qsizetype length = 0; // of the part that is wrong; 0: something is missing there

    [[nodiscard]] bool ok() const { return fault.isEmpty(); }
};

// `unit`: of the field, as it is shown ("m", "°", "N*m/rad"); empty: it has none. The work grows with the length of the text;
// nesting has a limit.
[[nodiscard]] NumberExpression evaluateNumber(QStringView text, QStringView unit = {});

} // namespace sbx::ui
