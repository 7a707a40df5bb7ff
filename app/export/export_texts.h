#pragma once
// The texts that an export holds beside copied files. Pure functions.

#include <string>
#include <vector>

namespace sbx::app {

// A script of sh that starts the player beside it, wherever the folder lies.
[[nodiscard]] std::string launcherText(const std::string& name);
// An entry for desktops, which starts the launcher of its own name beside it.
[[nodiscard]] std::string desktopEntryText(const std::string& name);
// `needs`: Debian packages with the libraries that are not carried; without any they are named in words. `carried`: Qt and the others are, but not those of
// any desktop.
[[nodiscard]] std::string readmeText(const std::string& name, bool carried, const std::vector<std::string>& needs);
// Where Qt looks for its plugins.
[[nodiscard]] std::string qtConfText();

} // namespace sbx::app
