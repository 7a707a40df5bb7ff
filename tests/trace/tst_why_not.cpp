// The window that says why a component did not act: its sentences and its links.
#include <QApplication>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QtTest>

#include "tests/trace/model_bench.h"
#include "widgets/common/theme.h"
#include "widgets/trace/why_not_window.h"

#include <memory>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

using Did = HandlerResult;

struct WindowBench {
    ModelBench trace;
    WhyNotWindow window;

    explicit WindowBench(const Theme& theme) : window(theme, trace.model) {}
    Yard& yard() { return trace.yard; }
    void seal() {
        yard().recorder.seal();
        trace.model.catchUp();
    }
    static WhyNotSubject health(std::int32_t priority = 20) {
        WhyNotSubject subject;
        subject.asked = {
            .entity = "crate_1", .component = "Health", .handlers = {{messageIdOf<Damage>(), priority}}};
        subject.part = "Health";
        subject.type = "Crate";
        subject.codeOf = [](const std::string& component) {
            return component == "Shield" ? QStringLiteral("the plugin parts")
                                         : QStringLiteral("Signalbox itself");
        };
        subject.sendersOf = [](MessageTypeId) { return std::vector<std::string>{"Touch"}; };
        return subject;
    }
    QTextBrowser& text() { return *window.findChild<QTextBrowser*>(QStringLiteral("whyNot.text")); }
    QString says() { return text().toPlainText(); }
    void pick(const char* link) { emit text().anchorClicked(QUrl(QLatin1String(link))); }
    bool hasLink(const char* link) {
        return text().toHtml().contains(QStringLiteral("href=\"%1\"").arg(QLatin1String(link)));
    }
};

} // namespace

class TestWhyNot : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void consumedBefore() {
        WindowBench b(*m_theme);
        b.yard().tick = 9;
        const auto sequence = b.yard().send(
            Damage{}, 32, 0, 0, {{Yard::Shield, 10, Did::Consumed}, {Yard::Health, 20, Did::NotReached}});
        b.seal();
        b.window.ask(b.health());
        QCOMPARE(b.window.windowTitle(), QStringLiteral("Why did Health of crate_1 not act?"));
        QVERIFY2(
            b.says().contains(
                QStringLiteral(
                    "#%1 did not reach it: Shield, priority 10, had it before and consumed it, at tick 9.")
                    .arg(sequence)),
            qPrintable(b.says()));
        QVERIFY2(b.says().contains(QStringLiteral(
                     "that of Shield in the plugin parts, that of Health in Signalbox itself")),
                 qPrintable(b.says()));
        QSignalSpy records(&b.window, &WhyNotWindow::recordPicked);
        QSignalSpy definitions(&b.window, &WhyNotWindow::definitionPicked);
        QVERIFY(b.hasLink("record:1") && b.hasLink("definition:Shield"));
        b.pick("record:1");
        QCOMPARE(records.value(0).value(0).toULongLong(), sequence);
        b.pick("definition:Shield");
        QCOMPARE(definitions.value(0).value(0).toString(), QStringLiteral("Crate"));
        QCOMPARE(definitions.value(0).value(1).toString(), QStringLiteral("Shield"));
        // It follows the world.
        b.yard().send(Damage{}, 32, 0, 0, {{Yard::Shield, 10, Did::Passed}, {Yard::Health, 20, Did::Passed}});
        b.seal();
        QTRY_VERIFY2(b.says().contains(QStringLiteral("It handled #2 at tick 9 and passed it on.")),
                     qPrintable(b.says()));
        QVERIFY2(b.says().contains(QStringLiteral("1 of 2 to crate_1 reached it.")), qPrintable(b.says()));
    }
    // One priority: the order of the definition decides, and can be changed from here where that is possible.
    void samePriority() {
        WindowBench b(*m_theme);
        b.yard().send(Damage{}, 32, 0, 0,
                      {{Yard::Shield, 20, Did::Consumed}, {Yard::Health, 20, Did::NotReached}});
        b.seal();
        b.window.ask(b.health());
        QVERIFY2(b.says().contains(QStringLiteral("stands first in the definition of Crate")),
                 qPrintable(b.says()));
        QVERIFY(!b.hasLink("before:Shield"));
        b.pick("before:Shield"); // there is no definition to change: nothing happens
        QStringList moved;
        WhyNotSubject subject = b.health();
        subject.mover = [&moved](const std::string& component,
                                 const std::string& other) -> std::function<void()> {
            return [&moved, component, other] {
                moved << QString::fromStdString(component + " before " + other);
            };
        };
        b.window.ask(subject);
        QVERIFY2(b.says().contains(QStringLiteral("Put Health before Shield")), qPrintable(b.says()));
        b.pick("before:Shield");
        QCOMPARE(moved, QStringList{QStringLiteral("Health before Shield")});
    }
    void nobodySentIt() {
        WindowBench b(*m_theme);
        b.yard().tick = 4;
        b.yard().send(Damage{}, 32, 2, 0, {});
        b.seal();
        b.window.ask(b.health());
        QVERIFY2(b.says().contains(QStringLiteral("Nobody has sent Damage to crate_1 since tick 4.")),
                 qPrintable(b.says()));
        QVERIFY2(b.says().contains(QStringLiteral("The last one went to crate_3: #1, tick 4.")),
                 qPrintable(b.says()));
        QVERIFY2(b.says().contains(QStringLiteral("Touch sends it")), qPrintable(b.says()));
        QSignalSpy entities(&b.window, &WhyNotWindow::entityPicked);
        b.pick("entity:crate_3");
        QCOMPARE(entities.value(0).value(0).toString(), QStringLiteral("crate_3"));
    }
    void notRecorded() {
        WindowBench b(*m_theme);
        WhyNotSubject subject = b.health();
        subject.asked.handlers = {{messageIdOf<PositionQuery>(), 0}};
        b.window.ask(subject);
        QVERIFY2(b.says().contains(QStringLiteral("No message is held")), qPrintable(b.says()));
        b.yard().runTick(5);
        b.seal();
        b.window.ask(subject);
        QVERIFY2(b.says().contains(QStringLiteral("Not recorded"))
                     && b.says().contains(QStringLiteral("record it")),
                 qPrintable(b.says()));
        QSignalSpy wanted(&b.window, &WhyNotWindow::recordWanted);
        b.pick("type:PositionQuery");
        QCOMPARE(wanted.value(0).value(0).toString(), QStringLiteral("PositionQuery"));
        // Once it is recorded, the question is open again.
        b.yard().source.requestRecorded(messageIdOf<PositionQuery>(), true);
        QTRY_VERIFY2(b.says().contains(QStringLiteral("Nobody has sent PositionQuery to crate_1")),
                     qPrintable(b.says()));
    }
    void whatCannotBeAsked() {
        WindowBench b(*m_theme);
        WhyNotSubject subject = b.health();
        subject.asked.handlers.clear();
        b.window.ask(subject);
        QVERIFY2(b.says().contains(QStringLiteral("Health handles no messages")), qPrintable(b.says()));
        subject.otherSide = {messageIdOf<Damage>()};
        subject.client = true;
        b.window.ask(subject);
        QVERIFY2(b.says().contains(QStringLiteral("Handled only in the server's world; this is a client's.")),
                 qPrintable(b.says()));
    }
    void anEntityThatIsGone() {
        WindowBench b(*m_theme);
        b.yard().runTick(5);
        b.seal();
        WhyNotSubject subject = b.health();
        bool lives = true;
        subject.lives = [&lives] { return lives; };
        b.window.ask(subject);
        QVERIFY(!b.says().contains(QStringLiteral("is gone")));
        lives = false;
        QTRY_VERIFY2(b.says().contains(QStringLiteral("crate_1 is gone.")), qPrintable(b.says()));
    }
    // Names from files are text, not HTML.
    void foreignNames() {
        WindowBench b(*m_theme);
        b.yard().runTick(5);
        b.seal();
        WhyNotSubject subject = b.health();
        subject.part = subject.asked.component = "<img src='x'>";
        subject.asked.entity = "<b>crate</b>";
        subject.type = "<i>";
        b.window.ask(subject);
        QVERIFY2(b.says().contains(QStringLiteral("<b>crate</b>"))
                     && b.says().contains(QStringLiteral("<img src='x'>")),
                 qPrintable(b.says()));
    }
    // More records than one slice takes: the answer comes, and is that of all of them.
    void manyRecords() {
        WindowBench b(*m_theme);
        for (int i = 0; i < 400; ++i)
            b.yard().runTick(100);
        const auto last = b.yard().send(
            Damage{}, 32, 0, 0, {{Yard::Shield, 10, Did::Consumed}, {Yard::Health, 20, Did::NotReached}});
        b.seal();
        b.window.ask(b.health());
        QTRY_VERIFY2(b.says().contains(QStringLiteral("#%1 did not reach it").arg(last)),
                     qPrintable(b.says()));
        QTRY_VERIFY(!b.says().contains(QStringLiteral("Still looking")));
    }
    void themes() {
        WindowBench b(*m_theme);
        b.yard().send(Damage{}, 32, 0, 0,
                      {{Yard::Shield, 10, Did::Consumed}, {Yard::Health, 20, Did::NotReached}});
        b.seal();
        b.window.ask(b.health());
        const QString dark = b.text().toHtml();
        m_theme->setMode(ThemeMode::Light);
        QVERIFY(b.text().toHtml() != dark);
        m_theme->setMode(ThemeMode::Dark);
        QCOMPARE(b.text().toHtml(), dark);
    }
};

QTEST_MAIN(TestWhyNot)
#include "tst_why_not.moc"
