#include "engine/commands/completion.h"

#include "engine/session/session.h"
#include "engine/simulation/entity_filter.h"

#include <algorithm>

namespace sbx {

void offerFilter(const FilterCompletion& found, std::size_t from, CommandTyping& typing,
                 std::vector<CompletionCandidate>& out) {
    typing.replaceFrom = from + found.replaceFrom;
    for (const FilterCompletionItem& item : found.items)
        out.push_back({item.insert,
                       {},
                       item.doc,
                       item.kind == FilterCompletionItem::Kind::Field ? CompletionKind::Field
                                                                      : CompletionKind::Choice});
}

namespace {

void completeFilterFrom(const Session& session, CommandTyping& typing, std::size_t from,
                        std::vector<CompletionCandidate>& out) {
    const std::string_view text = typing.rest.substr(std::min(from, typing.rest.size()));
    const auto frame = session.snapshot();
    const EntityFilterSchema& fields = *frame->catalog->entityFields;
    const FilterCompletion found =
        completeFilter(text, text.size(), fields.schema(), [&](const FilterField& field, std::string_view) {
            return fields.values(field, *frame);
        });
    offerFilter(found, from, typing, out);
}

const EntityRow* rowOf(const FrameSnapshot* frame, const std::string& name) {
    return frame == nullptr || !frame->entities ? nullptr : frame->entities->find(name);
}

// `inParts`: vectors and colours by their numbers, which is how conditions compare them.
void offerFields(const EntityRow& row, const std::string& before, bool inParts,
                 std::vector<CompletionCandidate>& out) {
    for (const EntityType::Slot& slot : row.entityType->layout())
        for (const FieldTable* table : {slot.type->state, slot.type->settings})
            for (const FieldInfo& field : *table) {
                const std::string name = before + slot.type->name + "." + field.name;
                const std::string doc = explained(field);
                const std::size_t parts = inParts ? elementCount(field.type) : 0;
                if (parts == 0)
                    out.push_back({name, {}, doc, CompletionKind::Field});
                for (std::size_t i = 0; i < parts; ++i)
                    out.push_back({name + "." + elementName(field.type, i), {}, doc, CompletionKind::Field});
            }
}

} // namespace

std::string explained(const FieldInfo& field) {
    std::string doc = field.doc;
    while (!doc.empty() && doc.back() == '.')
        doc.pop_back();
    return doc + "; " + field.expectation();
}

void completeEntityFilter(const Session& session, CommandTyping& typing, std::size_t at,
                          std::vector<CompletionCandidate>& out) {
    std::size_t from = 0;
    for (std::size_t word = 0; word < at; ++word) {
        if (from < typing.rest.size() && typing.rest[from] == '"') // one word, whatever stands in it
            from = std::min(typing.rest.find('"', from + 1), typing.rest.size());
        from = std::min(typing.rest.find_first_of(" \t", from), typing.rest.size());
        from = std::min(typing.rest.find_first_not_of(" \t", from), typing.rest.size());
    }
    completeFilterFrom(session, typing, from, out);
}

bool completeField(const Session& session, CommandTyping& typing, std::vector<CompletionCandidate>& out) {
    if (typing.words.empty())
        return false;
    const auto frame = session.snapshot();
    const EntityRow* row = rowOf(frame.get(), typing.words[0]);
    if (row == nullptr)
        return true; // nothing is known of it
    if (typing.words.size() == 1) {
        offerFields(*row, {}, false, out);
        return true;
    }
    const std::string& path = typing.words[1];
    const std::size_t dot = std::min(path.find('.'), path.size());
    for (const EntityType::Slot& slot : row->entityType->layout()) {
        if (slot.type->name != path.substr(0, path.find_first_of(".#")) || dot == path.size())
            continue;
        const std::string name = path.substr(dot + 1);
        const FieldInfo* field = slot.type->state->find(name);
        if (field == nullptr)
            field = slot.type->settings->find(name);
        if (field == nullptr)
            continue;
        std::vector<std::string> values = field->choices;
        if (field->type == FieldType::Bool)
            values = {"true", "false"};
        else if (values.empty())
            values = {field->format(field->defaultValue)};
        for (const std::string& value : values)
            out.push_back({value, {}, field->doc, CompletionKind::Choice});
        break;
    }
    return true;
}

void completeCondition(const Session& session, CommandTyping& typing, std::vector<CompletionCandidate>& out) {
    // Inside count( … it is a filter.
    if (const std::size_t count = typing.rest.rfind("count("); count != std::string_view::npos) {
        int depth = 1;
        for (std::size_t i = count + 6; i < typing.rest.size() && depth > 0; ++i)
            depth += typing.rest[i] == '(' ? 1 : typing.rest[i] == ')' ? -1 : 0;
        if (depth > 0)
            return completeFilterFrom(session, typing, count + 6, out);
    }
    const std::size_t last = typing.rest.find_last_of(" ()=<>!~,&|");
    typing.replaceFrom = last == std::string_view::npos ? 0 : last + 1;
    const std::string typed(typing.rest.substr(typing.replaceFrom));
    const auto frame = session.snapshot();
    const std::size_t dot = typed.find('.');
    if (const EntityRow* row = rowOf(frame.get(), typed.substr(0, dot));
        row != nullptr && dot != std::string::npos) {
        const std::string before = row->name + ".";
        for (const char* axis : {"x", "y", "z"})
            out.push_back({before + "position." + axis,
                           {},
                           "Where it is in the world, in metres.",
                           CompletionKind::Field});
        return offerFields(*row, before, true, out);
    }
    out.push_back({"count(", {}, "How many entities match a filter.", CompletionKind::Choice});
    out.push_back({"tick", {}, "Ticks so far.", CompletionKind::Field});
    if (frame && frame->entities)
        for (const EntityRow& row : frame->entities->rows)
            out.push_back({row.name, {}, row.type, CompletionKind::Entity});
    for (const CVarInfo& cvar : session.cvars().list())
        out.push_back({cvar.field.name, cvar.shown(), cvar.field.doc, CompletionKind::CVar});
}

} // namespace sbx
