#pragma once
// Where a console line may run: the session's own world, and whatever else the program runs beside it (a server's clients),
// each by its name. `on TARGET LINE`, or `@TARGET LINE`, runs a line there; `all` runs it everywhere.
//
// Data flow: the own target runs its line in place, in order with the lines around it; the others get theirs to run on the
// thread they live on, and what it prints goes to the log they were given.
// Thread: any; a target is taken out on the thread that runs lines. Ownership: a Session has one; who adds a target takes it out
// before what it runs in dies.

#include "engine/core/console.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

class Session;

struct ConsoleTarget {
    std::string name; // that of its world: "server", "client1"
    std::string doc;
    // On the thread that runs the line that sends it, which may write where `reach` says; empty: the console that was asked.
    std::function<void(std::string line, WriteReach reach)> run;
    // On any thread, not after remove(); empty: as the console that was asked completes.
    std::function<Completion(std::string_view text, std::size_t cursor)> complete;
};

class ConsoleTargets {
public:
    static constexpr std::string_view All = "all";

    // A name that is taken, empty or `all` is a programmer error.
    void add(ConsoleTarget target);
    // Waits for a completion under way.
    void remove(std::string_view name);
    // In order of adding; the own one first.
    [[nodiscard]] std::vector<ConsoleTarget> list() const;
    [[nodiscard]] std::vector<std::string> names() const;
    // As that target does it; none if it leaves it to the console that was asked.
    [[nodiscard]] std::optional<Completion> complete(std::string_view name, std::string_view text) const;
    // Grows when one comes or goes.
    [[nodiscard]] std::uint64_t revision() const { return m_revision.load(std::memory_order_acquire); }

private:
    mutable std::mutex m_mutex; // of the list, and held while one completes
    std::vector<ConsoleTarget> m_targets;
    std::atomic<std::uint64_t> m_revision{0};
};

// Every statement of a line addressed to that target, unless it says itself where it runs.
[[nodiscard]] std::string addressed(std::string_view line, std::string_view target);

// `on`, and `list targets`; makes the session's own world the first target.
void registerTargetCommands(Session& session);

} // namespace sbx
