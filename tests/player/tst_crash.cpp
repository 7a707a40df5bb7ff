// What a program that crashes leaves: run as processes of this test's own.

#include <QProcess>
#include <QtTest>

#include "app/common/crash_handler.h"
#include "app/common/crash_record.h"
#include "engine/core/log.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <thread>

using namespace sbx;

namespace {

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Not for ever, as far as a compiler can tell.
[[gnu::noinline]] int deeper(const volatile int* from) {
    volatile int here[256] = {};
    here[0] = from[0] + 1;
    return here[0] < 0 ? here[1] : deeper(here) + here[1];
}

// As a program that wants to be told of; `how` it ends.
int crash(const std::string& folder, const std::string& how) {
    ::rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    app::CrashHandler handler(folder + "/state/crashes", "signalbox 9.9");
    Log log;
    if (!log.openFile(folder + "/state/signalbox.log"))
        return 1;
    handler.setLog(log.filePath());
    handler.setProject("/projects/one/project.toml");
    for (int i = 0; i < 2000; ++i)
        log.info("test", "line " + std::to_string(i));
    if (how == "abort")
        std::abort();
    if (how == "segv")
        *reinterpret_cast<volatile int*>(8) = 1;
    if (how == "thread")
        std::thread([] {
            ::pthread_setname_np(::pthread_self(), "simulation");
            *reinterpret_cast<volatile int*>(8) = 1;
        }).join();
    if (how == "stack") {
        const volatile int begin[1] = {};
        return deeper(begin);
    }
    if (how == "wait") {
        std::puts("ready");
        std::fflush(stdout);
        while (true)
            ::pause();
    }
    return 0;
}

} // namespace

class TestCrash : public QObject {
    Q_OBJECT

private:
    struct Run {
        QTemporaryDir dir;
        QProcess process;
        QString state() const { return dir.filePath(QStringLiteral("state")); }
        QByteArray log() const { return read(state() + QStringLiteral("/signalbox.log")); }
        std::vector<app::CrashRecord> records() const {
            return app::CrashRecord::takeNew((state() + QStringLiteral("/crashes")).toStdString());
        }
        void start(const char* how) {
            process.start(QCoreApplication::applicationFilePath(),
                          {QStringLiteral("--crash"), dir.path(), QString::fromLatin1(how)});
        }
    };

private slots:
    void itIsToldAndDiesAsItWould_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("thread");
        QTest::newRow("abort") << SIGABRT << QStringLiteral("SIGABRT") << QString();
        QTest::newRow("segv") << SIGSEGV << QStringLiteral("SIGSEGV") << QString();
        QTest::newRow("thread") << SIGSEGV << QStringLiteral("SIGSEGV") << QStringLiteral("simulation");
        QTest::newRow("stack") << SIGSEGV << QStringLiteral("SIGSEGV") << QString();
    }
    void itIsToldAndDiesAsItWould() {
        QFETCH(int, signal);
        QFETCH(QString, name);
        QFETCH(QString, thread);
        Run r;
        r.start(QTest::currentDataTag());
        QVERIFY(r.process.waitForFinished(60000));
        QCOMPARE(r.process.exitStatus(), QProcess::CrashExit);
        QCOMPARE(r.process.exitCode(), signal);
        const QString said = QStringLiteral("error   [crash] %1 in the thread %2").arg(name, thread);
        QVERIFY2(r.log().contains(said.toUtf8()), r.log().right(2000).constData());
        QVERIFY(QString::fromUtf8(r.process.readAllStandardError()).contains(said));
        // Every line of the log begins with its time, but for those of the backtrace: none is torn.
        QVERIFY(r.log().contains("line 1999\n"));

        const std::vector<app::CrashRecord> records = r.records();
        QCOMPARE(records.size(), std::size_t(1));
        const app::CrashRecord& record = records[0];
        QCOMPARE(record.program, std::string("signalbox 9.9"));
        QCOMPARE(QString::fromStdString(record.signal), name);
        QCOMPARE(record.project, std::string("/projects/one/project.toml"));
        QCOMPARE(QString::fromStdString(record.log), r.state() + QStringLiteral("/signalbox.log"));
        QVERIFY(record.component.empty() && record.plugin.empty());
        QVERIFY(qAbs(record.time - QDateTime::currentSecsSinceEpoch()) < 600);
        if (!thread.isEmpty())
            QCOMPARE(QString::fromStdString(record.thread), thread);
        const QByteArray text = read(QString::fromStdString(record.path));
        const qsizetype trace = text.indexOf("backtrace:\n");
        const qsizetype end = text.indexOf("end of the log:\n");
        QVERIFY(trace > 0 && end > trace);
        QVERIFY2(text.mid(trace, end - trace).count("tst_player_crash") >= 1, text.constData());
        QVERIFY(text.contains("line 1999\n") && !text.contains("line 1\n"));
        QVERIFY2(text.mid(end + 16).startsWith("20"), "whole lines of the log");
        // Told once.
        QVERIFY(record.path.ends_with(".txt"));
        QVERIFY(r.records().empty());
    }

    // What was under way is not to blame for a signal from outside.
    void aSignalFromOutsideIsToldToo() {
        for (const int signal : {SIGSEGV, SIGABRT}) {
            Run r;
            r.start("wait");
            QVERIFY(r.process.waitForReadyRead(60000));
            QCOMPARE(::kill(static_cast<pid_t>(r.process.processId()), signal), 0);
            QVERIFY(r.process.waitForFinished(60000));
            QCOMPARE(r.process.exitCode(), signal);
            QVERIFY(r.log().contains("sent by process " + QByteArray::number(::getpid())));
            QCOMPARE(r.records().size(), std::size_t(1));
        }
    }

    // A record that ends early, as that of a program that died over it, tells what it has.
    void aTornRecordTellsWhatItHas() {
        const app::CrashRecord record =
            app::CrashRecord::parse("Signalbox crash record, version 1\nprogram: signalbox 1\ntime: 12\nsignal: SIGBUS\nthr");
        QCOMPARE(record.signal, std::string("SIGBUS"));
        QCOMPARE(record.time, std::int64_t(12));
        QVERIFY(record.thread.empty());
        QVERIFY(app::CrashRecord::parse({}).program.empty());
    }

    void oldRecordsGo() {
        QTemporaryDir dir;
        for (int i = 100; i < 130; ++i) {
            QFile file(dir.filePath(QStringLiteral("crash-%1-1-signalbox.txt").arg(i)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        QVERIFY(app::CrashRecord::takeNew(dir.path().toStdString()).empty());
        const QStringList kept = QDir(dir.path()).entryList(QDir::Files, QDir::Name);
        QCOMPARE(kept.size(), static_cast<int>(app::CrashRecord::Kept));
        QCOMPARE(kept.first(), QStringLiteral("crash-110-1-signalbox.txt"));
    }
};

int main(int argc, char** argv) {
    if (argc == 4 && std::string(argv[1]) == "--crash")
        return crash(argv[2], argv[3]);
    QCoreApplication application(argc, argv);
    TestCrash test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_crash.moc"
