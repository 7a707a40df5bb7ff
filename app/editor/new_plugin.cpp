#include "app/editor/new_plugin.h"

#include <QDir>
#include <QFileInfo>

#include "app/editor/project_templates.h"
#include "engine/core/printable.h"
#include "engine/core/user_folders.h"
#include "engine/plugin/trusted_projects.h"
#include "widgets/common/document_files.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sbx::editor {

namespace {

// As the template's files have them.
const QString TemplateLibrary = QStringLiteral("my_parts");
const QString TemplateProject = QStringLiteral("MyParts"); // of CMake
const QString TemplateName = QStringLiteral("My parts");

QString camelCase(const QString& library) {
    QString out;
    for (const QString& part : library.split(QLatin1Char('_'), Qt::SkipEmptyParts))
        out += part.at(0).toUpper() + part.mid(1);
    return out;
}

// For a shell: in quotes only where it needs them.
QString argument(const QString& path) {
    const bool plain = std::all_of(path.begin(), path.end(), [](QChar c) {
        return c.isLetterOrNumber() || QStringLiteral("/._-+").contains(c);
    });
    return plain ? path : QLatin1Char('\'') + QString(path).replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

} // namespace

QString libraryNameFor(const QString& project) {
    QString name;
    for (const QChar c : project) {
        if (c.unicode() < 0x80 && c.isLetterOrNumber())
            name += c.toLower();
        else if (!name.isEmpty() && !name.endsWith(QLatin1Char('_')))
            name += QLatin1Char('_');
    }
    while (name.endsWith(QLatin1Char('_')))
        name.chop(1);
    if (name.isEmpty())
        return TemplateLibrary;
    return name.at(0).isDigit() ? QStringLiteral("parts_") + name : name;
}

Result<void> renameLibrary(const QString& folder, const QString& project) {
    const QString library = libraryNameFor(project);
    QString shown = project.trimmed(); // stands in texts of C++
    shown.remove(QLatin1Char('"')).remove(QLatin1Char('\\'));
    const std::array<std::pair<std::string, std::string>, 3> names = {{{TemplateLibrary.toStdString(), library.toStdString()},
                                                                       {TemplateProject.toStdString(), camelCase(library).toStdString()},
                                                                       {TemplateName.toStdString(), shown.toStdString()}}};
    const QDir root(folder);
    for (const QString& part : {QString(), QStringLiteral("source"), QStringLiteral("tests")}) {
        const QDir dir(root.filePath(part));
        for (const QString& file : dir.entryList(QDir::Files)) {
            const Result<std::string> before = ui::readBytes(dir.filePath(file));
            if (!before)
                return before.error();
            std::string text = *before;
            for (const auto& [from, to] : names)
                for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
                    text.replace(at, from.size(), to);
            if (text != *before)
                if (const Result<void> written = ui::writeBytes(dir.filePath(file), text); !written)
                    return written.error();
        }
    }
    const QString source = root.filePath(QStringLiteral("source/%1.cpp"));
    if (library != TemplateLibrary && !QFile::rename(source.arg(TemplateLibrary), source.arg(library)))
        return Error{"the source file cannot be called " + library.toStdString() + ".cpp", source.arg(TemplateLibrary).toStdString(), {}};
    return {};
}

int makePluginProject(const std::string& folder) {
    const auto fail = [](const std::string& what) {
        std::fprintf(stderr, "error: --new-plugin: %s\n", printable(what).c_str());
        return 2;
    };
    const std::vector<ProjectTemplate> all = projectTemplates(resourceFolders());
    const auto from = std::find_if(all.begin(), all.end(), [](const ProjectTemplate& each) { return each.id == QLatin1String("plugin"); });
    if (from == all.end())
        return fail("the template is not here: install the program again");
    const QString path = QDir::cleanPath(QDir::current().absoluteFilePath(QString::fromStdString(folder)));
    const QString name = QFileInfo(path).fileName();
    if (const Result<void> made = createProject(*from, path, name); !made)
        return fail(made.error().message);
    // A library for an engine that does not lie where CMake looks by itself.
    const QString prefix = QDir::cleanPath(QFileInfo(QStringLiteral("/proc/self/exe")).canonicalPath() + QStringLiteral("/.."));
    const bool headers = QFileInfo::exists(prefix + QStringLiteral("/lib/cmake/Signalbox/SignalboxConfig.cmake"));
    const bool found = prefix == QLatin1String("/usr") || prefix == QLatin1String("/usr/local");
    const QString where = headers && !found ? QStringLiteral(" -DCMAKE_PREFIX_PATH=") + argument(prefix) : QString();
    const auto line = [](const QString& text) { std::printf("%s\n", printable(text.toStdString()).c_str()); };
    line(QStringLiteral("made %1: a project with the components Bouncer and Blinker in source/, and a test of them in tests/").arg(path));
    line({});
    line(QStringLiteral("  cd %1").arg(argument(path)));
    line(QStringLiteral("  cmake -B build%1").arg(where));
    line(QStringLiteral("  cmake --build build"));
    line(QStringLiteral("  ctest --test-dir build"));
    line(QStringLiteral("  signalbox ."));
    if (!headers)
        line(QStringLiteral("\nThe headers are not installed with this program: on Debian install the package signalbox-dev."));
    return 0;
}

} // namespace sbx::editor
