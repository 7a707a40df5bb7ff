// Where a user's files lie, and how those of an earlier version come there.
#include <QtTest>

#include "engine/core/user_folders.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

using namespace sbx;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}
std::string get(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return in.is_open() ? out.str() : "(none)";
}

struct Place {
    QTemporaryDir dir;
    fs::path root{dir.path().toStdString()};
    fs::path old = root / "share";
    UserFolders folders{root / "config", root / "state", root / "cache"};
};

} // namespace

class TestUserFolders : public QObject {
    Q_OBJECT

private slots:
    void theyFollowTheEnvironment() {
        qputenv("HOME", "/home-of-one");
        qputenv("XDG_CONFIG_HOME", "/c");
        qputenv("XDG_STATE_HOME", "/s");
        qputenv("XDG_CACHE_HOME", "/k");
        qputenv("XDG_DATA_HOME", "/d");
        QCOMPARE(UserFolders::ofUser().config.string(), std::string("/c/signalbox"));
        QCOMPARE(UserFolders::ofUser().state.string(), std::string("/s/signalbox"));
        QCOMPARE(UserFolders::ofUser().cache.string(), std::string("/k/signalbox"));
        QCOMPARE(UserFolders::oldFolder().string(), std::string("/d/signalbox"));
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
            qputenv(name, "not/absolute");
        QCOMPARE(UserFolders::ofUser().config.string(), std::string("/home-of-one/.config/signalbox"));
        QCOMPARE(UserFolders::ofUser().state.string(), std::string("/home-of-one/.local/state/signalbox"));
        QCOMPARE(UserFolders::ofUser().cache.string(), std::string("/home-of-one/.cache/signalbox"));
        QCOMPARE(UserFolders::oldFolder().string(), std::string("/home-of-one/.local/share/signalbox"));
    }

    void eachFileGoesWhereItBelongsOnce() {
        Place p;
        for (const char* name : {"settings.ini", "user.cfg", "autoexec.cfg", "console_stars", "console_watches"})
            put(p.old / name, std::string("of ") + name);
        for (const char* name : {"signalbox.log", "signalbox.log.1", "console_history", "0123456789abcdef-0.journal",
                                 "0123456789abcdef-0.recover000"})
            put(p.old / name, std::string("of ") + name);
        put(p.old / "a picture of theirs.png", "theirs");
        QCOMPARE(p.folders.moveOldFiles(p.old).size(), std::size_t(10));
        for (const char* name : {"settings.ini", "user.cfg", "autoexec.cfg", "console_stars", "console_watches"})
            QCOMPARE(get(p.folders.config / name), std::string("of ") + name);
        for (const char* name : {"signalbox.log", "signalbox.log.1", "console_history", "0123456789abcdef-0.journal",
                                 "0123456789abcdef-0.recover000"})
            QCOMPARE(get(p.folders.state / name), std::string("of ") + name);
        QCOMPARE(get(p.old / "a picture of theirs.png"), std::string("theirs"));
        QVERIFY(!fs::exists(p.old / "settings.ini"));
        // What an earlier version writes after that is its own.
        put(p.old / "console_history", "later");
        fs::remove(p.folders.state / "console_history");
        QVERIFY(p.folders.moveOldFiles(p.old).empty());
        QVERIFY(!fs::exists(p.folders.state / "console_history"));
    }

    void whatIsThereIsNotReplacedAndWhoRunsKeepsItsJournal() {
        Place p;
        put(p.old / "user.cfg", "old");
        put(p.folders.config / "user.cfg", "new");
        put(p.old / "0123456789abcdef-0.journal", "of somebody who runs");
        put(p.old / "0123456789abcdef-0.lock", std::to_string(::getpid()) + "\nsignalbox\nhere\n");
        put(p.old / "fedcba9876543210-0.journal", "of somebody who died");
        put(p.old / "fedcba9876543210-0.lock", "2147480000\nsignalbox\nhere\n");
        p.folders.moveOldFiles(p.old);
        QCOMPARE(get(p.folders.config / "user.cfg"), std::string("new"));
        QCOMPARE(get(p.old / "user.cfg"), std::string("old"));
        QCOMPARE(get(p.old / "0123456789abcdef-0.journal"), std::string("of somebody who runs"));
        QCOMPARE(get(p.folders.state / "fedcba9876543210-0.journal"), std::string("of somebody who died"));
        // It comes once its editor has ended, and that is the last time that anything is moved.
        put(p.old / "0123456789abcdef-0.lock", "2147480000\nsignalbox\nhere\n");
        QCOMPARE(p.folders.moveOldFiles(p.old).size(), std::size_t(1));
        QCOMPARE(get(p.folders.state / "0123456789abcdef-0.journal"), std::string("of somebody who runs"));
        put(p.old / "console_history", "later");
        QVERIFY(p.folders.moveOldFiles(p.old).empty());
    }

    void withNothingThereNothingIsMade() {
        Place p;
        QVERIFY(p.folders.moveOldFiles(p.old).empty());
        QVERIFY(!fs::exists(p.folders.config) && !fs::exists(p.folders.state));
    }

    void whatIsSetAsideReplacesNothing() {
        Place p;
        const fs::path file = p.root / "settings.ini";
        for (const char* text : {"first", "second"}) {
            put(file, text);
            const fs::path aside = setAside(file, ".broken");
            QCOMPARE(get(aside), std::string(text));
            QVERIFY(!fs::exists(file));
        }
        QCOMPARE(get(p.root / "settings.ini.broken"), std::string("first"));
        QVERIFY(setAside(p.root / "nothing", ".broken").empty());
    }
};

QTEST_GUILESS_MAIN(TestUserFolders)
#include "tst_user_folders.moc"
