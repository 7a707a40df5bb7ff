// The form that sends a message by hand: the line it makes, what it refuses and where it says so, its history.

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/common/theme.h"
#include "widgets/trace/field_form.h"
#include "widgets/trace/message_composer.h"

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

// A form over three entities; what it sends is kept, and answered when the test says so.
struct Desk {
    std::vector<std::string> lines;
    std::vector<std::function<void(const MessageComposer::Answer&)>> answers;
    std::function<void(const QString&)> picking;
    std::unique_ptr<MessageComposer> form;

    explicit Desk(const Theme& theme) {
        messageIdOf<Damage>();
        messageIdOf<Contact>();
        messageIdOf<Say>();
        messageIdOf<Died>();
        const QStringList names{QStringLiteral("crate_1"), QStringLiteral("crate_2"), QStringLiteral("big crate")};
        FieldSources sources;
        sources.entityNames = [names] { return names; };
        sources.messageTypes = [] { return QStringList{QStringLiteral("Damage"), QStringLiteral("Contact"), QStringLiteral("Say"), QStringLiteral("Died")}; };
        sources.entityName = [names](EntityId id) { return names.value(static_cast<qsizetype>(id.index()) - 1); };
        sources.entityByName = [names](const QString& name) {
            const auto at = static_cast<std::uint32_t>(names.indexOf(name) + 1);
            return at == 0 ? EntityId() : EntityId(at, 1);
        };
        sources.pickEntity = [this](std::function<void(const QString&)> taken) { picking = std::move(taken); };
        form = std::make_unique<MessageComposer>(
            theme, std::move(sources),
            [this](const std::string& line, std::function<void(const MessageComposer::Answer&)> done) {
                lines.push_back(line);
                answers.push_back(std::move(done));
            },
            [](const QString& entity) { return entity == QStringLiteral("crate_1") ? QStringList{QStringLiteral("Health"), QStringLiteral("Shield")} : QStringList(); });
    }
    template <typename T> [[nodiscard]] T* part(const char* name) const { return form->findChild<T*>(QStringLiteral("composer.") + QLatin1String(name)); }
    void chooseType(const QString& name) { part<QComboBox>("type")->setEditText(name); }
    // As a person types: the text, then on to the next field.
    void type(FieldForm& in, const char* field, const QString& text) {
        auto* edit = in.editor(field)->findChild<QLineEdit*>();
        QVERIFY(edit != nullptr);
        QVERIFY(QTest::qWaitForWindowActive(form.get()));
        edit->setFocus();
        QVERIFY(edit->hasFocus());
        edit->selectAll();
        QTest::keyClicks(edit, text);
        if (edit->completer() != nullptr)
            edit->completer()->popup()->hide();
        QTest::keyClick(edit, Qt::Key_Tab);
    }
    void press() { part<QPushButton>("sendNow")->click(); }
    [[nodiscard]] QString result() const { return part<QLabel>("result")->text(); }
    [[nodiscard]] QListWidget& history() const { return *part<QListWidget>("history"); }
    [[nodiscard]] QString problem(const char* field) const { return form->settings().editor(field)->problem(); }
};

} // namespace

class TestComposer : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    void makesTheLineOfTheConsole_data() {
        QTest::addColumn<QVariantList>("settings");
        QTest::addColumn<QString>("line");
        const auto row = [](const char* name, const QVariantList& settings, const char* line) { QTest::newRow(name) << settings << QString::fromLatin1(line); };
        row("to one entity", {"to", "crate_2"}, "send Damage crate_2");
        row("a name with a blank", {"to", "big crate"}, "send Damage \"big crate\"");
        row("to all below", {"to", "crate_1", "route", "children"}, "send Damage crate_1 --children");
        row("to all above", {"to", "crate_1", "route", "ancestors"}, "send Damage crate_1 --ancestors");
        row("to a component", {"to", "crate_1", "route", "one component", "component", "Shield"}, "send Damage crate_1 --component=Shield");
        row("to everyone, whoever was named before", {"to", "crate_1", "route", "everyone"}, "send Damage *");
        row("seconds later", {"to", "crate_1", "when", "after seconds", "seconds", 2.5}, "send Damage crate_1 --after=2.5");
        row("ticks later, before others", {"to", "crate_1", "when", "after ticks", "ticks", 30, "priority", -1}, "send Damage crate_1 --ticks=30 --priority=-1");
        row("at once, so that no priority counts", {"to", "crate_1", "priority", 5}, "send Damage crate_1");
        row("with a demand", {"to", "crate_1", "minimum", 2}, "send Damage crate_1 --minimum=2");
    }
    void makesTheLineOfTheConsole() {
        QFETCH(QVariantList, settings);
        QFETCH(QString, line);
        Desk desk(*m_theme);
        desk.form->compose(QString());
        desk.chooseType(QStringLiteral("Damage"));
        for (qsizetype i = 0; i + 1 < settings.size(); i += 2) {
            const QVariant& value = settings[i + 1];
            const std::string name = settings[i].toString().toStdString();
            desk.form->settings().setValue(name, value.typeId() == QMetaType::QString ? Value(value.toString().toStdString())
                                                 : value.typeId() == QMetaType::Double ? Value(value.toDouble())
                                                                                       : Value(static_cast<std::int64_t>(value.toInt())));
        }
        desk.press();
        QCOMPARE(desk.lines.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(desk.lines[0]), line);
    }

    // Fields are typed as in the inspector; those that keep their default are left out.
    void fieldsComeFromTheType() {
        Desk desk(*m_theme);
        desk.form->compose(QStringLiteral("crate_1"));
        desk.chooseType(QStringLiteral("Damage"));
        QVERIFY(desk.form->fields()->editor("amount") != nullptr);
        desk.type(*desk.form->fields(), "amount", QStringLiteral("12.5"));
        desk.form->fields()->setValue("kind", Value(std::string("fire")));
        desk.form->fields()->setValue("source", Value(EntityId(3, 1)));
        QCOMPARE(desk.part<QLineEdit>("line")->text(), QStringLiteral("send Damage crate_1 amount=12.5 kind=fire \"source=big crate\""));
        desk.press();
        QCOMPARE(desk.lines.at(0), std::string("send Damage crate_1 amount=12.5 kind=fire \"source=big crate\""));
        desk.answers[0]({true, QStringLiteral("Damage: 1 receiver")});
        QCOMPARE(desk.result(), QStringLiteral("Damage: 1 receiver"));
        QVERIFY(desk.form->isVisible()); // it stays
        // Another type has other fields; what was typed for the first is there again.
        desk.chooseType(QStringLiteral("Say"));
        QVERIFY(desk.form->fields()->editor("amount") != nullptr && desk.form->fields()->editor("kind") == nullptr);
        desk.form->fields()->setValue("words", Value(std::string("two \"words\"; here")));
        desk.press();
        QCOMPARE(desk.lines.at(1), std::string("send Say crate_1 \"words=two \\\"words\\\"; here\""));
        desk.chooseType(QStringLiteral("Damage"));
        QCOMPARE(std::get<double>(desk.form->fields()->value("amount")), 12.5);
        desk.chooseType(QStringLiteral("Contact"));
        desk.form->fields()->setValue("point", Value(Vec3(1.0F, 2.0F, 0.5F)));
        desk.press();
        QCOMPARE(desk.lines.at(2), std::string("send Contact crate_1 \"point=[1.0, 2.0, 0.5]\""));
    }

    // Nothing is sent and nothing is lost.
    void whatIsWrongStandsBesideTheField() {
        Desk desk(*m_theme);
        desk.form->compose(QString());
        desk.press();
        QVERIFY(desk.lines.empty());
        desk.chooseType(QStringLiteral("Damge"));
        QVERIFY(desk.part<QLabel>("typeDoc")->text().contains(QStringLiteral("did you mean Damage?")));
        desk.press();
        desk.chooseType(QStringLiteral("Damage"));
        desk.press();
        QVERIFY2(desk.problem("to").contains(QStringLiteral("expected the name of an entity")), qPrintable(desk.problem("to")));
        desk.type(desk.form->settings(), "to", QStringLiteral("crate_9"));
        desk.type(*desk.form->fields(), "amount", QStringLiteral("-4"));
        QVERIFY(!desk.form->fields()->editor("amount")->problem().isEmpty());
        desk.press();
        QVERIFY2(desk.problem("to").contains(QStringLiteral("did you mean crate_")), qPrintable(desk.problem("to")));
        QVERIFY(desk.result().startsWith(QStringLiteral("Not sent")));
        desk.type(desk.form->settings(), "to", QStringLiteral("crate_2"));
        QVERIFY(desk.problem("to").isEmpty());
        desk.press();
        QVERIFY(desk.lines.empty()); // the amount is still wrong
        desk.type(*desk.form->fields(), "amount", QStringLiteral("4"));
        desk.press();
        QCOMPARE(desk.lines, std::vector<std::string>{"send Damage crate_2 amount=4.0"});
        desk.form->settings().setValue("route", Value(std::string("one component")));
        desk.press();
        QVERIFY(desk.problem("component").contains(QStringLiteral("expected the name of a component")));
        QCOMPARE(desk.lines.size(), std::size_t{1});
        QCOMPARE(desk.history().count(), 1);
    }

    // "Mend what is marked" stands as long as something is marked.
    void theRefusalGoesWithWhatIsMarked() {
        Desk desk(*m_theme);
        desk.form->compose(QStringLiteral("crate_1"));
        desk.chooseType(QStringLiteral("Damage"));
        desk.type(*desk.form->fields(), "amount", QStringLiteral("-4"));
        desk.press();
        QVERIFY(desk.result().startsWith(QStringLiteral("Not sent")));
        desk.type(desk.form->settings(), "to", QStringLiteral("crate_2")); // another field
        QVERIFY(desk.result().startsWith(QStringLiteral("Not sent")));
        // Esc takes the number back, and then closes the form.
        auto* edit = desk.form->fields()->editor("amount")->findChild<QLineEdit*>();
        edit->setFocus();
        for (int i = 0; i < 3 && desk.form->isVisible(); ++i)
            QTest::keyClick(desk.form->focusWidget(), Qt::Key_Escape);
        QVERIFY(!desk.form->isVisible());
        desk.form->compose(QString());
        const bool marked = desk.form->settings().hasProblem() || desk.form->fields()->hasProblem();
        QCOMPARE(desk.result().isEmpty(), !marked);
        desk.form->fields()->setValue("amount", Value(4.0));
        QCOMPARE(desk.result(), QString());
        // A type that is none.
        desk.chooseType(QStringLiteral("Damge"));
        desk.press();
        QVERIFY(desk.result().startsWith(QStringLiteral("Not sent")));
        desk.chooseType(QStringLiteral("Damage"));
        QCOMPARE(desk.result(), QString());
        // What became of one that was sent stays while the next is written.
        desk.press();
        desk.answers.at(0)({true, QStringLiteral("Damage: 1 receiver")});
        desk.form->fields()->setValue("amount", Value(5.0));
        QCOMPARE(desk.result(), QStringLiteral("Damage: 1 receiver"));
    }

    void nobodyActedIsAWarning() {
        Desk desk(*m_theme);
        desk.form->compose(QStringLiteral("crate_1"));
        desk.chooseType(QStringLiteral("Damage"));
        const auto color = [&desk] {
            return desk.part<QLabel>("result")->palette().color(QPalette::WindowText);
        };
        const auto icon = [&desk](int row) { return desk.history().item(row)->icon().pixmap(16).toImage(); };
        desk.press();
        desk.answers.at(0)({true, QStringLiteral("Damage: 1 receiver")});
        QCOMPARE(color(), m_theme->color(Token::Muted));
        desk.press();
        desk.answers.at(1)(
            {true,
             QStringLiteral(
                 "Damage: 0 receivers, nobody acted. Health acts on Damage; crate_1 does not have it."),
             true});
        QCOMPARE(color(), m_theme->color(Token::Warning));
        QVERIFY(desk.result().contains(QStringLiteral("Health acts on Damage")));
        QVERIFY(icon(0) != icon(1));
        QCOMPARE(icon(0), m_theme->icon(QStringLiteral("warning"), Token::Warning).pixmap(16).toImage());
        desk.press();
        desk.answers.at(2)({true, QStringLiteral("Damage: 1 receiver")});
        QCOMPARE(color(), m_theme->color(Token::Muted));
    }

    void whatTheSessionRefusesToo() {
        Desk desk(*m_theme);
        desk.form->compose(QStringLiteral("crate_1"));
        desk.chooseType(QStringLiteral("Died"));
        desk.form->settings().setValue("route", Value(std::string("one component")));
        desk.form->settings().setValue("component", Value(std::string("Sheild")));
        desk.press();
        desk.answers.at(0)({false, QStringLiteral("no component of it is called \"Sheild\"; did you mean Shield?")});
        QVERIFY(desk.problem("component").contains(QStringLiteral("did you mean Shield?")));
        QVERIFY(desk.result().contains(QStringLiteral("Sheild")));
        // The receiver died meanwhile.
        desk.form->settings().setValue("route", Value(std::string("entity")));
        desk.press();
        desk.answers.at(1)({false, QStringLiteral("no entity is called \"crate_1\"")});
        QVERIFY(desk.problem("to").contains(QStringLiteral("no entity is called")));
        QCOMPARE(desk.form->message().type, std::string("Died"));
    }

    void historyLoadsOneAgain() {
        Desk desk(*m_theme);
        desk.form->compose(QStringLiteral("crate_1"));
        desk.chooseType(QStringLiteral("Damage"));
        desk.form->fields()->setValue("amount", Value(7.0));
        desk.form->settings().setValue("when", Value(std::string("after ticks")));
        desk.press();
        const ComposedMessage first = desk.form->message();
        desk.chooseType(QStringLiteral("Say"));
        desk.form->settings().setValues({{"to", Value(std::string("crate_2"))}});
        desk.press();
        QCOMPARE(desk.history().count(), 2);
        QCOMPARE(desk.history().item(0)->text(), QStringLiteral("Say → crate_2"));
        QCOMPARE(desk.history().item(1)->text(), QStringLiteral("Damage → crate_1 amount=7.0 --ticks=1"));
        desk.answers.at(0)({true, QStringLiteral("Damage: waits 1 tick")}); // late: the newer one is still on its way
        QCOMPARE(desk.result(), QStringLiteral("Sending…"));
        QVERIFY(desk.history().item(1)->toolTip().contains(QStringLiteral("waits 1 tick")));
        emit desk.history().itemClicked(desk.history().item(1));
        QVERIFY(desk.form->message() == first);
        desk.press();
        QCOMPARE(desk.lines.at(2), desk.lines.at(0));
        for (int i = 0; i < 120; ++i)
            desk.press();
        QCOMPARE(desk.history().count(), 100);
        desk.answers.at(0)({true, QStringLiteral("long gone")}); // its row went
        emit desk.history().itemClicked(desk.history().item(99));
    }

    void theEyedropperTakesTheReceiver() {
        Desk desk(*m_theme);
        desk.form->compose(QString());
        desk.chooseType(QStringLiteral("Damage"));
        auto* pick = desk.form->settings().editor("to")->findChild<QToolButton*>(QStringLiteral("pick"));
        QVERIFY(pick != nullptr);
        pick->click();
        QVERIFY(desk.picking != nullptr);
        desk.picking(QStringLiteral("crate_2"));
        auto* source = desk.form->fields()->editor("source")->findChild<QToolButton*>(QStringLiteral("pick"));
        QVERIFY(source != nullptr);
        source->click();
        desk.picking(QStringLiteral("crate_1"));
        desk.press();
        QCOMPARE(desk.lines.at(0), std::string("send Damage crate_2 source=crate_1"));
    }

    // Ctrl+Enter takes what is being typed; Enter on a row of the list only loads it.
    void keysSendAndLoad() {
        Desk desk(*m_theme);
        desk.form->compose(QStringLiteral("crate_1"));
        desk.chooseType(QStringLiteral("Damage"));
        QVERIFY(QTest::qWaitForWindowActive(desk.form.get()));
        auto* amount = desk.form->fields()->editor("amount")->findChild<QLineEdit*>();
        amount->setFocus();
        amount->selectAll();
        QTest::keyClicks(amount, QStringLiteral("3"));
        QTest::keyClick(amount, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(desk.lines, std::vector<std::string>{"send Damage crate_1 amount=3.0"});
        QVERIFY(amount->hasFocus());
        desk.form->fields()->setValue("amount", Value(4.0));
        desk.history().setCurrentRow(0);
        desk.history().setFocus();
        QTest::keyClick(&desk.history(), Qt::Key_Return);
        QCOMPARE(std::get<double>(desk.form->fields()->value("amount")), 3.0);
        QCOMPARE(desk.lines.size(), std::size_t{1});
    }

    // A row of the trace is sent again as it was.
    void takesARecordedMessage() {
        Desk desk(*m_theme);
        const Damage damage{5.0F, Kind::Ice, EntityId(1, 1)};
        desk.form->compose(composedOf(messageTypeOf<Damage>(), &damage, "crate_2"));
        desk.press();
        QCOMPARE(desk.lines.at(0), std::string("send Damage crate_2 amount=5.0 kind=ice source=crate_1"));
    }

    void theAnswerMayComeAfterTheForm() {
        Desk desk(*m_theme);
        desk.form->compose(QStringLiteral("crate_1"));
        desk.chooseType(QStringLiteral("Died"));
        desk.press();
        desk.form.reset();
        desk.answers.at(0)({true, QStringLiteral("Died: 1 receiver")});
    }

    void saysWhatAStoppedWorldDoes() {
        Desk desk(*m_theme);
        desk.form->compose(QString());
        QVERIFY(!desk.part<QLabel>("hint")->isVisible());
        desk.form->setWorldHint(QStringLiteral("The world is stopped."));
        QVERIFY(desk.part<QLabel>("hint")->isVisible());
        desk.form->setWorldHint({});
        QVERIFY(!desk.part<QLabel>("hint")->isVisible());
    }

private:
    std::unique_ptr<Theme> m_theme;
};

QTEST_MAIN(TestComposer)
#include "tst_composer.moc"
