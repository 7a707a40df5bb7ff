#include "widgets/trace/trace_export.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <limits>

namespace sbx::ui {

namespace {

constexpr int TrimEvery = 1024; // rows

// Of its own, so that two exports to one file do not write into each other.
std::filesystem::path draftOf(const std::filesystem::path& path) {
    static int Number = 0;
    return path.parent_path() / ("." + path.filename().string() + ".part-" + std::to_string(QCoreApplication::applicationPid()) + "-" + std::to_string(++Number));
}

} // namespace

TraceExport::Format TraceExport::formatOf(const QString& file) {
    return file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) ? Format::Csv : Format::JsonLines;
}

TraceExport::TraceExport(const TraceModel& model, const QString& file, Format format, QObject* parent)
    : QObject(parent),
      m_model(model),
      m_format(format),
      m_path(file.toStdString()),
      m_draft(draftOf(m_path)),
      m_csv(model),
      m_run(model.store().run()) {
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (writeSome(SliceMs) && m_waits)
            m_timer.stop();
    });
    // What it waits for has been read, or has gone.
    for (const auto signal : {&TraceModel::loaded, &TraceModel::countsChanged})
        connect(&model, signal, this, [this] {
            if (m_waits)
                m_timer.start();
        });
}

TraceExport::~TraceExport() { cancel(); }

Result<void> TraceExport::start() {
    Result<LineFile> file = LineFile::create(m_draft);
    if (!file)
        return file.error();
    m_file.emplace(std::move(*file));
    m_rows = m_model.storeRows();
    m_model.ignored().rows().takeOutOf(m_rows);
    m_ignored = m_model.storeRows().size() - m_rows.size();
    if (m_format == Format::Csv)
        if (Result<void> written = m_file->append(m_csv.header()); !written) {
            cancel();
            return written;
        }
    m_timer.start();
    return {};
}

void TraceExport::cancel() {
    m_timer.stop();
    m_waits = false;
    m_next = m_rows.size();
    if (!m_file)
        return;
    m_file.reset();
    std::error_code ignored;
    std::filesystem::remove(m_draft, ignored);
}

Result<void> TraceExport::commit() {
    Result<void> closed = m_file->close();
    std::error_code failed;
    if (closed)
        std::filesystem::rename(m_draft, m_path, failed);
    if (closed && failed)
        closed = Error{failed.message(), m_path.string(), {}};
    if (!closed)
        cancel();
    m_file.reset();
    return closed;
}

void TraceExport::finish() {
    m_atOnce = true;
    while ((m_timer.isActive() || m_waits) && writeSome(std::numeric_limits<int>::max())) {}
    m_atOnce = false;
}

std::string TraceExport::line(std::uint64_t row) const {
    if (m_format == Format::Csv)
        return m_csv.line(row, m_before);
    const RecordView record = m_model.store().at(row);
    return m_model.marks().withNotes(m_model.context().json(record), record.sequence()) + '\n';
}

bool TraceExport::writeSome(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    const bool sameRun = m_model.store().run() == m_run; // else its numbers mean other messages
    m_waits = false;
    for (int count = 0; m_next < m_rows.size(); ++m_next) {
        if (++count % 16 == 0 && clock.elapsed() >= milliseconds)
            break;
        const std::uint64_t row = m_rows[m_next];
        if (!sameRun || row < m_model.store().first()) {
            ++m_gone;
            continue;
        }
        if (!m_atOnce && !m_model.store().isReady(row)) {
            m_model.store().requestAfter(row);
            m_waits = true;
            break;
        }
        if (count % TrimEvery == 0)
            m_model.store().trim();
        const Result<void> written = m_file->append(line(row));
        m_before = row;
        if (written)
            continue;
        cancel();
        emit failed(QString::fromStdString(written.error().message));
        return false;
    }
    if (m_next < m_rows.size()) {
        emit progress(static_cast<int>(100 * m_next / m_rows.size()));
        return true;
    }
    m_timer.stop();
    if (const Result<void> done = commit(); done)
        emit finished(m_rows.size() - m_gone, m_gone);
    else
        emit failed(QString::fromStdString(done.error().message));
    return false;
}

} // namespace sbx::ui

#include "moc_trace_export.cpp"
