#pragma once
// Hides on the screen that the network corrects the places of entities.
//
// Purpose: a client's world runs by itself between the states that it receives, and each state puts an entity right at once, so that
// the simulation continues from what the server has. What is drawn keeps the difference between the place before and after such a
// correction, and lets it decay exponentially: nothing jumps, and the simulation is not touched. Method: Glenn Fiedler, "State
// Synchronization" (2015), section "Visual smoothing".
// Data flow: correct() for every correction, advance() once a tick, shown() whenever a picture is made. Thread: the simulation's.
// In steady state no call allocates.

#include "engine/core/math.h"
#include "engine/entity/entity.h"

#include <cstdint>
#include <vector>

namespace sbx {

class World;

class PoseSmoothing {
public:
    // Seconds until a difference has decayed to 1/e; 0: corrections are seen at once.
    void setTime(float seconds) { m_time = seconds; }
    [[nodiscard]] float time() const { return m_time; }
    // Metres: a correction that leaves the drawn place farther away than this is seen at once.
    static constexpr float SnapDistance = 4.0F;

    // The entity was at `before` and is at `after` now, both in the world, because a state said so.
    void correct(EntityId entity, const Pose& before, const Pose& after);
    void advance(float dt); // seconds
    void clear();
    // Where the entity is drawn: its pose, shifted by what is left of its own corrections and of those of its ancestors.
    [[nodiscard]] Pose shown(const World& world, const Entity& entity) const;

private:
    struct Offset {
        EntityId entity; // null: none
        Vec3 position{0.0F};
        Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    };
    [[nodiscard]] const Offset* find(EntityId entity) const;

    float m_time = 0.12F;
    std::vector<Offset> m_offsets;       // by the entity's slot
    std::vector<std::uint32_t> m_active; // slots with an offset
};

} // namespace sbx
