#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

#include <random>

#include "tests/event_loop.h"
#include "widgets/common/selection.h"
#include "widgets/common/selection_memory.h"

using namespace sbx::ui;

using Names = std::vector<std::string>;

class TestSelection : public QObject {
    Q_OBJECT

private slots:
    void keepsOrderAndPrimaryWithoutDuplicates() {
        Selection s;
        s.setEntities({"b", "a", "b", "", "c"}, QStringLiteral("outliner"));
        QCOMPARE(s.entities(), Names({"b", "a", "c"}));
        QCOMPARE(s.primary(), std::string("c"));
        s.setEntities({"b", "a"}, QStringLiteral("outliner"), "b");
        QCOMPARE(s.primary(), std::string("b"));
        s.setEntities({"b", "a"}, QStringLiteral("outliner"), "gone");
        QCOMPARE(s.primary(), std::string("a"));
    }

    void toggleAddRemove() {
        Selection s;
        s.toggle("a", {});
        s.toggle("b", {});
        s.add("a", {}); // becomes primary, keeps its place
        QCOMPARE(s.entities(), Names({"a", "b"}));
        QCOMPARE(s.primary(), std::string("a"));
        s.remove("a", {});
        QCOMPARE(s.primary(), std::string("b"));
        s.toggle("b", {});
        QVERIFY(s.empty());
        QVERIFY(s.primary().empty());
    }

    void tellsOnceWithItsSourceAndOnlyWhenNew() {
        Selection s;
        QSignalSpy entities(&s, &Selection::entitiesChanged);
        QSignalSpy trace(&s, &Selection::traceChanged);
        s.setEntity("a", QStringLiteral("viewport"));
        s.setEntity("a", QStringLiteral("outliner"));
        QCOMPARE(entities.count(), 1);
        QCOMPARE(entities[0][0].toString(), QStringLiteral("viewport"));
        s.setTraceAndEntity(812, "b", QStringLiteral("trace"));
        QCOMPARE(entities.count(), 2);
        QCOMPARE(trace.count(), 1);
        QCOMPARE(trace[0][0].toULongLong(), 812ULL);
        s.clear(QStringLiteral("viewport"));
        QCOMPARE(s.traceSequence(), std::uint64_t(812));
    }

    void historyGoesBackAndForwardAndForks() {
        Selection s;
        s.setEntity("a", {});
        s.setEntity("b", {});
        s.setTrace(5, {});
        QVERIFY(!s.canGoForward());
        s.back();
        QCOMPARE(s.traceSequence(), std::uint64_t(0));
        QCOMPARE(s.primary(), std::string("b"));
        s.back();
        QCOMPARE(s.primary(), std::string("a"));
        s.forward();
        QCOMPARE(s.primary(), std::string("b"));
        s.setEntity("c", {});
        QVERIFY(!s.canGoForward());
        s.back();
        s.back();
        s.back();
        QVERIFY(s.empty());
        QVERIFY(!s.canGoBack());
        s.back();
        QVERIFY(s.empty());
    }

    void historyIsBounded() {
        Selection s;
        for (int i = 0; i < 1000; ++i)
            s.setEntity("e" + std::to_string(i), {});
        int steps = 0;
        for (; s.canGoBack(); ++steps)
            s.back();
        QCOMPARE(steps, 199);
        QCOMPARE(s.primary(), std::string("e800"));
    }

    void tracesOfAnotherRunAreForgotten() {
        Selection s;
        s.setTraceAndEntity(5, "a", {});
        s.setTraceAndEntity(6, "b", {});
        QSignalSpy entities(&s, &Selection::entitiesChanged);
        QSignalSpy trace(&s, &Selection::traceChanged);
        s.forgetTraces(QStringLiteral("trace"));
        s.forgetTraces(QStringLiteral("trace"));
        QCOMPARE(trace.count(), 1);
        QCOMPARE(trace[0][0].toULongLong(), 0ULL);
        QCOMPARE(entities.count(), 0);
        QCOMPARE(s.primary(), std::string("b"));
        s.back();
        QCOMPARE(s.primary(), std::string("a"));
        QCOMPARE(s.traceSequence(), std::uint64_t(0));
        s.forward();
        QCOMPARE(s.traceSequence(), std::uint64_t(0));
    }

    // What differed by its record alone is one step of the history, and none leads nowhere.
    void forgottenTracesLeaveNoEqualSteps() {
        Selection s;
        s.setEntity("a", {});
        s.setTrace(5, {});
        s.setTrace(6, {});
        s.setTraceAndEntity(7, "b", {});
        s.setTraceAndEntity(8, "b", {});
        s.back();
        const QSignalSpy history(&s, &Selection::historyChanged);
        s.forgetTraces(QStringLiteral("trace"));
        QCOMPARE(history.count(), 1);
        QVERIFY(!s.canGoForward());
        QCOMPARE(s.primary(), std::string("b"));
        s.back();
        QCOMPARE(s.primary(), std::string("a"));
        s.back();
        QVERIFY(s.primary().empty());
        QVERIFY(!s.canGoBack());
        s.forward();
        QCOMPARE(s.primary(), std::string("a"));
        s.forward();
        QCOMPARE(s.primary(), std::string("b"));
        QVERIFY(!s.canGoForward());
    }

    void renameFollowsEverywhere() {
        Selection s;
        s.setEntities({"a", "b"}, {});
        s.setEntity("c", {});
        QSignalSpy spy(&s, &Selection::entitiesChanged);
        s.rename("a", "z");
        QCOMPARE(spy.count(), 0); // not selected now
        s.back();
        QCOMPARE(s.entities(), Names({"z", "b"}));
        s.rename("b", "y");
        QCOMPARE(s.primary(), std::string("y"));
    }

    void undoBringsBackWhatAStepDeselected() {
        QUndoStack stack;
        Selection s;
        SelectionMemory memory(stack, s);
        const auto settle = [] { sbx::test::turn(); }; // the event has ended
        s.setEntities({"a", "b"}, {});
        stack.push(new QUndoCommand(QStringLiteral("delete a and b")));
        s.clear({});
        settle();
        s.setEntity("c", {});
        stack.push(new QUndoCommand(QStringLiteral("move c")));
        settle();
        s.setEntity("d", {});
        stack.undo(); // the move: it did not touch the selection
        QCOMPARE(s.entities(), Names({"d"}));
        stack.undo(); // the deletion
        QCOMPARE(s.entities(), Names({"a", "b"}));
        stack.redo();
        QVERIFY(s.empty());
        stack.undo();
        // Something else is done instead: the steps undone are forgotten.
        s.setEntity("e", {});
        stack.push(new QUndoCommand(QStringLiteral("create f")));
        s.setEntity("f", {});
        settle();
        stack.undo();
        QCOMPARE(s.entities(), Names({"e"}));
        stack.redo();
        QCOMPARE(s.entities(), Names({"f"}));
        // Several at once, as a list of steps does it.
        stack.push(new QUndoCommand(QStringLiteral("delete f")));
        s.clear({});
        settle();
        stack.setIndex(0);
        QCOMPARE(s.entities(), Names({"e"}));
        stack.setIndex(2);
        QVERIFY(s.empty());
        stack.clear();
        QVERIFY(s.empty());
    }

    // A push that merges drops the steps undone before it, and the stack stands where it stood.
    void undoAfterAMergeBringsBackWhatAStepDeselected() {
        class Merging : public QUndoCommand {
        public:
            using QUndoCommand::QUndoCommand;
            int id() const override { return 1; }
            bool mergeWith(const QUndoCommand*) override { return m_merges; }
            bool m_merges = false;
        };
        QUndoStack stack;
        Selection s;
        SelectionMemory memory(stack, s);
        const auto settle = [] { sbx::test::turn(); }; // the event has ended
        s.setEntity("a", {});
        auto* first = new Merging(QStringLiteral("delete a"));
        stack.push(first);
        s.clear({});
        settle();
        stack.push(new Merging(QStringLiteral("another")));
        settle();
        stack.undo();
        first->m_merges = true;
        stack.push(new Merging(QStringLiteral("more of the first")));
        settle();
        QCOMPARE(stack.count(), 1);
        stack.undo();
        QCOMPARE(s.entities(), Names({"a"}));
        stack.redo();
        QVERIFY(s.empty());
    }

    // Selections are taken back before the step they follow, and put back after the one they precede.
    void undoGoesThroughSelections() {
        QUndoStack stack;
        Selection s;
        SelectionMemory memory(stack, s);
        QSignalSpy changed(&memory, &SelectionMemory::changed);
        s.setEntity("a", QStringLiteral("viewport"));
        s.setEntities({"a", "b"}, QStringLiteral("viewport"));
        QCOMPARE(changed.count(), 2);
        QCOMPARE(memory.undoText(), QStringLiteral("select 2 entities"));
        stack.push(new QUndoCommand(QStringLiteral("move")));
        sbx::test::turn();
        stack.setClean();
        QVERIFY(!memory.canUndo()); // the step comes first
        s.setEntity("c", QStringLiteral("outliner"));
        s.clear(QStringLiteral("viewport"));
        QVERIFY(stack.isClean());
        QCOMPARE(memory.undoText(), QStringLiteral("deselect all"));
        QVERIFY(memory.undo());
        QCOMPARE(s.entities(), Names({"c"}));
        QCOMPARE(memory.undoText(), QStringLiteral("select c"));
        QCOMPARE(memory.redoText(), QStringLiteral("deselect all"));
        QVERIFY(memory.undo());
        QCOMPARE(s.entities(), Names({"a", "b"}));
        QVERIFY(!memory.undo());
        stack.undo();
        QVERIFY(memory.undo());
        QCOMPARE(s.entities(), Names({"a"}));
        QVERIFY(memory.undo());
        QVERIFY(s.empty());
        QVERIFY(!memory.canUndo());
        // Forwards the same way.
        QVERIFY(memory.redo());
        QVERIFY(memory.redo());
        QCOMPARE(s.entities(), Names({"a", "b"}));
        QVERIFY(!memory.canRedo());
        stack.redo();
        QVERIFY(memory.redo());
        QCOMPARE(s.entities(), Names({"c"}));
        // A selection after an undo drops later selections alone: the step can still be redone.
        QVERIFY(memory.undo());
        stack.undo();
        QVERIFY(memory.undo());
        s.setEntity("d", QStringLiteral("viewport"));
        QVERIFY(!memory.canRedo());
        QVERIFY(stack.canRedo());
        // A renamed entity keeps its place, one that is gone is left out.
        s.rename("a", "z");
        memory.setKnown([](const std::string& name) { return name != "d"; });
        QVERIFY(memory.undo());
        QCOMPARE(s.entities(), Names({"z"}));
        QVERIFY(memory.redo());
        QVERIFY(s.empty());
        // Not the user's: an entity that died, a project that was opened, and what is selected while it is off.
        s.setEntity("e", QStringLiteral("viewport"));
        s.removeAll({"e"}, QStringLiteral("gone"));
        QVERIFY(memory.undoText() != QStringLiteral("deselect all"));
        memory.setRemembersSelections(false);
        s.setEntity("f", QStringLiteral("viewport"));
        QVERIFY(!memory.canUndo());
        memory.setRemembersSelections(true);
        s.setEntity("g", QStringLiteral("viewport"));
        QVERIFY(memory.canUndo());
        memory.forget();
        QVERIFY(!memory.canUndo());
    }

    // Random selections and steps against a plain list of all that was done: Undo and Redo as the menu does them walk it both ways.
    void undoWalksAListOfAllThatWasDone() {
        std::mt19937 random(7);
        const auto upTo = [&random](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        QUndoStack stack;
        Selection s;
        SelectionMemory memory(stack, s);
        struct Moment {
            Names names;
            int index;
            bool operator==(const Moment&) const = default;
        };
        std::vector<Moment> all{{{}, 0}};
        for (int round = 0; round < 200; ++round) {
            if (upTo(3) == 0) {
                stack.push(new QUndoCommand(QString::number(round)));
                sbx::test::turn();
            } else {
                Names names;
                for (int i = upTo(4); i > 0; --i)
                    names.push_back(std::string(1, static_cast<char>('a' + i)) + std::to_string(upTo(9)));
                s.setEntities(names, QStringLiteral("viewport"));
            }
            const Moment now{s.entities(), stack.index()};
            if (!(now == all.back()))
                all.push_back(now);
        }
        for (auto moment = all.rbegin() + 1; moment != all.rend(); ++moment) {
            if (!memory.undo())
                stack.undo();
            QCOMPARE((Moment{s.entities(), stack.index()} == *moment), true);
        }
        QVERIFY(!memory.canUndo() && !stack.canUndo());
        for (auto moment = all.begin() + 1; moment != all.end(); ++moment) {
            if (!memory.redo())
                stack.redo();
            QCOMPARE((Moment{s.entities(), stack.index()} == *moment), true);
        }
    }

    void aSlotMaySelectAgain() {
        Selection s;
        connect(&s, &Selection::entitiesChanged, &s, [&s](const QString& source) {
            if (source == QLatin1String("first"))
                s.setEntity("corrected", QStringLiteral("second"));
        });
        s.setEntity("typo", QStringLiteral("first"));
        QCOMPARE(s.primary(), std::string("corrected"));
    }

    // The next one that is selected is somebody's answer; the selection stays.
    void whatIsPickedIsNotSelected() {
        Selection selection;
        selection.setEntity("a", QStringLiteral("test"));
        QStringList taken;
        const auto request = [&] {
            selection.requestPick(
                [&taken](const std::string& name) { taken.append(QString::fromStdString(name)); });
        };
        QSignalSpy picking(&selection, &Selection::pickingChanged);
        QSignalSpy shown(&selection, &Selection::entitiesChanged);
        request();
        QVERIFY(selection.isPicking());
        selection.setEntity("b", QStringLiteral("outliner"));
        QCOMPARE(taken, QStringList{QStringLiteral("b")});
        QVERIFY(!selection.isPicking());
        QCOMPARE(selection.primary(), std::string("a"));
        QCOMPARE(shown.count(), 1); // who showed b shows a again
        QCOMPARE(picking.count(), 2);
        for (const bool toggles : {false, true}) {
            request();
            toggles ? selection.toggle("c", QStringLiteral("viewport"))
                    : selection.add("c", QStringLiteral("viewport"));
            QCOMPARE(taken.takeLast(), QStringLiteral("c"));
        }
        // Given up: by nothing, by hand, by another request; an entity that goes is no answer.
        request();
        selection.clear(QStringLiteral("viewport"));
        QCOMPARE(taken.takeLast(), QString());
        request();
        request();
        QCOMPARE(taken.takeLast(), QString());
        selection.removeAll({"a"}, QStringLiteral("gone"));
        QVERIFY(selection.isPicking() && selection.empty());
        selection.cancelPick();
        QCOMPARE(taken.takeLast(), QString());
        selection.setEntity("d", QStringLiteral("outliner"));
        QCOMPARE(selection.primary(), std::string("d"));
    }
};

QTEST_GUILESS_MAIN(TestSelection)
#include "tst_selection.moc"
