// Filters kept under names in the user's settings.

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeView>
#include <QtTest>

#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"
#include "widgets/trace/trace_filters.h"

using namespace sbx::ui;

namespace {

// A filter of this test is wrong if it has a question mark.
QString faultIn(const QString& text) { return text.contains(QLatin1Char('?')) ? QStringLiteral("no '?' here") : QString(); }

} // namespace

class TestFilters : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme.apply(*qApp); }

    void theyOutliveTheProgram() {
        const QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("settings.ini"));
        const QList<SavedFilter> expected{{QStringLiteral("Fire, \"hot\""), QStringLiteral("fields.kind == fire and to ~ crate*")},
                                          {QStringLiteral("späte"), QStringLiteral("tick > 2s")}};
        {
            UserSettings settings(file);
            TraceFilters filters(m_theme, faultIn, nullptr);
            filters.keepIn(settings);
            QVERIFY(filters.filters().isEmpty());
            for (const SavedFilter& each : expected)
                QCOMPARE(filters.save(each.name, each.text), QString());
            QVERIFY(settings.save().ok()); // as soon as the event loop comes round, not only at the end
        }
        UserSettings settings(file);
        TraceFilters filters(m_theme, faultIn, nullptr);
        filters.keepIn(settings);
        QCOMPARE(filters.filters(), expected);
        filters.remove(0);
        QVERIFY(settings.save().ok());
        UserSettings after(file);
        TraceFilters left(m_theme, faultIn, nullptr);
        left.keepIn(after);
        QCOMPARE(left.filters(), expected.mid(1));
    }

    void whatIsWrongIsNotSaved() {
        TraceFilters filters(m_theme, faultIn, nullptr);
        QVERIFY(filters.save(QStringLiteral("a"), QStringLiteral("x ? y")).contains(QStringLiteral("no '?' here")));
        QVERIFY(filters.save(QStringLiteral("  "), QStringLiteral("x")).contains(QStringLiteral("name")));
        QVERIFY(filters.save(QStringLiteral("a"), QStringLiteral("  ")).contains(QStringLiteral("empty")));
        QVERIFY(filters.filters().isEmpty());
        QCOMPARE(filters.save(QStringLiteral("a"), QStringLiteral("x")), QString());
        QCOMPARE(filters.save(QStringLiteral("A "), QStringLiteral("y")), QString()); // replaces
        QCOMPARE(filters.filters(), (QList<SavedFilter>{{QStringLiteral("A"), QStringLiteral("y")}}));
    }

    void theListSavesAppliesAndDeletes() {
        TraceFilters filters(m_theme, faultIn, nullptr);
        const QSignalSpy chosen(&filters, &TraceFilters::chosen);
        QWidget anchor;
        anchor.resize(40, 20);
        anchor.show();
        auto* name = filters.findChild<QLineEdit*>(QStringLiteral("trace.filters.name"));
        auto* save = filters.findChild<QPushButton*>(QStringLiteral("trace.filters.save"));
        auto* table = filters.findChild<QTreeView*>(QStringLiteral("trace.filters.table"));
        auto* problem = filters.findChild<QLabel*>(QStringLiteral("trace.filters.problem"));
        QVERIFY(name && save && table && problem);
        filters.popUp(anchor, QStringLiteral("bad ?"));
        auto* none = filters.findChild<QLabel*>(QStringLiteral("trace.filters.none"));
        QVERIFY(filters.isVisible() && none->isVisible());
        QCOMPARE(table->model()->rowCount(), TraceFilters::builtIn().size());
        QTest::keyClicks(name, QStringLiteral("one"));
        QTest::mouseClick(save, Qt::LeftButton);
        QVERIFY(filters.isVisible() && problem->isVisible());
        QVERIFY(problem->text().contains(QStringLiteral("no '?' here")));
        filters.hide();
        for (const char* each : {"one", "two", "three"}) {
            filters.popUp(anchor, QStringLiteral("to ~ ") + QLatin1String(each));
            QVERIFY(!problem->isVisible());
            QTest::keyClicks(name, QLatin1String(each));
            QTest::keyClick(name, Qt::Key_Return);
            QVERIFY(!filters.isVisible());
        }
        QCOMPARE(filters.filters().size(), 3);
        filters.popUp(anchor, QStringLiteral("to ~ two"));
        QCOMPARE(name->text(), QStringLiteral("two")); // known under that name
        const auto click = [&](int row, TraceFilters::Column column) {
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(row, column)).center());
        };
        click(0, TraceFilters::Delete);
        QVERIFY(filters.isVisible());
        QCOMPARE(filters.filters().size(), 2);
        QCOMPARE(chosen.count(), 0);
        click(1, TraceFilters::Text);
        QVERIFY(!filters.isVisible());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).toString(), QStringLiteral("to ~ three"));
        // By the keyboard.
        filters.popUp(anchor, {});
        QTest::keyClick(name, Qt::Key_Down);
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(filters.filters(), (QList<SavedFilter>{{QStringLiteral("three"), QStringLiteral("to ~ three")}}));
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(chosen.count(), 2);
    }

    // Those that everybody has stand below, can be applied and not be deleted, and are not kept.
    void builtInOnesStay() {
        const QTemporaryDir dir;
        UserSettings settings(dir.filePath(QStringLiteral("settings.ini")));
        TraceFilters filters(m_theme, faultIn, nullptr);
        filters.keepIn(settings);
        QCOMPARE(filters.save(QStringLiteral("mine"), QStringLiteral("to ~ crate*")), QString());
        QSignalSpy chosen(&filters, &TraceFilters::chosen);
        const QSignalSpy changed(&filters, &TraceFilters::changed);
        QWidget anchor;
        anchor.resize(40, 20);
        anchor.show();
        auto* table = filters.findChild<QTreeView*>(QStringLiteral("trace.filters.table"));
        QVERIFY(table != nullptr);
        const QList<SavedFilter> builtIn = TraceFilters::builtIn();
        QCOMPARE(table->model()->rowCount(), 1 + builtIn.size());
        for (int i = 0; i < builtIn.size(); ++i)
            for (const TraceFilters::Column column :
                 {TraceFilters::Name, TraceFilters::Delete}) { // there is no bin
                chosen.clear();
                filters.popUp(anchor, {});
                const QRect cell = table->visualRect(table->model()->index(1 + i, column));
                QVERIFY(table->viewport()->rect().contains(cell)); // all are in sight
                QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
                QCOMPARE(chosen.count(), 1);
                QCOMPARE(chosen.front().front().toString(), builtIn[i].text);
                QVERIFY(!filters.isVisible());
            }
        filters.popUp(anchor, {});
        table->setCurrentIndex(table->model()->index(1, TraceFilters::Name));
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(table->model()->rowCount(), 1 + builtIn.size());
        QCOMPARE(changed.count(), 0);
        QCOMPARE(filters.filters().size(), 1);
    }

private:
    Theme m_theme{ThemeMode::Dark};
};

QTEST_MAIN(TestFilters)
#include "tst_filters.moc"
