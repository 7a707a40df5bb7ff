// The components this library brings, each under the name of its class. Once in a library.

#include "blinker.h"
#include "bouncer.h"
#include "engine/plugin/plugin.h"

SIGNALBOX_PLUGIN(my::Bouncer, my::Blinker)
