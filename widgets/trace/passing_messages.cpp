#include "widgets/trace/passing_messages.h"

#include "engine/core/component_name.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace sbx::ui {

MessageFate fateOf(const RecordView& record) {
    switch (RecordFilterSchema::outcome(record)) {
    case RecordOutcome::Passed:
        return MessageFate::Passed;
    case RecordOutcome::Consumed:
        return MessageFate::Consumed;
    case RecordOutcome::Unheeded:
    case RecordOutcome::Dropped:
        return MessageFate::Unheeded;
    case RecordOutcome::Unhandled:
    case RecordOutcome::Short:
    case RecordOutcome::Gone:
    case RecordOutcome::NoListener:
    case RecordOutcome::CutOff:
        break;
    }
    return MessageFate::Unhandled;
}

std::optional<ChosenMessage> chosenMessage(const TraceModel& model, std::uint64_t sequence) {
    const auto row = model.store().rowOf(sequence);
    if (!row || *row >= model.learnedEnd())
        return std::nullopt;
    if (!model.store().isReady(*row)) {
        model.store().request(*row);
        return std::nullopt;
    }
    const RecordView record = model.store().at(*row);
    const TraceContext& context = model.context();
    ChosenMessage message;
    message.sequence = sequence;
    message.tick = record.tick();
    message.sender = context.sender(record);
    message.receiver = context.receiver(record);
    message.fate = fateOf(record);
    message.type = context.type(record).name;
    message.fields = context.fieldsLine(record).toStdString();
    ComponentNumbering numbering;
    for (const HandlerVisit visit : record.visits()) {
        const std::string name = numbering.nextName(context.name(visit.component));
        if (visit.result == HandlerResult::NotReached || visit.observer)
            continue;
        if (message.handler.empty() || visit.result == HandlerResult::Consumed)
            message.handler = name;
    }
    return message;
}

PassingMessages::PassingMessages(const TraceModel& model, QObject* parent)
    : QObject(parent), m_model(model) {}

void PassingMessages::setOn(bool on) {
    if (m_on == on)
        return;
    m_on = on;
    if (!on) {
        disconnect(&m_model, nullptr, this, nullptr);
        return;
    }
    connect(&m_model, &TraceModel::countsChanged, this, &PassingMessages::take);
    connect(&m_model, &TraceModel::newRun, this, [this] {
        m_from = m_model.store().first();
        emit restarted();
    });
    connect(&m_model, &TraceModel::filtered, this, &PassingMessages::restart);
    restart();
}

// The last half second as the filter sees it now.
void PassingMessages::restart() {
    emit restarted();
    const TraceStore& store = m_model.store();
    m_from = m_model.learnedEnd();
    if (m_from > store.memoryFirst()) {
        const std::uint64_t newest = store.tickOf(m_from - 1);
        const auto back = static_cast<std::uint64_t>(Seconds * m_model.context().source().ticksPerSecond());
        m_from = std::min(m_from, store.rowAtTick(newest > back ? newest - back : 0));
    }
    take();
}

void PassingMessages::take() {
    const TraceStore& store = m_model.store();
    const std::uint64_t end = m_model.learnedEnd();
    m_from = std::max({m_from, store.memoryFirst(), end > MaxRecords ? end - MaxRecords : 0});
    if (m_from >= end)
        return;
    const TraceContext& context = m_model.context();
    using Ends = std::tuple<NameId, NameId, MessageFate>;
    struct Newest {
        std::uint64_t tick = 0;
        std::uint64_t order = 0;
    };
    std::map<Ends, Newest> found;
    TraceStore::Cursor cursor(store, m_from);
    for (std::uint64_t at = m_from; at < end; ++at) {
        const RecordView record = cursor.record();
        ++m_looks;
        if (m_model.lets(record))
            found[Ends{record.senderName(), record.receiverName(), fateOf(record)}] = {record.tick(), at};
        if (at + 1 < end)
            cursor.next();
    }
    m_from = end;
    std::vector<std::pair<std::uint64_t, PassingMessage>> ordered;
    ordered.reserve(found.size());
    for (const auto& [ends, newest] : found) {
        const auto& [sender, receiver, fate] = ends;
        ordered.push_back(
            {newest.order,
             {std::string(context.name(sender)), std::string(context.name(receiver)), fate, newest.tick}});
    }
    std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<PassingMessage> messages;
    messages.reserve(ordered.size());
    for (auto& [order, message] : ordered)
        messages.push_back(std::move(message));
    if (!messages.empty())
        emit passed(messages);
}

} // namespace sbx::ui

#include "moc_passing_messages.cpp"
