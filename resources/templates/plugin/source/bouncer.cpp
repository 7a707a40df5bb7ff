#include "bouncer.h"

#include "engine/entity/world.h"
#include "messages.h"

namespace my {

void Bouncer::describe(sbx::ComponentBuilder<Bouncer>& b) {
    b.doc("Throws its body up whenever something touches it.")
        .category("My parts")
        .handle<&Bouncer::onContact>()
        .sends<sbx::Push>()
        .sends<Bounced>();
}

bool Bouncer::onContact(sbx::ContactBegan&) {
    if (settings.limit > 0 && state.times >= settings.limit)
        return false; // others may have a use for the message
    ++state.times;
    world().send(entity(), sbx::Push{{0.0F, settings.strength, 0.0F}, {}}, entity());
    world().send(entity(), Bounced{state.times}, entity());
    return false;
}

} // namespace my
