// Names of entities by handle, against a plain map; and read while others are added.

#include <QtTest>

#include "engine/message/entity_names.h"

#include <map>
#include <random>
#include <thread>
#include <utility>
#include <vector>

using namespace sbx;

class TestEntityNames : public QObject {
    Q_OBJECT
private slots:
    void eachKeepsItsOwn() {
        constexpr std::uint32_t Indices[] = {0,         1,         1023,        1024,
                                             2'097'151, 2'097'152, 0x0800'0000, 0xFFFF'FFFE};
        std::mt19937 random(5);
        EntityNames names;
        std::map<std::uint32_t, std::uint32_t> generations;
        std::map<std::uint64_t, std::pair<EntityId, NameId>> told;
        for (const std::uint32_t index : Indices)
            QCOMPARE(names.name(EntityId(index, 1)), NameId(0));
        for (int i = 0; i < 2000; ++i) {
            const std::uint32_t index = Indices[random() % std::size(Indices)];
            generations[index] += 1 + static_cast<std::uint32_t>(random() % 3);
            const EntityId id(index, generations[index]);
            const auto name = static_cast<NameId>(1 + random() % 3); // often that of the one before it
            names.add(id, name);
            told[id.bits] = {id, name};
        }
        for (const auto& [bits, entity] : told)
            QCOMPARE(names.name(entity.first), entity.second);
        for (const std::uint32_t index : Indices)
            QCOMPARE(names.name(EntityId(index, 0)), NameId(0));
        QCOMPARE(names.name(EntityId(500, 1)), NameId(0));
    }
    void isReadWhileOthersAreAdded() {
        constexpr std::uint32_t Count = 20'000;
        constexpr std::uint32_t Places = 3000;
        const auto entity = [](std::uint32_t i) { return EntityId(i % Places * 7, 1 + i / Places); };
        EntityNames names;
        std::atomic<std::uint32_t> added{0};
        std::uint32_t wrong = 0;
        std::thread reader([&] {
            for (std::uint32_t i = 0; i < Count; ++i) {
                while (added.load(std::memory_order_acquire) <= i)
                    std::this_thread::yield();
                wrong += names.name(entity(i)) == i + 1 ? 0U : 1U;
            }
        });
        for (std::uint32_t i = 0; i < Count; ++i) {
            names.add(entity(i), i + 1);
            added.store(i + 1, std::memory_order_release);
        }
        reader.join();
        QCOMPARE(wrong, 0U);
    }
};

QTEST_GUILESS_MAIN(TestEntityNames)
#include "tst_entity_names.moc"
