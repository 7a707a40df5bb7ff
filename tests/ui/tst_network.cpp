// Drives the editor as people do who look for what the network does: play as host with two clients, make one link bad, find in the
// graph a message that waits, what for, and how it ended. Wants a display. Leaves pictures in the build folder's screenshots/.

#include <QAbstractButton>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTreeView>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/join_dialog.h"
#include "app/editor/main_window.h"
#include "app/editor/network_badge.h"
#include "app/editor/serve_dialog.h"
#include "engine/net/link_settings.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/common/empty_state.h"
#include "widgets/graph/graph_panel.h"
#include "widgets/graph/graph_text.h"
#include "widgets/graph/graph_view.h"
#include "widgets/graph/waits_model.h"
#include "widgets/outliner/entity_tree_model.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/trace/trace_panel.h"

using namespace sbx;

namespace {
constexpr int Patience = 30000; // ms; a loaded machine is slow
}

class TestNetwork : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;
    QTimer m_walk;
    int m_steps = 0;
    ui::GraphKey m_waited;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::GraphPanel& graph() { return window().graph(); }
    const FrameSnapshot& frame() { return m_editor->feed().frame(); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }
    QAbstractButton* badge() { return window().findChild<QAbstractButton*>(QStringLiteral("status.network")); }
    void picture(const char* name) {
        const QString folder = sbx::test::qBuildPath("screenshots");
        QDir().mkpath(folder);
        for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1920, 1080)})
            for (const bool dark : {true, false}) {
                m_editor->theme().setMode(dark ? ui::ThemeMode::Dark : ui::ThemeMode::Light);
                window().resize(width, height);
                trigger("view.layoutNetwork");
                QVERIFY(test::catchesUp(window()));
                // In front of the others.
                QVERIFY(graph().isVisible() && !graph().view().viewport()->visibleRegion().isEmpty());
                graph().poll();
                const QString file = QStringLiteral("%1/network_%2_%3_%4.png")
                                         .arg(folder, QLatin1String(name), dark ? QStringLiteral("dark") : QStringLiteral("light"))
                                         .arg(width);
                QVERIFY(window().saveScreenshot(file));
            }
        m_editor->theme().setMode(ui::ThemeMode::Dark);
    }
    // The first message that has arrived and waits for another, at the moment that is shown.
    ui::GraphKey waiting() {
        ui::GraphKey found;
        const net::Time at = graph().view().shownTime();
        for (std::uint16_t lane = 0; lane < graph().model().peers().size(); ++lane)
            graph().model().visit(lane, 0, at, [&](const ui::GraphKey& key, const ui::GraphNode& node) {
                if (!found && node.receiverAt(at) == ui::GraphState::Waiting && graph().model().cause(key, at).root() != 0)
                    found = key;
            });
        return found;
    }

private slots:
    void initTestCase() {
        editor::Options options;
        options.project = sbx::test::sourcePath("resources/projects/courtyard");
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"render.maxFps", "20"}}; // drawn by the processor, which has more to do
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 50, Patience);
        // The client's player changes its mind many times a second: each input comes after the one before.
        m_walk.setInterval(10);
        connect(&m_walk, &QTimer::timeout, this, [this] {
            ++m_steps;
            InputState input;
            input.move = Vec2((m_steps / 3) % 2 == 0 ? 0.3F : -0.3F, m_steps % 2 == 0 ? 0.2F : -0.2F);
            m_editor->feed().post([input](Session& session) { session.setInput(input); });
        });
    }
    void cleanupTestCase() { m_editor.reset(); }

    void theEmptyGraphSaysHowToBegin() {
        trigger("view.layoutNetwork");
        test::turn(); // what comes to the front does so then
        trigger("view.panel.graph");
        auto* empty = graph().findChild<ui::EmptyState*>(QStringLiteral("graph.empty"));
        QVERIFY(empty != nullptr);
        QTRY_VERIFY(empty->isVisible());
        QVERIFY(!badge()->isVisible());
        empty->button().click(); // plays as host with two clients
        QTRY_VERIFY_WITH_TIMEOUT(frame().network != nullptr && frame().network->peers.size() == 2
                                     && frame().network->peers[0].connected && frame().network->peers[1].connected,
                                 Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!empty->isVisible(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(badge()->isVisible() && badge()->text().startsWith(QStringLiteral("2 clients")), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(graph().model().size() > 100, Patience);
        QCOMPARE(graph().model().peers(), (std::vector<std::string>{"server", "client 1", "client 2"}));
    }

    void aClientsWorldIsShown() {
        trigger("play.view2");
        QTRY_VERIFY_WITH_TIMEOUT(frame().network->viewAs == 2, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(window().outliner().model().entityCount() == static_cast<int>(frame().entities->rows.size()), Patience);
        QVERIFY(frame().entities->find(frame().network->peers[1].player) != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(badge()->text().contains(QStringLiteral("seen as client 2")), Patience);
        // The picture says so itself.
        const auto* whose = window().findChild<QLabel*>(QStringLiteral("viewport.whose"));
        QVERIFY(whose != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(whose->isVisible() && whose->text().contains(QStringLiteral("client 2")), Patience);
        trigger("play.view1");
        QTRY_VERIFY_WITH_TIMEOUT(frame().network->viewAs == 1, Patience);
    }

    // The menu's links are those that net.link knows by these names, and the one that all clients have is ticked.
    void theLinkOfAllClientsIsTicked() {
        const auto ticked = [this] {
            m_editor->actions().refresh();
            QStringList out;
            for (const QString& id : m_editor->actions().ids())
                if (id.startsWith(QLatin1String("play.link")) && m_editor->actions().find(id)->isChecked())
                    out += id;
            return out;
        };
        QTRY_COMPARE_WITH_TIMEOUT(ticked(), QStringList{QStringLiteral("play.linkPerfect")}, Patience);
        trigger("play.linkBad");
        QTRY_COMPARE_WITH_TIMEOUT(ticked(), QStringList{QStringLiteral("play.linkBad")}, Patience);
        QCOMPARE(frame().network->peers[1].link, net::toText(*net::parseLink("bad")));
        m_editor->execute("net.link 1 wifi");
        QTRY_COMPARE_WITH_TIMEOUT(ticked(), QStringList(), Patience); // each has its own
        m_editor->execute("net.link all latency=0ms");
        QTRY_COMPARE_WITH_TIMEOUT(ticked(), QStringList{QStringLiteral("play.linkPerfect")}, Patience);
    }

    void aRecordInTheTraceIsTheMessageInTheGraph() {
        // A message of the client's to its player: the server's trace has it by its type, entity and tick.
        const std::string player = frame().network->peers[0].player;
        ui::GraphKey found;
        std::uint64_t record = 0;
        graph().view().goLive();
        graph().model().visit(0, 0, graph().model().now(), [&](const ui::GraphKey& key, const ui::GraphNode& node) {
            if (key.from == 1 && node.executed != net::Never && node.entity == player && graph().model().typeName(node) == "PlayerInfo")
                found = key;
        });
        QVERIFY(found);
        graph().goTo(found);
        record = m_editor->selection().traceSequence();
        QVERIFY(record != 0);
        m_editor->selection().setTrace(0, QStringLiteral("test"));
        graph().goTo({});
        QVERIFY(!graph().view().current());
        m_editor->selection().setTrace(record, QStringLiteral("trace"));
        QVERIFY(graph().view().current());
        QCOMPARE(graph().model().find(graph().view().current())->entity, player);
    }

    void onABadLinkAMessageWaitsForOneThatWasLost() {
        m_editor->execute("net.link 1 latency=40ms loss=20%");
        QTRY_VERIFY_WITH_TIMEOUT(frame().network->peers[0].link.find("loss=") != std::string::npos, Patience);
        QVERIFY(frame().network->peers[1].link.empty());
        m_walk.start();
        // One that waits, live; the picture is held at once.
        const auto holdOneThatWaits = [this] {
            const ui::GraphKey found = graph().model().waitingNow() > 0 ? waiting() : ui::GraphKey();
            if (!found || graph().model().find(found)->entity.empty()) // a setting has no entity
                return false;
            const ui::GraphCause cause = graph().model().cause(found, graph().model().now());
            const ui::GraphNode* root = graph().model().find({found.from, found.to, cause.root()});
            if (root == nullptr || cause.losses == 0)
                return false;
            const ui::GraphState state = root->senderAt(graph().model().now());
            if (state != ui::GraphState::Lost && state != ui::GraphState::Resent)
                return false; // its second copy is still on the way
            graph().setFrozen(true);
            m_waited = found;
            return true;
        };
        QVERIFY2(QTest::qWaitFor(holdOneThatWaits, Patience), "no message has waited for one that was lost");
        const net::Time at = graph().view().shownTime();
        // Its cause: lost at the sender, and not come.
        const ui::GraphCause cause = graph().model().cause(m_waited, at);
        QVERIFY(cause.waits && !cause.over);
        const ui::GraphNode& root = *graph().model().find({m_waited.from, m_waited.to, cause.root()});
        QCOMPARE(root.receiverAt(at), ui::GraphState::Unseen);
        QVERIFY(root.senderAt(at) == ui::GraphState::Lost || root.senderAt(at) == ui::GraphState::Resent);
        QVERIFY(m_waited.from == 1 || m_waited.to == 1); // the bad link's
        graph().goTo(m_waited);
        QVERIFY(graph().view().axis().from() < at && graph().view().axis().to() >= at - net::Millisecond);
        const QString said = graph().details();
        QVERIFY2(said.contains(QStringLiteral("waiting for #%1 (lost").arg(cause.root())), qPrintable(said));
        const auto place = graph().view().placeOf(m_waited);
        QVERIFY(place && place->receiver);
        // As seen from near: half a second across.
        for (int i = 0; i < 18; ++i)
            graph().view().zoom(1.25);
        picture("waiting");
        // Its entity is what everybody has selected.
        // A crate may have died of the very message, and is selected no more then.
        const std::string& whose = graph().model().find(m_waited)->entity;
        if (frame().entities->find(whose) != nullptr)
            QCOMPARE(m_editor->selection().primary(), whose);
        else
            QVERIFY(m_editor->selection().empty());
    }

    void itsResolutionIsFound() {
        graph().setFrozen(false);
        QTRY_VERIFY_WITH_TIMEOUT(graph().model().find(m_waited)->executed != net::Never, Patience);
        graph().goTo(m_waited);
        const ui::GraphCause cause = graph().model().cause(m_waited, graph().model().now());
        QVERIFY(cause.over);
        const ui::GraphNode& root = *graph().model().find({m_waited.from, m_waited.to, cause.root()});
        QVERIFY(root.executed <= graph().model().find(m_waited)->executed);
        QVERIFY(root.resendsAt(net::Never - 1) > 0);
        const QString said = graph().details();
        QVERIFY2(said.contains(QStringLiteral("waited ")) && said.contains(QStringLiteral("for #%1 (lost, resent").arg(cause.root())),
                 qPrintable(said));
    }

    void whatWaitedLongIsListedUntilDismissed() {
        QTRY_VERIFY_WITH_TIMEOUT(graph().waits().rowCount() >= 3, 3 * Patience); // losses are random, and few
        m_walk.stop();
        m_editor->feed().post([](Session& session) { session.setInput({}); });
        m_editor->execute("net.link all latency=0ms");
        QTRY_COMPARE_WITH_TIMEOUT(graph().model().waitingNow(), std::size_t(0), Patience);
        graph().poll();
        const int rows = graph().waits().rowCount();
        const int at = graph().waitsList().currentIndex().isValid() ? graph().waitsList().currentIndex().row() : -1;
        trigger("graph.nextWait");
        QCOMPARE(graph().view().current(), graph().waits().keyAt((at + 1) % rows));
        graph().view().fit();
        for (int i = 0; i < 14; ++i)
            graph().view().zoom(1.25);
        graph().goTo(graph().waits().keyAt(rows - 1));
        picture("waited");
        graph().waitsList().setCurrentIndex(graph().waitsList().model()->index(0, 0));
        QTest::keyClick(&graph().waitsList(), Qt::Key_Delete);
        QCOMPARE(graph().waits().rowCount(), rows - 1);
        trigger("graph.dismissWaits");
        QCOMPARE(graph().waits().rowCount(), 0);
    }

    void theWholeHalfMinute() {
        graph().goTo({});
        graph().view().fit();
        graph().view().goLive();
        m_editor->execute("net.link 1 latency=40ms loss=20%");
        for (int i = 0; i < 10; ++i)
            m_editor->execute("say hello " + std::to_string(i));
        // Every client has carried out all that was said.
        const auto heard = [this](std::uint16_t lane) {
            int count = 0;
            graph().model().visit(lane, 0, graph().model().now(), [&](const ui::GraphKey&, const ui::GraphNode& node) {
                count += node.executed != net::Never && graph().model().typeName(node) == "Chat" ? 1 : 0;
            });
            return count;
        };
        QTRY_COMPARE_WITH_TIMEOUT(heard(1), 10, Patience);
        QTRY_COMPARE_WITH_TIMEOUT(heard(2), 10, Patience);
        m_walk.start();
        picture("live");
        m_walk.stop();
        QVERIFY(graph().view().axis().following());
        QVERIFY(graph().isVisible());
        QVERIFY(graph().view().lastFrame().inSight > 20);
        trigger("play.view0");
        QTRY_VERIFY_WITH_TIMEOUT(!window().findChild<QLabel*>(QStringLiteral("viewport.whose"))->isVisible(), Patience);
    }

    void stopEndsAllOfIt() {
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(frame().network == nullptr && frame().mode == Mode::Edit, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!badge()->isVisible(), Patience);
        // What was can still be looked at, until the next begins.
        QVERIFY(!graph().model().empty());
        trigger("play.host1");
        QTRY_VERIFY_WITH_TIMEOUT(graph().model().peers().size() == 2 && !graph().model().empty(), Patience);
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(frame().network == nullptr, Patience);
    }

    // A player in another program joins by the line that the dialog shows, while the server plays and while it is paused.
    void anotherProgramJoins() {
        // A port that was free a moment ago.
        std::uint16_t port = 0;
        {
            auto udp = UdpHost::open(0);
            QVERIFY(udp.ok());
            port = (*udp)->port();
            // Taken, it is said in the dialog.
            trigger("play.serve");
            auto* dialog = window().findChild<editor::ServeDialog*>();
            QVERIFY(dialog != nullptr && dialog->isVisible());
            dialog->findChild<QSpinBox*>(QStringLiteral("serve.port"))->setValue(port);
            dialog->findChild<QAbstractButton*>(QStringLiteral("serve.play"))->click();
            QVERIFY(dialog->isVisible());
            const QString fault = dialog->findChild<QLabel*>(QStringLiteral("serve.fault"))->text();
            QVERIFY2(fault.contains(QString::number(port)), qPrintable(fault));
        }
        auto* dialog = window().findChild<editor::ServeDialog*>();
        QVERIFY2(dialog->joinLine().endsWith(QStringLiteral(":%1").arg(port)), qPrintable(dialog->joinLine()));
        QVERIFY(dialog->joinLine().startsWith(QStringLiteral("signalbox-player courtyard --connect ")));
        dialog->findChild<QAbstractButton*>(QStringLiteral("serve.play"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(frame().network != nullptr && frame().network->port == port && frame().mode == Mode::Play, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(badge()->text().startsWith(QStringLiteral("port %1  0 clients").arg(port)), Patience);
        QVERIFY(!m_editor->actions().find(QStringLiteral("play.view0"))->isEnabled());

        trigger("play.pause");
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Pause, Patience);
        QProcess player;
        player.start(sbx::test::qBuildPath("bin/signalbox-player"),
                     {m_editor->document().folder(), QStringLiteral("--headless"), QStringLiteral("--safe-mode"), QStringLiteral("--connect"),
                      QStringLiteral("localhost:%1").arg(port), QStringLiteral("--ticks"), QStringLiteral("100000")});
        QVERIFY(player.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(frame().network->peers.size() == 1 && frame().network->peers[0].connected, Patience);
        trigger("play.pause");
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Play, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!frame().network->peers[0].player.empty(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(badge()->text().startsWith(QStringLiteral("port %1  1 client ").arg(port)), Patience);
        picture("serve");
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(frame().network == nullptr && frame().mode == Mode::Edit, Patience);
        QVERIFY(player.waitForFinished(Patience)); // the server has closed the connection
        QVERIFY2(player.readAllStandardError().contains("the server has closed it"), "the player says why it ends");
    }

    // The window joins a server in another program, plays there, and has its scene back when the server ends or is not there.
    void aServerIsJoined() {
        QProcess server;
        server.setProcessChannelMode(QProcess::MergedChannels);
        server.start(sbx::test::qBuildPath("bin/signalbox-player"),
                     {m_editor->document().folder(), QStringLiteral("--headless"), QStringLiteral("--safe-mode"), QStringLiteral("--serve"),
                      QStringLiteral("0"), QStringLiteral("--ticks"), QStringLiteral("1000000")});
        QVERIFY(server.waitForStarted());
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += server.readAll()).contains("server key"), Patience);
        const QRegularExpressionMatch port =
            QRegularExpression(QStringLiteral("serving on port (\\d+)")).match(QString::fromUtf8(said));
        QVERIFY2(port.hasMatch(), said.constData());
        const std::size_t own = frame().entities->rows.size();

        trigger("play.join");
        auto* dialog = window().findChild<editor::JoinDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        auto* address = dialog->findChild<QLineEdit*>(QStringLiteral("join.server"));
        auto* join = dialog->findChild<QAbstractButton*>(QStringLiteral("join.join"));
        auto* fault = dialog->findChild<QLabel*>(QStringLiteral("join.fault"));
        // What is no address is said in the dialog.
        address->setText(QStringLiteral("localhost:"));
        join->click();
        QTRY_VERIFY_WITH_TIMEOUT(fault->text().contains(QLatin1String("no port behind the colon")), Patience);
        QVERIFY(dialog->isVisible());
        const QString at = QStringLiteral("127.0.0.1:%1").arg(port.captured(1));
        address->setText(at);
        dialog->findChild<QLineEdit*>(QStringLiteral("join.name"))->setText(QStringLiteral("Ada"));
        join->click();
        QTRY_VERIFY_WITH_TIMEOUT(frame().network != nullptr && !frame().network->peers.empty() && frame().network->peers[0].connected
                                     && !frame().network->peers[0].player.empty(),
                                 Patience);
        QCOMPARE(QString::fromStdString(frame().network->server), at);
        QTRY_VERIFY_WITH_TIMEOUT(badge()->text().startsWith(QStringLiteral("joined %1").arg(at)), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > own, Patience); // with its player
        QTRY_VERIFY_WITH_TIMEOUT((said += server.readAll()).contains("is \"Ada\""), Patience);
        QVERIFY(!m_editor->actions().find(QStringLiteral("play.view0"))->isEnabled());
        picture("join");
        // Stop leaves, and the scene is back.
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(frame().network == nullptr && frame().mode == Mode::Edit && frame().entities->rows.size() == own, Patience);
        QTRY_VERIFY_WITH_TIMEOUT((said += server.readAll()).contains("has left"), Patience);

        // Again, by what was typed last; then the server ends.
        trigger("play.join");
        dialog = window().findChild<editor::JoinDialog*>();
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->findChild<QLineEdit*>(QStringLiteral("join.server"))->text(), at);
        // ... to look on, without a player.
        dialog->findChild<QAbstractButton*>(QStringLiteral("join.observes"))->setChecked(true);
        QVERIFY(dialog->grab().save(sbx::test::qBuildPath("screenshots/network_join_dialog.png")));
        dialog->findChild<QAbstractButton*>(QStringLiteral("join.join"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(frame().network != nullptr && !frame().network->peers.empty() && frame().network->peers[0].connected, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(badge()->text().startsWith(QStringLiteral("observing %1").arg(at)), Patience);
        QTRY_VERIFY_WITH_TIMEOUT((said += server.readAll()).contains("as an observer"), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(frame().entities->rows.size(), own, Patience);
        server.terminate();
        QVERIFY(server.waitForFinished(Patience));
        QTRY_VERIFY_WITH_TIMEOUT(frame().network == nullptr && frame().mode == Mode::Edit && frame().entities->rows.size() == own, Patience);
        const auto noticed = [&](const QString& text) {
            const auto& all = m_editor->notices().log();
            return std::any_of(all.begin(), all.end(), [&](const ui::Notice& n) { return n.text.contains(text); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(noticed(QStringLiteral("the server has closed it")), Patience);
        // No server listens on that port any more: the attempt ends with a notice.
        trigger("play.join");
        dialog = window().findChild<editor::JoinDialog*>();
        dialog->findChild<QAbstractButton*>(QStringLiteral("join.join"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(noticed(QStringLiteral("there is no answer")), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Edit, Patience);
        QCOMPARE(frame().entities->rows.size(), own);
    }
};

QTEST_MAIN(TestNetwork)
#include "tst_network.moc"
