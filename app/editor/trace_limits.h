#pragma once
// How much the trace keeps, as the user has set it: CVars that live in the user's settings. The registry must outlive it; limits() from any
// thread.

#include "engine/core/cvar.h"
#include "widgets/trace/trace_store.h"

#include <filesystem>

namespace sbx::editor {

class TraceLimitCVars {
public:
    // Adds them. `folder`: where the file for older messages is made.
    TraceLimitCVars(CVarRegistry& cvars, std::filesystem::path folder);
    [[nodiscard]] ui::TraceLimits limits() const;

private:
    std::filesystem::path m_folder;
    CVar<int> m_messages;
    CVar<int> m_memory;
    CVar<int> m_disk;
};

} // namespace sbx::editor
