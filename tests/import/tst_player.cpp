// The player with projects whose assets are hostile: each costs one line with its place, and the world goes on.

#include <QProcess>
#include <QtTest>

#include "tests/folders.h"
#include "tests/import/hostile_folder.h"

using sbx::test::HostileFolder;

namespace {

struct Run {
    int status = -1;
    QString err;
    int ticks = 0; // that were played
};

} // namespace

class TestPlayer : public QObject {
    Q_OBJECT

    HostileFolder m_folder;

    void project(const QByteArray& entities, const QByteArray& instances = {}) {
        HostileFolder::write(
            m_folder.inside(QStringLiteral("project.toml")),
            "[project]\nname = \"H\"\nscene = \"s.scene.toml\"\ndefinitions = [\"entities.toml\"]\n");
        HostileFolder::write(m_folder.inside(QStringLiteral("entities.toml")), entities);
        HostileFolder::write(m_folder.inside(QStringLiteral("s.scene.toml")),
                             "[scene]\nname = \"S\"\n[[entity]]\ntype = \"A\"\nname = \"a\"\n" + instances);
    }
    Run play(const QString& engine = {}) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder.outside(QStringLiteral("config")));
        environment.insert(QStringLiteral("XDG_STATE_HOME"), m_folder.outside(QStringLiteral("state")));
        if (!engine.isEmpty())
            environment.insert(QStringLiteral("LD_PRELOAD"), engine);
        process.setProcessEnvironment(environment);
        const QString digest = m_folder.outside(QStringLiteral("digest"));
        process.start(sbx::test::qBuildPath("bin/signalbox-player"),
                      {m_folder.inside({}), QStringLiteral("--headless"), QStringLiteral("--ticks"),
                       QStringLiteral("60"), QStringLiteral("--digest"), digest, QStringLiteral("--audio"),
                       m_folder.outside(QStringLiteral("out.wav"))});
        Run run;
        if (!process.waitForFinished(50'000)) {
            process.kill();
            return run;
        }
        run.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
        run.err = QString::fromUtf8(process.readAllStandardError());
        QFile file(digest);
        if (file.open(QIODevice::ReadOnly))
            run.ticks = static_cast<int>(file.readAll().count('\n'));
        return run;
    }
    void says(const Run& run, const char* line) {
        QVERIFY2(run.err.contains(QLatin1String(line)), qPrintable(run.err));
    }

private slots:
    void anAssetOutsideOfTheProject() {
        HostileFolder::write(m_folder.outside(QStringLiteral("secret.obj")),
                             "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        project(
            "[A]\n[A.Mesh]\nmesh = \"../secret.obj\"\n[A.Sound]\nfile = \"/dev/zero\"\nwhen = \"start\"\n");
        const Run run = play();
        QCOMPARE(run.status, 1);
        QCOMPARE(run.ticks, 60);
        says(run, "entities.toml:3:8: warning: mesh names a file that cannot be read: \"../secret.obj\" lies "
                  "outside of the project's folder; expected a .gltf");
        says(run, "entities.toml:3:8: error: a is not drawn: mesh \"../secret.obj\" lies outside of the "
                  "project's folder; expected a path inside it");
        says(run, "entities.toml:5:8: error: a is not heard: sound \"/dev/zero\" lies outside of the "
                  "project's folder; expected a path inside it");
    }
    void aFifoAsASound() {
        HostileFolder::pipe(m_folder.inside(QStringLiteral("pipe.wav")));
        project("[A]\n[A.Sound]\nwhen = \"start\"\n", "[entity.Sound]\nfile = \"pipe.wav\"\n");
        const Run run = play();
        QCOMPARE(run.status, 1);
        QCOMPARE(run.ticks, 60);
        says(
            run,
            "s.scene.toml:7:8: error: a is not heard: sound \"pipe.wav\" is a FIFO; expected a regular file");
    }
    // The importer beside this copy of the engine crashes over every file.
    void anImporterThatCrashes() {
        const QString engine = m_folder.outside(QStringLiteral("libsignalbox-engine.so.0"));
        QVERIFY(QFile::copy(sbx::test::qBuildPath("lib/libsignalbox-engine.so.0"), engine));
        QVERIFY(QFile::copy(sbx::test::qBuildPath("tests/misbehaving_import"),
                            m_folder.outside(QStringLiteral("signalbox-import"))));
        HostileFolder::write(m_folder.inside(QStringLiteral("crash.obj")), "crash\n");
        HostileFolder::write(m_folder.inside(QStringLiteral("crash.wav")), "crash\n");
        project("[A]\n[A.Mesh]\nmesh = \"crash.obj\"\n[A.Sound]\nfile = \"crash.wav\"\nwhen = \"start\"\n");
        const Run run = play(engine);
        QCOMPARE(run.status, 1);
        QCOMPARE(run.ticks, 60);
        says(run, "entities.toml:3:8: error: a is not drawn: mesh \"crash.obj\" cannot be read: its import "
                  "process crashed (Segmentation fault)");
        says(run, "entities.toml:5:8: error: a is not heard: sound \"crash.wav\" cannot be read: its import "
                  "process crashed (Segmentation fault)");
    }
};

QTEST_GUILESS_MAIN(TestPlayer)
#include "tst_player.moc"
