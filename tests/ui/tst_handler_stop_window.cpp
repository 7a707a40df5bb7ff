// The window of a tick that stands between handlers: as high as its screen at most, its buttons in sight, and foreign text as text.

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

#include "app/editor/handler_stop_window.h"
#include "engine/core/console_syntax.h"
#include "engine/core/log.h"
#include "engine/core/printable.h"
#include "engine/message/message_type.h"
#include "engine/message/recorder.h"
#include "widgets/common/field_editor.h"
#include "widgets/common/theme.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace sbx;

namespace {

const std::string Hostile = "<img src='/dev/zero'>&a\u202Eb\nc";

FieldInfo fieldOf(const std::string& name, FieldType type) {
    FieldInfo field;
    field.name = name;
    field.type = type;
    field.doc = "What it is.";
    field.size = 65536;
    return field;
}

// The types of messages that were stopped: one of each set of fields.
std::string typeOf(std::vector<FieldInfo> fields) {
    static int count = 0;
    MessageType type;
    type.name = "Test" + std::to_string(++count);
    type.ownFields = std::make_shared<const FieldTable>(std::move(fields));
    type.fields = type.ownFields.get();
    return internMessageType(std::move(type)).name;
}

std::shared_ptr<HandlerStop> stopWith(int fields, const std::string& text = "1.0") {
    auto stop = std::make_shared<HandlerStop>();
    stop->number = 1;
    stop->breakpoint = 1;
    stop->tick = 7;
    stop->receiver = "crate_1";
    stop->handlers = {{"Relay", -100, HandlerStop::Progress::Passed},
                      {"Health", 0, HandlerStop::Progress::Here}};
    std::vector<FieldInfo> infos;
    for (int i = 0; i < fields; ++i) {
        const std::string name = "field" + std::to_string(i);
        stop->fields.push_back({name, text, "m", "What it is.", {}, false});
        stop->state.push_back({"state" + std::to_string(i), text, "", "What it is.", {}, false});
        infos.push_back(fieldOf(name, text.size() < 10 ? FieldType::Float : FieldType::String));
    }
    stop->type = typeOf(std::move(infos));
    return stop;
}

} // namespace

class TestHandlerStopWindow : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<ui::Theme> m_theme;
    Log m_log;
    Recorder m_recorder;
    Breakpoints m_breakpoints{m_recorder};
    HandlerStops m_stops{m_breakpoints, m_recorder, m_log};

    template <typename T> static T* part(const editor::HandlerStopWindow& window, const QString& name) {
        return window.findChild<T*>(QStringLiteral("handlerStop.") + name);
    }
    static QLineEdit* input(const editor::HandlerStopWindow& window, const QString& field) {
        return part<ui::FieldEditor>(window, QStringLiteral("field.") + field)
            ->findChild<QLineEdit*>(QStringLiteral("input"));
    }
    static void type(QLineEdit* line, const QString& text) {
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    // Whole, inside the window, which is inside its screen.
    static void inSight(const editor::HandlerStopWindow& window) {
        QVERIFY(window.screen()->availableGeometry().contains(window.geometry()));
        for (const char* name : {"remove", "again", "drop", "step", "continue"}) {
            const auto* button = part<QPushButton>(window, QLatin1String(name));
            QVERIFY(button->isVisible());
            QVERIFY2(button->width() >= button->sizeHint().width(), name); // its words are whole
            QVERIFY2(window.rect().contains(QRect(button->mapTo(&window, QPoint()), button->size())), name);
        }
    }

private slots:
    void initTestCase() {
        m_theme = std::make_unique<ui::Theme>(ui::ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    void buttonsStayInSight() {
        editor::HandlerStopWindow window(m_stops, *m_theme, {}, nullptr);
        auto* const scroll = part<QScrollArea>(window, QStringLiteral("scroll"));
        int low = 0;
        for (const int fields : {2, 80, 2}) { // and low again
            window.show(stopWith(fields));
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            QCoreApplication::sendPostedEvents();
            inSight(window);
            QCOMPARE(scroll->verticalScrollBar()->maximum() > 0, fields == 80);
            if (fields == 2)
                low = window.height();
            else
                QVERIFY(window.height() > low);
        }
        QVERIFY(low < window.screen()->availableGeometry().height() / 2);
        // The last field is reached by the keyboard.
        window.show(stopWith(80));
        auto* const last = input(window, QStringLiteral("field79"));
        scroll->ensureWidgetVisible(last);
        QVERIFY(!last->visibleRegion().isEmpty());
        // A message and a state with words as long as a page do not push the buttons out either.
        window.show(stopWith(3, std::string(4000, 'x') + std::string(4000, ' ') + "y"));
        QCoreApplication::sendPostedEvents();
        inSight(window);
        auto refused = stopWith(80);
        refused->refused = "amount: expected a number";
        window.show(refused);
        QCoreApplication::sendPostedEvents();
        inSight(window);
        const auto* fault = part<QLabel>(window, QStringLiteral("fault"));
        QVERIFY(window.rect().contains(QRect(fault->mapTo(&window, QPoint()), fault->size())));
    }

    // Enter and Esc answer no stop at which the person has not moved to a button, also if a button had the focus at the stop before.
    void noKeyAnswersByChance() {
        struct Counted : editor::HandlerStopWindow {
            using HandlerStopWindow::HandlerStopWindow;
            int rejected = 0;
            void reject() override { ++rejected; }
        };
        Counted window(m_stops, *m_theme, {}, nullptr);
        int clicks = 0;
        const QList<QPushButton*> buttons = window.findChildren<QPushButton*>();
        QCOMPARE(buttons.size(), 5);
        for (QPushButton* button : buttons) {
            connect(button, &QPushButton::clicked, &window, [&clicks] { ++clicks; });
            QVERIFY(!button->isDefault() && !button->autoDefault());
        }
        const auto activate = [&window] {
            window.activateWindow(); // by a person: it does not do so itself
            return QTest::qWaitFor([&window] { return window.isActiveWindow(); });
        };
        window.show(stopWith(2));
        QVERIFY(activate());
        auto* const field = part<QWidget>(window, QStringLiteral("field.field0"));
        const auto type = [&window] {
            for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Escape, Qt::Key_Space})
                QTest::keyClick(window.focusWidget(), key);
        };
        type();
        field->setFocus();
        type();
        auto* const drop = part<QPushButton>(window, QStringLiteral("drop"));
        drop->setFocus();
        auto next = stopWith(2);
        next->number = 2;
        window.show(next); // as after Drop
        QVERIFY(window.focusWidget() != drop);
        type();
        window.show(nullptr);
        QTRY_VERIFY(!window.isVisible());
        QWidget elsewhere; // has the keyboard then
        elsewhere.show();
        elsewhere.activateWindow();
        QTRY_VERIFY(elsewhere.isActiveWindow());
        window.show(next);
        QVERIFY(activate());
        QVERIFY(qobject_cast<QPushButton*>(window.focusWidget()) == nullptr);
        type();
        QCOMPARE(clicks, 0);
        QCOMPARE(window.rejected, 0);
        // On purpose.
        drop->setFocus();
        QVERIFY(drop->hasFocus());
        QTest::keyClick(drop, Qt::Key_Return);
        QCOMPARE(clicks, 1);
        QTest::keyClick(drop, Qt::Key_Space);
        QCOMPARE(clicks, 2);
        QTest::keyClick(drop, Qt::Key_Escape);
        QCOMPARE(clicks, 2);
        window.close();
        QCOMPARE(window.rejected, 1);
    }

    // As in all forms: what is wrong stands below its field, and stays there until it is mended; nothing is sent or answered meanwhile.
    void faultsStandBesideTheirField() {
        editor::HandlerStopWindow window(m_stops, *m_theme, {}, nullptr);
        QSignalSpy asked(&window, &editor::HandlerStopWindow::sendAgain);
        auto stop = stopWith(0);
        FieldInfo amount = fieldOf("amount", FieldType::Float);
        amount.minimum = 0.0;
        stop->type = typeOf({amount, fieldOf("other", FieldType::Float)});
        stop->fields = {{"amount", "5.0", "", "", {}, false}, {"other", "1.0", "", "", {}, false}};
        stop->refused = "amount: is of yesterday";
        window.show(stop);
        window.activateWindow();
        QVERIFY(QTest::qWaitFor([&window] { return window.isActiveWindow(); }));
        const auto* const said = part<QLabel>(window, QStringLiteral("fault"));
        QVERIFY(said->isVisible());
        const auto* const editor = part<ui::FieldEditor>(window, QStringLiteral("field.amount"));
        QLineEdit* const line = input(window, QStringLiteral("amount"));
        for (const char* wrong : {"nan", "1e999", "-1", "a lot"}) {
            type(line, QLatin1String(wrong));
            QTest::keyClick(line, Qt::Key_Tab);
            QVERIFY2(!said->isVisible(), wrong); // what was said before is over
            QVERIFY2(!editor->problem().isEmpty() && !editor->problem().contains(QStringLiteral("amount")),
                     wrong);
            QCOMPARE(line->text(), QLatin1String(wrong));
            part<QPushButton>(window, QStringLiteral("again"))->click();
            QVERIFY(asked.isEmpty());
            QVERIFY2(line->hasFocus(), wrong);
            QVERIFY(window.answer(StopAnswer::Step));
            QVERIFY(said->isVisible() && !said->text().isEmpty());
            QCOMPARE(line->text(), QLatin1String(wrong));
            QCoreApplication::sendPostedEvents();
            inSight(window);
        }
        // Not yet left: found by the answer itself.
        type(line, QStringLiteral("2 a"));
        QVERIFY(window.answer(StopAnswer::Continue));
        QVERIFY(said->isVisible() && !editor->problem().isEmpty());
        type(line, QStringLiteral("2"));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(editor->problem().isEmpty());
        part<QPushButton>(window, QStringLiteral("again"))->click();
        QCOMPARE(asked.size(), 1);
        QVERIFY(asked[0][0].toString().contains(QStringLiteral("amount=2.0")));
    }

    // From the neutral place through the fields to the buttons, in each stop.
    void tabGoesAsTheEyeDoes() {
        editor::HandlerStopWindow window(m_stops, *m_theme, {}, nullptr);
        for (int round = 0; round < 2; ++round) {
            window.show(stopWith(2));
            window.activateWindow();
            QVERIFY(QTest::qWaitFor([&window] { return window.isActiveWindow(); }));
            QList<QWidget*> expected{input(window, QStringLiteral("field0")),
                                     input(window, QStringLiteral("field1"))};
            for (const char* name : {"remove", "again", "drop", "step", "continue"})
                expected += part<QPushButton>(window, QLatin1String(name));
            for (QWidget* each : expected) {
                QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
                QCOMPARE(window.focusWidget(), each);
            }
        }
    }

    // A status of two lines makes the window higher, not the rest lower.
    void growsWithItsTexts() {
        editor::HandlerStopWindow window(m_stops, *m_theme, {}, nullptr);
        window.show(stopWith(1));
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto* const again = part<QPushButton>(window, QStringLiteral("again"));
        const auto* const waits = part<QLabel>(window, QStringLiteral("waits"));
        const auto* const state = part<QLabel>(window, QStringLiteral("state.state0"));
        for (int i = 0; i < 2; ++i) {
            again->click();
            QCoreApplication::sendPostedEvents();
            const QRect text(waits->mapTo(&window, QPoint()), waits->size());
            QVERIFY(text.height() >= waits->heightForWidth(waits->width()));
            QVERIFY(text.top() > state->mapTo(&window, state->rect().bottomLeft()).y());
            QVERIFY(!state->visibleRegion().isEmpty());
            inSight(window);
        }
    }

    // The line has the fields as they stand in the form, each as one word.
    void sentAgain() {
        editor::HandlerStopWindow window(m_stops, *m_theme, {}, nullptr);
        QSignalSpy asked(&window, &editor::HandlerStopWindow::sendAgain);
        auto stop = stopWith(0);
        FieldInfo kind = fieldOf("kind", FieldType::Enum);
        kind.choices = {"blunt", "fire"};
        stop->type = typeOf({fieldOf("amount", FieldType::Float), kind, fieldOf("words", FieldType::String),
                             fieldOf("source", FieldType::Entity), fieldOf("owner", FieldType::Entity),
                             fieldOf("target", FieldType::Entity)});
        stop->fields = {
            {"amount", "5.0", "hp", "", {}, false},    {"kind", "fire", "", "", {"blunt", "fire"}, false},
            {"words", "a b; quit", "", "", {}, false}, {"source", "", "", "", {}, true},
            {"owner", "#77", "", "", {}, true},        {"target", "crate 2", "", "", {}, true}};
        window.show(stop);
        auto* const again = part<QPushButton>(window, QStringLiteral("again"));
        const auto* const waits = part<QLabel>(window, QStringLiteral("waits"));
        QVERIFY(again->isEnabled() && !waits->text().contains(QStringLiteral("again")));
        QCOMPARE(input(window, QStringLiteral("target"))->text(),
                 QStringLiteral("crate 2")); // a name that the session does not know
        type(input(window, QStringLiteral("amount")), QStringLiteral("7"));
        again->click(); // with what is not yet taken
        QCOMPARE(asked.size(), 1);
        const QString line = asked[0][0].toString();
        QCOMPARE(line, QString::fromStdString("send " + stop->type + " crate_1 amount=7.0 kind=fire "
                                              + consoleWord("words=a b; quit") + " owner=77 "
                                              + consoleWord("target=crate 2") + " --ticks=1"));
        QCOMPARE(QString::fromStdString(onOneLine(line.toStdString())), line); // one statement
        QVERIFY(waits->text().contains(QStringLiteral("One message is sent again")));
        again->click();
        QVERIFY(waits->text().contains(QStringLiteral("2 messages are sent again")));
        auto next = stopWith(1); // in the same tick
        next->number = 2;
        window.show(next);
        QVERIFY(waits->text().contains(QStringLiteral("2 messages are sent again")));
        auto later = stopWith(1);
        later->tick = 8;
        later->receiver = "#5";
        window.show(later);
        QVERIFY(!waits->text().contains(QStringLiteral("again")) && !again->isEnabled());
        window.show(nullptr);
        QCOMPARE(asked.size(), 2);
    }

    // Names, values, units, docs and choices come from plugins and scenes.
    void foreignTextIsText() {
        editor::HandlerStopWindow window(m_stops, *m_theme, {}, nullptr);
        auto stop = stopWith(0);
        stop->receiver = stop->sender = stop->through = Hostile;
        stop->handlers = {{Hostile, 0, HandlerStop::Progress::Here}};
        FieldInfo words = fieldOf("words", FieldType::String);
        words.unit = words.doc = Hostile;
        FieldInfo choice = fieldOf("choice", FieldType::Enum);
        choice.choices = {"plain", "other"};
        choice.doc = Hostile;
        FieldInfo number = fieldOf("number", FieldType::Float);
        stop->type = typeOf({words, choice, number});
        stop->fields = {{"words", "<b>&a", Hostile, Hostile, {}, false},
                        {"choice", "other", "", Hostile, {"plain", "other"}, false},
                        {"number", Hostile, "", "", {}, false}};
        stop->state = {{Hostile, Hostile, Hostile, Hostile, {}, false}};
        stop->refused = Hostile;
        window.show(stop);
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        for (const QLabel* label : window.findChildren<QLabel*>()) {
            QVERIFY2(isPrintable(label->text().toStdString()), qPrintable(label->objectName()));
            QVERIFY(label->textFormat() != Qt::AutoText); // the style makes those plain that ask for nothing
            if (label->textFormat() == Qt::RichText)
                QVERIFY2(!label->text().contains(QLatin1String("<img")), qPrintable(label->text()));
            else
                QVERIFY2(!label->text().contains(QLatin1String("&lt;")),
                         qPrintable(label->text())); // escaped once too often
        }
        for (const QWidget* each : window.findChildren<QWidget*>()) {
            QVERIFY(isPrintable(each->toolTip().toStdString())
                    && isPrintable(each->accessibleName().toStdString()));
            QVERIFY2(!Qt::mightBeRichText(each->toolTip())
                         || !each->toolTip().contains(QLatin1String("<img")),
                     qPrintable(each->toolTip()));
        }
        QCOMPARE(window.findChild<QComboBox*>()->currentText(), QStringLiteral("other"));
        QCOMPARE(input(window, QStringLiteral("words"))->text(), QStringLiteral("<b>&a"));
        // What the field cannot be is said, and nothing is made of it.
        const auto* odd = part<ui::FieldEditor>(window, QStringLiteral("field.number"));
        QVERIFY(odd->isReadOnly() && !odd->problem().isEmpty());
        // A link gives the name as it is.
        QSignalSpy picked(&window, &editor::HandlerStopWindow::entityPicked);
        auto* const title = part<QLabel>(window, QStringLiteral("title"));
        const QString link =
            title->text().section(QStringLiteral("href=\""), 1).section(QLatin1Char('"'), 0, 0);
        emit title->linkActivated(link);
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toString(), QString::fromStdString(Hostile));
    }
};

QTEST_MAIN(TestHandlerStopWindow)
#include "tst_handler_stop_window.moc"
