// Message types of libraries that are loaded anew.

#include <QtTest>

#include "engine/message/message_type.h"

using namespace sbx;

namespace {

// The same name, laid out in three ways.
template <int Layout> struct Knock;
template <> struct Knock<1> {
    static constexpr const char* Name = "import.Knock";
    static constexpr const char* Doc = "First.";
    float loud = 0.0F;
    static void describe(FieldList<Knock>& f) { f.add("loud", &Knock::loud, "How loud."); }
};
template <> struct Knock<2> { // as the first, described better
    static constexpr const char* Name = "import.Knock";
    static constexpr const char* Doc = "Second.";
    float loud = 0.0F;
    static void describe(FieldList<Knock>& f) { f.add("loud", &Knock::loud, "How loud.").unit("dB"); }
};
template <> struct Knock<3> { // of the same size, with another field
    static constexpr const char* Name = "import.Knock";
    static constexpr const char* Doc = "Third.";
    int times = 0;
    static void describe(FieldList<Knock>& f) { f.add("times", &Knock::times, "How often."); }
};

struct Fixed {
    static constexpr const char* Name = "import.Fixed";
    float value = 0.0F;
    static void describe(FieldList<Fixed>& f) { f.add("value", &Fixed::value, "A value."); }
};
struct OtherFixed {
    static constexpr const char* Name = "import.Fixed";
    double value = 0.0;
    static void describe(FieldList<OtherFixed>& f) { f.add("value", &OtherFixed::value, "A value."); }
};

template <typename M> MessageType described() {
    MessageType type;
    type.name = M::Name;
    if constexpr (requires { M::Doc; })
        type.doc = M::Doc;
    type.size = sizeof(M);
    type.alignment = alignof(M);
    type.fields = &fieldsOf<M>();
    type.construct = [](void* memory) { new (memory) M(); };
    return type;
}

} // namespace

class TestImport : public QObject {
    Q_OBJECT
private slots:
    void buildsOfOneLibraryFollowEachOther() {
        MessageTypeId first = NoType;
        {
            MessageTypeImport import("lib", {});
            first = internMessageType(described<Knock<1>>()).id;
            import.keep();
        }
        const MessageType& old = messageType(first);
        {
            MessageTypeImport import("lib", {});
            QCOMPARE(internMessageType(described<Knock<2>>()).id, first);
            import.keep();
        }
        QCOMPARE(messageType(first).doc, std::string("Second."));
        QCOMPARE(messageType(first).fields->find("loud")->unit, std::string("dB"));
        QCOMPARE(old.doc, std::string("First.")); // whoever holds it may go on
        MessageTypeId third = NoType;
        {
            MessageTypeImport import("lib", {});
            third = internMessageType(described<Knock<3>>()).id;
            QVERIFY(import.conflicts().empty());
            import.keep();
        }
        QVERIFY(third != first);
        QCOMPARE(findMessageType("import.Knock")->id, third);
        QCOMPARE(messageType(first).fields->names(), std::vector<std::string>{"loud"});
        const auto all = messageTypes();
        QCOMPARE(std::count_if(all.begin(), all.end(), [](const MessageType* t) { return t->name == "import.Knock"; }), 1);
        QVERIFY(messageTypeCount() > all.size());
    }

    void whatIsNotKeptIsTakenBack() {
        const MessageTypeId before = findMessageType("import.Knock")->id;
        const std::string doc = messageType(before).doc;
        {
            MessageTypeImport import("lib", {});
            QVERIFY(internMessageType(described<Knock<1>>()).id != before);
            MessageType fresh = described<Fixed>();
            fresh.name = "import.Fresh";
            internMessageType(std::move(fresh));
            QVERIFY(findMessageType("import.Fresh") != nullptr);
        }
        QCOMPARE(findMessageType("import.Knock")->id, before);
        QCOMPARE(messageType(before).doc, doc);
        QVERIFY(findMessageType("import.Fresh") == nullptr);
    }

    void othersMustAgree() {
        const MessageTypeId fixed = internMessageType(described<Fixed>()).id; // the engine's
        MessageTypeImport import("lib", {"neighbour"});
        QCOMPARE(internMessageType(described<Fixed>()).id, fixed);
        QVERIFY(import.conflicts().empty());
        QCOMPARE(internMessageType(described<OtherFixed>()).id, fixed);
        QCOMPARE(import.conflicts(), std::vector<std::string>{"brings the message type import.Fixed, which the engine has "
                                                              "otherwise: 4 bytes there and 8 here"});
    }

    void soMustNeighbours() {
        {
            MessageTypeImport import("neighbour", {});
            internMessageType(described<Knock<1>>());
            import.keep();
        }
        MessageTypeImport import("lib", {"neighbour"});
        internMessageType(described<Knock<3>>());
        QCOMPARE(import.conflicts(), std::vector<std::string>{"brings the message type import.Knock, which neighbour has "
                                                              "otherwise: there it has loud (float), here times (int)"});
    }
};

QTEST_GUILESS_MAIN(TestImport)
#include "tst_import.moc"
