#include <QtTest>

#include "engine/core/log.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

using namespace sbx;
using namespace std::string_literals;

namespace {

std::vector<std::string> linesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

// Forks, lets the child log `count` lines and die by `end`, and gives back the child's wait status.
int dyingChild(const std::string& path, int count, void (*end)()) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        Log log;
        if (!log.openFile(path))
            _exit(3);
        for (int i = 0; i < count; ++i)
            log.info("sim", "line " + std::to_string(i));
        log.error("sim", "the last words");
        end();
        _exit(4);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

} // namespace

class TestLog : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("run.log")).toStdString();
    }

    void recordsArePolledBySequence() {
        Log log;
        QCOMPARE(log.latest(), std::uint64_t{0});
        log.info("sim", "a");
        log.warning("net", "b");
        const auto all = log.since(0);
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].sequence, std::uint64_t{1});
        QCOMPARE(all[1].channel, std::string("net"));
        QCOMPARE(all[1].severity, LogSeverity::Warning);
        QVERIFY(log.since(2).empty());
        QVERIFY(log.since(99).empty());
        log.error("sim", "c");
        QCOMPARE(log.since(2).size(), std::size_t{1});
        QCOMPARE(log.since(0, 2).back().text, std::string("b"));
    }

    void repetitionsAreCounted() {
        Log log;
        log.info("sim", "first");
        for (int i = 0; i < 5; ++i)
            log.warning("sim", "again");
        auto records = log.since(0);
        QCOMPARE(records.size(), std::size_t{2});
        QCOMPARE(records[1].count, 5U);
        QCOMPARE(records[1].sequence, std::uint64_t{6});
        QCOMPARE(records[1].firstSequence(), std::uint64_t{2});
        // A reader who saw it is told again, and knows it for the same row.
        log.warning("sim", "again");
        records = log.since(6);
        QCOMPARE(records.size(), std::size_t{1});
        QCOMPARE(records[0].firstSequence(), std::uint64_t{2});
        log.warning("net", "again");
        QCOMPARE(log.since(7).front().count, 1U);
    }

    void ringIsBoundedAndCountsWhatItDrops() {
        Log log({.capacity = 100});
        for (int i = 0; i < 250; ++i)
            log.info("sim", std::to_string(i));
        const auto records = log.since(0);
        QCOMPARE(records.size(), std::size_t{100});
        QCOMPARE(records.front().text, std::string("150"));
        QCOMPARE(records.back().sequence, std::uint64_t{250});
        QCOMPARE(log.dropped(), std::uint64_t{150});
    }

    void minimumDropsAtOnce() {
        Log log;
        log.setMinimum(LogSeverity::Warning);
        log.info("sim", "quiet");
        log.warning("sim", "loud");
        QCOMPARE(log.since(0).size(), std::size_t{1});
        QVERIFY(!log.takes(LogSeverity::Info));
    }

    void fileHoldsEveryLineBeforeWriteReturns() {
        Log log;
        log.info("start", "before the file was known");
        QVERIFY(log.openFile(m_path).ok());
        for (int i = 0; i < 50; ++i) {
            log.info("sim", "tick " + std::to_string(i));
            const auto lines = linesOf(m_path);
            QCOMPARE(lines.size(), static_cast<std::size_t>(i + 2));
            QVERIFY(QByteArray::fromStdString(lines.back())
                        .endsWith(QByteArray("[sim] tick ") + QByteArray::number(i)));
        }
        QVERIFY(
            QByteArray::fromStdString(linesOf(m_path).front()).endsWith("[start] before the file was known"));
        QCOMPARE(log.filePath(), m_path);
        QCOMPARE(log.unwritten(), std::uint64_t{0});
    }

    void nothingIsLostWhenTheProcessDies_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("abort") << SIGABRT;
        QTest::newRow("kill -9") << SIGKILL;
        QTest::newRow("segmentation fault") << SIGSEGV;
    }
    void nothingIsLostWhenTheProcessDies() {
        QFETCH(int, signal);
        constexpr int Count = 2000;
        int status = 0;
        if (signal == SIGABRT)
            status = dyingChild(m_path, Count, [] { std::abort(); });
        else if (signal == SIGKILL)
            status = dyingChild(m_path, Count, [] { ::kill(::getpid(), SIGKILL); });
        else
            status = dyingChild(m_path, Count, [] {
                std::signal(SIGSEGV, SIG_DFL);
                std::raise(SIGSEGV);
            });
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(WTERMSIG(status), signal);
        const auto lines = linesOf(m_path);
        QCOMPARE(lines.size(), static_cast<std::size_t>(Count + 1));
        for (int i = 0; i < Count; ++i)
            QVERIFY(QByteArray::fromStdString(lines[static_cast<std::size_t>(i)])
                        .endsWith("line " + QByteArray::number(i)));
        QVERIFY(QByteArray::fromStdString(lines.back()).endsWith("the last words"));
    }

    void nextStartKeepsTheOldFile() {
        {
            Log log;
            QVERIFY(log.openFile(m_path).ok());
            log.info("sim", "of the run that crashed");
        }
        Log log;
        QVERIFY(log.openFile(m_path).ok());
        log.info("sim", "of the next run");
        QCOMPARE(linesOf(m_path).size(), std::size_t{1});
        QVERIFY(QByteArray::fromStdString(linesOf(m_path + ".1").front()).contains("that crashed"));
    }

    void fileFaultsAreTold() {
        Log log;
        const auto folder = log.openFile(m_folder->path().toStdString());
        QVERIFY(!folder.ok());
        QVERIFY(folder.error().message.find("folder") != std::string::npos);
        QVERIFY(!log.openFile("/proc/no/such/log").ok());
        log.info("sim", "still works");
        QCOMPARE(log.since(0).size(), std::size_t{1});
        // A full disk: the lines are counted and stay in memory.
        if (QFile::exists(QStringLiteral("/dev/full"))) {
            QVERIFY(log.openFile("/dev/full").ok());
            log.info("sim", "no room");
            QVERIFY(log.unwritten() > 0);
            QCOMPARE(log.since(1).front().text, std::string("no room"));
        }
    }

    void linesCannotBeForged() {
        Log log;
        QVERIFY(log.openFile(m_path).ok());
        log.info("net", "name\n2026-01-01 error [sim] forged\x1b[31m\0end"s);
        const auto lines = linesOf(m_path);
        QCOMPARE(lines.size(), std::size_t{2});
        QVERIFY(QByteArray::fromStdString(lines[1]).startsWith("    "));
        QVERIFY(lines[1].find('\x1b') == std::string::npos);
        QVERIFY(lines[1].find("\\x1b[31m\\x00end") != std::string::npos);
    }

    void manyThreadsWriteWholeLinesInOneOrder() {
        constexpr int Threads = 4;
        constexpr int Each = 2000;
        Log log({.capacity = Threads * Each});
        QVERIFY(log.openFile(m_path).ok());
        std::vector<std::thread> threads;
        std::uint64_t polled = 0;
        for (int t = 0; t < Threads; ++t)
            threads.emplace_back([&log, t] {
                for (int i = 0; i < Each; ++i)
                    log.info("t" + std::to_string(t), std::to_string(i));
            });
        while (polled < Threads * Each)
            for (const LogRecord& record : log.since(polled)) {
                QVERIFY(record.sequence > polled);
                polled = record.sequence;
            }
        for (std::thread& thread : threads)
            thread.join();
        const auto lines = linesOf(m_path);
        const auto records = log.since(0);
        QCOMPARE(lines.size(), static_cast<std::size_t>(Threads * Each));
        QCOMPARE(records.size(), lines.size());
        for (std::size_t i = 0; i < lines.size(); ++i)
            QVERIFY(QByteArray::fromStdString(lines[i]).endsWith(
                QByteArray::fromStdString("[" + records[i].channel + "] " + records[i].text)));
    }

    void hugeAndEmptyTexts() {
        Log log;
        QVERIFY(log.openFile(m_path).ok());
        log.info("", "");
        log.info("sim", std::string(1'000'000, 'x'));
        QCOMPARE(log.since(0).back().text.size(), std::size_t{1'000'000});
        QCOMPARE(linesOf(m_path).size(), std::size_t{2});
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_path;
};

QTEST_GUILESS_MAIN(TestLog)
#include "tst_log.moc"
