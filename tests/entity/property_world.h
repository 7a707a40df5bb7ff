#pragma once
// A script played by a real world: components that send, spawn, destroy, add, remove, move, disable, queue and listen in the middle of
// what they hear, and the trace of it as text.

#include "engine/core/log.h"
#include "engine/entity/world.h"
#include "tests/entity/property_script.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace sbx::properties {

class Real;
template <int Kind> struct Part : Component {
    struct Settings {
        int type = 0;
        static void describe(FieldList<Settings>& f) { f.add("type", &Settings::type, "Whose behaviour."); }
    };
    Settings settings;
    Subscription subscription;
    Part(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Part>& b) { b.template handle<&Part::onHit>(Priorities[Kind]); }
    bool onHit(Hit& m);
    void overhear(const Hit& m);
};

class Real {
public:
    Real(const Script& script, bool recorded) : m_script(script) {
        m_world.provide(*this);
        m_kinds[0] = &m_registry.registerComponent<Part<0>>("K0");
        m_kinds[1] = &m_registry.registerComponent<Part<1>>("K1");
        m_kinds[2] = &m_registry.registerComponent<Part<2>>("K2");
        m_kinds[3] = &m_registry.registerComponent<Part<3>>("K3");
        for (int t = 0; t < Types; ++t) {
            std::vector<ComponentSpec> specs;
            for (const int kind : script.kinds(t))
                specs.push_back({m_kinds[kind], settings(t)});
            EntityTypeInfo info;
            info.name = "T" + std::to_string(t);
            m_types.push_back(std::make_shared<EntityType>(info, specs));
        }
        m_recorder.setEnabled(recorded);
        m_reader = m_recorder.addReader();
    }
    ~Real() { m_world.clear(); }
    Real(const Real&) = delete;
    Real& operator=(const Real&) = delete;

    template <typename P> void perform(const Action& a, int amount, P* self) {
        const EntityId target = a.target < roster.size() ? roster[a.target] : EntityId();
        const EntityId me = self != nullptr ? self->entity() : EntityId();
        switch (a.what) {
        case Do::Send:
            tell(m_world.send(target, Hit{amount}, me));
            break;
        case Do::Children:
            tell(m_world.sendToChildren(target, Hit{amount}, me));
            break;
        case Do::Ancestors:
            tell(m_world.sendToAncestors(target, Hit{amount}, me));
            break;
        case Do::Broadcast:
            tell(m_world.broadcast(Hit{amount}, me));
            break;
        case Do::ToType:
            tell(m_world.sendToType(*m_types[static_cast<std::size_t>(a.extra % Types)], Hit{amount}, me));
            break;
        case Do::Destroy:
            m_world.destroy(target);
            break;
        case Do::Spawn: {
            if (m_world.entityCount() >= MaxEntities)
                break;
            SpawnRequest request;
            request.type = m_types[static_cast<std::size_t>(a.extra % Types)];
            request.parent = a.extra >= 8 ? target : EntityId();
            roster.push_back(m_world.spawn(request));
            break;
        }
        case Do::Add:
            static_cast<void>(m_world.addComponent(target, *m_kinds[a.extra % Kinds], settings(AddedType)));
            break;
        case Do::Remove:
            static_cast<void>(m_world.removeComponent(target, m_kinds[a.extra % Kinds]->name));
            break;
        case Do::Enable:
        case Do::Disable:
            m_world.setEnabled(target, a.what == Do::Enable);
            break;
        case Do::ToPart:
            if (const Entity entity = m_world.find(target))
                if (const auto part = entity.component(m_kinds[a.extra % Kinds]->name);
                    part.type != nullptr) {
                    Hit message{amount};
                    tell(m_world.sendRaw(target, part.component, messageIdOf<Hit>(), &message,
                                                    sizeof message, me));
                }
            break;
        case Do::ToListeners:
            tell(m_world.sendToListeners(Hit{amount}, me));
            break;
        case Do::PartOn:
        case Do::PartOff:
            static_cast<void>(
                m_world.setEnabled(target, m_kinds[a.extra % Kinds]->name, a.what == Do::PartOn));
            break;
        case Do::Cancel:
            if (!queued.empty())
                cancelled += m_world.cancel(queued[a.target % queued.size()]) ? '1' : '0';
            break;
        case Do::Reparent:
            m_world.setParent(target, static_cast<std::size_t>(a.extra) < roster.size()
                                          ? roster[static_cast<std::size_t>(a.extra)]
                                          : EntityId());
            break;
        case Do::Queue:
            if (m_world.alive(target))
                queued.push_back(m_world.sendInTicks(
                    target, Hit{amount}, static_cast<std::uint64_t>(1 + a.extra % 3), me, a.extra / 8));
            break;
        case Do::QueuePart:
            withPart(target, a.extra % Kinds, [&](const Component& part) {
                queued.push_back(m_world.sendInTicks(
                    part, Hit{amount}, static_cast<std::uint64_t>(1 + a.extra % 3), me, a.extra / 8));
            });
            replacePart(*this, a, amount, self);
            break;
        case Do::QueueRoute:
            if (m_world.alive(target)) {
                const Hit message{amount};
                queued.push_back(m_world.sendLaterRaw(target, messageIdOf<Hit>(), &message, sizeof message,
                                                      static_cast<std::uint64_t>(1 + a.extra % 3), me, a.extra / 8,
                                                      LateRoutes[a.extra % 4]));
            }
            break;
        case Do::Listen:
            if (self != nullptr && !self->subscription.active())
                self->subscription = m_world.listeners().template listen<&P::overhear>(*self, me);
            break;
        case Do::Unlisten:
            if (self != nullptr)
                self->subscription.end();
            break;
        case Do::Tick:
            m_world.tick();
            break;
        default:
            break;
        }
    }
    [[nodiscard]] const Script& script() const { return m_script; }
    std::vector<EntityId> roster;
    std::vector<DelayedHandle> queued; // all that ever were
    std::string cancelled;             // '1': it waited still
    std::string told;                  // who heard what, and what each send answered: recorded or not
    void tell(const SendResult& result) {
        told += "sent " + std::to_string(result.receivers) + (result.consumed ? "+\n" : "\n");
    }
    void tell(const char* how, EntityId who, int kind, int amount) {
        told += how + std::to_string(std::find(roster.begin(), roster.end(), who) - roster.begin()) + " K"
                + std::to_string(kind) + " " + std::to_string(amount) + "\n";
    }

    std::string trace() {
        m_recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        m_reader->poll(segments);
        std::ostringstream out;
        std::unordered_map<std::uint64_t, std::size_t> lines; // by sequence
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const RecordView record = (*segment)[i];
                const Envelope envelope = record.envelope();
                lines.emplace(envelope.sequence, lines.size());
                const auto cause = lines.find(envelope.cause);
                out << (envelope.sender ? std::to_string(std::find(roster.begin(), roster.end(), envelope.sender)
                                                         - roster.begin())
                                        : "-")
                    << " by "
                    << (envelope.cause == 0     ? "-"
                        : cause == lines.end() ? "an unknown one"
                                               : std::to_string(cause->second))
                    << ": "
                    << deliveryName(envelope.delivery) << (envelope.delayed ? " late" : "") << " "
                    << (envelope.receiver ? std::to_string(
                            std::find(roster.begin(), roster.end(), envelope.receiver) - roster.begin())
                                          : "nobody")
                    << " " << static_cast<const Hit*>(record.payload())->amount;
                if (record.note() != RecordNote::None)
                    out << " " << noteName(record.note());
                for (const HandlerVisit& visit : record.visits())
                    out << " " << m_recorder.names().name(visit.component)
                        << "-/+"[static_cast<std::size_t>(visit.result)];
                out << "\n";
            }
        return out.str();
    }

private:
    template <typename Call> void withPart(EntityId entity, int kind, const Call& call) const {
        const auto with = [&](const auto* part) {
            if (part != nullptr)
                call(*part);
        };
        switch (kind) {
        case 0:
            return with(m_world.getComponent<Part<0>>(entity));
        case 1:
            return with(m_world.getComponent<Part<1>>(entity));
        case 2:
            return with(m_world.getComponent<Part<2>>(entity));
        default:
            return with(m_world.getComponent<Part<3>>(entity));
        }
    }
    static std::shared_ptr<const void> settings(int type) {
        auto s = std::make_shared<Part<0>::Settings>();
        s->type = type;
        // The settings of all kinds look the same.
        static_assert(sizeof(Part<0>::Settings) == sizeof(Part<1>::Settings));
        return s;
    }
    const Script& m_script;
    Log m_log;
    Recorder m_recorder;
    ComponentRegistry m_registry;
    World m_world{WorldDesc{}, m_recorder, m_log};
    const ComponentType* m_kinds[Kinds] = {};
    std::vector<std::shared_ptr<const EntityType>> m_types;
    std::shared_ptr<RecordReader> m_reader;
};

template <int Kind> bool Part<Kind>::onHit(Hit& m) {
    Real& real = world().service<Real>();
    const Script& script = real.script();
    const bool consumes = script.consumes(settings.type, Kind);
    real.tell("", entity(), Kind, m.amount);
    if (m.amount > 0)
        real.perform(script.behaviour(settings.type, Kind), m.amount - 1, this);
    if (Kind == 2 && m.amount > 0)
        --m.amount; // the handlers after it see less
    return consumes;
}

template <int Kind> void Part<Kind>::overhear(const Hit& m) {
    world().service<Real>().tell("overheard by ", entity(), Kind, m.amount);
}

} // namespace sbx::properties
