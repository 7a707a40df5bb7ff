#include "widgets/trace/trace_runaways.h"

#include <QCoreApplication>

#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <map>

namespace sbx::ui {

namespace {

constexpr std::uint64_t MostRecords = 200'000; // looked at
constexpr int MostTypes = 8;                   // of a chain

// Whether one of the components acted on it; `components`: as a report names them.
bool isHandledBy(const TraceContext& context, const RecordView& record, const std::string& components) {
    for (const HandlerVisit visit : record.visits()) {
        if (visit.result == HandlerResult::NotReached || visit.observer)
            continue;
        const std::string name(context.name(visit.component));
        for (std::size_t at = components.find(name); at != std::string::npos;
             at = components.find(name, at + 1)) {
            const std::size_t end = at + name.size();
            if ((at == 0 || components[at - 1] == ' ')
                && (end == components.size() || components[end] == ' '))
                return true;
        }
    }
    return false;
}

bool isOf(const TraceContext& context, const RecordView& record, const GrowthReport& report) {
    switch (report.of) {
    case GrowthReport::Of::Entities:
        return (report.several || context.receiver(record) == report.entity)
               && isHandledBy(context, record, report.component);
    case GrowthReport::Of::Queue:
        return report.several || report.entity.empty() || context.sender(record) == report.entity;
    case GrowthReport::Of::Loop:
        return context.type(record).name == report.message
               && (report.entity.empty() || context.sender(record) == report.entity);
    }
    return false;
}

} // namespace

QStringList chainOfTypes(const TraceModel& model, std::uint64_t sequence) {
    QStringList types;
    bool complete = true;
    for (const std::uint64_t cause : model.chainOf(sequence, &complete)) {
        const std::uint64_t row = *model.store().rowOf(cause);
        if (!model.store().isReady(row)) {
            types += QStringLiteral("…"); // what came before it lies on the disk
            continue;
        }
        const RecordView record = model.store().at(row);
        if (record.through() != NoType)
            types += QCoreApplication::translate("TraceModel", "%1 (not recorded)")
                         .arg(QString::fromStdString(messageType(record.through()).name));
        types += QString::fromStdString(model.context().type(record).name);
    }
    QStringList out;
    for (int i = 0; i < types.size();) {
        int same = 1;
        while (i + same < types.size() && types[i + same] == types[i])
            ++same;
        out += same == 1 ? types[i] : QStringLiteral("%1 ×%2").arg(types[i]).arg(same);
        i += same;
    }
    if (out.size() > MostTypes)
        out = out.mid(0, MostTypes / 2) + QStringList(QStringLiteral("…"))
              + out.mid(out.size() - MostTypes / 2);
    return out;
}

Runaway findRunaway(const TraceModel& model, const GrowthReport& report) {
    Runaway found;
    const TraceStore& store = model.store();
    const TraceContext& context = model.context();
    const double rate = context.source().ticksPerSecond();
    const std::uint64_t end = model.learnedEnd();
    if (end <= store.memoryFirst() || rate <= 0.0)
        return found;
    const std::uint64_t last = store.tickOf(end - 1);
    const auto second = static_cast<std::uint64_t>(rate);
    std::uint64_t from = std::max(store.rowAtTick(last >= second ? last - second + 1 : 0), store.memoryFirst());
    if (from >= end)
        return found;
    if (end - from > MostRecords)
        from = end - MostRecords;
    struct Count {
        std::uint64_t number = 0;
        std::uint64_t newest = 0; // sequence
    };
    std::map<MessageTypeId, Count> counts;
    TraceStore::Cursor cursor(store, from);
    for (std::uint64_t at = from; at < end; ++at) {
        const RecordView record = cursor.record();
        if (isOf(context, record, report)) {
            Count& count = counts[record.type()];
            ++count.number;
            count.newest = record.sequence();
        }
        if (at + 1 < end)
            cursor.next();
    }
    const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
        return a.second.number < b.second.number;
    });
    if (most == counts.end())
        return found;
    const std::string& type = messageType(most->first).name;
    found.type = QString::fromStdString(type);
    // The run may be shorter than a second.
    const double seconds = std::clamp(
        static_cast<double>(last - std::min(last, store.tickOf(from)) + 1) / rate, 1.0 / rate, 1.0);
    found.perSecond = static_cast<double>(most->second.number) / seconds;
    found.sequence = most->second.newest;
    found.chain = chainOfTypes(model, found.sequence);
    std::string condition = "type == " + filterLiteral(type);
    if (!report.several && !report.entity.empty())
        condition += (report.of == GrowthReport::Of::Entities ? " and receiver == " : " and sender == ")
                     + filterLiteral(report.entity);
    found.condition = QString::fromStdString(condition);
    return found;
}

} // namespace sbx::ui
