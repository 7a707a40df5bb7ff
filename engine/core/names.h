#pragma once
// Names of entities: how they look, and the one a nameless entity gets. The same in scene files, spawns and the editor.

#include <string>
#include <string_view>

namespace sbx {

// "HeavyCrate" -> "heavy_crate", "HTTPServer" -> "http_server"; "entity" if the type's name makes none. A second entity of
// the name gets "_2", a third "_3", …
[[nodiscard]] std::string baseNameOf(std::string_view type);

} // namespace sbx
