#include "engine/core/fields.h"

#include "engine/core/ascii_case.h"
#include "engine/core/field_json.h"
#include "engine/core/field_write.h"
#include "engine/core/nearest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace sbx {

namespace {

std::string formatBound(double value) {
    char buffer[64];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

// x, y, z, w of any vector value; of others none.
class Elements {
public:
    explicit Elements(const Value& value) {
        if (const auto* v2 = std::get_if<Vec2>(&value))
            set({v2->x, v2->y}, 2);
        else if (const auto* v3 = std::get_if<Vec3>(&value))
            set({v3->x, v3->y, v3->z}, 3);
        else if (const auto* v4 = std::get_if<Vec4>(&value))
            set({v4->x, v4->y, v4->z, v4->w}, 4);
        else if (const auto* q = std::get_if<Quat>(&value))
            set({q->x, q->y, q->z, q->w}, 4);
    }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] float operator[](std::size_t i) const { return m_elements[i]; }
    [[nodiscard]] const float* begin() const { return m_elements.data(); }
    [[nodiscard]] const float* end() const { return m_elements.data() + m_size; }

private:
    void set(std::array<float, 4> elements, std::size_t size) {
        m_elements = elements;
        m_size = size;
    }
    std::array<float, 4> m_elements{};
    std::size_t m_size = 0;
};

Value vectorValue(FieldType type, const std::vector<double>& e) {
    const auto f = [&](std::size_t i) { return static_cast<float>(e[i]); };
    switch (type) {
    case FieldType::Vector2:
        return Vec2(f(0), f(1));
    case FieldType::Vector3:
        return Vec3(f(0), f(1), f(2));
    case FieldType::Quaternion:
        return Quat(f(3), f(0), f(1), f(2));
    default:
        return Vec4(f(0), f(1), f(2), e.size() > 3 ? f(3) : 1.0F);
    }
}

bool countFits(FieldType type, std::size_t count) {
    return count == elementCount(type) || (type == FieldType::Color && count == 3);
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.remove_suffix(1);
    return text;
}

template <typename Number> bool parseNumber(std::string_view text, Number& out) {
    text = trimmed(text);
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
}

std::string unitSuffix(const FieldInfo& field) {
    return field.unit.empty() ? std::string() : " " + field.unit;
}

} // namespace

std::size_t elementCount(FieldType type) {
    switch (type) {
    case FieldType::Vector2:
        return 2;
    case FieldType::Vector3:
        return 3;
    case FieldType::Vector4:
    case FieldType::Quaternion:
    case FieldType::Color:
        return 4;
    default:
        return 0;
    }
}

const char* elementName(FieldType type, std::size_t index) {
    static constexpr const char* Axes[] = {"x", "y", "z", "w"};
    static constexpr const char* Channels[] = {"r", "g", "b", "a"};
    return type == FieldType::Color ? Channels[index] : Axes[index];
}

std::optional<double> elementOf(const Value& value, std::size_t index) {
    const Elements elements(value);
    return index < elements.size() ? std::optional(static_cast<double>(elements[index])) : std::nullopt;
}

const char* fieldTypeName(FieldType type) {
    static constexpr const char* Names[] = {"bool", "int",   "float",  "vec2", "vec3",  "vec4",
                                            "quat", "color", "string", "enum", "entity"};
    return Names[static_cast<int>(type)];
}

std::string FieldCondition::text() const {
    std::string out = "only with " + field + " ";
    for (std::size_t i = 0; i < values.size(); ++i)
        out += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + values[i];
    return out;
}

bool FieldInfo::hasRange() const { return std::isfinite(minimum) || std::isfinite(maximum); }

std::string FieldInfo::expectation() const {
    std::string range;
    const bool machineRange = type == FieldType::Int && (minimum < -1e9 && maximum > 1e9);
    if (hasRange() && !machineRange) {
        const bool unboundedAbove =
            !std::isfinite(maximum) || (type == FieldType::Int && maximum >= 2147483647.0);
        const bool unboundedBelow =
            !std::isfinite(minimum) || (type == FieldType::Int && minimum <= -2147483648.0);
        if (unboundedAbove)
            range = " of at least " + formatBound(minimum);
        else if (unboundedBelow)
            range = " of at most " + formatBound(maximum);
        else
            range = " in [" + formatBound(minimum) + ", " + formatBound(maximum) + "]";
    }
    switch (type) {
    case FieldType::Bool:
        return "true or false";
    case FieldType::Int:
        return "a whole number" + range + unitSuffix(*this);
    case FieldType::Float:
        return "a number" + range + unitSuffix(*this);
    case FieldType::Color:
        return "a colour [r, g, b] or [r, g, b, a], linear" + (range.empty() ? "" : ", each" + range);
    case FieldType::Vector2:
    case FieldType::Vector3:
    case FieldType::Vector4:
    case FieldType::Quaternion:
        return std::to_string(elementCount(type)) + " numbers" + (range.empty() ? "" : ", each" + range)
               + unitSuffix(*this);
    case FieldType::String:
        switch (role) {
        case TextRole::AssetPath:
            return "text: a path inside the project";
        case TextRole::MessageType:
            return "text: the name of a message type";
        case TextRole::EntityType:
            return "text: the name of an entity type";
        case TextRole::EntityName:
            return "text: the name of an entity";
        case TextRole::Plain:
            return "text";
        }
        return "text";
    case FieldType::Enum: {
        std::string out = "one of ";
        for (std::size_t i = 0; i < choices.size(); ++i)
            out += (i == 0 ? "" : ", ") + choices[i];
        return out;
    }
    case FieldType::Entity:
        return "the name of an entity";
    }
    return {};
}

std::string FieldInfo::format(const Value& value) const {
    if (std::holds_alternative<std::monostate>(value))
        return {};
    if (const auto* b = std::get_if<bool>(&value))
        return *b ? "true" : "false";
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return std::to_string(*i);
    if (const auto* d = std::get_if<double>(&value))
        return singlePrecision ? formatFloat(static_cast<float>(*d)) : formatDouble(*d);
    if (const auto* s = std::get_if<std::string>(&value))
        return *s;
    if (const auto* e = std::get_if<EntityId>(&value))
        return *e ? std::to_string(e->bits) : "none";
    std::string out = "[";
    const Elements elements(value);
    for (std::size_t i = 0; i < elements.size(); ++i)
        out += (i == 0 ? "" : ", ") + formatFloat(elements[i]);
    return out + "]";
}

std::string FieldInfo::formatToml(const Value& value) const {
    return std::holds_alternative<std::string>(value) ? inQuotes(std::get<std::string>(value)) : format(value);
}

std::string FieldInfo::formatJson(const Value& value) const {
    JsonWriter json;
    writeValue(json, *this, value);
    return std::move(json).take();
}

void writeValue(JsonWriter& json, const FieldInfo& field, const Value& value) {
    if (std::holds_alternative<std::monostate>(value)) {
        json.null();
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        json.value(*text);
    } else if (const auto* entity = std::get_if<EntityId>(&value)) {
        if (*entity)
            json.value(std::to_string(entity->bits));
        else
            json.null();
    } else if (const auto* number = std::get_if<double>(&value)) {
        json.raw(std::isfinite(*number) ? field.format(value) : "null");
    } else if (const Elements elements(value); !elements.empty()) {
        json.beginArray();
        for (const float element : elements)
            json.value(element);
        json.endArray();
    } else {
        json.raw(field.format(value));
    }
}

void writeMembers(JsonWriter& json, const FieldTable& fields, const void* object) {
    for (const FieldInfo& field : fields)
        writeValue(json.key(field.name), field, field.read(object));
}

namespace {
// The value as the field takes it: itself, or what `made` has become.
Result<const Value*> checked(const FieldInfo& field, const Value& value, Value& made) {
    const auto wrong = [&](const std::string& what) {
        return Error{field.name + ": " + what + "; expected " + field.expectation(), {}, {}};
    };
    const auto inRange = [&](double v) { return v >= field.minimum && v <= field.maximum; };
    const auto take = [&](Value v) { return &(made = std::move(v)); };
    switch (field.type) {
    case FieldType::Bool:
        if (std::holds_alternative<bool>(value))
            return &value;
        return wrong("not a boolean");
    case FieldType::Int: {
        std::int64_t i = 0;
        if (const auto* n = std::get_if<std::int64_t>(&value))
            i = *n;
        else if (const auto* d = std::get_if<double>(&value);
                 d != nullptr && *d >= -0x1p63 && *d < 0x1p63 && std::floor(*d) == *d)
            i = static_cast<std::int64_t>(*d);
        else if (d != nullptr && std::isfinite(*d) && std::floor(*d) == *d)
            return wrong(formatBound(*d) + " is out of range");
        else
            return wrong("not a whole number");
        if (!inRange(static_cast<double>(i)))
            return wrong(std::to_string(i) + " is out of range");
        return take(i);
    }
    case FieldType::Float: {
        double d = 0.0;
        if (const auto* n = std::get_if<double>(&value))
            d = *n;
        else if (const auto* i = std::get_if<std::int64_t>(&value))
            d = static_cast<double>(*i);
        else
            return wrong("not a number");
        if (!std::isfinite(d) || (field.singlePrecision && std::abs(d) > 3.4028234e38))
            return wrong("not a finite number");
        if (!inRange(d))
            return wrong(formatBound(d) + " is out of range");
        return take(d);
    }
    case FieldType::String:
        if (!std::holds_alternative<std::string>(value))
            return wrong("not text");
        if (field.size > 1 && field.size != sizeof(std::string)
            && std::get<std::string>(value).size() > field.size)
            return Error{field.name + ": a text of " + std::to_string(std::get<std::string>(value).size())
                             + " bytes; expected at most " + std::to_string(field.size),
                         {},
                         {}};
        return &value;
    case FieldType::Enum: {
        const auto* s = std::get_if<std::string>(&value);
        if (s == nullptr)
            return wrong("not a name");
        if (std::find(field.choices.begin(), field.choices.end(), *s) == field.choices.end()) {
            const std::string near = nearestName(*s, field.choices);
            return wrong(inQuotes(*s) + " is unknown" + (near.empty() ? "" : ", did you mean " + near + "?"));
        }
        return &value;
    }
    case FieldType::Entity:
        if (std::holds_alternative<EntityId>(value))
            return &value;
        return wrong("not an entity");
    default: {
        const Elements elements(value);
        if (!countFits(field.type, elements.size()))
            return wrong("wrong number of elements");
        for (const float e : elements) {
            if (!std::isfinite(e))
                return wrong("not a finite number");
            if (!inRange(static_cast<double>(e)))
                return wrong(formatFloat(e) + " is out of range");
        }
        if (field.type == FieldType::Color && elements.size() == 3)
            return take(Vec4(elements[0], elements[1], elements[2], 1.0F));
        return &value;
    }
    }
}
} // namespace

Result<Value> FieldInfo::check(const Value& value) const {
    Value made;
    const Result<const Value*> fitting = checked(*this, value, made);
    if (!fitting)
        return fitting.error();
    return **fitting;
}

Result<void> writeChecked(const FieldInfo& field, void* object, const Value& value) {
    Value made;
    const Result<const Value*> fitting = checked(field, value, made);
    if (!fitting)
        return fitting.error();
    field.write(object, **fitting);
    return {};
}

Result<Value> FieldInfo::parse(std::string_view given) const {
    std::string_view text = trimmed(given);
    const auto wrong = [&] {
        return Error{name + ": " + inQuotes(text) + " is not valid; expected " + expectation(), {}, {}};
    };
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        text = text.substr(1, text.size() - 2);
    switch (type) {
    case FieldType::Bool: {
        const std::string word = lowered(text);
        if (word == "true" || word == "1" || word == "on" || word == "yes")
            return Value(true);
        if (word == "false" || word == "0" || word == "off" || word == "no")
            return Value(false);
        return wrong();
    }
    case FieldType::Int:
        // Not through a double: that is exact up to 2^53 only.
        if (std::int64_t whole = 0; parseNumber(text, whole))
            return check(Value(whole));
        [[fallthrough]];
    case FieldType::Float: {
        double number = 0.0;
        if (!parseNumber(text, number))
            return wrong();
        return check(Value(number));
    }
    case FieldType::Enum:
        if (std::find(choices.begin(), choices.end(), text) == choices.end())
            for (const std::string& choice : choices)
                if (lowered(choice) == lowered(text))
                    return Value(choice);
        [[fallthrough]];
    case FieldType::String:
        return check(Value(std::string(text)));
    case FieldType::Entity: {
        std::uint64_t bits = 0;
        if (lowered(text) == "none" || text.empty())
            return Value(EntityId{});
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
        if (error != std::errc() || end != text.data() + text.size())
            return wrong();
        return Value(EntityId::fromBits(bits));
    }
    default: {
        std::string list(text);
        std::replace_if(
            list.begin(), list.end(),
            [](char c) { return c == '[' || c == ']' || c == ',' || c == '(' || c == ')'; }, ' ');
        std::vector<double> elements;
        std::string_view rest = trimmed(list);
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
            double number = 0.0;
            if (!parseNumber(rest.substr(0, end), number))
                return wrong();
            elements.push_back(number);
            rest = trimmed(rest.substr(end));
        }
        if (!countFits(type, elements.size()))
            return wrong();
        return check(vectorValue(type, elements));
    }
    }
}

bool FieldInfo::fromSource(const SourceValue& source, Value& out, Diagnostics& sink,
                           std::string_view file) const {
    const auto fault = [&](const SourceValue& at, std::string what, std::string suggestion = {}) {
        const SourceRegion region = at.region.line > 0 ? at.region : source.region;
        sink.add({Severity::Error, std::string(file), region, std::move(what), expectation(),
                  std::move(suggestion)});
        return false;
    };
    const auto checkNumber = [&](const SourceValue& at, const std::string& label) {
        const double d = at.asNumber();
        if (!std::isfinite(d) || (singlePrecision && std::abs(d) > 3.4028234e38))
            return fault(at, label + " is not a finite number");
        if (d < minimum || d > maximum)
            return fault(at, label + " is " + formatBound(d) + ", out of range");
        return true;
    };
    switch (type) {
    case FieldType::Bool:
        if (source.kind != SourceValue::Kind::Boolean)
            return fault(source, name + " is " + source.describeKind());
        out = source.boolean;
        return true;
    case FieldType::Int:
        if (source.kind != SourceValue::Kind::Integer
            && !(source.kind == SourceValue::Kind::Float && std::floor(source.number) == source.number
                 && std::abs(source.number) < 9e15))
            return fault(source, name + " is " + source.describeKind());
        if (!checkNumber(source, name))
            return false;
        out = source.kind == SourceValue::Kind::Integer ? source.integer
                                                        : static_cast<std::int64_t>(source.number);
        return true;
    case FieldType::Float:
        if (!source.isNumber())
            return fault(source, name + " is " + source.describeKind());
        if (!checkNumber(source, name))
            return false;
        out = source.asNumber();
        return true;
    case FieldType::String:
    case FieldType::Entity:
        if (source.kind != SourceValue::Kind::String)
            return fault(source, name + " is " + source.describeKind());
        if (type == FieldType::String && size > 1 && size != sizeof(std::string) && source.text.size() > size)
            return fault(source, name + " is text of " + std::to_string(source.text.size())
                                     + " bytes, longer than " + std::to_string(size));
        out = source.text;
        return true;
    case FieldType::Enum:
        if (source.kind != SourceValue::Kind::String)
            return fault(source, name + " is " + source.describeKind());
        if (std::find(choices.begin(), choices.end(), source.text) == choices.end())
            return fault(source, name + " " + inQuotes(source.text) + " is unknown",
                         nearestName(source.text, choices));
        out = source.text;
        return true;
    default: {
        if (source.kind != SourceValue::Kind::Array || !countFits(type, source.array.size()))
            return fault(source, name + " is " + source.describeKind());
        std::vector<double> elements;
        for (std::size_t i = 0; i < source.array.size(); ++i) {
            const std::string label = name + "." + elementName(type, i);
            if (!source.array[i].isNumber())
                return fault(source.array[i], label + " is " + source.array[i].describeKind());
            if (!checkNumber(source.array[i], label))
                return false;
            elements.push_back(source.array[i].asNumber());
        }
        out = vectorValue(type, elements);
        return true;
    }
    }
}

const FieldInfo* FieldTable::find(std::string_view name) const {
    const auto it =
        std::find_if(m_fields.begin(), m_fields.end(), [&](const FieldInfo& f) { return f.name == name; });
    return it == m_fields.end() ? nullptr : &*it;
}

std::vector<std::string> FieldTable::names() const {
    std::vector<std::string> out;
    for (const FieldInfo& field : m_fields)
        out.push_back(field.name);
    return out;
}

void FieldTable::hash(const void* object, Hash64& into) const {
    for (const FieldInfo& field : m_fields)
        field.hash(static_cast<const std::byte*>(object) + field.offset, into);
}

std::string FieldTable::formatJson(const void* object) const {
    JsonWriter json;
    writeMembers(json.beginObject(), *this, object);
    return std::move(json.endObject()).take();
}

void Hash64::add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    std::uint64_t word = 0;
    std::size_t i = 0;
    for (const char c : text) {
        word = (word << 8U) | static_cast<unsigned char>(c);
        if (++i % 8 == 0) {
            add(word);
            word = 0;
        }
    }
    if (i % 8 != 0)
        add(word);
}

std::uint64_t Hash64::value() const {
    std::uint64_t h = m_state;
    h ^= h >> 33U;
    h *= 0xFF51AFD7ED558CCDULL;
    h ^= h >> 33U;
    h *= 0xC4CEB9FE1A85EC53ULL;
    return h ^ (h >> 33U);
}

namespace detail {
void hashFloat(float value, Hash64& h) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    h.add(bits);
}
} // namespace detail

} // namespace sbx
