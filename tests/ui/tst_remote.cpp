// The editor under remote control, as a script drives it: a project is made from the start page, three boxes are placed and one is edited, by
// names of controls alone; everything is undone and the file is as it was. Wants a display.

#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/folders.h"
#include "tests/remote/remote_client.h"

using namespace sbx;
using test::errorOf;
using test::isOk;
using test::RemoteClient;

class TestUiRemote : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    QProcess m_editor;
    std::unique_ptr<RemoteClient> m_client;

    QJsonObject ask(const QString& line) { return m_client->ask(line.toUtf8()); }
    void perform(const QString& line) {
        const QJsonObject answer = ask(line);
        QVERIFY2(isOk(answer), qPrintable(line + QStringLiteral(": ") + errorOf(answer)));
        QVERIFY(isOk(ask(QStringLiteral("wait.idle"))));
    }
    QJsonValue value(const QString& line) { return ask(line).value(QLatin1String("value")); }
    QJsonObject control(const QString& name) {
        return value(QStringLiteral("ui.find ") + name).toArray().at(0).toObject();
    }
    [[nodiscard]] int undoIndex() {
        return value(QStringLiteral("undo.dump")).toObject().value(QLatin1String("index")).toInt(-1);
    }
    // Into a field, in place of what is there.
    void enter(const QString& name, const QString& text) {
        perform(QStringLiteral("key %1 Ctrl+A").arg(name));
        perform(QStringLiteral("type %1 \"%2\"").arg(name, text));
        perform(QStringLiteral("key %1 Return").arg(name));
    }

private slots:
    void initTestCase() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name :
             {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) {
            const QString folder = m_dir.filePath(QLatin1String(name));
            QVERIFY(QDir().mkpath(folder));
            environment.insert(QLatin1String(name), folder);
        }
        m_editor.setProcessEnvironment(environment);
        const QString socket = m_dir.filePath(QStringLiteral("s"));
        m_editor.start(test::qBuildPath("bin/signalbox"),
                       {QStringLiteral("--test-mode"), socket, QStringLiteral("--size"),
                        QStringLiteral("1280x720"), QStringLiteral("--audio.volume=0")});
        QVERIFY(m_editor.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(RemoteClient(socket.toStdString()).connected(), 60'000);
        m_client = std::make_unique<RemoteClient>(socket.toStdString());
        QVERIFY(isOk(ask(QStringLiteral("wait.idle"))));
    }
    void cleanupTestCase() {
        if (m_client)
            QVERIFY(isOk(ask(QStringLiteral("quit"))));
        QVERIFY(m_editor.waitForFinished(60'000));
        QCOMPARE(m_editor.exitStatus(), QProcess::NormalExit);
        QVERIFY(!QFile::exists(m_dir.filePath(QStringLiteral("s"))));
    }

    void aDialogThatAClickOpensHoldsBackNoAnswer() {
        perform(QStringLiteral("click start.new.empty"));
        QVERIFY(!control(QStringLiteral("newProject.name")).isEmpty());
        // The dialog is in front of the rest.
        QVERIFY(errorOf(ask(QStringLiteral("click start.new.empty")))
                    .contains(QLatin1String("is open; expected a widget in it")));
        enter(QStringLiteral("newProject.name"), QStringLiteral("Mine"));
        QVERIFY(control(QStringLiteral("newProject.name")).isEmpty());
    }
    void boxesArePlacedAndEditedAndUndone() {
        const QJsonValue before = value(QStringLiteral("world.dump"));
        QVERIFY(before.isObject());
        const int clean = undoIndex();
        for (int i = 0; i < 3; ++i) {
            enter(QStringLiteral("entities.filter"), QStringLiteral("Box"));
            perform(QStringLiteral("click entities.list double row \"Box\""));
        }
        const QJsonObject selected = value(QStringLiteral("select.dump")).toObject();
        QCOMPARE(selected.value(QLatin1String("primary")).toString(), QStringLiteral("box_3"));
        enter(QStringLiteral("inspector.Body.mass/input"), QStringLiteral("12"));
        QVERIFY(isOk(ask(QStringLiteral("expect box_3.Body.mass == 12"))));
        QVERIFY(isOk(ask(QStringLiteral("expect count(type == \"Box\") == 3"))));
        QCOMPARE(value(QStringLiteral("undo.dump")).toObject().value(QLatin1String("steps")).toArray().size(),
                 clean + 4);
        for (int i = 0; i < 4; ++i)
            perform(QStringLiteral("edit.undo"));
        QCOMPARE(undoIndex(), clean);
        QCOMPARE(value(QStringLiteral("world.dump")), before);
    }
    // An entity is clicked by its name, wherever it stands in the picture.
    void entitiesOfThePictureAreClickedByName() {
        enter(QStringLiteral("entities.filter"), QStringLiteral("Box"));
        perform(QStringLiteral("click entities.list double row \"Box\""));
        const QString name = value(QStringLiteral("select.dump")).toObject().value(QLatin1String("primary")).toString();
        QVERIFY(!name.isEmpty());
        perform(QStringLiteral("key viewport.view Escape"));
        QVERIFY(value(QStringLiteral("select.dump")).toObject().value(QLatin1String("entities")).toArray().isEmpty());
        const QString part = QStringLiteral("entity:") + name;
        QVERIFY(value(QStringLiteral("ui.dump viewport.view")).toObject().value(QLatin1String("parts")).toArray().contains(part));
        perform(QStringLiteral("click viewport.view part \"%1\"").arg(part));
        QCOMPARE(value(QStringLiteral("select.dump")).toObject().value(QLatin1String("primary")).toString(), name);
        QVERIFY(errorOf(ask(QStringLiteral("click viewport.view part entity:%1x").arg(name)))
                    .contains(QStringLiteral("the world has no entity \"%1x\"; did you mean %1?").arg(name)));
        QVERIFY(errorOf(ask(QStringLiteral("click viewport.view part door"))).contains(QLatin1String("expected entity:NAME")));
        QVERIFY(errorOf(ask(QStringLiteral("click entities.list part entity:%1").arg(name))).contains(QLatin1String("has no parts")));
        // The two selections since come before the step that made it.
        for (int i = 0; i < 3; ++i)
            perform(QStringLiteral("edit.undo"));
        QVERIFY(errorOf(ask(QStringLiteral("click viewport.view part %1").arg(part))).contains(QLatin1String("has no entity")));
    }
    void namesThatAreWrongGetTheNearest() {
        QVERIFY(errorOf(ask(QStringLiteral("click inspector.nam")))
                    .contains(QLatin1String("no widget is called \"inspector.nam\"; did you mean")));
        QVERIFY(errorOf(ask(QStringLiteral("click entities.list row \"Bix\"")))
                    .contains(QLatin1String("no row has the text \"Bix\"")));
        QVERIFY(errorOf(ask(QStringLiteral("key entities.list Ctrl+Nothing")))
                    .contains(QLatin1String("is no key")));
        QVERIFY(errorOf(ask(QStringLiteral("click entities.list 99999 3")))
                    .contains(QLatin1String("outside of the widget")));
        QVERIFY(errorOf(ask(QStringLiteral("type entities.filter \"open")))
                    .contains(QLatin1String("is not closed")));
    }
    void picturesOfTheWindowAndOfAPart() {
        const QString file = m_dir.filePath(QStringLiteral("window.png"));
        const QJsonObject size = value(QStringLiteral("screenshot ") + file).toObject();
        QCOMPARE(QImage(file).size(), QSize(size.value(QLatin1String("width")).toInt(),
                                            size.value(QLatin1String("height")).toInt()));
        QVERIFY(size.value(QLatin1String("width")).toInt() >= 1280);
        QVERIFY(isOk(ask(QStringLiteral("screenshot %1 entities").arg(file))));
        QVERIFY(QImage(file).width() < 1280);
        QVERIFY(errorOf(ask(QStringLiteral("screenshot %1/x.png").arg(file))).contains(QLatin1String("window.png")));
    }
    void theTreeHasTheRowsThatCanBeSeen() {
        const QJsonObject list = value(QStringLiteral("ui.dump entities.list")).toObject();
        bool box = false;
        for (const QJsonValue& row : list.value(QLatin1String("rows")).toArray())
            box =
                box || row.toObject().value(QLatin1String("texts")).toArray().contains(QStringLiteral("Box"));
        QVERIFY(box);
        QVERIFY(value(QStringLiteral("ui.dump")).toArray().size() >= 1);
    }
};

QTEST_GUILESS_MAIN(TestUiRemote)
#include "tst_remote.moc"
