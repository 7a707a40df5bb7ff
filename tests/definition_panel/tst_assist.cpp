// Completion, explanation and the way to a definition, at the caret of a real text.
#include <QLineEdit>

#include "tests/definition_panel/panel_fixture.h"
#include "tests/event_loop.h"

using namespace sbx::ui;

namespace {

QStringList labels(PanelFixture& f) {
    QStringList out;
    if (f.panel->assist().completion().isVisible())
        for (const auto& candidate : f.panel->assist().completion().candidates())
            out.append(QString::fromStdString(candidate.label));
    return out;
}

void key(PanelFixture& f, Qt::Key key) { QTest::keyClick(&f.panel->editor(), key); }

} // namespace

class TestAssist : public QObject {
    Q_OBJECT

private slots:
    void completesComponentsInAHeader();
    void completesKeysThenChoices();
    void completesBooleans();
    void completesTypes();
    void completionClosesTheQuotes();
    void completesMessageTypes();
    void listNarrowsAndCloses();
    void stepsAside();
    void takesNoEnterBehindAFinishedWord_data();
    void takesNoEnterBehindAFinishedWord();
    void aWordThatIsWrittenOutTakesEnter();
    void acceptIsOneUndoStep();
    void explains();
    void goesToDefinitions();
    void findsInTheText();
};

void TestAssist::completesComponentsInAHeader() {
    PanelFixture f;
    f.panel->binding().setCaret(f.text().size());
    f.type("[Heavy.");
    QTRY_VERIFY(labels(f).contains(QStringLiteral("Health")));
    QVERIFY(!labels(f).contains(QStringLiteral("Body"))); // has it already
    f.type("Hea");
    QTRY_COMPARE(labels(f).value(0), QStringLiteral("Health"));
    key(f, Qt::Key_Return);
    QVERIFY(f.text().ends_with("[Heavy.Health]"));
    QTRY_VERIFY(labels(f).isEmpty());
}

void TestAssist::completesKeysThenChoices() {
    PanelFixture f;
    f.caretBehind("mass = 50.0\n");
    f.type("sha");
    QTRY_COMPARE(labels(f), QStringList{QStringLiteral("shape")});
    key(f, Qt::Key_Tab);
    QVERIFY(f.text().ends_with("shape = "));
    QVERIFY(labels(f).contains(QStringLiteral("sphere"))); // at once
    f.type("sph");
    key(f, Qt::Key_Return);
    QVERIFY(f.text().ends_with("shape = \"sphere\""));
    f.settle();
    QCOMPARE(f.problems->model().rowCount(), 0);
}

void TestAssist::completesBooleans() {
    PanelFixture f;
    f.caretBehind("mass = 50.0\n");
    f.type("enabled = ");
    f.panel->assist().complete();
    QCOMPARE(labels(f), (QStringList{QStringLiteral("true"), QStringLiteral("false")}));
    key(f, Qt::Key_Down);
    key(f, Qt::Key_Return);
    QVERIFY(f.text().ends_with("enabled = false"));
}

void TestAssist::completesTypes() {
    PanelFixture f;
    f.panel->setFile(QStringLiteral("yard.scene.toml"));
    const std::size_t at = Scene.rfind("Heavy");
    f.panel->binding().select(at, at + 5);
    key(f, Qt::Key_Delete);
    f.panel->assist().complete();
    QVERIFY(labels(f).contains(QStringLiteral("Crate")));
    QVERIFY(labels(f).contains(QStringLiteral("Heavy")));
    f.type("Hea");
    QTRY_COMPARE(labels(f), QStringList{QStringLiteral("Heavy")});
    key(f, Qt::Key_Return);
    QCOMPARE(f.text("yard.scene.toml"), Scene);
}

void TestAssist::completionClosesTheQuotes() {
    PanelFixture f;
    f.panel->editor().typeBytes(f.text().size(), f.text().size(), "[Light]\nextends = \"");
    f.panel->binding().setCaret(f.text().size());
    f.type("Hea");
    QTRY_COMPARE(labels(f), QStringList{QStringLiteral("Heavy")});
    key(f, Qt::Key_Return);
    QVERIFY2(f.text().ends_with("extends = \"Heavy\""), f.text().c_str());
    f.settle();
    QCOMPARE(f.problems->model().rowCount(), 0);
    // What stands behind it is no part of the name; quotes that are closed stay as they are.
    f.change("[Light]\nextends = \"Heavy\"", "[Light]\nextends = 'Cr # light\n");
    f.caretBehind("'Cr");
    f.panel->assist().complete();
    key(f, Qt::Key_Return);
    QVERIFY2(f.text().ends_with("extends = 'Crate' # light\n"), f.text().c_str());
    f.caretBehind("extends = 'Cra");
    f.panel->assist().complete();
    key(f, Qt::Key_Return);
    QVERIFY2(f.text().ends_with("extends = 'Crate' # light\n"), f.text().c_str());
}

void TestAssist::completesMessageTypes() {
    // Whichever component has a setting of that role.
    PanelFixture f;
    for (const auto& component : f.session.catalog().schema.components()) {
        if (component.settings == nullptr)
            continue;
        for (const sbx::FieldInfo& field : *component.settings) {
            if (field.role != sbx::TextRole::MessageType)
                continue;
            f.panel->binding().setCaret(f.text().size());
            const std::string lines = "[Bell]\n[Bell." + component.name + "]\n" + field.name + " = \"";
            f.panel->editor().typeBytes(f.text().size(), f.text().size(), lines);
            f.panel->binding().setCaret(f.text().size());
            f.panel->assist().complete();
            QVERIFY(labels(f).contains(QString::fromStdString(f.session.catalog().schema.messageTypes().front())));
            return;
        }
    }
    QSKIP("no component names a message type");
}

void TestAssist::listNarrowsAndCloses() {
    PanelFixture f;
    f.caretBehind("mass = 50.0\n");
    f.panel->assist().complete();
    const auto all = labels(f).size();
    QVERIFY(all > 3);
    f.type("f");
    QTRY_VERIFY(!labels(f).isEmpty() && labels(f).size() < all);
    key(f, Qt::Key_Escape);
    QVERIFY(labels(f).isEmpty());
    f.panel->assist().complete();
    QVERIFY(!labels(f).isEmpty());
    f.caretBefore("[Crate]");
    QTRY_VERIFY(labels(f).isEmpty());
}

// Without being asked it never takes Enter from someone who is done with a word.
void TestAssist::stepsAside() {
    PanelFixture f;
    f.caretBehind("mass = 50.0\n");
    f.type("size = ");
    sbx::test::turn(); // the list comes when the key's event has ended
    QVERIFY(labels(f).isEmpty());
    f.panel->binding().setCaret(f.text().find("# Äpfel") + 2);
    f.type("mass");
    sbx::test::turn();
    QVERIFY(labels(f).isEmpty());
}

// A slow machine computes the list late: each key is followed by what it asks for, or all of them come first.
void TestAssist::takesNoEnterBehindAFinishedWord_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<bool>("slow");
    for (const bool slow : {false, true}) {
        QTest::addRow("header, %s", slow ? "slow" : "fast") << QStringLiteral("[R70.Body]") << slow;
        QTest::addRow("choice, %s", slow ? "slow" : "fast") << QStringLiteral("motion = \"static\"") << slow;
        QTest::addRow("key, %s", slow ? "slow" : "fast") << QStringLiteral("friction") << slow;
    }
}

void TestAssist::takesNoEnterBehindAFinishedWord() {
    QFETCH(QString, typed);
    QFETCH(bool, slow);
    PanelFixture f;
    f.caretBehind("mass = 50.0\n");
    for (const QChar c : typed) {
        f.type(QString(c).toLatin1().constData());
        if (!slow)
            sbx::test::turn();
    }
    sbx::test::turn(); // what was asked for by each key comes now
    key(f, Qt::Key_Return);
    QCOMPARE(QString::fromStdString(f.text()), QString::fromStdString(Entities) + typed + QLatin1Char('\n'));
    // Nor is anything offered there.
    f.panel->binding().setCaret(Entities.size() + static_cast<std::size_t>(typed.size()));
    if (!typed.endsWith(QLatin1Char('n'))) {
        f.panel->assist().complete();
        QVERIFY2(labels(f).isEmpty(), qPrintable(labels(f).join(QLatin1Char(' '))));
    }
}

// Also where the list was asked for; Tab, or a row that was chosen, still take what is offered.
void TestAssist::aWordThatIsWrittenOutTakesEnter() {
    PanelFixture f;
    f.caretBehind("mass = 50.0\n");
    f.panel->assist().complete();
    f.type("friction");
    QTRY_COMPARE(labels(f).value(0), QStringLiteral("friction")); // and others that contain it
    key(f, Qt::Key_Return);
    QVERIFY(f.text().ends_with("friction\n"));
    key(f, Qt::Key_Backspace);
    f.panel->assist().complete();
    QTRY_VERIFY(!labels(f).isEmpty());
    key(f, Qt::Key_Tab);
    QVERIFY(f.text().ends_with("friction = "));
}

void TestAssist::acceptIsOneUndoStep() {
    PanelFixture f;
    f.caretBehind("mass = 50.0\n");
    f.type("fric");
    QTRY_VERIFY(labels(f).contains(QStringLiteral("friction")));
    key(f, Qt::Key_Return);
    QVERIFY(f.text().ends_with("friction = "));
    f.document.undoStack().undo();
    QVERIFY(f.text().ends_with("fric"));
    f.document.undoStack().undo();
    QCOMPARE(f.text(), Entities);
}

void TestAssist::explains() {
    PanelFixture f;
    const QString mass = f.panel->assist().explain(f.text().find("mass") + 1);
    QVERIFY2(mass.contains(QStringLiteral("kg")) && mass.contains(QStringLiteral("Default")),
             qPrintable(mass));
    QVERIFY(f.panel->assist().explain(f.text().find("Health]") + 1).contains(QStringLiteral("Health")));
    QVERIFY(f.panel->assist().explain(f.text().find("\"Crate\"") + 2).contains(QStringLiteral("A box.")));
    QVERIFY(f.panel->assist().explain(1).isEmpty());
    f.change("mass = 5.0", "mas = 5.0");
    f.settle();
    const QString problem = f.panel->assist().explain(f.text().find("mas =") + 1);
    QVERIFY2(problem.contains(QStringLiteral("Did you mean <b>mass</b>")), qPrintable(problem));
}

void TestAssist::goesToDefinitions() {
    PanelFixture f;
    f.panel->setFile(QStringLiteral("yard.scene.toml"));
    f.panel->binding().setCaret(Scene.find("Heavy") + 2);
    QVERIFY(f.actions.trigger(QStringLiteral("definition.goToDefinition"))); // F12
    QCOMPARE(f.panel->file(), QStringLiteral("entities.toml"));
    QCOMPARE(f.panel->binding().caret(), Entities.find("Heavy"));
    f.panel->binding().setCaret(Entities.find("\"Crate\"") + 2);
    QVERIFY(f.actions.trigger(QStringLiteral("definition.goToDefinition")));
    QCOMPARE(f.panel->binding().caret(), Entities.find("Crate]"));
    QVERIFY(!f.panel->assist().definitionAt(1));
    f.panel->goTo(QStringLiteral("entities.toml"), 7, 8);
    QCOMPARE(f.panel->binding().caret(), Entities.find("5.0"));
    f.panel->goTo(QStringLiteral("entities.toml"), 9999, 9999);
    f.panel->goTo(QStringLiteral("absent.toml"), 1, 1);
    QCOMPARE(f.panel->file(), QStringLiteral("entities.toml"));
}

void TestAssist::findsInTheText() {
    PanelFixture f;
    f.panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(f.panel.get()));
    f.panel->editor().setFocus();
    QTest::keyClick(&f.panel->editor(), Qt::Key_F, Qt::ControlModifier);
    auto* edit = f.panel->findChild<QLineEdit*>(QStringLiteral("definition.find"));
    QTRY_VERIFY(edit->isVisible());
    QTest::keyClicks(edit, QStringLiteral("MASS"));
    QCOMPARE(f.panel->binding().caret(), Entities.find("mass") + 4);
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(f.panel->binding().caret(), Entities.rfind("mass") + 4);
    QTest::keyClick(edit, Qt::Key_Escape);
    QVERIFY(!edit->isVisible());
    QVERIFY(!f.document.isDirty());
}

QTEST_MAIN(TestAssist)
#include "tst_assist.moc"
