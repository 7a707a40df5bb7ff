// The program itself, as a script would call it.

#include <QProcess>
#include <QTemporaryDir>
#include <QtEndian>
#include <QtTest>

#include "tests/folders.h"

#include <cmath>
#include <csignal>
#include <cstring>

namespace {
struct Run {
    int status = -1;
    QString out;
    QString err;
};
Run run(const QStringList& arguments) {
    QProcess process;
    process.start(sbx::test::qBuildPath("bin/signalbox-player"), arguments);
    process.waitForFinished(120000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}
QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}
const QString Courtyard = sbx::test::qSourcePath("resources/projects/courtyard");
} // namespace

class TestProgram : public QObject {
    Q_OBJECT
private slots:
    // A scene's file means the project around it, with that scene.
    void aSceneIsPlayed() {
        QTemporaryDir dir;
        const QString folder = dir.filePath(QStringLiteral("scenes"));
        QVERIFY(QDir().mkpath(folder));
        write(dir.filePath(QStringLiteral("project.toml")),
              "[project]\nname = \"t\"\nscene = \"main.scene.toml\"\ndefinitions = [\"entities.toml\"]\n");
        write(dir.filePath(QStringLiteral("entities.toml")), "[Stone]\n");
        write(dir.filePath(QStringLiteral("main.scene.toml")), "[scene]\nname = \"main\"\n");
        write(folder + QStringLiteral("/other.scene.toml"), "[scene]\nname = \"other\"\n\n[[entity]]\ntype = \"Stone\"\n");
        write(dir.filePath(QStringLiteral("one.cfg")), "expect count(type == \"Stone\") == 1\n");
        const Run r = run({folder + QStringLiteral("/other.scene.toml"), QStringLiteral("--headless"), QStringLiteral("--exec"),
                           dir.filePath(QStringLiteral("one.cfg"))});
        QVERIFY2(r.status == 0, qPrintable(r.err));
        // In no project, it is the error of a project that has not the form of one.
        QTemporaryDir lost;
        write(lost.filePath(QStringLiteral("lost.scene.toml")), "[scene]\nname = \"lost\"\n");
        const Run none = run({lost.filePath(QStringLiteral("lost.scene.toml")), QStringLiteral("--headless")});
        QVERIFY2(none.status == 2 && none.err.contains(QStringLiteral("lost.scene.toml")), qPrintable(none.err));
    }

    void sameBytesOnEveryRun() {
        QTemporaryDir dir;
        QByteArray trace;
        QByteArray digest;
        for (int i = 0; i < 3; ++i) {
            const QString t = dir.filePath(QStringLiteral("t%1").arg(i));
            const QString d = dir.filePath(QStringLiteral("d%1").arg(i));
            QStringList arguments{Courtyard,
                                  QStringLiteral("--headless"),
                                  QStringLiteral("--ticks"),
                                  QStringLiteral("600"),
                                  QStringLiteral("--seed"),
                                  QStringLiteral("7"),
                                  QStringLiteral("--digest"),
                                  d};
            if (i < 2)
                arguments << QStringLiteral("--trace") << t;
            const Run r = run(arguments);
            QVERIFY2(r.status == 0, qPrintable(r.err));
            if (i == 0) {
                trace = read(t);
                digest = read(d);
                QVERIFY(trace.count('\n') > 100);
                QCOMPARE(digest.count('\n'), 600);
                for (const QByteArray& line : trace.split('\n'))
                    if (!line.isEmpty())
                        QVERIFY2(!QJsonDocument::fromJson(line).isNull(), line.constData());
            } else {
                QCOMPARE(read(d), digest);
                if (i < 2)
                    QCOMPARE(read(t), trace);
            }
        }
    }
    // Names, docs and lines of a project reach a terminal without the power to control it.
    void outputHoldsNoControls() {
        QTemporaryDir dir;
        const QByteArray hostile = "\\u001b]0;owned\\u0007 \\u009b31m \\u202egnp.exe";
        write(dir.filePath(QStringLiteral("project.toml")),
              "[project]\nname = \"p\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write(dir.filePath(QStringLiteral("e.toml")), "[Ball]\ndoc = \"" + hostile + "\"\n[Ball.Body]\n");
        write(dir.filePath(QStringLiteral("s.scene.toml")), "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Ball\"\nname = \"b\"\n");
        const QByteArray raw = "\x1b]0;owned\x07 \xc2\x9b" "31m \xe2\x80\xae" "gnp.exe";
        write(dir.filePath(QStringLiteral("say.cfg")), "echo \"" + raw + "\"\nexpect \"" + raw + "\" == 1\n\"" + raw + "\"\ncondump log\n");
        const auto isClean = [](const QString& text) {
            return std::none_of(text.begin(), text.end(), [](QChar c) {
                return (c.category() == QChar::Other_Control && c != u'\n' && c != u'\t') || c == QChar(0x202E);
            });
        };
        const Run good = run({dir.path(), QStringLiteral("--headless"), QStringLiteral("--exec"), dir.filePath(QStringLiteral("say.cfg"))});
        QVERIFY2(isClean(good.out) && isClean(good.err), qPrintable(good.out + good.err));
        QVERIFY2(good.out.contains(QStringLiteral("\\x1b]0;owned\\x07 \\u009b31m \\u202egnp.exe")), qPrintable(good.out));
        QVERIFY(!good.err.isEmpty());
        const QString log = QString::fromUtf8(read(dir.filePath(QStringLiteral("log"))));
        QVERIFY2(log.contains(QStringLiteral("gnp.exe")) && isClean(log), qPrintable(log));
        // Faults quote what they complain of.
        write(dir.filePath(QStringLiteral("s.scene.toml")), "[scene]\nname = \"s\"\n[[entity]]\ntype = \"" + hostile + "\"\nname = \"" + hostile + "\"\n");
        const Run bad = run({dir.path(), QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("1")});
        QVERIFY2(!bad.err.isEmpty() && isClean(bad.err), qPrintable(bad.err));
    }
    // A run that grows without end is named while it goes on, and ends with its files whole and a status of its own.
    void runawaysEnd() {
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("project.toml")),
              "[project]\nname = \"R\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n[cvars]\n\"sim.entityBudget\" = 160\n");
        write(dir.filePath(QStringLiteral("e.toml")),
              "[Shot]\n[Shot.Mesh]\nmesh = \"box\"\n[Gun]\n[Gun.Spawner]\ntype = \"Shot\"\nevery = 0.016\nlimit = 10000\n");
        write(dir.filePath(QStringLiteral("s.scene.toml")),
              "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Gun\"\nname = \"gun\"\n");
        const QString digest = dir.filePath(QStringLiteral("d"));
        const Run r = run({dir.path(), QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("600"),
                           QStringLiteral("--digest"), digest});
        QCOMPARE(r.status, 1);
        QVERIFY2(r.err.contains(QStringLiteral("10 entities have come")), qPrintable(r.err));
        QVERIFY2(r.err.contains(QStringLiteral("no more entities are made: 160")), qPrintable(r.err));
        QVERIFY2(r.err.count(QStringLiteral("Spawner of gun")) >= 5, qPrintable(r.err));
        const auto ticks = read(digest).count('\n');
        QVERIFY2(ticks > 150 && ticks < 200, qPrintable(QString::number(ticks)));
        // With room for all of them it goes on.
        const Run roomy = run({dir.path(), QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("300"),
                               QStringLiteral("--sim.entityBudget=0")});
        QVERIFY2(roomy.status == 0, qPrintable(roomy.err));
    }
    void theDigestIsOfEveryWorld() {
        QTemporaryDir dir;
        const auto digests = [&](const QString& name) {
            const QString file = dir.filePath(name);
            const Run r = run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("90"), QStringLiteral("--clients"),
                               QStringLiteral("2"), QStringLiteral("--link"), QStringLiteral("latency=30ms loss=5%"), QStringLiteral("--digest"), file});
            return r.status == 0 ? read(file) : QByteArray();
        };
        const QByteArray once = digests(QStringLiteral("a"));
        const QList<QByteArray> lines = once.split('\n');
        QCOMPARE(lines.size(), 90 * 3 + 1); // and nothing behind the last
        for (int tick = 1; tick <= 90; ++tick) {
            const char* const worlds[] = {"local", "client1", "client2"};
            for (int i = 0; i < 3; ++i)
                QVERIFY2(lines.at(3 * (tick - 1) + i).startsWith(QByteArray::number(tick) + ' ' + worlds[i] + ' '), lines.at(3 * (tick - 1) + i));
        }
        QCOMPARE(digests(QStringLiteral("b")), once);
    }
    void scriptsExpect() {
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("good.cfg")),
              "// a script\nwait 60\nexpect count(type == \"Bat\") == 5\nsend Damage crate_5 "
              "amount=3\nexpect crate_5.Health.current == 37\n");
        write(dir.filePath(QStringLiteral("bad.cfg")), "wait 5\nexpect count(type == \"Bat\") == 6\n");
        const Run good = run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--exec"),
                              dir.filePath(QStringLiteral("good.cfg"))});
        QVERIFY2(good.status == 0, qPrintable(good.out + good.err));
        QVERIFY(good.out.contains(QStringLiteral("PASS")));
        const Run bad = run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--exec"),
                             dir.filePath(QStringLiteral("bad.cfg"))});
        QCOMPARE(bad.status, 1);
        // Once, with the other faults.
        QVERIFY(!bad.out.contains(QStringLiteral("FAIL")));
        QVERIFY2(bad.err.count(QStringLiteral("FAIL")) == 1 && bad.err.contains(QStringLiteral("bad.cfg:2")),
                 qPrintable(bad.err));
    }
    // What a line prints before and after one that fails stands on standard output, the fault once on standard error.
    void aFailingLineIsPrintedOnce() {
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("bad.cfg")),
              "echo before\nno.such.command 5\necho after\necho error: quoted\n");
        for (const QStringList& more :
             {QStringList(), QStringList{QStringLiteral("--clients"), QStringLiteral("1")}}) {
            const Run r = run(QStringList{Courtyard, QStringLiteral("--headless"), QStringLiteral("--ticks"),
                                          QStringLiteral("5"), QStringLiteral("--exec"),
                                          dir.filePath(QStringLiteral("bad.cfg"))}
                              + more);
            QCOMPARE(r.status, 1);
            QCOMPARE((r.out + r.err).count(QStringLiteral("no.such.command")), 1);
            QVERIFY2(r.err.contains(QStringLiteral("bad.cfg:2")), qPrintable(r.err));
            QVERIFY2(r.out.startsWith(QStringLiteral("before\nafter\nerror: quoted\n")), qPrintable(r.out));
        }
    }
    // Without a window, too, what is watched has a row for each tick.
    void watchesAreExportedWithoutAWindow() {
        QTemporaryDir dir;
        const QString csv = dir.filePath(QStringLiteral("w.csv"));
        write(dir.filePath(QStringLiteral("watch.cfg")),
              "watch tick\nwait 30\nwatch.export " + csv.toUtf8() + "\n");
        const Run r = run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--exec"),
                           dir.filePath(QStringLiteral("watch.cfg"))});
        QVERIFY2(r.status == 0, qPrintable(r.out + r.err));
        const QList<QByteArray> rows = read(csv).trimmed().split('\n');
        QVERIFY2(rows.size() >= 30, read(csv).constData());
        QCOMPARE(rows.front(), QByteArray("tick,seconds,\"tick\""));
        for (qsizetype i = 2; i < rows.size(); ++i)
            QCOMPARE(rows[i].split(',').front().toInt(), rows[i - 1].split(',').front().toInt() + 1);
    }
    void anUnfinishedScriptIsAFailure() {
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("long.cfg")), "wait 100\nexpect 1 == 2\n");
        const Run r =
            run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("10"),
                 QStringLiteral("--exec"), dir.filePath(QStringLiteral("long.cfg"))});
        QCOMPARE(r.status, 1);
        QVERIFY2(r.err.contains(QStringLiteral("had not ended after 10 ticks")), qPrintable(r.err));
    }
    void aScriptThatOnlyWaitsStillRuns() {
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("wait.cfg")), "wait 50\n");
        const QString digest = dir.filePath(QStringLiteral("d"));
        const Run r = run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--digest"), digest,
                           QStringLiteral("--exec"), dir.filePath(QStringLiteral("wait.cfg"))});
        QVERIFY2(r.status == 0, qPrintable(r.err));
        QCOMPARE(read(digest).count('\n'), 50);
    }
    // Asked to end, it ends as if it had come to its end: what the user set is kept, files are whole. The status says that it had not.
    void askedToEndItKeepsTheUsersSettings_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void askedToEndItKeepsTheUsersSettings() {
        QFETCH(int, signal);
        ::signal(signal, SIG_DFL); // whoever started the tests may have it ignored, and children inherit that
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("set.cfg")),
              "condump " + dir.filePath(QStringLiteral("ready")).toUtf8() + "\n");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* folder : {"CONFIG", "STATE", "DATA"})
            environment.insert(QStringLiteral("XDG_%1_HOME").arg(QLatin1String(folder)),
                               dir.filePath(QString::fromLatin1(folder).toLower()));
        process.setProcessEnvironment(environment);
        const QString digest = dir.filePath(QStringLiteral("d"));
        const QString trace = dir.filePath(QStringLiteral("t"));
        const QString settings = dir.filePath(QStringLiteral("config/signalbox/user.cfg"));
        QVERIFY(QDir().mkpath(QFileInfo(settings).path()));
        write(settings,
              "audio.volume 0.25\nalias mine echo\n"); // without its first line: written anew at the end
        process.start(sbx::test::qBuildPath("bin/signalbox-player"),
                      {Courtyard, QStringLiteral("--headless"), QStringLiteral("--ticks"),
                       QStringLiteral("1000000000"), QStringLiteral("--digest"), digest,
                       QStringLiteral("--trace"), trace, QStringLiteral("--exec"),
                       dir.filePath(QStringLiteral("set.cfg"))});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(dir.filePath(QStringLiteral("ready"))), 60000);
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 128 + signal);
        const QByteArray kept = read(settings);
        QVERIFY2(kept.startsWith("// ") && kept.contains("audio.volume 0.25\n")
                     && kept.contains("alias mine echo\n"),
                 kept.constData());
        const QByteArray lines = read(digest);
        QVERIFY(lines.isEmpty() || lines.endsWith('\n'));
        for (const QByteArray& line : read(trace).split('\n'))
            QVERIFY2(line.isEmpty() || QJsonDocument::fromJson(line).isObject(), line.constData());
    }
    // Files that cannot be made, with one "error" and with what is missing. What is asked for is right: the status is that of a file.
    void aFileThatCannotBeMadeIsStatusOne_data() {
        QTest::addColumn<QString>("option");
        for (const char* option : {"--digest", "--trace", "--audio"})
            QTest::newRow(option) << QString::fromLatin1(option);
    }
    void aFileThatCannotBeMadeIsStatusOne() {
        QFETCH(QString, option);
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("none/x"));
        const Run r = run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("1"), option, file});
        QCOMPARE(r.status, 1);
        QCOMPARE(r.err.count(QStringLiteral("error")), 1);
        QVERIFY2(r.err.contains(file + QStringLiteral(": error: cannot write: there is no folder ") + dir.filePath(QStringLiteral("none"))),
                 qPrintable(r.err));
    }
    void aScriptThatIsNotThereIsSaidOnce() {
        const Run r = run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--exec"), QStringLiteral("nope.cfg")});
        QCOMPARE(r.status, 2);
        QVERIFY2(r.err.startsWith(QStringLiteral("nope.cfg: error: ")) && r.err.count(QStringLiteral("error")) == 1, qPrintable(r.err));
    }
    // A disk that is full (the device that always is): told once, when it happens, and by the status.
    void aFullDiskIsToldOnce() {
        for (const QString& option : {QStringLiteral("--digest"), QStringLiteral("--trace")}) {
            const Run r = run({Courtyard, QStringLiteral("--headless"), option, QStringLiteral("/dev/full")});
            QCOMPARE(r.status, 1);
            QCOMPARE(r.err.count('\n'), 1);
            QVERIFY2(r.err.contains("/dev/full: error: cannot write: the disk is full"), qPrintable(r.err));
        }
    }
    void badInputIsStatusTwoWithItsPlace_data() {
        QTest::addColumn<QByteArray>("entities");
        QTest::addColumn<QString>("says");
        QTest::newRow("syntax") << QByteArray("[A]\nx = = 1\n") << "entities.toml:2:";
        QTest::newRow("unknown component") << QByteArray("[A]\n[A.Bodi]\nmass = 1\n") << "did you mean Body?";
        QTest::newRow("unknown key") << QByteArray("[A]\n[A.Body]\nmas = 1\n") << "did you mean mass?";
        QTest::newRow("text for number")
            << QByteArray("[A]\n[A.Body]\nmass = \"x\"\n") << "entities.toml:3:8: error: mass is text";
        QTest::newRow("out of range") << QByteArray("[A]\n[A.Body]\nmass = -1\n") << "out of range";
        QTest::newRow("cycle") << QByteArray("[A]\nextends = \"B\"\n[B]\nextends = \"A\"\n")
                               << "entities.toml:2:";
        QTest::newRow("invalid UTF-8") << QByteArray("[A]\ndoc = \"\xff\xfe\"\n") << "entities.toml:2:";
        QTest::newRow("NUL") << QByteArray("[A]\ndoc = \"a\0b\"\n", 16) << "entities.toml:";
        QTest::newRow("nothing closes") << QByteArray("[A\n") << "entities.toml:1:";
        QTest::newRow("huge") << QByteArray(100 * 1024 * 1024, '#') << "entities.toml";
    }
    void badInputIsStatusTwoWithItsPlace() {
        QFETCH(QByteArray, entities);
        QFETCH(QString, says);
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("project.toml")),
              "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"entities.toml\"]\n");
        write(dir.filePath(QStringLiteral("s.scene.toml")), "[scene]\nname = \"S\"\n");
        write(dir.filePath(QStringLiteral("entities.toml")), entities);
        const Run r =
            run({dir.path(), QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("1")});
        QVERIFY2(r.status == 2, qPrintable(QString::number(r.status) + r.err));
        QVERIFY2(r.err.contains(says), qPrintable(r.err.left(2000)));
    }
    void aMissingMeshIsSaidAndTheRestRuns() {
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("project.toml")),
              "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"entities.toml\"]\n");
        write(dir.filePath(QStringLiteral("s.scene.toml")), "[scene]\nname = \"S\"\n");
        write(dir.filePath(QStringLiteral("entities.toml")), "[A]\n[A.Mesh]\nmesh = \"spere\"\n");
        const Run r =
            run({dir.path(), QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("1")});
        QCOMPARE(r.status, 0);
        QVERIFY2(r.err.contains(QStringLiteral("entities.toml:3:8: warning: mesh names no file")),
                 qPrintable(r.err));
        QVERIFY2(r.err.contains(QStringLiteral("did you mean sphere?")), qPrintable(r.err));
    }
    // --trace-filter writes what the filter lets through of the same run, and --read-trace finds it again.
    void aTraceIsFilteredAndRead() {
        QTemporaryDir dir;
        const QString whole = dir.filePath(QStringLiteral("whole.jsonl"));
        const QString part = dir.filePath(QStringLiteral("part.jsonl"));
        const QStringList play{Courtyard, QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("300"), QStringLiteral("--trace")};
        const QString filter = QStringLiteral("type == Damage and outcome == consumed and fields.amount > 1");
        QCOMPARE(run(play + QStringList{whole}).status, 0);
        QCOMPARE(run(play + QStringList{part, QStringLiteral("--trace-filter"), filter}).status, 0);
        QByteArray expected;
        for (const QByteArray& line : read(whole).split('\n'))
            if (line.contains("\"type\":\"Damage\"") && line.contains("\"result\":\"consumed\""))
                expected += line + '\n';
        QVERIFY(expected.count('\n') > 3);
        QCOMPARE(read(part), expected);

        const Run all = run({QStringLiteral("--read-trace"), whole});
        QVERIFY2(all.status == 0 && all.err.isEmpty(), qPrintable(all.err));
        QCOMPARE(all.out.count(QLatin1Char('\n')), read(whole).count('\n'));
        const Run some = run({QStringLiteral("--read-trace"), whole, QStringLiteral("--trace-filter"), filter});
        QCOMPARE(some.status, 0);
        QCOMPARE(some.out.count(QLatin1Char('\n')), expected.count('\n'));
        const QStringList cells = some.out.section(QLatin1Char('\n'), 0, 0).split(QLatin1Char('\t'));
        QCOMPARE(cells.size(), 9);
        QCOMPARE(cells[3], QStringLiteral("Damage"));
        QVERIFY2(cells[6].contains(QStringLiteral("amount=")), qPrintable(cells[6]));
        QCOMPARE(cells[8], QStringLiteral("consumed by Shield"));
    }
    void aFilterWithAFaultStartsNothing() {
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("t.jsonl"));
        const Run r = run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--trace"), file, QStringLiteral("--trace-filter"), QStringLiteral("type == Damage and tpye == x")});
        QCOMPARE(r.status, 2);
        QVERIFY2(r.err.startsWith(QStringLiteral("--trace-filter:1:20: error: ")) && r.err.contains(QStringLiteral("type")), qPrintable(r.err));
        QVERIFY(!QFile::exists(file));
        QCOMPARE(run({QStringLiteral("--read-trace"), file, QStringLiteral("--trace-filter"), QStringLiteral("type ==")}).status, 2);
    }
    void linesThatAreNoTraceAreNamed() {
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("t.jsonl"));
        QByteArray lines = "{'sequence':1,'tick':1,'cause':0,'world':'local','type':'Died','sender':null,'receiver':'crate','delivery':'immediate','fields':{},'handlers':[]}\n"
                           "rubbish\n"
                           "{'sequence':5,'tick':1,'type':'Dyed'}\n"
                           "{'sequence':6,'tick':1,'cause':1,'world':'local','type':'Died','sender':null,'receiver':'crate','delivery':'immediate','fields':{},'handlers':[]}\n";
        write(file, lines.replace('\'', '"'));
        const Run r = run({QStringLiteral("--read-trace"), file});
        QCOMPARE(r.status, 2);
        QCOMPARE(r.out.count(QLatin1Char('\n')), 2);
        QVERIFY2(r.err.contains(file + QStringLiteral(":2:1: error: ")), qPrintable(r.err));
        QVERIFY2(r.err.contains(file + QStringLiteral(":3:1: error: message type \"Dyed\" is not known here; did you mean Died?")), qPrintable(r.err));
        QCOMPARE(run({QStringLiteral("--read-trace"), dir.filePath(QStringLiteral("none"))}).status, 2);
    }
    void missingThingsAreStatusTwo() {
        QTemporaryDir dir;
        QCOMPARE(run({dir.path(), QStringLiteral("--headless")}).status, 2);
        const Run nowhere = run({dir.filePath(QStringLiteral("nowhere")), QStringLiteral("--headless")});
        QCOMPARE(nowhere.status, 2);
        QCOMPARE(nowhere.err, QStringLiteral("error: %1: there is no such project; expected a project's folder or its project.toml\n")
                                  .arg(dir.filePath(QStringLiteral("nowhere"))));
        QCOMPARE(run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--exec"), dir.path()}).status,
                 2);
        // A file that cannot be written is a run that failed.
        QCOMPARE(run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--trace"), dir.path()}).status, 1);
        // A definition file that is a folder.
        QDir(dir.path()).mkdir(QStringLiteral("entities.toml"));
        write(dir.filePath(QStringLiteral("project.toml")),
              "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"entities.toml\"]\n");
        write(dir.filePath(QStringLiteral("s.scene.toml")), "[scene]\nname = \"S\"\n");
        const Run r = run({dir.path(), QStringLiteral("--headless")});
        QCOMPARE(r.status, 2);
        QVERIFY2(r.err.contains(QStringLiteral("entities.toml")), qPrintable(r.err));
    }

    // audio.record in a script: exactly as long as asked, the same samples as those of --audio, and without it too.
    void recordsAPart() {
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("project.toml")),
              "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write(dir.filePath(QStringLiteral("e.toml")),
              "[Ears]\n[Ears.Listener]\n[Drone]\n[Drone.Sound]\nsource = \"tone\"\nlength = 0.0\nwhen = "
              "\"start\"\n");
        write(dir.filePath(QStringLiteral("s.scene.toml")),
              "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Ears\"\nname = \"e\"\n[[entity]]\ntype = "
              "\"Drone\"\nname = \"d\"\nposition = [2.0, 0.0, 0.0]\n");
        write(dir.filePath(QStringLiteral("script.cfg")),
              "wait 30\naudio.record part.wav 0.5\nwait 20\naudio.voices voices.json\n");
        const auto samples = [&](const char* name) {
            const QByteArray data = read(dir.filePath(QLatin1String(name)));
            const auto at = data.indexOf("data");
            return data.mid(at + 8,
                            qFromLittleEndian<quint32>(data.constData() + at + 4)); // cue points stand behind
        };
        QStringList arguments{
            dir.path(),           QStringLiteral("--headless"), QStringLiteral("--ticks"),
            QStringLiteral("90"), QStringLiteral("--exec"),     dir.filePath(QStringLiteral("script.cfg"))};
        const Run alone = run(arguments);
        QVERIFY2(alone.status == 0, qPrintable(alone.err));
        const QByteArray part = samples("part.wav");
        QCOMPARE(part.size(), qsizetype(24000 * 8));
        const QByteArray voices = read(dir.filePath(QStringLiteral("voices.json")));
        QVERIFY2(voices.contains("\"entity\":\"d\"") && voices.contains("\"playing\":true"),
                 voices.constData());
        const Run whole =
            run(arguments << QStringLiteral("--audio") << dir.filePath(QStringLiteral("whole.wav")));
        QVERIFY2(whole.status == 0, qPrintable(whole.err));
        QVERIFY(samples("part.wav") == samples("whole.wav").mid(30 * 800 * 8, 24000 * 8));
        const auto loudness = [](const QByteArray& bytes, int from) {
            double sum = 0.0;
            for (int n = from; n < 24000; ++n) {
                float left = 0.0F;
                std::memcpy(&left, bytes.constData() + n * 8, sizeof left);
                sum += static_cast<double>(left) * static_cast<double>(left);
            }
            return std::sqrt(sum / (24000 - from));
        };
        const double expected = loudness(samples("part.wav"), 12000);
        QVERIFY(expected > 0.01);
        QVERIFY(std::abs(loudness(part, 12000) / expected - 1.0) < 0.01);
    }
};

QTEST_GUILESS_MAIN(TestProgram)
#include "tst_program.moc"
