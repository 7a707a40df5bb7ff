#include "app/player/player_options.h"

#include "engine/core/nearest.h"

#include <charconv>
#include <limits>

namespace sbx::player {

namespace {
template <typename T>
Result<T> number(const std::string& option, const std::string& text, T minimum, T maximum) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < minimum || value > maximum)
        return Error{option + " " + text + ": expected a whole number in [" + std::to_string(minimum) + ", "
                         + std::to_string(maximum) + "]",
                     {},
                     {}};
    return value;
}

const std::vector<std::string> Known = {"--scene", "--headless", "--ticks",  "--seed",
                                        "--exec",  "--trace",    "--digest", "--screenshot",
                                        "--set",   "--help",     "--version"};
// Part of the plan, and of no use yet.
const std::vector<std::pair<std::string, std::string>> Later = {
    {"--serve", "the network"}, {"--connect", "the network"},      {"--clients", "the network"},
    {"--link", "the network"},  {"--test-mode", "remote control"}, {"--audio", "sound"}};
} // namespace

std::string usage() {
    return "usage: signalbox-player PROJECT --headless [options]\n"
           "\n"
           "  PROJECT              a project's folder or its project.toml\n"
           "  --headless           no window: as fast as it can, without clock or devices\n"
           "  --ticks N            stop after N ticks (600 by default; with --exec, when the script has "
           "ended)\n"
           "  --seed N             seed of the random numbers\n"
           "  --scene FILE         another scene of the project\n"
           "  --exec FILE.cfg      console lines; wait N waits N ticks, expect EXPRESSION checks\n"
           "  --set NAME=VALUE     set a CVar; also --NAME=VALUE\n"
           "  --trace FILE.jsonl   every recorded message, one JSON object a line\n"
           "  --digest FILE        one line a tick: TICK WORLD HASH\n"
           "  --screenshot FILE    a PNG of the last tick, through the scene's camera\n"
           "  --help, --version\n"
           "\n"
           "Exit status: 0 ok, 1 failed expectation or run, 2 wrong usage or bad input.\n";
}

Result<Options> parseOptions(const std::vector<std::string>& arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string name = arguments[i];
        if (name == "-h")
            name = "--help";
        if (!name.starts_with("--") || name == "--") {
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
        const auto value = [&]() -> Result<std::string> {
            if (inlineValue)
                return *inlineValue;
            if (i + 1 >= arguments.size())
                return Error{name + " needs a value; see --help", {}, {}};
            return arguments[++i];
        };
        const auto text = [&](std::string& out) -> Result<void> {
            Result<std::string> given = value();
            if (!given)
                return given.error();
            if (given->empty())
                return Error{name + " needs a value that is not empty", {}, {}};
            out = *given;
            return {};
        };
        Result<void> done;
        if (name == "--headless") {
            options.headless = true;
        } else if (name == "--help") {
            options.help = true;
        } else if (name == "--version") {
            options.version = true;
        } else if (name == "--scene") {
            done = text(options.scene);
        } else if (name == "--exec") {
            done = text(options.execFile);
        } else if (name == "--trace") {
            done = text(options.traceFile);
        } else if (name == "--digest") {
            done = text(options.digestFile);
        } else if (name == "--screenshot") {
            done = text(options.screenshotFile);
        } else if (name == "--ticks") {
            const Result<std::string> given = value();
            if (!given)
                return given.error();
            const Result<std::uint64_t> ticks = number<std::uint64_t>(name, *given, 0, 1'000'000'000);
            if (!ticks)
                return ticks.error();
            options.ticks = *ticks;
        } else if (name == "--seed") {
            const Result<std::string> given = value();
            if (!given)
                return given.error();
            const Result<std::int64_t> seed =
                number<std::int64_t>(name, *given, 0, std::numeric_limits<int>::max());
            if (!seed)
                return seed.error();
            options.seed = *seed;
        } else if (name == "--set") {
            const Result<std::string> given = value();
            if (!given)
                return given.error();
            const std::size_t equals = given->find('=');
            if (equals == std::string::npos || equals == 0)
                return Error{"--set " + *given + ": expected NAME=VALUE", {}, {}};
            options.cvars.emplace_back(given->substr(0, equals), given->substr(equals + 1));
        } else if (name.find('.') != std::string::npos && inlineValue) {
            options.cvars.emplace_back(name.substr(2), *inlineValue);
        } else {
            for (const auto& [later, what] : Later)
                if (name == later)
                    return Error{
                        name + " is not available: this version has no part for " + what + " yet", {}, {}};
            const std::string near = nearestName(name, Known);
            return Error{"unknown option " + name
                             + (near.empty() ? "; see --help" : "; did you mean " + near + "?"),
                         {},
                         {}};
        }
        if (!done)
            return done.error();
    }
    if (options.help || options.version)
        return options;
    if (options.project.empty())
        return Error{"no project given; expected a folder with a project.toml, see --help", {}, {}};
    if (!options.headless)
        return Error{"a window is not available in this version of the player; add --headless, or open the "
                     "project in signalbox",
                     {},
                     {}};
    return options;
}

} // namespace sbx::player
