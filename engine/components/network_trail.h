#pragma once
// The network messages that a later one must not overtake: its dependencies.

#include <cstdint>
#include <span>
#include <vector>

namespace sbx {

class NetworkSystem;

// Names a message that was sent over the network, to however many peers: a value, safe to copy and to keep.
struct NetHandle {
    std::uint64_t session = 0; // of the system that sent it
    std::uint64_t number = 0;  // 0: no message
    explicit operator bool() const { return number != 0; }
};

// Purpose: a component keeps the handles of messages it sent, as dependencies of its next one: any number of messages in few handles,
// since executed ones are left out and many are combined into one. Handles of an earlier session are ignored.
// Thread: the session's.
class NetworkTrail {
public:
    // A handle that names nothing adds nothing.
    void add(NetworkSystem& network, const NetHandle& handle);
    // This message depends on all of these, and replaces them from now on.
    void restart(const NetHandle& handle);
    // Those that some peer may not have executed; valid until the next call.
    [[nodiscard]] std::span<const NetHandle> needs(const NetworkSystem& network);

private:
    static constexpr std::size_t MaxHandles = 24;
    std::vector<NetHandle> m_handles;
};

} // namespace sbx
