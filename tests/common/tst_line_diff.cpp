// Differences of texts as somebody reads them.
#include <QtTest>

#include "widgets/common/line_diff.h"

#include <random>

using namespace sbx::ui;

namespace {
using Kind = DiffLine::Kind;

std::string written(const std::vector<DiffLine>& diff) {
    std::string out;
    for (const DiffLine& line : diff)
        out += (line.kind == Kind::Same      ? " "
                : line.kind == Kind::Added   ? "+"
                : line.kind == Kind::Removed ? "-"
                                             : "@")
               + line.line + "|";
    return out;
}
} // namespace

class TestLineDiff : public QObject {
    Q_OBJECT

private slots:
    void isReadable_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<QByteArray>("diff");
        QTest::newRow("the same") << QByteArray("a\nb\n") << QByteArray("a\nb\n") << QByteArray();
        QTest::newRow("line ends alone") << QByteArray("a\r\nb\r\n") << QByteArray("a\nb") << QByteArray();
        QTest::newRow("both empty") << QByteArray() << QByteArray() << QByteArray();
        QTest::newRow("all new") << QByteArray() << QByteArray("a\nb") << QByteArray("+a|+b|");
        QTest::newRow("all gone") << QByteArray("a\n") << QByteArray() << QByteArray("-a|");
        QTest::newRow("one of many") << QByteArray("1\n2\n3\n4\n5\n6\n7\n")
                                     << QByteArray("1\n2\n3\nfour\n5\n6\n7\n")
                                     << QByteArray("@1| 2| 3|-4|+four| 5| 6|@1|");
        QTest::newRow("moved") << QByteArray("a\nb\nc\n") << QByteArray("b\nc\na\n")
                               << QByteArray("-a| b| c|+a|");
    }
    void isReadable() {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QFETCH(QByteArray, diff);
        QCOMPARE(QByteArray::fromStdString(written(lineDiff(before.toStdString(), after.toStdString()))),
                 diff);
    }

    // What is alike and removed is the text before, what is alike and added the text after; and no common line less than a second way
    // of counting finds.
    void leadsFromOneToTheOther() {
        std::mt19937 random(4);
        for (int round = 0; round < 400; ++round) {
            const auto text = [&] {
                std::string out;
                for (std::size_t i = random() % 14; i > 0; --i)
                    out += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
                return out;
            };
            const std::string before = text();
            const std::string after = text();
            std::string from;
            std::string to;
            std::size_t same = 0;
            for (const DiffLine& line : lineDiff(before, after, 100)) {
                if (line.kind != Kind::Added)
                    from += line.line + "\n";
                if (line.kind != Kind::Removed)
                    to += line.line + "\n";
                same += line.kind == Kind::Same ? 1U : 0U;
            }
            if (before == after)
                continue;
            QCOMPARE(from, before);
            QCOMPARE(to, after);
            // All subsequences of the shorter one, from the longest on: at most 2^13.
            std::string a;
            std::string b;
            for (const char c : before)
                if (c != '\n')
                    a += c;
            for (const char c : after)
                if (c != '\n')
                    b += c;
            std::size_t best = 0;
            for (std::size_t mask = 0; mask < (std::size_t{1} << a.size()); ++mask) {
                std::size_t at = 0;
                std::size_t length = 0;
                bool fits = true;
                for (std::size_t i = 0; i < a.size() && fits; ++i)
                    if ((mask >> i & 1U) != 0) {
                        at = b.find(a[i], at);
                        fits = at != std::string::npos;
                        ++at;
                        ++length;
                    }
                if (fits)
                    best = std::max(best, length);
            }
            QCOMPARE(same, best);
        }
    }

    void hugeTextsAreNoTableOfAllPairs() {
        std::string before;
        std::string after;
        for (int i = 0; i < 30'000; ++i) {
            before += "a" + std::to_string(i) + "\n";
            after += "b" + std::to_string(i) + "\n";
        }
        QCOMPARE(lineDiff(before, after).size(), std::size_t{60'000});
    }
};

QTEST_GUILESS_MAIN(TestLineDiff)
#include "tst_line_diff.moc"
