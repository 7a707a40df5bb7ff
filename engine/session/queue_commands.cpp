#include "engine/session/queue_commands.h"

#include "engine/core/columns.h"
#include "engine/core/filter_completion.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace sbx {

namespace {

constexpr std::size_t MostShown = 200;

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

// One pending message as a row of the filter language.
struct Row : FilterRow {
    const DelayedMessage* message = nullptr;
    std::string sender;
    std::string receiver;
    [[nodiscard]] FilterValue value(FilterFieldId field, std::size_t) const override {
        const auto whole = [](std::uint64_t n) { return FilterValue::of(static_cast<std::int64_t>(n)); };
        switch (field) {
        case TypeField:
            return FilterValue::of(std::string_view(messageType(message->envelope.type).name));
        case SenderField:
            return FilterValue::of(std::string_view(sender));
        case ReceiverField:
            return FilterValue::of(std::string_view(receiver));
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

// The numbers by which people call what waits: given when a message is first listed, and never to another one. A handle that
// names another message by now, in a world begun anew, is told by what it names.
class Numbers {
public:
    struct Pending {
        int number = 0;
        std::string told;       // "Damage to crate_3"
        DelayedMessage message; // without payload
    };

    // In the order in which they will come. Simulation thread.
    void follow(const World& world) {
        const std::vector<DelayedMessage> now = world.queue().list();
        std::vector<Pending> fresh;
        fresh.reserve(now.size());
        std::unordered_map<std::uint64_t, std::size_t> place;
        for (std::size_t i = 0; i < m_pending.size(); ++i)
            place.emplace(m_pending[i].message.handle.bits, i);
        for (const DelayedMessage& message : now) {
            Pending& each = fresh.emplace_back();
            each.message = message;
            each.message.payload = nullptr;
            const auto known = place.find(message.handle.bits);
            const bool same = known != place.end() && isSame(m_pending[known->second].message, message);
            each.number = same ? m_pending[known->second].number : ++m_last;
            const std::string receiver = world.nameOf(message.envelope.receiver);
            each.told = messageType(message.envelope.type).name + (receiver.empty() ? "" : " to " + receiver);
        }
        const std::lock_guard lock(m_mutex);
        m_pending = std::move(fresh);
    }
    [[nodiscard]] const std::vector<Pending>& pending() const { return m_pending; }
    // Any thread: as they were last listed.
    void offer(std::vector<CompletionCandidate>& out) const {
        const std::lock_guard lock(m_mutex);
        for (std::size_t i = 0; i < m_pending.size() && i < MostShown; ++i)
            out.push_back(
                {std::to_string(m_pending[i].number), {}, m_pending[i].told, CompletionKind::Choice});
    }

private:
    static bool isSame(const DelayedMessage& a, const DelayedMessage& b) {
        return a.due == b.due && a.priority == b.priority && a.envelope.type == b.envelope.type
               && a.envelope.receiver == b.envelope.receiver && a.envelope.sender == b.envelope.sender
               && a.envelope.queuedAt == b.envelope.queuedAt;
    }
    mutable std::mutex m_mutex; // held by the simulation thread to write, by others to read
    std::vector<Pending> m_pending;
    int m_last = 0;
};

Result<void> list(Numbers& numbers, const World& world, CommandContext& context, std::string_view text) {
    const Result<Filter> filter = Filter::compile(text, makeSchema(world.desc().tickRate));
    if (!filter)
        return filter.error();
    numbers.follow(world);
    const std::vector<DelayedMessage> messages = world.queue().list(); // the same, with payloads
    std::vector<std::vector<std::string>> rows;
    std::size_t more = 0;
    Row row;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const DelayedMessage& message = messages[i];
        row.message = &message;
        row.sender = world.nameOf(message.envelope.sender);
        row.receiver = world.nameOf(message.envelope.receiver);
        if (!filter->matches(row))
            continue;
        if (rows.size() == MostShown) {
            ++more;
            continue;
        }
        const MessageType& type = messageType(message.envelope.type);
        const Delivery route = message.envelope.delivery;
        std::string to = route == Delivery::Broadcast  ? "to all"
                         : route == Delivery::Listener ? "to listeners"
                         : row.receiver.empty()        ? "to one that is gone"
                                                       : "to " + row.receiver;
        if (route == Delivery::Children || route == Delivery::Ancestors || route == Delivery::Component)
            to += " (" + std::string(deliveryName(route)) + ")";
        std::string how = row.sender.empty() ? "" : "from " + row.sender;
        if (message.priority != 0)
            how += (how.empty() ? "" : ", ") + ("priority " + std::to_string(message.priority));
        if (message.minimum != 0)
            how += (how.empty() ? "" : ", ") + ("minimum " + std::to_string(message.minimum));
        rows.push_back({std::to_string(numbers.pending()[i].number), "tick " + std::to_string(message.due),
                        type.name, std::move(to), type.fields->formatJson(message.payload), std::move(how)});
    }
    for (std::string& line : inColumns(rows))
        context.print(std::move(line));
    if (rows.empty())
        context.print("none");
    if (more != 0)
        context.print("and " + std::to_string(more) + " more; a filter shows others");
    return {};
}

Result<void> cancel(Numbers& numbers, World& world, CommandContext& context,
                    const CommandArguments& arguments) {
    numbers.follow(world); // with numbers of their own for those that came since they were listed
    for (const std::string& argument : arguments) {
        if (argument == "all") {
            std::size_t count = 0;
            for (const Numbers::Pending& each : numbers.pending())
                count += world.cancel(each.message.handle) ? 1U : 0U;
            context.print("cancelled " + std::to_string(count));
            continue;
        }
        int number = 0;
        const char* const end = argument.data() + argument.size();
        const bool isNumber = std::from_chars(argument.data(), end, number).ptr == end;
        bool found = false;
        for (const Numbers::Pending& each : numbers.pending())
            if (isNumber && each.number == number && world.cancel(each.message.handle)) {
                context.print("cancelled " + argument + ": " + each.told);
                found = true;
            }
        if (!found)
            return Error{"nothing waits by the number " + argument + "; list queue shows what does", {}, {}};
    }
    return {};
}

} // namespace

void registerQueueCommands(Console& console, std::function<World&()> world, NameSource names) {
    const auto numbers = std::make_shared<Numbers>();
    console.setListing(
        "queue",
        [numbers, world](CommandContext& context, std::string_view filter) {
            return list(*numbers, world(), context, filter);
        },
        [names](CommandTyping& typing, std::vector<CompletionCandidate>& out) {
            const std::size_t from = std::min(typing.rest.find_first_of(" \t"), typing.rest.size());
            const std::string_view text = typing.rest.substr(from);
            const FilterCompletion found = completeFilter(
                text, text.size(), makeSchema(60.0), [&](const FilterField& field, std::string_view) {
                    std::vector<std::string> values;
                    if (field.name == "type")
                        for (const MessageType* type : messageTypes())
                            values.push_back(type->name);
                    else if (field.name == "sender" || field.name == "receiver")
                        values = names(TextRole::EntityName);
                    return values;
                });
            typing.replaceFrom = from + found.replaceFrom;
            for (const FilterCompletionItem& item : found.items)
                out.push_back({item.insert,
                               {},
                               item.doc,
                               item.kind == FilterCompletionItem::Kind::Field ? CompletionKind::Field
                                                                              : CompletionKind::Choice});
            return true;
        });
    console.commands().add(
        "cancel", "Takes back a message or event that waits: cancel 3; cancel all",
        {{.name = "number", .doc = "As list queue shows it; or all.", .choices = {"all"}, .variadic = true}},
        [numbers, world](CommandContext& context, const CommandArguments& arguments) {
            return cancel(*numbers, world(), context, arguments);
        },
        [numbers](CommandTyping&, std::vector<CompletionCandidate>& out) {
            out.push_back({"all", {}, "Whatever waits.", CompletionKind::Choice});
            numbers->offer(out);
            return true;
        });
}

} // namespace sbx
