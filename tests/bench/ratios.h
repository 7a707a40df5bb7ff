#pragma once
// Benchmarks that answer "how much faster than what?": rows run interleaved in one process, each repetition of a row among those
// of its peers, and what is printed at the end is the ratio of two rows of that same run beside its goal.
//
//     int main(int argc, char** argv) {
//         addRow("queue/ours", [](benchmark::State& state) { ...; state.SetItemsProcessed(operations); });
//         addRow("queue/std", ...);
//         return runWithRatios(argc, argv, {{.row = "queue/ours", .peer = "queue/std", .must = 0.86, .reach = 0.4}});
//     }
//
// A row's figure is thread CPU time per item (SetItemsProcessed), or per iteration where it sets none; the median of the
// repetitions (9; --benchmark_repetitions changes it). tests/bench/instructions.py counts instructions of the same rows.

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace sbx::bench {

struct Ratio {
    std::string row;
    std::string peer;
    double must = 0.0;  // at most; 0: no goal
    double reach = 0.0; // aimed at; 0: none
    // Instead of a row of this run: a figure published for `peer`'s stand-in, as a multiple of `peer`, with its source.
    double published = 0.0;
    std::string source = {};
    // Instead of a ratio: how many nanoseconds more than `peer` the row takes at most.
    double mustOver = 0.0;
    // Instead of a ratio: how many nanoseconds the row takes at most; `peer` says why.
    double mustTake = 0.0;
};

// What a row's figure is of, where the row stops the clock for the rest: work that the clock and instructions.py see alone.
template <typename Work> [[gnu::noinline]] void measured(const Work& work) {
    work();
    benchmark::ClobberMemory(); // no jump to `work` instead of a call: it would leave this function's name
}
// An iteration of: `prepare`, not measured, then `work`.
template <typename Prepare, typename Work>
void measureAfter(benchmark::State& state, const Prepare& prepare, const Work& work) {
    state.SetLabel("measured in part");
    for (auto _ : state) {
        state.PauseTiming();
        prepare();
        state.ResumeTiming();
        measured(work);
    }
}

// Registers a row; names are paths, "case/contender".
benchmark::internal::Benchmark* addRow(const std::string& name, std::function<void(benchmark::State&)> run);
// One whose iterations are long: one a repetition, in milliseconds.
benchmark::internal::Benchmark* addLongRow(const std::string& name, std::function<void(benchmark::State&)> run);

// Runs what the command line selects and prints the ratios whose two rows ran. With `published`, the row is compared with
// peer * published. 0; a goal that is missed is printed, not an exit status: times are no test.
int runWithRatios(int argc, char** argv, const std::vector<Ratio>& ratios);

} // namespace sbx::bench
