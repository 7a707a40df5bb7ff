#include "widgets/trace/trace_values.h"

#include "engine/core/value.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <map>
#include <set>

namespace sbx::ui {

std::vector<std::string> numbersSeen(const TraceModel& model, const FilterField& field,
                                     const std::vector<FilterDemand>& demands) {
    constexpr std::uint64_t MaxRecords = 4000;
    constexpr std::size_t MaxNumbers = 20;
    const TraceContext& context = model.context();
    const TraceStore& store = model.store();
    FilterFieldId id = 0;
    if (!context.schema().findId(field.name, id))
        return {};
    std::vector<std::string_view> types;
    for (const FilterDemand& demand : demands)
        if (demand.field == "type")
            types.push_back(demand.value);
    RecordFilterRow row(context);
    std::map<double, std::string> numbers;
    const std::uint64_t first = std::max(store.first(), store.end() - std::min(store.end(), MaxRecords));
    for (std::uint64_t at = store.end(); at > first && numbers.size() < MaxNumbers; --at) {
        const RecordView record = store.at(at - 1);
        if (!types.empty() && std::find(types.begin(), types.end(), context.type(record).name) == types.end())
            continue;
        row.set(record);
        for (std::size_t i = 0; i < row.valueCount(id); ++i) {
            const FilterValue value = row.value(id, i);
            if (value.kind == FilterValue::Kind::Integer)
                numbers.emplace(static_cast<double>(value.integer), std::to_string(value.integer));
            else if (value.kind == FilterValue::Kind::Number)
                numbers.emplace(value.number, value.single ? formatFloat(static_cast<float>(value.number))
                                                           : formatDouble(value.number));
        }
    }
    std::vector<std::string> out;
    for (auto& [number, text] : numbers)
        out.push_back(std::move(text));
    return out;
}

std::vector<std::string> textsSeen(const TraceModel& model, const FilterField& field,
                                   std::string_view typed) {
    constexpr std::uint64_t MaxRecords = 20'000;
    constexpr std::size_t MaxTexts = 200;
    constexpr std::size_t MaxBytes = 200; // of one
    const TraceStore& store = model.store();
    FilterFieldId id = 0;
    if (!model.context().schema().findId(field.name, id))
        return {};
    RecordFilterRow row(model.context());
    std::set<std::string, std::less<>> texts;
    const std::uint64_t first = std::max(store.first(), store.end() - std::min(store.end(), MaxRecords));
    // Rows that have not been looked at yet may be of a type that the schema does not know.
    for (std::uint64_t at = std::min(store.end(), model.learnedEnd());
         at > first && texts.size() < MaxTexts && store.isReady(at - 1); --at) {
        row.set(store.at(at - 1));
        for (std::size_t i = 0; i < row.valueCount(id); ++i) {
            const FilterValue value = row.value(id, i);
            if (value.kind == FilterValue::Kind::String && !value.text.empty()
                && value.text.size() <= MaxBytes && containsText(value.text, typed)
                && texts.find(value.text) == texts.end())
                texts.emplace(value.text);
        }
    }
    return {texts.begin(), texts.end()};
}

} // namespace sbx::ui
