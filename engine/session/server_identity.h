#pragma once
// Who a server is: its key in a file, and the keys of servers that a client has met. Secrets stay in their files: none is ever logged,
// printed or put into a CVar.
//
// Blocking; before a run begins. Files are small texts, written whole, for their owner alone. A secret that others can read is
// refused, as OpenSSH does.

#include "engine/core/result.h"
#include "engine/net/cipher.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sbx {

// Made and written if there is no such file.
[[nodiscard]] Result<net::KeyPair> loadServerKey(const std::filesystem::path& file);

// The first line of a file.
[[nodiscard]] Result<std::string> loadPassword(const std::filesystem::path& file);

// What people compare: 128 bits of the public key's hash, in eight groups of hexadecimal digits.
[[nodiscard]] std::string fingerprint(const net::Key& serverKey);

struct KnownServer {
    net::Key key{};
    std::size_t line = 0; // of the file, from 1 on
    std::string name;     // by which the server was asked for
};

// The file in which a client keeps the keys of servers, one a line: the name by which the server was asked for, "localhost:4321", and
// its key. No file: no server is known.
class KnownServers {
public:
    explicit KnownServers(std::filesystem::path file) : m_file(std::move(file)) {}

    // Null: it has not been met. An error if the file cannot be read, or its line is none: then nobody must be trusted.
    [[nodiscard]] Result<std::optional<KnownServer>> find(const std::string& server) const;
    [[nodiscard]] Result<void> remember(const std::string& server, const net::Key& key) const;
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

private:
    std::filesystem::path m_file;
};

// For a server that has another key than it had, or none (`offered` null): what that may mean, both fingerprints, which line of which
// file to remove and how. Lines for people.
[[nodiscard]] std::string keyChangedText(const KnownServer& known, const std::optional<net::Key>& offered,
                                         const std::filesystem::path& file);

} // namespace sbx
