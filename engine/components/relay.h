#pragma once
// Tells the clients of a session what happens to an entity.

#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/entity/component_type.h"

namespace sbx {

// Sends damage, death, switching and chat on to the same entity in every client's world; states follow by themselves.
class Relay : public Component {
public:
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Relay(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Relay>& b);

private:
    template <typename M> bool tell(M& m) {
        world().service<NetworkSystem>().send(entity(), m);
        return false;
    }
};

} // namespace sbx
