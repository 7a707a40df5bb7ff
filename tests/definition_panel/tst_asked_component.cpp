// A row of a definition or scene, and the entities of the running world whose component it is.

#include <QtTest>

#include "tests/definition/sample_schema.h"
#include "widgets/definition/asked_component.h"

using namespace sbx;
using namespace sbx::ui;

class TestAskedComponent : public QObject {
    Q_OBJECT

private:
    using Kind = TreePlace::Kind;
    static TreePlace placeOf(Kind owner, const char* name, const char* component, std::size_t which = 0) {
        TreePlace place;
        place.kind = Kind::Component;
        place.ownerKind = owner;
        place.owner = name;
        place.component = component;
        place.which = which;
        return place;
    }
    EntityList m_entities;

private slots:
    void initTestCase() {
        for (const auto& [name, type] :
             {std::pair("a", "A"), std::pair("b", "B"), std::pair("c", "C"), std::pair("d", "D"), std::pair("x", "Unknown")}) {
            EntityRow row;
            row.name = name;
            row.type = type;
            m_entities.byName.emplace(row.name, m_entities.rows.size());
            m_entities.rows.push_back(row);
        }
    }
    void whoHasIt_data() {
        QTest::addColumn<sbx::ui::TreePlace>("place");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("expected"); // part, colon, entities; empty: the row is of nothing that could be asked
        QTest::newRow("left out by b") << placeOf(Kind::Type, "A", "Body") << "" << "Body: a c d";
        QTest::newRow("put first") << placeOf(Kind::Type, "A", "Body") << "d" << "Body: d a c";
        QTest::newRow("not one of them") << placeOf(Kind::Type, "A", "Body") << "b" << "Body: a c d";
        QTest::newRow("the first of two") << placeOf(Kind::Type, "A", "Touch") << "" << "Touch: a b d";
        QTest::newRow("the second of two, which c has put others in place of") << placeOf(Kind::Type, "A", "Touch", 1) << "" << "Touch#2: a b d";
        QTest::newRow("c's own") << placeOf(Kind::Type, "C", "Touch") << "" << "Touch: c";
        QTest::newRow("inherited") << placeOf(Kind::Type, "D", "Body") << "" << "Body: d";
        QTest::newRow("of an instance") << placeOf(Kind::Instance, "d", "Touch") << "a" << "Touch: d";
        QTest::newRow("of none in the world") << placeOf(Kind::Type, "E", "Health") << "" << "Health:";
        QTest::newRow("left out") << placeOf(Kind::Type, "B", "Body") << "" << "";
        QTest::newRow("a type") << placeOf(Kind::Type, "A", "") << "" << "";
        QTest::newRow("no such type") << placeOf(Kind::Type, "Nothing", "Body") << "" << "";
        QTest::newRow("no such entity") << placeOf(Kind::Instance, "nobody", "Body") << "" << "";
        QTest::newRow("an entity of no known type") << placeOf(Kind::Instance, "x", "Body") << "" << "";
        QTest::newRow("another table") << placeOf(Kind::Table, "cvars", "Body") << "" << "";
    }
    void whoHasIt() {
        QFETCH(TreePlace, place);
        QFETCH(QString, first);
        QFETCH(QString, expected);
        const definition::Schema schema = definition::sample::schema();
        Diagnostics faults;
        const auto definitions = definition::Definitions::load(
            {{"e.toml", "[A.Body]\nmass = 2\n[[A.Touch]]\ndamage = 1\n[[A.Touch]]\ndamage = 2\n"
                        "[B]\nextends = \"A\"\n[B.Body]\nenabled = false\n"
                        "[C]\nextends = \"A\"\n[[C.Touch]]\ndamage = 3\n"
                        "[D]\nextends = \"A\"\n[E]\n[E.Health]\n"}},
            schema, faults);
        QVERIFY2(faults.items.empty(), faults.items.empty() ? "" : faults.items[0].toString().c_str());
        const auto asked = askedComponents(place, definitions, m_entities, first.toStdString());
        QString text;
        if (asked) {
            text = QString::fromStdString(asked->part) + QLatin1Char(':');
            for (const std::string& entity : asked->entities)
                text += QLatin1Char(' ') + QString::fromStdString(entity);
        }
        QCOMPARE(text, expected);
    }
};

Q_DECLARE_METATYPE(sbx::ui::TreePlace)

QTEST_GUILESS_MAIN(TestAskedComponent)
#include "tst_asked_component.moc"
