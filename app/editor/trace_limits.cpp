#include "app/editor/trace_limits.h"

#include <utility>

namespace sbx::editor {

namespace {

constexpr unsigned MiB = 20; // as a shift

} // namespace

TraceLimitCVars::TraceLimitCVars(CVarRegistry& cvars, std::filesystem::path folder)
    : m_folder(std::move(folder)),
      m_messages(cvars.add<int>("trace.messages", static_cast<int>(ui::TraceLimits::DefaultRecords),
                                "Messages that the trace keeps, the newest ones.",
                                {.minimum = 1000, .maximum = 50'000'000, .flags = CVarFlags::Archive})),
      m_memory(cvars.add<int>("trace.memory", static_cast<int>(ui::TraceLimits::DefaultMemory >> MiB),
                              "Memory for the newest messages of the trace.",
                              {.unit = "MiB", .minimum = 1, .maximum = 65536, .flags = CVarFlags::Archive})),
      m_disk(cvars.add<int>(
          "trace.disk", static_cast<int>(ui::TraceLimits::DefaultFile >> MiB),
          "Room on the disk for older messages of the trace, in a temporary file; 0: they are let go.",
          {.unit = "MiB", .minimum = 0, .maximum = 1'048'576, .flags = CVarFlags::Archive})) {}

ui::TraceLimits TraceLimitCVars::limits() const {
    ui::TraceLimits limits;
    limits.records = static_cast<std::size_t>(m_messages.get());
    limits.memory = static_cast<std::size_t>(m_memory.get()) << MiB;
    limits.file = static_cast<std::uint64_t>(m_disk.get()) << MiB;
    limits.folder = m_folder;
    return limits;
}

} // namespace sbx::editor
