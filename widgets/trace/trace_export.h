#pragma once
// Writes rows of the trace to a file: all that the list shows when it begins, without those that are ignored. It writes a slice at a time, so that the
// window goes on meanwhile; older messages are read back from the disk first.
// JSONL has a line a message as `signalbox-player --trace` writes it, CSV is that of trace_csv.h; TraceFile reads both. The file is there
// whole or not at all. GUI thread; the model outlives it.

#include <QObject>
#include <QTimer>

#include "engine/core/line_file.h"
#include "widgets/trace/trace_csv.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sbx::ui {

class TraceModel;

class TraceExport : public QObject {
    Q_OBJECT

public:
    enum class Format { JsonLines, Csv };

    // By the name's ending; CSV for .csv, else JSONL.
    [[nodiscard]] static Format formatOf(const QString& file);
    TraceExport(const TraceModel& model, const QString& file, Format format, QObject* parent = nullptr);

    ~TraceExport() override; // one that is under way is cancelled

    // Columns of the model that a CSV file gets beside its own, as it is when this is called.
    void setExtraColumns(const std::vector<int>& columns) { m_csv.setExtraColumns(columns); }
    // An error: the file cannot be written. Nothing of it is left then.
    Result<void> start();
    void cancel(); // no file is left
    // Rows that the list showed, and that are left out because they are ignored; known after start().
    [[nodiscard]] std::size_t ignored() const { return m_ignored; }
    // Writes the rest at once.
    void finish();

signals:
    // `gone`: messages that the trace let go before they were written.
    void finished(std::size_t written, std::size_t gone);
    void failed(const QString& reason);
    void progress(int percent);

private:
    static constexpr int SliceMs = 8;
    // False: there is nothing left to write, or the file cannot be.
    bool writeSome(int milliseconds);
    [[nodiscard]] std::string line(std::uint64_t row) const;
    // Gives the file its name.
    [[nodiscard]] Result<void> commit();

    const TraceModel& m_model;
    Format m_format;
    std::filesystem::path m_path;
    std::filesystem::path m_draft; // beside it, until all is written
    TraceCsv m_csv;
    std::optional<LineFile> m_file;
    QTimer m_timer;
    std::deque<std::uint64_t> m_rows; // of the store
    std::size_t m_ignored = 0;
    std::size_t m_next = 0;
    std::size_t m_gone = 0;
    std::optional<std::uint64_t> m_before; // row of the line before
    std::uint64_t m_run = 0;
    bool m_waits = false;  // for the disk
    bool m_atOnce = false; // in finish()
};

} // namespace sbx::ui
