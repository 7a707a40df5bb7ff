// The index of places, which follows edits without parsing, against an index read from the edited text; and edits composed into one
// set against both applied in turn.
#include <QtTest>

#include "engine/definition/batch_edit.h"
#include "engine/definition/place_index.h"

#include <random>

using namespace sbx;
using namespace sbx::definition;

namespace {

const std::string Yard = "[scene]\nname = \"Yard\"\n\n[[entity]]\ntype = \"Crate\"\nposition = [0, 1.5, -2.0] # here\n"
                         "rotation = [0.0, 90.0, 0.0]\n[entity.Body]\nposition = [9, 9, 9]\n\n[[entity]]\ntype = \"Lamp\"\n"
                         "name = \"lamp\"\nparent = \"crate\"\nlayer = \"Street lamps\"\nscale = [2.0, 2.0, 2.0]\n";

bool same(const PlaceIndex& a, const PlaceIndex& b) {
    return std::equal(a.instances().begin(), a.instances().end(), b.instances().begin(), b.instances().end(),
                      [](const PlacedInstance& x, const PlacedInstance& y) {
                          return x.name == y.name && x.type == y.type && x.parent == y.parent && x.layer == y.layer && x.position == y.position
                                 && x.rotation == y.rotation && x.scale == y.scale;
                      });
}

std::string applied(const std::string& text, const TextEdits& edits) {
    const Result<std::string> after = applyEdits(text, edits);
    return after ? *after : "cannot apply: " + after.error().message;
}

// Any edits of a text, sorted and apart.
TextEdits randomEdits(std::mt19937& random, const std::string& text) {
    TextEdits edits;
    std::size_t at = 0;
    while (at < text.size() && edits.size() < 6) {
        at += random() % 5;
        if (at > text.size())
            break;
        const std::size_t size = std::min<std::size_t>(random() % 4, text.size() - at);
        TextEdit edit{at, text.substr(at, size), std::string(random() % 4, static_cast<char>('A' + random() % 26))};
        at += size + (random() % 3 == 0 ? 0 : 1);
        if (edit.removed != edit.inserted && (edits.empty() || edit.offset > edits.back().offset))
            edits.push_back(std::move(edit));
    }
    return edits;
}

} // namespace

class TestPlaceIndex : public QObject {
    Q_OBJECT

private slots:
    void readsWhatStandsInTheText() {
        const PlaceIndex index(Yard);
        QCOMPARE(index.instances().size(), std::size_t(2));
        const PlacedInstance& crate = index.instances()[0];
        QVERIFY(crate.name == "crate" && crate.type == "Crate" && crate.parent.empty() && crate.layer.empty());
        QVERIFY(crate.position == Vec3(0.0F, 1.5F, -2.0F) && crate.rotation == Vec3(0.0F, 90.0F, 0.0F));
        QVERIFY(crate.scale == Vec3(1.0F));
        const PlacedInstance& lamp = index.instances()[1];
        QVERIFY(lamp.name == "lamp" && lamp.parent == "crate" && lamp.layer == "Street lamps" && lamp.position == Vec3(0.0F) && lamp.scale == Vec3(2.0F));
        QVERIFY(index.find("lamp") == std::size_t(1));
        QVERIFY(!index.find("nobody"));
    }

    // Spelled in any way that TOML has, and faulty: as a parser reads it, or the default.
    void oddValues_data() {
        QTest::addColumn<QString>("value");
        QTest::addColumn<double>("x");
        QTest::newRow("signs") << "[+1, -2, +3.5]" << 1.0;
        QTest::newRow("hexadecimal") << "[0x10, 0, 0]" << 16.0;
        QTest::newRow("underscores") << "[1_000, 0, 0]" << 1000.0;
        QTest::newRow("lines") << "[ 4,\n 0,\n 0 ]" << 4.0;
        QTest::newRow("comma at the end") << "[5, 0, 0,]" << 5.0;
        QTest::newRow("exponent") << "[5e-1, 0, 0]" << 0.5;
        QTest::newRow("two numbers") << "[5, 0]" << 0.0;
        QTest::newRow("out of range") << "[5e7, 0, 0]" << 0.0;
        QTest::newRow("no number") << "[5, \"a\", 0]" << 0.0;
        QTest::newRow("not a number") << "[nan, 0, 0]" << 0.0;
        QTest::newRow("zero in front") << "[05, 0, 0]" << 0.0;
        QTest::newRow("open") << "[5, 0, 0" << 0.0;
    }
    void oddValues() {
        QFETCH(QString, value);
        QFETCH(double, x);
        const PlaceIndex index("[[entity]]\ntype = \"Crate\"\nposition = " + value.toStdString() + "\n");
        QCOMPARE(index.instances().size(), std::size_t(1));
        QCOMPARE(static_cast<double>(index.instances()[0].position.x), x);
    }

    // Written places, their undo and their redo are followed, and say who has moved.
    void followsWhatItWrites() {
        std::mt19937 random(7);
        std::string text = Yard;
        PlaceIndex index(text);
        for (std::uint64_t revision = 1; revision < 300; ++revision) {
            std::vector<PlaceIndex::Move> moves;
            const auto number = [&] { return static_cast<float>(static_cast<int>(random() % 20001) - 10000) / 16.0F; };
            if (random() % 2 == 0)
                moves.push_back({0, Vec3(number(), number(), number()), std::nullopt, std::nullopt});
            if (moves.empty() || random() % 2 == 0)
                moves.push_back({1, std::nullopt, std::nullopt, Vec3(1.0F + std::abs(number()))});
            const std::optional<TextEdits> edits = index.edits(text, moves);
            QVERIFY(edits.has_value());
            const std::string after = applied(text, *edits);
            QVERIFY(index.follow(*edits, after, revision));
            QVERIFY(same(index, PlaceIndex(after)));
            for (const TextEdit& edit : *edits)
                QVERIFY(!edit.removed.empty());
            for (const PlaceIndex::Move& move : moves)
                if (!edits->empty())
                    QVERIFY(index.instances()[move.instance].changed <= revision);
            if (random() % 3 == 0) {
                QVERIFY(index.follow(inverseOf(*edits), text, ++revision));
                QVERIFY(same(index, PlaceIndex(text)));
            } else {
                text = after;
            }
        }
        // What is not written yet has no place.
        QVERIFY(!index.edits(text, {{1, Vec3(1.0F), std::nullopt, std::nullopt}}));
    }

    // Typed digits are followed; anything else is not, and never guessed at.
    void followsNumbersAlone_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<bool>("follows");
        QTest::newRow("a digit") << "1.5, -2" << "1.57, -2" << true;
        QTest::newRow("a whole value") << "[0, 1.5, -2.0]" << "[ 1 ,2 , 3 ]" << true;
        QTest::newRow("a text") << "[0, 1.5, -2.0]" << "\"here\"" << false;
        QTest::newRow("too far") << "[0, 1.5, -2.0]" << "[0, 2e6, 0]" << false;
        QTest::newRow("scale below its least") << "[2.0, 2.0, 2.0]" << "[0.0, 2.0, 2.0]" << false;
        QTest::newRow("a comment") << "# here" << "# there" << false;
        QTest::newRow("the type") << "Lamp" << "Crate" << false;
        QTest::newRow("a component's value") << "[9, 9, 9]" << "[8, 9, 9]" << false;
        QTest::newRow("key and value") << "scale = [2.0" << "scale = [3.0" << false;
        QTest::newRow("behind the value") << " # here" << "0 # here" << false;
        QTest::newRow("lines") << "[0, 1.5, -2.0]" << "[0,\n 1.5, -2.0]" << false;
    }
    void followsNumbersAlone() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(bool, follows);
        const std::size_t at = Yard.find(from.toStdString());
        QVERIFY(at != std::string::npos);
        const TextEdits edits{{at, from.toStdString(), to.toStdString()}};
        PlaceIndex index(Yard);
        const std::string after = applied(Yard, edits);
        QCOMPARE(index.follow(edits, after, 1), follows);
        if (follows)
            QVERIFY(same(index, PlaceIndex(after)));
    }

    // Whatever is edited anywhere: what it says to have followed reads the same.
    void neverFollowsWrongly() {
        std::mt19937 random(11);
        int followed = 0;
        for (int round = 0; round < 20000; ++round) {
            const std::size_t at = random() % Yard.size();
            const std::size_t size = std::min<std::size_t>(random() % 4, Yard.size() - at);
            static const std::string Letters = "0123456789.,-+eE[] \n#\"=";
            std::string with;
            for (std::size_t i = random() % 4; i > 0; --i)
                with += Letters[random() % Letters.size()];
            const TextEdits edits{{at, Yard.substr(at, size), with}};
            const std::string after = applied(Yard, edits);
            PlaceIndex index(Yard);
            if (!index.follow(edits, after, 1))
                continue;
            ++followed;
            QVERIFY2(same(index, PlaceIndex(after)), after.c_str());
        }
        QVERIFY(followed > 50);
    }

    void composedEditsDoWhatBothDo() {
        std::mt19937 random(5);
        for (int round = 0; round < 20000; ++round) {
            const std::string text(random() % 24, 'x');
            std::string start;
            for (std::size_t i = 0; i < text.size(); ++i)
                start += static_cast<char>('a' + i % 26);
            const TextEdits first = randomEdits(random, start);
            const std::string between = applied(start, first);
            const TextEdits second = randomEdits(random, between);
            const std::string after = applied(between, second);
            const TextEdits both = composed(first, second);
            QCOMPARE(applied(start, both), after);
            QCOMPARE(applied(after, inverseOf(both)), start);
            std::string inPlace = start;
            applyInPlace(inPlace, both);
            QCOMPARE(inPlace, after);
        }
    }

    // As a drag does it: the same places again and again stay as many edits.
    void aDragStaysAsManyEdits() {
        TextEdits all{{3, "abc", "de"}, {10, "f", "ghi"}};
        for (int i = 0; i < 5; ++i)
            all = composed(all, {{3, i == 0 ? "de" : std::string(static_cast<std::size_t>(i), 'q'), std::string(static_cast<std::size_t>(i + 1), 'q')}});
        QCOMPARE(all.size(), std::size_t(2));
        QCOMPARE(all[0].removed, std::string("abc"));
        QCOMPARE(all[0].inserted, std::string("qqqqq"));
        QVERIFY(composed(all, inverseOf(all)).empty());
    }
};

QTEST_GUILESS_MAIN(TestPlaceIndex)
#include "tst_place_index.moc"
