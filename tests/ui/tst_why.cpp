// Why, and why not, on the real window: a component that another one keeps a message from, a value with the causes of its last change, a
// sound and the message that started it. Wants a display. Leaves pictures in the build folder's screenshots/.

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QRegularExpression>
#include <QSurfaceFormat>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "tests/folders.h"
#include "tests/ui/editor_test.h"
#include "widgets/common/notice.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/outline_tree.h"
#include "widgets/definition/text_binding.h"
#include "widgets/inspector/component_section.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/probe/voice_model.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/why_not_window.h"
#include "widgets/viewport/gl_target.h"

#include <algorithm>
#include <atomic>
#include <memory>

using namespace sbx;

namespace {
constexpr int Patience = 60000; // ms; a loaded machine draws slowly
} // namespace

class TestUiWhy : public ui_test::EditorTest {
    Q_OBJECT

private:
    ui::TracePanel& trace() { return window().trace(); }
    // One tick; from a stopped world the first one, after which it is paused. Nothing happens that is not asked for.
    void step() {
        const std::uint64_t before =
            m_editor->feed().mode() == Mode::Edit ? 0 : m_editor->feed().frame().tick;
        trigger("play.step");
        QTRY_VERIFY_WITH_TIMEOUT(
            m_editor->feed().mode() == Mode::Pause && m_editor->feed().frame().tick > before, Patience);
    }
    void select(const char* entity) {
        m_editor->selection().setEntity(entity, QStringLiteral("test"));
        QTRY_COMPARE_WITH_TIMEOUT(find<ui::InspectorPanel>(QStringLiteral("inspector"))->shownEntity(),
                                  std::string(entity), Patience);
    }
    void picture(QWidget& of, const QString& name) {
        const QDir folder(sbx::test::qBuildPath("screenshots"));
        QVERIFY(folder.mkpath(QStringLiteral(".")));
        QVERIFY(of.grab().save(folder.filePath(name)));
    }
    // The middle of the first link whose address begins so; nothing: there is none.
    static QPoint linkAt(const QTextBrowser& text, const QString& address) {
        for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next())
            for (auto it = block.begin(); !it.atEnd(); ++it)
                if (it.fragment().charFormat().anchorHref().startsWith(address)) {
                    QTextCursor cursor(text.document());
                    cursor.setPosition(it.fragment().position() + 1);
                    return text.cursorRect(cursor).center();
                }
        return {};
    }
    void click(QTextBrowser& text, const QString& address) {
        QTRY_VERIFY2_WITH_TIMEOUT(!linkAt(text, address).isNull(),
                                  qPrintable(address + QLatin1Char('\n') + text.toPlainText()), Patience);
        QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, linkAt(text, address));
    }
    static QString caretLine(const ui::CodeView& text) {
        int line = 0;
        int column = 0;
        text.getCursorPosition(&line, &column);
        return text.text(line);
    }
    // Right click on the header of the component, and the entry of its menu.
    void askWhyNot(const char* component) {
        auto* const section =
            find<ui::ComponentSection>(QStringLiteral("inspector.") + QLatin1String(component));
        QVERIFY(section != nullptr);
        QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(30, 8),
                                section->header().mapToGlobal(QPoint(30, 8)));
        QApplication::sendEvent(&section->header(), &event);
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::activePopupWidget() != nullptr, Patience);
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        auto* const why = menu->findChild<QAction*>(QStringLiteral("component.whyNot"));
        QVERIFY(why != nullptr);
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(why).center());
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::activePopupWidget() == nullptr, Patience);
    }

    QUrl m_opened;

public slots:
    void openFile(const QUrl& url) { m_opened = url; }

private slots:
    void initTestCase() {
        open();
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().frame().entities->find("shielded_crate_2") != nullptr,
                                 Patience);
    }
    void cleanupTestCase() { m_editor.reset(); }
    void cleanup() {
        trigger("play.stop");
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->feed().mode(), Mode::Edit, Patience);
    }

    // The shield takes the blow; the health never saw it. The window says so, and leads to the message and to the shield's definition.
    void aComponentThatDidNotAct() {
        select("shielded_crate_2");
        step();
        execute("send Damage shielded_crate_2 amount=1 --ticks=1");
        step();
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>(QStringLiteral("inspector.Health")) != nullptr, Patience);
        askWhyNot("Health");
        auto* const answer = window().findChild<ui::WhyNotWindow*>();
        QVERIFY(answer != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(answer->isVisible(), Patience);
        QCOMPARE(answer->windowTitle(), QStringLiteral("Why did Health of shielded_crate_2 not act?"));
        auto& text = *find<QTextBrowser>(QStringLiteral("whyNot.text"));
        QTRY_VERIFY2_WITH_TIMEOUT(
            text.toPlainText().contains(
                QStringLiteral("did not reach it: Shield, priority 10, had it before and consumed it")),
            qPrintable(text.toPlainText()), Patience);
        QVERIFY2(text.toPlainText().contains(QStringLiteral("Nobody has sent Heal to shielded_crate_2")),
                 qPrintable(text.toPlainText()));
        picture(*answer, QStringLiteral("why_not_dark.png"));
        trigger("view.themeLight");
        QApplication::processEvents();
        picture(*answer, QStringLiteral("why_not_light.png"));
        trigger("view.themeDark");
        // The line of code that declares the handler: its file is opened, and its place taken along.
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "openFile");
        QGuiApplication::clipboard()->clear();
        click(text, QStringLiteral("code:"));
        QTRY_VERIFY2_WITH_TIMEOUT(
            QRegularExpression(QStringLiteral("engine/components/[a-z_]+\\.(cpp|h):[1-9][0-9]*$"))
                .match(QGuiApplication::clipboard()->text())
                .hasMatch(),
            qPrintable(QGuiApplication::clipboard()->text()), Patience);
        QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
        const QString place = QGuiApplication::clipboard()->text();
        const QString file = place.left(place.lastIndexOf(QLatin1Char(':')));
        // Objects out of a compiler's cache may name another folder, which is not on this machine.
        const bool here = QFileInfo(file).isAbsolute() && QFileInfo::exists(file);
        QCOMPARE(m_opened.toLocalFile(), here ? file : QString());
        const std::uint64_t last = answer->question()->answers().front().last;
        QVERIFY(last != 0);
        click(text, QStringLiteral("record:%1").arg(last));
        QTRY_COMPARE_WITH_TIMEOUT(trace().details().sequence(), last, Patience);
        QVERIFY(trace().details().toPlainText().contains(QStringLiteral("consumed by Shield")));
        QVERIFY(find<QDockWidget>(QStringLiteral("dock.trace"))->isVisible());
        click(text, QStringLiteral("definition:Shield"));
        auto* const definition = window().findChild<ui::DefinitionPanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(
            definition->isVisible() && definition->file() == QStringLiteral("entities.toml"), Patience);
        // A component that the type inherits stands with the type that brought it in.
        emit answer->definitionPicked(QStringLiteral("ShieldedCrate"), QStringLiteral("Health"));
        QTRY_VERIFY_WITH_TIMEOUT(caretLine(definition->editor()).contains(QStringLiteral("[Crate.Health]")),
                                 Patience);
        answer->close();
    }

    // The same question in the definition: of the entity that is selected, if it is of the type, else of each; from a derived type's entity
    // at the base's component, too.
    void aComponentAskedInTheDefinition() {
        auto* const definition = window().findChild<ui::DefinitionPanel*>();
        window().dock(QStringLiteral("dock.definition"))->show();
        window().dock(QStringLiteral("dock.definition"))->raise();
        definition->setFile(QStringLiteral("entities.toml"));
        ui::TreePlace place;
        place.kind = ui::TreePlace::Kind::Component;
        place.ownerKind = ui::TreePlace::Kind::Type;
        place.owner = "Crate";
        place.component = "Health";
        const auto entry = [&](QMenu& menu) {
            QTRY_VERIFY_WITH_TIMEOUT(definition->outline().select(place), Patience);
            definition->outline().fillMenu(menu);
        };
        const auto named = [](const QMenu& menu) {
            const QList<QAction*> actions = menu.actions();
            const auto at = std::find_if(actions.begin(), actions.end(), [](const QAction* each) {
                return each->objectName() == QStringLiteral("definition.whyNot");
            });
            return at == actions.end() ? nullptr : *at;
        };
        select("shielded_crate_2"); // a ShieldedCrate, which extends Crate
        definition->setFile(QStringLiteral("entities.toml"));
        QMenu one;
        entry(one);
        QAction* const why = named(one);
        QVERIFY(why != nullptr && why->isEnabled());
        QCOMPARE(why->text(), QStringLiteral("Why did Health of shielded_crate_2 not act?…"));
        step();
        why->trigger();
        auto* const answer = window().findChild<ui::WhyNotWindow*>();
        QTRY_VERIFY_WITH_TIMEOUT(answer->isVisible(), Patience);
        QCOMPARE(answer->windowTitle(), QStringLiteral("Why did Health of shielded_crate_2 not act?"));
        answer->close();
        select("door");
        definition->setFile(QStringLiteral("entities.toml"));
        QMenu many;
        entry(many);
        QVERIFY(named(many) != nullptr && named(many)->menu() != nullptr);
        const QList<QAction*> entities = named(many)->menu()->actions();
        QVERIFY2(
            entities.size() == 13,
            qPrintable(QString::number(entities.size()))); // the first twelve, and how many more there are
        for (const QAction* each : entities.mid(0, 12)) {
            const EntityRow* const row = m_editor->feed().frame().entities->find(each->text().toStdString());
            QVERIFY2(row != nullptr && row->type.ends_with("Crate"), qPrintable(each->text()));
        }
        QVERIFY(!entities.back()->isEnabled());
    }

    // The last change of a value, by which handler and message, and where that message came from.
    void aValueAndItsCauses() {
        select("crate_plain_1");
        step(); // it is watched from here on
        execute("send Damage crate_plain_1 amount=1 --ticks=1");
        step();
        auto* const section = find<ui::ComponentSection>(QStringLiteral("inspector.Health"));
        QVERIFY(section != nullptr);
        const auto row = std::find_if(section->rows().begin(), section->rows().end(),
                                      [](const ui::ComponentSection::Row& each) { return each.state; });
        QVERIFY(row != section->rows().end());
        emit section->rowMenuRequested(*row->info, true, section->mapToGlobal(QPoint(20, 20)));
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::activePopupWidget() != nullptr, Patience);
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        auto* const who = menu->findChild<QAction*>(QStringLiteral("field.whoChanged"));
        QVERIFY(who != nullptr);
        QCOMPARE(who->text(), QStringLiteral("Who changed current, and why?…"));
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(who).center());
        auto& text = *find<QTextBrowser>(QStringLiteral("fieldChanges.text"));
        QTRY_VERIFY2_WITH_TIMEOUT(text.toPlainText().contains(QStringLiteral("Health, handling Damage")),
                                  qPrintable(text.toPlainText()), Patience);
        // The causes of the newest one stand there; they go and come.
        QTRY_VERIFY2_WITH_TIMEOUT(!linkAt(text, QStringLiteral("close:")).isNull(),
                                  qPrintable(text.toPlainText()), Patience);
        QTRY_VERIFY2_WITH_TIMEOUT(text.toPlainText().contains(QStringLiteral("Sent by hand"))
                                      || text.toPlainText().contains(QStringLiteral(" → crate_plain_1")),
                                  qPrintable(text.toPlainText()), Patience);
        picture(*text.window(), QStringLiteral("who_changed_dark.png"));
        trigger("view.themeLight");
        QApplication::processEvents();
        picture(*text.window(), QStringLiteral("who_changed_light.png"));
        trigger("view.themeDark");
        click(text, QStringLiteral("close:"));
        QTRY_VERIFY2_WITH_TIMEOUT(!text.toPlainText().contains(QStringLiteral(" → crate_plain_1")),
                                  qPrintable(text.toPlainText()), Patience);
        click(text, QStringLiteral("open:"));
        QTRY_VERIFY2_WITH_TIMEOUT(text.toPlainText().contains(QStringLiteral(" → crate_plain_1")),
                                  qPrintable(text.toPlainText()), Patience);
        click(text, QStringLiteral("record:"));
        QTRY_VERIFY_WITH_TIMEOUT(trace().details().toPlainText().startsWith(QStringLiteral("Damage")),
                                 Patience);
        text.window()->close();
    }

    // A setting, which no message changes: a notice says who sets it and leads there.
    void aSettingAndItsPlace() {
        select("crate_plain_1");
        step(); // of the world that runs, too
        auto* const section = find<ui::ComponentSection>(QStringLiteral("inspector.Health"));
        QVERIFY(section != nullptr);
        const auto row = std::find_if(section->rows().begin(), section->rows().end(),
                                      [](const ui::ComponentSection::Row& each) {
                                          return !each.state && each.info->name == "maximum";
                                      });
        QVERIFY(row != section->rows().end());
        emit section->rowMenuRequested(*row->info, false, section->mapToGlobal(QPoint(20, 20)));
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::activePopupWidget() != nullptr, Patience);
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        auto* const who = menu->findChild<QAction*>(QStringLiteral("field.whoSets"));
        QVERIFY(who != nullptr && who->isEnabled());
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(who).center());
        const auto notice = [this]() -> const ui::Notice* {
            for (const ui::Notice& each : m_editor->notices().live())
                if (each.context == QLatin1String("setting"))
                    return &each;
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(notice() != nullptr, Patience);
        const ui::Notice told = *notice();
        QVERIFY2(told.text.contains(QStringLiteral("for all of Crate.")), qPrintable(told.text));
        picture(window(), QStringLiteral("who_sets_dark.png"));
        told.action();
        ui::TextBinding& text = window().definition().binding();
        const auto lineOfCaret = [&] {
            return QString::fromStdString(text.text()).left(qsizetype(text.caret())).count(QLatin1Char('\n'))
                   + 1;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(
            told.text.contains(QStringLiteral("entities.toml, line %1 says").arg(lineOfCaret())),
            qPrintable(told.text), Patience);
    }

    // The door's sound, which nothing plays; that of the phantom, which goes on until the end, started by its definition and by a message.
    void aSoundAndItsMessage() {
        window().dock(QStringLiteral("dock.probe"))->show();
        window().dock(QStringLiteral("dock.probe"))->raise();
        trigger("play.start");
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->feed().mode(), Mode::Play, Patience);
        auto& voices = *find<QTableView>(QStringLiteral("probe.voices"));
        const auto rowOf = [&](const QString& entity) {
            for (int row = 0; row < voices.model()->rowCount(); ++row)
                if (voices.model()->index(row, ui::VoiceModel::Entity).data().toString() == entity)
                    return voices.model()->index(row, ui::VoiceModel::Entity);
            return QModelIndex();
        };
        const auto ask = [&](const QString& entity, const char* action) {
            QTRY_VERIFY_WITH_TIMEOUT(rowOf(entity).isValid(), Patience);
            voices.scrollTo(rowOf(entity));
            emit voices.customContextMenuRequested(voices.visualRect(rowOf(entity)).center());
            QTRY_VERIFY_WITH_TIMEOUT(QApplication::activePopupWidget() != nullptr, Patience);
            auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            auto* const entry = menu->findChild<QAction*>(QLatin1String(action));
            QVERIFY(entry != nullptr);
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(entry).center());
            QTRY_VERIFY_WITH_TIMEOUT(QApplication::activePopupWidget() == nullptr, Patience);
        };
        ask(QStringLiteral("door"), "probe.whyPlays");
        auto& text = *find<QTextBrowser>(QStringLiteral("soundStarts.text"));
        QTRY_VERIFY2_WITH_TIMEOUT(text.toPlainText().contains(QStringLiteral("It does not play now")),
                                  qPrintable(text.toPlainText()), Patience);
        ask(QStringLiteral("phantom"), "probe.whyPlays");
        QTRY_VERIFY2_WITH_TIMEOUT(
            text.toPlainText().contains(QStringLiteral("Start started it. It is not recorded;")),
            qPrintable(text.toPlainText()), Patience);
        QVERIFY2(text.toPlainText().contains(QStringLiteral("when = \"start\"")),
                 qPrintable(text.toPlainText()));
        execute("send PlaySound phantom");
        QTRY_VERIFY2_WITH_TIMEOUT(text.toPlainText().contains(QStringLiteral(": PlaySound #")),
                                  qPrintable(text.toPlainText()), Patience);
        QVERIFY2(text.toPlainText().contains(QStringLiteral("over: Start started it")),
                 qPrintable(text.toPlainText())); // and gave way
        picture(*text.window(), QStringLiteral("why_plays_dark.png"));
        trigger("view.themeLight");
        QApplication::processEvents();
        picture(*text.window(), QStringLiteral("why_plays_light.png"));
        trigger("view.themeDark");
        click(text, QStringLiteral("record:"));
        QTRY_VERIFY_WITH_TIMEOUT(trace().details().toPlainText().startsWith(QStringLiteral("PlaySound")),
                                 Patience);
        const std::uint64_t started = trace().details().sequence();
        text.window()->close();
        window().dock(QStringLiteral("dock.probe"))->raise();
        // A click on the voice selects the message, too.
        m_editor->selection().setTraceAndEntity(0, "door", QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(rowOf(QStringLiteral("phantom")).isValid(), Patience);
        voices.scrollTo(rowOf(QStringLiteral("phantom")));
        QTest::mouseClick(voices.viewport(), Qt::LeftButton, {},
                          voices.visualRect(rowOf(QStringLiteral("phantom"))).center());
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->selection().traceSequence(), started, Patience);
        QCOMPARE(m_editor->selection().primary(), std::string("phantom"));
        QTRY_COMPARE_WITH_TIMEOUT(trace().details().sequence(), started, Patience);
        // Why not, of the sound's component.
        ask(QStringLiteral("door"), "probe.whyNot");
        auto& reasons = *find<QTextBrowser>(QStringLiteral("whyNot.text"));
        QTRY_VERIFY2_WITH_TIMEOUT(
            reasons.toPlainText().contains(QStringLiteral("Nobody has sent PlaySound to door")),
            qPrintable(reasons.toPlainText()), Patience);
        reasons.window()->close();
    }
};

int main(int argc, char** argv) { return ui_test::run<TestUiWhy>(argc, argv); }

#include "tst_why.moc"
