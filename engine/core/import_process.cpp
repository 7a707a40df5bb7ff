#include "engine/core/import_process.h"

#include "engine/core/utf8.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

extern char** environ;

namespace sbx {

namespace {

constexpr int ChannelDescriptor = 3; // in the import process
constexpr std::uint64_t MaximumText = 1000;
constexpr int EndMs = 2000; // a process that has closed its socket has this long to end

// A place in the file of machine code that holds this room.
const char Here = 0;

// Its exit status as waitpid() gives it. A process that closes its socket is about to end; one that does not is ended.
int statusOf(pid_t process) {
    if (const long handle = ::syscall(SYS_pidfd_open, process, 0); handle >= 0) {
        pollfd ended{static_cast<int>(handle), POLLIN, 0};
        while (::poll(&ended, 1, EndMs) < 0 && errno == EINTR) {}
        ::close(static_cast<int>(handle));
    }
    int status = 0;
    pid_t reaped = 0;
    while ((reaped = ::waitpid(process, &status, WNOHANG)) < 0 && errno == EINTR) {}
    if (reaped == 0) {
        ::kill(process, SIGKILL);
        while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    }
    return status;
}

} // namespace

std::filesystem::path importProgram() {
    constexpr const char* Name = "signalbox-import";
    Dl_info code{};
    if (::dladdr(&Here, &code) == 0 || code.dli_fname == nullptr)
        return Name;
    std::error_code fault;
    std::filesystem::path file = std::filesystem::canonical(code.dli_fname, fault);
    const std::filesystem::path folder = (fault ? std::filesystem::path(code.dli_fname) : file).parent_path();
    // A program that holds the engine's rooms itself, such as a test, lies in a folder beside the library's.
    if (const std::filesystem::path beside = folder.parent_path() / "lib" / Name;
        !std::filesystem::exists(folder / Name, fault) && std::filesystem::exists(beside, fault))
        return beside;
    return folder / Name;
}

Result<ImportProcess> ImportProcess::start(const AssetFile& file, const std::vector<std::string>& arguments,
                                           const ImportOptions& options) {
    const std::string program = (options.program.empty() ? importProgram() : options.program).string();
    const auto fail = [&](int number) {
        return makeError("cannot be read: " + program + ": " + std::strerror(number));
    };
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return fail(errno);
    ImportChannel channel(ends[0], options.patience, options.cancelled);
    // Copies with higher numbers than those they get there: neither is overwritten before it is in its place.
    const int socket = ::fcntl(ends[1], F_DUPFD_CLOEXEC, ChannelDescriptor + 1);
    const int input = ::fcntl(file.descriptor(), F_DUPFD_CLOEXEC, ChannelDescriptor + 1);
    ::close(ends[1]);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, socket, ChannelDescriptor);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    // Signals as a new program expects them, whatever the calling thread blocks.
    sigset_t none;
    sigset_t ordinary;
    ::sigemptyset(&none);
    ::sigfillset(&ordinary);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &ordinary);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    pid_t process = 0;
    const int failed = socket < 0 || input < 0 ? EMFILE
                                               : ::posix_spawn(&process, program.c_str(), &actions,
                                                               &attributes, words.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    for (const int copy : {socket, input})
        if (copy >= 0)
            ::close(copy);
    if (failed != 0)
        return fail(failed);
    return ImportProcess(process, std::move(channel));
}

ImportProcess::ImportProcess(ImportProcess&& other) noexcept
    : m_process(std::exchange(other.m_process, 0)), m_channel(std::move(other.m_channel)) {}

ImportProcess& ImportProcess::operator=(ImportProcess&& other) noexcept {
    std::swap(m_process, other.m_process);
    m_channel = std::move(other.m_channel);
    return *this;
}

ImportProcess::~ImportProcess() {
    if (m_process == 0)
        return;
    ::kill(m_process, SIGKILL);
    int status = 0;
    while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {}
}

Error ImportProcess::malformed() {
    return makeError("cannot be read: the import process gave an answer that makes no sense");
}

Error ImportProcess::failure(ImportChannel::Status status) {
    if (m_process == 0)
        return makeError("cannot be read: the import process has ended");
    const pid_t process = std::exchange(m_process, 0);
    if (status == ImportChannel::Status::Late) {
        ::kill(process, SIGKILL);
        static_cast<void>(statusOf(process));
        return makeError("cannot be read: the import process did not answer in time");
    }
    const int ended = statusOf(process);
    if (WIFSIGNALED(ended)) {
        const int number = WTERMSIG(ended);
        if (number == SIGXCPU)
            return makeError("takes too long to read: its import process used up its processor time");
        if (number == SIGKILL)
            return makeError("cannot be read: its import process was killed");
        const char* text = ::strsignal(number);
        return makeError("cannot be read: its import process crashed ("
                         + std::string(text != nullptr ? text : "signal") + ")");
    }
    return makeError("cannot be read: its import process ended with status "
                     + std::to_string(WEXITSTATUS(ended)));
}

Result<FrameHead> ImportProcess::next() {
    FrameHead head;
    if (const auto status = m_channel.receiveHead(head); status != ImportChannel::Status::Done)
        return failure(status);
    if (head.kind != FrameKind::Fault)
        return head;
    const Result<std::string> text = receiveText(head.length);
    return text ? makeError(*text) : text.error();
}

Result<void> ImportProcess::receive(std::span<std::byte> bytes) {
    if (const auto status = m_channel.receiveBytes(bytes); status != ImportChannel::Status::Done)
        return failure(status);
    return {};
}

Result<std::string> ImportProcess::receiveText(std::uint64_t length) {
    if (length == 0 || length > MaximumText)
        return malformed();
    std::string text(static_cast<std::size_t>(length), '\0');
    if (const Result<void> got = receive(std::as_writable_bytes(std::span(text))); !got)
        return got.error();
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20U || c == 0x7FU; }, ' ');
    for (std::size_t bad = 0; (bad = firstBadByte(text)) != std::string_view::npos;)
        text[bad] = '?';
    return text;
}

Result<void> ImportProcess::send(FrameKind kind, std::span<const std::byte> payload, int file) {
    if (const auto status = m_channel.send(kind, payload, file); status != ImportChannel::Status::Done)
        return failure(status);
    return {};
}

} // namespace sbx
