// The text and the document are one: what is typed, what is undone, what others edit, to the byte.
#include <QAbstractItemModelTester>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

#include "tests/definition_panel/panel_fixture.h"
#include "tests/event_loop.h"
#include "widgets/common/empty_state.h"

#include <random>

using namespace sbx::ui;

class TestText : public QObject {
    Q_OBJECT

private slots:
    void showsTheDefinitions();
    void typingIsOneUndoStep();
    void caretJumpEndsTheRun();
    void newlineAndPasteAreStepsOfTheirOwn();
    void ownUndoIsOff();
    void externalEditKeepsCaretAndScroll();
    void theCaretIsBroughtIntoSightAcross();
    void aShorterTextFromOutsideIsInSight();
    void externalEditsComeThroughToTheByte();
    void manyNumbersChangeInTheirPlaces();
    void randomEditsFromBothSides();
    void orderMarkAndLineEndsStay();
    void invalidBytesStay();
    void undoShowsWhatItChanged();
    void filesKeepTheirPlaces();
    void treeAndCaretFollowEachOther();
    void treeSaysWhyThereIsNone();
    void aNarrowPanelShowsWholeRowsOfTheTree();
    void treeKeepsExpansionThroughEdits();
    void editReachesTheWorld();
    void followsTheSelection();
    void commentsOut();
    void themeChangesLive();
    void closedProjectShowsNothing();
};

void TestText::showsTheDefinitions() {
    PanelFixture f;
    QVERIFY(f.opened);
    QCOMPARE(f.panel->file(), QStringLiteral("entities.toml"));
    QCOMPARE(f.shown(), Entities);
    auto* tabs = f.panel->findChild<QTabBar*>(QStringLiteral("definition.files"));
    QVERIFY(tabs);
    QCOMPARE(tabs->count(), 3);
    tabs->setCurrentIndex(1);
    QCOMPARE(f.shown(), Scene);
    QVERIFY(!f.document.isDirty());
}

void TestText::typingIsOneUndoStep() {
    PanelFixture f;
    f.panel->editor().setFocus();
    f.caretBehind("mass = 5");
    f.type("12");
    QVERIFY(f.text().find("mass = 512.0") != std::string::npos);
    QCOMPARE(f.shown(), f.text());
    QCOMPARE(f.document.undoStack().count(), 1);
    QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("Edit entities.toml"));
    QTest::keyClick(&f.panel->editor(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.text(), Entities);
    QCOMPARE(f.shown(), Entities);
    QTest::keyClick(&f.panel->editor(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(f.text().find("mass = 512.0") != std::string::npos);
    QCOMPARE(f.shown(), f.text());
    QTest::keyClick(&f.panel->editor(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!f.document.isDirty());
}

void TestText::caretJumpEndsTheRun() {
    PanelFixture f;
    f.caretBehind("mass = 5");
    f.type("1");
    f.type("2");
    QCOMPARE(f.document.undoStack().count(), 1);
    f.caretBehind("maximum = 4");
    f.type("3");
    QCOMPARE(f.document.undoStack().count(), 2);
    QTest::keyClick(&f.panel->editor(), Qt::Key_Backspace);
    QCOMPARE(f.document.undoStack().count(), 3);
    sbx::test::turn();
    QTest::keyClick(&f.panel->editor(), Qt::Key_Backspace);
    QCOMPARE(f.document.undoStack().count(), 3); // no pause
    f.panel->binding().setTypingPause(std::chrono::milliseconds(0)); // any is long enough
    sbx::test::turn();
    QTest::keyClick(&f.panel->editor(), Qt::Key_Backspace);
    QCOMPARE(f.document.undoStack().count(), 4);
}

void TestText::newlineAndPasteAreStepsOfTheirOwn() {
    PanelFixture f;
    f.caretBehind("mass = 5.0");
    f.type("1");
    QTest::keyClick(&f.panel->editor(), Qt::Key_Return);
    QCOMPARE(f.document.undoStack().count(), 2);
    f.panel->binding().select(f.text().find("40"), f.text().find("40") + 2);
    QTest::keyClick(&f.panel->editor(),
                    Qt::Key_9); // takes the selection's place: removal and insertion, one step
    QVERIFY(f.text().find("maximum = 9\n") != std::string::npos);
    QCOMPARE(f.document.undoStack().count(), 3);
    f.document.undoStack().undo();
    QVERIFY(f.text().find("maximum = 40\n") != std::string::npos);
}

void TestText::ownUndoIsOff() {
    PanelFixture f;
    f.caretBehind("mass = 5");
    f.type("1");
    QVERIFY(!f.panel->editor().isUndoAvailable());
}

void TestText::externalEditKeepsCaretAndScroll() {
    std::string many;
    for (int i = 0; i < 200; ++i)
        many += "[Type" + std::to_string(i) + ".Body]\nmass = " + std::to_string(i) + ".5\n\n";
    PanelFixture f(many);
    f.caretBehind("mass = 150");
    f.panel->binding().reveal(f.panel->binding().caret());
    const int top = f.panel->editor().topLine();
    QVERIFY(top > 0);
    const std::size_t caret = f.panel->binding().caret();
    f.change("mass = 150.5", "mass = 150.75"); // around the caret: only the end differs
    QCOMPARE(f.panel->binding().caret(), caret);
    QCOMPARE(f.panel->editor().topLine(), top);
    f.change("[Type3.Body]\n", "[Type3.Body]\n# one\n# two\n"); // above what is in sight
    QCOMPARE(f.panel->binding().caret(), caret + 12);
    QCOMPARE(f.panel->editor().topLine(), top + 2);
    f.document.undoStack().undo(); // from elsewhere: nothing jumps
    QCOMPARE(f.panel->binding().caret(), caret);
    QCOMPARE(f.panel->editor().topLine(), top);
    QCOMPARE(f.shown(), f.text());
}

namespace {
long xOffset(PanelFixture& f) { return f.panel->editor().SendScintilla(QsciScintillaBase::SCI_GETXOFFSET); }
const std::string LongLine = "doc = \"" + std::string(600, 'x') + "\"";
} // namespace

// What others lead to is seen, wherever the view was scrolled to, down or across.
void TestText::theCaretIsBroughtIntoSightAcross() {
    PanelFixture f("[Crate]\n" + LongLine + "\n[Crate.Health]\n");
    CodeView& view = f.panel->editor();
    f.caretBefore("doc");
    QTest::keyClick(&view, Qt::Key_End);
    QVERIFY(xOffset(f) > 0);
    QVERIFY(!view.isInSight(0));
    f.panel->goTo(QStringLiteral("yard.scene.toml"), 5, 1);
    f.panel->goTo(QStringLiteral("entities.toml"), 2,
                  300); // a file that was left with the caret in sight shows it there
    QVERIFY(view.isInSight(f.panel->binding().caret()));
    f.panel->goTo(QStringLiteral("entities.toml"), 2, 600);
    QVERIFY(view.isInSight(f.panel->binding().caret()));
    const long right = xOffset(f);
    QVERIFY(right > 0);
    f.panel->goTo(QStringLiteral("entities.toml"), 2, 595); // in sight already: nothing moves
    QCOMPARE(xOffset(f), right);
    f.panel->goTo(QStringLiteral("entities.toml"), 3, 1);
    QVERIFY(view.isInSight(f.panel->binding().caret()));
    QCOMPARE(xOffset(f), 0L);
    // As a wall is selected while the caret is far to the right.
    f.caretBefore("doc");
    QTest::keyClick(&view, Qt::Key_End);
    QVERIFY(xOffset(f) > 0);
    f.panel->showType(QStringLiteral("Crate"), QStringLiteral("Health"));
    QCOMPARE(xOffset(f), 0L);
}

void TestText::aShorterTextFromOutsideIsInSight() {
    for (const bool caretAtEnd : {true, false}) {
        PanelFixture f("[Crate]\n" + LongLine + "\n[Crate.Health]\n");
        CodeView& view = f.panel->editor();
        f.caretBefore("doc");
        QTest::keyClick(&view, Qt::Key_End);
        const long offset = xOffset(f);
        QVERIFY(offset > 0);
        if (!caretAtEnd) { // scrolled away from it
            f.caretBefore("[Crate.Health]");
            view.SendScintilla(QsciScintillaBase::SCI_SETXOFFSET, static_cast<unsigned long>(offset));
        }
        f.write("entities.toml", "[Crate]\ndoc = \"short\"\n[Crate.Health]\n");
        QVERIFY(f.document.reload("entities.toml").ok());
        QCOMPARE(xOffset(f), 0L);
        QVERIFY(view.isInSight(f.panel->binding().caret()));
    }
}

void TestText::externalEditsComeThroughToTheByte() {
    PanelFixture f;
    const std::size_t ue = f.text().find("ümlaut");
    QVERIFY(f.document.edit({"entities.toml",
                             {{0, "#", "# ä"}, {ue, "ümlaut", "日本語 €"}, {f.text().size(), {}, "# end"}},
                             QStringLiteral("Change"),
                             {}}));
    QCOMPARE(f.shown(), f.text());
    f.document.undoStack().undo();
    QCOMPARE(f.shown(), Entities);
    QCOMPARE(f.document.undoStack().count(), 1); // nothing came back as an edit of our own
}

// A drag of many: each number is replaced where it stands, folds and marks stay, and what is in sight has the right colours.
void TestText::manyNumbersChangeInTheirPlaces() {
    constexpr int Types = 60;
    std::string many;
    for (int i = 0; i < Types; ++i)
        many += "[Type" + std::to_string(i) + ".Body]\nmass = 1.5\n\n";
    PanelFixture f(many);
    CodeView& view = f.panel->editor();
    using Base = QsciScintillaBase;
    view.SendScintilla(Base::SCI_COLOURISE, 0UL, -1L);
    view.SendScintilla(Base::SCI_FOLDLINE, 30UL, static_cast<long>(Base::SC_FOLDACTION_CONTRACT));
    const int marker = view.markerDefine(QsciScintilla::Circle);
    view.markerAdd(46, marker);
    QVERIFY(view.SendScintilla(Base::SCI_GETLINEVISIBLE, 31UL) == 0);
    f.caretBehind("[Type50.Body]\nmass = ");
    for (const std::string value : {"10.25", "-3", "1.5"}) { // longer, shorter, and back
        std::vector<TextEdit> edits;
        const std::string before = f.text();
        for (std::size_t at = before.find("= "); at != std::string::npos; at = before.find("= ", at + 1))
            edits.push_back({at + 2, before.substr(at + 2, before.find('\n', at) - at - 2), value});
        QCOMPARE(edits.size(), std::size_t{Types});
        QVERIFY(f.document.edit({"entities.toml", std::move(edits), QStringLiteral("Drag"), {}}).ok());
        QCOMPARE(f.shown(), f.text());
        QVERIFY(view.SendScintilla(Base::SCI_GETLINEVISIBLE, 31UL) == 0);
        QVERIFY((view.markersAtLine(46) & (1U << static_cast<unsigned>(marker))) != 0);
        QCOMPARE(f.panel->binding().caret(), f.text().find("[Type50.Body]\nmass = ") + 21);
    }
    // The view notifies again.
    f.caretBehind("[Type50.Body]\nmass = ");
    f.type("7");
    QVERIFY(f.text().find("[Type50.Body]\nmass = 71.5") != std::string::npos);
    QCOMPARE(f.shown(), f.text());
}

void TestText::randomEditsFromBothSides() {
    PanelFixture f;
    std::mt19937 random(7);
    const std::string pieces[] = {"ä", "x", "\n", "[A]", "日", "", " = 5", "\"", "# k\r\n"};
    for (int i = 0; i < 400; ++i) {
        const std::string& now = f.text();
        const auto boundary = [&](std::size_t at) {
            while (at < now.size() && (static_cast<unsigned char>(now[at]) & 0xC0U) == 0x80U)
                ++at;
            return at;
        };
        const std::size_t begin = boundary(random() % (now.size() + 1));
        const std::size_t end = std::max(begin, boundary(std::min(now.size(), begin + random() % 6)));
        const std::string& piece = pieces[random() % std::size(pieces)];
        switch (random() % 4) {
        case 0:
            f.panel->editor().typeBytes(begin, end, piece);
            break;
        case 1:
            QVERIFY(f.document.edit({"entities.toml",
                                     {{begin, now.substr(begin, end - begin), piece}},
                                     QStringLiteral("c"),
                                     {}}));
            break;
        case 2:
            f.document.undoStack().undo();
            break;
        default:
            f.document.undoStack().redo();
        }
        if (i % 50 == 0)
            QCoreApplication::processEvents();
        QCOMPARE(f.shown(), f.text());
    }
    while (f.document.undoStack().canUndo())
        f.document.undoStack().undo();
    QCOMPARE(f.shown(), Entities);
    QVERIFY(!f.document.isDirty());
}

void TestText::orderMarkAndLineEndsStay() {
    const std::string entities = "\xEF\xBB\xBF[Crate.Body]\r\nmass = 5.0\r\nsize = [1.0, 1.0, 1.0]\r\n";
    PanelFixture f(entities);
    QVERIFY(f.opened);
    QCOMPARE(f.shown(), entities.substr(3));
    f.panel->binding().setCaret(f.text().find("\r\nsize"));
    QTest::keyClick(&f.panel->editor(), Qt::Key_Return);
    f.type("x");
    QCOMPARE(f.text(), "\xEF\xBB\xBF[Crate.Body]\r\nmass = 5.0\r\nx\r\nsize = [1.0, 1.0, 1.0]\r\n");
    f.settle();
    QVERIFY(!f.panel->marks().marks().empty());
    QCOMPARE(f.panel->marks().marks().front().begin, f.text().find("x\r\n"));
    while (f.document.undoStack().canUndo())
        f.document.undoStack().undo();
    QVERIFY(f.document.save());
    QVERIFY(f.text() == entities);
}

void TestText::invalidBytesStay() {
    PanelFixture f;
    f.change("# ümlaut", "# \xFF\xFE bytes");
    QCOMPARE(f.shown(), f.text());
    f.caretBehind("mass = 5");
    f.type("1");
    QVERIFY(f.text().find("# \xFF\xFE bytes") != std::string::npos);
    QCOMPARE(f.shown(), f.text());
}

void TestText::undoShowsWhatItChanged() {
    PanelFixture f;
    f.change("\"Yard\"", "\"Court\"", "yard.scene.toml");
    f.panel->editor().setFocus();
    f.caretBefore("[Heavy]");
    QTest::keyClick(&f.panel->editor(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.panel->file(), QStringLiteral("yard.scene.toml"));
    QCOMPARE(f.panel->binding().caret(), Scene.find("Yard") + 4 + 1);
    QCOMPARE(f.text("yard.scene.toml"), Scene);
}

void TestText::filesKeepTheirPlaces() {
    PanelFixture f;
    f.caretBehind("mass = 50");
    const std::size_t caret = f.panel->binding().caret();
    f.panel->setFile(QStringLiteral("yard.scene.toml"));
    QCOMPARE(f.panel->binding().caret(), std::size_t{0});
    f.change("[Crate]", "# new\n[Crate]"); // while it is not shown
    f.panel->setFile(QStringLiteral("entities.toml"));
    QCOMPARE(f.panel->binding().caret(), caret + 6);
    QCOMPARE(f.shown(), f.text());
}

void TestText::treeAndCaretFollowEachOther() {
    PanelFixture f;
    OutlineModel& model = f.panel->outline().model();
    const QAbstractItemModelTester tester(&model);
    QTreeView& view = f.panel->outline().view();
    f.caretBehind("mass = 50");
    QTRY_COMPARE(view.currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("mass"));
    QCOMPARE(view.currentIndex().parent().data().toString(), QStringLiteral("Body"));
    QCOMPARE(view.currentIndex().parent().parent().data().toString(), QStringLiteral("Heavy"));
    QCOMPARE(view.currentIndex().siblingAtColumn(1).data().toString(), QStringLiteral("50.0"));
    const QModelIndex crate = view.model()->index(0, 0);
    QCOMPARE(crate.data().toString(), QStringLiteral("Crate"));
    view.setCurrentIndex(crate);
    QCOMPARE(f.panel->binding().caret(), Entities.find("Crate]"));
}

void TestText::treeSaysWhyThereIsNone() {
    PanelFixture f;
    OutlineTree& outline = f.panel->outline();
    const auto* note = outline.findChild<EmptyState*>(QStringLiteral("definition.unreadable"));
    QVERIFY(note != nullptr && note->isHidden());
    QVERIFY(outline.model().rowCount() > 0);
    outline.setText("[Crate]\ndoc = \"caf\xe9\"\n", true); // ISO 8859-1
    QCOMPARE(outline.model().rowCount(), 0);
    QVERIFY(note->isVisibleTo(&outline) && !outline.view().isVisibleTo(&outline));
    QVERIFY(note->findChild<QLabel*>()->text().contains(QStringLiteral("not UTF-8 text (line 2, column 11)")));
    outline.setText("[Crate]\ndoc = \"café\"\n", true);
    QVERIFY(note->isHidden() && !outline.view().isHidden());
    QCOMPARE(outline.model().rowCount(), 1);
}

// As in a window of 1280 x 720, where the outline lies above the text: no row is cut in half, and there are four at least.
void TestText::aNarrowPanelShowsWholeRowsOfTheTree() {
    PanelFixture f;
    auto* tree = f.panel->findChild<QTreeView*>(QStringLiteral("definition.tree"));
    QVERIFY(tree);
    f.panel->resize(360, 330);
    f.panel->show();
    QTRY_COMPARE(f.panel->findChild<QSplitter*>(QStringLiteral("definition.splitter"))->orientation(), Qt::Vertical);
    QTRY_VERIFY(tree->viewport()->height() >= 4 * measure::RowHeight);
    QTRY_COMPARE(tree->viewport()->height() % measure::RowHeight, 0);
    QVERIFY(f.panel->editor().height() > 4 * measure::RowHeight);
}

void TestText::treeKeepsExpansionThroughEdits() {
    PanelFixture f;
    QTreeView& view = f.panel->outline().view();
    const QAbstractItemModelTester tester(&f.panel->outline().model());
    const QPersistentModelIndex heavy = view.model()->index(1, 0);
    QCOMPARE(heavy.data().toString(), QStringLiteral("Heavy"));
    view.expand(heavy);
    f.change("[Crate]\n", "[First]\n\n[Crate]\n");
    f.change("[Heavy.Body]\n", "[Heavy.Body]\nshape = \"box\"\n");
    QTRY_COMPARE(view.model()->rowCount(), 3);
    QVERIFY(heavy.isValid());
    QCOMPARE(heavy.row(), 2);
    QVERIFY(view.isExpanded(heavy));
    f.document.undoStack().undo();
    f.document.undoStack().undo();
    QTRY_COMPARE(view.model()->rowCount(), 2);
    QVERIFY(view.isExpanded(heavy));
}

void TestText::editReachesTheWorld() {
    PanelFixture f;
    QCOMPARE(
        f.project.content()->definitions->find("Crate")->find("Body")->find("mass")->entry.value.asNumber(),
        5.0);
    f.caretBehind("mass = 5");
    f.type("5");
    f.settle();
    QCOMPARE(
        f.session.simulation().content()->definitions->find("Crate")->find("Body")->find("mass")->entry.value.asNumber(),
        55.0);
    f.type("x");
    f.settle();
    QVERIFY(f.project.problems().hasErrors());
    QCOMPARE(
        f.session.simulation().content()->definitions->find("Crate")->find("Body")->find("mass")->entry.value.asNumber(),
        55.0);
    auto* state = f.panel->findChild<QToolButton*>(QStringLiteral("definition.state"));
    QCOMPARE(state->text(), QStringLiteral("1 error: the world keeps the last good definitions"));
    QTest::keyClick(&f.panel->editor(), Qt::Key_Backspace);
    f.settle();
    QCOMPARE(state->text(), QStringLiteral("In force"));
}

void TestText::followsTheSelection() {
    PanelFixture f;
    f.selection.setEntity("box_2", QStringLiteral("viewport"));
    QCOMPARE(f.panel->binding().caret(), Entities.find("Heavy"));
    QVERIFY(!f.panel->editor().hasFocus());
    f.panel->setLinked(false);
    f.selection.setEntity("box_1", QStringLiteral("viewport"));
    QCOMPARE(f.panel->binding().caret(), Entities.find("Heavy"));
    f.panel->setLinked(true);
    QCOMPARE(f.panel->binding().caret(), Entities.find("Crate]"));
    f.panel->setFile(QStringLiteral("yard.scene.toml"));
    f.selection.setEntity("box_2", QStringLiteral("outliner"));
    QCOMPARE(f.panel->file(), QStringLiteral("yard.scene.toml"));
    QVERIFY(f.panel->binding().caret() > Scene.find("box_1"));
    f.panel->showType(QStringLiteral("Heavy"), QStringLiteral("Body"));
    QCOMPARE(f.panel->file(), QStringLiteral("entities.toml"));
    QCOMPARE(f.panel->binding().caret(), Entities.find("[Heavy.Body]") + 7);
}

void TestText::commentsOut() {
    PanelFixture f;
    f.panel->binding().select(f.text().find("shape"), f.text().find("mass") + 2);
    QVERIFY(f.actions.trigger(QStringLiteral("definition.comment")));
    QVERIFY(f.text().find("\n# shape = \"box\" # ümlaut\n# mass = 5.0\n") != std::string::npos);
    QCOMPARE(f.document.undoStack().count(), 1);
    QVERIFY(f.actions.trigger(QStringLiteral("definition.comment")));
    QCOMPARE(f.text(), Entities);
}

void TestText::themeChangesLive() {
    PanelFixture f;
    f.theme.setMode(ThemeMode::Dark);
    const auto back = [&] {
        return f.panel->editor().SendScintilla(QsciScintillaBase::SCI_STYLEGETBACK, 0UL);
    };
    const long dark = back();
    f.theme.setMode(ThemeMode::Light);
    QVERIFY(back() != dark);
    QCOMPARE(back(), 0xFFFFFFL);
}

void TestText::closedProjectShowsNothing() {
    PanelFixture f;
    f.document.close();
    QVERIFY(f.shown().empty());
    f.type("x");
    QVERIFY(f.shown().empty());
    QVERIFY(f.panel->file().isEmpty());
}

QTEST_MAIN(TestText)
#include "tst_text.moc"
