// What stands at the caret, where a name stands, the outline, completion and tooltips: in sound texts and in
// half-typed ones.
#include <QtTest>

#include "engine/definition/completion.h"
#include "engine/definition/lookup.h"
#include "tests/definition/sample_schema.h"

using namespace sbx;
using namespace sbx::definition;

namespace {

using Place = TextLocation::Place;

// A text with the caret marked as |.
struct Caret {
    std::string text;
    std::size_t offset;
    explicit Caret(std::string marked) : text(std::move(marked)), offset(text.find('|')) {
        text.erase(offset, 1);
    }
    [[nodiscard]] TextLocation locate() const { return definition::locate(text, offset); }
};

} // namespace

class TestLookup : public QObject {
    Q_OBJECT
private:
    Schema m_schema = sample::schema();
    Definitions m_definitions = sample::definitions(m_schema);

    // Labels, joined with spaces.
    std::string completions(const std::string& marked) {
        const Caret caret(marked);
        std::string out;
        for (const Completion& c : complete(caret.text, caret.locate(), m_schema, m_definitions))
            out += (out.empty() ? "" : " ") + c.label;
        return out;
    }
    std::string inserted(const std::string& marked) {
        const Caret caret(marked);
        const TextLocation at = caret.locate();
        const auto list = complete(caret.text, at, m_schema, m_definitions);
        if (list.empty())
            return "nothing";
        std::string text = caret.text;
        return text.replace(at.word.begin, at.word.size(), list.front().insert);
    }
    std::string tip(const std::string& marked) {
        return describe(Caret(marked).locate(), m_schema, m_definitions);
    }

private slots:
    void locates_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("place");
        QTest::addColumn<QString>("where"); // entityType instance component key typed
        const auto row = [](const char* name, const char* text, Place place, const char* where) {
            QTest::newRow(name) << QString::fromUtf8(text) << static_cast<int>(place)
                                << QString::fromUtf8(where);
        };
        row("key of a component", "[Crate.Body]\nma|ss = 5\n", Place::Key, "Crate//Body/mass/ma");
        row("value", "[Crate.Body]\nmass = 5|.5\n", Place::Value, "Crate//Body/mass/5");
        row("behind the equals sign", "[Crate.Body]\nmass = |\n", Place::Value, "Crate//Body/mass/");
        row("directly behind it", "[Crate.Body]\nmass =|", Place::Value, "Crate//Body/mass/");
        row("inside quotes", "[Crate.Body]\nshape = \"b|ox\" # c\n", Place::Value, "Crate//Body/shape/b");
        row("inside open quotes", "[Crate.Body]\nshape = \"b|\n", Place::Value, "Crate//Body/shape/b");
        row("inside empty quotes", "[Crate.Body]\nshape = \"|\"\n", Place::Value, "Crate//Body/shape/");
        row("key of the type", "[Crate]\nex|tends = \"A\"\n", Place::Key, "Crate///extends/ex");
        row("half-typed key", "[Crate.Body]\nma|\n[Other]\n", Place::Key, "Crate//Body/ma/ma");
        row("half-typed key at the end", "[Crate.Body]\nma|", Place::Key, "Crate//Body/ma/ma");
        row("blank line", "[Crate.Body]\nmass = 5\n|\n[Other]\n", Place::Nowhere, "Crate//Body//");
        row("end of the text", "[Crate.Body]\nmass = 5\n|", Place::Nowhere, "Crate//Body//");
        row("empty text", "|", Place::Nowhere, "////");
        row("header, type", "[Cr|ate.Body]\n", Place::Header, "Crate//Body//Cr");
        row("header, component", "[Crate.Bo|dy]\n", Place::Header, "Crate//Body//Bo");
        row("half-typed header", "[Crate]\n[Crate.|\nmass = 5\n", Place::Header, "Crate////");
        row("comment", "[Crate.Body]\nmass = 5 # he|avy\n", Place::Comment, "Crate//Body//");
        row("comment line", "# he|avy\n", Place::Comment, "////");
        row("dotted", "[Crate]\nBody.ma|ss = 5\n", Place::Key, "Crate//Body/mass/ma");
        row("dotted, component", "[Crate]\nBo|dy.mass = 5\n", Place::Key, "Crate//Body//Bo");
        row("dotted, value", "[Crate]\nBody.mass = 5|\n", Place::Value, "Crate//Body/mass/5");
        row("inline, key", "[Crate]\nBody = { mass = 5, la|yer = 1 }\n", Place::Key, "Crate//Body/layer/la");
        row("inline, value", "[Crate]\nBody = { mass = 5, layer = 1| }\n", Place::Value,
            "Crate//Body/layer/1");
        row("inline, half typed", "[Crate]\nBody = { mass = 5, la| }\n", Place::Key, "Crate//Body/la/la");
        row("list element", "[Crate.Body]\nsize = [1.0, 2|.0]\n", Place::Value, "Crate//Body/size/2");
        row("scene key", "[[entity]]\ntype = \"Crate\"\npo|s\n", Place::Key, "Crate/crate//pos/po");
        row("scene override",
            "[[entity]]\ntype = \"Crate\"\n[[entity]]\ntype = \"Crate\"\n[entity.Body]\nma|ss = 2\n",
            Place::Key, "Crate/crate_2/Body/mass/ma");
        row("carriage returns", "[Crate.Body]\r\nma|ss = 5\r\n", Place::Key, "Crate//Body/mass/ma");
    }
    void locates() {
        QFETCH(QString, text);
        QFETCH(int, place);
        QFETCH(QString, where);
        const TextLocation at = Caret(text.toStdString()).locate();
        QCOMPARE(static_cast<int>(at.place), place);
        const std::string got =
            at.entityType + "/" + at.instance + "/" + at.component + "/" + at.key + "/" + at.typed;
        QCOMPARE(QString::fromStdString(got), where);
    }
    void everyOffsetOfEveryPrefixIsSafe() {
        const std::string text =
            std::string(sample::Types)
            + "[X]\nBody = { mass = 1, a.b = \"q\\\" }\" }\nt = \"\"\"\n[Y]\n\"\"\"\n[[entity]]\n";
        for (std::size_t length = 0; length <= text.size(); length += 3) {
            const std::string part = text.substr(0, length);
            for (std::size_t offset = 0; offset <= length + 1; offset += 5) {
                const TextLocation at = locate(part, offset);
                QVERIFY(at.word.begin <= at.word.end && at.word.end <= part.size());
                static_cast<void>(complete(part, at, m_schema, m_definitions));
            }
            static_cast<void>(outline(part));
        }
    }
    void finds() {
        const std::string text = sample::Types;
        QCOMPARE(*findType(text, "HeavyCrate"), (SourceRegion{13, 2, 13, 12}));
        QVERIFY(!findType(text, "Nobody"));
        QCOMPARE(*findSetting(text, "Crate", "Body"), (SourceRegion{5, 8, 5, 12}));
        QCOMPARE(*findSetting(text, "Crate", "Body", "mass"), (SourceRegion{8, 1, 8, 5}));
        QCOMPARE(*findSetting(text, "HeavyCrate", "", "extends"), (SourceRegion{14, 1, 14, 8}));
        QVERIFY(!findSetting(text, "HeavyCrate", "Body", "size"));
        const std::string scene =
            "[[entity]]\ntype = \"Crate\"\n\n[[entity]]\ntype = \"Crate\"\n[entity.Body]\nmass = 1\n";
        QCOMPARE(*findInstance(scene, "crate_2"), (SourceRegion{4, 1, 4, 11}));
        QCOMPARE(*findSetting(scene, "crate_2", "Body", "mass"), (SourceRegion{7, 1, 7, 5}));
    }
    void outlines() {
        const auto nodes = outline(sample::Types);
        QCOMPARE(nodes.size(), std::size_t{4});
        QCOMPARE(nodes[0].name, std::string("Crate"));
        QCOMPARE(nodes[0].children.size(), std::size_t{4}); // doc, icon, Body, Health
        QVERIFY(nodes[0].children[2].kind == OutlineNode::Kind::Component);
        QCOMPARE(nodes[0].children[2].children[1].name, std::string("size"));
        QCOMPARE(nodes[0].children[2].children[1].detail, std::string("[1.0, 1.0, 1.0]"));
        QCOMPARE(std::string(nodes[3].span.of(sample::Types)),
                 std::string("[Bat]\n[[Bat.Touch]]\ndamage = 1\n[[Bat.Touch]]\ndamage = 2\n"));
        // Half a text still shows what can be seen.
        const auto half = outline("[Crate\nmass = [1,\n[Ball.Body]\nx\n[[entity]]\ntype = \"Ball\"\n");
        QCOMPARE(half.size(), std::size_t{3});
        QCOMPARE(half[2].name, std::string("ball"));
        QCOMPARE(half[2].detail, std::string("Ball"));
    }
    void completesKeys() {
        QCOMPARE(completions("[Crate.Body]\nmass = 5\n|\n"), std::string("shape size trigger layer enabled"));
        QCOMPARE(completions("[Crate.Body]\ns|\n"), std::string("shape size mass"));
        QCOMPARE(completions("[Crate.Body]\nm|ass = 5\n"), std::string("mass"));
        QCOMPARE(completions("[Crate]\n|\n"), std::string("extends doc icon color"));
        QCOMPARE(completions("[Crate.Nothing]\n|\n"), std::string());
        QCOMPARE(completions("[[entity]]\ntype = \"Crate\"\n|\n"),
                 std::string("name position rotation scale parent layer"));
        QCOMPARE(completions("[[entity]]\ntype = \"Crate\"\n[entity.Health]\n|\n"), std::string("maximum"));
        QCOMPARE(completions("[project]\n|\n"), std::string("name scene definitions plugins format"));
        QCOMPARE(completions("[scene]\n|\n"), std::string("name format"));
        // Before the first type of a definition file, and of no other.
        QCOMPARE(completions("|\n[Crate]\n"), std::string("format"));
        QCOMPARE(completions("fo|\n[Crate]\n"), std::string("format"));
        QCOMPARE(completions("format = 1\n|\n[Crate]\n"), std::string());
        QCOMPARE(completions("|\n[scene]\n"), std::string());
        QCOMPARE(completions("|\n[[entity]]\n"), std::string());
        QCOMPARE(completions("|\n[project]\n"), std::string());
        QCOMPARE(inserted("fo|\n[Crate]\n"), std::string("format = \n[Crate]\n"));
        QCOMPARE(completions("[Crate.Body]\n# |\n"), std::string());
        QCOMPARE(inserted("[Crate.Body]\nma|\n"), std::string("[Crate.Body]\nmass = \n"));
        QCOMPARE(inserted("[Crate.Body]\nma| = 5\n"), std::string("[Crate.Body]\nmass = 5\n"));
    }
    void completesComponents() {
        QCOMPARE(completions("[Crate]\n[Crate.Body]\n[Crate.|\n"),
                 std::string("Mesh Health Spawner Hinge Touch Player"));
        QCOMPARE(completions("[Crate.h|]\n"), std::string("Health Hinge Mesh Touch"));
        // In a scene only what the type has.
        QCOMPARE(completions("[[entity]]\ntype = \"Crate\"\n[entity.|]\n"), std::string("Body Health"));
    }
    void completesValues() {
        QCOMPARE(completions("[Crate.Body]\nshape = |\n"), std::string("box sphere plane"));
        QCOMPARE(inserted("[Crate.Body]\nshape = |\n"), std::string("[Crate.Body]\nshape = \"box\"\n"));
        QCOMPARE(inserted("[Crate.Body]\nshape = \"s|\"\n"),
                 std::string("[Crate.Body]\nshape = \"sphere\"\n"));
        QCOMPARE(completions("[Crate.Body]\ntrigger = |\n"), std::string("true false"));
        QCOMPARE(completions("[Crate.Body]\nenabled = f|\n"), std::string("false"));
        QCOMPARE(completions("[Crate.Body]\nsize = |\n"), std::string("[1.0, 1.0, 1.0]"));
        QCOMPARE(completions("[Crate]\nextends = \"|\"\n"), std::string("HeavyCrate Door Bat")); // not itself
        QCOMPARE(completions("[N.Spawner]\non = \"D|\"\n"), std::string("Damage Death"));
        QCOMPARE(completions("[[entity]]\ntype = \"c|\"\n"), std::string("Crate HeavyCrate"));
        QCOMPARE(completions("[[entity]]\ntype = \"Crate\"\n[[entity]]\ntype = \"Door\"\nparent = \"|\"\n"),
                 std::string("crate"));
        QCOMPARE(
            completions(
                "[[entity]]\ntype = \"Crate\"\n[[entity]]\ntype = \"Door\"\n[entity.Hinge]\nanchor = |\n"),
            std::string("crate"));
    }
    void describes() {
        QCOMPARE(tip("[Crate.Body]\nma|ss = 5\n"),
                 std::string("mass: a number in [0.001, 1e+06] kg\nMass of a dynamic body.\nDefault 1.0"));
        QCOMPARE(tip("[Crate.Bo|dy]\n"), std::string("Body\nA physical body."));
        QVERIFY(tip("[HeavyCr|ate]\n").starts_with("HeavyCrate, extends Crate\nA wooden box"));
        QVERIFY(tip("[X]\nextends = \"Heavy|Crate\"\n").starts_with("HeavyCrate, extends Crate"));
        QVERIFY(tip("[Crate]\nex|tends = \"A\"\n").starts_with("extends: text: the name of an entity type"));
        QCOMPARE(tip("[Crate.Body]\n# |\n"), std::string());
        QCOMPARE(tip("[Crate.Body]\nmas|x = 5\n"), std::string());
    }
};

QTEST_GUILESS_MAIN(TestLookup)
#include "tst_lookup.moc"
