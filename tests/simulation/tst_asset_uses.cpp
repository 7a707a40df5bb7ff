// Where texts name files.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/simulation/asset_uses.h"
#include "tests/simulation/project_in_memory.h"

using namespace sbx;

class TestAssetUses : public QObject {
    Q_OBJECT
private slots:
    void kinds() {
        QVERIFY(assetKind("a/b.GLTF") == AssetKind::Mesh && assetKind("a.glb") == AssetKind::Mesh && assetKind("a.obj") == AssetKind::Mesh);
        QVERIFY(assetKind("a.wav") == AssetKind::Sound && assetKind("a.flac") == AssetKind::Sound && assetKind("ä b.Ogg") == AssetKind::Sound);
        QVERIFY(!assetKind("a.bin") && !assetKind("") && !assetKind("obj") && !assetKind("a.obj/b"));
        QCOMPARE(assetName("./meshes//x/../rock.obj"), std::string("meshes/rock.obj"));
    }
    // Each place once, where it is written, whichever order the types stand in; primitives are no files.
    void everyPlaceOnce() {
        Log log;
        Session session(log, addConsoleCommands);
        const auto content = projectInMemory(session,
                                             "[B]\nextends = \"A\"\n[B.Body]\n[A]\n[A.Mesh]\nmesh = \"./m/rock.obj\"\n"
                                             "[C]\nextends = \"B\"\n[C.Mesh]\nmesh = \"m/other.obj\"\n"
                                             "[D]\n[D.Mesh]\nmesh = \"box\"\n[D.Sound]\nfile = \"s/a.wav\"\n",
                                             "[scene]\nname = \"S\"\n[[entity]]\ntype = \"A\"\nname = \"one\"\n[entity.Mesh]\nmesh = \"m/rock.obj\"\n"
                                             "[[entity]]\ntype = \"A\"\nname = \"two\"\n");
        QVERIFY(content != nullptr);
        const std::vector<AssetUse> uses = assetUses(*content, session.catalog().schema);
        QStringList found;
        for (const AssetUse& use : uses)
            found << QStringLiteral("%1 %2 %3.%4 %5:%6")
                         .arg(QString::fromStdString(use.asset), QString::fromStdString(use.owner), QString::fromStdString(use.component),
                              QString::fromStdString(use.key), use.ofType ? QStringLiteral("type") : QStringLiteral("entity"))
                         .arg(use.region.line);
        found.sort();
        QCOMPARE(found, QStringList({"m/other.obj C Mesh.mesh type:10", "m/rock.obj A Mesh.mesh type:6", "m/rock.obj one Mesh.mesh entity:7",
                                     "s/a.wav D Sound.file type:15"}));
    }
};

QTEST_GUILESS_MAIN(TestAssetUses)
#include "tst_asset_uses.moc"
