#pragma once
// What tests of the real editor window share: a copy of the courtyard that may be changed before it is opened, an editor on it, and main().
// They want a display.

#include <QAction>
#include <QApplication>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/viewport/gl_target.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace sbx::ui_test {

inline constexpr int Patience = 60000; // ms; a loaded machine draws slowly

class EditorTest : public QObject {
protected:
    // An editor of 1280 by 720 on a fresh copy of the courtyard, silent, with empty settings. `change` may change the copy's files first.
    void open(const std::function<void(const QDir& project)>& change = {}) {
        m_editor.reset();
        m_dir = std::make_unique<QTemporaryDir>();
        const QString folder = m_dir->filePath(QStringLiteral("courtyard"));
        sbx::test::copyFolder(sbx::test::qSourcePath("resources/projects/courtyard"), folder);
        if (change)
            change(QDir(folder));
        start();
    }
    // An editor on the copy that is there, as it was left.
    void start() {
        editor::Options options;
        options.project = m_dir->filePath(QStringLiteral("courtyard")).toStdString();
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir->filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().frame().entities->rows.size() > 40, Patience);
    }
    void close() { m_editor.reset(); }

    editor::Editor& editor() { return *m_editor; }
    editor::MainWindow& window() { return m_editor->window(); }
    template <typename T> T* find(const QString& name) { return window().findChild<T*>(name); }
    ui::Selection& selection() { return m_editor->selection(); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }

    // A console line; returns once it has run.
    void execute(const std::string& line) {
        auto done = std::make_shared<std::atomic<bool>>(false);
        m_editor->execute(line, [done](const ConsoleReply&) { *done = true; });
        QTRY_VERIFY_WITH_TIMEOUT(*done, Patience);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<editor::Editor> m_editor;
};

template <typename Test> int run(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace sbx::ui_test
