#pragma once
// To write a field what may not fit it, as often as one likes: FieldInfo::check() and write() in one, without a copy of the value.

#include "engine/core/fields.h"

namespace sbx {

// Writes the value, brought into type and range, to the field of `object`; or returns what is wrong with it and writes nothing.
// Where nothing is wrong it allocates nothing itself; a text that lies in a std::string may. Free-threaded.
Result<void> writeChecked(const FieldInfo& field, void* object, const Value& value);

} // namespace sbx
