#include "engine/session/link_cvars.h"

#include <array>
#include <cmath>
#include <variant>

namespace sbx {

namespace {

using net::LinkSettings;
using net::Time;

struct Knob {
    const char* name;
    const char* doc;
    const char* unit;
    double maximum;
    double factor; // from the unit to the member's
    Time LinkSettings::*time = nullptr;
    double LinkSettings::*number = nullptr;
    double least = 0.0;
};

constexpr double Millis = static_cast<double>(net::Millisecond);

constexpr std::array Knobs{
    Knob{"net.sim.latency", "Lag: the time that a datagram takes, one way.", "ms", 10'000.0, Millis, &LinkSettings::latency},
    Knob{"net.sim.jitter", "What it may take in addition, evenly spread; more than the spacing of packets reorders them.", "ms",
         10'000.0, Millis, &LinkSettings::jitter},
    Knob{"net.sim.loss", "Share of datagrams that are lost.", "%", 100.0, 0.01, nullptr, &LinkSettings::loss},
    Knob{"net.sim.burst", "How many are lost in a row, in the mean; 1: each by itself.", "", 1000.0, 1.0, nullptr,
         &LinkSettings::burst, 1.0},
    Knob{"net.sim.duplicate", "Share of datagrams that arrive twice.", "%", 100.0, 0.01, nullptr, &LinkSettings::duplicate},
    Knob{"net.sim.reorder", "Share of datagrams that are held back.", "%", 100.0, 0.01, nullptr, &LinkSettings::reorder},
    Knob{"net.sim.reorderBy", "For how long those are held back.", "ms", 10'000.0, Millis, &LinkSettings::reorderBy},
    Knob{"net.sim.corrupt", "Share of datagrams in which one bit is wrong.", "%", 100.0, 0.01, nullptr, &LinkSettings::corrupt},
    Knob{"net.sim.rate", "What goes through the bottleneck; 0: anything.", "kbit/s", 1e9, 1000.0, nullptr, &LinkSettings::rate},
    Knob{"net.sim.queue", "How much the bottleneck holds, as the time it takes to drain; what comes then is lost.", "ms",
         10'000.0, Millis, &LinkSettings::queue},
};
constexpr const char* Blackout = "net.sim.blackout";
constexpr Time Forever = 86'400 * net::Second; // as long as the text of a link may say

double initial(const Knob& knob) {
    const LinkSettings none;
    const double own = knob.time != nullptr ? static_cast<double>(none.*knob.time) : none.*knob.number;
    return own / knob.factor;
}

} // namespace

LinkCVars::LinkCVars(CVarRegistry& registry) : m_registry(&registry) {
    for (const Knob& knob : Knobs)
        registry.add<double>(knob.name, initial(knob), knob.doc,
                             {.unit = knob.unit, .minimum = knob.least, .maximum = knob.maximum});
    registry.add<bool>(Blackout, false, "Nothing gets through, either way.");
}

bool LinkCVars::overlay(net::LinkProfile& link) const {
    bool any = false;
    const auto value = [&](const char* name) -> std::optional<Value> {
        const std::optional<CVarInfo> info = m_registry->describe(name);
        return info && info->lastSetBy != CVarSource::Default ? std::optional(info->value) : std::nullopt;
    };
    for (const Knob& knob : Knobs) {
        const std::optional<Value> set = value(knob.name);
        if (!set)
            continue;
        any = true;
        const double own = std::get<double>(*set) * knob.factor;
        for (LinkSettings* direction : {&link.up, &link.down}) {
            if (knob.time != nullptr)
                direction->*knob.time = static_cast<Time>(std::llround(own));
            else
                direction->*knob.number = own;
        }
    }
    if (const std::optional<Value> set = value(Blackout)) {
        any = true;
        const bool dark = std::get<bool>(*set);
        for (LinkSettings* direction : {&link.up, &link.down}) {
            direction->blackoutFrom = 0;
            direction->blackoutUntil = dark ? Forever : 0;
        }
    }
    return any;
}

} // namespace sbx
