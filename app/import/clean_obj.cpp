#include "app/import/clean_obj.h"

#include "engine/render/detail/packed_mesh.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace sbx::importing {

namespace {

constexpr std::uint64_t MaximumCorners = 4096; // of one face: cutting it into triangles takes its square

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

std::string_view firstWord(std::string_view line) {
    const auto begin = std::find_if_not(line.begin(), line.end(), isBlank);
    const auto end = std::find_if(begin, line.end(), isBlank);
    return {begin, end};
}

// Words after the first.
std::uint64_t countArguments(std::string_view line) {
    std::uint64_t words = 0;
    bool inside = false;
    for (const char c : line) {
        words += !isBlank(c) && !inside ? 1U : 0U;
        inside = !isBlank(c);
    }
    return words == 0 ? 0 : words - 1;
}

// Indices such as 1, 1/2, 1//3 and -1/-1/-1: Assimp reads past the end of anything else.
bool holdsIndices(std::string_view face) {
    return std::all_of(face.begin() + 1, face.end(),
                       [](char c) { return isBlank(c) || (c >= '0' && c <= '9') || c == '-' || c == '/'; });
}

} // namespace

Result<std::string> cleanObj(std::span<const std::byte> file) {
    std::string_view rest(reinterpret_cast<const char*>(file.data()), file.size());
    if (rest.find('\0') != std::string_view::npos)
        return makeError("is no OBJ text: it holds a zero byte");
    std::string out;
    out.reserve(rest.size() + 1);
    std::string line; // with those that continue it
    std::uint64_t number = 0;
    std::uint64_t vertices = 0;
    std::uint64_t attributes = 0;
    std::uint64_t corners = 0;
    std::uint64_t groups = 0;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        line.append(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        while (!line.empty() && isBlank(line.back()))
            line.pop_back();
        if (!line.empty() && line.back() == '\\') {
            line.back() = ' ';
            if (!rest.empty())
                continue;
        }
        const std::string_view word = firstWord(line);
        const auto at = [&] { return " (line " + std::to_string(number) + ")"; };
        bool kept = true;
        if (word == "v") {
            if (++vertices > render::MaximumMeshVertices)
                return makeError("has more than " + std::to_string(render::MaximumMeshVertices) + " vertices");
        } else if (word == "vn" || word == "vt") {
            if (++attributes > 2ULL * render::MaximumMeshVertices)
                return makeError("has more than " + std::to_string(2ULL * render::MaximumMeshVertices)
                                 + " normals and texture coordinates");
        } else if (word == "f") {
            if (!holdsIndices(line.substr(line.find('f'))))
                return makeError("has a face with something else than indices" + at() + "; expected corners such as 1/2/3");
            const std::uint64_t count = countArguments(line);
            if (count > MaximumCorners)
                return makeError("has a face of " + std::to_string(count) + " corners" + at()
                                 + "; expected at most " + std::to_string(MaximumCorners));
            corners += count < 3 ? count : (count - 2) * 3;
            if (corners > render::MaximumMeshIndices)
                return makeError("has more than " + std::to_string(render::MaximumMeshIndices / 3)
                                 + " triangles");
        } else if (word == "o" || word == "g" || word == "usemtl") {
            if (++groups > render::MaximumMeshNodes)
                return makeError("has more than " + std::to_string(render::MaximumMeshNodes) + " groups");
        } else {
            kept = word == "s";
        }
        if (kept) {
            out += line;
            out += '\n';
        }
        line.clear();
    }
    return out;
}

} // namespace sbx::importing
