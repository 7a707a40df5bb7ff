#pragma once
// The fonts that come with the program itself, where the package has some: the archives have, since the machine may have none. The
// user's and the system's fonts stay available. GUI thread, after the application object is made.

#include <filesystem>
#include <vector>

namespace sbx::ui {

// Reads each font file in `fonts` below each of `resources`; what cannot be read is left out.
void addBundledFonts(const std::vector<std::filesystem::path>& resources);

} // namespace sbx::ui
