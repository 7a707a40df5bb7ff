// The columns of the list: which are shown, and who gets how much of the width.

#include <QApplication>
#include <QHeaderView>
#include <QMenu>
#include <QtTest>

#include "tests/event_loop.h"
#include "tests/trace/panel_bench.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_view.h"

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

class TestPanelColumns : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    void aSecondWorldShowsItsColumn() {
        PanelBench b(*m_theme);
        b.run(3);
        QVERIFY(b.panel->view().header().isSectionHidden(TraceModel::World));
        b.yard.world = b.yard.recorder.addWorld("client1");
        b.run(3);
        QTRY_VERIFY(!b.panel->view().header().isSectionHidden(TraceModel::World));
    }

    void columnsGrowToTheirTexts() {
        PanelBench b(*m_theme);
        b.yard.source.setLives([](std::string_view, EntityId entity) -> std::optional<EntityLife> {
            return entity == Yard::entity(3) ? std::optional(EntityLife{"shielded_crate_1234", 100426812})
                                             : std::nullopt;
        });
        b.panel->resize(1900, 300);
        QHeaderView& header = b.panel->view().header();
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {{Yard::Health, 0, HandlerResult::Passed}});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        const QString text = b.panel->model().index(0, TraceModel::Receiver).data().toString();
        QVERIFY2(text.endsWith(QStringLiteral("gone by 100426812")), qPrintable(text));
        const QFontMetrics metrics(m_theme->font(FontRole::Mono));
        QTRY_VERIFY(header.sectionSize(TraceModel::Receiver)
                    >= metrics.horizontalAdvance(text) + 2 * measure::PanelPadding);
        // From the fields' free room: the columns still fit.
        QVERIFY2(header.length() <= b.panel->view().viewport()->width(),
                 qPrintable(QString::number(header.length())));
        header.resizeSection(TraceModel::Receiver, 60);
        b.run(3);
        b.panel->setShownWorld(QStringLiteral("client 1")); // refreshes
        QCOMPARE(header.sectionSize(TraceModel::Receiver), 60);
    }

    // In a narrow list every column is in sight: those whose width no person has set become narrower, so that the fields have room.
    void aNarrowListShowsWholeRows() {
        PanelBench b(*m_theme);
        QHeaderView& header = b.panel->view().header();
        header.resizeSection(TraceModel::Type, 140);
        b.panel->resize(940, 300); // and the details beside it
        b.run(20);
        QTRY_VERIFY2(header.length() <= b.panel->view().viewport()->width(),
                     qPrintable(QString::number(header.length())));
        const QFontMetrics metrics(m_theme->font(FontRole::Mono));
        QVERIFY(header.sectionSize(TraceModel::Fields) > 32); // the least that a column has
        QVERIFY(header.sectionSize(TraceModel::Outcome)
                >= metrics.horizontalAdvance(QStringLiteral("passed")));
        QCOMPARE(header.sectionSize(TraceModel::Type), 140);
        // With room the names grow again.
        b.panel->resize(1900, 300);
        b.run(3);
        QTRY_VERIFY(header.sectionSize(TraceModel::Sender)
                    >= metrics.horizontalAdvance(QStringLiteral("phantom_10")) + 2 * measure::PanelPadding);
        QCOMPARE(header.sectionSize(TraceModel::Type), 140);
    }

    // A list as wide as that of a small window: the columns give way in the order of what a reader loses by it.
    void aNarrowListGivesWidthsByWorth() {
        PanelBench b(*m_theme);
        b.yard.source.setLives([](std::string_view, EntityId entity) -> std::optional<EntityLife> {
            return entity == Yard::entity(3) ? std::optional(EntityLife{"shielded_crate_1234", 812})
                                             : std::nullopt;
        });
        const TraceModel& model = b.panel->model();
        QHeaderView& header = b.panel->view().header();
        const QFontMetrics metrics(m_theme->font(FontRole::Mono));
        const auto widthOf = [&](const QString& text) {
            return metrics.horizontalAdvance(text) + 2 * measure::PanelPadding;
        };
        b.panel->resize(916, 300);
        const auto send = [&] {
            b.yard.send(
                Damage{5.0F, Kind::Fire, Yard::entity(3)}, 32, 3, 0,
                {{Yard::Shield, 0, HandlerResult::Consumed}, {Yard::Health, 10, HandlerResult::NotReached}});
            b.yard.recorder.seal();
            b.panel->model().catchUp();
            QVERIFY(test::catchesUp(*b.panel));
        };
        send();
        QTRY_VERIFY(header.isSectionHidden(TraceModel::Delivery));
        const auto fits = [&] { return header.length() <= b.panel->view().viewport()->width(); };
        QTRY_VERIFY(fits());
        const RecordView record = model.record(0);
        QCOMPARE(model.context().outcomeLine(record), QStringLiteral("consumed by Shield"));
        QCOMPARE(model.context().shortOutcome(record), QStringLiteral("by Shield"));
        QVERIFY(header.sectionSize(TraceModel::Outcome) >= widthOf(QStringLiteral("by Shield")) + 20);
        QVERIFY(header.sectionSize(TraceModel::Sender) >= widthOf(QStringLiteral("phantom_9"))); // whole
        QVERIFY(header.sectionSize(TraceModel::Receiver) >= widthOf(QStringLiteral("shielded_crate_1")));
        QVERIFY(header.sectionSize(TraceModel::Fields) >= widthOf(QStringLiteral("amount 5")));
        // With room the delivery is back, and goes again.
        b.panel->resize(1900, 300);
        QTRY_VERIFY(!header.isSectionHidden(TraceModel::Delivery));
        QTRY_VERIFY(header.sectionSize(TraceModel::Outcome) >= widthOf(QStringLiteral("consumed by Shield")));
        b.panel->resize(916, 300);
        QTRY_VERIFY(header.isSectionHidden(TraceModel::Delivery));
        // It is remembered that it was not a person who hid it.
        {
            TracePanel other(*m_theme, b.yard.source, b.selection);
            other.resize(1900, 300);
            other.restoreState(b.panel->saveState());
            QVERIFY(other.view().header().isSectionHidden(TraceModel::Delivery));
            other.show();
            b.yard.runTick(20);
            other.model().catchUp();
            QTRY_VERIFY(!other.view().header().isSectionHidden(TraceModel::Delivery));
        }
        // One that a person shows stays, and one that a person hides stays away.
        const auto toggle = [&] {
            const std::unique_ptr<QMenu> menu(b.panel->columnsMenu());
            menu->findChild<QAction*>(QStringLiteral("trace.columns.%1").arg(int(TraceModel::Delivery)))
                ->trigger();
        };
        toggle();
        send();
        QVERIFY(!header.isSectionHidden(TraceModel::Delivery));
        toggle();
        b.panel->resize(1900, 300);
        send();
        QTRY_VERIFY(header.sectionSize(TraceModel::Outcome) >= widthOf(QStringLiteral("consumed by Shield")));
        QVERIFY(header.isSectionHidden(TraceModel::Delivery));
    }

    // Other rows need other widths.
    void aFilterForgetsWhatOtherRowsNeeded() {
        PanelBench b(*m_theme);
        b.yard.source.setLives([](std::string_view, EntityId entity) -> std::optional<EntityLife> {
            return entity == Yard::entity(3) ? std::optional(EntityLife{"shielded_crate_1234", 100426812})
                                             : std::nullopt;
        });
        b.panel->resize(916, 300);
        b.yard.send(Damage{}, 32, 3, 0, {});
        b.yard.send(Contact{}, 32, 4, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        const QHeaderView& header = b.panel->view().header();
        QVERIFY(test::catchesUp(*b.panel));
        const int fields = header.sectionSize(TraceModel::Fields);
        b.panel->setFilterText(QStringLiteral("type == Contact"));
        b.panel->model().catchUp();
        QTRY_VERIFY(header.sectionSize(TraceModel::Fields) > fields);
    }
};

QTEST_MAIN(TestPanelColumns)
#include "tst_panel_columns.moc"
