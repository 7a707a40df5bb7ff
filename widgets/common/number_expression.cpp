#include "widgets/common/number_expression.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <limits>
#include <numbers>

namespace sbx::ui {

namespace {

constexpr int MaximumNesting = 100; // parentheses, signs and powers within one another
constexpr double PerRadian = 180.0 / std::numbers::pi;

QString words(const char* text) { return QCoreApplication::translate("NumberExpression", text); }

enum class Quantity { Length, Time, Angle, Mass, Frequency, Speed, AngularSpeed };

// As a fraction, so that 35 cm is the double nearest to 0.35.
struct Unit {
    const char16_t* name;
    Quantity quantity;
    double multiply = 1.0;
    double divide = 1.0;
};

constexpr Unit Units[] = {
    {u"m", Quantity::Length},
    {u"mm", Quantity::Length, 1.0, 1e3},
    {u"cm", Quantity::Length, 1.0, 1e2},
    {u"km", Quantity::Length, 1e3},
    {u"s", Quantity::Time},
    {u"ms", Quantity::Time, 1.0, 1e3},
    {u"us", Quantity::Time, 1.0, 1e6},
    {u"µs", Quantity::Time, 1.0, 1e6},
    {u"min", Quantity::Time, 60.0},
    {u"h", Quantity::Time, 3600.0},
    {u"deg", Quantity::Angle},
    {u"°", Quantity::Angle},
    {u"rad", Quantity::Angle, PerRadian},
    {u"kg", Quantity::Mass},
    {u"g", Quantity::Mass, 1.0, 1e3},
    {u"t", Quantity::Mass, 1e3},
    {u"Hz", Quantity::Frequency},
    {u"kHz", Quantity::Frequency, 1e3},
    {u"m/s", Quantity::Speed},
    {u"km/h", Quantity::Speed, 1e3, 3600.0},
    {u"deg/s", Quantity::AngularSpeed},
    {u"°/s", Quantity::AngularSpeed},
    {u"rad/s", Quantity::AngularSpeed, PerRadian},
    {u"rpm", Quantity::AngularSpeed, 6.0},
};

const Unit* unitNamed(QStringView name) {
    for (const Unit& unit : Units)
        if (name == QStringView(unit.name))
            return &unit;
    return nullptr;
}

struct Function {
    const char16_t* name;
    double (*call)(double);
    bool takesAngle = false;
};

double ofDegrees(double (*function)(double), double degrees) { return function(degrees / PerRadian); }

// Exact where a person knows the answer: sin(30) is 0.5 and cos(90) is 0.
double sine(double degrees) {
    const double turned = std::remainder(degrees, 360.0);
    if (turned == 0.0 || std::abs(turned) == 180.0)
        return 0.0;
    if (std::abs(turned) == 30.0 || std::abs(turned) == 150.0)
        return std::copysign(0.5, turned);
    return ofDegrees(std::sin, turned);
}
double cosine(double degrees) { return sine(90.0 - std::abs(std::remainder(degrees, 360.0))); }
double tangent(double degrees) {
    const double turned = std::remainder(degrees, 180.0);
    if (std::abs(turned) == 90.0)
        return std::numeric_limits<double>::quiet_NaN();
    if (turned == 0.0 || std::abs(turned) == 45.0)
        return turned == 0.0 ? 0.0 : std::copysign(1.0, turned);
    return ofDegrees(std::tan, turned);
}

constexpr Function Functions[] = {
    {u"sqrt", [](double x) { return std::sqrt(x); }},
    {u"abs", [](double x) { return std::abs(x); }},
    {u"floor", [](double x) { return std::floor(x); }},
    {u"ceil", [](double x) { return std::ceil(x); }},
    {u"round", [](double x) { return std::round(x); }},
    {u"sin", sine, true},
    {u"cos", cosine, true},
    {u"tan", tangent, true},
    {u"asin", [](double x) { return std::asin(x) * PerRadian; }},
    {u"acos", [](double x) { return std::acos(x) * PerRadian; }},
    {u"atan", [](double x) { return std::atan(x) * PerRadian; }},
};

bool isDecimal(QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); }
bool isWordBegin(QChar c) { return c.isLetter() || c == QChar(u'°') || c == QChar(u'µ'); }
bool isWord(QChar c) { return isWordBegin(c) || isDecimal(c); }

// Recursive descent. After the first fault everything returns at once; values are meaningless then.
class Evaluation {
public:
    Evaluation(QStringView text, QStringView unit) : m_text(text), m_unit(unit) {}

    NumberExpression run() {
        skipSpace();
        if (atEnd())
            fail(words("a number is needed"), 0, 0);
        const double value = expression();
        if (!failed() && !atEnd()) {
            if (m_text[m_at] == QLatin1Char(')'))
                fail(words("“)” has no “(”"), m_at, 1);
            else
                failUnexpected();
        }
        if (failed())
            return m_out;
        if (!std::isfinite(value))
            fail(std::isnan(value) ? words("the result is not a number") : words("the result is too large"), 0, m_text.size());
        else
            m_out.value = value == 0.0 ? 0.0 : value; // no -0
        return m_out;
    }

private:
    [[nodiscard]] bool failed() const { return !m_out.ok(); }
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] QChar ahead(qsizetype by = 0) const { return m_at + by < m_text.size() ? m_text[m_at + by] : QChar(); }

    void fail(const QString& what, qsizetype at, qsizetype length) {
        if (failed())
            return;
        m_out.fault = what;
        m_out.at = at;
        m_out.length = length;
    }
    void skipSpace() {
        while (!atEnd() && m_text[m_at].isSpace())
            ++m_at;
    }
    bool take(QStringView symbol) {
        if (failed() || !m_text.sliced(m_at).startsWith(symbol))
            return false;
        m_at += symbol.size();
        skipSpace();
        return true;
    }
    [[nodiscard]] qsizetype wordLength() const {
        qsizetype length = 0;
        if (!isWordBegin(ahead()))
            return 0;
        while (m_at + length < m_text.size() && isWord(m_text[m_at + length]))
            ++length;
        return length;
    }
    // What stands there where an operator or the end was wanted, or where a number was.
    void failUnexpected() {
        const qsizetype word = wordLength();
        if (word == 0 && (isDecimal(ahead()) || ahead() == QLatin1Char('.') || ahead() == QLatin1Char(',') || ahead() == QLatin1Char('('))) {
            fail(words("an operator such as + or * is missing before “%1”").arg(ahead()), m_at, 1);
            return;
        }
        const qsizetype length = word > 0 ? word : ahead().isHighSurrogate() && m_at + 1 < m_text.size() ? 2 : 1;
        fail(words("“%1” is not part of a number").arg(m_text.sliced(m_at, length)), m_at, length);
    }

    struct Nested {
        explicit Nested(Evaluation& of) : m_of(of) { ++m_of.m_depth; }
        ~Nested() { --m_of.m_depth; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;

    private:
        Evaluation& m_of;
    };

    double expression() {
        double value = term();
        while (!failed()) {
            if (take(u"+"))
                value += term();
            else if (take(u"-") || take(u"−"))
                value -= term();
            else
                break;
        }
        return value;
    }

    double term() {
        double value = signedPower();
        while (!failed()) {
            if (take(u"*") || take(u"×")) {
                value *= signedPower();
            } else if (take(u"/") || take(u"÷")) {
                const qsizetype from = m_at;
                const double divisor = signedPower();
                if (!failed() && divisor == 0.0)
                    fail(words("nothing can be divided by 0"), from, m_at - from);
                value /= divisor;
            } else {
                break;
            }
        }
        return value;
    }

    double signedPower() {
        const Nested nested(*this);
        if (m_depth > MaximumNesting)
            fail(words("there are more than %1 parentheses and signs within one another").arg(MaximumNesting), m_at, 1);
        if (failed())
            return 0.0;
        if (take(u"+"))
            return signedPower();
        if (take(u"-") || take(u"−"))
            return -signedPower();
        const qsizetype from = m_at;
        const double base = quantity();
        if (!take(u"^") && !take(u"**"))
            return base;
        const double value = std::pow(base, signedPower());
        if (!failed() && std::isnan(value))
            fail(words("this power is not a number"), from, m_at - from);
        return value;
    }

    double quantity() {
        const qsizetype from = m_at;
        double value = 0.0;
        if (atEnd()) {
            failMissing();
            return 0.0;
        }
        if (isDecimal(ahead()) || ((ahead() == QLatin1Char('.') || ahead() == QLatin1Char(',')) && isDecimal(ahead(1))))
            value = number();
        else if (take(u"("))
            value = closed(from);
        else if (const qsizetype length = wordLength(); length > 0)
            value = named(length);
        else if (ahead() == QLatin1Char(')') || QStringView(u"*/^×÷").contains(ahead()))
            failMissing();
        else
            failUnexpected();
        return failed() ? 0.0 : withUnit(value);
    }

    void failMissing() {
        qsizetype before = m_at;
        while (before > 0 && m_text[before - 1].isSpace())
            --before;
        if (before == 0)
            fail(words("a number is missing before “%1”").arg(ahead()), m_at, 1);
        else
            fail(words("a number is missing after “%1”").arg(m_text[before - 1]), before - 1, 1);
    }

    // After "(", which stands at `open`.
    double closed(qsizetype open) {
        const double value = expression();
        if (failed() || take(u")"))
            return value;
        if (atEnd())
            fail(words("“(” is not closed"), open, 1);
        else
            failUnexpected();
        return 0.0;
    }

    double number() {
        const qsizetype from = m_at;
        const auto digits = [this] {
            const qsizetype first = m_at;
            while (isDecimal(ahead()))
                ++m_at;
            return m_at > first;
        };
        digits();
        if (ahead() == QLatin1Char('.') || ahead() == QLatin1Char(',')) {
            ++m_at;
            digits();
        }
        const qsizetype mantissa = m_at;
        if (ahead() == QLatin1Char('e') || ahead() == QLatin1Char('E')) {
            ++m_at;
            if (ahead() == QLatin1Char('+') || ahead() == QLatin1Char('-'))
                ++m_at;
            if (!digits())
                m_at = mantissa; // a word that is no unit
        }
        bool ok = false;
        const QString digitsOnly = m_text.sliced(from, m_at - from).toString().replace(QLatin1Char(','), QLatin1Char('.'));
        const double value = QLocale::c().toDouble(digitsOnly, &ok);
        if (!ok && std::isinf(value))
            fail(words("“%1” is too large").arg(digitsOnly), from, m_at - from);
        skipSpace();
        return ok ? value : 0.0; // what is smaller than any double is 0
    }

    double named(qsizetype length) {
        const qsizetype from = m_at;
        const QStringView name = m_text.sliced(m_at, length);
        m_at += length;
        skipSpace();
        if (name == QStringView(u"pi") || name == QStringView(u"π"))
            return std::numbers::pi;
        for (const Function& function : Functions)
            if (name == QStringView(function.name))
                return called(function, from, length);
        if (unitNamed(name) != nullptr || name == m_unit)
            fail(words("a number is missing before “%1”").arg(name), from, length);
        else
            fail(words("“%1” is neither a number nor a function").arg(name), from, length);
        return 0.0;
    }

    double called(const Function& function, qsizetype from, qsizetype length) {
        const qsizetype open = m_at;
        if (!take(u"(")) {
            fail(words("“%1” needs its number in parentheses").arg(QStringView(function.name)), from, length);
            return 0.0;
        }
        const QStringView unit = m_unit;
        if (function.takesAngle)
            m_unit = u"°";
        const double argument = closed(open);
        m_unit = unit;
        if (failed())
            return 0.0;
        const double value = function.call(argument);
        if (std::isnan(value) && !std::isnan(argument))
            fail(words("%1 has no value there").arg(QStringView(function.name)), from, m_at - from);
        return value;
    }

    double withUnit(double value) {
        // The unit of the field as it is written, and the units that are known: the longest that stands there.
        qsizetype length = 0;
        const Unit* unit = nullptr;
        const QStringView rest = m_text.sliced(m_at);
        const auto stands = [&](QStringView name) {
            const qsizetype size = name.size();
            return size > length && rest.startsWith(name) && !(rest.size() > size && isWord(rest[size]) && isWord(name.back()));
        };
        if (!m_unit.isEmpty() && stands(m_unit))
            length = m_unit.size();
        for (const Unit& known : Units)
            if (const QStringView name(known.name); stands(name)) {
                length = name.size();
                unit = &known;
            }
        if (length == 0) {
            if (const qsizetype word = wordLength(); word > 0) {
                const QStringView name = m_text.sliced(m_at, word);
                const bool operand = name == QStringView(u"pi") || name == QStringView(u"π");
                fail((operand ? words("an operator such as + or * is missing before “%1”") : words("“%1” is not a unit")).arg(name),
                     m_at, word);
            }
            return value;
        }
        const qsizetype from = m_at;
        const QStringView name = m_text.sliced(m_at, length);
        m_at += length;
        skipSpace();
        if (name == m_unit)
            return value;
        const Unit* own = unitNamed(m_unit);
        if (unit == nullptr || own == nullptr || own->quantity != unit->quantity) {
            fail(m_unit.isEmpty() ? words("“%1” does not fit: this number has no unit").arg(name)
                                  : words("“%1” does not fit: this number is in %2").arg(name, m_unit),
                 from, length);
            return 0.0;
        }
        return value * (unit->multiply * own->divide) / (unit->divide * own->multiply);
    }

    QStringView m_text;
    QStringView m_unit;
    NumberExpression m_out;
    qsizetype m_at = 0;
    int m_depth = 0;
};

} // namespace

NumberExpression evaluateNumber(QStringView text, QStringView unit) { return Evaluation(text, unit).run(); }

} // namespace sbx::ui
