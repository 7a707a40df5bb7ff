// Cells of comma-separated values: written so that they come back, and read as other programs write them.

#include <QtTest>

#include "engine/core/csv.h"

using namespace sbx;

class TestCsv : public QObject {
    Q_OBJECT
private slots:
    void quotesWhereNeeded_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("plain") << "crate 7"
                               << "crate 7";
        QTest::newRow("comma") << "a,b"
                               << "\"a,b\"";
        QTest::newRow("semicolon") << "a;b"
                                   << "\"a;b\"";
        QTest::newRow("tab") << "a\tb"
                             << "\"a\tb\"";
        QTest::newRow("quotes") << "say \"no\""
                                << "\"say \"\"no\"\"\"";
        QTest::newRow("line end") << "a\r\nb"
                                  << "\"a\r\nb\"";
        QTest::newRow("blank before") << " a"
                                      << "\" a\"";
        QTest::newRow("blank behind") << "a "
                                      << "\"a \"";
        QTest::newRow("only quotes") << "\"\""
                                     << "\"\"\"\"\"\"";
    }
    void quotesWhereNeeded() {
        QFETCH(QString, text);
        QFETCH(QString, cell);
        QCOMPARE(QString::fromStdString(csvCell(text.toStdString())), cell);
        for (const std::string& written : {csvCell(text.toStdString()), csvQuoted(text.toStdString())}) {
            const auto cells = csvCells("x," + written + ",y");
            QVERIFY(cells.ok());
            QVERIFY(*cells == (std::vector<std::string>{"x", text.toStdString(), "y"}));
        }
    }

    void readsWhatOthersWrite() {
        const auto same = [](std::string_view record, char separator,
                             const std::vector<std::string>& expected) {
            const auto cells = csvCells(record, separator);
            return cells.ok() && *cells == expected;
        };
        QVERIFY(same("", ',', {""}));
        QVERIFY(same(",", ',', {"", ""}));
        QVERIFY(same("a;b,c;", ';', {"a", "b,c", ""}));
        QVERIFY(same("a\t\"b\tc\"", '\t', {"a", "b\tc"}));
        QVERIFY(same("5\" pipe,b", ',', {"5\" pipe", "b"})); // quotes inside of a cell mean themselves
        QVERIFY(same("\"a\"b,c", ',', {"ab", "c"}));         // what follows the quotes belongs to the cell
        QVERIFY(same("\"a\"\"\",c", ',', {"a\"", "c"}));
    }

    void namesTheCellWhoseQuotesAreOpen() {
        for (const char* record : {"a,\"b", "a,\"", "a,\"b\"\""}) {
            const auto cells = csvCells(record);
            QVERIFY(!cells.ok());
            QCOMPARE(QString::fromStdString(cells.error().message),
                     QStringLiteral("the quotes that open cell 2 are not closed"));
        }
    }
};

QTEST_GUILESS_MAIN(TestCsv)
#include "tst_csv.moc"
