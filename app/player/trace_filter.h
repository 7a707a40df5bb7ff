#pragma once
// --trace-filter: which records of a recorder a filter of the trace's language lets through. One thread, that of the recorder's readers
// that may add names.

#include "engine/message/record_filter.h"

#include <memory>
#include <string>

namespace sbx::player {

class TraceFilter {
public:
    // The name of an entity that a message's field refers to, 0 if it has none.
    using NameOf = std::function<NameId(EntityId)>;

    // Message types must be known by now. An empty text lets everything through. The error's file is the option, its region the place in the
    // text. The recorder outlives the filter.
    [[nodiscard]] static Result<std::unique_ptr<TraceFilter>> compile(const std::string& text, const Recorder& recorder, double ticksPerSecond);
    TraceFilter(const TraceFilter&) = delete;
    TraceFilter& operator=(const TraceFilter&) = delete;

    // Records come in the order of the recorder. Called for each, since the filter learns names from them.
    [[nodiscard]] bool matches(const RecordView& record, const NameOf& nameOf);
    [[nodiscard]] const RecordFilterSchema& schema() const { return m_schema; }

private:
    TraceFilter(const Recorder& recorder, double ticksPerSecond);

    RecordFilterSchema m_schema;
    Filter m_filter;
    RecordFilterRow m_row{m_schema};
};

} // namespace sbx::player
