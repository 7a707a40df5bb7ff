// signalbox-plugin-check FILE: loads a plugin in a process of its own, so that what crashes or hangs does so
// here.

#include "engine/session/plugin_library.h"

#include <sys/resource.h>

#include <cstdio>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: signalbox-plugin-check FILE\n", stderr);
        return 2;
    }
    // A crash here is an answer, not something to keep a memory image of.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    return sbx::checkPlugin(argv[1]);
}
