#include "engine/simulation/shared_content.h"

#include "engine/components/network_table.h"
#include "engine/net/bytes.h"
#include "engine/simulation/content.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <variant>

namespace sbx {

namespace {

constexpr std::uint8_t Version = 1;
constexpr std::size_t HeadSize = 1 + 8 + 8 + 8 + 2;
constexpr std::size_t MaxTypes = (net::MaxDescription - HeadSize) / 8;
constexpr std::size_t MaxNamed = 4; // in a text

template <typename Vector> void addVector(Hash64& hash, const Vector& vector, int size) {
    for (int i = 0; i < size; ++i)
        hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(vector[i])});
}

void addValue(Hash64& hash, const Value& value) {
    hash.add(value.index());
    std::visit(
        [&](const auto& v) {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t>)
                hash.add(static_cast<std::uint64_t>(v));
            else if constexpr (std::is_same_v<T, double>)
                hash.add(std::bit_cast<std::uint64_t>(v));
            else if constexpr (std::is_same_v<T, std::string>)
                hash.add(std::string_view(v));
            else if constexpr (std::is_same_v<T, EntityId>)
                hash.add(v.bits);
            else if constexpr (std::is_same_v<T, Vec2>)
                addVector(hash, v, 2);
            else if constexpr (std::is_same_v<T, Vec3>)
                addVector(hash, v, 3);
            else if constexpr (std::is_same_v<T, Vec4> || std::is_same_v<T, Quat>)
                addVector(hash, v, 4);
        },
        value);
}

// Components in their order, which is that of their handlers; the settings of one in the order of their keys.
void addComponents(Hash64& hash, const std::vector<definition::ComponentDefinition>& components) {
    hash.add(components.size());
    for (const definition::ComponentDefinition& component : components) {
        hash.add(std::string_view(component.name));
        std::vector<const definition::Setting*> settings;
        for (const definition::Setting& setting : component.settings)
            settings.push_back(&setting);
        std::sort(settings.begin(), settings.end(),
                  [](const auto* a, const auto* b) { return a->entry.key < b->entry.key; });
        hash.add(settings.size());
        for (const definition::Setting* setting : settings) {
            hash.add(std::string_view(setting->entry.key));
            addValue(hash, setting->value);
        }
    }
}

std::uint32_t folded(std::uint64_t hash) { return static_cast<std::uint32_t>(hash ^ (hash >> 32U)); }

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), MaxNamed); ++i)
        out += (i > 0 ? ", " : "") + names[i];
    if (names.size() > MaxNamed)
        out += " and " + std::to_string(names.size() - MaxNamed) + " more";
    return out;
}

} // namespace

SharedContent::SharedContent(const NetworkTable& table, const Content* content) : m_components(table.hash()) {
    if (content == nullptr)
        return;
    for (const definition::EntityTypeDefinition& type : content->definitions->types()) {
        Hash64 name;
        name.add(std::string_view(type.name));
        Hash64 hash;
        addComponents(hash, type.components);
        m_types.push_back({type.name, folded(name.value()), folded(hash.value())});
    }
    std::sort(m_types.begin(), m_types.end(), [](const Type& a, const Type& b) { return a.name < b.name; });
    Hash64 definitions;
    for (const Type& type : m_types) {
        definitions.add(std::string_view(type.name));
        definitions.add(std::uint64_t{type.hash});
    }
    m_definitions = definitions.value();
    m_sceneName = content->scene.name();
    Hash64 scene;
    for (const definition::InstanceDefinition& instance : content->scene.instances()) {
        scene.add(std::string_view(instance.name));
        scene.add(std::string_view(instance.type));
        scene.add(std::string_view(instance.parent));
        addVector(scene, instance.position, 3);
        addVector(scene, instance.rotation, 3);
        addVector(scene, instance.scale, 3);
        addComponents(scene, instance.overrides);
    }
    m_scene = scene.value();
}

net::ProtocolIdentity SharedContent::identity() const {
    net::ProtocolIdentity identity;
    identity.id = 0x53425831; // of Signalbox's sessions
    Hash64 content;
    content.add(m_definitions);
    content.add(m_scene);
    net::ByteWriter out(identity.table);
    out.u64(m_components);
    out.u64(content.value());
    return identity;
}

std::vector<std::uint8_t> SharedContent::description() const {
    const std::size_t count = std::min(m_types.size(), MaxTypes);
    std::vector<std::uint8_t> bytes(HeadSize + 8 * count);
    net::ByteWriter out(bytes);
    out.u8(Version);
    out.u64(m_components);
    out.u64(m_definitions);
    out.u64(m_scene);
    out.u16(static_cast<std::uint16_t>(std::min<std::size_t>(m_types.size(), UINT16_MAX)));
    for (std::size_t i = 0; i < count; ++i) {
        out.u32(m_types[i].nameHash);
        out.u32(m_types[i].hash);
    }
    return bytes;
}

std::string SharedContent::difference(net::ByteView theirs) const {
    net::ByteReader in(theirs);
    const std::uint8_t version = in.u8();
    const std::uint64_t components = in.u64();
    const std::uint64_t definitions = in.u64();
    const std::uint64_t scene = in.u64();
    const std::size_t count = in.u16();
    if (!in.ok() || version != Version || in.remaining() != 8 * std::min(count, MaxTypes))
        return {};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> types;
    while (in.remaining() > 0) {
        const std::uint32_t name = in.u32();
        types.emplace_back(name, in.u32());
    }
    std::string out;
    const auto add = [&](const std::string& what) { out += (out.empty() ? "" : "; ") + what; };
    if (components != m_components)
        add("components or their messages (another version of the program, or other plugins)");
    if (definitions != m_definitions) {
        std::vector<std::string> other;
        std::vector<std::string> missing;
        std::size_t found = 0;
        for (const Type& type : m_types) {
            const auto same = std::find_if(types.begin(), types.end(),
                                           [&](const auto& one) { return one.first == type.nameHash; });
            if (same == types.end())
                missing.push_back(type.name);
            else if (++found; same->second != type.hash)
                other.push_back(type.name);
        }
        std::string text = "definitions of entity types";
        std::string detail = other.empty() ? std::string() : listed(other);
        const bool whole = count <= MaxTypes
                           && m_types.size() <= MaxTypes; // else what is missing may only have found no room
        if (whole && !missing.empty())
            detail += (detail.empty() ? "" : "; ") + std::string("only here: ") + listed(missing);
        if (whole && types.size() > found)
            detail += (detail.empty() ? "" : "; ") + std::string("only there: ")
                      + std::to_string(types.size() - found);
        add(text + (detail.empty() ? "" : " (" + detail + ")"));
    }
    if (scene != m_scene)
        add("the scene (here \"" + m_sceneName + "\")");
    return out;
}

} // namespace sbx
