// The writer of JSON against a reader that was written by others.

#include <QtTest>

#include "engine/core/field_json.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>

using namespace sbx;
using Json = nlohmann::json;

namespace {

struct Sample {
    std::string text;
    float number = 0.5F;
    Vec3 place{1.0F, 2.0F, 3.0F};
    EntityId other;
    static void describe(FieldList<Sample>& f) {
        f.add("text", &Sample::text, "Text.");
        f.add("number", &Sample::number, "Number.");
        f.add("place", &Sample::place, "Place.");
        f.add("other", &Sample::other, "Entity.");
    }
};

} // namespace

class TestJsonWriter : public QObject {
    Q_OBJECT
private slots:
    void writesEveryKindOfValue() {
        JsonWriter json;
        json.beginObject()
            .member("text", "a")
            .member("yes", true)
            .member("count", -3)
            .member("large", UINT64_MAX);
        json.member("float", 0.1F).member("double", 0.1).member("whole", 5.0).key("none").null();
        json.key("list").beginArray().value(1).value(2U).endArray();
        json.key("empty").beginArray().endArray().key("nothing").beginObject().endObject().key("given").raw(
            "1.500");
        json.endObject();
        QCOMPARE(QString::fromStdString(json.text()),
                 QStringLiteral(
                     "{\"text\":\"a\",\"yes\":true,\"count\":-3,\"large\":18446744073709551615,\"float\":0.1,"
                     "\"double\":0.1,\"whole\":5.0,\"none\":null,\"list\":[1,2],\"empty\":[],\"nothing\":{},"
                     "\"given\":1.500}"));
        QVERIFY(Json::accept(json.text()));
    }

    void linesAreSeparatedAsElementsAre() {
        JsonWriter json;
        json.beginArray();
        json.onNewLine().beginObject().member("a", 1).endObject();
        json.onNewLine().value("b");
        json.onNewLine().endArray(); // a line on which nothing comes
        json.value(3);
        QCOMPARE(json.text(), std::string("[\n{\"a\":1},\n\"b\"],3"));
    }

    void numbersThatAreNotFiniteAreNull() {
        JsonWriter json;
        json.beginArray()
            .value(std::numeric_limits<float>::quiet_NaN())
            .value(std::numeric_limits<double>::infinity());
        json.value(-std::numeric_limits<float>::infinity()).endArray();
        QCOMPARE(json.text(), std::string("[null,null,null]"));
    }

    void textComesBack_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("read");
        const auto same = [](const char* name, const QByteArray& text) {
            QTest::newRow(name) << text << text;
        };
        same("empty", "");
        same("quotes and backslash", "\"\\\"");
        QByteArray control;
        for (char c = 0; c < 0x20; ++c)
            control += c;
        same("control characters", control + '\x7F');
        same("several bytes each", "h\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8E\xB1");
        QTest::newRow("a byte that begins nothing") << QByteArray("a\xFFz") << QByteArray("a\xEF\xBF\xBDz");
        QTest::newRow("cut short") << QByteArray("a\xE2\x82") << QByteArray("a\xEF\xBF\xBD\xEF\xBF\xBD");
        QTest::newRow("overlong") << QByteArray("\xC0\xAF\n") << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD\n");
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80")
                                   << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    }
    void textComesBack() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, read);
        JsonWriter json;
        json.beginObject().member(text.toStdString(), text.toStdString()).endObject();
        const Json parsed = Json::parse(json.text(), nullptr, false);
        QVERIFY2(parsed.is_object() && parsed.size() == 1, json.text().c_str());
        QCOMPARE(QByteArray::fromStdString(parsed.begin().key()), read);
        QCOMPARE(QByteArray::fromStdString(parsed.begin().value().get<std::string>()), read);
    }

    void fieldsAreMembers() {
        Sample sample;
        sample.text = "line\x01\xFE";
        sample.number = std::numeric_limits<float>::infinity();
        sample.place.y = std::numeric_limits<float>::quiet_NaN();
        sample.other.bits = 18446744073709551615ULL;
        JsonWriter json;
        writeMembers(json.beginObject(), fieldsOf<Sample>(), &sample);
        json.endObject();
        const Json parsed = Json::parse(json.text(), nullptr, false);
        QVERIFY2(parsed.is_object(), json.text().c_str());
        QCOMPARE(parsed["text"].get<std::string>(), std::string("line\x01\xEF\xBF\xBD"));
        QVERIFY(parsed["number"].is_null());
        QCOMPARE(parsed["place"][0].get<double>(), 1.0);
        QVERIFY(parsed["place"][1].is_null());
        QCOMPARE(parsed["other"].get<std::string>(), std::string("18446744073709551615"));
        QCOMPARE(fieldsOf<Sample>().formatJson(&sample), json.text());
    }
};

QTEST_GUILESS_MAIN(TestJsonWriter)
#include "tst_json_writer.moc"
