// File ▸ Export player…: the project with a player, for people without Signalbox.

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

#include "app/editor/editor.h"
#include "app/editor/export_dialog.h"
#include "app/editor/main_window.h"
#include "engine/session/session.h"
#include "widgets/common/document_files.h"
#include "widgets/common/foreign_text.h"

namespace sbx::editor {

void MainWindow::showExport() {
    ui::Document& document = m_editor.document();
    const auto& content = m_editor.project().content();
    ExportDialog::Project project{.folder = ui::pathOf(document.folder()),
                                  .name = content ? QString::fromStdString(content->project.name) : QFileInfo(document.folder()).fileName(),
                                  .plugins = &m_editor.feed().session().plugins(),
                                  .save = {}};
    if (document.isDirty())
        project.save = [this] { return !m_editor.document().isDirty() || save(); };
    auto* dialog = new ExportDialog(std::move(project), m_editor.settings(), m_editor.theme(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&document, &ui::Document::closed, dialog, &QObject::deleteLater);
    connect(dialog, &ExportDialog::exported, this, [this](const QString& target) {
        const QString folder = QFileInfo(target).isDir() ? target : QFileInfo(target).absolutePath();
        ui::Notice notice;
        notice.context = QStringLiteral("export");
        notice.text = tr("The player was exported to %1.").arg(ui::shownLine(QDir::toNativeSeparators(target)));
        notice.actionText = tr("Open folder");
        notice.action = [this, folder] {
            if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
                report(tr("No program here shows folders; it is %1.").arg(ui::shownLine(folder)));
        };
        m_editor.notices().post(notice);
    });
    dialog->open();
}

} // namespace sbx::editor
