#include "app/common/thread_question.h"

#include "engine/session/simulation_thread.h"

#include <execinfo.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace sbx::app {

namespace {

constexpr int Question = SIGURG;
constexpr int MaxAnswerFrames = 48;
enum State : int { Idle, Asked, Answered };

std::atomic<int> g_state = Idle;
// Written by the answering thread before it sets the flag, read after.
UnderWayReport g_answer;
void* g_frames[MaxAnswerFrames];
int g_frameCount = 0;

void answerHere(int) {
    const int before = errno;
    if (g_state.load(std::memory_order_acquire) == Asked) {
        g_answer = describeUnderWay();
        g_frameCount = ::backtrace(g_frames, MaxAnswerFrames);
        g_state.store(Answered, std::memory_order_release);
    }
    errno = before;
}

} // namespace

ThreadQuestion::ThreadQuestion() {
    g_state = Idle;
    void* frame = nullptr;
    (void)::backtrace(&frame, 1); // loads what it needs
    struct sigaction action {};
    action.sa_handler = answerHere;
    action.sa_flags = SA_RESTART;
    ::sigaction(Question, &action, nullptr);
}

ThreadQuestion::~ThreadQuestion() {
    // Not to its default: the thread may have the signal still before it.
    ::signal(Question, SIG_IGN);
}

void ThreadQuestion::ask(SimulationThread& thread) {
    if (g_state.load(std::memory_order_acquire) == Asked)
        return; // it has not answered
    g_state.store(Asked, std::memory_order_release);
    thread.interrupt(Question);
}

std::optional<UnderWayReport> ThreadQuestion::answer() {
    if (g_state.load(std::memory_order_acquire) != Answered)
        return std::nullopt;
    const UnderWayReport out = g_answer;
    g_state.store(Idle, std::memory_order_release);
    return out;
}

std::vector<std::string> ThreadQuestion::backtrace() const {
    std::vector<std::string> out;
    if (g_state.load(std::memory_order_acquire) == Asked)
        return out;
    char** const lines = ::backtrace_symbols(g_frames, g_frameCount);
    for (int i = 0; lines != nullptr && i < g_frameCount; ++i)
        out.emplace_back(lines[i]);
    std::free(lines);
    return out;
}

} // namespace sbx::app
