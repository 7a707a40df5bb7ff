#pragma once
// A copy of a folder of the source tree that a test may write to.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

namespace sbx::test {

inline void copyFolder(const QString& from, const QString& to) {
    QDir().mkpath(to);
    for (const QFileInfo& info : QDir(from).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QString copy = to + QLatin1Char('/') + info.fileName();
        if (info.isDir())
            copyFolder(info.filePath(), copy);
        else
            QVERIFY(QFile::copy(info.filePath(), copy));
    }
}

} // namespace sbx::test
