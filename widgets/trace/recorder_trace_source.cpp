#include "widgets/trace/recorder_trace_source.h"

#include "engine/message/trace_json.h"

#include <algorithm>

namespace sbx::ui {

RecorderTraceSource::RecorderTraceSource(const Recorder& recorder, std::shared_ptr<RecordReader> reader,
                                         MaskRequest request, std::function<double()> ticksPerSecond)
    : m_recorder(recorder),
      m_reader(std::move(reader)),
      m_request(std::move(request)),
      m_ticksPerSecond(std::move(ticksPerSecond)) {}

void RecorderTraceSource::poll(std::vector<std::shared_ptr<const RecordSegment>>& out) {
    m_reader->poll(out);
}

std::string RecorderTraceSource::json(const RecordView& record, const EntityNamer& entityName) const {
    const auto visits = record.visits();
    const bool timed =
        std::any_of(visits.begin(), visits.end(), [](const HandlerVisit v) { return v.nanoseconds > 0; });
    return traceLine(record, m_recorder, timed, entityName);
}

bool RecorderTraceSource::isRecorded(MessageTypeId type) const {
    if (type < m_mask.size() && m_mask[type] != 0)
        return m_mask[type] == 2;
    return messageType(type).recorded;
}

void RecorderTraceSource::requestRecorded(MessageTypeId type, bool recorded) {
    if (type >= m_mask.size())
        m_mask.resize(type + std::size_t(1), 0);
    m_mask[type] = recorded ? 2 : 1;
    if (m_request)
        m_request(type, recorded);
}

} // namespace sbx::ui
