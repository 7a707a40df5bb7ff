#pragma once
// A project's folder beside what it must not reach.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <sys/stat.h>

namespace sbx::test {

class HostileFolder {
public:
    HostileFolder() {
        if (!QDir(m_dir.path()).mkdir(QStringLiteral("project")))
            qFatal("no temporary folder");
    }
    // Inside and outside of the project.
    [[nodiscard]] QString inside(const QString& name) const {
        return m_dir.filePath(QStringLiteral("project/") + name);
    }
    [[nodiscard]] QString outside(const QString& name) const { return m_dir.filePath(name); }
    [[nodiscard]] std::string root() const { return m_dir.filePath(QStringLiteral("project")).toStdString(); }

    static void write(const QString& path, const QByteArray& bytes) {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
    }
    static void link(const QString& target, const QString& path) {
        if (!QFile::link(target, path))
            qFatal("cannot link");
    }
    static void pipe(const QString& path) {
        if (::mkfifo(path.toLocal8Bit().constData(), 0600) != 0)
            qFatal("cannot make a FIFO");
    }

private:
    QTemporaryDir m_dir;
};

} // namespace sbx::test
