#pragma once
// In which world a console line may run: the session's main world, and those of a server's clients, each by its name.
// `on TARGET LINE`, or `@TARGET LINE`, runs a line there; `all` runs it everywhere.
//
// Data flow: a line for the main world runs in order with the lines around it; a line for another one runs at once, and its output
// goes to the log under the name of that world. Completion offers the names of the world that is shown, for every target.
// Thread: any; a target is removed on the thread that runs lines. Ownership: a Session has one.

#include "engine/core/console.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

struct ConsoleTarget {
    std::string name; // that of its world: "server", "client1"
    std::string doc;
    // Called on the thread that runs the line `on`; the line may write where `reach` says. Empty: the main world.
    std::function<void(std::string line, WriteReach reach)> run;
};

class ConsoleTargets {
public:
    static constexpr std::string_view All = "all";

    // A name that is taken, empty or `all` is a programmer error.
    void add(ConsoleTarget target);
    void remove(std::string_view name);
    // In order of adding; the own one first.
    [[nodiscard]] std::vector<ConsoleTarget> list() const;
    [[nodiscard]] std::vector<std::string> names() const;
    // Grows when one comes or goes.
    [[nodiscard]] std::uint64_t revision() const { return m_revision.load(std::memory_order_acquire); }

private:
    mutable std::mutex m_mutex; // of the list
    std::vector<ConsoleTarget> m_targets;
    std::atomic<std::uint64_t> m_revision{0};
};

// Every statement of a line addressed to that target, unless it says itself where it runs.
[[nodiscard]] std::string addressed(std::string_view line, std::string_view target);

} // namespace sbx
