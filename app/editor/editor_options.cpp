#include "app/editor/editor_options.h"

#include "engine/core/nearest.h"

#include <charconv>

namespace sbx::editor {

std::string usage() {
    return "usage: signalbox [PROJECT | FILE] [options]\n"
           "\n"
           "  PROJECT            a project's folder or its project.toml; FILE: a scene inside a project\n"
           "  --play             start playing\n"
           "  --exec FILE.cfg    run console lines once the project is open\n"
           "  --screenshot FILE  write a PNG of the window before the program ends\n"
           "  --quit-after S     end after S seconds\n"
           "  --theme NAME       dark, light or system\n"
           "  --size WxH         size of the window in pixels\n"
           "  --NAME=VALUE       set a CVar (--sim.seed=7)\n"
           "  --safe-mode        default layout and settings; nothing is remembered\n"
           "  --selftest         check OpenGL, settings and files, print the result and end\n"
           "  --help, --version\n";
}

Result<Options> parseOptions(const std::vector<std::string>& arguments) {
    static const std::vector<std::string> Known = {"--play",  "--exec",   "--screenshot", "--quit-after",
                                                   "--theme", "--size",   "--safe-mode",  "--selftest",
                                                   "--help",  "--version"};
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string name = arguments[i] == "-h" ? "--help" : arguments[i];
        if (!name.starts_with("--")) {
            if (!options.project.empty())
                return Error{"unexpected argument " + name + ": the project is " + options.project
                                 + " already",
                             {},
                             {}};
            options.project = name;
            continue;
        }
        std::optional<std::string> inlineValue;
        if (const std::size_t equals = name.find('='); equals != std::string::npos) {
            inlineValue = name.substr(equals + 1);
            name.resize(equals);
        }
        const bool takesValue = name == "--exec" || name == "--screenshot" || name == "--quit-after"
                                || name == "--theme" || name == "--size";
        std::string value;
        if (takesValue) {
            if (!inlineValue && i + 1 >= arguments.size())
                return Error{name + " needs a value; see --help", {}, {}};
            value = inlineValue ? *inlineValue : arguments[++i];
            if (value.empty())
                return Error{name + " needs a value that is not empty", {}, {}};
        }
        if (name == "--play") {
            options.play = true;
        } else if (name == "--safe-mode") {
            options.safeMode = true;
        } else if (name == "--selftest") {
            options.selfTest = true;
        } else if (name == "--help") {
            options.help = true;
        } else if (name == "--version") {
            options.version = true;
        } else if (name == "--exec") {
            options.execFile = value;
        } else if (name == "--screenshot") {
            options.screenshotFile = value;
        } else if (name == "--theme") {
            if (value != "dark" && value != "light" && value != "system")
                return Error{"--theme " + value + ": expected dark, light or system", {}, {}};
            options.theme = value;
        } else if (name == "--size") {
            const char* end = value.data() + value.size();
            const auto width = std::from_chars(value.data(), end, options.width);
            const auto height = width.ptr < end ? std::from_chars(width.ptr + 1, end, options.height) : width;
            if (width.ec != std::errc() || height.ec != std::errc() || height.ptr != end || *width.ptr != 'x'
                || options.width < 640 || options.height < 400 || options.width > 16384
                || options.height > 16384)
                return Error{"--size " + value + ": expected WIDTHxHEIGHT, at least 640x400", {}, {}};
        } else if (name == "--quit-after") {
            double seconds = 0.0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
            if (error != std::errc() || end != value.data() + value.size() || !(seconds >= 0.0)
                || seconds > 86400.0)
                return Error{"--quit-after " + value + ": expected seconds in [0, 86400]", {}, {}};
            options.quitAfter = seconds;
        } else if (name == "--test-mode") {
            return Error{
                "--test-mode is not available: this version has no part for remote control yet", {}, {}};
        } else if (name.find('.') != std::string::npos && inlineValue) {
            options.cvars.emplace_back(name.substr(2), *inlineValue);
        } else {
            const std::string near = nearestName(name, Known);
            return Error{"unknown option " + name
                             + (near.empty() ? "; see --help" : "; did you mean " + near + "?"),
                         {},
                         {}};
        }
    }
    return options;
}

} // namespace sbx::editor
