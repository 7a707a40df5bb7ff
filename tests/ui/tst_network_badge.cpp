// The badge of the network in the status bar: what is bad on purpose is said in red, with or without clients, in figures that people read.

#include <QtTest>

#include "app/editor/network_badge.h"
#include "engine/commands/console_commands.h"
#include "engine/session/local_clients.h"
#include "tests/folders.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"

using namespace sbx;

class TestNetworkBadge : public QObject {
    Q_OBJECT

private:
    Log m_log;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<ui::SessionFeed> m_feed;
    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<QWidget> m_bar;
    editor::NetworkBadge* m_badge = nullptr;

    void say(const char* line) {
        QVERIFY2(m_session->execute(line).ok, line);
        show();
    }
    void show() {
        m_session->publish();
        m_feed->poll();
        m_badge->refresh();
    }
    // The colour of its ground.
    QColor ground() { return m_badge->grab().toImage().pixelColor(4, m_badge->height() / 2); }

private slots:
    void init() {
        m_session = std::make_unique<Session>(m_log, addConsoleCommands);
        m_feed = std::make_unique<ui::SessionFeed>(*m_session);
        m_theme = std::make_unique<ui::Theme>();
        m_bar = std::make_unique<QWidget>();
        m_badge = new editor::NetworkBadge(*m_theme, *m_feed, m_bar.get());
        m_bar->show();
        show();
    }
    void cleanup() {
        m_bar.reset();
        m_theme.reset();
        m_feed.reset();
        m_session.reset();
    }

    void nothingToSayIsNoBadge() {
        QVERIFY(m_badge->isHidden());
        QVERIFY(m_badge->text().isEmpty() && m_badge->toolTip().isEmpty());
    }

    void badOnPurposeWithoutClients_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("text");
        QTest::newRow("percent") << QStringLiteral("net.sim.loss 20") << QStringLiteral("net.sim loss 20 %");
        QTest::newRow("a tenth of a percent")
            << QStringLiteral("net.sim.loss 0.1") << QStringLiteral("net.sim loss 0.1 %");
        QTest::newRow("all") << QStringLiteral("net.sim.loss 100") << QStringLiteral("net.sim loss 100 %");
        QTest::newRow("time") << QStringLiteral("net.sim.latency 12.5")
                              << QStringLiteral("net.sim latency 12.5 ms");
        QTest::newRow("no unit") << QStringLiteral("net.sim.burst 3") << QStringLiteral("net.sim burst 3");
        QTest::newRow("rate") << QStringLiteral("net.sim.rate 256000")
                              << QStringLiteral("net.sim rate 256000 kbit/s");
        QTest::newRow("dark") << QStringLiteral("net.sim.blackout true")
                              << QStringLiteral("net.sim blackout");
        QTest::newRow("two") << QStringLiteral("net.sim.loss 5; net.sim.jitter 4")
                             << QStringLiteral("net.sim jitter 4 ms, loss 5 %");
    }
    void badOnPurposeWithoutClients() {
        QFETCH(QString, line);
        QFETCH(QString, text);
        say(qPrintable(line));
        QVERIFY(!m_badge->isHidden());
        QCOMPARE(m_badge->text(), text);
        QVERIFY(m_badge->isBad());
        QCOMPARE(m_badge->toolTip(), QStringLiteral("The simulated network is made bad: ") + text);
        QCOMPARE(m_badge->accessibleDescription(), m_badge->toolTip());
        m_badge->resize(m_badge->sizeHint());
        QVERIFY(m_badge->width() > m_badge->fontMetrics().horizontalAdvance(text));
        QCOMPARE(ground(), m_theme->color(ui::Token::Error));
        // As it was by default: nothing is bad.
        say("reset net.sim.loss; reset net.sim.latency; reset net.sim.burst; reset net.sim.rate; reset "
            "net.sim.blackout; "
            "reset net.sim.jitter");
        QVERIFY(m_badge->isHidden());
        QVERIFY(!m_badge->isBad());
    }

    void clientsOnGoodLinksAreNoAlarm() {
        Diagnostics faults;
        m_session->open(loadContent(sbx::test::sourcePath("resources/projects/courtyard"),
                                    {}, m_session->catalog().schema, faults));
        QVERIFY(m_session->playAsHost(2).ok());
        const auto run = [this](int ticks) {
            for (int i = 0; i < ticks; ++i) {
                m_session->tick();
                if (i % 10 == 0)
                    show();
            }
            show();
        };
        run(60);
        QVERIFY(m_badge->text().startsWith(QStringLiteral("2 clients ")));
        QVERIFY2(m_badge->text().endsWith(QStringLiteral(" 0.0 % lost  authenticated")),
                 qPrintable(m_badge->text()));
        const auto& network = m_session->snapshot()->network;
        QVERIFY(network != nullptr && network->serverKey.size() == 39); // 32 digits in groups of four
        QVERIFY2(m_badge->toolTip().contains(QStringLiteral("client 1: encrypted and authenticated"))
                     && m_badge->toolTip().contains(QStringLiteral("client 2: encrypted and authenticated"))
                     && m_badge->toolTip().contains(QString::fromStdString(network->serverKey)),
                 qPrintable(m_badge->toolTip()));
        QVERIFY(!m_badge->isBad());
        m_badge->resize(m_badge->sizeHint());
        QCOMPARE(ground(), m_theme->color(ui::Token::Raised));
        // One link is enough; its share of lost packets is what is said, and it is near what the link does.
        say("net.link 2 latency=20ms loss=20%");
        run(60 * 10);
        QVERIFY(m_badge->isBad());
        const QRegularExpression figures(
            QStringLiteral("^2 clients +([0-9.]+) ms +([0-9.]+) % lost  authenticated$"));
        const QRegularExpressionMatch match = figures.match(m_badge->text());
        QVERIFY2(match.hasMatch(), qPrintable(m_badge->text()));
        const double roundTrip = match.captured(1).toDouble();
        const double lost = match.captured(2).toDouble();
        QVERIFY2(roundTrip >= 40.0 && roundTrip < 80.0, qPrintable(m_badge->text()));
        QVERIFY2(lost > 8.0 && lost < 35.0, qPrintable(m_badge->text()));
        QVERIFY2(m_badge->toolTip().contains(QStringLiteral("client 2: "))
                     && m_badge->toolTip().contains(QStringLiteral("loss=20%")),
                 qPrintable(m_badge->toolTip()));
        say("net.sim.loss 0");
        QVERIFY(m_badge->isBad()); // the latency is still there
        m_session->stop();
        show();
        QVERIFY(m_badge->isHidden());
    }
};

QTEST_MAIN(TestNetworkBadge)
#include "tst_network_badge.moc"
