#pragma once
// Says below the trace's filter line which name in it nothing has: message types and components, as far as they are known. Entities come and go, so
// nothing is said of their names. GUI thread.

class QString;

namespace sbx::ui {

class FilterBar;
class TraceContext;

// `filter`: what the line says. Nothing is said of one that is not valid.
void adviseFilter(FilterBar& bar, const QString& filter, const TraceContext& context);

} // namespace sbx::ui
