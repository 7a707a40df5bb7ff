#include "widgets/common/log_problems.h"

#include "widgets/common/session_feed.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sbx::ui {

namespace {
constexpr int LookMs = 100;

// "boot.cfg:3: …": a line of a script, which the user can correct.
bool hasPlace(std::string_view text) {
    for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
         colon = text.find(':', colon + 1)) {
        const std::size_t end = text.find_first_not_of("0123456789", colon + 1);
        if (colon > 0 && end != std::string_view::npos && end > colon + 1 && text[end] == ':')
            return true;
        if (text.substr(0, colon).find(' ') != std::string_view::npos)
            return false;
    }
    return false;
}

// Consoles of simulated clients write under the client's name.
bool isConsole(std::string_view channel) {
    constexpr std::string_view Client = "client";
    return channel == "console"
           || (channel.starts_with(Client) && channel.size() > Client.size()
               && channel.find_first_not_of("0123456789", Client.size()) == std::string_view::npos);
}

// The answer to what was just typed or tried: it stands below the line, or in a notice, and nothing is left to mend.
bool isAnswer(const LogRecord& record) {
    return record.channel == LogProblems::Refusals || (isConsole(record.channel) && !hasPlace(record.text));
}
} // namespace

LogProblems::LogProblems(const Log& log, SessionFeed& feed, QObject* parent)
    : QObject(parent), m_log(log), m_feed(feed) {
    connect(&m_timer, &QTimer::timeout, this, &LogProblems::poll);
    // What is said while a run begins is seen after it has: the lines before are those of the last one.
    connect(&m_feed, &SessionFeed::modeChanged, this, [this, before = m_feed.mode()](Mode mode) mutable {
        if (std::exchange(before, mode) != Mode::Edit)
            return;
        if (std::erase_if(m_lines, [](const Line& line) { return line.ofRun; }) > 0)
            emit changed();
        poll();
    });
    m_timer.start(LookMs);
    poll();
}

void LogProblems::poll() {
    if (m_log.latest() <= m_seen)
        return;
    const std::uint64_t unwritten = m_log.unwritten();
    bool any = std::exchange(m_unwritten, unwritten) != unwritten;
    for (const LogRecord& record : m_log.since(m_seen)) {
        if (record.severity == LogSeverity::Error && !isAnswer(record)) {
            add(record, record.sequence - std::max(m_seen, record.firstSequence() - 1));
            any = true;
        }
        m_seen = record.sequence;
    }
    if (any)
        emit changed();
}

void LogProblems::add(const LogRecord& record, std::uint64_t times) {
    const std::string text = record.channel + ": " + record.text;
    const auto known =
        std::find_if(m_lines.begin(), m_lines.end(), [&](const Line& line) { return line.text == text; });
    const bool ofRun = m_feed.mode() != Mode::Edit;
    if (known != m_lines.end()) {
        known->count += times;
        known->ofRun = known->ofRun || ofRun;
    } else if (m_lines.size() < Most) {
        m_lines.push_back({text, times, ofRun});
    } else {
        m_more += times;
    }
}

std::vector<Diagnostic> LogProblems::problems() const {
    std::vector<Diagnostic> out;
    for (const Line& line : m_lines) {
        Diagnostic problem;
        problem.what = line.text;
        if (line.count > 1)
            problem.what += tr(" (%1 times)").arg(line.count).toStdString();
        out.push_back(std::move(problem));
    }
    if (const std::uint64_t missing = m_unwritten - m_unwrittenCleared; missing > 0) {
        Diagnostic problem;
        problem.what = tr("log: %1 cannot be written, is the disk full? Lines that are missing in it: %2")
                           .arg(QString::fromStdString(m_log.filePath()), QString::number(missing))
                           .toStdString();
        out.push_back(std::move(problem));
    }
    if (m_more > 0) {
        Diagnostic problem;
        problem.what = tr("%1 more errors: see the console").arg(m_more).toStdString();
        out.push_back(std::move(problem));
    }
    return out;
}

void LogProblems::clear() {
    m_seen = m_log.latest();
    const bool none = empty();
    m_unwritten = m_unwrittenCleared = m_log.unwritten();
    if (none)
        return;
    m_lines.clear();
    m_more = 0;
    emit changed();
}

} // namespace sbx::ui

#include "moc_log_problems.cpp"
