#pragma once
// A trace's model that keeps most of its records in a file, and a twin that keeps the same records in memory.

#include <QTemporaryDir>
#include <QtTest>

#include "tests/trace/model_bench.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sbx::trace_test {

// Memory for some hundred records, in chunks of some ten.
inline ui::TraceLimits smallMemory(const QTemporaryDir& folder, std::uint64_t file = std::uint64_t(1)
                                                                                     << 30U) {
    return {1'000'000, std::size_t(64) << 10U, file, folder.path().toStdString()};
}

// Until nothing is being written any more.
inline void settle(ui::TraceModel& model) {
    while (model.store().writingBytes() > 0) {
        model.store().wait();
        model.poll();
    }
}

inline std::vector<std::uint64_t> sequencesOf(const ui::TraceModel& model) {
    std::vector<std::uint64_t> out;
    for (int row = 0; row < model.rowCount(); ++row)
        out.push_back(model.sequence(row));
    return out;
}

struct OlderBench {
    QTemporaryDir folder;
    ModelBench older;
    ModelBench twin;
    explicit OlderBench(std::uint64_t file = std::uint64_t(1) << 30U)
        : older(ui::TraceStore(smallMemory(folder, file))) {}
    // Few at a time, so that writing keeps up.
    void run(int ticks, int count = 10) {
        for (int i = 0; i < ticks; i += 50) {
            older.run(std::min(50, ticks - i), count);
            settle(older.model);
        }
        twin.run(ticks, count);
    }
    void setFilter(const char* text) {
        for (ModelBench* bench : {&older, &twin}) {
            beginFilter(*bench, text);
            bench->model.finish();
        }
    }
    static void beginFilter(ModelBench& bench, const char* text) {
        auto filter = Filter::compile(text, bench.context.schema());
        QVERIFY2(filter.ok(), text);
        bench.model.setFilter(std::move(*filter));
    }
};

} // namespace sbx::trace_test
