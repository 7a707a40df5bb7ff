// Filter bar, empty state and notices.

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "tests/event_loop.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/notice.h"
#include "widgets/common/notice_popup.h"
#include "widgets/common/theme.h"

#include <memory>

using namespace sbx;
using namespace sbx::ui;

class TestPanels : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>();
        m_theme->apply(*qApp);
    }

    void filterSettlesBeforeItTells() {
        FilterBar bar(*m_theme, QStringLiteral("trace"), QStringLiteral("Filter"));
        bar.show();
        QSignalSpy spy(&bar, &FilterBar::filterChanged);
        QTest::keyClicks(&bar.lineEdit(), QStringLiteral("type"));
        QCOMPARE(spy.count(), 0);
        QVERIFY(sbx::test::isPending(bar));
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].toString(), QStringLiteral("type"));
        QTest::keyClicks(&bar.lineEdit(), QStringLiteral("!"));
        QTest::keyClick(&bar.lineEdit(), Qt::Key_Return);
        QCOMPARE(spy.count(), 2);
        QTest::keyClick(&bar.lineEdit(), Qt::Key_Escape);
        QCOMPARE(spy.count(), 3);
        QCOMPARE(spy[2][0].toString(), QString());
        QVERIFY(!sbx::test::isPending(bar)); // nothing is still to be said
        sbx::test::turn();
        QCOMPARE(spy.count(), 3);
    }

    // A filter that was applied stays when Esc gives the focus back; what was only typed is taken back first.
    void escLeavesAnAppliedFilter() {
        QWidget panel;
        auto* column = new QVBoxLayout(&panel);
        auto* list = new QLineEdit(&panel);
        auto* bar = new FilterBar(*m_theme, QStringLiteral("outliner"), QStringLiteral("Filter"), &panel);
        bar->leaveOnEsc();
        column->addWidget(bar);
        column->addWidget(list);
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        QLineEdit& line = bar->lineEdit();
        list->setFocus();
        line.setFocus();
        QTest::keyClicks(&line, QStringLiteral("crate"));
        QTest::keyClick(&line, Qt::Key_Escape); // was not applied
        QCOMPARE(bar->text(), QString());
        QVERIFY(line.hasFocus());
        QTest::keyClicks(&line, QStringLiteral("crate"));
        QTest::keyClick(&line, Qt::Key_Return);
        QTest::keyClick(&line, Qt::Key_Escape);
        QCOMPARE(bar->text(), QStringLiteral("crate"));
        QVERIFY(list->hasFocus());
        line.setFocus();
        QTest::keyClicks(&line, QStringLiteral("s"));
        list->setFocus(); // what a line was left with is meant
        line.setFocus();
        QTest::keyClick(&line, Qt::Key_Escape);
        QCOMPARE(bar->text(), QStringLiteral("crates"));
        QVERIFY(list->hasFocus());
        line.setFocus();
        line.clear();
        QTest::keyClick(&line, Qt::Key_Escape); // nothing to take back: leaves at once
        QVERIFY(list->hasFocus());
    }

    void badgeIsLitOnlyWhileRowsAreHidden() {
        FilterBar bar(*m_theme, QStringLiteral("trace"), {});
        auto* count = bar.findChild<QLabel*>(QStringLiteral("trace.count"));
        bar.setCounts(430, 430);
        QCOMPARE(count->text(), QStringLiteral("430"));
        QVERIFY(!count->autoFillBackground());
        bar.setCounts(12, 430);
        QCOMPARE(count->text(), QStringLiteral("12 of 430"));
        QVERIFY(count->autoFillBackground());
        QCOMPARE(count->palette().color(QPalette::WindowText), m_theme->color(Token::Accent));
        bar.setCounts(1234567, 1234567, true); // a muted type hides rows that are not even counted
        QCOMPARE(count->text(), QStringLiteral("1,234,567"));
        QVERIFY(count->autoFillBackground());
    }

    void problemShowsBesideTheField() {
        FilterBar bar(*m_theme, QStringLiteral("trace"), {});
        bar.show();
        bar.setProblem(QStringLiteral("column 5: expected a value"));
        auto* label = bar.findChild<QLabel*>(QStringLiteral("trace.problem"));
        QVERIFY(label->isVisible());
        QCOMPARE(label->palette().color(QPalette::WindowText), m_theme->color(Token::Error));
        bar.setProblem({});
        QVERIFY(!label->isVisible());
    }

    void adviceIsClickedIntoTheLine() {
        FilterBar bar(*m_theme, QStringLiteral("trace"), {});
        bar.show();
        QSignalSpy spy(&bar, &FilterBar::filterChanged);
        bar.setText(QStringLiteral("type == <b>"));
        auto* label = bar.findChild<QLabel*>(QStringLiteral("trace.advice"));
        QVERIFY(!label->isVisible());
        bar.setAdvice(QStringLiteral("There is no type <b>"), QStringLiteral("Big"),
                      QStringLiteral("type == Big"));
        QVERIFY(label->isVisible());
        QCOMPARE(label->palette().color(QPalette::WindowText), m_theme->color(Token::Warning));
        QVERIFY(label->text().contains(QStringLiteral("no type &lt;b&gt;; did you mean <a")));
        QVERIFY(bar.problem().isEmpty());
        // The panel has nothing to say of the mended one, while the click is still under way.
        connect(&bar, &FilterBar::filterChanged, &bar, [&bar] { bar.setAdvice({}); });
        label->setFocus();
        emit label->linkActivated(QStringLiteral("mend"));
        QCOMPARE(bar.text(), QStringLiteral("type == Big"));
        QCOMPARE(spy.back().at(0).toString(), QStringLiteral("type == Big"));
        QVERIFY(!label->isVisible());
        bar.setAdvice(QStringLiteral("No type matches Qqq"));
        QCOMPARE(label->text(), QStringLiteral("No type matches Qqq."));
    }

    void findGoesToTheFilter() {
        QWidget panel;
        auto* column = new QVBoxLayout(&panel);
        auto* bar = new FilterBar(*m_theme, QStringLiteral("trace"), {});
        auto* rows = new QLineEdit;
        column->addWidget(bar);
        column->addWidget(rows);
        bar->focusOnFind(panel);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        rows->setFocus();
        QTest::keyClick(rows, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(bar->lineEdit().hasFocus());
    }

    void emptyStateFollowsItsAction() {
        QAction action(QStringLiteral("&Open project…"));
        int opened = 0;
        connect(&action, &QAction::triggered, this, [&] { ++opened; });
        auto* state =
            new EmptyState(*m_theme, QStringLiteral("trace"), QStringLiteral("Play to see messages."));
        state->setAction(&action);
        auto* content = new QLabel(QStringLiteral("rows"));
        EmptySwitch both(content, state);
        both.show();
        both.setEmpty(true);
        QVERIFY(state->isVisible() && !content->isVisible());
        QCOMPARE(state->button().text(), QStringLiteral("Open project…"));
        QTest::mouseClick(&state->button(), Qt::LeftButton);
        QCOMPARE(opened, 1);
        action.setEnabled(false);
        QVERIFY(!state->button().isEnabled());
        both.setEmpty(false);
        QVERIFY(content->isVisible());
    }

    void aFilterThatHidesEverythingIsClearedByAButton() {
        QWidget panel;
        auto* bar = new FilterBar(*m_theme, QStringLiteral("rows"), QStringLiteral("Filter"), &panel);
        auto* rows = new QLabel(QStringLiteral("rows"));
        auto* both = new NoMatchSwitch(*m_theme, rows, *bar, QStringLiteral("No row matches."),
                                       QStringLiteral("rows.noMatch"), &panel);
        auto* column = new QVBoxLayout(&panel);
        column->addWidget(bar);
        column->addWidget(both);
        connect(bar, &FilterBar::filterChanged, both,
                [&](const QString& text) { both->setEmpty(!text.isEmpty()); });
        QSignalSpy cleared(both, &NoMatchSwitch::cleared);
        panel.show();
        bar->setText(QStringLiteral("nothing"));
        auto* state = panel.findChild<EmptyState*>(QStringLiteral("rows.noMatch"));
        QVERIFY(state->isVisible() && !rows->isVisible());
        QTest::mouseClick(&state->button(), Qt::LeftButton);
        QCOMPARE(bar->text(), QString());
        QCOMPARE(cleared.count(), 1);
        QVERIFY(rows->isVisible());
    }

    // The icon gives way before the line and the button do.
    void aLowEmptyStateHasNoIcon() {
        QAction action(QStringLiteral("Play"));
        QWidget window;
        EmptyState state(*m_theme, QStringLiteral("trace"), QStringLiteral("Play to see messages."), &window);
        state.setAction(&action);
        window.show();
        const auto* icon = state.findChild<QWidget*>(QStringLiteral("emptyState.icon"));
        const auto* line = state.findChild<QLabel*>();
        QVERIFY(icon != nullptr && line != nullptr);
        for (const auto& [height, isLow] :
             {std::pair(300, false), std::pair(state.minimumSizeHint().height(), true),
              std::pair(300, false)}) {
            state.resize(300, height);
            QTRY_COMPARE(icon->isVisible(), !isLow);
            QTRY_VERIFY(line->height() >= line->fontMetrics().height());
            QVERIFY(state.rect().contains(state.button().geometry()));
            QVERIFY(state.rect().contains(line->geometry()));
            QVERIFY(line->geometry().bottom() < state.button().geometry().top());
        }
    }

    // Words that come later and need more lines take the icon's room, too.
    void wordsThatComeLaterTakeTheIconsRoom() {
        QAction action(QStringLiteral("Play"));
        QWidget window;
        EmptyState state(*m_theme, QStringLiteral("trace"), QStringLiteral("Play."), &window);
        window.show();
        const auto* icon = state.findChild<QWidget*>(QStringLiteral("emptyState.icon"));
        const auto* line = state.findChild<QLabel*>();
        state.resize(220, 100);
        QVERIFY(icon->isVisible());
        state.setAction(&action);
        QVERIFY(!icon->isVisible());
        state.setBusy(true);
        QVERIFY(icon->isVisible());
        state.setLine(QStringLiteral("No match among the newest messages. Older ones are being searched."));
        QVERIFY(!icon->isVisible());
        QTRY_VERIFY(line->height() >= line->heightForWidth(line->width()));
        QVERIFY(state.rect().contains(line->geometry()));
        state.setLine(QStringLiteral("Play."));
        QVERIFY(icon->isVisible());
    }

    void identicalNoticesAreCounted() {
        NoticeList list;
        const Notice wrong{
            Severity::Error, QStringLiteral("bad"), {}, {}, QStringLiteral("a.toml"), 0, 1, {}};
        const int id = list.post(wrong);
        QCOMPARE(list.post(wrong), id);
        QCOMPARE(list.live().size(), 1);
        QCOMPARE(list.live()[0].count, 2);
        Notice other = wrong;
        other.context = QStringLiteral("b.toml");
        list.post(other);
        QCOMPARE(list.live().size(), 2);
        list.dismissContext(QStringLiteral("a.toml"));
        QCOMPARE(list.live().size(), 1);
        QCOMPARE(list.log().size(), 2); // the record stays
        for (int i = 0; i < 600; ++i) {
            Notice many = wrong;
            many.text = QString::number(i);
            list.post(many);
        }
        QCOMPARE(list.log().size(), 500);
    }

    // A newer state takes the place of the older one, also in the log, and so does what settles the matter.
    void theLogSaysWhatIsOver() {
        NoticeList list;
        const auto post = [&](const char* text, const char* context, const char* button) {
            Notice notice;
            notice.severity = Severity::Warning;
            notice.text = QLatin1String(text);
            notice.context = QLatin1String(context);
            notice.actionText = QLatin1String(button);
            return list.post(notice);
        };
        const auto waiting = [&] {
            QStringList out;
            for (const Notice& notice : list.log())
                if (NoticeList::waits(notice))
                    out.append(notice.text);
            return out;
        };
        post("p failed", "plugin p", "Show");
        const int closed = post("a.toml changed", "file a.toml", "Reload");
        list.dismiss(closed); // the card: the file on disk is another one still
        QCOMPARE(list.live().size(), 1);
        QCOMPARE(waiting(), QStringList({"p failed", "a.toml changed"}));
        post("a.toml is gone", "file a.toml", "");
        QCOMPARE(waiting(), QStringList({"p failed"}));
        list.dismissContext(QStringLiteral("plugin p")); // it was loaded
        QCOMPARE(waiting(), QStringList());
        QCOMPARE(list.log().size(), 3);
        const int asked = post("break", "", "Show");
        QCOMPARE(waiting(), QStringList({"break"}));
        list.dismiss(asked); // without a subject nothing could settle it later
        QCOMPARE(waiting(), QStringList());
    }

    void unreadNoticesAreCountedUntilTheListIsSeen() {
        NoticeList list;
        QSignalSpy said(&list, &NoticeList::logChanged);
        Notice notice;
        notice.text = QStringLiteral("note");
        const int first = list.post(notice);
        notice.severity = Severity::Error;
        list.post(notice);
        QCOMPARE(list.unread(), 2);
        QCOMPARE(list.worstUnread(), Severity::Error);
        list.dismiss(first); // closed by hand: read
        QCOMPARE(list.unread(), 1);
        QWidget window;
        window.resize(800, 600);
        window.show();
        NoticePopup popup(*m_theme, list, &window);
        popup.popUp(window);
        QCOMPARE(list.unread(), 0);
        QCOMPARE(list.worstUnread(), Severity::Note);
        list.post(notice); // while it is open: read as it comes
        QCOMPARE(list.unread(), 0);
        QCOMPARE(popup.findChildren<QWidget*>(QStringLiteral("notices.row")).size(), 2);
        QVERIFY(said.size() > 0);
    }

    void theListHasTheButtonsOfWhatIsOpenAndClearKeepsThose() {
        NoticeList list;
        int reloads = 0;
        Notice notice;
        notice.text = QStringLiteral("a.toml changed");
        notice.severity = Severity::Warning;
        notice.context = QStringLiteral("file a.toml");
        notice.actionText = QStringLiteral("Reload");
        notice.action = [&] {
            ++reloads;
            list.dismissContext(QStringLiteral("file a.toml"));
        };
        list.post(notice);
        Notice other;
        other.text = QStringLiteral("said");
        list.post(other);
        QWidget window;
        window.resize(800, 600);
        window.show();
        NoticePopup popup(*m_theme, list, &window);
        popup.popUp(window);
        QTest::mouseClick(popup.findChild<QPushButton*>(QStringLiteral("notices.clear")), Qt::LeftButton);
        QCOMPARE(list.log().size(), 1);
        QCOMPARE(list.live().size(), 1);
        QTest::mouseClick(popup.findChild<QPushButton*>(QStringLiteral("notices.action")), Qt::LeftButton);
        QTRY_COMPARE(reloads, 1);
        QVERIFY(!popup.isVisible());
        popup.popUp(window);
        QVERIFY(popup.findChild<QPushButton*>(QStringLiteral("notices.action")) == nullptr);
        QTest::mouseClick(popup.findChild<QPushButton*>(QStringLiteral("notices.clear")), Qt::LeftButton);
        QVERIFY(popup.findChild<QWidget*>(QStringLiteral("notices.empty"))->isVisible());
    }

    // An error of a moment goes by itself, as nothing can settle it; one that has a subject, or asks for something, stays.
    void noticesThatNothingSettlesGoByThemselves() {
        Notice notice;
        QVERIFY(NoticeList::lifeMs(notice) > 0);
        const int information = NoticeList::lifeMs(notice);
        notice.severity = Severity::Error;
        QVERIFY(NoticeList::lifeMs(notice) > information);
        notice.severity = Severity::Warning;
        QVERIFY(NoticeList::lifeMs(notice) > information);
        notice.context = QStringLiteral("journal");
        QCOMPARE(NoticeList::lifeMs(notice), 0);
        notice.severity = Severity::Note;
        QCOMPARE(NoticeList::lifeMs(notice), information);
        notice.choices = {{QStringLiteral("Keep all"), {}}, {QStringLiteral("Discard"), {}}}; // a question waits for its answer
        QCOMPARE(NoticeList::lifeMs(notice), 0);
        notice.choices.clear();
        notice.severity = Severity::Warning;
        notice.context.clear();
        notice.actionText = QStringLiteral("Retry");
        QCOMPARE(NoticeList::lifeMs(notice), 0);
    }

    // In a low window they leave most of it free.
    void aLowWindowShowsFewer() {
        for (const auto& [height, most] : {std::pair(720, 3), std::pair(1080, 5)}) {
            QWidget window;
            window.resize(1280, height);
            NoticeList list;
            const NoticeStack stack(*m_theme, list, window);
            for (int i = 0; i < 8; ++i) {
                Notice notice;
                notice.severity = Severity::Error;
                notice.text = QString::number(i);
                list.post(notice);
            }
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the cards that went
            const auto cards =
                stack.findChildren<QWidget*>(QStringLiteral("notice.card"), Qt::FindDirectChildrenOnly);
            QCOMPARE(static_cast<int>(cards.size()), most);
        }
    }

    // Of one subject there is one notice: what is true of it now.
    void aNewerStateTakesTheOlderOnesPlace() {
        NoticeList list;
        const auto post = [&](const char* text, const char* context) {
            Notice notice;
            notice.severity = Severity::Warning;
            notice.text = QString::fromUtf8(text);
            notice.context = QString::fromUtf8(context);
            return list.post(notice);
        };
        const int gone = post("gone", "file a");
        post("trust", "trust");
        post("no subject", "");
        post("none either", "");
        const int back = post("back", "file a");
        QVERIFY(back != gone);
        QCOMPARE(list.live().size(), 4);
        QCOMPARE(list.live()[0].text, QStringLiteral("back")); // where the older one stood
        post("b changed", "file b");
        list.dismissContexts(QStringLiteral("file "));
        QCOMPARE(list.live().size(), 3);
        QCOMPARE(list.log().size(), 6);
    }

    // A click meant for one card must not land on another.
    void cardsStayWhereTheyAreUnderThePointer() {
        QWidget window;
        window.resize(900, 700);
        NoticeList list;
        NoticeStack stack(*m_theme, list, window);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto post = [&](const char* text, const char* context = "") {
            Notice notice;
            notice.severity = Severity::Warning;
            notice.text = QString::fromUtf8(text);
            notice.context = QString::fromUtf8(context);
            notice.actionText = QStringLiteral("Show");
            const int id = list.post(notice);
            QApplication::processEvents();
            return id;
        };
        const auto place = [&](const char* text) {
            for (QLabel* label : stack.findChildren<QLabel*>(QStringLiteral("notice.text")))
                if (label->isVisible() && label->text() == QString::fromUtf8(text))
                    return QRect(label->parentWidget()->mapTo(&window, QPoint()),
                                 label->parentWidget()->size());
            return QRect();
        };
        const int first = post("first");
        const int second = post("second", "file a");
        const int third = post("third");
        const QRect before = place("second");
        const QRect top = place("third");
        QVERIFY(before.isValid() && top.isValid());
        QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
        QApplication::sendEvent(&stack, &enter);
        list.dismiss(first); // the lowest
        QApplication::processEvents();
        QVERIFY(!place("first").isValid());
        QCOMPARE(place("second"), before);
        QCOMPARE(place("third"), top);
        post("fourth"); // comes on top of the others
        QCOMPARE(place("second"), before);
        QCOMPARE(place("third"), top);
        QVERIFY(place("fourth").bottom() < top.top());
        post("newer", "file a"); // another state of the second
        QVERIFY(!place("second").isValid());
        QCOMPARE(place("newer"), before);
        list.dismiss(third);
        QApplication::processEvents();
        QCOMPARE(place("newer"), before);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&stack, &leave);
        QApplication::processEvents();
        // Now what went leaves no gap.
        QCOMPARE(place("newer").bottom(), stack.geometry().bottom());
        QVERIFY(place("fourth").bottom() < place("newer").top());
        QVERIFY(place("newer").top() - place("fourth").bottom() < before.height());
        Q_UNUSED(second);
    }

    void noticesNeverTakeFocusAndTheirActionRuns() {
        QWidget window;
        window.resize(900, 600);
        auto* edit = new QLineEdit(&window);
        NoticeList list;
        NoticeStack stack(*m_theme, list, window);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        edit->setFocus();
        int shown = 0;
        list.post({Severity::Error,
                   QStringLiteral("entities.toml:3: masss is no key of Body; did you mean mass?"),
                   QStringLiteral("Show"),
                   [&] { ++shown; },
                   {},
                   0,
                   1,
                   {}});
        QApplication::processEvents();
        QVERIFY(edit->hasFocus());
        QVERIFY(stack.isVisible());
        QVERIFY(window.rect().contains(stack.geometry()));
        auto* act = stack.findChild<QToolButton*>(QStringLiteral("notice.action"));
        QVERIFY(act != nullptr);
        QTest::mouseClick(act, Qt::LeftButton);
        QCOMPARE(shown, 1);
        QVERIFY(edit->hasFocus());
        QVERIFY(list.live().isEmpty());
        QVERIFY(!stack.isVisible());
    }

    // A long text has the width of the card; the button stands below it.
    void aLongNoticeHasItsButtonBelow() {
        QWidget window;
        window.resize(1000, 700);
        window.show();
        NoticeList list;
        NoticeStack stack(*m_theme, list, window);
        const auto post = [&](const QString& text) {
            Notice notice;
            notice.text = text;
            notice.actionText = QStringLiteral("Show them");
            list.post(notice);
            QApplication::processEvents();
            const QList<QLabel*> texts = stack.findChildren<QLabel*>(QStringLiteral("notice.text"));
            const QList<QToolButton*> buttons =
                stack.findChildren<QToolButton*>(QStringLiteral("notice.action"));
            const auto of = [&](const auto& all) {
                return (*std::find_if(all.begin(), all.end(),
                                      [&](const QWidget* each) {
                                          return each->parentWidget()->accessibleName() == text;
                                      }))
                    ->geometry();
            };
            return std::pair<QRect, QRect>(of(texts), of(buttons));
        };
        const auto [shortText, beside] = post(QStringLiteral("Saved"));
        QVERIFY(beside.left() >= shortText.right() && beside.top() <= shortText.bottom());
        const auto [longText, below] = post(QStringLiteral(
            "A storm of messages: 6,020 Damage a second from one hundred senders\nMake, Spawned, Damage"));
        QVERIFY(below.top() >= longText.bottom());
        QVERIFY2(longText.width() > 250, qPrintable(QString::number(longText.width())));
    }

    // What docks show is read; the middle has room.
    void noticesLeaveDocksFree() {
        QMainWindow window;
        window.resize(1000, 700);
        auto* middle = new QWidget;
        window.setCentralWidget(middle);
        auto* dock = new QDockWidget(QStringLiteral("Figures"), &window);
        dock->setMinimumHeight(250);
        window.addDockWidget(Qt::BottomDockWidgetArea, dock);
        NoticeList list;
        NoticeStack stack(*m_theme, list, window);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        Notice notice;
        notice.text = QStringLiteral("Saved");
        notice.severity = Severity::Warning;
        list.post(notice);
        QTRY_VERIFY(stack.isVisible() && middle->geometry().contains(stack.geometry()));
        dock->setMinimumHeight(400); // and follows when the middle shrinks
        QTRY_VERIFY(middle->height() < 300 && middle->geometry().contains(stack.geometry()));
        dock->hide();
        QTRY_VERIFY(middle->height() > 500 && stack.geometry().bottom() > middle->geometry().bottom() - 100);
    }

    // What must not be covered drives them into another corner, and back when it has gone; under the pointer they stay.
    void noticesMakeWay() {
        QMainWindow window;
        window.resize(1000, 700);
        window.setCentralWidget(new QWidget);
        NoticeList list;
        NoticeStack stack(*m_theme, list, window);
        std::vector<QRect> obstacles;
        stack.setObstacles([&obstacles] { return obstacles; });
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        Notice notice;
        notice.text = QStringLiteral("Saved");
        notice.severity = Severity::Warning;
        list.post(notice);
        QTRY_VERIFY(stack.isVisible());
        const QRect home = stack.geometry();
        QVERIFY(home.center().x() > 500 && home.center().y() > 350);
        obstacles = {QRect(800, 500, 150, 190)};
        stack.makeWay();
        QVERIFY(stack.geometry().center().y() < 350);
        obstacles.emplace_back(700, 0, 300, 60);
        stack.makeWay();
        QVERIFY(stack.geometry().center().x() < 500);
        for (const QRect& obstacle : obstacles)
            QVERIFY(!stack.geometry().intersects(obstacle));
        const QRect evaded = stack.geometry();
        QTest::mouseMove(&stack, stack.rect().center());
        QTRY_VERIFY(stack.underMouse());
        obstacles.clear();
        stack.makeWay();
        QCOMPARE(stack.geometry(), evaded);
        QTest::mouseMove(&window, QPoint(5, 690));
        QTRY_VERIFY(!stack.underMouse());
        stack.makeWay();
        QCOMPARE(stack.geometry(), home);
    }

    void noticesLieOverDocksThatAreRaised() {
        QMainWindow window;
        window.resize(900, 600);
        auto* first = new QDockWidget(QStringLiteral("First"), &window);
        window.addDockWidget(Qt::BottomDockWidgetArea, first);
        NoticeList list;
        NoticeStack stack(*m_theme, list, window);
        auto* later = new QDockWidget(QStringLiteral("Later"), &window);
        window.addDockWidget(Qt::BottomDockWidgetArea, later);
        window.tabifyDockWidget(first, later);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        Notice notice;
        notice.text = QStringLiteral("Saved");
        list.post(notice);
        QApplication::processEvents();
        const auto onTop = [&] {
            const QObjectList& children = window.children();
            return children.indexOf(&stack) > children.indexOf(first)
                   && children.indexOf(&stack) > children.indexOf(later);
        };
        for (QDockWidget* dock : {first, later, first}) {
            dock->raise();
            QTRY_VERIFY(onTop()); // once the dock has brought its tab to the front
            QVERIFY(!dock->visibleRegion().isEmpty());
            dock->hide();
            dock->show();
            QTRY_VERIFY(onTop());
        }
    }
};

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
