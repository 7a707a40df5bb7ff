// What the editor does about work that could not be saved or was left behind: the dialog of a save that failed, the list of recoveries.
// Wants a display. Leaves pictures in the build folder's screenshots/.

#include <QApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTimer>
#include <QTreeWidget>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/recovery_dialog.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "tests/small_disk.h"
#include "widgets/common/journal.h"

using namespace sbx;

namespace {

constexpr int Patience = 10000; // ms

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestRecovery : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    [[nodiscard]] QString project() const { return m_dir.filePath(QStringLiteral("pinball")); }
    [[nodiscard]] QString state() const { return m_dir.filePath(QStringLiteral("state")); }
    [[nodiscard]] QString definitions() const { return project() + QStringLiteral("/entities.toml"); }
    [[nodiscard]] bool can(const char* id) const {
        const QAction* action = m_editor->actions().find(QLatin1String(id));
        return action != nullptr && action->isEnabled();
    }
    ui::Document& document() { return m_editor->document(); }
    void start() {
        m_editor.reset();
        editor::Options options;
        options.project = project().toStdString();
        options.width = 1280;
        options.height = 720;
        m_editor = std::make_unique<editor::Editor>(*qApp, options, state());
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&m_editor->window()));
    }
    // As a kill would: the window is gone, nobody closed the document.
    void die() {
        document().flushJournal();
        m_editor.reset();
    }
    void typed(const std::string& text) {
        QVERIFY(document()
                    .edit(ui::EditRequest{"entities.toml", {{0, "", text}}, QStringLiteral("Type"), {}})
                    .ok());
    }
    editor::RecoveryDialog* dialog() {
        auto* found = m_editor->window().findChild<editor::RecoveryDialog*>();
        return found != nullptr && found->isVisible() ? found : nullptr;
    }
    template <class Widget> Widget* part(const char* name) {
        return dialog()->findChild<Widget*>(QLatin1String(name));
    }
    // Presses the button so named in the message box that comes up, as soon as it does; its text is kept.
    void answer(const QString& box, const QStringList& buttons) {
        m_asked.clear();
        auto* timer = new QTimer(this);
        connect(timer, &QTimer::timeout, this, [this, timer, box, buttons, turn = 0]() mutable {
            auto* shown = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (shown == nullptr || shown->objectName() != box)
                return;
            m_asked.append(shown->text());
            m_offered.clear();
            for (QAbstractButton* button : shown->buttons())
                m_offered.append(button->text().remove(QLatin1Char('&')));
            if (m_beforeAnswer)
                m_beforeAnswer();
            const QString wanted = buttons[turn++];
            if (turn == buttons.size())
                timer->deleteLater();
            for (QAbstractButton* button : shown->buttons())
                if (button->text().remove(QLatin1Char('&')) == wanted)
                    button->click();
        });
        timer->start(5);
    }
    void picture(QWidget& widget, const QString& name) {
        const QString folder = sbx::test::qBuildPath("screenshots");
        QDir().mkpath(folder);
        QVERIFY(widget.grab().save(folder + QLatin1Char('/') + name));
    }

    QStringList m_asked;
    QStringList m_offered;
    std::function<void()> m_beforeAnswer;

private slots:
    void initTestCase() {
        sbx::test::copyFolder(sbx::test::qSourcePath("resources/projects/pinball"), project());
        start();
    }
    void cleanup() { m_beforeAnswer = nullptr; }
    void cleanupTestCase() {
        if (m_editor)
            document().undoStack().setIndex(0);
        m_editor.reset();
    }

    // A full disk: the old bytes stay, the title keeps its mark, the journal stays; Retry saves when there is room.
    void aSaveThatFailsIsSaidAndCanBeTriedAgain() {
        QVERIFY(dialog() == nullptr);
        QVERIFY(!can("file.recover"));
        const QByteArray before = read(definitions());
        typed("# typed\n");
        document().flushJournal();
        auto full = std::make_unique<sbx::test::SmallDisk>(40);
        int asked = 0;
        m_beforeAnswer = [&] {
            QCOMPARE(read(definitions()), before);
            QVERIFY(m_editor->window().isWindowModified());
            QCOMPARE(QDir(state()).entryList({QStringLiteral("*.journal")}).size(), 1);
            if (++asked == 2)
                full.reset(); // somebody made room
        };
        answer(QStringLiteral("notSaved"), {QStringLiteral("Retry"), QStringLiteral("Retry")});
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.save")).ok());
        QCOMPARE(asked, 2);
        QVERIFY2(m_asked[0].contains(QStringLiteral("entities.toml")), qPrintable(m_asked[0]));
        m_offered.sort();
        QCOMPARE(m_offered, (QStringList{QStringLiteral("Cancel"), QStringLiteral("Retry"),
                                         QStringLiteral("Save as…")}));
        QCOMPARE(read(definitions()), QByteArray("# typed\n") + before);
        QVERIFY(!m_editor->window().isWindowModified());
        QVERIFY(QDir(state()).entryList({QStringLiteral("*.journal")}).isEmpty());
    }

    // The disk stays full: the project goes on in a folder where there is room, and the old one stays as it was.
    void whatCannotBeSavedCanBeSavedElsewhere() {
        const QByteArray before = read(definitions());
        const QString elsewhere = m_dir.filePath(QStringLiteral("elsewhere"));
        typed("# elsewhere\n");
        document().flushJournal();
        auto full = std::make_unique<sbx::test::SmallDisk>(40);
        m_beforeAnswer = [&] { full.reset(); };
        answer(QStringLiteral("notSaved"), {QStringLiteral("Save as…")});
        auto* timer = new QTimer(this);
        connect(timer, &QTimer::timeout, this, [timer, elsewhere] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr)
                return;
            timer->deleteLater();
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(elsewhere);
            dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
        });
        timer->start(5);
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.save")).ok());
        QCOMPARE(document().folder(), elsewhere);
        QVERIFY(!document().isDirty() && !m_editor->window().isWindowModified());
        QCOMPARE(read(definitions()), before);
        QCOMPARE(read(elsewhere + QStringLiteral("/entities.toml")), QByteArray("# elsewhere\n") + before);
        QVERIFY(QDir(state()).entryList({QStringLiteral("*.journal")}).isEmpty());
        start(); // the old one again
    }

    // Overwrite is offered for what somebody else wrote, and for nothing else.
    void overwriteIsOfferedForAFileThatChangedOutside() {
        typed("# mine\n");
        QFile theirs(definitions());
        QVERIFY(theirs.open(QIODevice::WriteOnly));
        theirs.write("# theirs\n");
        theirs.close();
        answer(QStringLiteral("notSaved"), {QStringLiteral("Cancel")});
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.save")).ok());
        QVERIFY(m_offered.contains(QStringLiteral("Overwrite")));
        QCOMPARE(read(definitions()), QByteArray("# theirs\n"));
        QVERIFY(document().isDirty());
        answer(QStringLiteral("notSaved"), {QStringLiteral("Overwrite")});
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.save")).ok());
        QVERIFY(read(definitions()).startsWith("# mine\n# typed\n"));
        QVERIFY(!document().isDirty());
    }

    // Two runs died; the dialog at the next start lists both with their differences. What is kept for later can be had from the File
    // menu; what was saved since is told before it is replaced; undo brings it back; what is discarded is gone.
    void everyRecoveryIsOfferedUntilItIsTakenOrDiscarded() {
        const QByteArray saved = read(definitions());
        typed("# first <b>\n");
        die();
        start();
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, Patience);
        QCOMPARE(part<QTreeWidget>("recovery.list")->topLevelItemCount(), 1);
        QVERIFY(part<QTextBrowser>("recovery.differences")
                    ->toPlainText()
                    .contains(QStringLiteral("+ # first <b>")));
        QVERIFY(!part<QLabel>("recovery.warning")->isVisible());
        QVERIFY(part<QPushButton>("recovery.recover")->isDefault());
        picture(*dialog(), QStringLiteral("recovery-one.png"));
        // To look at it changes nothing.
        part<QPushButton>("recovery.look")->click();
        auto* look = part<QDialog>("recovery.texts");
        QTRY_VERIFY(look != nullptr && look->isVisible());
        auto* text = look->findChild<QPlainTextEdit*>(QStringLiteral("recovery.text"));
        QCOMPARE(text->toPlainText().toUtf8(), "# first <b>\n" + saved);
        QVERIFY(text->isReadOnly());
        QCOMPARE(look->findChild<QTabWidget*>()->tabText(0), QStringLiteral("entities.toml"));
        picture(*look, QStringLiteral("recovery-look.png"));
        look->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Close)->click();
        QTRY_VERIFY(dialog()->findChild<QDialog*>(QStringLiteral("recovery.texts")) == nullptr);
        QCOMPARE(part<QTreeWidget>("recovery.list")->topLevelItemCount(), 1);
        QCOMPARE(QByteArray::fromStdString(document().text("entities.toml")), saved);
        part<QPushButton>("recovery.keep")->click();
        QTRY_VERIFY(dialog() == nullptr);
        QCOMPARE(QByteArray::fromStdString(document().text("entities.toml")), saved);

        typed("# second\n");
        die();
        start();
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, Patience);
        auto* list = part<QTreeWidget>("recovery.list");
        QCOMPARE(list->topLevelItemCount(), 2);
        QVERIFY(
            part<QTextBrowser>("recovery.differences")->toPlainText().contains(QStringLiteral("+ # second")));
        part<QPushButton>("recovery.recover")->click();
        QTRY_VERIFY(dialog() == nullptr);
        QCOMPARE(QByteArray::fromStdString(document().text("entities.toml")), "# second\n" + saved);
        QVERIFY(document().isDirty());
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.save")).ok());

        // The first is there still, and the file was saved since.
        QVERIFY(can("file.recover"));
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.recover")).ok());
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, Patience);
        QCOMPARE(part<QTreeWidget>("recovery.list")->topLevelItemCount(), 1);
        QVERIFY(part<QLabel>("recovery.warning")->isVisible());
        QVERIFY(part<QLabel>("recovery.warning")->text().contains(QStringLiteral("entities.toml")));
        QVERIFY(
            part<QTextBrowser>("recovery.differences")->toPlainText().contains(QStringLiteral("− # second")));
        QVERIFY(part<QPushButton>("recovery.keep")->isDefault());
        picture(*dialog(), QStringLiteral("recovery-saved-since.png"));
        part<QPushButton>("recovery.recover")->click();
        QTRY_VERIFY(dialog() == nullptr);
        QCOMPARE(QByteArray::fromStdString(document().text("entities.toml")), "# first <b>\n" + saved);
        document().undoStack().undo();
        QCOMPARE(QByteArray::fromStdString(document().text("entities.toml")), "# second\n" + saved);
        QVERIFY(!document().isDirty());
        QVERIFY(!can("file.recover"));

        typed("# third\n");
        die();
        start();
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, Patience);
        answer(QStringLiteral("recovery.sure"), {QStringLiteral("Cancel")});
        part<QPushButton>("recovery.discard")->click();
        QVERIFY(dialog() != nullptr);
        QCOMPARE(part<QTreeWidget>("recovery.list")->topLevelItemCount(), 1);
        answer(QStringLiteral("recovery.sure"), {QStringLiteral("Discard")});
        part<QPushButton>("recovery.discard")->click();
        QTRY_VERIFY(dialog() == nullptr);
        QVERIFY(!can("file.recover"));
        start();
        QVERIFY(QTest::qWaitForWindowActive(&m_editor->window()));
        QVERIFY(dialog() == nullptr);
    }

    // The file itself was removed, too: the project opens, and what was not saved is offered as ever.
    void aFileThatIsGoneIsRecovered() {
        const QByteArray saved = read(definitions());
        typed("# of a lost file\n");
        die();
        QVERIFY(QFile::remove(definitions()));
        start();
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, Patience);
        part<QPushButton>("recovery.recover")->click();
        QTRY_VERIFY(dialog() == nullptr);
        QCOMPARE(QByteArray::fromStdString(document().text("entities.toml")), "# of a lost file\n" + saved);
        QVERIFY(document().isDirty());
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.save")).ok());
        QCOMPARE(read(definitions()), "# of a lost file\n" + saved);
        document().undoStack().undo();
        document().undoStack().redo();
        QVERIFY(!document().isDirty());
    }

    // No room for the journal: said at once, and no longer when there is room.
    void aJournalThatCannotBeWrittenIsTold() {
        const auto told = [this] {
            for (const QLabel* label : m_editor->window().findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(QStringLiteral("would be lost in a crash")))
                    return true;
            return false;
        };
        {
            const sbx::test::SmallDisk full(40);
            typed("# unsafe\n");
            QTRY_VERIFY_WITH_TIMEOUT(told(), Patience);
        }
        picture(m_editor->window(), QStringLiteral("journal-fails.png"));
        typed("# safe again\n");
        QTRY_VERIFY_WITH_TIMEOUT(!told(), Patience);
        document().undoStack().setIndex(0);
    }
};

QTEST_MAIN(TestRecovery)
#include "tst_recovery.moc"
