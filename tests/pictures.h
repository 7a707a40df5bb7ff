#pragma once
// Tests that save what a window looks like, for eyes, do so where SBX_PICTURES names a folder.

#include <QDir>
#include <QString>

namespace sbx::test {

// Empty: nobody asked. Otherwise it is there.
inline QString picturesFolder() {
    const QString folder = qEnvironmentVariable("SBX_PICTURES");
    return folder.isEmpty() || QDir().mkpath(folder) ? folder : QString();
}

} // namespace sbx::test
