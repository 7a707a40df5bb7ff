#pragma once
// The base of every component. A component class T has
//   - `struct Settings` with describe(): built from its part of the definition file, plus the instance's overrides;
//   - optionally `struct State` with describe(): what changes while running and makes up digest, inspector and network state;
//   - `T(const ComponentContext&, const Settings&)`, with public members `Settings settings;` and, if declared, `State state;`
//   - `static void describe(ComponentBuilder<T>&)`: doc, handlers, uniqueness;
//   - optionally `void settingsChanged()` or `void settingsChanged(const Settings& before)`, and `void stateChanged()`: called
//     after an edit from outside while the world runs. State that the constructor made of a setting follows it, unless
//     something happened to it since: edits applied live end as a fresh load.
// Components live inside their entity's block and never move. They are built when the entity is created and destroyed after
// the tick in which it is destroyed; both on the simulation thread.

#include "engine/core/ids.h"

#include <cstddef>
#include <cstdint>

namespace sbx {

class World;

struct ComponentContext {
    World& world;
    EntityId entity;
};

class Component {
public:
    Component(const Component&) = delete;
    Component& operator=(const Component&) = delete;

    [[nodiscard]] EntityId entity() const { return m_entity; }
    [[nodiscard]] World& world() const { return *m_world; }

protected:
    // Both words in one store: the cost of creating an entity is mainly the number of stores (see Slot::begin()).
    explicit Component(const ComponentContext& context) {
        static_assert(offsetof(Component, m_entity) == 8);
        using Pair = std::uint64_t __attribute__((vector_size(16)));
        const Pair both = {reinterpret_cast<std::uintptr_t>(&context.world), context.entity.bits};
        __builtin_memcpy(static_cast<void*>(&m_world), &both, sizeof both);
    }
    ~Component() = default;

private:
    World* m_world;
    EntityId m_entity;
};

} // namespace sbx
