// Which projects' plugins may run, across programs.
#include <QtTest>

#include "engine/plugin/trusted_projects.h"

#include <unistd.h>

#include <fstream>

using namespace sbx;

namespace {

namespace fs = std::filesystem;

class Place {
public:
    Place() { fs::create_directories(resources / "projects" / "sample"); }
    fs::path makeFolder(const std::string& name) const {
        fs::create_directories(root / name);
        return root / name;
    }
    [[nodiscard]] TrustedProjects program() const { return {list, {resources}}; }
    [[nodiscard]] std::string text() const {
        std::ifstream in(list);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    QTemporaryDir m_folder;

public:
    fs::path root = fs::canonical(m_folder.path().toStdString());
    fs::path list = root / "state" / TrustedProjectsFile;
    fs::path resources = root / "resources";
};

} // namespace

class TestTrustedProjects : public QObject {
    Q_OBJECT
private slots:
    void nobodyIsTrustedAtFirst() {
        const Place place;
        const TrustedProjects trusted = place.program();
        QVERIFY(!trusted.trusts(place.makeFolder("mine")));
        QVERIFY(!trusted.trusts(place.root / "nowhere"));
        QVERIFY(!trusted.trusts({}));
        QVERIFY(trusted.entries().ok() && trusted.entries()->empty());
        QVERIFY(!fs::exists(place.list));
    }

    void trustIsSharedAndTakenBack_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"plain", "with spaces", "100% sure%0A", "line\nbreak", "\xd1\x84\xd1\x83", "tab\tand\x7f"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void trustIsSharedAndTakenBack() {
        QFETCH(QString, name);
        const Place place;
        const fs::path folder = place.makeFolder(name.toStdString());
        const fs::path other = place.makeFolder("other");
        TrustedProjects editor = place.program();
        const TrustedProjects player = place.program();
        QVERIFY(editor.trust(folder).ok());
        QVERIFY(editor.trust(folder).ok()); // once is enough
        QVERIFY(player.trusts(folder));
        QVERIFY(player.trusts(folder / "." / ".." / folder.filename()));
        QVERIFY(!player.trusts(other));
        QVERIFY(!player.trusts(place.root)); // nor what is around it
        QCOMPARE(player.entries()->size(), std::size_t{1});
        QVERIFY((player.entries()->front() == TrustedProjects::Entry{folder, ::geteuid()}));
        QCOMPARE(QString::fromStdString(place.text()).count(u'\n'), 2); // the head and one line
        QVERIFY(editor.forget(folder).ok());
        QVERIFY(editor.forget(folder).ok());
        QVERIFY(!player.trusts(folder));
    }

    // Not a folder inside a trusted one either: each project is asked for.
    void trustEndsAtTheFolder() {
        const Place place;
        TrustedProjects trusted = place.program();
        QVERIFY(trusted.trust(place.makeFolder("outer")).ok());
        QVERIFY(!trusted.trusts(place.makeFolder("outer/inner")));
        QVERIFY(!trusted.trusts(place.makeFolder("outer2")));
    }

    void linksCountAsWhatTheyLeadTo() {
        const Place place;
        const fs::path good = place.makeFolder("good");
        const fs::path bad = place.makeFolder("bad");
        fs::create_directory_symlink(good, place.root / "link");
        TrustedProjects trusted = place.program();
        QVERIFY(trusted.trust(place.root / "link").ok());
        QVERIFY(trusted.trusts(good));
        fs::remove(place.root / "link");
        fs::create_directory_symlink(bad, place.root / "link");
        QVERIFY(!trusted.trusts(place.root / "link"));
    }

    void anotherOwnerIsAnotherProject() {
        const Place place;
        const fs::path folder = place.makeFolder("handed-over");
        TrustedProjects trusted = place.program();
        fs::create_directories(place.list.parent_path());
        std::ofstream(place.list) << ::geteuid() + 1 << " " << folder.string() << "\n";
        QVERIFY(!trusted.trusts(folder));
        QVERIFY(trusted.trust(folder).ok());
        QVERIFY(trusted.trusts(folder));
        QCOMPARE(trusted.entries()->size(), std::size_t{1}); // the old entry is gone
    }

    void ownResourcesNeedNoTrust() {
        const Place place;
        const TrustedProjects trusted = place.program();
        QVERIFY(trusted.trusts(place.resources / "projects" / "sample"));
        QVERIFY(!trusted.trusts(place.makeFolder("resources2/projects")));
        // A link inside them leads out.
        fs::create_directory_symlink(place.makeFolder("outside"), place.resources / "projects" / "leads-out");
        QVERIFY(!trusted.trusts(place.resources / "projects" / "leads-out"));
        if (::geteuid() == 0) { // only root can give files away
            const fs::path given = place.resources / "projects" / "given";
            fs::create_directories(given);
            QCOMPARE(::chown(given.c_str(), 12345, 12345), 0);
            QVERIFY(!trusted.trusts(given));
        }
    }

    void forNowIsNotWrittenDown() {
        const Place place;
        const fs::path folder = place.makeFolder("now");
        TrustedProjects trusted = place.program();
        trusted.trustForNow(folder);
        QVERIFY(trusted.trusts(folder));
        QVERIFY(!place.program().trusts(folder));
        QVERIFY(!fs::exists(place.list));
        QVERIFY(trusted.forget(folder).ok());
        QVERIFY(!trusted.trusts(folder));
    }

    void linesThatAreNoneStayAndGrantNothing() {
        const Place place;
        const fs::path folder = place.makeFolder("mine");
        fs::create_directories(place.list.parent_path());
        std::ofstream(place.list) << "# mine\n" << ::geteuid() << " relative\n" << ::geteuid() << "\n-1 " << folder.string()
                                  << "\n99999999999999999999 " << folder.string() << "\n" << ::geteuid() << " " << folder.string()
                                  << "%4\nno newline at the end";
        TrustedProjects trusted = place.program();
        QVERIFY(!trusted.trusts(folder));
        QVERIFY(trusted.trust(folder).ok());
        QVERIFY(trusted.trusts(folder));
        QVERIFY(place.text().find("# mine\n") != std::string::npos);
        QVERIFY(place.text().find("no newline at the end\n") != std::string::npos);
    }

    void aListThatCannotBeReadTrustsNobodyAndIsKept() {
        const Place place;
        fs::create_directories(place.list); // a folder stands where the file should
        TrustedProjects trusted = place.program();
        const fs::path folder = place.makeFolder("mine");
        QVERIFY(!trusted.trusts(folder));
        QVERIFY(!trusted.trust(folder).ok());
        QVERIFY(!trusted.entries().ok());
        QVERIFY(fs::is_directory(place.list));
        QVERIFY(!trusted.trust(place.root / "nowhere").ok());
    }
};

QTEST_GUILESS_MAIN(TestTrustedProjects)
#include "tst_trusted_projects.moc"
