// The menu of a row: filters, breakpoints, and copies in every form.

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

#include "tests/trace/panel_bench.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_export.h"
#include "widgets/trace/trace_view.h"

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

class TestPanelMenu : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    void rowsAndFilterBecomeBreakpoints() {
        PanelBench b(*m_theme);
        b.run(3);
        QSignalSpy asked(b.panel.get(), &TracePanel::breakRequested);
        const RecordView record = b.panel->model().record(0);
        const QString type = QString::fromStdString(messageType(record.type()).name);
        b.trigger(0, "breakType");
        QCOMPARE(asked.takeFirst().at(0).toString(), QStringLiteral("type == ") + type);
        b.trigger(0, "breakReceiver");
        const QString filter = asked.takeFirst().at(0).toString();
        QVERIFY2(filter.startsWith(QStringLiteral("type == %1 and receiver == ").arg(type)),
                 qPrintable(filter));
        b.panel->setFilterText(filter);
        QVERIFY2(b.panel->filterProblem().isEmpty(), qPrintable(b.panel->filterProblem()));
        ActionRegistry actions(*m_theme);
        b.panel->addActions(actions);
        QVERIFY(actions.trigger(QStringLiteral("trace.breakOnFilter")).ok());
        QCOMPARE(asked.takeFirst().at(0).toString(), filter);
        b.panel->setFilterText({});
        QVERIFY(actions.trigger(QStringLiteral("trace.breakOnFilter")).ok());
        QVERIFY(asked.isEmpty());
    }

    void theMenuWritesFilters() {
        PanelBench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {{Yard::Shield, -5, HandlerResult::Consumed}});
        b.yard.send(Died{}, 3, 3, 1, {});
        b.yard.send(Say{}, -1, 3, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.trigger(0, "onlyType");
        QCOMPARE(b.panel->filterText(), QStringLiteral("type == Damage"));
        b.trigger(0, "onlyReceiver");
        QCOMPARE(b.panel->filterText(), QStringLiteral("type == Damage and receiver == crate_4"));
        b.trigger(0, "followSender");
        QCOMPARE(b.panel->filterText(), QStringLiteral("entity == phantom_9"));
        b.panel->setFilterText(QStringLiteral("phantom or crate"));
        b.trigger(0, "excludeType");
        QCOMPARE(b.panel->filterText(), QStringLiteral("(phantom or crate) and type != Damage"));
        b.panel->setFilterText({});
        b.trigger(1, "followChain");
        QCOMPARE(b.panel->filterText(), QStringLiteral("sequence in (1, 2)"));
        QCOMPARE(b.panel->model().rowCount(), 2);
        b.trigger(1, "cause");
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(1));
        QCOMPARE(b.selection.primary(), std::string("crate_4"));
    }

    // Whatever is under the pointer: what the cell says is at the top, and the menu has room in a window of 720 pixels.
    void theMenuIsShort() {
        PanelBench b(*m_theme);
        QAction picture(QStringLiteral("Messages as they pass"));
        b.panel->setPictureAction(&picture);
        b.yard.send(Damage{5.0F, Kind::Fire, Yard::entity(3)}, 32, 3, 0,
                    {{Yard::Shield, 0, HandlerResult::Consumed},
                     {Yard::Health, 10, HandlerResult::NotReached},
                     {Yard::Touch, 10, HandlerResult::NotReached}});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.panel->addFieldColumn(QStringLiteral("amount"));
        const auto lines = [](const QMenu& menu) {
            QStringList texts;
            for (const QAction* action : menu.actions())
                if (!action->isSeparator())
                    texts.append(action->text());
            return texts;
        };
        for (int column = -1; column < b.panel->model().columnCount(); ++column) {
            const std::unique_ptr<QMenu> menu(b.panel->menuFor(0, column));
            QVERIFY2(lines(*menu).size() <= 14, qPrintable(lines(*menu).join(QLatin1Char('\n'))));
            QVERIFY(menu->sizeHint().height() < 450);
            for (const QMenu* part : menu->findChildren<QMenu*>()) {
                QVERIFY2(!part->objectName().isEmpty() && !lines(*part).isEmpty(), qPrintable(part->title()));
                QVERIFY(lines(*part).size() <= 14);
            }
            // Where it was moved to, it is once.
            QSet<QString> names;
            for (const QAction* action : menu->findChildren<QAction*>())
                if (!action->objectName().isEmpty()) {
                    QVERIFY2(!names.contains(action->objectName()), qPrintable(action->objectName()));
                    names.insert(action->objectName());
                }
        }
        const auto first = [&](int column) {
            const std::unique_ptr<QMenu> menu(b.panel->menuFor(0, column));
            return QStringList(lines(*menu).mid(0, 2));
        };
        const auto pair = [](const char* one, const char* other) {
            return QStringList{QString::fromUtf8(one), QString::fromUtf8(other)};
        };
        QCOMPARE(first(TraceModel::Type), pair("Only Damage", "Exclude Damage"));
        QCOMPARE(first(TraceModel::Fields), pair("Only Damage", "Exclude Damage"));
        QCOMPARE(first(TraceModel::Sender), pair("Only from phantom_9", "Exclude from phantom_9"));
        QCOMPARE(first(TraceModel::Receiver), pair("Only to crate_4", "Exclude to crate_4"));
        QCOMPARE(first(TraceModel::ColumnCount), pair("Only amount 5.0", "Not amount 5.0"));
        const std::unique_ptr<QMenu> menu(b.panel->menuFor(0, -1, 1)); // the line of Health
        QCOMPARE(lines(*menu).front(), QStringLiteral("Only messages that did not reach Health"));
        QVERIFY(lines(*menu).size() <= 14);
    }

    // The fields of a message as conditions, both ways between two entities, and a chain over all its levels.
    void narrowsByFieldsPairsAndChains() {
        PanelBench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {});     // 1
        b.yard.send(Damage{7.5F, Kind::Ice, {}}, 3, 32, 1, {});      // 2, caused by 1
        b.yard.send(Say{Text("a \"b\" & c"), true, 4}, 3, 4, 2, {}); // 3, by 2
        b.yard.send(Died{}, 4, 4, 3, {});                            // 4, by 3
        b.yard.send(Damage{5.0F, Kind::Blunt, {}}, 33, 3, 0, {});    // 5
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        const auto chosen = [&](int row, const char* action) {
            b.panel->setFilterText({});
            b.panel->model().catchUp();
            b.trigger(row, action);
            b.panel->model().catchUp();
            QStringList numbers;
            for (int i = 0; i < b.panel->model().rowCount(); ++i)
                numbers.append(QString::number(b.panel->model().record(i).sequence()));
            return b.panel->filterProblem().isEmpty() ? numbers.join(QLatin1Char(' '))
                                                      : b.panel->filterProblem();
        };
        QCOMPARE(chosen(0, "fields.amount.only"), QStringLiteral("1 5"));
        QCOMPARE(b.panel->filterText(), QStringLiteral("fields.amount == 5.0"));
        QCOMPARE(chosen(1, "fields.amount.least"), QStringLiteral("2"));
        QCOMPARE(chosen(0, "fields.amount.most"), QStringLiteral("1 3 5"));
        QCOMPARE(chosen(1, "fields.kind.only"), QStringLiteral("2"));
        QCOMPARE(chosen(2, "fields.words.only"), QStringLiteral("3"));
        QCOMPARE(chosen(2, "fields.loud.only"), QStringLiteral("3"));
        QCOMPARE(chosen(0, "followPair"), QStringLiteral("1 2"));
        QCOMPARE(chosen(1, "followChain"), QStringLiteral("1 2 3 4"));
        QCOMPARE(chosen(4, "followChain"), QStringLiteral("5"));
    }

    void copies() {
        PanelBench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {{Yard::Shield, -5, HandlerResult::Consumed}});
        b.yard.send(Died{}, 3, 3, 1, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.click(0);
        b.trigger(0, "copyJson");
        const QJsonObject json = QJsonDocument::fromJson(QApplication::clipboard()->text().toUtf8()).object();
        QCOMPARE(json.value(QLatin1String("type")).toString(), QStringLiteral("Damage"));
        QCOMPARE(json.value(QLatin1String("receiver")).toString(), QStringLiteral("crate_4"));
        b.panel->view().selectAll();
        QTest::keyClick(&b.panel->view(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines =
            QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].contains(QLatin1String("consumed by Shield")));
    }

    // As CSV the same as in a file; as a filter what finds just these rows, in whatever order they were chosen.
    void copiesForATableAndAsAFilter() {
        PanelBench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {{Yard::Shield, -5, HandlerResult::Consumed}});
        b.yard.send(Say{Text("one, \"two\"\nthree"), true, 3}, -1, 3, 0, {});
        b.yard.send(Damage{2.5F, Kind::Ice, {}}, 32, 3, 0, {});
        b.yard.send(Damage{2.5F, Kind::Ice, {}}, 3, 32, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.panel->addFieldColumn(QStringLiteral("amount"));
        b.panel->model().marks().setComment(2, QStringLiteral("who, \"he\"?"));
        const auto copied = [&](const char* as) {
            b.trigger(0, as);
            return QApplication::clipboard()->text();
        };
        const auto shown = [&](const QString& filter) {
            b.panel->setFilterText(filter);
            b.panel->model().catchUp();
            QStringList numbers;
            for (int row = 0; row < b.panel->model().rowCount(); ++row)
                numbers.append(QString::number(b.panel->model().sequence(row)));
            return b.panel->filterProblem().isEmpty() ? numbers.join(QLatin1Char(' '))
                                                      : b.panel->filterProblem();
        };
        b.panel->view().selectAll();
        const QTemporaryDir dir;
        TraceExport file(b.panel->model(), dir.filePath(QStringLiteral("all.csv")), TraceExport::Format::Csv);
        file.setExtraColumns(b.panel->extraColumns());
        QVERIFY(file.start().ok());
        file.finish();
        QFile written(dir.filePath(QStringLiteral("all.csv")));
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QString csv = copied("copyCsv");
        QCOMPARE(csv, QString::fromUtf8(written.readAll()));
        QVERIFY(csv.contains(QStringLiteral("\"who, \"\"he\"\"?\"")));
        QVERIFY(csv.section(QStringLiteral("\r\n"), 0, 0).contains(QStringLiteral(",fields.amount,")));

        QItemSelectionModel& selection = *b.panel->view().selectionModel();
        const auto choose = [&](const std::vector<int>& rows) {
            selection.clearSelection();
            for (const int row : rows)
                selection.select(b.panel->model().index(row, 0),
                                 QItemSelectionModel::Select | QItemSelectionModel::Rows);
        };
        choose({3, 0});
        const QString both = copied("copyFilter");
        QCOMPARE(both, QStringLiteral("sequence in (1, 4)"));
        QCOMPARE(shown(both), QStringLiteral("1 4"));
        b.panel->setFilterText({});
        b.panel->model().catchUp();
        choose({0});
        const QString alike = copied("copyFilter");
        QCOMPARE(alike, QStringLiteral("type == Damage and sender == phantom_9 and receiver == crate_4"));
        QCOMPARE(shown(alike), QStringLiteral("1 3"));
        b.panel->setFilterText({});
        b.panel->model().catchUp();
        choose({1});
        QCOMPARE(shown(copied("copyFilter")), QStringLiteral("2")); // without a sender
    }

    // Nothing is put into the clipboard that would not do what it says.
    void tooManyRowsMakeNoFilter() {
        PanelBench b(*m_theme);
        b.run(60, 30);
        QVERIFY(b.panel->model().rowCount() > 1000);
        const QSignalSpy problems(b.panel.get(), &TracePanel::problem);
        QApplication::clipboard()->setText(QStringLiteral("before"));
        b.trigger(0, "copyFilter"); // nothing is selected
        b.panel->view().selectAll();
        b.trigger(0, "copyFilter");
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("before"));
        QCOMPARE(problems.count(), 1);
    }

    // Over a link, too: what belongs to web pages (copying a link's address) is not offered.
    void detailsHaveAMenuOfTheirOwn() {
        PanelBench b(*m_theme);
        b.yard.send(Contact{}, 32, 3, 0, {{Yard::Body, 0, HandlerResult::Passed}});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.click(0);
        TraceDetails& details = b.panel->details();
        QPoint link;
        for (int y = 0; y < details.viewport()->height() && link.isNull(); y += 4)
            for (int x = 0; x < details.viewport()->width() && link.isNull(); x += 4)
                if (details.anchorAt(QPoint(x, y)) == QStringLiteral("entity:phantom_9"))
                    link = QPoint(x, y);
        QVERIFY(!link.isNull());
        const auto offered = [&] {
            QStringList out;
            QTimer::singleShot(0, &details, [&] {
                auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                if (menu == nullptr)
                    return;
                for (const QAction* action : menu->actions())
                    out << action->text() + (action->isEnabled() ? QString() : QStringLiteral(" (off)"));
                menu->close();
            });
            QContextMenuEvent event(QContextMenuEvent::Mouse, link, details.viewport()->mapToGlobal(link));
            QApplication::sendEvent(details.viewport(), &event);
            return out;
        };
        QCOMPARE(offered(), (QStringList{QStringLiteral("Copy (off)"), QStringLiteral("Select all")}));
        details.selectAll();
        QCOMPARE(offered(), (QStringList{QStringLiteral("Copy"), QStringLiteral("Select all")}));
    }
};

QTEST_MAIN(TestPanelMenu)
#include "tst_panel_menu.moc"
