// An import process that an attacker has taken over, or that has a fault: what it does is the first word of the file it is to read.

#include "engine/core/import_channel.h"
#include "engine/render/detail/packed_mesh.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace sbx;

namespace {

void sendMesh(ImportChannel& channel, std::uint32_t vertices, std::uint32_t indices,
              const std::vector<render::PackedVertex>& points, const std::vector<std::uint32_t>& corners,
              std::uint64_t more = 0) {
    const render::PackedMeshHead head{vertices, indices};
    const auto a = std::as_bytes(std::span(points));
    const auto b = std::as_bytes(std::span(corners));
    static_cast<void>(channel.sendHead({FrameKind::Mesh, 0, sizeof head + a.size() + b.size() + more}));
    static_cast<void>(channel.sendBytes(std::as_bytes(std::span(&head, 1))));
    static_cast<void>(channel.sendBytes(a));
    static_cast<void>(channel.sendBytes(b));
}

} // namespace

int main() {
    ImportChannel channel(3);
    std::array<char, 64> text{};
    if (::read(0, text.data(), text.size() - 1) <= 0)
        return 1;
    const std::string what(text.data(), std::strcspn(text.data(), "\n"));
    const std::vector<render::PackedVertex> three(3);
    if (what == "crash") {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        ::signal(SIGSEGV, SIG_DFL);
        ::raise(SIGSEGV);
    } else if (what == "exit") {
        return 7;
    } else if (what == "time") {
        ::raise(SIGXCPU);
    } else if (what == "silent") {
        FrameHead head;
        static_cast<void>(channel.receiveHead(head)); // until the program is tired of it
    } else if (what == "cut") {
        sendMesh(channel, 3, 3, three, {0}, 8);
    } else if (what == "huge") {
        sendMesh(channel, 4'000'000'000U, 3, three, {0, 1, 2});
    } else if (what == "length") {
        static_cast<void>(channel.sendHead({FrameKind::Mesh, 0, std::numeric_limits<std::uint64_t>::max()}));
        sendMesh(channel, 3, 3, three, {0, 1, 2});
    } else if (what == "index") {
        sendMesh(channel, 3, 3, three, {0, 1, 3});
    } else if (what == "two") {
        sendMesh(channel, 3, 2, three, {0, 1});
    } else if (what == "nan") {
        std::vector<render::PackedVertex> bad = three;
        bad[1].normal[2] = std::numeric_limits<float>::quiet_NaN();
        sendMesh(channel, 3, 3, bad, {0, 1, 2});
    } else if (what == "kind") {
        static_cast<void>(channel.send(static_cast<FrameKind>(99), {}));
    } else if (what == "text") {
        const std::string words = "says\n\x1b[31mthis \xFF";
        static_cast<void>(channel.send(FrameKind::Fault, std::as_bytes(std::span(words))));
    } else if (what == "talk") {
        const std::string words(100'000, 'a');
        static_cast<void>(channel.send(FrameKind::Fault, std::as_bytes(std::span(words))));
    } else if (what == "ask") { // for more files than a mesh has
        for (int i = 0; i < 1000; ++i) {
            const std::string name = "good.obj";
            if (channel.send(FrameKind::Open, std::as_bytes(std::span(name))) != ImportChannel::Status::Done)
                return 1;
            FrameHead head;
            int file = -1;
            if (channel.receiveHead(head, &file) != ImportChannel::Status::Done
                || head.kind != FrameKind::File)
                return 1;
            ::close(file);
        }
    } else if (what == "rate") {
        const SoundHead head{10, 1'000'000, 1};
        static_cast<void>(channel.send(FrameKind::Sound, std::as_bytes(std::span(&head, 1))));
    } else if (what == "sound" || what == "more" || what == "half") {
        const SoundHead head{200'000, 48'000, 1};
        static_cast<void>(channel.send(FrameKind::Sound, std::as_bytes(std::span(&head, 1))));
        FrameHead read;
        SoundRequest request;
        for (int answers = 0; channel.receiveHead(read) == ImportChannel::Status::Done; ++answers) {
            static_cast<void>(channel.receiveBytes(std::as_writable_bytes(std::span(&request, 1))));
            if (what == "half" && answers == 2)
                ::_exit(9);
            const std::vector<float> frames(request.count + (what == "more" ? 1U : 0U), 0.5F);
            static_cast<void>(channel.send(FrameKind::Frames, std::as_bytes(std::span(frames))));
        }
    }
    return 0;
}
