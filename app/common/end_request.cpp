#include "app/common/end_request.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace sbx::app {

namespace {
// All that a handler of signals may touch.
std::atomic<int> g_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

std::atomic<unsigned> g_grace = 0; // seconds

void note(int signal) {
    g_signal = signal;
    if (const unsigned grace = g_grace; grace > 0)
        ::alarm(grace);
}

void endAtOnce(int) { ::_exit(128 + g_signal); }

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
        return; // it was started in the background, where signals are ignored
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigaction(signal, &action, nullptr);
}
} // namespace

EndRequest::EndRequest(unsigned grace) {
    g_signal = 0;
    g_grace = grace;
    if (grace > 0)
        ::signal(SIGALRM, endAtOnce);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        handle(signal, note, static_cast<int>(SA_RESETHAND));
}

EndRequest::~EndRequest() {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        handle(signal, SIG_DFL, 0);
}

int EndRequest::signal() const { return g_signal; }

} // namespace sbx::app
