#include "app/editor/runaway_notices.h"

#include <QLocale>

#include "app/editor/editor.h"
#include "widgets/common/foreign_text.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_runaways.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sbx::editor {

namespace {

const QString Context = QStringLiteral("runaway ");

QString rateText(double perSecond) {
    return QLocale(QLocale::English).toString(perSecond, 'f', perSecond < 10.0 ? 1 : 0);
}

} // namespace

RunawayNotices::RunawayNotices(Editor& editor, ui::TracePanel& trace, std::function<void(std::uint64_t)> show,
                               QObject* parent)
    : QObject(parent),
      m_editor(editor),
      m_trace(trace),
      m_show(std::move(show)),
      m_seen(editor.log().latest()) {
    connect(&editor.feed(), &ui::SessionFeed::frameChanged, this, &RunawayNotices::follow);
    connect(&editor.feed(), &ui::SessionFeed::runChanged, this, [this] {
        m_counts.clear();
        m_told.clear();
        m_editor.notices().dismissContexts(Context);
    });
}

void RunawayNotices::follow() {
    const FrameSnapshot& frame = m_editor.feed().frame();
    if (frame.entities && (m_counts.empty() || m_counts.back().tick < frame.tick)) {
        m_counts.push_back({frame.tick, frame.entities->rows.size()});
        while (static_cast<double>(frame.tick - m_counts.front().tick) > frame.tickRate)
            m_counts.pop_front();
    }
    if (m_editor.log().latest() == m_seen)
        return;
    // Of several that came at once the last says most.
    std::map<GrowthReport::Of, GrowthReport> reports;
    for (const LogRecord& record : m_editor.log().since(m_seen)) {
        m_seen = std::max(m_seen, record.sequence);
        if (record.severity == LogSeverity::Error)
            if (const auto report = readGrowthReport(record.channel, record.text))
                reports[report->of] = *report;
    }
    // A loop may be cut off in every tick: its notice is renewed once a second.
    for (const auto& [of, report] : reports) {
        const auto told = m_told.find(of);
        if (!report.stopped && told != m_told.end() && frame.tick >= told->second
            && static_cast<double>(frame.tick - told->second) < frame.tickRate)
            continue;
        m_told[of] = frame.tick;
        tell(report);
    }
}

std::string RunawayNotices::madeType() const {
    std::map<std::string, std::size_t> counts;
    for (const EntityRow& row : m_editor.feed().frame().entities->rows)
        if (!row.fromScene)
            ++counts[row.type];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? std::string() : most->first;
}

double RunawayNotices::madePerSecond() const {
    if (m_counts.size() < 2 || m_counts.back().entities <= m_counts.front().entities)
        return 0.0;
    const double seconds =
        static_cast<double>(m_counts.back().tick - m_counts.front().tick) / m_editor.feed().frame().tickRate;
    return static_cast<double>(m_counts.back().entities - m_counts.front().entities) / seconds;
}

void RunawayNotices::tell(const GrowthReport& report) {
    m_trace.model().fetch(); // what has arrived, as far as a slice of its work takes it in
    const ui::Runaway found = findRunaway(m_trace.model(), report);
    const QString entity = ui::shownLine(report.entity);
    QString who = report.component.empty() ? QString()
                                           : tr("%1 of %2")
                                                 .arg(ui::shownLine(report.component),
                                                      report.several ? tr("several entities") : entity);
    const bool entities = report.of == GrowthReport::Of::Entities;
    const QString type = entities               ? ui::shownLine(madeType())
                         : found.type.isEmpty() ? tr("messages")
                                                : ui::shownLine(found.type.toStdString());
    QString text;
    if (report.of == GrowthReport::Of::Loop) {
        text = tr("A loop of messages is cut off: %1").arg(ui::shownLine(report.message));
        if (!who.isEmpty())
            text += tr(", sent by %1").arg(who);
    } else {
        const double rate = entities ? madePerSecond() : found.perSecond;
        text = entities ? tr("Entities grow without end: ") : tr("Messages that wait grow without end: ");
        text += rate > 0.0 ? tr("%1 %2 a second").arg(rateText(rate), type) : type;
        if (!who.isEmpty())
            text += (entities ? tr(", made by %1") : tr(", sent by %1")).arg(who);
        text += report.stopped
                    ? tr(". There are %L1: the budget is used up, and play pauses").arg(report.grown)
                    : tr(". There are %L1; play pauses at %L2").arg(report.grown).arg(report.budget);
    }
    if (found.sequence != 0)
        text += QLatin1Char('\n') + found.chain.join(QStringLiteral(" → "));
    else if (entities)
        text += QLatin1Char('\n')
                + tr("No recorded message has them made: messages of every tick, such as Update, are not "
                     "recorded unless you switch them on.");
    ui::Notice notice;
    notice.severity = Severity::Warning;
    notice.context = Context + QString::number(static_cast<int>(report.of));
    notice.text = text;
    if (found.sequence != 0) {
        notice.actionText = tr("Show them");
        notice.action = [this, sequence = found.sequence, condition = found.condition] {
            m_trace.setFilterText(condition);
            m_show(sequence);
        };
    } else if (!report.entity.empty()) {
        notice.actionText = tr("Select %1").arg(entity);
        notice.action = [this, name = report.entity] {
            m_editor.selection().setEntity(name, QStringLiteral("runaway"));
        };
    }
    m_editor.notices().post(notice);
}

} // namespace sbx::editor
