#pragma once
// What the two ends of a network session must have in common, and how they find out what they have not.

#include "engine/net/handshake.h"

#include <string>
#include <vector>

namespace sbx {

class NetworkTable;
struct Content;

// Purpose: hashes of all that a server's messages and entities rest on: components with their messages and
// states, every entity type with its components and their settings, and the scene with its entities. How a
// file is written (comments, order of keys, blanks) does not count, neither do descriptions, icons and
// colours of types, nor the bytes of meshes and sounds. Data flow: both ends send identity() when they meet;
// a server that denies sends its description() along, and the client says what differs. Immutable; any
// thread.
class SharedContent {
public:
    // `content` null: no project is open.
    SharedContent(const NetworkTable& table, const Content* content);

    [[nodiscard]] net::ProtocolIdentity identity() const;
    // Little-endian: version u8 (1), components u64, definitions u64, scene u64, number of types u16, then
    // for the first types by name, as many as fit into net::MaxDescription: hash of its name u32, hash of its
    // components u32.
    [[nodiscard]] std::vector<std::uint8_t> description() const;
    // What `theirs`, a description that came over the network, has otherwise: the beginning of a sentence
    // that goes on to "differ". Empty: it is no description, or nothing differs.
    [[nodiscard]] std::string difference(net::ByteView theirs) const;

private:
    struct Type {
        std::string name;
        std::uint32_t nameHash = 0;
        std::uint32_t hash = 0;
    };
    std::uint64_t m_components = 0;
    std::uint64_t m_definitions = 0;
    std::uint64_t m_scene = 0;
    std::vector<Type> m_types; // by name
    std::string m_sceneName;
};

} // namespace sbx
