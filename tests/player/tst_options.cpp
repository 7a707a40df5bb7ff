#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "app/common/portable.h"
#include "app/player/player_options.h"

using namespace sbx::player;

class TestOptions : public QObject {
    Q_OBJECT
private slots:
    void readsEverything() {
        const auto o =
            parseOptions({"p", "--headless", "--ticks", "60", "--seed=7", "--trace", "t", "--digest=d",
                          "--exec", "e", "--screenshot", "s.png", "--sim.gravity=3", "--set", "a.b=c=d"});
        QVERIFY(o.ok());
        QCOMPARE(o->project, std::string("p"));
        QCOMPARE(*o->ticks, std::uint64_t(60));
        QCOMPARE(*o->seed, std::int64_t(7));
        QCOMPARE(o->cvars.size(), std::size_t(2));
        QCOMPARE(o->cvars[1].second, std::string("c=d"));
        QVERIFY(o->headless);
        const auto window = parseOptions({"p", "--size", "640x480", "--fullscreen"});
        QVERIFY(window.ok());
        QVERIFY(!window->headless && window->fullScreen);
        QCOMPARE(window->width, 640);
        QCOMPARE(window->height, 480);
    }
    // A player that was exported with a game plays it, and trusts it alone.
    void anExportedPlayerHasItsGame() {
        const QTemporaryDir dir;
        const std::string game = dir.path().toStdString();
        const auto own = parseOptions({"--headless"}, game);
        QVERIFY(own.ok());
        QCOMPARE(own->project, game);
        QVERIFY(own->trust && own->headless);
        const auto named = parseOptions({game + "/."}, game);
        QVERIFY(named.ok() && named->trust);
        const auto other = parseOptions({"/elsewhere"}, game);
        QVERIFY(other.ok());
        QCOMPARE(other->project, std::string("/elsewhere"));
        QVERIFY(!other->trust);
        QVERIFY(!parseOptions({"--headless"}).ok());
    }
    void helpNamesEveryOption() {
        const QString help = QString::fromStdString(usage());
        QVERIFY(help.contains(QLatin1String("at most 256 clients, 64 of them players (net.limit.players), 16 of one address")));
        for (const char* name :
             {"--headless", "--ticks N", "--seed N", "--scene FILE", "--exec FILE.cfg", "--set NAME=VALUE",
              "--trace FILE.jsonl", "--trace-filter FILTER", "--read-trace FILE", "--digest FILE",
              "--screenshot FILE.png", "--size WxH", "--fullscreen"})
            QVERIFY2(help.contains(QLatin1String(name)), name);
        for (const char* name : {"--serve PORT", "--connect HOST:PORT", "--clients N", "--link SETTINGS", "--name NAME", "--audio FILE.wav"})
            QVERIFY2(help.contains(QLatin1String(name)), name);
        QVERIFY(help.contains(QStringLiteral("--test-mode SOCKET")));
    }
    void manualPageSaysWhatHelpSays() {
        const QString page = QString::fromStdString(manualPage("1.2.3"));
        QVERIFY(page.startsWith(QLatin1String(".TH SIGNALBOX-PLAYER 1")));
        QVERIFY(page.contains(QLatin1String("1.2.3")));
        // Each option of --help, with its dashes written so that they can be copied from a terminal.
        int options = 0;
        for (const QString& line : QString::fromStdString(usage()).split(QLatin1Char('\n')))
            if (line.startsWith(QLatin1String("  --"))) {
                ++options;
                const QString name = line.trimmed().section(QLatin1Char(' '), 0, 0).replace(QLatin1Char('-'), QLatin1String("\\-"));
                QVERIFY2(page.contains(QLatin1String(".TP\n\\fB") + name + QLatin1String("\\fR")), qPrintable(name));
            }
        QVERIFY(options > 20);
        QVERIFY(!page.contains(QLatin1String("manual\\-page"))); // for the build alone
        QVERIFY(!page.contains(QLatin1String("\n\n")));           // an empty line is none in a manual page
    }
    // --reset-settings: nothing is lost, and what is no setting stays.
    void settingsArePutAside() {
        QTemporaryDir folder;
        const sbx::UserFolders folders = sbx::UserFolders::in(folder.path().toStdString());
        const auto write = [&](const char* name, const char* text) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const auto read = [&](const char* name) {
            QFile file(folder.filePath(QLatin1String(name)));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
        };
        QVERIFY(sbx::app::resetSettings(folders).empty());
        write("settings.ini", "first");
        write("user.cfg", "audio.volume 0.5");
        write("trusted-projects", "mine");
        const std::vector<std::string> said = sbx::app::resetSettings(folders);
        QCOMPARE(said.size(), std::size_t{2});
        QVERIFY(said[0].find("settings.ini.before-reset") != std::string::npos);
        QCOMPARE(read("settings.ini"), QByteArray("none"));
        QCOMPARE(read("settings.ini.before-reset"), QByteArray("first"));
        QCOMPARE(read("user.cfg.before-reset"), QByteArray("audio.volume 0.5"));
        QCOMPARE(read("trusted-projects"), QByteArray("mine"));
        write("settings.ini", "second");
        QCOMPARE(sbx::app::resetSettings(folders).size(), std::size_t{1});
        QCOMPARE(read("settings.ini.before-reset"), QByteArray("first")); // not written over
        QCOMPARE(read("settings.ini.before-reset-2"), QByteArray("second"));
    }
    void bashCompletes_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("expected");
        QTest::newRow("an option") << "--headl" << "--headless";
        QTest::newRow("several") << "--s" << "--seed --scene --set --screenshot --size --safe-mode --serve --server-key";
        QTest::newRow("a file") << "--trace two" << "two.jsonl";
        QTest::newRow("a trace to read") << "--read-trace two" << "two.jsonl";
        QTest::newRow("a number") << "--ticks 1" << "";
        QTest::newRow("the project") << "one" << "one.scene.toml";
    }
    void bashCompletes() {
        QFETCH(QString, words);
        QFETCH(QString, expected);
        QTemporaryDir folder;
        for (const char* name : {"one.scene.toml", "two.jsonl"}) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        QFile script(folder.filePath(QStringLiteral("completion")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(completion().c_str());
        script.close();
        QProcess bash;
        bash.setWorkingDirectory(folder.path());
        bash.start(QStringLiteral("bash"), {QStringLiteral("-c"),
                                            QStringLiteral("source completion; COMP_WORDS=(signalbox-player %1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                                                           "_signalbox_player; echo \"${COMPREPLY[*]}\"")
                                                .arg(words)});
        QVERIFY(bash.waitForFinished());
        QCOMPARE(QString::fromUtf8(bash.readAllStandardError()), QString());
        QCOMPARE(QString::fromUtf8(bash.readAllStandardOutput()).trimmed(), expected);
    }
    void refusesWithOneClearLine_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << QStringList{} << "no project";
        QTest::newRow("two projects") << QStringList{"a", "b", "--headless"} << "unexpected argument b";
        QTest::newRow("typo") << QStringList{"a", "--headles"} << "did you mean --headless?";
        QTest::newRow("nothing near") << QStringList{"a", "--frobnicate"} << "unknown option --frobnicate; see --help";
        QTest::newRow("ticks text") << QStringList{"a", "--ticks", "many"}
                                    << "--ticks many: expected a whole number";
        QTest::newRow("ticks negative") << QStringList{"a", "--ticks=-1"} << "--ticks -1";
        QTest::newRow("ticks missing") << QStringList{"a", "--ticks"} << "needs a value";
        QTest::newRow("seed too large") << QStringList{"a", "--seed", "99999999999"} << "--seed";
        QTest::newRow("empty trace") << QStringList{"a", "--trace="} << "not empty";
        QTest::newRow("filter of nothing") << QStringList{"a", "--trace-filter", "type == Damage"}
                                           << "expected --trace FILE.jsonl or --read-trace FILE with it";
        QTest::newRow("reading and playing") << QStringList{"a", "--read-trace", "t", "--ticks", "5"} << "--read-trace plays nothing; leave out --ticks";
        QTest::newRow("reading and writing") << QStringList{"--read-trace", "t", "--trace", "u"} << "leave out --trace";
        QTest::newRow("port") << QStringList{"a", "--serve", "70000"} << "--serve 70000";
        QTest::newRow("both ends") << QStringList{"a", "--serve", "1", "--connect", "b"} << "two programs";
        QTest::newRow("clients of a client") << QStringList{"a", "--clients", "1", "--connect", "b"} << "belong to a server";
        QTest::newRow("an observer of nothing") << QStringList{"a", "--observe"} << "--observe needs a server";
        QTest::newRow("no clients") << QStringList{"a", "--clients", "0"} << "--clients 0";
        QTest::newRow("link of nothing") << QStringList{"a", "--link", "loss=5%"} << "needs a network";
        QTest::newRow("whole screen without a window") << QStringList{"a", "--headless", "--fullscreen"} << "needs a window";
        QTest::newRow("size") << QStringList{"a", "--size", "10x10"} << "at least 64x64";
        QTest::newRow("value for a switch") << QStringList{"a", "--headless=no"} << "--headless takes no value";
        QTest::newRow("set without value") << QStringList{"a", "--set", "x"} << "NAME=VALUE";
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
        QVERIFY(o.error().message.find('\n') == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestOptions)
#include "tst_options.moc"
