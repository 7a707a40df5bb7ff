// Filtering one million records, as the trace does when a filter is typed: this engine's compiled filter over records in place,
// beside the same condition by hand in C++ (what no language can beat), as a tree of closures over the same rows (what is written
// first), and as a regular expression over each record's text (what a log viewer does; one record in a hundred, for its slowness).

#include "engine/message/record_filter.h"
#include "engine/message/recorder.h"
#include "engine/message/trace_json.h"
#include "tests/bench/ratios.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <regex>
#include <string>
#include <vector>

using namespace sbx;
using namespace sbx::bench;

namespace {

enum class Kind : std::uint8_t { Blunt, Fire, Ice };

struct Hurt {
    static constexpr const char* Name = "bench.Hurt";
    float amount = 0.0F;
    Kind kind = Kind::Blunt;
    static void describe(FieldList<Hurt>& f) {
        f.add("amount", &Hurt::amount, "How much.");
        f.add("kind", &Hurt::kind, "Of what.").choices({"blunt", "fire", "ice"});
    }
};
struct Touched {
    static constexpr const char* Name = "bench.Touched";
    Vec3 point{0.0F};
    static void describe(FieldList<Touched>& f) { f.add("point", &Touched::point, "Where."); }
};

constexpr std::size_t Records = 1'000'000;
constexpr std::size_t Entities = 1000;
constexpr std::size_t PerTick = 1000;
constexpr std::size_t TextEvery = 100;

struct Trace {
    Recorder recorder;
    std::vector<std::shared_ptr<const RecordSegment>> segments;
    std::unique_ptr<RecordFilterSchema> schema;
    std::vector<std::string> texts; // of every hundredth

    Trace() {
        recorder.addWorld("local");
        recorder.setEnabled(true);
        const auto reader = recorder.addReader();
        std::vector<NameId> names;
        for (std::size_t i = 0; i < Entities; ++i)
            names.push_back(recorder.names().intern((i % 3 == 0 ? "crate_" : "ball_") + std::to_string(i)));
        Envelope envelope;
        std::uint64_t random = 1;
        for (std::size_t i = 0; i < Records; ++i) {
            random = random * 6364136223846793005ULL + 1442695040888963407ULL;
            const auto from = static_cast<std::size_t>(random >> 40U) % Entities;
            const auto to = static_cast<std::size_t>(random >> 20U) % Entities;
            envelope.sequence = i + 1;
            envelope.tick = i / PerTick;
            envelope.sender = EntityId::fromBits(from + 1);
            envelope.receiver = EntityId::fromBits(to + 1);
            if (random >> 63U != 0) {
                envelope.type = messageIdOf<Hurt>();
                const Hurt hurt{static_cast<float>(random >> 50U & 15U), static_cast<Kind>((random >> 56U) % 3)};
                recorder.finish(recorder.begin(envelope, names[from], names[to], NoHandlers, &hurt, sizeof hurt), 0, false);
            } else {
                envelope.type = messageIdOf<Touched>();
                const Touched touched{Vec3(static_cast<float>(random >> 50U & 15U))};
                recorder.finish(recorder.begin(envelope, names[from], names[to], NoHandlers, &touched, sizeof touched), 0, false);
            }
            if (i % PerTick == PerTick - 1)
                recorder.seal();
        }
        reader->poll(segments);
        schema = std::make_unique<RecordFilterSchema>(
            recorder.names(), [this](std::uint8_t world) -> std::string_view { return recorder.worldName(world); }, 60.0);
        std::size_t n = 0;
        each([&](const RecordView& record) {
            schema->learn(record);
            if (n++ % TextEvery == 0)
                texts.push_back(traceLine(record, recorder, false));
        });
    }
    template <typename Visit> void each(const Visit& visit) const {
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                visit((*segment)[i]);
    }
};

Trace& trace() {
    static Trace one;
    return one;
}


// --- closures: each node a std::function over the row
using Node = std::function<bool(const RecordFilterRow&)>;
using S = RecordFilterSchema;
FilterFieldId idOf(const char* name) {
    FilterFieldId id = 0;
    if (!trace().schema->schema().findId(name, id))
        std::abort();
    return id;
}
Node textIs(FilterFieldId field, std::string value) {
    return [field, value = std::move(value)](const RecordFilterRow& row) {
        for (std::size_t i = 0; i < row.valueCount(field); ++i)
            if (const FilterValue v = row.value(field, i); v.kind == FilterValue::Kind::String && v.text == value)
                return true;
        return false;
    };
}
Node textLike(FilterFieldId field, std::string pattern) {
    return [field, pattern = std::move(pattern)](const RecordFilterRow& row) {
        return matchesGlob(pattern, row.value(field, 0).text);
    };
}
Node numberAbove(FilterFieldId field, double limit) {
    return [field, limit](const RecordFilterRow& row) {
        const FilterValue v = row.value(field, 0);
        return v.kind == FilterValue::Kind::Number ? v.number > limit
                                                   : v.kind == FilterValue::Kind::Integer && static_cast<double>(v.integer) > limit;
    };
}
Node both(Node a, Node b) {
    return [a = std::move(a), b = std::move(b)](const RecordFilterRow& row) { return a(row) && b(row); };
}
Node either(Node a, Node b) {
    return [a = std::move(a), b = std::move(b)](const RecordFilterRow& row) { return a(row) || b(row); };
}

const Hurt* hurtOf(const RecordView& record) {
    return record.type() == messageIdOf<Hurt>() ? static_cast<const Hurt*>(record.payload()) : nullptr;
}

template <typename Match> void count(benchmark::State& state, const Match& match) {
    const Trace& t = trace();
    std::size_t found = 0;
    for (auto _ : state) {
        found = 0;
        t.each([&](const RecordView& record) { found += match(record) ? 1U : 0U; });
        benchmark::DoNotOptimize(found);
    }
    state.counters["found"] = static_cast<double>(found);
    state.SetItemsProcessed(state.iterations() * std::int64_t(Records));
}

void ours(benchmark::State& state, const char* text) {
    const Result<Filter> filter = Filter::compile(text, trace().schema->schema());
    if (!filter) {
        std::fprintf(stderr, "%s\n", filter.error().message.c_str());
        std::abort();
    }
    RecordFilterRow row(*trace().schema);
    count(state, [&](const RecordView& record) {
        row.set(record);
        return filter->matches(row);
    });
}
void closures(benchmark::State& state, const Node& node) {
    RecordFilterRow row(*trace().schema);
    count(state, [&](const RecordView& record) {
        row.set(record);
        return node(row);
    });
}
void expression(benchmark::State& state, const char* pattern) {
    const std::regex regex(pattern, std::regex::optimize);
    std::size_t found = 0;
    for (auto _ : state) {
        found = 0;
        for (const std::string& text : trace().texts)
            found += std::regex_search(text, regex) ? 1U : 0U;
        benchmark::DoNotOptimize(found);
    }
    state.counters["found"] = static_cast<double>(found);
    state.SetItemsProcessed(state.iterations() * std::int64_t(trace().texts.size()));
}

} // namespace

int main(int argc, char** argv) {
    trace();
    const FilterFieldId amount = idOf("fields.amount");
    const FilterFieldId kind = idOf("fields.kind");

    addRow("type/ours", [](benchmark::State& s) { ours(s, "type == \"bench.Hurt\""); });
    addRow("type/by hand", [](benchmark::State& s) {
        count(s, [id = messageIdOf<Hurt>()](const RecordView& r) { return r.type() == id; });
    });
    addRow("type/closures", [](benchmark::State& s) { closures(s, textIs(S::Type, "bench.Hurt")); });
    addRow("type/regex", [](benchmark::State& s) { expression(s, "\"type\":\"bench\\.Hurt\""); });

    addRow("payload/ours", [](benchmark::State& s) { ours(s, "type == \"bench.Hurt\" and fields.amount > 5 and fields.kind == fire"); });
    addRow("payload/by hand", [](benchmark::State& s) {
        count(s, [](const RecordView& r) {
            const Hurt* const hurt = hurtOf(r);
            return hurt != nullptr && hurt->amount > 5.0F && hurt->kind == Kind::Fire;
        });
    });
    addRow("payload/closures", [amount, kind](benchmark::State& s) {
        closures(s, both(textIs(S::Type, "bench.Hurt"), both(numberAbove(amount, 5.0), textIs(kind, "fire"))));
    });
    addRow("payload/regex", [](benchmark::State& s) {
        expression(s, "\"type\":\"bench\\.Hurt\".*\"amount\":([6-9]|1[0-9]).*\"kind\":\"fire\"");
    });

    addRow("names/ours", [](benchmark::State& s) { ours(s, "to ~ crate* and from == crate_3 or tick > 900"); });
    addRow("names/by hand", [](benchmark::State& s) {
        const NameTable& names = trace().recorder.names();
        count(s, [&names](const RecordView& r) {
            return (names.name(r.receiverName()).starts_with("crate") && names.name(r.senderName()) == "crate_3") || r.tick() > 900;
        });
    });
    addRow("names/closures", [](benchmark::State& s) {
        closures(s, either(both(textLike(S::Receiver, "crate*"), textIs(S::Sender, "crate_3")), numberAbove(S::Tick, 900.0)));
    });

    const std::vector<Ratio> ratios{{.row = "type/ours", .peer = "type/closures"},
                                    {.row = "payload/ours", .peer = "payload/closures"},
                                    {.row = "names/ours", .peer = "names/closures"},
                                    {.row = "type/ours", .peer = "type/regex", .must = 0.1},
                                    {.row = "payload/ours", .peer = "payload/regex", .must = 0.1},
                                    {.row = "type/ours", .peer = "type/by hand"},
                                    {.row = "payload/ours", .peer = "payload/by hand"},
                                    {.row = "names/ours", .peer = "names/by hand"}};
    return runWithRatios(argc, argv, ratios);
}
