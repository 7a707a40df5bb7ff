#pragma once
// The error lines of the log as problems: what components, the disk or the network say went wrong, beside what is wrong with the texts.
// Lines that did not reach the log's file are a problem, too. What only answers the user is none: a console line that was mistyped, or an
// edit that was refused.
//
// Data flow: Log -> (ten times a second) here -> changed() -> the problems panel, the status bar. Lines of a run that ended go when the
// next one begins; the others stay until another project is opened or the user clears them. GUI thread; the log and the feed outlive it.

#include <QObject>
#include <QTimer>

#include "engine/core/diagnostic.h"
#include "engine/core/log.h"

#include <cstdint>
#include <vector>

namespace sbx::ui {

class SessionFeed;

class LogProblems : public QObject {
    Q_OBJECT

public:
    // Different lines kept; of those beyond only the number is shown.
    static constexpr std::size_t Most = 500;
    // The log's channel of what the editor refused to do.
    static constexpr const char* Refusals = "edit";

    // Begins with what is in the log already.
    LogProblems(const Log& log, SessionFeed& feed, QObject* parent = nullptr);

    // Errors without a place, oldest first: "entities: …", with how often if more than once.
    [[nodiscard]] std::vector<Diagnostic> problems() const;
    [[nodiscard]] bool empty() const { return m_lines.empty() && m_unwritten == m_unwrittenCleared; }
    void clear();
    // Looks now instead of within a tenth of a second.
    void poll();

signals:
    void changed();

private:
    struct Line {
        std::string text;
        std::uint64_t count = 0;
        bool ofRun = false;
    };
    void add(const LogRecord& record, std::uint64_t times);

    const Log& m_log;
    SessionFeed& m_feed;
    QTimer m_timer;
    std::uint64_t m_seen = 0; // sequence
    std::vector<Line> m_lines;
    std::uint64_t m_more = 0; // lines that found no room
    std::uint64_t m_unwritten = 0; // lines that the log could not write into its file, as last seen
    std::uint64_t m_unwrittenCleared = 0; // of those, not shown any more
};

} // namespace sbx::ui
