// The dialog of backups: rows, the empty state, and one that is put back.

#include <QPushButton>
#include <QTreeWidget>
#include <QtTest>

#include "app/editor/backups_dialog.h"
#include "tests/common/document_fixture.h"
#include "widgets/common/theme.h"

using namespace sbx;
using namespace sbx::ui;

class TestBackupsDialog : public QObject {
    Q_OBJECT

private:
    Theme m_theme;

private slots:
    void withoutBackupsItSaysWhatMakesOne() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        editor::BackupsDialog dialog(backups, 10, m_theme);
        dialog.show();
        QVERIFY(dialog.findChild<QWidget*>(QStringLiteral("backups.empty"))->isVisible());
        QVERIFY(!dialog.findChild<QPushButton*>(QStringLiteral("backups.restore"))->isEnabled());
    }

    void theChosenOneIsPutBack() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        for (const char* line : {"# 1\n", "# 2\n"}) {
            QVERIFY(project->edit(replace("yard.scene.toml", 0, "", line)).ok());
            QVERIFY(backups.keep(10).ok());
            QVERIFY(project->save().ok());
        }
        editor::BackupsDialog dialog(backups, 10, m_theme);
        QSignalSpy restored(&dialog, &editor::BackupsDialog::restored);
        dialog.show();
        auto* tree = dialog.findChild<QTreeWidget*>(QStringLiteral("backups.list"));
        QCOMPARE(tree->topLevelItemCount(), 2);
        QCOMPARE(tree->topLevelItem(0)->text(1), QStringLiteral("yard.scene.toml"));
        tree->setCurrentItem(tree->topLevelItem(1)); // the older one
        dialog.findChild<QPushButton*>(QStringLiteral("backups.restore"))->click();
        QCOMPARE(restored.size(), 1);
        QVERIFY(!dialog.isVisible());
        QCOMPARE(project->text("yard.scene.toml"), Scene);
    }

    void oneThatIsGoneIsSaidAndTheDialogStays() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        QVERIFY(project->edit(replace("yard.scene.toml", 0, "", "# 1\n")).ok());
        QVERIFY(backups.keep(10).ok());
        editor::BackupsDialog dialog(backups, 10, m_theme);
        QSignalSpy failed(&dialog, &editor::BackupsDialog::failed);
        dialog.show();
        QVERIFY(QDir(backups.list().front().folder).removeRecursively());
        dialog.findChild<QPushButton*>(QStringLiteral("backups.restore"))->click();
        QCOMPARE(failed.size(), 1);
        QVERIFY(dialog.isVisible());
    }
};

QTEST_MAIN(TestBackupsDialog)
#include "tst_backups.moc"
