#pragma once
// The encoding of entities in a network session, and the range of values that is accepted from a peer: values outside fail the
// reader. Messages and states of components are encoded by NetworkTable.

#include "engine/core/math.h"
#include "engine/net/bytes.h"
#include "engine/net/payload.h"

#include <array>
#include <string>
#include <string_view>

namespace sbx::wire {

// Types on the wire; components' messages follow, in the order of the table.
enum class Type : std::uint16_t {
    Spawn,   // number, parent's number (0: none), type, name, place, scale: an entity was created
    Despawn, // number: the entity was removed
    State,   // number, round u16, record: an entity's state, see network_states.h
    Welcome, // number: of the peer's own player
    Setting, // name, value: for all clients
    Gather,  // no body: combines the dependencies it names
    OwnState, // the same of the peer's own player, with the inputs that are in it: see network_states.h
    Component = 16,
};
// Empty: none of the above.
[[nodiscard]] std::string_view nameOf(std::uint16_t type);

inline constexpr std::size_t MaxBody = net::FragmentSize; // bytes
inline constexpr float MaxCoordinate = 1e6F; // m from the origin, along each axis: as far as scene files go
inline constexpr float MinScale = 0.001F;
inline constexpr float MaxScale = 1e4F;
inline constexpr std::size_t MaxName = 256;        // bytes of an entity's name
inline constexpr std::size_t MaxEntities = 65'536; // that a server announces at a time

using Room = std::array<std::uint8_t, MaxBody>;

// Whether it is finite and within the world.
[[nodiscard]] bool isValidPlace(const Vec3& position, const Quat& rotation);
// The nearest pose that a peer accepts: an entity outside the world's range is sent at its edge.
[[nodiscard]] Pose clampPose(const Pose& pose);

void writeText(net::ByteWriter& out, std::string_view text);
// What readText() takes: each control character, and each byte that is no UTF-8, becomes a question mark; what is longer than `most`
// bytes is cut between characters.
[[nodiscard]] std::string plainText(std::string_view text, std::size_t most = MaxName);
// UTF-8 without control characters; a view of the bytes read.
[[nodiscard]] std::string_view readText(net::ByteReader& in);
void writePlace(net::ByteWriter& out, const Vec3& position, const Quat& rotation);
void readPlace(net::ByteReader& in, Vec3& position, Quat& rotation);
void writeScale(net::ByteWriter& out, const Vec3& scale);
[[nodiscard]] Vec3 readScale(net::ByteReader& in);

} // namespace sbx::wire
