#pragma once
// Messages the world itself sends. Not recorded by default.

#include "engine/core/math.h"
#include "engine/message/message_type.h"

namespace sbx {

// The life of an entity: Awake, OnEnable, Start, then phases tick by tick; OnDisable and OnEnable as it is switched off and on;
// OnDisable, OnDestroy. A component that is added later gets the same messages alone.

// All components of the entity exist, and all entities that were made with it.
struct Awake {
    static constexpr const char* Name = "Awake";
    static constexpr const char* Doc = "All components of the entity exist.";
    static constexpr bool Recorded = false;
    static void describe(FieldList<Awake>&) {}
};
// It takes part from now on: after Awake, and whenever it or an ancestor is enabled again.
struct OnEnable {
    static constexpr const char* Name = "OnEnable";
    static constexpr const char* Doc = "It takes part from now on: it is enabled, and so are its ancestors.";
    static constexpr bool Recorded = false;
    static void describe(FieldList<OnEnable>&) {}
};
// Once, before the first phase of whichever kind; not before it is enabled.
struct Start {
    static constexpr const char* Name = "Start";
    static constexpr const char* Doc = "Sent once, before the entity's first update.";
    static constexpr bool Recorded = false;
    static void describe(FieldList<Start>&) {}
};
// It takes no part from now on: no phases and no messages but the world's own.
struct OnDisable {
    static constexpr const char* Name = "OnDisable";
    static constexpr const char* Doc = "It takes no part from now on: it or an ancestor was disabled, or it goes.";
    static constexpr bool Recorded = false;
    static void describe(FieldList<OnDisable>&) {}
};
// The last message to the entity or the removed component; it is removed when no handler runs, at the latest at the end of the tick.
struct OnDestroy {
    static constexpr const char* Name = "OnDestroy";
    static constexpr const char* Doc = "The entity, or the component, is about to go.";
    static constexpr bool Recorded = false;
    static void describe(FieldList<OnDestroy>&) {}
};
// Whether messages of the type reach disabled entities and components.
[[nodiscard]] inline bool reachesDisabled(MessageTypeId type) {
    return type == messageIdOf<Awake>() || type == messageIdOf<OnDestroy>();
}

struct PreUpdate {
    static constexpr const char* Name = "PreUpdate";
    static constexpr const char* Doc = "First in a tick: input and delayed messages have arrived.";
    static constexpr bool Recorded = false;
    float dt = 0.0F;
    static void describe(FieldList<PreUpdate>& f) {
        f.add("dt", &PreUpdate::dt, "Length of the tick.").unit("s").range(0, 1);
    }
};
struct FixedUpdate {
    static constexpr const char* Name = "FixedUpdate";
    static constexpr const char* Doc = "Before physics: forces and kinematic targets.";
    static constexpr bool Recorded = false;
    float dt = 0.0F;
    static void describe(FieldList<FixedUpdate>& f) {
        f.add("dt", &FixedUpdate::dt, "Length of the tick.").unit("s").range(0, 1);
    }
};
struct Update {
    static constexpr const char* Name = "Update";
    static constexpr const char* Doc = "After physics: rules.";
    static constexpr bool Recorded = false;
    float dt = 0.0F;
    static void describe(FieldList<Update>& f) { f.add("dt", &Update::dt, "Length of the tick.").unit("s").range(0, 1); }
};
struct PostUpdate {
    static constexpr const char* Name = "PostUpdate";
    static constexpr const char* Doc = "Last in a tick: cameras and followers.";
    static constexpr bool Recorded = false;
    float dt = 0.0F;
    static void describe(FieldList<PostUpdate>& f) {
        f.add("dt", &PostUpdate::dt, "Length of the tick.").unit("s").range(0, 1);
    }
};

// A question: whichever component owns the position fills it in and consumes. Without an owner the world answers.
struct GetPose {
    static constexpr const char* Name = "GetPose";
    static constexpr const char* Doc =
        "Asks where the entity is; whichever component owns the position answers.";
    static constexpr bool Query = true;
    Vec3 position{0.0F};
    Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    static void describe(FieldList<GetPose>& f) {
        f.add("position", &GetPose::position, "World position.").unit("m");
        f.add("rotation", &GetPose::rotation, "World rotation.");
    }
};
// Asks the owner of the position to be there from now on (a teleport).
struct SetPose {
    static constexpr const char* Name = "SetPose";
    static constexpr const char* Doc = "Puts the entity somewhere at once.";
    Vec3 position{0.0F};
    Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    static void describe(FieldList<SetPose>& f) {
        f.add("position", &SetPose::position, "World position.").unit("m");
        f.add("rotation", &SetPose::rotation, "World rotation.");
    }
};

} // namespace sbx
