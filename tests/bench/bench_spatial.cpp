// The tree beside what one would otherwise take: per frame all spheres move, and every pair of overlapping boxes is listed.
// Then boxes and rays asked of each after a while of motion. An item is a sphere, or a question: a time per item that stays the
// same from 200 to 100,000 spheres grows in proportion to them. The last ratios say by how much it does not.
//
// Every contender keeps its world from one repetition to the next, so what is measured is what a tree comes to be in the long
// run, not what it was when it was built.

#include "tests/bench/ratios.h"
#include "tests/bench/sphere_questions.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>

using namespace sbx;
using namespace sbx::bench;

namespace {

constexpr float Slow = 0.015F;
constexpr float Fast = 0.15F;
constexpr std::size_t Counts[] = {200, 2000, 20000, 100000};
constexpr float Speeds[] = {Slow, Fast};
constexpr std::size_t MaxForBruteForce = 20000; // among 100,000 a frame takes it half a minute

std::string place(std::size_t count, float step) {
    return std::to_string(count) + (step == Slow ? "/slow/" : "/fast/");
}

bool counting() { return std::getenv("SBX_BENCH_ITERATIONS") != nullptr; }

// ---- frames

template <typename Contender> struct World {
    World(std::size_t count, float step, int frames) : spheres(count, step), contender(spheres) {
        for (int i = 0; i < frames; ++i) {
            spheres.advance();
            if constexpr (!std::is_same_v<Contender, BruteForce>) { // keeps nothing from frame to frame
                contender.frame(spheres);
            }
        }
    }
    Spheres spheres;
    Contender contender;
};

template <typename Contender>
void addFrames(const std::string& name, std::size_t count, float step, int warm, std::int64_t iterations) {
    const auto known = std::make_shared<std::unique_ptr<World<Contender>>>();
    const auto row = addRow(name, [=](benchmark::State& state) {
        if (!*known) {
            *known = std::make_unique<World<Contender>>(count, step, warm);
        }
        World<Contender>& world = **known;
        std::size_t pairs = 0;
        for (auto _ : state) {
            world.spheres.advance();
            pairs = world.contender.frame(world.spheres);
            benchmark::DoNotOptimize(pairs);
        }
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
        state.counters["pairs/item"] = static_cast<double>(pairs) / static_cast<double>(count);
    });
    if (!counting()) {
        row->Iterations(iterations);
    }
}

void addFrameRows(std::vector<Ratio>& ratios) {
    for (const std::size_t count : Counts) {
        for (const float step : Speeds) {
            const std::string at = "pairs/" + place(count, step);
            const int warm = count >= 100000 ? 30 : 60;
            const auto iterations = static_cast<std::int64_t>(count >= 100000 ? 12 : 800000 / count);
            addFrames<TreeContender>(at + "tree", count, step, warm, iterations);
            addFrames<UniformGrid>(at + "grid", count, step, warm, iterations);
            addFrames<BulletTree>(at + "btDbvt", count, step, warm, iterations);
            addFrames<BulletBroadphase>(at + "btDbvtBroadphase", count, step, warm, iterations);
            if (count <= MaxForBruteForce) {
                addFrames<BruteForce>(at + "brute", count, step, 0, count < 20000 ? iterations / 4 : 1);
                ratios.push_back({.row = at + "tree", .peer = at + "brute"});
            }
            ratios.push_back({.row = at + "tree", .peer = at + "btDbvt", .must = 0.9});
            ratios.push_back({.row = at + "tree", .peer = at + "btDbvtBroadphase", .must = 1.0});
            ratios.push_back({.row = at + "tree", .peer = at + "grid", .reach = 1.8});
        }
    }
}

// ---- questions

template <typename Contender, typename Questions> struct Asked {
    Asked(std::size_t count, float step, int frames) : world(count, step, frames), questions(world.spheres, world.contender) {
        Spheres places(256, 1.0F);
        for (std::size_t i = 0; i < places.count(); ++i) {
            asked.push_back({places.center[i] * (world.spheres.side / places.side), places.motion[i] * 20.0F});
        }
    }
    World<Contender> world;
    Questions questions;
    std::vector<spatial::Segment> asked;
};

template <typename Contender, typename Questions>
void addQuestions(const std::string& peer, std::size_t count, float step, int frames) {
    using Both = Asked<Contender, Questions>;
    const auto known = std::make_shared<std::unique_ptr<Both>>();
    const auto add = [&](const char* question, auto ask) {
        const auto row = addRow(question + ("/" + place(count, step)) + peer, [=](benchmark::State& state) {
            if (!*known) {
                *known = std::make_unique<Both>(count, step, frames);
            }
            Both& both = **known;
            std::size_t hits = 0;
            for (auto _ : state) {
                hits = 0;
                for (const spatial::Segment& each : both.asked) {
                    hits += ask(both.questions, each);
                }
                benchmark::DoNotOptimize(hits);
            }
            state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(both.asked.size()));
            state.counters["hits/item"] = static_cast<double>(hits) / static_cast<double>(both.asked.size());
        });
        if (!counting()) {
            row->Iterations(peer == "brute" ? static_cast<std::int64_t>(100000 / count) : 40);
        }
    };
    add("box", [](Questions& questions, const spatial::Segment& each) {
        return questions.box(spatial::around(each.from, Vec3(1.5F)));
    });
    add("rayAll", [](Questions& questions, const spatial::Segment& each) { return questions.rayAll(each); });
    add("rayClosest", [](Questions& questions, const spatial::Segment& each) { return questions.rayClosest(each); });
}

void addQuestionRows(std::vector<Ratio>& ratios) {
    for (const std::size_t count : Counts) {
        for (const float step : Speeds) {
            const int frames = count >= 100000 ? 20 : 60;
            addQuestions<TreeContender, TreeQuestions>("tree", count, step, frames);
            addQuestions<UniformGrid, GridQuestions>("grid", count, step, frames);
            addQuestions<BulletTree, BulletTreeQuestions>("btDbvt", count, step, frames);
            addQuestions<BulletBroadphase, BulletBroadphaseQuestions>("btDbvtBroadphase", count, step, frames);
            addQuestions<BruteForce, BruteQuestions>("brute", count, step, frames);
        }
    }
    for (const std::string question : {"box/", "rayAll/", "rayClosest/"}) {
        for (const std::size_t count : Counts) {
            for (const float step : Speeds) {
                const std::string at = question + place(count, step);
                ratios.push_back({.row = at + "tree", .peer = at + "brute"});
                ratios.push_back({.row = at + "tree", .peer = at + "btDbvt", .must = 0.9});
                ratios.push_back({.row = at + "tree", .peer = at + "btDbvtBroadphase", .must = 0.9});
                ratios.push_back({.row = at + "tree", .peer = at + "grid", .reach = 1.8});
            }
        }
    }
}

// Time per item among 100,000 to that among 200.
void addGrowth(std::vector<Ratio>& ratios) {
    for (const std::string what : {"pairs/", "box/", "rayAll/", "rayClosest/"}) {
        for (const float step : Speeds) {
            for (const char* peer : {"tree", "grid", "btDbvt", "btDbvtBroadphase"}) {
                ratios.push_back({.row = what + place(100000, step) + peer, .peer = what + place(200, step) + peer});
            }
            const std::size_t most = what == "pairs/" ? MaxForBruteForce : 100000;
            ratios.push_back({.row = what + place(most, step) + "brute", .peer = what + place(200, step) + "brute"});
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    std::vector<Ratio> ratios;
    addFrameRows(ratios);
    addQuestionRows(ratios);
    addGrowth(ratios);
    return runWithRatios(argc, argv, ratios);
}
