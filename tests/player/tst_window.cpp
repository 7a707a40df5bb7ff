// The player's window on a real display: the program as a whole, and the window with a session on its own thread.

#include <QTest>

#include "app/common/display.h"
#include "app/player/playback.h"
#include "app/player/player_window.h"
#include "engine/components/messages.h"
#include "engine/session/simulation_thread.h"
#include "tests/folders.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/viewport_view.h"

#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <glm/geometric.hpp>

using namespace sbx;
using namespace sbx::player;

namespace {

const QString Program = sbx::test::qBuildPath("bin/signalbox-player");
const QString Courtyard = sbx::test::qSourcePath("resources/projects/courtyard");
const QString Pinball = sbx::test::qSourcePath("resources/projects/pinball");

struct Run {
    int status = -1;
    QString err;
};
Run run(const QStringList& arguments, const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(Program, arguments);
    process.waitForFinished(60000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardError())};
}

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// The window with its session, as the program puts them together.
struct Game {
    Playback playback;
    ui::Theme theme;
    std::unique_ptr<PlayerWindow> window;
    std::unique_ptr<SimulationThread> thread;

    static Options options(const QString& project) {
        Options options;
        options.project = project.toStdString();
        options.seed = 7;
        return options;
    }
    explicit Game(const QString& project) : playback(options(project)) {
        if (playback.open() != 0)
            qFatal("the project does not open");
        window = std::make_unique<PlayerWindow>(playback.session(), theme);
        window->resize(640, 400);
        window->show();
        window->activateWindow();
        thread = std::make_unique<SimulationThread>(playback.session());
        playback.session().post([this](Session&) { playback.start(); });
    }
    ~Game() {
        thread.reset();
        window.reset();
    }
    [[nodiscard]] ui::ViewportView& view() const { return *window->findChild<ui::ViewportView*>(); }
    [[nodiscard]] Vec3 eye() const { return playback_().snapshot()->scene->camera->pose.position; }
    [[nodiscard]] Vec3 sight() const {
        return playback_().snapshot()->scene->camera->pose.rotation * Vec3(0.0F, 0.0F, -1.0F);
    }
    [[nodiscard]] bool active() const { return window->isActiveWindow() && view().hasFocus(); }

private:
    [[nodiscard]] Session& playback_() const { return const_cast<Playback&>(playback).session(); }
};

} // namespace

class TestWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (const Result<void> display = app::findDisplay(); !display)
            QSKIP(display.error().message.c_str());
    }
    // What the window shows is the run that a loop makes: same ticks, same bytes; and it shows it.
    void playsTheSameRunAndSavesItsPicture() {
        QTemporaryDir dir;
        const QStringList common{Courtyard, QStringLiteral("--ticks"), QStringLiteral("90"), QStringLiteral("--seed"), QStringLiteral("7")};
        const Run shown = run(common
                              + QStringList{QStringLiteral("--digest"), dir.filePath(QStringLiteral("w")), QStringLiteral("--trace"),
                                            dir.filePath(QStringLiteral("wt")), QStringLiteral("--size"), QStringLiteral("800x500"),
                                            QStringLiteral("--screenshot"), dir.filePath(QStringLiteral("w.png"))});
        QVERIFY2(shown.status == 0, qPrintable(shown.err));
        const Run loop = run(common
                             + QStringList{QStringLiteral("--headless"), QStringLiteral("--digest"), dir.filePath(QStringLiteral("h")),
                                           QStringLiteral("--trace"), dir.filePath(QStringLiteral("ht"))});
        QVERIFY2(loop.status == 0, qPrintable(loop.err));
        QCOMPARE(read(dir.filePath(QStringLiteral("w"))).count('\n'), 90);
        QCOMPARE(read(dir.filePath(QStringLiteral("w"))), read(dir.filePath(QStringLiteral("h"))));
        QCOMPARE(read(dir.filePath(QStringLiteral("wt"))), read(dir.filePath(QStringLiteral("ht"))));
        const QImage picture(dir.filePath(QStringLiteral("w.png")));
        QCOMPARE(picture.size(), QSize(800, 500));
        // Sky above, ground below: bluer there than here.
        const QColor sky = picture.pixelColor(400, 40);
        const QColor ground = picture.pixelColor(400, 470);
        QVERIFY(sky.blue() > sky.red() + 20);
        QVERIFY(ground.red() > ground.blue());
    }
    // A stranger to the project sees which keys do something, when the picture is there and again on F1.
    void itShowsTheKeysOfTheProject() {
        Game pinball(Pinball);
        auto* hint = pinball.window->findChild<QLabel*>(QStringLiteral("player.hint"));
        QVERIFY(hint != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(hint->isVisible(), 30000);
        for (const char* key : {"Left: Flipper", "Right: RightFlipper", "Space: Launcher", "Esc twice: quit"})
            QVERIFY2(hint->text().contains(QLatin1String(key)), qPrintable(hint->text()));
        QVERIFY(!hint->text().contains(QStringLiteral("WASD")));
        hint->hide();
        QTest::keyClick(&pinball.view(), Qt::Key_F1);
        QVERIFY(hint->isVisible() && hint->text().contains(QStringLiteral("Left: Flipper")));
        Game courtyard(Courtyard);
        hint = courtyard.window->findChild<QLabel*>(QStringLiteral("player.hint"));
        QTRY_VERIFY_WITH_TIMEOUT(hint->isVisible(), 30000);
        QVERIFY2(hint->text().contains(QStringLiteral("WASD: walk")), qPrintable(hint->text()));
    }
    // A client that finds no server says so in the window and on standard error, at once, and has failed.
    void aClientWithoutAServerSaysSo() {
        const Run none = run({Courtyard, QStringLiteral("--connect"), QStringLiteral("127.0.0.1:9"), QStringLiteral("--ticks"),
                              QStringLiteral("1000000"), QStringLiteral("--size"), QStringLiteral("400x300"), QStringLiteral("--safe-mode")});
        QCOMPARE(none.status, 1);
        QCOMPARE(none.err.count(QStringLiteral("error: 127.0.0.1:9: there is no answer")), 1);
        QVERIFY(!none.err.contains(QStringLiteral("connection broke")));
    }
    void aLostConnectionStandsInThePicture() {
        Game game(Courtyard);
        auto* text = game.window->findChild<QLabel*>(QStringLiteral("player.connection"));
        QVERIFY(text != nullptr);
        game.window->setConnection(QStringLiteral("Connecting to somewhere:4321 …"), {});
        QVERIFY(text->isVisible() && text->text().contains(QStringLiteral("somewhere:4321")));
        game.window->setConnection({}, {});
        QVERIFY(!text->isVisible());
        const QString why = QStringLiteral("somewhere:4321: the server plays something else. These differ: a long list of files, ")
                                .repeated(4);
        game.window->setConnection({}, why);
        QVERIFY(text->isVisible() && text->text().contains(why));
        // All of it lies in the picture, at any size.
        for (const QSize size : {QSize(400, 400), QSize(900, 500)}) {
            game.window->resize(size);
            QTRY_COMPARE(game.window->size(), size);
            QTRY_VERIFY(game.window->rect().contains(text->geometry()));
            QVERIFY(text->height() >= text->heightForWidth(text->width()));
        }
    }
    void scriptsDecideTheStatusHereToo() {
        QTemporaryDir dir;
        QFile script(dir.filePath(QStringLiteral("s.cfg")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("wait 5\nexpect count(type == \"Bat\") == 6\n");
        script.close();
        QCOMPARE(run({Courtyard, QStringLiteral("--ticks"), QStringLiteral("20"), QStringLiteral("--exec"), script.fileName()}).status, 1);
        QCOMPARE(run({dir.path(), QStringLiteral("--ticks"), QStringLiteral("20")}).status, 2); // no project there
        QCOMPARE(run({Courtyard, QStringLiteral("--ticks"), QStringLiteral("1"), QStringLiteral("--screenshot"), dir.path()}).status, 1);
    }
    void withoutADisplayItSaysSo_data() {
        QTest::addColumn<QString>("display");
        QTest::newRow("none") << QString();
        QTest::newRow("nobody there") << QStringLiteral(":4711");
        QTest::newRow("no display at all") << QStringLiteral("nonsense");
    }
    void withoutADisplayItSaysSo() {
        QFETCH(QString, display);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(name));
        if (!display.isEmpty())
            environment.insert(QStringLiteral("DISPLAY"), display);
        const Run refused = run({Courtyard, QStringLiteral("--ticks"), QStringLiteral("1")}, environment);
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.startsWith(QStringLiteral("error: no display")), qPrintable(refused.err));
        QVERIFY2(refused.err.endsWith(QStringLiteral("use --headless\n")), qPrintable(refused.err));
        QCOMPARE(refused.err.count(QLatin1Char('\n')), 1);
        QCOMPARE(run({Courtyard, QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("1")}, environment).status, 0);
    }
    void handsWalkAndLook() {
        Game game(Courtyard);
        QTRY_VERIFY(game.active());
        QTRY_VERIFY(game.window->hasMouse());
        QTRY_VERIFY(game.playback.session().snapshot()->tick > 5);
        const Vec3 from = game.eye();
        const Vec3 ahead = game.sight();
        QTest::keyPress(&game.view(), Qt::Key_W);
        QTRY_VERIFY(glm::dot(game.eye() - from, ahead) > 0.5F);
        QTest::keyRelease(&game.view(), Qt::Key_W);
        // A hundred pixels to the right turn the look to the right.
        const QPoint middle = game.view().rect().center();
        QTest::mouseMove(&game.view(), middle + QPoint(60, 0));
        QTRY_VERIFY(glm::dot(game.sight(), glm::cross(ahead, Vec3(0.0F, 1.0F, 0.0F))) > 0.1F);
        // Tab is nobody's business here.
        QTest::keyClick(&game.view(), Qt::Key_Tab);
        QVERIFY(game.view().hasFocus());
    }
    void escapeGivesTheMouseBackThenQuits() {
        Game game(Courtyard);
        QTRY_VERIFY(game.window->hasMouse());
        QTest::keyClick(&game.view(), Qt::Key_Escape);
        QVERIFY(!game.window->hasMouse());
        QVERIFY(game.window->isVisible());
        QTest::mouseClick(&game.view(), Qt::LeftButton);
        QVERIFY(game.window->hasMouse());
        QTest::keyClick(&game.view(), Qt::Key_Escape);
        QVERIFY(!game.window->hasMouse());
        QTest::keyClick(&game.view(), Qt::Key_W); // went on: the next Esc is a first one
        QTest::keyClick(&game.view(), Qt::Key_Escape);
        QVERIFY(game.window->isVisible());
        QTest::keyClick(&game.view(), Qt::Key_Escape);
        QTRY_VERIFY(!game.window->isVisible());
    }
    void aWorldOfKeysLeavesTheMouseAlone() {
        Game game(Pinball);
        QTRY_VERIFY(game.active());
        QTRY_VERIFY(game.playback.session().snapshot()->tick > 5);
        QSignalSpy frames(&game.view(), &ui::ViewportView::frameShown);
        QTRY_VERIFY(frames.count() > 1);
        QVERIFY(!game.window->hasMouse());
        QTest::mouseClick(&game.view(), Qt::LeftButton);
        QVERIFY(!game.window->hasMouse());
    }
    void wholeScreenAndBack() {
        Game game(Pinball);
        QTRY_VERIFY(game.active());
        const QSize before = game.window->size();
        QTest::keyClick(&game.view(), Qt::Key_F11);
        QTRY_VERIFY(game.window->isFullScreen());
        QTRY_COMPARE(game.view().size(), game.window->screen()->size());
        QTest::keyClick(&game.view(), Qt::Key_F11);
        QTRY_COMPARE(game.window->size(), before);
    }
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
