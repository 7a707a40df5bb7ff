#pragma once
// The shaders, as text in the program: nothing to install, nothing to lose. Internal to engine/render.

#include <string>
#include <string_view>

namespace sbx::render::shaders {

// Version and the per-frame block, before every source below.
[[nodiscard]] std::string withHead(std::string_view source);
// Version, `defines` (lines of "#define NAME VALUE"), block, sky and tone functions.
[[nodiscard]] std::string withLook(std::string_view source, std::string_view defines = {});

extern const std::string_view SurfaceVertex;
extern const std::string_view SurfaceFragment;
extern const std::string_view DepthVertex;
extern const std::string_view EmptyFragment;
extern const std::string_view SkyVertex;
extern const std::string_view SkyFragment;
extern const std::string_view GridVertex;
extern const std::string_view GridFragment;
extern const std::string_view HaloVertex;
extern const std::string_view HaloFragment;
extern const std::string_view LineVertex;
extern const std::string_view LineFragment;
extern const std::string_view SignVertex;
extern const std::string_view SignFragment;
extern const std::string_view ScreenVertex;
extern const std::string_view SmoothFragment;
extern const std::string_view OutlineFragment;
extern const std::string_view LayerFragment;
extern const std::string_view OverlayVertexSource;
extern const std::string_view OverlayFragment;
extern const std::string_view MaskVertex;
extern const std::string_view MaskFragment;
extern const std::string_view TileFragment;
extern const std::string_view TileSpreadFragment;
extern const std::string_view HeightBlurFragment;

} // namespace sbx::render::shaders
