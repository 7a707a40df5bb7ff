// What comes from files and peers cannot control a terminal, or show a reader other text than there is.
#include <QtTest>

#include "engine/core/diagnostic.h"
#include "engine/core/log.h"
#include "engine/core/printable.h"
#include "engine/core/utf8.h"

#include <random>

using namespace sbx;
using namespace std::string_literals;

class TestPrintable : public QObject {
    Q_OBJECT
private slots:
    void controlsAreShownByNumber_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("expected");
        const auto row = [](const char* name, const std::string& text, const std::string& expected) {
            QTest::newRow(name) << text << expected;
        };
        row("empty", "", "");
        row("plain", "Crate 3 \\ \"quoted\" <b>", "Crate 3 \\ \"quoted\" <b>");
        row("letters of other scripts", "Ящик Kiste箱 🙂 شاحنة", "Ящик Kiste箱 🙂 شاحنة");
        row("zero-width joiners, which scripts need", "a\xe2\x80\x8d\xe2\x80\x8c", "a\xe2\x80\x8d\xe2\x80\x8c");
        row("line feeds and tabs stay", "a\n\tb", "a\n\tb");
        row("escape", "\x1b]0;owned\x07\x1b[31m", "\\x1b]0;owned\\x07\\x1b[31m");
        row("carriage return and backspace", "ok\r\b\bno", "ok\\x0d\\x08\\x08no");
        row("zero", "a\0b"s, "a\\x00b");
        row("delete", "a\x7f", "a\\u007f");
        row("C1: CSI and OSC in one character", "\xc2\x9b"s + "31m \xc2\x9d", "\\u009b31m \\u009d");
        row("bidirectional override", "a\xe2\x80\xae" "b\xe2\x80\xac", "a\\u202eb\\u202c");
        row("bidirectional isolates", "\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9", "\\u2066\\u2067\\u2068\\u2069");
        row("bidirectional marks", "\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "\\u200e\\u200f\\u061c");
        row("line and paragraph separator", "\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029");
        row("tag characters, as JSON writes them", "\xf3\xa0\x81\x81", "\\udb40\\udc41");
        row("a byte that is no text", "a\xff" "b", "a\\xffb");
        row("a C1 byte that is no text", "\x9b" "31m", "\\x9b31m");
        row("a character cut short", "\xe2\x80", "\\xe2\\x80");
        row("an overlong escape", "\xc0\x9b", "\\xc0\\x9b");
        row("half of a pair", "\xed\xa0\x80", "\\xed\\xa0\\x80");
    }
    void controlsAreShownByNumber() {
        QFETCH(std::string, text);
        QFETCH(std::string, expected);
        QCOMPARE(printable(text), expected);
        QCOMPARE(printable(expected), expected);
        QCOMPARE(isPrintable(text), text == expected);
        QCOMPARE(printableLine(expected), printableLine(text));
    }

    void oneLineIsOneLine() {
        QCOMPARE(printableLine("a\nPASS\tb"), std::string("a\\nPASS\\tb"));
        QVERIFY(isPrintable("a\nb\tc"));
    }

    // Whatever the bytes: well-formed text without a character that controls anything.
    void anyBytesBecomeText() {
        std::mt19937 random(20);
        for (int i = 0; i < 20'000; ++i) {
            std::string bytes(random() % 24, '\0');
            for (char& c : bytes)
                c = static_cast<char>(random() % 3 == 0 ? 0x80 + random() % 0x80 : random() % 0x100);
            const std::string shown = printable(bytes);
            QVERIFY(firstBadByte(shown) == std::string::npos);
            QVERIFY(isPrintable(shown));
            for (const QChar c : QString::fromStdString(shown))
                QVERIFY(c == u'\n' || c == u'\t' || c.category() != QChar::Other_Control);
        }
    }

    // Every reader of the log gets the same harmless text: panels, condump and the terminal.
    void logHoldsNoControls() {
        Log log;
        log.warning("ne\x1bt", "\x1b[2Jhello \xc2\x9b\xe2\x80\xae" "gnp.exe\nsecond");
        const LogRecord record = log.since(0).front();
        QCOMPARE(record.channel, std::string("ne\\x1bt"));
        QCOMPARE(record.text, std::string("\\x1b[2Jhello \\u009b\\u202egnp.exe\nsecond"));
    }

    void faultsAreOneHarmlessLine() {
        Diagnostic fault;
        fault.file = "a\x1b[1mb.toml";
        fault.what = "unknown type \"x\ny\xc2\x9b\"";
        QCOMPARE(fault.toString(), std::string("a\\x1b[1mb.toml:") + std::to_string(fault.region.line) + ":"
                                       + std::to_string(fault.region.column) + ": error: unknown type \"x\\ny\\u009b\"");
        QCOMPARE((Error{"no\x07", "f\n", {}}.toString()), std::string("f\\n: error: no\\x07"));
    }
};

QTEST_GUILESS_MAIN(TestPrintable)

#include "tst_printable.moc"
