#include "blinker.h"

#include "engine/components/messages.h"
#include "engine/entity/world.h"

namespace my {

void Blinker::describe(sbx::ComponentBuilder<Blinker>& b) {
    b.doc("Switches the lamps of its entity on and off, turn by turn, when it bounces.")
        .category("My parts")
        .handle<&Blinker::onBounced>()
        .sends<sbx::Activate>()
        .sends<sbx::Deactivate>();
}

bool Blinker::onBounced(Bounced& m) {
    if ((m.times % 2 == 1) != settings.inverted)
        world().send(entity(), sbx::Activate{}, entity());
    else
        world().send(entity(), sbx::Deactivate{}, entity());
    return false;
}

} // namespace my
