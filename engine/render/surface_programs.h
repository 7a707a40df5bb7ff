#pragma once
// The surface shader in the forms the scene needs, each compiled when it is first drawn, and the detail
// pictures they read. Internal to engine/render; lives on the context's thread.

#include "engine/render/gl.h"
#include "engine/render/scene.h"
#include "engine/render/surface_detail.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace sbx::render {

enum class ShadowKind { Off, Sharp, Soft };

struct SurfaceLook {
    Material material = Material::Plain;
    bool lights = false;
    ShadowKind shadows = ShadowKind::Off;
    bool occlusion = false;
};

class SurfacePrograms {
public:
    // Texture units the programs read; unit 0 and StainUnit are bound by use().
    static constexpr GLuint ShadowUnit = 1;
    static constexpr GLuint TileUnit = 2;
    static constexpr GLuint HeightUnit = 3;
    static constexpr GLuint StainUnit = 4;
    static constexpr GLuint UnitCount = 5;

    // Makes the plainest program; others, and the pictures of their materials, follow when they are first
    // used.
    [[nodiscard]] Result<void> initialise();
    // Broad clouds, in blue: stains for the surfaces, and clouds for the sky.
    void bindStains() const;
    // Of the shadow map, for all programs used from now on.
    void setTileCount(const Vec2& count) { m_tileCount = count; }
    // Before each picture: at least one of the programs that are missing is made, and further ones until `compileMs` milliseconds have gone
    // by since. For others one of another look stands in.
    void begin(double compileMs);
    // Since begin() a program stood in for another.
    [[nodiscard]] bool isUnfinished() const { return m_unfinished; }
    // The program for this look, with its picture bound.
    void use(const SurfaceLook& look);

private:
    [[nodiscard]] Result<void> build(const SurfaceLook& look);
    void makeDetail(Material material);
    static std::uint32_t keyOf(const SurfaceLook& look);
    using Programs = std::unordered_map<std::uint32_t, gl::Program>;
    [[nodiscard]] bool mayBuild();
    // The one that is most alike; `look` becomes what it is for.
    [[nodiscard]] Programs::iterator standIn(SurfaceLook& look);

    Programs m_programs;
    std::unordered_set<std::uint32_t> m_refused; // by the driver: the plainest one is drawn in their place
    double m_compileMs = 0.0;
    bool m_unfinished = false;
    std::optional<std::chrono::steady_clock::time_point> m_building; // when this picture made its first
    std::array<gl::Texture, DetailLayers> m_details;
    Vec2 m_tileCount{1.0F};
};

} // namespace sbx::render
