#pragma once
// What the components of a program say of handlers in a trace that is read back.

#include "engine/message/trace_reader.h"
#include "engine/simulation/catalog.h"

#include <memory>

namespace sbx {

// By name in that catalog, which it keeps.
[[nodiscard]] TraceReader::HandlerLookup traceHandlers(std::shared_ptr<const Catalog> catalog);

} // namespace sbx
