#pragma once
// The sample projects that come with the program, by name.

#include <string>

namespace sbx::app {

// `asked` as it is, unless no such file is there and it is the name of a sample ("courtyard"): then the sample's folder.
[[nodiscard]] std::string projectOrSample(const std::string& asked);

} // namespace sbx::app
