#include "tests/bench/ratios.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace sbx::bench {

namespace {

struct Figures {
    std::vector<double> nanoseconds; // per item, one a repetition

    [[nodiscard]] double median() const {
        std::vector<double> sorted = nanoseconds;
        std::sort(sorted.begin(), sorted.end());
        const std::size_t half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
    [[nodiscard]] double minimum() const { return *std::min_element(nanoseconds.begin(), nanoseconds.end()); }
};

class Collector : public benchmark::ConsoleReporter {
public:
    Collector() : ConsoleReporter(OO_Tabular) {}

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration || run.error_occurred) {
                if (run.error_occurred)
                    std::printf("%s: %s\n", run.benchmark_name().c_str(), run.error_message.c_str());
                continue;
            }
            const double iterations = static_cast<double>(run.iterations);
            const double nanoseconds = run.cpu_accumulated_time * 1e9 / iterations;
            const auto rate = run.counters.find("items_per_second");
            const double items = rate == run.counters.end() ? 1.0 : rate->second.value * nanoseconds * 1e-9;
            m_rows[run.run_name.function_name].nanoseconds.push_back(nanoseconds / std::max(items, 1e-12));
            if (std::getenv("SBX_BENCH_ITERATIONS") != nullptr)
                std::printf("items-per-iteration %.6f\n%s\n", items, run.report_label.c_str());
            for (const auto& [name, counter] : run.counters)
                if (name != "items_per_second")
                    m_counters[run.run_name.function_name][name] = counter.value;
        }
    }

    std::map<std::string, Figures> m_rows;
    std::map<std::string, std::map<std::string, double>> m_counters;
};

const char* verdict(const Ratio& ratio, double value) {
    if (ratio.reach > 0.0 && value <= ratio.reach)
        return "reached";
    if (ratio.must <= 0.0)
        return "";
    return value <= ratio.must ? "holds" : "MISSED";
}

} // namespace

benchmark::internal::Benchmark* addRow(const std::string& name, std::function<void(benchmark::State&)> run) {
    benchmark::internal::Benchmark* row = benchmark::RegisterBenchmark(name.c_str(), std::move(run));
    if (const char* fixed = std::getenv("SBX_BENCH_ITERATIONS"))
        row->Iterations(std::strtoll(fixed, nullptr, 10));
    return row;
}

benchmark::internal::Benchmark* addLongRow(const std::string& name, std::function<void(benchmark::State&)> run) {
    benchmark::internal::Benchmark* row = addRow(name, std::move(run))->Unit(benchmark::kMillisecond);
    return std::getenv("SBX_BENCH_ITERATIONS") == nullptr ? row->Iterations(1) : row;
}

int runWithRatios(int argc, char** argv, const std::vector<Ratio>& ratios) {
    const bool counting = std::getenv("SBX_BENCH_ITERATIONS") != nullptr;
    std::string repetitions = counting ? "--benchmark_repetitions=1" : "--benchmark_repetitions=9";
    std::string interleaving = "--benchmark_enable_random_interleaving=true";
    std::string minimum = "--benchmark_min_time=0.1";
    std::vector<char*> arguments{argv[0], repetitions.data(), interleaving.data(), minimum.data()};
    arguments.insert(arguments.end(), argv + 1, argv + argc);
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
        return 2;
    Collector collector;
    benchmark::RunSpecifiedBenchmarks(&collector);

    if (collector.m_rows.empty()) // a listing
        return benchmark::Shutdown(), 0;
    std::printf("\n%-58s %12s %12s\n", "row (thread CPU time per item)", "median ns", "minimum ns");
    for (const auto& [name, figures] : collector.m_rows) {
        std::printf("%-58s %12.3f %12.3f", name.c_str(), figures.median(), figures.minimum());
        for (const auto& [counter, value] : collector.m_counters[name])
            std::printf("  %s=%.4g", counter.c_str(), value);
        std::printf("\n");
    }
    bool headed = false;
    for (const Ratio& ratio : ratios) {
        const auto row = collector.m_rows.find(ratio.row);
        const auto peer = collector.m_rows.find(ratio.peer);
        if (row == collector.m_rows.end() || (peer == collector.m_rows.end() && ratio.mustTake <= 0.0))
            continue;
        if (!headed)
            std::printf("\n%-42s / %-42s %7s %7s %7s %7s\n", "row", "peer", "ratio", "of min", "must", "reach");
        headed = true;
        if (ratio.mustTake > 0.0) {
            const double takes = row->second.median();
            std::printf("%-42s : %-42s %5.1fns %5.1fns %5.1fns %7s  %s\n", ratio.row.c_str(), ratio.peer.c_str(), takes,
                        row->second.minimum(), ratio.mustTake, "", takes <= ratio.mustTake ? "holds" : "MISSED");
            continue;
        }
        if (ratio.mustOver > 0.0) {
            const double over = row->second.median() - peer->second.median();
            std::printf("%-42s - %-42s %5.2fns %5.2fns %5.2fns %7s  %s\n", ratio.row.c_str(), ratio.peer.c_str(), over,
                        row->second.minimum() - peer->second.minimum(), ratio.mustOver, "",
                        over <= ratio.mustOver ? "holds" : "MISSED");
            continue;
        }
        const double scale = ratio.published > 0.0 ? ratio.published : 1.0;
        const double value = row->second.median() / (peer->second.median() * scale);
        const std::string against = ratio.published > 0.0 ? ratio.source + " (published, via " + ratio.peer + ")" : ratio.peer;
        std::printf("%-42s / %-42s %7.3f %7.3f", ratio.row.c_str(), against.c_str(), value,
                    row->second.minimum() / (peer->second.minimum() * scale));
        ratio.must > 0.0 ? std::printf(" %7.2f", ratio.must) : std::printf(" %7s", "");
        ratio.reach > 0.0 ? std::printf(" %7.2f", ratio.reach) : std::printf(" %7s", "");
        std::printf("  %s\n", verdict(ratio, value));
    }
    benchmark::Shutdown();
    return 0;
}

} // namespace sbx::bench
