#pragma once
// Read access to an entity for the session and the editor's snapshots. Components use messages.
//
// A small value that looks things up at each call: its results are valid until the world changes.

#include "engine/core/math.h"
#include "engine/entity/entity_type.h"
#include "engine/entity/slot_table.h"
#include "engine/message/name_table.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sbx {

class EntityStore;
struct SpecialTable;

// Where an entity is; the world keeps one for those that have a place, a parent or children.
struct EntityPlace {
    Pose local; // in the parent's frame
    Pose pose;  // in the world
    EntityId parent;
    // In the order in which they were added. One that leaves becomes null in its place, so that the cost does not depend on the
    // number of children; EntityStore::childrenOf() closes the gaps.
    std::vector<EntityId> children;
    std::uint32_t gaps = 0; // among `children`
    std::uint32_t at = 0;   // among the parent's
    std::uint64_t tick = 0;  // of the last change of pose
    bool teleported = false; // the last change was a jump: do not draw motion between
};

// A component of an entity whose components differ from its type's, because one was added, removed, disabled or reloaded.
struct EntityPart {
    const ComponentType* type = nullptr;
    std::byte* memory = nullptr;
    static constexpr std::uint16_t Added = 0xFFFF;
    std::uint16_t declared = Added; // which of the type's layout; Added: at run time
    bool inBlock = false;           // else in memory of its own
    bool enabled = true;
    std::uint16_t life = 0; // what was sent to it: SlotAwake, SlotActive, SlotStarted, SlotEnded
    bool removed = false;   // it stays until its last message was sent
    // Unique among all components the entity has and had: a queued message finds its component by it, or none.
    std::uint16_t serial = 0;
};

// A setting that was given to the entity itself: changes of its type leave it alone.
struct EntityOverride {
    std::string component; // "Mesh", "Mesh#2"
    std::string field;
    Value kept; // while a definition has taken the component away: for when one brings it back
};

// What few entities have.
struct EntityDetails {
    std::string name;
    EntityId creator;
    bool fromScene = false;
    std::vector<EntityOverride> overrides;
    std::shared_ptr<const EntityType> type; // null: that of its pool
    std::vector<EntityPart> parts; // of special entities: all components, in file order, then those added
    std::uint16_t addedParts = 0;  // outside its block, so far
    SpecialTable* table = nullptr; // of special entities: its handlers
};

class Entity {
public:
    struct ComponentRef {
        const ComponentType* type = nullptr;
        void* component = nullptr;
        bool enabled = true;
    };

    Entity() = default;
    [[nodiscard]] explicit operator bool() const { return m_store != nullptr; }
    [[nodiscard]] EntityId id() const { return m_id; }
    // Unique in its world. An entity that was given none is called by its type and its number: "crate#12".
    [[nodiscard]] std::string name() const;
    // The same without a copy: where it was given none, it is made in `made`. Valid until the next change of either.
    [[nodiscard]] std::string_view nameIn(std::string& made) const;
    [[nodiscard]] const EntityType& type() const { return *sharedType(); }
    [[nodiscard]] const std::shared_ptr<const EntityType>& sharedType() const;
    [[nodiscard]] EntityId parent() const;
    [[nodiscard]] std::span<const EntityId> children() const;
    [[nodiscard]] const Pose& local() const { return place().local; } // in the parent's frame
    [[nodiscard]] const Pose& pose() const { return place().pose; }   // in the world
    [[nodiscard]] const EntityPlace& place() const;
    // The entity that requested it; null: scene, editor or console.
    [[nodiscard]] EntityId creator() const;
    [[nodiscard]] bool fromScene() const;
    [[nodiscard]] bool started() const { return slot().has(SlotStarted); }
    [[nodiscard]] bool dying() const { return slot().has(SlotDying); }
    // Itself and all its ancestors are.
    [[nodiscard]] bool enabled() const { return !slot().has(SlotSelfOff | SlotAncestorOff); }
    [[nodiscard]] bool enabledSelf() const { return !slot().has(SlotSelfOff); }
    // Whether scene, editor or console have overridden this setting of the type.
    [[nodiscard]] bool overrides(std::string_view component, std::string_view field) const;

    // Declared ones in file order, then those added at run time.
    [[nodiscard]] std::vector<ComponentRef> components() const;
    // "Mesh" is the first of its kind, "Mesh#2" the second.
    [[nodiscard]] ComponentRef component(std::string_view name) const;
    // Calls visit(ComponentRef) for each, in the same order.
    template <typename Visit> void eachComponent(const Visit& visit) const {
        const EntityDetails* const own = details();
        if (own != nullptr && slot().has(SlotSpecial)) {
            for (const EntityPart& part : own->parts)
                if (!part.removed)
                    visit(ComponentRef{part.type, part.memory, part.enabled});
            return;
        }
        std::byte* const block = slot().block;
        for (const EntityType::Slot& part : type().layout())
            visit(ComponentRef{part.type, block + part.offset, true});
    }

private:
    friend class EntityStore;
    friend class MessageRouter;
    friend class EntityLifecycle;
    friend class World;
    Entity(const EntityStore& store, EntityId id) : m_store(&store), m_id(id) {}
    [[nodiscard]] const Slot& slot() const;
    [[nodiscard]] const EntityDetails* details() const;
    const EntityStore* m_store = nullptr;
    EntityId m_id;
};

} // namespace sbx
