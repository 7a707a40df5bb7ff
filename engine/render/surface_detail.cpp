#include "engine/render/surface_detail.h"

#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sbx::render {
namespace {

std::uint32_t mix(std::uint32_t x) {
    x ^= x >> 16U;
    x *= 0x7FEB352DU;
    x ^= x >> 15U;
    x *= 0x846CA68BU;
    x ^= x >> 16U;
    return x;
}

float random(int x, int y, unsigned seed) {
    const std::uint32_t h = mix(static_cast<std::uint32_t>(x) * 0x9E3779B9U
                                ^ mix(static_cast<std::uint32_t>(y) + seed * 0x632BE5ABU));
    return static_cast<float>(h >> 8U) / 16777216.0F;
}

int wrap(int value, int period) {
    const int r = value % period;
    return r < 0 ? r + period : r;
}

// Value noise in [0, 1] that repeats after the periods (cells). x and y in cells.
float noise(float x, float y, int periodX, int periodY, unsigned seed) {
    const int ix = static_cast<int>(std::floor(x));
    const int iy = static_cast<int>(std::floor(y));
    const float fx = x - static_cast<float>(ix);
    const float fy = y - static_cast<float>(iy);
    const float sx = fx * fx * (3.0F - 2.0F * fx);
    const float sy = fy * fy * (3.0F - 2.0F * fy);
    const auto at = [&](int dx, int dy) {
        return random(wrap(ix + dx, periodX), wrap(iy + dy, periodY), seed);
    };
    return glm::mix(glm::mix(at(0, 0), at(1, 0), sx), glm::mix(at(0, 1), at(1, 1), sx), sy);
}

// Sum of octaves in about [0, 1]; u, v in [0, 1), `cells` the coarsest count.
float clouds(float u, float v, int cellsX, int cellsY, int octaves, unsigned seed) {
    float sum = 0.0F;
    float weight = 0.5F;
    float total = 0.0F;
    for (int o = 0; o < octaves; ++o) {
        sum += weight
               * noise(u * static_cast<float>(cellsX), v * static_cast<float>(cellsY), cellsX, cellsY,
                       seed + static_cast<unsigned>(o) * 101U);
        total += weight;
        weight *= 0.5F;
        cellsX *= 2;
        cellsY *= 2;
    }
    return sum / total;
}

float smooth(float low, float high, float x) {
    const float t = std::clamp((x - low) / (high - low), 0.0F, 1.0F);
    return t * t * (3.0F - 2.0F * t);
}

struct Texel {
    float height = 0.0F; // its difference between neighbouring texels is the slope
    float tint = 1.0F;
    float roughness = 0.0F;
};

// Slabs in five courses of four, their joints shifted from course to course.
Texel stone(float u, float v) {
    constexpr int Courses = 5;
    constexpr int Slabs = 4;
    const float course = v * Courses;
    const int row = static_cast<int>(course);
    const float shift = random(row, 0, 11) * 0.6F + (row % 2 == 0 ? 0.0F : 0.5F);
    const float along = u * Slabs + shift;
    const auto cut = [&](int i) {
        return static_cast<float>(i) + (random(wrap(i, Slabs), row, 12) - 0.5F) * 0.42F;
    };
    int slab = static_cast<int>(std::floor(along));
    if (along < cut(slab)) {
        --slab;
    } else if (along >= cut(slab + 1)) {
        ++slab;
    }
    const int id = wrap(slab, Slabs);
    const float wobble = (clouds(u, v, 24, 24, 2, 13) - 0.5F) * 0.016F;
    const float toCut = std::min(along - cut(slab), cut(slab + 1) - along) / Slabs;
    const float inRow = course - static_cast<float>(row);
    const float toRow = std::min(inRow, 1.0F - inRow) / Courses;
    const float edge = std::min(toCut, toRow) + wobble * 0.35F; // in tiles
    const float joint = smooth(0.0012F, 0.0042F, edge);
    const float worn = smooth(0.002F, 0.022F, edge);
    const float grain = clouds(u, v, 64, 64, 3, 14);
    const float patches = clouds(u, v, 7, 7, 4, 15);
    const float tone = random(id, row, 16);
    const float pits = smooth(0.70F, 0.86F, clouds(u, v, 90, 90, 2, 17));
    Texel t;
    t.height = worn * 2.0F + joint * 1.5F + grain * 0.7F + patches * 1.6F - pits * 0.35F
               + (random(id, row, 18) - 0.5F) * 1.6F * worn;
    t.tint =
        (0.86F + 0.28F * tone) * (0.84F + 0.26F * patches) * (0.93F + 0.12F * grain) * (1.0F - 0.16F * pits);
    t.tint *= glm::mix(0.52F, 1.0F, joint) * glm::mix(0.93F, 1.0F, worn);
    t.roughness = (1.0F - joint) * 0.2F + (0.5F - patches) * 0.30F;
    return t;
}

Texel plaster(float u, float v) {
    const float patches = clouds(u, v, 5, 5, 5, 21);
    const float strokes = clouds(u, v, 10, 26, 3, 22);
    Texel t;
    t.height = patches * 3.0F + strokes * 2.2F + clouds(u, v, 90, 90, 2, 23) * 0.8F;
    t.tint = 0.88F + 0.20F * patches + 0.06F * strokes;
    t.roughness = (strokes - 0.5F) * 0.12F;
    return t;
}

// Grain along u of one board; `id` distinguishes boards.
Texel board(float u, float v, int id) {
    const float offset = random(id, 3, 31);
    const float bend = (noise(u * 3.0F, v * 6.0F + offset * 6.0F, 3, 6, 32) - 0.5F) * 0.05F;
    const float rings = clouds(u, v + bend + offset, 3, 48, 3, 33 + static_cast<unsigned>(id % 7));
    const float fibre = noise(u * 14.0F, (v + bend * 0.5F) * 220.0F, 14, 220, 34);
    Texel t;
    t.height = rings * 1.6F + fibre * 0.5F;
    t.tint = (0.86F + 0.24F * random(id, 5, 35)) * (0.80F + 0.34F * rings) * (0.94F + 0.12F * fibre);
    t.roughness = (0.5F - rings) * 0.2F;
    return t;
}

void groove(Texel& t, float distance, float width) {
    const float open = smooth(width * 0.25F, width, distance);
    t.height += open * 2.6F;
    t.tint *= glm::mix(0.34F, 1.0F, open);
}

Texel wood(float u, float v) {
    constexpr int Planks = 10;
    const float across = v * Planks;
    const int row = static_cast<int>(across);
    const float inRow = across - static_cast<float>(row);
    const float along = u * 1.0F + random(row, 1, 41);
    const float end = along - std::floor(along);
    Texel t = board(u, v, row);
    groove(t, std::min(inRow, 1.0F - inRow) / Planks, 0.0055F);
    groove(t, std::min(end, 1.0F - end), 0.0035F);
    return t;
}

// One face of a crate: boards inside a frame with a brace across.
Texel crate(float u, float v) {
    constexpr float Frame = 0.115F;
    constexpr int Boards = 5;
    const float left = std::min(u, 1.0F - u);
    const float low = std::min(v, 1.0F - v);
    // The rails run over the posts' full width at top and bottom.
    const bool rail = low < Frame;
    const bool post = !rail && left < Frame;
    const float diagonal = std::abs(u - v) * 0.7071F;
    constexpr float Brace = 0.062F;
    Texel t;
    if (rail) {
        t = board(u, v, v < 0.5F ? 51 : 52);
        groove(t, Frame - low, 0.012F);
        t.height += 3.0F;
    } else if (post) {
        t = board(v, u, u < 0.5F ? 53 : 54);
        groove(t, std::min(Frame - left, low - Frame), 0.012F);
        t.height += 3.0F;
    } else if (diagonal < Brace) {
        t = board((u + v) * 0.5F, (u - v) * 0.5F + 0.5F, 55);
        groove(t, std::min({Brace - diagonal, left - Frame, low - Frame}), 0.010F);
        t.height += 2.0F;
    } else {
        const float across = (u - Frame) / (1.0F - 2.0F * Frame) * Boards;
        const int row = std::clamp(static_cast<int>(across), 0, Boards - 1);
        const float inRow = across - static_cast<float>(row);
        t = board(v, u, 60 + row);
        groove(t, std::min(inRow, 1.0F - inRow) / Boards * 0.77F, 0.008F);
        // The frame and the brace shade the boards behind them.
        const float shelter = std::min({left - Frame, low - Frame, diagonal - Brace});
        t.tint *= glm::mix(0.60F, 0.94F, smooth(0.0F, 0.055F, shelter));
    }
    // Two nails where a board ends.
    for (const float nailU : {0.035F, 0.080F}) {
        const float du = left - nailU;
        const float dv = low - Frame * 0.5F;
        const float nail = smooth(0.0095F, 0.0055F, std::sqrt(du * du + dv * dv));
        t.tint *= glm::mix(1.0F, 0.42F, nail);
        t.roughness -= 0.25F * nail;
    }
    return t;
}

Texel metal(float u, float v) {
    const float streaks =
        noise(u * 4.0F, v * 200.0F, 4, 200, 71) * 0.6F + noise(u * 9.0F, v * 400.0F, 9, 400, 72) * 0.4F;
    const float stains = clouds(u, v, 4, 4, 4, 73);
    Texel t;
    t.height = streaks * 0.9F;
    t.tint = 0.90F + 0.10F * streaks + 0.10F * stains;
    t.roughness = (stains - 0.5F) * 0.35F + (streaks - 0.5F) * 0.1F;
    return t;
}

Texel brass(float u, float v) {
    const float stains = clouds(u, v, 3, 3, 5, 81);
    const float scratches = smooth(0.78F, 0.95F, noise(u * 5.0F, v * 130.0F, 5, 130, 82));
    Texel t;
    t.height = stains * 0.8F;
    t.tint = 0.90F + 0.20F * stains;
    t.roughness = (stains - 0.5F) * 0.30F + scratches * 0.08F;
    return t;
}

Texel glow(float u, float v) {
    const float swirl = clouds(u + (clouds(u, v, 3, 3, 3, 91) - 0.5F) * 0.35F, v, 4, 4, 4, 92);
    Texel t;
    t.tint = 0.55F + 0.9F * smooth(0.25F, 0.75F, swirl);
    return t;
}

Texel grass(float u, float v) {
    const float patches = clouds(u, v, 4, 4, 5, 95);
    const float blades = clouds(u, v, 80, 80, 3, 96);
    Texel t;
    t.height = blades * 5.0F + patches * 4.0F;
    t.tint = 0.62F + 0.34F * patches + 0.42F * blades;
    t.roughness = 0.1F;
    return t;
}

Texel plain(float u, float v) {
    Texel t;
    t.tint = 0.75F + 0.5F * clouds(u, v, 5, 5, 4, 99);
    return t;
}

Texel evaluate(Material material, float u, float v) {
    switch (material) {
    case Material::Plain:
        return plain(u, v);
    case Material::Stone:
        return stone(u, v);
    case Material::Plaster:
        return plaster(u, v);
    case Material::Wood:
        return wood(u, v);
    case Material::Crate:
        return crate(u, v);
    case Material::Metal:
        return metal(u, v);
    case Material::Brass:
        return brass(u, v);
    case Material::Glow:
        return glow(u, v);
    case Material::Grass:
        return grass(u, v);
    }
    return {};
}

std::uint8_t toByte(float value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255.0F));
}

} // namespace

std::vector<std::uint8_t> makeDetailLayer(Material material) {
    constexpr auto Size = static_cast<std::size_t>(DetailSize);
    std::vector<Texel> texels(Size * Size);
    for (std::size_t y = 0; y < Size; ++y) {
        for (std::size_t x = 0; x < Size; ++x) {
            texels[y * Size + x] = evaluate(material, (static_cast<float>(x) + 0.5F) / DetailSize,
                                            (static_cast<float>(y) + 0.5F) / DetailSize);
        }
    }
    std::vector<std::uint8_t> out(Size * Size * 4);
    for (std::size_t y = 0; y < Size; ++y) {
        for (std::size_t x = 0; x < Size; ++x) {
            const auto height = [&](std::size_t px, std::size_t py) {
                return texels[(py % Size) * Size + px % Size].height;
            };
            const float slopeU = (height(x + 1, y) - height(x + Size - 1, y)) * 0.5F;
            const float slopeV = (height(x, y + 1) - height(x, y + Size - 1)) * 0.5F;
            std::uint8_t* texel = &out[(y * Size + x) * 4];
            // A rise along u leans the normal against u.
            texel[0] = toByte(0.502F - slopeU * 0.5F);
            texel[1] = toByte(0.502F - slopeV * 0.5F);
            texel[2] = toByte(texels[y * Size + x].tint * 0.502F);
            texel[3] = toByte(0.502F + texels[y * Size + x].roughness);
        }
    }
    return out;
}

float detailTile(Material material) {
    switch (material) {
    case Material::Stone:
        return 4.0F;
    case Material::Plaster:
        return 3.0F;
    case Material::Wood:
        return 2.0F;
    case Material::Crate:
        return 0.0F;
    case Material::Metal:
        return 1.0F;
    case Material::Brass:
        return 0.8F;
    case Material::Glow:
        return 1.6F;
    case Material::Grass:
        return 5.0F;
    case Material::Plain:
        break;
    }
    return 17.0F;
}

} // namespace sbx::render
