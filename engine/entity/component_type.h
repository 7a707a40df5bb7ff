#pragma once
// What the engine knows of a component class: name, size, how to build and destroy it, its handlers, settings and state.

#include "engine/core/fields.h"
#include "engine/entity/component.h"
#include "engine/message/dispatch_table.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace sbx {

struct ComponentType {
    std::string name;
    std::string doc;
    std::string category; // for the add-component popup: "Physics", "Rules", …
    ComponentTypeId id = NoType;
    bool unique = true; // at most one in an entity
    std::size_t size = 0;
    std::size_t alignment = 1;
    void (*construct)(void* memory, const ComponentContext& context, const void* settings) = nullptr;
    void (*destroy)(void* component) = nullptr;

    const FieldTable* settings = nullptr;
    std::shared_ptr<void> (*makeSettings)(const void* copyOf) = nullptr; // null: defaults
    void* (*settingsOf)(void* component) = nullptr;
    void (*settingsChanged)(void* component) = nullptr; // null: reads its settings when it needs them

    const FieldTable* state = nullptr;               // never null; empty without State
    void* (*stateOf)(void* component) = nullptr;     // null without State
    void (*stateChanged)(void* component) = nullptr; // null: reads its state when it needs it

    std::vector<HandlerDescription> handlers; // in order of declaration
    std::vector<MessageTypeId> sends;         // declared for the docs
    [[nodiscard]] std::vector<HandlerDescription> handlersFor(Side side) const;
};

template <typename T> class ComponentBuilder {
public:
    explicit ComponentBuilder(ComponentType& type) : m_type(type) {}
    ComponentBuilder& doc(std::string text) { return m_type.doc = std::move(text), *this; }
    ComponentBuilder& category(std::string text) { return m_type.category = std::move(text), *this; }
    // May stand several times in one entity.
    ComponentBuilder& repeatable() { return m_type.unique = false, *this; }
    // bool T::method(M&) or bool T::method(M&, const Envelope&); true consumes. Lower priorities first.
    template <auto Method> ComponentBuilder& handle(int priority = 0, Side side = Side::Both) {
        m_type.handlers.push_back(describeHandler<Method>(priority, side));
        return *this;
    }
    // Says that the component sends M: makes the type known before the first send, for completion and docs.
    template <Message M> ComponentBuilder& sends() {
        m_type.sends.push_back(messageIdOf<M>());
        return *this;
    }

private:
    ComponentType& m_type;
};

// The components an engine instance knows. Filled at start-up, then read-only and safe to read from any thread.
class ComponentRegistry {
public:
    ComponentRegistry() = default;
    ComponentRegistry(const ComponentRegistry&) = delete;
    ComponentRegistry& operator=(const ComponentRegistry&) = delete;

    template <typename T> const ComponentType& registerComponent(std::string name);
    [[nodiscard]] const ComponentType* find(std::string_view name) const;
    [[nodiscard]] const std::deque<ComponentType>& types() const { return m_types; }
    [[nodiscard]] std::vector<std::string> names() const;

private:
    const ComponentType& add(ComponentType type);
    std::deque<ComponentType> m_types; // stable addresses
};

template <typename T> const ComponentType& ComponentRegistry::registerComponent(std::string name) {
    static_assert(std::is_base_of_v<Component, T>);
    using Settings = typename T::Settings;
    ComponentType type;
    type.name = std::move(name);
    type.size = sizeof(T);
    type.alignment = alignof(T);
    type.construct = [](void* memory, const ComponentContext& context, const void* settings) {
        new (memory) T(context, *static_cast<const Settings*>(settings));
    };
    type.destroy = [](void* component) { static_cast<T*>(component)->~T(); };
    type.settings = &fieldsOf<Settings>();
    type.makeSettings = [](const void* copyOf) -> std::shared_ptr<void> {
        return copyOf == nullptr ? std::make_shared<Settings>()
                                 : std::make_shared<Settings>(*static_cast<const Settings*>(copyOf));
    };
    type.settingsOf = [](void* component) -> void* { return &static_cast<T*>(component)->settings; };
    if constexpr (requires(T & t) { t.settingsChanged(); })
        type.settingsChanged = [](void* component) { static_cast<T*>(component)->settingsChanged(); };
    static const FieldTable NoState;
    type.state = &NoState;
    if constexpr (requires(T & t) { t.state; }) {
        type.state = &fieldsOf<typename T::State>();
        type.stateOf = [](void* component) -> void* { return &static_cast<T*>(component)->state; };
        if constexpr (requires(T & t) { t.stateChanged(); })
            type.stateChanged = [](void* component) { static_cast<T*>(component)->stateChanged(); };
    }
    ComponentBuilder<T> builder(type);
    T::describe(builder);
    return add(std::move(type));
}

} // namespace sbx
