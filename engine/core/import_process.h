#pragma once
// A process of its own that reads one file of a project: signalbox-import (app/import), which lies beside the engine library. What
// crashes, hangs or grows without bound while it reads does so there, and costs the program one error.
//
// Ownership: ends with this object. Thread: one at a time.

#include "engine/core/asset_file.h"
#include "engine/core/import_channel.h"
#include "engine/core/result.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sbx {

struct ImportOptions {
    std::filesystem::path program; // empty: importProgram()
    // How long an answer may take by the clock, for a machine that is busy with other things; the process's own limit of processor
    // time ends it long before.
    std::chrono::milliseconds patience{60'000};
    // Once it is true, reading ends with an error within a tenth of a second: for a worker that must end with its program. Null: reading
    // cannot be cancelled. It outlives the reading.
    const std::atomic<bool>* cancelled = nullptr;
};

class ImportProcess {
public:
    // The file becomes its standard input. Error: it cannot be started.
    [[nodiscard]] static Result<ImportProcess> start(const AssetFile& file,
                                                     const std::vector<std::string>& arguments,
                                                     const ImportOptions& options = {});
    ImportProcess(ImportProcess&& other) noexcept;
    ImportProcess& operator=(ImportProcess&& other) noexcept;
    ~ImportProcess();

    // The head of its next frame. A Fault becomes the error, and so do its end and its silence.
    [[nodiscard]] Result<FrameHead> next();
    // Bytes of a frame.
    [[nodiscard]] Result<void> receive(std::span<std::byte> bytes);
    // Text of a frame, made plain; no longer than 1000 bytes.
    [[nodiscard]] Result<std::string> receiveText(std::uint64_t length);
    [[nodiscard]] Result<void> send(FrameKind kind, std::span<const std::byte> payload, int file = -1);
    // The error for an answer that does not follow the format.
    [[nodiscard]] static Error malformed();
    [[nodiscard]] int id() const { return m_process; }

private:
    ImportProcess(int process, ImportChannel channel) : m_process(process), m_channel(std::move(channel)) {}
    [[nodiscard]] Error failure(ImportChannel::Status status);

    int m_process;
    ImportChannel m_channel;
};

// signalbox-import of this build or this installation.
[[nodiscard]] std::filesystem::path importProgram();

} // namespace sbx
