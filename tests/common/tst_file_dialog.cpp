// The one file dialog: where it opens, what it refuses and how it says so, and that it remembers nothing.

#include <QAbstractItemView>
#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "widgets/common/file_dialog.h"

#include <unistd.h>

using namespace sbx::ui;

namespace {

const QString Meshes = QStringLiteral("Meshes (*.obj *.gltf)");

void write(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write("x") != 1)
        qFatal("cannot write %s", qPrintable(path));
}

} // namespace

class TestFileDialog : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;

    [[nodiscard]] QString path(const char* name) const { return m_dir.filePath(QLatin1String(name)); }

private slots:
    void initTestCase() {
        QVERIFY(QDir(m_dir.path()).mkpath(QStringLiteral("project/meshes")));
        write(path("project/meshes/rock.obj"));
        write(path("project/meshes/notes.txt"));
    }

    void itOpensWhereItIsTold_data() {
        QTest::addColumn<QString>("start");
        QTest::addColumn<QString>("folder");
        const QString meshes = path("project/meshes");
        QTest::newRow("a folder") << meshes << meshes;
        QTest::newRow("a file") << meshes + QStringLiteral("/rock.obj") << meshes;
        QTest::newRow("a file that is gone") << meshes + QStringLiteral("/gone.obj") << meshes;
        QTest::newRow("a folder that is gone") << meshes + QStringLiteral("/a/b/c") << meshes;
        QTest::newRow("nowhere") << QString() << QDir::homePath();
    }
    void itOpensWhereItIsTold() {
        QFETCH(QString, start);
        QFETCH(QString, folder);
        FileDialog dialog(nullptr, QStringLiteral("Open"), start, Meshes);
        QCOMPARE(dialog.directory().absolutePath(), QFileInfo(folder).absoluteFilePath());
    }

    // A later question begins where it is told, whatever was chosen in the one before.
    void itRemembersNothing() {
        {
            FileDialog first(nullptr, QStringLiteral("Open"), path("project/meshes"));
            first.show();
            first.selectFile(QStringLiteral("rock.obj"));
            first.accept();
            QCOMPARE(first.result(), int(QDialog::Accepted));
        }
        const FileDialog second(nullptr, QStringLiteral("Open"), path("project"));
        QCOMPARE(second.directory().absolutePath(), QFileInfo(path("project")).absoluteFilePath());
        QCOMPARE(second.history(), QStringList{QFileInfo(path("project")).absoluteFilePath()}); // where it is
        for (const QUrl& place : second.sidebarUrls())
            QVERIFY(place.toLocalFile() == QDir::homePath() || place.toLocalFile() == path("project"));
    }

    void whatIsNotWantedIsRefusedInTheDialog() {
        FileDialog dialog(nullptr, QStringLiteral("Open"), path("project/meshes"), Meshes);
        dialog.setFileMode(QFileDialog::ExistingFile);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        const auto* list = dialog.findChild<QAbstractItemView*>(QStringLiteral("treeView"));
        QTRY_COMPARE(list->model()->rowCount(list->rootIndex()), 1); // the folder is read on another thread
        const auto* fault = dialog.findChild<QLabel*>(QStringLiteral("fileDialog.fault"));
        auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setFocus();
        QVERIFY(!fault->isVisible());
        QTest::keyClicks(name, QStringLiteral("notes.txt"));
        QTest::keyClick(name, Qt::Key_Return);
        QVERIFY(dialog.isVisible() && fault->isVisible());
        QCOMPARE(fault->text(),
                 QStringLiteral("notes.txt is of another kind; expected Meshes (*.obj *.gltf)."));
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("rock.obj"));
        QVERIFY(!fault->isVisible()); // about another name
        QTest::keyClick(name, Qt::Key_Return);
        QVERIFY2(!dialog.isVisible(), qPrintable(fault->text() + dialog.selectedFiles().join(u' ')));
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.selectedFiles(), QStringList{path("project/meshes/rock.obj")});
    }

    // Also what was chosen before it went away.
    void whatWentAwayIsRefused() {
        write(path("project/short.obj"));
        FileDialog dialog(nullptr, QStringLiteral("Open"), path("project/short.obj"), Meshes);
        dialog.setFileMode(QFileDialog::ExistingFile);
        dialog.show();
        QVERIFY(QFile::remove(path("project/short.obj")));
        dialog.accept();
        QVERIFY(dialog.isVisible());
        QCOMPARE(dialog.findChild<QLabel*>(QStringLiteral("fileDialog.fault"))->text(),
                 QStringLiteral("short.obj does not exist; choose a file that does."));
    }

    void faultsHaveOneClearLine() {
        FileDialog dialog(nullptr, QStringLiteral("Open"), path("project"), Meshes);
        dialog.setFileMode(QFileDialog::ExistingFile);
        QCOMPARE(dialog.faultOf(path("project/meshes/rock.obj")), QString());
        QCOMPARE(dialog.faultOf(path("project/meshes")), QString()); // is entered
        QCOMPARE(dialog.faultOf(path("project/gone.obj")),
                 QStringLiteral("gone.obj does not exist; choose a file that does."));
        if (::geteuid() != 0) { // who may read everything
            write(path("project/secret.obj"));
            QFile::setPermissions(path("project/secret.obj"), {});
            QVERIFY(dialog.faultOf(path("project/secret.obj"))
                        .startsWith(QStringLiteral("secret.obj cannot be read: ")));
        }
        dialog.setAcceptMode(QFileDialog::AcceptSave);
        QCOMPARE(dialog.faultOf(path("project/new.obj")), QString());
        QCOMPARE(dialog.faultOf(path("nowhere/new.obj")),
                 QStringLiteral("new.obj cannot be written; choose a folder that you may write to."));
    }

    // A name without an ending gets the one that was offered.
    void whatIsSavedHasAnEnding() {
        QTimer::singleShot(0, this, [] {
            auto* dialog = qobject_cast<FileDialog*>(QApplication::activeModalWidget());
            QCOMPARE(dialog->selectedFiles().size(), 1);
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(QStringLiteral("loud"));
            dialog->accept();
        });
        QCOMPARE(fileToSave(nullptr, QStringLiteral("Save"), path("project/heard.wav"),
                            QStringLiteral("Sound (*.wav)")),
                 path("project/loud.wav"));
    }

    // What asks may go while the dialog is open.
    void theParentMayGo() {
        auto* parent = new QWidget;
        QTimer::singleShot(0, parent, [parent] { delete parent; });
        QCOMPARE(fileToOpen(parent, QStringLiteral("Open"), path("project")), QString());
    }
};

QTEST_MAIN(TestFileDialog)

#include "tst_file_dialog.moc"
