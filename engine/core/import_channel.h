#pragma once
// What a program and its import process (app/import) send to each other: frames over a pair of local sockets, each a head and as
// many bytes as the head announces. Numbers are as the machine keeps them: both ends are of the same build on the same machine.
//
//   import process -> program   Fault {text} | Open {name} | Mesh {PackedMeshHead, vertices, indices} | Sound {SoundHead} | Frames {floats}
//   program -> import process   File {} with a descriptor | Refused {text} | Read {SoundRequest}
//
// Open asks for another file that a mesh is made of; File or Refused answers it. The import process can open nothing itself.
//
// Thread: one at a time. Both ends are cautious: the program never believes a length before it has compared it with its limits.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace sbx {

enum class FrameKind : std::uint32_t { Fault = 1, Open, File, Refused, Mesh, Sound, Read, Frames };

struct FrameHead {
    FrameKind kind{};
    std::uint32_t unused = 0;
    std::uint64_t length = 0; // bytes that follow
};

// Of a sound, after it was opened.
struct SoundHead {
    std::int64_t frames = 0;      // as the file's header has it; the file may hold less
    std::uint32_t sampleRate = 0; // Hz
    std::uint32_t channels = 0;
};

// So many frames from there on, mixed to one channel. The answer is shorter at the end of the sound or at a fault.
struct SoundRequest {
    std::int64_t from = 0;
    std::uint64_t count = 0;
};

class ImportChannel {
public:
    enum class Status { Done, Ended, Late }; // Ended: the other end is gone or broke the form

    // Takes the socket over. `patience`: how long to wait for the other end by the clock; nothing: for ever. `cancelled`: waiting ends
    // as Late within a tenth of a second once it is true; null: it cannot be cancelled. It outlives the channel.
    explicit ImportChannel(int socket, std::optional<std::chrono::milliseconds> patience = std::nullopt,
                           const std::atomic<bool>* cancelled = nullptr)
        : m_socket(socket), m_patience(patience), m_cancelled(cancelled) {}
    ImportChannel(ImportChannel&& other) noexcept
        : m_socket(std::exchange(other.m_socket, -1)), m_patience(other.m_patience), m_cancelled(other.m_cancelled) {}
    ImportChannel& operator=(ImportChannel&& other) noexcept {
        std::swap(m_socket, other.m_socket);
        std::swap(m_patience, other.m_patience);
        std::swap(m_cancelled, other.m_cancelled);
        return *this;
    }
    ~ImportChannel();

    // A frame; `file` goes with it unless negative, and stays the caller's.
    [[nodiscard]] Status send(FrameKind kind, std::span<const std::byte> payload, int file = -1);
    // Of a frame in several pieces: the head, then `length` bytes in all.
    [[nodiscard]] Status sendHead(const FrameHead& head, int file = -1);
    [[nodiscard]] Status sendBytes(std::span<const std::byte> bytes);
    // The head of the next frame. `file`: takes a descriptor that comes with it, which is the caller's then; -1: none came.
    [[nodiscard]] Status receiveHead(FrameHead& head, int* file = nullptr);
    [[nodiscard]] Status receiveBytes(std::span<std::byte> bytes);

private:
    using Until = std::optional<std::chrono::steady_clock::time_point>;
    [[nodiscard]] Until until() const;
    [[nodiscard]] Status wait(short events, const Until& until) const;

    int m_socket;
    std::optional<std::chrono::milliseconds> m_patience;
    const std::atomic<bool>* m_cancelled;
};

} // namespace sbx
