#pragma once
// A script played by the rules written down a second time, as plainly as they can be: lists that are searched, nothing kept that can
// be found out. Its trace must be the world's.

#include "tests/entity/property_script.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sbx::properties {

class Model {
public:
    explicit Model(const Script& script) : m_script(script) {}

    struct Part {
        int kind = 0;
        int type = 0; // whose behaviour
        std::size_t owner = 0;
        bool listens = false;
        bool off = false;
        bool started = false; // counts while its owner is special
    };
    struct Thing {
        int type = 0;
        std::size_t place = 0;
        std::size_t parent = None;
        std::vector<std::size_t> children;
        bool alive = true;
        bool dying = false;
        bool off = false;
        bool active = false;
        bool started = false;
        bool special = false;
        std::vector<std::shared_ptr<Part>> parts;
    };
    static constexpr std::size_t None = ~std::size_t(0);

    void perform(const Action& a, int amount, const std::shared_ptr<Part>& self) {
        const std::size_t target = a.target < m_things.size() ? a.target : None;
        const bool alive = target != None && m_things[target].alive;
        const std::size_t outer = std::exchange(m_sender, self != nullptr ? self->owner : None);
        switch (a.what) {
        case Do::Send:
            if (alive)
                deliver(target, amount, "immediate");
            break;
        case Do::Children:
            if (alive) {
                std::vector<std::size_t> all;
                subtree(target, all);
                for (const std::size_t each : all)
                    deliver(each, amount, "children");
            }
            break;
        case Do::Ancestors:
            if (alive) {
                std::vector<std::size_t> all;
                for (std::size_t up = target; up != None; up = m_things[up].parent)
                    all.push_back(up);
                for (const std::size_t each : all)
                    deliver(each, amount, "ancestors");
            }
            break;
        case Do::Broadcast: {
            const std::vector<int> types = m_order;
            batch(types, amount, "broadcast");
            break;
        }
        case Do::ToType:
            if (std::find(m_order.begin(), m_order.end(), a.extra % Types) != m_order.end())
                batch({a.extra % Types}, amount, "broadcast");
            break;
        case Do::Destroy:
            if (alive)
                destroy(target);
            break;
        case Do::Spawn: {
            const auto living =
                std::count_if(m_things.begin(), m_things.end(), [](const Thing& t) { return t.alive; });
            if (static_cast<std::size_t>(living) < MaxEntities)
                spawn(a.extra % Types, a.extra >= 8 && alive && !m_things[target].dying ? target : None);
            break;
        }
        case Do::Add:
            if (alive && find(target, a.extra % Kinds) == nullptr) {
                makeSpecial(target);
                m_things[target].parts.push_back(
                    std::make_shared<Part>(Part{a.extra % Kinds, AddedType, target}));
                if (on(target))
                    m_awaiting.insert(target);
            }
            break;
        case Do::Remove:
            if (const auto part = alive ? find(target, a.extra % Kinds) : nullptr) {
                makeSpecial(target);
                std::erase(m_things[target].parts, part);
                m_leaving.push_back(part);
            }
            break;
        case Do::Enable:
        case Do::Disable:
            if (alive)
                m_things[target].off = a.what == Do::Disable;
            break;
        case Do::Reparent:
            if (alive)
                reparent(target, static_cast<std::size_t>(a.extra));
            break;
        case Do::ToPart:
            if (const auto part = alive ? find(target, a.extra % Kinds) : nullptr;
                part && !part->off && on(target))
                deliverTo(target, amount, "component", {part});
            break;
        case Do::ToListeners:
            toListeners(amount, "listener");
            break;
        case Do::PartOn:
        case Do::PartOff:
            if (const auto part = alive ? find(target, a.extra % Kinds) : nullptr;
                part && part->off != (a.what == Do::PartOff)) {
                makeSpecial(target);
                part->off = !part->off;
                if (!part->off && !part->started && on(target))
                    m_awaiting.insert(target);
                m_things[target].special = !likeItsType(target);
            }
            break;
        case Do::Cancel:
            if (m_pushes > 0)
                cancelled +=
                    std::erase_if(m_queue, [&](const Queued& q) { return q.order == a.target % m_pushes; })
                            > 0
                        ? '1'
                        : '0';
            break;
        case Do::Queue:
            if (alive)
                enqueue(a, target, amount, nullptr, Delivery::Immediate);
            break;
        case Do::QueueRoute:
            if (alive)
                enqueue(a, target, amount, nullptr, LateRoutes[a.extra % 4]);
            break;
        case Do::QueuePart:
            if (const auto part = alive ? find(target, a.extra % Kinds) : nullptr)
                enqueue(a, target, amount, part, Delivery::Component);
            replacePart(*this, a, amount, self);
            break;
        case Do::Listen:
            if (self != nullptr && !self->listens) {
                self->listens = true;
                m_listeners.push_back(self);
            }
            break;
        case Do::Unlisten:
            if (self != nullptr)
                unlisten(self);
            break;
        case Do::Tick:
            tick();
            break;
        default:
            break;
        }
        m_sender = outer;
        followEnabling();
        settle();
    }
    [[nodiscard]] const std::string& trace() const { return m_trace; }
    std::string cancelled;
    int heard = 0; // of what waited for one component: by it
    int gone = 0;  // missed it, though its entity lives

private:
    struct Queued {
        std::size_t due;
        int priority;
        std::size_t order;
        std::size_t to;
        int amount;
        std::shared_ptr<Part> part; // null: for the entity
        Delivery route;
        std::size_t sender;
        std::size_t cause;
    };
    void enqueue(const Action& a, std::size_t to, int amount, const std::shared_ptr<Part>& part, Delivery route) {
        m_queue.push_back({m_tick + static_cast<std::size_t>(1 + a.extra % 3), a.extra / 8, m_pushes++, to, amount,
                           part, route, m_sender, m_handling});
    }
    struct Record {
        std::string head;
        std::vector<std::pair<int, char>> visits;
    };

    [[nodiscard]] bool on(std::size_t thing) const {
        for (std::size_t up = thing; up != None; up = m_things[up].parent)
            if (m_things[up].off)
                return false;
        return true;
    }
    [[nodiscard]] std::shared_ptr<Part> find(std::size_t thing, int kind) const {
        for (const auto& part : m_things[thing].parts)
            if (part->kind == kind)
                return part;
        return nullptr;
    }
    void subtree(std::size_t root, std::vector<std::size_t>& out) const {
        out.push_back(root);
        for (const std::size_t child : m_things[root].children)
            subtree(child, out);
    }
    void spawn(int type, std::size_t parent) {
        Thing thing;
        thing.type = type;
        thing.parent = parent;
        const std::size_t index = m_things.size();
        if (std::find(m_order.begin(), m_order.end(), type) == m_order.end())
            m_order.push_back(type);
        const auto taken = [&](std::size_t place) {
            return std::any_of(m_things.begin(), m_things.end(),
                               [&](const Thing& t) { return t.alive && t.type == type && t.place == place; });
        };
        while (taken(thing.place))
            ++thing.place;
        for (const int kind : m_script.kinds(type))
            thing.parts.push_back(std::make_shared<Part>(Part{kind, type, index}));
        m_things.push_back(thing);
        if (parent != None)
            m_things[parent].children.push_back(index);
    }
    void destroy(std::size_t thing) {
        if (m_things[thing].dying)
            return;
        m_things[thing].dying = true;
        m_dying.push_back(thing);
        const std::vector<std::size_t> children = m_things[thing].children;
        for (const std::size_t child : children)
            destroy(child);
    }
    void reparent(std::size_t thing, std::size_t parent) {
        if (parent >= m_things.size())
            parent = None;
        else if (!m_things[parent].alive || m_things[parent].dying)
            return;
        for (std::size_t up = parent; up != None; up = m_things[up].parent)
            if (up == thing)
                return;
        if (m_things[thing].parent != None)
            std::erase(m_things[m_things[thing].parent].children, thing);
        m_things[thing].parent = parent;
        if (parent != None)
            m_things[parent].children.push_back(thing);
    }
    void unlisten(const std::shared_ptr<Part>& part) {
        part->listens = false;
        std::erase(m_listeners, part);
    }
    void settle() {
        if (m_depth > 0 || m_ticking)
            return;
        for (const std::size_t thing : m_dying) {
            Thing& t = m_things[thing];
            t.alive = false;
            for (const auto& part : t.parts)
                unlisten(part);
            if (t.parent != None)
                std::erase(m_things[t.parent].children, thing);
            t.parent = None;
            for (const std::size_t child : t.children)
                m_things[child].parent = None;
            t.children.clear();
        }
        m_dying.clear();
        for (const auto& part : m_leaving)
            unlisten(part);
        m_leaving.clear();
    }

    // In order of priority, then of the entity's list.
    [[nodiscard]] std::vector<std::shared_ptr<Part>> handlers(std::size_t thing) const {
        std::vector<std::shared_ptr<Part>> out = m_things[thing].parts;
        std::erase_if(out, [&](const auto& part) { return part->off || !on(thing); });
        std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
            return Priorities[a->kind] < Priorities[b->kind];
        });
        return out;
    }
    bool visit(const std::shared_ptr<Part>& part, int& amount) {
        if (amount > 0)
            perform(m_script.behaviour(part->type, part->kind), amount - 1, part);
        if (part->kind == 2 && amount > 0)
            --amount;
        return m_script.consumes(part->type, part->kind);
    }
    void note(const std::string& what) {
        const auto told = [](std::size_t number) { return number == None ? "-" : std::to_string(number); };
        m_records.push_back({told(m_sender) + " by " + told(m_handling) + ": " + what, {}});
    }
    std::size_t begin(std::size_t thing, int amount, const std::string& route,
                      const std::vector<std::shared_ptr<Part>>& parts) {
        note(route + " " + std::to_string(thing) + " " + std::to_string(amount));
        for (const auto& part : parts)
            m_records.back().visits.emplace_back(part->kind, '-');
        return m_records.size() - 1;
    }
    void deliver(std::size_t thing, int amount, const std::string& route) {
        deliverTo(thing, amount, route, handlers(thing));
    }
    void deliverTo(std::size_t thing, int amount, const std::string& route,
                   const std::vector<std::shared_ptr<Part>>& parts) {
        const std::size_t record = begin(thing, amount, route, parts);
        ++m_depth;
        const std::size_t outer = std::exchange(m_handling, m_lines + record);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool consumed = visit(parts[i], amount);
            m_records[record].visits[i].second = consumed ? '+' : '/';
            if (consumed)
                break;
        }
        m_handling = outer;
        --m_depth;
        flush();
    }
    // A run of up to 64: never more here.
    void batch(const std::vector<int>& types, int amount, const std::string& route) {
        std::vector<std::vector<std::size_t>> audience;
        for (const int type : types) {
            audience.emplace_back();
            for (std::size_t i = 0; i < m_things.size(); ++i)
                if (m_things[i].alive && m_things[i].type == type && on(i))
                    audience.back().push_back(i);
            std::sort(audience.back().begin(), audience.back().end(),
                      [&](std::size_t a, std::size_t b) { return m_things[a].place < m_things[b].place; });
        }
        for (const auto& all : audience) {
            std::vector<std::size_t> plain;
            std::vector<std::size_t> special;
            for (const std::size_t each : all)
                if (on(each))
                    (m_things[each].special ? special : plain).push_back(each);
            run(plain, amount, route);
            for (const std::size_t each : special)
                if (on(each) && !handlers(each).empty())
                    deliver(each, amount, route);
        }
    }
    void run(const std::vector<std::size_t>& plain, int amount, const std::string& route) {
        struct Begun {
            std::vector<std::shared_ptr<Part>> parts;
            std::size_t record = 0;
            int amount = 0;
            bool going = true;
        };
        std::vector<Begun> begun;
        for (const std::size_t each : plain) {
            const auto parts = handlers(each);
            begun.push_back({parts, begin(each, amount, route, parts), amount, true});
        }
        ++m_depth;
        for (std::size_t h = 0; !begun.empty() && h < begun[0].parts.size(); ++h)
            for (std::size_t i = 0; i < plain.size(); ++i) {
                Begun& each = begun[i];
                if (h == 0 && !on(plain[i]))
                    each.going = false;
                if (!each.going)
                    continue;
                const std::size_t outer = std::exchange(m_handling, m_lines + each.record);
                const bool consumed = visit(each.parts[h], each.amount);
                m_handling = outer;
                m_records[each.record].visits[h].second = consumed ? '+' : '/';
                each.going = !consumed;
            }
        --m_depth;
        flush();
    }
    // Has what its type has, all of it on: it goes with the others of its type again.
    [[nodiscard]] bool likeItsType(std::size_t index) const {
        const Thing& thing = m_things[index];
        const std::vector<int> declared = m_script.kinds(thing.type);
        return std::equal(declared.begin(), declared.end(), thing.parts.begin(), thing.parts.end(),
                          [&](int kind, const auto& part) {
                              return part->kind == kind && part->type == thing.type && !part->off
                                     && part->started == thing.started;
                          });
    }
    void makeSpecial(std::size_t index) {
        Thing& thing = m_things[index];
        if (!std::exchange(thing.special, true))
            for (const auto& part : thing.parts)
                part->started = thing.started;
    }
    // Those that take part now and did not before: the special wait for the tick to start what has not started.
    void followEnabling() {
        for (std::size_t i = 0; i < m_things.size(); ++i) {
            Thing& thing = m_things[i];
            const bool was = std::exchange(thing.active, on(i));
            if (was || !thing.active)
                continue;
            if (thing.special)
                m_awaiting.insert(i);
            else
                thing.started = true;
        }
    }
    void startWaiting() {
        for (const std::size_t i : std::exchange(m_awaiting, {})) {
            Thing& thing = m_things[i];
            if (!thing.alive || thing.dying || !on(i))
                continue;
            thing.started = true;
            for (const auto& part : thing.parts)
                part->started = part->started || !part->off;
        }
    }
    void toThese(const std::vector<std::shared_ptr<Part>> listeners, int amount, const std::string& route) {
        for (const auto& part : listeners)
            if (part->listens && on(part->owner)) {
                note(route + " " + std::to_string(part->owner) + " " + std::to_string(amount));
                flush();
            }
    }
    void toListeners(int amount, const std::string& route) {
        if (!m_listeners.empty())
            return toThese(m_listeners, amount, route);
        note(route + " nobody " + std::to_string(amount) + " unheard");
        flush();
    }
    void tick() {
        m_ticking = true;
        ++m_tick;
        for (;;) {
            auto first = m_queue.end();
            for (auto it = m_queue.begin(); it != m_queue.end(); ++it)
                if (it->due <= m_tick
                    && (first == m_queue.end()
                        || std::tie(it->due, it->priority, it->order)
                               < std::tie(first->due, first->priority, first->order)))
                    first = it;
            if (first == m_queue.end())
                break;
            const Queued message = *first;
            m_queue.erase(first);
            const std::vector<std::shared_ptr<Part>> listeners = m_listeners;
            const Thing& to = m_things[message.to];
            const std::string route = std::string(deliveryName(message.route)) + " late";
            m_sender = message.sender;
            m_handling = message.cause;
            if (message.route == Delivery::Broadcast) {
                const std::vector<int> types = m_order;
                batch(types, message.amount, route);
            } else if (message.route == Delivery::Listener) {
                toListeners(message.amount, route);
                m_handling = None;
                continue; // they are the listeners
                // Another of its kind in its place is not it.
            } else if (!to.alive
                || (message.part
                    && std::find(to.parts.begin(), to.parts.end(), message.part) == to.parts.end())) {
                gone += message.part && to.alive ? 1 : 0;
                note(route + " " + std::to_string(message.to) + " " + std::to_string(message.amount) + " gone");
                flush();
            } else if (message.route == Delivery::Children || message.route == Delivery::Ancestors) {
                std::vector<std::size_t> all;
                if (message.route == Delivery::Children)
                    subtree(message.to, all);
                else
                    for (std::size_t up = message.to; up != None; up = m_things[up].parent)
                        all.push_back(up);
                for (const std::size_t each : all)
                    deliver(each, message.amount, route);
            } else if (!message.part) {
                deliver(message.to, message.amount, route);
            } else if (!message.part->off && on(message.to)) {
                ++heard;
                deliverTo(message.to, message.amount, route, {message.part});
            }
            toThese(listeners, message.amount, "listener late");
            m_handling = None;
        }
        m_sender = None;
        startWaiting();
        m_ticking = false;
    }
    void flush() {
        if (m_depth > 0)
            return;
        m_lines += m_records.size();
        for (const Record& record : m_records) {
            m_trace += record.head;
            for (const auto& [kind, result] : record.visits)
                m_trace += " K" + std::to_string(kind) + result;
            m_trace += "\n";
        }
        m_records.clear();
    }

    const Script& m_script;
    std::vector<Thing> m_things;
    std::vector<int> m_order; // of first use
    std::vector<std::size_t> m_dying;
    std::vector<std::shared_ptr<Part>> m_leaving;
    std::vector<std::shared_ptr<Part>> m_listeners;
    std::set<std::size_t> m_awaiting; // their start
    std::vector<Queued> m_queue;
    std::size_t m_pushes = 0;
    std::size_t m_tick = 0;
    int m_depth = 0;
    std::size_t m_sender = None;   // of what is being sent
    std::size_t m_handling = None; // line of the trace that is being handled
    std::size_t m_lines = 0;       // of the trace, so far
    bool m_ticking = false;
    std::vector<Record> m_records;
    std::string m_trace;
};

} // namespace sbx::properties
