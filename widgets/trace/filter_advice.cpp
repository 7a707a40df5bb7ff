#include "widgets/trace/filter_advice.h"

#include "engine/core/filter_hint.h"
#include "widgets/common/filter_bar.h"
#include "widgets/trace/trace_context.h"

#include <algorithm>
#include <limits>

namespace sbx::ui {

namespace {

std::vector<std::string> typeNames(const TraceContext& context) {
    std::vector<std::string> out;
    for (const MessageType* type : context.types())
        out.push_back(type->name);
    return out;
}

// Those that act on any message, and those that records name. None if the first are not known: then the others are too few to judge by.
std::vector<std::string> componentNames(const TraceContext& context, const FilterField& field) {
    std::vector<std::string> out;
    for (const MessageType* type : context.types()) {
        const std::vector<std::string> handlers = context.source().handlersOf(type->id);
        out.insert(out.end(), handlers.begin(), handlers.end());
    }
    if (out.empty())
        return out;
    const std::vector<std::string> seen =
        context.knownValues(field, {}, std::numeric_limits<std::size_t>::max());
    out.insert(out.end(), seen.begin(), seen.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

} // namespace

void adviseFilter(FilterBar& bar, const QString& filter, const TraceContext& context) {
    const FilterSchema& schema = context.schema();
    const auto names = [&](const FilterField& field) -> FilterNames {
        FilterFieldId id = 0;
        if (!schema.findId(field.name, id))
            return {};
        switch (id) {
        case RecordFilterSchema::Type:
        case RecordFilterSchema::Through:
            return {"message type", typeNames(context), {}};
        case RecordFilterSchema::HandlerComponent:
        case RecordFilterSchema::ConsumedBy:
        case RecordFilterSchema::NotReached:
            return {"component", componentNames(context, field), " that acts on messages"};
        default:
            return {};
        }
    };
    const std::optional<FilterHint> hint = filterHint(filter.toStdString(), schema, names);
    bar.setAdvice(hint ? toQString(hint->statement) : QString(), hint ? toQString(hint->nearest) : QString(),
                  hint ? toQString(hint->mended) : QString());
}

} // namespace sbx::ui
