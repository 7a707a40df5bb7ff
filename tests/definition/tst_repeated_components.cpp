// One component of several with a name: its settings change, and nothing else of the text.
#include <QtTest>

#include "engine/definition/repeated_components.h"

using namespace sbx::definition;

namespace {
std::string after(const std::string& text, const sbx::Result<TextEdits>& edits) {
    if (!edits)
        return "error: " + edits.error().message;
    const sbx::Result<std::string> applied = applyEdits(text, *edits);
    return applied ? *applied : "error: " + applied.error().message;
}
} // namespace

class TestRepeatedComponents : public QObject {
    Q_OBJECT
private slots:
    void changesTheOneThatIsMeant() {
        const std::string text = "[Crate]\r\n# one\r\n[[Crate.Mesh]]\r\n  mesh = \"box\" # a\r\n\r\n[Crate.Body]\r\nmass = 1\r\n[[Crate.Mesh]]\r\n"
                                 "  mesh = \"cone\"\r\n  size = [1, 1, 1]\r\n\r\n# tail\r\n[Other]\r\n[[Other.Mesh]]";
        QCOMPARE(after(text, setRepeatedValue(text, "Crate", "Mesh", 0, "mesh", "\"wedge\"")),
                 "[Crate]\r\n# one\r\n[[Crate.Mesh]]\r\n  mesh = \"wedge\" # a\r\n" + text.substr(text.find("\r\n[Crate.Body]")));
        std::string wanted = text;
        wanted.insert(wanted.find("\r\n\r\n# tail") + 2, "  swing = 2.0\r\n");
        QCOMPARE(after(text, setRepeatedValue(text, "Crate", "Mesh", 1, "swing", "2.0")), wanted);
        // At the end of a text that ends without a line end.
        QCOMPARE(after(text, setRepeatedValue(text, "Other", "Mesh", 0, "mesh", "\"box\"")), text + "\r\nmesh = \"box\"");
        wanted = text;
        wanted.erase(wanted.find("  size = [1, 1, 1]\r\n"), 20);
        QCOMPARE(after(text, removeRepeatedValue(text, "Crate", "Mesh", 1, "size")), wanted);
        QCOMPARE(after(text, removeRepeatedValue(text, "Crate", "Mesh", 0, "size")), text);
        for (const auto& edits : {setRepeatedValue(text, "Crate", "Mesh", 1, "size", "[2, 2, 2]"), setRepeatedValue(text, "Crate", "Mesh", 0, "color", "[1, 1, 1, 1]")}) {
            const std::string changed = after(text, edits);
            QCOMPARE(after(changed, sbx::Result<TextEdits>(inverseOf(*edits))), text);
        }
    }
    void refusesWhatIsNotThere() {
        const std::string text = "[Crate]\nMesh = { mesh = \"box\" }\n[[Crate.Sound]]\n";
        QVERIFY(!setRepeatedValue(text, "Crate", "Mesh", 0, "mesh", "\"cone\""));
        QVERIFY(!setRepeatedValue(text, "Crate", "Sound", 1, "gain", "2.0"));
        QVERIFY(!setRepeatedValue(text, "Crates", "Sound", 0, "gain", "2.0"));
        QVERIFY(!setRepeatedValue(text, "Crate", "Sound", 0, "gain", "[1,"));
        QVERIFY(!removeRepeatedValue(text, "Crate", "Sound", 7, "gain"));
        QVERIFY(setRepeatedValue(text, "Crate", "Sound", 0, "gain", "2.0"));
    }
};

QTEST_GUILESS_MAIN(TestRepeatedComponents)
#include "tst_repeated_components.moc"
