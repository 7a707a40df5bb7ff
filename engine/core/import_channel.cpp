#include "engine/core/import_channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sbx {

namespace {

// Room for the one descriptor that a frame may bring.
union ControlBuffer {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

} // namespace

ImportChannel::~ImportChannel() {
    if (m_socket >= 0)
        ::close(m_socket);
}

ImportChannel::Until ImportChannel::until() const {
    return m_patience ? Until(std::chrono::steady_clock::now() + *m_patience) : Until();
}

ImportChannel::Status ImportChannel::wait(short events, const Until& until) const {
    constexpr int CancelMs = 100; // between two looks at whether it was cancelled
    while (true) {
        if (m_cancelled != nullptr && m_cancelled->load(std::memory_order_relaxed))
            return Status::Late;
        int left = -1;
        if (until) {
            const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(
                *until - std::chrono::steady_clock::now());
            if (rest.count() <= 0)
                return Status::Late;
            left = static_cast<int>(std::min<std::int64_t>(rest.count(), 1'000'000));
        }
        if (m_cancelled != nullptr)
            left = left < 0 ? CancelMs : std::min(left, CancelMs);
        pollfd ready{m_socket, events, 0};
        const int count = ::poll(&ready, 1, left);
        if (count > 0)
            return Status::Done;
        if (count < 0 && errno != EINTR)
            return Status::Ended;
    }
}

ImportChannel::Status ImportChannel::send(FrameKind kind, std::span<const std::byte> payload, int file) {
    const Status head = sendHead({kind, 0, payload.size()}, file);
    return head == Status::Done ? sendBytes(payload) : head;
}

ImportChannel::Status ImportChannel::sendHead(const FrameHead& head, int file) {
    if (file < 0)
        return sendBytes(std::as_bytes(std::span(&head, 1)));
    FrameHead copy = head;
    iovec part{&copy, sizeof copy};
    ControlBuffer control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &file, sizeof file);
    const Until end = until();
    while (true) {
        const ssize_t sent = ::sendmsg(m_socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent == static_cast<ssize_t>(sizeof head))
            return Status::Done;
        if (sent >= 0 || (errno != EAGAIN && errno != EINTR))
            return Status::Ended;
        if (const Status ready = wait(POLLOUT, end); ready != Status::Done)
            return ready;
    }
}

ImportChannel::Status ImportChannel::sendBytes(std::span<const std::byte> bytes) {
    const Until end = until();
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
            continue;
        }
        if (sent == 0 || (errno != EAGAIN && errno != EINTR))
            return Status::Ended;
        if (const Status ready = wait(POLLOUT, end); ready != Status::Done)
            return ready;
    }
    return Status::Done;
}

ImportChannel::Status ImportChannel::receiveHead(FrameHead& head, int* file) {
    if (file == nullptr)
        return receiveBytes(std::as_writable_bytes(std::span(&head, 1)));
    *file = -1;
    const Until end = until();
    iovec part{&head, sizeof head};
    ControlBuffer control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    while (true) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        const ssize_t got = ::recvmsg(m_socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT | MSG_WAITALL);
        if (got > 0) {
            for (cmsghdr* it = CMSG_FIRSTHDR(&message); it != nullptr; it = CMSG_NXTHDR(&message, it))
                if (it->cmsg_level == SOL_SOCKET && it->cmsg_type == SCM_RIGHTS
                    && it->cmsg_len == CMSG_LEN(sizeof(int)))
                    std::memcpy(file, CMSG_DATA(it), sizeof *file);
            const std::span<std::byte> all = std::as_writable_bytes(std::span(&head, 1));
            return receiveBytes(all.subspan(static_cast<std::size_t>(got)));
        }
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            return Status::Ended;
        if (const Status ready = wait(POLLIN, end); ready != Status::Done)
            return ready;
    }
}

ImportChannel::Status ImportChannel::receiveBytes(std::span<std::byte> bytes) {
    const Until end = until();
    while (!bytes.empty()) {
        const ssize_t got = ::recv(m_socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(got));
            continue;
        }
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            return Status::Ended;
        if (const Status ready = wait(POLLIN, end); ready != Status::Done)
            return ready;
    }
    return Status::Done;
}

} // namespace sbx
