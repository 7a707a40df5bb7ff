#include "app/player/trace_writer.h"

#include "engine/message/trace_json.h"

#include <cerrno>
#include <cstring>

namespace sbx::player {

Result<std::unique_ptr<TraceWriter>> TraceWriter::open(const std::string& path, Recorder& recorder) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr)
        return Error{"cannot write " + path + ": " + std::strerror(errno), {}, {}};
    return std::unique_ptr<TraceWriter>(new TraceWriter(path, file, recorder));
}

TraceWriter::TraceWriter(std::string path, std::FILE* file, Recorder& recorder)
    : m_path(std::move(path)), m_file(file), m_recorder(recorder), m_reader(recorder.addReader()) {}

TraceWriter::~TraceWriter() {
    if (m_file != nullptr)
        std::fclose(m_file);
}

void TraceWriter::write(const World& world) {
    m_recorder.seal();
    m_segments.clear();
    m_reader->poll(m_segments);
    const auto name = [&](EntityId id) { return world.nameOf(id); };
    for (const auto& segment : m_segments)
        for (std::size_t i = 0; i < segment->size(); ++i) {
            const std::string line = traceLine((*segment)[i], m_recorder, m_recorder.timing(), name) + "\n";
            std::fwrite(line.data(), 1, line.size(), m_file);
        }
}

Result<void> TraceWriter::close() {
    if (m_reader->missed() > 0)
        return Error{std::to_string(m_reader->missed()) + " records are missing from " + m_path + ": a single tick held too many", {}, {}};
    const bool failed = std::ferror(m_file) != 0;
    const bool closed = std::fclose(m_file) == 0;
    m_file = nullptr;
    if (failed || !closed)
        return Error{"cannot write " + m_path + ": " + std::strerror(errno), {}, {}};
    return {};
}

} // namespace sbx::player
