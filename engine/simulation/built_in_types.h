#pragma once
// Entity types that every project has without declaring them: Empty, Box, Sphere, Capsule, Cylinder, Plane, Mesh, Light, Camera, Sound and
// Trigger. A type of the same name in a project's own files takes the place of the built-in one; a type may extend one.

#include "engine/definition/definitions.h"

#include <string>
#include <string_view>

namespace sbx {

// A definition file as Definitions::load() takes it, beside the project's own. Any thread.
[[nodiscard]] const definition::SourceFile& builtInTypes();

// The lines that declare one of them, as they could stand in a project's definition file; empty: there is no such type.
[[nodiscard]] std::string builtInTypeText(std::string_view name);

} // namespace sbx
