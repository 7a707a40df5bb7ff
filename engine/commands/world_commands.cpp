// What the console can do to entities: make, take out, choose, change, list and write down.

#include "engine/commands/command_values.h"
#include "engine/commands/completion.h"
#include "engine/commands/console_commands.h"
#include "engine/core/columns.h"
#include "engine/core/typed_command.h"
#include "engine/core/whole_file.h"
#include "engine/definition/checks.h"
#include "engine/definition/text_file.h"
#include "engine/session/session.h"
#include "engine/session/unknown_names.h"
#include "engine/simulation/entity_filter.h"
#include "engine/simulation/world_dump.h"

#include <algorithm>
#include <filesystem>

namespace sbx {

namespace {

// A filter stands as it was written, or whole in quotes.
std::string filterText(const CommandArguments& arguments, std::size_t at) {
    return arguments.size() > at ? unquotedWhole(arguments[at]) : std::string();
}

Result<void> spawnCommand(Session& session, CommandContext& context, const CommandArguments& arguments) {
    SpawnRequest request;
    request.type = session.target().world().findType(arguments[0]);
    if (request.type == nullptr) {
        std::vector<std::string> names;
        for (const auto& type : session.target().world().types())
            names.push_back(type->name());
        return unknownName("entity type", arguments[0], names);
    }
    // Three numbers are a place: a name that is a number needs a place behind it.
    const bool isPlace = arguments.size() == 4
                         && std::all_of(arguments.begin() + 1, arguments.end(),
                                        [](const std::string& text) { return numberIn(text).has_value(); });
    const std::size_t first = isPlace ? 1 : 2; // of the coordinates
    if (arguments.size() > 1 && !isPlace) {
        if (!definition::isInstanceName(arguments[1]))
            return Error{inQuotes(arguments[1]) + " cannot name an entity; expected "
                             + std::string(definition::InstanceNameRule),
                         {},
                         {}};
        request.name = arguments[1];
    }
    request.pose.position = Vec3(0.0F, 2.0F, 0.0F);
    for (std::size_t i = first; i < arguments.size(); ++i) {
        const std::optional<float> number = numberIn(arguments[i]);
        if (!number)
            return Error{"coordinate " + inQuotes(arguments[i]) + " is not a number", {}, {}};
        request.pose.position[static_cast<int>(i - first)] = *number;
    }
    const EntityId made = session.target().world().spawn(request);
    context.print(session.target().world().find(made) ? session.target().world().nameOf(made) : "gone as soon as it was there");
    return {};
}

Result<void> setCommand(Session& session, const CommandArguments& arguments) {
    const Entity entity = session.target().world().find(arguments[0]);
    if (!entity)
        return unknownEntity(session.target().world(), arguments[0]);
    const std::size_t dot = arguments[1].find('.');
    if (dot == std::string::npos)
        return Error{inQuotes(arguments[1]) + " names no field; expected Component.field", {}, {}};
    const std::string component = arguments[1].substr(0, dot);
    const std::string fieldName = arguments[1].substr(dot + 1);
    const Entity::ComponentRef ref = entity.component(component);
    if (ref.type == nullptr)
        return Error{entity.name() + " has no component " + component, {}, {}};
    const FieldInfo* field = ref.type->state->find(fieldName);
    if (field == nullptr)
        field = ref.type->settings->find(fieldName);
    if (field == nullptr) {
        const std::string near = nearestName(fieldName, ref.type->settings->names());
        return Error{component + " has no field " + inQuotes(fieldName)
                         + (near.empty() ? "" : "; did you mean " + near + "?"),
                     {},
                     {}};
    }
    const Result<Value> value = field->parse(arguments[2]);
    if (!value)
        return value.error();
    const bool live = &session.target() == &session.simulation() && session.mode() != Mode::Edit;
    const bool isState = field == ref.type->state->find(fieldName);
    const Value before = live && !isState ? field->read(ref.type->settingsOf(ref.component)) : Value();
    const Pose stood = entity.local();
    const EntityId id = entity.id();
    Result<void> set = session.target().world().setField(id, component, fieldName, *value);
    const Entity after = set && live ? session.target().world().find(id) : Entity();
    if (after && isState)
        session.liveEdits().notePlace(after, stood, after.local()); // a body's position and rotation are a place
    else if (after)
        session.liveEdits().note(after, component, *field, before, *value);
    return set;
}

Result<void> selectCommand(Session& session, CommandContext& context, const CommandArguments& arguments) {
    const std::string text = filterText(arguments, 0);
    std::vector<std::string> names;
    if (!text.empty()) {
        Result<std::vector<std::string>> found = entitiesMatching(session.target().world(), *session.target().catalog(), text);
        if (!found)
            return found.error();
        names = std::move(*found);
        if (names.empty())
            context.note("nothing matches " + text);
    }
    for (const std::string& name : names)
        context.print(name);
    session.select(std::move(names));
    return {};
}

Result<void> dumpCommand(Session& session, CommandContext& context, const CommandArguments& arguments) {
    std::string what = arguments.empty() ? "world" : arguments[0];
    bool json = arguments.size() > 1 && arguments[1] == "json";
    std::size_t next = arguments.size() > 1 && (json || arguments[1] == "text") ? 2 : 1;
    if (what == "json" || what == "text") { // `dump json` is of the world
        json = what == "json";
        what = "world";
        next = 1;
    }
    std::string text;
    if (what == "world") {
        text = json ? session.target().dump() : worldText(session.target().world());
    } else {
        const Entity entity = session.target().world().find(what);
        if (!entity)
            return unknownEntity(session.target().world(), what);
        text = json ? entityJson(session.target().world(), entity) : entityText(session.target().world(), entity);
    }
    if (arguments.size() > next)
        return writeTextFile(text, arguments[next], context);
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); begin < text.size(); end = text.find('\n', begin)) {
        end = std::min(end, text.size());
        context.print(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return {};
}

} // namespace

void addWorldCommands(Session& session) {
    CommandRegistry& commands = session.console().commands();
    using Arguments = const CommandArguments&;
    commands.add(
        "spawn", "Makes an entity of a type, named or not, somewhere or not: spawn Crate 0 3 0",
        {{.name = "type", .doc = "Entity type.", .type = ArgumentType::EntityType},
         {.name = "name", .doc = "Wanted name; may be left out before a place.", .optional = true},
         {.name = "x", .doc = "Metres.", .type = ArgumentType::Number, .optional = true},
         {.name = "y", .doc = "Metres.", .type = ArgumentType::Number, .optional = true},
         {.name = "z", .doc = "Metres.", .type = ArgumentType::Number, .optional = true}},
        [&session](CommandContext& context, Arguments arguments) { return spawnCommand(session, context, arguments); });
    commands.add("destroy",
                 "Removes entities from the running world; those of its input too: select old | destroy",
                 {{.name = "entity",
                   .doc = "Name.",
                   .type = ArgumentType::Entity,
                   .optional = true,
                   .variadic = true}},
                 [&session](CommandContext& context, Arguments arguments) -> Result<void> {
                     std::vector<std::string> names = arguments;
                     names.insert(names.end(), context.input().begin(), context.input().end());
                     if (names.empty() && !context.hasInput())
                         return Error{"destroy: entity is missing; expected destroy ENTITY …", {}, {}};
                     std::vector<EntityId> ids;
                     for (const std::string& name : names) {
                         const Entity entity = session.target().world().find(name);
                         if (!entity)
                             return unknownEntity(session.target().world(), name);
                         ids.push_back(entity.id());
                     }
                     for (const EntityId id : ids)
                         session.target().world().destroy(id);
                     return {};
                 });
    for (const bool enable : {true, false})
        addCommand(
            commands, enable ? "enable" : "disable",
            enable
                ? "Lets an entity, or one of its components, take part again: enable crate_3 Body"
                : "Takes an entity with its children, or one component, out of everything: disable crate_3",
            {{"entity", "Name."}, {"component", "Its name; none: the entity."}},
            [&session, enable](const EntityName& name,
                           const std::optional<std::string>& component) -> Result<void> {
                const Entity entity = session.target().world().find(name.text);
                if (!entity)
                    return unknownEntity(session.target().world(), name.text);
                if (component)
                    return session.target().world().setEnabled(entity.id(), *component, enable);
                session.target().world().setEnabled(entity.id(), enable);
                return {};
            });
    commands.add(
        "set", "Sets a field of a living entity: set crate_3 Body.mass 12",
        {{.name = "entity", .doc = "Name.", .type = ArgumentType::Entity},
         {.name = "Component.field", .doc = "What is set."},
         {.name = "value", .doc = "The new value.", .type = ArgumentType::Rest}},
        [&session](CommandContext&, Arguments arguments) { return setCommand(session, arguments); },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            return completeField(session, typing, out);
        });
    commands.add(
        "select", "Selects the entities that match a filter and prints their names; without one, none.",
        {{.name = "filter",
          .doc = "In the filter language: type == Crate and Health.current < 20",
          .type = ArgumentType::Rest,
          .optional = true}},
        [&session](CommandContext& context, Arguments arguments) { return selectCommand(session, context, arguments); },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            completeEntityFilter(session, typing, 0, out);
            return true;
        });
    commands.add(
        "dump", "Prints the state of the world or of one entity, or writes it to a file.",
        {{.name = "what",
          .doc = "world, or the name of an entity.",
          .type = ArgumentType::Entity,
          .choices = {"world"},
          .optional = true},
         {.name = "form", .doc = "text if left out.", .choices = {"text", "json"}, .optional = true},
         {.name = "file", .doc = "None: printed.", .type = ArgumentType::File, .optional = true}},
        [&session](CommandContext& context, Arguments arguments) { return dumpCommand(session, context, arguments); });
    commands.add("world.dump", "Writes the state of the world as JSON, to a file or here.",
                 {{.name = "file",
                   .doc = "Relative to the project's folder; none: printed.",
                   .type = ArgumentType::File,
                   .optional = true}},
                 [&session](CommandContext& context, Arguments arguments) -> Result<void> {
                     if (!arguments.empty())
                         return writeTextFile(session.target().dump(), arguments[0], context);
                     context.print(session.target().dump());
                     return {};
                 });
    session.console().setListing(
        "entities",
        [&session](CommandContext& context, std::string_view filter) -> Result<void> {
            const Result<std::vector<std::string>> names = entitiesMatching(session.target().world(), *session.target().catalog(), filter);
            if (!names)
                return names.error();
            std::vector<std::vector<std::string>> rows;
            for (const std::string& name : *names)
                rows.push_back({name, session.target().world().find(name).type().name()});
            for (std::string& line : inColumns(rows))
                context.print(std::move(line));
            if (names->empty())
                context.print("none");
            return {};
        },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            completeEntityFilter(session, typing, 1, out);
            return true;
        });
}

} // namespace sbx
