#pragma once
// A small project on disk, a session that runs it, and both panels over them, without a simulation thread.

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "engine/commands/console_commands.h"
#include "engine/core/log.h"
#include "engine/session/session.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/outline_model.h"
#include "widgets/definition/outline_tree.h"
#include "widgets/definition/problem_marks.h"
#include "widgets/definition/problems_model.h"
#include "widgets/definition/problems_panel.h"
#include "widgets/definition/text_assist.h"
#include "widgets/definition/text_binding.h"

#include <memory>
#include <string>

namespace sbx::ui {

inline const std::string Entities = "# Äpfel und Kisten\n"
                                    "[Crate]\n"
                                    "doc = \"A box.\"\n"
                                    "\n"
                                    "[Crate.Body]\n"
                                    "shape = \"box\" # ümlaut\n"
                                    "mass = 5.0\n"
                                    "\n"
                                    "[Crate.Health]\n"
                                    "maximum = 40\n"
                                    "\n"
                                    "[Heavy]\n"
                                    "extends = \"Crate\"\n"
                                    "[Heavy.Body]\n"
                                    "mass = 50.0\n";
inline const std::string Scene =
    "[scene]\nname = \"Yard\"\n\n[[entity]]\ntype = \"Crate\"\nname = \"box_1\"\n"
    "position = [0.0, 5.0, 0.0]\n\n[[entity]]\ntype = \"Heavy\"\nname = \"box_2\"\n";
inline const std::string Project =
    "[project]\nname = \"Yard\"\nscene = \"yard.scene.toml\"\ndefinitions = [\"entities.toml\"]\n";

class PanelFixture {
public:
    explicit PanelFixture(const std::string& entities = Entities) {
        write("entities.toml", entities);
        write("yard.scene.toml", Scene);
        write("project.toml", Project);
        opened = static_cast<bool>(project.open(folder.path() + QStringLiteral("/yard")));
        live();
        panel = std::make_unique<DefinitionPanel>(theme, document, project, feed, selection, actions);
        problems = std::make_unique<ProblemsPanel>(theme, project);
        panel->resize(900, 500);
        panel->show();
        problems->resize(900, 200);
        problems->show();
        QCoreApplication::processEvents();
    }

    void write(const char* name, const std::string& text) {
        QDir().mkpath(folder.path() + QStringLiteral("/yard"));
        QFile file(folder.path() + QStringLiteral("/yard/") + QLatin1String(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }
    // What was posted runs, and the window hears of it.
    void live() {
        session.runPosted();
        session.publish();
        feed.poll();
    }
    // Parses what was edited.
    void settle() {
        project.refresh();
        live();
        QCoreApplication::processEvents();
    }
    const std::string& text(const char* file = "entities.toml") { return document.text(file); }
    [[nodiscard]] std::string shown() const { return std::string(panel->editor().bytes()); }
    // Replaces the first `from`, from outside the panel.
    void change(const std::string& from, const std::string& to, const char* file = "entities.toml") {
        const std::size_t at = document.text(file).find(from);
        QVERIFY(at != std::string::npos);
        QVERIFY(document.edit({file, {{at, from, to}}, QStringLiteral("Change"), {}}));
    }
    void caretBefore(const std::string& what) {
        panel->binding().setCaret(text(panel->file().toUtf8().constData()).find(what));
    }
    void caretBehind(const std::string& what) {
        panel->binding().setCaret(text(panel->file().toUtf8().constData()).find(what) + what.size());
    }
    void type(const char* keys) { QTest::keyClicks(&panel->editor(), QLatin1String(keys)); }

    QTemporaryDir folder;
    Log log;
    Session session{log, addConsoleCommands};
    Theme theme;
    SessionFeed feed{session};
    Document document{folder.path() + QStringLiteral("/state")};
    ProjectModel project{document, feed};
    Selection selection;
    ActionRegistry actions{theme};
    std::unique_ptr<DefinitionPanel> panel;
    std::unique_ptr<ProblemsPanel> problems;
    bool opened = false;
};

} // namespace sbx::ui
