#include "tests/folders.h"

namespace sbx::test {

std::string sourcePath(std::string_view below) {
    return std::string(SBX_SOURCE_DIR "/").append(below);
}

QString qSourcePath(std::string_view below) {
    return QString::fromStdString(sourcePath(below));
}

std::string buildPath(std::string_view below) {
    return std::string(SBX_BINARY_DIR "/").append(below);
}

QString qBuildPath(std::string_view below) {
    return QString::fromStdString(buildPath(below));
}

} // namespace sbx::test
