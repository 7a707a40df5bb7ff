// Instances get another parent: what is written, and that none becomes its own ancestor.

#include <QtTest>

#include "engine/definition/parent_edit.h"

using namespace sbx;
using namespace sbx::definition;

namespace {

const std::string SceneText = "[scene]\nname = \"S\"\n"
                         "\n[[entity]] # the table\ntype = \"Table\"\nname = \"table\"\nposition = [1.0, 0.0, 0.0]\n"
                         "\n[[entity]]\ntype = \"Cup\"\nname = \"cup\"\nposition = [2.0, 1.0, 0.0] # of porcelain\nparent = \"table\"\n"
                         "\n[[entity]]\ntype = \"Spoon\"\nname = \"spoon\"\nparent = \"cup\"\n";

std::string after(const std::vector<InstanceParent>& parents) {
    const Result<TextEdits> edits = setInstanceParents(SceneText, parents);
    if (!edits)
        return "error: " + edits.error().message;
    return *applyEdits(SceneText, *edits);
}

InstanceParent to(const char* name, const char* parent) {
    InstanceParent out;
    out.place.name = name;
    out.parent = parent;
    return out;
}

} // namespace

class TestParentEdit : public QObject {
    Q_OBJECT

private slots:
    void aParentAndThePlaceBelowItAreWritten() {
        InstanceParent change = to("spoon", "table");
        change.place.position = Vec3(0.5F, 0.0F, 0.25F);
        std::string wanted = SceneText;
        wanted.replace(wanted.find("parent = \"cup\""), 14, "position = [0.5, 0.0, 0.25]\nparent = \"table\"");
        QCOMPARE(QString::fromStdString(after({change})), QString::fromStdString(wanted));
    }

    void aClearedParentTakesItsLineAlong() {
        std::string wanted = SceneText;
        wanted.erase(wanted.find("parent = \"table\"\n"), 17);
        QCOMPARE(QString::fromStdString(after({to("cup", "")})), QString::fromStdString(wanted));
        QCOMPARE(QString::fromStdString(after({to("table", "")})), QString::fromStdString(SceneText)); // has none
    }

    void theWayRoundIsNamed() {
        const std::string error = after({to("table", "spoon")});
        QCOMPARE(QString::fromStdString(error),
                 QStringLiteral("error: table cannot be a child of spoon, which hangs from it: table, in spoon, in cup, in table; "
                                "choose a parent outside of it"));
        QVERIFY(after({to("cup", "cup")}).starts_with("error: cup cannot be a child of cup"));
        // Judged as it is afterwards: both change at once.
        QVERIFY(!after({to("table", "spoon"), to("spoon", "")}).starts_with("error"));
        QVERIFY(after({to("table", "spoon"), to("spoon", "table")}).starts_with("error"));
    }

    void whatIsNotThereIsAnError() {
        QCOMPARE(QString::fromStdString(after({to("cap", "table")})), QStringLiteral("error: the scene has no entity \"cap\"; did you mean cup?"));
        QVERIFY(after({to("cup", "nobody")}).starts_with("error: the scene has no entity \"nobody\""));
        QVERIFY(after({to("cup", ""), to("cup", "table")}).starts_with("error: cup is given a parent twice"));
        InstanceParent far = to("cup", "");
        far.place.scale = Vec3(1e9F);
        QVERIFY(after({far}).starts_with("error: cup: "));
    }
};

QTEST_GUILESS_MAIN(TestParentEdit)
#include "tst_parent_edit.moc"
