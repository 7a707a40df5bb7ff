#include "widgets/common/field_change.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

namespace sbx::ui {

namespace {

// Calls change(number) -> number for the numbers of a value that the element means; others stay.
template <typename Change> void changeNumbers(Value& value, int element, const Change& change) {
    std::visit(
        [&](auto& v) {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, std::int64_t>) {
                v = static_cast<std::int64_t>(std::llround(change(static_cast<double>(v), 0)));
            } else if constexpr (std::is_same_v<T, double>) {
                v = change(v, 0);
            } else if constexpr (std::is_same_v<T,
                                                Vec2> || std::is_same_v<T, Vec3> || std::is_same_v<T, Vec4>) {
                for (glm::length_t i = 0; i < T::length(); ++i)
                    if (element < 0 || element == i)
                        v[i] = static_cast<float>(
                            change(static_cast<double>(v[i]), static_cast<std::size_t>(i)));
            }
        },
        value);
}

} // namespace

const char* operatorText(FieldChange::Kind kind) {
    static constexpr const char* Texts[] = {"=", "+=", "-=", "*=", "/="};
    return Texts[static_cast<std::size_t>(kind)];
}

double operated(double number, FieldChange::Kind kind, double operand) {
    switch (kind) {
    case FieldChange::Kind::Set:
        return operand;
    case FieldChange::Kind::Add:
        return number + operand;
    case FieldChange::Kind::Subtract:
        return number - operand;
    case FieldChange::Kind::Multiply:
        return number * operand;
    case FieldChange::Kind::Divide:
        return number / operand;
    }
    return number;
}

Result<Value> changedValue(const FieldInfo& field, const Value& before, const FieldChange& change,
                           bool bounded) {
    if (change.kind == FieldChange::Kind::Set && change.element < 0)
        return field.check(change.value);
    Value after = before;
    bool finite = true;
    changeNumbers(after, change.element, [&](double number, std::size_t i) {
        double next = change.kind == FieldChange::Kind::Set ? elementOf(change.value, i).value_or(number)
                                                            : operated(number, change.kind, change.operand);
        if (field.type == FieldType::Int)
            next = std::round(next);
        if (bounded)
            next = std::clamp(next, field.minimum, field.maximum);
        finite = finite && std::isfinite(next) && (field.type != FieldType::Int || std::abs(next) < 9e18);
        return finite ? next : number;
    });
    if (!finite)
        return Error{field.name + " is no number that can be kept; expected " + field.expectation(), {}, {}};
    return field.check(after);
}

} // namespace sbx::ui
