// What the editor makes of a plugin: its components in the inspector with live values, a new build taken in
// by itself, refusals as notices that lead to the line in project.toml.

#include <QPushButton>
#include <QTreeWidget>
#include <QtTest>

#include "app/editor/plugin_notices.h"
#include "app/editor/trust_dialog.h"
#include "engine/commands/console_commands.h"
#include "engine/plugin/trusted_projects.h"
#include "engine/session/simulation_thread.h"
#include "tests/plugin/plugin_files.h"
#include "widgets/common/document.h"
#include "widgets/common/notice.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/inspector_panel.h"

using namespace sbx;
using namespace sbx::plugin_test;
using namespace sbx::ui;

namespace {

constexpr int Patience = 60000; // a loaded machine may take its time to try a library

struct Place {
    QString file;
    int line = 0;
    int column = 0;
};

// As the editor is put together, without its window.
class Bench {
public:
    explicit Bench(const std::string& plugin, bool trust = true)
        : files(m_folder.filePath(QStringLiteral("p")).toStdString(), plugin) {
        if (trust)
            trusted.trustForNow(files.file(""));
        session.plugins().setPolicy(pluginPolicy(trusted, false));
        session.handlers().reload = [this] { QMetaObject::invokeMethod(&project, &ProjectModel::reread, Qt::QueuedConnection); };
        m_thread = std::make_unique<SimulationThread>(session);
        const Result<void> opened = project.open(m_folder.filePath(QStringLiteral("p")));
        if (!opened)
            qFatal("%s", opened.error().toString().c_str());
    }
    ~Bench() { m_thread->stop(); }

    // Of the selected entity, as its editor shows it.
    Value shown(const char* component, const char* field) {
        feed.poll();
        const FieldEditor* editor = inspector.editor(component, field);
        return editor == nullptr ? Value{} : editor->value();
    }
    std::int64_t whole(const char* component, const char* field) {
        const Value value = shown(component, field);
        const auto* number = std::get_if<std::int64_t>(&value);
        return number == nullptr ? -1 : *number;
    }
    [[nodiscard]] QStringList told() const {
        QStringList out;
        for (const Notice& notice : notices.live())
            out << notice.text;
        return out;
    }
    [[nodiscard]] bool isThere(const std::string& entity) const {
        return feed.frame().entities->find(entity) != nullptr;
    }

private:
    QTemporaryDir m_folder;

public:
    ProjectFiles files;
    Log log;
    Session session{log, addConsoleCommands};
    Theme theme;
    SessionFeed feed{session};
    Document document{m_folder.filePath(QStringLiteral("state"))};
    ProjectModel project{document, feed};
    NoticeList notices;
    Place place;
    int asked = 0; // whether to trust
    TrustedProjects trusted{m_folder.filePath(QStringLiteral("trusted")).toStdString(), {}};
    Selection selection;
    InspectorPanel inspector{theme, feed, selection, document, project};

private:
    sbx::editor::PluginNotices m_teller{project, [this]() -> const Catalog& { return session.catalog(); },
                                        notices,
                                        [this](const QString& file, int line, int column) {
                                            place = {file, line, column};
                                        },
                                        [this] { ++asked; }, nullptr};
    std::unique_ptr<SimulationThread> m_thread;
};

} // namespace

class TestEditor : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY2(fs::exists(Made / "first.so"), "run the test plugin.prepare first"); }

    void aBuildWhilePlayingIsTakenIn() {
        Bench b("first");
        QTRY_VERIFY(b.isThere("two"));
        QVERIFY(b.told().isEmpty());
        b.selection.setEntity("two", QStringLiteral("test"));
        QTRY_COMPARE(b.whole("Ticker", "start"), std::int64_t(50));
        QCOMPARE(b.inspector.editor("Ticker", "every")->origin(), FieldOrigin::Overridden);
        b.feed.post([](Session& session) { session.play(); });
        QTRY_VERIFY_WITH_TIMEOUT(b.whole("Ticker", "count") > 60, Patience); // live
        QVERIFY(b.inspector.editor("Ticker", "step") == nullptr);

        b.files.put("second"); // nobody asks for it to be loaded
        QTRY_VERIFY_WITH_TIMEOUT(!b.told().isEmpty(), Patience);
        QCOMPARE(b.told(), QStringList{QStringLiteral("The plugin plugins/parts was loaded again.")});
        QTRY_COMPARE_WITH_TIMEOUT(b.whole("Ticker", "step"), std::int64_t(10), Patience);
        QVERIFY(b.whole("Ticker", "count") > 60); // went on
        QCOMPARE(b.whole("Ticker", "every"), std::int64_t(3));
        QCOMPARE(b.feed.mode(), Mode::Play);

        b.files.put("crashes");
        QTRY_VERIFY_WITH_TIMEOUT(b.told().value(0).contains(QStringLiteral("is refused")), Patience);
        QCOMPARE(b.told().size(), 1);
        QVERIFY2(b.told().value(0).endsWith(QStringLiteral("The build loaded before stays in force.")),
                 qPrintable(b.told().value(0)));
        QCOMPARE(b.session.catalog().plugins.at(0).build, 2);
        b.notices.live().first().action();
        QVERIFY(b.place.file.endsWith(QStringLiteral("project.toml")));
        QCOMPARE(b.place.line, 5);
        QCOMPARE(b.place.column, 12);

        b.files.put("second");
        QTRY_COMPARE_WITH_TIMEOUT(
            b.told(), QStringList{QStringLiteral("The plugin plugins/parts was loaded again.")}, Patience);
    }

    void theProjectOpensWithoutIt() {
        Bench b({});
        QTRY_VERIFY(b.isThere("crate"));
        QVERIFY(!b.isThere("one"));
        QCOMPARE(b.told().size(), 1);
        QVERIFY2(b.told().at(0).startsWith(QStringLiteral(
                     "The plugin plugins/parts is refused: it is not there; expected the shared library")),
                 qPrintable(b.told().at(0)));
        QCOMPARE(b.notices.live().first().severity, Severity::Warning);
        b.notices.live().first().action();
        QCOMPARE(b.place.line, 5);
        // The rest can be worked with.
        QVERIFY(
            b.document.setText("entities.toml", std::string(Types) + "mass = 3.0\n", QStringLiteral("Type"))
                .ok());
        QTRY_VERIFY(b.project.isCurrent());
        // Built, it comes in, and so do the entities that use it.
        b.files.put("first");
        QTRY_VERIFY_WITH_TIMEOUT(b.told().isEmpty(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(b.isThere("one") && b.isThere("two"), Patience);
        QVERIFY(b.project.problems().items.empty());
    }

    void anUntrustedProjectAsksOnce() {
        Bench b("first", false);
        QTRY_VERIFY(b.isThere("crate"));
        QVERIFY(!b.isThere("one"));
        QCOMPARE(b.told().size(), 1);
        QVERIFY2(b.told().at(0).startsWith(QStringLiteral("Restricted: until you trust this project, its plugins are held back: plugins/parts.")),
                 qPrintable(b.told().at(0)));
        b.notices.live().first().action();
        QCOMPARE(b.asked, 1);
        QVERIFY(b.session.catalog().find("Ticker") == nullptr); // asked is not answered

        sbx::editor::TrustDialog dialog(b.trusted, b.files.file(""), b.project.content()->catalog->plugins, false, b.theme);
        QObject::connect(&dialog, &sbx::editor::TrustDialog::trustChanged, &b.project, &ProjectModel::reread);
        const auto press = [&dialog](const char* button) { dialog.findChild<QPushButton*>(QLatin1String(button))->click(); };
        QTreeWidget* const list = dialog.findChild<QTreeWidget*>(QStringLiteral("trust.list"));
        QCOMPARE(list->topLevelItemCount(), 0);
        QCOMPARE(dialog.findChild<QTreeWidget*>(QStringLiteral("trust.code"))->topLevelItem(0)->text(1), QStringLiteral("parts.so"));
        press("trust.change");
        QTRY_VERIFY_WITH_TIMEOUT(b.isThere("one") && b.isThere("two"), Patience);
        QVERIFY(b.told().isEmpty());
        QVERIFY(b.project.problems().items.empty());
        QCOMPARE(list->topLevelItemCount(), 1);

        // Taken back in the list: held back again.
        list->setCurrentItem(list->topLevelItem(0));
        press("trust.remove");
        QTRY_VERIFY_WITH_TIMEOUT(!b.isThere("one"), Patience);
        QCOMPARE(b.told().size(), 1);
        QCOMPARE(list->topLevelItemCount(), 0);
    }
};

QTEST_MAIN(TestEditor)
#include "tst_editor.moc"
