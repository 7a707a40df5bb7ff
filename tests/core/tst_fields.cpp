#include <QtTest>

#include "engine/core/fields.h"

using namespace sbx;

namespace {
enum class Shape { Box, Sphere };
struct Sample {
    Shape shape = Shape::Box;
    float mass = 1.0F;
    int count = 3;
    Vec3 size{1.0F};
    Vec4 tint{1.0F};
    bool on = true;
    std::string label = "a";
    static void describe(FieldList<Sample>& f) {
        f.add("shape", &Sample::shape, "Form.").choices({"box", "sphere"});
        f.add("mass", &Sample::mass, "Mass.").unit("kg").range(0.001, 1e6);
        f.add("count", &Sample::count, "Count.").range(0, 10).onlyWith("shape", {"box"}).onlyWith("on", {"true", "false"});
        f.add("size", &Sample::size, "Edge lengths.").unit("m").range(0.001, 1e4);
        f.add("tint", &Sample::tint, "Colour.").color();
        f.add("on", &Sample::on, "Switch.");
        f.add("label", &Sample::label, "Text.");
    }
};
SourceValue number(double v, int line) {
    SourceValue s;
    s.kind = SourceValue::Kind::Float;
    s.number = v;
    s.region = {line, 8, line, 12};
    return s;
}
SourceValue text(const char* v, int line) {
    SourceValue s;
    s.kind = SourceValue::Kind::String;
    s.text = v;
    s.region = {line, 8, line, 12};
    return s;
}
} // namespace

class TestFields : public QObject {
    Q_OBJECT
private slots:
    void defaultsComeFromTheStruct() {
        const FieldInfo* mass = fieldsOf<Sample>().find("mass");
        QVERIFY(mass);
        QCOMPARE(std::get<double>(mass->defaultValue), 1.0);
        QCOMPARE(mass->format(mass->defaultValue), std::string("1.0"));
        QCOMPARE(mass->expectation(), std::string("a number in [0.001, 1e+06] kg"));
        QVERIFY(mass->conditions.empty());
        const std::vector<FieldCondition>& conditions = fieldsOf<Sample>().find("count")->conditions;
        QCOMPARE(conditions.size(), std::size_t{2});
        QCOMPARE(conditions[0].text(), std::string("only with shape box"));
        QCOMPARE(conditions[1].text(), std::string("only with on true or false"));
    }
    void aTextThatIsTooLongSaysHowLongItMayBe() {
        struct Note {
            FixedText<8> words;
            static void describe(FieldList<Note>& f) { f.add("words", &Note::words, "What is said."); }
        };
        const FieldInfo* words = fieldsOf<Note>().find("words");
        QVERIFY(words->check(Value(std::string(8, 'x'))).ok());
        const Result<Value> tooLong = words->check(Value(std::string(9, 'x')));
        QVERIFY(!tooLong.ok());
        QCOMPARE(tooLong.error().message, std::string("words: a text of 9 bytes; expected at most 8"));
    }
    void readsAValueOfAFile() {
        Sample s;
        Diagnostics sink;
        Value value;
        const FieldInfo* const mass = fieldsOf<Sample>().find("mass");
        QVERIFY(mass->fromSource(number(5.5, 2), value, sink, "f.toml"));
        mass->write(&s, value);
        const FieldInfo* const shape = fieldsOf<Sample>().find("shape");
        QVERIFY(shape->fromSource(text("sphere", 3), value, sink, "f.toml"));
        shape->write(&s, value);
        QCOMPARE(s.mass, 5.5F);
        QCOMPARE(s.shape, Shape::Sphere);
        QVERIFY(sink.items.empty());
    }
    void everyFaultOfAValueIsLocated() {
        Diagnostics sink;
        const auto refuses = [&](const char* field, const SourceValue& value) {
            Value out;
            return !fieldsOf<Sample>().find(field)->fromSource(value, out, sink, "f.toml");
        };
        QVERIFY(refuses("shape", text("spere", 3)));
        QVERIFY(refuses("mass", text("heavy", 4)));
        QVERIFY(refuses("count", number(11.0, 5)));
        QVERIFY(refuses("size", number(1.0, 6)));
        QCOMPARE(sink.items.size(), std::size_t(4));
        QCOMPARE(sink.items[0].suggestion, std::string("sphere"));
        QCOMPARE(sink.items[1].toString(),
                 std::string("f.toml:4:8: error: mass is text; expected a number in [0.001, 1e+06] kg"));
        QCOMPARE(sink.items[2].what, std::string("count is 11, out of range"));
        QCOMPARE(sink.items[3].what, std::string("size is a number"));
    }
    void parsesConsoleText_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("output"); // empty: refused
        QTest::newRow("float") << "mass"
                               << "2.5"
                               << "2.5";
        QTest::newRow("too small") << "mass"
                                   << "0"
                                   << "";
        QTest::newRow("text") << "mass"
                              << "heavy"
                              << "";
        QTest::newRow("nan") << "mass"
                             << "nan"
                             << "";
        QTest::newRow("int") << "count"
                             << "4"
                             << "4";
        QTest::newRow("fraction") << "count"
                                  << "4.5"
                                  << "";
        QTest::newRow("vector, commas") << "size"
                                        << "[1, 2,3]"
                                        << "[1.0, 2.0, 3.0]";
        QTest::newRow("vector, spaces") << "size"
                                        << "1 2 3"
                                        << "[1.0, 2.0, 3.0]";
        QTest::newRow("vector, short") << "size"
                                       << "1 2"
                                       << "";
        QTest::newRow("colour without alpha") << "tint"
                                              << "1 0 0"
                                              << "[1.0, 0.0, 0.0, 1.0]";
        QTest::newRow("enum") << "shape"
                              << "sphere"
                              << "sphere";
        QTest::newRow("enum, unknown") << "shape"
                                       << "cone"
                                       << "";
        QTest::newRow("bool") << "on"
                              << "off"
                              << "false";
    }
    void parsesConsoleText() {
        QFETCH(QString, field);
        QFETCH(QString, input);
        QFETCH(QString, output);
        const FieldInfo* f = fieldsOf<Sample>().find(field.toStdString());
        const auto value = f->parse(input.toStdString());
        QCOMPARE(value.ok(), !output.isEmpty());
        if (value)
            QCOMPARE(f->format(*value), output.toStdString());
    }
    void jsonAndHashFollowContent() {
        Sample a;
        Sample b;
        Hash64 ha;
        Hash64 hb;
        fieldsOf<Sample>().hash(&a, ha);
        fieldsOf<Sample>().hash(&b, hb);
        QCOMPARE(ha.value(), hb.value());
        b.size.y = std::nextafter(1.0F, 2.0F);
        Hash64 hc;
        fieldsOf<Sample>().hash(&b, hc);
        QVERIFY(ha.value() != hc.value());
        QCOMPARE(
            fieldsOf<Sample>().formatJson(&a),
            std::string(
                R"({"shape":"box","mass":1.0,"count":3,"size":[1.0,1.0,1.0],"tint":[1.0,1.0,1.0,1.0],"on":true,"label":"a"})"));
    }
};

QTEST_GUILESS_MAIN(TestFields)
#include "tst_fields.moc"
