// Faults are found where they stand, shown under the words, listed with line and column, and mended by one
// key.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include "engine/simulation/asset_checks.h"
#include "tests/definition_panel/panel_fixture.h"
#include "widgets/common/empty_state.h"

using namespace sbx;
using namespace sbx::ui;

namespace {

std::string squiggled(PanelFixture& f, int indicator) {
    std::string out;
    const std::string text = f.shown();
    for (std::size_t at = 0; at < text.size(); ++at)
        if (f.panel->editor().SendScintilla(QsciScintillaBase::SCI_INDICATORVALUEAT,
                                            static_cast<unsigned long>(indicator), static_cast<long>(at))
            != 0)
            out += text[at];
    return out;
}

} // namespace

class TestProblems : public QObject {
    Q_OBJECT

private slots:
    void faultsAreRowsAndSquiggles_data();
    void faultsAreRowsAndSquiggles();
    void columnsCountBytes();
    void marksFollowTheText();
    void quickFix_data();
    void quickFix();
    void fixFromTheList();
    void rowsStayThroughARefresh();
    void filterAndCounts();
    void activateCopyAndEmpty();
    void stepsFromProblemToProblem();
    void oneMistakeIsOneProblem();
    void theSceneFollowsBesideAMistake();
    void theSceneFollowsAfterOpeningWithAMistake();
    void aMistakeInTheSceneHoldsUpItsEntityAlone();
    void textsThatComeBackAreNotReadAgain();
    void anotherProjectFileIsReadAgain();
    void aProjectWithAProblemIsClosed();
    void aMissingFileIsOneRow();
};

// However many places name it, by whichever spelling; each place has its squiggle. Another missing file has a row of its own.
void TestProblems::aMissingFileIsOneRow() {
    PanelFixture f("[Crate]\n[Crate.Mesh]\nmesh = \"m/rock.obj\"\n[Heavy]\n[Heavy.Mesh]\nmesh = \"./m/rock.obj\"\n"
                   "[Heavy.Sound]\nfile = \"m/a \\\"b\\\".wav\"\n");
    QCOMPARE(f.project.problems().items.size(), std::size_t{3});
    QCOMPARE(f.problems->model().rowCount(), 2);
    const auto text = [&](int row) { return QString::fromStdString(f.problems->model().problemAt(row).message()); };
    QVERIFY2(text(0).contains(QStringLiteral("m/rock.obj")) && text(0).contains(QStringLiteral("in 2 places")), qPrintable(text(0)));
    QCOMPARE(f.problems->model().problemAt(0).region.line, 3);
    QVERIFY2(!text(1).contains(QStringLiteral("places")), qPrintable(text(1)));
    QCOMPARE(missingAsset(f.problems->model().problemAt(1)), std::string("m/a \"b\".wav"));
    f.problems->setAssetFaults({QStringLiteral("mesh m/x.obj cannot be read")});
    QCOMPARE(f.problems->model().rowCount(), 3);
    f.problems->setAssetFaults({});
    QCOMPARE(f.problems->model().rowCount(), 2);
}

// Undo and redo bring texts back that were read a moment ago; the world gets what they said then.
void TestProblems::textsThatComeBackAreNotReadAgain() {
    PanelFixture f;
    const std::shared_ptr<const Content> first = f.project.content();
    const auto mass = [&f] {
        return f.session.simulation().content()->definitions->find("Crate")->find("Body")->find("mass")->entry.value.asNumber();
    };
    f.change("mass = 5.0", "mass = 6.0");
    f.settle();
    const std::shared_ptr<const Content> second = f.project.content();
    QVERIFY(second != first);
    f.change("[0.0, 5.0, 0.0]", "[1.0, 5.0, 0.0]", "yard.scene.toml");
    f.settle();
    const std::shared_ptr<const Content> moved = f.project.content();
    f.change("maximum = 40", "maximum = 41");
    f.settle();
    const std::shared_ptr<const Content> last = f.project.content();
    f.document.undoStack().undo();
    f.settle();
    QCOMPARE(f.project.content(), moved);
    QCOMPARE(f.session.world().find("box_1").pose().position, Vec3(1.0F, 5.0F, 0.0F));
    f.document.undoStack().redo();
    f.settle();
    QCOMPARE(f.project.content(), last);
    // A text with an error is none of them, and what was wrong is said again.
    f.change("mass = 6.0", "mass = \"six\"");
    f.settle();
    QVERIFY(f.project.problems().hasErrors());
    f.document.undoStack().undo();
    f.settle();
    QVERIFY(!f.project.problems().hasErrors() && f.project.isCurrent());
    f.document.undoStack().redo();
    f.settle();
    QVERIFY(f.project.problems().hasErrors() && !f.project.isCurrent());
    f.document.undoStack().setIndex(0);
    f.settle();
    QCOMPARE(mass(), 5.0);
    QCOMPARE(f.session.world().find("box_1").pose().position, Vec3(0.0F, 5.0F, 0.0F));
    // Asked to read, it reads.
    const std::shared_ptr<const Content> before = f.project.content();
    f.project.reread();
    QVERIFY(f.project.content() != before);
}

// What is asked to look again while it closes has nothing to read.
void TestProblems::aProjectWithAProblemIsClosed() {
    PanelFixture f;
    f.change("maximum = 40", "maximum = \"forty\"");
    f.settle();
    QVERIFY(f.project.problems().hasErrors());
    const QMetaObject::Connection asks = connect(&f.document, &Document::closed, this, [&f] { f.project.reread(); });
    f.document.close();
    disconnect(asks);
    f.settle();
    QVERIFY(!f.document.isOpen());
}

// Plugins come and go with it.
void TestProblems::anotherProjectFileIsReadAgain() {
    PanelFixture f;
    const std::shared_ptr<const Content> first = f.project.content();
    f.change("name = \"Yard\"", "name = \"Garden\"", "project.toml");
    f.settle();
    QCOMPARE(f.project.content()->project.name, std::string("Garden"));
    f.document.undoStack().undo();
    f.settle();
    QCOMPARE(f.project.content()->project.name, std::string("Yard"));
    QVERIFY(f.project.content() != first);
}

// One mistake in a type must not hold up the work on the scene: nothing would be seen of it, and all of it stand in the file.
void TestProblems::theSceneFollowsBesideAMistake() {
    PanelFixture f;
    f.change("maximum = 40", "maximum = \"forty\"");
    f.settle();
    QVERIFY(f.project.problems().hasErrors());
    const auto position = [&](const char* name) { return f.session.world().find(name).pose().position; };
    f.change("[0.0, 5.0, 0.0]", "[3.0, 6.0, 1.0]", "yard.scene.toml");
    f.settle();
    QCOMPARE(position("box_1"), Vec3(3.0F, 6.0F, 1.0F));
    const std::string box = "\n[[entity]]\ntype = \"Crate\"\nname = \"box_3\"\n";
    QVERIFY(f.document.edit(
        {"yard.scene.toml", {{f.text("yard.scene.toml").size(), {}, box}}, QStringLiteral("Add"), {}}));
    f.change("[[entity]]\ntype = \"Heavy\"\nname = \"box_2\"\n", "", "yard.scene.toml");
    f.settle();
    QVERIFY(f.session.world().find("box_3"));
    QVERIFY(!f.session.world().find("box_2"));
    QVERIFY(f.project.missing().empty());
    QVERIFY(!f.project.isCurrent());
    f.session.play(); // the scene as it is now, with the definitions as they were
    QVERIFY(f.session.world().find("box_3") && !f.session.world().find("box_2"));
    f.session.stop();
    f.change("maximum = \"forty\"", "maximum = 41");
    f.settle();
    QVERIFY(f.project.isCurrent());
    QCOMPARE(f.session.simulation().content()
                 ->definitions->find("Crate")
                 ->find("Health")
                 ->find("maximum")
                 ->entry.value.asNumber(),
             41.0);
}

// All types that have no error are there; what cannot be there is named.
void TestProblems::theSceneFollowsAfterOpeningWithAMistake() {
    std::string entities = Entities + "\n[Lamp]\n[Lamp.Light]\n";
    entities.replace(entities.find("maximum = 40"), 12, "maximum = []");
    PanelFixture f(entities);
    QVERIFY(f.opened);
    QCOMPARE(f.project.missing(), (std::vector<std::string>{"box_1", "box_2"}));
    QSignalSpy changed(&f.project, &ProjectModel::missingChanged);
    const std::string more = "\n[[entity]]\ntype = \"Lamp\"\nname = \"lamp_1\"\n\n[[entity]]\ntype = "
                             "\"Crate\"\nname = \"box_3\"\n";
    QVERIFY(f.document.edit(
        {"yard.scene.toml", {{f.text("yard.scene.toml").size(), {}, more}}, QStringLiteral("Add"), {}}));
    f.settle();
    QVERIFY(f.session.world().find("lamp_1"));
    QCOMPARE(f.project.missing(), (std::vector<std::string>{"box_1", "box_2", "box_3"}));
    QCOMPARE(changed.count(), 1);
    f.change("maximum = []", "maximum = 40");
    f.settle();
    QVERIFY(f.project.missing().empty() && f.session.world().find("box_3"));
}

void TestProblems::aMistakeInTheSceneHoldsUpItsEntityAlone() {
    PanelFixture f;
    f.change("position = [0.0, 5.0, 0.0]", "position = [0.0, 7.0, 0.0]\ncolour = 1", "yard.scene.toml");
    f.change("mass = 5.0", "mass = 6.0");
    f.settle();
    QVERIFY(f.project.problems().hasErrors());
    QCOMPARE(f.session.world().find("box_1").pose().position, Vec3(0.0F, 7.0F, 0.0F));
    QCOMPARE(
        f.session.simulation().content()->definitions->find("Crate")->find("Body")->find("mass")->entry.value.asNumber(),
        6.0);
    // A type that is called otherwise now leaves its entities as they are.
    f.change("\ncolour = 1", "", "yard.scene.toml");
    f.settle();
    QVERIFY(f.project.isCurrent());
    f.change("[Heavy]\n", "[Weight]\n");
    f.settle();
    QVERIFY(f.session.world().find("box_2"));
}

void TestProblems::oneMistakeIsOneProblem() {
    PanelFixture f;
    QSignalSpy counts(f.problems.get(), &ProblemsPanel::countsChanged);
    f.change("maximum = 40", "maximum = \"forty\"");
    f.settle();
    QCOMPARE(f.problems->model().rowCount(), 1);
    QVERIFY(f.problems->model()
                .index(0, ProblemsModel::MessageColumn)
                .data()
                .toString()
                .contains(QStringLiteral("(concerns also Heavy and 2 entities)")));
    QCOMPARE(counts.last(), (QVariantList{1, 0}));
    QVERIFY(f.project.content()->scene.find("box_1") != nullptr); // the world keeps them
}

void TestProblems::faultsAreRowsAndSquiggles_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("suggestion");
    QTest::addColumn<QString>("under");
    QTest::newRow("unknown component") << "[Crate.Body]"
                                       << "[Crate.Bdoy]" << 5 << 8 << "Body"
                                       << "Bdoy";
    QTest::newRow("text for a number") << "mass = 5.0"
                                       << "mass = \"five\"" << 7 << 8 << ""
                                       << "\"five\"";
    QTest::newRow("unknown setting") << "mass = 5.0"
                                     << "mas = 5.0" << 7 << 1 << "mass"
                                     << "mas";
    QTest::newRow("unknown choice") << "shape = \"box\""
                                    << "shape = \"bix\"" << 6 << 9 << "box"
                                    << "\"bix\"";
    QTest::newRow("unknown base") << "extends = \"Crate\""
                                  << "extends = \"Crat\"" << 13 << 11 << "Crate"
                                  << "\"Crat\"";
    QTest::newRow("broken syntax") << "mass = 5.0"
                                   << "mass = box" << 7 << 8 << "\"box\""
                                   << "box";
    QTest::newRow("no value") << "mass = 5.0"
                              << "mass =" << 7 << 1 << ""
                              << "mass";
}

void TestProblems::faultsAreRowsAndSquiggles() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(int, line);
    QFETCH(int, column);
    QFETCH(QString, suggestion);
    QFETCH(QString, under);
    PanelFixture f;
    QCOMPARE(f.problems->model().rowCount(), 0);
    const std::size_t at = f.text().find(from.toStdString());
    f.panel->editor().typeBytes(at, at + from.toStdString().size(), to.toStdString());
    f.settle();
    ProblemsModel& model = f.problems->model();
    QVERIFY(model.rowCount() >= 1);
    const QModelIndex row = model.index(0, 0);
    QCOMPARE(row.data(ProblemsModel::FileRole).toString(), QStringLiteral("entities.toml"));
    QCOMPARE(row.data(ProblemsModel::LineRole).toInt(), line);
    QCOMPARE(row.data(ProblemsModel::ColumnRole).toInt(), column);
    QCOMPARE(row.data(ProblemsModel::SuggestionRole).toString(), suggestion);
    QCOMPARE(squiggled(f, ProblemMarks::ErrorIndicator), under.toStdString());
    QVERIFY((f.panel->editor().markersAtLine(line - 1) & (1U << ProblemMarks::ErrorMarker)) != 0);
    f.document.undoStack().undo();
    f.settle();
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(squiggled(f, ProblemMarks::ErrorIndicator).empty());
}

void TestProblems::columnsCountBytes() {
    PanelFixture f;
    f.change("[Crate.Body]\nshape = \"box\" # ümlaut\n", "# äöü € 日本\n[Crate.Body]\n\"shäpe\" = \"bix\"\n");
    f.settle();
    QCOMPARE(squiggled(f, ProblemMarks::ErrorIndicator), std::string("\"shäpe\""));
    f.change("\"shäpe\" = \"bix\"", "shape = [ \"äö\", \"bix\" ]");
    f.settle();
    QCOMPARE(f.problems->model().index(0, 0).data(ProblemsModel::ColumnRole).toInt(), 9);
    QCOMPARE(squiggled(f, ProblemMarks::ErrorIndicator), std::string("[ \"äö\", \"bix\" ]"));
}

void TestProblems::marksFollowTheText() {
    PanelFixture f;
    f.change("mass = 5.0", "mas = 5.0");
    f.settle();
    f.change("[Crate]", "# two\n# lines\n[Crate]");
    QCOMPARE(squiggled(f, ProblemMarks::ErrorIndicator), std::string("mas")); // at once, before any parse
    f.settle();
    QCOMPARE(squiggled(f, ProblemMarks::ErrorIndicator), std::string("mas"));
    QCOMPARE(f.problems->model().index(0, 0).data(ProblemsModel::LineRole).toInt(), 9);
    f.panel->setFile(QStringLiteral("yard.scene.toml"));
    QVERIFY(squiggled(f, ProblemMarks::ErrorIndicator).empty());
    f.panel->setFile(QStringLiteral("entities.toml"));
    QCOMPARE(squiggled(f, ProblemMarks::ErrorIndicator), std::string("mas"));
}

void TestProblems::quickFix_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("component") << "[Crate.Body]"
                               << "[Crate.Bdoy]";
    QTest::newRow("setting") << "mass = 5.0"
                             << "mas = 5.0";
    QTest::newRow("choice") << "shape = \"box\""
                            << "shape = \"bix\"";
    QTest::newRow("bare choice") << "shape = \"box\""
                                 << "shape = box";
    QTest::newRow("base") << "extends = \"Crate\""
                          << "extends = \"Crat\"";
}

void TestProblems::quickFix() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    PanelFixture f;
    f.change(from.toStdString(), to.toStdString());
    f.settle();
    f.caretBefore(to.toStdString());
    QVERIFY(f.actions.trigger(QStringLiteral("definition.fix"))); // Alt+Enter
    QCOMPARE(f.text(), Entities);
    f.settle();
    QCOMPARE(f.problems->model().rowCount(), 0);
    QVERIFY(f.document.undoStack().undoText().startsWith(QStringLiteral("Change to “")));
    f.document.undoStack().undo();
    QVERIFY(f.text() != Entities);
}

void TestProblems::fixFromTheList() {
    PanelFixture f;
    f.change("[Crate.Body]", "[Crate.Bdoy]");
    f.settle();
    f.panel->setFile(QStringLiteral("project.toml"));
    QVERIFY(!f.panel->applyFix(QStringLiteral("entities.toml"), 1, 1));
    QVERIFY(f.panel->applyFix(QStringLiteral("entities.toml"), 5, 8));
    QCOMPARE(f.text(), Entities);
    QVERIFY(!f.panel->applyFix(QStringLiteral("absent.toml"), 5, 8));
}

void TestProblems::rowsStayThroughARefresh() {
    PanelFixture f;
    const QAbstractItemModelTester tester(&f.problems->model());
    f.change("maximum = 40", "maximun = 40");
    f.change("mass = 50.0", "mas = 50.0");
    f.settle();
    const int rows = f.problems->model().rowCount();
    QVERIFY(rows >= 2); // and what follows from them
    const QPersistentModelIndex second = f.problems->model().index(1, 0);
    const QString what = QModelIndex(second).siblingAtColumn(ProblemsModel::MessageColumn).data().toString();
    QSignalSpy resets(&f.problems->model(), &QAbstractItemModel::modelReset);
    f.change("shape = \"box\"", "shap = \"box\""); // a new one before them
    f.settle();
    QCOMPARE(f.problems->model().rowCount(), rows + 1);
    QVERIFY(second.isValid());
    QCOMPARE(second.row(), 2);
    QCOMPARE(QModelIndex(second).siblingAtColumn(ProblemsModel::MessageColumn).data().toString(), what);
    f.document.undoStack().undo();
    f.settle();
    QCOMPARE(second.row(), 1);
    QCOMPARE(QModelIndex(second).siblingAtColumn(ProblemsModel::MessageColumn).data().toString(), what);
    QCOMPARE(resets.count(), 0);
}

void TestProblems::filterAndCounts() {
    PanelFixture f;
    f.change("maximum = 40", "maximun = 40");
    f.change("extends = \"Crate\"", "extends = \"Crate\"\nicn = \"x\"");
    f.settle();
    const int all = f.problems->model().rowCount();
    QVERIFY(all >= 2);
    QCOMPARE(f.problems->view().model()->rowCount(), all);
    f.problems->findChild<QLineEdit*>(QStringLiteral("problems.filter"))->setText(QStringLiteral("maximun"));
    QTRY_COMPARE(f.problems->view().model()->rowCount(), 1);
    f.problems->findChild<QLineEdit*>(QStringLiteral("problems.filter"))->clear();
    QTRY_COMPARE(f.problems->view().model()->rowCount(), all);
    f.problems->findChild<QToolButton*>(QStringLiteral("problems.errors"))->setChecked(false);
    QCOMPARE(f.problems->view().model()->rowCount(), f.problems->model().count(Severity::Warning));
    // All are hidden: it says so, and one button brings them back.
    f.problems->findChild<QToolButton*>(QStringLiteral("problems.warnings"))->setChecked(false);
    auto* hidden = f.problems->findChild<EmptyState*>(QStringLiteral("problems.noMatch"));
    QVERIFY(hidden->isVisible());
    QTest::mouseClick(&hidden->button(), Qt::LeftButton);
    QVERIFY(!hidden->isVisible());
    QCOMPARE(f.problems->view().model()->rowCount(), all);
}

void TestProblems::activateCopyAndEmpty() {
    PanelFixture f;
    QVERIFY(f.problems->findChild<QWidget*>(QStringLiteral("problems.empty"))->isVisible());
    f.change("mass = 50.0", "mas = 50.0");
    f.settle();
    QVERIFY(!f.problems->findChild<QWidget*>(QStringLiteral("problems.empty"))->isVisible());
    QObject::connect(f.problems.get(), &ProblemsPanel::activated, f.panel.get(), &DefinitionPanel::goTo);
    f.panel->setFile(QStringLiteral("project.toml"));
    QTableView& view = f.problems->view();
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                      view.visualRect(view.model()->index(0, 1)).center());
    QCOMPARE(f.panel->file(), QStringLiteral("entities.toml"));
    QCOMPARE(f.panel->binding().caret(), f.text().rfind("mas = 50.0"));
    f.problems->copy();
    QCOMPARE(QApplication::clipboard()->text(),
             QString::fromStdString(f.project.problems().items.front().toString()));
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("entities.toml:15:1: error: ")));
}

void TestProblems::stepsFromProblemToProblem() {
    PanelFixture f;
    f.change("maximum = 40", "maximun = 40");
    f.change("mass = 50.0", "mas = 50.0");
    f.settle();
    QVERIFY(f.actions.trigger(QStringLiteral("definition.nextProblem")));
    QCOMPARE(f.panel->binding().caret(), f.text().find("maximun"));
    QVERIFY(f.actions.trigger(QStringLiteral("definition.nextProblem")));
    QCOMPARE(f.panel->binding().caret(), f.text().find("mas = 50"));
    QVERIFY(f.actions.trigger(QStringLiteral("definition.nextProblem")));
    QCOMPARE(f.panel->binding().caret(), f.text().find("maximun"));
    QVERIFY(f.actions.trigger(QStringLiteral("definition.previousProblem")));
    QCOMPARE(f.panel->binding().caret(), f.text().find("mas = 50"));
}

QTEST_MAIN(TestProblems)
#include "tst_problems.moc"
