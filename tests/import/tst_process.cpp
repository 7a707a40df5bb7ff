// An import process that crashes, ends, keeps silent or lies costs one error and nothing else.

#include <QtTest>

#include "engine/audio/detail/sound_reader.h"
#include "engine/audio/sound_file.h"
#include "engine/audio/streamed_sound.h"
#include "engine/core/import_process.h"
#include "engine/render/mesh.h"
#include "tests/folders.h"
#include "tests/import/hostile_folder.h"

#include <atomic>
#include <csignal>

using namespace sbx;
using sbx::test::HostileFolder;

namespace {

// The processes that this one has started and not yet reaped.
std::vector<int> startedProcesses() {
    std::vector<int> out;
    const QDir threads(QStringLiteral("/proc/self/task"));
    for (const QString& thread : threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile file(threads.filePath(thread + QStringLiteral("/children")));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        for (const QByteArray& word : file.readAll().split(' '))
            if (word.toInt() > 0)
                out.push_back(word.toInt());
    }
    return out;
}

int openFiles() {
    return static_cast<int>(QDir(QStringLiteral("/proc/self/fd"))
                                .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
                                .size());
}

} // namespace

class TestProcess : public QObject {
    Q_OBJECT

    HostileFolder m_folder;
    ImportOptions m_options;

    AssetRef mode(const char* what, const char* ending) const {
        const QString name = QStringLiteral("asset") + QLatin1String(ending);
        HostileFolder::write(m_folder.inside(name), QByteArray(what) + "\n");
        return {m_folder.root(), name.toStdString()};
    }

    // Long enough to be read while it is played.
    std::filesystem::path longSound() {
        const std::filesystem::path path = m_folder.inside(QStringLiteral("long.wav")).toStdString();
        if (!audio::writeWav(path, std::vector<float>(2 * 1'000'000, 0.25F), 48'000.0))
            qFatal("cannot write");
        return path;
    }

private slots:
    void initTestCase() {
        m_options.program = sbx::test::qBuildPath("tests/misbehaving_import").toStdString();
        HostileFolder::write(m_folder.inside(QStringLiteral("good.obj")),
                             "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        QVERIFY2(std::filesystem::exists(importProgram()), importProgram().c_str());
    }
    void cleanup() { QVERIFY2(startedProcesses().empty(), "an import process is left"); }

    // A worker that must end with its program does not wait for a process that says nothing.
    void readingIsCancelled() {
        const std::atomic<bool> cancelled = true;
        ImportOptions options = m_options;
        options.cancelled = &cancelled;
        options.patience = std::chrono::hours(24);
        std::vector<render::MeshPart> parts;
        QVERIFY(!render::loadMesh(mode("silent", ".obj"), parts, options).ok());
        QVERIFY(!audio::SoundReader::open(mode("silent", ".wav"), options).ok());
    }

    void meshes_data() {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char* mode, const char* why) {
            QTest::newRow(mode) << QByteArray(mode) << QByteArray(why);
        };
        const char* nonsense = "the import process gave an answer that makes no sense";
        row("crash", "its import process crashed (Segmentation fault)");
        row("exit", "its import process ended with status 7");
        row("time", "used up its processor time");
        row("cut", "its import process ended with status 0");
        row("huge", nonsense);
        row("length", nonsense);
        row("index", nonsense);
        row("two", nonsense);
        row("kind", nonsense);
        row("talk", nonsense);
        row("ask", nonsense);
        row("nan", "not a finite number");
        row("text", "says  [31mthis ?");
        row("sound", nonsense);
    }
    void meshes() {
        QFETCH(QByteArray, mode);
        QFETCH(QByteArray, why);
        const int before = openFiles();
        std::vector<render::MeshPart> parts;
        const auto mesh = render::loadMesh(this->mode(mode.constData(), ".obj"), parts, m_options);
        QVERIFY(!mesh.ok());
        QVERIFY2(mesh.error().message.find(why.toStdString()) != std::string::npos,
                 mesh.error().message.c_str());
        QVERIFY2(mesh.error().message.starts_with("mesh \"asset.obj\" "), mesh.error().message.c_str());
        QCOMPARE(openFiles(), before);
    }

    void oneThatKeepsSilent() {
        ImportOptions options = m_options;
        options.patience = std::chrono::milliseconds(50);
        std::vector<render::MeshPart> parts;
        const auto mesh = render::loadMesh(mode("silent", ".gltf"), parts, options);
        QVERIFY(!mesh.ok());
        QVERIFY2(mesh.error().message.ends_with("the import process did not answer in time"),
                 mesh.error().message.c_str());
    }

    void oneThatIsNotThere() {
        std::vector<render::MeshPart> parts;
        ImportOptions options;
        options.program = m_folder.outside(QStringLiteral("nothing")).toStdString();
        const auto mesh = render::loadMesh(mode("crash", ".obj"), parts, options);
        QVERIFY(!mesh.ok());
        QVERIFY2(mesh.error().message.ends_with("nothing: No such file or directory"),
                 mesh.error().message.c_str());
    }

    void sounds_data() {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("crash") << QByteArray("crash") << QByteArray("crashed (Segmentation fault)");
        QTest::newRow("rate") << QByteArray("rate") << QByteArray("makes no sense");
        QTest::newRow("a mesh") << QByteArray("index") << QByteArray("makes no sense");
    }
    void sounds() {
        QFETCH(QByteArray, mode);
        QFETCH(QByteArray, why);
        const auto sound = audio::SoundReader::open(this->mode(mode.constData(), ".wav"), m_options);
        QVERIFY(!sound.ok());
        QVERIFY2(sound.error().message.find(why.toStdString()) != std::string::npos,
                 sound.error().message.c_str());
    }
    void aSoundThatEndsHalfway() {
        auto sound = audio::SoundReader::open(mode("half", ".wav"), m_options);
        QVERIFY(sound.ok());
        std::vector<float> frames(1000);
        QCOMPARE(sound->read(frames), std::size_t{1000});
        QVERIFY(!sound->fault());
        QCOMPARE(sound->read(frames), std::size_t{1000});
        QCOMPARE(sound->read(frames), std::size_t{0});
        QVERIFY(sound->fault().has_value());
        QVERIFY2(sound->fault()->message.ends_with("ended with status 9"), sound->fault()->message.c_str());
        QCOMPARE(sound->read(frames), std::size_t{0});
    }
    void aSoundOfMoreThanWasAskedFor() {
        auto sound = audio::SoundReader::open(mode("more", ".wav"), m_options);
        QVERIFY(sound.ok());
        std::vector<float> frames(1000);
        QCOMPARE(sound->read(frames), std::size_t{0});
        QVERIFY(sound->fault().has_value());
    }

    // The real one, killed while a long sound is played: silence from there on, and nothing waits.
    void aLongSoundWhoseProcessIsKilled() {
        const auto stream = audio::StreamedSound::open(longSound(), 48'000.0);
        QVERIFY(stream.ok());
        std::vector<float> out(100);
        (*stream)->read(0, 100, false, out.data());
        QCOMPARE(out, std::vector<float>(100, 0.25F));
        const std::vector<int> running = startedProcesses();
        QCOMPARE(running.size(), std::size_t{1});
        QCOMPARE(::kill(running.front(), SIGKILL), 0);
        const auto isThere = [&] {
            const std::uint64_t before = (*stream)->missed();
            (*stream)->read(900'000, 100, false, out.data());
            return (*stream)->missed() == before;
        };
        QVERIFY(QTest::qWaitFor(isThere, 30'000));
        QCOMPARE(out, std::vector<float>(100, 0.0F));
        QVERIFY((*stream)->fault() != nullptr);
        QVERIFY2((*stream)->fault()->message.ends_with("its import process was killed"), (*stream)->fault()->message.c_str());
    }

    // However many are read, no descriptor and no process stays.
    void nothingIsLeft() {
        std::vector<render::MeshPart> parts;
        static_cast<void>(render::loadMesh({m_folder.root(), "good.obj"}, parts, {}));
        const int before = openFiles();
        for (int i = 0; i < 20; ++i) {
            const auto mesh = render::loadMesh({m_folder.root(), "good.obj"}, parts, {});
            QVERIFY2(mesh.ok(), mesh.ok() ? "" : mesh.error().message.c_str());
        }
        QCOMPARE(openFiles(), before);
    }

    // Whatever a file makes the process do, it can open, start and reach nothing.
    void theProcessIsConfined() {
        const auto stream = audio::StreamedSound::open(longSound(), 48'000.0);
        QVERIFY(stream.ok());
        const std::vector<int> running = startedProcesses();
        QCOMPARE(running.size(), std::size_t{1});
        const QString folder = QStringLiteral("/proc/%1/").arg(running.front());
        QFile status(folder + QStringLiteral("status"));
        QVERIFY(status.open(QIODevice::ReadOnly));
        const QByteArray text = status.readAll();
#ifndef __SANITIZE_ADDRESS__
#ifndef __SANITIZE_THREAD__
        QVERIFY2(text.contains("Seccomp:\t2"), text.constData());
#endif
#endif
        QVERIFY2(text.contains("NoNewPrivs:\t1"), text.constData());
        QFile limits(folder + QStringLiteral("limits"));
        QVERIFY(limits.open(QIODevice::ReadOnly));
        const QByteArray all = limits.readAll().simplified();
        QVERIFY2(all.contains("Max file size 0 0 bytes"), all.constData());
        QVERIFY2(all.contains("Max core file size 0 0 bytes"), all.constData());
    }
};

QTEST_GUILESS_MAIN(TestProcess)
#include "tst_process.moc"
