// Faults of a plugin's component, in the editor: it aborts, uses memory that is not there, never returns, throws. The editor that dies
// runs as a process of its own; what the next one says is looked at here. Leaves pictures in the build folder's screenshots/.

#include <QAction>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QtTest>

#include "app/common/crash_record.h"
#include "app/editor/crash_dialog.h"
#include "app/editor/editor.h"
#include "app/editor/hang_watch.h"
#include "app/editor/main_window.h"
#include "engine/plugin/plugin_host.h"
#include "tests/folders.h"
#include "tests/plugin/plugin_files.h"
#include "tests/small_disk.h"
#include "widgets/common/log_problems.h"
#include "widgets/definition/problems_model.h"
#include "widgets/definition/problems_panel.h"

#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

using namespace sbx;
using namespace sbx::plugin_test;

namespace {

constexpr int Patience = 60000; // ms
constexpr int StatusOfAHungEditor = 3;
// Set in the environment of this program, to the folder of a Case: it is the editor of that, which is ended from the notice.
constexpr const char* EndTheProgram = "SBX_TEST_END_THE_PROGRAM";

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    return text.replace(text.find(what), what.size(), with);
}

// A project with a Ticker that goes wrong, and the user's folders.
struct Case {
    QTemporaryDir dir;
    ProjectFiles files{dir.filePath(QStringLiteral("p")).toStdString(), "first"};
    QString project = dir.filePath(QStringLiteral("p"));
    QString hangFile = dir.filePath(QStringLiteral("hang"));

    explicit Case(int start) {
        write(files.file("main.scene.toml"), replaced(SceneText, "start = 50", "start = " + std::to_string(start)));
        write(hangFile.toStdString(), "");
    }
    QString state() const { return dir.filePath(QStringLiteral("state/signalbox")); }
    QByteArray log() const { return read(state() + QStringLiteral("/signalbox.log")); }

    void start(QProcess& process, QStringList arguments) const {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* folder : {"config", "state", "cache", "data"})
            environment.insert(QStringLiteral("XDG_%1_HOME").arg(QString::fromLatin1(folder).toUpper()),
                               dir.filePath(QString::fromLatin1(folder)));
        environment.insert(QStringLiteral("PARTS_HANG_FILE"), hangFile);
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(sbx::test::qBuildPath("bin/signalbox"), QStringList{project, QStringLiteral("--trust")} + arguments);
    }
};

// A process that has attached itself to this one as a debugger does, and lets it run.
class Tracer {
public:
    Tracer() {
        int ready[2] = {};
        if (::pipe(ready) != 0)
            qFatal("no pipe");
        const pid_t traced = ::getpid();
        m_process = ::fork();
        if (m_process == 0) {
            char go = 0;
            if (::read(ready[0], &go, 1) != 1)
                ::_exit(1);
            ::close(ready[0]);
            const bool attached = ::ptrace(PTRACE_SEIZE, traced, nullptr, nullptr) == 0;
            for (int status = 0;
                 attached && ::waitpid(traced, &status, __WALL) == traced && WIFSTOPPED(status);)
                ::ptrace(PTRACE_CONT, traced, nullptr,
                         static_cast<std::intptr_t>(status >> 16 != 0 ? 0 : WSTOPSIG(status)));
            ::_exit(attached ? 0 : 1);
        }
        if (m_process < 0)
            qFatal("no process");
        ::prctl(PR_SET_PTRACER, m_process);
        if (::write(ready[1], "x", 1) != 1)
            qFatal("no tracer");
        ::close(ready[0]);
        ::close(ready[1]);
        // Until it has attached itself, or given up.
        while (!holds()) {
            if (::waitpid(m_process, nullptr, WNOHANG) != 0) {
                m_process = 0;
                return;
            }
            std::this_thread::yield();
        }
    }
    ~Tracer() { letGo(); }
    [[nodiscard]] bool holds() const {
        return m_process > 0
               && read(QStringLiteral("/proc/self/status"))
                      .contains("TracerPid:\t" + QByteArray::number(m_process) + '\n');
    }
    void letGo() {
        if (m_process <= 0)
            return;
        ::kill(m_process, SIGKILL);
        ::waitpid(m_process, nullptr, 0);
        m_process = 0;
    }

private:
    pid_t m_process = 0;
};

QPushButton* choice(editor::Editor& editor, const QString& text) {
    for (QPushButton* button : editor.window().findChildren<QPushButton*>(QStringLiteral("notice.choice")))
        if (button->text() == text && button->isVisible())
            return button;
    return nullptr;
}

// Returns only if the program was not ended.
int endTheProgram(QApplication& application, const QString& folder) {
    editor::Options options;
    options.project = (folder + QStringLiteral("/p")).toStdString();
    options.trust = true;
    editor::Editor editor(application, options, folder + QStringLiteral("/state/signalbox"));
    editor.start();
    if (!editor.document().edit(ui::EditRequest{"entities.toml", {{0, "", "# typed\n"}}, QStringLiteral("Type"), {}}))
        return 100;
    editor.feed().post([](Session& session) { session.play(); });
    if (!QTest::qWaitFor([&] { return choice(editor, QStringLiteral("End the program")) != nullptr; }, Patience))
        return 101;
    choice(editor, QStringLiteral("End the program"))->click();
    return 102;
}

} // namespace

class TestFaults : public QObject {
    Q_OBJECT

private:
    static editor::Options optionsFor(const Case& c, const char* theme = "dark") {
        editor::Options options;
        options.project = c.project.toStdString();
        options.trust = true;
        options.theme = theme;
        options.width = 1280;
        options.height = 720;
        return options;
    }
    static void picture(QWidget& widget, const QString& name) {
        const QString folder = sbx::test::qBuildPath("screenshots");
        QDir().mkpath(folder);
        QVERIFY(widget.grab().save(folder + QLatin1Char('/') + name));
    }
    static QStringList problems(editor::Editor& editor) {
        QStringList out;
        for (const Diagnostic& problem : editor.window().problems().model().problems())
            out << QString::fromStdString(problem.message());
        return out;
    }

private slots:
    void initTestCase() {
        ::rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        for (const int signal : {SIGTERM, SIGINT, SIGHUP})
            ::signal(signal, SIG_DFL);
    }

    // It dies as it would, the log says in what; the next start says so too, and opens without the plugin if asked to.
    void aCrashIsToldAtTheNextStart_data() {
        QTest::addColumn<int>("start");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("name");
        QTest::newRow("abort") << 669 << SIGABRT << QStringLiteral("SIGABRT");
        QTest::newRow("segv") << 670 << SIGSEGV << QStringLiteral("SIGSEGV");
    }
    void aCrashIsToldAtTheNextStart() {
        QFETCH(int, start);
        QFETCH(int, signal);
        QFETCH(QString, name);
        const Case c(start);
        QProcess process;
        c.start(process, {QStringLiteral("--play")});
        QVERIFY(process.waitForFinished(Patience));
        const QByteArray said = process.readAll();
        QVERIFY2(process.exitStatus() == QProcess::CrashExit, said.constData());
        QCOMPARE(process.exitCode(), signal);
        const QString line = QStringLiteral("[crash] %1 in the thread simulation: Ticker of two handled Update, plugin %2/plugins/parts")
                                 .arg(name, QFileInfo(c.project).canonicalFilePath());
        QVERIFY2(c.log().contains(line.toUtf8()), c.log().constData());
        QVERIFY2(said.contains(line.toUtf8()), said.constData());

        for (const char* theme : {"dark", "light"}) {
            // Told again, for the other picture.
            if (theme == std::string("light"))
                for (const QString& told : QDir(c.state() + QStringLiteral("/crashes")).entryList(QDir::Files))
                    QVERIFY(QFile::rename(c.state() + QStringLiteral("/crashes/") + told,
                                          c.state() + QStringLiteral("/crashes/") + QString(told).replace(QStringLiteral(".txt"), QStringLiteral(".new"))));
            editor::Editor editor(*qApp, optionsFor(c, theme), c.state());
            editor.start();
            QVERIFY(QTest::qWaitForWindowExposed(&editor.window()));
            auto* dialog = editor.window().findChild<editor::CrashDialog*>();
            QVERIFY(dialog != nullptr && dialog->isVisible());
            QVERIFY(!editor.project().isOpen()); // not before the answer
            const QString what = dialog->findChild<QLabel*>(QStringLiteral("crash.what"))->text();
            for (const QString& word : {QStringLiteral("Ticker"), QStringLiteral("two"), QStringLiteral("parts.so"),
                                        QStringLiteral("Update"), name})
                QVERIFY2(what.contains(word), qPrintable(what));
            QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("crash.attach"))->text().contains(c.state() + QStringLiteral("/crashes/crash-")));
            picture(*dialog, QStringLiteral("crash-%1-%2.png").arg(QString::fromLatin1(QTest::currentDataTag()), QString::fromLatin1(theme)));
            picture(editor.window(), QStringLiteral("crash-window-%1-%2.png").arg(QString::fromLatin1(QTest::currentDataTag()), QString::fromLatin1(theme)));
            dialog->findChild<QPushButton*>(QStringLiteral("crash.without"))->click();
            QTRY_VERIFY_WITH_TIMEOUT(editor.project().isOpen(), Patience);
            QVERIFY2(problems(editor).join(u'\n').contains(QStringLiteral("left out since the last run crashed in it")),
                     qPrintable(problems(editor).join(u'\n')));
            QTRY_VERIFY_WITH_TIMEOUT(editor.feed().frame().entities->find("crate") != nullptr, Patience);
            QVERIFY(editor.feed().session().catalog().find("Ticker") == nullptr);
            // Brought back on request.
            editor.execute("plugin.reload");
            QTRY_VERIFY_WITH_TIMEOUT(editor.feed().session().catalog().find("Ticker") != nullptr, Patience);
        }
        // Esc opens nothing that may crash again: the start page offers what to open.
        for (const QString& told : QDir(c.state() + QStringLiteral("/crashes")).entryList(QDir::Files))
            QVERIFY(QFile::rename(c.state() + QStringLiteral("/crashes/") + told,
                                  c.state() + QStringLiteral("/crashes/") + QString(told).replace(QStringLiteral(".txt"), QStringLiteral(".new"))));
        {
            editor::Editor escaped(*qApp, optionsFor(c), c.state());
            escaped.start();
            QVERIFY(QTest::qWaitForWindowExposed(&escaped.window()));
            auto* dialog = escaped.window().findChild<editor::CrashDialog*>();
            QVERIFY(dialog != nullptr && dialog->isVisible());
            QTest::keyClick(dialog, Qt::Key_Escape);
            auto* page = escaped.window().findChild<QWidget*>(QStringLiteral("start"));
            QTRY_VERIFY_WITH_TIMEOUT(page->isVisible(), Patience);
            QVERIFY(!escaped.project().isOpen());
        }
        // Nothing crashed since: no word of it.
        editor::Editor editor(*qApp, optionsFor(c), c.state());
        editor.start();
        QVERIFY(editor.window().findChild<editor::CrashDialog*>() == nullptr);
        QVERIFY(editor.project().isOpen());
        QVERIFY(editor.feed().session().catalog().find("Ticker") != nullptr);
    }

    // The window tells who it is and goes on working; when the handler returns, the notice goes.
    void aHandlerThatHangsIsNamed_data() {
        QTest::addColumn<QString>("theme");
        QTest::newRow("dark") << QStringLiteral("dark");
        QTest::newRow("light") << QStringLiteral("light");
    }
    void aHandlerThatHangsIsNamed() {
        QFETCH(QString, theme);
        const Case c(671);
        qputenv("PARTS_HANG_FILE", c.hangFile.toUtf8());
        editor::Editor editor(*qApp, optionsFor(c, qPrintable(theme)), c.state());
        editor.start();
        QVERIFY(QTest::qWaitForWindowExposed(&editor.window()));
        editor.feed().post([](Session& session) { session.play(); });
        QTRY_VERIFY_WITH_TIMEOUT(choice(editor, QStringLiteral("Wait")) != nullptr, Patience);
        const QString words = QStringLiteral("Ticker of two has been handling Update for two seconds");
        QVERIFY2(editor.notices().live().last().text.contains(words), qPrintable(editor.notices().live().last().text));
        QVERIFY(choice(editor, QStringLiteral("Save")) != nullptr);
        QVERIFY(choice(editor, QStringLiteral("End the program")) != nullptr);
        QTRY_VERIFY(problems(editor).join(u'\n').contains(words));
        QVERIFY(editor.window().findChild<QLabel*>(QStringLiteral("status.problems"))->text().contains(QLatin1Char('1')));
        picture(editor.window(), QStringLiteral("hang-%1.png").arg(theme));

        // Save saves, and leaves the notice.
        QVERIFY(editor.document().edit(ui::EditRequest{"entities.toml", {{0, "", "# typed\n"}}, QStringLiteral("Type"), {}}).ok());
        choice(editor, QStringLiteral("Save"))->click();
        QVERIFY(!editor.document().isDirty());
        QVERIFY(read(c.project + QStringLiteral("/entities.toml")).startsWith("# typed\n"));
        QVERIFY(choice(editor, QStringLiteral("Wait")) != nullptr);
        // It returns.
        QVERIFY(QFile::remove(c.hangFile));
        QTRY_VERIFY_WITH_TIMEOUT(choice(editor, QStringLiteral("Wait")) == nullptr, Patience);
        QVERIFY(!editor.hangWatch().reported().any);
    }

    // Wait puts the notice away, and it stays away; the world goes on when the handler returns, and nothing is said twice.
    void waitPutsTheNoticeAway() {
        const Case c(671);
        qputenv("PARTS_HANG_FILE", c.hangFile.toUtf8());
        editor::Editor editor(*qApp, optionsFor(c), c.state());
        editor.start();
        QVERIFY(QTest::qWaitForWindowExposed(&editor.window()));
        QSignalSpy hangs(&editor.hangWatch(), &editor::HangWatch::hangs);
        editor.feed().post([](Session& session) { session.play(); });
        QTRY_VERIFY_WITH_TIMEOUT(choice(editor, QStringLiteral("Wait")) != nullptr, Patience);
        choice(editor, QStringLiteral("Wait"))->click();
        QTRY_VERIFY(choice(editor, QStringLiteral("Wait")) == nullptr);
        for (int i = 0; i < 10 * editor::HangWatch::Looks; ++i) {
            editor.hangWatch().look();
            QCoreApplication::processEvents();
        }
        QCOMPARE(hangs.count(), 1);
        QVERIFY(choice(editor, QStringLiteral("Wait")) == nullptr);
        const std::uint64_t tick = editor.feed().frame().tick;
        QVERIFY(QFile::remove(c.hangFile));
        QTRY_VERIFY_WITH_TIMEOUT((editor.feed().poll(), editor.feed().frame().tick > tick), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!editor.hangWatch().reported().any, Patience);
        QCOMPARE(hangs.count(), 1);
    }

    // End the program ends it at once; what was not saved is offered at the next start. In a process of its own, which ends.
    void endTheProgramEndsIt() {
        const Case c(671);
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PARTS_HANG_FILE"), c.hangFile);
        environment.insert(QLatin1String(EndTheProgram), c.dir.path());
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(), QStringList());
        QVERIFY(process.waitForFinished(Patience));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), StatusOfAHungEditor);
        QVERIFY2(c.log().contains("ended at once: Ticker of two has been handling Update for two seconds"), c.log().constData());
        QVERIFY(c.log().contains("what was not saved is kept for the next start"));
        QVERIFY(!read(c.project + QStringLiteral("/entities.toml")).startsWith("# typed"));
        QCOMPARE(QDir(c.state()).entryList({QStringLiteral("*.journal")}).size(), 1);
    }

    // Who steps through a handler in a debugger takes longer than two seconds, and is not disturbed. Looks are counted here, not timed.
    void aHandlerThatADebuggerHoldsIsNotNamed() {
        const Case c(671);
        qputenv("PARTS_HANG_FILE", c.hangFile.toUtf8());
        editor::Editor editor(*qApp, optionsFor(c), c.state());
        editor.start();
        Tracer tracer;
        if (!tracer.holds())
            QSKIP("no process may trace another here");
        QSignalSpy hangs(&editor.hangWatch(), &editor::HangWatch::hangs);
        QTRY_VERIFY_WITH_TIMEOUT(
            (editor.feed().poll(), editor.feed().frame().entities->find("two") != nullptr), Patience);
        editor.feed().post([](Session& session) { session.play(); });
        constexpr int ManyLooks = 100 * editor::HangWatch::Looks;
        for (int i = 0; i < ManyLooks; ++i) {
            editor.hangWatch().look();
            QCoreApplication::processEvents();
        }
        QCOMPARE(hangs.count(), 0);
        tracer.letGo();
        QTRY_COMPARE_WITH_TIMEOUT(hangs.count(), 1, Patience);
        QVERIFY(QFile::remove(c.hangFile));
        QTRY_VERIFY_WITH_TIMEOUT(!editor.hangWatch().reported().any, Patience);
    }

    // Whether it is closed or asked to end by a signal: the process ends, and says why at once.
    void aHungEditorEnds_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("status");
        QTest::newRow("closed") << QStringList{QStringLiteral("--quit-after"), QStringLiteral("4")} << 0 << 3;
        QTest::newRow("SIGTERM") << QStringList() << SIGTERM << 128 + SIGTERM;
    }
    void aHungEditorEnds() {
        QFETCH(QStringList, arguments);
        QFETCH(int, signal);
        QFETCH(int, status);
        const Case c(671);
        write((c.dir.filePath(QStringLiteral("play.cfg"))).toStdString(), "play.start\n");
        QProcess process;
        c.start(process, QStringList{QStringLiteral("--exec"), c.dir.filePath(QStringLiteral("play.cfg"))} + arguments);
        if (signal != 0) {
            QTRY_VERIFY_WITH_TIMEOUT(c.log().contains("Ticker of two has been handling Update for two seconds"), Patience);
            QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
        }
        QVERIFY(process.waitForFinished(Patience));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), status);
        QVERIFY2(c.log().contains("[editor] ended at once: the simulation did not come to an end"), c.log().constData());
    }

    // What the command line asks for and cannot be done stands on standard error, in a notice, and in the exit status.
    void aCommandLineThatCannotBeFollowedTells_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("a CVar") << QStringList{QStringLiteral("--set"), QStringLiteral("nope=1")}
                                << QByteArray("error: --nope=1: there is no CVar");
        QTest::newRow("a script") << QStringList{QStringLiteral("--exec"), QStringLiteral("/nope.cfg")}
                                  << QByteArray("error: --exec: /nope.cfg: there is no such file");
    }
    void aCommandLineThatCannotBeFollowedTells() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const Case c(50);
        QProcess process;
        c.start(process, QStringList{QStringLiteral("--quit-after"), QStringLiteral("1")} + arguments);
        QVERIFY(process.waitForFinished(Patience));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        const QByteArray all = process.readAll();
        QVERIFY2(all.contains(said), all.constData());
        editor::Options options = optionsFor(c);
        options.cvars = {{"nope", "1"}};
        editor::Editor editor(*qApp, options, c.state());
        QCOMPARE(editor.notices().live().size(), 1);
        QVERIFY2(editor.notices().live().first().text.startsWith(QStringLiteral("--nope=1: ")), qPrintable(editor.notices().live().first().text));
    }

    void anEditorEndsAtSigterm() {
        const Case c(50);
        QProcess process;
        c.start(process, {});
        QTRY_VERIFY_WITH_TIMEOUT(c.log().contains("plugins/parts is loaded"), Patience);
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
        QVERIFY(process.waitForFinished(Patience));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 128 + SIGTERM);
        QVERIFY(!c.log().contains("ended at once"));
    }

    // Who is missing stands among the problems, and the player's status tells.
    void aConstructorThatThrowsIsAProblem() {
        const Case c(666);
        {
            editor::Editor editor(*qApp, optionsFor(c), c.state());
            editor.start();
            QTRY_VERIFY_WITH_TIMEOUT(problems(editor).join(u'\n').contains(QStringLiteral(
                                         "a component threw while it was made, Ticker: nobody counts from there; two was not created")),
                                     Patience);
            QVERIFY(editor.window().findChild<QLabel*>(QStringLiteral("status.problems"))->text().contains(QStringLiteral("error")));
        }
        QProcess player;
        player.start(sbx::test::qBuildPath("bin/signalbox-player"),
                     {c.project, QStringLiteral("--headless"), QStringLiteral("--trust"), QStringLiteral("--ticks"), QStringLiteral("5")});
        QVERIFY(player.waitForFinished(Patience));
        QCOMPARE(player.exitCode(), 1);
        QVERIFY(player.readAllStandardError().contains("Ticker: nobody counts from there"));
    }

    // The copies of the plugin that the dead left are gone after the next start.
    void copiesOfTheDeadAreSwept() {
        const Case c(670);
        QTemporaryDir temporary;
        qputenv("TMPDIR", temporary.path().toUtf8());
        QProcess process;
        c.start(process, {QStringLiteral("--play")});
        QVERIFY(process.waitForFinished(Patience));
        const QStringList mask{QStringLiteral("signalbox-plugins-*")};
        QCOMPARE(QDir(temporary.path()).entryList(mask).size(), 1);
        {
            editor::Options none;
            editor::Editor editor(*qApp, none, c.dir.filePath(QStringLiteral("another")));
            QCOMPARE(QDir(temporary.path()).entryList(mask).size(), 0);
        }
        qunsetenv("TMPDIR");
    }

    // What cannot be read is kept, and told.
    void brokenSettingsAreSetAside() {
        const Case c(50);
        QDir().mkpath(c.state());
        const std::string broken("[window]\0geometry", 17);
        write((c.state() + QStringLiteral("/settings.ini")).toStdString(), broken);
        editor::Editor editor(*qApp, optionsFor(c), c.state());
        editor.start();
        QCOMPARE(read(c.state() + QStringLiteral("/settings.ini.broken")).toStdString(), broken);
        QVERIFY(!editor.notices().live().isEmpty());
        QVERIFY(editor.notices().live().first().text.contains(QStringLiteral("settings.ini.broken")));
        QVERIFY(c.log().contains("settings.ini.broken"));
    }

    // A full disk: the file stays as it was, the notice stays until there is room, and the log has an error.
    void settingsThatCannotBeWrittenAreTold() {
        const Case c(50);
        editor::Editor editor(*qApp, optionsFor(c), c.state());
        editor.start();
        const QString file = c.state() + QStringLiteral("/settings.ini");
        QTRY_VERIFY_WITH_TIMEOUT(read(file).contains("recentProjects"), Patience);
        const QByteArray before = read(file);
        {
            const sbx::test::SmallDisk full(20);
            QVERIFY(editor.actions().trigger(QStringLiteral("view.themeLight")).ok());
            QTRY_VERIFY_WITH_TIMEOUT(choice(editor, QStringLiteral("Retry")) != nullptr, Patience);
            QTest::mouseClick(choice(editor, QStringLiteral("Retry")), Qt::LeftButton);
            QVERIFY(choice(editor, QStringLiteral("Retry")) != nullptr);
        }
        QCOMPARE(read(file), before);
        bool listed = false;
        for (const LogRecord& record : editor.log().since(0))
            listed = listed || (record.severity == LogSeverity::Error && record.text.find("settings are not saved") != std::string::npos);
        QVERIFY(listed);
        picture(editor.window(), QStringLiteral("settings-not-saved.png"));
        QTest::mouseClick(choice(editor, QStringLiteral("Retry")), Qt::LeftButton);
        QVERIFY(read(file).contains("theme=light"));
        QTRY_VERIFY_WITH_TIMEOUT(choice(editor, QStringLiteral("Retry")) == nullptr, Patience);
    }
};

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (const QString folder = qEnvironmentVariable(EndTheProgram); !folder.isEmpty())
        return endTheProgram(application, folder);
    TestFaults test;
    QTEST_SET_MAIN_SOURCE_PATH
    return QTest::qExec(&test, argc, argv);
}
#include "tst_faults.moc"
