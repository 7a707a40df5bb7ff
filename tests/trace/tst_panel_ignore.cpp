// Ignoring messages in the panel, by keys, clicks and the menu: what is drawn, copied, exported and said.

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

#include "tests/trace/panel_bench.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_details.h"

#include <algorithm>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

struct Bench : PanelKeysBench {
    explicit Bench(const Theme& theme) : PanelKeysBench(theme, TraceStore(), 400) {
        panel->view().setFocus();
    }
    void choose(const std::vector<int>& rows) {
        QItemSelectionModel& selected = *panel->view().selectionModel();
        selected.clearSelection();
        for (const int row : rows)
            selected.select(model().index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    void toggle() { QTest::keyClick(&panel->view(), Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier); }
    // Rows that are ignored.
    std::vector<int> ignored() {
        std::vector<int> rows;
        for (int row = 0; row < model().rowCount(); ++row)
            if (model().isIgnored(row))
                rows.push_back(row);
        return rows;
    }
    QString status() const { return panel->findChild<QLabel*>(QStringLiteral("trace.status"))->text(); }
};

// Answers the next file dialog.
void answerWith(const QString& file) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, file] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr)
            return;
        timer->deleteLater();
        timer->stop();
        dialog->selectFile(file);
        QMetaObject::invokeMethod(dialog, "accept");
    });
    timer->start(0);
}

} // namespace

class TestPanelIgnore : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    // The key ignores what is selected, and again on it no more; of a mixture all become ignored.
    void theKeyIgnoresWhatIsSelected() {
        Bench b(*m_theme);
        b.run(10);
        QVERIFY(b.actions.conflicts().empty());
        const QSignalSpy problems(b.panel.get(), &TracePanel::problem);
        b.toggle();
        QCOMPARE(problems.count(), 1); // nothing is selected
        b.choose({4, 8});
        b.toggle();
        QCOMPARE(b.ignored(), (std::vector<int>{4, 8}));
        QTRY_VERIFY(b.status().contains(QStringLiteral("2 ignored.")));
        b.choose({8, 9, 10});
        b.toggle();
        QCOMPARE(b.ignored(), (std::vector<int>{4, 8, 9, 10}));
        b.toggle();
        QCOMPARE(b.ignored(), std::vector<int>{4});
        emit b.panel->findChild<QLabel*>(QStringLiteral("trace.status"))
            ->linkActivated(QStringLiteral("heed"));
        QVERIFY(b.ignored().empty());
        QTRY_VERIFY(!b.status().contains(QStringLiteral("ignored")));
        QCOMPARE(problems.count(), 1);
    }

    // A range by Shift begins at the row that a key or a jump has chosen last, not where there was a click, and goes either way.
    void rangesByKeys() {
        Bench b(*m_theme);
        b.run(10);
        TraceView& view = b.panel->view();
        const auto press = [&view](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
            QTest::keyClick(&view, key, modifiers);
        };
        const auto selected = [&] {
            std::vector<int> rows;
            for (const QModelIndex& index : view.selectionModel()->selectedRows())
                rows.push_back(index.row());
            std::sort(rows.begin(), rows.end());
            return rows;
        };
        view.showRow(40);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.visualRect(b.model().index(40, TraceModel::Type)).center());
        press(Qt::Key_Home);
        press(Qt::Key_Down);
        press(Qt::Key_Down, Qt::ShiftModifier);
        press(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(selected(), (std::vector<int>{1, 2, 3}));
        press(Qt::Key_Down);
        QCOMPARE(selected(), std::vector<int>{4});
        press(Qt::Key_Up, Qt::ShiftModifier);
        press(Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(selected(), (std::vector<int>{2, 3, 4}));
        press(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(selected(), (std::vector<int>{3, 4}));
        b.panel->goTo(b.model().sequence(30));
        QCOMPARE(selected(), std::vector<int>{30});
        press(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(selected(), (std::vector<int>{30, 31}));
        b.toggle();
        QCOMPARE(b.ignored(), (std::vector<int>{30, 31}));
    }

    // One that is not selected is asked about by itself, a selected one for all that are.
    void theMenuOfARow() {
        Bench b(*m_theme);
        b.run(10);
        b.choose({2, 3});
        QCOMPARE(b.trigger(7, "ignore"), QStringLiteral("Ignore"));
        QCOMPARE(b.ignored(), std::vector<int>{7});
        QCOMPARE(b.trigger(3, "ignore"), QStringLiteral("Ignore"));
        QCOMPARE(b.ignored(), (std::vector<int>{2, 3, 7}));
        QCOMPARE(b.trigger(2, "ignore"), QStringLiteral("Ignore no more"));
        QCOMPARE(b.ignored(), std::vector<int>{7});
        b.panel->setFilterText(QStringLiteral("type == Damage"));
        b.model().catchUp();
        const int shown = b.model().rowCount();
        QCOMPARE(b.trigger(0, "ignoreShown"), QStringLiteral("Ignore all rows shown"));
        b.panel->setFilterText({});
        b.model().catchUp();
        for (int row = 0; row < b.model().rowCount(); ++row)
            QCOMPARE(b.model().isIgnored(row),
                     row == 7 || b.model().context().type(b.model().record(row)).name == "Damage");
        QVERIFY(shown > 3);
        QCOMPARE(b.trigger(0, "ignoreNone"), QStringLiteral("Ignore none"));
        QVERIFY(b.ignored().empty());
        const std::unique_ptr<QMenu> menu(b.panel->menuFor(0));
        QVERIFY(!menu->findChild<QAction*>(QStringLiteral("trace.menu.ignoreNone"))->isEnabled());
    }

    // The menu is open while another run begins: what it was about is gone, and nothing else is ignored for it.
    void aRunThatEndsUnderTheMenu() {
        Bench b(*m_theme);
        b.run(10);
        const std::unique_ptr<QMenu> menu(b.panel->menuFor(3));
        b.yard.beginRun();
        b.run(10);
        menu->findChild<QAction*>(QStringLiteral("trace.menu.ignore"))->trigger();
        QVERIFY(b.ignored().empty());
        QCOMPARE(b.model().ignored().count(), std::uint64_t(0));
    }

    // On a line of collapsed repeats the key ignores all of them, whether it is open or not; on one of the rows below it, that row alone.
    void repeatsAreIgnoredTogether() {
        Bench b(*m_theme);
        b.yard.send(Died{}, 3, 5, 0, {});
        for (int i = 0; i < 40; ++i)
            b.yard.send(Contact{Vec3(0.0F), static_cast<float>(i)}, 32, 4, 0, {});
        b.yard.send(Died{}, 3, 6, 0, {});
        b.yard.recorder.seal();
        b.model().setCollapsing(true);
        b.model().catchUp();
        TraceView& view = b.panel->view();
        QCOMPARE(view.lines().count(), 3);
        QTest::keyClick(&view, Qt::Key_Home);
        QTest::keyClick(&view, Qt::Key_Down);
        b.toggle();
        QCOMPARE(b.ignored().size(), std::size_t(40));
        QVERIFY(!b.model().isIgnored(0) && !b.model().isIgnored(41));
        b.toggle();
        QVERIFY(b.ignored().empty());
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.lines().count(), 43);
        b.toggle();
        QCOMPARE(b.ignored().size(), std::size_t(40));
        b.toggle();
        QTest::keyClick(&view, Qt::Key_Down);
        b.toggle();
        QCOMPARE(b.ignored(), std::vector<int>{1});
    }

    // Its words are fainter than those of others, can still be read, and have neither orange nor red; the marks stay.
    void drawnFaintly() {
        for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
            m_theme->setMode(mode);
            Bench b(*m_theme);
            b.yard.injected = true; // which has an orange sign of its own
            b.yard.send(Damage{}, 32, 3, 0, {{Yard::Shield, -5, HandlerResult::Consumed}});
            b.yard.send(Damage{}, 32, 4, 0, {}); // nobody acted
            b.yard.injected = false;
            b.yard.send(Died{}, 3, 4, 0, {});
            b.yard.recorder.seal();
            b.model().catchUp();
            TraceView& view = b.panel->view();
            struct Look {
                double contrast = 1.0; // of the strongest word
                bool warm = false;
            };
            const auto look = [&](int row) {
                const QImage image = view.viewport()->grab().toImage();
                const QColor ground = m_theme->color(Token::Surface);
                const QRect line = view.visualRect(b.model().index(row, TraceModel::Number));
                Look out;
                for (int y = line.top() + 2; y < line.bottom(); ++y)
                    for (int x = 4; x < view.header().length() && x < image.width(); ++x) {
                        const QColor at = image.pixelColor(x, y);
                        out.contrast = std::max(out.contrast, contrastRatio(at, ground));
                        const int hue = at.hslHue();
                        out.warm =
                            out.warm || (at.hslSaturation() > 90 && (hue >= 0 && (hue < 50 || hue > 330)));
                    }
                return out;
            };
            for (const int row : {0, 1}) {
                const Look plain = look(row);
                QVERIFY(plain.warm);
                b.choose({row});
                b.toggle();
                view.clearSelection();
                const Look faint = look(row);
                QVERIFY(!faint.warm);
                QVERIFY2(faint.contrast < plain.contrast / 1.5 && faint.contrast > 2.0,
                         qPrintable(QString::number(faint.contrast)));
                QCOMPARE(b.model().index(row, TraceModel::Outcome).data().toString(),
                         QStringLiteral("ignored"));
            }
            const QImage before = view.viewport()->grab().toImage();
            b.model().marks().setMarked({1}, true);
            QVERIFY(view.viewport()->grab().toImage() != before);
            // The text that is looked for is not washed where the search passes it over.
            b.model().marks().clearMarked();
            const QImage unsought =
                view.viewport()->grab(view.visualRect(b.model().index(0, TraceModel::Type))).toImage();
            view.setSoughtText(QStringLiteral("damage"));
            QCOMPARE(view.viewport()->grab(view.visualRect(b.model().index(0, TraceModel::Type))).toImage(),
                     unsought);
        }
        m_theme->setMode(ThemeMode::Dark);
    }

    void theDetailsSayIt() {
        Bench b(*m_theme);
        b.run(10);
        b.panel->goTo(b.model().sequence(5));
        QVERIFY(!b.panel->details().toPlainText().contains(QStringLiteral("You ignore")));
        b.toggle();
        QVERIFY(b.panel->details().toPlainText().contains(QStringLiteral("You ignore this message")));
        b.model().ignored().clear();
        QVERIFY(!b.panel->details().toPlainText().contains(QStringLiteral("You ignore")));
    }

    // Of what is selected, only what counts; if nothing does, the clipboard stays as it is.
    void copiesLeaveThemOut() {
        Bench b(*m_theme);
        b.run(5);
        const QSignalSpy problems(b.panel.get(), &TracePanel::problem);
        QSignalSpy said(b.panel.get(), &TracePanel::said);
        b.choose({1, 2, 4});
        b.toggle();
        b.choose({0, 1, 2, 3, 4, 5});
        const auto copied = [&](const char* as) {
            b.trigger(0, as);
            return QApplication::clipboard()->text();
        };
        QStringList lines;
        QStringList numbers;
        for (const int row : {0, 3, 5}) {
            lines.append(b.model().context().line(b.model().record(row)));
            numbers.append(QString::number(b.model().sequence(row)));
        }
        QTest::keyClick(&b.panel->view(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts), lines);
        QCOMPARE(said.count(), 1);
        QCOMPARE(said[0][0].toString(),
                 QStringLiteral("3 messages were copied; 3 that are ignored were left out."));
        QCOMPARE(copied("copyJson").count(QLatin1Char('\n')), 3);
        QCOMPARE(copied("copyCsv").count(QStringLiteral("\r\n")), 4);
        QCOMPARE(copied("copyFilter"),
                 QStringLiteral("sequence in (%1)").arg(numbers.join(QStringLiteral(", "))));
        const QString before = QApplication::clipboard()->text();
        b.choose({1, 2});
        QTest::keyClick(&b.panel->view(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), before);
        QCOMPARE(problems.count(), 1);
    }

    void theExportSaysHowManyItLeftOut() {
        Bench b(*m_theme);
        b.run(5);
        const QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("some.jsonl"));
        QSignalSpy problems(b.panel.get(), &TracePanel::problem);
        QSignalSpy said(b.panel.get(), &TracePanel::said);
        b.choose({1, 2, 4});
        b.toggle();
        answerWith(file);
        QVERIFY(b.actions.trigger(QStringLiteral("trace.export")).ok());
        QTRY_COMPARE(said.count(), 1);
        QCOMPARE(said[0][0].toString(),
                 QStringLiteral("%1 messages, without 3 that are ignored, written to %2")
                     .arg(b.model().rowCount() - 3)
                     .arg(file));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll().count('\n'), b.model().rowCount() - 3);
        // There is nothing left to write: no question is asked.
        QVERIFY(b.actions.trigger(QStringLiteral("trace.ignoreShown")).ok());
        QVERIFY(b.actions.trigger(QStringLiteral("trace.export")).ok());
        QCOMPARE(problems.count(), 1);
        QVERIFY2(problems[0][0].toString().contains(QStringLiteral("ignored")),
                 qPrintable(problems[0][0].toString()));
        QVERIFY(b.actions.trigger(QStringLiteral("trace.ignoreNone")).ok());
        QVERIFY(b.ignored().empty());
    }
};

QTEST_MAIN(TestPanelIgnore)
#include "tst_panel_ignore.moc"
