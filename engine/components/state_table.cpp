#include "engine/components/state_table.h"

#include "engine/components/messages.h"
#include "engine/components/network_transform.h"
#include "engine/components/network_wire.h"
#include "engine/core/utf8.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace sbx {

namespace {

constexpr std::size_t MaxStateText = 512; // bytes
constexpr unsigned TextLengthBits = 10;
constexpr unsigned RotationBits = 12; // of each of three elements
constexpr std::uint32_t RotationMask = (1U << RotationBits) - 1U;
constexpr float LargestOther = 0.70710678F; // an element that is not the largest of a rotation

// The sign in the lowest bit, so that small numbers of either sign are short.
std::uint32_t fold(std::int32_t value) {
    return (static_cast<std::uint32_t>(value) << 1U) ^ static_cast<std::uint32_t>(value >> 31);
}
std::int32_t unfold(std::uint32_t value) {
    return static_cast<std::int32_t>((value >> 1U) ^ (0U - (value & 1U)));
}

std::uint32_t inSteps(double value, double step) {
    constexpr double Limit = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::uint32_t>(
        static_cast<std::int32_t>(std::llround(std::clamp(value / step, -Limit, Limit))));
}
// What a peer accepts of the field.
double withinRange(double value, const FieldInfo& field) {
    return std::isfinite(value) ? std::clamp(value, field.minimum, field.maximum)
                                : std::clamp(0.0, field.minimum, field.maximum);
}
double fromSteps(std::uint32_t word, double step) { return static_cast<std::int32_t>(word) * step; }

// Of the length of a folded number whose largest magnitude is `most`.
std::uint8_t lengthBits(double most) {
    constexpr double Limit = std::numeric_limits<std::int32_t>::max();
    const auto folded = fold(-static_cast<std::int32_t>(std::min(std::ceil(most), Limit)));
    return std::bit_width(folded) > 31 ? 6 : 5;
}

std::uint64_t rawInteger(const std::byte* member, std::size_t size) {
    std::uint64_t raw = 0;
    std::memcpy(&raw, member, std::min(size, sizeof raw));
    return raw;
}

// Smallest three: the largest element follows from the others, as the rotation has length 1 and means the same with all signs changed.
void packRotation(const Quat& rotation, std::uint32_t* words) {
    std::array<float, 4> q{rotation.x, rotation.y, rotation.z, rotation.w};
    const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0.0F) || !std::isfinite(length))
        q = {0.0F, 0.0F, 0.0F, 1.0F};
    else
        for (float& element : q)
            element /= length;
    std::size_t largest = 3; // of equals the last, so that no rotation has two forms
    for (std::size_t i = 3; i-- > 0;)
        if (std::abs(q[i]) > std::abs(q[largest]))
            largest = i;
    const float sign = q[largest] < 0.0F ? -1.0F : 1.0F;
    std::array<std::uint32_t, 3> others{};
    for (std::size_t i = 0, next = 0; i < 4; ++i)
        if (i != largest) {
            // An even number of steps would have none at 0.
            constexpr float Half = static_cast<float>(RotationMask / 2);
            const float scaled = std::clamp(sign * q[i] / LargestOther, -1.0F, 1.0F) * Half;
            others[next++] = static_cast<std::uint32_t>(std::lround(scaled + Half));
        }
    words[0] = others[0] | (others[1] << RotationBits);
    words[1] = others[2] | (static_cast<std::uint32_t>(largest) << RotationBits);
}

Quat unpackRotation(const std::uint32_t* words) {
    const std::array<std::uint32_t, 3> others{
        words[0] & RotationMask, (words[0] >> RotationBits) & RotationMask, words[1] & RotationMask};
    const std::size_t largest = (words[1] >> RotationBits) & 3U;
    std::array<float, 4> q{};
    float rest = 1.0F;
    for (std::size_t i = 0, next = 0; i < 4; ++i)
        if (i != largest) {
            constexpr float Half = static_cast<float>(RotationMask / 2);
            q[i] = (static_cast<float>(others[next++]) - Half) / Half * LargestOther;
            rest -= q[i] * q[i];
        }
    q[largest] = std::sqrt(std::max(rest, 0.0F));
    return glm::normalize(Quat(q[3], q[0], q[1], q[2]));
}

enum PlacePart : std::uint16_t { ParentPart, PositionPart, RotationPart };

} // namespace

// ---------------------------------------------------------------------------------------------------- columns

StateTable::StateTable(const std::shared_ptr<const EntityType>& type)
    : m_type(type), m_typeName(type->name()) {
    for (const EntityType::Slot& slot : type->layout()) {
        m_parts.push_back(slot.type);
        m_placed = m_placed && slot.type->state->find("position") == nullptr;
    }
    if (m_placed) {
        add({.part = ParentPart, .form = Form::Unsigned, .bits = 6});
        add({.part = PositionPart,
             .words = 3,
             .form = Form::Signed,
             .bits = lengthBits(wire::MaxCoordinate / PlaceResolution),
             .step = PlaceResolution});
        add({.part = RotationPart, .words = 2, .form = Form::Rotation});
    }
    const bool sendsItself = std::any_of(m_parts.begin(), m_parts.end(), [](const ComponentType* part) { return part->name == NetworkTransform::TypeName; });
    for (std::size_t part = 0; part < m_parts.size(); ++part)
        if (m_parts[part]->stateOf != nullptr
            && !(sendsItself && m_parts[part]->name != NetworkTransform::TypeName && m_parts[part]->state->find("position") != nullptr))
            for (const FieldInfo& field : *m_parts[part]->state)
                addField(static_cast<std::uint16_t>(part), field);
}

void StateTable::add(Column column) {
    if (m_columns.size() == MaxColumns)
        return;
    column.firstWord = static_cast<std::uint16_t>(m_wordCount);
    m_wordCount += column.words;
    m_columns.push_back(column);
}

void StateTable::addField(std::uint16_t part, const FieldInfo& field) {
    Column column{.field = &field, .part = part};
    switch (field.type) {
    case FieldType::Bool:
        column.form = Form::Flag;
        break;
    case FieldType::Enum:
        column.form = Form::Choice;
        column.bits =
            static_cast<std::uint8_t>(std::bit_width(field.choices.empty() ? 0U : field.choices.size() - 1));
        break;
    case FieldType::Int:
        column.words = field.size > sizeof(std::uint32_t) ? 2 : 1;
        column.form = column.words == 2 ? Form::Exact : field.minimum < 0.0 ? Form::Signed : Form::Unsigned;
        column.bits = 6;
        break;
    case FieldType::String:
        column.form = Form::String;
        column.words = 1 + MaxStateText / sizeof(std::uint32_t);
        break;
    case FieldType::Entity:
        column.form = Form::Unsigned;
        column.bits = 6;
        break;
    default: // one float, or several, or a double
        column.words = static_cast<std::uint16_t>(std::max<std::size_t>(field.size / sizeof(float), 1));
        if (field.resolution > 0.0) {
            column.words = static_cast<std::uint16_t>(std::max<std::size_t>(elementCount(field.type), 1));
            column.form = Form::Signed;
            column.step = field.resolution;
            column.bits =
                lengthBits(std::max(std::abs(field.minimum), std::abs(field.maximum)) / field.resolution);
        }
    }
    add(column);
}

bool StateTable::isOf(const std::shared_ptr<const EntityType>& type) const {
    return !m_type.owner_before(type) && !type.owner_before(m_type);
}

std::string StateTable::columnName(std::size_t column) const {
    const Column& at = m_columns[column];
    if (at.field == nullptr)
        return at.part == ParentPart ? "parent" : at.part == PositionPart ? "position" : "rotation";
    return m_parts[at.part]->name + "." + at.field->name;
}

bool StateTable::same(std::size_t column, std::span<const std::uint32_t> a,
                      std::span<const std::uint32_t> b) const {
    const auto left = wordsOf(column, a);
    const auto right = wordsOf(column, b);
    if (std::equal(left.begin(), left.end(), right.begin(), right.end()))
        return true;
    // Where two elements are equally large, one rotation has two forms.
    constexpr float LeastDot = 0.99999997F; // of rotations 0.03 degrees apart
    return m_columns[column].form == Form::Rotation
           && std::abs(glm::dot(unpackRotation(left.data()), unpackRotation(right.data()))) >= LeastDot;
}

// ---------------------------------------------------------------------------------------------------- differences

namespace {
constexpr double RotationBlur = 0.1; // deg
constexpr double Turn = 360.0;       // deg

double degreesBetween(const Quat& a, const Quat& b) {
    const double dot = std::min(1.0, static_cast<double>(std::abs(glm::dot(a, b))));
    return glm::degrees(2.0 * std::acos(dot));
}
} // namespace

bool StateTable::isDouble(const Column& column) {
    return column.field != nullptr && column.field->type == FieldType::Float && column.step == 0.0 && column.words == 2;
}

bool StateTable::isNumber(const Column& column) {
    if (column.field == nullptr)
        return column.part == PositionPart;
    switch (column.field->type) {
    case FieldType::Bool:
    case FieldType::Enum:
    case FieldType::String:
    case FieldType::Entity:
    case FieldType::Quaternion:
        return false;
    case FieldType::Int:
        return column.words == 1;
    default:
        return true;
    }
}

double StateTable::elementOf(const Column& column, const std::uint32_t* words, std::size_t element) {
    if (column.step > 0.0)
        return fromSteps(words[element], column.step);
    if (isDouble(column)) {
        double value = 0.0;
        std::memcpy(&value, words, sizeof value);
        return value;
    }
    if (column.form == Form::Signed)
        return static_cast<std::int32_t>(words[element]);
    if (column.form == Form::Unsigned)
        return words[element];
    return static_cast<double>(std::bit_cast<float>(words[element]));
}

double StateTable::difference(std::size_t column, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
    const Column& of = m_columns[column];
    const std::uint32_t* const left = &a[of.firstWord];
    const std::uint32_t* const right = &b[of.firstWord];
    if (of.form == Form::Rotation)
        return degreesBetween(unpackRotation(left), unpackRotation(right));
    if (!isNumber(of))
        return same(column, a, b) ? 0.0 : std::numeric_limits<double>::infinity();
    const bool isAngle = of.field != nullptr && of.field->unit == "deg";
    double most = 0.0;
    for (std::size_t i = 0; i < (isDouble(of) ? 1 : of.words); ++i) {
        const double apart = elementOf(of, right, i) - elementOf(of, left, i);
        most = std::max(most, std::abs(isAngle ? std::remainder(apart, Turn) : apart));
    }
    return most;
}

double StateTable::blurOf(std::size_t column) const {
    const Column& of = m_columns[column];
    return of.form == Form::Rotation ? RotationBlur : 2.0 * of.step;
}

bool StateTable::isOwnerOnly(std::size_t column) const {
    return m_columns[column].field != nullptr && m_columns[column].field->ownerOnly;
}

bool StateTable::isPredicted(std::size_t column) const {
    return m_columns[column].field == nullptr || m_parts[m_columns[column].part]->name != NetworkTransform::TypeName;
}

bool StateTable::isRate(std::size_t column) const {
    const Column& of = m_columns[column];
    return of.field != nullptr && of.field->unit.ends_with("/s");
}

void StateTable::shift(std::size_t column, std::span<const std::uint32_t> from, std::span<const std::uint32_t> to, double part,
                       std::span<std::uint32_t> at) const {
    const Column& of = m_columns[column];
    const auto before = wordsOf(column, from);
    const auto after = wordsOf(column, to);
    std::uint32_t* const own = &at[of.firstWord];
    if (!isNumber(of) && of.form != Form::Rotation) {
        std::copy(after.begin(), after.end(), own);
        return;
    }
    if (part == 1.0 && std::equal(before.begin(), before.end(), own)) {
        std::copy(after.begin(), after.end(), own);
        return;
    }
    if (of.form == Form::Rotation) {
        const Quat turn = unpackRotation(after.data()) * glm::conjugate(unpackRotation(before.data()));
        packRotation(glm::slerp(Quat(1.0F, 0.0F, 0.0F, 0.0F), turn, static_cast<float>(part)) * unpackRotation(own), own);
        return;
    }
    const bool isAngle = of.field != nullptr && of.field->unit == "deg";
    const double most = of.field != nullptr ? of.field->maximum : static_cast<double>(wire::MaxCoordinate);
    const double least = of.field != nullptr ? of.field->minimum : -most;
    for (std::size_t i = 0; i < (isDouble(of) ? 1 : of.words); ++i) {
        double change = elementOf(of, after.data(), i) - elementOf(of, before.data(), i);
        if (isAngle)
            change = std::remainder(change, Turn);
        double value = elementOf(of, own, i) + change * part;
        if (isAngle && (value > most || value < least))
            value = std::remainder(value, Turn);
        value = std::clamp(value, least, most);
        if (of.step > 0.0)
            own[i] = inSteps(value, of.step);
        else if (isDouble(of))
            std::memcpy(own, &value, sizeof value);
        else if (of.form == Form::Signed)
            own[i] = inSteps(value, 1.0);
        else if (of.form == Form::Unsigned)
            own[i] = static_cast<std::uint32_t>(std::clamp<long long>(std::llround(value), 0, std::numeric_limits<std::uint32_t>::max()));
        else
            own[i] = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
}

// ---------------------------------------------------------------------------------------------------- from an entity

template <typename Visit> void StateTable::eachPart(const Entity& entity, const Visit& visit) const {
    std::size_t next = 0;
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        // One that was removed from the entity is skipped, one that was added to it is not of the type.
        const auto found =
            std::find(m_parts.begin() + static_cast<std::ptrdiff_t>(next), m_parts.end(), ref.type);
        if (found == m_parts.end())
            return;
        next = static_cast<std::size_t>(found - m_parts.begin());
        visit(next++, ref);
    });
}

void StateTable::captureField(const Column& column, const void* object, const EntityToWire& toWire,
                              std::uint32_t* words) {
    const FieldInfo& field = *column.field;
    const std::byte* const member = static_cast<const std::byte*>(object) + field.offset;
    switch (column.form) {
    case Form::Flag:
        words[0] = rawInteger(member, 1) != 0 ? 1U : 0U;
        break;
    case Form::Choice:
        words[0] = static_cast<std::uint32_t>(rawInteger(member, field.size));
        if (words[0] >= field.choices.size())
            words[0] = 0;
        break;
    case Form::String: {
        const FixedText<MaxStateText> text(field.readText(object)); // cut between characters
        std::fill_n(words, column.words, 0U);
        words[0] = static_cast<std::uint32_t>(text.view().size());
        std::memcpy(words + 1, text.view().data(), text.view().size());
        break;
    }
    default:
        if (field.type == FieldType::Entity) {
            EntityId entity;
            std::memcpy(&entity, member, sizeof entity);
            words[0] = toWire(entity);
        } else if (field.type == FieldType::Int) {
            const auto own = std::get<std::int64_t>(field.read(object));
            const bool outside =
                static_cast<double>(own) < field.minimum || static_cast<double>(own) > field.maximum;
            const auto value = static_cast<std::uint64_t>(
                outside ? static_cast<std::int64_t>(withinRange(static_cast<double>(own), field)) : own);
            words[0] = static_cast<std::uint32_t>(value);
            if (column.words == 2)
                words[1] = static_cast<std::uint32_t>(value >> 32U);
        } else if (field.type == FieldType::Float) {
            const double value = withinRange(std::get<double>(field.read(object)), field);
            if (column.step > 0.0)
                words[0] = inSteps(value, column.step);
            else if (column.words == 2)
                std::memcpy(words, &value, sizeof value);
            else
                words[0] = std::bit_cast<std::uint32_t>(static_cast<float>(value));
        } else {
            for (std::size_t i = 0; i < column.words; ++i) {
                float element = 0.0F;
                std::memcpy(&element, member + i * sizeof element, sizeof element);
                const double value = withinRange(static_cast<double>(element), field);
                words[i] = column.step > 0.0 ? inSteps(value, column.step)
                                             : std::bit_cast<std::uint32_t>(static_cast<float>(value));
            }
        }
    }
}

void StateTable::capture(const Entity& entity, const World& world, const EntityToWire& toWire,
                         std::span<std::uint32_t> words) const {
    std::fill(words.begin(), words.end(), 0U);
    std::size_t column = 0;
    if (m_placed) {
        // Relative to a parent that the peers know: what moves with it has not moved.
        const std::uint32_t parent = entity.parent() ? toWire(entity.parent()) : 0;
        Pose pose = entity.pose();
        if (parent != 0)
            pose = relativeTo(world.find(entity.parent()).pose(), pose);
        pose = wire::clampPose(pose);
        words[0] = parent;
        for (glm::length_t i = 0; i < 3; ++i)
            words[1 + static_cast<std::size_t>(i)] =
                inSteps(static_cast<double>(pose.position[i]), PlaceResolution);
        packRotation(pose.rotation, &words[4]);
        column = 3;
    }
    eachPart(entity, [&](std::size_t part, const Entity::ComponentRef& ref) {
        while (column < m_columns.size() && m_columns[column].part < part)
            ++column;
        if (ref.type->stateOf == nullptr)
            return;
        for (const void* const object = ref.type->stateOf(ref.component);
             column < m_columns.size() && m_columns[column].part == part; ++column)
            captureField(m_columns[column], object, toWire, &words[m_columns[column].firstWord]);
    });
}

// ---------------------------------------------------------------------------------------------------- bits

void StateTable::writeWords(net::BitWriter& out, const Column& column, const std::uint32_t* words) const {
    if (column.form == Form::String) {
        out.write(words[0], TextLengthBits);
        for (std::uint32_t i = 0; i < words[0]; ++i)
            out.write(words[1 + i / 4] >> (i % 4 * 8), 8);
        return;
    }
    if (column.form == Form::Rotation) {
        out.write(words[0], 2 * RotationBits);
        out.write(words[1], RotationBits + 2);
        return;
    }
    for (std::size_t i = 0; i < column.words; ++i) {
        switch (column.form) {
        case Form::Flag:
            out.write(words[i], 1);
            break;
        case Form::Choice:
            out.write(words[i], column.bits);
            break;
        case Form::Signed:
            out.writeShort(fold(static_cast<std::int32_t>(words[i])), column.bits);
            break;
        case Form::Unsigned:
            out.writeShort(words[i], column.bits);
            break;
        default:
            out.write(words[i] != 0 ? 1 : 0, 1);
            if (words[i] != 0)
                out.write(words[i], 32);
        }
    }
}

bool StateTable::readWords(net::BitReader& in, const Column& column, std::uint32_t* words) const {
    if (column.form == Form::String) {
        std::fill_n(words, column.words, 0U);
        words[0] = in.read(TextLengthBits);
        if (words[0] > MaxStateText)
            return false;
        for (std::uint32_t i = 0; i < words[0]; ++i)
            words[1 + i / 4] |= in.read(8) << (i % 4 * 8);
        return in.ok();
    }
    if (column.form == Form::Rotation) {
        words[0] = in.read(2 * RotationBits);
        words[1] = in.read(RotationBits + 2);
        return in.ok();
    }
    for (std::size_t i = 0; i < column.words; ++i) {
        switch (column.form) {
        case Form::Flag:
            words[i] = in.read(1);
            break;
        case Form::Choice:
            words[i] = in.read(column.bits);
            break;
        case Form::Signed:
            words[i] = static_cast<std::uint32_t>(unfold(in.readShort(column.bits)));
            break;
        case Form::Unsigned:
            words[i] = in.readShort(column.bits);
            break;
        default:
            words[i] = in.read(1) != 0 ? in.read(32) : 0;
        }
    }
    return in.ok();
}

void StateTable::write(net::BitWriter& out, std::span<const std::uint8_t> mask,
                       std::span<const std::uint32_t> words) const {
    constexpr std::size_t Group = 8;
    for (std::size_t first = 0; first < m_columns.size(); first += Group) {
        const std::size_t end = std::min(first + Group, m_columns.size());
        if (m_columns.size() > Group) {
            const bool any = std::any_of(mask.begin() + static_cast<std::ptrdiff_t>(first),
                                         mask.begin() + static_cast<std::ptrdiff_t>(end),
                                         [](std::uint8_t bit) { return bit != 0; });
            out.write(any ? 1 : 0, 1);
            if (!any)
                continue;
        }
        for (std::size_t i = first; i < end; ++i)
            out.write(mask[i], 1);
    }
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (mask[i] != 0)
            writeWords(out, m_columns[i], &words[m_columns[i].firstWord]);
}

bool StateTable::read(net::BitReader& in, std::span<std::uint8_t> mask,
                      std::span<std::uint32_t> words) const {
    constexpr std::size_t Group = 8;
    for (std::size_t first = 0; first < m_columns.size(); first += Group) {
        const std::size_t end = std::min(first + Group, m_columns.size());
        const bool any = m_columns.size() <= Group || in.read(1) != 0;
        for (std::size_t i = first; i < end; ++i)
            mask[i] = any ? static_cast<std::uint8_t>(in.read(1)) : std::uint8_t{0};
    }
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (mask[i] != 0 && !readWords(in, m_columns[i], &words[m_columns[i].firstWord]))
            return false;
    return in.ok() && in.atEnd();
}

// ---------------------------------------------------------------------------------------------------- into an entity

Value StateTable::valueOf(const Column& column, const std::uint32_t* words,
                          const EntityFromWire& fromWire) const {
    const FieldInfo& field = *column.field;
    const auto element = [&](std::size_t i) {
        return column.step > 0.0 ? static_cast<float>(fromSteps(words[i], column.step))
                                 : std::bit_cast<float>(words[i]);
    };
    switch (field.type) {
    case FieldType::Bool:
        return words[0] != 0;
    case FieldType::Enum:
        return words[0] < field.choices.size() ? field.choices[words[0]] : std::string();
    case FieldType::Int:
        if (column.words == 2)
            return static_cast<std::int64_t>(words[0] | (static_cast<std::uint64_t>(words[1]) << 32U));
        return column.form == Form::Signed ? std::int64_t{static_cast<std::int32_t>(words[0])}
                                           : std::int64_t{words[0]};
    case FieldType::String:
        return std::string(reinterpret_cast<const char*>(words + 1), words[0]);
    case FieldType::Entity:
        return fromWire(words[0]);
    case FieldType::Vector2:
        return Vec2(element(0), element(1));
    case FieldType::Vector3:
        return Vec3(element(0), element(1), element(2));
    case FieldType::Vector4:
    case FieldType::Color:
        return Vec4(element(0), element(1), element(2), element(3));
    case FieldType::Quaternion: { // x, y, z, w in memory
        Quat q;
        std::memcpy(&q, words, sizeof q);
        return column.step > 0.0 ? Quat(element(3), element(0), element(1), element(2)) : q;
    }
    default:
        if (column.step > 0.0)
            return fromSteps(words[0], column.step);
        if (column.words == 2) {
            double value = 0.0;
            std::memcpy(&value, words, sizeof value);
            return value;
        }
        return static_cast<double>(std::bit_cast<float>(words[0]));
    }
}

bool StateTable::isValid(std::span<const std::uint8_t> mask, std::span<const std::uint32_t> words,
                         const EntityFromWire& fromWire) const {
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const Column& column = m_columns[i];
        if (mask[i] == 0)
            continue;
        const std::uint32_t* const own = &words[column.firstWord];
        if (column.field == nullptr) {
            for (std::size_t w = 0; column.part == PositionPart && w < 3; ++w)
                if (std::abs(fromSteps(own[w], PlaceResolution)) > static_cast<double>(wire::MaxCoordinate))
                    return false;
            continue;
        }
        const Value value = valueOf(column, own, fromWire);
        if (const auto* text = std::get_if<std::string>(&value);
            text != nullptr && firstBadByte(*text) != std::string::npos)
            return false;
        if (const auto* q = std::get_if<Quat>(&value))
            if (const float length = glm::dot(*q, *q); !(length > 0.5F && length < 2.0F))
                return false;
        if (!column.field->check(value))
            return false;
    }
    return true;
}

void StateTable::applyPlace(World& world, EntityId id, std::span<const std::uint32_t> words,
                            const EntityFromWire& fromWire) const {
    const Entity entity = world.find(id);
    Pose pose = entity.local();
    for (glm::length_t i = 0; i < 3; ++i)
        pose.position[i] =
            static_cast<float>(fromSteps(words[1 + static_cast<std::size_t>(i)], PlaceResolution));
    pose.rotation = unpackRotation(&words[4]);
    pose.scale = entity.pose().scale;
    if (words[0] != 0) {
        const Entity parent = world.find(fromWire(words[0]));
        if (!parent)
            return; // removed here a moment before its children
        const Vec3 scale = pose.scale;
        pose = compose(parent.pose(), pose);
        pose.scale = scale;
    }
    if (!wire::isValidPlace(pose.position, pose.rotation))
        return;
    if (!world.send(id, SetPose{pose.position, pose.rotation}).consumed)
        world.setPose(id, pose);
}

bool StateTable::apply(World& world, EntityId id, std::span<const std::uint8_t> mask,
                       std::span<const std::uint32_t> words, const EntityToWire& toWire,
                       const EntityFromWire& fromWire, std::span<std::uint32_t> scratch) const {
    bool any = false;
    capture(world.find(id), world, toWire, scratch);
    const auto differs = [&](std::size_t i) { return mask[i] != 0 && !same(i, words, scratch); };
    if (m_placed && (differs(0) || differs(1) || differs(2))) {
        any = true;
        std::array<std::uint32_t, 6> place{};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto from = wordsOf(i, mask[i] != 0 ? words : std::span<const std::uint32_t>(scratch));
            std::copy(from.begin(), from.end(), place.begin() + m_columns[i].firstWord);
        }
        applyPlace(world, id, place, fromWire);
    }
    const Entity entity = world.find(id); // a handler may have removed it
    if (!entity)
        return any;
    std::size_t i = m_placed ? 3 : 0;
    eachPart(entity, [&](std::size_t part, const Entity::ComponentRef& ref) {
        while (i < m_columns.size() && m_columns[i].part < part)
            ++i;
        bool changed = false;
        for (; i < m_columns.size() && m_columns[i].part == part; ++i) {
            if (!differs(i))
                continue;
            const Column& column = m_columns[i];
            if (Result<Value> value =
                    column.field->check(valueOf(column, &words[column.firstWord], fromWire))) {
                column.field->write(ref.type->stateOf(ref.component), *value);
                changed = true;
            }
        }
        any = any || changed;
        if (changed && ref.type->stateChanged != nullptr)
            ref.type->stateChanged(ref.component);
    });
    return any;
}

} // namespace sbx
