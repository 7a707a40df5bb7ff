// Lines of a trace: whatever they are, each is refused with a reason or recorded, and what was recorded is written as a line, and as the row of a table, that
// is read back the same. And the text as a table.
#include "engine/core/csv.h"
#include "engine/message/record_text.h"
#include "engine/message/trace_csv.h"
#include "engine/message/trace_json.h"
#include "engine/message/trace_reader.h"
#include "tests/fuzz/fuzz.h"

using namespace sbx;

namespace {

enum class Kind : std::uint8_t { Blunt, Fire };
struct Everything {
    static constexpr const char* Name = "E";
    bool b = false;
    std::int8_t i = 0;
    float f = 0.0F;
    double d = 0.0;
    Vec2 v{0.0F};
    Quat q{1.0F, 0.0F, 0.0F, 0.0F};
    Vec4 c{1.0F};
    FixedText<8> t;
    Kind k = Kind::Blunt;
    EntityId e;
    static void describe(FieldList<Everything>& fields) {
        fields.add("b", &Everything::b, "");
        fields.add("i", &Everything::i, "").range(0, 10);
        fields.add("f", &Everything::f, "");
        fields.add("d", &Everything::d, "");
        fields.add("v", &Everything::v, "");
        fields.add("q", &Everything::q, "");
        fields.add("c", &Everything::c, "").color();
        fields.add("t", &Everything::t, "");
        fields.add("k", &Everything::k, "").choices({"blunt", "fire"});
        fields.add("e", &Everything::e, "");
    }
};

// What a reader has recorded, as lines.
std::vector<std::string> linesOf(TraceReader& reader) {
    const RecordFilterSchema schema(
        reader.recorder().names(), [&](std::uint8_t world) -> std::string_view { return reader.recorder().worldName(world); }, 60.0);
    const auto name = [&](EntityId entity) { return reader.entityName(entity); };
    std::vector<std::shared_ptr<const RecordSegment>> segments;
    reader.poll(segments);
    std::vector<std::string> lines;
    for (const auto& segment : segments)
        for (std::size_t i = 0; i < segment->size(); ++i) {
            const RecordView record = (*segment)[i];
            bool timed = false;
            for (const HandlerVisit visit : record.visits())
                timed = timed || visit.nanoseconds > 0;
            lines.push_back(traceLine(record, reader.recorder(), timed, name));
            SBX_FUZZ_MUST(recordText(schema, record, name).find('\n') == std::string::npos);
        }
    return lines;
}

std::string rowOf(const std::vector<std::string>& cells) {
    std::string row;
    for (const std::string& cell : cells)
        row += (row.empty() ? "" : ",") + csvCell(cell);
    return row;
}

void readAsTable(std::string_view text) {
    const std::size_t header = std::min(text.find('\n'), text.size());
    (void)TraceTable::isHeader(text.substr(0, header));
    const Result<TraceTable> table = TraceTable::open(text.substr(0, header));
    SBX_FUZZ_MUST(table.ok() || !table.error().message.empty());
    TraceReader reader;
    for (std::size_t from = header + 1; table && from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const Result<std::string> line = table->line(text.substr(from, end - from));
        SBX_FUZZ_MUST(line.ok() || !line.error().message.empty());
        if (line)
            (void)reader.read(*line);
        from = end + 1;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    messageIdOf<Everything>();
    const std::string_view text = fuzz::textOf(data, size);
    TraceReader reader;
    std::size_t taken = 0;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string_view line = text.substr(from, end - from);
        const Result<void> read = reader.read(line);
        SBX_FUZZ_MUST(read.ok() || !read.error().message.empty());
        SBX_FUZZ_MUST(read.ok() || read.error().region.column <= static_cast<int>(line.size()) + 1);
        taken += read.ok() ? 1U : 0U;
        from = end + 1;
    }
    const std::vector<std::string> lines = linesOf(reader);
    SBX_FUZZ_MUST(lines.size() == taken);
    TraceReader again;
    for (const std::string& line : lines)
        SBX_FUZZ_MUST(again.read(line).ok());
    SBX_FUZZ_MUST(linesOf(again) == lines);
    SBX_FUZZ_MUST(again.remarks().empty());

    std::vector<std::string> columns;
    for (std::size_t key = 0; key < traceKeys().size(); ++key)
        columns.emplace_back(traceColumn(key));
    const Result<TraceTable> table = TraceTable::open(rowOf(columns));
    SBX_FUZZ_MUST(table.ok());
    TraceReader fromTable;
    for (const std::string& line : lines) {
        const Result<std::string> read = table->line(rowOf(traceCells(line)));
        SBX_FUZZ_MUST(read.ok() && fromTable.read(*read).ok());
    }
    SBX_FUZZ_MUST(linesOf(fromTable) == lines);
    readAsTable(text);
    return 0;
}
