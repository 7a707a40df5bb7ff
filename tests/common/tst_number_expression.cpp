#include <QTest>

#include "widgets/common/number_expression.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <random>

using namespace sbx::ui;

namespace {

// A second implementation: a random tree of operations whose value is worked out from the tree, and whose text has the parentheses that the
// rules of arithmetic ask for, and at random some more.
class Tree {
public:
    explicit Tree(std::mt19937& random, int depth = 0) {
        const auto pick = [&random](int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); };
        m_kind = depth >= 6 ? 'n' : "nnpf+-*/+-*/m^"[pick(14)];
        m_number = pick(2) == 0 ? pick(100) : pick(100000) / 1000.0;
        m_gaps = pick(3) == 0;
        m_extra = pick(5) == 0;
        m_function = pick(4);
        const int children = m_kind == 'n' || m_kind == 'p' ? 0 : m_kind == 'm' || m_kind == 'f' ? 1 : 2;
        for (int i = 0; i < children; ++i)
            m_children.push_back(std::make_unique<Tree>(random, depth + 1));
    }

    [[nodiscard]] double value() const {
        const auto child = [this](std::size_t i) { return m_children[i]->value(); };
        switch (m_kind) {
        case 'n':
            return m_number;
        case 'p':
            return std::numbers::pi;
        case 'm':
            return -child(0);
        case '+':
            return child(0) + child(1);
        case '-':
            return child(0) - child(1);
        case '*':
            return child(0) * child(1);
        case '/':
            return child(1) == 0.0 ? std::nan("") : child(0) / child(1);
        case '^':
            return std::pow(child(0), child(1));
        default:
            break;
        }
        switch (m_function) {
        case 0:
            return std::sqrt(child(0));
        case 1:
            return std::abs(child(0));
        case 2:
            return std::floor(child(0));
        default:
            return std::round(child(0));
        }
    }

    // `outer`: how tightly what stands around binds; looser than that needs parentheses.
    [[nodiscard]] QString text(int outer = 0) const {
        static const char* const Functions[] = {"sqrt", "abs", "floor", "round"};
        const QString gap = m_gaps ? QStringLiteral(" ") : QString();
        int binds = 4;
        QString out;
        const auto two = [&](const char* sign, int left, int right) {
            return m_children[0]->text(left) + gap + QLatin1String(sign) + gap + m_children[1]->text(right);
        };
        switch (m_kind) {
        case 'n':
            out = QString::number(m_number, 'g', 17);
            break;
        case 'p':
            out = QStringLiteral("pi");
            break;
        case 'f':
            out = QLatin1String(Functions[m_function]) + gap + QLatin1Char('(') + gap + m_children[0]->text() + gap + QLatin1Char(')');
            break;
        case '+':
        case '-':
            binds = 1;
            out = two(m_kind == '+' ? "+" : "-", 1, 2);
            break;
        case '*':
        case '/':
            binds = 2;
            out = two(m_kind == '*' ? "*" : "/", 2, 3);
            break;
        case 'm':
            binds = 3;
            out = QLatin1Char('-') + gap + m_children[0]->text(3);
            break;
        default: // a power: its left side binds tighter, its right side may be another one
            binds = 3;
            out = two(m_extra ? "**" : "^", 4, 3);
            break;
        }
        return binds < outer || m_extra ? QLatin1Char('(') + gap + out + gap + QLatin1Char(')') : out;
    }

private:
    char m_kind = 'n';
    double m_number = 0.0;
    bool m_gaps = false;
    bool m_extra = false;
    int m_function = 0;
    std::vector<std::unique_ptr<Tree>> m_children;
};

} // namespace

class TestNumberExpression : public QObject {
    Q_OBJECT

private slots:
    void values_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<double>("value");
        const auto row = [](const char* text, const char* unit, double value) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(unit) << value;
        };
        row("12", "", 12.0);
        row(" 1,5 ", "", 1.5);
        row(".5", "", 0.5);
        row("5.", "", 5.0);
        row("-0", "", 0.0);
        row("1e-9", "", 1e-9);
        row("2E3", "", 2000.0);
        row("1e-999", "", 0.0);
        row("0.30000000000000004", "", 0.30000000000000004);
        row("1/2", "", 0.5);
        row("2*3.5", "", 7.0);
        row("(1+2)*4", "", 12.0);
        row("1 + 2 * 3 - 4 / 8", "", 6.5);
        row("10-2-3", "", 5.0);
        row("16/4/2", "", 2.0);
        row("-2^2", "", -4.0);
        row("2^-1", "", 0.5);
        row("2^3^2", "", 512.0);
        row("2**3", "", 8.0);
        row("2--3", "", 5.0);
        row("- + -3", "", 3.0);
        row("6÷4×2−1", "", 2.0);
        row("pi", "", std::numbers::pi);
        row("2*pi", "", 2.0 * std::numbers::pi);
        row("sqrt(2)", "", std::numbers::sqrt2);
        row("abs(-3)", "", 3.0);
        row("floor(2.7)+ceil(2.2)+round(2.5)", "", 8.0);
        row("sin(30)", "", 0.5);
        row("cos(60)", "", 0.5);
        row("cos(90)", "", 0.0);
        row("sin(180)", "", 0.0);
        row("sin(-150)", "", -0.5);
        row("tan(45)", "", 1.0);
        row("tan(135)", "", -1.0);
        row("atan(1)", "°", 45.0);
        row("acos(0.5)", "", std::acos(0.5) * 180.0 / std::numbers::pi);
        row("8 kg", "kg", 8.0);
        row("8kg", "kg", 8.0);
        row("5 ms", "s", 0.005);
        row("0.5 s", "ms", 500.0);
        row("2 min", "s", 120.0);
        row("90 deg", "°", 90.0);
        row("90°", "°", 90.0);
        row("pi rad", "°", 180.0);
        row("10 cm", "m", 0.1);
        row("35 cm", "m", 0.35);
        row("1 m + 5 cm", "m", 1.05);
        row("(1+2) cm", "m", 0.03);
        row("10 cm * 2", "m", 0.2);
        row("1.5 km", "m", 1500.0);
        row("250 g", "kg", 0.25);
        row("36 km/h", "m/s", 10.0);
        row("5 m/s", "m/s", 5.0);
        row("5 m/s/2", "m/s", 2.5);
        row("10 m/4", "m", 2.5);
        row("2 rpm", "deg/s", 12.0);
        row("3 N*m/rad", "N*m/rad", 3.0);
        row("6 1/s", "1/s", 6.0);
        row("-12 dB", "dB", -12.0);
    }
    void values() {
        QFETCH(QString, text);
        QFETCH(QString, unit);
        QFETCH(double, value);
        const NumberExpression result = evaluateNumber(text, unit);
        QVERIFY2(result.ok(), qPrintable(result.fault));
        QVERIFY2(std::abs(result.value - value) <= 1e-15 * std::abs(value),
                 qPrintable(QStringLiteral("%1 instead of %2").arg(result.value, 0, 'g', 17).arg(value, 0, 'g', 17)));
        QVERIFY(!std::signbit(result.value) || value < 0.0);
    }

    // Each says what is wrong, and where.
    void faults_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<int>("at");
        QTest::addColumn<int>("length");
        const auto row = [](const char* text, const char* unit, const char* fault, int at, int length) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(unit) << QString::fromUtf8(fault) << at << length;
        };
        row("", "", "a number is needed", 0, 0);
        row("  ", "m", "a number is needed", 0, 0);
        row("-", "", "a number is missing after “-”", 0, 1);
        row("-0.5+", "", "a number is missing after “+”", 4, 1);
        row("2 * ", "", "a number is missing after “*”", 2, 1);
        row("*2", "", "a number is missing before “*”", 0, 1);
        row("2*/3", "", "a number is missing after “*”", 1, 1);
        row("()", "", "a number is missing after “(”", 0, 1);
        row("(1+2", "", "“(” is not closed", 0, 1);
        row("1+2)", "", "“)” has no “(”", 3, 1);
        row("1 000", "", "an operator such as + or * is missing before “0”", 2, 1);
        row("2(3)", "", "an operator such as + or * is missing before “(”", 1, 1);
        row("1.2.3", "", "an operator such as + or * is missing before “.”", 3, 1);
        row("2 pi", "", "an operator such as + or * is missing before “pi”", 2, 2);
        row("1e", "", "“e” is not a unit", 1, 1);
        row("0x10", "", "“x10” is not a unit", 1, 3);
        row("inf", "", "“inf” is neither a number nor a function", 0, 3);
        row("nan", "", "“nan” is neither a number nor a function", 0, 3);
        row("heavy", "kg", "“heavy” is neither a number nor a function", 0, 5);
        row("1/0", "", "nothing can be divided by 0", 2, 1);
        row("1/(2-2)", "", "nothing can be divided by 0", 2, 5);
        row("1e999", "", "“1e999” is too large", 0, 5);
        row("1e300*1e300", "", "the result is too large", 0, 11);
        row("1e300*1e300-1e300*1e300", "", "the result is not a number", 0, 23);
        row("sqrt(-1)", "", "sqrt has no value there", 0, 8);
        row("tan(90)", "", "tan has no value there", 0, 7);
        row("asin(2)", "", "asin has no value there", 0, 7);
        row("(-8)^(1/3)", "", "this power is not a number", 0, 10);
        row("sqrt 2", "", "“sqrt” needs its number in parentheses", 0, 4);
        row("sqrt(", "", "a number is missing after “(”", 4, 1);
        row("5 kg", "m", "“kg” does not fit: this number is in m", 2, 2);
        row("5 m/s", "m", "“m/s” does not fit: this number is in m", 2, 3);
        row("5 m", "", "“m” does not fit: this number has no unit", 2, 1);
        row("5 parsec", "m", "“parsec” is not a unit", 2, 6);
        row("m", "m", "a number is missing before “m”", 0, 1);
        row("1 $ 2", "", "“$” is not part of a number", 2, 1);
        row("1\xF0\x9F\x92\xA3", "", "“\xF0\x9F\x92\xA3” is not part of a number", 1, 2);
    }
    void faults() {
        QFETCH(QString, text);
        QFETCH(QString, unit);
        QFETCH(QString, fault);
        QFETCH(int, at);
        QFETCH(int, length);
        const NumberExpression result = evaluateNumber(text, unit);
        QCOMPARE(result.fault, fault);
        QCOMPARE(int(result.at), at);
        QCOMPARE(int(result.length), length);
    }

    void agreesWithASecondImplementation() {
        std::mt19937 random(20260101);
        int compared = 0;
        for (int i = 0; i < 20000; ++i) {
            const Tree tree(random);
            const QString text = tree.text();
            const double wanted = tree.value();
            const NumberExpression result = evaluateNumber(text);
            if (!std::isfinite(wanted)) // a part may be infinite and the whole not: then both know the value
                continue;
            if (!result.ok() && (result.fault.contains(QLatin1String("divided")) || result.fault.contains(QLatin1String("not a number"))
                                 || result.fault.contains(QLatin1String("no value"))))
                continue; // a part that has no value, below something that forgives it, as nan^0
            QVERIFY2(result.ok(), qPrintable(text + QStringLiteral(": ") + result.fault));
            const bool same = result.value == wanted || std::abs(result.value - wanted) <= 1e-12 * std::abs(wanted);
            QVERIFY2(same, qPrintable(QStringLiteral("%1: %2 instead of %3").arg(text).arg(result.value).arg(wanted)));
            ++compared;
        }
        QVERIFY2(compared > 10000, qPrintable(QString::number(compared)));
    }

    // Whatever is pasted: an answer, a place inside the text, and no end of the stack.
    void hostile() {
        const QString many(100000, QLatin1Char('('));
        for (const QString& text :
             {many, many + QLatin1Char('1') + QString(100000, QLatin1Char(')')), QString(100000, QLatin1Char('-')) + QLatin1Char('1'),
              QString(100000, QLatin1Char('9')), QStringLiteral("sqrt(").repeated(50000), QStringLiteral("2^").repeated(50000) + QLatin1Char('2')}) {
            const NumberExpression result = evaluateNumber(text);
            QVERIFY(!result.ok());
            QVERIFY(result.at >= 0 && result.at + result.length <= text.size());
        }
        QVERIFY(evaluateNumber(QStringLiteral("1+").repeated(50000) + QLatin1Char('1')).value == 50001.0);
        QCOMPARE(evaluateNumber(QString(90, QLatin1Char('(')) + QLatin1Char('7') + QString(90, QLatin1Char(')'))).value, 7.0);
        std::mt19937 random(7);
        const QString parts = QString::fromUtf8("0123456789.,+-*/^()eE pisqrtcomkgdb°µ\t\"<>&");
        for (int i = 0; i < 50000; ++i) {
            QString text;
            for (int length = std::uniform_int_distribution<int>(0, 24)(random); length > 0; --length)
                text += parts[std::uniform_int_distribution<qsizetype>(0, parts.size() - 1)(random)];
            const NumberExpression result = evaluateNumber(text, i % 2 == 0 ? QStringLiteral("m") : QString());
            QVERIFY2(result.ok() ? std::isfinite(result.value) : result.at >= 0 && result.at + result.length <= text.size(), qPrintable(text));
        }
    }
};

QTEST_GUILESS_MAIN(TestNumberExpression)
#include "tst_number_expression.moc"
