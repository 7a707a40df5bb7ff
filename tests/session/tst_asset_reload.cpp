// Files that change while the project is open. The test is the session's thread.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/audio/hrtf_set.h"
#include "engine/audio/renderer.h"
#include "engine/audio/sound_file.h"
#include "engine/commands/console_commands.h"
#include "engine/components/sound_system.h"
#include "engine/session/asset_reload.h"
#include "engine/session/session.h"
#include "engine/soundstage/sound_stage.h"
#include "tests/soundstage/recorded_sound.h"

#include <atomic>
#include <cmath>
#include <numbers>

using namespace sbx;

namespace {

QByteArray triangle(float size) {
    return QStringLiteral("v 0 0 0\nv %1 0 0\nv 0 %1 0\nf 1 2 3\n").arg(static_cast<double>(size)).toUtf8();
}

struct Fixture {
    QTemporaryDir dir;
    Log log;
    Session session{log, addConsoleCommands};
    std::atomic<int> posts = 0;
    AssetReload reload{session};

    Fixture() {
        session.handlers().wakeUp = [this] { ++posts; };
        write("project.toml", "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write("e.toml", "[Rock]\n[Rock.Mesh]\nmesh = \"m/rock.obj\"\n[Late]\n[Late.Mesh]\nmesh = \"m/late.obj\"\n"
                        "[Bell]\n[Bell.Sound]\nfile = \"s/bell.wav\"\n");
        write("s.scene.toml", "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Rock\"\n[[entity]]\ntype = \"Late\"\n[[entity]]\ntype = \"Bell\"\n");
        write("m/rock.obj", triangle(1.0F));
        sound(24000);
        Diagnostics faults;
        session.open(loadContent(dir.path().toStdString(), "", session.catalog().schema, faults));
        session.publish();
    }
    void write(const char* name, const QByteArray& bytes) {
        const QString path = dir.filePath(QLatin1String(name));
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
    }
    void sound(std::size_t frames) {
        QDir().mkpath(dir.filePath(QStringLiteral("s")));
        if (!audio::writeWav(dir.filePath(QStringLiteral("s/bell.wav")).toStdString(), std::vector<float>(2 * frames, 0.25F), 48000.0))
            qFatal("no sound file");
    }
    // Four seconds.
    void tone(double hertz) {
        constexpr std::size_t Frames = 4 * 48000;
        std::vector<float> out(2 * Frames);
        for (std::size_t n = 0; n < Frames; ++n)
            out[2 * n] = out[2 * n + 1] = 0.2F * static_cast<float>(std::sin(2.0 * std::numbers::pi * hertz * static_cast<double>(n) / 48000.0));
        if (!audio::writeWav(dir.filePath(QStringLiteral("s/bell.wav")).toStdString(), out, 48000.0))
            qFatal("no sound file");
    }
    // One whole look at the disk, and what the session does with it.
    void look() {
        const std::uint64_t before = reload.looks();
        reload.look();
        QTRY_VERIFY_WITH_TIMEOUT((session.runPosted(), reload.looks() > before), 30'000);
        session.publish();
    }
    // The first sees that it has changed, the second that it has settled.
    void twoLooks() {
        look();
        look();
    }
    [[nodiscard]] render::MeshId rock() { return *session.meshes().find("m/rock.obj"); }
    [[nodiscard]] float widthOf(render::MeshId id) { return session.meshes().data(id)->bounds.size().x; }
    [[nodiscard]] audio::SoundLibrary& sounds() { return session.simulation().sounds().library(); }
};

} // namespace

class TestAssetReload : public QObject {
    Q_OBJECT
private slots:
    void nothingChangesBySelf() {
        Fixture f;
        const auto before = f.session.meshes().data(f.rock());
        const std::uint64_t changes = (f.twoLooks(), f.reload.changes());
        f.twoLooks();
        QCOMPARE(f.reload.changes(), changes);
        QVERIFY(f.session.meshes().data(f.rock()) == before);
    }

    // A file that was renamed, and whose texts follow, is missed by nobody.
    void aNameThatNothingRefersToIsNoFault() {
        Fixture f;
        f.twoLooks();
        QVERIFY(QFile::rename(f.dir.filePath(QStringLiteral("s/bell.wav")), f.dir.filePath(QStringLiteral("s/gong.wav"))));
        f.write("e.toml", "[Rock]\n[Rock.Mesh]\nmesh = \"m/rock.obj\"\n[Late]\n[Late.Mesh]\nmesh = \"m/late.obj\"\n"
                          "[Bell]\n[Bell.Sound]\nfile = \"s/gong.wav\"\n");
        Diagnostics faults;
        f.session.applyContent(loadContent(f.dir.path().toStdString(), "", f.session.catalog().schema, faults));
        f.twoLooks();
        f.twoLooks();
        QVERIFY(f.reload.faults().empty());
    }

    // The id stays, so that what is drawn by it is drawn anew. Only after a second look that sees the same: a program may still write.
    void aMeshIsReadAgain() {
        Fixture f;
        const render::MeshId id = f.rock();
        QCOMPARE(f.widthOf(id), 1.0F);
        f.twoLooks();
        f.write("m/rock.obj", triangle(3.0F));
        f.look();
        QCOMPARE(f.widthOf(id), 1.0F);
        f.write("m/rock.obj", triangle(4.0F));
        f.look();
        QCOMPARE(f.widthOf(id), 1.0F);
        f.look();
        QCOMPARE(f.widthOf(id), 4.0F);
        QVERIFY(f.rock() == id);
        QVERIFY(f.reload.faults().empty());
    }

    // The data is taken by a command: whatever the worker has read, a tick sees what the tick before saw.
    void itIsTakenBetweenTicks() {
        Fixture f;
        const render::MeshId id = f.rock();
        f.session.play();
        f.session.tick();
        f.write("m/rock.obj", triangle(2.0F));
        f.look();
        const auto before = f.session.meshes().data(id);
        f.reload.look();
        f.session.runPosted(); // the session says what it has
        const int posted = f.posts;
        QTRY_VERIFY_WITH_TIMEOUT(f.posts >= posted + 2, 30'000); // what was read, and the end of the look
        QVERIFY(f.session.meshes().data(id) == before);
        f.session.tick();
        QCOMPARE(f.widthOf(id), 2.0F);
        QVERIFY(f.session.mode() == Mode::Play);
        QCOMPARE(f.session.world().tickCount(), std::uint64_t{2});
    }

    void aBadFileKeepsTheOldOne() {
        Fixture f;
        const render::MeshId id = f.rock();
        const auto before = f.session.meshes().data(id);
        f.twoLooks();
        f.write("m/rock.obj", "nothing that is a mesh\n");
        f.twoLooks();
        QVERIFY(f.session.meshes().data(id) == before);
        QCOMPARE(f.reload.faults().size(), std::size_t{1});
        QCOMPARE(f.reload.faults()[0].asset, std::string("m/rock.obj"));
        QVERIFY2(f.reload.faults()[0].why.find("m/rock.obj") != std::string::npos, f.reload.faults()[0].why.c_str());
        // Not read again and again.
        const std::uint64_t changes = f.reload.changes();
        f.twoLooks();
        QCOMPARE(f.reload.changes(), changes);
        QVERIFY(QFile::remove(f.dir.filePath(QStringLiteral("m/rock.obj"))));
        f.twoLooks();
        QVERIFY(f.session.meshes().data(id) == before);
        QCOMPARE(f.reload.faults().size(), std::size_t{1});
        f.write("m/rock.obj", triangle(5.0F));
        f.twoLooks();
        QCOMPARE(f.widthOf(id), 5.0F);
        QVERIFY(f.reload.faults().empty());
    }

    void aFileThatComesLaterIsDrawn() {
        Fixture f;
        QCOMPARE(f.session.snapshot()->scene->instances.size(), std::size_t{1});
        f.twoLooks();
        f.write("m/late.obj", triangle(2.0F));
        f.twoLooks();
        QCOMPARE(f.session.snapshot()->scene->instances.size(), std::size_t{2});
    }

    // What begins to sound from then on is the new sound, and its length counts; who has the old one keeps it.
    void aSoundIsReadAgain() {
        Fixture f;
        const auto before = f.sounds().data("s/bell.wav", 48000.0);
        QVERIFY(before.ok());
        QCOMPARE((*before)->length(), std::int64_t{24000});
        QCOMPARE(f.sounds().info("s/bell.wav")->seconds, 0.5);
        f.twoLooks();
        f.sound(12000);
        f.twoLooks();
        QCOMPARE(f.sounds().info("s/bell.wav")->seconds, 0.25);
        QCOMPARE((*f.sounds().data("s/bell.wav", 48000.0))->length(), std::int64_t{12000});
        QCOMPARE((*before)->length(), std::int64_t{24000});
        f.write("s/bell.wav", "no sound");
        f.twoLooks();
        QCOMPARE((*f.sounds().data("s/bell.wav", 48000.0))->length(), std::int64_t{12000});
        QCOMPARE(f.reload.faults().size(), std::size_t{1});
    }

    // A loop that sounds starts over with the new sound; what sounds once ends as it began.
    void whatSoundsOverAndOverIsHeardAnew_data() {
        QTest::addColumn<bool>("loops");
        QTest::addColumn<double>("hertz");
        QTest::newRow("a loop") << true << 900.0;
        QTest::newRow("once") << false << 300.0;
    }
    void whatSoundsOverAndOverIsHeardAnew() {
        QFETCH(bool, loops);
        QFETCH(double, hertz);
        Fixture f;
        audio::RendererSettings settings;
        settings.sampleRate = 48000.0;
        settings.maximumSources = 4;
        auto renderer = audio::Renderer::create(settings, audio::HrtfSet::sphere(48000.0));
        QVERIFY(renderer.ok());
        SoundStage stage(**renderer, SoundStage::Clock::Ticks);
        f.session.sound().setStage(&stage);
        f.tone(300.0);
        f.write("e.toml", QByteArray("[Bell]\n[Bell.Sound]\nfile = \"s/bell.wav\"\nwhen = \"start\"\nspatial = false\nloop = ") + (loops ? "true" : "false")
                              + "\n[Head]\n[Head.Listener]\n");
        f.write("s.scene.toml", "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Bell\"\n[[entity]]\ntype = \"Head\"\n");
        Diagnostics faults;
        f.session.open(loadContent(f.dir.path().toStdString(), "", f.session.catalog().schema, faults));
        QVERIFY2(faults.items.empty(), faults.items.empty() ? "" : faults.items[0].toString().c_str());
        f.session.play();
        constexpr std::size_t TickFrames = 800;
        std::vector<float> heard;
        const auto run = [&](int ticks) {
            heard.assign(static_cast<std::size_t>(ticks) * TickFrames * 2, 0.0F);
            for (int i = 0; i < ticks; ++i) {
                f.session.tick();
                (*renderer)->render(std::span(heard).subspan(static_cast<std::size_t>(i) * TickFrames * 2, TickFrames * 2));
            }
            return sound_test::lengthAndPitch(std::span<const float>(heard)).hertz;
        };
        run(20);
        QVERIFY(std::abs(run(20) / 300.0 - 1.0) < 0.05);
        f.tone(900.0);
        f.twoLooks();
        run(20);
        const double now = run(20);
        QVERIFY2(std::abs(now / hertz - 1.0) < 0.05, qPrintable(QString::number(now)));
        f.session.sound().setStage(nullptr);
    }

    // A part of a mesh counts as the mesh does. And a project that is closed has no faults.
    void partsCount() {
        Fixture f;
        f.write("m/rock.obj", "mtllib x.mtl\n" + triangle(1.0F));
        f.twoLooks();
        QVERIFY(f.reload.faults().empty());
        f.write("m/rock.obj", "bad");
        f.twoLooks();
        QCOMPARE(f.reload.faults().size(), std::size_t{1});
        f.session.open(nullptr);
        f.twoLooks();
        QVERIFY(f.reload.faults().empty());
    }
};

QTEST_GUILESS_MAIN(TestAssetReload)
#include "tst_asset_reload.moc"
