#include "engine/session/handler_stops.h"

#include "engine/core/component_name.h"
#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace sbx {

namespace {

constexpr std::chrono::milliseconds PulseEvery{50};

// The component whose handler is `at`, with its number among those of its type.
struct Part {
    const ComponentType* type = nullptr;
    void* component = nullptr;
    std::string name;
};
Part partAt(const HandlerMoment& moment, std::size_t at) {
    Part out;
    ComponentNumbering numbering;
    const auto* const block = static_cast<const std::byte*>(moment.component) - moment.handlers[moment.at].offset;
    const void* const wanted = block + moment.handlers[at].offset;
    moment.world.find(moment.envelope.receiver).eachComponent([&](const Entity::ComponentRef& ref) {
        std::string name = numbering.nextName(ref.type->name);
        if (ref.component == wanted)
            out = {ref.type, ref.component, std::move(name)};
    });
    return out;
}

std::string nameOr(const World& world, EntityId id) {
    if (!id)
        return {};
    std::string name = world.nameOf(id);
    return !name.empty() ? name : "#" + std::to_string(id.bits);
}

HandlerStop::Field fieldOf(const World& world, const FieldInfo& field, const void* object) {
    HandlerStop::Field out{field.name, {}, field.unit, field.doc, field.choices, field.type == FieldType::Entity};
    if (field.type == FieldType::Bool)
        out.choices = {"true", "false"};
    if (out.entity) {
        EntityId id;
        std::memcpy(&id, static_cast<const std::byte*>(object) + field.offset, sizeof id);
        out.value = nameOr(world, id);
    } else {
        out.value = field.format(field.read(object));
    }
    return out;
}

} // namespace

std::string describeStop(const HandlerStop& stop) {
    std::string text = "before ";
    for (const HandlerStop::Handler& handler : stop.handlers)
        if (handler.progress == HandlerStop::Progress::Here)
            text += handler.component;
    text += " of " + stop.receiver + " handles " + stop.type;
    if (!stop.sender.empty())
        text += " from " + stop.sender;
    return text;
}

HandlerStops::HandlerStops(Breakpoints& breakpoints, Recorder& recorder, Log& log)
    : m_breakpoints(breakpoints), m_recorder(recorder), m_log(log) {}

bool HandlerStops::armed() const { return m_stepping || m_breakpoints.anyBefore(); }

void HandlerStops::tickBegins() {
    const std::lock_guard lock(m_mutex);
    m_released = false;
}

bool HandlerStops::tickEnded() {
    const bool stepped = std::exchange(m_stepping, false);
    const std::lock_guard lock(m_mutex);
    m_released = false;
    return stepped;
}

void HandlerStops::setInteractive(bool interactive) {
    {
        const std::lock_guard lock(m_mutex);
        m_interactive = interactive;
    }
    m_answered.notify_all();
}

std::shared_ptr<const HandlerStop> HandlerStops::stopped() const {
    const std::lock_guard lock(m_mutex);
    return m_stopped;
}

void HandlerStops::answer(std::uint64_t number, StopAnswer answer, Changes changes) {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_stopped || m_stopped->number != number)
            return;
        m_answer = Answer{answer, std::move(changes)};
    }
    m_answered.notify_all();
}

void HandlerStops::release() {
    {
        const std::lock_guard lock(m_mutex);
        m_released = true;
    }
    m_answered.notify_all();
}

HandlerStop HandlerStops::describe(const HandlerMoment& moment, int breakpoint) const {
    const World& world = moment.world;
    const Envelope& envelope = moment.envelope;
    HandlerStop out;
    out.breakpoint = breakpoint;
    out.tick = world.tickCount();
    out.sequence = envelope.sequence;
    out.cause = envelope.cause;
    if (envelope.through != NoType)
        out.through = messageType(envelope.through).name;
    const MessageType& type = messageType(moment.envelope.type);
    out.type = type.name;
    out.sender = nameOr(world, envelope.sender);
    out.receiver = nameOr(world, envelope.receiver);
    for (const FieldInfo& field : *type.fields)
        out.fields.push_back(fieldOf(world, field, moment.message));
    for (std::size_t i = 0; i < moment.handlers.size(); ++i)
        out.handlers.push_back({partAt(moment, i).name, moment.handlers[i].priority,
                                i < moment.at    ? HandlerStop::Progress::Passed
                                : i == moment.at ? HandlerStop::Progress::Here
                                                 : HandlerStop::Progress::Waiting});
    const Part part = partAt(moment, moment.at);
    if (part.type != nullptr && part.type->stateOf != nullptr)
        for (const FieldInfo& field : *part.type->state)
            out.state.push_back(fieldOf(world, field, part.type->stateOf(part.component)));
    return out;
}

Result<void> HandlerStops::change(HandlerMoment& moment, const Changes& changes) {
    const MessageType& type = messageType(moment.envelope.type);
    std::vector<std::pair<const FieldInfo*, Value>> read;
    for (const auto& [name, text] : changes) {
        const FieldInfo* const field = type.fields->find(name);
        if (field == nullptr)
            return Error{type.name + " has no field " + name, {}, {}};
        std::string value = text;
        if (field->type == FieldType::Entity)
            if (const Entity named = moment.world.find(text))
                value = std::to_string(named.id().bits);
        Result<Value> parsed = field->parse(value);
        if (!parsed)
            return parsed.error(); // with the field's name
        read.emplace_back(field, std::move(*parsed));
    }
    for (const auto& [field, value] : read)
        field->write(moment.message, value);
    return {};
}

HandlerStops::Answer HandlerStops::wait(HandlerStop stop) {
    stop.number = ++m_count;
    auto shown = std::make_shared<const HandlerStop>(std::move(stop));
    {
        const std::lock_guard lock(m_mutex);
        m_stopped = shown;
        m_answer.reset();
    }
    if (m_handler)
        m_handler(shown);
    Answer out;
    {
        std::unique_lock lock(m_mutex);
        while (!m_answer && !m_released && m_interactive) {
            m_answered.wait_for(lock, PulseEvery);
            if (m_pulse) {
                lock.unlock();
                m_pulse();
                lock.lock();
            }
        }
        if (m_answer)
            out = std::move(*m_answer);
        m_answer.reset();
        m_stopped.reset();
    }
    return out;
}

// What the breakpoint was told to do, in order.
HandlerWatch::Verdict HandlerStops::obey(HandlerMoment& moment, const Breakpoint& breakpoint) {
    for (const StopOrder& order : breakpoint.orders) {
        if (order.what == StopOrder::Drop) {
            m_log.warning("break", "dropped " + describeStop(describe(moment, breakpoint.number)));
            return Verdict::Drop;
        }
        const Result<void> changed = change(moment, {{order.field, order.value}});
        if (!changed)
            m_log.error("break", "breakpoint " + std::to_string(breakpoint.number) + ": " + changed.error().message);
    }
    return Verdict::Handle;
}

HandlerWatch::Verdict HandlerStops::before(HandlerMoment& moment) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_released)
            return Verdict::Handle;
    }
    // A step comes to what the trace shows.
    const bool step = m_stepping && moment.envelope.sequence != 0;
    Breakpoint* const hit = m_breakpoints.before(
        moment, [&] { return partAt(moment, moment.at).name; });
    if (hit == nullptr && !step)
        return Verdict::Handle;
    const int number = hit != nullptr ? hit->number : 0;
    if (hit != nullptr) {
        ++hit->hits;
        const HandlerStop stop = describe(moment, number);
        m_log.warning("break", "tick " + std::to_string(stop.tick) + ": " + (stop.sequence != 0 ? "#" + std::to_string(stop.sequence) + " " : "")
                                   + describeStop(stop) + " (breakpoint " + std::to_string(number) + ")");
        if (!hit->orders.empty())
            return obey(moment, *hit);
    }
    {
        const std::lock_guard lock(m_mutex);
        if (!m_interactive)
            return Verdict::Handle;
    }
    std::string refused;
    while (true) {
        HandlerStop stop = describe(moment, number);
        stop.refused = std::exchange(refused, {});
        const Answer answer = wait(std::move(stop));
        if (const Result<void> changed = change(moment, answer.changes); !changed) {
            refused = changed.error().message;
            continue;
        }
        m_stepping = answer.what == StopAnswer::Step;
        if (m_handler)
            m_handler(nullptr);
        return answer.what == StopAnswer::Drop ? Verdict::Drop : Verdict::Handle;
    }
}

} // namespace sbx
