#include <QtTest>

#include "engine/core/asset_file.h"
#include "tests/import/hostile_folder.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace sbx;
using sbx::test::HostileFolder;

namespace {

std::string said(const Result<AssetFile>& file) { return file ? std::string() : file.error().message; }

} // namespace

class TestAssetFile : public QObject {
    Q_OBJECT

    HostileFolder m_folder;

    Result<AssetFile> open(const std::string& name, std::uint64_t maximum = 100) {
        return openAsset({m_folder.root(), name}, maximum);
    }

private slots:
    void initTestCase() {
        HostileFolder::write(m_folder.inside(QStringLiteral("a")), "abc");
        HostileFolder::write(m_folder.outside(QStringLiteral("b")), "abc");
        HostileFolder::write(m_folder.outside(QStringLiteral("projectile")), "abc"); // begins like the folder
    }

    void aFileIsReadFromItsBeginning() {
        const Result<AssetFile> file = open("a");
        QVERIFY(file.ok());
        QCOMPARE(file->size(), std::uint64_t{3});
        char bytes[8] = {};
        QCOMPARE(::read(file->descriptor(), bytes, sizeof bytes), ssize_t{3});
        QCOMPARE(bytes, "abc");
        QVERIFY(open("./x/../a").ok());
        QVERIFY(open(m_folder.root() + "/a").ok());
        QVERIFY(openAsset({m_folder.root() + "/", "a"}, 3).ok());
        QVERIFY(openAsset(AssetRef::ofFile(m_folder.root() + "/a"), 3).ok());
        QCOMPARE(*inspectAsset({m_folder.root(), "a"}), file->identity());
    }
    // The project itself may be reached through a link.
    void aFolderThatIsALink() {
        HostileFolder::link(m_folder.inside({}), m_folder.outside(QStringLiteral("link")));
        const std::string folder = m_folder.outside(QStringLiteral("link")).toStdString();
        QVERIFY(openAsset({folder, "a"}, 3).ok());
        QVERIFY(openAsset({folder, folder + "/a"}, 3).ok());
        QVERIFY(openAsset({folder, m_folder.root() + "/a"}, 3).ok());
        QVERIFY(!openAsset({folder, "../b"}, 3).ok());
    }
    void whatIsRefused() {
        const std::string outside = "lies outside of the project's folder; expected a path inside it";
        QCOMPARE(said(open("../b")), outside);
        QCOMPARE(said(open("../projectile")), outside);
        QCOMPARE(said(open("../nowhere")), outside);
        QCOMPARE(said(open("/dev/null")), outside);
        HostileFolder::link(QStringLiteral("../b"), m_folder.inside(QStringLiteral("to_b")));
        QCOMPARE(said(open("to_b")), outside);
        QCOMPARE(said(open(".")), outside);
        QCOMPARE(said(open("")), std::string("is no file name; expected a path inside the project's folder"));
        QCOMPARE(said(open(std::string("a\0b", 3))),
                 std::string("is no file name; expected a path inside the project's folder"));
        QCOMPARE(said(open("nowhere")), std::string("cannot be found"));
        QCOMPARE(said(open("a/b")), std::string("cannot be found"));
        QCOMPARE(said(open("a", 2)), std::string("has 3 bytes; expected at most 2"));
        HostileFolder::write(m_folder.inside(QStringLiteral("empty")), "");
        QCOMPARE(said(open("empty")), std::string("is empty"));
        QVERIFY(QDir(m_folder.inside({})).mkdir(QStringLiteral("folder")));
        QCOMPARE(said(open("folder")), std::string("is a folder; expected a file"));
        HostileFolder::pipe(m_folder.inside(QStringLiteral("pipe")));
        QCOMPARE(said(open("pipe")), std::string("is a FIFO; expected a regular file"));
        QCOMPARE(said(openAsset({"/dev", "zero"}, 100)), std::string("is a device; expected a regular file"));
        QCOMPARE(said(openAsset({"", "a"}, 100)), std::string("cannot be found: no project is open"));
        HostileFolder::link(QStringLiteral("circle"), m_folder.inside(QStringLiteral("circle")));
        QVERIFY(said(open("circle")).starts_with("cannot be opened: "));
        QVERIFY(said(open(std::string(10'000, 'a'))).starts_with("cannot be opened: "));
    }
    void aSocket() {
        const std::string path = m_folder.inside(QStringLiteral("socket")).toStdString();
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        QVERIFY(path.size() < sizeof address.sun_path);
        std::copy(path.begin(), path.end(), address.sun_path);
        const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
        QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        QCOMPARE(said(open("socket")), std::string("is a socket; expected a regular file"));
        ::close(socket);
    }
    void aFileThatIsWrittenAnewIsAnother() {
        HostileFolder::write(m_folder.inside(QStringLiteral("changes")), "one");
        const FileIdentity before = *inspectAsset({m_folder.root(), "changes"});
        HostileFolder::write(m_folder.inside(QStringLiteral("changes")), "three");
        QVERIFY(before != *inspectAsset({m_folder.root(), "changes"}));
    }
};

QTEST_GUILESS_MAIN(TestAssetFile)
#include "tst_asset_file.moc"
