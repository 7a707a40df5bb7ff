#include "app/common/display.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace sbx::app {

namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

bool answers(const std::string& path, bool abstract) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t start = abstract ? 1 : 0; // abstract names begin with a zero byte
    if (path.size() + start >= sizeof(address.sun_path))
        return false;
    std::memcpy(address.sun_path + start, path.data(), path.size());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0)
        return false;
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + start + path.size() + (abstract ? 0 : 1));
    const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    ::close(socket);
    return connected;
}

} // namespace

Result<void> findDisplay() {
    // A platform that was chosen by name, as tests choose "offscreen", is left to Qt.
    const std::string platform = variable("QT_QPA_PLATFORM");
    if (!platform.empty() && !platform.starts_with("xcb") && !platform.starts_with("wayland"))
        return {};
    if (!variable("WAYLAND_DISPLAY").empty())
        return {};
    const std::string display = variable("DISPLAY");
    if (display.empty())
        return Error{"no display", {}, {}};
    const std::size_t colon = display.rfind(':');
    if (colon == std::string::npos)
        return Error{"no display: DISPLAY is " + display + "; expected HOST:NUMBER", {}, {}};
    const std::string host = display.substr(0, colon);
    if (!host.empty() && host != "unix")
        return {}; // over the network: Qt asks
    const std::string number = display.substr(colon + 1, display.find('.', colon) - colon - 1);
    const std::string path = "/tmp/.X11-unix/X" + number;
    if (answers(path, true) || answers(path, false))
        return {};
    return Error{"no display: nothing answers at DISPLAY " + display, {}, {}};
}

} // namespace sbx::app
