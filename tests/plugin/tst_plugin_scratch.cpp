// Folders for copies of plugins: those of the dead go, those of the living and of others stay.
#include <QtTest>

#include "engine/plugin/plugin_scratch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <fstream>

using namespace sbx;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> namesIn(const fs::path& folder) {
    std::vector<std::string> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

// A process that makes a folder, says so, and waits to be killed.
class Owner {
public:
    explicit Owner(const fs::path& base) {
        int ready[2] = {};
        if (::pipe(ready) != 0)
            qFatal("no pipe");
        m_process = ::fork();
        if (m_process == 0) {
            PluginScratch scratch;
            const bool made = scratch.create(base).ok();
            std::ofstream(scratch.path() / "parts-1.so") << "bytes";
            if (!made || ::write(ready[1], "x", 1) != 1)
                ::_exit(1);
            while (true)
                ::pause();
        }
        char x = 0;
        if (::read(ready[0], &x, 1) != 1)
            qFatal("no folder");
        ::close(ready[0]);
        ::close(ready[1]);
    }
    ~Owner() { kill(); }
    void kill() {
        if (m_process <= 0)
            return;
        ::kill(m_process, SIGKILL);
        ::waitpid(std::exchange(m_process, -1), nullptr, 0);
    }

private:
    pid_t m_process;
};

} // namespace

class TestPluginScratch : public QObject {
    Q_OBJECT

private slots:
    void itGoesWithItsObject() {
        QTemporaryDir dir;
        const fs::path base = dir.path().toStdString();
        {
            PluginScratch scratch;
            QVERIFY(scratch.create(base).ok());
            const fs::path path = scratch.path();
            QVERIFY(path.filename().string().starts_with("signalbox-plugins-"));
            QVERIFY(scratch.create(base).ok()); // once
            QCOMPARE(scratch.path().string(), path.string());
            QCOMPARE(PluginScratch::sweep(base), 0); // nor by itself
            QVERIFY(fs::exists(path));
        }
        QVERIFY(namesIn(base).empty());
    }

    void whatTheDeadLeftIsSwept() {
        QTemporaryDir dir;
        const fs::path base = dir.path().toStdString();
        Owner dead(base);
        Owner alive(base);
        QCOMPARE(PluginScratch::sweep(base), 0);
        QCOMPARE(namesIn(base).size(), std::size_t(2));
        dead.kill();
        QCOMPARE(PluginScratch::sweep(base), 1);
        QCOMPARE(namesIn(base).size(), std::size_t(1));
        QVERIFY(fs::exists(base / namesIn(base).front() / "parts-1.so"));
        alive.kill();
        QCOMPARE(PluginScratch::sweep(base), 1);
        QVERIFY(namesIn(base).empty());
    }

    // Versions before the lock left theirs for good.
    void whatEarlierVersionsLeftIsSweptAfterADay() {
        QTemporaryDir dir;
        const fs::path base = dir.path().toStdString();
        const auto make = [&](const char* name, const char* file, mode_t mode, int daysAgo) {
            const fs::path folder = base / name;
            fs::create_directories(folder);
            std::ofstream(folder / file) << "bytes";
            QCOMPARE(::chmod(folder.c_str(), mode), 0);
            const timespec when{::time(nullptr) - daysAgo * 24 * 60 * 60 - 60, 0};
            const timespec times[2] = {when, when};
            QCOMPARE(::utimensat(AT_FDCWD, folder.c_str(), times, 0), 0);
        };
        make("signalbox-plugins-aB3xY9", "parts-1.so", 0700, 1);
        make("signalbox-plugins-today1", "parts-1.so", 0700, 0);
        make("signalbox-plugins-shared", "parts-1.so", 0755, 9);
        make("signalbox-plugins-letter", "letter.txt", 0700, 9);
        make("signalbox-plugins-longer-name", "parts-1.so", 0700, 9);
        QCOMPARE(PluginScratch::sweep(base), 1);
        QCOMPARE(namesIn(base), (std::vector<std::string>{"signalbox-plugins-letter", "signalbox-plugins-longer-name",
                                                          "signalbox-plugins-shared", "signalbox-plugins-today1"}));
    }

    // By its name alone nothing is removed: not without a lock of ours, not through a link.
    void whatIsNotOursStays() {
        QTemporaryDir dir;
        const fs::path base = dir.path().toStdString();
        fs::create_directories(base / "signalbox-plugins-nolock");
        fs::create_directories(base / "elsewhere");
        std::ofstream(base / "elsewhere/lock") << "";
        fs::create_directory_symlink(base / "elsewhere", base / "signalbox-plugins-link");
        std::ofstream(base / "signalbox-plugins-file") << "";
        fs::create_directories(base / "signalbox-plugins-linked");
        fs::create_symlink(base / "elsewhere/lock", base / "signalbox-plugins-linked/lock");
        const std::vector<std::string> before = namesIn(base);
        QCOMPARE(PluginScratch::sweep(base), 0);
        QCOMPARE(namesIn(base), before);
        if (::geteuid() != 0)
            return;
        // Another user's, unlocked.
        fs::create_directories(base / "signalbox-plugins-theirs");
        std::ofstream(base / "signalbox-plugins-theirs/lock") << "";
        QCOMPARE(::chown((base / "signalbox-plugins-theirs").c_str(), 65534, 65534), 0);
        QCOMPARE(PluginScratch::sweep(base), 0);
        QVERIFY(fs::exists(base / "signalbox-plugins-theirs"));
    }
};

QTEST_GUILESS_MAIN(TestPluginScratch)
#include "tst_plugin_scratch.moc"
