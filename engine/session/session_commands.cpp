// What the console can do to a session: the clock, entities, messages, expectations, dumps.

#include "engine/core/expression.h"
#include "engine/core/nearest.h"
#include "engine/session/entity_filter.h"
#include "engine/session/session.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace sbx {

namespace {
Result<float> numberOf(const std::string& text, const std::string& what) {
    float value = 0.0F;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return Error{what + " " + sbx::quoted(text) + " is not a number", {}, {}};
    return value;
}

Error unknownEntity(const World& world, const std::string& name) {
    std::vector<std::string> names;
    world.forEach([&](const Entity& entity) { names.push_back(entity.name()); });
    const std::string near = nearestName(name, names);
    return {"no entity is called " + sbx::quoted(name) + (near.empty() ? "" : "; did you mean " + near + "?"),
            {},
            {}};
}
} // namespace

void Session::registerCommands() {
    CommandRegistry& commands = m_console.commands();
    commands.add("sim.play", "Starts the simulation, or goes on after a pause.", {},
                 [this](CommandContext&, const CommandArguments&) -> Result<void> {
                     play();
                     return {};
                 });
    commands.add("sim.pause", "Pauses the simulation.", {},
                 [this](CommandContext&, const CommandArguments&) -> Result<void> {
                     pause();
                     return {};
                 });
    commands.add("sim.stop", "Stops and restores the scene as edited.", {},
                 [this](CommandContext&, const CommandArguments&) -> Result<void> {
                     stop();
                     return {};
                 });
    commands.add("sim.step", "Advances by ticks and pauses.",
                 {{.name = "ticks",
                   .doc = "How many; 1 by default.",
                   .type = ArgumentType::Integer,
                   .optional = true,
                   .minimum = 1,
                   .maximum = 100000}},
                 [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                     // A tick inside a tick's own console lines would be a tick too many.
                     const int count = arguments.empty() ? 1 : std::atoi(arguments[0].c_str());
                     post([count](Session& session) {
                         for (int i = 0; i < count; ++i) {
                             session.step();
                             session.publish();
                         }
                     });
                     return {};
                 });
    commands.add("wait", "Lets ticks pass before the rest of a script or line.",
                 {{.name = "ticks",
                   .doc = "How many; 1 by default.",
                   .type = ArgumentType::Integer,
                   .optional = true,
                   .minimum = 1,
                   .maximum = 10'000'000}},
                 [](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     context.deferTicks(arguments.empty()
                                            ? 1
                                            : static_cast<std::uint64_t>(std::atoll(arguments[0].c_str())));
                     return {};
                 });
    commands.add("sim.digest", "Prints the digest of the world's state.", {},
                 [this](CommandContext& context, const CommandArguments&) -> Result<void> {
                     context.print(digestLine());
                     return {};
                 });
    commands.add("expect", "Prints PASS or FAIL for a condition: expect crate_3.Health.current == 35",
                 {{.name = "condition",
                   .doc = "In the filter language; count(FILTER) counts entities.",
                   .type = ArgumentType::Rest}},
                 [this](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     const Result<Expression> expression = Expression::compile(arguments.at(0));
                     std::string seen;
                     Result<bool> holds = expression ? Result<bool>(false) : Result<bool>(expression.error());
                     if (expression) {
                         ExpressionContext names;
                         names.path = [this](std::string_view path) { return valueAt(path); };
                         names.count = [this](std::string_view filter) { return countEntities(filter); };
                         holds = expression->evaluate(names, &seen);
                     }
                     if (holds && *holds) {
                         context.print("PASS " + arguments[0]);
                         return {};
                     }
                     ++m_failedExpectations;
                     const std::string why = holds ? seen : holds.error().message;
                     return Error{"FAIL " + arguments[0] + (why.empty() ? "" : ": " + why), {}, {}};
                 });
}

void Session::registerWorldCommands() {
    CommandRegistry& commands = m_console.commands();
    commands.add("spawn", "Makes an entity of a type: spawn Crate [name] [x y z]",
                 {{.name = "type", .doc = "Entity type.", .type = ArgumentType::EntityType},
                  {.name = "name", .doc = "Wanted name.", .optional = true},
                  {.name = "x", .doc = "Metres.", .type = ArgumentType::Number, .optional = true},
                  {.name = "y", .doc = "Metres.", .type = ArgumentType::Number, .optional = true},
                  {.name = "z", .doc = "Metres.", .type = ArgumentType::Number, .optional = true}},
                 [this](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     SpawnRequest request;
                     request.type = m_world->findType(arguments[0]);
                     if (request.type == nullptr) {
                         std::vector<std::string> names;
                         for (const auto& type : m_world->types())
                             names.push_back(type->name());
                         const std::string near = nearestName(arguments[0], names);
                         return Error{"no entity type is called " + sbx::quoted(arguments[0])
                                          + (near.empty() ? "" : "; did you mean " + near + "?"),
                                      {},
                                      {}};
                     }
                     if (arguments.size() > 1)
                         request.name = arguments[1];
                     request.pose.position = Vec3(0.0F, 2.0F, 0.0F);
                     for (std::size_t i = 2; i < arguments.size(); ++i) {
                         const Result<float> number = numberOf(arguments[i], "coordinate");
                         if (!number)
                             return number.error();
                         request.pose.position[static_cast<int>(i) - 2] = *number;
                     }
                     context.print(m_world->nameOf(m_world->spawn(request)));
                     return {};
                 });
    commands.add("destroy", "Removes entities from the running world.",
                 {{.name = "entity", .doc = "Name.", .type = ArgumentType::Entity, .variadic = true}},
                 [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                     for (const std::string& name : arguments) {
                         const Entity entity = m_world->find(name);
                         if (!entity)
                             return unknownEntity(*m_world, name);
                         m_world->destroy(entity.id());
                     }
                     return {};
                 });
    for (const bool enable : {true, false})
        commands.add(enable ? "enable" : "disable",
                     enable ? "Lets an entity, or one of its components, take part again: enable crate_3 Body"
                            : "Takes an entity with its children, or one component, out of everything: disable crate_3",
                     {{.name = "entity", .doc = "Name.", .type = ArgumentType::Entity},
                      {.name = "component", .doc = "Its name; none: the entity.", .optional = true}},
                     [this, enable](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                         const Entity entity = m_world->find(arguments[0]);
                         if (!entity)
                             return unknownEntity(*m_world, arguments[0]);
                         if (arguments.size() > 1)
                             return m_world->setEnabled(entity.id(), arguments[1], enable);
                         m_world->setEnabled(entity.id(), enable);
                         return {};
                     });
    commands.add("send", "Sends a message: send Damage crate_3 amount=5",
                 {{.name = "type", .doc = "Message type.", .type = ArgumentType::MessageType},
                  {.name = "to", .doc = "Entity, or * for all.", .type = ArgumentType::Entity},
                  {.name = "field=value",
                   .doc = "Fields; the others keep their defaults.",
                   .optional = true,
                   .variadic = true}},
                 [this](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     const MessageType* type = findMessageType(arguments[0]);
                     if (type == nullptr) {
                         const std::string near =
                             nearestName(arguments[0], providedNames(TextRole::MessageType));
                         return Error{"no message type is called " + sbx::quoted(arguments[0])
                                          + (near.empty() ? "" : "; did you mean " + near + "?"),
                                      {},
                                      {}};
                     }
                     const bool all = arguments[1] == "*";
                     const Entity receiver = all ? Entity() : m_world->find(arguments[1]);
                     if (!all && !receiver)
                         return unknownEntity(*m_world, arguments[1]);
                     alignas(16) std::byte payload[MaxMessageSize];
                     type->construct(payload);
                     for (std::size_t i = 2; i < arguments.size(); ++i) {
                         const std::size_t equals = arguments[i].find('=');
                         const std::string name = arguments[i].substr(0, equals);
                         const FieldInfo* field =
                             equals == std::string::npos ? nullptr : type->fields->find(name);
                         if (field == nullptr) {
                             std::string known;
                             for (const std::string& f : type->fields->names())
                                 known += (known.empty() ? "" : ", ") + f;
                             return Error{sbx::quoted(arguments[i]) + " sets no field of " + type->name
                                              + "; expected field=value with "
                                              + (known.empty() ? "no fields at all" : "a field of " + known),
                                          {},
                                          {}};
                         }
                         std::string text = arguments[i].substr(equals + 1);
                         if (field->type == FieldType::Entity)
                             if (const Entity named = m_world->find(text))
                                 text = std::to_string(named.id().bits);
                         const Result<Value> value = field->parse(text);
                         if (!value)
                             return value.error();
                         field->write(payload, *value);
                     }
                     const SendResult result =
                         m_world->sendRaw(all ? EntityId{} : receiver.id(), type->id, payload, type->size, {},
                                          all ? Delivery::Broadcast : Delivery::Immediate);
                     context.print(type->name + ": " + std::to_string(result.receivers)
                                   + (result.receivers == 1 ? " receiver" : " receivers")
                                   + (result.consumed ? ", consumed" : ""));
                     return {};
                 });
    commands.add(
        "set", "Sets a field of a living entity: set crate_3 Body.mass 12",
        {{.name = "entity", .doc = "Name.", .type = ArgumentType::Entity},
         {.name = "Component.field", .doc = "What is set."},
         {.name = "value", .doc = "The new value.", .type = ArgumentType::Rest}},
        [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
            const Entity entity = m_world->find(arguments[0]);
            if (!entity)
                return unknownEntity(*m_world, arguments[0]);
            const std::size_t dot = arguments[1].find('.');
            if (dot == std::string::npos)
                return Error{sbx::quoted(arguments[1]) + " names no field; expected Component.field", {}, {}};
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
                return Error{component + " has no field " + sbx::quoted(fieldName)
                                 + (near.empty() ? "" : "; did you mean " + near + "?"),
                             {},
                             {}};
            }
            const Result<Value> value = field->parse(arguments[2]);
            if (!value)
                return value.error();
            return m_world->setField(entity.id(), component, fieldName, *value);
        });
    commands.add(
        "world.dump", "Writes the state of the world as JSON, to a file or here.",
        {{.name = "file", .doc = "Path; none: printed.", .type = ArgumentType::File, .optional = true}},
        [this](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
            const std::string json = dumpWorld();
            if (arguments.empty()) {
                context.print(json);
                return {};
            }
            std::ofstream out(arguments[0], std::ios::binary);
            out << json << "\n";
            if (!out.flush())
                return Error{"cannot write " + arguments[0], {}, {}};
            return {};
        });
    m_console.setListing("entities", [this](CommandContext& context, std::string_view filter) {
        m_world->forEach([&](const Entity& entity) {
            if (filter.empty() || entity.name().find(filter) != std::string::npos
                || entity.type().name().find(filter) != std::string::npos)
                context.print(entity.name() + "  " + entity.type().name());
        });
    });
}

Result<Value> Session::valueAt(std::string_view path) const {
    if (const std::optional<CVarInfo> cvar = m_console.cvars().describe(path))
        return cvar->value;
    if (path == "tick")
        return Value(static_cast<std::int64_t>(m_world->tickCount()));
    const std::size_t first = path.find('.');
    const std::string name(path.substr(0, first));
    const Entity entity = m_world->find(name);
    if (!entity)
        return unknownEntity(*m_world, name);
    if (first == std::string_view::npos)
        return Value(true); // it lives
    const std::string_view rest = path.substr(first + 1);
    const auto element = [&](const Vec3& v, std::string_view axis) -> Result<Value> {
        if (axis == "x" || axis == "y" || axis == "z")
            return Value(static_cast<double>(v[axis[0] - 'x']));
        return Error{sbx::quoted(axis) + " is no axis; expected x, y or z", {}, {}};
    };
    if (rest.starts_with("position."))
        return element(entity.pose().position, rest.substr(9));
    const std::size_t second = rest.find('.');
    const std::string component(rest.substr(0, second));
    const Entity::ComponentRef ref = entity.component(component);
    if (ref.type == nullptr) {
        std::vector<std::string> names;
        for (const Entity::ComponentRef& c : entity.components())
            names.push_back(c.type->name);
        const std::string near = nearestName(component, names);
        return Error{name + " has no component " + sbx::quoted(component)
                         + (near.empty() ? "" : "; did you mean " + near + "?"),
                     {},
                     {}};
    }
    if (second == std::string_view::npos)
        return Value(true);
    std::string_view fieldName = rest.substr(second + 1);
    std::string_view axis;
    if (const std::size_t third = fieldName.find('.'); third != std::string_view::npos) {
        axis = fieldName.substr(third + 1);
        fieldName = fieldName.substr(0, third);
    }
    const void* object = nullptr;
    const FieldInfo* field = ref.type->state->find(fieldName);
    if (field != nullptr) {
        object = ref.type->stateOf(ref.component);
    } else {
        field = ref.type->settings->find(fieldName);
        object = ref.type->settingsOf(ref.component);
    }
    if (field == nullptr) {
        std::vector<std::string> names = ref.type->state->names();
        for (const std::string& setting : ref.type->settings->names())
            names.push_back(setting);
        const std::string near = nearestName(fieldName, names);
        return Error{component + " has no field " + sbx::quoted(fieldName)
                         + (near.empty() ? "" : "; did you mean " + near + "?"),
                     {},
                     {}};
    }
    Value value = field->read(object);
    if (!axis.empty()) {
        if (const auto* v = std::get_if<Vec3>(&value))
            return element(*v, axis);
        return Error{sbx::quoted(fieldName) + " has no elements", {}, {}};
    }
    return value;
}

Result<std::int64_t> Session::countEntities(std::string_view text) {
    const Result<Filter> filter = Filter::compile(text, entityFilterSchema());
    if (!filter)
        return filter.error();
    const std::shared_ptr<const EntityList> list = entityList();
    return static_cast<std::int64_t>(
        std::count_if(list->rows.begin(), list->rows.end(),
                      [&](const EntityRow& row) { return filter->matches(EntityFilterRow(row)); }));
}

std::string Session::dumpWorld() const {
    const auto vec = [](const auto& v, int count) {
        std::string out = "[";
        for (int i = 0; i < count; ++i)
            out += (i == 0 ? "" : ",") + formatFloat(v[i]);
        return out + "]";
    };
    std::string out = "{\"tick\":" + std::to_string(m_world->tickCount()) + ",\"entities\":[";
    bool first = true;
    m_world->forEach([&](const Entity& entity) {
        out += first ? "" : ",";
        first = false;
        const Quat& q = entity.pose().rotation;
        out += "{\"world\":" + sbx::quoted(m_world->desc().name) + ",\"id\":\""
               + std::to_string(entity.id().bits) + "\",\"name\":" + sbx::quoted(entity.name()) + ",\"type\":"
               + sbx::quoted(entity.type().name()) + ",\"position\":" + vec(entity.pose().position, 3)
               + ",\"rotation\":" + vec(Vec4(q.x, q.y, q.z, q.w), 4) + ",\"components\":{";
        std::unordered_map<const ComponentType*, int> seen;
        bool firstComponent = true;
        for (const Entity::ComponentRef& ref : entity.components()) {
            const int number = ++seen[ref.type];
            out += firstComponent ? "" : ",";
            firstComponent = false;
            out += sbx::quoted(number == 1 ? ref.type->name : ref.type->name + "#" + std::to_string(number))
                   + ":";
            std::string fields = ref.type->settings->formatJson(ref.type->settingsOf(ref.component));
            if (ref.type->stateOf != nullptr && !ref.type->state->empty()) {
                const std::string state = ref.type->state->formatJson(ref.type->stateOf(ref.component));
                fields.pop_back();
                fields += (fields.size() > 1 ? "," : "") + state.substr(1);
            }
            out += fields;
        }
        out += "}}";
    });
    return out + "]}";
}

} // namespace sbx
