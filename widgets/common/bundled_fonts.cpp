#include "widgets/common/bundled_fonts.h"

#include <QDir>
#include <QFontDatabase>

namespace sbx::ui {

void addBundledFonts(const std::vector<std::filesystem::path>& resources) {
    for (const std::filesystem::path& folder : resources) {
        const QDir fonts(QString::fromStdString((folder / "fonts").string()));
        for (const QString& file : fonts.entryList({QStringLiteral("*.otf"), QStringLiteral("*.ttf")}, QDir::Files, QDir::Name))
            QFontDatabase::addApplicationFont(fonts.filePath(file));
    }
}

} // namespace sbx::ui
