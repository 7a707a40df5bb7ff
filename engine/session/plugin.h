#pragma once
// Moved: plugins that were written for this path go on compiling. New ones include the header below.

#include "engine/plugin/plugin.h"
