// How a person begins: templates and samples, the dialog that makes a project, the start page in the real window. Wants a display.

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QDirIterator>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/new_plugin.h"
#include "app/editor/project_templates.h"
#include "app/editor/start_page.h"
#include "engine/commands/console_commands.h"
#include "engine/core/log.h"
#include "engine/plugin/trusted_projects.h"
#include "engine/session/session.h"
#include "engine/simulation/content.h"
#include "tests/folders.h"
#include "widgets/common/document.h"
#include "widgets/common/notice.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/gl_target.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_view.h"

#include <unistd.h>

using namespace sbx;
using editor::ProjectTemplate;

namespace {

constexpr int Patience = 10000; // ms; a loaded machine draws slowly

std::vector<ProjectTemplate> all() { return editor::projectTemplates(resourceFolders()); }

const ProjectTemplate& templateOf(const std::vector<ProjectTemplate>& templates, const char* id) {
    return *std::find_if(templates.begin(), templates.end(),
                         [&](const ProjectTemplate& t) { return t.id == QLatin1String(id); });
}

QStringList filesIn(const QString& folder) {
    QStringList out;
    QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext())
        out.append(QDir(folder).relativeFilePath(it.next()));
    out.sort();
    return out;
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestStart : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    [[nodiscard]] QString projects() const { return m_dir.filePath(QStringLiteral("projects")); }
    editor::MainWindow& window() { return m_editor->window(); }
    const FrameSnapshot& frame() { return m_editor->feed().frame(); }
    template <typename T> T* part(const QString& name) { return window().findChild<T*>(name); }
    editor::StartPage& page() { return *part<editor::StartPage>(QStringLiteral("start")); }
    void start(const std::string& project = {}) {
        editor::Options options;
        options.project = project;
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->settings().setValue(QStringLiteral("projectsFolder"), projects());
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
    }
    void picture(const QString& name) {
        const QString folder = sbx::test::qBuildPath("screenshots");
        QDir().mkpath(folder);
        QVERIFY(window().saveScreenshot(folder + QLatin1Char('/') + name));
    }

private slots:
    // The template's library is called as the project, wherever it is named; what the project is called need not be one.
    void aLibraryHasTheProjectsName() {
        QCOMPARE(editor::libraryNameFor(QStringLiteral("My game!")), QStringLiteral("my_game"));
        QCOMPARE(editor::libraryNameFor(QStringLiteral("  3 bats -- now")), QStringLiteral("parts_3_bats_now"));
        QCOMPARE(editor::libraryNameFor(QString::fromUtf8("\xc3\x9c" "ber")), QStringLiteral("ber"));
        QCOMPARE(editor::libraryNameFor(QString::fromUtf8("\xe6\xa0\xaa")), QStringLiteral("my_parts"));
        const QString folder = projects() + QStringLiteral("/Bat \"cave\"");
        QVERIFY(editor::createProject(templateOf(all(), "plugin"), folder, QStringLiteral("Bat \"cave\"")).ok());
        QStringList texts;
        QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            QVERIFY2(!text.contains(QStringLiteral("my_parts")) && !text.contains(QStringLiteral("MyParts")), qPrintable(file.fileName()));
            texts.append(text);
        }
        QVERIFY(QFile::exists(folder + QStringLiteral("/source/bat_cave.cpp")));
        QVERIFY(texts.join(QString()).contains(QStringLiteral("signalbox_add_plugin(bat_cave\n    SOURCES source/bouncer.cpp source/blinker.cpp source/bat_cave.cpp")));
        QVERIFY(texts.join(QString()).contains(QStringLiteral(".category(\"Bat cave\")")));
        QVERIFY(texts.join(QString()).contains(QStringLiteral("plugins = [\"plugins/bat_cave\"]")));
    }
    // The name of an installed sample, or a path inside it, means the sample; what is not installed, or another file, does not.
    void installedSampleByNameAndPath() {
        QTemporaryDir installed;
        const QString courtyard = installed.filePath(QStringLiteral("projects/courtyard"));
        QVERIFY(QDir().mkpath(courtyard));
        QFile project(courtyard + QStringLiteral("/project.toml"));
        QVERIFY(project.open(QIODevice::WriteOnly));
        project.close();
        const auto templates = editor::projectTemplates({std::filesystem::path(installed.path().toStdString())});
        const auto id = [&](const QString& asked) {
            const ProjectTemplate* sample = editor::installedSample(templates, asked);
            return sample != nullptr ? sample->id : QString();
        };
        QCOMPARE(id(QStringLiteral("courtyard")), QStringLiteral("courtyard"));
        QCOMPARE(id(courtyard), QStringLiteral("courtyard"));
        QCOMPARE(id(project.fileName()), QStringLiteral("courtyard"));
        QCOMPARE(id(installed.path()), QString());
        QCOMPARE(id(QStringLiteral("pinball")), QString());
        // The source tree's own samples are the programmer's to change.
        const auto fromSource = editor::projectTemplates({std::filesystem::path(installed.filePath(QStringLiteral("none")).toStdString()),
                                                          std::filesystem::path(installed.path().toStdString())});
        QVERIFY(editor::installedSample(fromSource, QStringLiteral("courtyard")) == nullptr);
        QVERIFY(editor::installedSample(fromSource, courtyard) == nullptr);
    }
    void init() { QVERIFY(QDir().mkpath(projects())); }
    void cleanup() {
        if (m_editor)
            m_editor->document().undoStack().setIndex(0);
        m_editor.reset();
        QVERIFY(QDir(projects()).removeRecursively());
    }

    void everythingThatIsOfferedIsThere() {
        QStringList ids;
        for (const ProjectTemplate& each : all()) {
            ids.append(each.id);
            QVERIFY2(!each.name.isEmpty() && !each.doc.isEmpty(), qPrintable(each.id));
            QVERIFY2(ui::Theme::iconNames().contains(each.icon), qPrintable(each.icon));
            QCOMPARE(!each.picture.isEmpty(), each.isSample);
        }
        QCOMPARE(ids, (QStringList{"empty", "physics", "plugin", "courtyard", "pinball", "audio-range", "networked-crates"}));
    }

    // A new project differs from its template in its name alone, is read without a fault, and its world runs.
    void aNewProjectHasItsNameAndNoFaults_data() {
        QTest::addColumn<QString>("id");
        for (const ProjectTemplate& each : all())
            QTest::newRow(qPrintable(each.id)) << each.id;
    }
    void aNewProjectHasItsNameAndNoFaults() {
        QFETCH(QString, id);
        const std::vector<ProjectTemplate> templates = all();
        const ProjectTemplate& from = templateOf(templates, qPrintable(id));
        const QString name = QStringLiteral("My \"first\" Zug – %1").arg(id);
        const QString folder = projects() + QStringLiteral("/sub/") + name;
        const Result<void> made = editor::createProject(from, folder, name);
        QVERIFY2(made.ok(), made ? "" : made.error().toString().c_str());
        QStringList expected = filesIn(from.folder);
        expected.erase(std::remove_if(expected.begin(), expected.end(),
                                      [](const QString& f) { return f.startsWith(QLatin1String("build/")); }),
                       expected.end());
        // Its library is called as the project is, see aLibraryHasTheProjectsName().
        const bool plugin = id == QLatin1String("plugin");
        if (plugin)
            expected.replaceInStrings(QStringLiteral("source/my_parts.cpp"), QStringLiteral("source/my_first_zug_plugin.cpp"));
        expected.sort();
        QStringList files = filesIn(folder);
        files.sort();
        QCOMPARE(files, expected);
        for (const QString& file : expected)
            if (!plugin && file != QLatin1String("project.toml"))
                QCOMPARE(bytesOf(folder + QLatin1Char('/') + file),
                         bytesOf(from.folder + QLatin1Char('/') + file));
        QCOMPARE(QDir(projects() + QStringLiteral("/sub"))
                     .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{name});

        Log log;
        Session session(log, addConsoleCommands);
        session.plugins().setPolicy([](const definition::Project&) { return std::string("is held back"); });
        Diagnostics faults;
        const auto content = loadContent(folder.toStdString(), "", session.plugins(), faults);
        QVERIFY(content != nullptr);
        QCOMPARE(QString::fromStdString(content->project.name), name);
        if (id != QLatin1String("plugin"))
            QVERIFY2(faults.items.empty(), faults.items.empty() ? "" : faults.items[0].toString().c_str());
        session.open(content);
        session.play();
        for (int i = 0; i < 120; ++i)
            session.tick();
        for (const LogRecord& record : log.since(0))
            QVERIFY2(record.severity != LogSeverity::Error, record.text.c_str());
    }

    void whatCannotBeMadeIsSaidAndLeavesNothing() {
        const std::vector<ProjectTemplate> templates = all();
        const ProjectTemplate& empty = templateOf(templates, "empty");
        QVERIFY(QDir().mkpath(projects() + QStringLiteral("/taken")));
        QFile note(projects() + QStringLiteral("/taken/note"));
        QVERIFY(note.open(QIODevice::WriteOnly));
        note.close();
        const Result<void> taken =
            editor::createProject(empty, projects() + QStringLiteral("/taken"), QStringLiteral("taken"));
        QVERIFY(!taken && taken.error().message.find("exists and is not empty") != std::string::npos);
        QCOMPARE(filesIn(projects()), QStringList{QStringLiteral("taken/note")});
        const Result<void> onFile = editor::createProject(empty, note.fileName(), QStringLiteral("note"));
        QVERIFY(!onFile && onFile.error().message.find("is a file") != std::string::npos);
        // The message names the folder and what stands in its way.
        const Result<void> kernel = editor::createProject(empty, QStringLiteral("/proc/signalbox/made"), QStringLiteral("made"));
        QVERIFY2(!kernel && kernel.error().message.find("/proc/signalbox") != std::string::npos, kernel ? "made" : kernel.error().message.c_str());
        // A template of which a file cannot be read: the draft goes.
        ProjectTemplate broken = empty;
        broken.folder = projects() + QStringLiteral("/broken");
        QVERIFY(QDir().mkpath(broken.folder));
        const Result<void> unread =
            editor::createProject(broken, projects() + QStringLiteral("/made"), QStringLiteral("made"));
        QVERIFY(!unread);
        QVERIFY(QDir(broken.folder).removeRecursively());
        QCOMPARE(QDir(projects()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{QStringLiteral("taken")});
        // An empty folder may be taken.
        QVERIFY(QDir().mkpath(projects() + QStringLiteral("/bare")));
        QVERIFY(
            editor::createProject(empty, projects() + QStringLiteral("/bare"), QStringLiteral("bare")).ok());
    }

    void namesThatNoFolderCanHaveAreRefused() {
        for (const QString& name :
             {QString(), QStringLiteral("  "), QStringLiteral("a/b"), QStringLiteral("a\\b"),
              QStringLiteral(".hidden"), QStringLiteral("two\nlines"), QString(101, QLatin1Char('x')),
              QStringLiteral("..")})
            QVERIFY2(!editor::projectNameFault(name).isEmpty(), qPrintable(name));
        for (const QString& name : {QStringLiteral("a"), QStringLiteral("Élan 2"), QStringLiteral("x.y"),
                                    QString(100, QLatin1Char('x'))})
            QVERIFY2(editor::projectNameFault(name).isEmpty(), qPrintable(name));
        if (::geteuid() != 0)
            QVERIFY(!editor::projectFolderFault(QStringLiteral("/proc/x")).isEmpty());
    }

    void aFreeFolderIsFound() {
        QCOMPARE(editor::freeProjectFolder(projects(), QStringLiteral("A")),
                 projects() + QStringLiteral("/A"));
        QVERIFY(QDir().mkpath(projects() + QStringLiteral("/A")));
        QVERIFY(QDir().mkpath(projects() + QStringLiteral("/A 2")));
        QCOMPARE(editor::freeProjectFolder(projects(), QStringLiteral("A")),
                 projects() + QStringLiteral("/A 3"));
    }

    // From an empty home to a moving scene: the sample, Play.
    void aSampleIsOpenedAsACopyOfOnesOwn() {
        start();
        QVERIFY(page().isVisible());
        QVERIFY(part<QLabel>(QStringLiteral("start.recent.none")) != nullptr);
        QVERIFY(
            !part<QPushButton>(QStringLiteral("start.back"))->isVisible()); // there is nothing to go back to
        // Nothing of what it covers lies above it.
        const int menu = page().geometry().top();
        for (int x = 5; x < window().width(); x += 50)
            for (int y = menu + 5; y < window().height(); y += 12)
                QVERIFY2(&page() == window().childAt(x, y) || page().isAncestorOf(window().childAt(x, y)),
                         qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
        picture(QStringLiteral("start_empty_dark_1280.png"));
        QTest::mouseClick(part<QAbstractButton>(QStringLiteral("start.sample.pinball")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!page().isVisible(), Patience);
        QCOMPARE(m_editor->document().folder(), projects() + QStringLiteral("/Pinball"));
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 20, Patience);
        QVERIFY(m_editor->actions().trigger(QStringLiteral("play.start")).ok());
        QTRY_VERIFY_WITH_TIMEOUT(frame().tick > 10, Patience);
        QVERIFY(m_editor->trusted().trusts((projects() + QStringLiteral("/Pinball")).toStdString()));
        const QSignalSpy frames(&window().viewport().view(), &ui::ViewportView::frameShown);
        QTRY_VERIFY_WITH_TIMEOUT(frames.count() > 1, Patience);
        // The next start lists it with the picture it was left with.
        window().close();
        m_editor.reset();
        start();
        QVERIFY(page().isVisible());
        auto* recent = part<QAbstractButton>(QStringLiteral("start.recent.0"));
        QVERIFY(recent != nullptr && recent->isEnabled());
        QCOMPARE(recent->text(), QStringLiteral("Pinball"));
        QDir pictures(m_editor->cacheFolder() + QStringLiteral("/pictures"));
        QCOMPARE(pictures.entryList({QStringLiteral("*.png")}).size(), 1);
        QCOMPARE(QImage(pictures.filePath(pictures.entryList({QStringLiteral("*.png")}).first())).size(),
                 QSize(320, 180));
        picture(QStringLiteral("start_recent_dark_1280.png"));
        QTest::mouseClick(recent, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!page().isVisible() && frame().entities->rows.size() > 20, Patience);
        // Another copy beside the first.
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.start")).ok());
        QVERIFY(page().isVisible());
        QTest::keyClick(&page(), Qt::Key_Escape);
        QVERIFY(!page().isVisible());
        // A button leads back, too, and the page says that unsaved work waits.
        ui::Document& document = m_editor->document();
        const std::string scene = document.file(ui::FileRole::Scene);
        QVERIFY(
            document.edit({scene, {{document.text(scene).size(), {}, "# more\n"}}, QStringLiteral("Add"), {}})
                .ok());
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.start")).ok());
        auto* back = part<QPushButton>(QStringLiteral("start.back"));
        QVERIFY(back->isVisible() && part<QLabel>(QStringLiteral("start.unsaved"))->isVisible());
        QCOMPARE(back->text(), QStringLiteral("Back to Pinball"));
        picture(QStringLiteral("start_open_dark_1280.png"));
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(!page().isVisible());
        document.undoStack().undo();
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.start")).ok());
        QVERIFY(back->isVisible() && !part<QLabel>(QStringLiteral("start.unsaved"))->isVisible());
        QTest::keyClick(&page(), Qt::Key_Escape);
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.start")).ok());
        QTest::mouseClick(part<QAbstractButton>(QStringLiteral("start.sample.pinball")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->document().folder(), projects() + QStringLiteral("/Pinball 2"),
                                  Patience);
    }

    // The page stands in the middle of a high window, a little above it, and at the top of a low one.
    void thePageStandsInTheMiddle() {
        start();
        const auto room = [&] { // above and below
            const auto* open = part<QWidget>(QStringLiteral("start.open"));
            return std::pair(part<QLabel>(QStringLiteral("start.title"))->mapTo(&page(), QPoint()).y(),
                             page().height() - open->mapTo(&page(), QPoint(0, open->height())).y());
        };
        QTRY_VERIFY(room().first < 60);
        window().resize(1280, 1000);
        QTRY_VERIFY(room().first > 90 && room().first < room().second);
    }

    void aProjectThatIsGoneCannotBeOpened() {
        start();
        m_editor->settings().setValue(QStringLiteral("recentProjects"),
                                      QStringList{projects() + QStringLiteral("/gone/project.toml")});
        QVERIFY(m_editor->actions().trigger(QStringLiteral("file.start")).ok());
        auto* recent = part<QAbstractButton>(QStringLiteral("start.recent.0"));
        QVERIFY(recent != nullptr && !recent->isEnabled());
        m_editor->settings().remove(QStringLiteral("recentProjects"));
    }

    void theDialogMakesAProject() {
        start();
        QTest::mouseClick(part<QAbstractButton>(QStringLiteral("start.new.physics")), Qt::LeftButton);
        QTRY_VERIFY(part<QDialog>(QStringLiteral("newProject")) != nullptr);
        auto* list = part<QListWidget>(QStringLiteral("newProject.templates"));
        QCOMPARE(list->currentItem()->text(), QStringLiteral("Physics"));
        auto* name = part<QLineEdit>(QStringLiteral("newProject.name"));
        auto* create = part<QPushButton>(QStringLiteral("newProject.create"));
        auto* path = part<QLabel>(QStringLiteral("newProject.path"));
        QVERIFY(QTest::qWaitForWindowExposed(part<QDialog>(QStringLiteral("newProject"))));
        picture(QStringLiteral("start_new_dark_1280.png"));
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("a/b"));
        QVERIFY(!create->isEnabled());
        QVERIFY2(path->text().contains(QLatin1Char('/')), qPrintable(path->text()));
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("Yard"));
        QCOMPARE(path->text(), projects() + QStringLiteral("/Yard"));
        // What was typed stays when another template is chosen.
        list->setCurrentRow(0);
        QCOMPARE(name->text(), QStringLiteral("Yard"));
        list->setCurrentRow(1);
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->document().folder(), projects() + QStringLiteral("/Yard"),
                                  Patience);
        QVERIFY(!page().isVisible());
        QVERIFY(window().windowTitle().startsWith(QStringLiteral("Yard")));
        // The keys of the viewport work at once.
        QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().hasFocus(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 15, Patience);
    }

    // What the page covers cannot be reached by keys.
    void tabStaysOnThePage() {
        start();
        window().activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
        page().setFocus();
        QSet<QWidget*> reached;
        for (int i = 0; i < 40; ++i) {
            QTest::keyClick(QApplication::focusWidget(), i < 20 ? Qt::Key_Tab : Qt::Key_Backtab);
            QVERIFY(page().isAncestorOf(QApplication::focusWidget()));
            reached.insert(QApplication::focusWidget());
        }
        QCOMPARE(reached.size(), 8); // three templates, four samples, Open
    }

    void aProjectThatCannotBeOpenedLeadsToThePage() {
        start((projects() + QStringLiteral("/gone")).toStdString());
        QVERIFY(page().isVisible());
        QVERIFY(!m_editor->notices().live().isEmpty());
    }

    void aProjectOnTheCommandLineComesFirst() {
        const std::vector<ProjectTemplate> templates = all();
        const QString folder = projects() + QStringLiteral("/Plain");
        QVERIFY(editor::createProject(templateOf(templates, "empty"), folder, QStringLiteral("Plain")).ok());
        start(folder.toStdString());
        QVERIFY(!page().isVisible());
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    TestStart test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_start.moc"
