#pragma once
// Words about a message that no component acted on, for the console and the trace. Pure; any thread.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

// "Body, Health and Shield"; of more than six the first six, and how many more there are.
[[nodiscard]] std::string listedComponents(const std::vector<std::string>& components);
// "Health and Shield act on Damage", "No component acts on Damage"; without a full stop.
[[nodiscard]] std::string whoActsOn(std::string_view messageType, const std::vector<std::string>& components);
// Of an entity that has none of so many components, at least one: "does not have it", "has neither" or "has none of them".
[[nodiscard]] std::string_view hasNoneOf(std::size_t components);

} // namespace sbx
