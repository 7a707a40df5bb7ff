#pragma once
// A picture in memory and as a PNG file.

#include "engine/core/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace sbx::render {

// sRGB with straight alpha, rows from the top, no padding.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba; // 4 * width * height

    [[nodiscard]] std::array<std::uint8_t, 4> at(int x, int y) const;
};

// Written beside the target and renamed, so that a reader never sees half a picture.
[[nodiscard]] Result<void> writePng(const Image& image, const std::filesystem::path& path);

} // namespace sbx::render
