#include "app/editor/editor_options.h"

#include "app/common/manual_page.h"
#include "app/common/option_table.h"

namespace sbx::editor {

namespace {

app::OptionTable table(Options& options) {
    app::OptionTable table;
    table.flag("--play", "start playing", options.play);
    table.text("--exec", "FILE.cfg", "run console lines once the project is open", options.execFile);
    table.text("--screenshot", "FILE.png", "write a picture of the window before the program ends", options.screenshotFile);
    table.number("--quit-after", "SECONDS", "end after that time, of the simulation if it plays", options.quitAfter, 0.0, 86400.0);
    table.value("--theme", "NAME", "dark, light or system", [&options](const std::string& name) -> Result<void> {
        if (name != "dark" && name != "light" && name != "system")
            return Error{"--theme " + name + ": expected dark, light or system", {}, {}};
        options.theme = name;
        return {};
    });
    table.size("size of the window in pixels", options.width, options.height, 640, 400);
    table.cvars("set a CVar; also --NAME=VALUE", options.cvars);
    table.flag("--safe-mode", "default layout and settings, no plugins; nothing is remembered", options.safeMode);
    table.flag("--trust", "let PROJECT's plugins run this time, without asking", options.trust);
    table.flag("--portable", "settings, log and unsaved work in the folder `user` beside the program, from now on", options.portable);
    table.flag("--reset-settings", "put layout, theme, CVars and keys aside and start with the defaults", options.resetSettings);
    table.text("--new-plugin", "FOLDER", "make a project with C++ components of its own there, say how to build it, and end", options.newPlugin);
    table.flag("--selftest", "try OpenGL, sound, network, folders, the samples and a plugin, print a line each and end; 1 if one fails", options.selfTest);
    table.text("--test-mode", "SOCKET", "open a local socket by which scripts of yours control the program; see the manual, Remote control", options.testMode);
    app::addExportOptions(table, options.exporting);
    table.flag("--help", "this text", options.help);
    table.flag("--version", "which version this is", options.version);
    table.hiddenFlag("--manual-page", options.manualPage);
    table.hiddenFlag("--completion", options.completion);
    return table;
}

} // namespace

std::string manualPage(const std::string& version) {
    Options none;
    return app::manualPage({.program = "signalbox",
                            .version = version,
                            .summary = "editor of a desktop sandbox for message-driven entities",
                            .synopsis = "[PROJECT | FILE]",
                            .description = "Opens PROJECT, a project's folder or its project.toml, or FILE, a scene inside a project; without "
                                           "either the start page, with recent projects, templates and samples.\n\n"
                                           "The name of a sample, such as courtyard, opens the installed one.",
                            .sections = {{"Files", "Settings, keys, layouts and the list of trusted projects lie in $XDG_CONFIG_HOME/signalbox, "
                                                   "the log, crash records and unsaved work in $XDG_STATE_HOME/signalbox, thumbnails in "
                                                   "$XDG_CACHE_HOME/signalbox."},
                                         {"Exit status", "0 ok, 1 a failed run or self-test, 2 wrong usage or bad input, 3 ended after a crash."}},
                            .seeAlso = "signalbox-player(1); the manual under Help, or in the folder share/signalbox/manual"},
                           table(none));
}

std::string completion() {
    Options none;
    return app::bashCompletion("signalbox", table(none));
}

std::string usage() {
    Options none;
    return "usage: signalbox [PROJECT | FILE] [options]\n"
           "\n"
           "PROJECT is a project's folder or its project.toml; FILE a scene inside a project.\n"
           "\n"
           + table(none).help();
}

Result<Options> parseOptions(const std::vector<std::string>& arguments) {
    Options options;
    if (const Result<void> read = table(options).parse(arguments, options.project); !read)
        return read.error();
    if (const Result<void> whole = app::checkExportOptions(options.exporting, options.project); !whole)
        return whole.error();
    return options;
}

} // namespace sbx::editor
