#pragma once
// A console with a handful of CVars, one of each kind that its tests turn on, and what it says.

#include "engine/core/console.h"

#include <string>
#include <string_view>

namespace sbx::test {

struct ConsoleFixture {
    Log log;
    Console console{log};
    CVar<float> gravity = console.cvars().add<float>(
        "sim.gravity", 9.81F, "Pull.",
        {.unit = "m/s²", .minimum = 0, .maximum = 100, .flags = CVarFlags::Cheat | CVarFlags::Replicated});
    CVar<int> detail = console.cvars().add<int>("render.detail", 1, "Detail.", {.minimum = 1, .maximum = 8});
    CVar<std::string> password = console.cvars().add<std::string>(
        "net.password", "", "Asked of those who join.", {.flags = CVarFlags::Protected | CVarFlags::Archive});

    // Its answer, a line each.
    std::string run(std::string_view line) {
        std::string out;
        for (const std::string& text : console.execute(line).lines)
            out += (out.empty() ? "" : "\n") + text;
        return out;
    }
    bool logged(std::string_view text) const {
        for (const LogRecord& record : log.since(0))
            if (record.text.find(text) != std::string::npos)
                return true;
        return false;
    }
};

} // namespace sbx::test
