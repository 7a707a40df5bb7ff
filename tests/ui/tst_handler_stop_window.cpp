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
#include "engine/message/recorder.h"
#include "widgets/common/theme.h"

#include <memory>
#include <string>

using namespace sbx;

namespace {

const std::string Hostile = "<img src='/dev/zero'>&a\u202Eb\nc";

std::shared_ptr<HandlerStop> stopWith(int fields, const std::string& text = "1.0") {
    auto stop = std::make_shared<HandlerStop>();
    stop->number = 1;
    stop->breakpoint = 1;
    stop->tick = 7;
    stop->type = "Damage";
    stop->receiver = "crate_1";
    stop->handlers = {{"Relay", -100, HandlerStop::Progress::Passed},
                      {"Health", 0, HandlerStop::Progress::Here}};
    for (int i = 0; i < fields; ++i) {
        stop->fields.push_back({"field" + std::to_string(i), text, "m", "What it is.", {}, false});
        stop->state.push_back({"state" + std::to_string(i), text, "", "What it is.", {}, false});
    }
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
        editor::HandlerStopWindow window(m_stops, *m_theme, nullptr);
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
        auto* const last = part<QLineEdit>(window, QStringLiteral("field.field79"));
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

    // Keys that nobody meant for a button: Enter and Esc in a new stop, also where a button had the focus in the stop before.
    void noKeyAnswersByChance() {
        struct Counted : editor::HandlerStopWindow {
            using HandlerStopWindow::HandlerStopWindow;
            int rejected = 0;
            void reject() override { ++rejected; }
        };
        Counted window(m_stops, *m_theme, nullptr);
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

    // A status of two lines makes the window higher, not the rest lower.
    void growsWithItsTexts() {
        editor::HandlerStopWindow window(m_stops, *m_theme, nullptr);
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
        editor::HandlerStopWindow window(m_stops, *m_theme, nullptr);
        QSignalSpy asked(&window, &editor::HandlerStopWindow::sendAgain);
        auto stop = stopWith(0);
        stop->fields = {
            {"amount", "5.0", "hp", "", {}, false},    {"kind", "fire", "", "", {"blunt", "fire"}, false},
            {"words", "a b; quit", "", "", {}, false}, {"source", "", "", "", {}, true},
            {"owner", "#77", "", "", {}, true},        {"target", "crate 2", "", "", {}, true}};
        window.show(stop);
        auto* const again = part<QPushButton>(window, QStringLiteral("again"));
        const auto* const waits = part<QLabel>(window, QStringLiteral("waits"));
        QVERIFY(again->isEnabled() && !waits->text().contains(QStringLiteral("again")));
        part<QLineEdit>(window, QStringLiteral("field.amount"))->setText(QStringLiteral("7"));
        again->click();
        QCOMPARE(asked.size(), 1);
        const QString line = asked[0][0].toString();
        QCOMPARE(line, QString::fromStdString("send Damage crate_1 amount=7 kind=fire "
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
        editor::HandlerStopWindow window(m_stops, *m_theme, nullptr);
        auto stop = stopWith(0);
        stop->receiver = stop->sender = stop->type = stop->through = Hostile;
        stop->handlers = {{Hostile, 0, HandlerStop::Progress::Here}};
        stop->fields = {{"words", Hostile, Hostile, Hostile, {}, false},
                        {Hostile, Hostile, "", Hostile, {"plain", Hostile}, false}};
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
        const auto* box = window.findChild<QComboBox*>();
        QVERIFY(isPrintable(box->itemText(1).toStdString()));
        QCOMPARE(box->currentIndex(), 1);
        const auto* line = part<QLineEdit>(window, QStringLiteral("field.words"));
        QVERIFY(isPrintable(line->text().toStdString()));
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
