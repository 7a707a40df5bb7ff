#pragma once
// Makes the built-in components known.

#include "engine/entity/component_type.h"

namespace sbx {

void registerBuiltinComponents(ComponentRegistry& registry);

} // namespace sbx
