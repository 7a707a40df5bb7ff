// The console's questions about space: near and raycast.

#include "engine/commands/command_values.h"
#include "engine/commands/completion.h"
#include "engine/commands/console_commands.h"
#include "engine/components/surroundings.h"
#include "engine/core/nearest.h"
#include "engine/session/session.h"
#include "engine/simulation/entity_filter.h"

#include <glm/geometric.hpp>

#include <cmath>
#include <optional>

namespace sbx {

namespace {

// Takes three numbers from `at` on.
Result<Vec3> vectorIn(const CommandArguments& arguments, std::size_t& at, const char* what) {
    Vec3 vector(0.0F);
    for (int i = 0; i < 3; ++i, ++at) {
        const std::optional<float> number = at < arguments.size() ? numberIn(arguments[at]) : std::nullopt;
        if (!number)
            return Error{std::string(what) + " needs three numbers"
                             + (at < arguments.size() ? "; " + inQuotes(arguments[at]) + " is none" : ""),
                         {},
                         {}};
        vector[i] = *number;
    }
    return vector;
}

struct Place {
    Vec3 position{0.0F};
    EntityId entity; // null: a place given by numbers
};

// Takes an entity's name or three numbers.
Result<Place> placeIn(const World& world, const CommandArguments& arguments, std::size_t& at) {
    if (numberIn(arguments[at])) {
        const Result<Vec3> position = vectorIn(arguments, at, "a place");
        return position ? Result<Place>(Place{*position, {}}) : Result<Place>(position.error());
    }
    const Entity entity = world.find(std::string_view(arguments[at]));
    if (!entity) {
        std::vector<std::string> names;
        world.forEach([&](const Entity& each) { names.push_back(each.name()); });
        const std::string near = nearestName(arguments[at], names);
        return Error{"no entity is called " + inQuotes(arguments[at]) + "; expected a name or three numbers"
                         + (near.empty() ? "" : "; did you mean " + near + "?"),
                     {},
                     {}};
    }
    ++at;
    return Place{entity.pose().position, entity.id()};
}

// Two digits after the point: places are read by people.
std::string metres(float value) {
    char text[64];
    const auto written = std::snprintf(text, sizeof text, "%.2f", static_cast<double>(value));
    return std::string(text, static_cast<std::size_t>(std::max(written, 0)));
}

std::string vectorText(const Vec3& v) { return "(" + metres(v.x) + ", " + metres(v.y) + ", " + metres(v.z) + ")"; }

Result<void> nearCommand(Session& session, CommandContext& context, const CommandArguments& arguments) {
    // Words as far as the radius; what stands behind it is a filter as it was written, or whole in quotes.
    std::string_view rest = arguments[1];
    CommandArguments words{arguments[0]};
    std::size_t end = 0; // of the last word
    const auto nextWord = [&] {
        const std::size_t begin = rest.find_first_not_of(" \t", end);
        if (begin == std::string_view::npos)
            return;
        end = std::min(rest.find_first_of(" \t", begin), rest.size());
        words.push_back(unquotedWhole(rest.substr(begin, end - begin)));
    };
    for (std::size_t i = numberIn(arguments[0]) ? 3 : 1; i > 0; --i)
        nextWord();
    std::size_t at = 0;
    const Result<Place> place = placeIn(session.target().world(), words, at);
    if (!place)
        return place.error();
    const std::optional<float> radius = at < words.size() ? numberIn(words[at]) : std::nullopt;
    if (!radius || *radius <= 0.0F)
        return Error{"near: expected a radius above 0, in metres, after the place", {}, {}};
    const EntityFilterSchema& schema = *session.target().catalog()->entityFields;
    const std::size_t filterAt = std::min(rest.find_first_not_of(" \t", end), rest.size());
    rest.remove_prefix(filterAt);
    const std::string text = unquotedWhole(rest);
    const Result<Filter> filter = Filter::compile(text, schema.schema());
    if (!filter) { // its position is that in the whole argument
        Error error = filter.error();
        const auto before =
            static_cast<int>(filterAt + (text.size() < rest.size() && rest.front() == '"' ? 1U : 0U));
        error.region.column += before;
        error.region.endColumn += before;
        return error;
    }
    session.target().surroundings().refresh(); // edits move things between ticks
    EntityFilterRow row(schema, session.target().world());
    bool any = false;
    for (const Surroundings::Found& found : session.target().surroundings().near(place->position, *radius)) {
        const Entity entity = session.target().world().find(found.entity);
        if (!entity || entity.dying() || found.entity == place->entity)
            continue;
        row.set(entity);
        if (!filter->matches(row))
            continue;
        any = true;
        context.print(entity.name() + "  " + entity.type().name() + "  " + metres(found.distance) + " m");
    }
    if (!any)
        context.print("nothing within " + metres(*radius) + " m");
    return {};
}

} // namespace

void addSpatialCommands(Session& session) {
    CommandRegistry& commands = session.console().commands();
    commands.add(
        "near",
        "Lists entities within a radius, nearest first: near crate_1 5 type == \"Ball\"; near 0 1 0 5",
        {{.name = "entity", .doc = "Name, or x y z in metres.", .type = ArgumentType::Entity},
         {.name = "radius",
          .doc = "Metres, and then a filter if not all are wanted.",
          .type = ArgumentType::Rest}},
        [&session](CommandContext& context, const CommandArguments& arguments) {
            return nearCommand(session, context, arguments);
        },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            if (typing.words.empty())
                return false;
            const std::size_t filterAt = numberIn(typing.words[0]) ? 4 : 2;
            if (typing.words.size() >= filterAt)
                completeEntityFilter(session, typing, filterAt, out);
            return true;
        });
    commands.add("raycast", "Says what a ray hits first: raycast player 0 0 -1; raycast 0 10 0 0 -1 0 50",
                 {{.name = "entity", .doc = "Where it starts: name (not hit itself), or x y z in metres.",
                   .type = ArgumentType::Entity},
                  {.name = "direction", .doc = "x y z, and then how far in metres; 100 if not given.", .variadic = true}},
                 [&session](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                     std::size_t at = 0;
                     const Result<Place> place = placeIn(session.target().world(), arguments, at);
                     if (!place)
                         return place.error();
                     const Result<Vec3> direction = vectorIn(arguments, at, "a direction");
                     if (!direction)
                         return direction.error();
                     const float length = glm::length(*direction);
                     if (!(length > 1e-6F) || !std::isfinite(length))
                         return Error{"a direction of no length; expected three numbers that are not all 0", {}, {}};
                     float far = 100.0F;
                     if (at < arguments.size()) {
                         const std::optional<float> given = numberIn(arguments[at]);
                         if (!given || *given <= 0.0F || at + 1 < arguments.size())
                             return Error{"after the direction only how far, in metres above 0", {}, {}};
                         far = *given;
                     }
                     const Vec3 to = place->position + *direction / length * far;
                     const auto hit = session.target().physics().physics().raycast(place->position, to, physics::query::Solid,
                                                                   session.target().physics().bodyOf(place->entity));
                     if (!hit) {
                         context.print("hits nothing within " + metres(far) + " m");
                         return {};
                     }
                     context.print("hits " + session.target().world().nameOf(EntityId::fromBits(hit->user)) + " at " + vectorText(hit->point) + ", "
                                   + metres(hit->fraction * far) + " m; normal " + vectorText(hit->normal));
                     return {};
                 });
}

} // namespace sbx
