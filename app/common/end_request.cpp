#include "app/common/end_request.h"

#include <atomic>
#include <csignal>

namespace sbx::app {

namespace {
// All that a handler of signals may touch.
std::atomic<bool> g_made = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void note(int) { g_made = true; }

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
        return; // whoever started it in the background wants it so
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigaction(signal, &action, nullptr);
}
} // namespace

EndRequest::EndRequest() {
    g_made = false;
    for (const int signal : {SIGTERM, SIGINT})
        handle(signal, note, static_cast<int>(SA_RESETHAND));
}

EndRequest::~EndRequest() {
    for (const int signal : {SIGTERM, SIGINT})
        handle(signal, SIG_DFL, 0);
}

bool EndRequest::made() const { return g_made; }

} // namespace sbx::app
