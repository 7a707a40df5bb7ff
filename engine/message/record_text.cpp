#include "engine/message/record_text.h"

#include "engine/core/printable.h"

#include <initializer_list>
#include <utility>

namespace sbx {

namespace {

std::string orDash(std::string_view text) { return text.empty() ? std::string("-") : printableLine(text); }

std::string fieldsText(const RecordFilterSchema& schema, const RecordView& record, const std::function<std::string(EntityId)>& entityName) {
    std::string out;
    for (const FieldInfo& field : *schema.type(record).fields) {
        const Value value = field.read(record.payload());
        std::string text;
        if (const auto* entity = std::get_if<EntityId>(&value)) {
            if (*entity && entityName)
                text = entityName(*entity);
            if (text.empty())
                text = *entity ? std::to_string(entity->bits) : "none";
        } else {
            text = field.format(value);
        }
        out += (out.empty() ? "" : " ") + field.name + "=" + (std::holds_alternative<std::string>(value) ? filterLiteral(text) : text);
        if (!field.unit.empty())
            out += " " + field.unit;
    }
    return out;
}

} // namespace

std::string recordText(const RecordFilterSchema& schema, const RecordView& record, const std::function<std::string(EntityId)>& entityName) {
    std::string outcome = outcomeName(RecordFilterSchema::outcome(record));
    if (const NameId consumer = RecordFilterSchema::consumer(record); consumer != 0)
        outcome += " by " + std::string(schema.name(consumer));
    if (const std::string late = lateText(record); !late.empty())
        outcome += ", " + late;
    std::string out = std::to_string(record.sequence()) + '\t' + std::to_string(record.tick());
    for (const std::string& cell : {std::string(schema.world(record)), schema.type(record).name, std::string(schema.sender(record)),
                                    std::string(schema.receiver(record)), fieldsText(schema, record, entityName),
                                    std::string(RecordFilterSchema::delivery(record)), outcome})
        out += '\t' + orDash(cell);
    return out;
}

std::string lateText(const RecordView& record) {
    const std::uint64_t late = record.late();
    return late == 0 ? std::string() : std::to_string(late) + (late == 1 ? " tick late" : " ticks late");
}

} // namespace sbx
