#pragma once
// What may be typed as the name of an entity of the open scene, and how entities are named in steps of undo. GUI thread.

#include "widgets/common/name_guard.h"

#include <string>
#include <vector>

namespace sbx::ui {

class Document;

// The reason against `name` for that entity, with the nearest name that is allowed and free: "my_crate" for "my crate", "crate_7" where
// "crate_6" is taken. None: the entity can have the name.
[[nodiscard]] std::optional<NameRefusal> entityNameRefusal(const Document& document, const std::string& entity, const QString& name);

// "crate_1", "3 entities".
[[nodiscard]] QString entitiesText(std::size_t count, const std::string& first);
[[nodiscard]] QString entitiesText(const std::vector<std::string>& names);

} // namespace sbx::ui
