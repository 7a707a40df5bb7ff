#pragma once
// What Session::playAsServer() needs.

#include "engine/net/cipher.h"
#include "engine/session/udp_host.h"

#include <memory>
#include <string>

namespace sbx {

struct ServerSetup {
    std::shared_ptr<UdpHost> udp; // opened; the session begins it
    net::KeyPair key;             // of this server, see loadServerKey()
    std::string password;         // empty: none is required
};

} // namespace sbx
