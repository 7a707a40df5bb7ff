#include "app/editor/manual.h"

#include "widgets/common/theme.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QFileInfo>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace sbx::editor {

namespace {
// Beside the installed program, or in the source tree it was built from.
QString manualFolder() {
    const QDir program(QApplication::applicationDirPath());
    for (const QString& candidate : {program.filePath(QStringLiteral("../share/signalbox/manual")), program.filePath(QStringLiteral("../../../resources/manual"))})
        if (QFileInfo::exists(candidate + QStringLiteral("/index.md")))
            return candidate;
    return {};
}
} // namespace

void showManual(const ui::Theme& theme, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("manual"));
    dialog->setWindowTitle(QObject::tr("Manual"));
    dialog->resize(760, 720);
    auto* text = new QTextBrowser(dialog);
    text->setObjectName(QStringLiteral("manual.text"));
    text->setAccessibleName(QObject::tr("Manual"));
    text->setFont(theme.font(ui::FontRole::Ui));
    text->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(ui::measure::PanelPadding, ui::measure::PanelPadding, 0, 0);
    layout->addWidget(text);
    const QString folder = manualFolder();
    if (folder.isEmpty()) {
        text->setPlainText(QObject::tr("The manual is not installed; expected share/signalbox/manual/index.md."));
    } else {
        text->setSearchPaths({folder});
        text->setSource(QUrl::fromLocalFile(folder + QStringLiteral("/index.md")), QTextDocument::MarkdownResource);
    }
    dialog->show();
}

} // namespace sbx::editor
