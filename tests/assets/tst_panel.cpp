// The asset panel: what it lists and says, what uses a file, renaming, missing files.

#include "tests/assets/asset_fixture.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include "widgets/common/asset_drag.h"

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::ui::test;

namespace {
const QString Rock = QStringLiteral("meshes/rock.obj");
const QString Spare = QStringLiteral("meshes/spare.obj");
const QString Bell = QStringLiteral("sounds/bell.wav");

struct Fixture : AssetFixture {
    Fixture() {
        show();
        wait(Bell);
    }
    void wait(const QString& name) const {
        QTRY_VERIFY_WITH_TIMEOUT(row(name).isValid() && !row(name).data(AssetModel::MissingRole).toBool(), 10'000);
    }
    template <typename T> T* part(const char* name) const { return panel->findChild<T*>(QLatin1String(name)); }
    [[nodiscard]] QStringList shownFiles(const QModelIndex& parent = {}) const {
        QStringList out;
        const QAbstractItemModel& rows = *panel->view().model();
        for (int i = 0; i < rows.rowCount(parent); ++i) {
            const QModelIndex at = rows.index(i, 0, parent);
            if (at.data(AssetModel::IsFolderRole).toBool())
                out << shownFiles(at);
            else
                out << at.data(AssetModel::NameRole).toString();
        }
        return out;
    }
    QStringList search(const QString& text) const {
        auto* find = part<QLineEdit>("assets.filter");
        find->setText(text);
        QTest::keyClick(find, Qt::Key_Return);
        return shownFiles();
    }
};
} // namespace

class TestPanel : public QObject {
    Q_OBJECT
private slots:
    void filesStandInTheirFolders() {
        Fixture f;
        const QAbstractItemModelTester tester(&f.panel->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(f.shownFiles(), QStringList({Rock, Spare, Bell}));
        QCOMPARE(f.row(Rock).parent().data().toString(), QStringLiteral("meshes"));
        QCOMPARE(f.of(Rock, AssetModel::UsesRole).toInt(), 2);
        QCOMPARE(f.of(Spare, AssetModel::UsesRole).toInt(), 0);
        QCOMPARE(f.of(Bell, AssetModel::UsesRole).toInt(), 1);
        f.panel->grab(); // asks for the previews of what is shown
        QTRY_COMPARE_WITH_TIMEOUT(f.of(Bell, AssetModel::FactsRole).toString(), QStringLiteral("0.50 s · stereo · 48 kHz"), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.of(Rock, AssetModel::FactsRole).toString(), QStringLiteral("1 triangle"), 20'000);
        QCOMPARE(f.search(QStringLiteral("unused")), QStringList({Spare}));
        QCOMPARE(f.search(QStringLiteral("sound")), QStringList({Bell}));
        QCOMPARE(f.search(QStringLiteral("ROCK mesh")), QStringList({Rock}));
        QCOMPARE(f.search(QString()).size(), qsizetype{3});
    }

    // What the texts say after an edit counts; a click on a use leads there.
    void usesFollowTheTextsAndLeadThere() {
        Fixture f;
        f.panel->choose(Rock);
        auto* used = f.part<QToolButton>("assets.usedBy");
        QCOMPARE(used->text(), QStringLiteral("Used 2 times"));
        QSignalSpy entities(f.panel.get(), &AssetPanel::entityRequested);
        QSignalSpy places(f.panel.get(), &AssetPanel::placeRequested);
        emit used->menu()->aboutToShow();
        QCOMPARE(used->menu()->actions().size(), qsizetype{2});
        for (QAction* action : used->menu()->actions())
            action->trigger();
        QCOMPARE(entities.value(0).value(0).toString(), QStringLiteral("one"));
        QCOMPARE(places.value(0).mid(0, 2), QVariantList({QStringLiteral("e.toml"), 4}));
        QVERIFY(f.document.setText("s.scene.toml", "[scene]\nname = \"S\"\n", QStringLiteral("less")).ok());
        f.project.refresh();
        QTRY_COMPARE(used->text(), QStringLiteral("Used once"));
        f.panel->choose(Spare);
        QCOMPARE(used->text(), QStringLiteral("Unused"));
        QVERIFY(!used->isEnabled());
    }

    // F2 and a path: the file and the texts follow; the name of the chosen row stays chosen.
    void f2RenamesAndMoves() {
        Fixture f;
        f.panel->choose(Rock);
        f.panel->view().setFocus();
        QSignalSpy placed(f.panel.get(), &AssetPanel::createRequested);
        QTest::keyClick(&f.panel->view(), Qt::Key_F2);
        auto* line = f.panel->view().findChild<QLineEdit*>(QStringLiteral("assets.rename"));
        QVERIFY(line != nullptr);
        QCOMPARE(line->text(), Rock);
        QTRY_COMPARE(line->selectedText(), QStringLiteral("rock"));
        QTest::keyClicks(line, QStringLiteral("grey stone"));
        QTest::keyClick(line, Qt::Key_Return);
        const QString to = QStringLiteral("meshes/grey stone.obj");
        QTRY_VERIFY(f.exists(to));
        QCOMPARE(placed.count(), 0); // the Enter of the name is not that of the list
        f.wait(to);
        QVERIFY(!f.row(Rock).isValid());
        QTRY_COMPARE(f.of(to, AssetModel::UsesRole).toInt(), 2);
        QCOMPARE(f.panel->current(), to);
        QVERIFY(QString::fromStdString(f.document.text("e.toml")).contains(QStringLiteral("mesh = \"meshes/grey stone.obj\" # grey")));
        f.document.undoStack().undo();
        f.project.refresh();
        f.wait(Rock);
        QTRY_VERIFY(!f.row(to).isValid());
        QTRY_COMPARE(f.of(Rock, AssetModel::UsesRole).toInt(), 2);
    }

    void renamingIsRefusedWhileTheWorldRunsOrTextsAreWrong() {
        Fixture f;
        f.session.play();
        f.turn();
        Result<void> done = f.panel->rename(Rock, QStringLiteral("x.obj"));
        QVERIFY(!done.ok() && done.error().message.find("stop it first") != std::string::npos);
        f.session.stop();
        f.turn();
        const std::string types = f.document.text("e.toml");
        QVERIFY(f.document.setText("e.toml", types + "[Broken\n", QStringLiteral("break")).ok());
        done = f.panel->rename(Rock, QStringLiteral("x.obj"));
        QVERIFY(!done.ok() && done.error().message.find("errors") != std::string::npos);
        QVERIFY(f.exists(Rock) && !f.exists(QStringLiteral("x.obj")));
    }

    // Delete asks, names who uses the file, and puts it into the trash; what names it stays as it is.
    void deleteMovesToTheTrash() {
        QTemporaryDir trash;
        qputenv("XDG_DATA_HOME", trash.path().toUtf8());
        Fixture f;
        f.panel->choose(Rock);
        f.panel->view().setFocus();
        const std::string types = f.document.text("e.toml");
        const auto question = [&] { return f.panel->window()->findChild<QMessageBox*>(QStringLiteral("assets.deleteQuestion")); };
        const auto press = [&](const char* name) {
            auto* button = name == nullptr ? question()->button(QMessageBox::Cancel) : question()->findChild<QAbstractButton*>(QLatin1String(name));
            QVERIFY(button != nullptr);
            button->click();
            QTRY_VERIFY(question() == nullptr);
        };
        f.panel->remove(Rock);
        QVERIFY(question() != nullptr);
        QVERIFY2(question()->informativeText().contains(QStringLiteral("one")), qPrintable(question()->informativeText()));
        QCOMPARE(question()->defaultButton(), question()->button(QMessageBox::Cancel));
        press(nullptr);
        QVERIFY(f.exists(Rock));
        QSignalSpy notes(f.panel.get(), &AssetPanel::note);
        QSignalSpy problems(f.panel.get(), &AssetPanel::problem);
        f.panel->remove(Rock);
        press("assets.deleteQuestion.go");
        if (problems.count() > 0) { // the file system of the test's folder has no trash: said, and nothing lost
            QVERIFY(f.exists(Rock));
            QVERIFY(problems.value(0).value(0).toString().contains(QStringLiteral("still there")));
            return;
        }
        QCOMPARE(notes.count(), 1);
        QVERIFY(!f.exists(Rock));
        QTRY_VERIFY(f.of(Rock, AssetModel::MissingRole).toBool());
        QCOMPARE(f.document.text("e.toml"), types);
        QVERIFY(!f.document.isDirty());
        // A file that nothing names goes without a trace in the list.
        f.panel->remove(Spare);
        QVERIFY(question()->informativeText().contains(QStringLiteral("Nothing")));
        press("assets.deleteQuestion.go");
        QTRY_VERIFY(!f.row(Spare).isValid());
        // Not while the world runs.
        f.session.play();
        f.turn();
        f.panel->remove(Bell);
        QVERIFY(question() == nullptr);
        QVERIFY(f.exists(Bell));
    }

    // Dragged within the list, onto a folder.
    void aDropOnAFolderMoves() {
        Fixture f;
        const std::unique_ptr<QMimeData> data(f.panel->model().mimeData({f.row(Spare)}));
        QCOMPARE(assetOf(data.get()), Spare);
        const QModelIndex sounds = f.row(QStringLiteral("sounds"));
        QVERIFY(f.panel->model().canDropMimeData(data.get(), Qt::CopyAction, -1, -1, sounds));
        QVERIFY(!f.panel->model().canDropMimeData(data.get(), Qt::CopyAction, -1, -1, f.row(QStringLiteral("meshes"))));
        static_cast<void>(f.panel->model().dropMimeData(data.get(), Qt::CopyAction, -1, -1, sounds));
        f.wait(QStringLiteral("sounds/spare.obj"));
        QVERIFY(f.exists(QStringLiteral("sounds/spare.obj")));
    }

    // One row for a file that is named in two places and is gone; the same file elsewhere is offered, and taken everywhere in one step.
    void aMissingFileIsFound() {
        Fixture f;
        QVERIFY(QDir().rename(f.path(Rock), f.path(QStringLiteral("sounds/Rock.obj"))));
        QTRY_VERIFY_WITH_TIMEOUT(f.of(Rock, AssetModel::MissingRole).toBool(), 10'000);
        QTRY_COMPARE(f.panel->candidatesFor(Rock), QStringList({"sounds/Rock.obj"}));
        QCOMPARE(f.search(QStringLiteral("missing")), QStringList({Rock}));
        f.search(QString());
        QCOMPARE(f.shownFiles(), QStringList({Rock, Spare, QStringLiteral("sounds/bell.wav"), QStringLiteral("sounds/Rock.obj")}));
        f.panel->choose(Rock);
        QVERIFY(f.part<QToolButton>("assets.find")->isVisible());
        QVERIFY(!f.panel->replace(Rock, Bell).ok());
        const std::string types = f.document.text("e.toml");
        QVERIFY(f.panel->replace(Rock, QStringLiteral("sounds/Rock.obj")).ok());
        QCOMPARE(f.document.undoStack().count(), 1);
        QVERIFY(!f.row(Rock).isValid());
        QCOMPARE(f.of(QStringLiteral("sounds/Rock.obj"), AssetModel::UsesRole).toInt(), 2);
        f.document.undoStack().undo();
        QCOMPARE(f.document.text("e.toml"), types);
    }

    // Names are texts of strangers: nothing in them is markup, and every way leads to the same file.
    void strangeNames_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("spaces") << "meshes/a b  c.obj";
        QTest::newRow("markup") << "meshes/<b>bold<b> &amp; <img src=x>.obj";
        QTest::newRow("not ASCII") << "meshes/Fels – 岩 🪨.obj";
        QTest::newRow("quotes") << "meshes/it's \"big\".obj";
        QTest::newRow("an ampersand") << "meshes/rock & roll.obj";
    }
    void strangeNames() {
        QFETCH(QString, name);
        Fixture f;
        const Result<void> done = f.panel->rename(Rock, name);
        QVERIFY2(done.ok(), done.ok() ? "" : done.error().message.c_str());
        f.wait(name);
        QTRY_COMPARE(f.of(name, AssetModel::UsesRole).toInt(), 2);
        QVERIFY(f.project.isCurrent());
        f.panel->choose(name);
        f.panel->grab();
        QCOMPARE(f.panel->current(), name);
        QCOMPARE(f.part<QLabel>("assets.facts")->textFormat(), Qt::PlainText);
        const QString tip = f.of(name, Qt::ToolTipRole).toString();
        QVERIFY2(!tip.contains(QStringLiteral("<img")), qPrintable(tip));
    }

    void aFileThatCannotBeReadSaysWhy() {
        Fixture f;
        f.write(Spare, "no mesh");
        f.panel->choose(Spare);
        f.panel->grab();
        QTRY_VERIFY_WITH_TIMEOUT((f.panel->grab(), !f.of(Spare, AssetModel::FaultRole).toString().isEmpty()), 20'000);
        QTRY_VERIFY(f.part<QLabel>("assets.facts")->text().contains(QStringLiteral("meshes/spare.obj")));
    }

    void theEmptyProjectSaysWhatToDo() {
        AssetFixture f;
        for (const char* folder : {"meshes", "sounds"})
            QVERIFY(QDir(f.path(QLatin1String(folder))).removeRecursively());
        f.write(QStringLiteral("e.toml"), "[Empty2]\n");
        f.write(QStringLiteral("s.scene.toml"), "[scene]\nname = \"S\"\n");
        f.show();
        QTRY_VERIFY(f.panel->findChild<QWidget*>(QStringLiteral("assets.empty"))->isVisible());
        QVERIFY(f.actions.find(QStringLiteral("assets.import"))->isEnabled() || (f.actions.refresh(), f.actions.find(QStringLiteral("assets.import"))->isEnabled()));
    }
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
