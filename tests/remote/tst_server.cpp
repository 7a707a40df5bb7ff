// The socket of remote control: who may connect, hostile lines, several clients, clients that go or do not read.

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

#include "app/remote/remote_server.h"
#include "app/remote/remote_words.h"
#include "tests/remote/remote_client.h"

#include <sys/stat.h>

#include <mutex>
#include <vector>

using namespace sbx;
using namespace sbx::remote;
using test::RemoteClient;

class TestServer : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::string m_path;
    std::mutex m_mutex;
    std::vector<std::shared_ptr<Request>> m_held;

    // Answers with the line itself; `hold` is kept, `big` gets a megabyte.
    std::unique_ptr<RemoteServer> serve() {
        auto server = RemoteServer::listen(m_path, [this](const std::shared_ptr<Request>& request) {
            if (request->line() == "hold") {
                const std::lock_guard lock(m_mutex);
                m_held.push_back(request);
            } else if (request->line() == "big") {
                request->answer({true, std::string(1024 * 1024, 'x'), {}});
            } else {
                request->answer({true, request->line(), {}});
            }
        });
        return server ? std::move(*server) : nullptr;
    }
    std::size_t held() {
        const std::lock_guard lock(m_mutex);
        return m_held.size();
    }
    std::string refusal(const std::string& path) {
        const auto server = RemoteServer::listen(path, [](const std::shared_ptr<Request>&) {});
        return server ? std::string() : server.error().message;
    }

private slots:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = m_dir->filePath(QStringLiteral("socket")).toStdString();
    }
    void cleanup() {
        m_held.clear();
        m_dir.reset();
    }

    void eachLineGetsOneAnswerInOrder() {
        const auto server = serve();
        QVERIFY(server);
        RemoteClient client(m_path);
        QVERIFY(client.connected());
        QVERIFY(client.send("one\ntwo\r\nthree \"\\ \xc3\xa4\n"));
        for (const char* line : {"one", "two", "three \"\\ \xc3\xa4"})
            QCOMPARE(
                QJsonDocument::fromJson(client.readLine()).object().value(QLatin1String("output")).toString(),
                QString::fromUtf8(line));
    }
    void onlyTheUserMayConnect() {
        const auto server = serve();
        struct stat info {};
        QCOMPARE(::lstat(m_path.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
        QVERIFY(S_ISSOCK(info.st_mode));
    }
    void removesTheSocketAtTheEnd() {
        serve().reset();
        QVERIFY(!QFileInfo::exists(QString::fromStdString(m_path)));
    }
    void refusesWhatIsThere() {
        QFile file(QString::fromStdString(m_path));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        QVERIFY(QString::fromStdString(refusal(m_path))
                    .contains(QLatin1String("exists and is not a socket of yours")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("mine"));
    }
    void refusesASocketThatIsInUse() {
        const auto server = serve();
        QVERIFY(
            QString::fromStdString(refusal(m_path)).contains(QLatin1String("another program listens there")));
        RemoteClient client(m_path);
        QVERIFY(test::isOk(client.ask("still here")));
    }
    void replacesASocketThatACrashLeft() {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::copy(m_path.begin(), m_path.end(), address.sun_path);
        QCOMPARE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ::close(fd);
        QVERIFY(QFileInfo::exists(QString::fromStdString(m_path)));
        const auto server = serve();
        QVERIFY(server);
        QVERIFY(test::isOk(RemoteClient(m_path).ask("x")));
    }
    void refusesAFolderThatOthersMayWriteTo() {
        QCOMPARE(::chmod(m_dir->path().toLocal8Bit().constData(), 0777), 0);
        QVERIFY(QString::fromStdString(refusal(m_path)).contains(QLatin1String("others may write there")));
        QVERIFY(!QFileInfo::exists(QString::fromStdString(m_path)));
    }
    void refusesPathsThatCannotBe() {
        QVERIFY(QString::fromStdString(refusal(m_path + std::string(200, 'x')))
                    .contains(QLatin1String("at most 107 bytes")));
        QVERIFY(!refusal(m_path + "/missing/socket").empty());
    }

    void wrongLinesGetOneClearErrorEach_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << QByteArray() << "the line is empty";
        QTest::newRow("no UTF-8") << QByteArray("ab\xff") << "byte 3 of the line is not UTF-8";
        QTest::newRow("zero") << QByteArray("a\0b", 3) << "byte 2 of the line is a control character";
        QTest::newRow("escape") << QByteArray("\x1b[2J") << "byte 1 of the line is a control character";
        QTest::newRow("long") << QByteArray(64 * 1024 + 1, 'x') << "longer than 65536 bytes";
        QTest::newRow("very long") << QByteArray(3 * 1024 * 1024, 'x') << "longer than 65536 bytes";
    }
    void wrongLinesGetOneClearErrorEach() {
        QFETCH(QByteArray, line);
        QFETCH(QString, says);
        const auto server = serve();
        RemoteClient client(m_path);
        const QJsonObject answer = client.ask(line);
        QVERIFY(!test::isOk(answer));
        QVERIFY2(test::errorOf(answer).contains(says), qPrintable(test::errorOf(answer)));
        QCOMPARE(client.ask("next").value(QLatin1String("output")).toString(), QStringLiteral("next"));
    }
    void aLineOfTheGreatestLengthIsTaken() {
        const auto server = serve();
        RemoteClient client(m_path);
        QVERIFY(test::isOk(client.ask(QByteArray(64 * 1024, 'x'))));
    }
    void clientsDoNotWaitForEachOther() {
        const auto server = serve();
        RemoteClient first(m_path);
        RemoteClient second(m_path);
        QVERIFY(first.send("hold\nafter\n"));
        QVERIFY(test::isOk(second.ask("x")));
        QTRY_COMPARE(held(), std::size_t(1));
        m_held.front()->answer({true, "late", {}});
        m_held.front()->answer({false, "twice", {}}); // ignored
        QVERIFY(first.readLine().contains("late"));
        QVERIFY(first.readLine().contains("after"));
    }
    void aClientThatGoesIsForgotten() {
        const auto server = serve();
        {
            RemoteClient client(m_path);
            QVERIFY(client.send("hold\nmore\nhalf a li"));
            QTRY_COMPARE(held(), std::size_t(1));
            QVERIFY(!m_held.front()->abandoned());
        }
        QTRY_VERIFY(m_held.front()->abandoned());
        m_held.front()->answer({true, "nobody reads this", {}});
        QVERIFY(test::isOk(RemoteClient(m_path).ask("x")));
    }
    void aLineThatWasCutOffIsNotRun() {
        const auto server = serve();
        RemoteClient client(m_path);
        QVERIFY(client.send("whole\nhol"));
        client.endSending();
        QVERIFY(client.readLine().contains("whole"));
        QVERIFY(client.readLine().isEmpty()); // the connection has ended
        QCOMPARE(held(), std::size_t(0));
    }
    void aFloodOfLinesIsNotTakenIn() {
        const auto server = serve();
        RemoteClient client(m_path);
        QVERIFY(client.send("hold\n"));
        QTRY_COMPARE(held(), std::size_t(1));
        // While a line is under way nothing is read: the system's own buffer is full soon.
        qsizetype taken = 0;
        const QByteArray flood(16 * 1024, '\n');
        while (client.sendAtOnce(flood) > 0)
            QVERIFY((taken += flood.size()) < 8 * 1024 * 1024);
        QVERIFY(test::isOk(RemoteClient(m_path).ask("x")));
    }
    void aClientThatDoesNotReadHoldsUpNobody() {
        const auto server = serve();
        RemoteClient slow(m_path);
        QVERIFY(slow.send("big\nbig\nbig\n"));
        QVERIFY(test::isOk(RemoteClient(m_path).ask("x")));
        for (int i = 0; i < 3; ++i)
            QVERIFY(slow.readLine().size() > 1024 * 1024);
    }
    void moreClientsThanThereIsRoomForAreRefused() {
        const auto server = serve();
        std::vector<std::unique_ptr<RemoteClient>> clients;
        for (std::size_t i = 0; i < RemoteServer::MaxClients; ++i) {
            clients.push_back(std::make_unique<RemoteClient>(m_path));
            QVERIFY(test::isOk(clients.back()->ask("x")));
        }
        QVERIFY(RemoteClient(m_path).readLine().contains("16 clients are connected already"));
        clients.pop_back();
        QVERIFY(QTest::qWaitFor([this] { return test::isOk(RemoteClient(m_path).ask("x")); }, 30'000));
    }
    void whatIsUnderWayAtTheEndIsAnswered() {
        auto server = serve();
        RemoteClient client(m_path);
        QVERIFY(client.send("hold\n"));
        QTRY_COMPARE(held(), std::size_t(1));
        m_held.clear();
        QCOMPARE(test::errorOf(QJsonDocument::fromJson(client.readLine()).object()),
                 QStringLiteral("the program is ending"));
        QVERIFY(client.send("hold\n"));
        QTRY_COMPARE(held(), std::size_t(1));
        server.reset();
        m_held.clear(); // after the server: no harm
        QVERIFY(client.readLine().isEmpty());
    }
    void answersAreOneLineEach() {
        QCOMPARE(answerLine({true, "a\nb\t\"\x01", "[1,\n2]"}),
                 std::string("{\"ok\":true,\"output\":\"a\\nb\\t\\\"\\u0001\",\"value\":[1, 2]}\n"));
        QVERIFY(answerLine({false, "\xff", {}}).find("\xef\xbf\xbd") != std::string::npos);
        QVERIFY(answerLine({true, std::string(RemoteServer::MaxAnswer + 1, 'x'), {}}).find("more than 64 MiB")
                != std::string::npos);
    }
    void wordsAndQuotes() {
        const auto words = splitWords("  click \"a b\"\trow \"say \\\"x\\\\\" \"\" ");
        QVERIFY(words.ok());
        QCOMPARE(*words, (std::vector<std::string>{"click", "a b", "row", "say \"x\\", ""}));
        QVERIFY(QString::fromStdString(splitWords("type a \"b").error().message)
                    .contains(QLatin1String("byte 8 is not closed")));
        QCOMPARE(afterFirstWord(" step  12 "), std::string_view("12"));
    }
};

QTEST_GUILESS_MAIN(TestServer)
#include "tst_server.moc"
