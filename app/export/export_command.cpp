#include "app/export/export_command.h"

#include "app/common/end_request.h"
#include "app/common/sample_projects.h"
#include "app/export/player_export.h"
#include "engine/components/register.h"
#include "engine/core/log.h"
#include "engine/core/printable.h"
#include "engine/core/user_folders.h"
#include "engine/definition/project.h"
#include "engine/plugin/plugin_host.h"
#include "engine/plugin/trusted_projects.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

namespace sbx::app {

namespace {

int exportFailed(const std::string& message, int status) {
    std::fprintf(stderr, "error: %s\n", printable(message).c_str());
    return status;
}

std::string placed(const Error& error) { return error.file.empty() ? error.message : error.file + ": " + error.message; }

} // namespace

void addExportOptions(OptionTable& table, ExportOptions& options) {
    table.text("--export", "TARGET", "write PROJECT with the player into a new folder or FILE.tar.gz that needs no Signalbox, and end; needs no display",
               options.target);
    table.text("--export-name", "NAME", "with --export: what the game is called; its project's name without it", options.name);
    table.flag("--without-libraries", "with --export: without Qt and the other libraries, which the game then takes from its system",
               options.withoutLibraries);
}

Result<void> checkExportOptions(const ExportOptions& options, const std::string& project) {
    if (options.target.empty() && (options.withoutLibraries || !options.name.empty()))
        return makeError(std::string(options.withoutLibraries ? "--without-libraries" : "--export-name") + " belongs to an export; expected --export TARGET with it");
    if (!options.target.empty() && project.empty())
        return makeError("--export needs a project; expected a folder with a project.toml");
    return {};
}

int exportFromCommandLine(const ExportOptions& options, const std::string& project, bool trust) {
    const EndRequest request;
    const std::string asked = projectOrSample(project);
    const auto file = definition::findProjectFile(asked);
    if (!file)
        return exportFailed(placed(file.error()), 2);
    if (std::error_code failed; !std::filesystem::exists(*file, failed))
        return exportFailed(file->string() + ": there is no such project; expected a project's folder or its project.toml", 2);
    if (const std::string fault = PlayerExport::targetFault(options.target, file->parent_path()); !fault.empty())
        return exportFailed("--export " + fault, 2);
    const auto sources = ExportSources::ofThisProgram();
    if (!sources)
        return exportFailed(placed(sources.error()), 1);
    TrustedProjects trusted(UserFolders::ofUser().config / TrustedProjectsFile, resourceFolders());
    if (trust)
        trusted.trustForNow(file->parent_path());
    Log log;
    ComponentRegistry builtins;
    registerBuiltinComponents(builtins);
    PluginHost plugins(builtins, log);
    plugins.setPolicy(pluginPolicy(trusted, false));
    Diagnostics faults;
    const auto plan = PlayerExport::plan({*file, options.name, !options.withoutLibraries}, *sources, plugins, faults);
    for (const Diagnostic& fault : faults.items)
        std::fprintf(stderr, "%s\n", printable(fault.toString()).c_str());
    if (!plan)
        return exportFailed(placed(plan.error()), 2);

    const bool watched = ::isatty(STDERR_FILENO) != 0;
    std::uint64_t shown = 101;
    const std::uint64_t whole = plan->size();
    const auto written = plan->write(options.target, [&](std::uint64_t done) {
        const std::uint64_t percent = whole == 0 ? 100 : done * 100 / whole;
        if (watched && percent != shown)
            std::fprintf(stderr, "\r%3u %%", static_cast<unsigned>(percent));
        shown = percent;
        return !request.made();
    });
    if (watched)
        std::fputs("\r     \r", stderr);
    if (!written)
        return exportFailed(placed(written.error()), 1);
    if (!*written)
        return request.status();
    std::printf("%s: %s, %zu files, %.1f MiB\n", printable(options.target).c_str(), printable(plan->name()).c_str(), plan->files().size(),
                static_cast<double>(whole) / (1 << 20));
    return 0;
}

} // namespace sbx::app
