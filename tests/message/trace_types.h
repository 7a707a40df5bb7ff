#pragma once
// The message types of trace_lines.h, and what a reader made of such lines.

#include "engine/message/trace_json.h"
#include "engine/message/trace_reader.h"

#include <memory>
#include <string>
#include <vector>

namespace sbx::trace_test {

enum class Kind : std::uint8_t { Blunt, Fire };
struct Everything {
    static constexpr const char* Name = "test.Everything";
    bool loud = false;
    std::int32_t count = 0;
    float amount = 0.0F;
    double exact = 0.0;
    Vec3 point{0.0F};
    Quat turn{1.0F, 0.0F, 0.0F, 0.0F};
    Vec4 tint{1.0F};
    Text words;
    Kind kind = Kind::Blunt;
    EntityId target;
    static void describe(FieldList<Everything>& f) {
        f.add("loud", &Everything::loud, "Loud.");
        f.add("count", &Everything::count, "How often.").range(0, 10);
        f.add("amount", &Everything::amount, "How much.").unit("hp");
        f.add("exact", &Everything::exact, "With all digits.");
        f.add("point", &Everything::point, "Where.");
        f.add("turn", &Everything::turn, "Which way.");
        f.add("tint", &Everything::tint, "Colour.").color();
        f.add("words", &Everything::words, "What is said.");
        f.add("kind", &Everything::kind, "With what.").choices({"blunt", "fire"});
        f.add("target", &Everything::target, "Whom.");
    }
};
struct Bare {
    static constexpr const char* Name = "test.Bare";
    static void describe(FieldList<Bare>&) {}
};

// What the reader has, as lines again.
inline std::vector<std::string> linesOf(TraceReader& reader) {
    std::vector<std::shared_ptr<const RecordSegment>> segments;
    reader.poll(segments);
    std::vector<std::string> lines;
    for (const auto& segment : segments)
        for (std::size_t i = 0; i < segment->size(); ++i) {
            const RecordView record = (*segment)[i];
            bool timed = false;
            for (const HandlerVisit visit : record.visits())
                timed = timed || visit.nanoseconds > 0;
            lines.push_back(traceLine(record, reader.recorder(), timed,
                                      [&](EntityId id) { return reader.entityName(id); }));
        }
    return lines;
}

} // namespace sbx::trace_test
