#include "app/player/player_options.h"

#include "app/common/manual_page.h"
#include "app/common/option_table.h"
#include "engine/components/network_limits.h"
#include "engine/net/host.h"

#include <filesystem>
#include <limits>

namespace sbx::player {

namespace {

app::OptionTable table(Options& options) {
    app::OptionTable table;
    table.flag("--headless", "no window: as fast as it can, without clock or devices", options.headless);
    table.number<std::uint64_t>(
        "--ticks", "N",
        "stop after N ticks (without a window 600 by default; with --exec, when the script has ended; a server runs until it is ended)",
        options.ticks, 0, 1'000'000'000);
    table.number<std::int64_t>("--seed", "N", "seed of the random numbers", options.seed, 0,
                               std::numeric_limits<int>::max());
    table.text("--scene", "FILE", "another scene of the project", options.scene);
    table.text("--exec", "FILE.cfg", "console lines; wait N waits N ticks, expect EXPRESSION checks",
               options.execFile);
    table.cvars("set a CVar; also --NAME=VALUE", options.cvars);
    table.text("--trace", "FILE.jsonl", "every recorded message, one JSON object a line", options.traceFile);
    table.text("--trace-filter", "FILTER", "with --trace or --read-trace: only messages that match, in the language of the trace's filter line",
               options.traceFilter);
    table.text("--read-trace", "FILE",
               "print the messages of a trace, JSON lines or CSV, as lines of text, and end; with PROJECT, "
               "those of its plugins too",
               options.readTrace);
    table.text("--digest", "FILE", "one line a tick and world: TICK WORLD HASH", options.digestFile);
    table.text("--audio", "FILE.wav", "what the listener hears, as 32-bit float stereo at 48 kHz",
               options.audioFile);
    table.text("--screenshot", "FILE.png", "a picture of the last tick, through the scene's camera",
               options.screenshotFile);
    table.size("size of the window and the picture in pixels", options.width, options.height, 64, 64);
    table.flag("--fullscreen", "start with the window on the whole screen", options.fullScreen);
    table.flag("--safe-mode", "without the user's settings and without plugins", options.safeMode);
    table.flag("--trust", "let PROJECT's plugins run this time, without asking", options.trust);
    const net::HostSettings limits;
    table.number<std::uint16_t>("--serve", "PORT",
                                "let others join, over UDP; 0 takes a free port; at most "
                                    + std::to_string(limits.maxConnections) + " clients, "
                                    + std::to_string(NetworkLimits{}.players) + " of them players (net.limit.players), "
                                    + std::to_string(limits.maxPerAddress) + " of one address",
                                options.serve, 0, 65535);
    table.text("--connect", "HOST:PORT", "join a server", options.connect);
    table.flag("--observe", "with --connect: look on without a player", options.observe);
    table.number<unsigned>(
        "--clients", "N",
        "N clients in this program, 1 to 100; with --serve, the game starts when N have joined",
        options.clients, 1, 100);
    table.text("--link", "SETTINGS", "what a bad network does: \"latency=50ms jitter=10ms loss=5%\"",
               options.link);
    table.text("--name", "NAME", "what a client's player is called", options.playerName);
    table.text("--server-key", "FILE", "the key by which clients know this server again; made if there is none",
               options.serverKeyFile);
    table.text("--password-file", "FILE", "the password of the server, which its clients must know; its first line",
               options.passwordFile);
    table.flag("--portable", "the user's settings, log and keys in the folder `user` beside the program, from now on", options.portable);
    table.text("--test-mode", "SOCKET",
               "open a local socket by which scripts of yours control the program, until one says quit; without a window the run starts paused",
               options.testMode);
    app::addExportOptions(table, options.exporting);
    table.flag("--help", "this text", options.help);
    table.flag("--version", "which version this is", options.version);
    table.hiddenFlag("--manual-page", options.manualPage);
    table.hiddenFlag("--completion", options.completion);
    return table;
}

// What --read-trace leaves without meaning.
Result<void> checkReading(const Options& options) {
    const std::pair<const char*, bool> others[] = {{"--trace", !options.traceFile.empty()},
                                                   {"--exec", !options.execFile.empty()},
                                                   {"--digest", !options.digestFile.empty()},
                                                   {"--audio", !options.audioFile.empty()},
                                                   {"--screenshot", !options.screenshotFile.empty()},
                                                   {"--ticks", options.ticks.has_value()},
                                                   {"--serve", options.serve.has_value()},
                                                   {"--connect", !options.connect.empty()},
                                                   {"--clients", options.clients.has_value()},
                                                   {"--test-mode", !options.testMode.empty()},
                                                   {"--export", !options.exporting.target.empty()}};
    for (const auto& [name, given] : others)
        if (given)
            return makeError(std::string("--read-trace plays nothing; leave out ") + name);
    return {};
}

const char* const InTheWindow = "W A S D walk, the mouse looks, Space jumps, Shift runs, F11 is the whole screen;\n"
                                "Esc gives the mouse back, Esc again quits.\n";
const char* const ExitStatus = "0 ok, 1 failed expectation or run, 2 wrong usage or bad input,\n"
                               "128 + N ended by signal N before its ticks were done (a server: 0).\n";

} // namespace

std::string manualPage(const std::string& version) {
    Options none;
    return app::manualPage({.program = "signalbox-player",
                            .version = version,
                            .summary = "play a Signalbox project, or serve it to others",
                            .synopsis = "PROJECT",
                            .description = "Plays PROJECT, a project's folder, its project.toml or a scene in it, in a window, or without one: then as fast as "
                                           "it can, for tests and servers. With the same project, seed and console lines a run gives the "
                                           "same messages and the same state.",
                            .sections = {{"In the window", InTheWindow},
                                         {"Exit status", ExitStatus},
                                         {"Examples", "signalbox-player courtyard --headless --ticks 600 --trace out.jsonl\n\n"
                                                      "signalbox-player --read-trace out.jsonl --trace-filter 'type == Damage and outcome == unhandled'\n\n"
                                                      "signalbox-player courtyard --headless --serve 4000\n\n"
                                                      "signalbox-player courtyard --connect localhost:4000 --name Ada"}},
                            .seeAlso = "signalbox(1); the manual in the folder share/signalbox/manual"},
                           table(none));
}

std::string completion() {
    Options none;
    return app::bashCompletion("signalbox-player", table(none));
}

std::string usage() {
    Options none;
    return "usage: signalbox-player PROJECT [options]\n"
           "\n"
           "Plays PROJECT, a project's folder, its project.toml or a scene in it, in a window, or without one.\n"
           "\n"
           + table(none).help()
           + "\n"
             "In the window: "
           + InTheWindow + "\nExit status: " + ExitStatus;
}

Result<Options> parseOptions(const std::vector<std::string>& arguments, const std::string& game) {
    Options options;
    if (const Result<void> read = table(options).parse(arguments, options.project); !read)
        return read.error();
    if (options.help || options.version || options.manualPage || options.completion)
        return options;
    if (!options.traceFilter.empty() && options.traceFile.empty() && options.readTrace.empty())
        return makeError(
            "--trace-filter belongs to a trace; expected --trace FILE.jsonl or --read-trace FILE with it");
    if (!options.readTrace.empty()) {
        if (const Result<void> alone = checkReading(options); !alone)
            return alone.error();
        return options;
    }
    if (options.project.empty())
        options.project = game;
    if (std::error_code failed; !game.empty() && std::filesystem::equivalent(options.project, game, failed))
        options.trust = true; // who starts a game trusts it
    if (const Result<void> whole = app::checkExportOptions(options.exporting, options.project); !whole)
        return whole.error();
    if (options.project.empty())
        return Error{"no project given; expected a folder with a project.toml, see --help", {}, {}};
    if (options.headless && options.fullScreen)
        return Error{"--fullscreen needs a window; leave out --headless", {}, {}};
    if (options.serve && !options.connect.empty())
        return Error{"--serve and --connect are two programs; leave one out", {}, {}};
    if (options.clients && !options.connect.empty())
        return Error{"--clients belong to a server; leave out --connect", {}, {}};
    if (options.observe && options.connect.empty())
        return Error{"--observe needs a server; expected --connect with it", {}, {}};
    if (!options.serverKeyFile.empty() && !options.serve)
        return Error{"--server-key belongs to a server; expected --serve with it", {}, {}};
    if (!options.passwordFile.empty() && !options.serve && options.connect.empty())
        return Error{"--password-file needs others; expected --serve or --connect with it", {}, {}};
    if (!options.link.empty() && !options.serve && options.connect.empty() && !options.clients)
        return Error{"--link needs a network; expected --serve, --connect or --clients with it", {}, {}};
    return options;
}

} // namespace sbx::player
