#include "engine/components/network_wire.h"

#include "engine/core/utf8.h"

#include <algorithm>
#include <cmath>

namespace sbx::wire {

namespace {

void writeFloat(net::ByteWriter& out, float value) { out.u32(std::bit_cast<std::uint32_t>(value)); }
float readFloat(net::ByteReader& in, float least, float most) {
    const auto value = std::bit_cast<float>(in.u32());
    if (!(value >= least && value <= most)) // nor is it a number
        in.fail();
    return value;
}
void writeVector(net::ByteWriter& out, const Vec3& v) {
    writeFloat(out, v.x);
    writeFloat(out, v.y);
    writeFloat(out, v.z);
}
Vec3 readVector(net::ByteReader& in, float least, float most) {
    const float x = readFloat(in, least, most);
    const float y = readFloat(in, least, most);
    return {x, y, readFloat(in, least, most)};
}

bool isControl(char c) { return (c >= 0 && c < ' ') || c == '\x7F'; }

float squaredLength(const Quat& q) { return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w; }
bool isRotation(const Quat& q) {
    const float length = squaredLength(q);
    return length > 0.5F && length < 2.0F;
}

} // namespace

std::string_view nameOf(std::uint16_t type) {
    static constexpr std::array<std::string_view, 7> Own{"Spawn", "Despawn", "State", "Welcome", "Setting", "Gather", "OwnState"};
    return type < Own.size() ? Own[type] : std::string_view();
}

bool isValidPlace(const Vec3& position, const Quat& rotation) {
    const Vec3 distance = glm::abs(position);
    return distance.x <= MaxCoordinate && distance.y <= MaxCoordinate && distance.z <= MaxCoordinate
           && isRotation(rotation);
}

Pose clampPose(const Pose& pose) {
    const auto within = [](const Vec3& v, float least, float most, float otherwise) {
        Vec3 out = v;
        for (glm::length_t i = 0; i < 3; ++i)
            out[i] = std::isfinite(v[i]) ? std::clamp(v[i], least, most) : otherwise;
        return out;
    };
    return {within(pose.position, -MaxCoordinate, MaxCoordinate, 0.0F),
            isRotation(pose.rotation) ? pose.rotation : Quat(1.0F, 0.0F, 0.0F, 0.0F),
            within(pose.scale, MinScale, MaxScale, 1.0F)};
}

void writeText(net::ByteWriter& out, std::string_view text) {
    out.varint(static_cast<std::uint32_t>(text.size()));
    out.bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string plainText(std::string_view text, std::size_t most) {
    std::string out(text);
    std::replace_if(out.begin(), out.end(), isControl, '?');
    std::size_t good = 0;
    for (std::size_t bad = 0;
         (bad = firstBadByte(std::string_view(out).substr(good))) != std::string_view::npos;) {
        good += bad;
        out[good++] = '?';
    }
    if (out.size() > most) {
        while (most > 0 && (static_cast<unsigned char>(out[most]) & 0xC0U) == 0x80U)
            --most;
        out.resize(most);
    }
    return out;
}

std::string_view readText(net::ByteReader& in) {
    const net::ByteView bytes = in.bytes(in.varint());
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (firstBadByte(text) != std::string_view::npos || std::any_of(text.begin(), text.end(), isControl))
        in.fail();
    return in.ok() ? text : std::string_view();
}

void writePlace(net::ByteWriter& out, const Vec3& position, const Quat& rotation) {
    writeVector(out, position);
    writeVector(out, {rotation.x, rotation.y, rotation.z});
    writeFloat(out, rotation.w);
}

void readPlace(net::ByteReader& in, Vec3& position, Quat& rotation) {
    position = readVector(in, -MaxCoordinate, MaxCoordinate);
    const Vec3 v = readVector(in, -2.0F, 2.0F);
    rotation = Quat(readFloat(in, -2.0F, 2.0F), v.x, v.y, v.z);
    if (!isRotation(rotation))
        in.fail();
    // What an honest peer has is taken as it is, bit for bit.
    else if (const float length = squaredLength(rotation); std::abs(length - 1.0F) > 0.001F)
        rotation = rotation * (1.0F / std::sqrt(length));
}

void writeScale(net::ByteWriter& out, const Vec3& scale) { writeVector(out, scale); }

Vec3 readScale(net::ByteReader& in) { return readVector(in, MinScale, MaxScale); }

} // namespace sbx::wire
