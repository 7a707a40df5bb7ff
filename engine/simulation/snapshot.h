#pragma once
// What a window sees of a session: published after each tick and each change, never changed afterwards, shared by any threads.

#include "engine/core/value.h"
#include "engine/entity/entity_type.h"
#include "engine/physics/physics_types.h"
#include "engine/render/scene.h"
#include "engine/simulation/network_view.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sbx {

struct Catalog;
struct LiveEdit; // engine/session/live_edits.h

enum class Mode { Edit, Play, Pause };
// "edit", "play", "paused".
[[nodiscard]] const char* modeName(Mode mode);

struct EntityRow {
    EntityId id;
    std::string name; // unique in its world
    std::string type;
    std::string icon;
    std::string parent;     // name; empty: none
    bool fromScene = false; // an instance of the scene file, not spawned while running
    std::shared_ptr<const EntityType> entityType;
};

// Rebuilt only when entities come, go, are renamed or switched: compare pointers.
struct EntityList {
    std::vector<EntityRow> rows; // instances of the scene in the order of its file, then the others in id order
    std::vector<std::string> types; // that could be spawned, in file order
    std::unordered_map<std::string, std::size_t> byName;
    std::unordered_map<std::uint64_t, std::size_t> byId;

    [[nodiscard]] const EntityRow* find(const std::string& name) const;
    [[nodiscard]] const EntityRow* find(EntityId id) const;
};

// Which entities match the filter that a window asked for (Session::filterEntities).
struct EntityMatches {
    std::string filter;        // as it was asked for
    std::vector<EntityId> ids; // in id order; of the rows in the same snapshot
};

struct InspectedField {
    const FieldInfo* info = nullptr; // lives as long as the process
    Value value;
    bool overridden = false; // differs from the type by wish of scene, editor or console
};
struct InspectedComponent {
    const ComponentType* type = nullptr; // lives as long as the session
    std::string name;                    // "Mesh", and "Mesh#2" for the second of a kind
    std::vector<InspectedField> settings;
    std::vector<InspectedField> state;
};
// Live values of one entity that the window asked for.
struct Inspection {
    EntityId id;
    std::string name;
    std::string type;
    std::string parent;
    Pose local; // in the parent's frame
    Pose pose;  // in the world
    std::vector<InspectedComponent> components;
};

// What several entities that the window asked for have in common: all of them were looked at, none is left out.
struct InspectedTogether {
    struct Component {
        const ComponentType* type = nullptr; // as in InspectedComponent, by which it is found
        std::string name;
        std::size_t count = 0; // entities that have it
        // As its fields: which numbers of the value (bit 0 the first; for other values bit 0) are not the same in all those entities.
        std::vector<std::uint8_t> settingsDiffer;
        std::vector<std::uint8_t> stateDiffers;
        // As its fields: the values of the first entity that has it, and whether any overrides the setting.
        std::vector<Value> settings;
        std::vector<Value> state;
        std::vector<bool> overridden;
    };
    std::size_t entities = 0; // that live
    // Bits as above, of the places in the parents' frames; of the rotation in degrees.
    std::uint8_t positionDiffers = 0;
    std::uint8_t rotationDiffers = 0;
    std::uint8_t scaleDiffers = 0;
    std::vector<Component> components;
};

// What the physics sees, for drawing over the picture; of each part only what was asked for (CVars debug.*).
struct PhysicsView {
    std::vector<physics::DebugLine> shapes;
    std::vector<physics::Contact> contacts; // of bodies that are awake, in the last tick
    std::vector<physics::DebugBox> tree;
};

struct FrameSnapshot {
    std::uint64_t serial = 0; // grows with every publication
    std::uint64_t run = 0;    // grows with every play and stop: ticks and sequences start over
    Mode mode = Mode::Edit;
    std::uint64_t tick = 0;
    double tickRate = 60.0; // Hz
    double timeScale = 1.0;
    double tickMs = 0.0; // what the last tick took
    bool overBudget = false; // see Session::overBudget()
    std::chrono::steady_clock::time_point published;
    std::shared_ptr<const EntityList> entities;
    // What their components are, which is what filters over them are compiled with. Behind Session::catalog() for as long as the
    // session has not taken over what was loaded last.
    std::shared_ptr<const Catalog> catalog;
    // Null: no filter is in force. The same object for as long as the same match: compare pointers.
    std::shared_ptr<const EntityMatches> matches;
    std::shared_ptr<const render::Scene> scene;
    std::shared_ptr<const PhysicsView> physics; // null: nobody asked
    std::shared_ptr<const NetworkView> network; // null: the run is nobody else's
    // In the order they were asked for; those that live. Of many (WindowInspection::MaxInspected) only the primary one.
    std::vector<Inspection> inspected;
    // Null: fewer than two were asked for. While the world runs it may be older than the rest, by one publication for 256 entities.
    std::shared_ptr<const InspectedTogether> together;
    // What a person has changed by hand in the main world of this run, or, while stopped, of the last one. Never null but before the first
    // publication; compare pointers.
    std::shared_ptr<const std::vector<LiveEdit>> liveEdits;
};

} // namespace sbx
