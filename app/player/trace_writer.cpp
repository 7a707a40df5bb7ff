#include "app/player/trace_writer.h"

#include "engine/message/trace_json.h"

#include <utility>

namespace sbx::player {

Result<std::unique_ptr<TraceWriter>> TraceWriter::open(const std::string& path, Recorder& recorder,
                                                       std::unique_ptr<TraceFilter> filter) {
    Result<LineFile> file = LineFile::create(path);
    if (!file)
        return file.error();
    return std::unique_ptr<TraceWriter>(new TraceWriter(path, std::move(*file), recorder, std::move(filter)));
}

TraceWriter::TraceWriter(std::string path, LineFile file, Recorder& recorder, std::unique_ptr<TraceFilter> filter)
    : m_path(std::move(path)),
      m_file(std::move(file)),
      m_recorder(recorder),
      m_filter(std::move(filter)),
      m_reader(recorder.addReader()) {}

Result<void> TraceWriter::write(const World& world) {
    m_recorder.seal();
    m_segments.clear();
    m_reader->poll(m_segments);
    const auto name = [&](EntityId id) { return world.nameOf(id); };
    const auto nameId = [&](EntityId id) { return m_recorder.names().intern(world.nameOf(id)); };
    for (const auto& segment : m_segments)
        for (std::size_t i = 0; i < segment->size(); ++i) {
            const RecordView record = (*segment)[i];
            if (m_filter && !m_filter->matches(record, nameId))
                continue;
            if (const Result<void> put = m_file.append(traceLine(record, m_recorder, m_recorder.timing(), name) + "\n"); !put)
                return put;
        }
    return {};
}

Result<void> TraceWriter::close() {
    if (m_reader->missed() > 0)
        return makeError(std::to_string(m_reader->missed()) + " records are missing from " + m_path
                         + ": a single tick held too many");
    return m_file.close();
}

} // namespace sbx::player
