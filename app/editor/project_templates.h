#pragma once
// What a new project can begin as: the templates and the sample projects that come with the program. GUI thread.

#include <QString>

#include "engine/core/result.h"

#include <filesystem>
#include <vector>

namespace sbx::editor {

struct ProjectTemplate {
    QString id;   // "empty"
    QString name; // "Empty"
    QString doc;  // one sentence
    QString icon; // of the theme
    QString folder;
    QString picture; // a PNG; empty: there is none
    bool isSample = false;
    bool isInstalled = false; // lies in the folder of an installed package, which is not the user's to change
};

// Those whose folder is there, in the order in which they are offered. `resources`: the program's own folders, see
// resourceFolders(); the first is that of the installed package.
[[nodiscard]] std::vector<ProjectTemplate> projectTemplates(
    const std::vector<std::filesystem::path>& resources);

// The installed sample that an argument of the command line or a double click means: by its id ("courtyard") where no file of that name
// is there, or by a path inside its folder. Null: none.
[[nodiscard]] const ProjectTemplate* installedSample(const std::vector<ProjectTemplate>& all, const QString& asked);

// Where a new project is offered: "Signalbox" in the user's documents.
[[nodiscard]] QString defaultProjectsFolder();

// A folder in `parent` that is not there yet: `name`, or `name 2`, …
[[nodiscard]] QString freeProjectFolder(const QString& parent, const QString& name);

// Why a project cannot be called or lie so, in words; empty: it can.
[[nodiscard]] QString projectNameFault(const QString& name);
[[nodiscard]] QString projectFolderFault(const QString& folder);

// Copies the template to `folder` and gives it its name. Nothing is left behind if that fails. The folder must not exist or be empty.
[[nodiscard]] Result<void> createProject(const ProjectTemplate& from, const QString& folder,
                                         const QString& name);

} // namespace sbx::editor
