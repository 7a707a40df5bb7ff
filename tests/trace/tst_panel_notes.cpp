// Finding, marking, commenting and saved filters in the panel, by keys and clicks.

#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QtTest>

#include "tests/event_loop.h"
#include "tests/trace/panel_bench.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_filters.h"
#include "widgets/trace/trace_mark_strip.h"
#include "widgets/trace/trace_search.h"
#include "widgets/trace/trace_search_bar.h"
#include "widgets/trace/trace_timeline.h"

#include <map>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

struct Bench : PanelKeysBench {
    using PanelKeysBench::PanelKeysBench;
    void click(std::uint64_t sequence) {
        const int row = panel->model().rowOfSequence(sequence);
        panel->view().showRow(row); // into sight
        const QRect rect = panel->view().visualRect(panel->model().index(row, TraceModel::Type));
        QTest::mouseClick(panel->view().viewport(), Qt::LeftButton, {}, rect.center());
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&panel->view(), key, modifiers); }
    template <typename T> T* find(const char* name) const { return panel->findChild<T*>(QLatin1String(name)); }
    std::uint64_t current() const { return selection.traceSequence(); }
    QColor colorAt(std::uint64_t sequence) const {
        const QRect row = panel->view().visualRect(panel->model().index(panel->model().rowOfSequence(sequence), TraceModel::Type));
        return panel->view().viewport()->grab().toImage().pixelColor(row.right() - 2, row.center().y());
    }
};

} // namespace

class TestPanelNotes : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    void theKeysOfThePanelAreFree() {
        Bench b(*m_theme);
        QVERIFY(b.actions.conflicts().empty());
    }

    // The button counts what deserves a look, shows it alone, and brings the filter back that stood there.
    void faultsHaveAButton() {
        Bench b(*m_theme);
        auto* const button = b.find<QToolButton>("trace.faults");
        QVERIFY(!button->isVisible());
        b.run(20);
        TraceModel& model = b.panel->model();
        int faults = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            switch (TraceContext::outcome(model.record(row))) {
            case RecordOutcome::Unhandled:
            case RecordOutcome::Short:
            case RecordOutcome::Gone:
            case RecordOutcome::NoListener:
            case RecordOutcome::CutOff:
                ++faults;
                break;
            default:
                break;
            }
        QVERIFY(faults > 0 && faults < model.rowCount());
        QTRY_VERIFY(button->isVisible());
        QCOMPARE(button->text(), QString::number(faults));
        // Each kind that the filter names, in words.
        static const std::map<QString, QString> Kinds{
            {QStringLiteral("unhandled"), QStringLiteral("nobody acted on them")},
            {QStringLiteral("short"), QStringLiteral("too few received them")},
            {QStringLiteral("gone"), QStringLiteral("their receiver was gone")},
            {QStringLiteral("unheard"), QStringLiteral("nobody listened for them")},
            {QStringLiteral("cut"), QStringLiteral("cut off as a loop")}};
        const QString list = TraceModel::faultsFilter().section(QLatin1Char('('), 1).chopped(1);
        const QStringList kinds = list.split(QStringLiteral(", "));
        QCOMPARE(kinds.size(), qsizetype(Kinds.size()));
        for (const QString& kind : kinds)
            QVERIFY2(Kinds.contains(kind) && button->toolTip().contains(Kinds.at(kind)), qPrintable(kind));
        b.panel->setFilterText(QStringLiteral("tick >= 3"));
        const int before = model.rowCount();
        QTest::mouseClick(button, Qt::LeftButton);
        model.catchUp();
        QCOMPARE(model.rowCount(), faults);
        QVERIFY(b.panel->filterProblem().isEmpty());
        QTRY_VERIFY(button->isChecked());
        QTest::mouseClick(button, Qt::LeftButton);
        model.catchUp();
        QCOMPARE(b.panel->filterText(), QStringLiteral("tick >= 3"));
        QCOMPARE(model.rowCount(), before);
        QTRY_VERIFY(!button->isChecked());
        b.panel->clear();
        QTRY_VERIFY(!button->isVisible());
    }

    void findGoesFromPlaceToPlace() {
        Bench b(*m_theme);
        b.run(20);
        b.panel->view().setFocus();
        QTRY_VERIFY(b.panel->view().hasFocus());
        QVERIFY(!b.panel->searchBar().isVisible());
        b.key(Qt::Key_F, Qt::ControlModifier);
        QLineEdit& edit = b.panel->searchBar().lineEdit();
        QTRY_VERIFY(edit.hasFocus());
        const int rows = b.panel->model().rowCount();
        QTest::keyClicks(&edit, QStringLiteral("SWINGS"));
        b.panel->search().finish();
        std::vector<std::uint64_t> hits;
        for (int row = 0; row < rows; ++row)
            if (b.panel->model().record(row).type() == messageIdOf<Say>())
                hits.push_back(b.panel->model().record(row).sequence());
        QVERIFY(hits.size() > 3);
        QCOMPARE(b.current(), std::uint64_t(0)); // typing alone goes nowhere
        QCOMPARE(b.panel->searchBar().countText(), QString::number(hits.size()));
        b.click(hits[1]);
        edit.setFocus();
        QTest::keyClick(&edit, Qt::Key_Return); // the row that is looked at counts at first
        QCOMPARE(b.current(), hits[1]);
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(b.current(), hits[2]);
        QCOMPARE(b.panel->searchBar().countText(), QStringLiteral("3 of %1").arg(hits.size()));
        QTest::keyClick(&edit, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(b.current(), hits[1]);
        QTest::keyClick(&edit, Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(b.current(), hits[0]);
        QVERIFY(b.panel->searchBar().noticeText().isEmpty());
        QTest::keyClick(&edit, Qt::Key_F3, Qt::ShiftModifier); // round the end
        QCOMPARE(b.current(), hits.back());
        QCOMPARE(b.panel->searchBar().noticeText(), QStringLiteral("Went on from the end"));
        QTest::keyClick(&edit, Qt::Key_F3);
        QCOMPARE(b.current(), hits.front());
        QCOMPARE(b.panel->searchBar().noticeText(), QStringLiteral("Went on from the top"));
        QCOMPARE(b.panel->model().rowCount(), rows); // nothing is filtered
        QVERIFY(edit.hasFocus());
        QTest::keyClick(&edit, Qt::Key_Escape);
        QVERIFY(!b.panel->searchBar().isVisible());
        QTRY_VERIFY(b.panel->view().hasFocus());
        b.key(Qt::Key_F3); // goes on from there, with the text before
        QVERIFY(b.panel->searchBar().isVisible() && b.panel->view().hasFocus());
        QCOMPARE(b.current(), hits[1]);
    }

    void keysBringTheRowIntoSight() {
        Bench b(*m_theme);
        b.run(30);
        const auto inSight = [&b] {
            const QRect row = b.panel->view().visualRect(b.panel->view().currentIndex());
            return row.top() >= 0 && row.bottom() < b.panel->view().viewport()->height();
        };
        b.key(Qt::Key_Home);
        QCOMPARE(b.current(), std::uint64_t(1));
        QVERIFY(inSight());
        b.key(Qt::Key_PageDown);
        b.key(Qt::Key_PageDown);
        QVERIFY(b.current() > 10 && inSight());
        b.key(Qt::Key_End);
        QVERIFY(inSight());
        const std::uint64_t last = b.current();
        b.run(10); // a chosen row stays where it is, also the last one
        QVERIFY(!b.panel->view().isFollowing());
        QCOMPARE(b.current(), last);
        QVERIFY(inSight());
    }

    // What is looked for is washed where rows show it.
    void foundTextIsSeen() {
        Bench b(*m_theme);
        b.run(20);
        b.panel->goTo(30);
        const auto picture = [&b] { return b.panel->view().viewport()->grab().toImage(); };
        b.panel->searchBar().start();
        const QImage before = picture();
        const auto look = [&](const char* text) {
            b.panel->searchBar().lineEdit().setText(QLatin1String(text));
            b.panel->search().finish();
            return picture();
        };
        QVERIFY(look("contact") != before);
        QCOMPARE(look("unicorn"), before);
        QVERIFY(look("CRATE_") != before);
        b.panel->searchBar().lineEdit().clear();
        QCOMPARE(picture(), before);
    }

    void whatIsNowhereIsSaid() {
        Bench b(*m_theme);
        b.run(5);
        b.key(Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(&b.panel->searchBar().lineEdit(), QStringLiteral("unicorn"));
        b.panel->search().finish();
        QCOMPARE(b.panel->searchBar().countText(), QStringLiteral("none"));
        QTest::keyClick(&b.panel->searchBar().lineEdit(), Qt::Key_Return);
        QCOMPARE(b.current(), std::uint64_t(0));
        b.yard.send(Say{Text("a Unicorn"), true, 1}, 1, 2, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.panel->search().finish();
        QTest::keyClick(&b.panel->searchBar().lineEdit(), Qt::Key_Return);
        QCOMPARE(b.current(), b.yard.sequence);
    }

    // A hidden column is not looked into.
    void hiddenColumnsAreNotSearched() {
        Bench b(*m_theme);
        b.run(20);
        b.key(Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(&b.panel->searchBar().lineEdit(), QStringLiteral("broadcast"));
        b.panel->search().finish();
        QVERIFY(b.panel->search().hits() > 0);
        b.panel->view().header().hideSection(TraceModel::Delivery);
        test::turn();
        b.panel->search().finish();
        QCOMPARE(b.panel->searchBar().countText(), QStringLiteral("none"));
        b.panel->view().header().showSection(TraceModel::Delivery);
        test::turn();
        b.panel->search().finish();
        QVERIFY(b.panel->search().hits() > 0);
    }

    void keysMarkAndGoFromMarkToMark() {
        Bench b(*m_theme);
        b.run(20);
        QSignalSpy said(b.panel.get(), &TracePanel::said);
        QSignalSpy problem(b.panel.get(), &TracePanel::problem);
        auto* only = b.find<QToolButton>("trace.markedOnly");
        QVERIFY(only != nullptr && !only->isVisible());
        b.key(Qt::Key_M, Qt::ControlModifier);
        QCOMPARE(problem.count(), 1); // nothing is selected
        b.key(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(problem.count(), 2); // nothing is marked
        for (const std::uint64_t sequence : {5U, 30U, 90U}) {
            b.click(sequence);
            b.key(Qt::Key_M, Qt::ControlModifier);
            QVERIFY(b.panel->model().marks().isMarked(sequence));
        }
        QVERIFY(only->isVisible());
        b.key(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(b.current(), std::uint64_t(5)); // round the end
        QCOMPARE(said.count(), 1);
        b.key(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(b.current(), std::uint64_t(30));
        b.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(b.current(), std::uint64_t(5));
        b.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(b.current(), std::uint64_t(90));
        QTest::mouseClick(only, Qt::LeftButton);
        b.panel->model().catchUp();
        QCOMPARE(b.panel->model().rowCount(), 3);
        // Something else that is asked for comes before what is hidden.
        b.panel->goTo(50);
        b.panel->model().catchUp();
        QCOMPARE(b.panel->model().rowCount(), static_cast<int>(b.panel->model().store().size()));
        QVERIFY(!only->isChecked());
        b.click(30);
        b.key(Qt::Key_M, Qt::ControlModifier);
        QVERIFY(!b.panel->model().marks().isMarked(30));
        // Several at once.
        b.click(40);
        QTest::keyClick(&b.panel->view(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&b.panel->view(), Qt::Key_Down, Qt::ShiftModifier);
        b.key(Qt::Key_M, Qt::ControlModifier);
        QVERIFY(b.panel->model().marks().isMarked(40) && b.panel->model().marks().isMarked(41) && b.panel->model().marks().isMarked(42));
    }

    void marksAreSeenInBothThemes() {
        for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
            m_theme->setMode(mode);
            Bench b(*m_theme);
            b.run(20);
            b.panel->goTo(60);
            const int top = b.panel->view().firstVisibleRow();
            const std::uint64_t plain = b.panel->model().record(top).sequence();
            const std::uint64_t marked = b.panel->model().record(top + 1).sequence();
            QCOMPARE(b.colorAt(marked), b.colorAt(plain));
            auto* strip = b.panel->view().verticalScrollBar()->findChild<TraceMarkStrip*>();
            QVERIFY(strip != nullptr);
            const QImage barBefore = b.panel->view().verticalScrollBar()->grab().toImage();
            const QImage lineBefore = b.panel->timeline().grab().toImage();
            b.panel->model().marks().setMarked({marked}, true);
            QVERIFY(b.colorAt(marked) != b.colorAt(plain));
            // Words stay readable on it.
            QVERIFY(contrastRatio(m_theme->color(Token::Text), b.colorAt(marked)) >= 7.0);
            QVERIFY(contrastRatio(m_theme->color(Token::Muted), b.colorAt(marked)) >= 4.5);
            const QImage barAfter = b.panel->view().verticalScrollBar()->grab().toImage();
            const int y = strip->yOf(b.panel->model().rowOfSequence(marked));
            QVERIFY(barAfter.pixelColor(3, y) != barBefore.pixelColor(3, y));
            QVERIFY(b.panel->timeline().grab().toImage() != lineBefore);
        }
        m_theme->setMode(ThemeMode::Dark);
    }

    // By keys and from the menu; where there is none, that is said. What is selected meanwhile is not taken away.
    void walksAConversation() {
        Bench b(*m_theme);
        b.yard.send(Damage{}, 32, 3, 0, {});  // 1
        b.yard.send(Contact{}, 32, 4, 0, {}); // 2
        b.yard.send(Died{}, 3, 32, 0, {});    // 3
        b.yard.send(Damage{}, 32, 3, 0, {});  // 4
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        QVERIFY(b.actions.conflicts().empty());
        QSignalSpy said(b.panel.get(), &TracePanel::said);
        b.click(1);
        b.key(Qt::Key_Period, Qt::ControlModifier);
        QCOMPARE(b.current(), std::uint64_t(3));
        QCOMPARE(b.selection.primary(), std::string("phantom_9"));
        b.key(Qt::Key_Period, Qt::ControlModifier);
        QCOMPARE(b.current(), std::uint64_t(4));
        QVERIFY(said.isEmpty());
        b.key(Qt::Key_Period, Qt::ControlModifier);
        QCOMPARE(b.current(), std::uint64_t(4));
        QCOMPARE(said.count(), 1);
        b.key(Qt::Key_Comma, Qt::ControlModifier);
        QCOMPARE(b.current(), std::uint64_t(3));
        const std::unique_ptr<QMenu> menu(b.panel->menuFor(2));
        auto* previous = menu->findChild<QAction*>(QStringLiteral("trace.menu.previous"));
        QVERIFY(previous != nullptr);
        previous->trigger();
        QCOMPARE(b.current(), std::uint64_t(1));
        b.click(2);
        b.key(Qt::Key_Comma, Qt::ControlModifier);
        QCOMPARE(said.count(), 2);
        QCOMPARE(b.current(), std::uint64_t(2));
    }

    void commentsAreWrittenAndShown() {
        Bench b(*m_theme);
        b.run(20);
        b.click(30);
        b.key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        auto* edit = b.find<QLineEdit>("trace.comment.text");
        QVERIFY(edit != nullptr && edit->isVisible());
        QTest::keyClicks(edit, QStringLiteral("too <b>late</b>"));
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(!edit->isVisible());
        QCOMPARE(b.panel->model().marks().comment(30), QStringLiteral("too <b>late</b>"));
        QVERIFY(b.panel->details().toPlainText().contains(QStringLiteral("too <b>late</b>")));
        const QRect row = b.panel->view().visualRect(b.panel->model().index(b.panel->model().rowOfSequence(30), TraceModel::Type));
        QHelpEvent help(QEvent::ToolTip, row.center(), b.panel->view().viewport()->mapToGlobal(row.center()));
        QApplication::sendEvent(b.panel->view().viewport(), &help);
        QVERIFY(QToolTip::text().contains(QStringLiteral("late")));
        QToolTip::hideText();
        // Esc leaves what was there.
        b.key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(edit->text(), QStringLiteral("too <b>late</b>"));
        QTest::keyClicks(edit, QStringLiteral("x"));
        QTest::keyClick(edit, Qt::Key_Escape);
        QCOMPARE(b.panel->model().marks().comment(30), QStringLiteral("too <b>late</b>"));
        b.key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        edit->clear();
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(b.panel->model().marks().comments().empty());
        QVERIFY(!b.panel->details().toPlainText().contains(QStringLiteral("late")));
    }

    // The run ends while the comment is typed: another message has that number now.
    void aCommentStaysWithItsRun() {
        Bench b(*m_theme);
        b.run(10);
        b.click(20);
        b.key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        auto* edit = b.find<QLineEdit>("trace.comment.text");
        b.yard.beginRun();
        b.run(10);
        QSignalSpy problem(b.panel.get(), &TracePanel::problem);
        QTest::keyClicks(edit, QStringLiteral("old"));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(problem.count(), 1);
        QVERIFY(b.panel->model().marks().comments().empty());
    }

    void timesAreCountedFromTheSelectedRow() {
        Bench b(*m_theme);
        b.run(20);
        b.click(30);
        const std::uint64_t tick = b.panel->model().store().at(*b.panel->model().store().rowOf(30)).tick();
        b.key(Qt::Key_T, Qt::ControlModifier);
        QCOMPARE(b.panel->model().marks().reference(), std::optional(TraceMarks::Reference{30, tick}));
        QCOMPARE(b.panel->model().index(b.panel->model().rowOfSequence(30), TraceModel::Tick).data().toString(), QStringLiteral("REF"));
        b.panel->goTo(90);
        QVERIFY(b.panel->details().toPlainText().contains(QStringLiteral("from #30")));
        b.panel->goTo(30);
        b.key(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(!b.panel->model().marks().reference());
    }

    // The signs of notes stand beside the number, and the title of the ticks is whole, however narrow the list is.
    void notesLeaveTheNumberWhole() {
        Bench b(*m_theme);
        b.panel->resize(916, 300);
        b.run(200, 20);
        b.yard.runTick(10);
        b.panel->model().catchUp();
        QHeaderView& header = b.panel->view().header();
        const std::uint64_t last = b.yard.sequence;
        const int row = b.panel->model().rowOfSequence(last);
        b.panel->view().showRow(row);
        QVERIFY(test::catchesUp(*b.panel));
        const QFontMetrics metrics(m_theme->font(FontRole::Mono));
        const auto needed = [&] {
            return metrics.horizontalAdvance(QString::number(last)) + b.panel->view().notesWidth(last)
                   + b.panel->view().indentOf(row, TraceModel::Number) + 2 * measure::PanelPadding;
        };
        QVERIFY(last > 1000);
        QTRY_VERIFY(header.sectionSize(TraceModel::Number) >= needed());
        const int bare = needed();
        b.panel->model().marks().setComment(last, QStringLiteral("late"));
        QVERIFY(needed() > bare);
        const int commented = needed();
        b.panel->model().marks().setMarked({last}, true);
        QVERIFY(needed() > commented);
        QTRY_VERIFY(header.sectionSize(TraceModel::Number) >= needed());
        const QFontMetrics titles(header.font());
        b.panel->model().marks().setReference(TraceMarks::Reference{last, b.yard.tick});
        QTRY_VERIFY(header.sectionSize(TraceModel::Tick)
                    >= titles.horizontalAdvance(QStringLiteral("Tick +/-")) + 2 * measure::PanelPadding);
        QVERIFY(header.length() <= b.panel->view().viewport()->width());
    }

    void theMenuOfARowOffersThem() {
        Bench b(*m_theme);
        b.run(20);
        const auto trigger = [&b](int row, const char* name) {
            const std::unique_ptr<QMenu> menu(b.panel->menuFor(row));
            auto* action = menu->findChild<QAction*>(QStringLiteral("trace.menu.") + QLatin1String(name));
            QVERIFY2(action, name);
            action->trigger();
        };
        trigger(8, "mark");
        QVERIFY(b.panel->model().marks().isMarked(b.panel->model().record(8).sequence()));
        trigger(8, "mark");
        QVERIFY(b.panel->model().marks().marked().empty());
        trigger(8, "reference");
        QCOMPARE(b.panel->model().marks().reference()->sequence, b.panel->model().record(8).sequence());
        trigger(8, "comment");
        auto* edit = b.find<QLineEdit>("trace.comment.text");
        QTest::keyClicks(edit, QStringLiteral("eight"));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(b.panel->model().marks().comment(b.panel->model().record(8).sequence()), QStringLiteral("eight"));
    }

    void savedFiltersAreAppliedWithAClickAndOutliveThePanel() {
        const QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("settings.ini"));
        {
            UserSettings settings(file);
            Bench b(*m_theme);
            b.panel->keepFilters(settings);
            b.run(20);
            auto* star = b.find<QToolButton>("trace.filters");
            auto* name = b.find<QLineEdit>("trace.filters.name");
            auto* problem = b.find<QLabel>("trace.filters.problem");
            QVERIFY(star && name && problem);
            b.panel->setFilterText(QStringLiteral("typ == Damage"));
            QTest::mouseClick(star, Qt::LeftButton);
            QTest::keyClicks(name, QStringLiteral("hits"));
            QTest::keyClick(name, Qt::Key_Return);
            QVERIFY2(problem->text().contains(QStringLiteral("type")), qPrintable(problem->text())); // what would be right
            QTest::keyClick(name, Qt::Key_Escape);
            b.panel->setFilterText(QStringLiteral("type == Damage"));
            QTest::mouseClick(star, Qt::LeftButton);
            QTest::keyClicks(name, QStringLiteral("hits"));
            QTest::keyClick(name, Qt::Key_Return);
            QCOMPARE(b.panel->savedFilters().filters().size(), 1);
        }
        UserSettings settings(file);
        Bench b(*m_theme);
        b.panel->keepFilters(settings);
        b.run(20);
        auto* table = b.find<QTreeView>("trace.filters.table");
        QTest::mouseClick(b.find<QToolButton>("trace.filters"), Qt::LeftButton);
        QVERIFY(table->isVisible());
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, TraceFilters::Name)).center());
        b.panel->model().catchUp();
        QCOMPARE(b.panel->filterText(), QStringLiteral("type == Damage"));
        QVERIFY(b.panel->filterProblem().isEmpty());
        for (int row = 0; row < b.panel->model().rowCount(); ++row)
            QCOMPARE(b.panel->model().record(row).type(), messageIdOf<Damage>());
    }
};

QTEST_MAIN(TestPanelNotes)
#include "tst_panel_notes.moc"
