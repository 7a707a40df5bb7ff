#pragma once
// Components and messages in words, from their descriptions: what `help NAME` and `docs` print, and the page
// of a project's own components in the manual. Free functions; from any thread.

#include "engine/simulation/catalog.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx {

// A few lines on the component or message type of that name: its doc, fields with type, unit, range and
// default, what it handles and sends. Empty: there is neither.
[[nodiscard]] std::vector<std::string> explainPart(const Catalog& catalog, std::string_view name);

// A page of Markdown on these components, and on the message types that only they name.
[[nodiscard]] std::string referencePage(const Catalog& catalog,
                                        const std::vector<const ComponentType*>& components,
                                        std::string_view title);

// The components that come from plugins, in the catalog's order.
[[nodiscard]] std::vector<const ComponentType*> pluginComponents(const Catalog& catalog);

} // namespace sbx
