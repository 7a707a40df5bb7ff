#pragma once
// Message types. A message is a trivially copyable struct that describes its fields once:
//
//     struct Damage {
//         static constexpr const char* Name = "Damage";
//         static constexpr const char* Doc = "Asks the receiver to lose health.";
//         float amount = 0.0F;
//         static void describe(FieldList<Damage>& f) { f.add("amount", &Damage::amount, "How much.").atLeast(0); }
//     };
//
// Optional: `static constexpr bool Notice = true` for a message that reports an event and requests nothing, so that a missing handler is no
// problem; `static constexpr bool Query = true` for a message whose handler only writes an answer into it; `static constexpr bool Recorded =
// false` for update and lifecycle messages, which, like queries, are not recorded by default; `static constexpr Delivery Mode = Delivery::Children` for a message that a plain send takes to the whole
// subtree (or Ancestors, Broadcast, Listener) instead of to the entity alone;
// `static constexpr ClientRights FromClient{.perSecond = 5}` for a message that the server of a network session accepts from clients.
//
// Types are interned by name into one append-only table of the process (the only mutable process-wide state of the engine:
// a plugin and the engine must agree on ids without passing an object through every header). Interning is thread-safe; what
// was handed out stays valid for as long as the process runs.

#include "engine/core/fields.h"
#include "engine/core/ids.h"
#include "engine/message/envelope.h"

#include <atomic>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace sbx {

inline constexpr std::size_t MaxMessageSize = 256; // bytes; also the block size of the delayed queue's pool

// What a client of a network session may do with a message type; the server checks it (NetworkSystem), whatever the client claims.
struct ClientRights {
    // Messages of the type that one client may send in a second, above 0. They can be saved up, for as long as `net.limit.burst` says
    // and at least one; a client that sends more is disconnected.
    double perSecond = 10.0;
    bool ownPlayerOnly = true; // only to the entity of the client's player; false: to any replicated entity
    bool ownedOnly = false;    // with the former false: only to what the client's player owns, see NetworkTransform
};

struct MessageType {
    std::string name;
    std::string doc;
    MessageTypeId id = NoType;
    std::size_t size = 0;
    std::size_t alignment = 1;
    bool recorded = true;                // by default
    bool notice = false;                 // needs no handler: it reports an event
    bool query = false;                  // its handler changes nothing but the message
    Delivery mode = Delivery::Immediate; // where a plain send takes it
    std::optional<ClientRights> fromClient; // none: a server refuses it from clients
    const FieldTable* fields = nullptr;
    void (*construct)(void* memory) = nullptr; // default values
    // Declared while the program runs instead of written as a struct: an event (engine/entity/event_hub.h).
    bool event = false;
    std::shared_ptr<const FieldTable> ownFields; // what `fields` points to then
    // Of an event: the first type that was declared under its name (see declareEvent()); its listeners receive them all.
    MessageTypeId listenerType = NoType;
};

template <typename M>
concept Message = std::is_trivially_copyable_v<M> && std::is_default_constructible_v<M> && sizeof(M)
                  <= MaxMessageSize&& requires(FieldList<M>& f) {
    { M::Name } -> std::convertible_to<const char*>;
    M::describe(f);
};

// Finds the type by name or adds it. Two types of one name must have the same size (contract).
const MessageType& internMessageType(MessageType type);
[[nodiscard]] const MessageType* findMessageType(std::string_view name);
// id must come from an interned type.
[[nodiscard]] const MessageType& messageType(MessageTypeId id);
// The type under which its listeners are registered: the type itself, or for an event that was declared again, its first type. Any
// id is valid.
[[nodiscard]] MessageTypeId listenerType(MessageTypeId id);
// One for each name.
[[nodiscard]] std::vector<const MessageType*> messageTypes();
// Ids are below this.
[[nodiscard]] std::size_t messageTypeCount();

// Where a plain send can take a message. The other routes need more than a receiver: a component, a connection, a delay.
[[nodiscard]] constexpr bool isMode(Delivery delivery) {
    return delivery == Delivery::Immediate || delivery == Delivery::Children
           || delivery == Delivery::Ancestors || delivery == Delivery::Broadcast
           || delivery == Delivery::Listener;
}

template <Message M> constexpr Delivery modeOf() {
    if constexpr (requires { M::Mode; }) {
        static_assert(isMode(M::Mode), "a Mode is Immediate, Children, Ancestors, Broadcast or Listener");
        return M::Mode;
    } else {
        return Delivery::Immediate;
    }
}

// While it exists, the types that this thread interns belong to a library (`owner`, its path) that may be reloaded, besides
// the engine and the libraries `others`. A type of theirs must agree in every field: otherwise it is a conflict, and the library must
// not be used. Any other type of the name is that of an older build: laid out the same, it keeps its id and takes the new
// description; else the new one gets an id of its own under the old name, so that what was recorded stays readable.
class MessageTypeImport {
public:
    MessageTypeImport(std::string owner, std::vector<std::string> others);
    ~MessageTypeImport(); // removes what was interned, unless keep() was called
    MessageTypeImport(const MessageTypeImport&) = delete;
    MessageTypeImport& operator=(const MessageTypeImport&) = delete;

    // Identifies this loading of the library: each has a larger number than those before.
    [[nodiscard]] std::uint32_t number() const { return m_number; }
    void keep() { m_kept = true; }
    // One line each: the type, its owner, and how they differ.
    [[nodiscard]] const std::vector<std::string>& conflicts() const { return m_conflicts; }

private:
    friend const MessageType& internMessageType(MessageType type);
    struct Change {
        std::string name;
        MessageTypeId before = NoType;          // none: the name was new
        const MessageType* described = nullptr; // how the id was described before, where it stays
        std::string owner;                      // and whose it was
    };
    std::string m_owner;
    std::vector<std::string> m_others;
    std::vector<Change> m_changes;
    std::vector<std::string> m_conflicts;
    MessageTypeImport* m_outer;
    std::uint32_t m_number;
    bool m_kept = false;
};

// MessageTypeImport::number() of the library that this thread loads; 0: none.
[[nodiscard]] std::uint32_t libraryBeingLoaded();

// Finds or adds the event `type`, declared by the library of that number; 0: the engine, or the program. If the name is that of
// an event with other parameters, that one is replaced if only earlier builds of the same library have declared it so: it
// keeps its id, so that what was raised and recorded stays readable, and the new one gets an id of its own. Returns what is in
// force then: a declaration that finds other parameters there, or no event, was refused.
const MessageType& declareEvent(MessageType type, std::uint32_t library);

template <Message M> const MessageType& messageTypeOf() {
    static const MessageType& Type = []() -> const MessageType& {
        MessageType type;
        type.name = M::Name;
        if constexpr (requires { M::Doc; })
            type.doc = M::Doc;
        type.size = sizeof(M);
        type.alignment = alignof(M);
        if constexpr (requires { M::Query; })
            type.query = M::Query;
        type.recorded = !type.query;
        if constexpr (requires { M::Recorded; })
            type.recorded = M::Recorded;
        if constexpr (requires { M::Notice; })
            type.notice = M::Notice;
        type.mode = modeOf<M>();
        if constexpr (requires { M::FromClient; }) {
            static_assert(M::FromClient.perSecond > 0.0, "a client may send at least some: perSecond is above 0");
            type.fromClient = M::FromClient;
        }
        type.fields = &fieldsOf<M>();
        type.construct = [](void* memory) { new (memory) M(); };
        return internMessageType(std::move(type));
    }();
    return Type;
}

namespace detail {
// Not a local static: every send reads it, and the guard would cost more than the value. NoType: not interned from here yet. As wide
// as an index, as which a send uses it.
template <Message M> inline constinit std::atomic<std::uint32_t> KnownMessageId{NoType};
#ifdef SIGNALBOX_PLUGIN_BUILD
// A plugin interns every message type it mentions while it is loaded, where a conflict can still be reported, not at its first send.
template <Message M> struct MentionedMessage {
    static inline const MessageTypeId Id = messageTypeOf<M>().id;
};
#endif
template <Message M> [[gnu::noinline]] MessageTypeId lookUpMessageId() {
#ifdef SIGNALBOX_PLUGIN_BUILD
    static_cast<void>(&MentionedMessage<M>::Id);
#endif
    const MessageTypeId id = messageTypeOf<M>().id;
    KnownMessageId<M>.store(id, std::memory_order_relaxed);
    return id;
}
template <Message M> std::uint32_t knownMessageId() {
    return KnownMessageId<M>.load(std::memory_order_relaxed);
}
} // namespace detail

template <Message M> MessageTypeId messageIdOf() {
    const std::uint32_t id = detail::knownMessageId<M>();
    return id != NoType ? static_cast<MessageTypeId>(id) : detail::lookUpMessageId<M>();
}

} // namespace sbx
