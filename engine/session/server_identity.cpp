#include "engine/session/server_identity.h"

#include "engine/core/whole_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

namespace sbx {

namespace {

constexpr std::string_view KeyHead = "signalbox-server-key-1 ";
constexpr std::size_t MaxBytes = 1U << 20U; // of any of these files

std::string hexOf(net::ByteView bytes) {
    static constexpr std::string_view Digits = "0123456789abcdef";
    std::string out;
    for (const std::uint8_t byte : bytes) {
        out += Digits[byte >> 4U];
        out += Digits[byte & 15U];
    }
    return out;
}

std::optional<net::Key> keyOf(std::string_view hex) {
    net::Key key{};
    const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
    if (hex.size() != key.size() * 2)
        return std::nullopt;
    for (std::size_t i = 0; i < key.size(); ++i) {
        const int high = digit(hex[2 * i]);
        const int low = digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return std::nullopt;
        key[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return key;
}

Error failed(const std::filesystem::path& file, const std::string& what) { return {file.string() + ": " + what, {}, {}}; }

// Null: there is none. Only a regular file: a pipe would be waited for.
Result<std::optional<std::string>> readFile(const std::filesystem::path& file, bool secret) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return std::optional<std::string>();
    if (!std::filesystem::is_regular_file(status))
        return failed(file, "cannot be read, or is no file");
    using std::filesystem::perms;
    if (secret && (status.permissions() & (perms::group_all | perms::others_all)) != perms::none)
        return failed(file, "others can read or write this secret; expected the owner alone, as chmod 600 makes it");
    std::ifstream in(file, std::ios::binary);
    std::string text(MaxBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad() || (text.empty() && !in.eof()))
        return failed(file, "cannot be read");
    if (text.size() > MaxBytes)
        return failed(file, "is too long");
    return std::optional<std::string>(std::move(text));
}

std::string firstLine(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    if (line.ends_with('\r'))
        line.pop_back();
    return line;
}

// As one word of a shell's command line.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

Result<void> writePrivate(const std::filesystem::path& file, const std::string& text) {
    std::error_code error;
    if (file.has_parent_path())
        std::filesystem::create_directories(file.parent_path(), error); // the writer says what is wrong
    return writeFileSafely(file, text, FileAccess::Private);
}

} // namespace

Result<net::KeyPair> loadServerKey(const std::filesystem::path& file) {
    const Result<std::optional<std::string>> text = readFile(file, true);
    if (!text)
        return text.error();
    if (*text) {
        const std::string line = firstLine(**text);
        const std::optional<net::Key> secret =
            line.starts_with(KeyHead) ? keyOf(std::string_view(line).substr(KeyHead.size())) : std::nullopt;
        if (!secret)
            return failed(file, "is no server's key; remove it to have a new one made");
        return net::makeKeyPair(*secret);
    }
    net::Key secret{};
    net::secureEntropy(secret);
    if (const Result<void> written = writePrivate(file, std::string(KeyHead) + hexOf(secret) + "\n"); !written)
        return written.error();
    return net::makeKeyPair(secret);
}

Result<std::string> loadPassword(const std::filesystem::path& file) {
    const Result<std::optional<std::string>> text = readFile(file, true);
    if (!text)
        return text.error();
    if (!*text)
        return failed(file, "there is no such file");
    std::string password = firstLine(**text);
    if (password.empty())
        return failed(file, "its first line is empty; expected the password");
    return password;
}

std::string fingerprint(const net::Key& serverKey) {
    std::array<std::uint8_t, 16> digest{};
    net::hash(digest, {}, {serverKey});
    const std::string digits = hexOf(digest);
    std::string out;
    for (std::size_t i = 0; i < digits.size(); i += 4)
        out += (i == 0 ? "" : " ") + digits.substr(i, 4);
    return out;
}

Result<std::optional<KnownServer>> KnownServers::find(const std::string& server) const {
    const Result<std::optional<std::string>> text = readFile(m_file, false);
    if (!text)
        return text.error();
    std::istringstream lines(text->value_or(std::string()));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::istringstream words(line);
        std::string name;
        std::string hex;
        words >> name >> hex;
        if (name != server)
            continue;
        if (const std::optional<net::Key> key = keyOf(hex))
            return std::optional<KnownServer>(KnownServer{*key, number, name});
        return failed(m_file, "line " + std::to_string(number) + " holds no key of " + server
                                  + "; remove it to trust that server anew");
    }
    return std::optional<KnownServer>();
}

Result<void> KnownServers::remember(const std::string& server, const net::Key& key) const {
    const Result<std::optional<std::string>> text = readFile(m_file, false);
    if (!text)
        return text.error();
    std::string lines = text->value_or(std::string());
    if (!lines.empty() && !lines.ends_with('\n'))
        lines += '\n';
    return writePrivate(m_file, lines + server + " " + hexOf(key) + "\n");
}

std::string keyChangedText(const KnownServer& known, const std::optional<net::Key>& offered,
                           const std::filesystem::path& file) {
    const std::string line = std::to_string(known.line);
    return known.name + (offered ? " HAS ANOTHER KEY THAN IT HAD" : " HAS NO KEY, AND HAD ONE")
           + ".\n"
             "Somebody may be listening between you and the server, or the server was set up anew. Nothing "
             "was sent to it.\n"
             "  known:   "
           + fingerprint(known.key) + "  (" + file.string() + ", line " + line + ")\n  offered: "
           + (offered ? fingerprint(*offered) : std::string("none")) + "\nAsk the person who runs the server "
           + (offered
                  ? "for its fingerprint, which it prints when it starts. Only if it is the offered one,\n"
                  : "whether it is meant to have no key: such a server cannot be distinguished from another. Only "
                    "then\n")
           + "remove line " + line + ", which holds the old key, and connect again"
           + (offered ? "; the new key is remembered then" : "") + ":\n  sed -i " + line + "d "
           + quoted(file.string());
}

} // namespace sbx
