#pragma once
// What follows from a fault elsewhere. A type or instance that depends on a faulty one is left out with a warning.
// Where a person reads all problems at once, one mistake is one problem: what follows from it is named with it.
//
// Pure; any thread.

#include "engine/core/diagnostic.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace sbx::definition {

// The warnings that readers give. Regions and files are those of the place that depends on the faulty one.
// `type` is left out since `base`, which it extends, has a fault.
[[nodiscard]] Diagnostic leftOutWithBase(std::string file, const SourceRegion& region,
                                         const std::string& type, const std::string& base);
// So many instances, the first at `region`, are left out since their type has a fault.
[[nodiscard]] Diagnostic leftOutWithType(std::string file, const SourceRegion& region, std::size_t instances,
                                         const std::string& type);
// The instance is left out since its parent has a fault itself, or is left out itself.
[[nodiscard]] Diagnostic leftOutWithParent(std::string file, const SourceRegion& region,
                                           const std::string& instance, const std::string& parent,
                                           bool parentIsLeftOut);

// The text of a file as it was read; empty: not known.
using FileText = std::function<std::string_view(const std::string& file)>;

// Takes such warnings out of the list where the error that they follow from is in it, and names what they left out with that error:
// "mass is text (concerns also HeavyCrate and 11 entities)". The others stay as they are.
void nameConsequencesWithCauses(Diagnostics& problems, const FileText& textOf);

} // namespace sbx::definition
