#include "engine/render/image.h"

#include "engine/core/whole_file.h"

#include <png.h>

#include <string>
#include <string_view>

namespace sbx::render {

std::array<std::uint8_t, 4> Image::at(int x, int y) const {
    SBX_EXPECT(x >= 0 && y >= 0 && x < width && y < height, "pixel outside the image");
    const std::size_t offset =
        4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return {rgba[offset], rgba[offset + 1], rgba[offset + 2], rgba[offset + 3]};
}

Result<void> writePng(const Image& image, const std::filesystem::path& path) {
    if (image.width <= 0 || image.height <= 0
        || image.rgba.size()
               != 4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height)) {
        return Error{"the picture is empty", path.string(), {}};
    }
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.width);
    header.height = static_cast<png_uint_32>(image.height);
    header.format = PNG_FORMAT_RGBA;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
    png_alloc_size_t size = bytes.size();
    if (png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgba.data(), 0, nullptr) == 0)
        return Error{std::string("the picture cannot be written: ") + header.message, path.string(), {}};
    return writeFileSafely(path, std::string_view(bytes).substr(0, size));
}

} // namespace sbx::render
