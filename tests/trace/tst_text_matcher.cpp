// Whether a record contains a text, against formatting all that it says and looking into that: messages with values of every kind, hostile
// ones among them, and texts that are cut out of what they say.
#include <QStringMatcher>
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/trace/number_text.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_text_matcher.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

enum class Mood : std::uint8_t { Calm, Angry, Odd };

struct Everything {
    static constexpr const char* Name = "Everything";
    static constexpr const char* Doc = "A field of each kind.";
    float single = 0.0F;
    double number = 0.0;
    std::int32_t whole = 0;
    bool loud = false;
    Mood mood = Mood::Calm;
    Vec2 place{0.0F};
    Vec4 tint{0.0F};
    Quat turn{1.0F, 0.0F, 0.0F, 0.0F};
    Text words;
    EntityId other;
    Text last;
    static void describe(FieldList<Everything>& f) {
        f.add("single", &Everything::single, "A float.").unit("m/s");
        f.add("number", &Everything::number, "A double.");
        f.add("whole", &Everything::whole, "A whole number.").unit("°C");
        f.add("loud", &Everything::loud, "Yes or no.");
        f.add("mood", &Everything::mood, "One of three.").choices({"calm", "Angry", "wütend 3"});
        f.add("place", &Everything::place, "Two numbers.").unit("m");
        f.add("tint", &Everything::tint, "A colour.").color();
        f.add("turn", &Everything::turn, "A rotation.");
        f.add("words", &Everything::words, "A text.");
        f.add("other", &Everything::other, "An entity.");
        f.add("last", &Everything::last, "A text at the end.").unit("kg");
    }
};

// What it says of an entity that is gone.
class MortalSource : public RecorderTraceSource {
public:
    using RecorderTraceSource::RecorderTraceSource;
    [[nodiscard]] std::optional<EntityLife> life(std::uint8_t, EntityId entity) const override {
        if (entity.index() % 3 != 0)
            return std::nullopt;
        EntityLife life;
        life.name = "known_" + std::to_string(entity.index());
        if (entity.index() % 2 == 0)
            life.goneBy = 100 + entity.index();
        return life;
    }
};

struct Bench {
    Yard yard;
    MortalSource source{yard.recorder, yard.recorder.addReader(), {}, [] { return 60.0; }};
    TraceContext context{source};
    TraceModel model{context};
    std::vector<NameId> names;
    std::mt19937 random{17};

    Bench() {
        for (const char* name :
             {"crate_1", "Crate_12", "K\u00e4fer", "\u212Aelvin 7", "tab\there", "bell\a\u202Eeht",
              "bad\xff\xfe", "gone by", "amount 5.0", "\U0001F600 face", "x"})
            names.push_back(yard.recorder.names().intern(name));
    }
    std::uint32_t bits() { return static_cast<std::uint32_t>(random()); }
    std::uint32_t roll(std::uint32_t n) { return bits() % n; }
    double number() {
        constexpr double Some[] = {0.0,           -0.0,   0.0625, -2.1875, 0.0005,    0.00049, 1e9,
                                   999'999'999.5, -1e300, 1e-320, 12.345,  1.0 / 3.0, 100.0,   2.5};
        switch (roll(5)) {
        case 0:
            return Some[roll(static_cast<std::uint32_t>(std::size(Some)))];
        case 1:
            return roll(50) == 0
                       ? std::numeric_limits<double>::quiet_NaN()
                       : std::copysign(std::numeric_limits<double>::infinity(), roll(2) == 0 ? 1.0 : -1.0);
        case 2:
            return std::bit_cast<double>(std::uint64_t(bits()) << 32U | bits());
        default:
            return static_cast<double>(static_cast<std::int32_t>(roll(400'000)) - 200'000) / 1000.0;
        }
    }
    float small() { return static_cast<float>(std::clamp(number(), -3e38, 3e38)); }
    Everything message() {
        constexpr const char* Words[] = {
            "",     "the door", "tab\tand\nline", "\u202Egniht", "Stra\u00dfe \u212A", "\xff\xc3",
            "12.5", "true",     "\U0001F600",     " \u00b7 ",    "words  \u00b7 other"};
        Everything m;
        std::memset(static_cast<void*>(&m), 0, sizeof m);
        m.single = small();
        m.number = number();
        m.whole = static_cast<std::int32_t>(roll(3) == 0 ? bits() : roll(200)) - 100;
        m.loud = roll(2) == 0;
        m.mood = static_cast<Mood>(roll(5)); // more than there are
        m.place = Vec2(small(), small());
        m.tint = Vec4(small(), 0.5F, small(), 1.0F);
        m.turn = Quat(small(), small(), 0.0F, 1.0F);
        m.words.assign(Words[roll(static_cast<std::uint32_t>(std::size(Words)))]);
        m.last.assign(Words[roll(static_cast<std::uint32_t>(std::size(Words)))]);
        if (roll(3) != 0)
            m.other = EntityId(roll(60) + 1, 1);
        return m;
    }
    void send(int count) {
        for (int i = 0; i < count; ++i) {
            const Everything m = message();
            const auto receiver = roll(static_cast<std::uint32_t>(names.size()));
            Envelope e;
            e.sequence = ++yard.sequence;
            e.tick = ++yard.tick;
            e.type = messageIdOf<Everything>();
            e.delivery = roll(4) == 0   ? Delivery::Broadcast
                         : roll(4) == 0 ? Delivery::Network
                                        : Delivery::Immediate;
            e.delayed = roll(5) == 0;
            e.queuedAt = e.tick - std::min<std::uint64_t>(e.tick, roll(30));
            e.receiver = EntityId(receiver + 1, 1);
            const bool sent = roll(3) != 0;
            const auto sender = roll(static_cast<std::uint32_t>(names.size()));
            if (sent)
                e.sender = EntityId(sender + 1, 1);
            const bool consumed = roll(2) == 0;
            const std::vector<ShapeHandler> handlers{
                {Yard::Shield, -5}, {Yard::Health, static_cast<std::int32_t>(roll(30)) - 10}};
            const auto ticket = yard.recorder.begin(e, sent ? names[sender] : 0, names[receiver],
                                                    internShape(handlers), &m, sizeof m);
            yard.recorder.finish(ticket, consumed ? 1 + roll(2) : roll(3), consumed);
            if (roll(20) == 0) {
                Envelope note = e;
                note.sequence = ++yard.sequence;
                yard.recorder.note(RecordNote::Short, note, 0, names[receiver], &m, sizeof m, roll(30),
                                   roll(30));
            }
        }
        yard.recorder.seal();
        yard.runTick(20);
        model.catchUp();
    }
    // All that the record says, cell by cell.
    QStringList cells(const RecordView& record, const std::vector<int>& columns) const {
        QStringList all;
        for (const int column : columns)
            all.append(model.text(record, column));
        for (const FieldInfo& field : *context.type(record).fields)
            all.append(context.fieldValue(record, field, true));
        return all;
    }
};

// As the panel rounded numbers before there was roundedNumber().
QString roundedByQt(double value) {
    if (!std::isfinite(value))
        return QString::fromStdString(formatDouble(value));
    const double size = std::abs(value);
    if (size != 0.0 && (size < 0.0005 || size >= 1e9))
        return QString::number(value, 'g', 3);
    QString text = QString::number(value, 'f', 3);
    while (text.endsWith(QLatin1Char('0')) && !text.endsWith(QLatin1String(".0")))
        text.chop(1);
    return text == QLatin1String("-0.0") ? QStringLiteral("0.0") : text;
}

QString visible(const QString& text) { return QString::fromLatin1(text.toUtf8().toPercentEncoding()); }

} // namespace

class TestTextMatcher : public QObject {
    Q_OBJECT
private slots:
    void writesNumbersAsBefore() {
        Bench b;
        const auto compare = [](double value) {
            QCOMPARE(QString::fromStdString(roundedNumber(value)), roundedByQt(value));
            char text[MaxNumberText];
            QCOMPARE(std::string(text, writeExact(text, value)), formatDouble(value));
            const auto single = static_cast<float>(value);
            QCOMPARE(std::string(text, writeExact(text, single)), formatFloat(single));
        };
        for (int i = 0; i < 20'000; ++i) {
            compare(b.number());
            compare(static_cast<double>(static_cast<float>(b.number())));
            compare(std::ldexp(static_cast<double>(static_cast<std::int32_t>(b.roll(200'000)) - 100'000),
                               -static_cast<int>(b.roll(20)))); // ties
        }
    }

    void answersAsALookAtEveryCell() {
        Bench b;
        b.send(250);
        b.model.setFieldColumns({QStringLiteral("amount"), QStringLiteral("number")});
        std::vector<std::vector<int>> choices(4);
        for (int column = 0; column < b.model.columnCount(); ++column) {
            choices[0].push_back(column);
            if (column != TraceModel::Fields)
                choices[1].push_back(column);
            if (column == TraceModel::Fields || column == TraceModel::Receiver)
                choices[2].push_back(column);
            if (b.roll(2) == 0)
                choices[3].push_back(column);
        }
        std::vector<QStringList> all; // by row, for each choice
        QStringList texts = {QStringLiteral("unicorn"),
                             QStringLiteral("k"),
                             QStringLiteral("\u212A"),
                             QStringLiteral("\u00DF"),
                             QStringLiteral("SS"),
                             QStringLiteral("gone by 1"),
                             QStringLiteral(", gone"),
                             QStringLiteral("e"),
                             QStringLiteral("-"),
                             QStringLiteral("."),
                             QStringLiteral("0.0"),
                             QStringLiteral(" \u00b7 "),
                             QStringLiteral("\\x07"),
                             QStringLiteral("\\t"),
                             QStringLiteral("none"),
                             QStringLiteral("#"),
                             QStringLiteral("?"),
                             QStringLiteral("inf"),
                             QStringLiteral("nan"),
                             QStringLiteral("]"),
                             QStringLiteral(", "),
                             QStringLiteral("m/s"),
                             QStringLiteral("\u00B0c"),
                             QStringLiteral("words  "),
                             QStringLiteral("REF"),
                             QStringLiteral("+"),
                             QString(QChar(0xD83D)),
                             QStringLiteral("of 1"),
                             QStringLiteral("consumed by shield"),
                             QStringLiteral("62")};
        constexpr int Cut = 700;
        for (int i = 0; i < Cut; ++i) {
            const QStringList cells = b.cells(
                b.model.record(static_cast<int>(b.roll(static_cast<std::uint32_t>(b.model.rowCount())))),
                choices[0]);
            QString text = cells[static_cast<int>(b.roll(static_cast<std::uint32_t>(cells.size())))];
            if (text.isEmpty())
                continue;
            text = text.mid(static_cast<int>(b.roll(static_cast<std::uint32_t>(text.size()))),
                            1 + static_cast<int>(b.roll(b.roll(4) == 0 ? 40 : 7)));
            if (b.roll(3) == 0)
                text = b.roll(2) == 0 ? text.toUpper() : text.toLower();
            if (b.roll(6) == 0)
                text[static_cast<int>(b.roll(static_cast<std::uint32_t>(text.size())))] =
                    QChar(b.roll(2) == 0 ? ' ' : '7');
            texts.append(text);
        }
        int hits = 0;
        int misses = 0;
        for (const bool reference : {false, true}) {
            if (reference)
                b.model.marks().setReference(
                    TraceMarks::Reference{b.model.record(40).sequence(), b.model.record(40).tick()});
            for (const std::vector<int>& columns : choices) {
                all.clear();
                for (int row = 0; row < b.model.rowCount(); ++row)
                    all.push_back(b.cells(b.model.record(row), columns));
                TraceTextMatcher matcher(b.model);
                for (const QString& text : texts) {
                    matcher.set(text, columns);
                    const QStringMatcher plain(text, Qt::CaseInsensitive);
                    for (int row = 0; row < b.model.rowCount(); ++row) {
                        const QStringList& cells = all[static_cast<std::size_t>(row)];
                        const bool expected =
                            std::any_of(cells.begin(), cells.end(),
                                        [&plain](const QString& cell) { return plain.indexIn(cell) >= 0; });
                        ++(expected ? hits : misses);
                        if (matcher.matches(b.model.record(row)) != expected)
                            QFAIL(qPrintable(
                                QStringLiteral("\"%1\" is %2 in row %3: %4")
                                    .arg(visible(text),
                                         expected ? QStringLiteral("missed") : QStringLiteral("not"),
                                         QString::number(row), visible(cells.join(QLatin1Char('|'))))));
                    }
                }
            }
        }
        QVERIFY2(hits > 20'000 && misses > 20'000,
                 qPrintable(QStringLiteral("%1 hits, %2 misses").arg(hits).arg(misses)));
    }

    // An empty text is in each; a column that comes, goes or gets another name is followed.
    void followsTheColumns() {
        Bench b;
        b.yard.send(Damage{40.0F / 3.0F, Kind::Ice, {}}, 1, 2, 0, {});
        b.yard.recorder.seal();
        b.model.catchUp();
        const RecordView record = b.model.record(0);
        TraceTextMatcher matcher(b.model);
        matcher.set(QString(), {});
        QVERIFY(matcher.matches(record));
        matcher.set(QStringLiteral("13.333"), {});
        QVERIFY(matcher.matches(record)); // its exact value begins so
        matcher.set(QStringLiteral("kind ice"), {});
        QVERIFY(!matcher.matches(record));
        matcher.set(QStringLiteral("kind ice"), {TraceModel::Fields});
        QVERIFY(matcher.matches(record));
        // 2.0625 is shown as 2.063, in a column that is there.
        b.yard.send(Damage{2.0625F, Kind::Ice, {}}, 1, 2, 0, {});
        b.yard.recorder.seal();
        b.model.catchUp();
        const RecordView second = b.model.record(1);
        matcher.set(QStringLiteral("2.063"), {TraceModel::Number, TraceModel::ColumnCount});
        QVERIFY(!matcher.matches(second));
        b.model.addFieldColumn(QStringLiteral("amount"));
        matcher.refresh();
        QVERIFY(matcher.matches(second));
        b.model.setFieldColumns({QStringLiteral("kind")});
        matcher.refresh();
        QVERIFY(!matcher.matches(second));
    }
};

QTEST_MAIN(TestTextMatcher)
#include "tst_text_matcher.moc"
