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

void SurfacePrograms::begin(bool patient) {
    m_patient = patient;
    m_unfinished = false;
    m_building.reset();
}

// Software drivers compile a program when something is first drawn with it, which is on this clock, too.
bool SurfacePrograms::mayBuild() {
    if (!m_building)
        return m_building.emplace(), true;
    return m_patient || m_building->milliseconds() < PatienceMs;
}

SurfacePrograms::Programs::iterator SurfacePrograms::standIn(SurfaceLook& look) {
    for (int layer = 1; layer < DetailLayers; ++layer) {
        SurfaceLook other = look;
        other.material = static_cast<Material>(layer);
        if (other.material == Material::Glow)
            continue; // shines
        for (const bool lights : {look.lights, !look.lights}) {
            other.lights = lights;
            if (const auto found = m_programs.find(keyOf(other)); found != m_programs.end()) {
                look = other;
                return found;
            }
        }
    }
    look = {};
    return m_programs.find(keyOf(look));
}

void SurfacePrograms::use(const SurfaceLook& wanted) {
    SurfaceLook look = wanted;
    auto found = m_programs.find(keyOf(look));
    if (found == m_programs.end() && !mayBuild()) {
        m_unfinished = true;
        found = standIn(look);
    } else if (found == m_programs.end()) {
        makeDetail(look.material);
        // A driver that refuses one form still draws: in the plainest.
        found = build(look) ? m_programs.find(keyOf(look)) : m_programs.find(keyOf({}));
    }
    found->second.use();
    found->second.set("tileCount", m_tileCount);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, m_details[layerOf(look.material)].id());
}

} // namespace sbx::render
