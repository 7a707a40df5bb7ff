// The scanner's statements and the document's values and places.
#include <QtTest>

#include "engine/definition/text_file.h"
#include "engine/definition/toml_document.h"
#include "engine/definition/toml_syntax.h"
#include "tests/counted_allocations.h"
#include "tests/folders.h"

#include <filesystem>

using namespace sbx;
using namespace sbx::definition;

namespace {

using Kind = SyntaxStatement::Kind;

TomlDocument parse(std::string_view text, Diagnostics& sink) {
    return TomlDocument::parse(text, "f.toml", sink);
}

// The bytes a region covers.
std::string at(std::string_view text, const SourceRegion& region) {
    return std::string(LineIndex(text).span(region).of(text));
}

// Every key's and value's region must cover just its text.
void checkPlaces(std::string_view text, const SourceValue& value) {
    for (const SourceEntry& entry : value.table) {
        const std::string key = at(text, entry.keyRegion);
        QVERIFY2(key == entry.key || unquoteToml(key) == entry.key, key.c_str());
        checkPlaces(text, entry.value);
    }
    for (const SourceValue& element : value.array)
        checkPlaces(text, element);
    const std::string own = at(text, value.region);
    switch (value.kind) {
    case SourceValue::Kind::Integer:
        QCOMPARE(std::stoll(own, nullptr, 0), static_cast<long long>(value.integer));
        break;
    case SourceValue::Kind::Float:
        QCOMPARE(std::stod(own), value.number);
        break;
    case SourceValue::Kind::Boolean:
        QCOMPARE(own, std::string(value.boolean ? "true" : "false"));
        break;
    case SourceValue::Kind::String:
        QVERIFY(unquoteToml(own) == value.text);
        break;
    case SourceValue::Kind::Array:
        QVERIFY(own.front() == '[' && own.back() == ']');
        break;
    default:
        break;
    }
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT
private slots:
    void statementsCoverTheText() {
        const std::string text = "# head\n\n[a.\"b c\"] # x\n  k = [1, # in\n  2]  # after\r\n[[e]]\nbad "
                                 "line # c\nt.u = \"\"\"\nx\n[y]\n\"\"\"\nlast = 1";
        const auto statements = scanToml(text);
        std::string all;
        for (const SyntaxStatement& s : statements)
            all += s.lines.of(text);
        QCOMPARE(all, text);
        const std::vector<Kind> kinds{Kind::Comment,    Kind::Blank,  Kind::Table,    Kind::KeyValue,
                                      Kind::ArrayTable, Kind::Broken, Kind::KeyValue, Kind::KeyValue};
        QCOMPARE(statements.size(), kinds.size());
        for (std::size_t i = 0; i < kinds.size(); ++i)
            QVERIFY(statements[i].kind == kinds[i]);
        QCOMPARE(statements[2].path[1].name, std::string("b c"));
        QCOMPARE(std::string(statements[2].text.of(text)), std::string("[a.\"b c\"]"));
        QCOMPARE(std::string(statements[3].value.of(text)), std::string("[1, # in\n  2]"));
        QCOMPARE(std::string(statements[5].text.of(text)), std::string("bad line"));
        QCOMPARE(std::string(statements[6].value.of(text)), std::string("\"\"\"\nx\n[y]\n\"\"\""));
        QCOMPARE(statements[6].path.size(), std::size_t{2});
    }
    void listsOfListsAreNoHeaders() {
        const auto statements = scanToml("a = [\n  [1, 2],\n  [true],\n  [\"x\"]\n]\nb = 1\n");
        QCOMPARE(statements.size(), std::size_t{2});
        QVERIFY(statements[0].unclosed == 0);
    }
    void inlineTableEntries() {
        const std::string text = "k = { a = 1 , \"b\" = [2, 3], c.d = { e = \"}\" } }";
        const auto entries = scanInlineTable(text, {4, text.size()});
        QCOMPARE(entries.size(), std::size_t{3});
        QCOMPARE(std::string(entries[0].value.of(text)), std::string("1"));
        QCOMPARE(entries[1].path[0].name, std::string("b"));
        QCOMPARE(std::string(entries[1].whole.of(text)), std::string("\"b\" = [2, 3]"));
        QCOMPARE(std::string(entries[2].value.of(text)), std::string("{ e = \"}\" }"));
    }
    void unquotes() {
        QCOMPARE(*unquoteToml("\"a\\tb\\u00e9\\U0001F600\""), std::string("a\tb\xC3\xA9\xF0\x9F\x98\x80"));
        QCOMPARE(*unquoteToml("'C:\\x'"), std::string("C:\\x"));
        QCOMPARE(*unquoteToml("\"\"\"\na\\\n   b\"\"\""), std::string("ab"));
        QVERIFY(!unquoteToml("5"));
        QVERIFY(!unquoteToml("\"a\\q\""));
        QVERIFY(!unquoteToml("\"\\uD800\""));
        QVERIFY(!unquoteToml("\""));
        QCOMPARE(tomlKey("mass"), std::string("mass"));
        QCOMPARE(tomlKey("a b"), std::string("\"a b\""));
        QCOMPARE(tomlKey(""), std::string("\"\""));
    }
    void linesAndColumns() {
        const std::string text = "\xEF\xBB\xBF"
                                 "ab\r\ncd\n";
        const LineIndex lines(text);
        QCOMPARE(lines.lineCount(), 3);
        QCOMPARE(lines.region({3, 5}), (SourceRegion{1, 1, 1, 3}));
        QCOMPARE(lines.offset(1, 2), std::size_t{4});
        QCOMPARE(lines.offset(2, 1), std::size_t{7});
        QCOMPARE(lines.offset(1, 99), std::size_t{5});
        QCOMPARE(lines.offset(99, 1), text.size());
    }
    void keepsFileOrderAndPlaces() {
        const std::string text = "[Zebra]\n"
                                 "zeta = 1\n"
                                 "alpha = -2.5\n"
                                 "text = \"\xE6\x97\xA5\xE6\x9C\xAC\"   # comment\n"
                                 "list = [ 1, [2.5, \"\xC3\xA9\"], { k = 0xFF } ]\n"
                                 "[Ant]\n"
                                 "\"q k\" = true\n"
                                 "d.o.t = 3\n"
                                 "long = '''\n\xC3\xA9''' # \xC3\xA9\n"
                                 "[Zebra.Body]\n"
                                 "on = false\n"
                                 "[[e]]\n"
                                 "x = 1\n"
                                 "[e.Part]\n"
                                 "y = 2\n"
                                 "[[e]]\n"
                                 "[[e]]\n"
                                 "x = 3\n";
        Diagnostics sink;
        const TomlDocument document = parse(text, sink);
        QVERIFY(sink.items.empty());
        const SourceValue& root = document.root();
        QCOMPARE(root.table.size(), std::size_t{3});
        QCOMPARE(root.table[0].key, std::string("Zebra"));
        QCOMPARE(root.table[1].key, std::string("Ant"));
        std::string order;
        for (const SourceEntry& entry : root.table[0].value.table)
            order += entry.key + " ";
        QCOMPARE(order, std::string("zeta alpha text list Body "));
        const SourceValue& elements = root.table[2].value;
        QCOMPARE(elements.array.size(), std::size_t{3});
        QCOMPARE(elements.array[0].find("Part")->value.find("y")->value.integer, std::int64_t{2});
        QCOMPARE(elements.array[1].table.size(), std::size_t{0});
        QCOMPARE(elements.array[2].region, (SourceRegion{18, 1, 18, 6}));
        checkPlaces(text, root);
    }
    void placesSurviveCarriageReturnsAndMarks() {
        const std::string text =
            "\xEF\xBB\xBF[A]\r\nx = 5 # c\r\ny = \"\xC3\xA9\"\r\n\r\n[B]\r\nz = [1,\r\n 2]\r\n";
        Diagnostics sink;
        const TomlDocument document = parse(text, sink);
        QVERIFY(sink.items.empty());
        QCOMPARE(document.root().table[0].keyRegion, (SourceRegion{1, 2, 1, 3}));
        QCOMPARE(document.root().table[1].value.find("z")->value.array[1].region, (SourceRegion{7, 2, 7, 3}));
        checkPlaces(text, document.root());
    }
    void oneFaultCostsOneChunk() {
        std::string text;
        for (int i = 0; i < 20; ++i)
            text += "[[entity]]\nname = \"e" + std::to_string(i) + (i == 7 ? "\n" : "\"\n")
                    + "[entity.Body]\nmass = 1\n";
        Diagnostics sink;
        const TomlDocument document = parse(text, sink);
        QCOMPARE(sink.items.size(), std::size_t{1});
        QCOMPARE(sink.items[0].region.line, 30);
        QCOMPARE(document.root().find("entity")->value.array.size(), std::size_t{19});
        QVERIFY(document.isBroken("entity"));
        QVERIFY(!document.isUnreadable());
    }
    void refusesWhatIsNoText() {
        for (const std::string& text : {std::string("a = \"\0\"", 7), std::string("a = \"\xFF\""),
                                        std::string(MaximumTextBytes + 1, ' ')}) {
            Diagnostics sink;
            const TomlDocument document = parse(text, sink);
            QCOMPARE(sink.items.size(), std::size_t{1});
            QVERIFY(sink.items[0].region.line == 1);
            QVERIFY(document.isUnreadable() && document.isBroken("anything"));
            QVERIFY(document.root().table.empty());
        }
    }
    // Each line costs its reader memory, whatever is in it: 64 MiB of line ends once took 8 GB. They are counted first.
    void linesHaveALimit() {
        for (const std::string_view line : {"\n", "\r\n", "#\n", "a\n"}) {
            std::string text;
            while (text.size() + line.size() <= MaximumTextBytes
                   && text.size() / line.size() < 3 * MaximumTextLines)
                text += line;
            const std::size_t taken = AllocatedBytes;
            Diagnostics sink;
            const TomlDocument document = parse(text, sink);
            QVERIFY(AllocatedBytes - taken < 10'000);
            QCOMPARE(sink.items.size(), std::size_t{1});
            QCOMPARE(sink.items[0].toString(), "f.toml:4000001:1: error: the file has "
                                                   + std::to_string(text.size() / line.size())
                                                   + " lines; expected at most 4000000");
            QVERIFY(document.isUnreadable());
        }
        // The longest that is read, without and with a line end, and one line more.
        std::string text = "a = 1\n" + std::string(MaximumTextLines - 2, '\n') + "b = 2";
        for (const bool read : {true, true, false}) {
            Diagnostics sink;
            const TomlDocument document = parse(text, sink);
            QCOMPARE(sink.items.empty(), read);
            QCOMPARE(document.root().table.size(), std::size_t{read ? 2U : 0U});
            text += '\n';
        }
        QVERIFY(!parseTomlValue("[" + std::string(MaximumTextLines + 1, '\n') + "]"));
    }
    // Each of these once took memory, time or stack out of all proportion in some reader.
    void hostileTexts_data() {
        QTest::addColumn<QByteArray>("text");
        constexpr int Many = 1000000;
        QTest::newRow("brackets") << QByteArray("a = ") + QByteArray(Many, '[');
        QTest::newRow("braces") << QByteArray("a = ") + QByteArray("{a=").repeated(Many / 3);
        QTest::newRow("dots") << QByteArray("a.").repeated(Many) + "b = 1";
        QTest::newRow("dots in a header") << QByteArray("[") + QByteArray("a.").repeated(Many) + "b]";
        QTest::newRow("dots in a table")
            << QByteArray("a = { ") + QByteArray("a.").repeated(Many) + "b = 1 }";
        QTest::newRow("headers") << QByteArray("[").repeated(Many);
        QTest::newRow("header lines") << QByteArray("[\n").repeated(Many / 10);
        QTest::newRow("quotes") << QByteArray("\"").repeated(Many);
        QTest::newRow("open strings") << QByteArray("a = \"\"\"\\\n").repeated(Many / 10);
        QTest::newRow("open literals") << QByteArray("a = '''\n[b]\nc = \"\"\"\n").repeated(Many / 20);
        QTest::newRow("one line, not ASCII")
            << QByteArray("a = [") + QByteArray("\"\xC3\xA9\",[1],").repeated(Many / 10) + "]";
        QTest::newRow("many tables") << [] {
            QByteArray text;
            for (int i = 0; i < 50000; ++i)
                text += "[t" + QByteArray::number(i) + "]\n";
            return text;
        }();
        QTest::newRow("one table, many keys") << [] {
            QByteArray text = "[t]\n";
            for (int i = 0; i < 50000; ++i)
                text += "k" + QByteArray::number(i) + " = 1\n";
            return text;
        }();
    }
    void hostileTexts() {
        QFETCH(QByteArray, text);
        const std::size_t before = AllocatedBytes;
        Diagnostics sink;
        const TomlDocument document =
            parse(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), sink);
        QVERIFY(sink.items.size() <= 102);
        // What is asked for grows with the text, not with its square.
        const std::size_t each = (AllocatedBytes - before) / static_cast<std::size_t>(text.size());
        QVERIFY2(each < 1000, qPrintable(QString::number(each)));
    }
    void shippedFilesParse() {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 sbx::test::sourcePath("resources"))) {
            if (entry.path().extension() != ".toml")
                continue;
            const Result<std::string> text = readTextFile(entry.path());
            QVERIFY(text.ok());
            Diagnostics sink;
            const TomlDocument document = TomlDocument::parse(*text, entry.path().string(), sink);
            QVERIFY2(sink.items.empty(), sink.items.empty() ? "" : sink.items[0].toString().c_str());
            checkPlaces(*text, document.root());
        }
    }
    void singleValues() {
        QCOMPARE(parseTomlValue("[1, 2.5]")->array[1].number, 2.5);
        QCOMPARE(parseTomlValue("\"a # b\"")->text, std::string("a # b"));
        QCOMPARE(parseTomlValue("-3")->integer, std::int64_t{-3});
        for (const char* bad : {"", " ", "1 2", "1 # c", "1\nb = 2", "[1", "\"a", "a", "1]", "{ a = 1", "1\n",
                                " 1", "2024-01-01"})
            QVERIFY2(!parseTomlValue(bad), bad);
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "tst_document.moc"
