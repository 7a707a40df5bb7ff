#include "app/editor/self_test.h"

#include <QDir>
#include <QFile>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>

#include "engine/core/log.h"
#include "engine/core/user_folders.h"
#include "engine/session/session.h"

#include <cstdio>

namespace sbx::editor {

namespace {
bool report(const char* what, bool good, const QString& detail) {
    std::printf("%-10s %-6s %s\n", what, good ? "ok" : "FAILED", detail.toUtf8().constData());
    return good;
}

bool checkOpenGl() {
    QOffscreenSurface surface;
    surface.create();
    QOpenGLContext context;
    if (!context.create() || !context.makeCurrent(&surface))
        return report("OpenGL", false,
                      QStringLiteral("no OpenGL 3.3 core context; expected a driver such as Mesa"));
    const auto version = context.format().version();
    const QString renderer =
        QString::fromUtf8(reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER)));
    return report("OpenGL", version >= qMakePair(3, 3),
                  QStringLiteral("%1.%2, %3").arg(version.first).arg(version.second).arg(renderer));
}

bool checkFolder() {
    const QString folder = QString::fromStdString(UserFolders::ofUser().config.string());
    QDir().mkpath(folder);
    QFile probe(QDir(folder).filePath(QStringLiteral("selftest")));
    const bool good = probe.open(QIODevice::WriteOnly) && probe.write("x") == 1;
    probe.remove();
    return report("Settings", good, folder);
}

bool checkSession() {
    Log log;
    Session session(log);
    session.play();
    for (int i = 0; i < 60; ++i)
        session.tick();
    return report("Session", session.world().tickCount() == 60, QStringLiteral("60 ticks"));
}
} // namespace

int selfTest() {
    const bool openGl = checkOpenGl();
    const bool folder = checkFolder();
    const bool session = checkSession();
    return openGl && folder && session ? 0 : 1;
}

} // namespace sbx::editor
