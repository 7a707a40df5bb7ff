// Writing whole files and growing ones, on a disk on which any step may fail.

#include <QTemporaryDir>
#include <QtTest>

#include "engine/core/line_file.h"
#include "engine/core/whole_file.h"
#include "tests/failing_disk.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

using namespace sbx;
using test::failingDisk;
using test::Step;

namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string text(std::size_t size, char with) {
    std::string out(size, with);
    for (std::size_t i = 79; i < size; i += 80)
        out[i] = '\n';
    return out;
}

std::size_t filesIn(const QTemporaryDir& folder) {
    return static_cast<std::size_t>(
        QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size());
}

} // namespace

class TestWholeFile : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { failingDisk().repair(); }

    // Each step fails in turn, for each size and reason: the old bytes or the new ones are there, never others, and what is told is so.
    void oldBytesOrNew_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<int>("after");
        QTest::newRow("write") << static_cast<int>(Step::Write) << 0;
        QTest::newRow("second write") << static_cast<int>(Step::HalfWrite) << 0;
        QTest::newRow("sync of the file") << static_cast<int>(Step::Sync) << 0;
        QTest::newRow("sync of the folder") << static_cast<int>(Step::Sync) << 1;
        QTest::newRow("close") << static_cast<int>(Step::Close) << 0;
        QTest::newRow("rename") << static_cast<int>(Step::Rename) << 0;
    }
    void oldBytesOrNew() {
        QFETCH(int, step);
        QFETCH(int, after);
        for (const std::size_t size :
             {std::size_t{2}, std::size_t{6'900}, std::size_t{29'000}, std::size_t{1'000'000}})
            for (const int code : {ENOSPC, EIO, EDQUOT})
                for (const bool exists : {true, false}) {
                    QTemporaryDir folder;
                    const std::filesystem::path path =
                        folder.filePath(QStringLiteral("scene.toml")).toStdString();
                    const std::string before = exists ? text(size / 2 + 1, 'o') : std::string();
                    const std::string wanted = text(size, 'n');
                    if (exists)
                        QVERIFY(writeFileSafely(path, before).ok());
                    failingDisk().plan(static_cast<Step>(step), after, code);
                    const Result<void> written = writeFileSafely(path, wanted);
                    QVERIFY(failingDisk().hasFailed());
                    failingDisk().repair();
                    QVERIFY(!written.ok());
                    QCOMPARE(written.error().file, path.string());
                    QVERIFY2(code == EIO
                                 || written.error().message.find("the disk is full") != std::string::npos,
                             written.error().message.c_str());
                    const std::string now = read(path);
                    const bool renamed = static_cast<Step>(step) == Step::Sync && after == 1;
                    QVERIFY(now == (renamed ? wanted : before));
                    QCOMPARE(std::filesystem::exists(path), exists || renamed);
                    QCOMPARE(filesIn(folder),
                             static_cast<std::size_t>(exists || renamed ? 1 : 0)); // no temporary file stays
                    // And when there is room again:
                    QVERIFY(writeFileSafely(path, wanted).ok());
                    QVERIFY(read(path) == wanted);
                }
    }

    // A copy is written as any whole file is: with each step failing in turn there is the old one or all of the new one.
    void aCopyIsWholeOrNotThere() {
        QTemporaryDir folder;
        const std::filesystem::path from = folder.filePath(QStringLiteral("mesh.obj")).toStdString();
        const std::filesystem::path to = folder.filePath(QStringLiteral("copy.obj")).toStdString();
        for (const std::size_t size : {std::size_t{0}, std::size_t{8}, std::size_t{6'900}, std::size_t{1'000'000}}) {
            const std::string wanted = text(size, 'n');
            QVERIFY(writeFileSafely(from, wanted).ok());
            for (const Step step : {Step::Write, Step::HalfWrite, Step::Sync, Step::Close, Step::Rename})
                for (const bool exists : {true, false}) {
                    std::filesystem::remove(to);
                    if (exists)
                        QVERIFY(writeFileSafely(to, "old\n").ok());
                    failingDisk().plan(step, 0, ENOSPC);
                    const Result<void> copied = copyFileSafely(from, to);
                    const bool reached = failingDisk().hasFailed();
                    failingDisk().repair();
                    QCOMPARE(copied.ok(), !reached);
                    QVERIFY(reached || size == 0);
                    QVERIFY(copied.ok() || copied.error().message == "cannot write: the disk is full");
                    QCOMPARE(std::filesystem::exists(to), exists || copied.ok());
                    QVERIFY(!std::filesystem::exists(to) || read(to) == (copied.ok() ? wanted : std::string("old\n")));
                    QCOMPARE(filesIn(folder), static_cast<std::size_t>(exists || copied.ok() ? 2 : 1));
                }
        }
        QCOMPARE(::chmod(from.c_str(), 0444), 0);
        std::filesystem::remove(to);
        QVERIFY(copyFileSafely(from, to).ok());
        struct stat status {};
        QCOMPARE(::stat(to.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0644U);
        QCOMPARE(copyFileSafely("/nonexistent/a", to).error().toString(),
                 std::string("/nonexistent/a: error: cannot read: there is no folder /nonexistent"));
        QVERIFY(!copyFileSafely(folder.path().toStdString(), to).ok());
        QCOMPARE(read(to).size(), std::size_t{1'000'000});
    }

    void privateFilesAreTheOwnersAlone() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("history")).toStdString();
        struct stat status {};
        QVERIFY(writeFileSafely(path, "a\n").ok());
        QCOMPARE(::chmod(path.c_str(), 0644), 0);
        QVERIFY(writeFileSafely(path, "b\n", FileAccess::Private).ok());
        QCOMPARE(::stat(path.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0600U);
        QCOMPARE(read(path), std::string("b\n"));
    }

    // Lines of any length, a disk that fills at any write: what is there are whole lines, from the first on, and nothing follows.
    void wholeLinesFromTheFirstOn() {
        std::mt19937 random(19);
        int torn = 0;
        for (int round = 0; round < 200; ++round) {
            QTemporaryDir folder;
            const std::filesystem::path path = folder.filePath(QStringLiteral("trace")).toStdString();
            Result<LineFile> file = LineFile::create(path);
            QVERIFY(file.ok());
            const bool half = round % 2 == 1;
            failingDisk().plan(half && round % 4 == 1 ? Step::HalfWrite : Step::Write,
                               half ? 0 : static_cast<int>(random() % 4), ENOSPC);
            std::string all;
            bool failed = false;
            for (int i = 0; i < 400; ++i) {
                const std::string line = std::to_string(i) + std::string(random() % 1500, '.') + "\n";
                all += line;
                const Result<void> put = file->append(line);
                QVERIFY(!failed || !put.ok()); // once failed, for good
                failed = failed || !put.ok();
            }
            const Result<void> closed = file->close();
            QVERIFY(!failed || !closed.ok());
            QCOMPARE(failingDisk().hasFailed(), !closed.ok());
            failingDisk().repair();
            const std::string there = read(path);
            QVERIFY(all.starts_with(there));
            QVERIFY(there.empty() || there.back() == '\n');
            QCOMPARE(there.size() == all.size(), closed.ok());
            torn += closed.ok() ? 0 : 1;
        }
        QVERIFY(torn > 50);
    }

    void aFileThatCannotBeMadeIsSaidWithItsName() {
        const Result<LineFile> none = LineFile::create("/nonexistent/trace");
        QVERIFY(!none.ok());
        QCOMPARE(none.error().file, std::string("/nonexistent/trace"));
        QCOMPARE(none.error().message, std::string("cannot write: there is no folder /nonexistent"));
    }
};

QTEST_GUILESS_MAIN(TestWholeFile)
#include "tst_whole_file.moc"
