#include "app/import/clean_obj.h"

#include "engine/render/detail/packed_mesh.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace sbx::importing {

namespace {

constexpr std::uint64_t MaximumCorners = 4096; // of one face: cutting it into triangles takes its square

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

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

// As Assimp is to read it: it takes \f for the end of a line, and looks one byte beyond a backslash, also at
// the end of its memory.
char plain(char c) { return isBlank(c) ? ' ' : c == '\\' ? '_' : c; }

// The text up to the next line feed, carriage return or both, all of which Assimp takes for the end of a
// line; it is taken off `rest`.
std::string_view nextLine(std::string_view& rest) {
    const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end);
    rest.remove_prefix(rest.starts_with("\r\n") ? 2 : rest.empty() ? 0 : 1);
    return line;
}

// A number such as 12 or -3, of few enough digits for a long; it is taken off `text`.
bool takeIndex(std::string_view& text) {
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", sign), text.size());
    const bool isIndex = end > sign && end - sign <= 10;
    text.remove_prefix(end);
    return isIndex;
}

// One, two or three indices: 1, 1/2, 1//3 or -1/-1/-1.
bool isCorner(std::string_view text) {
    if (!takeIndex(text))
        return false;
    for (int more = 0; more < 2 && text.starts_with('/'); ++more) {
        text.remove_prefix(1);
        if (!(more == 0 && text.starts_with('/')) && !takeIndex(text))
            return false;
    }
    return text.empty();
}

// The face's line as Assimp is to read it; empty: it holds something else than corners, and Assimp might read
// past its end. Slashes behind the last index of a corner, as some programs write them, are left out.
std::string cleanFace(std::string_view line) {
    std::string out(firstWord(line));
    line.remove_prefix(line.find(out) + out.size());
    for (std::string_view corner = firstWord(line); !corner.empty(); corner = firstWord(line)) {
        line.remove_prefix(static_cast<std::size_t>(corner.data() + corner.size() - line.data()));
        while (corner.size() > 1 && corner.ends_with('/'))
            corner.remove_suffix(1);
        if (!isCorner(corner))
            return {};
        out += ' ';
        out += corner;
    }
    return out;
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
        line.append(nextLine(rest));
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
                return makeError("has more than " + std::to_string(render::MaximumMeshVertices)
                                 + " vertices");
        } else if (word == "vn" || word == "vt") {
            if (++attributes > 2ULL * render::MaximumMeshVertices)
                return makeError("has more than " + std::to_string(2ULL * render::MaximumMeshVertices)
                                 + " normals and texture coordinates");
        } else if (word == "f") {
            line = cleanFace(line);
            if (line.empty())
                return makeError("has a face that is not made of vertex indices" + at()
                                 + "; expected 1, 1/2, 1//3 or 1/2/3 for each corner");
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
            std::transform(line.begin(), line.end(), std::back_inserter(out), plain);
            out += '\n';
        }
        line.clear();
    }
    return out;
}

} // namespace sbx::importing
