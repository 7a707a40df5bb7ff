// The tree beside what one would otherwise take: per frame all spheres move, and every pair of overlapping boxes is listed.
// Then rays and boxes asked of a tree at rest. An item is a sphere, or a query: a time per item that stays the same from 200 to
// 100,000 spheres grows in proportion to them.

#include "tests/bench/ratios.h"
#include "tests/bench/spheres.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace sbx;
using namespace sbx::bench;

namespace {

constexpr float Slow = 0.015F;
constexpr float Fast = 0.15F;

template <typename Contender> void addFrames(const std::string& name, std::size_t count, float step) {
    const auto row = addRow(name, [=](benchmark::State& state) {
        Spheres spheres(count, step);
        Contender contender(spheres);
        for (int i = 0; i < 20 && count <= 20000; ++i) {
            spheres.advance();
            contender.frame(spheres);
        }
        std::size_t pairs = 0;
        for (auto _ : state) {
            spheres.advance();
            pairs = contender.frame(spheres);
            benchmark::DoNotOptimize(pairs);
        }
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
        state.counters["pairs/item"] = static_cast<double>(pairs) / static_cast<double>(count);
    });
    if (std::getenv("SBX_BENCH_ITERATIONS") == nullptr) {
        row->Iterations(static_cast<std::int64_t>(count >= 100000 ? 20 : 800000 / count));
    }
}

void addFrameRows(std::vector<Ratio>& ratios) {
    for (const std::size_t count : {200U, 2000U, 20000U, 100000U}) {
        for (const float step : {Slow, Fast}) {
            const std::string at = "pairs/" + std::to_string(count) + (step == Slow ? "/slow/" : "/fast/");
            addFrames<TreeContender>(at + "tree", count, step);
            addFrames<UniformGrid>(at + "grid", count, step);
            addFrames<BulletTree>(at + "btDbvt", count, step);
            addFrames<BulletBroadphase>(at + "btDbvtBroadphase", count, step);
            if (count <= 2000) {
                addFrames<BruteForce>(at + "brute", count, step);
                ratios.push_back({.row = at + "tree", .peer = at + "brute"});
            }
            ratios.push_back({.row = at + "tree", .peer = at + "btDbvt", .must = 0.9});
            ratios.push_back({.row = at + "tree", .peer = at + "btDbvtBroadphase", .must = 1.0});
            ratios.push_back({.row = at + "tree", .peer = at + "grid", .reach = 1.8});
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    std::vector<Ratio> ratios;
    addFrameRows(ratios);
    return runWithRatios(argc, argv, ratios);
}
