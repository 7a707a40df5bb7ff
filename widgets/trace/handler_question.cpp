#include "widgets/trace/handler_question.h"

#include "widgets/trace/trace_store.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sbx::ui {

HandlerQuestion::HandlerQuestion(AskedComponent asked) : m_asked(std::move(asked)) {
    for (const AskedHandler& handler : m_asked.handlers) {
        if (handler.message >= m_types.size())
            m_types.resize(handler.message + std::size_t(1), false);
        m_types[handler.message] = true;
    }
    begin();
}

void HandlerQuestion::begin() {
    m_answers.clear();
    for (const AskedHandler& handler : m_asked.handlers)
        m_answers.emplace_back().handler = handler;
    m_any = false;
}

bool HandlerQuestion::look(const TraceStore& store, const NameTable& names, std::size_t limit) {
    // Rows that went before they were looked at: the store was cleared, or it filled up meanwhile. What is known of older ones stays true.
    if (store.run() != m_run) {
        m_run = store.run();
        m_next = store.memoryFirst();
        begin();
    }
    m_next = std::max(m_next, store.memoryFirst()); // what lies on the disk is not read for this
    if (m_next >= store.end())
        return true;
    const std::uint64_t last = m_next + std::min<std::uint64_t>(limit, store.end() - m_next);
    if (m_next == last)
        return false;
    TraceStore::Cursor cursor(store, m_next);
    if (!std::exchange(m_any, true))
        m_since = cursor.record().tick();
    for (;;) {
        take(cursor.record(), names);
        if (++m_next == last)
            break;
        cursor.next();
    }
    return m_next == store.end();
}

void HandlerQuestion::take(const RecordView& record, const NameTable& names) {
    const MessageTypeId type = record.type();
    if (type >= m_types.size() || !m_types[type])
        return;
    // Without a name it went to no entity.
    const std::string& receiver = names.name(record.receiverName());
    for (HandlerAnswer& answer : m_answers) {
        if (answer.handler.message != type)
            continue;
        if (receiver == m_asked.entity)
            judge(answer, record, names);
        else if (!receiver.empty())
            answer.elsewhere = record.sequence();
    }
}

void HandlerQuestion::judge(HandlerAnswer& answer, const RecordView& record, const NameTable& names) const {
    if (record.note()
        == RecordNote::Short) // of the sending as a whole: each delivery has a record of its own
        return;
    answer.last = record.sequence();
    answer.lastTick = record.tick();
    answer.note = record.note();
    answer.toOneComponent = record.delivery() == Delivery::Component;
    answer.anyHandler = !record.visits().empty();
    answer.consumer = {};
    ++answer.all;
    // Handlers of one priority stand in the order of their components in the entity, so that the second of a kind is the second of that
    // priority. A message to one component has that one alone in its list; of several of a kind it does not say which.
    const std::size_t which = answer.toOneComponent ? 0 : m_asked.which;
    std::size_t before = 0;
    std::optional<HandlerVisit> own;
    std::optional<HandlerVisit> consumer;
    for (const HandlerVisit visit : record.visits()) {
        if (visit.result == HandlerResult::Consumed)
            consumer = visit;
        if (visit.priority == answer.handler.priority && names.name(visit.component) == m_asked.component
            && before++ == which)
            own = visit;
    }
    if (record.note() != RecordNote::None) {
        answer.saw = HandlerSaw::Lost;
    } else if (!own) {
        answer.saw = HandlerSaw::NotAmong;
    } else if (own->result == HandlerResult::NotReached) {
        answer.saw = consumer ? HandlerSaw::NotReached : HandlerSaw::Dropped;
        answer.consumer = consumer.value_or(HandlerVisit());
    } else {
        answer.saw = own->result == HandlerResult::Consumed ? HandlerSaw::Consumed
                     : own->observer                        ? HandlerSaw::LookedOn
                                                            : HandlerSaw::Handled;
        ++answer.reached;
        answer.lastReached = answer.last;
    }
}

} // namespace sbx::ui
