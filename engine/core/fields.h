#pragma once
// Describe once. The fields of a message, of a component's Settings and of its state are declared beside the struct:
//
//     struct Settings {
//         float mass = 1.0F;
//         static void describe(FieldList<Settings>& f) {
//             f.add("mass", &Settings::mass, "Mass of a dynamic body.").unit("kg").range(0.001, 1e6);
//         }
//     };
//
// From that one declaration come the file reader and its errors, the inspector's editors, completion, tooltips, the trace's
// columns, the console's `send`, the digest, the wire format and the JSON export. The default is what T{} holds.
// A FieldTable is immutable once built and may be read from any thread.

#include "engine/core/fixed_text.h"
#include "engine/core/result.h"
#include "engine/core/source_value.h"
#include "engine/core/value.h"

#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sbx {

enum class FieldType { Bool, Int, Float, Vector2, Vector3, Vector4, Quaternion, Color, String, Enum, Entity };
[[nodiscard]] const char* fieldTypeName(FieldType type);
// How many numbers a field of the type is made of, one by one accessible; 0: it is one value.
[[nodiscard]] std::size_t elementCount(FieldType type);
// "x", "y", "z", "w"; of a colour "r", "g", "b", "a". index < elementCount(type).
[[nodiscard]] const char* elementName(FieldType type, std::size_t index);
// One of a value's numbers; nothing if it has no such element.
[[nodiscard]] std::optional<double> elementOf(const Value& value, std::size_t index);

// What a text stands for, for completion and checks; the stored type is String.
enum class TextRole { Plain, AssetPath, MessageType, EntityType, EntityName };

class Hash64;

// A field of the same object that decides whether another one has an effect: it must have one of these values.
struct FieldCondition {
    std::string field;
    std::vector<std::string> values; // as FieldInfo::format() writes them: names of choices, "true" or "false"

    // "only with shape sphere, capsule or cylinder"
    [[nodiscard]] std::string text() const;
};

struct FieldInfo {
    std::string name; // camelCase, as in files
    FieldType type = FieldType::Float;
    std::string doc;                                           // one line
    std::string unit;                                          // "kg", "m", "deg"; empty: none
    double minimum = -std::numeric_limits<double>::infinity(); // of each element, inclusive
    double maximum = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices; // Enum: names of 0, 1, 2, …
    TextRole role = TextRole::Plain;
    bool singlePrecision = false; // stored as 32-bit float
    double resolution = 0.0; // of a state that is replicated: the step its numbers are rounded to on the way; 0: sent exactly
    bool readOnly = false;        // shown, never edited
    bool ownerOnly = false; // of a state that is replicated: goes only to the client whose player the entity is
    // The value has an effect only while all of these hold. It is read, written and kept in any case; editors do without it meanwhile.
    std::vector<FieldCondition> conditions;
    Value defaultValue;
    std::size_t offset = 0; // bytes from the start of the object
    std::size_t size = 0;   // bytes stored
    Value (*get)(const FieldInfo&, const void* member) = nullptr;
    // Trusts type and range: check first.
    void (*set)(const FieldInfo&, void* member, const Value&) = nullptr;
    // Exact bits, same on every run; texts by content.
    void (*hash)(const void* member, Hash64&) = nullptr;
    // Of a String only: the text where it lies.
    std::string_view (*textAt)(const void* member) = nullptr;

    [[nodiscard]] Value read(const void* object) const {
        return get(*this, static_cast<const std::byte*>(object) + offset);
    }
    // A String of an object without a copy, valid until the field is written.
    [[nodiscard]] std::string_view readText(const void* object) const {
        return textAt(static_cast<const std::byte*>(object) + offset);
    }
    void write(void* object, const Value& value) const {
        set(*this, static_cast<std::byte*>(object) + offset, value);
    }
    [[nodiscard]] bool hasRange() const;
    // "a number in [0.001, 1e6] kg", "one of box, sphere", "true or false": for diagnostics and tooltips.
    [[nodiscard]] std::string expectation() const;
    // Display text: numbers shortest, vectors "[1.0, 2.0, 3.0]", enums and texts bare.
    [[nodiscard]] std::string format(const Value& value) const;
    // TOML value text: as format, but texts and enums quoted, quaternions as four numbers x, y, z, w.
    [[nodiscard]] std::string formatToml(const Value& value) const;
    // JSON value text; non-finite numbers as null, entities as a quoted decimal handle.
    [[nodiscard]] std::string formatJson(const Value& value) const;
    // From console or editor text: "5", "1e3", "[1, 2, 3]", "1 2 3", "1,2,3", box, true. Checks type and range. Case does not matter.
    [[nodiscard]] Result<Value> parse(std::string_view text) const;
    // From a file: checks type, element count, finiteness, range and choice; a fault goes to the sink, place included.
    [[nodiscard]] bool fromSource(const SourceValue& source, Value& out, Diagnostics& sink,
                                  std::string_view file) const;
    // The value brought into type and range, or what is wrong with it.
    [[nodiscard]] Result<Value> check(const Value& value) const;
};

class FieldTable {
public:
    FieldTable() = default;
    explicit FieldTable(std::vector<FieldInfo> fields) : m_fields(std::move(fields)) {}

    [[nodiscard]] const std::vector<FieldInfo>& fields() const { return m_fields; }
    [[nodiscard]] bool empty() const { return m_fields.empty(); }
    [[nodiscard]] const FieldInfo* find(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] auto begin() const { return m_fields.begin(); }
    [[nodiscard]] auto end() const { return m_fields.end(); }
    void hash(const void* object, Hash64& into) const;
    // `{"amount":5.0,…}`
    [[nodiscard]] std::string formatJson(const void* object) const;

private:
    std::vector<FieldInfo> m_fields;
};

// 64-bit streaming hash for digests: order-sensitive, same on every run and machine of one byte order. Not cryptographic.
class Hash64 {
public:
    void add(std::uint64_t word) {
        m_state = (m_state ^ word) * 0x9E3779B97F4A7C15ULL;
        m_state ^= m_state >> 32U;
    }
    void add(std::string_view text);
    [[nodiscard]] std::uint64_t value() const;

private:
    std::uint64_t m_state = 0xCBF29CE484222325ULL;
};

namespace detail {

template <typename M> struct FieldTraits;

template <> struct FieldTraits<bool> {
    static constexpr FieldType Type = FieldType::Bool;
    static Value get(const FieldInfo&, const bool& m) { return m; }
    static void set(const FieldInfo&, bool& m, const Value& v) { m = std::get<bool>(v); }
    static void hash(const bool& m, Hash64& h) { h.add(m ? 1U : 0U); }
};
template <typename M>
requires(std::is_integral_v<M> && !std::is_same_v<M, bool>) struct FieldTraits<M> {
    static constexpr FieldType Type = FieldType::Int;
    static Value get(const FieldInfo&, const M& m) { return static_cast<std::int64_t>(m); }
    static void set(const FieldInfo&, M& m, const Value& v) { m = static_cast<M>(std::get<std::int64_t>(v)); }
    static void hash(const M& m, Hash64& h) { h.add(static_cast<std::uint64_t>(m)); }
};
void hashFloat(float value, Hash64& h);
template <> struct FieldTraits<float> {
    static constexpr FieldType Type = FieldType::Float;
    static Value get(const FieldInfo&, const float& m) { return static_cast<double>(m); }
    static void set(const FieldInfo&, float& m, const Value& v) {
        m = static_cast<float>(std::get<double>(v));
    }
    static void hash(const float& m, Hash64& h) { hashFloat(m, h); }
};
template <> struct FieldTraits<double> {
    static constexpr FieldType Type = FieldType::Float;
    static Value get(const FieldInfo&, const double& m) { return m; }
    static void set(const FieldInfo&, double& m, const Value& v) { m = std::get<double>(v); }
    static void hash(const double& m, Hash64& h) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &m, sizeof bits);
        h.add(bits);
    }
};
template <typename V, FieldType T> struct VectorTraits {
    static constexpr FieldType Type = T;
    static Value get(const FieldInfo&, const V& m) { return m; }
    static void set(const FieldInfo&, V& m, const Value& v) { m = std::get<V>(v); }
    static void hash(const V& m, Hash64& h) {
        for (glm::length_t i = 0; i < V::length(); ++i)
            hashFloat(m[i], h);
    }
};
template <> struct FieldTraits<Vec2> : VectorTraits<Vec2, FieldType::Vector2> {};
template <> struct FieldTraits<Vec3> : VectorTraits<Vec3, FieldType::Vector3> {};
template <> struct FieldTraits<Vec4> : VectorTraits<Vec4, FieldType::Vector4> {};
template <> struct FieldTraits<Quat> : VectorTraits<Quat, FieldType::Quaternion> {};
template <> struct FieldTraits<std::string> {
    static constexpr FieldType Type = FieldType::String;
    static Value get(const FieldInfo&, const std::string& m) { return m; }
    static void set(const FieldInfo&, std::string& m, const Value& v) { m = std::get<std::string>(v); }
    static void hash(const std::string& m, Hash64& h) { h.add(std::string_view(m)); }
    static std::string_view text(const std::string& m) { return m; }
};
template <std::size_t N> struct FieldTraits<FixedText<N>> {
    static constexpr FieldType Type = FieldType::String;
    static Value get(const FieldInfo&, const FixedText<N>& m) { return m.string(); }
    static void set(const FieldInfo&, FixedText<N>& m, const Value& v) { m.assign(std::get<std::string>(v)); }
    static void hash(const FixedText<N>& m, Hash64& h) { h.add(m.view()); }
    static std::string_view text(const FixedText<N>& m) { return m.view(); }
};
template <> struct FieldTraits<EntityId> {
    static constexpr FieldType Type = FieldType::Entity;
    static Value get(const FieldInfo&, const EntityId& m) { return m; }
    static void set(const FieldInfo&, EntityId& m, const Value& v) { m = std::get<EntityId>(v); }
    static void hash(const EntityId& m, Hash64& h) { h.add(m.bits); }
};
template <typename M>
requires std::is_enum_v<M>
struct FieldTraits<M> {
    static constexpr FieldType Type = FieldType::Enum;
    static Value get(const FieldInfo& f, const M& m) {
        const auto i = static_cast<std::size_t>(m);
        return i < f.choices.size() ? f.choices[i] : std::string("?");
    }
    static void set(const FieldInfo& f, M& m, const Value& v) {
        const auto& name = std::get<std::string>(v);
        for (std::size_t i = 0; i < f.choices.size(); ++i)
            if (f.choices[i] == name)
                m = static_cast<M>(i);
    }
    static void hash(const M& m, Hash64& h) { h.add(static_cast<std::uint64_t>(m)); }
};

// How a field that is stored as an M is read and written.
template <typename M> void keepAs(FieldInfo& field) {
    using Traits = FieldTraits<M>;
    field.size = sizeof(M);
    field.singlePrecision = std::is_same_v<M, float>;
    field.get = [](const FieldInfo& f, const void* m) { return Traits::get(f, *static_cast<const M*>(m)); };
    field.set = [](const FieldInfo& f, void* m, const Value& v) { Traits::set(f, *static_cast<M*>(m), v); };
    field.hash = [](const void* m, Hash64& h) { Traits::hash(*static_cast<const M*>(m), h); };
    if constexpr (Traits::Type == FieldType::String)
        field.textAt = [](const void* m) { return Traits::text(*static_cast<const M*>(m)); };
}

} // namespace detail

class FieldBuilder {
public:
    explicit FieldBuilder(FieldInfo& field) : m_field(field) {}
    FieldBuilder& unit(std::string unit) { return m_field.unit = std::move(unit), *this; }
    FieldBuilder& range(double minimum, double maximum) {
        m_field.minimum = minimum;
        m_field.maximum = maximum;
        return *this;
    }
    FieldBuilder& atLeast(double minimum) { return m_field.minimum = minimum, *this; }
    FieldBuilder& resolution(double step) { return m_field.resolution = step, *this; }
    FieldBuilder& choices(std::vector<std::string> names) {
        return m_field.choices = std::move(names), *this;
    }
    FieldBuilder& color() { return m_field.type = FieldType::Color, *this; }
    FieldBuilder& role(TextRole role) { return m_field.role = role, *this; }
    FieldBuilder& readOnly() { return m_field.readOnly = true, *this; }
    FieldBuilder& ownerOnly() { return m_field.ownerOnly = true, *this; }
    // Has an effect only while that field, which is one of the same object, has one of the values. Of several conditions all must hold.
    FieldBuilder& onlyWith(std::string field, std::vector<std::string> values) {
        m_field.conditions.push_back({std::move(field), std::move(values)});
        return *this;
    }

private:
    FieldInfo& m_field;
};

template <typename T> class FieldList {
public:
    explicit FieldList(std::vector<FieldInfo>& fields) : m_fields(fields) {}

    template <typename M, typename Owner>
    FieldBuilder add(std::string name, M Owner::*member, std::string doc) {
        FieldInfo field;
        field.name = std::move(name);
        field.type = detail::FieldTraits<M>::Type;
        field.doc = std::move(doc);
        const T& object = m_default;
        field.offset = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(object.*member))
                                                - reinterpret_cast<const std::byte*>(&object));
        detail::keepAs<M>(field);
        if constexpr (std::is_integral_v<M> && !std::is_same_v<M, bool>) {
            field.minimum = static_cast<double>(std::numeric_limits<M>::min());
            field.maximum = static_cast<double>(std::numeric_limits<M>::max());
        }
        m_fields.push_back(std::move(field));
        return FieldBuilder(m_fields.back());
    }

private:
    T m_default{};
    std::vector<FieldInfo>& m_fields;
};

// The table of T, built on first use (thread-safe) from T::describe.
template <typename T> const FieldTable& fieldsOf() {
    static const FieldTable Table = [] {
        std::vector<FieldInfo> fields;
        fields.reserve(64);
        FieldList<T> list(fields);
        T::describe(list);
        const T defaults{};
        for (FieldInfo& field : fields)
            field.defaultValue = field.read(&defaults);
        return FieldTable(std::move(fields));
    }();
    return Table;
}

} // namespace sbx
