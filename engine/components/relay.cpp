#include "engine/components/relay.h"

#include "engine/components/network_messages.h"

namespace sbx {

void Relay::describe(ComponentBuilder<Relay>& b) {
    b.doc("Tells the clients of a network session what happens to the entity.").category("Network");
    // Before shields and health change it; the clients' worlds answer it again.
    constexpr int First = -1000;
    b.handle<&Relay::tell<Damage>>(First, Side::Server)
        .handle<&Relay::tell<Died>>(First, Side::Server)
        .handle<&Relay::tell<Activate>>(First, Side::Server)
        .handle<&Relay::tell<Deactivate>>(First, Side::Server)
        .handle<&Relay::tell<Chat>>(First, Side::Server);
    b.sends<PlayerInfo>().sends<GameStart>();
}

} // namespace sbx
