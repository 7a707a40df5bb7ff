// Files that are listed, pictured and copied in; two thousand of them, and hostile ones.

#include "tests/assets/asset_fixture.h"
#include "widgets/assets/asset_files.h"
#include "widgets/assets/asset_import.h"

#include <QElapsedTimer>
#include <QSignalSpy>

#include <sys/stat.h>

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::ui::test;

namespace {
const std::atomic<bool> GoOn = false;

QStringList namesOf(const AssetFiles& files) {
    QStringList out;
    for (const AssetEntry& entry : files.entries())
        out << entry.name;
    return out;
}

// Asks until it is there.
const AssetPreview* previewOf(AssetPreviews& previews, const AssetFiles& files, const QString& name) {
    const AssetEntry* entry = files.find(name);
    if (entry == nullptr)
        return nullptr;
    static_cast<void>(previews.find(name, entry->kind, entry->identity));
    [&] { QTRY_VERIFY_WITH_TIMEOUT(previews.known(name) != nullptr, 30'000); }();
    return previews.known(name);
}
} // namespace

class TestFiles : public QObject {
    Q_OBJECT
private slots:
    // As they come, change and go, without another program coming to the front; hidden folders, links to folders and devices do not count.
    void theListFollowsTheFolder() {
        AssetFixture f;
        f.write(QStringLiteral(".git/x.obj"), Triangle);
        f.write(QStringLiteral("notes.txt"), "no asset");
        QVERIFY(QFile::link(f.path(QStringLiteral("meshes")), f.path(QStringLiteral("again"))));
        AssetFiles files;
        files.setFolder(f.path(QString()));
        QTRY_COMPARE(namesOf(files), QStringList({"meshes/rock.obj", "meshes/spare.obj", "sounds/bell.wav"}));
        f.write(QStringLiteral("meshes/deep/rock 2 <b>ä</b>.glb"), "x");
        QTRY_VERIFY_WITH_TIMEOUT(files.find(QStringLiteral("meshes/deep/rock 2 <b>ä</b>.glb")) != nullptr, 10'000);
        const FileIdentity before = files.find(QStringLiteral("meshes/rock.obj"))->identity;
        f.write(QStringLiteral("meshes/rock.obj"), Triangle + "# more\n");
        files.look(); // the system tells of what is in a folder, not of what is written into a file
        QTRY_VERIFY_WITH_TIMEOUT(!(files.find(QStringLiteral("meshes/rock.obj"))->identity == before), 10'000);
        QVERIFY(QFile::remove(f.path(QStringLiteral("meshes/spare.obj"))));
        QTRY_VERIFY_WITH_TIMEOUT(files.find(QStringLiteral("meshes/spare.obj")) == nullptr, 10'000);
        files.setFolder({});
        QVERIFY(files.entries().empty());
    }

    void picturesAndWaveforms() {
        AssetFixture f;
        f.write(QStringLiteral("meshes/bad.obj"), "this is no mesh");
        QVERIFY(::mkfifo(QFile::encodeName(f.path(QStringLiteral("meshes/pipe.obj"))).constData(), 0600) == 0);
        AssetFiles files;
        files.setFolder(f.path(QString()));
        QTRY_VERIFY(files.find(QStringLiteral("meshes/pipe.obj")) != nullptr);
        AssetPreviews previews({});
        previews.setFolder(f.path(QString()));
        const AssetPreview* mesh = previewOf(previews, files, QStringLiteral("meshes/rock.obj"));
        QVERIFY(mesh != nullptr && mesh->state == AssetPreview::State::Ready);
        QCOMPARE(mesh->triangles, qint64{1});
        QCOMPARE(mesh->bounds.size().x, 2.0F);
        QCOMPARE(mesh->picture.size(), QSize(AssetPreviews::Size, AssetPreviews::Size));
        const AssetPreview* sound = previewOf(previews, files, QStringLiteral("sounds/bell.wav"));
        QVERIFY(sound != nullptr && sound->state == AssetPreview::State::Ready);
        QCOMPARE(sound->seconds, 0.5);
        QCOMPARE(sound->channels, 2);
        QCOMPARE(sound->sampleRate, 48000.0);
        QCOMPARE(sound->wave.size(), qsizetype{AssetPreviews::Columns});
        for (const auto& [low, high] : sound->wave)
            QVERIFY(std::abs(high - 0.25F) < 0.01F && std::abs(low - 0.25F) < 0.01F);
        const AssetPreview* bad = previewOf(previews, files, QStringLiteral("meshes/bad.obj"));
        QVERIFY(bad != nullptr && bad->state == AssetPreview::State::Faulty);
        QVERIFY2(bad->fault.contains(QStringLiteral("meshes/bad.obj")), qPrintable(bad->fault));
        const AssetPreview* pipe = previewOf(previews, files, QStringLiteral("meshes/pipe.obj"));
        QVERIFY(pipe != nullptr && pipe->fault.contains(QStringLiteral("FIFO")));
    }

    // By content: another run and another name find it; a part that changed, or a damaged entry, does not.
    void theCacheIsByContent() {
        AssetFixture f;
        const QString cache = f.dir.filePath(QStringLiteral("cache"));
        const auto look = [&](const QString& name, qint64 triangles) {
            AssetFiles files;
            files.setFolder(f.path(QString()));
            [&] { QTRY_VERIFY(files.find(name) != nullptr); }();
            AssetPreviews previews(cache);
            previews.setFolder(f.path(QString()));
            const AssetPreview* preview = previewOf(previews, files, name);
            return preview != nullptr && preview->triangles == triangles && !preview->picture.isNull() ? previews.readCount() : -1;
        };
        QCOMPARE(look(QStringLiteral("meshes/rock.obj"), 1), 1);
        QCOMPARE(look(QStringLiteral("meshes/rock.obj"), 1), 0);
        f.write(QStringLiteral("elsewhere/copy.obj"), Triangle);
        QCOMPARE(look(QStringLiteral("elsewhere/copy.obj"), 1), 0);
        f.write(QStringLiteral("meshes/rock.obj"), Triangle + "f 3 2 1\n");
        QCOMPARE(look(QStringLiteral("meshes/rock.obj"), 2), 1);
        const QStringList kept = QDir(cache).entryList(QDir::Files);
        QCOMPARE(kept.size(), 2);
        for (const QString& each : kept) {
            QFile file(QDir(cache).filePath(each));
            QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(30) && file.write("damage") == 6);
        }
        QCOMPARE(look(QStringLiteral("meshes/rock.obj"), 2), 1);
        QCOMPARE(look(QStringLiteral("meshes/rock.obj"), 2), 0);
    }

    // The panel asks for what it shows, not for all there is; and walks the folder elsewhere.
    void twoThousandFiles() {
        AssetFixture f;
        for (int i = 0; i < 2000; ++i)
            f.write(QStringLiteral("meshes/many/rock_%1.obj").arg(i), Triangle + QByteArray::number(i).prepend("# ") + '\n');
        AssetPanel& panel = f.show();
        QTRY_COMPARE_WITH_TIMEOUT(panel.model().fileCount(), 2003, 30'000);
        panel.grab();
        QTRY_VERIFY_WITH_TIMEOUT(panel.previews().readCount() > 0, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(panel.previewOf(QStringLiteral("meshes/many/rock_0.obj")) != nullptr, 30'000);
        QVERIFY2(panel.previews().readCount() < 60, qPrintable(QString::number(panel.previews().readCount())));
    }

    // Copied into the folder of their kind, under free names; nothing is overwritten; other files are refused.
    void filesAreCopiedIn() {
        AssetFixture f;
        const QString from = f.dir.filePath(QStringLiteral("desktop"));
        const auto put = [&](const QString& name, const QByteArray& bytes) {
            QDir().mkpath(QFileInfo(from + QLatin1Char('/') + name).path());
            QFile file(from + QLatin1Char('/') + name);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
        };
        const QString rock = put(QStringLiteral("rock.obj"), "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n");
        const QString note = put(QStringLiteral("note.txt"), "hello");
        const QString song = put(QStringLiteral("a song.wav"), f.read(QStringLiteral("sounds/bell.wav")));
        AssetImport::Outcome done = AssetImport::copy(f.path(QString()), {rock, note, song, from + QStringLiteral("/none.obj")}, {}, GoOn);
        QCOMPARE(done.made, QStringList({"meshes/rock_2.obj", "sounds/a song.wav"}));
        QCOMPARE(done.refused.size(), 2);
        QVERIFY(done.refused[0].contains(QStringLiteral("note.txt")) && done.refused[1].contains(QStringLiteral("none.obj")));
        QCOMPARE(f.read(QStringLiteral("meshes/rock.obj")), Triangle);
        QVERIFY(f.read(QStringLiteral("meshes/rock_2.obj")).contains("v 9 0 0"));
        done = AssetImport::copy(f.path(QString()), {rock}, QStringLiteral("meshes/new"), GoOn);
        QCOMPARE(done.made, QStringList({"meshes/new/rock.obj"}));
        QVERIFY(QDir(f.path(QStringLiteral("meshes"))).entryList({QStringLiteral(".signalbox*")}, QDir::Files | QDir::Hidden).isEmpty());
    }

    // A mesh brings what it is made of; where the project has another file of that name, it is refused as a whole.
    void partsComeAlong() {
        AssetFixture f;
        const QString from = f.dir.filePath(QStringLiteral("desktop"));
        QVERIFY(QDir().mkpath(from));
        const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
        const QByteArray bin(reinterpret_cast<const char*>(corners), sizeof corners);
        const QByteArray gltf =
            R"({"asset":{"version":"2.0"},"buffers":[{"uri":"tri.bin","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0})";
        for (const auto& [name, bytes] : {std::pair("tri.gltf", gltf), std::pair("tri.bin", bin)}) {
            QFile file(from + QLatin1Char('/') + QLatin1String(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        }
        AssetImport::Outcome done = AssetImport::copy(f.path(QString()), {from + QStringLiteral("/tri.gltf")}, {}, GoOn);
        QCOMPARE(done.made, QStringList({"meshes/tri.gltf"}));
        QCOMPARE(f.read(QStringLiteral("meshes/tri.bin")), bin);
        f.write(QStringLiteral("other/tri.bin"), "another");
        done = AssetImport::copy(f.path(QString()), {from + QStringLiteral("/tri.gltf")}, QStringLiteral("other"), GoOn);
        QVERIFY(done.made.isEmpty() && done.refused.size() == 1 && done.refused[0].contains(QStringLiteral("tri.bin")));
        QVERIFY(!f.exists(QStringLiteral("other/tri.gltf")));
        QCOMPARE(f.read(QStringLiteral("other/tri.bin")), QByteArray("another"));
    }
};

QTEST_MAIN(TestFiles)
#include "tst_files.moc"
