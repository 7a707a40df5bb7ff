#pragma once
// Registers the built-in components.

#include "engine/entity/component_type.h"

namespace sbx {

void registerBuiltinComponents(ComponentRegistry& registry);

} // namespace sbx
