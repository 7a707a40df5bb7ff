// The files of the project: what is said of them, recovery and trust, saving.

#include <QGridLayout>
#include <QMessageBox>
#include <QPushButton>

#include "app/editor/backups_dialog.h"
#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/plugin_notices.h"
#include "app/editor/status_badge.h"
#include "app/editor/status_strip.h"
#include "app/editor/trust_dialog.h"
#include "engine/plugin/trusted_projects.h"
#include "widgets/common/backups.h"
#include "widgets/common/file_dialog.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/log_problems.h"
#include "widgets/console/console_panel.h"
#include "widgets/console/watch_list.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <utility>

namespace sbx::editor {

namespace {
// Subject of the notices about a file of the project.
const QString FileContext = QStringLiteral("file ");
QString fileContext(const std::string& file) { return FileContext + QString::fromStdString(file); }

// A box is as wide as its text and its buttons; the window manager would cut off a title that needs more beside its own buttons.
void fitTitle(QMessageBox& box) {
    constexpr int Decoration = 180; // pixels: icon and buttons of the frame, whose font is bolder than ours
    const int needed = box.fontMetrics().horizontalAdvance(box.windowTitle()) * 5 / 4 + Decoration;
    if (auto* grid = qobject_cast<QGridLayout*>(box.layout()))
        grid->addItem(new QSpacerItem(needed, 0, QSizePolicy::Minimum, QSizePolicy::Fixed), grid->rowCount(),
                      0, 1, grid->columnCount());
}
} // namespace

void MainWindow::connectDocument() {
    ui::Document& document = m_editor.document();
    connect(&document, &ui::Document::opened, m_logProblems, &ui::LogProblems::clear);
    connect(&document, &ui::Document::dirtyChanged, this, &MainWindow::updateTitle);
    connect(&document, &ui::Document::opened, this, &MainWindow::updateTitle);
    if (m_console->watches() != nullptr)
        connect(&document, &ui::Document::opened, this, [this] { m_console->watches()->setExportFolder(m_editor.document().folder()); });
    connect(&document, &ui::Document::opened, this, [this] { m_trace->setExportFolder(m_editor.document().folder()); });
    connect(&document, &ui::Document::recoveryAvailable, this, &MainWindow::offerRecovery);
    connect(&document, &ui::Document::recoveriesChanged, this, [this] { m_editor.actions().refresh(); });
    connect(&document, &ui::Document::recoveryUnreadable, this, [this](const QString& path) {
        ui::Notice notice;
        notice.severity = Severity::Warning;
        notice.context = QStringLiteral("recovery ") + path;
        notice.text = tr("What an earlier run left unsaved cannot be read. It is kept as %1.").arg(path);
        m_editor.log().warning("editor", notice.text.toStdString());
        m_editor.notices().post(notice);
    });
    connect(&document, &ui::Document::journalFailed, this, [this](const QString& reason) {
        m_editor.notices().dismissContext(QStringLiteral("journal"));
        ui::Notice notice;
        notice.severity = Severity::Warning;
        notice.context = QStringLiteral("journal");
        notice.text = tr("Unsaved work would be lost in a crash: the journal in %1 %2.")
                          .arg(m_editor.stateFolder(), reason);
        notice.actionText = tr("Save now");
        notice.action = [this] { save(); };
        m_editor.notices().post(notice);
    });
    connect(&document, &ui::Document::journalWritten, this,
            [this] { m_editor.notices().dismissContext(QStringLiteral("journal")); });
    connect(&document, &ui::Document::externalChange, this, &MainWindow::showExternalChange);
    // Written by the editor, or in another project: nothing is left to say about the file on the disk.
    connect(&document, &ui::Document::saved, this,
            [this](const std::string& file) { m_editor.notices().dismissContext(fileContext(file)); });
    for (const auto over : {&ui::Document::opened, &ui::Document::closed})
        connect(&document, over, this, [this] { m_editor.notices().dismissContexts(FileContext); });
}

void MainWindow::connectProject() {
    ui::Document& document = m_editor.document();
    ui::ProjectModel& project = m_editor.project();
    // A world that runs goes on until the session shows the other project: what it sends until then goes as well.
    connect(&document, &ui::Document::opened, m_trace, [this] {
        m_trace->clear();
        m_clearWhenShown = m_editor.feed().mode() != Mode::Edit;
    });
    connect(&project, &ui::ProjectModel::loadingChanged, m_trace, [this](const QString& name) {
        if (name.isEmpty() && std::exchange(m_clearWhenShown, false))
            m_trace->clear();
    });
    new PluginNotices(
        project, [this]() -> const Catalog& { return m_editor.feed().session().catalog(); },
        m_editor.notices(),
        [this](const QString& file, int line, int column) { showDefinition(file, line, column); },
        m_editor.options().safeMode ? std::function<void()>() : [this] { showTrust(); }, this);
    // Reading a large project keeps the window busy: what it says is painted before.
    connect(&project, &ui::ProjectModel::loadingChanged, this, [this](const QString& name) {
        m_outliner->setLoading(name);
        m_viewport->setLoading(name);
        if (!name.isEmpty()) {
            m_outliner->repaint();
            m_viewport->repaint();
        }
    });
    connect(&project, &ui::ProjectModel::loadingStep, this, [this](int percent, const QString& text) {
        m_viewport->setLoadingStep(percent, text);
        m_viewport->repaint();
    });
    connect(&project, &ui::ProjectModel::contentChanged, this, &MainWindow::updateTitle);
    connect(&m_status->restricted(), &QAbstractButton::clicked, this, &MainWindow::showTrust);
    connect(&project, &ui::ProjectModel::missingChanged, this, &MainWindow::showMissing);
    // An error in project.toml itself: nothing of the project can be read anew, and no entity is missing that would say so.
    connect(&project, &ui::ProjectModel::problemsChanged, this, [this] {
        const std::string file = m_editor.document().isOpen() ? m_editor.document().file(ui::FileRole::Project) : std::string();
        const std::vector<Diagnostic>& items = m_editor.project().problems().items;
        const auto error = std::find_if(items.begin(), items.end(), [&](const Diagnostic& problem) {
            return problem.severity == Severity::Error && !file.empty() && problem.file == file;
        });
        ui::Notice notice;
        notice.context = FileContext + QStringLiteral(":fault"); // goes with the project
        if (error == items.end()) {
            m_editor.notices().dismissContext(notice.context);
            return;
        }
        notice.severity = Severity::Warning;
        notice.text = tr("%1, line %2, has an error: %3.")
                          .arg(ui::shownLine(QString::fromStdString(file)), QString::number(error->region.line),
                               ui::shownLine(QString::fromStdString(error->message())));
        notice.actionText = tr("Show");
        notice.action = [this, shown = QString::fromStdString(file), line = error->region.line, column = error->region.column] {
            showDefinition(shown, line, column);
        };
        const QList<ui::Notice>& live = m_editor.notices().live();
        if (std::none_of(live.begin(), live.end(), [&](const ui::Notice& each) {
                return each.context == notice.context && each.text == notice.text;
            })) // said again with every edit, it is the same matter
            m_editor.notices().post(notice);
    });
}

// One notice a file: what is true of it now.
void MainWindow::showExternalChange(const std::string& file, ui::ExternalChange change) {
    ui::Document& document = m_editor.document();
    const QString name = QString::fromStdString(file);
    ui::Notice notice;
    notice.context = fileContext(file);
    switch (change) {
    case ui::ExternalChange::Settled:
        m_editor.notices().dismissContext(notice.context);
        return;
    case ui::ExternalChange::Removed:
        notice.severity = Severity::Warning;
        notice.text = tr("%1 is gone from the disk. Saving writes it again.").arg(name);
        break;
    case ui::ExternalChange::Changed:
        if (document.isDirty(file)) {
            notice.severity = Severity::Warning;
            notice.text = tr("%1 changed on disk, and has unsaved changes here.").arg(name);
            notice.actionText = tr("Reload");
            notice.action = [this, file] {
                if (const Result<void> read = m_editor.document().reload(file); !read)
                    report(QString::fromStdString(read.error().message));
            };
        } else if (const Result<void> read = document.reload(file); read) {
            notice.text = tr("%1 changed on disk and was read again.").arg(name);
        } else {
            notice.severity = Severity::Error;
            notice.text = QString::fromStdString(read.error().toString());
        }
        break;
    }
    m_editor.notices().post(notice);
}

// Entities that were placed and cannot be in the world: an edit of the scene must not go unseen.
void MainWindow::showMissing() {
    const ui::ProjectModel& project = m_editor.project();
    const std::vector<std::string>& missing = project.missing();
    ui::Notice notice;
    notice.context = QStringLiteral("missing");
    const auto error =
        std::find_if(project.problems().items.begin(), project.problems().items.end(),
                     [](const Diagnostic& problem) { return problem.severity == Severity::Error; });
    if (missing.empty() || error == project.problems().items.end()) {
        m_editor.notices().dismissContext(notice.context);
        return;
    }
    notice.severity = Severity::Warning;
    const QString first = QString::fromStdString(missing.front());
    const QString file = QString::fromStdString(error->file);
    const QString place = tr("%1, line %2, has an error").arg(file, QString::number(error->region.line));
    notice.text = missing.size() == 1
                      ? tr("%1 stands in the scene file and is not in the world: %2.").arg(first, place)
                      : tr("%1 entities of the scene file, %2 first, are not in the world: %3.")
                            .arg(QString::number(missing.size()), first, place);
    notice.actionText = tr("Show");
    notice.action = [this, file, line = error->region.line, column = error->region.column] {
        showDefinition(file, line, column);
    };
    m_editor.notices().post(notice);
}

void MainWindow::offerRecovery() {
    if (m_recovery)
        m_recovery->close();
    m_recovery = new RecoveryDialog(m_editor.document(), m_editor.theme(), this);
    m_recovery->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_recovery, &RecoveryDialog::failed, this, &MainWindow::report);
    m_recovery->open();
}

void MainWindow::showTrust() {
    const auto& content = m_editor.project().content();
    auto* dialog = new TrustDialog(m_editor.trusted(), content ? content->project.folder : std::filesystem::path(),
                                   content && content->catalog ? content->catalog->plugins : std::vector<PluginState>(),
                                   m_editor.options().safeMode, m_editor.theme(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TrustDialog::failed, this, &MainWindow::report);
    connect(dialog, &TrustDialog::trustChanged, &m_editor.project(), &ui::ProjectModel::reread);
    dialog->open();
}

void MainWindow::createBackups() {
    m_backups = std::make_unique<ui::Backups>(m_editor.stateFolder(), m_editor.document());
    m_mostBackups = m_editor.feed().session().console().cvars().add<int>(
        "editor.backups", ui::Backups::DefaultMost, "Saves of a project whose former files are kept, to go back to; 0: none.",
        {.minimum = 0, .maximum = ui::Backups::Largest, .flags = CVarFlags::Archive});
}

void MainWindow::keepBackup() {
    const QString subject = QStringLiteral("backup");
    if (const Result<void> kept = m_backups->keep(m_mostBackups->get()); kept) {
        m_editor.notices().dismissContext(subject);
    } else {
        ui::Notice notice;
        notice.severity = Severity::Warning;
        notice.context = subject;
        notice.text = tr("No backup of what this save overwrites was kept: %1.").arg(QString::fromStdString(kept.error().toString()));
        m_editor.log().warning("editor", notice.text.toStdString());
        m_editor.notices().post(notice);
    }
}

void MainWindow::showBackups() {
    auto* dialog = new BackupsDialog(*m_backups, m_mostBackups->get(), m_editor.theme(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &BackupsDialog::failed, this, &MainWindow::report);
    connect(dialog, &BackupsDialog::restored, m_status, &StatusStrip::say);
    connect(&m_editor.document(), &ui::Document::closed, dialog, &QDialog::reject);
    dialog->open();
}

bool MainWindow::save() {
    ui::Document& document = m_editor.document();
    keepBackup();
    ui::SaveMode mode = ui::SaveMode::RefuseIfChangedOnDisk;
    for (;;) {
        if (document.save(mode))
            return true;
        const std::vector<ui::SaveFault> faults = document.saveFaults();
        const bool changedOutside = std::any_of(
            faults.begin(), faults.end(), [](const ui::SaveFault& fault) { return fault.changedOnDisk; });
        QStringList lines;
        for (const ui::SaveFault& fault : faults) {
            lines.append(QString::fromStdString(fault.file + ": " + fault.reason));
            m_editor.log().error("editor", "not saved: " + fault.file + ": " + fault.reason);
        }
        QMessageBox box(QMessageBox::Warning, tr("Not saved"), lines.join(QLatin1Char('\n')),
                        QMessageBox::NoButton, this);
        box.setObjectName(QStringLiteral("notSaved"));
        box.setInformativeText(
            tr("What was last saved is still on the disk, and your changes are still open here."));
        QPushButton* retry = box.addButton(tr("&Retry"), QMessageBox::AcceptRole);
        QPushButton* elsewhere = box.addButton(tr("Save &as…"), QMessageBox::ActionRole);
        QPushButton* overwrite =
            changedOutside ? box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole) : nullptr;
        QPushButton* cancel = box.addButton(QMessageBox::Cancel);
        // Trying again does not help against a file that another program wrote.
        box.setDefaultButton(changedOutside ? cancel : retry);
        box.setEscapeButton(cancel);
        fitTitle(box);
        box.exec();
        if (box.clickedButton() == elsewhere)
            return saveProjectAs();
        if (box.clickedButton() != retry && (overwrite == nullptr || box.clickedButton() != overwrite))
            return false;
        mode =
            box.clickedButton() == overwrite ? ui::SaveMode::Overwrite : ui::SaveMode::RefuseIfChangedOnDisk;
    }
}

bool MainWindow::saveProjectAs() {
    const QString folder = ui::fileToSave(this, tr("Save project as a new folder"),
                                          m_editor.document().folder() + QStringLiteral("-copy"));
    if (folder.isEmpty())
        return false;
    const TrustReason trust = m_editor.trusted().reason(m_editor.document().folder().toStdString());
    if (const Result<void> saved = m_editor.document().saveProjectAs(folder); !saved) {
        reportOn(QStringLiteral("saveAs"), QString::fromStdString(saved.error().toString()));
        return false;
    }
    m_editor.notices().dismissContext(QStringLiteral("saveAs"));
    // The same files, copied here: the user has been asked about them.
    const std::filesystem::path copy(m_editor.document().folder().toStdString());
    if (trust == TrustReason::ForNow)
        m_editor.trusted().trustForNow(copy);
    else if (trust != TrustReason::None && !m_editor.options().safeMode)
        if (const Result<void> kept = m_editor.trusted().trust(copy); !kept)
            report(QString::fromStdString(kept.error().toString()));
    m_editor.project().relocate();
    updateTitle();
    return true;
}

bool MainWindow::confirmUnsaved() {
    if (!m_editor.document().isDirty())
        return true;
    QMessageBox box(QMessageBox::Warning, tr("Unsaved changes"), tr("Save the changes before going on?"),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("unsaved"));
    QStringList changed;
    for (const ui::DocumentFile& file : m_editor.document().files())
        if (m_editor.document().isDirty(file.file))
            changed.append(QString::fromStdString(file.file));
    box.setInformativeText(tr("Changed: %1").arg(changed.join(QStringLiteral(", "))));
    box.setDefaultButton(QMessageBox::Save);
    box.button(QMessageBox::Save)->setText(tr("&Save"));
    box.button(QMessageBox::Discard)->setText(tr("&Discard"));
    fitTitle(box);
    switch (box.exec()) {
    case QMessageBox::Save:
        return save();
    case QMessageBox::Discard:
        return true;
    default:
        return false;
    }
}

} // namespace sbx::editor
