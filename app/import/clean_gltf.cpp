#include "app/import/clean_gltf.h"

#include "engine/core/value.h"
#include "engine/render/detail/packed_mesh.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

namespace sbx::importing {

namespace {

using Json = nlohmann::json;

constexpr int MaximumJsonDepth = 32;
constexpr int Float = 5126;
constexpr int Byte = 5121;
constexpr int Short = 5123;
constexpr int Int = 5125;
// Without these a mesh looks the same to us.
constexpr std::array Harmless{"KHR_materials_", "KHR_texture_", "KHR_lights_punctual", "EXT_texture_",
                              "KHR_animation_pointer"};

struct Fault {
    std::string text;
};

[[noreturn]] void refuse(std::string text) { throw Fault{std::move(text)}; }

// What was found of an accessor, ready to be written.
struct Range {
    std::uint64_t buffer = 0;
    std::uint64_t offset = 0; // in the buffer
    std::uint64_t stride = 0;
    std::uint64_t count = 0;
    int component = 0;
    friend auto operator<=>(const Range&, const Range&) = default;
};

struct Primitive {
    int mode = 4;
    Range position;
    std::optional<Range> normal;
    std::optional<Range> indices;
    std::uint64_t corners = 0; // of its triangles
};

class Cleaner {
public:
    Cleaner(Json document, std::optional<std::vector<std::byte>> chunk, const OpenBuffer& open)
        : m_in(std::move(document)), m_chunk(std::move(chunk)), m_open(open) {}

    CleanGltf run() {
        if (!m_in.is_object())
            refuse("is no glTF: expected a JSON object");
        const auto asset = m_in.find("asset");
        const std::string version =
            asset != m_in.end() && asset->is_object() ? textOf(*asset, "version") : std::string();
        if (!version.starts_with("2."))
            refuse(version.empty() ? "is no glTF: it names no version; expected asset.version 2.0"
                                   : "is glTF " + version + "; expected 2.0");
        readExtensions();
        Json roots = readNodes();
        if (m_corners == 0)
            refuse("has no triangles");
        Json out = Json::object();
        out["asset"]["version"] = "2.0";
        out["scene"] = 0;
        out["scenes"] = Json::array();
        out["scenes"].push_back(Json::object());
        out["scenes"][0]["nodes"] = std::move(roots);
        out["nodes"] = std::move(m_nodes);
        out["meshes"] = std::move(m_meshes);
        out["accessors"] = std::move(m_accessors);
        out["bufferViews"] = std::move(m_views);
        out["buffers"] = Json::array();
        for (std::size_t i = 0; i < m_buffers.size(); ++i) {
            Json buffer = Json::object();
            buffer["byteLength"] = m_buffers[i].size();
            buffer["uri"] = std::to_string(i) + ".bin";
            out["buffers"].push_back(std::move(buffer));
        }
        return {out.dump(), std::move(m_buffers)};
    }

private:
    // ---- members of an object, each with what it must be

    static std::string at(const char* list, std::uint64_t index) {
        return std::string(list) + '[' + std::to_string(index) + ']';
    }

    static std::string textOf(const Json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
    }

    // A whole number of at least 0; nothing where it is left out.
    static std::optional<std::uint64_t> number(const Json& object, const char* key,
                                               const std::string& where) {
        const auto found = object.find(key);
        if (found == object.end())
            return std::nullopt;
        if (!found->is_number_unsigned() || found->get<std::uint64_t>() > (1ULL << 40U))
            refuse("has a bad glTF value: " + where + '.' + key + " is " + shown(*found)
                   + "; expected a whole number");
        return found->get<std::uint64_t>();
    }

    static std::string shown(const Json& value) {
        std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
        return text.size() <= 40 ? text : text.substr(0, 40) + "...";
    }

    // An element of one of the lists at the top.
    const Json& element(const char* list, std::uint64_t index, const std::string& where) const {
        const auto all = m_in.find(list);
        if (all == m_in.end() || !all->is_array() || index >= all->size())
            refuse("has a bad glTF value: " + where + " names " + at(list, index) + ", which is not there");
        const Json& found = (*all)[index];
        if (!found.is_object())
            refuse("has a bad glTF value: " + at(list, index) + " is " + shown(found)
                   + "; expected an object");
        return found;
    }

    void readExtensions() const {
        const auto required = m_in.find("extensionsRequired");
        if (required == m_in.end() || !required->is_array())
            return;
        for (const Json& name : *required) {
            const std::string text = name.is_string() ? name.get<std::string>() : std::string();
            if (std::none_of(Harmless.begin(), Harmless.end(),
                             [&](const char* known) { return text.starts_with(known); }))
                refuse("needs the glTF extension " + shown(name)
                       + "; expected plain glTF 2.0 (export without compression)");
        }
    }

    // ---- nodes

    struct Task {
        std::uint64_t node = 0;
        int depth = 0;
    };

    Json readNodes() {
        const auto scenes = m_in.find("scenes");
        if (scenes == m_in.end() || !scenes->is_array() || scenes->empty())
            refuse("has no triangles: it has no scene");
        const std::uint64_t chosen = number(m_in, "scene", "glTF").value_or(0);
        const Json& scene = element("scenes", chosen, "scene");
        const auto all = m_in.find("nodes");
        const std::size_t count = all != m_in.end() && all->is_array() ? all->size() : 0;
        if (count > render::MaximumMeshNodes)
            refuse("has " + std::to_string(count) + " nodes; expected at most "
                   + std::to_string(render::MaximumMeshNodes));
        m_nodes = Json::array();
        for (std::size_t i = 0; i < count; ++i)
            m_nodes.push_back(Json::object());
        std::vector<bool> seen(count, false);
        std::vector<Task> open;
        const Json roots = children(scene, "nodes", at("scenes", chosen), seen, 0, open);
        while (!open.empty()) {
            const Task task = open.back();
            open.pop_back();
            const std::string where = at("nodes", task.node);
            const Json& node = element("nodes", task.node, where);
            Json& out = m_nodes[task.node];
            copyNumbers(node, out, "matrix", 16, where);
            copyNumbers(node, out, "translation", 3, where);
            copyNumbers(node, out, "rotation", 4, where);
            copyNumbers(node, out, "scale", 3, where);
            if (const auto mesh = number(node, "mesh", where))
                if (const std::optional<std::size_t> written = readMesh(*mesh, where))
                    out["mesh"] = *written;
            if (node.contains("children"))
                if (Json below = children(node, "children", where, seen, task.depth + 1, open);
                    !below.empty())
                    out["children"] = std::move(below);
        }
        return roots;
    }

    static Json children(const Json& owner, const char* key, const std::string& where,
                         std::vector<bool>& seen, int depth, std::vector<Task>& open) {
        const auto list = owner.find(key);
        Json out = Json::array();
        if (list == owner.end())
            return out;
        if (!list->is_array())
            refuse("has a bad glTF value: " + where + '.' + key + " is " + shown(*list)
                   + "; expected a list of nodes");
        if (depth > render::MaximumMeshDepth)
            refuse("has nodes nested more than " + std::to_string(render::MaximumMeshDepth) + " deep");
        for (const Json& child : *list) {
            if (!child.is_number_unsigned() || child.get<std::uint64_t>() >= seen.size())
                refuse("has a bad glTF value: " + where + '.' + key + " names node " + shown(child)
                       + ", which is not there");
            const auto index = child.get<std::uint64_t>();
            if (seen[index])
                refuse("has a node below two others, or below itself: " + at("nodes", index)
                       + "; expected a tree");
            seen[index] = true;
            open.push_back({index, depth});
            out.push_back(index);
        }
        return out;
    }

    static void copyNumbers(const Json& node, Json& out, const char* key, std::size_t count,
                            const std::string& where) {
        const auto found = node.find(key);
        if (found == node.end())
            return;
        const bool good = found->is_array() && found->size() == count
                          && std::all_of(found->begin(), found->end(), [](const Json& v) {
                                 return v.is_number() && std::abs(v.get<double>()) < 1e30;
                             });
        if (!good)
            refuse("has a bad glTF value: " + where + '.' + key + " is " + shown(*found) + "; expected "
                   + std::to_string(count) + " numbers");
        out[key] = *found;
    }

    // ---- meshes

    struct Cost {
        std::optional<std::size_t> written; // its place in what is written; nothing: it has no triangles
        std::uint64_t vertices = 0;
        std::uint64_t corners = 0;
    };

    std::optional<std::size_t> readMesh(std::uint64_t index, const std::string& node) {
        auto known = m_known.find(index);
        if (known == m_known.end())
            known = m_known.emplace(index, writeMesh(index, node)).first;
        // Every node that shows the mesh has vertices of its own in the end.
        const Cost& cost = known->second;
        m_vertices += cost.vertices;
        m_corners += cost.corners;
        checkSize();
        return cost.written;
    }

    void checkSize() const {
        if (m_vertices > render::MaximumMeshVertices)
            refuse("has more than " + std::to_string(render::MaximumMeshVertices)
                   + " vertices when its nodes are expanded");
        if (m_corners > render::MaximumMeshIndices)
            refuse("has more than " + std::to_string(render::MaximumMeshIndices / 3)
                   + " triangles when its nodes are expanded");
    }

    Cost writeMesh(std::uint64_t index, const std::string& node) {
        const std::string where = at("meshes", index);
        const Json& mesh = element("meshes", index, node);
        const auto list = mesh.find("primitives");
        if (list == mesh.end() || !list->is_array())
            refuse("has a bad glTF value: " + where + " has no list of primitives");
        Cost cost;
        Json out = Json::array();
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (++m_primitives > render::MaximumMeshNodes)
                refuse("has more than " + std::to_string(render::MaximumMeshNodes) + " primitives");
            const std::optional<Primitive> primitive =
                readPrimitive((*list)[i], where + ".primitives[" + std::to_string(i) + ']');
            if (!primitive)
                continue;
            cost.vertices += primitive->position.count;
            cost.corners += primitive->corners;
            if (cost.vertices > render::MaximumMeshIndices || cost.corners > render::MaximumMeshIndices)
                refuse("has more than " + std::to_string(render::MaximumMeshIndices / 3) + " triangles");
            Json written = Json::object();
            written["mode"] = primitive->mode;
            written["attributes"]["POSITION"] = accessor(primitive->position, "VEC3");
            if (primitive->normal)
                written["attributes"]["NORMAL"] = accessor(*primitive->normal, "VEC3");
            if (primitive->indices)
                written["indices"] = accessor(*primitive->indices, "SCALAR");
            out.push_back(std::move(written));
        }
        if (out.empty())
            return cost;
        cost.written = m_meshes.size();
        Json clean = Json::object();
        clean["primitives"] = std::move(out);
        m_meshes.push_back(std::move(clean));
        return cost;
    }

    // Nothing for points and lines.
    std::optional<Primitive> readPrimitive(const Json& in, const std::string& where) {
        if (!in.is_object())
            refuse("has a bad glTF value: " + where + " is " + shown(in) + "; expected an object");
        Primitive out;
        const std::uint64_t mode = number(in, "mode", where).value_or(4);
        if (mode > 6)
            refuse("has a bad glTF value: " + where + ".mode is " + std::to_string(mode)
                   + "; expected 0 to 6");
        if (mode < 4)
            return std::nullopt;
        out.mode = static_cast<int>(mode);
        const auto attributes = in.find("attributes");
        if (attributes == in.end() || !attributes->is_object())
            refuse("has a bad glTF value: " + where + " has no attributes");
        const auto position = number(*attributes, "POSITION", where + ".attributes");
        if (!position)
            return std::nullopt;
        out.position = range(*position, "VEC3", where + ".POSITION");
        if (const auto normal = number(*attributes, "NORMAL", where + ".attributes")) {
            out.normal = range(*normal, "VEC3", where + ".NORMAL");
            if (out.normal->count != out.position.count)
                refuse("has a bad glTF value: " + where + " has " + std::to_string(out.normal->count)
                       + " normals; expected " + std::to_string(out.position.count)
                       + ", one for each position");
        }
        std::uint64_t corners = out.position.count;
        if (const auto indices = number(in, "indices", where)) {
            out.indices = range(*indices, "SCALAR", where + ".indices");
            checkIndices(*out.indices, out.position.count, where);
            corners = out.indices->count;
        }
        if (corners < 3)
            return std::nullopt;
        if (mode == 4) {
            corners -= corners % 3; // what is left over is no triangle
            (out.indices ? out.indices->count : out.position.count) = corners;
            if (!out.indices && out.normal)
                out.normal->count = corners;
        }
        out.corners = mode == 4 ? corners : (corners - 2) * 3;
        return out;
    }

    Range range(std::uint64_t index, const char* type, const std::string& where) {
        const Json& in = element("accessors", index, where);
        const std::string name = at("accessors", index);
        const bool vertex = std::strcmp(type, "VEC3") == 0;
        Range out;
        out.component =
            static_cast<int>(std::min<std::uint64_t>(number(in, "componentType", name).value_or(0), 10'000));
        const bool known = vertex ? out.component == Float
                                  : out.component == Byte || out.component == Short || out.component == Int;
        if (!known || textOf(in, "type") != type)
            refuse("has a bad glTF value: " + name + " is not what " + where + " needs; expected "
                   + (vertex ? "VEC3 of floats" : "SCALAR of unsigned bytes, shorts or ints"));
        if (in.contains("sparse"))
            refuse("has a sparse accessor: " + name + "; expected plain values");
        out.count = number(in, "count", name).value_or(0);
        if (out.count == 0 || out.count > render::MaximumMeshIndices)
            refuse("has a bad glTF value: " + name + ".count is " + std::to_string(out.count)
                   + "; expected 1 to " + std::to_string(render::MaximumMeshIndices));
        const auto viewIndex = number(in, "bufferView", name);
        if (!viewIndex)
            refuse("has a bad glTF value: " + name + " has no bufferView");
        const Json& view = element("bufferViews", *viewIndex, name);
        const std::string viewName = at("bufferViews", *viewIndex);
        const auto bufferIndex = number(view, "buffer", viewName);
        if (!bufferIndex)
            refuse("has a bad glTF value: " + viewName + " has no buffer");
        out.buffer = readBuffer(*bufferIndex, viewName);
        const std::uint64_t begin = number(view, "byteOffset", viewName).value_or(0);
        const std::uint64_t length = number(view, "byteLength", viewName).value_or(0);
        if (begin + length > m_buffers[out.buffer].size())
            refuse("has a bad glTF value: " + viewName + " goes beyond its buffer of "
                   + std::to_string(m_buffers[out.buffer].size()) + " bytes");
        const std::uint64_t size = vertex ? 12 : out.component == Byte ? 1 : out.component == Short ? 2 : 4;
        out.stride = number(view, "byteStride", viewName).value_or(0);
        if (out.stride == 0)
            out.stride = size;
        const std::uint64_t inner = number(in, "byteOffset", name).value_or(0);
        if (out.stride < size || out.stride > 252 || inner + (out.count - 1) * out.stride + size > length)
            refuse("has a bad glTF value: " + name + " goes beyond " + viewName + " of "
                   + std::to_string(length) + " bytes");
        out.offset = begin + inner;
        return out;
    }

    void checkIndices(const Range& range, std::uint64_t vertices, const std::string& where) const {
        const std::byte* from = m_buffers[range.buffer].data() + range.offset;
        for (std::uint64_t i = 0; i < range.count; ++i) {
            std::uint32_t value = 0; // the file and this machine both put the low byte first
            std::memcpy(&value, from + i * range.stride,
                        range.component == Byte    ? 1
                        : range.component == Short ? 2
                                                   : 4);
            if (value >= vertices)
                refuse("has a bad glTF value: " + where + ".indices names vertex " + std::to_string(value)
                       + "; expected less than " + std::to_string(vertices));
        }
    }

    std::size_t accessor(const Range& range, const char* type) {
        const auto known = m_written.find({range, type});
        if (known != m_written.end())
            return known->second;
        const std::uint64_t size = std::strcmp(type, "VEC3") == 0 ? 12
                                   : range.component == Byte      ? 1
                                   : range.component == Short     ? 2
                                                                  : 4;
        Json view = Json::object();
        view["buffer"] = range.buffer;
        view["byteOffset"] = range.offset;
        view["byteLength"] = (range.count - 1) * range.stride + size;
        if (range.stride != size)
            view["byteStride"] = range.stride;
        Json out = Json::object();
        out["bufferView"] = m_views.size();
        out["componentType"] = range.component;
        out["count"] = range.count;
        out["type"] = type;
        m_accessors.push_back(std::move(out));
        m_views.push_back(std::move(view));
        return m_written.emplace(std::pair(range, type), m_accessors.size() - 1).first->second;
    }

    // ---- buffers

    std::uint64_t readBuffer(std::uint64_t index, const std::string& view) {
        if (const auto known = m_bufferAt.find(index); known != m_bufferAt.end())
            return known->second;
        const std::string where = at("buffers", index);
        const Json& buffer = element("buffers", index, view);
        if (m_buffers.size() >= static_cast<std::size_t>(render::MaximumMeshFiles))
            refuse("has more than " + std::to_string(render::MaximumMeshFiles) + " buffers");
        const std::uint64_t length = number(buffer, "byteLength", where).value_or(0);
        std::vector<std::byte> bytes;
        if (!buffer.contains("uri")) {
            if (!m_chunk || index != 0)
                refuse("has a bad glTF value: " + where + " has no uri");
            bytes = std::move(*m_chunk);
            m_chunk.reset();
        } else {
            bytes = fetch(textOf(buffer, "uri"), where);
        }
        if (length == 0 || bytes.size() < length)
            refuse("has a bad glTF value: " + where + " is to have " + std::to_string(length)
                   + " bytes and has " + std::to_string(bytes.size()));
        bytes.resize(length);
        m_bytes += length;
        if (m_bytes > render::MaximumMeshFileSize)
            refuse("has buffers of more than " + std::to_string(render::MaximumMeshFileSize) + " bytes");
        m_buffers.push_back(std::move(bytes));
        m_bufferAt.emplace(index, m_buffers.size() - 1);
        return m_buffers.size() - 1;
    }

    std::vector<std::byte> fetch(const std::string& uri, const std::string& where) const {
        if (uri.starts_with("data:")) {
            const std::size_t comma = uri.find(',');
            if (comma == std::string::npos || !std::string_view(uri).substr(0, comma).ends_with(";base64"))
                refuse("has a bad glTF value: " + where + ".uri holds data that is not base64");
            return decoded(std::string_view(uri).substr(comma + 1), where);
        }
        const std::string name = withoutPercents(uri);
        if (name.empty() || name.size() > render::MaximumMeshName || name.find("://") != std::string::npos)
            refuse("has a bad glTF value: " + where + ".uri is " + shown(uri)
                   + "; expected a file in the project's folder");
        Result<std::vector<std::byte>> bytes = m_open(name);
        if (!bytes)
            refuse("names " + inQuotes(name) + " (" + where + ".uri), which " + bytes.error().message);
        return std::move(*bytes);
    }

    static int hexDigit(char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    }

    static std::string withoutPercents(const std::string& uri) {
        std::string out;
        for (std::size_t i = 0; i < uri.size(); ++i) {
            if (uri[i] == '%' && i + 2 < uri.size() && hexDigit(uri[i + 1]) >= 0
                && hexDigit(uri[i + 2]) >= 0) {
                out += static_cast<char>(hexDigit(uri[i + 1]) * 16 + hexDigit(uri[i + 2]));
                i += 2;
            } else {
                out += uri[i];
            }
        }
        return out;
    }

    // RFC 4648, with or without its padding.
    static std::vector<std::byte> decoded(std::string_view text, const std::string& where) {
        while (text.ends_with('='))
            text.remove_suffix(1);
        std::vector<std::byte> out;
        out.reserve(text.size() / 4 * 3 + 3);
        std::uint32_t held = 0;
        int bits = 0;
        for (const char c : text) {
            const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                              : c >= 'a' && c <= 'z' ? c - 'a' + 26
                              : c >= '0' && c <= '9' ? c - '0' + 52
                              : c == '+'             ? 62
                              : c == '/'             ? 63
                                                     : -1;
            if (value < 0)
                refuse("has a bad glTF value: " + where + ".uri holds data that is not base64");
            held = ((held << 6U) | static_cast<std::uint32_t>(value)) & 0xFFFFFFU;
            bits += 6;
            if (bits >= 8) {
                bits -= 8;
                out.push_back(static_cast<std::byte>((held >> static_cast<unsigned>(bits)) & 0xFFU));
            }
        }
        return out;
    }

    Json m_in;
    std::optional<std::vector<std::byte>> m_chunk; // of a .glb
    const OpenBuffer& m_open;
    Json m_nodes = Json::array();
    Json m_meshes = Json::array();
    Json m_accessors = Json::array();
    Json m_views = Json::array();
    std::vector<std::vector<std::byte>> m_buffers;
    std::map<std::uint64_t, std::uint64_t> m_bufferAt;
    std::map<std::pair<Range, std::string>, std::size_t> m_written;
    std::map<std::uint64_t, Cost> m_known;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_vertices = 0;
    std::uint64_t m_corners = 0;
    std::uint64_t m_primitives = 0;
};

std::uint32_t wordAt(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t out = 0;
    std::memcpy(&out, bytes.data() + at, sizeof out);
    return out;
}

struct GlbParts {
    std::span<const std::byte> json;
    std::optional<std::span<const std::byte>> binary;
};

GlbParts partsOf(std::span<const std::byte> file) {
    constexpr std::uint32_t Magic = 0x46546C67; // "glTF"
    constexpr std::uint32_t JsonKind = 0x4E4F534A;
    constexpr std::uint32_t BinaryKind = 0x004E4942;
    if (file.size() < 20 || wordAt(file, 0) != Magic)
        refuse("is no binary glTF file");
    if (wordAt(file, 4) != 2)
        refuse("is binary glTF " + std::to_string(wordAt(file, 4)) + "; expected 2");
    GlbParts out;
    std::size_t at = 12;
    for (bool first = true; at + 8 <= file.size(); first = false) {
        const std::size_t length = wordAt(file, at);
        const std::uint32_t kind = wordAt(file, at + 4);
        if (length > file.size() - at - 8)
            refuse("is cut off: a part of " + std::to_string(length) + " bytes is not whole");
        const std::span<const std::byte> part = file.subspan(at + 8, length);
        if (first != (kind == JsonKind))
            refuse("is no binary glTF file: expected one JSON part, first");
        if (first)
            out.json = part;
        else if (kind == BinaryKind && !out.binary)
            out.binary = part;
        at += 8 + length;
    }
    return out;
}

} // namespace

Result<CleanGltf> cleanGltf(std::span<const std::byte> file, bool binary, const OpenBuffer& open) {
    try {
        GlbParts parts;
        if (binary)
            parts = partsOf(file);
        else
            parts.json = file;
        const auto* text = reinterpret_cast<const char*>(parts.json.data());
        const auto limit = [](int depth, Json::parse_event_t, Json&) {
            if (depth > MaximumJsonDepth)
                refuse("is nested more than " + std::to_string(MaximumJsonDepth) + " deep");
            return true;
        };
        Json document = Json::parse(text, text + parts.json.size(), limit);
        std::optional<std::vector<std::byte>> chunk;
        if (parts.binary)
            chunk.emplace(parts.binary->begin(), parts.binary->end());
        return Cleaner(std::move(document), std::move(chunk), open).run();
    } catch (const Fault& fault) {
        return makeError(fault.text);
    } catch (const Json::exception& fault) {
        return makeError(std::string("is malformed glTF: ") + fault.what());
    }
}

} // namespace sbx::importing
