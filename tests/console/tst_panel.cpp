// The panel around the line: the log, its filters and links, and where lines go.
#include <QAbstractButton>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QToolTip>

#include "tests/console/panel_fixture.h"
#include "widgets/common/action_registry.h"
#include "widgets/console/cvar_model.h"
#include "widgets/console/cvar_table.h"
#include "widgets/console/log_view.h"

#include <array>
#include <cmath>

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::ui::test;

namespace {

// How often a widget was given another width.
class Widths : public QObject {
public:
    quint64 count = 0;

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Resize) {
            const auto& resize = *static_cast<QResizeEvent*>(event);
            count += resize.size().width() != resize.oldSize().width() ? 1U : 0U;
        }
        return false;
    }
};

} // namespace

class TestPanel : public QObject {
    Q_OBJECT
private slots:
    void linesAndRepliesAreInTheLog() {
        Fixture f;
        f.type("sim.gravity=5");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("> sim.gravity=5"));
        QVERIFY(f.waitFor("sim.gravity = 5.0 m/s² (was 9.81 m/s²)"));
        QCOMPARE(f.gravity.get(), 5.0F);
        QVERIFY(f.input().text().isEmpty());
        f.type("sim.gravity 500");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("out of range; expected a number in [0, 100] m/s²"));
        QTRY_COMPARE(f.panel->model().count(LogSeverity::Error), 1ULL);
        f.type("sim.gravty");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("did you mean sim.gravity"));
        f.key(Qt::Key_Return); // an empty line is not sent
        QVERIFY(!f.rows().last().startsWith(QLatin1Char('>')));
    }

    // As in games: whoever looks at the log and types means the line.
    void typingOverTheLogGoesToTheLine() {
        Fixture f;
        f.log.info("sim", "one");
        QVERIFY(f.waitFor("one"));
        f.type("echo ");
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {}, QPoint(20, 8));
        QTRY_VERIFY(f.view().hasFocus());
        QTest::keyClick(&f.view(), Qt::Key_Down);
        QVERIFY(f.view().hasFocus());
        QTest::keyClick(&f.view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("info [sim] one")));
        QVERIFY(f.view().hasFocus());
        QTest::keyClick(&f.view(), 'x');
        QVERIFY(f.input().hasFocus());
        f.type("y");
        QCOMPARE(f.input().text(), QStringLiteral("echo xy"));
    }

    void pillsFilterAndCount() {
        Fixture f;
        f.log.info("sim", "fine");
        f.log.warning("net", "odd");
        f.log.error("net", "bad");
        QVERIFY(f.waitFor("bad"));
        auto* info = f.child<QAbstractButton>("console.severity.info");
        QCOMPARE(f.child<QAbstractButton>("console.severity.error")->text(), QStringLiteral("1"));
        QTest::mouseClick(info, Qt::LeftButton);
        QCOMPARE(f.rows(), (QStringList{QStringLiteral("odd"), QStringLiteral("bad")}));
        QCOMPARE(info->text(), QStringLiteral("1"));
        auto* menu = f.child<QMenu>("console.channelMenu");
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        menu->actions().first()->setChecked(false); // net
        QVERIFY(f.rows().isEmpty());
        QCOMPARE(f.shown<QLabel>("emptyState.line")->text(), QStringLiteral("The filter hides all 3 lines."));
        QTest::mouseClick(f.shown<QPushButton>("emptyState.button"), Qt::LeftButton);
        QCOMPARE(f.rows().size(), 3);
    }

    void searchByTextAndExpression() {
        Fixture f;
        f.log.info("sim", "crate_1 falls");
        f.log.info("sim", "crate_22 falls");
        QVERIFY(f.waitFor("crate_22"));
        auto* filter = f.child<QLineEdit>("console.filter");
        QTest::keyClicks(filter, QStringLiteral("crate_\\d "));
        QTRY_COMPARE(f.rows().size(), 0);
        QTest::mouseClick(f.child<QToolButton>("console.expression"), Qt::LeftButton);
        QCOMPARE(f.rows(), QStringList{QStringLiteral("crate_1 falls")});
        QTest::keyClicks(filter, QStringLiteral("("));
        QTRY_VERIFY(
            f.child<QLabel>("console.problem")->text().contains(QStringLiteral("regular expression")));
        QCOMPARE(f.rows().size(), 1);
        QTest::keyClick(f.panel, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(filter->hasFocus());
    }

    void scrollingUpStopsFollowing() {
        Fixture f;
        for (int i = 0; i < 300; ++i)
            f.log.info("sim", "line " + std::to_string(i));
        QVERIFY(f.waitFor("line 299"));
        QScrollBar& bar = *f.view().verticalScrollBar();
        QVERIFY(f.view().isFollowing());
        QCOMPARE(bar.value(), bar.maximum());
        bar.setValue(bar.maximum() / 2);
        QVERIFY(!f.view().isFollowing());
        const int before = bar.value();
        const QModelIndex top = f.view().indexAt(QPoint(10, 2));
        for (int i = 0; i < 7; ++i)
            f.log.info("sim", "new " + std::to_string(i));
        QVERIFY(f.waitFor("new 6"));
        QCOMPARE(bar.value(), before);
        QCOMPARE(f.view().indexAt(QPoint(10, 2)), top);
        auto* pill = f.child<QPushButton>("console.new");
        QTRY_VERIFY(pill->isVisible());
        QCOMPARE(pill->text(), QStringLiteral("7 new ↓"));
        QTest::mouseClick(pill, Qt::LeftButton);
        QVERIFY(f.view().isFollowing());
        QCOMPARE(bar.value(), bar.maximum());
        QTRY_VERIFY(!pill->isVisible());
    }

    void droppingOldRowsKeepsThePlace() {
        Fixture f;
        const int capacity = static_cast<int>(LogModel::Capacity);
        for (int i = 0; i < capacity; ++i)
            f.log.info("sim", std::to_string(i) + (i % 7 == 0 ? " " + std::string(400, 'x') : std::string()));
        QVERIFY(f.waitFor(std::to_string(capacity - 1).c_str()));
        QTRY_COMPARE(f.panel->model().total(), capacity);
        f.view().verticalScrollBar()->setValue(f.view().verticalScrollBar()->maximum() / 2);
        const QString seen = f.view().indexAt(QPoint(10, 5)).data().toString();
        for (int i = 0; i < 3000; ++i)
            f.log.info("sim", "more " + std::to_string(i));
        QVERIFY(f.waitFor("more 2999"));
        QVERIFY(f.panel->model().total() < capacity + 3000);
        QCOMPARE(f.view().indexAt(QPoint(10, 5)).data().toString(), seen);
    }

    void pauseHoldsTheViewAndClearEmptiesIt() {
        Fixture f;
        f.log.info("sim", "before");
        QVERIFY(f.waitFor("before"));
        QTest::mouseClick(f.child<QToolButton>("console.pause"), Qt::LeftButton);
        QVERIFY(f.panel->isPaused());
        f.log.info("sim", "while paused");
        auto* pill = f.child<QPushButton>("console.new");
        QTRY_COMPARE(pill->text(), QStringLiteral("1 new ↓"));
        QCOMPARE(f.rows().size(), 1);
        QTest::mouseClick(pill, Qt::LeftButton);
        QVERIFY(!f.panel->isPaused());
        QCOMPARE(f.rows().size(), 2);
        QTest::keyClick(&f.input(), Qt::Key_L, Qt::ControlModifier);
        QVERIFY(f.rows().isEmpty());
        f.log.info("sim", "after");
        QVERIFY(f.waitFor("after"));
        QCOMPARE(f.rows().size(), 1);
    }

    void copyTakesTheSelectionOrAllShown() {
        Fixture f;
        f.log.info("sim", "one");
        f.log.warning("net", "two");
        f.log.info("sim", "three");
        QVERIFY(f.waitFor("three"));
        f.panel->copy();
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 2);
        f.child<QAbstractButton>("console.severity.info")->setChecked(false);
        f.panel->copy();
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("warning [net] two")));
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 0);
        f.child<QAbstractButton>("console.severity.info")->setChecked(true);
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {},
                          f.view().visualRect(f.panel->model().index(2)).center());
        QTest::keyClick(&f.view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("info [sim] three")));
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 0);
    }

    void longTextWrapsAndNothingIsTooLong() {
        Fixture f;
        f.log.info("sim", "short");
        f.log.info("sim", std::string(600, 'w') + " end");
        f.log.info("sim", "two\nlines");
        f.log.info("sim", std::string(1'000'000, 'x'));
        f.log.info("sim", "\xff\xfe not UTF-8 \xe4\xb8\xad\xe6\x96\x87");
        QVERIFY(f.waitFor("not UTF-8"));
        const auto height = [&](int row) {
            return f.view().visualRect(f.panel->model().index(row)).height();
        };
        QVERIFY(height(1) > 3 * height(0));
        QVERIFY(height(2) > height(0));
        QVERIFY(height(3) < 100 * height(0));
        const int wide = height(1);
        f.window.resize(500, 420);
        QTRY_VERIFY(height(1) > wide);
        (void)f.window.grab();
    }

    // However long the log, a frame is about the rows on screen and a new record about itself.
    void aFullLogStaysSmooth() {
        Fixture f;
        const auto records = [&](int count) {
            for (int i = 0; i < count; ++i)
                f.log.info(i % 3 == 0 ? "sim" : "net",
                           "record " + std::to_string(i)
                               + (i % 10 == 0 ? std::string(300, 'y') : std::string()));
        };
        const int full = static_cast<int>(LogModel::Capacity);
        LogModel& model = f.panel->model();
        records(full);
        QTRY_COMPARE(model.total(), full);
        LogView& view = f.view();
        QScrollBar& bar = *view.verticalScrollBar();
        LogView::Work before = view.work();
        const auto done = [&] {
            const LogView::Work now = view.work();
            const LogView::Work since{now.measured - before.measured,
                                      now.brokenIntoLines - before.brokenIntoLines,
                                      now.painted - before.painted};
            before = now;
            return since;
        };
        // The shortest row there is, and one more at either end that is seen in part.
        const int shortest = view.visualRect(model.index(1)).height();
        const auto fit = static_cast<quint64>(view.viewport()->height() / shortest + 2);
        for (int i = 0; i <= 20; ++i) {
            bar.setValue(bar.maximum() / 20 * i);
            done();
            QVERIFY(!view.viewport()->grab().isNull());
            const LogView::Work frame = done();
            QCOMPARE(frame.measured, quint64(0));
            QVERIFY2(frame.painted > 0 && frame.painted <= fit, qPrintable(QString::number(frame.painted)));
            // One record in ten is too long for a line.
            QVERIFY(frame.brokenIntoLines <= frame.painted / 10 + 1);
        }
        // New records are measured, each once; what went out at the top is not asked again.
        records(10);
        QTRY_COMPARE(model.total(), full + 10);
        QCOMPARE(done().measured, quint64(10));
        records(full / 20);
        QTRY_COMPARE(model.total(), full);
        const LogView::Work dropped = done();
        QCOMPARE(dropped.measured, quint64(full / 20));
        // A filter, and a new width, measure what they show once.
        const auto shown = [&] { return static_cast<quint64>(model.rowCount()); };
        QVERIFY(model.setText(QStringLiteral("99"), false).isEmpty());
        QCOMPARE(done().measured, shown());
        QVERIFY(model.setText(QStringLiteral("9[0-9]+y"), true).isEmpty());
        QVERIFY(shown() > 0 && shown() < quint64(full));
        QCOMPARE(done().measured, shown());
        QVERIFY(model.setText({}, false).isEmpty());
        const LogView::Work all = done();
        QCOMPARE(all.measured, quint64(full));
        QVERIFY(all.brokenIntoLines <= quint64(full / 10 + 100));
        Widths widths;
        view.viewport()->installEventFilter(&widths);
        f.window.resize(700, 420);
        QTRY_VERIFY(widths.count > 0); // a window may be given its size in steps
        QCOMPARE(done().measured, quint64(full) * widths.count);
    }

    // Of an answer of several rows the first says when and whence; so do the uppermost on screen and the one that is pointed at.
    void anAnswerHasOneHead() {
        Fixture f;
        LogModel& model = f.panel->model();
        const int first = model.rowCount();
        std::vector<LogRecord> records;
        for (const char* text : {"> list", "a", "b", "c"})
            records.push_back({1000 + records.size(), 5000, LogSeverity::Info, "console", text});
        for (int i = 0; i < 60; ++i)
            records.push_back({1000 + records.size(), 6000, LogSeverity::Info, "sim", std::to_string(i)});
        model.append(records);
        LogView& view = f.view();
        QVERIFY(view.viewport()->width() > 640); // room for the time
        const int digit = static_cast<int>(
            std::ceil(QFontMetricsF(view.font()).horizontalAdvance(QString(64, QLatin1Char('0'))) / 64.0));
        const int icon = measure::PanelPadding * 2 + 9 * digit; // after nine characters of time
        // Anything but ground, from x on.
        const auto inked = [&](int row, int x, int width) {
            const QRect at = view.visualRect(model.index(row));
            const QImage image = view.viewport()->grab(QRect(0, at.top(), x + width, at.height())).toImage();
            for (int i = x; i < image.width(); ++i)
                for (int k = 0; k < image.height(); ++k)
                    if (image.pixel(i, k) != image.pixel(0, k))
                        return true;
            return false;
        };
        const auto seen = [&](int row) {
            return QStringLiteral("%1%2").arg(inked(row, 1, icon - 5) ? QLatin1String("time ")
                                                                      : QLatin1String(),
                                              inked(row, icon, 14) ? QLatin1String("icon") : QLatin1String());
        };
        view.setFollowing(false);
        QScrollBar& bar = *view.verticalScrollBar();
        bar.setValue(view.visualRect(model.index(first)).top() + bar.value());
        QCOMPARE(seen(first), QStringLiteral("time "));
        QCOMPARE(seen(first + 1), QStringLiteral("icon"));
        QCOMPARE(seen(first + 2), QString());
        QCOMPARE(seen(first + 3), QString());
        QCOMPARE(seen(first + 4), QStringLiteral("time icon"));
        QCOMPARE(seen(first + 5), QStringLiteral("time icon")); // no answer: each is a record of its own
        QTest::mouseMove(view.viewport(), view.visualRect(model.index(first + 3)).center());
        QTRY_COMPARE(seen(first + 3), QStringLiteral("time icon"));
        QCOMPARE(seen(first + 2), QString());
        QTest::mouseMove(view.viewport(), view.visualRect(model.index(first + 5)).center());
        QTRY_COMPARE(seen(first + 3), QString());
        bar.setValue(bar.value() + view.visualRect(model.index(first + 2)).top());
        QCOMPARE(view.visualRect(model.index(first + 2)).top(), 0);
        QCOMPARE(seen(first + 2), QStringLiteral("time icon"));
        QCOMPARE(seen(first + 3), QString());
        bar.setValue(bar.value() + 3); // it is cut: the next one says it
        QCOMPARE(seen(first + 3), QStringLiteral("time icon"));
    }

    void linksAreFollowedByMouseAndMenu() {
        Fixture f;
        LinkNames names;
        names.isEntity = [](const QString& name) { return name == QLatin1String("crate_1"); };
        f.panel->setLinkNames(std::move(names));
        QSignalSpy followed(f.panel, &ConsolePanel::linkActivated);
        f.log.warning("break", "#345 Damage to crate_1 (entities.toml:12)");
        f.log.info("sim", "sim.gravity was set");
        QVERIFY(f.waitFor("sim.gravity was set"));
        int row = -1;
        for (int i = 0; i < f.panel->model().rowCount(); ++i)
            if (f.panel->model().at(i).text.startsWith(QLatin1String("#345")))
                row = i;
        QCOMPARE(f.view().linksOf(row).size(), std::size_t(3));
        // Across the row: what is clicked, in order, is what was found.
        const QRect rect = f.view().visualRect(f.panel->model().index(row));
        QStringList targets;
        for (int x = rect.left(); x < rect.right(); x += 3) {
            QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {}, QPoint(x, rect.center().y()));
            while (!followed.isEmpty()) {
                const QString target = followed.takeFirst().at(0).value<LogLink>().target;
                if (targets.isEmpty() || targets.last() != target)
                    targets.append(target);
            }
        }
        QCOMPARE(targets, (QStringList{QStringLiteral("345"), QStringLiteral("crate_1"),
                                       QStringLiteral("entities.toml:12")}));
        const std::unique_ptr<QMenu> menu(f.view().menuFor(row));
        QStringList texts;
        for (QAction* action : menu->actions())
            if (!action->isSeparator())
                texts.append(action->text());
        QCOMPARE(texts, (QStringList{QStringLiteral("Show message #345"), QStringLiteral("Select crate_1"),
                                     QStringLiteral("Open entities.toml:12"), QStringLiteral("Copy")}));
        menu->actions().at(1)->trigger();
        QCOMPARE(followed.takeFirst().at(0).value<LogLink>().kind, LinkKind::Entity);
        // A command is explained.
        f.log.info("sim", "echo is a command");
        QVERIFY(f.waitFor("echo is a command"));
        const std::vector<LogLink> commands = f.view().linksOf(f.panel->model().rowCount() - 1);
        QCOMPARE(commands.size(), std::size_t(1));
        QCOMPARE(commands[0].kind, LinkKind::Command);
        const std::unique_ptr<QMenu> explain(f.view().menuFor(f.panel->model().rowCount() - 1));
        QCOMPARE(explain->actions().at(0)->text(), QStringLiteral("Explain echo"));
        explain->actions().at(0)->trigger();
        QVERIFY(f.waitFor("Prints its input and its arguments."));
        QVERIFY(followed.isEmpty());
        // A CVar is shown here.
        const std::unique_ptr<QMenu> other(f.view().menuFor(row + 1));
        other->actions().at(0)->trigger();
        QVERIFY(followed.isEmpty());
        QVERIFY(f.panel->isTableShown());
        QCOMPARE(f.panel->table()->view().currentIndex().siblingAtColumn(CVarModel::Name).data().toString(),
                 QStringLiteral("sim.gravity"));
    }

    void linksArePreviewedUnderTheMouse() {
        Fixture f;
        f.log.info("sim", "sim.gravity was set");
        QVERIFY(f.waitFor("sim.gravity was set"));
        const int row = f.panel->model().rowCount() - 1;
        const QRect rect = f.view().visualRect(f.panel->model().index(row));
        QString seen;
        for (int x = rect.left(); x < rect.right() && seen.isEmpty(); x += 8) {
            const QPoint at(x, rect.center().y());
            QMouseEvent move(QEvent::MouseMove, at, f.view().viewport()->mapToGlobal(at), Qt::NoButton, {},
                             {});
            QApplication::sendEvent(f.view().viewport(), &move);
            QHelpEvent help(QEvent::ToolTip, at, f.view().viewport()->mapToGlobal(at));
            QApplication::sendEvent(f.view().viewport(), &help);
            seen = QToolTip::text();
            if (!seen.isEmpty())
                QCOMPARE(f.view().viewport()->cursor().shape(), Qt::PointingHandCursor);
        }
        QCOMPARE(seen, QStringLiteral("sim.gravity = 9.81 m/s²\nPull on every body."));
        // Beside the link there is nothing to say.
        const QPoint beside(rect.right() - 4, rect.center().y());
        QHelpEvent help(QEvent::ToolTip, beside, f.view().viewport()->mapToGlobal(beside));
        QApplication::sendEvent(f.view().viewport(), &help);
        QTRY_VERIFY(QToolTip::text().isEmpty());
    }

    void aSelectorShowsWhenThereAreSeveralTargets() {
        Fixture f;
        auto* target = f.child<QComboBox>("console.target");
        QTRY_COMPARE(target->count(), 1);
        QVERIFY(!target->isVisible());
        f.targets.add({"client1", "A client.", [](const std::string&, WriteReach) {}});
        QTRY_VERIFY(target->isVisible());
        QCOMPARE(target->count(), 3);
        QCOMPARE(target->currentText(), QStringLiteral("local"));
        f.type("echo a");
        f.key(Qt::Key_Return);
        QVERIFY(f.sent.isEmpty());
        target->setCurrentText(QStringLiteral("client1"));
        emit target->activated(1);
        f.type("echo b; @local echo c");
        f.key(Qt::Key_Return);
        QCOMPARE(f.sent, (QStringList{QStringLiteral("client1: echo b"), QStringLiteral("local: echo c")}));
        QCOMPARE(f.panel->history().last(), QStringLiteral("echo b; @local echo c"));
        // It goes: lines run here again.
        f.targets.remove("client1");
        QTRY_VERIFY(!target->isVisible());
        QCOMPARE(f.backend.target(), QStringLiteral("local"));
        f.sent.clear();
        f.type("echo d");
        f.key(Qt::Key_Return);
        QVERIFY(f.sent.isEmpty());
    }

    void thePromptSaysWhereLinesRun() {
        Fixture f;
        auto* target = f.child<QComboBox>("console.target");
        // The greatest difference from the ground, right of `from` and left of `to`: words are smoothed, their colour is mixed with it.
        const auto strongest = [&](int from, int to) {
            const QImage image = f.input().grab().toImage();
            const QColor behind = f.theme.color(Token::Raised);
            std::array<int, 3> most{};
            const auto size = [](const std::array<int, 3>& d) {
                return std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]);
            };
            for (int y = 4; y < image.height() - 4; ++y)
                for (int x = from; x < to; ++x) {
                    const QColor seen = image.pixelColor(x, y);
                    const std::array<int, 3> d{seen.red() - behind.red(), seen.green() - behind.green(),
                                               seen.blue() - behind.blue()};
                    most = size(d) > size(most) ? d : most;
                }
            return most;
        };
        const auto isOf = [&](const QColor& color,
                              const std::array<int, 3>& seen) { // the same way from the ground
            const QColor behind = f.theme.color(Token::Raised);
            const std::array<int, 3> d{color.red() - behind.red(), color.green() - behind.green(),
                                       color.blue() - behind.blue()};
            double dot = 0.0;
            double a = 0.0;
            double b = 0.0;
            for (std::size_t i = 0; i < 3; ++i) {
                dot += d[i] * seen[i];
                a += d[i] * d[i];
                b += seen[i] * seen[i];
            }
            return b > 900.0 && dot > 0.97 * std::sqrt(a * b);
        };
        // One world, no choice: nothing but the mark.
        QVERIFY(f.input().target().isEmpty());
        const int alone = f.input().textMargins().left();
        f.targets.add({"client1", "A client.", [](const std::string&, WriteReach) {}});
        QTRY_COMPARE(f.input().target(), QStringLiteral("local"));
        QCOMPARE(f.input().accessibleDescription(), QStringLiteral("Lines run in local"));
        QVERIFY(f.input().textMargins().left() > alone);
        for (const auto& [row, name] :
             {std::pair(1, "client1"), std::pair(2, "all"), std::pair(0, "local")}) {
            target->setCurrentIndex(row);
            emit target->activated(row);
            QCOMPARE(f.input().target(), QString::fromLatin1(name));
            const int words = f.input().fontMetrics().horizontalAdvance(QString::fromLatin1(name));
            QCOMPARE(f.input().textMargins().left(), alone + words + measure::RelatedGap);
            // In the colour that this peer has everywhere, where it can be read; before the mark, and what is typed behind both.
            for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
                f.theme.setMode(mode);
                const QColor behind = f.theme.color(Token::Raised);
                const QColor color = row == 2 ? f.theme.color(Token::Text)
                                              : f.theme.readable(f.theme.peer(row), behind);
                f.input().clear();
                const int mark = f.input().textMargins().left() - 16;
                QVERIFY2(isOf(color, strongest(4, mark)), name);
                QVERIFY2(isOf(f.theme.color(Token::Accent), strongest(mark, mark + 16)), name);
            }
        }
        // What is searched is the history, whosever lines they were.
        f.key(Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(f.input().textMargins().left(), alone);
        f.key(Qt::Key_Escape);
        QVERIFY(f.input().textMargins().left() > alone);
        // A long name leaves room for the line.
        f.targets.add({std::string(300, 'x'), "Long.", [](const std::string&, WriteReach) {}});
        QTRY_COMPARE(target->count(), 4);
        target->setCurrentIndex(2);
        emit target->activated(2);
        QCOMPARE(f.input().target().size(), qsizetype(300));
        QVERIFY(f.input().textMargins().left() <= f.input().width() / 3 + alone + measure::RelatedGap);
        // It goes, and so does the other: the own world without a choice.
        f.targets.remove(std::string(300, 'x'));
        QTRY_COMPARE(f.input().target(), QStringLiteral("local"));
        f.targets.remove("client1");
        QTRY_VERIFY(f.input().target().isEmpty());
        QCOMPARE(f.input().textMargins().left(), alone);
        QVERIFY(f.input().accessibleDescription().isEmpty());
    }

    void everyControlHasANameAndAnAccessibleName() {
        Fixture f;
        const auto buttons = f.panel->findChildren<QAbstractButton*>();
        for (const QAbstractButton* made : buttons) {
            if (made->objectName().startsWith(QStringLiteral("qt_"))
                || qobject_cast<QLineEdit*>(made->parent()) != nullptr)
                continue;
            QVERIFY2(!made->objectName().isEmpty(), qPrintable(made->text()));
            QVERIFY2(!made->accessibleName().isEmpty() || !made->text().isEmpty(),
                     qPrintable(made->objectName()));
        }
        QCOMPARE(f.input().objectName(), QStringLiteral("console.input"));
        QVERIFY(!f.input().accessibleName().isEmpty());
        QVERIFY(!f.view().accessibleName().isEmpty());
    }

    void actionsGoToTheRegistry() {
        Fixture f;
        ActionRegistry registry(f.theme);
        f.panel->addActions(registry);
        f.log.info("sim", "x");
        QVERIFY(f.waitFor("x"));
        QVERIFY(registry.trigger(QStringLiteral("console.pause")).ok());
        QVERIFY(f.panel->isPaused());
        QVERIFY(registry.trigger(QStringLiteral("console.clear")).ok());
        QVERIFY(f.rows().isEmpty());
    }

    void answersAfterThePanelDiedAreHarmless() {
        Log log;
        Console console(log);
        EngineConsoleBackend::Done later;
        {
            EngineConsoleBackend backend(
                console, log, [&](std::string, EngineConsoleBackend::Done done) { later = std::move(done); });
            backend.submit(QStringLiteral("echo"));
        }
        later(ConsoleReply());
    }
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
