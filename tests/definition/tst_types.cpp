// Entity types: inheritance, provenance, checks across types.
#include <QtTest>

#include "engine/definition/checks.h"
#include "engine/definition/definitions.h"
#include "tests/counted_allocations.h"
#include "tests/definition/sample_schema.h"

using namespace sbx;
using namespace sbx::definition;

namespace {
std::string partsOf(const EntityTypeDefinition& type) {
    std::string out;
    for (const ComponentDefinition& c : type.components)
        out += c.name + " ";
    return out;
}
} // namespace

class TestTypes : public QObject {
    Q_OBJECT
private:
    Schema m_schema = sample::schema();
    Definitions load(const std::string& text, Diagnostics& sink) {
        return Definitions::load({{"f.toml", text}}, m_schema, sink);
    }

private slots:
    void readsTheSample() {
        Diagnostics sink;
        const Definitions d = load(sample::Types, sink);
        QVERIFY2(sink.items.empty(), sink.items.empty() ? "" : sink.items[0].toString().c_str());
        QCOMPARE(d.names(), (std::vector<std::string>{"Crate", "HeavyCrate", "Door", "Bat"}));
        const EntityTypeDefinition& crate = *d.find("Crate");
        QCOMPARE(crate.icon, std::string("crate"));
        QCOMPARE(crate.region, (SourceRegion{1, 2, 1, 7}));
        QCOMPARE(partsOf(crate), std::string("Body Health "));
        QCOMPARE(std::get<double>(crate.find("Body")->find("mass")->value), 5.0);
        QCOMPARE(d.find("Bat")->components.size(), std::size_t{2});
        QVERIFY(d.find("crate") == nullptr);
    }
    // One that is the other: refused where it stands, in the file; siblings may.
    void refusesComponentsThatAreEachOther() {
        Schema schema = m_schema;
        schema.add({"Shape", "Any form.", &fieldsOf<sample::Touch>(), true, {"Box", "Ball"}});
        schema.add({"Box", "A form.", &fieldsOf<sample::Touch>(), true, {"Shape"}});
        schema.add({"Ball", "A form.", &fieldsOf<sample::Touch>(), true, {"Shape"}});
        Diagnostics sink;
        const Definitions d =
            Definitions::load({{"f.toml", "[A.Box]\n[A.Ball]\n[B.Box]\n[B.Shape]\n[C]\nextends = "
                                          "\"A\"\n[C.Shape]\n[D.Shape]\nenabled = false\n[D.Box]\n"}},
                              schema, sink);
        QCOMPARE(d.names(), (std::vector<std::string>{"A", "D"}));
        QCOMPARE(sink.items.size(), std::size_t(3));
        QCOMPARE(sink.items[0].toString(), std::string("f.toml:4:4: error: B has Box and Shape, and one is "
                                                       "the other; expected at most one of them"));
        QCOMPARE(sink.items[1].region.line, 7U);
        QCOMPARE(sink.items[2].region.line, 7U);
    }
    // One error, and no type of that file; that others miss its types is no second error.
    void aLaterFormatIsRefused() {
        const auto load = [&](const char* format, Diagnostics& sink) {
            return Definitions::load(
                {{"base.toml", "# Of all.\nformat = " + std::string(format) + "\n[Base]\n[Base.Body]\n"},
                 {"f.toml", "[Big]\nextends = \"Base\"\n[Other.Body]\n"}},
                m_schema, sink);
        };
        Diagnostics now;
        QCOMPARE(load("1", now).names(), (std::vector<std::string>{"Base", "Big", "Other"}));
        QVERIFY(now.items.empty());
        const std::pair<const char*, const char*> refused[] = {
            {"2", "the definition file has format 2, of a later version of Signalbox; expected at most "
                  "format 1, or that version"},
            {"-1", "there is no format -1; expected format = 1"},
            {"[1]", "format is a list of 1 numbers; expected format = 1"}};
        for (const auto& [format, error] : refused) {
            Diagnostics sink;
            const Definitions d = load(format, sink);
            QCOMPARE(d.names(), std::vector<std::string>{"Other"});
            QVERIFY(d.isBroken("Base"));
            sink.sort();
            QCOMPARE(sink.items.front().toString(), "base.toml:2:10: error: " + std::string(error));
            QVERIFY(std::none_of(sink.items.begin() + 1, sink.items.end(),
                                 [](const Diagnostic& fault) { return fault.severity == Severity::Error; }));
        }
    }
    // A type may have that name.
    void formatMayNameAType() {
        Diagnostics sink;
        QCOMPARE(load("[format]\n[format.Body]\n", sink).names(), std::vector<std::string>{"format"});
        QVERIFY(sink.items.empty());
    }
    // Built-in types come last, and give way to those of the project, whole or faulty.
    void builtInTypesGiveWay() {
        const SourceFile builtIn{"built in",
                                 "[Ball]\n[Ball.Body]\n[Box]\n[Box.Body]\nmass = 2.0\n[Odd]\n[Odd.Nowhere]\n",
                                 false, true};
        const auto read = [&](const SourceFile& own, Diagnostics& sink) {
            return Definitions::load({builtIn, own}, m_schema, sink);
        };
        Diagnostics none;
        const Definitions d =
            read({"e.toml",
                  "[Big]\nextends = \"Box\"\n[Big.Body]\nsize = [9.0, 9.0, 9.0]\n[Ball]\n[Ball.Health]\n"},
                 none);
        QVERIFY2(none.items.empty(), none.items.empty() ? "" : none.items[0].toString().c_str());
        QCOMPARE(d.names(), (std::vector<std::string>{"Big", "Ball", "Box"}));
        QCOMPARE(partsOf(*d.find("Ball")), std::string("Health "));
        QVERIFY(!d.find("Ball")->builtIn && !d.find("Big")->builtIn && d.find("Box")->builtIn);
        QCOMPARE(std::get<double>(d.find("Big")->find("Body")->find("mass")->value), 2.0);

        for (const char* faulty : {"[Ball]\n[Ball.Body]\nmass = \"x\"\n", "[Ball]\n[Ball.Body]\nmass = \n"}) {
            Diagnostics faults;
            const Definitions kept = read({"e.toml", faulty}, faults);
            QCOMPARE(kept.names(), std::vector<std::string>{"Box"});
            QVERIFY(kept.isBroken("Ball"));
            QCOMPARE(faults.items.size(), std::size_t(1));
            QCOMPARE(faults.items[0].file, std::string("e.toml"));
            QCOMPARE(faults.items[0].region.line, 3U);
        }
        // What a file that cannot be read would have declared is not known.
        Diagnostics told;
        const Definitions lost = read({"e.toml", "", true}, told);
        QVERIFY(lost.types().empty() && lost.isBroken("Box"));
    }
    void extendsMergesKeyByKey() {
        Diagnostics sink;
        const Definitions d = load(sample::Types, sink);
        const EntityTypeDefinition& heavy = *d.find("HeavyCrate");
        QCOMPARE(heavy.extends, std::string("Crate"));
        QCOMPARE(heavy.doc, d.find("Crate")->doc);
        QCOMPARE(partsOf(heavy), std::string("Body Health "));
        const ComponentDefinition& body = *heavy.find("Body");
        QCOMPARE(body.settings.size(), std::size_t{3});
        QCOMPARE(body.owner, std::string("Crate"));
        const Setting& mass = *body.find("mass");
        QCOMPARE(std::get<double>(mass.value), 50.0);
        QCOMPARE(mass.owner, std::string("HeavyCrate"));
        QCOMPARE(mass.entry.value.region.line, 16);
        QCOMPARE(mass.entry.value.file, std::string("f.toml"));
        QCOMPARE(body.find("size")->owner, std::string("Crate"));
        QCOMPARE(body.find("size")->entry.value.region.line, 7);

        sample::Body object;
        fieldsOf<sample::Body>().find("mass")->write(&object, mass.value);
        QCOMPARE(object.mass, 50.0F);
    }
    void baseComponentsComeFirst() {
        Diagnostics sink;
        const Definitions d =
            load("[B]\nextends = \"A\"\n[B.Mesh]\n[B.Body]\n[B.Touch]\n[A.Health]\n[A.Body]\n", sink);
        QVERIFY(sink.items.empty());
        QCOMPARE(d.names(), (std::vector<std::string>{"B", "A"})); // file order, whatever the inheritance
        QCOMPARE(partsOf(*d.find("B")), std::string("Health Body Mesh Touch "));
    }
    void enabledTakesOutAndPutsBack() {
        Diagnostics sink;
        const Definitions d = load("[A.Body]\nmass = 2\n[B]\nextends = \"A\"\n[B.Body]\nenabled = false\n"
                                   "[C]\nextends = \"B\"\n[C.Body]\nenabled = true\nlayer = 1\n",
                                   sink);
        QVERIFY(sink.items.empty());
        QCOMPARE(partsOf(*d.find("B")), std::string());
        QCOMPARE(d.find("C")->find("Body")->settings.size(), std::size_t{2});
        QCOMPARE(d.find("C")->find("Body")->find("mass")->owner, std::string("A"));
    }
    void listsReplaceTheBase() {
        Diagnostics sink;
        const Definitions d = load("[A]\n[[A.Touch]]\ndamage = 1\n[[A.Touch]]\ndamage = 2\n[A.Body]\n"
                                   "[B]\nextends = \"A\"\n[[B.Touch]]\ndamage = 3\n[C]\nextends = \"A\"\n",
                                   sink);
        QVERIFY(sink.items.empty());
        QCOMPARE(partsOf(*d.find("B")), std::string("Body Touch "));
        QCOMPARE(partsOf(*d.find("C")), std::string("Touch Touch Body "));
    }
    void typesOfSeveralFiles() {
        Diagnostics sink;
        const Definitions d = Definitions::load(
            {{"a.toml", "[Heavy]\nextends = \"Base\"\n[Twice]\n"}, {"b.toml", "[Base.Body]\n[Twice]\n"}},
            m_schema, sink);
        QCOMPARE(d.names(), (std::vector<std::string>{"Heavy", "Base"}));
        QCOMPARE(sink.items.size(), std::size_t{1});
        QCOMPARE(sink.items[0].file, std::string("b.toml"));
        QVERIFY(sink.items[0].what.find("a.toml:3") != std::string::npos);
        QVERIFY(d.isBroken("Twice") && !d.isBroken("Base") && !d.isBroken("Nothing"));
    }
    void anUnreadableFileMakesNoEcho() {
        Diagnostics sink;
        const Definitions d =
            Definitions::load({{"a.toml", "[Heavy]\nextends = \"Base\"\n[Good.Spawner]\nspawns = \"Base\"\n"},
                               {"b.toml", "[Base]\ndoc = \"\xFF\"\n"}},
                              m_schema, sink);
        QCOMPARE(sink.items.size(), std::size_t{2});
        QVERIFY(sink.items[0].severity == Severity::Error);
        QVERIFY(sink.items[1].severity == Severity::Warning);
        QCOMPARE(d.names(), (std::vector<std::string>{"Good"}));
        QVERIFY(d.isBroken("Base"));
    }
    void aMissingFileMakesNoEcho() {
        Diagnostics sink;
        const Definitions d = Definitions::load(
            {{"a.toml", "[Good]\n[Heavy]\nextends = \"Base\"\n"}, {"b.toml", {}, true}}, m_schema, sink);
        QCOMPARE(sink.items.size(), std::size_t{1});
        QVERIFY(!sink.hasErrors());
        QVERIFY(d.isBroken("Base") && !d.isBroken("Good"));
    }
    void restLoadsBesideFaults() {
        Diagnostics sink;
        const Definitions d = load("[A.Body]\nmass = \"x\"\n[B.Body]\nmass = 1\n[C]\ndoc = \"\n[D]\n", sink);
        QCOMPARE(d.names(), (std::vector<std::string>{"B", "D"}));
        QCOMPARE(d.broken(), (std::vector<std::string>{"A", "C"}));
        QCOMPARE(sink.items.size(), std::size_t{2});
    }
    void longChainsAndManyFaults() {
        std::string chain;
        constexpr int Length = 3000;
        for (int i = 0; i < Length; ++i)
            chain += "[T" + std::to_string(i) + "]\nextends = \"T" + std::to_string(i + 1) + "\"\n";
        chain += "[T" + std::to_string(Length) + ".Body]\nmass = 3\n";
        Diagnostics sink;
        const Definitions d = load(chain, sink);
        QVERIFY(sink.items.empty());
        QCOMPARE(d.find("T0")->find("Body")->settings.size(), std::size_t{1});

        // What each fault asks for does not grow with how many there are.
        const auto bytesEach = [this](std::size_t faults) {
            std::string unknown;
            for (std::size_t i = 0; i < faults; ++i)
                unknown += "[U" + std::to_string(i) + "]\nextends = \"V" + std::to_string(i) + "\"\n";
            Diagnostics many;
            const std::size_t before = AllocatedBytes;
            static_cast<void>(load(unknown, many));
            return many.items.size() == faults ? (AllocatedBytes - before) / faults : 0;
        };
        const std::size_t few = bytesEach(5000);
        const std::size_t many = bytesEach(20000);
        QVERIFY2(few > 0 && many > 0 && many < few * 3 / 2,
                 qPrintable(QStringLiteral("%1, then %2").arg(few).arg(many)));
    }
    void names() {
        QVERIFY(isTypeName("Crate_2-b") && !isTypeName("2Crate") && !isTypeName("") && !isTypeName("A B"));
        QVERIFY(isInstanceName("crate_2") && !isInstanceName("a.b") && !isInstanceName("")
                && !isInstanceName("a b"));
        QVERIFY(isInstanceName("caf\xc3\xa9") && !isInstanceName("caf\xe9") && !isInstanceName("\xc0\x80"));
    }
};

QTEST_GUILESS_MAIN(TestTypes)
#include "tst_types.moc"
