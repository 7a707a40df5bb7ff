// The console's side of what waits to be dispatched, messages and events alike: `list queue` shows it, `cancel` takes it back.

#include "engine/commands/completion.h"
#include "engine/commands/console_commands.h"
#include "engine/core/columns.h"
#include "engine/session/session.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace sbx {

namespace {

constexpr std::size_t MaxShown = 200;

enum : FilterFieldId {
    TypeField,
    SenderField,
    ReceiverField,
    DeliveryField,
    DueField,
    QueuedAtField,
    PriorityField,
    MinimumField
};

std::string_view routeOf(const DelayedMessage& message) {
    const Delivery route = message.envelope.delivery;
    return deliveryName(route == Delivery::Immediate ? Delivery::Queued : route);
}

FilterSchema makeSchema(double ticksPerSecond) {
    FilterSchema schema;
    schema.setTicksPerSecond(ticksPerSecond);
    std::vector<std::string> routes;
    for (const Delivery route : {Delivery::Queued, Delivery::Component, Delivery::Children,
                                 Delivery::Ancestors, Delivery::Broadcast, Delivery::Listener})
        routes.emplace_back(deliveryName(route));
    schema.add({.name = "type", .doc = "Message type or event.", .searched = true});
    schema.add({.name = "sender",
                .doc = "Entity that sent it; empty: the engine or the console.",
                .aliases = {"from"},
                .searched = true});
    schema.add({.name = "receiver", .doc = "Entity that is to get it.", .aliases = {"to"}, .searched = true});
    schema.add({.name = "delivery", .doc = "Route it will take.", .choices = std::move(routes)});
    schema.add({.name = "due",
                .type = FilterType::Number,
                .doc = "Tick in which it is dispatched.",
                .unit = "tick",
                .aliases = {"tick"}});
    schema.add({.name = "queuedAt",
                .type = FilterType::Number,
                .doc = "Tick in which it was sent.",
                .unit = "tick"});
    schema.add({.name = "priority",
                .type = FilterType::Number,
                .doc = "Among what is due in the same tick: lower first."});
    schema.add({.name = "minimum", .type = FilterType::Number, .doc = "Receivers that the sender demands."});
    return schema;
}

// One pending message as a row of the filter language. Names are looked up when they are asked for.
struct Row : FilterRow {
    explicit Row(const World& of) : world(of) {}
    const World& world;
    const DelayedMessage* message = nullptr;
    mutable std::string senderName; // what value() gave out last
    mutable std::string receiverName;
    [[nodiscard]] std::string sender() const { return world.nameOf(message->envelope.sender); }
    [[nodiscard]] std::string receiver() const { return world.nameOf(message->envelope.receiver); }
    [[nodiscard]] FilterValue value(FilterFieldId field, std::size_t) const override {
        const auto whole = [](std::uint64_t n) { return FilterValue::of(static_cast<std::int64_t>(n)); };
        switch (field) {
        case TypeField:
            return FilterValue::of(std::string_view(messageType(message->envelope.type).name));
        case SenderField:
            return FilterValue::of(std::string_view(senderName = sender()));
        case ReceiverField:
            return FilterValue::of(std::string_view(receiverName = receiver()));
        case DeliveryField:
            return FilterValue::of(routeOf(*message));
        case DueField:
            return whole(message->due);
        case QueuedAtField:
            return whole(message->envelope.queuedAt);
        case PriorityField:
            return FilterValue::of(static_cast<std::int64_t>(message->priority));
        default:
            return whole(message->minimum);
        }
    }
};

// The numbers by which people call what waits: given when a message is first shown, and never to another one. Handles are those of
// one world: of another's nothing is known.
class Numbers {
public:
    // Forgets what waits no more. Before the others; simulation thread, as they.
    void follow(const World& world, std::uint64_t run) {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_known,
                      [&](const Known& each) { return run != m_run || !world.queue().pending(each.handle); });
        m_run = run;
        m_places.clear();
        for (std::size_t i = 0; i < m_known.size(); ++i)
            m_places.emplace(m_known[i].handle.bits, i);
    }
    // `text`: the message as text, "Damage to crate_3".
    int show(DelayedHandle handle, std::string text) {
        const std::lock_guard lock(m_mutex);
        const auto [place, isNew] = m_places.emplace(handle.bits, m_known.size());
        if (isNew)
            m_known.push_back({handle, ++m_last, {}});
        Known& known = m_known[place->second];
        known.text = std::move(text);
        return known.number;
    }
    struct Known {
        DelayedHandle handle;
        int number = 0;
        std::string text;
    };
    // Null: nothing of that number is waiting.
    [[nodiscard]] const Known* find(int number) const {
        const auto at = std::lower_bound(m_known.begin(), m_known.end(), number,
                                         [](const Known& each, int wanted) { return each.number < wanted; });
        return at != m_known.end() && at->number == number ? &*at : nullptr;
    }
    // Any thread: as they were last known.
    void offer(std::vector<CompletionCandidate>& out) const {
        const std::lock_guard lock(m_mutex);
        for (std::size_t i = 0; i < m_known.size() && i < MaxShown; ++i)
            out.push_back({std::to_string(m_known[i].number), {}, m_known[i].text, CompletionKind::Choice});
    }

private:
    mutable std::mutex m_mutex; // held by the simulation thread to write, by others to read
    std::vector<Known> m_known; // by number
    std::unordered_map<std::uint64_t, std::size_t> m_places; // in it, by handle; simulation thread only
    std::uint64_t m_run = 0;
    int m_last = 0;
};

Result<void> list(Numbers& numbers, const World& world, CommandContext& context, std::string_view text) {
    const Result<Filter> filter = Filter::compile(text, makeSchema(world.desc().tickRate));
    if (!filter)
        return filter.error();
    std::vector<std::vector<std::string>> rows;
    std::size_t more = 0;
    Row row(world);
    for (const DelayedMessage& message : world.queue().list()) {
        row.message = &message;
        if (!filter->matches(row))
            continue;
        if (rows.size() == MaxShown) {
            ++more;
            continue;
        }
        const MessageType& type = messageType(message.envelope.type);
        const Delivery route = message.envelope.delivery;
        const std::string sender = row.sender();
        const std::string receiver = row.receiver();
        std::string to = route == Delivery::Broadcast  ? "to all"
                         : route == Delivery::Listener ? "to listeners"
                         : receiver.empty()            ? "to one that is gone"
                                                       : "to " + receiver;
        if (route == Delivery::Children || route == Delivery::Ancestors || route == Delivery::Component)
            to += " (" + std::string(deliveryName(route)) + ")";
        std::string how = sender.empty() ? "" : "from " + sender;
        if (message.priority != 0)
            how += (how.empty() ? "" : ", ") + ("priority " + std::to_string(message.priority));
        if (message.minimum != 0)
            how += (how.empty() ? "" : ", ") + ("minimum " + std::to_string(message.minimum));
        const int number =
            numbers.show(message.handle, type.name + (receiver.empty() ? "" : " to " + receiver));
        rows.push_back({std::to_string(number), "tick " + std::to_string(message.due), type.name,
                        std::move(to), type.fields->formatJson(message.payload), std::move(how)});
    }
    for (std::string& line : inColumns(rows))
        context.print(std::move(line));
    if (rows.empty())
        context.print("none");
    if (more != 0)
        context.print("and " + std::to_string(more) + " more; a filter shows others");
    return {};
}

Result<void> cancel(const Numbers& numbers, World& world, CommandContext& context,
                    const CommandArguments& arguments) {
    for (const std::string& argument : arguments) {
        if (argument == "all") {
            std::size_t count = 0;
            for (const DelayedMessage& message : world.queue().list())
                count += world.cancel(message.handle) ? 1U : 0U;
            context.print("cancelled " + std::to_string(count));
            continue;
        }
        int number = 0;
        const char* const end = argument.data() + argument.size();
        const bool isNumber = std::from_chars(argument.data(), end, number).ptr == end;
        const Numbers::Known* const known = isNumber ? numbers.find(number) : nullptr;
        if (known == nullptr || !world.cancel(known->handle))
            return Error{"nothing waits by the number " + argument + "; list queue shows what does", {}, {}};
        context.print("cancelled " + argument + ": " + known->text);
    }
    return {};
}

} // namespace

void addQueueCommands(Session& session) {
    Console& console = session.console();
    const auto numbers = std::make_shared<Numbers>();
    console.setListing(
        "queue",
        [&session, numbers](CommandContext& context, std::string_view filter) {
            numbers->follow(session.target().world(), session.lines().targetRun());
            return list(*numbers, session.target().world(), context, filter);
        },
        [&session](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            const std::size_t from = std::min(typing.rest.find_first_of(" \t"), typing.rest.size());
            const std::string_view text = typing.rest.substr(from);
            const FilterCompletion found = completeFilter(
                text, text.size(), makeSchema(60.0), [&](const FilterField& field, std::string_view) {
                    std::vector<std::string> values;
                    if (field.name == "type")
                        for (const MessageType* type : messageTypes())
                            values.push_back(type->name);
                    else if (field.name == "sender" || field.name == "receiver")
                        values = session.providedNames(TextRole::EntityName);
                    return values;
                });
            offerFilter(found, from, typing, out);
            return true;
        });
    console.commands().add(
        "cancel", "Takes back a message or event that waits: cancel 3; cancel all",
        {{.name = "number", .doc = "As list queue shows it; or all.", .choices = {"all"}, .variadic = true}},
        [&session, numbers](CommandContext& context, const CommandArguments& arguments) {
            numbers->follow(session.target().world(), session.lines().targetRun());
            return cancel(*numbers, session.target().world(), context, arguments);
        },
        [numbers](CommandTyping&, std::vector<CompletionCandidate>& out) {
            out.push_back({"all", {}, "Whatever waits.", CompletionKind::Choice});
            numbers->offer(out);
            return true;
        });
}

} // namespace sbx
