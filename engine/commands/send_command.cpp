// The console's `send`: any message, any route, any field.

#include "engine/commands/console_commands.h"
#include "engine/commands/nobody_acted.h"
#include "engine/commands/send_options.h"
#include "engine/session/session.h"
#include "engine/session/unknown_names.h"

#include <utility>

namespace sbx {

namespace {

struct Options : SendOptions {
    Delivery delivery = Delivery::Immediate;
    std::string component; // of Delivery::Component
};

constexpr std::pair<const char*, const char*> Routes[] = {
    {"--children", "The entity and all below it."},
    {"--ancestors", "The entity, its parent, and so on up."},
    {"--component=", "One component of the entity, such as Shield or Mesh#2."}};

Result<void> readOption(const World& world, const std::string& word, Options& options) {
    constexpr std::string_view Component = "--component=";
    if (word == "--children") {
        options.delivery = Delivery::Children;
    } else if (word == "--ancestors") {
        options.delivery = Delivery::Ancestors;
    } else if (word.starts_with(Component)) {
        options.delivery = Delivery::Component;
        options.component = word.substr(Component.size());
        if (options.component.empty())
            return Error{word + ": expected the name of a component", {}, {}};
    } else if (const std::optional<Result<void>> read = readSendOption(world, word, options)) {
        return *read;
    } else {
        return Error{"there is no option " + inQuotes(word) + "; expected --children, --ancestors, --component=NAME, "
                         + sendOptionNames(),
                     {},
                     {}};
    }
    return {};
}

Result<void> readField(const World& world, const MessageType& type, const std::string& word, void* payload) {
    const std::size_t equals = word.find('=');
    const FieldInfo* field =
        equals == std::string::npos ? nullptr : type.fields->find(std::string_view(word).substr(0, equals));
    if (field == nullptr) {
        std::string known;
        for (const std::string& name : type.fields->names())
            known += (known.empty() ? "" : ", ") + name;
        return Error{inQuotes(word) + " sets no field of " + type.name + "; expected field=value with "
                         + (known.empty() ? "no fields at all" : "a field of " + known),
                     {},
                     {}};
    }
    const Result<Value> value = readFieldValue(world, *field, word);
    if (!value)
        return value.error();
    field->write(payload, *value);
    return {};
}

Result<void> sendCommand(Session& session, CommandContext& context, const CommandArguments& arguments) {
    const MessageType* type = findMessageType(arguments[0]);
    if (type == nullptr)
        return unknownName("message type", arguments[0], session.providedNames(TextRole::MessageType));
    const bool all = arguments[1] == "*";
    const Entity receiver = all ? Entity() : session.target().world().find(arguments[1]);
    if (!all && !receiver)
        return unknownEntity(session.target().world(), arguments[1]);
    Options options;
    alignas(16) std::byte payload[MaxMessageSize];
    type->construct(payload);
    for (std::size_t i = 2; i < arguments.size(); ++i) {
        const Result<void> read = arguments[i].starts_with("--") ? readOption(session.target().world(), arguments[i], options)
                                                                 : readField(session.target().world(), *type, arguments[i], payload);
        if (!read)
            return read;
    }
    if (all && options.delivery != Delivery::Immediate)
        return Error{"* is everyone already; expected an entity beside --children, --ancestors or --component", {}, {}};
    const Delivery delivery = all ? Delivery::Broadcast : options.delivery;
    const EntityId to = all ? EntityId{} : receiver.id();
    if (const Result<void> checked = checkSendOptions(options); !checked)
        return checked;
    Entity::ComponentRef part;
    if (delivery == Delivery::Component) {
        part = receiver.component(options.component);
        if (part.type == nullptr) {
            std::vector<std::string> names;
            receiver.eachComponent([&](const Entity::ComponentRef& ref) { names.push_back(ref.type->name); });
            return unknownName("component of it", options.component, names);
        }
    }
    const World::Injected injected(session.target().world());
    if (options.ticks > 0) {
        const int priority = options.priority.value_or(0);
        if (delivery == Delivery::Component)
            session.target().world().sendLaterRaw(to, part.component, type->id, payload, type->size,
                                                  options.ticks, {}, priority, options.minimum, SendSite());
        else
            session.target().world().sendLaterRaw(to, type->id, payload, type->size, options.ticks, {},
                                                  priority, delivery, options.minimum, SendSite());
        context.print(type->name + ": " + options.waiting());
        return {};
    }
    SendResult result;
    const auto send = [&] {
        World& world = session.target().world();
        result = delivery == Delivery::Component ? world.sendRaw(to, part.component, type->id, payload,
                                                                 type->size, {}, options.minimum, SendSite())
                                                 : world.sendRaw(to, type->id, payload, type->size, {},
                                                                 delivery, options.minimum, SendSite());
    };
    if (&session.target().world() == &session.world())
        session.doWatched(send);
    else
        send();
    const std::string summary = type->name + ": " + std::to_string(result.receivers)
                             + (result.receivers == 1 ? " receiver" : " receivers")
                             + (result.consumed ? ", consumed" : "");
    if (result.receivers < options.minimum)
        return Error{summary + "; expected at least " + std::to_string(options.minimum), {}, {}};
    const bool toOne = delivery == Delivery::Immediate || delivery == Delivery::Component;
    context.print(result.receivers > 0 || type->notice
                      ? summary
                      : summary + ", "
                            + nobodyActed(session.catalog(), *type, toOne ? receiver : Entity(), part));
    return {};
}

} // namespace

void addSendCommand(Session& session) {
    session.console().commands().add(
        "send", "Sends a message: send Damage crate_3 amount=5",
        {{.name = "type", .doc = "Message type.", .type = ArgumentType::MessageType},
         {.name = "to", .doc = "Entity, or * for all.", .type = ArgumentType::Entity, .choices = {}},
         {.name = "field=value",
          .doc = "Fields, the others keep their defaults; --children, --ancestors, --component=NAME, " + sendOptionNames() + ".",
          .optional = true,
          .variadic = true}},
        [&session](CommandContext& context, const CommandArguments& arguments) { return sendCommand(session, context, arguments); },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            if (typing.words.size() == 1) {
                out.push_back({"*", {}, "Everyone.", CompletionKind::Choice});
                for (const std::string& name : session.providedNames(TextRole::EntityName))
                    out.push_back({consoleWord(name), {}, {}, CompletionKind::Entity});
                return true;
            }
            const MessageType* type = typing.words.size() < 2 ? nullptr : findMessageType(typing.words[0]);
            if (type == nullptr)
                return false;
            completeSend(*type, typing, 2, session, out);
            for (const auto& [text, doc] : Routes)
                out.push_back({text, {}, doc, CompletionKind::Choice});
            return true;
        });
}

} // namespace sbx
