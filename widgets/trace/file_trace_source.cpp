#include "widgets/trace/file_trace_source.h"

#include "engine/message/trace_json.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sbx::ui {

FileTraceSource::FileTraceSource(TraceFile file, TraceReader::HandlerLookup handlers, const TraceSource& live)
    : m_file(std::move(file)), m_reader(std::move(handlers)), m_live(live) {}

std::optional<EntityLife> FileTraceSource::life(std::uint8_t, EntityId entity) const {
    const std::string& name = m_reader.entityName(entity);
    return name.empty() ? std::nullopt : std::optional(EntityLife{name, std::nullopt});
}

void FileTraceSource::takeNotes(std::vector<TraceNote>& out) {
    std::vector<TraceNote> notes = m_reader.takeNotes();
    out.insert(out.end(), std::make_move_iterator(notes.begin()), std::make_move_iterator(notes.end()));
}

std::string FileTraceSource::json(const RecordView& record, const EntityNamer& entityName) const {
    const auto visits = record.visits();
    const bool timed = std::any_of(visits.begin(), visits.end(), [](const HandlerVisit v) { return v.nanoseconds > 0; });
    return traceLine(record, m_reader.recorder(), timed, entityName);
}

} // namespace sbx::ui
