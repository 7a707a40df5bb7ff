// Writing whole files and growing ones, on a system in which any step may fail: the functions of the C library that the writers use are
// replaced here, count, and fail when it is their turn.

#include <QTemporaryDir>
#include <QtTest>

#include "engine/core/line_file.h"
#include "engine/core/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace {

enum class Step { Open, Write, HalfWrite, Sync, Close, Rename, None };

struct Plan {
    Step fails = Step::None;
    int after = 0; // calls of that kind that go well first
    int code = 0;
    bool done = false; // it has failed
} g_plan;

bool turn(Step step) {
    if (g_plan.fails != step || g_plan.done || g_plan.after-- > 0)
        return false;
    g_plan.done = true;
    errno = g_plan.code;
    return true;
}

} // namespace

// The writers' calls end here; what does not fail goes to the kernel.
extern "C" ssize_t write(int file, const void* bytes, size_t size) {
    if (turn(Step::Write))
        return -1;
    if (g_plan.fails == Step::HalfWrite && !g_plan.done && size > 1 && file > 2) {
        g_plan.fails = Step::Write; // a part goes through; the next one fails
        size /= 2;
    }
    return ::syscall(SYS_write, file, bytes, size);
}
extern "C" int fsync(int file) {
    return turn(Step::Sync) ? -1 : static_cast<int>(::syscall(SYS_fsync, file));
}
extern "C" int close(int file) {
    const int closed = static_cast<int>(::syscall(SYS_close, file)); // as Linux does: closed all the same
    return turn(Step::Close) ? -1 : closed;
}
extern "C" int rename(const char* from, const char* to) noexcept {
    return turn(Step::Rename) ? -1 : static_cast<int>(::syscall(SYS_rename, from, to));
}

using namespace sbx;

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
    void cleanup() { g_plan = {}; }

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
                    g_plan = {static_cast<Step>(step), after, code, false};
                    const Result<void> written = writeFileSafely(path, wanted);
                    QVERIFY(g_plan.done);
                    g_plan = {};
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
            g_plan = {half && round % 4 == 1 ? Step::HalfWrite : Step::Write,
                      half ? 0 : static_cast<int>(random() % 4), ENOSPC, false};
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
            QCOMPARE(g_plan.done, !closed.ok());
            g_plan = {};
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
        QCOMPARE(none.error().message, std::string("cannot write: there is no such file"));
    }
};

QTEST_GUILESS_MAIN(TestWholeFile)
#include "tst_whole_file.moc"
