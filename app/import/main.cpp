// signalbox-import mesh obj|gltf|glb, signalbox-import sound: reads the file that is its standard input and answers over the socket that
// is its descriptor 3 (engine/core/import_channel.h). Started by the engine, never by hand.

#include "app/import/confine.h"
#include "app/import/mesh_import.h"
#include "app/import/sound_decoder.h"
#include "engine/audio/detail/sound_limits.h"
#include "engine/core/import_channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sbx;

constexpr int Input = 0;
constexpr int Channel = 3;
constexpr std::size_t MaximumText = 1000; // bytes, as the engine takes it
constexpr importing::Limits MeshLimits{2ULL << 30U, 20};
constexpr importing::Limits SoundLimits{512ULL << 20U, 5}; // time: for each answer

bool fault(ImportChannel& channel, std::string_view text) {
    text = text.substr(0, MaximumText);
    return channel.send(FrameKind::Fault, std::as_bytes(std::span(text))) == ImportChannel::Status::Done;
}

Result<std::vector<std::byte>> readAll(int file) {
    constexpr std::size_t Piece = 1U << 16U;
    std::vector<std::byte> out;
    // Its length was looked at before; it may have grown.
    const off_t length = ::lseek(file, 0, SEEK_END);
    if (length < 0 || ::lseek(file, 0, SEEK_SET) != 0)
        return makeError("cannot be read");
    out.reserve(std::min<std::size_t>(static_cast<std::size_t>(length), render::MaximumMeshFileSize));
    while (true) {
        const std::size_t size = out.size();
        if (size > render::MaximumMeshFileSize)
            return makeError("has more than " + std::to_string(render::MaximumMeshFileSize) + " bytes");
        out.resize(size + Piece);
        const ssize_t got = ::read(file, out.data() + size, Piece);
        if (got < 0)
            return makeError("cannot be read to its end");
        out.resize(size + static_cast<std::size_t>(got));
        if (got == 0)
            return out;
    }
}

// A file that a mesh names: the program looks whether it may be read, and sends it.
Result<std::vector<std::byte>> ask(ImportChannel& channel, const std::string& name) {
    constexpr auto Done = ImportChannel::Status::Done;
    FrameHead head;
    int file = -1;
    if (channel.send(FrameKind::Open, std::as_bytes(std::span(name))) != Done
        || channel.receiveHead(head, &file) != Done)
        return makeError("cannot be opened");
    if (head.kind == FrameKind::File && file >= 0) {
        Result<std::vector<std::byte>> bytes = readAll(file);
        ::close(file);
        return bytes;
    }
    std::string why(static_cast<std::size_t>(std::min<std::uint64_t>(head.length, MaximumText)), ' ');
    if (channel.receiveBytes(std::as_writable_bytes(std::span(why))) != Done)
        return makeError("cannot be opened");
    return makeError(why);
}

bool serveMesh(ImportChannel& channel, std::string_view format) {
    constexpr auto Done = ImportChannel::Status::Done;
    const Result<std::vector<std::byte>> bytes = readAll(Input);
    if (!bytes)
        return fault(channel, bytes.error().message);
    const Result<importing::ImportedMesh> mesh =
        importing::importMesh(format, *bytes, [&](const std::string& name) { return ask(channel, name); });
    if (!mesh)
        return fault(channel, mesh.error().message);
    const render::PackedMeshHead head{static_cast<std::uint32_t>(mesh->vertices.size()),
                                      static_cast<std::uint32_t>(mesh->indices.size())};
    const auto vertices = std::as_bytes(std::span(mesh->vertices));
    const auto indices = std::as_bytes(std::span(mesh->indices));
    return channel.sendHead({FrameKind::Mesh, 0, sizeof head + vertices.size() + indices.size()}) == Done
           && channel.sendBytes(std::as_bytes(std::span(&head, 1))) == Done
           && channel.sendBytes(vertices) == Done && channel.sendBytes(indices) == Done;
}

bool serveSound(ImportChannel& channel) {
    constexpr auto Done = ImportChannel::Status::Done;
    Result<importing::SoundDecoder> sound = importing::SoundDecoder::open(Input);
    if (!sound)
        return fault(channel, sound.error().message);
    const SoundHead about = sound->head();
    if (channel.send(FrameKind::Sound, std::as_bytes(std::span(&about, 1))) != Done)
        return false;
    std::vector<float> mono;
    while (true) {
        FrameHead head;
        SoundRequest request;
        if (channel.receiveHead(head) != Done)
            return true; // the program has what it wanted
        if (head.kind != FrameKind::Read || head.length != sizeof request
            || channel.receiveBytes(std::as_writable_bytes(std::span(&request, 1))) != Done)
            return false;
        importing::extendTime(SoundLimits.processorTime);
        mono.resize(static_cast<std::size_t>(std::min(request.count, audio::MaximumSoundRequest)));
        const std::size_t got = sound->read(request.from, mono);
        if (channel.send(FrameKind::Frames, std::as_bytes(std::span(mono).first(got))) != Done)
            return true;
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    const bool mesh = what == "mesh" && argc == 3;
    int kind = 0;
    socklen_t size = sizeof kind;
    if ((!mesh && !(what == "sound" && argc == 2))
        || ::getsockopt(Channel, SOL_SOCKET, SO_TYPE, &kind, &size) != 0) {
        std::fputs("signalbox-import reads meshes and sounds for Signalbox, which starts it; there is "
                   "nothing to do with it by hand.\n",
                   stderr);
        return 2;
    }
    ImportChannel channel(Channel);
    try {
        if (const std::string why = importing::confine(mesh ? MeshLimits : SoundLimits, Channel);
            !why.empty())
            return fault(channel, "cannot be read: the import process cannot be confined: " + why) ? 0 : 1;
        return (mesh ? serveMesh(channel, argv[2]) : serveSound(channel)) ? 0 : 1;
    } catch (const std::bad_alloc&) {
        return fault(channel, "needs more memory than reading a file may take") ? 0 : 1;
    }
}
