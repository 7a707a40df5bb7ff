#pragma once
// Writes sealed records as JSON lines, in order of sequence within what it was given: whole lines, whatever happens.

#include "app/player/trace_filter.h"
#include "engine/core/line_file.h"
#include "engine/entity/world.h"
#include "engine/message/recorder.h"

#include <memory>
#include <string>

namespace sbx::player {

class TraceWriter {
public:
    // Takes records from now on, those that the filter lets through; null: all. The recorder outlives the writer.
    [[nodiscard]] static Result<std::unique_ptr<TraceWriter>> open(const std::string& path, Recorder& recorder,
                                                                   std::unique_ptr<TraceFilter> filter = nullptr);
    TraceWriter(const TraceWriter&) = delete;
    TraceWriter& operator=(const TraceWriter&) = delete;

    // Seals what was recorded and writes it. After an error nothing more is written; close() returns it again.
    [[nodiscard]] Result<void> write(const World& world);
    // Writes to the disk; the error names the file.
    [[nodiscard]] Result<void> close();

private:
    TraceWriter(std::string path, LineFile file, Recorder& recorder, std::unique_ptr<TraceFilter> filter);

    std::string m_path;
    LineFile m_file;
    Recorder& m_recorder;
    std::unique_ptr<TraceFilter> m_filter;
    std::shared_ptr<RecordReader> m_reader;
    std::vector<std::shared_ptr<const RecordSegment>> m_segments;
};

} // namespace sbx::player
