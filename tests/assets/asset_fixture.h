#pragma once
// What the tests of assets stand on: a project on the disk with a mesh in two places and a sound, opened in a document, a session whose
// thread is the test, and a panel once it is made.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/audio/sound_file.h"
#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "widgets/assets/asset_model.h"
#include "widgets/assets/asset_panel.h"
#include "widgets/assets/asset_previews.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/session_feed.h"
#include "widgets/common/theme.h"

#include <memory>
#include <vector>

namespace sbx::ui::test {

inline const QByteArray Triangle = "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n";

struct AssetFixture {
    QTemporaryDir dir;
    Log log;
    Session session{log, addConsoleCommands};
    Theme theme;
    SessionFeed feed{session};
    Document document{dir.filePath(QStringLiteral("state"))};
    ProjectModel project{document, feed};
    ActionRegistry actions{theme};
    std::unique_ptr<AssetPanel> panel;

    AssetFixture() {
        write("project.toml", "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write("e.toml", "# stones\n[Rock]\n[Rock.Mesh]\nmesh = \"meshes/rock.obj\" # grey\n\n[Bell]\n[Bell.Sound]\nfile = 'sounds/bell.wav'\n");
        write("s.scene.toml", "[scene]\nname = \"S\"\n\n[[entity]]\ntype = \"Rock\"\nname = \"one\"\n\n[entity.Mesh]\nmesh = \"./meshes/rock.obj\"\n");
        write("meshes/rock.obj", Triangle);
        write("meshes/spare.obj", Triangle + "# spare\n");
        sound("sounds/bell.wav", 24000);
        theme.apply(*qApp);
    }
    [[nodiscard]] QString path(const QString& name) const { return dir.filePath(QStringLiteral("p/") + name); }
    void write(const QString& name, const QByteArray& bytes) const {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
    }
    [[nodiscard]] QByteArray read(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
    }
    [[nodiscard]] bool exists(const QString& name) const { return QFileInfo::exists(path(name)); }
    void sound(const QString& name, std::size_t frames) const {
        QDir().mkpath(QFileInfo(path(name)).path());
        if (!audio::writeWav(path(name).toStdString(), std::vector<float>(2 * frames, 0.25F), 48000.0))
            qFatal("no sound file");
    }
    void open() {
        if (const Result<void> opened = project.open(dir.filePath(QStringLiteral("p"))); !opened)
            qFatal("%s", opened.error().toString().c_str());
        turn();
    }
    // What the simulation thread does between two frames, and the window with the answer.
    void turn() {
        session.runPosted();
        session.publish();
        feed.poll();
        QCoreApplication::processEvents();
    }
    AssetPanel& show() {
        panel = std::make_unique<AssetPanel>(theme, document, project, feed, actions, dir.filePath(QStringLiteral("cache")));
        panel->resize(300, 500);
        panel->show();
        open();
        return *panel;
    }
    [[nodiscard]] QModelIndex row(const QString& name) const { return panel->model().indexOf(name); }
    [[nodiscard]] QVariant of(const QString& name, int role) const { return row(name).data(role); }
    ~AssetFixture() {
        panel.reset();
        session.runPosted();
    }
};

} // namespace sbx::ui::test
