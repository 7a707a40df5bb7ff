// The table of a type's replicated state: what is rounded how, its bits, and what a reader makes of any bytes.

#include <QtTest>

#include "engine/components/register.h"
#include "engine/components/state_table.h"
#include "engine/core/random.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <cmath>

using namespace sbx;

namespace {

enum class Mood { Calm, Alert, Angry };

// One field of each type a description knows.
class AllKinds : public Component {
public:
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    struct State {
        bool flag = false;
        Mood mood = Mood::Calm;
        float heading = 0.0F;
        float speed = 0.0F;
        int count = 0;
        std::uint32_t positive = 0;
        std::int64_t large = 0;
        float exact = 0.0F;
        float rounded = 0.0F;
        double wide = 0.0;
        Vec2 two{0.0F};
        Vec3 three{0.0F};
        Quat turn{1.0F, 0.0F, 0.0F, 0.0F};
        FixedText<40> text;
        EntityId other;
        static void describe(FieldList<State>& f) {
            f.add("flag", &State::flag, "A flag.");
            f.add("mood", &State::mood, "One of three.").choices({"calm", "alert", "angry"});
            f.add("heading", &State::heading, "An angle.").unit("deg").range(-360, 360).resolution(0.5);
            f.add("speed", &State::speed, "A rate.").unit("m/s").range(-50, 50).resolution(0.1);
            f.add("count", &State::count, "A number.").range(-1000, 1000);
            f.add("positive", &State::positive, "A number.");
            f.add("large", &State::large, "A number.");
            f.add("exact", &State::exact, "A number.").range(-1e9, 1e9);
            f.add("rounded", &State::rounded, "A number.").range(-100, 100).resolution(0.25);
            f.add("wide", &State::wide, "A number.").range(-1e12, 1e12);
            f.add("two", &State::two, "Two.").range(-1, 1).resolution(0.01);
            f.add("three", &State::three, "Three.").range(-1e4, 1e4);
            f.add("turn", &State::turn, "A rotation.");
            f.add("text", &State::text, "Words.");
            f.add("other", &State::other, "Another one.");
        }
    };
    Settings settings;
    State state;
    int changes = 0;
    AllKinds(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    void stateChanged() { ++changes; }
    static void describe(ComponentBuilder<AllKinds>& b) { b.doc("All kinds."); }
};

class Still : public Component {
public:
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Still(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Still>& b) { b.doc("Has no state."); }
};

} // namespace

class TestStateTable : public QObject {
    Q_OBJECT
private:
    Log m_log;
    Recorder m_recorder;
    ComponentRegistry m_components;
    std::unique_ptr<World> m_world;
    std::shared_ptr<const EntityType> m_kinds;
    std::shared_ptr<const EntityType> m_still;
    const EntityToWire m_toWire = [](EntityId id) { return id ? id.index() + 1 : 0; };
    EntityFromWire m_fromWire;

    [[nodiscard]] std::shared_ptr<const EntityType> typeOf(const char* name, const char* component) {
        EntityTypeInfo info;
        info.name = name;
        const ComponentType* type = m_components.find(component);
        return std::make_shared<EntityType>(std::move(info), std::vector<ComponentSpec>{{type, type->makeSettings(nullptr)}});
    }
    EntityId spawn(const std::shared_ptr<const EntityType>& type, const Pose& pose = {}, EntityId parent = {}) {
        SpawnRequest request;
        request.type = type;
        request.pose = pose;
        request.parent = parent;
        return m_world->spawn(request);
    }
    AllKinds& kinds(EntityId id) { return *m_world->getComponent<AllKinds>(id); }
    StateTable::Words captured(const StateTable& table, EntityId id) {
        StateTable::Words words(table.wordCount());
        table.capture(m_world->find(id), *m_world, m_toWire, words);
        return words;
    }

private slots:
    void init() {
        m_world = std::make_unique<World>(WorldDesc{}, m_recorder, m_log);
        m_kinds = typeOf("Kinds", "AllKinds");
        m_still = typeOf("Rock", "Still");
        m_fromWire = [this](std::uint32_t number) {
            EntityId found;
            m_world->forEach([&](const Entity& entity) { found = number != 0 && entity.id().index() + 1 == number ? entity.id() : found; });
            return found;
        };
    }
    void cleanup() {
        m_world.reset();
    }

    void initTestCase() {
        m_components.registerComponent<AllKinds>("AllKinds");
        m_components.registerComponent<Still>("Still");
    }
    // Whatever a state is, bits bring the same words to the other end, and applying them makes the same state there.
    void anyStateArrives() {
        const StateTable table(m_kinds);
        Random random(7);
        const EntityId from = spawn(m_kinds);
        const EntityId to = spawn(m_kinds);
        StateTable::Words words(table.wordCount());
        StateTable::Words scratch(table.wordCount());
        StateTable::Mask mask(table.columnCount());
        StateTable::Mask read(table.columnCount());
        StateTable::Words received(table.wordCount(), 0);
        std::vector<std::uint8_t> room(2000);
        for (int round = 0; round < 2000; ++round) {
            AllKinds::State& s = kinds(from).state;
            const auto real = [&](double most) { return static_cast<float>((static_cast<double>(random.unit()) * 2.0 - 1.0) * most); };
            s.flag = random.below(2) != 0;
            s.mood = static_cast<Mood>(random.below(3));
            s.heading = real(360.0);
            s.speed = real(50.0);
            s.count = static_cast<int>(random.below(2001)) - 1000;
            s.positive = static_cast<std::uint32_t>(random.next());
            s.large = static_cast<std::int64_t>((std::uint64_t{random.next()} << 32U) | random.next());
            s.exact = random.below(3) == 0 ? 0.0F : real(1e9);
            s.rounded = real(100.0);
            s.wide = static_cast<double>(real(1e12));
            s.two = Vec2(real(1.0), real(1.0));
            s.three = Vec3(real(1e4), real(1e4), real(1e4));
            s.turn = glm::normalize(Quat(real(1.0), real(1.0), real(1.0), 1.5F));
            s.text.assign(std::string(random.below(40), static_cast<char>('a' + random.below(26))));
            s.other = random.below(2) != 0 ? to : EntityId();
            Pose pose;
            pose.position = Vec3(real(1e5), real(10.0), real(1.0));
            pose.rotation = glm::normalize(Quat(real(1.0), real(1.0), real(1.0), real(1.0) + 0.01F));
            m_world->setPose(from, pose);
            for (std::uint8_t& bit : mask)
                bit = static_cast<std::uint8_t>(round == 0 ? 1 : random.below(2));
            table.capture(m_world->find(from), *m_world, m_toWire, words);
            net::BitWriter out(room);
            table.write(out, mask, words);
            QVERIFY(out.ok());
            net::BitReader in(out.written());
            QVERIFY(table.read(in, read, received));
            QCOMPARE(read, mask);
            QVERIFY(table.isValid(read, received, m_fromWire));
            for (std::size_t i = 0; i < table.columnCount(); ++i)
                if (mask[i] != 0)
                    QVERIFY2(std::ranges::equal(table.wordsOf(i, words), table.wordsOf(i, received)), table.columnName(i).c_str());
            table.apply(*m_world, to, read, received, m_toWire, m_fromWire, scratch);
            const StateTable::Words there = captured(table, to);
            for (std::size_t i = 0; i < table.columnCount(); ++i)
                QVERIFY2(table.same(i, there, received), table.columnName(i).c_str());
            // What is exact, exactly; what is rounded by half a step at most.
            if (mask[table.columnCount() - 7] != 0)
                QVERIFY(std::abs(kinds(to).state.rounded - s.rounded) <= 0.125F);
        }
    }

    // What was expected of a column, what it turned out to be, and what it is by now: the difference is added.
    void aDifferenceIsAdded() {
        const StateTable table(m_kinds);
        const EntityId entity = spawn(m_kinds);
        AllKinds::State& s = kinds(entity).state;
        const auto column = [&](const std::string& name) {
            for (std::size_t i = 0; i < table.columnCount(); ++i)
                if (table.columnName(i) == name)
                    return i;
            return std::size_t{999};
        };
        const StateTable::Words expected = captured(table, entity);
        s = {.flag = true, .mood = Mood::Angry, .heading = 20.0F, .speed = 3.0F, .count = 5, .positive = 7, .large = 9, .exact = 1.5F, .rounded = -2.0F,
             .wide = 1e9, .two = Vec2(0.5F, -0.25F), .three = Vec3(1.0F, 2.0F, 3.0F), .turn = Quat(0.6F, 0.8F, 0.0F, 0.0F), .text = {}, .other = entity};
        s.text.assign("is");
        Pose pose;
        pose.position = Vec3(1.0F, 0.0F, -1.0F);
        pose.rotation = glm::angleAxis(glm::radians(30.0F), Vec3(0, 1, 0));
        m_world->setPose(entity, pose);
        const StateTable::Words actual = captured(table, entity);
        // From where it was expected it comes to what it is, bit for bit, whatever the column.
        StateTable::Words words = expected;
        for (std::size_t i = 0; i < table.columnCount(); ++i)
            table.shift(i, expected, actual, 1.0, words);
        QVERIFY(words == actual);

        s = {.flag = true, .mood = Mood::Alert, .heading = 350.0F, .speed = 49.0F, .count = 998, .positive = 4, .large = 1, .exact = 4.0F, .rounded = 99.0F,
             .wide = 5.0, .two = Vec2(0.8F, 0.5F), .three = Vec3(10.0F), .turn = Quat(1.0F, 0.0F, 0.0F, 0.0F), .text = {}, .other = {}};
        pose.position = Vec3(10.0F, 5.0F, 10.0F);
        pose.rotation = glm::angleAxis(glm::radians(60.0F), Vec3(0, 1, 0));
        m_world->setPose(entity, pose);
        words = captured(table, entity);
        for (std::size_t i = 0; i < table.columnCount(); ++i)
            table.shift(i, expected, actual, 1.0, words);
        const StateTable::Mask all(table.columnCount(), 1);
        QVERIFY(table.isValid(all, words, m_fromWire));
        StateTable::Words scratch(table.wordCount());
        table.apply(*m_world, entity, all, words, m_toWire, m_fromWire, scratch);
        QCOMPARE(s.flag, true);
        QVERIFY(s.mood == Mood::Angry); // no numbers: as they are
        QCOMPARE(s.text.view(), std::string_view("is"));
        QVERIFY(s.other == entity);
        QCOMPARE(s.large, std::int64_t{9});
        QCOMPARE(s.heading, 10.0F); // 370 is 10
        QCOMPARE(s.speed, 50.0F);   // at the end of its range
        QCOMPARE(s.count, 1000);
        QCOMPARE(s.positive, std::uint32_t{11});
        QCOMPARE(s.exact, 5.5F);
        QCOMPARE(s.rounded, 97.0F);
        QCOMPARE(s.wide, 1e9 + 5.0);
        QVERIFY(glm::length(s.two - Vec2(1.0F, 0.25F)) < 1e-5F);
        QVERIFY(glm::length(s.three - Vec3(11.0F, 12.0F, 13.0F)) < 1e-5F);
        const Pose now = m_world->find(entity).pose();
        QVERIFY(glm::length(now.position - Vec3(11.0F, 5.0F, 9.0F)) < 1e-4F);
        const Quat turned = glm::angleAxis(glm::radians(90.0F), Vec3(0, 1, 0));
        QVERIFY(std::abs(glm::dot(now.rotation, turned)) > 0.99999F);

        // Part of it, and how much it is.
        words = expected;
        table.shift(column("AllKinds.speed"), expected, actual, 0.5, words);
        table.apply(*m_world, entity, all, words, m_toWire, m_fromWire, scratch);
        QCOMPARE(s.speed, 1.5F);
        QVERIFY(table.isRate(column("AllKinds.speed")) && !table.isRate(column("AllKinds.heading")));
        QCOMPARE(table.difference(column("AllKinds.speed"), expected, actual), 3.0);
        QCOMPARE(table.difference(column("AllKinds.heading"), expected, actual), 20.0);
        QVERIFY(std::abs(table.difference(column("rotation"), expected, actual) - 30.0) < 0.1);
        QVERIFY(std::isinf(table.difference(column("AllKinds.mood"), expected, actual)));
        QCOMPARE(table.difference(column("AllKinds.mood"), actual, actual), 0.0);
    }

    void roundingStaysWithinItsStep() {
        const StateTable table(m_still);
        QCOMPARE(table.columnCount(), std::size_t{3});
        Random random(3);
        const EntityId from = spawn(m_still);
        const EntityId to = spawn(m_still);
        StateTable::Words scratch(table.wordCount());
        const StateTable::Mask all(table.columnCount(), 1);
        double farthest = 0.0;
        double widest = 0.0;
        for (int round = 0; round < 20'000; ++round) {
            const auto real = [&](double most) { return static_cast<float>((static_cast<double>(random.unit()) * 2.0 - 1.0) * most); };
            Pose pose;
            pose.position = Vec3(real(60.0), real(60.0), real(60.0));
            Quat q(real(1.0), real(1.0), real(1.0), real(1.0));
            pose.rotation = glm::length(q) > 0.01F ? glm::normalize(q) : Quat(1.0F, 0.0F, 0.0F, 0.0F);
            m_world->setPose(from, pose);
            const StateTable::Words words = captured(table, from);
            table.apply(*m_world, to, all, words, m_toWire, m_fromWire, scratch);
            const Pose there = m_world->find(to).pose();
            farthest = std::max(farthest, static_cast<double>(glm::length(there.position - pose.position)));
            const double dot = std::min(1.0, std::abs(static_cast<double>(glm::dot(there.rotation, pose.rotation))));
            widest = std::max(widest, glm::degrees(2.0 * std::acos(dot)));
        }
        QVERIFY2(farthest < 0.001, qPrintable(QString::number(farthest)));  // half a step along each of three axes
        QVERIFY2(widest < 0.1, qPrintable(QString::number(widest)));
    }

    // A rotation and its negative are the same, and have the same words; so has what is the same up to less than a step.
    void oneRotationHasOneForm() {
        const StateTable table(m_still);
        const EntityId id = spawn(m_still);
        Pose pose;
        for (const Quat& q : {Quat(1.0F, 0.0F, 0.0F, 0.0F), Quat(0.5F, 0.5F, 0.5F, 0.5F), glm::normalize(Quat(0.1F, -0.9F, 0.3F, 0.2F))}) {
            pose.rotation = q;
            m_world->setPose(id, pose);
            const StateTable::Words one = captured(table, id);
            pose.rotation = -q;
            m_world->setPose(id, pose);
            QCOMPARE(captured(table, id), one);
        }
    }

    // Moving with a parent is no movement.
    void aChildIsInItsParentsFrame() {
        const StateTable table(m_still);
        Pose at;
        at.position = Vec3(1.0F, 0.0F, 0.0F);
        const EntityId parent = spawn(m_still, at);
        at.position = Vec3(0.0F, 2.0F, 0.0F);
        const EntityId child = spawn(m_still, at, parent);
        const StateTable::Words before = captured(table, child);
        Pose moved;
        moved.position = Vec3(40.0F, 1.0F, -7.0F);
        moved.rotation = glm::angleAxis(1.0F, Vec3(0.0F, 1.0F, 0.0F));
        m_world->setPose(parent, moved);
        QCOMPARE(captured(table, child), before);
        // And where it is applied, it is in that frame.
        const EntityId copy = spawn(m_still, {}, parent);
        StateTable::Words scratch(table.wordCount());
        table.apply(*m_world, copy, StateTable::Mask(3, 1), before, m_toWire, m_fromWire, scratch);
        QVERIFY(glm::length(m_world->find(copy).pose().position - m_world->find(child).pose().position) < 0.001F);
    }

    // What is no number, or beyond what the description allows, leaves as the nearest that a peer accepts.
    void whatNoPeerAcceptsIsClamped() {
        const StateTable table(m_kinds);
        const EntityId id = spawn(m_kinds);
        AllKinds::State& s = kinds(id).state;
        s.exact = std::numeric_limits<float>::quiet_NaN();
        s.rounded = 1e30F;
        s.two = Vec2(-7.0F, std::numeric_limits<float>::infinity());
        s.count = 5'000'000;
        s.mood = static_cast<Mood>(17);
        Pose pose;
        pose.position = Vec3(3e38F, std::numeric_limits<float>::quiet_NaN(), 0.0F);
        m_world->setPose(id, pose);
        const StateTable::Words words = captured(table, id);
        const StateTable::Mask all(table.columnCount(), 1);
        QVERIFY(table.isValid(all, words, m_fromWire));
        std::vector<std::uint8_t> room(2000);
        net::BitWriter out(room);
        table.write(out, all, words);
        QVERIFY(out.ok());
        const EntityId to = spawn(m_kinds);
        StateTable::Words scratch(table.wordCount());
        table.apply(*m_world, to, all, words, m_toWire, m_fromWire, scratch);
        const AllKinds::State& there = kinds(to).state;
        QCOMPARE(there.exact, 0.0F);
        QCOMPARE(there.rounded, 100.0F);
        QCOMPARE(there.two, Vec2(-1.0F, 0.0F));
        QCOMPARE(there.count, 1000);
        QCOMPARE(there.mood, Mood::Calm);
    }

    // The component is told once, and only if something is otherwise than it was.
    void theSameStateIsNoChange() {
        const StateTable table(m_kinds);
        const EntityId from = spawn(m_kinds);
        const EntityId to = spawn(m_kinds);
        kinds(from).state.count = 5;
        kinds(from).state.flag = true;
        kinds(to).state.rounded = 0.1F; // less than half a step from 0
        const StateTable::Words words = captured(table, from);
        const StateTable::Mask all(table.columnCount(), 1);
        StateTable::Words scratch(table.wordCount());
        QVERIFY(table.apply(*m_world, to, all, words, m_toWire, m_fromWire, scratch));
        QCOMPARE(kinds(to).changes, 1);
        QVERIFY(!table.apply(*m_world, to, all, words, m_toWire, m_fromWire, scratch));
        QCOMPARE(kinds(to).changes, 1);
        QCOMPARE(kinds(to).state.rounded, 0.1F);
    }

    // A million random records: read to the end or refused; what is valid is applied without harm.
    void anyBytesAreReadOrRefused() {
        const StateTable table(m_kinds);
        Random random(11);
        const EntityId to = spawn(m_kinds);
        StateTable::Words words(table.wordCount(), 0);
        StateTable::Words scratch(table.wordCount());
        StateTable::Mask mask(table.columnCount());
        int read = 0;
        int valid = 0;
        for (int round = 0; round < 200'000; ++round) {
            std::array<std::uint8_t, 48> bytes{};
            const std::size_t size = random.below(static_cast<std::uint32_t>(bytes.size()) + 1);
            for (std::size_t i = 0; i < size; ++i)
                bytes[i] = static_cast<std::uint8_t>(random.below(3) == 0 ? random.next() : 0);
            net::BitReader in(net::ByteView(bytes).first(size));
            if (!table.read(in, mask, words))
                continue;
            ++read;
            if (!table.isValid(mask, words, m_fromWire))
                continue;
            ++valid;
            table.apply(*m_world, to, mask, words, m_toWire, m_fromWire, scratch);
            QVERIFY(isFinite(m_world->find(to).pose().position));
            QVERIFY(std::abs(kinds(to).state.count) <= 1000);
        }
        QVERIFY2(read > 100 && valid > 50, qPrintable(QStringLiteral("%1 %2").arg(read).arg(valid)));
    }

    // A table is of one type, not of what lies at its address.
    void aTableKnowsItsType() {
        const StateTable table(m_kinds);
        QVERIFY(table.isOf(m_kinds));
        QVERIFY(!table.isOf(m_still));
        QVERIFY(!table.isOf(typeOf("Kinds", "AllKinds")));
        QCOMPARE(table.columnName(0), std::string("parent"));
        QCOMPARE(table.columnName(3), std::string("AllKinds.flag"));
    }
};

QTEST_GUILESS_MAIN(TestStateTable)
#include "tst_state_table.moc"
