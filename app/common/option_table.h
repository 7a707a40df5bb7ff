#pragma once
// The options of a program in one table, from which its command line is read and its help printed. Readers write where the table's
// maker set; parse() stops at the first fault and says which argument and what would be right. A value, used once.

#include "engine/core/result.h"

#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sbx::app {

class OptionTable {
public:
    using Read = std::function<Result<void>(const std::string& value)>;

    // `--name`
    void flag(const std::string& name, const std::string& doc, bool& out);
    // `--name VALUE` or `--name=VALUE`; the value is never empty.
    void value(const std::string& name, const std::string& placeholder, const std::string& doc, Read read);
    void text(const std::string& name, const std::string& placeholder, const std::string& doc, std::string& out);
    // A number in [minimum, maximum], both whole.
    template <typename T>
    void number(const std::string& name, const std::string& placeholder, const std::string& doc, std::optional<T>& out,
                T minimum, T maximum);
    // `--size WIDTHxHEIGHT`
    void size(const std::string& doc, int& width, int& height, int leastWidth, int leastHeight);
    // `--set NAME=VALUE` and `--room.name=VALUE`.
    void cvars(const std::string& doc, std::vector<std::pair<std::string, std::string>>& out);
    // As flag(), but not listed: for the build and for tests.
    void hiddenFlag(const std::string& name, bool& out);

    // The one argument that is no option goes to `positional`.
    [[nodiscard]] Result<void> parse(const std::vector<std::string>& arguments, std::string& positional) const;
    // A line for each option, indented.
    [[nodiscard]] std::string help() const;
    struct Listed {
        std::string name;        // "--exec"
        std::string placeholder; // "FILE.cfg"; empty: takes no value
        std::string doc;
    };
    // Those that help() names, in its order.
    [[nodiscard]] std::vector<Listed> listed() const;

private:
    struct Option {
        std::string name;
        std::string placeholder; // empty: takes no value
        std::string doc;
        Read read;
        bool hidden = false;
    };
    [[nodiscard]] const Option* find(const std::string& name) const;
    [[nodiscard]] Error unknown(const std::string& name) const;

    std::vector<Option> m_options;
    std::vector<std::pair<std::string, std::string>>* m_cvars = nullptr;
};

template <typename T>
void OptionTable::number(const std::string& name, const std::string& placeholder, const std::string& doc,
                         std::optional<T>& out, T minimum, T maximum) {
    value(name, placeholder, doc, [name, &out, minimum, maximum](const std::string& text) -> Result<void> {
        T number{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size() || !(number >= minimum && number <= maximum))
            return Error{name + " " + text + ": expected a " + (std::is_integral_v<T> ? "whole " : "") + "number in ["
                             + std::to_string(static_cast<std::int64_t>(minimum)) + ", "
                             + std::to_string(static_cast<std::int64_t>(maximum)) + "]",
                         {},
                         {}};
        out = number;
        return {};
    });
}

} // namespace sbx::app
