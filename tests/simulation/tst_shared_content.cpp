// What both ends of a session must have in common: what counts, what does not, and how a difference is named.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/network_table.h"
#include "engine/simulation/shared_content.h"
#include "tests/simulation/project_in_memory.h"

using namespace sbx;

namespace {

constexpr const char* Types =
    "[Crate]\n[Crate.Body]\nmass = 5.0\n[Crate.Health]\nmaximum = 10.0\n[Player]\n[Player.Health]\n";
constexpr const char* Scene =
    "[scene]\nname = \"yard\"\n[[entity]]\ntype = \"Crate\"\nname = \"a\"\nposition = [0, 1, 0]\n"
    "[[entity]]\ntype = \"Player\"\nname = \"b\"\n";

} // namespace

class TestSharedContent : public QObject {
    Q_OBJECT

private:
    Log m_log;
    Session m_session{m_log, addConsoleCommands};

    SharedContent of(const std::string& types, const std::string& scene) {
        Diagnostics faults;
        const auto content = projectInMemory(m_session, types, scene, &faults);
        if (content == nullptr || faults.hasErrors())
            qFatal("the project cannot be read: %s",
                   faults.items.empty() ? "" : faults.items.front().toString().c_str());
        m_session.open(content);
        return m_session.simulation().sharedContent();
    }

private slots:
    void theSameInOtherWordsIsTheSame_data() {
        QTest::addColumn<QString>("types");
        QTest::addColumn<QString>("scene");
        QTest::newRow("the same") << QString::fromLatin1(Types) << QString::fromLatin1(Scene);
        QTest::newRow("comments, blanks and ways to write a number")
            << QStringLiteral("# words\n[Crate]\n[Crate.Body]\nmass   = 5\n\n[Crate.Health]\nmaximum = "
                              "1e1\n[Player]\n[Player.Health]\n")
            << QString::fromLatin1(Scene);
        QTest::newRow("types in another order") << QStringLiteral(
            "[Player]\n[Player.Health]\n[Crate]\n[Crate.Body]\nmass = 5.0\n[Crate.Health]\nmaximum = 10.0\n")
                                                << QString::fromLatin1(Scene);
        QTest::newRow("another colour") << QString::fromLatin1(Types).replace(
            QLatin1String("[Crate]\n"), QLatin1String("[Crate]\ncolor = [1.0, 0.0, 0.0]\n"))
                                        << QString::fromLatin1(Scene);
    }
    void theSameInOtherWordsIsTheSame() {
        QFETCH(QString, types);
        QFETCH(QString, scene);
        const SharedContent here = of(Types, Scene);
        const SharedContent there = of(types.toStdString(), scene.toStdString());
        QVERIFY(here.identity() == there.identity());
        QVERIFY(here.difference(there.description()).empty());
    }

    void aDifferenceIsNamed_data() {
        QTest::addColumn<QString>("types");
        QTest::addColumn<QString>("scene");
        QTest::addColumn<QString>("text");
        const QString types = QString::fromLatin1(Types);
        const QString scene = QString::fromLatin1(Scene);
        const auto changed = [](QString text, const char* from, const char* to) {
            return text.replace(QLatin1String(from), QLatin1String(to));
        };
        QTest::newRow("a setting") << changed(types, "mass = 5.0", "mass = 5.5") << scene
                                   << QStringLiteral("definitions of entity types (Crate)");
        QTest::newRow("a component") << changed(types, "[Player.Health]", "[Player.Health]\n[Player.Relay]")
                                     << scene << QStringLiteral("definitions of entity types (Player)");
        QTest::newRow("two types") << changed(changed(types, "mass = 5.0", "mass = 5.5"), "[Player.Health]",
                                              "[Player.Body]")
                                   << scene << QStringLiteral("definitions of entity types (Crate, Player)");
        QTest::newRow("one more there") << types + QStringLiteral("[Wall]\n[Wall.Health]\n") << scene
                                        << QStringLiteral("definitions of entity types (only there: 1)");
        QTest::newRow("a place") << types << changed(scene, "[0, 1, 0]", "[0, 2, 0]")
                                 << QStringLiteral("the scene (here \"yard\")");
        QTest::newRow("a scale") << types
                                 << changed(scene, "name = \"a\"\n", "name = \"a\"\nscale = [2, 2, 2]\n")
                                 << QStringLiteral("the scene (here \"yard\")");
        QTest::newRow("an override") << types
                                     << changed(scene, "position = [0, 1, 0]\n",
                                                "position = [0, 1, 0]\n[entity.Body]\nmass = 6.0\n")
                                     << QStringLiteral("the scene (here \"yard\")");
        QTest::newRow("both") << changed(types, "mass = 5.0", "mass = 5.5")
                              << changed(scene, "[0, 1, 0]", "[0, 2, 0]")
                              << QStringLiteral(
                                     "definitions of entity types (Crate); the scene (here \"yard\")");
    }
    void aDifferenceIsNamed() {
        QFETCH(QString, types);
        QFETCH(QString, scene);
        QFETCH(QString, text);
        const SharedContent here = of(Types, Scene);
        const SharedContent there = of(types.toStdString(), scene.toStdString());
        QVERIFY(here.identity().id == there.identity().id && here.identity().table != there.identity().table);
        QCOMPARE(QString::fromStdString(here.difference(there.description())), text);
    }

    void aTypeThatIsOnlyHere() {
        const SharedContent there = of(Types, Scene);
        const SharedContent here = of(std::string(Types) + "[Wall]\n[Wall.Health]\n", Scene);
        QCOMPARE(here.difference(there.description()),
                 std::string("definitions of entity types (only here: Wall)"));
    }

    // More types than a datagram has room for: those that fit are compared.
    void manyTypesAreComparedAsFarAsTheyFit() {
        std::string many = Types;
        for (int i = 0; i < 500; ++i)
            many += "[T" + std::to_string(i) + "]\n[T" + std::to_string(i) + ".Health]\n";
        const SharedContent there = of(many, Scene);
        QVERIFY(there.description().size() <= net::MaxDescription);
        std::string other = many;
        other.replace(other.find("mass = 5.0"), 10, "mass = 6.0");
        QCOMPARE(of(other, Scene).difference(there.description()),
                 std::string("definitions of entity types (Crate)"));
        other = many + "[T500]\n[T500.Body]\n";
        QCOMPARE(of(other, Scene).difference(there.description()),
                 std::string("definitions of entity types"));
    }

    // A server may send any bytes.
    void noDescriptionNamesNothing() {
        const SharedContent here = of(Types, Scene);
        std::vector<std::uint8_t> bytes =
            of("[Crate]\n[Crate.Health]\n", "[scene]\nname = \"s\"\n").description();
        QVERIFY(!here.difference(bytes).empty());
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY(here.difference(net::ByteView(bytes).first(size)).empty());
        bytes.push_back(0);
        QVERIFY(here.difference(bytes).empty());
        bytes.pop_back();
        bytes[0] = 2;
        QVERIFY(here.difference(bytes).empty());
    }
};

QTEST_GUILESS_MAIN(TestSharedContent)
#include "tst_shared_content.moc"
