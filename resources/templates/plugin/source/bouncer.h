#pragma once
// Throws its body up whenever something touches it.

#include "engine/components/messages.h"
#include "engine/entity/component_type.h"

namespace my {

class Bouncer : public sbx::Component {
public:
    // From the definition file; shown and edited in the inspector.
    struct Settings {
        float strength = 8.0F;
        int limit = 0;
        static void describe(sbx::FieldList<Settings>& f) {
            f.add("strength", &Settings::strength, "Impulse upwards with each touch.")
                .unit("N*s")
                .range(0, 1000);
            f.add("limit", &Settings::limit, "How often at most; 0: always.").range(0, 1000000);
        }
    };
    // Changes while running; kept when the library is built again.
    struct State {
        int times = 0;
        static void describe(sbx::FieldList<State>& f) { f.add("times", &State::times, "How often so far."); }
    };
    Settings settings;
    State state;

    Bouncer(const sbx::ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(sbx::ComponentBuilder<Bouncer>& b);

private:
    bool onContact(sbx::ContactBegan& m);
};

} // namespace my
