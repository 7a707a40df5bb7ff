#include "engine/message/acting_components.h"

#include <algorithm>

namespace sbx {

namespace {
constexpr std::size_t MostListed = 6; // components
} // namespace

std::string listedComponents(const std::vector<std::string>& components) {
    const std::size_t listed = std::min(components.size(), MostListed);
    std::string out;
    for (std::size_t i = 0; i < listed; ++i)
        out += (i == 0 ? "" : i + 1 == components.size() ? " and " : ", ") + components[i];
    return listed == components.size() ? out
                                       : out + " and " + std::to_string(components.size() - listed) + " more";
}

std::string whoActsOn(std::string_view messageType, const std::vector<std::string>& components) {
    const std::string on = " on " + std::string(messageType);
    if (components.empty())
        return "No component acts" + on;
    return listedComponents(components) + (components.size() == 1 ? " acts" : " act") + on;
}

std::string_view hasNoneOf(std::size_t components) {
    return components == 1 ? "does not have it" : components == 2 ? "has neither" : "has none of them";
}

} // namespace sbx
