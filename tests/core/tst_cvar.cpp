#include <QtTest>

#include "engine/core/cvar.h"

#include <thread>

using namespace sbx;

namespace {
enum class Quality { Low, Medium, High };

bool mentions(const Error& error, const char* text) { return error.message.find(text) != std::string::npos; }
struct Violation {};
} // namespace

class TestCVar : public QObject {
    Q_OBJECT
private slots:
    void everyTypeKeepsItsValue() {
        CVarRegistry registry;
        const CVar<bool> b = registry.add<bool>("t.bool", true, "b");
        const CVar<int> i = registry.add<int>("t.int", -7, "i");
        const CVar<std::uint32_t> u = registry.add<std::uint32_t>("t.unsigned", 4'000'000'000U, "u");
        const CVar<float> f = registry.add<float>("t.float", 9.81F, "f");
        const CVar<double> d = registry.add<double>("t.double", 0.1, "d");
        const CVar<Quality> e =
            registry.add<Quality>("t.enum", Quality::Medium, "e", {.choices = {"low", "medium", "high"}});
        const CVar<std::string> s = registry.add<std::string>("t.string", "hello", "s");
        const CVar<Vec2> v2 = registry.add<Vec2>("t.vec2", Vec2(1, 2), "v");
        const CVar<Vec3> v3 = registry.add<Vec3>("t.vec3", Vec3(1, 2, 3), "v");
        const CVar<Vec4> v4 = registry.add<Vec4>("t.vec4", Vec4(1, 2, 3, 4), "v");
        QCOMPARE(b.get(), true);
        QCOMPARE(i.get(), -7);
        QCOMPARE(u.get(), 4'000'000'000U);
        QCOMPARE(f.get(), 9.81F);
        QCOMPARE(d.get(), 0.1);
        QCOMPARE(e.get(), Quality::Medium);
        QCOMPARE(s.get(), std::string("hello"));
        QVERIFY(v2.get() == Vec2(1, 2));
        QVERIFY(v3.get() == Vec3(1, 2, 3));
        QVERIFY(v4.get() == Vec4(1, 2, 3, 4));
        QVERIFY(registry.set("t.enum", "high", CVarSource::Console).ok());
        QCOMPARE(e.get(), Quality::High);
        QVERIFY(registry.set("t.vec3", "[4, 5.5, -6]", CVarSource::Console).ok());
        QVERIFY(v3.get() == Vec3(4, 5.5F, -6));
        QVERIFY(registry.set("t.vec2", "8 9", CVarSource::Console).ok());
        QVERIFY(v2.get() == Vec2(8, 9));
        QVERIFY(s.set("a b").ok());
        QCOMPARE(s.get(), std::string("a b"));
        QVERIFY(registry.set("t.int", "-2147483648", CVarSource::Console).ok());
        QCOMPARE(i.get(), std::numeric_limits<int>::min());
    }

    void wrongValuesAreRefusedWithWhatIsRight_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("mention");
        QTest::newRow("text for number")
            << QByteArray("sim.gravity") << QByteArray("heavy") << QByteArray("a number in [0, 100] m/s²");
        QTest::newRow("above") << QByteArray("sim.gravity") << QByteArray("101") << QByteArray("[0, 100]");
        QTest::newRow("below") << QByteArray("sim.gravity") << QByteArray("-0.5") << QByteArray("[0, 100]");
        QTest::newRow("nan") << QByteArray("sim.gravity") << QByteArray("nan") << QByteArray("finite");
        QTest::newRow("inf") << QByteArray("sim.gravity") << QByteArray("inf") << QByteArray("finite");
        QTest::newRow("trailing") << QByteArray("sim.gravity") << QByteArray("5x") << QByteArray("a number");
        QTest::newRow("empty") << QByteArray("sim.gravity") << QByteArray("") << QByteArray("a number");
        QTest::newRow("fraction for int")
            << QByteArray("sim.count") << QByteArray("1.5") << QByteArray("whole number in [1, 10]");
        QTest::newRow("huge int") << QByteArray("sim.count") << QByteArray("99999999999999999999")
                                  << QByteArray("whole number");
        QTest::newRow("bool") << QByteArray("sim.on") << QByteArray("maybe") << QByteArray("true or false");
        QTest::newRow("enum") << QByteArray("sim.quality") << QByteArray("hgih")
                              << QByteArray("did you mean high");
        QTest::newRow("vector of two")
            << QByteArray("sim.wind") << QByteArray("1 2") << QByteArray("3 numbers");
        QTest::newRow("vector range")
            << QByteArray("sim.wind") << QByteArray("1 2 99") << QByteArray("each in [-10, 10]");
        QTest::newRow("unknown") << QByteArray("sim.gravty") << QByteArray("1")
                                 << QByteArray("did you mean sim.gravity");
        QTest::newRow("read-only") << QByteArray("sim.version") << QByteArray("1") << QByteArray("read-only");
    }
    void wrongValuesAreRefusedWithWhatIsRight() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, mention);
        CVarRegistry registry;
        (void)registry.add<float>("sim.gravity", 9.81F, "Pull.",
                                  {.unit = "m/s²", .minimum = 0, .maximum = 100});
        (void)registry.add<int>("sim.count", 3, "How many.", {.minimum = 1, .maximum = 10});
        (void)registry.add<bool>("sim.on", true, "Switch.");
        (void)registry.add<Quality>("sim.quality", Quality::Low, "How good.",
                                    {.choices = {"low", "medium", "high"}});
        (void)registry.add<Vec3>("sim.wind", Vec3(0), "Wind.", {.minimum = -10, .maximum = 10});
        (void)registry.add<std::string>("sim.version", "1", "Version.", {.flags = CVarFlags::ReadOnly});
        const auto before = registry.describe(name.toStdString());
        const auto outcome = registry.set(name.toStdString(), text.toStdString(), CVarSource::Console);
        QVERIFY(!outcome.ok());
        QVERIFY2(mentions(outcome.error(), mention.constData()), outcome.error().message.c_str());
        if (before)
            QVERIFY(registry.describe(name.toStdString())->value == before->value);
    }

    void layersGoByPrecedence() {
        CVarRegistry registry;
        const CVar<int> v = registry.add<int>("t.value", 0, "v");
        QCOMPARE(*v.set(4, CVarSource::Console), CVarOutcome::InForce);
        QCOMPARE(*v.set(1, CVarSource::Project), CVarOutcome::Overridden);
        QCOMPARE(*v.set(3, CVarSource::CommandLine), CVarOutcome::Overridden);
        QCOMPARE(*v.set(2, CVarSource::User), CVarOutcome::Overridden);
        QCOMPARE(v.get(), 4);
        QCOMPARE(registry.describe("t.value")->lastSetBy, CVarSource::Console);
        QVERIFY(registry.reset("t.value").ok());
        QCOMPARE(v.get(), 3);
        QCOMPARE(registry.describe("t.value")->lastSetBy, CVarSource::CommandLine);
        QVERIFY(registry.reset("t.value", CVarSource::User).ok());
        QCOMPARE(v.get(), 1);
        Diagnostics sink;
        registry.setLayer(CVarSource::Project, {}, sink, "project.toml");
        QVERIFY(sink.items.empty());
        QCOMPARE(v.get(), 0);
        QVERIFY(registry.describe("t.value")->isDefault());
    }

    // A file read again: each CVar goes from what it was to what it is, at once, and is told once; what is the same is not told.
    void aFileSetsItsLayerInWhole() {
        CVarRegistry registry;
        const CVarOptions Told{.minimum = 0, .maximum = 100, .flags = CVarFlags::Notify};
        std::vector<CVar<int>> values;
        for (const char* name : {"t.same", "t.other", "t.gone", "t.fresh", "t.held", "t.bad"})
            values.push_back(registry.add<int>(name, 0, "v", Told));
        const CVar<int> latched =
            registry.add<int>("t.latched", 0, "v", {.flags = CVarFlags::Notify | CVarFlags::Latched});
        std::vector<std::string> told;
        registry.setNotifier(
            [&](const CVarInfo& cvar) { told.push_back(cvar.field.name + " " + cvar.shown()); });
        std::vector<int> seen; // by whoever listens
        const CVarConnection connection = values[1].onChange([&](int value) { seen.push_back(value); });
        int line = 0;
        const auto entry = [&](const char* name, std::int64_t number) {
            SourceEntry made;
            made.key = name;
            made.keyRegion = {++line, 1, line, 2};
            made.value.kind = SourceValue::Kind::Integer;
            made.value.integer = number;
            made.value.region = made.keyRegion;
            return made;
        };
        Diagnostics sink;
        registry.setLayer(CVarSource::Project,
                          {entry("t.same", 1), entry("t.other", 2), entry("t.gone", 3), entry("t.held", 4),
                           entry("t.bad", 5), entry("t.latched", 6)},
                          sink, "/a/project.toml");
        QVERIFY(sink.items.empty());
        QCOMPARE(told,
                 (std::vector<std::string>{"t.bad 5", "t.gone 3", "t.held 4", "t.other 2", "t.same 1"}));
        QVERIFY(values[4].set(9).ok());
        told.clear();
        registry.setLayer(CVarSource::Project,
                          {entry("t.latched", 6), entry("t.fresh", 7), entry("t.other", 8),
                           entry("t.same", 1), entry("t.held", 5), entry("t.bad", 500), entry("t.nobody", 1)},
                          sink, "/a/project.toml");
        QCOMPARE(told, (std::vector<std::string>{"t.bad 0", "t.fresh 7", "t.gone 0", "t.other 8"}));
        QCOMPARE(seen, (std::vector<int>{2, 8}));
        QCOMPARE(sink.items.size(), std::size_t(2));
        QVERIFY(sink.items[0].toString().find("project.toml:12") != std::string::npos);
        QCOMPARE(values[4].get(), 9);
        QCOMPARE(registry.describe("t.same")->setBy(), std::string("project (project.toml:10)"));
        QCOMPARE(latched.get(), 0);
        QCOMPARE(registry.applyLatched(), std::vector<std::string>{"t.latched"});
        QVERIFY(registry.reset("t.held").ok());
        QCOMPARE(values[4].get(), 5);
    }

    // All layers that are named, or none, in one change.
    void layersArePutTogether() {
        CVarRegistry registry;
        const CVar<int> v = registry.add<int>("t.value", 0, "v", {.minimum = 0, .maximum = 10});
        const CVar<int> fixed = registry.add<int>("t.fixed", 0, "v", {.flags = CVarFlags::ReadOnly});
        int calls = 0;
        const CVarConnection connection = v.onChange([&](int) { ++calls; });
        QVERIFY(registry
                    .setLayers("t.value", {{CVarSource::Project, Value(std::int64_t{1}), {"a:1", {}}},
                                           {CVarSource::User, Value(std::int64_t{2}), {"b:2", {}}},
                                           {CVarSource::Console, Value(std::int64_t{3}), {}}})
                    .ok());
        QCOMPARE(v.get(), 3);
        QCOMPARE(calls, 1);
        QVERIFY(!registry
                     .setLayers("t.value", {{CVarSource::Console, std::nullopt, {}},
                                            {CVarSource::User, Value(std::int64_t{11}), {}}})
                     .ok());
        QCOMPARE(v.get(), 3);
        QVERIFY(registry
                    .setLayers("t.value", {{CVarSource::Console, std::nullopt, {}},
                                           {CVarSource::User, std::nullopt, {}}})
                    .ok());
        QCOMPARE(v.get(), 1);
        QCOMPARE(registry.describe("t.value")->origin.place, std::string("a:1"));
        QCOMPARE(calls, 2);
        QVERIFY(!registry.setLayers("t.fixed", {{CVarSource::Console, std::nullopt, {}}}).ok());
        QVERIFY(!registry.setLayers("t.nothing", {}).ok());
        QCOMPARE(fixed.get(), 0);
    }

    void latchedWaitsForTheOwner() {
        CVarRegistry registry;
        const CVar<int> rate = registry.add<int>("sim.tickRate", 60, "Ticks a second.",
                                                 {.minimum = 1, .flags = CVarFlags::Latched});
        int calls = 0;
        const CVarConnection connection = rate.onChange([&](int) { ++calls; });
        QCOMPARE(*rate.set(120), CVarOutcome::Latched);
        QCOMPARE(rate.get(), 60);
        QCOMPARE(calls, 0);
        QCOMPARE(std::get<std::int64_t>(*registry.describe("sim.tickRate")->pending), std::int64_t{120});
        QCOMPARE(registry.applyLatched(), std::vector<std::string>{"sim.tickRate"});
        QCOMPARE(rate.get(), 120);
        QCOMPARE(calls, 1);
        QVERIFY(registry.applyLatched().empty());
        // Back to what is in force: nothing is pending.
        QCOMPARE(*rate.set(30), CVarOutcome::Latched);
        QCOMPARE(*rate.set(120), CVarOutcome::InForce);
        QVERIFY(!registry.describe("sim.tickRate")->pending);
        registry.setLatching(false);
        QCOMPARE(*rate.set(50), CVarOutcome::InForce);
        QCOMPARE(rate.get(), 50);
    }

    void callbacksHearOnlyRealChanges() {
        CVarRegistry registry;
        const CVar<float> v = registry.add<float>("t.value", 1.0F, "v");
        std::vector<float> heard;
        CVarConnection connection = v.onChange([&](const float& value) {
            QCOMPARE(v.get(), value); // the registry is not locked
            heard.push_back(value);
        });
        QVERIFY(v.set(2.0F).ok());
        QVERIFY(v.set(2.0F).ok());
        QVERIFY(v.set(5.0F, CVarSource::Project).ok());
        QVERIFY(registry.reset("t.value").ok());
        QCOMPARE(heard, (std::vector<float>{2.0F, 5.0F}));
        connection = {};
        QVERIFY(v.set(9.0F).ok());
        QCOMPARE(heard.size(), std::size_t{2});
    }

    void callbackMaySetAnother() {
        CVarRegistry registry;
        const CVar<int> a = registry.add<int>("t.a", 0, "a");
        const CVar<int> b = registry.add<int>("t.b", 0, "b");
        const CVarConnection connection = a.onChange([&](int value) { QVERIFY(b.set(value * 2).ok()); });
        QVERIFY(a.set(21).ok());
        QCOMPARE(b.get(), 42);
    }

    void cheatsGoBackWhenForbidden() {
        CVarRegistry registry;
        const CVar<bool> god = registry.add<bool>("t.god", false, "g", {.flags = CVarFlags::Cheat});
        QVERIFY(god.set(true).ok());
        registry.allowCheats(false);
        QCOMPARE(god.get(), false);
        const auto refused = god.set(true);
        QVERIFY(!refused.ok() && mentions(refused.error(), "cheat"));
        registry.allowCheats(true);
        QVERIFY(god.set(true).ok());
    }

    void ownerPublishesReadOnly() {
        CVarRegistry registry;
        const CVar<std::string> version =
            registry.add<std::string>("t.version", "none", "v", {.flags = CVarFlags::ReadOnly});
        version.publish("1.2");
        QCOMPARE(version.get(), std::string("1.2"));
        QVERIFY(!version.set("2.0").ok());
        QVERIFY(!registry.reset("t.version").ok());
    }

    void archiveIsTheLeastToSave() {
        CVarRegistry registry;
        const CVar<int> a = registry.add<int>("t.a", 1, "a", {.flags = CVarFlags::Archive});
        const CVar<std::string> b = registry.add<std::string>("t.b", "x", "b", {.flags = CVarFlags::Archive});
        const CVar<int> c = registry.add<int>("t.c", 1, "c");
        (void)registry.add<int>("t.d", 1, "d", {.flags = CVarFlags::Archive});
        QVERIFY(a.set(5, CVarSource::User).ok());
        QVERIFY(b.set("say \"hi\"").ok());
        QVERIFY(c.set(9).ok());
        const std::vector<std::pair<std::string, std::string>> expected = {{"t.a", "5"},
                                                                           {"t.b", "\"say \\\"hi\\\"\""}};
        QCOMPARE(registry.archive(), expected);
    }

    void fileValuesCarryTheirPlace() {
        CVarRegistry registry;
        const CVar<float> g = registry.add<float>("sim.gravity", 9.81F, "g", {.maximum = 100});
        SourceEntry entry;
        entry.key = "sim.gravty";
        entry.keyRegion = {7, 1, 7, 11};
        entry.value.kind = SourceValue::Kind::Integer;
        entry.value.integer = 500;
        entry.value.region = {7, 14, 7, 17};
        Diagnostics sink;
        QVERIFY(!registry.setFromSource(entry, CVarSource::Project, sink, "project.toml"));
        QCOMPARE(sink.items.back().region.line, 7);
        QCOMPARE(sink.items.back().suggestion, std::string("sim.gravity"));
        entry.key = "sim.gravity";
        QVERIFY(!registry.setFromSource(entry, CVarSource::Project, sink, "project.toml"));
        QCOMPARE(sink.items.back().region.column, 14);
        entry.value.integer = 5;
        QVERIFY(registry.setFromSource(entry, CVarSource::Project, sink, "project.toml"));
        QCOMPARE(g.get(), 5.0F);
        QCOMPARE(sink.items.size(), std::size_t{2});
    }

    void namesAreChecked_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("valid");
        QTest::newRow("plain") << QByteArray("sim.tickRate") << true;
        QTest::newRow("deep") << QByteArray("net.sim.loss") << true;
        QTest::newRow("digits") << QByteArray("a.b2") << true;
        QTest::newRow("no room") << QByteArray("gravity") << false;
        QTest::newRow("capital") << QByteArray("Sim.gravity") << false;
        QTest::newRow("empty part") << QByteArray("sim..x") << false;
        QTest::newRow("ends in dot") << QByteArray("sim.") << false;
        QTest::newRow("space") << QByteArray("sim.a b") << false;
        QTest::newRow("equals") << QByteArray("sim.a=b") << false;
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("long") << QByteArray("a.") + QByteArray(200, 'b') << false;
    }
    void namesAreChecked() {
        QFETCH(QByteArray, name);
        QFETCH(bool, valid);
        QCOMPARE(CVarRegistry::isValidName(name.toStdString()), valid);
    }

    void addingTwiceSharesOrIsAFault() {
        CVarRegistry registry;
        const CVar<int> a = registry.add<int>("t.value", 1, "v");
        const CVar<int> b = registry.add<int>("t.value", 1, "v");
        QVERIFY(a.set(5).ok());
        QCOMPARE(b.get(), 5);
        QVERIFY(registry.find<int>("t.value").has_value());
        QVERIFY(!registry.find<float>("t.value").has_value());
        QVERIFY(!registry.find<int>("t.none").has_value());
        QVERIFY(!registry.reserve("t.value"));
        QVERIFY(registry.reserve("help"));
        const ContractHandler before =
            setContractHandler([](const ContractViolation&) { throw Violation{}; });
        QVERIFY_EXCEPTION_THROWN((void)registry.add<float>("t.value", 1.0F, "v"), Violation);
        QVERIFY_EXCEPTION_THROWN((void)registry.add<int>("t.bad", 11, "v", {.maximum = 10}), Violation);
        QVERIFY_EXCEPTION_THROWN((void)registry.add<int>("nodot", 1, "v"), Violation);
        setContractHandler(before);
    }

    void hiddenIsNotListed() {
        CVarRegistry registry;
        (void)registry.add<int>("t.shown", 1, "v");
        (void)registry.add<int>("t.secret", 1, "v", {.flags = CVarFlags::Hidden | CVarFlags::Archive});
        QCOMPARE(registry.names(), std::vector<std::string>{"t.shown"});
        QCOMPARE(registry.names(true).size(), std::size_t{2});
        QVERIFY(registry.set("t.secret", "2", CVarSource::Console).ok());
        QCOMPARE(cvarFlagNames(CVarFlags::Hidden | CVarFlags::Archive), std::string("archive, hidden"));
    }

    void readersAndSettersMayBeOnDifferentThreads() {
        CVarRegistry registry;
        const CVar<double> number = registry.add<double>("t.number", 0.0, "n");
        const CVar<std::string> text = registry.add<std::string>("t.text", std::string(64, 'a'), "t");
        std::atomic<bool> stop{false};
        std::thread setter([&] {
            for (int i = 0; i < 20'000; ++i) {
                (void)number.set(i % 2 == 0 ? -1.0e300 : 1.0e300);
                (void)text.set(std::string(64, i % 2 == 0 ? 'b' : 'a'));
            }
            stop = true;
        });
        bool whole = true;
        while (!stop) {
            const double n = number.get();
            whole = whole && (n == 0.0 || n == 1.0e300 || n == -1.0e300);
            const std::string t = text.get();
            whole = whole && t == std::string(64, t.front());
            whole = whole && registry.list().size() == 2;
        }
        setter.join();
        QVERIFY(whole);
        QVERIFY(registry.revision() >= 40'000);
    }
};

QTEST_GUILESS_MAIN(TestCVar)
#include "tst_cvar.moc"
