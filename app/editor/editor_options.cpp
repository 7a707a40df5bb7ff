#include "app/editor/editor_options.h"

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
    table.flag("--selftest", "check OpenGL, settings and files, print the result and end", options.selfTest);
    table.flag("--help", "this text", options.help);
    table.flag("--version", "which version this is", options.version);
    table.later("--test-mode", "remote control");
    return table;
}

} // namespace

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
    return options;
}

} // namespace sbx::editor
