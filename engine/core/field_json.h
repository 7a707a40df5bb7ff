#pragma once
// Values of described fields as JSON. Any thread.

#include "engine/core/fields.h"
#include "engine/core/json_writer.h"

namespace sbx {

// Text as it is, a reference to an entity as the text of its number or null, a vector as an array, what has no value as null.
void writeValue(JsonWriter& json, const FieldInfo& field, const Value& value);
// A member for each field, into an object that is begun.
void writeMembers(JsonWriter& json, const FieldTable& fields, const void* object);

} // namespace sbx
