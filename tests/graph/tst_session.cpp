// The graph over a real session: what both ends of a connection told of a message comes together under one key, and what waited has
// the cause that the network gave it.

#include <QtTest>

#include "engine/session/local_clients.h"
#include "widgets/graph/graph_model.h"
#include "widgets/graph/recorded_graph_source.h"

using namespace sbx;
using namespace sbx::ui;

class TestSession : public QObject {
    Q_OBJECT

private:
    Log m_log;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<RecordedGraphSource> m_source;
    GraphModel m_model;

    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            m_session->tick();
            m_session->publish();
            GraphNews news;
            if (m_source->poll(news))
                m_model.apply(std::move(news));
        }
    }

private slots:
    void init() {
        m_session = std::make_unique<Session>(m_log);
        m_source = std::make_unique<RecordedGraphSource>(m_session->netRecorder().addReader());
        m_model = {};
        Diagnostics faults;
        m_session->open(loadContent(std::filesystem::path(SBX_SOURCE_DIR) / "resources/projects/courtyard", {},
                                    m_session->schema(), faults));
        QVERIFY(!faults.hasErrors());
    }
    void cleanup() {
        m_source.reset();
        m_session.reset();
    }

    void everyMessageOfBothEndsIsThere() {
        QVERIFY(m_session->playAsHost(2).ok());
        QVERIFY(m_session->execute("net.link all latency=20ms").ok);
        run(120);
        QCOMPARE(m_model.peers(), (std::vector<std::string>{"server", "client 1", "client 2"}));
        for (std::uint16_t lane = 1; lane <= 2; ++lane) {
            const net::ChannelCounters& counters = m_session->clients()->connection(lane - 1U)->channel().counters();
            std::uint64_t seen = 0;
            m_model.visit(lane, 0, m_model.now(), [&](const GraphKey& key, const GraphNode& node) {
                ++seen;
                QCOMPARE(int(key.from), 0);
                QVERIFY(!m_model.typeName(node).empty());
                QVERIFY(!node.sent.empty() && node.sent.front().sent >= node.queued);
                if (node.executed == net::Never)
                    return; // on its way still
                QVERIFY(node.arrived >= node.queued && node.executed >= node.arrived);
                QVERIFY(node.known == net::Never || node.known > node.executed);
                for (const std::uint64_t need : node.needs) {
                    const GraphNode* other = m_model.find({key.from, key.to, need});
                    QVERIFY(other != nullptr && other->executed <= node.executed);
                }
            });
            QCOMPARE(seen, counters.guaranteedSent);
        }
        std::size_t toServer = 0;
        m_model.visit(0, 0, m_model.now(), [&](const GraphKey& key, const GraphNode&) {
            QVERIFY(key.from == 1 || key.from == 2);
            ++toServer;
        });
        QVERIFY(toServer >= 2); // who the players are
        // Spawns name the entity.
        std::size_t spawns = 0;
        m_model.visit(1, 0, m_model.now(), [&](const GraphKey&, const GraphNode& node) {
            if (m_model.typeName(node) == "Spawn") {
                QVERIFY(m_session->world().find(node.entity));
                ++spawns;
            }
        });
        QCOMPARE(spawns, m_session->world().entityCount());
        QVERIFY(m_model.tickAt(m_model.now() - 100 * net::Millisecond) > 100);
    }

    void whatWaitedHasACauseThatCameLater() {
        QVERIFY(m_session->playAsHost(2).ok());
        QVERIFY(m_session->execute("net.link 1 latency=40ms loss=20%").ok);
        run(60);
        QVERIFY(m_session->viewAs(1).ok());
        for (int i = 0; i < 400; ++i) {
            InputState input;
            input.move = Vec2(i % 2 == 0 ? 0.5F : -0.5F, 0.0F);
            m_session->setInput(input);
            run(1);
        }
        run(60);
        QVERIFY(m_model.waits().size() > 3);
        std::size_t caused = 0;
        for (const GraphWait& wait : m_model.waits()) {
            QVERIFY(wait.key.from == 1 || wait.key.to == 1); // the other link is perfect
            QVERIFY(wait.cause.over);
            QVERIFY(wait.cause.until - wait.cause.since > GraphModel::LongWait);
            const GraphNode* root = m_model.find({wait.key.from, wait.key.to, wait.cause.root()});
            if (root == nullptr)
                continue;
            QVERIFY(root->executed > wait.cause.since && root->executed <= wait.cause.until);
            caused += wait.cause.losses > 0 && wait.cause.resends > 0 ? 1U : 0U;
        }
        QVERIFY(caused > 0);
        const net::ChannelCounters& server = m_session->clients()->connection(0)->channel().counters();
        std::uint64_t waited = 0;
        m_model.visit(0, 0, m_model.now(), [&](const GraphKey& key, const GraphNode& node) {
            if (key.from == 1 && node.executed > node.arrived && node.arrived != net::Never)
                ++waited;
        });
        QVERIFY(server.guaranteedWaited > 0);
        QVERIFY(waited > 0 && waited <= server.guaranteedWaited);
    }

    void anotherSessionBeginsAnew() {
        QVERIFY(m_session->playAsHost(2).ok());
        run(60);
        const std::uint64_t run1 = m_model.run();
        m_session->stop();
        run(2);
        QVERIFY(!m_model.empty()); // it can still be looked at
        QVERIFY(m_session->playAsHost(1).ok());
        run(30);
        QVERIFY(m_model.run() != run1);
        QCOMPARE(m_model.peers().size(), std::size_t(2));
        QVERIFY(m_model.now() < net::Second);
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
