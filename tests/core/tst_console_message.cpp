// $msg in a line: what the command `msg` prints, wherever it stands outside quotes.
#include <QtTest>

#include "engine/core/console_message.h"
#include "tests/core/console_fixture.h"

#include <map>

using namespace sbx;

namespace {

struct Fixture : test::ConsoleFixture {
    std::map<std::string, std::string> words{{"", "812"},
                                             {"receiver", "crate 3"},
                                             {"sender", "phantom_1"},
                                             {"fields.amount", "5.0"},
                                             {"fields.text", "a"},
                                             {"fields.point", "1.0 2.0 3.0"}};
    std::vector<std::string> got; // arguments of `take`, the last ones

    Fixture() {
        CommandParameter rest;
        rest.name = "word";
        rest.optional = true;
        rest.variadic = true;
        console.commands().add("take", "Takes words.", {rest},
                               [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                                   got = arguments;
                                   return {};
                               });
    }
    void addMessage() {
        CommandParameter word;
        word.name = "word";
        word.optional = true;
        console.commands().add(
            "msg", "The message.", {word},
            [this](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                const auto found = words.find(arguments.empty() ? std::string() : arguments[0]);
                if (found == words.end())
                    return Error{"the selected message has no " + arguments[0], {}, {}};
                context.print(found->second);
                context.note("for who reads");
                return {};
            });
    }
    std::vector<std::string> taken(std::string_view line) {
        got.clear();
        console.execute(line);
        return got;
    }
};

using Words = std::vector<std::string>;

} // namespace

class TestConsoleMessage : public QObject {
    Q_OBJECT
private slots:
    void places_data() {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QStringList>("found"); // "begin-end word"
        QTest::newRow("none") << "echo msg" << QStringList();
        QTest::newRow("alone") << "echo $msg" << QStringList{"5-9 "};
        QTest::newRow("a word") << "echo $msg.sender" << QStringList{"5-16 sender"};
        QTest::newRow("and what follows")
            << "test $msg.receiver.Health.current < 3" << QStringList{"5-18 receiver"};
        QTest::newRow("a field") << "echo $msg.fields.amount.x" << QStringList{"5-23 fields.amount"};
        QTest::newRow("fields without a name") << "echo $msg.fields" << QStringList{"5-16 fields"};
        QTest::newRow("two") << "send Damage $msg.sender amount=$msg.fields.amount"
                             << QStringList{"12-23 sender", "31-49 fields.amount"};
        QTest::newRow("a longer word") << "echo $msgs $msg_1 $message" << QStringList();
        QTest::newRow("a point at the end") << "echo $msg." << QStringList{"5-9 "};
        QTest::newRow("in quotes") << "echo \"$msg\" $msg \"a \\\" $msg\"" << QStringList{"12-16 "};
        QTest::newRow("at the end, cut") << "echo $ms" << QStringList();
    }
    void places() {
        QFETCH(QString, statement);
        QFETCH(QStringList, found);
        QStringList out;
        for (const MessagePlace& place : messagePlaces(statement.toStdString()))
            out << QStringLiteral("%1-%2 %3")
                       .arg(place.begin)
                       .arg(place.end)
                       .arg(QString::fromStdString(place.word));
        QCOMPARE(out, found);
    }

    void standsForWhatTheCommandPrints() {
        Fixture f;
        f.addMessage();
        QCOMPARE(f.taken("take $msg"), Words{"812"});
        QCOMPARE(f.taken("take $msg.receiver end"), (Words{"crate 3", "end"}));
        QCOMPARE(f.taken("take x=$msg.fields.amount"), Words{"x=5.0"});
        QCOMPARE(f.taken("take $msg.fields.point"), Words{"1.0 2.0 3.0"});
        QCOMPARE(f.taken("take \"$msg\""), Words{"$msg"});
        QCOMPARE(f.taken("take $msg; take $msg.sender"), Words{"phantom_1"});
        // Notes that the command prints beside its answer are not put into the line.
        QVERIFY(!f.logged("for who reads"));
    }

    void anUnknownWordStopsTheStatement() {
        Fixture f;
        f.addMessage();
        QCOMPARE(f.taken("take $msg.color"), Words());
        QVERIFY(f.logged("the selected message has no color"));
        const ConsoleReply reply = f.console.execute("take $msg.color; take on");
        QVERIFY(!reply.ok);
        QCOMPARE(f.got, Words{"on"}); // the next statement runs
    }

    // A line that is kept means the message that is selected when it runs.
    void keptForLater() {
        Fixture f;
        f.addMessage();
        f.console.execute("alias it take $msg");
        f.words[""] = "900";
        QCOMPARE(f.taken("it"), Words{"900"});
    }

    // What stands in a message comes from others: it starts no statement, and nothing in it is put in a second time.
    void whatStandsInAMessageIsText() {
        Fixture f;
        f.addMessage();
        for (const char* text : {"$msg", "$msg.fields.text", "$sel", "a; take b", "a\" ; take b", "// gone",
                                 "a | b", "two\nlines", "\\", "", "@client1 quit"}) {
            f.words["fields.text"] = text;
            const Words got = f.taken("take $msg.fields.text end");
            QCOMPARE(got.size(), std::size_t(2));
            QString kept = QString::fromUtf8(text);
            QCOMPARE(QString::fromStdString(got[0]).simplified(), kept.simplified());
            QCOMPARE(got[1], std::string("end"));
        }
        f.words["receiver"] = "$msg.receiver";
        QCOMPARE(f.taken("take $msg.receiver"), Words{"$msg.receiver"});
    }

    void withoutTheCommandItIsText() {
        Fixture f;
        QCOMPARE(f.taken("take $msg.receiver"), Words{"$msg.receiver"});
    }
};

QTEST_GUILESS_MAIN(TestConsoleMessage)
#include "tst_console_message.moc"
