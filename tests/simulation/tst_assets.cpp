// Settings that name files, against a folder on the disk.

#include <QFile>
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "engine/simulation/asset_checks.h"

using namespace sbx;

namespace {
void write(const QString& path, const char* text) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}
} // namespace

class TestAssets : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    Log m_log;
    Session m_session{m_log, addConsoleCommands};

    Diagnostics load(const char* definitions, const char* scene = "") {
        write(m_dir.filePath(QStringLiteral("entities.toml")), definitions);
        write(m_dir.filePath(QStringLiteral("s.scene.toml")), (std::string("[scene]\nname = \"S\"\n") + scene).c_str());
        Diagnostics faults;
        static_cast<void>(loadContent(m_dir.path().toStdString(), "", m_session.catalog().schema, faults));
        faults.sort();
        return faults;
    }

private slots:
    void initTestCase() {
        write(m_dir.filePath(QStringLiteral("project.toml")),
              "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"entities.toml\"]\n");
        write(m_dir.filePath(QStringLiteral("meshes/rock.obj")), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        write(m_dir.filePath(QStringLiteral(".hidden/rick.obj")), "");
        write(m_dir.filePath(QStringLiteral("meshes/notes.txt")), "");
    }
    void whatIsThereIsFine() {
        const Diagnostics faults = load("[A]\n[A.Mesh]\nmesh = \"meshes/rock.obj\"\n[B]\n[B.Mesh]\nmesh = \"box\"\n"
                                        "[C]\n[C.Mesh]\nmesh = \"capsule:0.5:2\"\n[D]\n[D.Mesh]\nmesh = \"\"\n");
        QVERIFY2(faults.items.empty(), faults.items.empty() ? "" : faults.items[0].toString().c_str());
    }
    void whatIsNotIsSaidOnceWithTheNearest() {
        const Diagnostics faults = load("[A]\n[A.Mesh]\nmesh = \"meshes/rok.obj\"\n[B]\nextends = \"A\"\n[C]\nextends = \"B\"\n");
        QCOMPARE(faults.items.size(), std::size_t(1));
        const Diagnostic& fault = faults.items[0];
        QVERIFY(fault.severity == Severity::Warning);
        QCOMPARE(fault.region.line, 3);
        QCOMPARE(fault.region.column, 8);
        QCOMPARE(fault.suggestion, std::string("meshes/rock.obj"));
        QVERIFY(QString::fromStdString(fault.toString()).contains(QStringLiteral("entities.toml:3:8: warning: mesh names no file")));
    }
    void aMisspeltPrimitiveIsAFaultToo() {
        const Diagnostics faults = load("[A]\n[A.Mesh]\nmesh = \"spere\"\n[B]\n[B.Mesh]\nmesh = \"capsule:no:2\"\n");
        QCOMPARE(faults.items.size(), std::size_t(2));
        QCOMPARE(faults.items[0].suggestion, std::string("sphere"));
    }
    // What is there, but would not be read, is said with the text that names it.
    void whatMayNotBeReadIsSaidToo() {
        write(m_dir.filePath(QStringLiteral("sounds/b.wav")), "x");
        QVERIFY(QFile::link(QStringLiteral("/dev/zero"), m_dir.filePath(QStringLiteral("zero.wav"))));
        const auto text = [&](const char* definitions) {
            const Diagnostics faults = load(definitions);
            return faults.items.size() == 1 ? QString::fromStdString(faults.items[0].toString()) : QString();
        };
        QVERIFY(text("[A]\n[A.Sound]\nfile = \"sounds/b.wav\"\n").isNull());
        const QString outside = text("[A]\n[A.Mesh]\nmesh = \"/dev/zero\"\n");
        QVERIFY2(outside.contains(QStringLiteral("entities.toml:3:8: warning: mesh names a file that cannot be read: \"/dev/zero\" lies outside of the "
                                                 "project's folder; expected a .gltf, .glb or .obj file in the project's folder")),
                 qPrintable(outside));
        const QString link = text("[A]\n[A.Sound]\nfile = \"zero.wav\"\n");
        QVERIFY(link.contains(QStringLiteral("lies outside of the project's folder; expected a WAV, FLAC")));
        QVERIFY2(!link.contains(QStringLiteral("did you mean zero.wav")), qPrintable(link));
        QVERIFY(text("[A]\n[A.Sound]\nfile = \"sounds\"\n").contains(QStringLiteral("\"sounds\" is a folder; expected a WAV")));
        QVERIFY(text("[A]\n[A.Mesh]\nmesh = \"sounds/b.wav\"\n").contains(QStringLiteral("mesh names a file of another format: \"sounds/b.wav\"")));
    }
    void anAssetsPlaceIsKnown() {
        write(m_dir.filePath(QStringLiteral("entities.toml")), "[A]\n[A.Mesh]\nmesh = \"box\"\n[A.Sound]\nname = \"a.wav\"\n");
        write(m_dir.filePath(QStringLiteral("s.scene.toml")),
              "[scene]\nname = \"S\"\n[[entity]]\ntype = \"A\"\n[entity.Sound]\nfile = \"a.wav\"\n");
        Diagnostics faults;
        const auto content = loadContent(m_dir.path().toStdString(), "", m_session.catalog().schema, faults);
        const auto place = assetPlace(*content, m_session.catalog().schema, "a.wav");
        QVERIFY(place.has_value());
        QVERIFY(QString::fromStdString(place->file).endsWith(QStringLiteral("s.scene.toml")));
        QCOMPARE(place->region.line, 6);
        QVERIFY(!assetPlace(*content, m_session.catalog().schema, "b.wav").has_value());
    }
    void foldersAndOverridesAreLookedAt() {
        const Diagnostics faults = load("[A]\n[A.Mesh]\nmesh = \"meshes\"\n",
                                        "[[entity]]\ntype = \"A\"\nname = \"a\"\n[entity.Mesh]\nmesh = \"meshes/stone.obj\"\n");
        QCOMPARE(faults.items.size(), std::size_t(2));
        QVERIFY(QString::fromStdString(faults.items[0].file).endsWith(QStringLiteral("entities.toml")));
        QVERIFY(QString::fromStdString(faults.items[1].file).endsWith(QStringLiteral("s.scene.toml")));
        QCOMPARE(faults.items[1].region.line, 7);
    }
};

QTEST_GUILESS_MAIN(TestAssets)
#include "tst_assets.moc"
