#pragma once
// The surface shader in the forms the scene needs, each compiled when it is first drawn, and the detail
// pictures they read. Internal to engine/render; lives on the context's thread.

#include "engine/render/cpu_clock.h"
#include "engine/render/gl.h"
#include "engine/render/scene.h"
#include "engine/render/surface_detail.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

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
    // Before each picture. `patient`: programs that are missing are made, however long that takes. Else each picture makes at least one of
    // them, and goes on for PatienceMs of this thread's time; for others one of another material stands in.
    static constexpr double PatienceMs = 60.0;
    void begin(bool patient);
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
    // In the same light where there is one, else in the plainest; `look` becomes what it is for.
    [[nodiscard]] Programs::iterator standIn(SurfaceLook& look);

    Programs m_programs;
    bool m_patient = true;
    bool m_unfinished = false;
    std::optional<CpuClock> m_building; // since the first that this picture made
    std::array<gl::Texture, DetailLayers> m_details;
    Vec2 m_tileCount{1.0F};
};

} // namespace sbx::render
