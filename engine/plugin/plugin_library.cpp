#include "engine/plugin/plugin_library.h"

#include "engine/components/register.h"
#include "engine/core/contracts.h"
#include "engine/core/printable.h"
#include "engine/plugin/plugin.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

extern char** environ;

namespace sbx {

const int EngineMark = PluginInterface;

bool PluginRegistrar::accepts(std::string_view name, const int* mark) {
    const auto fault = [&](std::string what) {
        if (m_fault.empty())
            m_fault = std::move(what);
        return false;
    };
    if (mark != &EngineMark)
        return fault("is linked with a copy of the engine of its own; expected the engine that loads it "
                     "(link signalbox::engine)");
    const bool named = !name.empty() && name.front() >= 'A' && name.front() <= 'Z'
                       && std::all_of(name.begin(), name.end(), [](char c) {
                              return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
                          });
    if (!named)
        return fault("brings a component " + inQuotes(name)
                     + "; expected a name of a capital letter, then letters, digits or _");
    if (m_registry.find(name) != nullptr)
        return fault("brings the component " + std::string(name) + " twice");
    if (const std::string who = m_taken ? m_taken(name) : std::string(); !who.empty())
        return fault("brings the component " + std::string(name) + ", which " + who
                     + " has already; expected another name");
    return true;
}

namespace {

// A file's bytes, mapped for reading; empty if they cannot be.
class MappedFile {
public:
    explicit MappedFile(const std::filesystem::path& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0)
            return;
        struct stat info {};
        if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
            const auto size = static_cast<std::size_t>(info.st_size);
            void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
            if (memory != MAP_FAILED)
                m_bytes = {static_cast<const char*>(memory), size};
        }
        ::close(file);
    }
    ~MappedFile() {
        if (!m_bytes.empty())
            ::munmap(const_cast<char*>(m_bytes.data()), m_bytes.size());
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    [[nodiscard]] std::string_view bytes() const { return m_bytes; }

private:
    std::string_view m_bytes;
};

using Lines = std::map<std::string, std::string, std::less<>>;

Lines linesOf(std::string_view text) {
    Lines out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (const std::size_t equals = line.find('='); equals != std::string_view::npos)
            out.emplace(line.substr(0, equals), line.substr(equals + 1));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

// What stands between the marks of a stamp, if `bytes` hold one.
std::optional<std::string_view> stampIn(std::string_view bytes) {
    std::size_t begin = 0;
    while ((begin = bytes.find(plugin_detail::StampBegin, begin)) != std::string_view::npos) {
        begin += plugin_detail::StampBegin.size();
        const std::string_view rest = bytes.substr(begin, sizeof(PluginStamp));
        const std::size_t end = rest.find(plugin_detail::StampEnd);
        if (end != std::string_view::npos && rest.starts_with("engine="))
            return rest.substr(0, end);
    }
    return std::nullopt;
}

Error refusal(std::string what) { return {std::move(what), {}, {}}; }

std::string signalText(int number) {
    const char* text = ::strsignal(number);
    return text != nullptr ? text : "signal " + std::to_string(number);
}

// One line without control characters, not too long.
std::string oneLine(std::string_view text) {
    std::string out(text.substr(0, 1000));
    std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    out = printableLine(out);
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

// The tables a component's fields lie in must be the library's own. Compiled without -fno-gnu-unique, a
// second build would be given those of the first, at other offsets.
Result<void> ownTables(const ComponentRegistry& registry, const void* entry) {
    Dl_info library{};
    if (::dladdr(entry, &library) == 0)
        return {};
    for (const ComponentType& type : registry.types())
        for (const FieldTable* table : {type.settings, type.state}) {
            Dl_info owner{};
            if (::dladdr(table, &owner) == 0 || owner.dli_fbase != library.dli_fbase)
                return refusal(
                    "shares the description of " + type.name
                    + " with another library; expected its own (build it with signalbox_add_plugin)");
        }
    return {};
}

} // namespace

Result<void> PluginLibrary::examine(const std::filesystem::path& file) {
    const MappedFile mapped(file);
    const std::string_view bytes = mapped.bytes();
    Elf64_Ehdr header{};
    if (bytes.size() < sizeof header || bytes.substr(0, SELFMAG) != std::string_view(ELFMAG, SELFMAG))
        return refusal("is not a shared library");
    std::memcpy(&header, bytes.data(), sizeof header);
    Elf64_Ehdr own{}; // of the running program
    if (const MappedFile self("/proc/self/exe"); self.bytes().size() >= sizeof own)
        std::memcpy(&own, self.bytes().data(), sizeof own);
    if (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] || header.e_machine != own.e_machine)
        return refusal("is a library for another kind of machine");
    if (header.e_type != ET_DYN)
        return refusal("is not a shared library (an object file or a program)");
    const std::uint64_t end = header.e_shoff + std::uint64_t{header.e_shentsize} * header.e_shnum;
    if (header.e_phoff > bytes.size() || end > bytes.size() || end < header.e_shoff)
        return refusal("is not complete: is it still being written?");
    const std::optional<std::string_view> stamp = stampIn(bytes);
    if (!stamp)
        return refusal("is no plugin: it holds no SIGNALBOX_PLUGIN(…)");
    static constexpr PluginStamp Expected = makePluginStamp();
    const Lines has = linesOf(*stamp);
    const Lines wants = linesOf(*stampIn({Expected.text.data(), Expected.text.size()}));
    const auto differs = [&](const char* key) {
        const auto it = has.find(key);
        return it == has.end() || it->second != wants.at(key);
    };
    const auto value = [](const Lines& lines, const char* key) {
        const auto it = lines.find(key);
        return it == lines.end() ? std::string("unknown") : it->second;
    };
    if (differs("engine"))
        return refusal("was built for Signalbox " + oneLine(value(has, "engine")) + "; expected "
                       + value(wants, "engine") + " (build it again against the headers of this engine)");
    if (differs("headers") || differs("interface"))
        return refusal("was built against other headers of Signalbox " + value(wants, "engine")
                       + "; expected those this engine was built from (build it again)");
    if (differs("compiler"))
        return refusal("was built with another compiler interface, " + oneLine(value(has, "compiler"))
                       + "; expected " + value(wants, "compiler"));
    if (differs("layout"))
        return refusal("was built with settings that lay out objects differently; expected those of "
                       "signalbox_add_plugin");
    return {};
}

Result<std::unique_ptr<PluginLibrary>> PluginLibrary::load(
    const std::filesystem::path& file, const std::string& owner, std::vector<std::string> others,
    const std::function<std::string(std::string_view)>& taken) {
    std::unique_ptr<PluginLibrary> library(new PluginLibrary);
    MessageTypeImport messages(owner, std::move(others));
    std::string thrown;
    try {
        // Never closed again, see the header.
        void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            const char* why = ::dlerror();
            std::string reason = oneLine(why != nullptr ? why : "for no reason given");
            if (const std::string prefix = file.string() + ": "; reason.starts_with(prefix))
                reason.erase(0, prefix.size());
            return refusal("cannot be loaded: " + reason);
        }
        void* symbol = ::dlsym(handle, PluginEntryName);
        if (symbol == nullptr)
            return refusal("is no plugin: it has no SIGNALBOX_PLUGIN(…)");
        PluginEntry entry = nullptr;
        std::memcpy(&entry, &symbol, sizeof entry);
        PluginRegistrar registrar(library->m_components, taken);
        entry(registrar);
        if (!registrar.fault().empty())
            return refusal(registrar.fault());
        if (const Result<void> own = ownTables(library->m_components, symbol); !own)
            return own.error();
    } catch (const std::exception& e) {
        thrown = e.what();
    } catch (...) {
        thrown = "no std::exception";
    }
    if (!thrown.empty())
        return refusal("threw while it registered its components: " + oneLine(thrown));
    if (!messages.conflicts().empty())
        return refusal(messages.conflicts().front());
    messages.keep();
    return library;
}

Result<void> PluginLibrary::tryApart(const std::filesystem::path& file, const std::filesystem::path& checker,
                                     std::chrono::milliseconds limit) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return refusal("cannot be tried: " + std::string(std::strerror(errno)));
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const std::string program = checker.string();
    const std::string argument = file.string();
    std::array<char*, 3> arguments{const_cast<char*>(program.c_str()), const_cast<char*>(argument.c_str()),
                                   nullptr};
    pid_t child = 0;
    const int failed = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failed != 0) {
        ::close(ends[0]);
        return refusal("cannot be tried: " + program + ": " + std::strerror(failed));
    }
    // Its words, until it ends or its time is up.
    std::string said;
    bool late = false;
    const auto until = std::chrono::steady_clock::now() + limit;
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now())
                .count();
        pollfd wait{ends[0], POLLIN, 0};
        const int ready = left <= 0 ? 0 : ::poll(&wait, 1, static_cast<int>(left));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0) {
            late = true;
            ::kill(child, SIGKILL);
            break;
        }
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(ends[0], buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        if (said.size() < 65536)
            said.append(buffer.data(), static_cast<std::size_t>(count));
    }
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (late)
        return refusal("had not loaded after " + std::to_string(limit.count() / 1000) + " seconds");
    // The plugin may print too: the verdict is the last line.
    while (!said.empty() && said.back() == '\n')
        said.pop_back();
    const std::string_view last =
        std::string_view(said).substr(said.rfind('\n') == std::string::npos ? 0 : said.rfind('\n') + 1);
    if (last.starts_with("refused: "))
        return refusal(oneLine(last.substr(9)));
    if (WIFSIGNALED(status))
        return refusal("crashes while it is loaded (" + signalText(WTERMSIG(status)) + ")");
    if (!last.starts_with("ok: "))
        return refusal("ends the program while it is loaded (exit status "
                       + std::to_string(WEXITSTATUS(status)) + ")");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return refusal("breaks the end of the program that loaded it (exit status "
                       + std::to_string(WEXITSTATUS(status)) + ")");
    return {};
}

std::filesystem::path pluginChecker() {
    constexpr const char* Name = "signalbox-plugin-check";
    Dl_info engine{};
    if (::dladdr(&EngineMark, &engine) == 0 || engine.dli_fname == nullptr)
        return Name;
    std::error_code ignored;
    std::filesystem::path file = std::filesystem::canonical(engine.dli_fname, ignored);
    return (ignored ? std::filesystem::path(engine.dli_fname) : file).parent_path() / Name;
}

int checkPlugin(const std::filesystem::path& file) {
    const auto refuse = [](const std::string& reason) {
        std::printf("\nrefused: %s\n", reason.c_str());
        std::fflush(stdout);
        return 1;
    };
    if (const Result<void> sound = PluginLibrary::examine(file); !sound)
        return refuse(sound.error().message);
    setContractHandler([](const ContractViolation& violation) {
        std::printf("\nrefused: breaks a rule of the engine: %s\n", violation.message);
        std::fflush(stdout);
        std::_Exit(1);
    });
    // Not a crash to be kept.
    ::signal(SIGABRT, SIG_DFL);
    ComponentRegistry builtins;
    registerBuiltinComponents(builtins);
    const auto library = PluginLibrary::load(file, file.string(), {}, [&](std::string_view name) {
        return builtins.find(name) != nullptr ? std::string("the engine") : std::string();
    });
    if (!library)
        return refuse(library.error().message);
    std::string names;
    for (const ComponentType& type : (*library)->components().types()) {
        static_cast<void>(type.makeSettings(nullptr));
        names += (names.empty() ? "" : ", ") + type.name;
    }
    std::printf("\nok: %s\n", names.c_str());
    std::fflush(stdout);
    return 0;
}

} // namespace sbx
