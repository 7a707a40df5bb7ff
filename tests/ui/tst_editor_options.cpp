#include <QtTest>

#include "app/editor/editor_options.h"

using namespace sbx::editor;

class TestEditorOptions : public QObject {
    Q_OBJECT
private slots:
    void readsEverything() {
        const auto o = parseOptions({"p", "--play", "--quit-after", "10", "--screenshot=a.png", "--theme",
                                     "light", "--size", "1280x720", "--sim.seed=7", "--safe-mode"});
        QVERIFY(o.ok());
        QVERIFY(o->play && o->safeMode);
        QCOMPARE(*o->quitAfter, 10.0);
        QCOMPARE(o->width, 1280);
        QCOMPARE(o->height, 720);
        QCOMPARE(o->cvars.size(), std::size_t(1));
    }
    void manualPageSaysWhatHelpSays() {
        const QString page = QString::fromStdString(manualPage("1.2.3"));
        for (const QString& line : QString::fromStdString(usage()).split(QLatin1Char('\n')))
            if (line.startsWith(QLatin1String("  --")))
                QVERIFY2(page.contains(QLatin1String("\\fB")
                                       + line.trimmed().section(QLatin1Char(' '), 0, 0).replace(QLatin1Char('-'), QLatin1String("\\-"))),
                         qPrintable(line));
        QVERIFY(QString::fromStdString(completion()).contains(QLatin1String("complete -o filenames -F _signalbox signalbox\n")));
    }
    void refusesWithOneClearLine_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("typo") << QStringList{"--plai"} << "did you mean --play?";
        QTest::newRow("theme") << QStringList{"--theme", "pink"} << "expected dark, light or system";
        QTest::newRow("size") << QStringList{"--size", "100"} << "WIDTHxHEIGHT";
        QTest::newRow("size, small") << QStringList{"--size", "10x10"} << "at least 640x400";
        QTest::newRow("seconds") << QStringList{"--quit-after", "soon"} << "expected a number in [0, 86400]";
        QTest::newRow("value for a switch") << QStringList{"--play=no"} << "--play takes no value";
        QTest::newRow("no value") << QStringList{"--exec"} << "needs a value";
        QTest::newRow("two projects") << QStringList{"a", "b"} << "unexpected argument b";
    }
    void refusesWithOneClearLine() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        std::vector<std::string> list;
        for (const QString& a : arguments)
            list.push_back(a.toStdString());
        const auto o = parseOptions(list);
        QVERIFY(!o.ok());
        QVERIFY2(QString::fromStdString(o.error().message).contains(says), o.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestEditorOptions)
#include "tst_editor_options.moc"
