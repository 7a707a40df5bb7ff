// The tree beside what one would otherwise take: per frame all spheres move, and every pair of overlapping boxes is listed.
// Then rays and boxes asked of a tree at rest. An item is a sphere, or a query: a time per item that stays the same from 200 to
// 100,000 spheres grows in proportion to them.

#include "tests/bench/ratios.h"
#include "tests/bench/spheres.h"

#include <cstdlib>
#include <map>
#include <memory>
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

// ---- questions of a tree at rest, half a second of motion after it was built

struct Questions {
    explicit Questions(std::size_t count) : spheres(count, Slow), ours(spheres), bullets(spheres) {
        for (int i = 0; i < 30; ++i) {
            spheres.advance();
            ours.frame(spheres);
            bullets.frame(spheres);
        }
        Spheres places(1024, 1.0F);
        for (std::size_t i = 0; i < places.count(); ++i) {
            const Vec3 from = places.center[i] * (spheres.side / places.side);
            const Vec3 way = places.motion[i] * 20.0F;
            asked.push_back({from, way});
        }
    }
    Spheres spheres;
    TreeContender ours;
    BulletTree bullets;
    std::vector<spatial::Segment> asked;
};

Questions& questions(std::size_t count) {
    static std::map<std::size_t, std::unique_ptr<Questions>> known;
    std::unique_ptr<Questions>& found = known[count];
    if (!found) {
        found = std::make_unique<Questions>(count);
    }
    return *found;
}

// Counts what Bullet finds, with the boxes themselves compared, as ours does.
struct Counting : btDbvt::ICollide {
    explicit Counting(const Spheres& s) : spheres(s) {}
    const Spheres& spheres;
    spatial::Box box;
    std::size_t hits = 0;
    void Process(const btDbvtNode* leaf) override {
        hits += overlap(spheres.box(static_cast<std::size_t>(leaf->dataAsInt)), box) ? 1U : 0U;
    }
};

struct CountingRay : btDbvt::ICollide {
    CountingRay(const Spheres& s, const btVector3& f, const btVector3& i, const unsigned (&g)[3], float l)
        : spheres(s), from(f), inverse(i), signs{g[0], g[1], g[2]}, longest(l) {}
    const Spheres& spheres;
    btVector3 from;
    btVector3 inverse;
    unsigned signs[3];
    float longest;
    float nearest = longest;
    std::size_t hits = 0;
    void Process(const btDbvtNode* leaf) override {
        const spatial::Box box = spheres.box(static_cast<std::size_t>(leaf->dataAsInt));
        const btVector3 bounds[2] = {bullet(box.min), bullet(box.max)};
        btScalar enter = 0.0F;
        if (btRayAabb2(from, inverse, signs, bounds, enter, 0.0F, longest)) {
            ++hits;
            nearest = std::min(nearest, enter);
        }
    }
};

template <typename Ask> void addQuestion(const std::string& name, std::size_t count, Ask ask) {
    addRow(name, [count, ask](benchmark::State& state) {
        Questions& known = questions(count);
        std::size_t hits = 0;
        for (auto _ : state) {
            hits = 0;
            for (const spatial::Segment& each : known.asked) {
                hits += ask(known, each);
            }
            benchmark::DoNotOptimize(hits);
        }
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(known.asked.size()));
        state.counters["hits/item"] = static_cast<double>(hits) / static_cast<double>(known.asked.size());
    });
}

std::size_t bulletRay(Questions& known, const spatial::Segment& ray, bool closest) {
    static btAlignedObjectArray<const btDbvtNode*> stack;
    const float length = glm::length(ray.motion);
    const btVector3 way = bullet(ray.motion / length);
    const btVector3 inverse(1.0F / way.x(), 1.0F / way.y(), 1.0F / way.z());
    unsigned signs[3] = {inverse.x() < 0.0F, inverse.y() < 0.0F, inverse.z() < 0.0F};
    CountingRay counting(known.spheres, bullet(ray.from), inverse, signs, length);
    known.bullets.tree.rayTestInternal(known.bullets.tree.m_root, bullet(ray.from), bullet(ray.from + ray.motion), inverse,
                                       signs, length, btVector3(0, 0, 0), btVector3(0, 0, 0), stack, counting);
    return closest ? (counting.nearest < length ? 1U : 0U) : counting.hits;
}

void addQueryRows(std::vector<Ratio>& ratios) {
    for (const std::size_t count : {200U, 2000U, 20000U, 100000U}) {
        const std::string at = "/" + std::to_string(count) + "/";
        addQuestion("box" + at + "tree", count, [](Questions& known, const spatial::Segment& each) {
            return static_cast<std::size_t>(
                known.ours.tree()
                    .overlapBox(spatial::around(each.from, Vec3(1.5F)), spatial::Everything, [](std::uint32_t) {})
                    .hits);
        });
        addQuestion("box" + at + "btDbvt", count, [](Questions& known, const spatial::Segment& each) {
            Counting counting(known.spheres);
            counting.box = spatial::around(each.from, Vec3(1.5F));
            known.bullets.tree.collideTV(known.bullets.tree.m_root, BulletTree::volumeOf(counting.box), counting);
            return counting.hits;
        });
        addQuestion("rayAll" + at + "tree", count, [](Questions& known, const spatial::Segment& each) {
            return static_cast<std::size_t>(
                known.ours.tree().rayAll(each, spatial::Everything, [](std::uint32_t, float) {}).hits);
        });
        addQuestion("rayAll" + at + "btDbvt", count, [](Questions& known, const spatial::Segment& each) {
            return bulletRay(known, each, false);
        });
        addQuestion("rayClosest" + at + "tree", count, [](Questions& known, const spatial::Segment& each) {
            spatial::AabbTree::Hit hit;
            known.ours.tree().rayClosest(each, spatial::Everything, hit);
            return std::size_t{hit ? 1U : 0U};
        });
        addQuestion("rayClosest" + at + "btDbvt", count, [](Questions& known, const spatial::Segment& each) {
            return bulletRay(known, each, true);
        });
        for (const char* question : {"box", "rayAll", "rayClosest"}) {
            ratios.push_back({.row = question + at + "tree", .peer = question + at + "btDbvt", .must = 0.9});
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    std::vector<Ratio> ratios;
    addFrameRows(ratios);
    addQueryRows(ratios);
    return runWithRatios(argc, argv, ratios);
}
