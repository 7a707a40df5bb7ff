#include "engine/core/key_name.h"

#include "engine/core/ascii_case.h"
#include "engine/core/nearest.h"
#include "engine/core/value.h"

#include <array>
#include <utility>
#include <vector>

namespace sbx {

namespace {

constexpr std::array<const char*, 4> Modifiers = {"Ctrl", "Shift", "Alt", "Meta"};

// What may be typed, and the name.
constexpr std::pair<const char*, const char*> Named[] = {
    {"space", "Space"},       {"tab", "Tab"},         {"return", "Return"},   {"enter", "Enter"},
    {"escape", "Esc"},        {"esc", "Esc"},         {"backspace", "Backspace"},
    {"delete", "Del"},        {"del", "Del"},         {"insert", "Ins"},      {"ins", "Ins"},
    {"home", "Home"},         {"end", "End"},         {"pageup", "PgUp"},     {"pgup", "PgUp"},
    {"pagedown", "PgDown"},   {"pgdown", "PgDown"},   {"left", "Left"},       {"right", "Right"},
    {"up", "Up"},             {"down", "Down"},       {"pause", "Pause"},     {"print", "Print"}};

std::string plainKey(std::string_view typed) {
    if (typed.size() == 1) {
        const char c = typed[0];
        if (c >= 'a' && c <= 'z')
            return std::string(1, static_cast<char>(c - 'a' + 'A'));
        if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || std::string_view("-=[]'/\\`.").find(c) != std::string_view::npos)
            return std::string(1, c);
        return {};
    }
    const std::string small = lowered(typed);
    for (const auto& [from, to] : Named)
        if (small == from)
            return to;
    if (small.size() <= 3 && small[0] == 'f' && small[1] >= '1' && small[1] <= '9') {
        const bool two = small.size() == 3;
        if (two && (small[2] < '0' || small[2] > '9'))
            return {};
        const int number = two ? (small[1] - '0') * 10 + (small[2] - '0') : small[1] - '0';
        if (number <= 24)
            return "F" + std::to_string(number);
    }
    return {};
}

} // namespace

Result<std::string> keyName(std::string_view typed) {
    std::array<bool, Modifiers.size()> held{};
    std::string_view rest = typed;
    const auto wrong = [&](std::string_view part) {
        std::vector<std::string> names(Modifiers.begin(), Modifiers.end());
        for (const auto& [from, to] : Named)
            names.emplace_back(to);
        std::string message = inQuotes(part.substr(0, 40)) + " is no key; expected a letter, digit, F1 to F24 or a name "
                                                           "such as Space, after Ctrl+, Shift+, Alt+ or Meta+";
        if (const std::string near = part.size() > 40 ? std::string() : nearestName(part, names); !near.empty())
            message += "; did you mean " + near + "?";
        return Error{message, {}, {}};
    };
    for (std::size_t plus = rest.find('+'); plus != std::string_view::npos && plus + 1 < rest.size();
         plus = rest.find('+')) {
        const std::string modifier = lowered(rest.substr(0, plus));
        std::size_t found = Modifiers.size();
        for (std::size_t i = 0; i < Modifiers.size(); ++i)
            if (modifier == lowered(Modifiers[i]) || (i == 0 && modifier == "control"))
                found = i;
        if (found == Modifiers.size() || held[found])
            return wrong(rest.substr(0, plus));
        held[found] = true;
        rest.remove_prefix(plus + 1);
    }
    for (const char* modifier : Modifiers)
        if (lowered(rest) == lowered(modifier) || lowered(rest) == "control")
            return Error{inQuotes(rest) + " alone is no key; expected one behind it, such as " + std::string(typed) + "+G", {}, {}};
    const std::string key = rest.empty() ? std::string() : plainKey(rest);
    if (key.empty())
        return wrong(rest);
    std::string out;
    for (std::size_t i = 0; i < Modifiers.size(); ++i)
        if (held[i])
            out += std::string(Modifiers[i]) + "+";
    return out + key;
}

} // namespace sbx
