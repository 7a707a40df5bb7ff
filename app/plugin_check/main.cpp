// signalbox-plugin-check FILE: loads a plugin in a process of its own, so that what crashes or hangs does so
// here.
//
// signalbox-plugin-check --trust FOLDER: the plugins of the project there may run, as "Trust this project" says it in the editor. What
// builds a project's plugins calls it: who builds them has run the project's code by then.

#include "engine/core/user_folders.h"
#include "engine/plugin/plugin_library.h"
#include "engine/plugin/trusted_projects.h"

#include <sys/resource.h>

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--trust") == 0) {
        sbx::TrustedProjects trusted(sbx::UserFolders::ofUser().config / sbx::TrustedProjectsFile, {});
        if (const sbx::Result<void> done = trusted.trust(argv[2]); !done) {
            std::fprintf(stderr, "warning: the project is not trusted, and the editor will ask: %s\n", done.error().toString().c_str());
            return 1;
        }
        return 0;
    }
    if (argc != 2) {
        std::fputs("usage: signalbox-plugin-check FILE | --trust FOLDER\n", stderr);
        return 2;
    }
    // A crash here is an answer, not something to keep a memory image of.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    return sbx::checkPlugin(argv[1]);
}
