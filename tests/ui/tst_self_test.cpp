// `signalbox --selftest`, as a user or the package's tests would call it. Wants a display.

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/folders.h"

class TestSelfTest : public QObject {
    Q_OBJECT
private slots:
    void saysALineForEach() {
        QTemporaryDir home;
        const auto [status, lines] = run(home.path());
        QCOMPARE(status, 0);
        QStringList names;
        for (const QString& line : lines) {
            names += line.left(16).trimmed();
            const QString verdict = line.mid(17, 8).trimmed();
            QVERIFY2(verdict == QLatin1String("pass") || verdict == QLatin1String("not here"), qPrintable(line));
            if (verdict == QLatin1String("not here")) // says what to do
                QVERIFY2(line.contains(QLatin1String("; ")), qPrintable(line));
        }
        QCOMPARE(names, (QStringList{"OpenGL", "Sound", "UDP", "Folders", "Courtyard", "Pinball", "Audio range", "Networked crates", "Network", "Plugin"}));
        QVERIFY(lines.filter(QStringLiteral("60 ticks, digest ")).size() == 4);
    }
    void aFolderThatCannotBeWrittenFails() {
        QTemporaryDir home;
        QFile file(home.filePath(QStringLiteral("signalbox"))); // where the folder of the settings would be
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const auto [status, lines] = run(home.path());
        QCOMPARE(status, 1);
        const QStringList folders = lines.filter(QRegularExpression(QStringLiteral("^Folders")));
        QCOMPARE(folders.size(), 1);
        QVERIFY2(folders.front().contains(QLatin1String("FAIL")) && folders.front().contains(file.fileName())
                     && folders.front().contains(QLatin1String("XDG_CONFIG_HOME")),
                 qPrintable(folders.front()));
    }

private:
    static std::pair<int, QStringList> run(const QString& home) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
            environment.insert(QLatin1String(name), home);
        process.setProcessEnvironment(environment);
        process.start(sbx::test::qBuildPath("bin/signalbox"), {QStringLiteral("--selftest")});
        if (!process.waitForFinished(300'000))
            return {-1, {}};
        return {process.exitCode(),
                QString::fromUtf8(process.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts)};
    }
};

QTEST_GUILESS_MAIN(TestSelfTest)
#include "tst_self_test.moc"
