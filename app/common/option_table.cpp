#include "app/common/option_table.h"

#include "engine/core/nearest.h"

#include <algorithm>

namespace sbx::app {

void OptionTable::flag(const std::string& name, const std::string& doc, bool& out) {
    m_options.push_back({name, "", doc, [&out](const std::string&) -> Result<void> {
                             out = true;
                             return {};
                         }});
}

void OptionTable::hiddenFlag(const std::string& name, bool& out) {
    flag(name, "", out);
    m_options.back().hidden = true;
}

void OptionTable::value(const std::string& name, const std::string& placeholder, const std::string& doc, Read read) {
    m_options.push_back({name, placeholder, doc, std::move(read)});
}

void OptionTable::text(const std::string& name, const std::string& placeholder, const std::string& doc, std::string& out) {
    value(name, placeholder, doc, [&out](const std::string& text) -> Result<void> {
        out = text;
        return {};
    });
}

void OptionTable::size(const std::string& doc, int& width, int& height, int leastWidth, int leastHeight) {
    value("--size", "WxH", doc, [&width, &height, leastWidth, leastHeight](const std::string& text) -> Result<void> {
        constexpr int Most = 16384;
        const char* end = text.data() + text.size();
        const auto first = std::from_chars(text.data(), end, width);
        const auto second = first.ptr < end ? std::from_chars(first.ptr + 1, end, height) : first;
        if (first.ec != std::errc() || second.ec != std::errc() || second.ptr != end || first.ptr == end || *first.ptr != 'x'
            || width < leastWidth || height < leastHeight || width > Most || height > Most)
            return Error{"--size " + text + ": expected WIDTHxHEIGHT, at least " + std::to_string(leastWidth) + "x"
                             + std::to_string(leastHeight),
                         {},
                         {}};
        return {};
    });
}

void OptionTable::cvars(const std::string& doc, std::vector<std::pair<std::string, std::string>>& out) {
    m_cvars = &out;
    value("--set", "NAME=VALUE", doc, [&out](const std::string& text) -> Result<void> {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{"--set " + text + ": expected NAME=VALUE", {}, {}};
        out.emplace_back(text.substr(0, equals), text.substr(equals + 1));
        return {};
    });
}

const OptionTable::Option* OptionTable::find(const std::string& name) const {
    const auto it = std::find_if(m_options.begin(), m_options.end(), [&](const Option& option) { return option.name == name; });
    return it != m_options.end() ? &*it : nullptr;
}

Error OptionTable::unknown(const std::string& name) const {
    std::vector<std::string> known;
    for (const Option& option : m_options)
        if (!option.hidden)
            known.push_back(option.name.substr(2));
    // Without the dashes, which all have in common. Names of which a third is another are not what was meant.
    const std::string typed = name.starts_with("--") ? name.substr(2) : name;
    const std::string nearest = nearestName(typed, known);
    const bool near = !nearest.empty()
                      && (nearest.find(typed) != std::string::npos || typed.find(nearest) != std::string::npos
                          || editDistance(typed, nearest) <= std::max(1, static_cast<int>(typed.size()) / 3));
    return Error{"unknown option " + name + (near ? "; did you mean --" + nearest + "?" : "; see --help"), {}, {}};
}

Result<void> OptionTable::parse(const std::vector<std::string>& arguments, std::string& positional) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string name = arguments[i] == "-h" ? "--help" : arguments[i];
        if (!name.starts_with("--") || name == "--") {
            if (!positional.empty())
                return Error{"unexpected argument " + name + ": the project is " + positional + " already", {}, {}};
            positional = name;
            continue;
        }
        std::optional<std::string> value;
        if (const std::size_t equals = name.find('='); equals != std::string::npos) {
            value = name.substr(equals + 1);
            name.resize(equals);
        }
        const Option* option = find(name);
        if (option == nullptr) {
            if (m_cvars == nullptr || name.find('.') == std::string::npos || !value)
                return unknown(name);
            m_cvars->emplace_back(name.substr(2), *value);
            continue;
        }
        if (option->placeholder.empty() && value && !option->hidden)
            return Error{name + " takes no value", {}, {}};
        if (!option->placeholder.empty()) {
            if (!value && i + 1 >= arguments.size())
                return Error{name + " needs a value; see --help", {}, {}};
            if (!value)
                value = arguments[++i];
            if (value->empty())
                return Error{name + " needs a value that is not empty", {}, {}};
        }
        if (Result<void> done = option->read(value.value_or("")); !done)
            return done;
    }
    return {};
}

std::vector<OptionTable::Listed> OptionTable::listed() const {
    std::vector<Listed> out;
    for (const Option& option : m_options)
        if (!option.hidden)
            out.push_back({option.name, option.placeholder, option.doc});
    return out;
}

std::string OptionTable::help() const {
    std::vector<std::pair<std::string, std::string>> lines;
    std::size_t widest = 0;
    for (const Listed& option : listed()) {
        lines.emplace_back(option.name + (option.placeholder.empty() ? "" : " " + option.placeholder), option.doc);
        widest = std::max(widest, lines.back().first.size());
    }
    std::string out;
    for (const auto& [name, doc] : lines)
        out += "  " + name + std::string(widest - name.size() + 2, ' ') + doc + "\n";
    return out;
}

} // namespace sbx::app
