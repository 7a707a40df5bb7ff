#pragma once
// Notices of runs that grow without end: what the log says of them, with what is made or sent, by whom, how often, and the chain of causes
// that feeds it. "Show them" narrows the trace to the messages, or selects the entity where none is recorded.
//
// Data flow: with each publication the new lines of the log (readGrowthReport); the entity list and the trace say the rest. GUI thread; child
// of the window; editor and trace outlive it.

#include <QObject>

#include "engine/entity/growth_report.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>

namespace sbx::ui {
class TracePanel;
}

namespace sbx::editor {

class Editor;

class RunawayNotices : public QObject {
    Q_OBJECT

public:
    // `show`: brings the trace forward, at that message.
    RunawayNotices(Editor& editor, ui::TracePanel& trace, std::function<void(std::uint64_t sequence)> show,
                   QObject* parent);

private:
    void follow();
    void tell(const GrowthReport& report);
    // The type of which most were made, and how many entities more there are than a second ago.
    [[nodiscard]] std::string madeType() const;
    [[nodiscard]] double madePerSecond() const;

    struct Count {
        std::uint64_t tick = 0;
        std::size_t entities = 0;
    };
    Editor& m_editor;
    ui::TracePanel& m_trace;
    std::function<void(std::uint64_t)> m_show;
    std::uint64_t m_seen = 0;   // of the log
    std::deque<Count> m_counts; // of the last second of the run, oldest first
    std::map<GrowthReport::Of, std::uint64_t> m_told; // the tick at which a notice of that kind was given last
};

} // namespace sbx::editor
