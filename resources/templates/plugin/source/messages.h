#pragma once
// What the components of this library say to each other. A message is a plain struct that describes its
// fields once.

#include "engine/message/message_type.h"

namespace my {

struct Bounced {
    static constexpr const char* Name = "Bounced";
    static constexpr const char* Doc = "The entity has jumped off something.";
    int times = 0;
    static void describe(sbx::FieldList<Bounced>& f) {
        f.add("times", &Bounced::times, "How often so far, this time included.");
    }
};

} // namespace my
