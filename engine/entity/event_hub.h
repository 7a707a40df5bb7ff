#pragma once
// Events: messages that are declared by name and parameters while the program runs, and go to the listeners of that name.
//
//     EventHub events(world());
//     events.declare("Explosion", {{"radius", FieldType::Float, "How far it reaches.", "m"}, {"at", FieldType::Vector3, "Where."}});
//     m_heard = *events.listen<&Lamp::onExplosion>("Explosion", *this, entity()); // void onExplosion(const Event&)
//     events.raise("Explosion", {{"radius", 4.0}, {"at", Vec3(0, 1, 0)}});
//     events.raiseLater(10, -1, "Explosion", {{"radius", 4.0}});                  // in ten ticks, before priority 0
//
// There is one mechanism underneath: an event is a message type whose fields are its parameters, sent on the route to listeners
// and, if later, through the world's queue. Trace, filter, console and recorder treat it as any other message, and a listener
// for messages receives it too. Declared events belong to the process, as message types do; a hub is a view of
// them for one world and may be made wherever one is needed. Simulation thread.
//
// A plugin that is built again may declare its events with other parameters. What was raised before stays what it is, a listener
// of the event receives both, and what is not in the one but in the other reads as if it had not been given.
//
// Parameters are checked by name, type and range in every raise; what happens a thousand times a tick is better a message.

#include "engine/entity/world.h"

#include <initializer_list>
#include <span>
#include <string_view>

namespace sbx {

struct EventParameter {
    std::string name;
    FieldType type = FieldType::Float; // all but Quaternion
    std::string doc;
    std::string unit = {};
    std::vector<std::string> choices = {}; // of an Enum
};

struct NamedValue {
    std::string_view name;
    Value value;
};

// An event as its listener sees it; valid during the call.
class Event {
public:
    Event(const void* payload, const Envelope& envelope)
        : m_type(&messageType(envelope.type)), m_payload(payload), m_envelope(&envelope) {}

    [[nodiscard]] const std::string& name() const { return m_type->name; }
    [[nodiscard]] const Envelope& envelope() const { return *m_envelope; }
    // Read it through the type's fields.
    [[nodiscard]] const void* payload() const { return m_payload; }
    // T: bool, std::int64_t, double, std::string, Vec2, Vec3, Vec4, EntityId, as in Value. A parameter that was not declared so
    // is a programmer's error.
    template <typename T> [[nodiscard]] T get(std::string_view parameter) const {
        Value value = read(parameter, Value(std::in_place_type<T>).index());
        SBX_EXPECT(value.index() != 0, "the event has no such parameter");
        SBX_EXPECT(std::holds_alternative<T>(value), "the event's parameter is of another type");
        return std::get<T>(std::move(value));
    }

private:
    // As that alternative, where any declaration of the event has it so; nothing: there is no such parameter.
    [[nodiscard]] Value read(std::string_view parameter, std::size_t alternative) const;
    const MessageType* m_type;
    const void* m_payload;
    const Envelope* m_envelope;
};

namespace detail {
template <typename T> struct EventListenerTraits;
template <typename C> struct EventListenerTraits<void (C::*)(const Event&)> { using Object = C; };

// Which library this is compiled into, as MessageTypeImport::number().
#ifdef SIGNALBOX_PLUGIN_BUILD
inline const std::uint32_t ThisLibrary = libraryBeingLoaded();
#else
inline constexpr std::uint32_t ThisLibrary = 0;
#endif
} // namespace detail

class EventHub {
public:
    // Of the process; kept for good, as message types are, whose ids end at 65,534.
    static constexpr std::size_t MaxEvents = 4'000;

    explicit EventHub(World& world) : m_world(world) {}

    // Declaring the same again is harmless. Other parameters are an error, unless only earlier builds of the plugin that
    // this is called from has declared it so; and so are the name of a message written as a struct, and one beyond MaxEvents.
    Result<MessageTypeId> declare(std::string_view name, std::span<const EventParameter> parameters,
                                  std::string_view doc = {}) {
        return declareFrom(detail::ThisLibrary, name, parameters, doc);
    }
    Result<MessageTypeId> declare(std::string_view name, std::initializer_list<EventParameter> parameters,
                                  std::string_view doc = {}) {
        return declare(name, std::span(parameters.begin(), parameters.size()), doc);
    }
    // The same for a library of that MessageTypeImport::number().
    Result<MessageTypeId> declareFrom(std::uint32_t library, std::string_view name,
                                      std::span<const EventParameter> parameters, std::string_view doc = {});
    // The event, or an error that names the nearest one.
    [[nodiscard]] Result<const MessageType*> find(std::string_view name) const;
    // All of them, by name.
    [[nodiscard]] static std::vector<const MessageType*> events();

    // At once, to all listeners, in order of registration. Parameters that are not given are zero, empty or no entity.
    Result<SendResult> raise(std::string_view name, std::span<const NamedValue> values, EntityId sender = {},
                             unsigned minimum = 0, SendSite site = SendSite::here());
    Result<SendResult> raise(std::string_view name, std::initializer_list<NamedValue> values = {},
                             EntityId sender = {}, unsigned minimum = 0, SendSite site = SendSite::here()) {
        return raise(name, std::span(values.begin(), values.size()), sender, minimum, site);
    }
    // After so many ticks, at least one. Lower priorities first within a tick, ties in order of raising.
    Result<DelayedHandle> raiseLater(std::uint64_t ticks, int priority, std::string_view name,
                                     std::span<const NamedValue> values, EntityId sender = {},
                                     unsigned minimum = 0, SendSite site = SendSite::here());
    Result<DelayedHandle> raiseLater(std::uint64_t ticks, int priority, std::string_view name,
                                     std::initializer_list<NamedValue> values = {}, EntityId sender = {},
                                     unsigned minimum = 0, SendSite site = SendSite::here()) {
        return raiseLater(ticks, priority, name, std::span(values.begin(), values.size()), sender, minimum,
                          site);
    }

    // `object` must outlive the subscription.
    template <auto Method>
    Result<Subscription> listen(std::string_view name,
                                typename detail::EventListenerTraits<decltype(Method)>::Object& object,
                                EntityId owner = {}, ComponentTypeId component = NoType) {
        using Object = typename detail::EventListenerTraits<decltype(Method)>::Object;
        const Result<const MessageType*> type = find(name);
        if (!type)
            return type.error();
        join(**type);
        return m_world.listeners().listen((*type)->id,
                                          [](void* self, const void* payload, const Envelope& envelope) {
                                              (static_cast<Object*>(self)->*Method)(Event(payload, envelope));
                                          },
                                          &object, owner, component);
    }
    [[nodiscard]] std::size_t listeners(MessageTypeId event) const {
        return m_world.listeners().count(event);
    }

private:
    struct alignas(16) Payload {
        std::byte bytes[MaxMessageSize];
    };
    Result<const MessageType*> fill(std::string_view name, std::span<const NamedValue> values,
                                    Payload& payload) const;
    // An event that was declared again with other parameters: its listeners are those of the first declaration.
    void join(const MessageType& event) const {
        if (event.listenerType != event.id)
            m_world.listeners().addAlias(event.id, event.listenerType);
    }

    World& m_world;
};

} // namespace sbx
