#pragma once
// A project with C++ components of one's own: the template's library gets the project's name. Any thread.

#include <QString>

#include "engine/core/result.h"

#include <string>

namespace sbx::editor {

// What the library of a project of that name is called: "my_game" for "My game"; "my_parts" where no letter or digit of ASCII is left.
[[nodiscard]] QString libraryNameFor(const QString& project);

// In a copy of the template: the library, its main source file and whatever names them.
[[nodiscard]] Result<void> renameLibrary(const QString& folder, const QString& project);

// --new-plugin: makes `folder` (which must not exist or be empty) a project of that name, and says on standard output how to build, test and
// open it. Returns the exit status; an error goes to standard error.
[[nodiscard]] int makePluginProject(const std::string& folder);

} // namespace sbx::editor
