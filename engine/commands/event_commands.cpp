// The console's side of events: `event` declares one, `raise` raises one, `list events` shows which there are.

#include "engine/commands/console_commands.h"
#include "engine/commands/send_options.h"
#include "engine/core/filter.h"
#include "engine/core/nearest.h"
#include "engine/entity/event_hub.h"
#include "engine/session/session.h"

#include <algorithm>

namespace sbx {

namespace {

constexpr FieldType Carried[] = {FieldType::Bool,    FieldType::Int,   FieldType::Float,  FieldType::Vector2, FieldType::Vector3,
                                 FieldType::Vector4, FieldType::Color, FieldType::String, FieldType::Entity};

// "radius float m", "kind fire|ice": how an event is declared.
std::string usage(const MessageType& event) {
    std::string out = event.name;
    for (const FieldInfo& field : *event.fields) {
        out += " " + field.name + "=";
        if (field.choices.empty())
            out += fieldTypeName(field.type);
        for (std::size_t i = 0; i < field.choices.size(); ++i)
            out += (i == 0 ? "" : "|") + field.choices[i];
    }
    return out;
}

Result<EventParameter> readParameter(const std::string& word) {
    const std::size_t equals = word.find('=');
    EventParameter out;
    out.name = word.substr(0, equals);
    const std::string type = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    std::vector<std::string> names;
    for (const FieldType each : Carried) {
        names.emplace_back(fieldTypeName(each));
        if (names.back() == type) {
            out.type = each;
            return out;
        }
    }
    if (type.find('|') != std::string::npos) {
        out.type = FieldType::Enum;
        for (std::size_t from = 0; from <= type.size();) {
            const std::size_t bar = std::min(type.find('|', from), type.size());
            out.choices.push_back(type.substr(from, bar - from));
            if (out.choices.back().empty())
                return makeError(word + ": a choice is empty");
            from = bar + 1;
        }
        return out;
    }
    std::string known;
    for (const std::string& name : names)
        known += (known.empty() ? "" : ", ") + name;
    return makeError(inQuotes(word) + " declares no parameter; expected name=type with a type of " + known
                 + ", or choices: one|other");
}

Result<void> readValue(const World& world, const MessageType& event, const std::string& word,
                       std::vector<NamedValue>& out) {
    const std::size_t equals = word.find('=');
    const std::string_view name = std::string_view(word).substr(0, equals);
    const FieldInfo* const field = equals == std::string::npos ? nullptr : event.fields->find(name);
    if (field == nullptr) {
        const std::string near = nearestName(name, event.fields->names());
        return makeError(inQuotes(word) + " sets no parameter of " + event.name
                     + (near.empty() ? "; expected " + usage(event) : "; did you mean " + near + "=?"));
    }
    const Result<Value> value = readFieldValue(world, *field, word);
    if (!value)
        return value.error();
    out.push_back({field->name, *value});
    return {};
}

Result<void> raise(World& world, CommandContext& context, const CommandArguments& arguments) {
    EventHub hub(world);
    const Result<const MessageType*> event = hub.find(arguments[0]);
    if (!event)
        return event.error();
    SendOptions how;
    std::vector<NamedValue> values;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        if (!arguments[i].starts_with("--")) {
            if (const Result<void> read = readValue(world, **event, arguments[i], values); !read)
                return read;
            continue;
        }
        const std::optional<Result<void>> read = readSendOption(world, arguments[i], how);
        if (!read)
            return makeError("there is no option " + inQuotes(arguments[i]) + "; expected " + sendOptionNames());
        if (!*read)
            return *read;
    }
    if (const Result<void> checked = checkSendOptions(how); !checked)
        return checked;
    if (how.ticks > 0) {
        const Result<DelayedHandle> queued = hub.raiseLater(how.ticks, how.priority.value_or(0), arguments[0],
                                                            values, {}, how.minimum, SendSite());
        if (!queued)
            return queued.error();
        context.print(arguments[0] + ": " + how.waiting());
        return {};
    }
    const Result<SendResult> raised = hub.raise(arguments[0], values, {}, how.minimum, SendSite());
    if (!raised)
        return raised.error();
    const std::string text = arguments[0] + ": " + std::to_string(raised->receivers)
                             + (raised->receivers == 1 ? " listener" : " listeners");
    if (raised->receivers < how.minimum)
        return makeError(text + "; expected at least " + std::to_string(how.minimum));
    context.print(text);
    return {};
}

} // namespace

void addEventCommands(Session& session) {
    Console& console = session.console();
    console.commands().add(
        "event", "Declares an event: event Explosion radius=float at=vec3 kind=fire|ice",
        {{.name = "name", .doc = "Of the event."},
         {.name = "parameter=type",
          .doc = "bool, int, float, vec2, vec3, vec4, color, string, entity, or choices: fire|ice.",
          .optional = true,
          .variadic = true}},
        [&session](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
            std::vector<EventParameter> parameters;
            for (std::size_t i = 1; i < arguments.size(); ++i) {
                const Result<EventParameter> parameter = readParameter(arguments[i]);
                if (!parameter)
                    return parameter.error();
                parameters.push_back(*parameter);
            }
            const Result<MessageTypeId> declared = EventHub(session.target().world()).declare(arguments[0], parameters);
            if (!declared)
                return declared.error();
            context.print(usage(messageType(*declared)));
            return {};
        });
    console.commands().add(
        "raise", "Sends an event to its listeners: raise Explosion radius=4",
        {{.name = "event", .doc = "The name of an event, as list events shows it."},
         {.name = "parameter=value",
          .doc = "The others are zero or empty; " + sendOptionNames() + ".",
          .optional = true,
          .variadic = true}},
        [&session](CommandContext& context, const CommandArguments& arguments) {
            return raise(session.target().world(), context, arguments);
        },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            if (typing.words.empty()) {
                for (const MessageType* event : EventHub::events())
                    out.push_back({event->name, {}, event->doc.empty() ? usage(*event) : event->doc, CompletionKind::MessageType});
                return true;
            }
            const MessageType* const event = findMessageType(typing.words[0]);
            if (event == nullptr || !event->event)
                return false;
            completeSend(*event, typing, 1, session, out);
            return true;
        });
    console.setListing("events", [&session](CommandContext& context, std::string_view filter) -> Result<void> {
        bool any = false;
        for (const MessageType* event : EventHub::events()) {
            if (!filter.empty() && !containsText(event->name, filter))
                continue;
            any = true;
            const std::size_t heard = session.target().world().listeners().count(event->id);
            context.print(usage(*event) + "  " + std::to_string(heard) + (heard == 1 ? " listener" : " listeners")
                          + (event->doc.empty() ? "" : "  " + event->doc));
        }
        if (!any)
            context.print("none");
        return {};
    });
}

} // namespace sbx
