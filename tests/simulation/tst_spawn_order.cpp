// In which order a scene's instances are made, beside the plain way to find it: again and again whoever waits for nobody.

#include <QtTest>

#include "engine/simulation/spawn_order.h"

#include <algorithm>
#include <random>
#include <string>

using namespace sbx;
using definition::InstanceDefinition;

namespace {

using Instances = std::vector<InstanceDefinition>;

std::vector<const InstanceDefinition*> pointers(const Instances& instances) {
    std::vector<const InstanceDefinition*> out;
    for (const InstanceDefinition& instance : instances)
        out.push_back(&instance);
    return out;
}

std::vector<std::string> namesInOrder(const Instances& instances) {
    std::vector<std::string> out;
    for (const std::size_t i : spawnOrder(pointers(instances)).order)
        out.push_back(instances[i].name);
    return out;
}

// Costs the square, or worse.
std::vector<std::string> plainly(const Instances& instances) {
    std::vector<const InstanceDefinition*> waiting = pointers(instances);
    std::vector<std::string> out;
    while (!waiting.empty()) {
        std::vector<const InstanceDefinition*> later;
        for (const InstanceDefinition* instance : waiting) {
            const bool parentWaits = std::any_of(waiting.begin(), waiting.end(), [&](const auto* other) {
                return other->name == instance->parent;
            });
            if (parentWaits)
                later.push_back(instance);
            else
                out.push_back(instance->name);
        }
        if (later.size() == waiting.size())
            break;
        waiting = std::move(later);
    }
    return out;
}

Instances named(const std::vector<std::pair<std::string, std::string>>& namesAndParents) {
    Instances out;
    for (const auto& [name, parent] : namesAndParents) {
        out.emplace_back();
        out.back().name = name;
        out.back().parent = parent;
    }
    return out;
}

// One hangs below the other; the file lists them from the bottom up.
Instances chain(int length) {
    Instances out(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) {
        out[static_cast<std::size_t>(i)].name = "e" + std::to_string(i);
        out[static_cast<std::size_t>(i)].parent = i + 1 < length ? "e" + std::to_string(i + 1) : "";
    }
    return out;
}

} // namespace

class TestSpawnOrder : public QObject {
    Q_OBJECT

private slots:
    void parentsBeforeChildrenThenAsInTheFile() {
        const Instances scene = named({{"leaf", "twig"}, {"twig", "tree"}, {"stone", ""}, {"tree", ""}, {"apple", "tree"}});
        QCOMPARE(namesInOrder(scene), (std::vector<std::string>{"stone", "tree", "twig", "apple", "leaf"}));
        const SpawnOrder order = spawnOrder(pointers(scene));
        QCOMPARE(order.parents, (std::vector<std::size_t>{1, 3, SpawnOrder::Nobody, SpawnOrder::Nobody, 3}));
    }

    void whoseParentIsNotAmongThemStandsAlone() {
        QCOMPARE(namesInOrder(named({{"child", "elsewhere"}, {"grandchild", "child"}})),
                 (std::vector<std::string>{"child", "grandchild"}));
    }

    void cyclesAndWhatHangsBelowThemAreLeftOut() {
        const Instances scene =
            named({{"below", "a"}, {"a", "b"}, {"b", "c"}, {"c", "a"}, {"self", "self"}, {"free", ""}, {"deep", "below"}});
        QCOMPARE(namesInOrder(scene), (std::vector<std::string>{"free"}));
        QCOMPARE(plainly(scene), (std::vector<std::string>{"free"}));
    }

    void theSameAsPlainly() {
        std::mt19937 random(17);
        for (int round = 0; round < 200; ++round) {
            const auto count = static_cast<int>(1 + random() % 40);
            Instances scene;
            for (int i = 0; i < count; ++i) {
                scene.emplace_back();
                scene.back().name = "e" + std::to_string(i);
                if (random() % 4 != 0) // some name nobody, some end in a cycle
                    scene.back().parent = "e" + std::to_string(random() % static_cast<unsigned>(count + count / 4 + 1));
            }
            std::shuffle(scene.begin(), scene.end(), random);
            QCOMPARE(namesInOrder(scene), plainly(scene));
        }
    }

    void costsTheNumberOfInstances() {
        for (const int count : {1'000, 10'000, 100'000}) {
            const Instances deep = chain(count);
            const SpawnOrder order = spawnOrder(pointers(deep));
            QCOMPARE(order.order.size(), static_cast<std::size_t>(count));
            QCOMPARE(order.order.front(), static_cast<std::size_t>(count - 1));
            QCOMPARE(order.steps, static_cast<std::size_t>(2 * count));
        }
    }
};

QTEST_GUILESS_MAIN(TestSpawnOrder)
#include "tst_spawn_order.moc"
