#pragma once
// What a simulation is built with, and the settings that a server and its clients share. Plain values: where they come from (CVars, a
// test, another program) is the owner's business.

#include "engine/core/result.h"
#include "engine/entity/world.h"
#include "engine/physics/physics_types.h"

#include <cstdint>
#include <functional>
#include <string>

namespace sbx {

struct SimulationSettings {
    double tickRate = 60.0; // Hz
    std::uint64_t seed = 1; // of the world's random numbers
    float gravity = 9.81F;  // m/s², downwards
    physics::Broadphase broadphase = physics::Broadphase::Tree;
    float margin = physics::WorldDesc{}.margin; // metres, on each side of the tree's boxes
    bool exactPairs = false; // pairs of boxes without a margin, in order of creation
    WorldBudget budget;
    float smoothing = 0.12F; // s; see PoseSmoothing::setTime()
    bool prediction = true;  // see PlayerPrediction
};

// Settings whose value on the server holds on every client. A simulation that is a server sends what visit() lists when revision()
// has changed; one that is a client passes what arrives to follow(). Thread: the one that ticks the simulation.
class SharedSettings {
public:
    virtual ~SharedSettings() = default;
    // Client: the server's value, as text; the error says why it cannot be followed here.
    virtual Result<void> follow(const std::string& name, const std::string& text) = 0;
    // Called with true when a simulation becomes a client, with false when it begins without a server again: values that were
    // followed then end.
    virtual void setFollowing(bool following) = 0;
    // Server: grows whenever any of the values may have changed; never 0.
    [[nodiscard]] virtual std::uint64_t revision() const = 0;
    // Server: every setting that clients follow, with its value as text.
    virtual void visit(const std::function<void(const std::string& name, const std::string& text)>& each) const = 0;
};

} // namespace sbx
