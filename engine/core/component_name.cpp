#include "engine/core/component_name.h"

#include <algorithm>
#include <charconv>

namespace sbx {

ComponentName parseComponentName(std::string_view name) {
    const std::size_t mark = name.find('#');
    if (mark == std::string_view::npos)
        return {name, 1};
    const std::string_view digits = name.substr(mark + 1);
    ComponentName out{name.substr(0, mark), 0};
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), out.number);
    if (fault != std::errc() || end != digits.data() + digits.size())
        out.number = 0;
    return out;
}

std::string componentName(std::string_view type, std::size_t number) {
    std::string out(type);
    if (number > 1)
        out += "#" + std::to_string(number);
    return out;
}

std::size_t ComponentNumbering::next(std::string_view type) {
    m_types.push_back(type);
    return static_cast<std::size_t>(std::count(m_types.begin(), m_types.end(), type));
}

} // namespace sbx
