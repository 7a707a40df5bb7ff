// The dialog that exports a player: what it shows, refuses, writes and leaves behind when it is cancelled.

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>
#include <QtTest>

#include "app/editor/export_dialog.h"
#include "engine/components/register.h"
#include "engine/core/log.h"
#include "engine/plugin/plugin_host.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"

using namespace sbx;

namespace {

constexpr int Patience = 60000; // ms; a loaded machine writes slowly

// The dialog over a copy of a sample, with a folder for what it writes.
class Exporting {
public:
    Exporting() {
        test::copyFolder(test::qSourcePath("resources/projects/courtyard"), project());
        QDir(m_dir.path()).mkpath(QStringLiteral("games"));
        registerBuiltinComponents(m_builtins);
        plugins = std::make_unique<PluginHost>(m_builtins, m_log);
        settings.setValue(QStringLiteral("export/folder"), games());
    }
    void open(std::function<bool()> save = {}) {
        dialog = std::make_unique<editor::ExportDialog>(
            editor::ExportDialog::Project{project().toStdString(), QStringLiteral("Hof: der/erste"), plugins.get(), std::move(save)}, settings, m_theme);
        dialog->show();
    }
    [[nodiscard]] QString project() const { return m_dir.filePath(QStringLiteral("project")); }
    [[nodiscard]] QString games() const { return m_dir.filePath(QStringLiteral("games")); }
    [[nodiscard]] QStringList written() const { return QDir(games()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name); }
    template <typename T> [[nodiscard]] T* part(const char* name) const { return dialog->findChild<T*>(QStringLiteral("exportPlayer.") + QLatin1String(name)); }
    [[nodiscard]] QString said() const { return part<QLabel>("state")->text(); }

private:
    QTemporaryDir m_dir;
    ui::Theme m_theme;
    Log m_log;
    ComponentRegistry m_builtins;

public:
    ui::UserSettings settings{m_dir.filePath(QStringLiteral("settings.ini"))};
    std::unique_ptr<PluginHost> plugins;
    std::unique_ptr<editor::ExportDialog> dialog;
};

} // namespace

class TestExportDialog : public QObject {
    Q_OBJECT

private slots:
    void showsWhatItWillHold() {
        Exporting at;
        at.open();
        QCOMPARE(at.part<QLineEdit>("name")->text(), QStringLiteral("Hof: der_erste"));
        auto* const button = at.part<QPushButton>("export");
        QVERIFY(!button->isEnabled()); // nobody knows yet
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), Patience);
        auto* const contents = at.part<QTreeWidget>("contents");
        QCOMPARE(contents->topLevelItemCount(), 4);
        QVERIFY(contents->topLevelItem(0)->text(0).startsWith(QStringLiteral("The project: ")));
        QVERIFY(contents->topLevelItem(0)->childCount() > 5);
        QVERIFY(at.said().contains(QStringLiteral("MiB")));
        at.part<QCheckBox>("libraries")->setChecked(false);
        QVERIFY(!button->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), Patience);
        QCOMPARE(contents->topLevelItemCount(), 3);
    }
    void whatIsTypedIsChecked_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("no name") << "name" << "" << "needs a name";
        QTest::newRow("a path") << "name" << "a/b" << "cannot be the name of a file";
        QTest::newRow("taken") << "name" << "bin" << "expected another one";
        QTest::newRow("not whole") << "parent" << "games" << "must begin with /";
        QTest::newRow("not there") << "parent" << "/nowhere/at/all" << "there is no folder";
    }
    void whatIsTypedIsChecked() {
        QFETCH(QString, field);
        QFETCH(QString, text);
        QFETCH(QString, says);
        Exporting at;
        at.open();
        auto* const button = at.part<QPushButton>("export");
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), Patience);
        auto* const line = at.part<QLineEdit>(field.toLatin1().constData());
        const QString before = line->text();
        line->setText(text);
        QVERIFY2(at.part<QLabel>("target")->text().contains(says), qPrintable(at.part<QLabel>("target")->text()));
        QVERIFY(!button->isEnabled());
        line->setText(before);
        QVERIFY(button->isEnabled());
        at.part<QLineEdit>("parent")->setText(at.project());
        QVERIFY(at.part<QLabel>("target")->text().contains(QStringLiteral("lies in the project's own folder")));
        QVERIFY(!button->isEnabled());
    }
    void aFaultIsNamed() {
        Exporting at;
        QFile scene(at.project() + QStringLiteral("/courtyard.scene.toml"));
        QVERIFY(scene.open(QIODevice::Append));
        scene.write("\n[[entity]]\ntype = \"Nobody\"\n");
        scene.close();
        at.open();
        QTRY_VERIFY_WITH_TIMEOUT(at.said().contains(QStringLiteral("the project has faults and is not exported")), Patience);
        QVERIFY2(at.said().contains(QStringLiteral("courtyard.scene.toml:")) && at.said().contains(QStringLiteral("Nobody")), qPrintable(at.said()));
        QVERIFY(!at.part<QPushButton>("export")->isEnabled());
    }
    void writesAGameThatPlays_data() {
        QTest::addColumn<bool>("archive");
        QTest::newRow("folder") << false;
        QTest::newRow("archive") << true;
    }
    void writesAGameThatPlays() {
        QFETCH(bool, archive);
        Exporting at;
        int saves = 0;
        at.open([&saves] { return ++saves > 0; });
        auto* const button = at.part<QPushButton>("export");
        QCOMPARE(button->text(), QStringLiteral("Save and &export"));
        at.part<QCheckBox>("libraries")->setChecked(false);
        at.part<QComboBox>("kind")->setCurrentIndex(archive ? 1 : 0);
        at.part<QLineEdit>("name")->setText(QStringLiteral("Mein Höfchen"));
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), Patience);
        QSignalSpy exported(at.dialog.get(), &editor::ExportDialog::exported);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(saves, 1);
        QVERIFY(!at.part<QLineEdit>("name")->isEnabled() && at.part<QProgressBar>("progress")->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, Patience);
        QVERIFY(!at.dialog->isVisible());
        const QString target = at.games() + QStringLiteral("/Mein Höfchen") + (archive ? QStringLiteral(".tar.gz") : QString());
        QCOMPARE(exported.first().first().toString(), target);
        QCOMPARE(at.written(), QStringList{QFileInfo(target).fileName()});
        if (archive)
            QCOMPARE(QProcess::execute(QStringLiteral("tar"), {QStringLiteral("-xzf"), target, QStringLiteral("-C"), at.games()}), 0);
        QProcess game;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_STATE_HOME"), at.games() + QStringLiteral("/state"));
        game.setProcessEnvironment(environment);
        game.start(at.games() + QStringLiteral("/Mein Höfchen/Mein Höfchen"), {QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("10")});
        QVERIFY(game.waitForFinished(Patience));
        QVERIFY2(game.exitCode() == 0, game.readAllStandardError());
        // The next one remembers, and takes a name that is free.
        at.open();
        QCOMPARE(at.part<QComboBox>("kind")->currentIndex(), archive ? 1 : 0);
        QVERIFY(!at.part<QCheckBox>("libraries")->isChecked());
        at.part<QLineEdit>("name")->setText(QStringLiteral("Mein Höfchen"));
        QCOMPARE(at.dialog->target(), at.games() + QStringLiteral("/Mein Höfchen 2") + (archive ? QStringLiteral(".tar.gz") : QString()));
    }
    void cancelLeavesNothing() {
        Exporting at;
        at.open();
        auto* const button = at.part<QPushButton>("export");
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), Patience);
        at.part<QComboBox>("kind")->setCurrentIndex(1);
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(at.part<QProgressBar>("progress")->value() > 0, Patience);
        QVERIFY(!at.written().isEmpty());
        QTest::mouseClick(at.part<QPushButton>("cancel"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(at.said().startsWith(QStringLiteral("Cancelled")), Patience);
        QCOMPARE(at.written(), QStringList{});
        QVERIFY(button->isEnabled() && at.dialog->isVisible());
        // The same while the dialog goes.
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(at.part<QProgressBar>("progress")->value() > 0, Patience);
        at.dialog.reset();
        QCOMPARE(at.written(), QStringList{});
    }
    void whatCannotBeSavedIsNotExported() {
        Exporting at;
        at.open([] { return false; });
        auto* const button = at.part<QPushButton>("export");
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), Patience);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(button->isEnabled());
        QCOMPARE(at.written(), QStringList{});
    }
};

QTEST_MAIN(TestExportDialog)
#include "tst_export_dialog.moc"
