#include "app/export/export_texts.h"

namespace sbx::app {

namespace {

// As a word of sh; in quotes if it would not be one without.
std::string inShellQuotes(const std::string& text) {
    constexpr const char* Plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    if (text.find_first_not_of(Plain) == std::string::npos)
        return text;
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'')
            out += "'\\'";
        out += c;
    }
    return out + "'";
}

} // namespace

std::string launcherText(const std::string& name) {
    return "#!/bin/sh\n"
           "# Starts "
           + name
           + ". This folder can lie anywhere. Options go to the player: --help lists them.\n"
             "file=$(readlink -f -- \"$0\") && folder=$(dirname -- \"$file\") || exit 1\n"
             "exec \"$folder/bin/signalbox-player\" \"$@\"\n";
}

std::string desktopEntryText(const std::string& name) {
    std::string shown;
    for (const char c : name)
        shown += c == '\\' ? std::string("\\\\") : std::string(1, c);
    // %k is the path of this file: without its ending it is the launcher's.
    return "[Desktop Entry]\n"
           "Type=Application\n"
           "Name="
           + shown
           + "\n"
             "Exec=sh -c \"exec \\\\\"\\\\${1%%.desktop}\\\\\"\" sh %k\n"
             "Icon=applications-games\n"
             "Terminal=false\n"
             "Categories=Game;\n";
}

std::string readmeText(const std::string& name, bool carried, const std::vector<std::string>& needs) {
    const std::string start = "./" + inShellQuotes(name);
    std::string out = name + "\n\n"
                      "START\n\n"
                      "  Double-click " + name + " (or " + name + ".desktop), or in a terminal: " + start + "\n"
                      "  If your file manager asks, let it run the file; if it opens a text instead, right-click it and choose Run as a program.\n"
                      "  The folder can lie anywhere; nothing is installed, and no administrator is needed. Linux on x86-64 with OpenGL 3.3.\n"
                      "  " + start + " --help lists options, such as --fullscreen and --connect HOST:PORT.\n\n";
    out += "NEEDS\n\n";
    out += carried ? "  The C library, OpenGL and X of the system, which any desktop has.\n" : "  Qt and the other libraries of the system.\n";
    if (!needs.empty()) {
        out += carried ? "  On a Debian 12 without a desktop:\n\n    apt install" : "  On Debian 12:\n\n    apt install";
        for (const std::string& each : needs)
            out += " " + each;
        out += "\n";
    }
    out += "\n";
    out += "RUN A SERVER\n\n"
           "  " + start + " --headless --serve 4000\n\n"
           "  needs no display. It prints its key, by which players know it again, and runs until it is ended. Players join with\n\n"
           "  " + start + " --connect HOST:4000\n\n"
           "WHAT IT WRITES, AND WHERE\n\n"
           "  Only into a folder of its own: ~/.local/state/signalbox-games/" + name + " (or below $XDG_STATE_HOME). Remove it and every\n"
           "  setting is as at first. After " + start + " --portable it is the folder user in here instead.\n\n"
           "TRUST\n\n"
           "  The game may hold program code of its authors (game/plugins), which runs with your account's rights as any other program does.\n"
           "  Start it only if you trust where it came from.\n\n"
           "LICENCES\n\n"
           "  Of everything in here but the game itself: share/doc/signalbox.\n";
    return out;
}

std::string qtConfText() { return "[Paths]\nPrefix = ..\nPlugins = lib/signalbox/plugins\n"; }

} // namespace sbx::app
