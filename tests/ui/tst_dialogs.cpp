// Every dialog by keyboard alone: something in it has the focus, Tab reaches everything in reading order, Return presses one default button,
// every other button has a letter of its own, and Esc leaves without doing anything. Wants a display.

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSurfaceFormat>
#include <QTabBar>
#include <QTextBrowser>
#include <QTimer>
#include <QtTest>

#include "app/common/crash_record.h"
#include "app/editor/crash_dialog.h"
#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/self_test_dialog.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/assets/asset_panel.h"
#include "widgets/common/document.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/journal.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/new_type_dialog.h"
#include "widgets/inspector/scope_question.h"
#include "widgets/viewport/gl_target.h"

#include <algorithm>
#include <functional>

using namespace sbx;

namespace {

constexpr int Patience = 20000; // ms; a loaded machine draws slowly
constexpr int MaxTabs = 60;

QString nameOf(const QWidget* widget) {
    if (widget == nullptr)
        return QStringLiteral("nothing");
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    return QStringLiteral("%1 %2 %3")
        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
             button != nullptr ? button->text() : QString());
}

// What the keyboard should reach: not the parts of which a list or a chooser is made.
QList<QWidget*> reachable(const QDialog& dialog) {
    QList<QWidget*> out;
    for (QWidget* each : dialog.findChildren<QWidget*>()) {
        const bool isPart = qobject_cast<QAbstractScrollArea*>(each->parentWidget()) != nullptr
                            || qobject_cast<QComboBox*>(each->parentWidget()) != nullptr
                            || qobject_cast<QTabBar*>(each->parentWidget()) != nullptr;
        const auto* radioLike = qobject_cast<QAbstractButton*>(each);
        const bool isInGroup = radioLike != nullptr && radioLike->autoExclusive() && !radioLike->isChecked();
        if (each->isVisibleTo(&dialog) && each->isEnabled() && (each->focusPolicy() & Qt::TabFocus)
            && each->focusProxy() == nullptr && !isPart && !isInGroup && each->window() == &dialog)
            out.append(each);
    }
    return out;
}

QRect placeIn(const QDialog& dialog, const QWidget& widget) {
    return {widget.mapTo(&dialog, QPoint()), widget.size()};
}

// Above, or in the same row and before.
bool isBefore(const QRect& a, const QRect& b) {
    if (a.bottom() < b.top() || b.bottom() < a.top())
        return a.top() < b.top();
    return a.right() < b.left();
}

void walkFaults(QDialog& dialog, QStringList& out) {
    QWidget* const first = QApplication::focusWidget();
    if (first == nullptr || !dialog.isAncestorOf(first)) {
        out << QStringLiteral("nothing in it has the focus");
        return;
    }
    QList<QWidget*> order{first};
    for (int i = 0; i < MaxTabs; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QWidget* const now = QApplication::focusWidget();
        if (now == nullptr || !dialog.isAncestorOf(now)) {
            out << QStringLiteral("Tab leaves it after ") + nameOf(order.last());
            return;
        }
        if (now == first)
            break;
        if (now != order.last()) // the links of a text are many stops
            order.append(now);
    }
    for (QWidget* each : reachable(dialog))
        if (!order.contains(each))
            out << QStringLiteral("Tab does not reach ") + nameOf(each);
    if (qobject_cast<ui::FileDialog*>(&dialog) != nullptr)
        return; // Qt has its buttons beside the lines
    int back = 0;
    for (qsizetype i = 0; i < order.size(); ++i) {
        const QWidget* next = order[(i + 1) % order.size()];
        if (order.size() > 1 && isBefore(placeIn(dialog, *next), placeIn(dialog, *order[i]))
            && ++back > 1) // once: from the end to the start
            out << QStringLiteral("Tab goes back from %1 to %2").arg(nameOf(order[i]), nameOf(next));
    }
}

void buttonFaults(QDialog& dialog, QStringList& out) {
    QMap<QString, QString> letters;
    int defaults = 0;
    int buttons = 0;
    const auto* box = qobject_cast<QMessageBox*>(&dialog);
    for (const QAbstractButton* each : dialog.findChildren<QAbstractButton*>()) {
        if (!each->isVisibleTo(&dialog) || each->text().isEmpty())
            continue;
        const QString letter = QKeySequence::mnemonic(each->text()).toString();
        if (!letter.isEmpty() && letters.contains(letter))
            out << QStringLiteral("%1 is the letter of %2 and of %3")
                       .arg(letter, letters[letter], each->text());
        letters[letter] = each->text();
        const auto* push = qobject_cast<const QPushButton*>(each);
        if (push == nullptr)
            continue;
        ++buttons;
        defaults += push->isDefault() ? 1 : 0;
        const QString plain = QString(push->text()).remove(QLatin1Char('&'));
        const bool leaves = plain == QLatin1String("Cancel") || plain == QLatin1String("Close")
                            || (box != nullptr && box->escapeButton() == push);
        if (letter.isEmpty() && !leaves && !push->isDefault())
            out << QStringLiteral("no letter presses ") + nameOf(push);
    }
    for (const QLabel* each : dialog.findChildren<QLabel*>())
        if (each->isVisibleTo(&dialog) && each->buddy() != nullptr) {
            const QString letter = QKeySequence::mnemonic(each->text()).toString();
            if (!letter.isEmpty() && letters.contains(letter))
                out << QStringLiteral("%1 is the letter of %2 and of %3")
                           .arg(letter, letters[letter], each->text());
            letters[letter] = each->text();
        }
    if (buttons > 0 && defaults != 1)
        out << QStringLiteral("%1 buttons are pressed by Return").arg(defaults);
}

} // namespace

class TestDialogs : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    [[nodiscard]] QString project() const { return m_dir.filePath(QStringLiteral("courtyard")); }
    editor::MainWindow& window() { return m_editor->window(); }
    ui::Document& document() { return m_editor->document(); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }
    void start() {
        editor::Options options;
        options.project = project().toStdString();
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        // The question for what can be recovered may be there first: it is modal, the window is not activated before it is answered.
        if (QApplication::activeModalWidget() == nullptr)
            window().activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::activeWindow() != nullptr, Patience);
    }
    void typed() {
        QVERIFY(
            document()
                .edit(ui::EditRequest{"entities.toml", {{0, "", "# typed\n"}}, QStringLiteral("Type"), {}})
                .ok());
    }
    // Opens it, walks it and leaves it by Esc. Some run a loop of their own: what is done with it is done from a timer.
    void walk(const char* name, const std::function<void()>& open,
              const std::function<void(QDialog&)>& use = {}) {
        QStringList faults;
        bool isOver = false;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] {
            QDialog* dialog = nullptr;
            for (QWidget* each : QApplication::topLevelWidgets())
                if (auto* shown = qobject_cast<QDialog*>(each);
                    shown != nullptr && shown->isVisible() && shown->objectName() == QLatin1String(name))
                    dialog = shown;
            if (dialog == nullptr)
                return;
            if (!dialog->isActiveWindow()) {
                dialog->activateWindow();
                return;
            }
            timer.stop();
            buttonFaults(*dialog, faults);
            walkFaults(*dialog, faults);
            if (use)
                use(*dialog);
            const QPointer<QDialog> alive(dialog);
            QTest::keyClick(dialog, Qt::Key_Escape);
            if (alive && alive->isVisible())
                faults << QStringLiteral("Esc does not close it");
            if (alive && alive->isVisible())
                alive->reject();
            isOver = true;
        });
        timer.start(5);
        open();
        QTRY_VERIFY2_WITH_TIMEOUT(isOver, name, Patience);
        QVERIFY2(faults.isEmpty(),
                 qPrintable(QLatin1String(name) + QStringLiteral(": ") + faults.join(QStringLiteral("; "))));
    }

private slots:
    void initTestCase() {
        sbx::test::copyFolder(sbx::test::qSourcePath("resources/projects/courtyard"), project());
        start();
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->project().loading().isEmpty(), Patience);
    }
    void cleanupTestCase() {
        document().undoStack().setIndex(0);
        m_editor.reset();
    }

    void fromTheMenus_data() {
        QTest::addColumn<QString>("dialog");
        QTest::addColumn<QString>("action");
        for (const auto& [dialog, action] :
             {std::pair("newProject", "file.new"), std::pair("fileDialog", "file.open"),
              std::pair("fileDialog", "file.saveAs"), std::pair("trust", "file.trust"), std::pair("exportPlayer", "file.exportPlayer"), std::pair("serve", "play.serve"), std::pair("join", "play.join"),
              std::pair("manual", "help.manual"), std::pair("licences", "help.licences"),
              std::pair("about", "help.about")})
            QTest::addRow("%s", action) << QString::fromLatin1(dialog) << QString::fromLatin1(action);
    }
    void fromTheMenus() {
        QFETCH(QString, dialog);
        QFETCH(QString, action);
        walk(qPrintable(dialog), [&] { trigger(qPrintable(action)); });
        QCOMPARE(document().folder(), project());
    }

    void selfTest() {
        editor::SelfTestDialog dialog(QStringLiteral("/bin/true"), &window());
        walk("selfTest", [&] { dialog.open(); });
    }
    void crash() {
        app::CrashRecord record;
        record.signal = "SIGSEGV";
        record.path = m_dir.filePath(QStringLiteral("crash.txt")).toStdString();
        record.component = "Ticker";
        record.message = "Update";
        record.plugin = "/somewhere/parts";
        editor::CrashDialog dialog(record, 1, project(), m_editor->theme(), &window());
        walk("crash", [&] { dialog.open(); });
        QCOMPARE(dialog.result(), int(QDialog::Rejected));
    }
    void newType() {
        ui::NewTypeDialog dialog(
            m_editor->theme(), QStringLiteral("Box2"), QStringLiteral("Of what box is."),
            [](const QString& name) {
                return name.isEmpty() ? QStringLiteral("A type has a name.") : QString();
            },
            &window());
        walk("newType", [&] { dialog.open(); });
    }
    void scope() {
        ui::ScopeQuestion dialog(m_editor->theme(), QStringLiteral("Add Light"), {{"Crate", {"crate_5"}}}, 12,
                                 ui::ComponentScope::AllOfType, &window());
        walk("inspector.scope", [&] { dialog.openAt(QRect(300, 300, 10, 10)); });
    }
    void deletionOfAFile() {
        trigger("view.panel.assets");
        window().assets().choose(QStringLiteral("sounds/hum.wav"));
        QTRY_COMPARE_WITH_TIMEOUT(window().assets().current(), QStringLiteral("sounds/hum.wav"), Patience);
        walk("assets.deleteQuestion", [&] { trigger("assets.delete"); });
        QVERIFY(QFile::exists(project() + QStringLiteral("/sounds/hum.wav")));
    }

    void unsavedWork() {
        typed();
        walk("unsaved", [&] { window().close(); });
        QVERIFY(window().isVisible() && document().isDirty());
        QFile theirs(project() + QStringLiteral("/entities.toml"));
        QVERIFY(theirs.open(QIODevice::Append) && theirs.write("# theirs\n") > 0);
        theirs.close();
        walk("notSaved", [&] { trigger("file.save"); });
        QVERIFY(document().isDirty());
    }
    // Of a run that died, with all that it leads to.
    void recovery() {
        if (!document().isDirty())
            typed();
        document().flushJournal();
        m_editor.reset();
        start();
        walk("recovery", [] {});
        const auto button = [&](const char* name) {
            return window().findChild<QPushButton*>(QLatin1String(name));
        };
        for (const auto& [name, dialog] :
             {std::pair("recovery.look", "recovery.texts"), std::pair("recovery.discard", "recovery.sure")}) {
            trigger("file.recover");
            QTRY_VERIFY_WITH_TIMEOUT(button(name) != nullptr && button(name)->window()->isActiveWindow(),
                                     Patience);
            const QPointer<QWidget> list(button(name)->window());
            walk(dialog, [&] { button(name)->click(); });
            QVERIFY(list && list->isVisible()); // Esc leaves one at a time
            list->close();
        }
        QVERIFY(!document().recoveries().empty());
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    TestDialogs test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_dialogs.moc"
