#pragma once
// A trace's model over the records of a yard.

#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/trace/trace_model.h"

#include <utility>

namespace sbx::trace_test {

struct ModelBench {
    Yard yard;
    ui::TraceContext context{yard.source};
    ui::TraceModel model;
    explicit ModelBench(ui::TraceStore store = ui::TraceStore()) : model(context, std::move(store)) {}
    void run(int ticks, int count = 10) {
        for (int i = 0; i < ticks; ++i)
            yard.runTick(count);
        model.catchUp();
    }
    void setFilter(const char* text) {
        auto filter = Filter::compile(text, context.schema());
        QVERIFY(filter.ok());
        model.setFilter(std::move(*filter));
        model.catchUp();
    }
};

} // namespace sbx::trace_test
