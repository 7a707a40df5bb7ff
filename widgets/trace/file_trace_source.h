#pragma once
// A TraceSource over a trace file: what of it was read so far. Everything in it was recorded, and nothing more will be. GUI thread; `live`, the source of
// the session beside it, must outlive it.

#include "engine/message/trace_file.h"
#include "widgets/trace/trace_source.h"

#include <string>
#include <vector>

namespace sbx::ui {

class FileTraceSource : public TraceSource {
public:
    // `handlers`: see TraceReader. Ticks in a second are those of the session, because a trace does not say them.
    FileTraceSource(TraceFile file, TraceReader::HandlerLookup handlers, const TraceSource& live);

    // Reads some lines; false after the last.
    bool read(std::size_t lines) { return m_file.read(m_reader, lines); }
    [[nodiscard]] const TraceFile& file() const { return m_file; }
    [[nodiscard]] const TraceReader& reader() const { return m_reader; }

    void poll(std::vector<std::shared_ptr<const RecordSegment>>& out) override { m_reader.poll(out); }
    void takeNotes(std::vector<TraceNote>& out) override;
    [[nodiscard]] std::uint64_t missed() const override { return 0; }
    [[nodiscard]] const NameTable& names() const override { return m_reader.recorder().names(); }
    [[nodiscard]] std::string_view worldName(std::uint8_t world) const override { return m_reader.recorder().worldName(world); }
    [[nodiscard]] double ticksPerSecond() const override { return m_live.ticksPerSecond(); }
    [[nodiscard]] std::optional<EntityLife> life(std::uint8_t world, EntityId entity) const override;
    [[nodiscard]] std::optional<CodeLine> codeOf(std::string_view component,
                                                 MessageTypeId type) const override {
        return m_live.codeOf(component, type);
    }
    [[nodiscard]] std::vector<std::string> handlersOf(MessageTypeId type) const override { return m_live.handlersOf(type); }
    [[nodiscard]] std::string json(const RecordView& record, const EntityNamer& entityName) const override;
    [[nodiscard]] bool isRecorded(MessageTypeId) const override { return true; }
    void requestRecorded(MessageTypeId, bool) override {}
    [[nodiscard]] bool isLive() const override { return false; }

private:
    TraceFile m_file;
    TraceReader m_reader;
    const TraceSource& m_live;
};

} // namespace sbx::ui
