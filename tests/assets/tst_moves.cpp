// Renaming a file with all that names it, in one step of undo; what is on the disk meanwhile; and what is refused.

#include "tests/assets/asset_fixture.h"
#include "widgets/common/asset_moves.h"

#include <QSignalSpy>

#include <sys/stat.h>

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::ui::test;

namespace {
const std::string Rock = "meshes/rock.obj";
const std::string Stone = "meshes/stone wall ä.obj";

struct Fixture : AssetFixture {
    std::unique_ptr<AssetMoves> moves;
    Fixture() {
        open();
        moves = std::make_unique<AssetMoves>(document);
    }
    [[nodiscard]] std::vector<AssetUse> usesOf(const std::string& name) {
        project.refresh();
        std::vector<AssetUse> out = assetUses(*project.content(), session.catalog().schema);
        std::erase_if(out, [&](const AssetUse& use) { return use.asset != name; });
        return out;
    }
    Result<void> rename(const std::string& from, const std::string& to) { return moves->rename(from, to, usesOf(from)); }
    void settle() { QCoreApplication::processEvents(); }
};
QString q(const std::string& text) { return QString::fromStdString(text); }
} // namespace

class TestMoves : public QObject {
    Q_OBJECT
private slots:
    // As a window does that is closed with Save.
    void savedAndClosedAtOnceKeepsTheNewName() {
        Fixture f;
        QVERIFY(f.rename(Rock, Stone).ok());
        QVERIFY(f.document.save().ok());
        f.document.close();
        f.settle();
        QCOMPARE(f.read(q(Stone)), Triangle);
        QVERIFY(!f.exists(q(Rock)));
    }
    // Closed without saving, the texts on the disk have the old name.
    void closedWithoutSavingKeepsTheOldName() {
        Fixture f;
        QVERIFY(f.rename(Rock, Stone).ok());
        f.document.close();
        f.settle();
        QCOMPARE(f.read(q(Rock)), Triangle);
        QVERIFY(!f.exists(q(Stone)));
    }

    // Definitions and scene follow, only the names in them; undo brings the bytes and the file's name back, redo does it again.
    void allThatNamesItFollowsAndUndoLeadsBack() {
        Fixture f;
        const std::string types = f.document.text("e.toml");
        const std::string scene = f.document.text("s.scene.toml");
        QVERIFY(f.rename(Rock, Stone).ok());
        QCOMPARE(q(f.document.text("e.toml")), q(types).replace(q(Rock), q(Stone)));
        QCOMPARE(q(f.document.text("s.scene.toml")), q(scene).replace(QStringLiteral("./meshes/rock.obj"), q(Stone)));
        QCOMPARE(f.document.undoStack().count(), 1);
        QCOMPARE(f.read(q(Stone)), Triangle);
        QCOMPARE(f.usesOf(Stone).size(), std::size_t{2});
        f.document.undoStack().undo();
        f.settle();
        QCOMPARE(f.document.text("e.toml"), types);
        QCOMPARE(f.document.text("s.scene.toml"), scene);
        QCOMPARE(f.read(q(Rock)), Triangle);
        QVERIFY(!f.exists(q(Stone)));
        f.document.undoStack().redo();
        f.settle();
        QCOMPARE(f.read(q(Stone)), Triangle);
        QVERIFY(f.moves->isLeaving(Rock));
        QVERIFY(f.document.save().ok());
        f.settle();
        QVERIFY(!f.exists(q(Rock)));
        QCOMPARE(f.read(q(Stone)), Triangle);
        // Also back over the save.
        f.document.undoStack().undo();
        QCOMPARE(f.read(q(Rock)), Triangle);
        QVERIFY(f.document.save().ok());
        f.settle();
        QVERIFY(f.exists(q(Rock)) && !f.exists(q(Stone)));
        QCOMPARE(q(f.document.text("e.toml")), QString::fromUtf8(f.read(QStringLiteral("e.toml"))));
    }

    // Killed before the texts are saved: those on the disk find the old name, the recovered ones the new.
    void atEachMomentTheTextsFindTheFile() {
        Fixture f;
        QVERIFY(f.rename(Rock, Stone).ok());
        f.settle();
        QVERIFY(f.document.isDirty());
        QVERIFY(f.exists(q(Rock)) && f.exists(q(Stone)));
        // One of the texts cannot be saved: both names stay.
        f.write(QStringLiteral("s.scene.toml"), "# somebody else\n");
        QVERIFY(!f.document.save().ok());
        f.settle();
        QVERIFY(f.exists(q(Rock)) && f.exists(q(Stone)));
        QVERIFY(f.document.save(SaveMode::Overwrite).ok());
        f.settle();
        QVERIFY(!f.exists(q(Rock)) && f.exists(q(Stone)));
    }

    void closingWithoutSavingLeavesTheOldName() {
        Fixture f;
        QVERIFY(f.rename(Rock, Stone).ok());
        QVERIFY(f.rename(Stone, "meshes/third.obj").ok());
        f.document.close();
        f.settle();
        QVERIFY(f.exists(q(Rock)) && !f.exists(q(Stone)) && !f.exists(QStringLiteral("meshes/third.obj")));
    }

    // Whatever another program does, the last name of a file is never taken away.
    void theLastNameStays() {
        Fixture f;
        QVERIFY(f.rename(Rock, Stone).ok());
        QVERIFY(QFile::remove(f.path(q(Rock))));
        f.document.close();
        f.settle();
        QCOMPARE(f.read(q(Stone)), Triangle);
    }

    void severalInARow() {
        Fixture f;
        QVERIFY(f.rename(Rock, "z.obj").ok());
        QVERIFY(f.rename("z.obj", "new/folder/y.obj").ok());
        QVERIFY(f.rename("new/folder/y.obj", "x.obj").ok());
        QVERIFY(f.document.save().ok());
        f.settle();
        QCOMPARE(f.read(QStringLiteral("x.obj")), Triangle);
        QVERIFY(!f.exists(q(Rock)) && !f.exists(QStringLiteral("z.obj")) && !f.exists(QStringLiteral("new/folder/y.obj")));
    }

    // Nothing names it: the texts stay clean, and the old name goes at once; undo brings it back.
    void anUnusedFile() {
        Fixture f;
        QVERIFY(f.rename("meshes/spare.obj", "meshes/other.obj").ok());
        f.settle();
        QVERIFY(!f.document.isDirty());
        QVERIFY(!f.exists(QStringLiteral("meshes/spare.obj")) && f.exists(QStringLiteral("meshes/other.obj")));
        f.document.undoStack().undo();
        f.settle();
        QVERIFY(f.exists(QStringLiteral("meshes/spare.obj")) && !f.exists(QStringLiteral("meshes/other.obj")));
    }

    void whatIsRefused_data() {
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("why");
        QTest::newRow("taken") << "meshes/spare.obj" << "there already";
        QTest::newRow("outside") << "../rock.obj" << "outside";
        QTest::newRow("outside, by way of inside") << "meshes/../../rock.obj" << "outside";
        QTest::newRow("absolute") << "/tmp/rock.obj" << "outside";
        QTest::newRow("through a link") << "out/rock.obj" << "outside";
        QTest::newRow("another format") << "meshes/rock.wav" << "another ending";
        QTest::newRow("no ending") << "meshes/rock" << "another ending";
        QTest::newRow("empty") << "" << "no name";
        QTest::newRow("a folder") << "meshes/" << "no name";
        QTest::newRow("hidden") << "meshes/.rock.obj" << "no name";
        QTest::newRow("a line end") << "meshes/ro\nck.obj" << "no name";
    }
    void whatIsRefused() {
        QFETCH(QString, to);
        QFETCH(QString, why);
        Fixture f;
        QVERIFY(QFile::link(f.dir.path(), f.path(QStringLiteral("out"))));
        const std::string types = f.document.text("e.toml");
        const Result<void> done = f.rename(Rock, to.toStdString());
        QVERIFY(!done.ok());
        QVERIFY2(q(done.error().message).contains(why), done.error().message.c_str());
        QCOMPARE(f.document.text("e.toml"), types);
        QCOMPARE(f.document.undoStack().count(), 0);
        QCOMPARE(f.read(q(Rock)), Triangle);
        QVERIFY(f.exists(QStringLiteral("meshes/spare.obj")));
    }

    void aReadOnlyFileOrALinkIsRefused() {
        Fixture f;
        QVERIFY(::chmod(QFile::encodeName(f.path(q(Rock))).constData(), 0444) == 0);
        const Result<void> readOnly = f.rename(Rock, Stone);
        QVERIFY(!readOnly.ok() && q(readOnly.error().message).contains(QStringLiteral("read-only")));
        QVERIFY(QFile::link(f.path(q(Rock)), f.path(QStringLiteral("link.obj"))));
        const Result<void> link = f.rename("link.obj", "other.obj");
        QVERIFY(!link.ok() && q(link.error().message).contains(QStringLiteral("link")));
        const Result<void> gone = f.rename("meshes/none.obj", "other.obj");
        QVERIFY(!gone.ok() && q(gone.error().message).contains(QStringLiteral("not there")));
    }

    // Another file has come under the old name: it is left alone, and that is said.
    void undoTakesNoFileOfOthers() {
        Fixture f;
        QVERIFY(f.rename(Rock, Stone).ok());
        QVERIFY(f.document.save().ok());
        f.settle();
        f.write(q(Rock), "another file");
        QSignalSpy problems(f.moves.get(), &AssetMoves::problem);
        f.document.undoStack().undo();
        f.settle();
        QCOMPARE(problems.count(), 1);
        QCOMPARE(f.read(q(Rock)), QByteArray("another file"));
        QCOMPARE(f.read(q(Stone)), Triangle);
    }

    // A use that is not where it was read is no place to write to.
    void staleUsesAreRefused() {
        Fixture f;
        const std::vector<AssetUse> uses = f.usesOf(Rock);
        QVERIFY(f.document.setText("e.toml", "# another line\n" + f.document.text("e.toml"), QStringLiteral("edit")).ok());
        QVERIFY(!f.moves->rename(Rock, Stone, uses).ok());
        QVERIFY(!f.exists(q(Stone)));
        QCOMPARE(f.document.undoStack().count(), 1);
    }
};

QTEST_MAIN(TestMoves)
#include "tst_moves.moc"
