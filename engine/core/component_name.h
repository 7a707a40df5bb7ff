#pragma once
// Names of the components of one entity or entity type. Several of one type are numbered in their order: "Mesh", "Mesh#2", "Mesh#3".
// Everything that writes or reads such a name does it here. Any thread.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

struct ComponentName {
    std::string_view type; // "Mesh"; part of the text that was parsed
    std::size_t number =
        1; // from 1; 0: what follows the # is not a number, so that no component has the name
};

// "Mesh#1" is "Mesh".
[[nodiscard]] ComponentName parseComponentName(std::string_view name);
// "Mesh" for number 1, else "Mesh#2".
[[nodiscard]] std::string componentName(std::string_view type, std::size_t number);

// Numbers components one after the other. The texts of the types outlive it.
class ComponentNumbering {
public:
    [[nodiscard]] std::size_t next(std::string_view type);
    [[nodiscard]] std::string nextName(std::string_view type) { return componentName(type, next(type)); }

private:
    std::vector<std::string_view> m_types; // so far: an entity has a handful of components
};

} // namespace sbx
