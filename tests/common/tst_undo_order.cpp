#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QUndoStack>
#include <QWidget>

#include "tests/common/document_fixture.h"
#include "widgets/common/drag_hold.h"
#include "widgets/common/selection.h"
#include "widgets/common/selection_memory.h"
#include "widgets/common/undo_order.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <vector>

using namespace sbx;
using namespace sbx::ui;

namespace {

using State = std::set<int>;

// An action that has a number, done while the state holds it.
class Mark : public QUndoCommand {
public:
    // `drag`: merges with others of the same one; 0: with none. `made`: the first redo() changes nothing.
    Mark(State& state, int number, bool made, int drag = 0)
        : QUndoCommand(QString::number(number)),
          m_state(state),
          m_number(number),
          m_made(made),
          m_drag(drag) {}
    int id() const override { return m_drag == 0 ? -1 : 7; }
    bool mergeWith(const QUndoCommand* other) override {
        return static_cast<const Mark*>(other)->m_drag == m_drag;
    }
    void undo() override { m_state.erase(m_number); }
    void redo() override {
        if (!std::exchange(m_made, false))
            m_state.insert(m_number);
    }

private:
    State& m_state;
    int m_number;
    bool m_made;
    int m_drag;
};

// Has something to say when a button is let go over it.
class Released : public QWidget {
public:
    std::function<void()> released;

protected:
    void mouseReleaseEvent(QMouseEvent*) override {
        if (released)
            released();
    }
};

// What may be undone and redone, in order, and where the user stands in it.
QStringList stepsOf(const QUndoStack& stack) {
    QStringList steps;
    for (int i = 0; i <= stack.count(); ++i) {
        if (i == stack.index())
            steps.append(QStringLiteral("|"));
        if (i < stack.count() && !stack.command(i)->isObsolete())
            steps.append(stack.text(i));
    }
    return steps;
}

// Lines answered late beside a plain stack to which every line is answered at once.
struct Two {
    QUndoStack late, plain;
    UndoOrder order{late};
    State lateState, plainState;
    struct Line {
        UndoOrder::Ticket ticket;
        int number; // 0: it sets nothing
    };
    std::deque<Line> open;
    std::vector<int> afterDrag; // lines of this drag, for the plain stack
    int last = 0;
    int drag = 0; // 0: none
    bool dragged = false;

    void edit() {
        ++last;
        const int number = drag != 0 && dragged ? drag : last;
        if (drag != 0 && !dragged)
            drag = number;
        order.beforePush(drag != 0 && dragged);
        late.push(new Mark(lateState, number, false, drag));
        plain.push(new Mark(plainState, number, false, drag));
        dragged = drag != 0;
    }
    void line(bool sets) {
        open.push_back({order.expect(), sets ? ++last : 0});
        if (!sets)
            return;
        if (dragged)
            afterDrag.push_back(last);
        else
            done(plain, plainState, last);
    }
    static void done(QUndoStack& stack, State& state, int number) {
        state.insert(number);
        stack.push(new Mark(state, number, true));
    }
    void answer() {
        const Line line = open.front();
        open.pop_front();
        if (line.number != 0)
            lateState.insert(line.number);
        order.answer(line.ticket,
                     line.number == 0 ? nullptr : std::make_unique<Mark>(lateState, line.number, true));
    }
    void answerAll() {
        while (!open.empty())
            answer();
    }
    void beginDrag() {
        drag = ++last;
        dragged = false;
        order.hold();
    }
    void endDrag() {
        drag = 0;
        dragged = false;
        order.release();
        for (const int number : std::exchange(afterDrag, {}))
            done(plain, plainState, number);
    }
    // While lines are open, too: those that will set something have no name yet, of the others nobody knows.
    void compareText() {
        const auto setsNothing = [](const Line& line) { return line.number == 0; };
        if (drag != 0 || std::any_of(open.begin(), open.end(), setsNothing))
            return;
        const auto isNext = [&](const Line& line) {
            return QString::number(line.number) == plain.undoText();
        };
        const bool isOpen = std::any_of(open.begin(), open.end(), isNext);
        QCOMPARE(order.canUndo(), plain.canUndo());
        QCOMPARE(order.undoText(), isOpen ? QStringLiteral("console line") : plain.undoText());
    }
    void compare() {
        QCOMPARE(order.canUndo(), plain.canUndo());
        QCOMPARE(stepsOf(late), stepsOf(plain));
        QCOMPARE(lateState, plainState);
    }
};

} // namespace

class TestUndoOrder : public QObject {
    Q_OBJECT

private slots:
    void lateAnswersStandWhereTheirLinesWereTyped() {
        Two two;
        two.edit();     // 1
        two.line(true); // 2
        two.line(false);
        two.edit();     // 3
        two.line(true); // 4
        QVERIFY(two.late.undoText() == QStringLiteral("3"));
        two.answerAll();
        two.compare();
        QCOMPARE(stepsOf(two.late), (QStringList{"1", "2", "3", "4", "|"}));
        for (int i = 0; i < 4; ++i) {
            two.order.undo();
            two.plain.undo();
            two.compare();
        }
        for (int i = 0; i < 4; ++i) {
            two.order.redo();
            two.plain.redo();
            two.compare();
        }
    }

    // Undo means the last action, known or not.
    void undoWaitsForTheAnswer() {
        Two two;
        two.edit();     // 1
        two.line(true); // 2
        two.order.undo();
        QCOMPARE(two.lateState, State{1});
        two.answer();
        QCOMPARE(two.lateState, State{1});
        QCOMPARE(stepsOf(two.late), (QStringList{"1", "|", "2"}));
        two.line(false);
        two.order.undo();
        two.order.redo();
        two.answer();
        QCOMPARE(stepsOf(two.late), (QStringList{"1", "|", "2"}));
        two.line(true);   // 3
        two.edit();       // 4
        two.order.undo(); // that is known
        QCOMPARE(two.lateState, State{1});
        two.order.undo(); // that is not
        two.order.undo();
        QCOMPARE(two.lateState, State{1});
        two.answer();
        QCOMPARE(two.lateState, State{});
        QCOMPARE(stepsOf(two.late), (QStringList{"|", "1", "3", "4"}));
        two.order.redo();
        two.line(true); // 5
        two.order.undo();
        two.edit(); // 6: who waited has gone on
        two.answer();
        QCOMPARE(stepsOf(two.late), (QStringList{"1", "5", "6", "|"}));
    }

    // There is something to undo before anyone knows what.
    void aLineNotAnsweredCanBeUndone() {
        Two two;
        QVERIFY(!two.order.canUndo());
        bool could = false;
        connect(&two.order, &UndoOrder::changed, &two.late, [&] { could = two.order.canUndo(); });
        two.line(true); // 1
        QVERIFY(could && two.order.canUndo());
        QVERIFY(!two.late.canUndo());
        QCOMPARE(two.order.undoText(), QStringLiteral("console line"));
        two.order.undo();
        QVERIFY(!could && !two.order.canUndo()); // that one waits
        two.answer();
        QVERIFY(!could && !two.order.canUndo());
        QCOMPARE(two.lateState, State{});
        two.line(false);
        QVERIFY(could);
        two.answer();
        QVERIFY(!could && !two.order.canUndo());
        two.line(true); // 2
        two.edit();     // 3
        QCOMPARE(two.order.undoText(), QStringLiteral("3"));
        two.order.undo();
        QVERIFY(could);
        QCOMPARE(two.order.undoText(), QStringLiteral("console line"));
        two.order.undo();
        QVERIFY(!could);
        two.order.redo();
        QVERIFY(could);
        two.answer();
        QCOMPARE(stepsOf(two.late), (QStringList{"2", "|", "3"}));
        QVERIFY(could);
        QCOMPARE(two.order.undoText(), QStringLiteral("2"));
        two.order.hold();
        two.line(true);
        two.answer(); // answered, and behind the drag
        QCOMPARE(two.order.undoText(), QStringLiteral("4"));
        two.order.forget();
        QCOMPARE(two.order.undoText(), QStringLiteral("2"));
    }

    // The menu names what its Undo would take back, whatever waits before it.
    void undoNamesTheStepBehindThoseThatWait() {
        Two two;
        two.edit();     // 1
        two.line(true); // 2
        two.line(true); // 3
        const auto isNext = [&](const char* text) {
            QCOMPARE(two.order.undoText(), QString::fromLatin1(text));
            QCOMPARE(two.order.canUndo(), *text != '\0');
        };
        isNext("console line");
        two.order.undo();
        isNext("console line"); // 2
        two.order.undo();
        isNext("1");
        two.order.redo();
        isNext("console line");
        two.order.undo();
        two.order.undo();
        isNext("");
        two.order.redo();
        isNext("1");
        two.order.redo();
        two.order.redo();
        two.order.redo(); // finds nothing
        isNext("console line");
        two.order.undo();
        two.order.undo();
        two.answerAll();
        QCOMPARE(stepsOf(two.late), (QStringList{"1", "|", "2", "3"}));
        isNext("1");
    }

    void aDragStaysOneStep() {
        Two two;
        two.line(true); // 1, before it
        two.beginDrag();
        two.edit();
        two.answer();
        two.line(true);
        two.edit();
        two.answer();
        QCOMPARE(two.late.count(), 2);
        two.edit();
        two.endDrag();
        two.compare();
        QCOMPARE(two.late.count(), 3);
    }

    // Who hears that the stack moved may push: a line edit that is hidden ends its editing.
    void aPushWhileADeedIsDone_data() {
        QTest::addColumn<bool>("redo");
        QTest::addColumn<int>("more"); // actions that wait behind it
        for (const int more : {0, 1, 5}) {
            QTest::addRow("undo, %d more", more) << false << more;
            QTest::addRow("redo, %d more", more) << true << more;
        }
    }
    void aPushWhileADeedIsDone() {
        QFETCH(bool, redo);
        QFETCH(int, more);
        Two two;
        two.edit(); // 1
        two.edit(); // 2
        two.edit(); // 3
        two.late.setIndex(redo ? 1 : 3);
        QUndoStack& stack = two.late;
        State pushed;
        bool armed = false;
        connect(&stack, &QUndoStack::indexChanged, &stack, [&] {
            if (!std::exchange(armed, false))
                return;
            two.order.beforePush(false);
            stack.push(new Mark(pushed, 9, false));
        });
        const UndoOrder::Ticket line = two.order.expect();
        for (int i = 0; i <= more; ++i)
            redo ? two.order.redo() : two.order.undo();
        armed = true;
        two.order.answer(line, nullptr);
        // It has gone on: what waited behind is dropped.
        QCOMPARE(stepsOf(stack), (QStringList{"1", "2", "9", "|"}));
        QCOMPARE(two.lateState, (State{1, 2}));
        two.order.undo();
        QCOMPARE(stepsOf(stack), (QStringList{"1", "2", "|", "9"}));
        armed = true;
        two.order.redo();
        QCOMPARE(stepsOf(stack), (QStringList{"1", "2", "9", "9", "|"}));
    }
    void aPushWhileLinesGetTheirPlaces() {
        Two two;
        State pushed;
        bool armed = true;
        connect(&two.late, &QUndoStack::indexChanged, &two.late, [&] {
            if (!std::exchange(armed, false))
                return;
            two.order.beforePush(false);
            two.late.push(new Mark(pushed, 9, false));
        });
        const UndoOrder::Ticket first = two.order.expect();
        const UndoOrder::Ticket second = two.order.expect();
        const UndoOrder::Ticket third = two.order.expect();
        two.order.answer(second, std::make_unique<Mark>(pushed, 2, true));
        two.edit();
        two.order.answer(third, std::make_unique<Mark>(pushed, 3, true));
        two.order.answer(first, std::make_unique<Mark>(pushed, 1, true));
        QCOMPARE(two.late.count(), 5);
        QCOMPARE(two.late.text(0), QStringLiteral("1"));
        QCOMPARE(two.late.text(1), QStringLiteral("2"));
        QCOMPARE(two.late.text(2), QStringLiteral("3"));
        QCOMPARE(two.late.text(3), QStringLiteral("9"));
    }

    void anyOrderOfDeedsIsThatOfAPlainStack_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 200; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    void anyOrderOfDeedsIsThatOfAPlainStack() {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
        Two two;
        bool isUndoing = false; // with lines open
        for (int i = 0; i < 300; ++i) {
            switch (below(8)) {
            case 0:
            case 1:
                if (isUndoing)
                    two.answerAll();
                two.edit();
                break;
            case 2:
                two.line(below(3) != 0);
                break;
            case 3:
            case 4:
                if (!two.open.empty())
                    two.answer();
                break;
            case 5:
            case 6:
                if (two.drag != 0)
                    break;
                isUndoing = true;
                if (below(2) == 0) {
                    two.order.undo();
                    two.plain.undo();
                } else {
                    two.order.redo();
                    two.plain.redo();
                }
                break;
            default:
                if (two.drag != 0) {
                    two.endDrag();
                } else {
                    two.answerAll();
                    two.beginDrag();
                }
            }
            isUndoing = isUndoing && !two.open.empty();
            two.compareText();
            if (two.open.empty() && two.drag == 0)
                two.compare();
            if (QTest::currentTestFailed())
                return;
        }
    }

    // A drag that comes as values: held until the last one, or until the button is let go, or who drags goes.
    void aDragOfAFieldStaysOneStep_data() {
        QTest::addColumn<int>("end");
        QTest::newRow("a last value") << 0;
        QTest::newRow("the button is let go") << 1;
        QTest::newRow("who drags goes") << 2;
        QTest::newRow("a last value when the button is let go") << 3;
    }
    void aDragOfAFieldStaysOneStep() {
        QFETCH(int, end);
        Fixture f;
        Document& document = *f.document;
        UndoOrder& order = document.undoOrder();
        State state;
        const std::string before = document.text("entities.toml");
        const auto set = [&](const std::string& text) {
            QVERIFY(
                document.setText("entities.toml", text, QStringLiteral("edit"), QStringLiteral("key")).ok());
        };
        Released window;
        auto hold = std::make_unique<DragHold>(document);
        for (const char* text : {"# 1\n", "# 2\n", "# 3\n"}) {
            hold->begin();
            set(before + text);
            const auto line = order.expect();
            state.insert(text[2]);
            order.answer(line, std::make_unique<Mark>(state, text[2], true));
        }
        QCOMPARE(stepsOf(document.undoStack()), (QStringList{"edit", "|"}));
        if (end == 0) {
            set(before + "# 4\n");
            hold->end();
        } else if (end == 2) {
            hold.reset();
        } else {
            if (end == 3)
                window.released = [&] {
                    set(before + "# 4\n");
                    hold->end();
                };
            // The last of the buttons, that is.
            QMouseEvent one(QEvent::MouseButtonRelease, QPointF(), QPointF(), Qt::RightButton, Qt::LeftButton,
                            {});
            QApplication::sendEvent(&document, &one);
            QCoreApplication::processEvents();
            QVERIFY(hold->isHeld());
            QTest::mouseRelease(&window, Qt::LeftButton);
            QTRY_VERIFY(!hold->isHeld());
        }
        QCOMPARE(stepsOf(document.undoStack()), (QStringList{"edit", "49", "50", "51", "|"}));
        for (int i = 0; i < 4; ++i)
            order.undo();
        QCOMPARE(document.text("entities.toml"), before);
        QCOMPARE(state, State{});
        // The next one is a step of its own.
        set(before + "# 5\n");
        set(before + "# 6\n");
        QCOMPARE(document.undoStack().count(), 1);
    }
    // A value without a drag: typed, or by a step of the wheel.
    void aValueAloneIsAStep() {
        Fixture f;
        Document& document = *f.document;
        DragHold hold(document);
        const std::string before = document.text("entities.toml");
        for (const char* text : {"# 1\n", "# 2\n"}) {
            QVERIFY(
                document
                    .setText("entities.toml", before + text, QStringLiteral("edit"), QStringLiteral("key"))
                    .ok());
            hold.end();
        }
        QCOMPARE(stepsOf(document.undoStack()), (QStringList{"edit", "edit", "|"}));
    }

    // The same through the document: text edits and drags, and the selection that undo brings back.
    void theDocumentKeepsTheOrder() {
        Fixture f;
        Document& document = *f.document;
        UndoOrder& order = document.undoOrder();
        State state;
        Selection selection;
        const SelectionMemory memory(document.undoStack(), selection);
        const auto answer = [&](UndoOrder::Ticket ticket, int number) {
            if (number != 0)
                state.insert(number);
            order.answer(ticket, number == 0 ? nullptr : std::make_unique<Mark>(state, number, true));
        };
        const std::string before = document.text("entities.toml");
        const auto set = [&](const std::string& text, const QString& key) {
            QVERIFY(document.setText("entities.toml", text, QStringLiteral("edit"), key).ok());
        };
        selection.setEntity("a", QStringLiteral("test"));
        const auto none = order.expect();
        const auto first = order.expect();
        document.beginDrag();
        set(before + "# 1\n", QStringLiteral("drag"));
        selection.setEntity("b", QStringLiteral("test"));
        QCoreApplication::processEvents(); // the selection after the step
        const auto during = order.expect();
        answer(none, 0);
        answer(first, 1);
        answer(during, 2);
        set(before + "# 2\n", QStringLiteral("drag"));
        QCOMPARE(document.undoStack().undoText(), QStringLiteral("edit"));
        document.endDrag();
        QCOMPARE(stepsOf(document.undoStack()), (QStringList{"1", "edit", "2", "|"}));
        order.undo();
        QCOMPARE(state, State{1});
        QCOMPARE(document.text("entities.toml"), before + "# 2\n");
        order.undo();
        QCOMPARE(document.text("entities.toml"), before);
        QCOMPARE(selection.primary(), std::string("a"));
        order.undo();
        QCOMPARE(state, State{});
        order.redo();
        order.redo();
        QCOMPARE(selection.primary(), std::string("b"));
        // A drag that is given up takes back itself, not the line answered meanwhile.
        document.beginDrag();
        const auto line = order.expect();
        set(before + "# 3\n", QStringLiteral("drag 2"));
        answer(line, 4);
        document.cancelDrag();
        QCOMPARE(document.text("entities.toml"), before + "# 2\n");
        QVERIFY(state.contains(4));
        QVERIFY(document.undoStack().redoText() != QStringLiteral("drag 2")); // nor can it be done again
        document.beginDrag();
        document.cancelDrag(); // before anything was edited
        QCOMPARE(document.text("entities.toml"), before + "# 2\n");
        // Typing goes on in a step of its own behind a line.
        set(before + "# 2\nx", QStringLiteral("typing"));
        answer(order.expect(), 0);
        set(before + "# 2\nxy", QStringLiteral("typing"));
        const int count = document.undoStack().count();
        const auto typed = order.expect();
        set(before + "# 2\nxyz", QStringLiteral("typing"));
        QCOMPARE(document.undoStack().count(), count + 2);
        document.close();
        answer(typed, 5); // to nobody
        QCOMPARE(document.undoStack().count(), 0);
    }
};

QTEST_MAIN(TestUndoOrder)
#include "tst_undo_order.moc"
