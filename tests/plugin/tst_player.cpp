// The installed player and the template project, as somebody with the package alone has them.

#include <QDirIterator>
#include <QProcess>
#include <QtTest>

#include "tests/folders.h"

namespace {

const QString Scratch = sbx::test::qBuildPath("plugins");

struct Run {
    int status = -1;
    QString out;
    QString err;
};

Run player(const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), Scratch + QStringLiteral("/user")); // see prepare.sh
    process.setProcessEnvironment(environment);
    process.start(Scratch + QStringLiteral("/prefix/bin/signalbox-player"), arguments);
    Run run;
    if (!process.waitForFinished(60000))
        return run;
    run.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    run.out = QString::fromUtf8(process.readAllStandardOutput());
    run.err = QString::fromUtf8(process.readAllStandardError());
    return run;
}

// The template's texts elsewhere, with a library that was not built there.
void copyTemplate(const QString& from, const QTemporaryDir& to, const QString& library) {
    for (const char* name : {"project.toml", "entities.toml", "main.scene.toml"})
        QVERIFY(QFile::copy(from + u'/' + QLatin1String(name), to.filePath(QLatin1String(name))));
    QDir(to.path()).mkdir(QStringLiteral("plugins"));
    QVERIFY(QFile::copy(library, to.filePath(QStringLiteral("plugins/my_parts.so"))));
}

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TestPlayer : public QObject {
    Q_OBJECT

private:
    QString m_project = Scratch + QStringLiteral("/template/source");

private slots:
    void initTestCase() {
        QVERIFY2(QFile::exists(m_project + QStringLiteral("/plugins/my_parts.so")),
                 "run the test plugin.prepare first");
    }

    void playsTheTemplate() {
        QTemporaryDir dir;
        QStringList digests;
        for (const char* name : {"one", "two"}) {
            const QString file = dir.filePath(QString::fromUtf8(name));
            const Run run =
                player({m_project, QStringLiteral("--headless"), QStringLiteral("--ticks"),
                        QStringLiteral("300"), QStringLiteral("--trace"),
                        dir.filePath(QStringLiteral("trace.jsonl")), QStringLiteral("--digest"), file});
            QVERIFY2(run.status == 0 && run.err.isEmpty(), qPrintable(run.err));
            digests << textOf(file);
        }
        QCOMPARE(digests.at(0), digests.at(1));
        QCOMPARE(digests.at(0).count(u'\n'), 300);
        const QString trace = textOf(dir.filePath(QStringLiteral("trace.jsonl")));
        const QStringList bounced = trace.split(u'\n').filter(QStringLiteral("\"type\":\"Bounced\""));
        QVERIFY(bounced.size() >= 4);
        QVERIFY2(bounced.first().contains(
                     QStringLiteral("\"fields\":{\"times\":1},\"handlers\":[{\"component\":\"Blinker\"")),
                 qPrintable(bounced.first()));
        // It is built for debugging: the line that sends is in the trace.
        QVERIFY2(bounced.first().contains(QRegularExpression(
                     QStringLiteral("\"site\":\"[^\"]*/template/source/source/bouncer\\.cpp:[1-9][0-9]*\""))),
                 qPrintable(bounced.first()));
        QVERIFY(trace.contains(
            QStringLiteral("{\"component\":\"Bouncer\",\"priority\":0,\"result\":\"passed\"}")));
    }

    void scriptsSeeItsState() {
        QTemporaryDir dir;
        QFile script(dir.filePath(QStringLiteral("check.cfg")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(
            "plugin.list\nwait 200\nexpect jumper.Bouncer.times >= 2\nexpect lively_jumper.Bouncer.strength "
            "== 14\n"
            "plugin.reload\nexpect jumper.Bouncer.times >= 2\nwait 100\nexpect jumper.Bouncer.times >= 3\n");
        script.close();
        const Run run =
            player({m_project, QStringLiteral("--headless"), QStringLiteral("--exec"), script.fileName()});
        QVERIFY2(run.status == 0, qPrintable(run.out + run.err));
        QCOMPARE(run.out.count(QStringLiteral("PASS")), 4);
        QVERIFY2(run.out.contains(QStringLiteral("plugins/my_parts  build 1: Bouncer, Blinker"))
                     && run.out.contains(QStringLiteral("plugins/my_parts: build 2")),
                 qPrintable(run.out));
    }

    // The checker tells a plugin's author the same.
    void theCheckerSaysWhatIsWrong_data() {
        QTest::addColumn<QString>("made");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("said");
        QTest::newRow("good") << "first.so" << 0 << "ok: Ticker, Receiver";
        QTest::newRow("throws") << "throws.so" << 1
                                << "refused: threw while it registered its components: no counters today";
        QTest::newRow("none") << "nowhere.so" << 1 << "refused: is not a shared library";
    }
    void theCheckerSaysWhatIsWrong() {
        QFETCH(QString, made);
        QFETCH(int, status);
        QFETCH(QString, said);
        QProcess process;
        process.start(Scratch + QStringLiteral("/prefix/lib/signalbox/signalbox-plugin-check"),
                      {Scratch + QStringLiteral("/parts/build/made/") + made});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), status);
        QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()).trimmed(), said);
    }

    // Copied from elsewhere, nobody has trusted it: it plays without, and says so.
    void withoutTrustItsCodeIsHeldBack_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        QTest::newRow("not trusted") << QStringList{} << "is held back";
        QTest::newRow("safe mode") << QStringList{QStringLiteral("--safe-mode"), QStringLiteral("--trust")} << "is not loaded in safe mode";
    }
    void withoutTrustItsCodeIsHeldBack() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        QTemporaryDir dir;
        copyTemplate(m_project, dir, m_project + QStringLiteral("/plugins/my_parts.so"));
        const Run run = player(QStringList{dir.path(), QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("30")} + arguments);
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QVERIFY2(run.err.contains(QStringLiteral("project.toml:7:12: warning: the plugin plugins/my_parts ") + said), qPrintable(run.err));
    }

    // An exported game loads its own plugins without a trust question. The library is exported, its source is not.
    void anExportPlaysItsPlugins() {
        QTemporaryDir dir;
        const QString target = dir.filePath(QStringLiteral("My game"));
        const QStringList exporting{QStringLiteral("--export"), target, QStringLiteral("--without-libraries")};
        const Run exported = player(QStringList{m_project} + exporting);
        QVERIFY2(exported.status == 0, qPrintable(exported.err));
        QStringList files;
        for (QDirIterator it(target + QStringLiteral("/game"), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();)
            files << QDir(target + QStringLiteral("/game")).relativeFilePath(it.next());
        files.sort();
        QCOMPARE(files, QStringList({QStringLiteral("entities.toml"), QStringLiteral("main.scene.toml"), QStringLiteral("plugins/my_parts.so"), QStringLiteral("project.toml"),
                                     QStringLiteral("tests/jumper.cfg")}));
        QString launcher;
        for (const QFileInfo& info : QDir(target).entryInfoList(QDir::Files | QDir::Executable))
            if (info.suffix().isEmpty())
                launcher = info.filePath();
        const QStringList arguments{QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("120"), QStringLiteral("--digest")};
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_STATE_HOME"), dir.filePath(QStringLiteral("state")));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), dir.filePath(QStringLiteral("config")));
        process.setProcessEnvironment(environment);
        process.start(launcher, arguments + QStringList{dir.filePath(QStringLiteral("exported"))});
        QVERIFY(process.waitForFinished(60000));
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0 && said.isEmpty(), said.constData());
        const Run original = player(QStringList{m_project} + arguments + QStringList{dir.filePath(QStringLiteral("original"))});
        QVERIFY2(original.status == 0, qPrintable(original.err));
        QCOMPARE(textOf(dir.filePath(QStringLiteral("exported"))), textOf(dir.filePath(QStringLiteral("original"))));
        QVERIFY(!textOf(dir.filePath(QStringLiteral("exported"))).isEmpty());
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("config"))));
        // In safe mode they are held back as ever, and nobody exports the code of a project that is not trusted.
        process.start(launcher, {QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("1"), QStringLiteral("--safe-mode")});
        QVERIFY(process.waitForFinished(60000));
        QVERIFY(process.readAllStandardError().contains("is not loaded in safe mode"));
        QTemporaryDir copied;
        copyTemplate(m_project, copied, m_project + QStringLiteral("/plugins/my_parts.so"));
        const Run refused = player({copied.path(), QStringLiteral("--export"), dir.filePath(QStringLiteral("refused"))});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains(QStringLiteral("expected --trust")), qPrintable(refused.err));
    }

    void aFaultyPluginDoesNotKeepTheProjectFromRunning() {
        QTemporaryDir dir;
        copyTemplate(m_project, dir, Scratch + QStringLiteral("/parts/build/made/crashes.so"));
        const Run run =
            player({dir.path(), QStringLiteral("--trust"), QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("30"),
                    QStringLiteral("--digest"), dir.filePath(QStringLiteral("digest"))});
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QVERIFY2(run.err.contains(QRegularExpression(
                     QStringLiteral("project\\.toml:7:12: warning: the plugin plugins/my_parts (crashes|ends "
                                    "the program) while it is loaded"))),
                 qPrintable(run.err));
        QVERIFY2(run.err.contains(QStringLiteral(
                     "entities.toml:15:9: warning: there is no component \"Bouncer\"; its plugin may be "
                     "plugins/my_parts, which was refused")),
                 qPrintable(run.err));
        QCOMPARE(textOf(dir.filePath(QStringLiteral("digest"))).count(u'\n'), 30);
    }
};

QTEST_GUILESS_MAIN(TestPlayer)
#include "tst_player.moc"
