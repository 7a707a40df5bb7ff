#include "app/editor/project_templates.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "app/editor/new_plugin.h"
#include "engine/core/value.h"
#include "engine/definition/text_edit.h"
#include "widgets/common/document_files.h"

#include <filesystem>
#include <system_error>

namespace sbx::editor {

namespace {

constexpr int LongestName = 100; // characters; file systems allow 255 bytes

QString tr(const char* text) { return QCoreApplication::translate("sbx::editor::ProjectTemplate", text); }

Error failure(const QString& file, const QString& what) {
    return Error{what.toStdString(), file.toStdString(), {}};
}

// Of a copy: what was built from the original is not part of a new project.
void removeBuilt(const QString& folder) {
    QDir(QDir(folder).filePath(QStringLiteral("build"))).removeRecursively();
}

Result<void> giveName(const QString& folder, const QString& name) {
    const QString file = QDir(folder).filePath(QStringLiteral("project.toml"));
    const Result<std::string> text = ui::readBytes(file);
    if (!text)
        return text.error();
    const auto edits = definition::setTableValue(*text, "project", "name", inQuotes(name.toStdString()));
    if (!edits)
        return edits.error();
    const auto named = definition::applyEdits(*text, *edits);
    if (!named)
        return named.error();
    return ui::writeBytes(file, *named);
}

} // namespace

std::vector<ProjectTemplate> projectTemplates(const std::vector<std::filesystem::path>& resources) {
    struct Entry {
        const char* id;
        QString name;
        QString doc;
        const char* icon;
        const char* folder;
        bool sample;
    };
    const Entry entries[] = {
        {"empty", tr("Empty"), tr("A floor under the sun."), "file", "templates/empty", false},
        {"physics", tr("Physics"), tr("A ramp, crates and a door on a hinge."), "crate", "templates/physics",
         false},
        {"plugin", tr("C++ plugin"), tr("Components of your own, in C++."), "component", "templates/plugin",
         false},
        {"courtyard", tr("Courtyard"),
         tr("Crates, bats and a phantom in a walled yard."), "world",
         "projects/courtyard", true},
        {"pinball", tr("Pinball"), tr("A whole pinball machine made of text."), "ball", "projects/pinball",
         true},
        {"audio-range", tr("Audio range"),
         tr("Sounds over headphones: directions, distances, rooms."), "sound",
         "projects/audio-range", true},
        {"networked-crates", tr("Networked crates"),
         tr("900 crates that several players push about."), "network",
         "projects/networked-crates", true},
    };
    std::vector<ProjectTemplate> out;
    for (const Entry& entry : entries)
        for (const std::filesystem::path& base : resources) {
            const QDir folder(
                QDir(QString::fromStdString(base.string())).filePath(QLatin1String(entry.folder)));
            if (!folder.exists(QStringLiteral("project.toml")))
                continue;
            const QString picture = folder.filePath(QStringLiteral("picture.png"));
            out.push_back({QLatin1String(entry.id), entry.name, entry.doc, QLatin1String(entry.icon),
                           QDir::cleanPath(folder.absolutePath()),
                           QFileInfo::exists(picture) ? picture : QString(), entry.sample, &base == &resources.front()});
            break;
        }
    return out;
}

const ProjectTemplate* installedSample(const std::vector<ProjectTemplate>& all, const QString& asked) {
    const QFileInfo info(asked);
    for (const ProjectTemplate& each : all) {
        if (!each.isSample || !each.isInstalled)
            continue;
        if (!info.exists() ? asked.compare(each.id, Qt::CaseInsensitive) == 0
                           : (info.canonicalFilePath() + QLatin1Char('/'))
                                 .startsWith(QFileInfo(each.folder).canonicalFilePath() + QLatin1Char('/')))
            return &each;
    }
    return nullptr;
}

QString defaultProjectsFolder() {
    QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    if (documents.isEmpty())
        documents = QDir::homePath();
    return QDir(documents).filePath(QStringLiteral("Signalbox"));
}

QString freeProjectFolder(const QString& parent, const QString& name) {
    const QDir folder(parent);
    QString free = folder.filePath(name);
    for (int number = 2; QFileInfo::exists(free); ++number)
        free = folder.filePath(QStringLiteral("%1 %2").arg(name).arg(number));
    return free;
}

QString projectNameFault(const QString& name) {
    if (name.trimmed().isEmpty())
        return tr("The project needs a name.");
    if (name.size() > LongestName)
        return tr("The name is longer than %1 characters.").arg(LongestName);
    for (const QChar c : name)
        if (c == QLatin1Char('/') || c == QLatin1Char('\\') || !c.isPrint())
            return tr("The name is also that of the folder: no / or \\ and no control characters.");
    if (name.startsWith(QLatin1Char('.')))
        return tr("The name is also that of the folder, which would be hidden: no dot at its beginning.");
    return {};
}

QString projectFolderFault(const QString& folder) {
    const QFileInfo info(folder);
    if (info.exists() && !info.isDir())
        return tr("%1 is a file.").arg(folder);
    if (info.exists() && !QDir(folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
        return tr("%1 exists and is not empty.").arg(folder);
    // The nearest folder that is there decides.
    QFileInfo parent(info.absolutePath());
    while (!parent.exists() && !parent.isRoot())
        parent.setFile(parent.absolutePath());
    if (!parent.isDir() || !parent.isWritable())
        return tr("%1 cannot be written to.").arg(parent.absoluteFilePath());
    return {};
}

Result<void> createProject(const ProjectTemplate& from, const QString& folder, const QString& name) {
    for (const QString& fault : {projectNameFault(name), projectFolderFault(folder)})
        if (!fault.isEmpty())
            return failure(folder, fault);
    const QFileInfo target(folder);
    std::error_code refused;
    std::filesystem::create_directories(target.absolutePath().toStdString(), refused);
    if (const QString path = target.absolutePath(); refused) {
        // The first folder on the way that is there decides.
        QFileInfo above(path);
        while (!above.exists() && above.absolutePath() != above.absoluteFilePath())
            above.setFile(above.absolutePath());
        const QString there = above.absoluteFilePath();
        return failure(path, !above.isDir() ? tr("the folder %1 cannot be made: %2 is a file").arg(path, there)
                             : !above.isWritable()
                                 ? tr("the folder %1 cannot be made: you may not write to %2").arg(path, there)
                                 : tr("the folder %1 cannot be made: %2").arg(path, QString::fromStdString(refused.message())));
    }
    // Copied under a hidden name and then renamed, so that the folder never holds half a project.
    const QString draft =
        freeProjectFolder(target.absolutePath(), QStringLiteral(".%1.new").arg(target.fileName()));
    Result<void> made = ui::copyProject(from.folder, draft);
    if (made) {
        removeBuilt(draft);
        if (from.id == QLatin1String("plugin"))
            made = renameLibrary(draft, name);
    }
    if (made)
        made = giveName(draft, name);
    if (made) {
        if (target.exists())
            QDir().rmdir(target.absoluteFilePath());
        if (!QDir().rename(draft, target.absoluteFilePath()))
            made = failure(target.absoluteFilePath(), tr("the new folder cannot be given its name"));
    }
    if (!made)
        QDir(draft).removeRecursively();
    return made;
}

} // namespace sbx::editor
