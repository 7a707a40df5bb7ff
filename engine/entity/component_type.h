#pragma once
// The description of a component class: name, size, how to build and destroy it, its handlers, settings and state.

#include "engine/core/fields.h"
#include "engine/entity/component.h"
#include "engine/message/dispatch_table.h"

#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

namespace sbx {

// A class that a component is: itself or a base, and where in the component it lies.
struct ComponentClass {
    const std::type_info* type = nullptr;
    std::ptrdiff_t offset = 0;
};

// How one component of a block is constructed. Steps form an array: each constructs its component and continues with the next; the
// last one's `construct` only returns.
struct ConstructStep {
    using Function = void(const ConstructStep* part, std::byte* block, World& world, EntityId entity);
    Function* construct = [](const ConstructStep*, std::byte*, World&, EntityId) {};
    std::size_t offset = 0; // in the block
    const void* settings = nullptr;
};
// The same for destruction.
struct DestroyStep {
    using Function = void(const DestroyStep* part, std::byte* block);
    Function* destroy = [](const DestroyStep*, std::byte*) {};
    std::size_t offset = 0;
};

// Where something is written in source code.
struct CodeLine {
    std::string
        file; // as the compiler was told: absolute, or of a release build from the folder of the sources
    unsigned line = 0; // from 1
};

struct ComponentType {
    std::string name;
    std::string doc;
    std::string category; // for the add-component popup: "Physics", "Rules", …
    std::vector<std::string> aliases; // what other tools call it, for search: "rigidbody"
    ComponentTypeId id = NoType;
    bool unique = true; // at most one in an entity
    // It only observes messages, to forward or count them, and does not do what they ask for. The trace does not count its handlers: a
    // message that only observers received is unhandled.
    bool observer = false;
    std::size_t size = 0;
    std::size_t alignment = 1;
    // Both go on with the next by a jump, for as many as the array names; its last entry ends it.
    ConstructStep::Function* construct = nullptr;
    DestroyStep::Function* destroy = nullptr; // null: nothing is left to do
    // One alone.
    void constructAt(void* memory, World& world, EntityId entity, const void* itsSettings) const;
    void destroyAt(void* memory) const;
    // What getComponent() finds it by: itself, then its bases, flattened by the registry.
    std::vector<ComponentClass> classes;

    const FieldTable* settings = nullptr;
    std::shared_ptr<void> (*makeSettings)(const void* copyOf) = nullptr; // null: defaults
    void* (*settingsOf)(void* component) = nullptr;
    // `before`: the settings it had. Null: it reads its settings when it needs them.
    void (*settingsChanged)(void* component, const void* before) = nullptr;

    const FieldTable* state = nullptr;               // never null; empty without State
    void* (*stateOf)(void* component) = nullptr;     // null without State
    void (*stateChanged)(void* component) = nullptr; // null: reads its state when it needs it

    std::vector<HandlerDescription> handlers; // in order of declaration
    std::vector<CodeLine> handlerLines;       // beside them: where each was declared
    std::ptrdiff_t base = 0;                  // where in the component its class Component lies
    HandlerEntry* constructorEntry = nullptr; // what is noted while it is made; null: nothing is
    // Names the component for its handlers and for reports of what is under way. `plugin`: HandlerOrigin::plugin; empty: the engine's own.
    void nameOrigins(const std::string& plugin);
    std::vector<MessageTypeId> sends;         // declared for the docs
    [[nodiscard]] std::vector<HandlerDescription> handlersFor(Side side) const;
    // Where in the component the class lies; null: it is none.
    [[nodiscard]] const ComponentClass* as(const std::type_info& type) const;
    [[nodiscard]] bool isA(const ComponentType& other) const {
        return as(*other.classes.front().type) != nullptr;
    }
    // Whether both may not be in one entity: one is the other, and that is unique. Siblings of a unique base may.
    [[nodiscard]] bool excludes(const ComponentType& other) const {
        return (unique && other.isA(*this)) || (other.unique && isA(other));
    }
};

// Notes in the world which constructor threw.
[[gnu::cold]] void noteFailure(World& world, const ConstructStep& part);

// Says in the log that a component threw while it handled a message, or while `what` was done to it.
void reportHandlerException(const Component& component, MessageTypeId message, const char* text);
void reportException(const Component& component, const char* what, const char* text);

// Calls a component of a plugin after a change from outside. An exception is caught and logged, as that of a handler is.
template <typename Call> void callGuarded(const Component& component, const char* what, const Call& call) {
#ifdef SIGNALBOX_PLUGIN_BUILD
    try {
        call();
    } catch (const std::exception& e) {
        reportException(component, what, e.what());
    } catch (...) {
        reportException(component, what, "no std::exception");
    }
#else
    static_cast<void>(component);
    static_cast<void>(what);
    call();
#endif
}

// The handlers of plugins: an exception ends here, the message counts as passed. Costs nothing until something is thrown.
template <auto Method> bool guardedHandler(void* component, void* message, const void* about) {
    using Traits = detail::HandlerTraits<decltype(Method)>;
    const auto report = [&](const char* what) {
        reportHandlerException(*static_cast<typename Traits::Component*>(component),
                               messageIdOf<typename Traits::MessageType>(), what);
    };
    try {
        return detail::callHandler<Method>(component, message, about);
    } catch (const std::exception& e) {
        report(e.what());
    } catch (...) {
        report("no std::exception");
    }
    return false;
}

#ifdef SIGNALBOX_PLUGIN_BUILD
namespace detail {
// What is noted as under way while a plugin's component is made. One for each library, as the class is.
template <typename T> inline HandlerEntry constructorEntry;
} // namespace detail
#endif

template <typename T> class ComponentBuilder {
public:
    explicit ComponentBuilder(ComponentType& type) : m_type(type) {}
    ComponentBuilder& doc(std::string text) { return m_type.doc = std::move(text), *this; }
    ComponentBuilder& category(std::string text) { return m_type.category = std::move(text), *this; }
    // Other words by which a list of components finds it, as other tools call it: aliases({"rigidbody", "collider"}).
    ComponentBuilder& aliases(std::vector<std::string> words) { return m_type.aliases = std::move(words), *this; }
    // T derives from B, which may be a component or any other class: getComponent<B>() finds T. B's own bases count if B is a
    // registered component, else name them too.
    template <typename B> ComponentBuilder& base() {
        static_assert(std::is_base_of_v<B, T> && !std::is_same_v<B, T>);
        m_type.classes.push_back(classIn<B>());
        return *this;
    }
    // See ComponentType::observer.
    ComponentBuilder& observer() { return m_type.observer = true, *this; }
    // An entity may have several of them.
    ComponentBuilder& repeatable() { return m_type.unique = false, *this; }
    // bool T::method(M&) or bool T::method(M&, const Envelope&); true consumes. Lower priorities first. `file` and `line` are those of
    // the call.
    template <auto Method> ComponentBuilder& handle(int priority = 0, Side side = Side::Both,
                                                    const char* file = __builtin_FILE(),
                                                    unsigned line = __builtin_LINE()) {
#ifdef SIGNALBOX_PLUGIN_BUILD
        m_type.handlers.push_back(describeHandler<Method, &guardedHandler<Method>>(priority, side));
#else
        m_type.handlers.push_back(describeHandler<Method>(priority, side));
#endif
        m_type.handlerLines.push_back({file, line});
        return *this;
    }
    // Declares that the component sends M: makes the type known before the first send, for completion and docs.
    template <Message M> ComponentBuilder& sends() {
        m_type.sends.push_back(messageIdOf<M>());
        return *this;
    }

    template <typename B> static ComponentClass classIn() {
        static_assert(
            requires(B * base) { static_cast<T*>(base); }, "a virtual base lies elsewhere in each object");
        // Any address will do: the distance between an object and its base is the same everywhere.
        alignas(T) static std::byte memory[sizeof(T)];
        T* const derived = reinterpret_cast<T*>(memory);
        B* const base = derived;
        return {&typeid(B), reinterpret_cast<std::byte*>(base) - memory};
    }

private:
    ComponentType& m_type;
};

// The component types of an engine instance. Filled at start-up, then read-only and safe to read from any thread.
class ComponentRegistry {
public:
    ComponentRegistry() = default;
    ComponentRegistry(const ComponentRegistry&) = delete;
    ComponentRegistry& operator=(const ComponentRegistry&) = delete;

    // Bases as in ComponentBuilder::base().
    template <typename T, typename... Bases> const ComponentType& registerComponent(std::string name);
    [[nodiscard]] const ComponentType* find(std::string_view name) const;
    [[nodiscard]] const std::deque<ComponentType>& types() const { return m_types; }
    [[nodiscard]] std::vector<std::string> names() const;

private:
    const ComponentType& add(ComponentType type);
    void flatten();
    std::deque<ComponentType> m_types; // stable addresses
};

template <typename T, typename... Bases>
const ComponentType& ComponentRegistry::registerComponent(std::string name) {
    static_assert(std::is_base_of_v<Component, T>);
    using Settings = typename T::Settings;
    ComponentType type;
    type.name = std::move(name);
    type.size = sizeof(T);
    type.alignment = alignof(T);
    type.construct = [](const ConstructStep* part, std::byte* block, World& world, EntityId entity) {
#ifdef SIGNALBOX_PLUGIN_BUILD
        const struct {
            World* world;
            EntityId entity;
        } owner{&world, entity};
        const UnderWayScope underWay(&detail::constructorEntry<T>, &owner);
#endif
        try {
            new (block + part->offset)
                T(ComponentContext{world, entity}, *static_cast<const Settings*>(part->settings));
        } catch (...) {
            noteFailure(world, *part);
            throw;
        }
        ++part;
        return part->construct(part, block, world, entity);
    };
    if constexpr (!std::is_trivially_destructible_v<T>)
        type.destroy = [](const DestroyStep* part, std::byte* block) {
            reinterpret_cast<T*>(block + part->offset)->~T();
            ++part;
            return part->destroy(part, block);
        };
    type.classes.push_back({&typeid(T), 0});
    type.settings = &fieldsOf<Settings>();
    type.makeSettings = [](const void* copyOf) -> std::shared_ptr<void> {
        return copyOf == nullptr ? std::make_shared<Settings>()
                                 : std::make_shared<Settings>(*static_cast<const Settings*>(copyOf));
    };
    type.settingsOf = [](void* component) -> void* { return &static_cast<T*>(component)->settings; };
    if constexpr (requires(T & t, const Settings& before) { t.settingsChanged(before); })
        type.settingsChanged = [](void* component, const void* before) {
            callGuarded(*static_cast<T*>(component), "its settings changed", [&] {
                static_cast<T*>(component)->settingsChanged(*static_cast<const Settings*>(before));
            });
        };
    else if constexpr (requires(T & t) { t.settingsChanged(); })
        type.settingsChanged = [](void* component, const void*) {
            callGuarded(*static_cast<T*>(component), "its settings changed",
                        [&] { static_cast<T*>(component)->settingsChanged(); });
        };
    static const FieldTable NoState;
    type.state = &NoState;
    if constexpr (requires(T & t) { t.state; }) {
        type.state = &fieldsOf<typename T::State>();
        type.stateOf = [](void* component) -> void* { return &static_cast<T*>(component)->state; };
        if constexpr (requires(T & t) { t.stateChanged(); })
            type.stateChanged = [](void* component) {
                callGuarded(*static_cast<T*>(component), "its state changed",
                            [&] { static_cast<T*>(component)->stateChanged(); });
            };
    }
    ComponentBuilder<T> builder(type);
    (builder.template base<Bases>(), ...);
    T::describe(builder);
    type.base = ComponentBuilder<T>::template classIn<Component>().offset;
#ifdef SIGNALBOX_PLUGIN_BUILD
    type.constructorEntry = &detail::constructorEntry<T>;
#endif
    return add(std::move(type));
}

} // namespace sbx
