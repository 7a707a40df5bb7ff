#pragma once
// Switches the lamps of its entity on and off, turn by turn, with every Bounced.

#include "engine/entity/component_type.h"
#include "messages.h"

namespace my {

class Blinker : public sbx::Component {
public:
    struct Settings {
        bool inverted = false;
        static void describe(sbx::FieldList<Settings>& f) {
            f.add("inverted", &Settings::inverted, "Off first, then on.");
        }
    };
    Settings settings;

    Blinker(const sbx::ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(sbx::ComponentBuilder<Blinker>& b);

private:
    bool onBounced(Bounced& m);
};

} // namespace my
