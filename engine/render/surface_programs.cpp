#include "engine/render/surface_programs.h"

#include "engine/render/shaders.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace sbx::render {
namespace {

std::size_t layerOf(Material material) {
    return std::min(static_cast<std::size_t>(material), static_cast<std::size_t>(DetailLayers - 1));
}

} // namespace

std::uint32_t SurfacePrograms::keyOf(const SurfaceLook& look) {
    return static_cast<std::uint32_t>(layerOf(look.material)) << 4U | (look.lights ? 8U : 0U)
           | static_cast<std::uint32_t>(look.shadows) << 1U | (look.occlusion ? 1U : 0U);
}

Result<void> SurfacePrograms::build(const SurfaceLook& look) {
    const std::string defines = "#define MATERIAL " + std::to_string(layerOf(look.material))
                                + "\n#define LIGHTS " + (look.lights ? "1" : "0") + "\n#define SHADOWS "
                                + std::to_string(static_cast<int>(look.shadows)) + "\n#define OCCLUSION "
                                + (look.occlusion ? "1" : "0") + "\n";
    gl::Program program;
    if (auto r = program.build("surface", shaders::withLook(shaders::SurfaceVertex, defines),
                               shaders::withLook(shaders::SurfaceFragment, defines));
        !r) {
        return r;
    }
    program.use();
    program.set("detailMap", 0);
    program.set("shadowMap", static_cast<int>(ShadowUnit));
    program.set("shadowTiles", static_cast<int>(TileUnit));
    program.set("heights", static_cast<int>(HeightUnit));
    program.set("stainMap", static_cast<int>(StainUnit));
    program.set("detailTile", detailTile(look.material));
    m_programs[keyOf(look)] = std::move(program);
    return {};
}

void SurfacePrograms::makeDetail(Material material) {
    gl::Texture& texture = m_details[layerOf(material)];
    if (texture) {
        return;
    }
    const std::vector<std::uint8_t> texels = makeDetailLayer(material);
    texture = gl::Texture::make();
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, DetailSize, DetailSize, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    // Stains are broad: they need no mipmaps.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    material == Material::Plain ? GL_LINEAR : GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glBindTexture(GL_TEXTURE_2D, 0);
}

Result<void> SurfacePrograms::initialise() {
    makeDetail(Material::Plain); // the stains of all others
    return build({});
}

void SurfacePrograms::bindStains() const {
    glActiveTexture(GL_TEXTURE0 + StainUnit);
    glBindTexture(GL_TEXTURE_2D, m_details[0].id());
}

void SurfacePrograms::begin(double compileMs) {
    m_compileMs = compileMs;
    m_unfinished = false;
    m_building.reset();
}

// Some drivers compile a program when something is first drawn with it: that counts, too.
bool SurfacePrograms::mayBuild() {
    const auto now = std::chrono::steady_clock::now();
    if (!m_building)
        return m_building.emplace(now), true;
    return std::chrono::duration<double, std::milli>(now - *m_building).count() < m_compileMs;
}

SurfacePrograms::Programs::iterator SurfacePrograms::standIn(SurfaceLook& look) {
    const auto find = [&](Material material, bool anyShade) {
        for (const bool lights : {look.lights, !look.lights})
            for (const ShadowKind shadows : {look.shadows, ShadowKind::Soft, ShadowKind::Sharp, ShadowKind::Off})
                for (const bool occlusion : {look.occlusion, !look.occlusion}) {
                    const SurfaceLook other{material, lights, shadows, occlusion};
                    if (!anyShade && (shadows != look.shadows || occlusion != look.occlusion))
                        continue;
                    if (const auto found = m_programs.find(keyOf(other)); found != m_programs.end())
                        return look = other, found;
                }
        return m_programs.end();
    };
    auto found = find(look.material, true);
    for (int layer = 0; layer < DetailLayers && found == m_programs.end(); ++layer)
        if (static_cast<Material>(layer) != Material::Glow) // shines
            found = find(static_cast<Material>(layer), false);
    return found != m_programs.end() ? found : find(Material::Plain, true);
}

void SurfacePrograms::use(const SurfaceLook& wanted) {
    SurfaceLook look = m_refused.contains(keyOf(wanted)) ? SurfaceLook() : wanted;
    auto found = m_programs.find(keyOf(look));
    if (found == m_programs.end() && !mayBuild()) {
        m_unfinished = true;
        found = standIn(look);
    } else if (found == m_programs.end()) {
        makeDetail(look.material);
        if (!build(look)) {
            m_refused.insert(keyOf(look));
            look = {};
        }
        found = m_programs.find(keyOf(look));
    }
    found->second.use();
    found->second.set("tileCount", m_tileCount);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, m_details[layerOf(look.material)].id());
}

} // namespace sbx::render
