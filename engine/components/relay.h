#pragma once
// Sends what happens to an entity to the clients of a session.

#include "engine/components/messages.h"
#include "engine/components/network_messages.h"
#include "engine/components/network_trail.h"
#include "engine/entity/component_type.h"

namespace sbx {

// Sends damage, death, switching and chat on to the same entity in every client's world; states follow by themselves. Each
// message names the ones it must not overtake as dependencies, and nothing else: death comes after every hit before it and a hit after the death before it,
// but no hit waits for another; switching and chat are in order each, and wait for nothing else.
class Relay : public Component {
public:
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Relay(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Relay>& b);

private:
    bool onDamage(Damage& m);
    bool onDied(Died& m);
    bool onActivate(Activate& m) { return inOrder(m_switching, m); }
    bool onDeactivate(Deactivate& m) { return inOrder(m_switching, m); }
    bool onChat(Chat& m) { return inOrder(m_chat, m); }
    template <typename M> bool inOrder(NetworkTrail& trail, const M& m);

    NetworkTrail m_hits; // and the death before them
    NetworkTrail m_death;
    NetworkTrail m_switching;
    NetworkTrail m_chat;
};

} // namespace sbx
