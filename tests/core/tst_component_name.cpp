// Names of components of which an entity has several.

#include <QtTest>

#include "engine/core/component_name.h"

using namespace sbx;

class TestComponentName : public QObject {
    Q_OBJECT
private slots:
    void isReadAsWritten() {
        for (const std::size_t number : {1U, 2U, 3U, 10U, 4000U}) {
            const std::string name = componentName("Mesh", number);
            const ComponentName read = parseComponentName(name);
            QCOMPARE(std::string(read.type), std::string("Mesh"));
            QCOMPARE(read.number, number);
        }
        QCOMPARE(componentName("Mesh", 1), std::string("Mesh"));
        QCOMPARE(componentName("Mesh", 2), std::string("Mesh#2"));
        QCOMPARE(parseComponentName("Mesh#1").number, std::size_t(1));
    }

    void whatIsNoNumberNamesNothing() {
        for (const char* name : {"Mesh#", "Mesh#0", "Mesh#two", "Mesh#2x", "Mesh#-2", "Mesh# 2", "Mesh#2#3",
                                 "Mesh#99999999999999999999999999"}) {
            QVERIFY2(parseComponentName(name).number == 0, name);
            QCOMPARE(std::string(parseComponentName(name).type), std::string("Mesh"));
        }
    }

    void numbersEachTypeAlone() {
        ComponentNumbering numbering;
        std::string names;
        for (const char* type : {"Mesh", "Body", "Mesh", "Sound", "Mesh", "Body"})
            names += numbering.nextName(type) + " ";
        QCOMPARE(names, std::string("Mesh Body Mesh#2 Sound Mesh#3 Body#2 "));
    }
};

QTEST_GUILESS_MAIN(TestComponentName)
#include "tst_component_name.moc"
