#include "engine/session/console_targets.h"

#include "engine/core/contracts.h"

#include <algorithm>

namespace sbx {

void ConsoleTargets::add(ConsoleTarget target) {
    const std::lock_guard lock(m_mutex);
    SBX_EXPECT(!target.name.empty() && target.name != All, "a target needs a name of its own");
    SBX_EXPECT(std::none_of(m_targets.begin(), m_targets.end(),
                            [&](const ConsoleTarget& other) { return other.name == target.name; }),
               "two targets of one name");
    m_targets.push_back(std::move(target));
    m_revision.fetch_add(1, std::memory_order_acq_rel);
}

void ConsoleTargets::remove(std::string_view name) {
    const std::lock_guard lock(m_mutex);
    if (std::erase_if(m_targets, [&](const ConsoleTarget& target) { return target.name == name; }) > 0)
        m_revision.fetch_add(1, std::memory_order_acq_rel);
}

std::vector<ConsoleTarget> ConsoleTargets::list() const {
    const std::lock_guard lock(m_mutex);
    return m_targets;
}

std::vector<std::string> ConsoleTargets::names() const {
    const std::lock_guard lock(m_mutex);
    std::vector<std::string> names;
    for (const ConsoleTarget& target : m_targets)
        names.push_back(target.name);
    return names;
}

std::string addressed(std::string_view line, std::string_view target) {
    std::string out;
    for (const ConsoleStatement& statement : parseConsoleLine(line).statements)
        out += (out.empty() ? "" : "; ")
               + (statement.text.starts_with('@') ? statement.text : "@" + std::string(target) + " " + statement.text);
    // Nothing but blanks and comments, or quotes left open: the console that runs it says what is wrong.
    return out.empty() ? std::string(line) : out;
}

} // namespace sbx
