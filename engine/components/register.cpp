#include "engine/components/register.h"

#include "engine/components/body.h"
#include "engine/components/looks.h"
#include "engine/components/mechanisms.h"
#include "engine/components/movers.h"
#include "engine/components/network_transform.h"
#include "engine/components/relay.h"
#include "engine/components/rules.h"
#include "engine/components/sounds.h"

namespace sbx {

void registerBuiltinComponents(ComponentRegistry& registry) {
    // Message types that are named only in text (Trigger.enter, console send) must be interned from the start.
    messageTypeOf<Activate>();
    messageTypeOf<SetOwner>();
    messageTypeOf<Deactivate>();
    messageTypeOf<SpawnNow>();
    messageTypeOf<Respawn>();
    messageTypeOf<Damage>();
    messageTypeOf<Heal>();
    messageTypeOf<Push>();
    messageTypeOf<Score>();
    messageTypeOf<KeyPressed>();
    messageTypeOf<KeyReleased>();
    messageTypeOf<Input>();
    messageTypeOf<Near>();
    messageTypeOf<Raycast>();
    messageTypeOf<PlaySound>();
    messageTypeOf<StopSound>();
    messageTypeOf<SoundFinished>();

    registry.registerComponent<Body>("Body");
    registry.registerComponent<Hinge>("Hinge");
    registry.registerComponent<Mesh>("Mesh");
    registry.registerComponent<Light>("Light");
    registry.registerComponent<Camera>("Camera");
    registry.registerComponent<Sun>("Sun");
    registry.registerComponent<Sky>("Sky");
    registry.registerComponent<Health>("Health");
    registry.registerComponent<Shield>("Shield");
    registry.registerComponent<Touch>("Touch");
    registry.registerComponent<Kick>("Kick");
    registry.registerComponent<Points>("Points");
    registry.registerComponent<Counter>("Counter");
    registry.registerComponent<Lifetime>("Lifetime");
    registry.registerComponent<Trigger>("Trigger");
    registry.registerComponent<Key>("Key");
    registry.registerComponent<Spawner>("Spawner");
    registry.registerComponent<Restart>("Restart");
    registry.registerComponent<Walk>("Walk");
    registry.registerComponent<Orbit>("Orbit");
    registry.registerComponent<Dive>("Dive");
    registry.registerComponent<Spin>("Spin");
    registry.registerComponent<Relay>("Relay");
    registry.registerComponent<NetworkTransform>("NetworkTransform");
    registry.registerComponent<Sound>("Sound");
    registry.registerComponent<Ears>("Listener");
    registry.registerComponent<Chamber>("Room");
}

} // namespace sbx
