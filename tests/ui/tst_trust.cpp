// The question whether a project's plugins may run, as the window asks it: what says that they are held back,
// what the dialog's buttons and keys do, and what it says where there is nothing to decide.

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSurfaceFormat>
#include <QTreeWidget>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/status_badge.h"
#include "app/editor/trust_dialog.h"
#include "engine/plugin/trusted_projects.h"
#include "tests/folders.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/notice.h"
#include "widgets/common/theme.h"

using namespace sbx;

namespace {

namespace fs = std::filesystem;
constexpr int Patience = 10000; // ms

void write(const QString& path, const QByteArray& bytes) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

// A project with a plugin; whether its library is there does not matter as long as it is held back.
QString makeProject(const QTemporaryDir& dir) {
    const QString folder = dir.filePath(QStringLiteral("found"));
    write(folder + QStringLiteral("/project.toml"),
          "[project]\nname = \"Found\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\nplugins = "
          "[\"plugins/parts\"]\n");
    write(folder + QStringLiteral("/e.toml"), "[Ball]\n[Ball.Body]\n");
    write(folder + QStringLiteral("/s.scene.toml"),
          "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Ball\"\nname = \"ball\"\n");
    return folder;
}

// The dialog alone.
class Asked {
public:
    // `project`: below the folder that `resources` names, if it is to come with the program.
    explicit Asked(bool safeMode = false, const std::string& project = "found")
        : m_project(root() / project) {
        fs::create_directories(m_project);
        PluginState plugin;
        plugin.path = "plugins/parts";
        plugin.file = (m_project / "plugins/parts.so").string();
        plugin.heldBack = true;
        dialog =
            std::make_unique<editor::TrustDialog>(trusted, m_project, std::vector{plugin}, safeMode, m_theme);
        dialog->show();
    }
    [[nodiscard]] fs::path root() const { return fs::canonical(m_dir.path().toStdString()); }
    [[nodiscard]] const fs::path& project() const { return m_project; }
    [[nodiscard]] QString text(const char* label) const {
        return dialog->findChild<QLabel*>(QLatin1String(label))->text();
    }
    [[nodiscard]] QPushButton* button(const char* name) const {
        return dialog->findChild<QPushButton*>(QLatin1String(name));
    }
    void ask(bool safeMode = false) {
        PluginState plugin;
        plugin.path = "plugins/parts";
        dialog =
            std::make_unique<editor::TrustDialog>(trusted, m_project, std::vector{plugin}, safeMode, m_theme);
        dialog->show();
    }

private:
    QTemporaryDir m_dir;
    fs::path m_project;
    ui::Theme m_theme;

public:
    TrustedProjects trusted{root() / "list", {root() / "resources"}};
    std::unique_ptr<editor::TrustDialog> dialog;
};

} // namespace

class TestTrust : public QObject {
    Q_OBJECT
private slots:
    void theWindowSaysWhatIsHeldBackUntilItIsTrusted() {
        QTemporaryDir dir;
        editor::Options options;
        options.project = makeProject(dir).toStdString();
        editor::Editor editor(*qApp, options, dir.filePath(QStringLiteral("state")));
        editor.start();
        editor::MainWindow& window = editor.window();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto* const badge = window.findChild<editor::StatusBadge*>(QStringLiteral("status.restricted"));
        QTRY_VERIFY_WITH_TIMEOUT(badge->isVisible(), Patience);
        QCOMPARE(badge->text(), QStringLiteral("Restricted"));
        QVERIFY(badge->toolTip().contains(QStringLiteral("plugins/parts")));
        QVERIFY(window.windowTitle().contains(QStringLiteral("(restricted)")));
        const auto dialog = [&window] {
            return window.findChild<editor::TrustDialog*>(QStringLiteral("trust"));
        };
        const auto heldBack = [&editor] { return editor.feed().session().catalog().plugins.at(0).heldBack; };

        // Neither key that people press to get rid of a dialog decides anything; the badge asks again when
        // the notice is gone.
        editor.notices().dismissContext(QStringLiteral("trust"));
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Escape}) {
            badge->click();
            QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
            QTest::keyClick(dialog()->focusWidget() != nullptr ? dialog()->focusWidget() : dialog(), key);
            QTRY_VERIFY(dialog() == nullptr);
            QVERIFY(heldBack()
                    && !QFileInfo::exists(QString::fromStdString(editor.trusted().file().string())));
        }
        badge->click();
        QTRY_VERIFY(dialog() != nullptr);
        dialog()->findChild<QPushButton*>(QStringLiteral("trust.change"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(badge->isHidden(), Patience);
        QVERIFY2(!window.windowTitle().contains(QStringLiteral("(restricted)")),
                 qPrintable(window.windowTitle()));
        QVERIFY(!heldBack());
        dialog()->findChild<QPushButton*>(QStringLiteral("trust.change"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(badge->isVisible(), Patience);
        QVERIFY(window.windowTitle().contains(QStringLiteral("(restricted)")));
        dialog()->close();
    }

    // A copy made by other means is asked for; one that the editor makes of a trusted project is not.
    void theTrustGoesWithSaveAs_data() {
        QTest::addColumn<bool>("trusted");
        QTest::newRow("trusted") << true;
        QTest::newRow("not trusted") << false;
    }
    void theTrustGoesWithSaveAs() {
        QFETCH(bool, trusted);
        QTemporaryDir dir;
        editor::Options options;
        options.project = makeProject(dir).toStdString();
        editor::Editor editor(*qApp, options, dir.filePath(QStringLiteral("state")));
        if (trusted)
            QVERIFY(editor.trusted().trust(options.project).ok());
        editor.start();
        QVERIFY(QTest::qWaitForWindowExposed(&editor.window()));
        const QString copy = dir.filePath(QStringLiteral("copy"));
        QTimer answer;
        connect(&answer, &QTimer::timeout, this, [&copy] {
            if (auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                dialog->findChild<QLineEdit*>()->setText(copy);
                dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
            }
        });
        answer.start(50);
        QVERIFY(editor.actions().trigger(QStringLiteral("file.saveAs")).ok());
        answer.stop();
        QTRY_COMPARE_WITH_TIMEOUT(QFileInfo(editor.document().folder()).fileName(), QStringLiteral("copy"),
                                  Patience);
        QCOMPARE(editor.trusted().reason(copy.toStdString()),
                 trusted ? TrustReason::Listed : TrustReason::None);
        QTRY_COMPARE_WITH_TIMEOUT(editor.feed().session().catalog().plugins.at(0).heldBack, !trusted,
                                  Patience);
    }

    void theWindowSaysThatItIsInSafeMode() {
        QTemporaryDir dir;
        editor::Options options;
        options.project = makeProject(dir).toStdString();
        options.safeMode = true;
        editor::Editor editor(*qApp, options, dir.filePath(QStringLiteral("state")));
        QVERIFY(editor.trusted().trust(options.project).ok());
        editor.start();
        QVERIFY(QTest::qWaitForWindowExposed(&editor.window()));
        auto* const badge =
            editor.window().findChild<editor::StatusBadge*>(QStringLiteral("status.restricted"));
        QTRY_COMPARE_WITH_TIMEOUT(badge->text(), QStringLiteral("Safe mode"), Patience);
        const auto isTold = [&editor] {
            const QList<ui::Notice>& live = editor.notices().live();
            return std::any_of(live.begin(), live.end(), [](const ui::Notice& notice) {
                return notice.text == QStringLiteral("The plugin plugins/parts is not loaded in safe mode.");
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isTold(), Patience);
    }

    void safeModeIsSaidAndTrustsNothing() {
        Asked asked(true);
        QVERIFY2(asked.text("trust.heading").startsWith(QStringLiteral("Safe mode")),
                 qPrintable(asked.text("trust.heading")));
        QVERIFY(asked.button("trust.change")->isHidden());
        // What was trusted can be taken back.
        QVERIFY(asked.trusted.trust(asked.project()).ok());
        asked.ask(true);
        QVERIFY(!asked.button("trust.change")->isHidden());
        asked.button("trust.change")->click();
        QVERIFY(!asked.trusted.trusts(asked.project()));
        QVERIFY(asked.button("trust.change")->isHidden());
    }

    void whatComesWithTheProgramHasNothingToDecide() {
        Asked asked(false, "resources/sample");
        QVERIFY2(asked.text("trust.heading").contains(QStringLiteral("comes with Signalbox")),
                 qPrintable(asked.text("trust.heading")));
        QVERIFY(asked.button("trust.change")->isHidden());
    }

    void aDoubleClickTrustsOnce() {
        Asked asked;
        QTest::mouseClick(asked.button("trust.change"), Qt::LeftButton);
        QTest::mouseDClick(asked.button("trust.change"), Qt::LeftButton);
        QTest::mouseRelease(asked.button("trust.change"), Qt::LeftButton);
        QVERIFY(asked.trusted.trusts(asked.project()));
        asked.button("trust.change")->click();
        QVERIFY(!asked.trusted.trusts(asked.project()));
    }

    void trustForThisRunIsSaid() {
        Asked asked;
        asked.trusted.trustForNow(asked.project());
        asked.ask();
        QVERIFY2(asked.text("trust.heading").contains(QStringLiteral("--trust")),
                 qPrintable(asked.text("trust.heading")));
        asked.button("trust.change")->click();
        QVERIFY(!asked.trusted.trusts(asked.project()));
    }

    void aListThatCannotBeReadOrWrittenIsSaid() {
        Asked asked;
        fs::create_directories(asked.root() / "list"); // a folder stands where the file should
        asked.ask();
        auto* const fault = asked.dialog->findChild<QLabel*>(QStringLiteral("trust.fault"));
        QVERIFY(!fault->isHidden());
        QVERIFY2(fault->text().contains(QStringLiteral("list")), qPrintable(fault->text()));
        QSignalSpy failed(asked.dialog.get(), &editor::TrustDialog::failed);
        QSignalSpy changed(asked.dialog.get(), &editor::TrustDialog::trustChanged);
        asked.button("trust.change")->click();
        QCOMPARE(failed.size(), 1);
        QCOMPARE(changed.size(), 0);
        QVERIFY(!fault->isHidden() && !asked.trusted.trusts(asked.project()));
    }

    // A row means its folder, whatever its name is made of.
    void aFolderWhoseNameIsNoTextIsTakenOffTheList() {
        Asked asked;
        const fs::path other = asked.root() / "odd\xff\x1b[31m";
        fs::create_directories(other);
        QVERIFY(asked.trusted.trust(asked.project()).ok());
        QVERIFY(asked.trusted.trust(other).ok());
        asked.ask();
        auto* const list = asked.dialog->findChild<QTreeWidget*>(QStringLiteral("trust.list"));
        QCOMPARE(list->topLevelItemCount(), 2);
        QVERIFY(list->topLevelItem(1)->text(0).endsWith(QStringLiteral("odd\\xff\\x1b[31m")));
        QVERIFY(!asked.button("trust.remove")->isEnabled());
        list->setCurrentItem(list->topLevelItem(1));
        asked.button("trust.remove")->click();
        QVERIFY(!asked.trusted.trusts(other));
        QVERIFY(asked.trusted.trusts(asked.project()));
        QCOMPARE(list->topLevelItemCount(), 1);
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("signalbox"));
    TestTrust test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_trust.moc"
