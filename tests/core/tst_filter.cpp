#include <QtTest>

#include "engine/core/expression.h"
#include "engine/core/filter.h"
#include "engine/core/filter_completion.h"
#include "engine/core/filter_hint.h"
#include "tests/counted_allocations.h"

#include <functional>
#include <memory>

using namespace sbx;

namespace {
FilterSchema traceSchema() {
    FilterSchema s;
    s.add({.name = "sequence", .type = FilterType::Number, .doc = "Number in order of dispatch."});
    s.add({.name = "tick", .type = FilterType::Number, .doc = "Simulation tick.", .unit = "tick"});
    s.add({.name = "type", .doc = "Message type.", .searched = true});
    s.add({.name = "sender", .doc = "Who sent it.", .aliases = {"from"}, .searched = true});
    s.add({.name = "receiver", .doc = "Who got it.", .aliases = {"to"}, .searched = true});
    s.add({.name = "delivery", .choices = {"immediate", "queued", "broadcast"}});
    s.add({.name = "handlers.component", .doc = "Components that saw it."});
    s.add({.name = "handlers.ns", .type = FilterType::Number, .unit = "ns"});
    s.add({.name = "fields.amount", .type = FilterType::Any});
    s.add({.name = "fields.bytes", .type = FilterType::Number, .unit = "B"});
    s.add({.name = "fields.kind", .type = FilterType::Any, .searched = true});
    s.add({.name = "reached", .type = FilterType::Bool});
    s.add({.name = "priority", .type = FilterType::Number});
    s.add({.name = "has"});
    for (const char* name : {"fields.share", "fields.exact"})
        s.add({.name = name, .type = FilterType::Number});
    return s;
}

struct Row : FilterRow {
    const FilterSchema& schema;
    std::vector<std::vector<FilterValue>> values;
    explicit Row(const FilterSchema& s) : schema(s), values(s.fields().size()) {}
    Row& set(const char* name, FilterValue value) {
        FilterFieldId id = 0;
        if (schema.findId(name, id))
            values[id].push_back(value);
        return *this;
    }
    Row& set(const char* name, const char* text) {
        return set(name, FilterValue::of(std::string_view(text)));
    }
    Row& set(const char* name, int number) {
        return set(name, FilterValue::of(static_cast<std::int64_t>(number)));
    }
    std::size_t valueCount(FilterFieldId id) const override { return values[id].size(); }
    FilterValue value(FilterFieldId id, std::size_t index) const override { return values[id][index]; }
};

Row damageRow(const FilterSchema& s) {
    Row row(s);
    row.set("sequence", 812)
        .set("tick", 120)
        .set("type", "Damage")
        .set("sender", "phantom_1")
        .set("receiver", "crate_3");
    row.set("delivery", "immediate").set("handlers.component", "Touch").set("handlers.component", "Shield");
    row.set("handlers.ns", 310).set("handlers.ns", 90);
    row.set("fields.amount", FilterValue::of(5.0)).set("fields.bytes", 4096).set("fields.kind", "fire");
    row.set("fields.share", FilterValue::of(0.1F)).set("fields.exact", FilterValue::of(0.1));
    row.set("reached", FilterValue::of(true)).set("priority", 10).set("has", "Light");
    return row;
}

std::size_t allocationsOf(const std::function<void()>& work) {
    const std::size_t before = Allocations;
    work();
    return Allocations - before;
}
} // namespace

class TestFilter : public QObject {
    Q_OBJECT
private slots:
    // A valid filter that asks for a name that nothing has.
    void namesThatNothingHas_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QString>("mended");
        const auto row = [](const char* text, const char* statement, const char* mended) {
            QTest::newRow(text) << text << statement << mended;
        };
        row("type == Dmage", "There is no message type Dmage", "type == Damage");
        row("type == damage", "There is no message type damage", "type == Damage");
        row("to ~ crate* and type==\"Dmage\" or tick > 5", "There is no message type Dmage",
            "to ~ crate* and type==Damage or tick > 5");
        row("type in (Damage, Contct)", "There is no message type Contct", "type in (Damage, Contact)");
        row("not (type: Dmage)", "No message type matches Dmage", "not (type: Damage)");
        row("type ~ Dmg*", "No message type matches Dmg*", "");
        row("type == \"two wrds\"", "There is no message type two wrds", "type == \"two words\"");
        row("type == \"\"", "There is no message type without a name", "");
        row("type == Qqqqqqqqqq", "There is no message type Qqqqqqqqqq", "");
        row("delivery ~ immediat_", "No delivery matches immediat_", "delivery ~ immediate");
        for (const char* well : {"", "type == Damage", "type in (Damage, Contact)", "type ~ dam", "type ~ D*",
                                 "type != Dmage", "to == Nobody", "Dmage", "to == type and type == Damage",
                                 "sequence == 5", "delivery ~ imm", "fields.kind == Dmage"})
            row(well, "", "");
        for (const char* invalid :
             {"type ==", "type == Dmage and", "type in (Dmage", "typ == Dmage", "type == \"Dmage"})
            row(invalid, "", "");
    }
    void namesThatNothingHas() {
        QFETCH(QString, text);
        QFETCH(QString, statement);
        QFETCH(QString, mended);
        const FilterSchema schema = traceSchema();
        const auto names = [](const FilterField& field) {
            return field.name == "type" ? FilterNames{"message type", {"Contact", "Damage", "two words"}, {}}
                                        : FilterNames{};
        };
        const std::optional<FilterHint> hint = filterHint(text.toStdString(), schema, names);
        QCOMPARE(QString::fromStdString(hint ? hint->statement : std::string()), statement);
        QCOMPARE(QString::fromStdString(hint ? hint->mended : std::string()), mended);
        if (!mended.isEmpty()) // and that is all there was to say
            QVERIFY(!filterHint(hint->mended, schema, names).has_value());
        const std::optional<FilterHint> choices = filterHint(text.toStdString(), schema, {});
        QCOMPARE(choices.has_value(), text.startsWith(QStringLiteral("delivery")) && !statement.isEmpty());
    }
    void longNamesAreCutInHints() {
        const FilterSchema schema = traceSchema();
        const auto names = [](const FilterField&) { return FilterNames{"message type", {"Damage"}, {}}; };
        std::string name = "a";
        for (int i = 0; i < 5000; ++i)
            name += "\u00e4";
        const auto hint = filterHint("type == " + name, schema, names);
        QVERIFY(hint && hint->statement.size() < 80 && hint->mended.empty());
        QVERIFY(QString::fromStdString(hint->statement).endsWith(QStringLiteral("\u00e4\u2026")));
    }
    void matches_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("expected");
        const auto row = [](const char* text, bool expected) {
            QTest::newRow(text) << QByteArray(text) << expected;
        };
        row("", true);
        row("   ", true);
        row("type == Damage", true);
        row("type==\"Damage\"", true);
        row("type == 'Damage'", true);
        row("type == damage", false);
        row("type != Damage", false);
        row("type ~ dam", true);
        row("to ~ crate*", true);
        row("to ~ CRATE*", true);
        row("to ~ crate", true);
        row("to ~ rate*", false);
        row("to ~ crate_?", true);
        row("to ~ c*_*3", true);
        row("from in (bat_1, phantom_1)", true);
        row("from in [bat_1, 'phantom_2']", false);
        row("sender == phantom_1 and receiver == crate_3", true);
        row("type==\"Damage\" && to~\"crate*\" && priority<=10 && fields.amount>4", true);
        row("type == Heal || type == Damage", true);
        row("type == Heal or tick == 1", false);
        row("not type == Heal", true);
        row("! type == Damage", false);
        row("not not type == Damage", true);
        row("!(type == Damage and tick == 120)", false);
        // Precedence: and before or, not before both.
        row("type == Damage or type == Heal and tick == 1", true);
        row("(type == Damage or type == Heal) and tick == 1", false);
        row("not type == Damage or tick == 120", true);
        row("not (type == Damage or tick == 120)", false);
        row("tick == 1 and tick == 2 or tick == 120", true);
        row("tick == 120 or tick == 2 and tick == 3", true);
        // Numbers and units.
        row("tick == 2s", true);
        row("tick < 2000ms", false);
        row("tick <= 2000ms", true);
        row("tick >= 0.5min", false);
        // A unit may stand apart; a word that is none, or is compared itself, is another condition.
        row("tick > 1 s", true);
        row("tick > 1 s and tick < 3 s", true);
        row("tick in (1 s, 2 s)", true);
        row("fields.bytes == 4.096 kB", true);
        row("fields.bytes > 4 KiB", false);
        row("handlers.ns > 0.3 us", true);
        row("priority > 50 %", true);
        row("priority < 50%", false);
        row("tick == 120 crate", true);
        row("tick == 120 parsec", false);
        row("fields.bytes == 4KiB", true);
        row("fields.bytes == 4kB", false);
        row("fields.bytes > 4kB", true);
        row("fields.amount == 5", true);
        row("fields.amount == 5.0", true);
        row("fields.amount > 5", false);
        row("fields.amount >= -5e0", true);
        row("fields.amount == fire", false);
        // What was kept as a float equals what it is written as.
        row("fields.share == 0.1", true);
        row("fields.share != 0.1", false);
        row("fields.share in (0.2, 0.1)", true);
        row("fields.share <= 0.1 and fields.share >= 0.1", true);
        row("fields.share > 0.1 or fields.share < 0.1", false);
        row("fields.share > 0.09999 and fields.share < 0.10001", true);
        row("fields.exact == 0.1", true);
        row("fields.exact == 0.10000000149011612", false);
        row("fields.kind == fire", true);
        row("fields.kind > 3", false);
        row("tick in (1, 2s)", true);
        // Several values: any does; != wants none.
        row("handlers.component == Shield", true);
        row("handlers.component == Health", false);
        row("handlers.component != Health", true);
        row("handlers.component != Shield", false);
        row("handlers.ns > 0.2us", true);
        row("handlers.ns > 1us", false);
        // Lone words look in the main texts.
        row("crate", true);
        row("CRATE_3", true);
        row("\"phantom\"", true);
        row("ph*_1", true);
        row("fire", true);
        row("immediate", false);
        row("crate phantom", true);
        row("crate bat", false);
        row("crate or bat", true);
        row("crate not bat", true);
        row("Damage (bat or crate)", true);
        row("reached", true);
        row("not reached", false);
        row("\"reached\"", false);
        row("reached == true", true);
        row("reached != true", false);
        row("has:Light && !has:Body", true);
        row("type:dam", true);
        row("tick:120", true);
        row("type\n==\r\n\tDamage", true);
    }
    void matches() {
        QFETCH(QByteArray, text);
        QFETCH(bool, expected);
        const FilterSchema schema = traceSchema();
        const auto filter = Filter::compile(text.toStdString(), schema);
        QVERIFY2(filter.ok(), filter.ok() ? "" : filter.error().message.c_str());
        QCOMPARE(filter->matches(damageRow(schema)), expected);
    }

    // A unit smaller than the field's is not nothing.
    void literalsAsSmallAsYouLike() {
        FilterSchema schema;
        schema.add({.name = "age", .type = FilterType::Number, .unit = "s"});
        schema.add({.name = "size", .type = FilterType::Number, .unit = "B"});
        const auto matches = [&](const char* text, const char* field, double value) {
            const Result<Filter> filter = Filter::compile(text, schema);
            Row row(schema);
            row.set(field, FilterValue::of(value));
            return filter && filter->matches(row);
        };
        QVERIFY(matches("age < 0.5ns", "age", 0.0));
        QVERIFY(matches("age > 0.4ns", "age", 0.5e-9));
        QVERIFY(!matches("age > 0.5ns", "age", 0.5e-9));
        QVERIFY(matches("age == 0.3ns", "age", 0.3e-9));
        // Nor is a little more than much.
        QVERIFY(matches("size > 1000000000.5kB", "size", 1000000000501.0));
        QVERIFY(!matches("size == 1000000000.5kB", "size", 1000000000501.0));
    }
    // Rows that keep one field in different units, or in none: each is compared in its own.
    void unitsByRow() {
        FilterSchema schema;
        schema.add({.name = "delay", .type = FilterType::Number, .units = {"ms", "s", ""}});
        schema.add({.name = "kind", .type = FilterType::Any, .units = {"ms", "kg"}});
        const auto in = [](std::uint8_t unit, double number) {
            FilterValue value = FilterValue::of(number);
            value.unit = unit;
            return value;
        };
        const auto matches = [&](const char* text, const char* field, const FilterValue& value) {
            const Result<Filter> filter = Filter::compile(text, schema);
            Row row(schema);
            row.set(field, value);
            return filter && filter->matches(row);
        };
        // 7 ms, 7 s, 7; and what a literal without unit says is said of the number as it stands.
        for (std::uint8_t unit = 0; unit < 3; ++unit) {
            QCOMPARE(matches("delay > 5ms", "delay", in(unit, 7)), unit < 2);
            QCOMPARE(matches("delay > 5s", "delay", in(unit, 7)), unit == 1);
            QCOMPARE(matches("delay > 5", "delay", in(unit, 7)), true);
            QCOMPARE(matches("delay in (1ms, 7ms)", "delay", in(unit, 7)), unit == 0);
            QCOMPARE(matches("delay in (7, 7000ms)", "delay", in(unit, 7)), true);
            QCOMPARE(matches("delay in (3, 7000ms)", "delay", in(unit, 7)), unit == 1);
            QCOMPARE(matches("delay != 7ms", "delay", in(unit, 7)), unit != 0);
            QCOMPARE(matches("delay > 500 %", "delay", in(unit, 7)), unit == 2);
        }
        const Result<Filter> wrong = Filter::compile("delay > 5kg", schema);
        QVERIFY(!wrong);
        QVERIFY2(wrong.error().message.find("delay is in ms, s or no unit") != std::string::npos,
                 wrong.error().message.c_str());
        QVERIFY(!Filter::compile("delay == soon", schema));
        // A text may look like a number with a unit.
        QVERIFY(matches("kind == 5B", "kind", FilterValue::of(std::string_view("5B"))));
        QVERIFY(matches("kind == 5kg", "kind", FilterValue::of(std::string_view("5kg"))));
        QVERIFY(matches("kind >= 5kg", "kind", in(1, 5)));
        QVERIFY(!matches("kind >= 5kg", "kind", in(0, 5)));
        QVERIFY(!Filter::compile("kind >= 5B", schema));
    }
    void missingFieldsMatchNothing() {
        const FilterSchema schema = traceSchema();
        const Row row(schema);
        for (const char* text : {"fields.amount == 5", "fields.amount != 5", "fields.amount < 5", "type ~ *",
                                 "reached", "crate"}) {
            const auto filter = Filter::compile(text, schema);
            QVERIFY(filter.ok());
            QVERIFY2(!filter->matches(row), text);
        }
    }

    void errors_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("column");
        QTest::addColumn<int>("endColumn");
        QTest::addColumn<QByteArray>("hint");
        const auto row = [](const char* text, int column, int end, const char* hint) {
            QTest::newRow(text) << QByteArray(text) << column << end << QByteArray(hint);
        };
        row("typ == Damage", 1, 4, "did you mean type?");
        row("type == Damage and recever == x", 20, 27, "did you mean receiver?");
        row("zzzzzz == 1", 1, 7, "expected one of sequence");
        row("type = Damage", 6, 7, "did you mean ==?");
        row("type == Damage & tick == 1", 16, 17, "did you mean &&");
        row("type == Damage | tick == 1", 16, 17, "did you mean ||");
        row("type ==", 6, 8, "expected a value");
        row("type == and", 9, 12, "expected a value");
        row("(type == Damage", 1, 2, "never closed");
        row("((type == Damage)", 1, 2, "never closed");
        row("type == Damage)", 15, 16, "closes nothing");
        row("type == 'Dam", 9, 13, "never closed");
        row("tick ~ 12*", 6, 7, "is a number");
        row("tick == abc", 9, 12, "tick is a number, not abc; expected one such as 5 or 2s");
        row("tick == 1e999", 9, 14, "not 1e999, which is out of range; expected one such as 5 or 2s");
        row("priority == abc", 13, 16, "not abc; expected one such as 5");
        row("tick == 5parsec", 9, 16, "no known unit");
        row("fields.bytes > 5ms", 16, 19, "is in B; expected a number in B, kB");
        row("priority > 5ms", 12, 15, "has no unit");
        row("tick > 5 kB", 8, 12, "is in tick; expected a number in tick, or a time in ns, us");
        row("priority > 5 ms", 12, 16, "has no unit");
        row("tick > 5 kB", 8, 12, "tick is in tick");
        row("type < Damage", 6, 7, "is text");
        row("reached > true", 9, 10, "true or false");
        row("reached == maybe", 12, 17, "true or false");
        row("delivery == imediate", 13, 21, "did you mean immediate?");
        row("type in Damage", 9, 15, "expected a list");
        row("type in (Damage", 9, 10, "never closed");
        row("type in (Damage]", 16, 17, "expected a comma");
        row("type in ()", 10, 11, "expected a value");
        row("type == Damage or", 16, 18, "expected a condition");
        row("or type == Damage", 1, 3, "expected a condition");
        row("()", 2, 3, "expected a condition");
        row("not", 1, 4, "expected a condition");
        row("type == a == b", 11, 13, "expected and, or");
        row("'type' == a", 1, 7, "without quotes");
        row("type == Damage, x", 15, 16, "expected and, or");
        row("type == {a}", 9, 10, "quotes");
    }
    void errors() {
        QFETCH(QByteArray, text);
        QFETCH(int, column);
        QFETCH(int, endColumn);
        QFETCH(QByteArray, hint);
        const auto filter = Filter::compile(text.toStdString(), traceSchema());
        QVERIFY(!filter.ok());
        const Error& error = filter.error();
        QVERIFY2(QByteArray::fromStdString(error.message).contains(hint), error.message.c_str());
        QCOMPARE(error.region.line, 1);
        QCOMPARE(error.region.column, column);
        QCOMPARE(error.region.endColumn, endColumn);
    }

    void hostileTexts() {
        const FilterSchema schema = traceSchema();
        const Row row = damageRow(schema);
        const auto times = [](std::string_view s, std::size_t n) {
            std::string out;
            for (std::size_t i = 0; i < n; ++i)
                out += s;
            return out;
        };
        const std::size_t deep = 100000;
        auto filter = Filter::compile(times("(", deep) + "type == Damage" + times(")", deep), schema);
        QVERIFY(filter.ok());
        QVERIFY(filter->matches(row));
        filter = Filter::compile(times("not ", deep + 1) + "type == Damage", schema);
        QVERIFY(filter.ok());
        QVERIFY(!filter->matches(row));
        filter = Filter::compile(times("!(", deep) + "crate" + times(")", deep), schema);
        QVERIFY(filter.ok());
        QVERIFY(filter->matches(row));
        filter = Filter::compile(times("tick == 1 or ", 50000) + "tick == 120", schema);
        QVERIFY(filter.ok());
        QVERIFY(filter->matches(row));
        QVERIFY(!Filter::compile(times("(", deep), schema).ok());
        QVERIFY(!Filter::compile(times(")", deep), schema).ok());
        QVERIFY(!Filter::compile(times("x", 3U << 20U), schema).ok());
        QVERIFY(!Filter::compile(times("x", 1U << 19U) + " == 1", schema).ok());
        QVERIFY(Filter::compile(times("x ", 1U << 18U), schema).ok());
        const std::string nul("type == Da\0mage", 15);
        const auto withNul = Filter::compile(nul, schema);
        QVERIFY(!withNul.ok());
        QCOMPARE(withNul.error().region.column, 11);
        QVERIFY(!Filter::compile(std::string("'a\0b'", 5), schema).ok());
        QVERIFY(Filter::compile("type == \xff\xfe", schema).ok()); // bytes that are no UTF-8 match themselves
        QVERIFY(!Filter::compile("tick == 1e999999", schema).ok());
        QVERIFY(!Filter::compile("tick == nan", schema).ok());
        // A pattern that makes careless matchers exponential.
        const std::string as = times("a", 20000);
        QVERIFY(!matchesGlob(times("a*", 30) + "b", as));
    }

    void randomTextNeverBreaks() {
        const FilterSchema schema = traceSchema();
        const Row row = damageRow(schema);
        const char* const parts[] = {"type", "tick", "==",     "!=",  "~",  "in",   "(", ")",
                                     "[",    "]",    ",",      "and", "or", "not",  "!", "&&",
                                     "||",   "5ms",  "Damage", "\"",  "'",  "\\",   ":", "*",
                                     " ",    "\n",   "=",      "<",   ">=", "\x01", "µ", "reached"};
        std::uint64_t seed = 7;
        int good = 0;
        for (int i = 0; i < 20000; ++i) {
            std::string text;
            for (int k = 0; k < 12; ++k) {
                seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
                text += parts[(seed >> 33U) % std::size(parts)];
                if ((seed & 0x10000U) != 0)
                    text += ' ';
            }
            const auto filter = Filter::compile(text, schema);
            if (filter.ok()) {
                ++good;
                (void)filter->matches(row);
            } else {
                QVERIFY(filter.error().region.column >= 1);
                QVERIFY(filter.error().region.column <= static_cast<int>(text.size()) + 1);
                QVERIFY(filter.error().region.endColumn > filter.error().region.column);
            }
            (void)completeFilter(text, (seed >> 20U) % (text.size() + 1), schema);
        }
        QVERIFY(good > 10);
    }

    // Random trees of conditions, written with brackets everywhere and with none that precedence makes
    // needless, against a recursive evaluator.
    void agreesWithATreeWalk() {
        const FilterSchema schema = traceSchema();
        const Row row = damageRow(schema);
        std::uint64_t seed = 3;
        const auto roll = [&seed](unsigned n) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            return static_cast<unsigned>((seed >> 33U) % n);
        };
        struct Made {
            std::string text;
            bool truth;
            int binds;
        };
        const std::function<Made(int)> make = [&](int depth) -> Made {
            if (depth == 0 || roll(4) == 0)
                return roll(2) == 0 ? Made{"tick == 120", true, 4} : Made{"tick == 1", false, 4};
            const auto wrap = [&](const Made& m, int binds) {
                return m.binds < binds || roll(4) == 0 ? "(" + m.text + ")" : m.text;
            };
            switch (roll(3)) {
            case 0: {
                const Made a = make(depth - 1);
                return {(roll(2) == 0 ? "not " : "!") + wrap(a, 3), !a.truth, 3};
            }
            case 1: {
                const Made a = make(depth - 1);
                const Made b = make(depth - 1);
                return {wrap(a, 2) + (roll(2) == 0 ? " and " : "&&") + wrap(b, 2), a.truth && b.truth, 2};
            }
            default: {
                const Made a = make(depth - 1);
                const Made b = make(depth - 1);
                return {wrap(a, 1) + (roll(2) == 0 ? " or " : "||") + wrap(b, 1), a.truth || b.truth, 1};
            }
            }
        };
        for (int i = 0; i < 5000; ++i) {
            const Made made = make(6);
            const auto filter = Filter::compile(made.text, schema);
            QVERIFY2(filter.ok(), made.text.c_str());
            QVERIFY2(filter->matches(row) == made.truth, made.text.c_str());
        }
    }

    void matchingAllocatesNothing() {
        const FilterSchema schema = traceSchema();
        const Row row = damageRow(schema);
        const auto filter = Filter::compile("(type == Damage or bat) and to ~ crate* and fields.amount > 4 "
                                            "and handlers.component in (A, Shield)"
                                            " and not fields.kind == ice and tick < 1h and phantom",
                                            schema);
        QVERIFY(filter.ok());
        int matched = 0;
        const std::size_t allocations = allocationsOf([&] {
            for (int i = 0; i < 1000; ++i)
                matched += filter->matches(row) ? 1 : 0;
        });
        QCOMPARE(matched, 1000);
        QCOMPARE(allocations, std::size_t(0));
    }

    void literalsReadBack() {
        FilterSchema schema;
        schema.add({.name = "name"});
        for (const char* text :
             {"crate_3", "and", "in", "", "a b", "say \"hi\"", "back\\slash", "5ms", "µ", "a:b", "x)", "'"}) {
            const auto filter = Filter::compile("name == " + filterLiteral(text), schema);
            QVERIFY2(filter.ok(), text);
            Row row(schema);
            row.set("name", text);
            QVERIFY2(filter->matches(row), text);
        }
        QCOMPARE(filterLiteral("crate_3"), std::string("crate_3"));
        QCOMPARE(filterLiteral("and"), std::string("\"and\""));
    }

    void globs() {
        QVERIFY(matchesGlob("", ""));
        QVERIFY(matchesGlob("*", ""));
        QVERIFY(!matchesGlob("?", ""));
        QVERIFY(matchesGlob("?", "µ"));
        QVERIFY(matchesGlob("a*b*c", "aXbYc"));
        QVERIFY(!matchesGlob("a*b*c", "aXbY"));
        QVERIFY(matchesGlob("*_1", "bat_11_1"));
        QVERIFY(matchesGlob("**", "x"));
    }

    void completion_data() {
        QTest::addColumn<QByteArray>("text"); // | is the cursor
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("applied");
        const auto row = [](const char* text, const char* first, const char* applied) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(first) << QByteArray(applied);
        };
        row("|", "sequence", "sequence ");
        row("ty|", "type", "type ");
        row("comp|", "handlers.component", "handlers.component ");
        row("fro|", "from", "from ");
        row("type|", "type ==", "type == ");
        row("type |", "==", "type == ");
        row("tick |", "==", "tick == ");
        row("type == |", "Damage", "type == Damage ");
        row("type == D|", "Damage", "type == Damage ");
        row("type == Da|x and tick > 1", "Damage", "type == Damage  and tick > 1");
        row("type == \"Two|", "Two Words", "type == \"Two Words\" ");
        row("delivery == q|", "queued", "delivery == queued ");
        row("type in |", "(", "type in (");
        row("type in (|", "Damage", "type in (Damage");
        row("type in (Damage|", "Damage", "type in (Damage");
        row("type in (Damage |", ",", "type in (Damage , ");
        row("type == Damage |", "and", "type == Damage and ");
        row("type == Damage a|", "and", "type == Damage and ");
        row("type == Damage and re|", "receiver", "type == Damage and receiver ");
        row("not (re|", "receiver", "not (receiver ");
        row("reached == |", "true", "reached == true ");
    }
    void completion() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, applied);
        const auto cursor = static_cast<std::size_t>(text.indexOf('|'));
        text.remove(static_cast<int>(cursor), 1);
        const auto values = [](const FilterField& field, std::string_view) {
            return field.name == "type" ? std::vector<std::string>{"Damage", "Heal", "Two Words"}
                                        : std::vector<std::string>{};
        };
        const FilterCompletion c = completeFilter(text.toStdString(), cursor, traceSchema(), values);
        QVERIFY(!c.items.empty());
        QCOMPARE(QByteArray::fromStdString(c.items.front().label), first);
        std::string out = text.toStdString();
        out.replace(c.replaceFrom, c.replaceLength, c.items.front().insert);
        QCOMPARE(QByteArray::fromStdString(out), applied);
    }
    void demandsOfWhatStandsBefore_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("demands"); // "field=value", joined by blanks
        const auto row = [](const char* text, const char* demands) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(demands);
        };
        row("", "");
        row("type == Damage and ", "type=Damage");
        row("type == \"Two Words\" ", "type=Two Words");
        row("type == Damage && from == a ", "type=Damage sender=a");
        row("type in (Damage, Heal) and ", "type=Damage type=Heal");
        row("type != Damage and ", "");
        row("not type == Damage and ", "");
        row("type == Damage or ", "");
        row("type == Damage or type == Heal and ", "type=Heal");
        row("type == Damage and (to == b or ", "type=Damage");
        row("type == Damage and not (to == b and ", "type=Damage");
        row("(type == Damage or type == Heal) and ", "");
        row("(type == Damage) and ", "");
        row("type == Damage and crate ", "type=Damage");
        row("type == Damage and tick > ", "type=Damage");
        row("nothing == Damage and ", "");
        row("type == Damage and \"open", "type=Damage");
    }
    void demandsOfWhatStandsBefore() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, demands);
        QByteArray found;
        for (const FilterDemand& demand :
             filterDemands(text.toStdString(), static_cast<std::size_t>(text.size()), traceSchema()))
            found +=
                (found.isEmpty() ? "" : " ") + QByteArray::fromStdString(demand.field + "=" + demand.value);
        QCOMPARE(found, demands);
    }

    void completionOffersWhatFits() {
        const FilterSchema schema = traceSchema();
        for (const auto& item : completeFilter("type ", 5, schema).items)
            QVERIFY(item.label != "<");
        for (const auto& item : completeFilter("tick ", 5, schema).items)
            QVERIFY(item.label != "~");
        QVERIFY(completeFilter("type = ", 7, schema).items.empty());
        QVERIFY(completeFilter("type == \"a\"", 11, schema).items.empty());
    }

    void expressions_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("answer"); // true, false, or a part of the error
        const auto row = [](const char* text, const char* answer) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(answer);
        };
        row("crate_3.Health.current == 35", "true");
        row("crate_3.Health.current == 35.0", "true");
        row("crate_3.Health.current < 35", "false");
        row("35 == crate_3.Health.current", "true");
        row("crate_3.Health.current < crate_3.Health.maximum", "true");
        row("crate_3.Health.current in (1, 35)", "true");
        row("count(type == \"Crate\") >= 10", "true");
        row("count(type == \"Crate\") >= 11", "false");
        row("count((type == 'a)b') or x) == 10", "true");
        row("10 <= count(type == Crate) and sim.paused", "true");
        row("not sim.paused or count() == 10", "true");
        row("sim.mode == playing", "true");
        row("sim.mode ~ PLAY", "true");
        row("sim.mode != stopped", "true");
        row("sim.paused == true", "true");
        row("sim.delay == 5ms", "true");
        // Into the unit of the other side.
        row("door.angle == 0.5 rad", "false");
        row("door.angle > 0.5 rad", "true");
        row("door.angle > 0.6rad", "false");
        row("30deg == door.angle", "true");
        row("0.5rad < door.angle", "true");
        row("door.angle in (10 deg, 30 deg)", "true");
        row("door.bytes >= 2 KiB", "true");
        row("door.bytes > 2.048 kB", "false");
        row("tick == 2 s", "true");
        row("tick > 2000ms", "false");
        row("crate_3.Health.current > 50 %", "true");
        row("crate_3.Health.current < 50%", "false");
        row("2s == 2000 ms", "true");
        row("door.angle > 5 s", "door.angle is in deg; expected a number in rad, deg");
        row("crate_3.Health.current > 5 s", "crate_3.Health.current has no unit; expected a plain number");
        row("count() > 5 s", "a count has no unit");
        row("nowhere == 5", "no nowhere");
        row("sim.mode == 5", "is text");
        row("sim.mode < abc", "does not compare");
        row("count(bad) > 1", "bad filter");
        row("sim.mode", "expected a comparison");
        row("crate_3.position == 5", "neither a number nor a text");
    }
    void expressions() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, answer);
        ExpressionContext context;
        context.path = [](std::string_view path) -> Result<Value> {
            if (path == "crate_3.Health.current")
                return Value(35.0);
            if (path == "crate_3.Health.maximum")
                return Value(std::int64_t(40));
            if (path == "sim.paused")
                return Value(true);
            if (path == "sim.mode")
                return Value(std::string("playing"));
            if (path == "sim.delay")
                return Value(0.005);
            if (path == "crate_3.position")
                return Value(Vec3(1.0F));
            if (path == "door.angle")
                return Value(30.0);
            if (path == "door.bytes")
                return Value(std::int64_t(2048));
            if (path == "tick")
                return Value(std::int64_t(120));
            return Error{"no " + std::string(path), {}, {}};
        };
        context.unit = [](std::string_view path) -> std::string {
            return path == "door.angle" ? "deg" : path == "door.bytes" ? "B" : path == "tick" ? "ticks" : path == "sim.delay" ? "s" : "";
        };
        context.count = [](std::string_view filter) -> Result<std::int64_t> {
            if (filter == "bad")
                return Error{"bad filter", {}, {1, 2, 1, 3}};
            return std::int64_t(10);
        };
        const auto expression = Expression::compile(text.toStdString());
        QVERIFY2(expression.ok(), expression.ok() ? "" : expression.error().message.c_str());
        std::string seen;
        const auto result = expression->evaluate(context, &seen);
        if (result.ok())
            QCOMPARE(QByteArray(*result ? "true" : "false"), answer);
        else
            QVERIFY2(QByteArray::fromStdString(result.error().message).contains(answer),
                     result.error().message.c_str());
        if (text == "crate_3.Health.current < 35")
            QCOMPARE(seen, std::string("crate_3.Health.current is 35.0"));
        if (text == "count(bad) > 1")
            QCOMPARE(result.error().region.column, 8);
        if (text == "door.angle > 5 s")
            QCOMPARE(result.error().region.column, 14);
    }
    void expressionErrors() {
        for (const char* text : {"", "a ==", "count(a", "== 5", "a == 5parsec", "(a", "'x'", "a = 1"}) {
            const auto expression = Expression::compile(text);
            QVERIFY2(!expression.ok(), text);
            QVERIFY(!expression.error().message.empty());
            QCOMPARE(expression.error().region.line, 1);
        }
    }
};

QTEST_GUILESS_MAIN(TestFilter)
#include "tst_filter.moc"
